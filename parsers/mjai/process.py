"""An engine in a process of its own: lines in, lines out, within limits of time and size.

Nothing that an engine does may stop or fill this process. Threads write to it and read what it writes, a few
lines ahead at most, and nobody waits for them forever: a pipe stays open as long as anybody holds it, also
a process that the engine left in a session of its own. An engine that is too slow, writes endless lines or
dies is told apart, and its process ended, with all that it started.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar
from uuid import uuid4

from paifu.replay.errors import PaifuError

T = TypeVar("T")

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
"""Seconds that an engine has to end once its stdin is closed."""


_MARK = "PAIFU_ENGINE"
"""Environment variable that marks what an engine started, whatever group or session it is in."""
_ROUNDS = 50
"""How often those are looked for, as they may start others meanwhile."""
_PAUSE = 0.01

_running: dict[int, str] = {}
"""Process groups of engines, and their marks."""
_starting = threading.Lock()
"""Held while an engine has started that is not among those yet."""
_ENDINGS = ("SIGTERM", "SIGHUP")
"""Requests to end a process; the second is not known everywhere."""


class EngineError(PaifuError):
    """An engine cannot go on; the message says what happened."""


class EngineProcess:
    """A running engine. Close it, whatever happens."""

    def __init__(self, command: Sequence[str], *, timeout: float) -> None:
        """``timeout`` are seconds for an answer. Raises EngineError where the command cannot be started."""
        self.timeout = timeout
        self.dropped = 0
        """Lines that it wrote without being asked."""
        self.first_odd = b""
        """The first of those, or an earlier line that is not an answer and stood in the place of one."""
        mark = uuid4().hex
        try:
            with _starting:
                self._process = subprocess.Popen(  # noqa: S603  the command that the user gave, without a shell
                    list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    start_new_session=True, env=os.environ | {_MARK: f"{os.environ.get(_MARK, '')} {mark}"},
                )  # fmt: skip
                _running[self._process.pid] = mark
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot be started: {error}") from error
        self._lines: queue.Queue[bytes | None] = queue.Queue(_AHEAD)
        self._to_write: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._written: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._last_words = b""
        self._is_closing = self._is_endless = self._has_answered = False
        self._threads = [
            threading.Thread(target=work, args=(stream,), daemon=True)
            for work, stream in (
                (self._write, self._process.stdin),
                (self._read, self._process.stdout),
                (self._listen, self._process.stderr),
            )
        ]
        for thread in self._threads:
            thread.start()

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while (line := self._to_write.get()) is not None:
                stream.write(line)
                stream.flush()
                self._written.put(True)
        self._written.put(False)

    def _read(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while not self._is_closing:
                line = stream.readline(MAX_LINE + 1)
                is_whole = line.endswith(b"\n")
                self._is_endless = not is_whole and len(line) > MAX_LINE
                self._put(line if is_whole else None)
                if not is_whole:
                    return

    def _put(self, line: bytes | None) -> None:
        """Wait for room, but no longer than somebody may want what is there."""
        while not self._is_closing:
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    def _listen(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while part := stream.read1(_LAST_WORDS):  # type: ignore[attr-defined]
                self._last_words = (self._last_words + part)[-_LAST_WORDS:]

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr."""
        return self._last_words.decode("utf-8", "replace").strip()

    def _next(self, source: queue.Queue[T] | queue.SimpleQueue[T], failing: str) -> T:
        """Wait for what is next. Raises EngineError where nothing comes in time, or its process has ended.

        A process that it left behind may hold its pipes, which then say nothing of that end.
        """
        seconds = self.timeout * (1 if self._has_answered else _START)
        end = time.monotonic() + seconds
        while True:
            with suppress(queue.Empty):
                return source.get(timeout=max(0, min(_PATIENCE, end - time.monotonic())))
            if self._process.poll() is not None:
                raise self._died("")
            if time.monotonic() >= end:
                raise EngineError(f"{failing} within {seconds:g} s")

    def send(self, line: bytes) -> None:
        """Send a line; what it had written without being asked is dropped, and counted in ``dropped``.

        Raises EngineError where it has died, floods, or does not read.
        """
        dropped = 0
        with suppress(queue.Empty):
            while dropped < _AHEAD:
                unasked = self._lines.get_nowait()
                if unasked is None:
                    raise self._died("closed its output")
                dropped += 1
                self.first_odd = self.first_odd or unasked
        self.dropped += dropped
        if dropped == _AHEAD or self.dropped > _MOST_DROPPED:
            raise EngineError("wrote many lines without being asked")
        self._to_write.put(line)
        if not self._next(self._written, "did not read what it was told"):
            raise self._died("closed its input")

    def receive(self) -> bytes:
        """Return the next line. Raises EngineError where none comes in time, or an endless one."""
        line = self._next(self._lines, "did not answer")
        self._has_answered = True
        if line is None:
            raise self._died("closed its output")
        return line

    def _died(self, otherwise: str) -> EngineError:
        """Say how it ended or, where it lives, what it did ``otherwise``.

        One that writes an endless line ends where nobody reads on: that is why, not how.
        """
        if self._is_endless:
            return EngineError(f"wrote a line longer than {MAX_LINE} bytes")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self._threads[-1].join(_PATIENCE)
        status = self._process.returncode
        how = otherwise if status is None else f"ended with status {status}"
        words = self.last_words.splitlines()[-1:]
        return EngineError(f"{how}: {words[0]}" if words else how)

    def close(self) -> None:
        """End the process and all that it started; waits for it, but not for what cannot be ended."""
        self._is_closing = True
        self._to_write.put(None)
        try:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)
        finally:
            self._kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)
        for thread in self._threads:
            thread.join(_PATIENCE)

    def _kill(self) -> None:
        """Kill what is left of it, which may be something when the process itself has ended."""
        _kill({self._process.pid: _running.get(self._process.pid, "")})
        with suppress(OSError):
            self._process.kill()
        _running.pop(self._process.pid, None)


def _kill(engines: dict[int, str]) -> None:
    """Kill process groups, and what left them but carries their marks."""
    if hasattr(os, "killpg"):
        for group in engines:
            with suppress(OSError):
                os.killpg(group, signal.SIGKILL)
    marks = [mark.encode() for mark in engines.values() if mark]
    for _ in range(_ROUNDS):
        strays = _marked(marks)
        if not strays:
            return
        for process in strays:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        time.sleep(_PAUSE)


def _marked(marks: Sequence[bytes]) -> list[int]:
    """Return the processes in whose environment is one of some marks; none if the system does not say."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            told = path.read_bytes()
            if any(mark in told for mark in marks):
                found.append(int(path.parent.name))
    return found


def kill_all() -> None:
    """Kill all engines of this process at once; those who wait for one find it dead."""
    with _starting:
        _kill(dict(_running))


def _kill_all_for_good() -> None:
    """Kill all engines, and let no other start, since this process ends."""
    _starting.acquire()
    _kill(dict(_running))


@contextmanager
def ending_well() -> Iterator[None]:
    """Let a request to end this process end its engines first.

    It then ends without closing anything in order: a worker that did would go on to its next piece of work.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, _frame: Any) -> None:
        # In a thread: what is interrupted here may be the start of an engine, which has to be waited for.
        threading.Thread(target=end, args=(number,)).start()

    def end(number: int) -> None:
        _kill_all_for_good()
        os._exit(128 + number)  # as a shell reports that a signal ended it

    wanted = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in wanted}
    before = {number: way for number, way in before.items() if way not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, leave)
    try:
        yield
    except BaseException:  # whatever was to close some was interrupted, perhaps
        kill_all()
        raise
    finally:
        for number, way in before.items():
            signal.signal(number, way)
