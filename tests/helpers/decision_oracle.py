"""What the columns of ``Options`` say, worked out again from the log's events: slowly, and by their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from open_table import OpenTable
from scratch_state import TERMINALS_AND_HONOURS, kind_of

from paifu.coach.decisions import NO_DANGER, Beside, Hope, OpponentShows, OptionKind, Tenpai
from paifu.replay.findings.review_sentences import DANGER_NAMES
from paifu.replay.model.events import EventKind
from paifu.replay.review.results import Danger
from paifu.replay.shapes.shanten import acceptance

OUTER = set(TERMINALS_AND_HONOURS)
DANGERS = {name: number for number, name in DANGER_NAMES.items()}

Melds = list[tuple[EventKind, list[int]]]
"""Kind and tiles (as kinds) of each meld."""


class Course(OpenTable):
    """A hand, event by event."""

    def moments(self) -> Iterator[tuple[int, Seen]]:
        """Each discard or own kan with the table before it, and each discard as the others see it.

        Yields the row of the event, and what the player sees. While a discard is on offer, its player is not
        yet in riichi, and what it let pass before counts: both change when the tile has passed.
        """
        for event in self.hand.events:
            seat, tile = event.seat, event.tile
            is_free = seat is not None and seat not in self.in_riichi
            if is_free and event.kind in (EventKind.DISCARD, EventKind.ANKAN, EventKind.KAKAN):
                yield event.row, Seen(self, seat, None)
            self.follow(event)
            if event.kind == EventKind.DISCARD and seat is not None and tile is not None:
                for other in set(range(self.hand.players)) - {seat}:
                    yield event.row, Seen(self, other, (tile, seat))
            self.let_pass(event)


class Seen:
    """A player's hand and all that lies open, at one moment."""

    def __init__(self, course: Course, seat: int, offer: tuple[int, int] | None) -> None:
        """``offer`` is the tile on offer and who discarded it."""
        self.course, self.hand, self.players = course, course.hand, course.hand.players
        self.seat, self.offer = seat, offer
        self.tiles = list(course.players[seat].hand)
        """The player's closed tiles, red fives apart."""

    @property
    def others(self) -> list[int]:
        """The other seats, in turn."""
        return [(self.seat + step) % self.players for step in range(1, self.players)]

    @property
    def values(self) -> set[int]:
        """Value honours of the player."""
        own = 27 + (self.seat - (self.hand.dealer or 0)) % self.players
        return {own, 27 + self.hand.round // 4, 31, 32, 33}

    def melds(self, seat: int) -> Melds:
        return [
            (meld.event, [kind_of(tile) for tile in meld.tiles]) for meld in self.course.players[seat].melds
        ]

    def counts(self) -> Counter[int]:
        """Tiles of each kind that the player sees."""
        return Counter(self.course.visible(self.seat))


def danger(look: Seen, other: int, kind: int) -> int:
    """The class of a tile against another player."""
    return DANGERS[look.course.danger(look.seat, other, kind)]


def beside(look: Seen, other: int, kind: int) -> Beside:
    """What another player discarded near a tile."""
    if danger(look, other, kind) < Danger.SUJI_19:
        return Beside.NONE
    river = look.course.players[other].thrown
    since = dict.fromkeys(river, "later") | dict.fromkeys(river[:4], "early")
    if other in look.course.declared:
        since[look.course.declared[other]] = "declared"

    def at(step: int) -> set[str]:
        return {since[one] for one in (kind - step, kind + step) if one // 9 == kind // 9 and one in since}

    suji = danger(look, other, kind) <= Danger.SUJI_456
    near = [
        Beside.SUJI_OF_DECLARED if suji and "declared" in at(3) else Beside.NONE,
        Beside.NEXT_TO_EARLY if "early" in at(1) else Beside.NONE,
        Beside.NEXT_TO_DECLARED if "declared" in at(1) else Beside.NONE,
        Beside.TWO_FROM_EARLY if "early" in at(2) else Beside.NONE,
        Beside.TWO_FROM_DECLARED if "declared" in at(2) else Beside.NONE,
        Beside.LATER if at(1) | at(2) else Beside.NONE,
    ]
    return max(near)


def context(look: Seen) -> dict[str, int | list[int]]:
    """Columns that are the same for all options of a decision."""
    dealer = look.hand.dealer or 0
    threats = {
        other: 2 if other in look.course.in_riichi else int(look.course.shows_much(other))
        for other in look.others
    }
    melds = {other: len(look.melds(other)) if look.course.is_open(other) else 0 for other in look.others}
    shown, discards, deals, unsettled, dora = [], [], [], [], []
    for other in look.others:
        shown.append(OpponentShows.RIICHI if other in look.course.in_riichi else min(3, melds[other]))
        discards.append(min(18, len(look.course.players[other].river)))
        deals.append(int(other == dealer))
        safe = look.course.safe_against(other)
        lows = [9 * suit + rank for suit in range(3) for rank in range(6)]
        unsettled.append(sum(low not in safe and low + 3 not in safe for low in lows))
        dora.append(min(5, look.course.laid_dora(other)))
    pad = [0] * (3 - len(look.others))
    return {
        "seat": look.seat,
        "left": min(17, look.course.live // 4),
        "dealer": int(look.seat == dealer),
        "riichi": sum(threat == 2 for threat in threats.values()),
        "open_threats": sum(threat == 1 for threat in threats.values()),
        "dealer_threat": threats.get(dealer, 0),
        "most_melds": max(melds.values()),
        "pot": min(15, (300 * (look.hand.honba or 0) + 1000 * look.course.sticks) // 500),
        "shown": shown + pad,
        "discards": discards + pad,
        "deals": deals + pad,
        "unsettled": unsettled + pad,
        "melded_dora": dora + pad,
    }


def hand_columns(look: Seen, tiles: list[int], melds: Melds) -> dict[str, int]:
    """Columns of what a hand and its melds hold; ``tiles`` are those left, ``look`` the moment."""
    kinds = Counter(map(kind_of, tiles))
    laid = [kind for _, part in melds for kind in part]
    seen = look.counts()
    suits = Counter(kind // 9 for kind in [*kinds.elements(), *laid] if kind < 27)
    honours = 0
    for value in look.values:
        if value in laid or kinds[value] >= 3:
            honours += 2
        elif kinds[value] == 2 and seen[value] < 4:
            honours += 1
    is_open = any(kind != EventKind.ANKAN for kind, _ in melds)
    return {
        "dora": min(7, look.course.dora_of(tiles) + look.course.laid_dora(look.seat)),
        "yakuhai": min(7, honours),
        "outside": 9 if set(laid) & OUTER else min(8, sum(kinds[kind] for kind in OUTER)),
        "off_suit": min(9, sum(suits.values()) - max(suits.values(), default=0)),
        "calls": sum(kind != EventKind.ANKAN for kind, _ in melds) if is_open else 0,
        "yaku": hope(look, kinds, melds) if is_open else Hope.CLOSED,
    }


def hope(look: Seen, kinds: Counter[int], melds: Melds) -> int:
    """Whether an open hand can hope for a yaku."""
    laid = {kind for _, part in melds for kind in part}
    if any(value in laid or kinds[value] >= 3 for value in look.values):
        return Hope.IN_SIGHT
    if not laid & OUTER and sum(kinds[kind] for kind in OUTER) <= 2:
        return Hope.IN_SIGHT
    suits = {kind // 9 for kind in laid if kind < 27}
    if len(suits) <= 1 and any(
        sum(count for kind, count in kinds.items() if kind < 27 and kind // 9 != suit) <= 2
        for suit in (suits or range(3))
    ):
        return Hope.IN_SIGHT
    runs = any(kind == EventKind.CHI for kind, _ in melds)
    if not runs and len(melds) + sum(count >= 2 for count in kinds.values()) >= 5:
        return Hope.IN_SIGHT
    return Hope.NONE


def counts_of(kinds: Counter[int]) -> npt.NDArray[np.int64]:
    return np.array([kinds[kind] for kind in range(34)])


def shape_columns(look: Seen, tiles: list[int], melds: Melds, gone: int | None) -> dict[str, int]:
    """Shanten, acceptance, the best wait after it, and furiten."""
    kinds, seen = Counter(map(kind_of, tiles)), look.counts()
    laid = [part for _, part in melds]
    sanma = look.players == 3
    found = acceptance(counts_of(kinds), laid, counts_of(seen), sanma=sanma)
    row = {"shanten": max(0, min(6, found.shanten)), "accepted": min(60, found.live), "second": 0}
    if found.shanten == 1:
        total = weight = 0
        for drawn in found.kinds:
            copies = 4 - seen[drawn]
            if copies <= 0:
                continue
            after, visible, best = kinds + Counter([drawn]), seen + Counter([drawn]), 0
            for other in set(kinds) - {drawn}:
                left = after - Counter([other])
                waits = acceptance(counts_of(left), laid, counts_of(visible), sanma=sanma)
                best = max(best, waits.live if waits.shanten == 0 else 0)
            total, weight = total + copies * best, weight + copies
        row["second"] = min(31, (total + weight // 2) // max(1, weight))
    if found.shanten == 0:
        river = set(look.course.players[look.seat].thrown)
        river |= set() if gone is None else {kind_of(gone)}
        row["is_furiten"] = int(bool(river & set(found.kinds)))
    return row


def discard_columns(look: Seen, tile: int) -> dict[str, int | list[int]]:
    """Columns of a discard."""
    tiles = list(look.tiles)
    tiles.remove(tile)
    melds = look.melds(look.seat)
    classes = [int(danger(look, other, kind_of(tile))) for other in look.others]
    near = [int(beside(look, other, kind_of(tile))) for other in look.others]
    flush = []
    for other in look.others:
        suit = look.course.collects(other)
        is_of = kind_of(tile) >= 27 or kind_of(tile) // 9 == suit
        flush.append(0 if suit is None else 1 if is_of else 2)
    pad = 3 - len(look.others)
    threats = [
        other for other in look.others if other in look.course.in_riichi or look.course.shows_much(other)
    ]
    cannot = (Danger.GENBUTSU, Danger.HONOUR_0)
    safe = sum(all(danger(look, other, kind_of(one)) in cannot for other in threats) for one in tiles)
    return {
        **context(look),
        **hand_columns(look, tiles, melds),
        **shape_columns(look, tiles, melds, tile),
        "danger": classes + [NO_DANGER] * pad,
        "beside": near + [0] * pad,
        "flush": flush + [0] * pad,
        "dora_tile": int(look.course.dora_of([tile]) > 0),
        "safe": min(9, safe) if threats else 10,
    }


def pass_columns(look: Seen) -> dict[str, int | list[int]]:
    """Columns of a hand that calls nothing."""
    melds = look.melds(look.seat)
    return {
        **context(look),
        **hand_columns(look, look.tiles, melds),
        **shape_columns(look, look.tiles, melds, None),
        "danger": [NO_DANGER] * 3,
        "beside": [0] * 3,
        "flush": [0] * 3,
        "dora_tile": 0,
    }


def tenpai_of(option: OptionKind, *, is_furiten: bool) -> set[Tenpai]:
    """The states that a tenpai may have, apart from its yaku."""
    if option == OptionKind.RIICHI:
        return {Tenpai.RIICHI_FURITEN if is_furiten else Tenpai.RIICHI}
    return {Tenpai.FURITEN} if is_furiten else {Tenpai.YAKU, Tenpai.SOME_YAKU, Tenpai.NO_YAKU}


def barred_by(call: EventKind, kind: int, own: list[int]) -> set[int]:
    """The kinds that a call bars: the tile itself and, of a run, the one at the other end."""
    if call == EventKind.PON:
        return {kind}
    if call != EventKind.CHI:
        return set()
    ends = {min(own) - 1, max(own) + 1} if max(own) - min(own) == 1 else {kind}
    return {end for end in ends if end // 9 == kind // 9}


def turn_options(look: Seen) -> set[tuple[OptionKind, int]]:
    """What a player may do in its turn, wins apart."""
    melds = look.melds(look.seat)
    found = {
        (OptionKind.DISCARD, tile) for tile in look.tiles if kind_of(tile) not in look.course.forbidden()
    }
    if look.course.players[look.seat].drawn is None:
        return found
    points = look.hand.scores[look.seat]
    if not look.course.is_open(look.seat) and look.course.live >= 4 and points is not None and points >= 1000:
        ready = {tile for _, tile in found if shape_without(look, tile, melds)[0] <= 0}
        found |= {(OptionKind.RIICHI, tile) for tile in ready}
    kinds = Counter(map(kind_of, look.tiles))
    if look.course.live > 0 and look.course.kans < 4:
        found |= {(OptionKind.ANKAN, kind) for kind, count in kinds.items() if count == 4}
        pons = [part[0] for kind, part in melds if kind == EventKind.PON]
        found |= {(OptionKind.KAKAN, kind) for kind in pons if kinds[kind]}
    return found


def shape_without(look: Seen, tile: int, melds: Melds) -> tuple[int, int]:
    """Shanten and tiles accepted after a discard."""
    tiles = list(look.tiles)
    tiles.remove(tile)
    return shape_of(look, tiles, melds)


def shape_of(look: Seen, tiles: list[int], melds: Melds) -> tuple[int, int]:
    """Shanten and tiles accepted of a hand."""
    laid = [part for _, part in melds]
    counts = counts_of(Counter(map(kind_of, tiles)))
    found = acceptance(counts, laid, counts_of(look.counts()), sanma=look.players == 3)
    return found.shanten, found.live


def call_options(look: Seen) -> dict[tuple[OptionKind, int], tuple[int, int]]:
    """What a player may do about a discard, wins apart, with shanten and tiles accepted of what is left.

    After a chi or pon that is the discard with the least shanten, then most tiles; such a call has to bring
    the hand closer.
    """
    assert look.offer is not None
    tile, source = look.offer
    kind, melds = kind_of(tile), look.melds(look.seat)
    now = shape_of(look, look.tiles, melds)
    found = {(OptionKind.PASS, tile): now}
    kinds = [kind_of(one) for one in look.tiles]
    calls: list[tuple[OptionKind, int, list[int]]] = []
    if kinds.count(kind) >= 2:
        calls.append((OptionKind.PON, kind, [kind, kind]))
    if kinds.count(kind) == 3 and look.course.kans < 4:
        found[OptionKind.DAIMINKAN, kind] = after_call(look, [kind] * 3, EventKind.DAIMINKAN, None)
    if kind < 27 and look.players == 4 and look.seat == (source + 1) % 4:
        for low in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
            own = [one for one in (low, low + 1, low + 2) if one != kind]
            if all(one in kinds for one in own):
                calls.append((OptionKind.CHI, low, own))
    for option, low, own in calls:
        sort = EventKind.PON if option == OptionKind.PON else EventKind.CHI
        best = after_call(look, own, sort, barred_by(sort, kind, own))
        if best[0] < now[0]:
            found[option, low] = best
    return found


def after_call(look: Seen, own: list[int], sort: EventKind, barred: set[int] | None) -> tuple[int, int]:
    """Shanten and tiles accepted after a call and its best discard; ``barred`` None for a kan."""
    assert look.offer is not None
    kinds = [kind_of(one) for one in look.tiles]
    for kind in own:
        kinds.remove(kind)
    melds = [*look.melds(look.seat), (sort, [*own, kind_of(look.offer[0])])]
    if barred is None:
        return shape_of(look, kinds, melds)
    shapes = []
    for kind in set(kinds) - barred:
        left = list(kinds)
        left.remove(kind)
        shapes.append(shape_of(look, left, melds))
    return min(shapes, key=lambda shape: (shape[0], -shape[1]), default=(99, 0))


def kan_shape(look: Seen, kind: int) -> tuple[int, int]:
    """Shanten and tiles accepted after a closed or an added kan."""
    kinds = [kind_of(tile) for tile in look.tiles if kind_of(tile) != kind]
    melds = [meld for meld in look.melds(look.seat) if meld != (EventKind.PON, [kind] * 3)]
    return shape_of(look, kinds, [*melds, (EventKind.ANKAN, [kind] * 4)])
