"""The replay model: tiles, events, and the columns that hold many games."""
