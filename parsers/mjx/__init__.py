"""mjx: the states of a simulator of riichi as JSON, one hand a line: reader."""
