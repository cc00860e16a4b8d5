"""The engine: every hand replayed and compared with its log."""
