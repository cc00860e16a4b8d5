"""What the review can find in players' decisions: the codes, and their messages."""
