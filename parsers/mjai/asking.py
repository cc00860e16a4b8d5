"""What an mjai engine would do: it is told a game as one seat saw it, and answers each event.

Answers become verdicts, as reports of engines have them. What an engine states besides its choice is read
where it is as Mortal states it: ``meta`` with a mask of its 46 actions and a value for each that is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import orjson

from paifu.parsers.mjai import names as mjai
from paifu.parsers.mjai.answers import NonsenseError, chosen, first_words, parsed
from paifu.parsers.mjai.process import EngineProcess
from paifu.parsers.mjai.writer import events_of_game
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE
from paifu.replay.views.verdicts import RatedOption, Verdict

MjaiEvent = dict[str, Any]
_OWN = frozenset({"tsumo", "chi", "pon", "reach"})
_SHOWN = frozenset({"dahai", "kakan", "ankan", "kita", "nukidora"})
_ACTIONS = 46
_DISCARDS = 37
"""Mortal's actions: how many discard; then reach, three chi, pon, kan, win, nine terminals, pass."""
_CHI = (38, 39, 40)
_OTHERS = {
    37: EventKind.RIICHI, 41: EventKind.PON, 42: EventKind.DAIMINKAN, 43: EventKind.WIN,
    44: EventKind.HAND_DRAW, 45: None,
}  # fmt: skip
_MOST_VALUE = 1e9
_MIN_SHANTEN, _MAX_SHANTEN = -1, 6
KEPT = ("type", "actor", "pai", "consumed", "tsumogiri")
"""What is kept of an answer, with ``meta``."""
_META = ("q_values", "mask_bits", "shanten", "at_furiten")


def told(batch: Batch, game: int, seat: int) -> list[tuple[MjaiEvent, int]]:
    """Return what ``seat`` is told of a game, event by event, with the row of each in the batch, or -1."""
    return [(conceal(event, seat), row) for event, row in events_of_game(batch, game)]


def conceal(event: MjaiEvent, seat: int) -> MjaiEvent:
    """Return an event as a seat sees it: tiles that others hold are hidden."""
    kind = event["type"]
    if kind == "start_kyoku":
        hands = [
            tiles if other == seat else [mjai.HIDDEN] * len(tiles)
            for other, tiles in enumerate(event["tehais"])
        ]
        return {**event, "tehais": hands}
    if kind == "start_game":
        return {**event, "id": seat}
    if kind == "tsumo" and event["actor"] != seat:
        return {**event, "pai": mjai.HIDDEN}
    return event


def is_decision(event: MjaiEvent, seat: int) -> bool:
    """Return whether a seat may have something to decide after an event."""
    is_own = event.get("actor") == seat
    return event["type"] in (_OWN if is_own else _SHOWN)


class AskedEngine:
    """An engine in a process: it gets a line for each event, each of which it answers."""

    def __init__(self, process: EngineProcess) -> None:
        self._process = process
        self._owes = False

    @property
    def unasked(self) -> tuple[int, str]:
        """How many lines it wrote without being asked, and what that means, with the first of them."""
        odd = self._process.first_odd
        count = max(self._process.dropped, bool(odd))
        return count, f"it wrote lines without being asked, the first: {first_words(odd)}"

    def hear(self, event: MjaiEvent) -> None:
        """Send an event; an answer to an earlier one is read first. Raises EngineError."""
        before = self._process.receive() if self._owes else None
        if before is not None and not before.startswith(b"{"):
            self._process.first_odd = self._process.first_odd or before
        self._process.send(orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE))
        self._owes = True

    def answer(self) -> Any:
        """Return the answer to the last event. Raises EngineError and NonsenseError."""
        self._owes = False
        return parsed(self._process.receive())

    def close(self) -> None:
        """End the process."""
        self._process.close()


def ask(
    engine: AskedEngine, events: Sequence[tuple[MjaiEvent, int]], seat: int
) -> tuple[list[tuple[int, MjaiEvent]], list[str]]:
    """Tell an engine a game; return (row, answer) of each decision, and what was wrong with other answers.

    Raises EngineError.
    """
    found, wrong = [], []
    for event, row in events:
        engine.hear(event)
        if row < 0 or not is_decision(event, seat):
            continue
        try:
            answer = engine.answer()
            chosen(answer, seat)
        except NonsenseError as error:
            wrong.append(str(error))
            continue
        kept = {name: answer[name] for name in KEPT if name in answer}
        if isinstance(answer.get("meta"), dict):
            kept["meta"] = {name: answer["meta"][name] for name in _META if name in answer["meta"]}
        found.append((row, kept))
    count, unasked = engine.unasked
    return found, wrong + count * [unasked]


def verdict_of(batch: Batch, hand: int, row: int, seat: int, answer: MjaiEvent, engine: str) -> Verdict:
    """Return an answer as a verdict. Raises NonsenseError."""
    choice = chosen(answer, seat)
    if choice.kind == EventKind.CHI:
        choice = replace(choice, tile=int(batch.events.tile[row]))
    values = dict(_values(answer, batch, row))
    choice = replace(choice, value=values.get(_key(choice)))
    others = [RatedOption(kind, tile, (), value, None) for (kind, tile), value in values.items()]
    others = [one for one in others if _key(one) != _key(choice)]
    others.sort(key=lambda one: -(one.value or 0))
    meta = answer["meta"] if isinstance(answer.get("meta"), dict) else {}
    shanten, furiten = meta.get("shanten"), meta.get("at_furiten")
    return Verdict(
        event=row - int(batch.hands.event_begin[hand]),
        seat=seat,
        engine=engine,
        options=(choice, *others),
        chosen=choice,
        played=None,
        shanten=shanten if type(shanten) is int and _MIN_SHANTEN <= shanten <= _MAX_SHANTEN else None,
        is_furiten=furiten if isinstance(furiten, bool) else None,
    )


def _key(option: RatedOption) -> tuple[EventKind | None, int | None]:
    """What tells options apart: of a chi its lowest kind, of a kan the kind."""
    if option.kind == EventKind.CHI:
        return option.kind, min(
            int(KIND_OF_TILE[tile]) for tile in (option.tile, *option.own) if tile is not None
        )
    return option.kind, option.tile


def _values(
    answer: MjaiEvent, batch: Batch, row: int
) -> Iterator[tuple[tuple[EventKind | None, int | None], float]]:
    """Yield what an engine states of options, as Mortal does: (kind, tile) and the value."""
    meta = answer.get("meta")
    if not isinstance(meta, dict):
        return
    mask, values = meta.get("mask_bits"), meta.get("q_values")
    if type(mask) is not int or not 0 <= mask < 1 << _ACTIONS or not isinstance(values, list):
        return
    actions = [action for action in range(_ACTIONS) if mask >> action & 1]
    if len(actions) != len(values):
        return
    called = int(batch.events.tile[row])
    kind_called = int(KIND_OF_TILE[called]) if called != NO_TILE else 0
    for action, value in zip(actions, values, strict=True):
        if type(value) not in (int, float) or not abs(value) <= _MOST_VALUE:
            continue
        if action < _DISCARDS:
            yield (EventKind.DISCARD, action), float(value)
        elif action in _CHI:
            yield (EventKind.CHI, kind_called - _CHI.index(action)), float(value)
        else:
            yield (_OTHERS[action], None), float(value)
