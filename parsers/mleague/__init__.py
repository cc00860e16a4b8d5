"""Pages of the M.League's viewer."""
