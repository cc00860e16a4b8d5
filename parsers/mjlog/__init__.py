"""Tenhou's mjlog XML: reader and writer."""
