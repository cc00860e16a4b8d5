"""Mending: what a record states wrongly and the engine can prove, put right; nothing is guessed."""
