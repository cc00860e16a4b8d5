"""What the judgement of the model says of decisions and of players."""
