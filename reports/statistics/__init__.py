"""Statistics: values of counted metrics, intervals, comparisons, and their tables."""
