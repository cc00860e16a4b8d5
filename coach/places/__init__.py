"""Chances of each place, from ends of real hands played on by the exact rules."""
