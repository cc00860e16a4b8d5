"""What verification can find: the codes, and their messages."""
