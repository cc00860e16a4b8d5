"""mjai, the JSON lines that bots speak: reader and writers."""
