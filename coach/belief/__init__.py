"""Hidden hands as a player could expect them, from what it sees."""
