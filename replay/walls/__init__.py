"""Walls rebuilt from published seeds."""
