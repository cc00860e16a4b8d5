"""Games between simple players."""
