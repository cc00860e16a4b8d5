"""Mahjong Soul's records, as the platform sends them and as tools store them: reader."""
