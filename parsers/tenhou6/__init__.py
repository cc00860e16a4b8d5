"""Tenhou's tenhou.net/6 JSON: reader and writer."""
