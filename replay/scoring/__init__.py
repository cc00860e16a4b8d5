"""What a winning hand is worth: readings, yaku, fu, limits, payments."""
