"""Texts of Tonpuusou, an early platform: reader."""
