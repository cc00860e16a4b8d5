"""What might be wrong where a finding is: each step changes what some findings of a hand speak against.

A step knows nothing of proof. It makes of a replayed game another one, in which a statement is what the
engine, or another statement of the record, says; :mod:`paifu.replay.mending.search` tries it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.spoken import cases
from paifu.replay.kernels import codes
from paifu.replay.kernels.reasons import (
    FINAL_POINTS,
    INDICATOR,
    NOT_OFFERED,
    OTHER_TILES,
    RED,
    URA_INDICATORS,
)
from paifu.replay.kernels.wall_checks import ANY_COPY
from paifu.replay.mending.draft import Draft, with_event, without_event
from paifu.replay.model.batch import NO_YAKU, UNKNOWN_LIMIT, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import FIVE_KINDS, NO_TILE, RED_MAN, tile_of_id_table
from paifu.replay.model.winning_tiles import closed_tiles
from paifu.replay.table.listed_yaku import listed_yaku
from paifu.replay.table.replayed import Replay


def notes_of(found: Replay, hand: int | None = None) -> list[FindingContext]:
    """Return the findings of a game, or those of one hand of it."""
    return [case for case in cases(found) if hand is None or case.hand == hand]


Step = Callable[[Replay, int], Iterator[Batch]]
"""Yields what a game may have been in place of one of its hands, none if there is nothing to change."""


def _changed(draft: Draft) -> Iterator[Batch]:
    if draft.has_changed:
        yield draft.batch()


# --- what follows from the hand, or is stated twice ------------------------------------------------------


def statements(found: Replay, hand: int) -> Iterator[Batch]:
    """What the record says of a hand's riichi and result: as the engine has it."""
    draft = Draft(found.batch)
    for note in notes_of(found, hand):
        if note.event < 0:
            continue
        kind = int(found.batch.events.kind[note.event])
        if kind == EventKind.RIICHI_PAID and note.code == codes.RIICHI_STICK:
            row = int(found.batch.riichi_scores.event.searchsorted(note.event))
            stated = found.batch.riichi_scores
            if row < len(stated) and stated.event[row] == note.event and note.seat < 4:
                draft.put("riichi_scores", "scores", (row, note.seat), note.expected)
        elif kind == EventKind.WIN:
            _win(found, draft, note, int(found.batch.wins.event.searchsorted(note.event)))
        elif kind == EventKind.HAND_DRAW:
            _draw(found, draft, note, int(found.batch.hand_draws.event.searchsorted(note.event)))
    yield from _changed(draft)


_WIN_NUMBERS = {
    codes.FU: "fu", codes.STATED_HONBA: "honba", codes.STATED_STICKS: "sticks", codes.LIABILITY: "liable",
}  # fmt: skip
_DRAW_NUMBERS = {codes.STATED_HONBA: "honba", codes.STATED_STICKS: "sticks"}
_PAYMENTS = (codes.PAYMENT, codes.NOTEN_PAYMENT, codes.NAGASHI)


def _win(found: Replay, draft: Draft, note: FindingContext, row: int) -> None:
    batch, scored = found.batch, found.scored_wins
    if note.code in _WORTH and scored.base[row]:
        # What follows from a wrong statement has no finding.
        if batch.wins.points[row] != UNKNOWN_POINTS:
            draft.put("wins", "points", row, scored.points[row])
        if batch.wins.limit[row] != UNKNOWN_LIMIT:
            draft.put("wins", "limit", row, scored.limit[row])
        if UNKNOWN_POINTS not in batch.wins.deltas[row]:
            draft.put("wins", "deltas", row, scored.changes[row])
    if note.code in _WIN_NUMBERS:
        draft.put("wins", _WIN_NUMBERS[note.code], row, note.expected)
    elif note.code == codes.CARRIED_SCORE and note.seat < 4:
        draft.put("wins", "scores", (row, note.seat), note.expected)
    elif note.code in (codes.YAKU, codes.HAN) or (
        note.code == codes.DORA and note.reason not in (INDICATOR, URA_INDICATORS) and scored.base[row]
    ):
        pairs = listed_yaku(scored, row, found.rulesets[0])[: batch.wins.yaku.shape[1]]
        pairs += [(NO_YAKU, 0)] * (batch.wins.yaku.shape[1] - len(pairs))
        draft.put("wins", "yaku", row, [number for number, _ in pairs])
        draft.put("wins", "han", row, [worth for _, worth in pairs])
    elif note.code == codes.DORA and note.reason == INDICATOR:
        _list_indicators(batch, draft, note.hand, row)
    elif note.code == codes.NO_WINNING_HAND and note.reason == OTHER_TILES:
        _show_hand(batch, draft, row)


_WORTH = frozenset(
    {codes.YAKU, codes.HAN, codes.FU, codes.DORA, codes.POINTS, codes.PAYMENT, codes.LIABILITY}
    | {codes.STATED_HONBA, codes.STATED_STICKS}
)
"""Findings about what a win is worth, from which its points and payments may follow."""


def _before(batch: Batch, hand: int, end: int, *kinds: EventKind, seat: int | None = None) -> I64:
    """Return the events (rows) of a hand before ``end`` that are of some kinds, and of a seat if given."""
    events, begin = batch.events, int(batch.hands.event_begin[hand])
    found = np.flatnonzero(np.isin(events.kind[begin:end], kinds)) + begin
    return found if seat is None else found[events.seat[found] == seat]


def _padded(tiles: list[int], size: int) -> list[int]:
    """Return the cells of a list of tiles."""
    return [*tiles, *[NO_TILE] * size][:size]


def _list_indicators(batch: Batch, draft: Draft, hand: int, row: int) -> None:
    """Let a win list the indicators that were turned."""
    events, hands = batch.events, batch.hands
    turned = _before(batch, hand, int(batch.wins.event[row]), EventKind.DORA)
    for suffix in ("", "_id"):
        before = getattr(batch.wins, f"dora{suffix}")[row]
        tiles = [int(getattr(hands, f"dora{suffix}")[hand]), *getattr(events, f"tile{suffix}")[turned]]
        if before[0] != NO_TILE:
            draft.put("wins", f"dora{suffix}", row, _padded(tiles, len(before)))


def _show_hand(batch: Batch, draft: Draft, row: int) -> None:
    """Let a win show the tiles that its player held."""
    wins = batch.wins
    hand, seat, end = int(wins.hand[row]), int(wins.seat[row]), int(wins.event[row])
    for suffix in ("", "_id"):
        before = getattr(wins, f"tiles{suffix}")[row]
        if before[0] == NO_TILE:
            continue
        tiles = closed_tiles(batch, hand, seat, end, suffix)
        if not tiles:
            continue
        if wins.source[row] != seat:
            tiles = sorted([*tiles, int(getattr(wins, f"tile{suffix}")[row])])
        draft.put("wins", f"tiles{suffix}", row, _padded(tiles, len(before)))


def _draw(found: Replay, draft: Draft, note: FindingContext, row: int) -> None:
    batch = found.batch
    if note.code in _DRAW_NUMBERS:
        draft.put("hand_draws", _DRAW_NUMBERS[note.code], row, note.expected)
    elif note.seat >= 4:
        return
    elif note.code == codes.CARRIED_SCORE:
        draft.put("hand_draws", "scores", (row, note.seat), note.expected)
    elif note.code in _PAYMENTS:
        draft.put("hand_draws", "deltas", (row, note.seat), note.expected)
    elif note.code == codes.TENPAI:
        is_shown = note.expected == 1
        if batch.hand_draws.kind[row] in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
            draft.put("hand_draws", "tenpai", (row, note.seat), int(is_shown))
        for suffix in ("", "_id"):
            tiles = closed_tiles(batch, note.hand, note.seat, note.event, suffix) if is_shown else []
            cells = _padded(tiles, batch.hand_draws.shown.shape[2])
            draft.put("hand_draws", f"shown{suffix}", (row, note.seat), cells)


def ends(found: Replay, hand: int) -> Iterator[Batch]:
    """How a hand without a winner ended: as the table has it."""
    batch = found.batch
    for note in notes_of(found, hand):
        if note.code not in (codes.ILLEGAL_DRAW, codes.NAGASHI) or note.event < 0:
            continue
        row = int(batch.hand_draws.event.searchsorted(note.event))
        if row == len(batch.hand_draws) or batch.hand_draws.event[row] != note.event:
            continue
        for kind in HandEnd:
            if kind in (HandEnd.UNFINISHED, HandEnd.WIN, HandEnd.UNKNOWN_DRAW, HandEnd.CHOMBO):
                continue
            draft = Draft(batch)
            draft.put("hand_draws", "kind", row, int(kind))
            draft.put("hands", "end", hand, int(kind))
            yield from _changed(draft)


# --- where a hand begins, and how the game ends -----------------------------------------------------------


def starts(found: Replay, hand: int) -> Iterator[Batch]:
    """Scores, round, dealer, honba and sticks at a hand's start: as the hand before leaves them."""
    draft = Draft(found.batch)
    for note in notes_of(found, hand):
        if note.event >= 0:
            continue
        if note.code == codes.CARRIED_SCORE and note.seat < 4:
            draft.put("hands", "scores", (hand, note.seat), note.expected)
        elif note.code == codes.ROUND_OR_DEALER:
            draft.put("hands", "round" if note.seat == NO_SEAT else "dealer", hand, note.expected)
        elif note.code == codes.HONBA:
            draft.put("hands", "honba", hand, note.expected)
        elif note.code == codes.STICKS:
            draft.put("hands", "sticks", hand, note.expected)
            if note.seat < 4:
                moved = (note.actual - note.expected) * found.rulesets[0].riichi.riichi_stick
                score = int(found.batch.hands.scores[hand, note.seat]) + moved
                draft.put("hands", "scores", (hand, note.seat), score)
    yield from _changed(draft)


def finals(found: Replay, hand: int) -> Iterator[Batch]:
    """The final scores and points: as the last hand and the rules make them."""
    draft = Draft(found.batch)
    for note in notes_of(found, hand):
        if note.code == codes.FINAL_RESULT and note.seat < 4:
            if note.reason != FINAL_POINTS:
                draft.put("games", "final_scores", (0, note.seat), note.expected)
            else:
                draft.put("games", "final_points", (0, note.seat), note.expected / 1000)
    yield from _changed(draft)


# --- riichi ---------------------------------------------------------------------------------------------


def sticks(found: Replay, hand: int) -> Iterator[Batch]:
    """A riichi that was declared and not paid, or paid and not declared: both, or neither."""
    batch = found.batch
    end = int(batch.hands.event_end[hand])
    for note in notes_of(found, hand):
        if note.code != codes.RIICHI_STICK or note.event < 0:
            continue
        if batch.events.kind[note.event] == EventKind.RIICHI_PAID:
            seat = int(batch.events.seat[note.event])
            own = _before(batch, hand, note.event, EventKind.DISCARD, seat=seat)
            yield without_event(batch, note.event)
            if len(own):
                yield with_event(batch, int(own[-1]), EventKind.RIICHI, seat)
        elif note.seat < 4:
            declared = _before(batch, hand, end, EventKind.RIICHI, seat=note.seat)
            after = _before(batch, hand, end, EventKind.DISCARD, seat=note.seat)
            after = after[after > declared[-1]] if len(declared) else after[:0]
            if len(after):
                scores = _after(found, hand, after[0])
                yield with_event(batch, int(after[0]) + 1, EventKind.RIICHI_PAID, note.seat, scores)
                yield without_event(batch, int(declared[-1]))


def _after(found: Replay, hand: int, event: int) -> list[int] | None:
    """Scores after the riichi of a discard is paid, if the record states such scores elsewhere."""
    batch = found.batch
    scores: list[int] = batch.hands.scores[hand].tolist()
    if not len(batch.riichi_scores) or UNKNOWN_POINTS in scores:
        return None
    paid = _before(batch, hand, event, EventKind.RIICHI_PAID)
    for seat in [*batch.events.seat[paid].tolist(), int(batch.events.seat[event])]:
        scores[seat] -= found.rulesets[0].riichi.riichi_stick
    return scores


# --- tiles ----------------------------------------------------------------------------------------------


def walls(found: Replay, hand: int) -> Iterator[Batch]:
    """Tiles and dice: as the wall has them that the record states, or that follows from its seed."""
    draft, batch = Draft(found.batch), found.batch
    reds = tile_of_id_table(found.rulesets[0].red_ids)
    for note in notes_of(found, hand):
        if note.code == codes.DICE:
            dice = batch.hands.dice[hand]
            at = next((number for number in range(2) if dice[number] == note.actual), None)
            if at is not None:
                draft.put("hands", "dice", (hand, at), note.expected)
            continue
        if note.code not in (codes.WALL_DRAW, codes.WALL_INDICATOR):
            continue
        has_copy = note.expected < ANY_COPY
        tile = int(reds[note.expected]) if has_copy else note.expected - ANY_COPY
        values = {"": tile, "_id": note.expected if has_copy else NO_TILE}
        kind = int(batch.events.kind[note.event]) if note.event >= 0 else 0
        for suffix, value in values.items():
            if kind in (EventKind.DRAW, EventKind.DORA):
                draft.put("events", f"tile{suffix}", note.event, value)
            elif kind == EventKind.WIN:
                row = int(batch.wins.event.searchsorted(note.event))
                where = np.flatnonzero(batch.wins.ura[row] == note.tile)
                draft.put("wins", f"ura{suffix}", (row, where[:1]), value)
            else:
                draft.put("hands", f"dora{suffix}", hand, value)
    yield from _changed(draft)


def marks(found: Replay, hand: int) -> Iterator[Batch]:
    """A mark of tsumogiri that the tiles contradict: the mark, or the tile drawn, or the tile discarded."""
    batch = found.batch
    for note in notes_of(found, hand):
        if note.code != codes.TSUMOGIRI_FLAG or note.event < 0:
            continue
        draft = Draft(batch)
        draft.put("events", "flags", note.event, batch.events.flags[note.event] ^ EventFlag.TSUMOGIRI)
        yield from _changed(draft)
        drawn = _before(batch, hand, note.event, EventKind.DRAW, seat=int(batch.events.seat[note.event]))
        if not batch.events.flags[note.event] & EventFlag.TSUMOGIRI or not len(drawn):
            continue
        draw = int(drawn[-1])
        for one, other in ((draw, note.event), (note.event, draw)):
            draft = Draft(batch)
            for column in ("tile", "tile_id"):
                draft.put("events", column, one, getattr(batch.events, column)[other])
            yield from _changed(draft)


def winning_tile(found: Replay, hand: int) -> Iterator[Batch]:
    """A tile that is won and was not there to be won: the win's tile, or the one drawn or discarded."""
    batch, events = found.batch, found.batch.events
    for note in notes_of(found, hand):
        if note.code != codes.NO_WINNING_HAND or note.reason != NOT_OFFERED or note.event < 0:
            continue
        row = int(batch.wins.event.searchsorted(note.event))
        kinds = (EventKind.DRAW,) if batch.wins.source[row] == batch.wins.seat[row] else _WON_FROM
        before = _before(batch, hand, note.event, *kinds)
        if not len(before):
            continue
        offered = int(before[-1])
        draft = Draft(batch)
        for column in ("tile", "tile_id"):
            value = getattr(events, column)[offered]
            draft.put("events", column, note.event, value)
            draft.put("wins", column, row, value)
        yield from _changed(draft)
        draft = Draft(batch)
        for column in ("tile", "tile_id"):
            draft.put("events", column, offered, getattr(batch.wins, column)[row])
        yield from _changed(draft)


_WON_FROM = (EventKind.DISCARD, EventKind.KAKAN, EventKind.ANKAN, EventKind.KITA)


def indicators(found: Replay, hand: int) -> Iterator[Batch]:
    """Indicators that a win lists otherwise than they were turned: those turned are the wrong ones."""
    batch = found.batch
    for note in notes_of(found, hand):
        if note.code != codes.DORA or note.reason != INDICATOR or note.event < 0:
            continue
        row = int(batch.wins.event.searchsorted(note.event))
        turned = _before(batch, hand, note.event, EventKind.DORA)
        draft = Draft(batch)
        for suffix in ("", "_id"):
            listed = getattr(batch.wins, f"dora{suffix}")[row]
            draft.put("hands", f"dora{suffix}", hand, listed[0])
            for event, tile in zip(turned.tolist(), listed[1:].tolist(), strict=False):
                draft.put("events", f"tile{suffix}", event, tile)
        yield from _changed(draft)


_TILE_CODES = frozenset(
    {codes.TOO_MANY_COPIES, codes.TILE_NOT_HELD, codes.TSUMOGIRI_FLAG, codes.ILLEGAL_CALL, codes.ILLEGAL_KAN}
)
"""Findings about one tile."""
_RED_OF = {kind: RED_MAN + number for number, kind in enumerate(FIVE_KINDS)}
_OTHER_FIVE = {**_RED_OF, **{red: kind for kind, red in _RED_OF.items()}}
"""A five -> the same in the other colour."""


def _doubtful_fives(notes: list[FindingContext]) -> frozenset[int]:
    """Return the fives, red and plain, that findings may be about."""
    fives: set[int] = set()
    for note in notes:
        if note.code in _TILE_CODES and note.tile in _OTHER_FIVE:
            fives |= {note.tile, _OTHER_FIVE[note.tile]}
        is_red = note.code == codes.DORA and note.reason == RED
        if is_red or (note.code == codes.NO_WINNING_HAND and note.reason == OTHER_TILES):
            fives |= _OTHER_FIVE.keys()
    return frozenset(fives)


def reds(found: Replay, hand: int) -> Iterator[Batch]:
    """A mark of a red five that is missing, or one too many, where the record names no physical tiles."""
    batch = found.batch
    doubtful = _doubtful_fives(notes_of(found, hand))
    if not doubtful or not found.rulesets[0].red_ids or (batch.hands.dealt_id[hand] != NO_TILE).any():
        return
    begin, end = int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand])
    won = batch.wins.hand == hand
    places: list[tuple[str, str, tuple[int, ...]]] = [("hands", "dora", (hand,))]
    places += [("hands", "dealt", (hand, *cell)) for cell in np.ndindex(batch.hands.dealt.shape[1:])]
    places += [("events", "tile", (event,)) for event in range(begin, end)]
    places += [("events", "own", (event, cell)) for event in range(begin, end) for cell in range(3)]
    for row in np.flatnonzero(won).tolist():
        places += [("wins", "tiles", (row, cell)) for cell in range(batch.wins.tiles.shape[1])]
    seen: set[tuple[str, str, tuple[int, ...], int]] = set()
    for table, column, at in places:
        tile = int(getattr(getattr(batch, table), column)[at])
        # Equal tiles of one hand are one place: which of them was the red one makes no difference.
        key = (table, column, at[:2] if column == "dealt" else at, tile)
        if tile not in doubtful or key in seen:
            continue
        seen.add(key)
        draft = Draft(batch)
        draft.put(table, column, at, _OTHER_FIVE[tile])
        if table == "events" and batch.events.kind[at[0]] == EventKind.WIN:
            draft.put("wins", "tile", batch.wins.event.searchsorted(at[0]), _OTHER_FIVE[tile])
        yield from _changed(draft)
