"""Scoring of a winning hand under a ruleset: yaku, han, fu with reasons, limit and payments.

``score`` is the checked way in for one hand, ``score_many`` for many in arrays; the replay engine calls
``score_kernel`` and ``payments_kernel`` itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from struct import Struct
from threading import get_ident
from typing import NamedTuple

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.scoring import score_hands
from paifu.replay.kernels.settled import is_settled
from paifu.replay.language import N_, _
from paifu.replay.model.tile_notation import format_tiles
from paifu.replay.model.tiles import KIND_OF_TILE, KINDS, count_kinds, counts_of, kind_of, sort_tiles
from paifu.replay.rules.choices import (
    Nagashi,
    OpenRiichiDealIn,
    RinshanFed,
)
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.readings import Group, Reading, Wait, reading_of_row
from paifu.replay.scoring.tables import scoring_tables
from paifu.replay.scoring.winning_hand import RIICHI_SORTS, WinningHand
from paifu.replay.scoring.yaku import (
    DORA_ID,
    KITA_ID,
    RED_DORA_ID,
    URA_DORA_ID,
    YAKU,
    Pao,
    Yaku,
    yaku_ids,
    yaku_of,
)
from paifu.replay.scoring.yaku_names import spoken_name
from paifu.replay.shapes.shanten import waits


@dataclass(frozen=True, slots=True)
class FuRow:
    """Fu and what they are for."""

    fu: int
    reason: str
    tiles: str = ""
    """The group that earns them, in MPSZ."""


@dataclass(frozen=True, slots=True)
class OtherReading:
    """A reading that was not scored, and why."""

    reading: Reading
    han: int
    fu: int
    points: int
    why: str


class _Worth(NamedTuple):
    """What a winning hand is worth."""

    yaku: tuple[tuple[Yaku, int], ...]
    """Each yaku and its han; dora last. A yakuman hand lists its yakuman only."""
    han: int
    fu: int
    limit: Limit
    yakuman: int
    """How many yakuman, a double one counting twice; 0 for a counted yakuman (kazoe)."""
    base: int
    points: int
    """Points of the hand, without honba and riichi sticks."""
    payments: tuple[int, ...]
    """Change of points by seat, 0 the dealer; honba, sticks, liability and wareme included."""


class ScoredWin(_Worth):
    """What a winning hand is worth. How it is read is worked out when it is asked for."""

    _hand: WinningHand
    _rules: Ruleset
    _value: _Value

    @cached_property
    def reading(self) -> Reading:
        """The reading that is scored."""
        return _laid_desk(self._hand, self._rules).reading(self._value.reading, self._hand)

    @cached_property
    def fu_rows(self) -> tuple[FuRow, ...]:
        """Fu and what they are for; they add up to the fu before rounding."""
        return _fu_rows(self._value.fu_reasons, self.reading, scoring_tables(self._rules).params)

    @cached_property
    def others(self) -> tuple[OtherReading, ...]:
        """The other readings, the most valuable first."""
        desk, best = _laid_desk(self._hand, self._rules), self._value
        others = [
            _other(desk.reading(number, self._hand), desk.value(number), best)
            for number in range(desk.worth[layout.OUT_READINGS])
            if number != best.reading
        ]
        return tuple(sorted(others, key=lambda other: (-other.points, -other.han, -other.fu)))


EVERY_READING = NOBODY = -1
NO_INDICATOR = 255
_LAY_HAND = Struct(f"{layout.HAND_SIZE}q").pack_into
_READ_WORTH = Struct(f"{layout.WORTH_SIZE}q").unpack
_NO_MELD = bytes(4)
_KINDS = KIND_OF_TILE.tobytes()
_DORA = tuple(YAKU[number] for number in (DORA_ID, URA_DORA_ID, RED_DORA_ID, KITA_ID))


class _Value(NamedTuple):
    """What the scoring kernel put out, in its order."""

    base: int
    han: int
    fu: int
    yakuman: int
    low: int
    local: int
    """Masks of its yaku, as ``yaku_ids`` reads them."""
    fu_reasons: int
    reading: int
    is_alone: int
    """1 where one yaku that is worth a limit by itself decided."""
    readings: int
    held: int
    held_local: int
    dora: int
    ura: int
    points: int
    to_east: int
    to_south: int
    to_west: int
    to_north: int
    """Change of points by seat."""


class _ScoreDesk:
    """A hand laid out for the kernel under a ruleset, and what the kernel makes of it."""

    def __init__(self, rules: Ruleset) -> None:
        self.tables = scoring_tables(rules)
        self._tiles = bytearray(KINDS + 4 + 4 + 2 * layout.MOST_INDICATORS)
        sizes = (layout.HAND_SIZE, layout.WORTH_SIZE, 4, layout.MAX_READINGS * layout.ROW_SIZE)
        self.hand, self.worth, self.liable, self._rows = (array("q", bytes(8 * size)) for size in sizes)
        tiles = np.frombuffer(self._tiles, np.uint8)[None]
        counts, kinds, sorts, indicators = np.split(tiles, (KINDS, KINDS + 4, KINDS + 8), axis=1)
        self.kinds, self.sorts = kinds[0], sorts[0]
        hand, worth, liable, rows = (
            np.frombuffer(cells, np.int64) for cells in (self.hand, self.worth, self.liable, self._rows)
        )
        self.run = score_hands.bound(
            counts, kinds, sorts, indicators, hand[:, None], liable, *self.tables,
            rows.reshape(-1, layout.ROW_SIZE), np.zeros(KINDS, np.uint8), np.zeros(4, np.int64), worth[None],
        )  # fmt: skip

    def lay(self, hand: WinningHand) -> None:
        """Lay out a hand that can be."""
        melds = hand.melds
        self._tiles[:] = b"".join(
            (
                bytes(count_kinds(hand.tiles)),
                bytes([meld.first for meld in melds]).ljust(4, b"\0") if melds else _NO_MELD,
                bytes([meld.kind for meld in melds]).ljust(4, b"\0") if melds else _NO_MELD,
                _shown(hand.dora_indicators),
                _shown(hand.ura_indicators),
            )
        )
        _LAY_HAND(
            self.hand,
            0,
            kind_of(hand.win),
            hand.situation,
            hand.seat_wind,
            hand.seat_wind if hand.own_wind is None else hand.own_wind,
            hand.round_wind,
            hand.reds + hand.set_aside,
            hand.kita,
            hand.honba,
            hand.sticks,
            NOBODY if hand.payer is None else hand.payer,
            NOBODY if hand.marked is None else hand.marked,
            EVERY_READING,
        )

    def value(self, only: int = EVERY_READING) -> _Value | None:
        """Score the hand, or one reading of it; None if it is worth nothing."""
        self.hand[layout.HAND_ONLY] = only
        self.run()
        value = _Value._make(_READ_WORTH(self.worth))
        return value if value.base > 0 else None

    def reading(self, number: int, hand: WinningHand) -> Reading:
        """Return one of the readings that were found."""
        row = self._rows[number * layout.ROW_SIZE : (number + 1) * layout.ROW_SIZE]
        return reading_of_row(row, self._tiles, hand.melds, kind_of(hand.win), tsumo=hand.tsumo)


def _shown(indicators: tuple[int, ...]) -> bytes:
    """Return the kinds of indicators as the kernel takes them."""
    return bytes(indicators).translate(_KINDS).ljust(layout.MOST_INDICATORS, b"\xff")


@lru_cache(maxsize=256)
def _desk_of(rules: Ruleset, _thread: int) -> _ScoreDesk:
    """Return the desk of a thread for a ruleset."""
    return _ScoreDesk(rules)


def _laid_desk(hand: WinningHand, rules: Ruleset) -> _ScoreDesk:
    """Return the desk with a hand on it, and its readings."""
    desk = _desk_of(rules, get_ident())
    desk.lay(hand)
    desk.run()
    return desk


def score(hand: WinningHand, rules: Ruleset) -> ScoredWin:
    """Score a winning hand under a ruleset.

    Raises HandError, saying why, when the hand cannot be, is not complete, or has no yaku (or fewer han
    than the ruleset asks for), or none that is settled.
    """
    hand.check(rules)
    situation = int(hand.situation)
    if situation & layout.POCHI:
        return _best_of_pochi(hand, rules)
    if _feeds_open_riichi(hand, rules):
        hand = hand._replace(situation=hand.situation | Situation.FED_RIICHI)
    if situation & layout.FED_KAN and rules.pao.rinshan_fed == RinshanFed.FALSE_WIN:
        raise HandError(_("rinshan on a kan that another player fed is a false win (rule rinshan_fed)"))
    return _score(hand, rules)


def _best_of_pochi(hand: WinningHand, rules: Ruleset) -> ScoredWin:
    """Score a hand that the white pochi completes, as the tile that makes it worth most."""
    rest = _without_win(hand)
    plain = hand._replace(situation=hand.situation & ~Situation.POCHI)
    read = (plain._replace(tiles=(*rest, kind), win=kind) for kind in _waits_of(hand, rules))
    found = [_score(one, rules) for one in read]
    if not found:
        raise HandError(_("the hand waits for nothing that the pochi could stand for"))
    return max(found, key=lambda one: (one.base, one.han, one.fu))


def _feeds_open_riichi(hand: WinningHand, rules: Ruleset) -> bool:
    """Whether a player without riichi discarded into an open riichi, where that costs a yakuman."""
    return (
        rules.riichi.open_riichi_deal_in != OpenRiichiDealIn.VALUE
        and Situation.OPEN_RIICHI in hand.situation
        and not hand.tsumo
        and not hand.payer_in_riichi
    )


def _without_win(hand: WinningHand) -> list[int]:
    rest = list(hand.tiles)
    rest.remove(hand.win)
    return rest


def _waits_of(hand: WinningHand, rules: Ruleset) -> tuple[int, ...]:
    """The kinds that a hand waited for before its winning tile."""
    melds = [meld.tiles for meld in hand.melds]
    sanma = rules.table.players == 3
    return waits(_without_win(hand), melds, sanma=sanma, forms=rules.forms, kita=hand.kita)


def _is_unsettled(hand: WinningHand, rules: Ruleset) -> bool:
    """Whether the rules ask for yaku that are settled, and those of this hand are not."""
    if not rules.win.yaku_settled or hand.unfinished:
        return False
    is_lucky = bool(rules.win.luck_settles and int(hand.situation) & layout.LUCK)
    if hand.situation & RIICHI_SORTS or (hand.closed and hand.tsumo) or is_lucky:
        return False
    desk = _desk_of(rules, get_ident())
    mask, out = sum(1 << kind for kind in _waits_of(hand, rules)), np.zeros(layout.OUT_SIZE, np.int64)
    rows = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    return not is_settled(
        counts_of(_without_win(hand)), desk.kinds, desk.sorts, len(hand.melds), mask,
        desk.hand[layout.HAND_OWN_WIND], hand.round_wind, hand.honba, *desk.tables, rows, out,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _worth(
    low: int, local: int, rules: Ruleset, situation: int, is_open: bool
) -> tuple[tuple[Yaku, int], ...]:
    """Return yaku with their han."""
    yaku = [yaku_of(rules)[number] for number in yaku_ids(low, local)]
    return tuple((one, one.han_under(rules, situation)[is_open]) for one in yaku)


def _score(hand: WinningHand, rules: Ruleset) -> ScoredWin:
    """Score a hand that can be."""
    desk = _desk_of(rules, get_ident())
    desk.lay(hand)
    best = desk.value()
    if best is not None and rules.local.dealer_wins_need_yaku and Situation.THIRTEENTH in hand.situation:
        desk.lay(hand._replace(situation=hand.situation & ~Situation.THIRTEENTH))
        is_worth = desk.value() is not None
        desk.lay(hand)
        best = desk.value() if is_worth else None
    if best is None:
        raise HandError(_why_nothing(hand, rules, desk.worth[layout.OUT_READINGS]))
    if _is_unsettled(hand, rules):
        text = _("the yaku of this hand are not settled (rule yaku_settled = {kind})")
        raise HandError(text.format(kind=rules.win.yaku_settled.name.lower()))
    paid = best
    if hand.liable is not None:
        mask = _liability(hand, rules, best)
        desk.liable[hand.liable] = mask
        paid = desk.value() or best
        desk.liable[hand.liable] = 0
    yaku = _worth(best.low, best.local, rules, int(hand.situation), not hand.closed)
    if not best.yakuman and not best.is_alone:
        counts = (best.dora, best.ura, desk.hand[layout.HAND_EXTRA] - hand.set_aside, hand.set_aside)
        yaku += tuple([(dora, count) for dora, count in zip(_DORA, counts, strict=True) if count])
    limit = Limit.reached(best.base, best.yakuman, rules)
    payments = paid[layout.WORTH_PAID :][: rules.table.players]
    won = ScoredWin(yaku, best.han, best.fu, limit, best.yakuman, best.base, paid.points, payments)
    won._hand, won._rules, won._value = hand, rules, best
    return won


@dataclass(frozen=True, slots=True)
class ScoredNagashi:
    """What a nagashi mangan is worth."""

    limit: Limit
    points: int
    payments: tuple[int, ...]
    """Change of points by seat, 0 the dealer; honba and sticks included where it is a win."""
    is_win: bool


def score_nagashi(hand: WinningHand, rules: Ruleset) -> ScoredNagashi:
    """Price a nagashi mangan, of a hand whose tiles do not matter except for its calls.

    Raises HandError where it is not played, or where own calls rule it out.
    """
    if rules.draw.nagashi == Nagashi.NONE:
        text = _("nagashi mangan is not played under the ruleset {rules} (rule nagashi)")
        raise HandError(text.format(rules=rules.name))
    if rules.draw.nagashi_uncalled and hand.melds:
        text = _(
            "nagashi mangan needs a player without calls and kans under the ruleset {rules} "
            "(rule nagashi_uncalled)"
        )
        raise HandError(text.format(rules=rules.name))
    seat, is_win = hand.seat_wind, rules.draw.nagashi == Nagashi.WIN
    if seat not in range(rules.table.players):
        text = _("seat wind {seat}: seats are 0 to {last}")
        raise HandError(text.format(seat=seat, last=rules.table.players - 1))
    base = int(scoring_tables(rules).params[layout.PARAM_NAGASHI])
    paid = hand._replace(
        situation=Situation.TSUMO, honba=hand.honba * is_win, sticks=hand.sticks * is_win, marked=None
    )
    points, changes = paid.payments(base, rules)
    return ScoredNagashi(Limit.of_base(base), points, changes, is_win)


def _why_nothing(hand: WinningHand, rules: Ruleset, readings: int) -> str:
    if not readings:
        text = _(
            "{tiles} does not win: the tiles make neither four groups and a pair nor seven pairs nor "
            "thirteen orphans"
        )
        return text.format(tiles=format_tiles(sort_tiles(hand.tiles)))
    tables = scoring_tables(rules)
    two = tables.params[layout.PARAM_TWO_HAN_HONBA]
    least = max(rules.win.min_han, 2 if two and hand.honba >= two else 1)
    if least > 1:
        text = _("the hand is complete but has fewer than {least} han; dora do not count for them")
        return text.format(least=least)
    return _("the hand is complete but has no yaku; dora are not yaku")


def _liability(hand: WinningHand, rules: Ruleset, value: _Value) -> int:
    """What the liable seat answers for: bits of yakuman ids, or LIABLE_FOR_ALL."""
    found = yaku_ids(value.low, value.local)
    played = {
        yaku.id: yaku.pao
        for yaku in yaku_of(rules).values()
        if yaku.id in found and yaku.pao is not None and rules[yaku.pao.rule]
    }
    fed = [i for i, pao in played.items() if hand.is_fed(pao, rules)]
    if rules.pao.pao_rinshan and hand.has_fed_kan and Situation.RINSHAN in hand.situation:
        return layout.LIABLE_FOR_ALL
    if not fed:
        raise HandError(_why_nobody_is_liable(played, rules))
    return sum(1 << i for i in fed)


def _why_nobody_is_liable(played: Mapping[int, Pao], rules: Ruleset) -> str:
    if not played:
        text = _("nothing in this hand makes anyone liable under the ruleset {rules}")
        return text.format(rules=rules.name)
    number, pao = next(iter(played.items()))
    if pao.kans:
        text = _(
            "nobody is liable for {yaku} here: that takes {count} kans on the table, the last one called "
            "from a discard"
        )
    else:
        text = _(
            "nobody is liable for {yaku} here: that takes {count} melds on the table, the last one called "
            "from a discard"
        )
    return text.format(yaku=spoken_name(number, rules), count=pao.melds)


def _other(reading: Reading, value: _Value | None, best: _Value) -> OtherReading:
    """Describe a reading that was not scored."""
    if value is None:
        return OtherReading(reading, 0, 0, 0, N_("no yaku"))
    why = N_("worth the same")
    for mine, theirs, text in (
        (value.base, best.base, N_("fewer points")),
        (value.han, best.han, N_("fewer han")),
        (value.fu, best.fu, N_("less fu")),
    ):
        if mine < theirs:
            why = text
            break
    return OtherReading(reading, value.han, value.fu, value.points, why)


_FU_TEXTS = {
    layout.FU_BASE: "winning",
    layout.FU_CLOSED_RON: "ron with a closed hand",
    layout.FU_TSUMO: "tsumo",
    layout.FU_DRAGON_PAIR: "pair of dragons",
    layout.FU_SEAT_PAIR: "pair of the seat wind",
    layout.FU_ROUND_PAIR: "pair of the round wind",
    layout.FU_DOUBLE_PAIR: "pair of the seat and round wind",
    layout.FU_OPEN_WITHOUT: "open hand that has no other fu",
    layout.FU_SEVEN_PAIRS: "seven pairs",
}
_WAIT_TEXTS = {
    Wait.KANCHAN: "closed wait (kanchan)",
    Wait.PENCHAN: "edge wait (penchan)",
    Wait.TANKI: "pair wait (tanki)",
}


def declared() -> Iterator[str]:
    """Yield what fu are for."""
    yield from (*_FU_TEXTS.values(), *_WAIT_TEXTS.values())
    for kinds in ((0, 0, 0), (0, 0, 0, 0), (1, 1, 1), (1, 1, 1, 1)):
        for concealed, called in product((False, True), repeat=2):
            yield _group_text(Group(kinds, concealed, called))


def _fu_rows(reasons: int, reading: Reading, params: I64) -> tuple[FuRow, ...]:
    """Spell out the packed reasons for fu of a reading."""
    groups: dict[int, list[Group]] = {}
    for group in reading.groups:
        if group.is_triplet:
            groups.setdefault(_fu_reason(group), []).append(group)
    rows = []
    for reason in range(layout.FU_REASONS):
        if not reasons >> 3 * reason & 7:
            continue
        fu = int(params[layout.PARAM_FU + reason])
        if reason in groups:
            rows += [FuRow(fu, _group_text(group), str(group)) for group in groups[reason]]
        else:
            rows.append(FuRow(fu, _FU_TEXTS.get(reason) or _WAIT_TEXTS[reading.wait]))
    return tuple(rows)


def _fu_reason(group: Group) -> int:
    return layout.FU_TRIPLET + group.concealed + 2 * group.is_outer + 4 * group.is_kan


def _group_text(group: Group) -> str:
    how = "concealed " if group.concealed else "open " if group.called else ""
    what = "kan" if group.is_kan else "triplet"
    end = "" if group.concealed or group.called else ", by ron"
    return f"{how}{what} of {'terminals or honours' if group.is_outer else 'simples'}{end}"
