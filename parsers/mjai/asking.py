"""What an mjai engine would do: it is told a game as one seat saw it, and answers each event.

Answers become verdicts, as reports of engines have them. What an engine states besides its choice is read
where it is as Mortal states it: ``meta`` with a mask of its 46 actions and a value for each that is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paifu.parsers.mjai.player import MjaiEvent, conceal
from paifu.parsers.mjai.table import NonsenseError, Speaker, heard
from paifu.parsers.mjai.writer import events_of_game
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE
from paifu.replay.simulate.seat import Answer
from paifu.replay.views.verdicts import RatedOption, Verdict

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


def is_decision(event: MjaiEvent, seat: int) -> bool:
    """Return whether a seat may have something to decide after an event."""
    is_own = event.get("actor") == seat
    return event["type"] in (_OWN if is_own else _SHOWN)


def ask(
    engine: Speaker, events: Sequence[tuple[MjaiEvent, int]], seat: int
) -> tuple[list[tuple[int, MjaiEvent]], list[str]]:
    """Tell an engine a game; return (row, answer) of each decision, and what was wrong with other answers.

    Raises BotError.
    """
    found, wrong = [], []
    for event, row in events:
        engine.hear(event)
        if row < 0 or not is_decision(event, seat):
            continue
        try:
            answer = engine.answer()
            heard(answer, seat)
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
    chosen = _chosen(heard(answer, seat), batch, row)
    values = dict(_values(answer, batch, row))
    chosen_value = values.get(_key(chosen))
    if chosen_value is not None:
        chosen = RatedOption(chosen.kind, chosen.tile, chosen.own, chosen_value, None)
    others = [RatedOption(kind, tile, (), value, None) for (kind, tile), value in values.items()]
    others = [one for one in others if _key(one) != _key(chosen)]
    others.sort(key=lambda one: -(one.value or 0))
    meta = answer["meta"] if isinstance(answer.get("meta"), dict) else {}
    shanten, furiten = meta.get("shanten"), meta.get("at_furiten")
    return Verdict(
        event=row - int(batch.hands.event_begin[hand]),
        seat=seat,
        engine=engine,
        options=(chosen, *others),
        chosen=chosen,
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


def _chosen(answer: Answer, batch: Batch, row: int) -> RatedOption:
    """Return what an engine chose."""
    if answer.end == HandEnd.WIN:
        return RatedOption(EventKind.WIN, None, (), None, None)
    if answer.end == HandEnd.KYUUSHU:
        return RatedOption(EventKind.HAND_DRAW, None, (), None, None)
    if not answer.moves:
        return RatedOption(None, None, (), None, None)
    move = answer.moves[0]
    if move.kind == EventKind.DISCARD:
        return RatedOption(move.kind, move.tile, (), None, None)
    if move.kind == EventKind.CHI:
        return RatedOption(move.kind, int(batch.events.tile[row]), move.own, None, None)
    if move.kind in (EventKind.ANKAN, EventKind.KAKAN):
        return RatedOption(move.kind, int(KIND_OF_TILE[move.tile]), (), None, None)
    return RatedOption(move.kind, None, (), None, None)


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
