"""What the short run of the tests leaves out, beside those on real logs; see ``_mark_full`` of conftest."""

from __future__ import annotations

EVERY_NTH = {
    "tests/test_remembered.py::test_the_outcome_of_a_log_is_as_before": 20,
}
"""Test -> of its cases, the short run takes every Nth; 0: none."""
