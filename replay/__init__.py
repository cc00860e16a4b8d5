"""The replay model and the rules engine. Nothing here knows files, data frames, terminals or models."""
