"""Leagues: what a season's games come to, as standings, teams, rounds and honours."""
