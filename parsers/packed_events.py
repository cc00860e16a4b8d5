"""What follows from the events of a hand, as packed words, while a reader still collects them.

Formats leave out what their readers could know: which tile was won with, whether a discard was the tile just
drawn, which fives are red. Each function looks back over the words from the hand's first on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.model.builder import DraftRow, GameDraft
from paifu.replay.model.events import (
    CODE_OF_TILE,
    NO_SEAT,
    SEAT_SHIFT,
    SOURCE_SHIFT,
    EventFlag,
    EventKind,
    HandEnd,
    pack,
)
from paifu.replay.model.tiles import FIVE_KINDS, KIND_OF_TILE, NO_TILE, RED_MAN, TILES

T = TypeVar("T")

TILE_SHIFT = 11
_OWN_SHIFTS, _FLAG_SHIFT = (19, 27, 35), 43
_DRAWN = int(EventFlag.TSUMOGIRI) << _FLAG_SHIFT
_SHOWS = frozenset({EventKind.DISCARD, EventKind.KAKAN, EventKind.KITA, EventKind.ANKAN})
_IS_TURNED_UP = np.isin(np.arange(32), [EventKind.DRAW, EventKind.DORA])
_COPIES = 4
_SOUTH_1 = 4
MOST_WORDS = 200
"""How far a look goes back; no hand has as many: at most 70 draws, 86 discards, 16 calls and a few others."""
_BEFORE_FIRST = frozenset({EventKind.DRAW, EventKind.RIICHI, EventKind.LEAVE, EventKind.RETURN})
"""What comes before the dealer's first discard, if nothing interrupts."""
_CALLS = frozenset({EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN})
_LIVE_WALL = {4: 70, 3: 55}
_MOST_PAID_FOR_TENPAI = 3000
_KANS = (EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN)
_HONOUR_WINDS = range(27, 31)
_SUUANKOU, _CHUUREN, _KOKUSHI = 40, 45, 47
RARE_FORMS = {_SUUANKOU: 41, _CHUUREN: 46, _KOKUSHI: 48}
"""A yakuman's id -> that of its rarer form."""
_KINDS: tuple[int, ...] = tuple(int(kind) for kind in KIND_OF_TILE[:TILES])


def seat_of(word: int) -> int:
    """The seat that acts, NO_SEAT for none."""
    seat = word >> SEAT_SHIFT & 7
    return seat if seat < 4 else NO_SEAT


def source_of(word: int) -> int:
    """The seat that a tile was called from, NO_SEAT for none."""
    seat = word >> SOURCE_SHIFT & 7
    return seat if seat < 4 else NO_SEAT


def tile_of(word: int) -> int:
    """The code of the word's tile."""
    return word >> TILE_SHIFT & 255


def own_of(word: int) -> list[int]:
    """Codes of the caller's own tiles."""
    return [code for code in (word >> shift & 255 for shift in _OWN_SHIFTS) if code != NO_TILE]


def kind_of_code(code: int) -> int:
    """The kind (0-33) of a tile code; NO_TILE for none."""
    if code >= CODE_OF_TILE + TILES:
        return NO_TILE
    return _KINDS[code - CODE_OF_TILE] if code >= CODE_OF_TILE else code >> 2


def recent(words: Sequence[int], begin: int) -> range:
    """Indices of a hand's words; of a hand that goes on forever, the last ones."""
    return range(max(begin, len(words) - MOST_WORDS), len(words))


def _backwards(words: Sequence[int], begin: int) -> range:
    return recent(words, begin)[::-1]


def winning_tile(words: Sequence[int], begin: int, seat: int, source: int) -> int:
    """The code of the tile that ``seat`` wins on now: what ``source`` showed or drew last."""
    wanted = (EventKind.DRAW,) if seat == source else _SHOWS
    for at in _backwards(words, begin):
        word = words[at]
        if word & 31 in wanted and seat_of(word) == source:
            return tile_of(word)
    return NO_TILE


def winning_source(words: Sequence[int], begin: int, seat: int) -> int:
    """The seat whose tile ``seat`` wins on now: its own after its draw, else who showed a tile last."""
    for at in _backwards(words, begin):
        kind = words[at] & 31
        if kind == EventKind.DRAW or kind in _SHOWS:
            return seat_of(words[at])
    return seat


def pon_of(words: Sequence[int], begin: int, seat: int, code: int) -> int:
    """The word of the pon to which ``seat`` adds the tile ``code``; 0 if there is none."""
    kind = kind_of_code(code)
    for at in _backwards(words, begin):
        word = words[at]
        if word & 31 == EventKind.PON and seat_of(word) == seat and kind_of_code(tile_of(word)) == kind:
            return word
    return 0


def added_kan(words: Sequence[int], begin: int, seat: int, code: int, consumed: Sequence[int] = ()) -> int:
    """The word of a kan that ``seat`` adds to its pon, whose called tile stands first.

    ``consumed`` are the pon's tiles, for a log that begins after it; 0 if neither is known.
    """
    pon = pon_of(words, begin, seat, code)
    if pon:
        return pack(EventKind.KAKAN, seat, code, source_of(pon), (tile_of(pon), *own_of(pon)))
    return pack(EventKind.KAKAN, seat, code, own=tuple(consumed)) if len(consumed) == 3 else 0


def held(words: Sequence[int], begin: int, dealt: bytes, seat: int) -> Counter[int]:
    """The concealed tiles of ``seat`` after ``words``, by code; hidden ones count under NO_TILE."""
    tiles = Counter(dealt[13 * seat : 13 * seat + 13])
    for at in recent(words, begin):
        word = words[at]
        if not word or seat_of(word) != seat:
            continue
        kind = word & 31
        if kind == EventKind.DRAW:
            tiles[tile_of(word)] += 1
        elif kind in (EventKind.DISCARD, EventKind.KITA):
            tiles[tile_of(word)] -= 1
        elif kind in _CALLS:
            tiles.subtract(own_of(word))
        elif kind == EventKind.ANKAN:
            tiles.subtract([tile_of(word), *own_of(word)])
        elif kind == EventKind.KAKAN:
            tiles[tile_of(word)] -= 1
    return tiles


def must_be_drawn(words: Sequence[int], begin: int, dealt: bytes, seat: int, code: int) -> bool:
    """Return whether a discard of ``code`` can only be the tile just drawn.

    The seat holds no other such, or had declared riichi before.
    """
    if len(words) - begin > MOST_WORDS:
        return False
    for at in _backwards(words, begin):
        kind = words[at] & 31
        if kind == EventKind.DRAW:
            if seat_of(words[at]) != seat or tile_of(words[at]) != code or code == NO_TILE:
                return False
            if _declared_before(words, begin, seat):
                return True
            tiles = held(words, begin, dealt, seat)
            return tiles[code] == 1 and not tiles[NO_TILE]
        if kind in _CALLS or kind == EventKind.DISCARD:
            return False
    return False


def mark_first_discards(draft: GameDraft) -> None:
    """Mark each dealer's first discard as a tsumogiri if it can only be the tile just drawn.

    Mahjong Soul, and simulators that play as it does, mark it as one from the hand, whichever tile it is.
    """
    words = draft.words
    for row in draft.hands:
        dealer, begin = row["dealer"], row["event_begin"]
        at = begin
        while at < len(words) and words[at] & 31 in _BEFORE_FIRST:
            at += 1
        word = words[at] if at < len(words) else 0
        if word & 31 != EventKind.DISCARD or word & _DRAWN or seat_of(word) != dealer:
            continue
        code, last = tile_of(word), words[at - 1]
        if last & 31 == EventKind.DRAW and tile_of(last) != code:
            continue  # as nearly always
        if must_be_drawn(words[begin:at], 0, row["dealt"], dealer, code):
            words[at] |= _DRAWN


def _declared_before(words: Sequence[int], begin: int, seat: int) -> bool:
    """Return whether a seat's riichi was followed by a discard of its own."""
    riichi = pack(EventKind.RIICHI, seat)
    first = next((at for at in recent(words, begin) if words[at] == riichi), len(words))
    return any(
        words[at] & 31 == EventKind.DISCARD and seat_of(words[at]) == seat for at in range(first, len(words))
    )


def rare_form(yaku: int, tiles: Sequence[int], tile: int) -> int:
    """The id of a yakuman's rarer form, if the hand has it, for formats with one word for both forms.

    ``tiles`` are the closed tiles, the winning one included; without them the yaku is taken as it is.
    """
    if yaku not in RARE_FORMS or not tiles:
        return yaku
    counts = Counter(map(kind_of_code, tiles))
    won = kind_of_code(tile)
    counts[won] -= 1
    if yaku == _SUUANKOU:
        is_rare = counts[won] == 1
    elif yaku == _KOKUSHI:
        is_rare = max(counts.values()) == 1
    else:
        is_rare = all(counts[kind] == (3 if kind % 9 in (0, 8) else 1) for kind in counts if counts[kind])
    return RARE_FORMS[yaku] if is_rare else yaku


def scores_after(draft: GameDraft) -> list[int] | None:
    """The scores after the draft's last hand, from what it states; None where that is not enough."""
    hand = draft.hands[-1]
    scores = list(hand.get("scores") or ())
    rows = _results(draft)
    changes: list[list[int]] = [row.get("deltas") or [UNKNOWN_POINTS] for row in rows]
    if len(scores) != 4 or UNKNOWN_POINTS in scores or any(UNKNOWN_POINTS in change for change in changes):
        return None
    words = draft.words
    for word in map(words.__getitem__, recent(words, hand["event_begin"])):
        if word & 31 == EventKind.RIICHI_PAID:
            scores[seat_of(word)] -= 1000
    for change in changes:
        scores = [score + delta for score, delta in zip(scores, change, strict=True)]
    return scores


def sticks_after(draft: GameDraft) -> int:
    """The riichi sticks on the table after the draft's last hand."""
    hand = draft.hands[-1]
    number = len(draft.hands) - 1
    if any(row["hand"] == number for row in draft.wins[-3:]):
        return 0
    paid = sum(word & 31 == EventKind.RIICHI_PAID for word in draft.words[hand["event_begin"] :])
    return int(hand.get("sticks", 0)) + paid


def honba_after(draft: GameDraft, dealer: int) -> int:
    """The honba of the hand after the draft's last one, whose dealer is known; 0 for the first."""
    if not draft.hands:
        return 0
    last, number = draft.hands[-1], len(draft.hands) - 1
    is_won = any(row["hand"] == number for row in draft.wins[-3:])
    return 0 if is_won and last["dealer"] != dealer else int(last.get("honba", 0)) + 1


def _results(draft: GameDraft) -> list[DraftRow]:
    number = len(draft.hands) - 1
    return [row for row in (*draft.wins[-3:], *draft.hand_draws[-1:]) if row["hand"] == number]


def kind_of_draw(every: list[int], begin: int, deltas: list[int] | None, players: int) -> HandEnd:
    """Return the kind of a draw for which no reason is given, by the events from ``begin`` on; or unknown."""
    words = [every[at] for at in recent(every, begin)]
    kinds = [word & 31 for word in words]
    if kinds.count(EventKind.DRAW) == _LIVE_WALL[players]:
        paid = max(map(abs, deltas or [0]))
        if not paid and sum(kind in _KANS for kind in kinds) == 4:
            return HandEnd.UNKNOWN_DRAW  # by four kans, or because the wall is at its end, too
        return HandEnd.NAGASHI if paid > _MOST_PAID_FOR_TENPAI else HandEnd.EXHAUSTIVE
    moves = [word for word in words if EventKind.DRAW <= word & 31 <= EventKind.KITA]
    discards = [word for word in moves if word & 31 == EventKind.DISCARD]
    kans = sum(kind in _KANS for kind in kinds)
    is_untouched = all(word & 31 in (EventKind.DRAW, EventKind.DISCARD) for word in moves)
    if moves and moves[-1] & 31 == EventKind.DRAW and is_untouched and len(discards) < players:
        return HandEnd.KYUUSHU
    first = {kind_of_code(tile_of(word)) for word in discards}
    if len(discards) == 4 and is_untouched and len(first) == 1 and first <= set(_HONOUR_WINDS):
        return HandEnd.SUUFON
    if kinds.count(EventKind.RIICHI_PAID) == 4:
        return HandEnd.SUUCHA
    return HandEnd.SUUKAIKAN if kans == 4 else HandEnd.UNKNOWN_DRAW


def ends_with_east(draft: GameDraft, scores: Sequence[int], players: int) -> bool:
    """Return whether a game that is over was one of the east round: it ended there, or in overtime.

    ``scores`` are those at the end. A longer one ends before its last dealer only if somebody has no points
    left; what stops before the last hand of East is not a whole game.
    """
    last = max(row["round"] for row in draft.hands)
    return players - 1 <= last < _SOUTH_1 + players - 1 and min(scores) >= 0


def red_fives(draft: GameDraft) -> tuple[int, int, int] | None:
    """How many red fives of each suit the game is played with, as far as its tiles show; None if they do not.

    Four plain ones of a suit within a hand say that it has none; a suit of which neither shows has one if
    another suit has.
    """
    begins = [row["event_begin"] for row in draft.hands] + [len(draft.words)]
    words = draft.packed
    tiles = np.where(_IS_TURNED_UP[words & 31], words >> TILE_SHIFT, NO_TILE).astype(np.uint8).tobytes()
    seen: list[bytes] = [
        row.get("dealt", b"") + bytes([row.get("dora", NO_TILE)]) + tiles[begin:end]
        for row, (begin, end) in zip(draft.hands, pairwise(begins), strict=True)
    ]

    def most(tile: int) -> int:
        return min(max([one.count(CODE_OF_TILE + tile) for one in seen]), _COPIES)  # no set has more

    most_red = [most(RED_MAN + suit) for suit in range(3)]
    if any(most_red):
        pairs = zip(most_red, FIVE_KINDS, strict=True)
        man, pin, sou = (red or int(most(five) < _COPIES) for red, five in pairs)
        return man, pin, sou
    return (0, 0, 0) if max(map(most, FIVE_KINDS)) >= _COPIES else None


def turned(values: Iterable[T], by: int, players: int, absent: T) -> list[T]:
    """Values by a source's seat, as four by ours: its seat ``by`` is our seat 0."""
    cells = list(values)[:players]
    if not by and players == 4:
        return cells
    return [*cells[by:], *cells[:by], *[absent] * (4 - players)]
