"""The loops that run millions of times, compiled by numba or run as plain Python."""
