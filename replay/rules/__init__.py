"""Rulesets as data: their fields, the presets, and what logs say of their own rules."""
