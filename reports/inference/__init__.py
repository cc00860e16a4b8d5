"""Every interval, test and comparison: what may be concluded from sums by game.

What is drawn at random are games (or walls, or tables), not rows: the hands of one game depend on each other.
So functions take :class:`~paifu.reports.inference.sums.GameSums`, with sums of squares and products over
whole games. No other module computes a standard error.

* :mod:`~paifu.reports.inference.sums`: the sums, their ratio and its standard error;
* :mod:`~paifu.reports.inference.intervals`: 95% intervals, and Student's t;
* :mod:`~paifu.reports.inference.chances`: how likely a difference is by chance, and which of many to report;
* :mod:`~paifu.reports.inference.farthest`: how far the farthest of many goes by chance;
* :mod:`~paifu.reports.inference.shrinking`: how much players differ, without what chance adds.

The formulas are closed, because the page of a report computes the same intervals in its script when games are
filtered. Tests check how often the intervals contain the truth.
"""
