"""Scoring of a winning hand under a ruleset: yaku, han, fu with reasons, limit and payments.

``score`` is the checked way in for one hand, ``score_many`` for many in arrays; the replay engine calls
``score_kernel`` and ``payments_kernel`` itself.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from struct import Struct
from threading import get_ident
from typing import NamedTuple

import numpy as np

from paifu.replay.arrays import I64
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.scoring import payments_kernel, score_hands
from paifu.replay.kernels.settled import is_settled
from paifu.replay.language import N_, _
from paifu.replay.model.tiles import KINDS, count_kinds, counts_of, format_tiles, kind_of, sort_tiles
from paifu.replay.rules.choices import (
    Nagashi,
    OpenRiichiDealIn,
    RinshanFed,
)
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.readings import MeldKind, RiichiReading, TileGroup, Wait, reading_of_row
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

    reading: RiichiReading
    han: int
    fu: int
    points: int
    why: str


@dataclass(frozen=True)
class ScoredWin:
    """What a winning hand is worth. How it is read is worked out when it is asked for."""

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
    _hand: WinningHand = field(repr=False, compare=False)
    _rules: Ruleset = field(repr=False, compare=False)
    _value: _Value = field(repr=False, compare=False)

    @cached_property
    def reading(self) -> RiichiReading:
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
_NOTHING_SHOWN = [0] * 8 + [NO_INDICATOR] * (2 * layout.MOST_INDICATORS)
"""No melds and no indicators."""
_LAY_HAND = Struct(f"{layout.HAND_SIZE}q").pack_into
_DORA = tuple(YAKU[number] for number in (DORA_ID, URA_DORA_ID, RED_DORA_ID, KITA_ID))


class _Value(NamedTuple):
    """What the scoring kernel put out."""

    base: int
    han: int
    fu: int
    yakuman: int
    yaku: tuple[int, ...]
    fu_reasons: int
    reading: int
    is_alone: bool
    """One yaku that is worth a limit by itself decided."""
    dora: int
    ura: int
    points: int
    payments: tuple[int, ...]

    @classmethod
    def of(cls, worth: Sequence[int]) -> _Value:
        """Read the kernel's output."""
        base, han, fu, yakuman, low, local, reasons, reading, alone, *_, dora, ura, points = worth[
            : layout.WORTH_PAID
        ]
        return cls(
            base, han, fu, yakuman, yaku_ids(low, local), reasons, reading, bool(alone), dora, ura, points,
            tuple(worth[layout.WORTH_PAID :]),
        )  # fmt: skip


class _ScoreDesk:
    """A hand laid out for the kernel under a ruleset, and what the kernel makes of it."""

    def __init__(self, rules: Ruleset) -> None:
        self.tables = scoring_tables(rules)
        self._tiles = bytearray(KINDS + 4 + 4 + 2 * layout.MOST_INDICATORS)
        sizes = (layout.HAND_SIZE, layout.WORTH_SIZE, 4, layout.MAX_READINGS * layout.ROW_SIZE)
        self.hand, self.worth, self.liable, self._rows = (array("q", bytes(8 * size)) for size in sizes)
        tiles = np.frombuffer(self._tiles, np.uint8)[None]
        counts, kinds, sorts, indicators = np.split(tiles, (KINDS, KINDS + 4, KINDS + 8), axis=1)
        hand, worth, liable, rows = (
            np.frombuffer(cells, np.int64) for cells in (self.hand, self.worth, self.liable, self._rows)
        )
        self.run = score_hands.bound(
            counts, kinds, sorts, indicators, hand[:, None], liable, *self.tables,
            rows.reshape(-1, layout.ROW_SIZE), np.zeros(KINDS, np.uint8), np.zeros(4, np.int64), worth[None],
        )  # fmt: skip

    def lay(self, hand: WinningHand) -> None:
        """Lay out a hand that can be."""
        tiles = count_kinds(hand.tiles) + _NOTHING_SHOWN
        for i, meld in enumerate(hand.melds):
            tiles[KINDS + i], tiles[KINDS + 4 + i] = meld.first, meld.kind
        for first, shown in enumerate((hand.dora_indicators, hand.ura_indicators)):
            for i, tile in enumerate(shown, KINDS + 8 + first * layout.MOST_INDICATORS):
                tiles[i] = kind_of(tile)
        self._tiles[:] = bytes(tiles)
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

    def value(self, only: int = EVERY_READING, *, without: int = 0) -> _Value | None:
        """Score the hand, or one reading of it, ``without`` a situation; None if it is worth nothing."""
        kept = self.hand[layout.HAND_SITUATION]
        self.hand[layout.HAND_ONLY], self.hand[layout.HAND_SITUATION] = only, kept & ~without
        self.run()
        self.hand[layout.HAND_SITUATION] = kept
        return _Value.of(self.worth) if self.worth[layout.OUT_BASE] > 0 else None

    def reading(self, number: int, hand: WinningHand) -> RiichiReading:
        """Return one of the readings that were found."""
        row = self._rows[number * layout.ROW_SIZE : (number + 1) * layout.ROW_SIZE]
        return reading_of_row(row, self._tiles, hand.melds, kind_of(hand.win), tsumo=hand.tsumo)


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
        hand = replace(hand, situation=hand.situation | Situation.FED_RIICHI)
    if situation & layout.FED_KAN and rules.pao.rinshan_fed == RinshanFed.FALSE_WIN:
        raise HandError(_("rinshan on a kan that another player fed is a false win (rule rinshan_fed)"))
    return _score(hand, rules)


def _best_of_pochi(hand: WinningHand, rules: Ruleset) -> ScoredWin:
    """Score a hand that the white pochi completes, as the tile that makes it worth most."""
    rest = _without_win(hand)
    plain = replace(hand, situation=hand.situation & ~Situation.POCHI)
    read = (replace(plain, tiles=(*rest, kind), win=kind) for kind in _waits_of(hand, rules))
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
    tables = scoring_tables(rules)
    kinds, sorts = np.zeros(4, np.uint8), np.zeros(4, np.uint8)
    for i, meld in enumerate(hand.melds):
        kinds[i], sorts[i] = meld.first, meld.kind
    rows = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    own_wind = hand.seat_wind if hand.own_wind is None else hand.own_wind
    mask, out = sum(1 << kind for kind in _waits_of(hand, rules)), np.zeros(layout.OUT_SIZE, np.int64)
    return not is_settled(
        counts_of(_without_win(hand)), kinds, sorts, len(hand.melds), mask, own_wind, hand.round_wind,
        hand.honba, tables.patterns, tables.params, rows, out,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _worth(
    yaku: tuple[int, ...], rules: Ruleset, situation: int, is_open: bool
) -> tuple[tuple[Yaku, int], ...]:
    """Return yaku with their han."""
    table = yaku_of(rules)
    return tuple((table[number], table[number].han_under(rules, situation)[is_open]) for number in yaku)


def _score(hand: WinningHand, rules: Ruleset) -> ScoredWin:
    """Score a hand that can be."""
    desk = _desk_of(rules, get_ident())
    desk.lay(hand)
    best = desk.value()
    if best is not None and rules.local.dealer_wins_need_yaku and Situation.THIRTEENTH in hand.situation:
        best = desk.value(without=Situation.THIRTEENTH) and desk.value()
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
    yaku = _worth(best.yaku, rules, int(hand.situation), not hand.closed)
    if not best.yakuman and not best.is_alone:
        counts = (best.dora, best.ura, desk.hand[layout.HAND_EXTRA] - hand.set_aside, hand.set_aside)
        yaku += tuple([(dora, count) for dora, count in zip(_DORA, counts, strict=True) if count])
    return ScoredWin(
        yaku=yaku,
        han=best.han,
        fu=best.fu,
        limit=Limit.reached(best.base, best.yakuman, rules),
        yakuman=best.yakuman,
        base=best.base,
        points=paid.points,
        payments=paid.payments[: rules.table.players],
        _hand=hand,
        _rules=rules,
        _value=best,
    )


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
    tables, out = scoring_tables(rules), np.zeros(4, np.int64)
    base = int(tables.params[layout.PARAM_NAGASHI])
    points = payments_kernel(
        base, 0, 1, seat, seat, 0, hand.honba * is_win, hand.sticks * is_win, NOBODY, np.zeros(4, np.int64),
        tables.patterns, tables.params, out,
    )  # fmt: skip
    changes = tuple(int(change) for change in out[: rules.table.players])
    return ScoredNagashi(Limit.of_base(base), int(points), changes, is_win)


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
    played = {
        yaku.id: yaku.pao
        for yaku in yaku_of(rules).values()
        if yaku.id in value.yaku and yaku.pao is not None and rules[yaku.pao.rule]
    }
    fed = [i for i, pao in played.items() if hand.is_fed(pao, rules)]
    is_open = any(meld.kind == MeldKind.DAIMINKAN for meld in hand.melds)
    if rules.pao.pao_rinshan and is_open and Situation.RINSHAN in hand.situation:
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


def _other(reading: RiichiReading, value: _Value | None, best: _Value) -> OtherReading:
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
            yield _group_text(TileGroup(kinds, concealed, called))


def _fu_rows(reasons: int, reading: RiichiReading, params: I64) -> tuple[FuRow, ...]:
    """Spell out the packed reasons for fu of a reading."""
    groups: dict[int, list[TileGroup]] = {}
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


def _fu_reason(group: TileGroup) -> int:
    return layout.FU_TRIPLET + group.concealed + 2 * group.is_outer + 4 * group.is_kan


def _group_text(group: TileGroup) -> str:
    how = "concealed " if group.concealed else "open " if group.called else ""
    what = "kan" if group.is_kan else "triplet"
    end = "" if group.concealed or group.called else ", by ron"
    return f"{how}{what} of {'terminals or honours' if group.is_outer else 'simples'}{end}"
