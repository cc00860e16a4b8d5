"""Riichi City's records: reader."""
