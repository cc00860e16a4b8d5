"""Figures, described once for files and pages; matplotlib is imported here, without settings from any file.

It reads ``matplotlibrc`` in the current folder, which may have come with the logs, or else the user's own:
the same input would give other figures elsewhere, none at all, or start LaTeX. Settings of a program that has
imported it before stay.
"""

from __future__ import annotations

import os
import sys
from typing import Any


def _import_without_settings() -> None:
    paths: Any = os.path
    exists, named = paths.exists, os.environ.get("MATPLOTLIBRC")
    paths.exists = lambda path: path != "matplotlibrc" and exists(path)  # where it looks first, always
    os.environ["MATPLOTLIBRC"] = os.devnull  # where it looks next
    try:
        import matplotlib as mpl  # noqa: F401
    finally:
        paths.exists = exists
        if named is None:
            del os.environ["MATPLOTLIBRC"]
        else:
            os.environ["MATPLOTLIBRC"] = named


if "matplotlib" not in sys.modules:
    _import_without_settings()
