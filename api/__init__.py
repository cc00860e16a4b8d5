"""The library: what every command does, as functions; see :mod:`paifu`."""
