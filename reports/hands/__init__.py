"""One hand as text and as state, for the terminal and for pages."""
