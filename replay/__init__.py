"""The replay model and the rules engine. Nothing here knows files, data frames or terminals."""
