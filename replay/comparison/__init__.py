"""Whether two records tell the same game: pairs of games and hands by content, and every fact of both."""
