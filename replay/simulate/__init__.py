"""Simulated games: by simple players, or scripted move by move."""
