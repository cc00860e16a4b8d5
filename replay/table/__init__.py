"""The engine: every hand replayed, and what follows from one hand to the next."""
