"""``python -m paifu``: the same as the command ``paifu``.

Started this way, Python looks for modules in the current folder first, before it comes here. What is imported
from here on is not looked for there; nothing ever is by the command ``paifu`` or by ``python -P -m paifu``.
"""

import os
import sys
from contextlib import suppress

if __name__ == "__main__" and not sys.flags.safe_path:
    with suppress(OSError):  # the current folder has been deleted
        if sys.path[0] == os.getcwd():  # noqa: PTH109  pathlib would be imported from there
            del sys.path[0]

from paifu.cli.__main__ import main

if __name__ == "__main__":
    raise SystemExit(main())
