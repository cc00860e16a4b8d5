"""What the review finds in players' decisions, as numbers."""
