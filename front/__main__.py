"""``python -m paifu``: the same as the command ``paifu``."""

from paifu.cli.__main__ import main

if __name__ == "__main__":
    raise SystemExit(main())
