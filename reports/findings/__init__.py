"""Findings as rows, lines and summaries."""
