"""Under which rules a game is played: presets, changes of them, and what logs say."""
