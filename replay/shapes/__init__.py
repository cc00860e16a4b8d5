"""Shanten, waits and acceptance of concealed tiles."""
