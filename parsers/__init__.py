"""From bytes to the replay model, and back: sources, formats, datasets."""
