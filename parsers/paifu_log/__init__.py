"""paifu's own log, JSON Lines: every fact of the replay model, readable and writable by hand."""
