"""A bot in a process of its own: lines in, lines out, within limits of time and size.

Nothing that a bot does may stop or fill this process. Threads read what it writes, a few lines ahead at most.
A bot that is too slow, writes endless lines or dies is told apart, and its process ended, with all that it
started.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any

from paifu.parsers import workers
from paifu.replay.errors import PaifuError

MAX_LINE = 1 << 16
"""Bytes of an answer."""
_AHEAD = 16
"""Lines that are read before somebody asks for them."""
_START = 10
"""How many times as long as later answers the first may take: a program has to be loaded."""
_MOST_DROPPED = 100
"""Lines without being asked, in one game, that are borne."""
_LAST_WORDS = 2000
"""Bytes of stderr that are kept."""
_PATIENCE = 0.5
"""Seconds that a bot has to end once its stdin is closed."""


_running: set[int] = set()
"""Process groups of bots."""
_starting = threading.Lock()
"""Held while a bot has started that is not among those yet."""
_ENDINGS = ("SIGTERM", "SIGHUP")
"""Requests to end a process; the second is not known everywhere."""


class BotError(PaifuError):
    """A bot cannot go on: ``kind`` is a word for the count, the message says what happened."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class BotProcess:
    """A running bot. Close it, whatever happens."""

    def __init__(self, command: Sequence[str], *, timeout: float) -> None:
        """``timeout`` are seconds for an answer. Raises BotError where the command cannot be started."""
        self.timeout = timeout
        try:
            with _starting:
                self._process = subprocess.Popen(  # noqa: S603  the command that the user gave, without a shell
                    list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    start_new_session=True,
                )  # fmt: skip
                _running.add(self._process.pid)
        except (OSError, ValueError) as error:
            raise BotError("died", f"cannot be started: {error}") from error
        self._lines: queue.Queue[bytes | None] = queue.Queue(_AHEAD)
        self._last_words = b""
        self._is_closing = False
        self._dropped = 0
        self._has_answered = False
        self._readers = [
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while not self._is_closing:
                line = stream.readline(MAX_LINE + 1)
                self._put(line if line.endswith(b"\n") or len(line) > MAX_LINE else None)
                if not line.endswith(b"\n"):
                    return

    def _put(self, line: bytes | None) -> None:
        """Wait for room, but no longer than somebody may want what is there."""
        while not self._is_closing:
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def _listen(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while part := stream.read1(_LAST_WORDS):  # type: ignore[attr-defined]
                self._last_words = (self._last_words + part)[-_LAST_WORDS:]

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr."""
        return self._last_words.decode("utf-8", "replace").strip()

    def send(self, line: bytes) -> int:
        """Send a line; returns how many lines it had written without being asked, which are dropped.

        Raises BotError where it has died, or floods.
        """
        dropped = 0
        with suppress(queue.Empty):
            while dropped < _AHEAD:
                if self._lines.get_nowait() is None:
                    raise self._died()
                dropped += 1
        self._dropped += dropped
        if dropped == _AHEAD or self._dropped > _MOST_DROPPED:
            raise BotError("flooded", "wrote many lines without being asked")
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101  it was asked for
        try:
            stdin.write(line)
            stdin.flush()
        except (OSError, ValueError) as error:
            raise self._died() from error
        return dropped

    def receive(self) -> bytes:
        """Return the next line. Raises BotError where none comes in time, or an endless one."""
        patience = self.timeout * (1 if self._has_answered else _START)
        try:
            line = self._lines.get(timeout=patience)
        except queue.Empty:
            raise BotError("hung", f"did not answer within {patience:g} s") from None
        self._has_answered = True
        if line is None:
            raise self._died()
        if len(line) > MAX_LINE:
            raise BotError("flooded", f"wrote a line longer than {MAX_LINE} bytes")
        return line

    def _died(self) -> BotError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self._readers[1].join(_PATIENCE)
        status = self._process.returncode
        how = "closed its output" if status is None else f"ended with status {status}"
        words = self.last_words.splitlines()[-1:]
        return BotError("died", f"{how}: {words[0]}" if words else how)

    def close(self) -> None:
        """End the process and all that it started, and wait for it."""
        self._is_closing = True
        process = self._process
        with suppress(OSError, ValueError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self._kill()
            process.wait()
        for reader in self._readers:
            reader.join(_PATIENCE)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def _kill(self) -> None:
        """Kill the process group, of which some may be left when the process has ended."""
        _kill_group(self._process.pid)
        self._process.kill()
        _running.discard(self._process.pid)


def _kill_group(group: int) -> None:
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)


def kill_all() -> None:
    """Kill all bots of this process at once; those who wait for one find it dead."""
    with _starting:
        _kill_running()


def _kill_running() -> None:
    for group in list(_running):
        _kill_group(group)


def _kill_all_for_good() -> None:
    """Kill all bots, and let no other start, since this process ends."""
    _starting.acquire()
    _kill_running()


workers.before_leaving(_kill_all_for_good)


@contextmanager
def ending_well() -> Iterator[None]:
    """Let a request to end this process end its bots first.

    It then ends without closing anything in order: a worker that did would go on to its next piece of work.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, _frame: Any) -> None:
        # In a thread, since what is interrupted here may be the start of a bot, which has to be waited for.
        threading.Thread(target=end, args=(number,)).start()

    def end(number: int) -> None:
        _kill_all_for_good()
        os._exit(128 + number)  # as a shell tells that a signal ended it

    wanted = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in wanted}
    before = {number: way for number, way in before.items() if way not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number, way in before.items():
            signal.signal(number, way)
