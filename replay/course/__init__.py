"""What follows from one hand to the next: payments, the next deal, the end of the game, final places."""
