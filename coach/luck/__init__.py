"""Luck: what each chance of a hand brought, against the mean of all that it might have brought."""
