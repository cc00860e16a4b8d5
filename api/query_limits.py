"""What a query may take, unless somebody says otherwise. No code: help texts ask for it."""

MEMORY, LEAST_MEMORY = 1000, 300
"""Megabytes that a query may take, and that it needs to begin."""
TIMEOUT = 600.0
"""Seconds that a query may take."""
