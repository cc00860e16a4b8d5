"""Ways to score a hand: one module a scheme behind one interface, with tables of patterns and payments."""
