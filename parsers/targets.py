"""Names of the formats that games can be written in: the one list, and nothing that takes time to import."""

from __future__ import annotations

TARGETS = ("mjlog", "tenhou6", "mjai", "mjai-mortal", "majiang", "majsoul-json", "paifu", "paifu-events")
"""As commands take and list them; :data:`paifu.parsers.writers.WRITERS` has what writes each."""
OWN_FORMATS = ("paifu", "paifu-events")
"""The targets that can state any ruleset."""
EVERY_TARGET = f"{', '.join(TARGETS[:-1])} or {TARGETS[-1]}"
"""The list in words."""
