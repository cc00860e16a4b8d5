"""mjai as bots speak it: a line of JSON in, a line of JSON out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import orjson

from paifu.parsers.mjai.player import PASS, MjaiEvent, MjaiPlayer, lines_of
from paifu.replay.errors import PaifuError

_JOIN: MjaiEvent = {"type": "join", "name": "paifu", "room": "default"}


def serve(player: MjaiPlayer, source: BinaryIO, target: BinaryIO, *, max_line: int) -> Iterator[str]:
    """Answer each line of ``source`` on ``target`` until the source ends; yields complaints.

    Raises PaifuError for a line longer than ``max_line`` bytes: what follows it cannot be told apart; and
    BrokenPipeError where nobody reads ``target`` any more.
    """
    while line := source.readline(max_line + 1):
        if len(line) > max_line:
            raise PaifuError(f"a line is longer than {max_line} bytes; mjai has an event a line")
        if not line.strip():
            continue
        try:
            events = list(lines_of(orjson.loads(line)))
        except orjson.JSONDecodeError as error:
            yield f"a line is not JSON ({error.msg}); answering none"
            answer = PASS
        else:
            answer = _JOIN if _is_hello(events) else player.react(events)
        yield from player.complaints
        player.complaints.clear()
        target.write(orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE))
        target.flush()


def _is_hello(events: list[object]) -> bool:
    last = events[-1] if events else None
    return isinstance(last, dict) and last.get("type") == "hello"
