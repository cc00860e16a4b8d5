"""What to discard: a position as one player sees it, played on alone and judged by the model."""
