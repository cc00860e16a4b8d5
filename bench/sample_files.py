"""Files of the sample logs: how each is made, and how they are packed."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable

Recipes = dict[str, Callable[[], bytes]]
"""File -> how it is made."""


def packed(data: bytes) -> bytes:
    """Data compressed the same way whenever that is done."""
    return gzip.compress(data, mtime=0)


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip archive that is the same whenever it is made."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
