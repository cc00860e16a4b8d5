"""The engine for the games other than riichi: one table in plain Python, for replay and for simulation."""
