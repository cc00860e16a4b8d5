"""Fitting the model of decisions, and what its judgement says of players."""
