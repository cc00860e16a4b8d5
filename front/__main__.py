"""The command ``paifu``, and ``python -m paifu``, which is the same.

Started in the second way, Python looks for modules in the current folder first, before it comes here. What is
imported from here on is not looked for there; nothing ever is by the command, or by ``python -P -m paifu``.
"""

import gc
import os
import signal
import sys
from contextlib import suppress

if __name__ == "__main__" and not sys.flags.safe_path:
    with suppress(OSError):  # the current folder has been deleted
        if sys.path[0] == os.getcwd():  # noqa: PTH109  pathlib would be imported from there
            del sys.path[0]


def main() -> int:
    """Run the command line and return its exit status."""
    is_ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_ours:  # Ctrl-C while modules are imported just ends
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(100_000)  # more than is imported: looking for garbage there takes 1/10 of the start
    from paifu.cli.__main__ import main as run

    if is_ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.unraisablehook = _hear_again
    status = run()
    gc.freeze()  # Python would look for garbage before it ends: as much as a fifth of a short run
    return status


def _hear_again(lost: "sys.UnraisableHookArgs") -> None:
    """Repeat a Ctrl-C that came where Python can raise nothing, such as in a destructor."""
    if not issubclass(lost.exc_type, KeyboardInterrupt) or not hasattr(signal, "pthread_kill"):
        sys.__unraisablehook__(lost)
        return
    import threading

    whom = threading.main_thread().ident, signal.SIGINT
    again = threading.Timer(0.1, signal.pthread_kill, whom)  # or it would come right here
    again.daemon = True
    again.start()


if __name__ == "__main__":
    raise SystemExit(main())
