"""The figures: a table of them, each a function of statistics to a matplotlib Figure, never saved here.

A figure shows one player beside everybody, or everybody alone, and says on how many cases it stands. Every
number comes out of the catalogue (:mod:`paifu.reports.catalogue`); intervals are at 95 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from paifu.replay.review import Danger, Threat
from paifu.replay.review_kinds import TITLES
from paifu.replay.review_words import DANGER_NAMES
from paifu.replay.yaku import YAKU
from paifu.reports import figure_style as look
from paifu.reports.catalogue import CATALOGUE
from paifu.reports.figure_style import ALL, BAD, FIFTH, FOURTH, GOOD, OWN, THIRD
from paifu.reports.intervals import wilson
from paifu.reports.statistics import Estimate, Group, PlayedGame, moving_average
from paifu.reports.words import plural

EVERYBODY = "all players"


@dataclass(frozen=True, slots=True)
class FigureData:
    """What figures are drawn from."""

    everybody: Group
    own: Group | None = None
    """The player; None shows everybody alone."""
    own_name: str = "player"
    """What stands for the player in legends; drawable (:func:`~paifu.reports.figure_style.drawable`)."""
    course: Sequence[PlayedGame] = ()
    """The player's games in the order of play."""
    danger: npt.NDArray[np.int64] | None = None
    """As in :class:`paifu.replay.review.Reviewed`."""

    @property
    def groups(self) -> list[tuple[Group, str, str]]:
        """Groups to draw, each with its name and colour: the player first."""
        all_ = (self.everybody, EVERYBODY, ALL if self.own else OWN)
        return [(self.own, self.own_name, OWN), all_] if self.own else [all_]

    @property
    def shown(self) -> Group:
        """The player, or everybody where no player was chosen."""
        return self.own or self.everybody


Draw = Callable[[FigureData], Figure | None]
Words = tuple[str, str, str]
"""A metric or series, what it is called in the figure, its colour; or words, colour, mark."""


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One figure of the table."""

    name: str
    title: str
    description: str
    draw: Draw
    """Returns None where there is nothing to be shown."""
    metrics: tuple[str, ...] = ()
    """Statistics that it needs."""
    needs: frozenset[str] = field(default_factory=frozenset)
    """What it needs beside: ``review``, ``player``; ``everybody`` where it shows no player apart."""


FIGURES: dict[str, FigureKind] = {}
"""Every figure by name, in the order of display."""


def _figure(
    name: str, title: str, description: str, metrics: Iterable[str] = (), *needs: str
) -> Callable[[Draw], Draw]:
    def add(draw: Draw) -> Draw:
        names = tuple(metrics)
        FIGURES[name] = FigureKind(name, title, description, draw, names, frozenset(needs))
        return draw

    return add


def draw(name: str, data: FigureData, *, title: str = "", for_page: bool = False) -> Figure | None:
    """Draw a figure of the table; None where there is nothing to be shown."""
    with look.styled(for_page=for_page):
        figure = FIGURES[name].draw(data)
        if figure is not None and title:
            figure.suptitle(title, x=0.007, ha="left", fontsize=11, fontweight="bold")
    return figure


# --- parts ---------------------------------------------------------------------------------------------


def _percent(axes: Axes, axis: str = "y") -> None:
    part = axes.yaxis if axis == "y" else axes.xaxis
    part.set_major_formatter(FuncFormatter(lambda share, _at: f"{100 * share:.4g} %"))
    part.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))


def _cases(data: FigureData, metric: str, noun: str) -> list[str]:
    """Say the denominators of one statistic: of the player, then of everybody."""
    own = f"n = {plural(data.shown.stats[metric].d, noun)}"
    return [own, f"all players {data.everybody.stats[metric].d:,}"] if data.own else [own]


def _error(estimates: Sequence[Estimate]) -> npt.NDArray[np.float64]:
    """Return distances from values to the bounds of their intervals, (2, n)."""
    bars = [
        (0, 0) if e.value is None or e.low is None or e.high is None else (e.value - e.low, e.high - e.value)
        for e in estimates
    ]
    found: npt.NDArray[np.float64] = np.maximum(np.array(bars, float).reshape(-1, 2).T, 0)
    return found


def _values(estimates: Iterable[Estimate]) -> list[float]:
    return [np.nan if e.value is None else e.value for e in estimates]


def _columns(data: FigureData, metrics: Sequence[str], labels: Sequence[str], noun: str) -> Figure | None:
    """Draw shares as columns, the player's beside everybody's, with intervals."""
    if not any(data.shown.stats[name].d for name in metrics):
        return None
    figure, [axes] = look.new_figure()
    groups = data.groups
    width = 0.8 / len(groups)
    for number, (group, name, color) in enumerate(groups):
        estimates = [group.stats[metric] for metric in metrics]
        at = np.arange(len(metrics)) + (number - (len(groups) - 1) / 2) * width
        axes.bar(at, _values(estimates), width * 0.92, color=color, label=name)
        axes.errorbar(at, _values(estimates), _error(estimates), fmt="none", ecolor=look.TEXT, elinewidth=1)
    axes.set_xticks(range(len(metrics)), labels)
    axes.grid(visible=False, axis="x")
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(bottom=0)
    _percent(axes)
    look.heading(axes, _cases(data, metrics[0], noun))
    return figure


def _curves(
    data: FigureData, series: Sequence[tuple[str, str, str]], noun: str, ylabel: str
) -> Figure | None:
    """Draw curves by turn: of each series (name, words, colour) the player's line, and everybody's dashed."""
    if not data.shown.hands:
        return None
    figure, [axes] = look.new_figure()
    points = {name: [m.name for m in CATALOGUE.values() if m.series == name] for name, _, _ in series}
    first = points[series[0][0]]
    for name, words, color in series:
        turns = [CATALOGUE[metric].at for metric in points[name]]
        for group, _, _ in data.groups:
            is_main = group is data.shown
            values = _values(group.stats[metric] for metric in points[name])
            axes.plot(
                turns,
                values,
                color=color if is_main or len(series) > 1 else ALL,
                linestyle="-" if is_main else (0, (4, 2)),
                linewidth=2.2 if is_main else 1.3,
                label=words if is_main else None,
            )
        estimates = [data.shown.stats[metric] for metric in points[name]]
        low = [np.nan if e.low is None else e.low for e in estimates]
        high = [np.nan if e.high is None else e.high for e in estimates]
        axes.fill_between(turns, low, high, color=color, alpha=0.15, linewidth=0)
    if data.own:
        axes.plot([], [], color=ALL, linestyle=(0, (4, 2)), linewidth=1.3, label=EVERYBODY)
    axes.set_xlim(1, 18)
    axes.set_xticks([1, 3, 6, 9, 12, 15, 18])
    axes.set_xlabel("turn (own discards)")
    axes.set_ylabel(ylabel)
    axes.set_ylim(bottom=0)
    if all(CATALOGUE[metric].unit == "%" for metric in first):
        _percent(axes)
    look.heading(axes, _cases(data, first[0], noun))
    return figure


def _rows(
    data: FigureData,
    rows: Sequence[tuple[str, Sequence[str]]],
    kinds: Sequence[tuple[str, str, str]],
    noun: str,
) -> Figure | None:
    """Draw shares as points on lines: a row holds a metric for each of ``kinds`` (words, colour, mark)."""
    rows = [row for row in rows if any(data.shown.stats[metric].d for metric in row[1])]
    if not rows:
        return None
    figure, [axes] = look.new_figure(height=max(look.HEIGHT, 1.35 + 0.32 * len(rows)))
    at = np.arange(len(rows))[::-1]
    for number, (words, color, mark) in enumerate(kinds):
        own = [data.shown.stats[metrics[number]] for _, metrics in rows]
        axes.errorbar(
            _values(own), at, xerr=_error(own), fmt=mark, color=color, elinewidth=1.2, markersize=6,
            label=words,
        )  # fmt: skip
        if data.own:
            everybody = _values(data.everybody.stats[metrics[number]] for _, metrics in rows)
            axes.plot(everybody, at, "|", color=color, markersize=13, markeredgewidth=1.6, alpha=0.75)
    if data.own:
        axes.plot([], [], "|", color=ALL, markersize=11, markeredgewidth=1.6, label=EVERYBODY)
    cases = [max(data.shown.stats[metric].d for metric in metrics) for _, metrics in rows]
    axes.set_yticks(at, [f"{words} ({n:,})" for (words, _), n in zip(rows, cases, strict=True)])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlim(left=0)
    axes.tick_params(axis="y", length=0)
    _percent(axes, "x")
    look.heading(axes, [f"n of each row in brackets, {noun}"])
    return figure


def _stacks(data: FigureData, parts: Sequence[Words], noun: str) -> Figure | None:
    """Draw shares that add up to a whole: a bar a group, its parts (metric, words, colour) side by side."""
    if not data.shown.stats[parts[0][0]].d:
        return None
    figure, [axes] = look.new_figure(height=1.5 + 0.5 * len(data.groups))
    at = np.arange(len(data.groups))[::-1]
    left = np.zeros(len(at))
    for metric, words, color in parts:
        widths = np.nan_to_num(np.array(_values(group.stats[metric] for group, _, _ in data.groups)))
        axes.barh(at, widths, 0.66, left=left, color=color, label=words, edgecolor=look.PAPER, linewidth=0.8)
        for y, begin, width in zip(at, left, widths, strict=True):
            if width >= 0.06:
                axes.text(begin + width / 2, y, f"{100 * width:.0f}", ha="center", va="center",
                          color=look.PAPER, fontweight="bold")  # fmt: skip
        left += widths
    axes.set_yticks(at, [name for _, name, _ in data.groups])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False)
    axes.set_xlim(0, max(1.0, left.max()))
    axes.set_xlabel(f"share of {noun}s")
    _percent(axes, "x")
    look.heading(axes, _cases(data, parts[0][0], noun), columns=3)
    return figure


def _series(*names: str) -> list[str]:
    return [metric.name for metric in CATALOGUE.values() if metric.series in names]


# --- placement -----------------------------------------------------------------------------------------

_PLACES = ("first_rate", "second_rate", "third_rate", "fourth_rate")


@_figure("placement", "Placement", "Share of games finished in each place.", _PLACES)
def _placement(data: FigureData) -> Figure | None:
    has_fourth = any(group.stats["fourth_rate"].n for group, _, _ in data.groups)
    count = 4 if has_fourth else 3
    figure = _columns(data, _PLACES[:count], ["1st", "2nd", "3rd", "4th"][:count], "game")
    if figure:
        figure.axes[0].set_xlabel("place")
        figure.axes[0].set_ylabel("share of games")
    return figure


HALF_LIVES = (100, 20, 5)
_ENOUGH_GAMES = 3
_MOST_POINTS = 600


@_figure(
    "course",
    "Course",
    "Mean place over the player's games in the order of play, and the rating before each where logs tell it. "
    "The mean is a moving one: a game's weight halves in so many games.",
    (),
    "player",
)
def _course(data: FigureData) -> Figure | None:
    games = [game for game in data.course if game.rank]
    if len(games) < _ENOUGH_GAMES:
        return None
    half_life = next((h for h in HALF_LIVES if len(games) >= 4 * h), HALF_LIVES[-1])
    number = np.arange(1, len(games) + 1)
    step = max(1, len(games) // _MOST_POINTS)
    rated = [(at, game.rating) for at, game in zip(number.tolist(), games, strict=True) if game.rating]
    has_rating = len(rated) >= _ENOUGH_GAMES
    figure, parts = look.new_figure(
        2 if has_rating else 1, height=look.HEIGHT * (1.35 if has_rating else 1), sharex=True
    )
    ranks = moving_average([game.rank for game in games], half_life)
    most = max(game.players for game in games)
    if len(games) <= 150:
        parts[0].plot(number, [game.rank for game in games], ".", color=ALL, markersize=4, label="place")
    parts[0].plot(number[::step], ranks[::step], color=OWN, label=f"mean, half-life {half_life} games")
    parts[0].set_ylim(most + 0.15, 0.85)
    parts[0].set_yticks(range(1, most + 1))
    parts[0].set_ylabel("place")
    if has_rating:
        at, ratings = zip(*rated[::step], strict=True)
        parts[1].plot(at, ratings, color=BAD)
        parts[1].set_ylabel("rating (R)")
    parts[-1].set_xlabel("game, in the order of play")
    parts[-1].xaxis.set_major_locator(MaxNLocator(6, integer=True))
    parts[-1].set_xlim(0.5, len(games) + 0.5)
    look.heading(parts[0], [f"n = {plural(len(games), 'game')}"])
    return figure


def _first(parts: Iterable[Words]) -> list[str]:
    return [metric for metric, _, _ in parts]


# --- hands ---------------------------------------------------------------------------------------------

_ENDINGS = (
    ("win_rate", "won", GOOD),
    ("draw_rate", "drawn", ALL),
    ("aside_rate", "aside of a ron", FOURTH),
    ("hit_rate", "hit by tsumo", THIRD),
    ("deal_in_rate", "dealt in", BAD),
)


@_figure(
    "endings",
    "How hands end",
    "Share of hands won, drawn, passed aside of others' ron, paid for another's tsumo, and dealt in. "
    "What is missing to 100 % are aborted hands and nagashi.",
    _first(_ENDINGS),
)
def _endings(data: FigureData) -> Figure | None:
    return _stacks(data, _ENDINGS, "hand")


_WON_BY = (
    ("riichi_win_share", "after riichi", OWN),
    ("open_win_share", "open", THIRD),
    ("dama_win_share", "closed", FIFTH),
)


@_figure(
    "win-kinds",
    "How hands are won",
    "Share of wins after riichi, with an open hand, and with a closed hand without riichi.",
    (n for n, _, _ in _WON_BY),
)
def _win_kinds(data: FigureData) -> Figure | None:
    return _stacks(data, _WON_BY, "win")


_DEALT_TO = (
    ("deal_in_to_riichi_share", "to a riichi", OWN),
    ("deal_in_to_open_share", "to an open hand", THIRD),
    ("deal_in_to_dama_share", "to a closed hand", FIFTH),
)


@_figure(
    "deal-in-kinds",
    "What is dealt into",
    "Share of deal-ins to a riichi, to an open hand, and to a closed hand without riichi.",
    _first(_DEALT_TO),
)
def _deal_in_kinds(data: FigureData) -> Figure | None:
    return _stacks(data, _DEALT_TO, "deal-in")


@_figure(
    "outcomes-by-turn",
    "Wins and deal-ins by turn",
    "Share of hands won, and dealt in, up to each turn.",
    _series("won_by_turn", "dealt_in_by_turn"),
)
def _outcomes(data: FigureData) -> Figure | None:
    series = (("won_by_turn", "won", GOOD), ("dealt_in_by_turn", "dealt in", BAD))
    return _curves(data, series, "hand", "share of hands")


@_figure(
    "tenpai-by-turn",
    "Tenpai by turn",
    "Share of hands that reached tenpai, declared riichi, and made an open call, up to each turn.",
    _series("tenpai_by_turn", "riichi_by_turn", "called_by_turn"),
)
def _tenpai(data: FigureData) -> Figure | None:
    series = (
        ("tenpai_by_turn", "tenpai", OWN),
        ("riichi_by_turn", "riichi", BAD),
        ("called_by_turn", "open call", THIRD),
    )
    return _curves(data, series, "hand", "share of hands")


@_figure(
    "shanten-by-turn",
    "Shanten by turn",
    "Mean shanten after each discard, of hands that lasted so long; tenpai is 0.",
    _series("shanten_at_turn"),
)
def _shanten(data: FigureData) -> Figure | None:
    return _curves(
        data, (("shanten_at_turn", data.own_name if data.own else EVERYBODY, OWN),), "hand", "mean shanten"
    )


# --- points --------------------------------------------------------------------------------------------


def _bands(data: FigureData, series: str, noun: str) -> Figure | None:
    names = _series(series)
    edges = [CATALOGUE[name].at for name in names]
    figure = _columns(data, names, [""] * len(names), noun)
    if figure:
        axes = figure.axes[0]
        axes.set_xticks(np.arange(len(edges)) - 0.5, [f"{edge / 1000:g}" for edge in edges])
        axes.tick_params(axis="x", length=3)
        axes.set_xlim(-0.5, len(edges) - 0.5)
        axes.set_xlabel("value in thousands of points (32: or more)")
        axes.set_ylabel(f"share of {noun}s")
    return figure


@_figure(
    "win-points", "Value of wins", "Share of wins by value, without honba and sticks.", _series("win_points")
)
def _win_points(data: FigureData) -> Figure | None:
    return _bands(data, "win_points", "win")


@_figure(
    "deal-in-points",
    "Value of deal-ins",
    "Share of deal-ins by value, without honba and sticks.",
    _series("deal_in_points"),
)
def _deal_in_points(data: FigureData) -> Figure | None:
    return _bands(data, "deal_in_points", "deal-in")


# --- yaku ----------------------------------------------------------------------------------------------

_EACH_YAKUHAI = frozenset(YAKU[number].romaji for number in range(10, 21))
"""They are shown together."""
_YAKU_SHARES = tuple(
    metric.name
    for metric in CATALOGUE.values()
    if metric.family == "yaku"
    and metric.unit == "%"
    and not metric.name.endswith(("_open", "_closed"))
    and metric.title not in _EACH_YAKUHAI
)
_MOST_YAKU = 16


@_figure("yaku", "Yaku", f"Share of wins with each yaku, the {_MOST_YAKU} most frequent ones.", _YAKU_SHARES)
def _yaku(data: FigureData) -> Figure | None:
    everybody = data.everybody.stats
    often = sorted(_YAKU_SHARES, key=lambda name: -(everybody[name].value or 0))[:_MOST_YAKU]
    often = [name for name in often if everybody[name].n]
    if not often or not data.shown.stats[often[0]].d:
        return None
    figure, [axes] = look.new_figure(height=1.1 + 0.235 * len(often))
    at = np.arange(len(often))[::-1]
    own = [data.shown.stats[name] for name in often]
    axes.barh(at, _values(own), 0.68, color=OWN, label=data.own_name if data.own else EVERYBODY)
    axes.errorbar(_values(own), at, xerr=_error(own), fmt="none", ecolor=look.TEXT, elinewidth=1)
    if data.own:
        axes.plot(_values(everybody[n] for n in often), at, "D", color=THIRD, markersize=5,
                  markeredgecolor=look.PAPER, markeredgewidth=0.6, label=EVERYBODY)  # fmt: skip
    axes.set_yticks(at, [CATALOGUE[name].title for name in often])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set_xlim(left=0)
    axes.set_ylim(-0.6, len(often) - 0.4)
    axes.set_xlabel("share of wins")
    _percent(axes, "x")
    look.heading(axes, _cases(data, often[0], "win"))
    return figure


# --- riichi and calls ----------------------------------------------------------------------------------

_OUTCOMES = (("won", GOOD, "o"), ("dealt in", BAD, "s"))


@_figure(
    "riichi-turns",
    "Turn of riichi",
    "Share of riichi declared in each turn, the declaration tile counted.",
    _series("riichi_by_turn"),
)
def _riichi_turns(data: FigureData) -> Figure | None:
    names = _series("riichi_by_turn")
    totals = [group.stats[names[-1]].n for group, _, _ in data.groups]
    if not totals[0]:
        return None
    figure, [axes] = look.new_figure()
    turns = np.arange(1, len(names) + 1)
    for (group, name, color), total in zip(data.groups, totals, strict=True):
        counts = np.diff([0, *(group.stats[metric].n for metric in names)])
        if group is data.shown:
            axes.bar(turns, counts / total, 0.8, color=color, label=name)
        else:
            axes.plot(turns, counts / total, color=look.TEXT, linewidth=1.3, marker=".", label=name)
    axes.set_xticks([1, 3, 6, 9, 12, 15, 18])
    axes.set_xlabel("turn (own discards)")
    axes.set_ylabel("share of riichi")
    axes.grid(visible=False, axis="x")
    axes.set_ylim(bottom=0)
    _percent(axes)
    note = [f"n = {totals[0]:,} riichi"] + [f"all players {total:,}" for total in totals[1:]]
    look.heading(axes, note)
    return figure


_RIICHI = (
    ("all", ("riichi_win_rate", "riichi_deal_in_rate")),
    *(
        (words, (f"riichi_{kind}_win_rate", f"riichi_{kind}_deal_in_rate"))
        for kind, words in {
            "first": "first of the hand", "chase": "after another's", "good": "6 live tiles or more",
            "bad": "fewer live tiles", "furiten": "in furiten",
        }.items()
    ),
)  # fmt: skip


def _names(rows: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    return [name for _, names in rows for name in names]


@_figure(
    "riichi-outcomes",
    "What riichi brings",
    "Share of riichi won and dealt in, by order and by live tiles waited for.",
    _names(_RIICHI),
)
def _riichi_outcomes(data: FigureData) -> Figure | None:
    figure = _rows(data, _RIICHI, _OUTCOMES, "riichi")
    if figure:
        figure.axes[0].set_xlabel("share of riichi")
    return figure


_CALLS = tuple(
    (
        f"{n} {'call' if n == 1 else 'calls'}{' or more' if n < 4 else ''}",
        (f"calls_{n}_win_rate", f"calls_{n}_deal_in_rate"),
    )
    for n in range(1, 5)
)
_CLOSED = ("all hands", ("win_rate", "deal_in_rate"))


@_figure(
    "call-outcomes",
    "What calls bring",
    "Share of hands won and dealt in, of all hands and by open calls.",
    _names((_CLOSED, *_CALLS)),
)
def _call_outcomes(data: FigureData) -> Figure | None:
    figure = _rows(data, (_CLOSED, *_CALLS), _OUTCOMES, "hands")
    if figure:
        figure.axes[0].set_xlabel("share of hands")
    return figure


# --- review --------------------------------------------------------------------------------------------


@_figure(
    "danger",
    "Danger of tiles against a riichi",
    "Of tiles discarded while another is in riichi, the share that dealt in, by class as the discarder "
    "saw it: all players of these logs.",
    (),
    "review",
    "everybody",
)
def _danger(data: FigureData) -> Figure | None:
    if data.danger is None or not data.danger.any():
        return None
    players = 4 if data.danger[1].any() else 3
    table = data.danger[players - 3, Threat.RIICHI - 1].sum(axis=0)
    kinds = [kind for kind in Danger if table[kind, 0]]
    if not kinds:
        return None
    counts = [(int(table[kind, 1]), int(table[kind, 0])) for kind in kinds]
    order = sorted(range(len(kinds)), key=lambda i: counts[i][0] / counts[i][1])
    estimates = [Estimate(n, d, n / d, *wilson(n, d)) for n, d in (counts[i] for i in order)]
    figure, [axes] = look.new_figure(height=1.1 + 0.24 * len(kinds))
    at = np.arange(len(kinds))
    axes.errorbar(_values(estimates), at, xerr=_error(estimates), fmt="s", color=BAD, elinewidth=1.4)
    axes.set_yticks(at, [f"{DANGER_NAMES[kinds[i]]} ({counts[i][1]:,})" for i in order])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-0.7, len(kinds) - 0.3)
    axes.set_xlim(left=-0.004)
    axes.set_xlabel("share that dealt in")
    _percent(axes, "x")
    look.heading(
        axes,
        [f"n = {plural(int(table[:, 0].sum()), 'discard')} of {players} players; in brackets of each class"],
    )
    return figure


_REVIEW = tuple(f"review_{code.lower()}" for code in TITLES)


@_figure("review", "What the review finds", "Findings per 100 hands, by code.", _REVIEW, "review")
def _review(data: FigureData) -> Figure | None:
    found = [
        name for name in _REVIEW if name in CATALOGUE and any(g.stats[name].n for g, _, _ in data.groups)
    ]
    if not found:
        return None
    figure, [axes] = look.new_figure(height=1.1 + 0.26 * len(found))
    at = np.arange(len(found))[::-1]
    axes.barh(
        at,
        _values(data.shown.stats[n] for n in found),
        0.68,
        color=OWN,
        label=data.own_name if data.own else EVERYBODY,
    )
    if data.own:
        axes.plot(_values(data.everybody.stats[n] for n in found), at, "D", color=THIRD, markersize=5,
                  markeredgecolor=look.PAPER, markeredgewidth=0.6, label=EVERYBODY)  # fmt: skip
    titles = (CATALOGUE[name].title.removesuffix(", per 100 hands") for name in found)
    axes.set_yticks(at, list(titles))
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set_xlim(left=0)
    axes.set_ylim(-0.6, len(found) - 0.4)
    axes.set_xlabel("findings per 100 hands")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _at: f"{x:g}"))
    look.heading(axes, _cases(data, found[0], "hand"))
    return figure
