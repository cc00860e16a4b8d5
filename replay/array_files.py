"""Arrays as the bytes of an npz file: equal arrays always give equal bytes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt


def npz(arrays: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any], *, level: int = 0) -> bytes:
    """Return the file of ``arrays`` and, as the array ``about``, of what is to be said of them, as JSON.

    ``level`` is how hard zlib tries to make it small, 0 for not at all.

    >>> import io
    >>> bytes(np.load(io.BytesIO(npz({"one": np.zeros(3)}, {"of": "nothing"})))["about"])
    b'{"of": "nothing"}'
    """
    said = np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8)
    method = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in {**arrays, "about": said}.items():
            entry = zipfile.ZipInfo(f"{name}.npy")  # whose time is always the same
            file = io.BytesIO()
            np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(entry, file.getbuffer(), method, level)
    return buffer.getvalue()
