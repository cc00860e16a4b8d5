"""What a game means: decisions rated, luck, chances of places, what to discard, play-outs."""
