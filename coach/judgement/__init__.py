"""Options of a game, what each option was worth, and what the choice cost."""
