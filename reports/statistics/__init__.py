"""Statistics of counted metrics: values, intervals, comparison, and their tables."""
