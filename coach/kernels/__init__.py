"""The loops of models: decisions, luck, places, the solver, simulated players and play-outs."""
