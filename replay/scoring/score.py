"""Scoring of a winning hand under a ruleset: yaku, han, fu with reasons, limit and payments.

``score`` is the checked way in for one hand; the replay engine calls ``score_kernel`` and
``payments_kernel`` itself, with the tables that ``scoring_tables`` makes once a ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.scoring import dora_kernel, dora_of, payments_kernel, points_kernel, score_kernel
from paifu.replay.kernels.settled import is_settled
from paifu.replay.language import N_, _
from paifu.replay.model.tiles import NORTH, counts_of, format_tiles, is_red, kind_of, sort_tiles
from paifu.replay.rules.choices import (
    Limits,
    Nagashi,
    NagashiValue,
    OpenRiichiDealIn,
    PaoCovers,
    RinshanFed,
)
from paifu.replay.rules.hand_facts import ALWAYS, FINISHED, Situation, YakuCondition, all_of, situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.limits import Limit, limit_of_han
from paifu.replay.scoring.readings import MeldKind, RiichiReading, TileGroup, Wait, reading_of_row
from paifu.replay.scoring.winning_hand import RIICHI_SORTS, WinningHand
from paifu.replay.scoring.yaku import (
    DORA_ID,
    IPPATSU_ID,
    KITA_ID,
    RED_DORA_ID,
    URA_DORA_ID,
    Pao,
    Yaku,
    YakuKind,
    yaku_ids,
    yaku_of,
)
from paifu.replay.scoring.yaku_names import spoken_name
from paifu.replay.shapes.shanten import waits


class ScoringTables(NamedTuple):
    """A ruleset as the scoring kernels read it."""

    patterns: I64
    """(n, PATTERN_SIZE): the enabled yaku's patterns, greater yaku before those they replace."""
    params: I64
    """(PARAMS,): fu for each reason, base points by han, single rules."""


def _fu_points(rules: Ruleset) -> dict[int, int]:
    """Fu of each reason, by its number."""
    triplets = {
        layout.FU_TRIPLET + concealed + 2 * outer + 4 * kan: 2 << concealed + outer + 2 * kan
        for concealed in (0, 1)
        for outer in (0, 1)
        for kan in (0, 1)
    }
    return triplets | {
        layout.FU_BASE: rules.scoring.fixed_fu or 20,
        layout.FU_CLOSED_RON: 10,
        layout.FU_TSUMO: 2,
        layout.FU_WAIT: 2,
        layout.FU_DRAGON_PAIR: 2,
        layout.FU_SEAT_PAIR: 2,
        layout.FU_ROUND_PAIR: 2,
        layout.FU_DOUBLE_PAIR: rules.scoring.double_wind_pair_fu,
        layout.FU_OPEN_WITHOUT: 10,
        layout.FU_SEVEN_PAIRS: rules.scoring.chiitoitsu_fu,
    }


_NAGASHI_BASES = {
    NagashiValue.MANGAN: 2000,
    NagashiValue.HANEMAN: 3000,
    NagashiValue.BAIMAN: 4000,
    NagashiValue.YAKUMAN: 8000,
}


def _in_order(rules: Ruleset) -> list[Yaku]:
    """Greater yaku before those they replace, and first of all the yakuman that somebody can be liable for.

    Where yakuman do not stack, the first of the most expensive ones counts.
    """
    greater_first = reversed(tuple(yaku_of(rules).values()))
    return sorted(greater_first, key=lambda yaku: yaku.pao is None or not rules[yaku.pao.rule])


@lru_cache(maxsize=1024)
def _all_of(*conditions: YakuCondition) -> YakuCondition:
    """Return what is true where all are; rulesets have most of their yaku in common."""
    return all_of(conditions)


@lru_cache(maxsize=256)
def scoring_tables(rules: Ruleset) -> ScoringTables:
    """Make the tables that score under ``rules``; the same object for equal rulesets."""
    rows: list[list[int]] = []
    for yaku in _in_order(rules):
        closed, open_ = yaku.han_under(rules)
        if yaku.kind == YakuKind.DORA or not (closed or open_):
            continue
        form = ALWAYS if yaku.without_pair else FINISHED
        condition = _all_of(yaku.condition, yaku.under(rules), form)
        worth = [(pattern, open_, closed) for pattern in condition.alternatives]
        if yaku.special is not None and yaku.special[1](rules) != (closed, open_):
            more_closed, more_open = yaku.special[1](rules)
            special = (condition & situation(yaku.special[0])).alternatives
            worth = [(pattern, more_open, more_closed) for pattern in special] + worth
        lesser = yaku.replaces + (() if rules.scoring.yakuman_base else yaku.contains)
        replaces = [sum(1 << i - first for i in lesser if first <= i < first + 64) for first in (0, 64)]
        end = len(rows) + len(worth)
        for pattern, open_, closed in worth:
            words = [bits for pair in zip(pattern.need, pattern.never, strict=True) for bits in pair]
            rows.append([*words, yaku.id, end, open_, closed, yaku.limit(rules), *replaces])
    params = np.zeros(layout.PARAMS, np.int64)
    for reason, points in _fu_points(rules).items():
        params[layout.PARAM_FU + reason] = points
    for han in range(layout.MAX_LIMIT_HAN + 1):
        params[layout.PARAM_LIMIT + han] = limit_of_han(han, rules)
    params[layout.PARAM_KIRIAGE] = rules.scoring.kiriage
    params[layout.PARAM_MIN_HAN] = rules.win.min_han
    params[layout.PARAM_TWO_HAN_HONBA] = rules.win.two_han_from_honba
    params[layout.PARAM_RINSHAN_FU] = rules.scoring.rinshan_tsumo_fu
    params[layout.PARAM_STACKING] = rules.yakuman.yakuman_stacking
    params[layout.PARAM_FORMS] = rules.forms
    params[layout.PARAM_FOUR_KANS_WIN] = not rules.yakuman.suukantsu_needs_pair
    params[layout.PARAM_HONBA] = rules.payment.honba_each
    params[layout.PARAM_STICK] = rules.riichi.riichi_stick
    params[layout.PARAM_PLAYERS] = rules.table.players
    params[layout.PARAM_SHARES] = rules.payment.sanma_tsumo if rules.table.players == 3 else 0
    params[layout.PARAM_PAO_ALL] = rules.pao.pao_covers == PaoCovers.ALL
    params[layout.PARAM_PAO_HONBA] = rules.pao.pao_honba
    params[layout.PARAM_PAO_AS_RON] = rules.pao.pao_tsumo
    params[layout.PARAM_RINSHAN_AS_RON] = rules.pao.pao_rinshan_tsumo
    params[layout.PARAM_WAREME_HONBA] = rules.payment.wareme_honba
    params[layout.PARAM_WAREME] = rules.payment.wareme_factor
    params[layout.PARAM_OPEN_PINFU] = rules.scoring.open_pinfu_fu
    params[layout.PARAM_FIXED_FU] = rules.scoring.fixed_fu
    params[layout.PARAM_UNIT] = rules.payment.payment_unit
    params[layout.PARAM_NAGASHI] = _NAGASHI_BASES[rules.draw.nagashi_value]
    params[layout.PARAM_DEALER] = rules.shares.dealer_factor
    params[layout.PARAM_BY_SHARES] = rules.payment.payment_by_shares
    params[layout.PARAM_NO_LIMITS] = rules.scoring.limits == Limits.NONE
    params[layout.PARAM_YAKUMAN] = rules.scoring.yakuman_base
    params[layout.PARAM_UNSETTLED] = 0 if rules.riichi.ippatsu_settles else 1 << IPPATSU_ID
    params[layout.PARAM_SETTLED] = rules.win.yaku_settled
    params[layout.PARAM_VALUES] = layout.DRAGONS | rules.calls.north_yakuhai << NORTH
    return ScoringTables(np.array(rows, np.int64), params)


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


@dataclass(frozen=True, slots=True)
class ScoredWin:
    """What a winning hand is worth."""

    yaku: tuple[tuple[Yaku, int], ...]
    """Each yaku and its han; dora last. A yakuman hand lists its yakuman only."""
    han: int
    fu: int
    fu_rows: tuple[FuRow, ...]
    """They add up to the fu before rounding."""
    limit: Limit
    yakuman: int
    """How many yakuman, a double one counting twice; 0 for a counted yakuman (kazoe)."""
    base: int
    points: int
    """Points of the hand, without honba and riichi sticks."""
    payments: tuple[int, ...]
    """Change of points by seat, 0 the dealer; honba, sticks, liability and wareme included."""
    reading: RiichiReading
    others: tuple[OtherReading, ...]
    """The other readings, the most valuable first."""


def dora_counts(hand: WinningHand, rules: Ruleset) -> dict[int, int]:
    """Return the han of each sort of dora by yaku id, under a ruleset; sorts without any are left out."""
    counts, kinds, sorts = _arrays(hand)
    every: dict[int, int] = {}
    for number, indicators, first, kan in (
        (DORA_ID, hand.dora_indicators, rules.dora.dora, rules.dora.kan_dora),
        (
            URA_DORA_ID,
            hand.ura_indicators,
            rules.dora.ura_dora,
            rules.dora.kan_dora and rules.dora.kan_ura_dora,
        ),
    ):
        counted = [kind_of(tile) for i, tile in enumerate(indicators) if (kan if i else first)]
        every[number] = int(
            dora_kernel(
                counts,
                kinds,
                sorts,
                len(hand.melds),
                np.array(counted, np.uint8),
                len(counted),
                rules.table.players,
            )
        )
        every[number] += hand.kita * sum(dora_of(kind, rules.table.players) == NORTH for kind in counted)
    every[RED_DORA_ID] = sum(map(is_red, hand.all_tiles))
    every[KITA_ID] = hand.set_aside
    return {number: han for number, han in every.items() if han}


def _arrays(hand: WinningHand) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Concealed counts, and kind and sort of up to four melds, as the kernels read them."""
    kinds, sorts = np.zeros(4, np.uint8), np.zeros(4, np.uint8)
    for i, meld in enumerate(hand.melds):
        kinds[i], sorts[i] = meld.first, meld.kind
    return counts_of(hand.tiles), kinds, sorts


def score(hand: WinningHand, rules: Ruleset) -> ScoredWin:
    """Score a winning hand under a ruleset.

    Raises HandError, saying why, when the hand cannot be, is not complete, or has no yaku (or fewer han
    than the ruleset asks for), or none that is settled.
    """
    hand.check(rules)
    if Situation.POCHI in hand.situation:
        return _best_of_pochi(hand, rules)
    if _feeds_open_riichi(hand, rules):
        hand = replace(hand, situation=hand.situation | Situation.FED_RIICHI)
    if Situation.FED_KAN in hand.situation and rules.pao.rinshan_fed == RinshanFed.FALSE_WIN:
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
    is_lucky = bool(rules.win.luck_settles and int(hand.situation) & layout.LUCK)
    is_free = bool(hand.situation & RIICHI_SORTS) or (hand.closed and hand.tsumo) or is_lucky
    if not rules.win.yaku_settled or is_free or hand.unfinished:
        return False
    tables = scoring_tables(rules)
    counts, kinds, sorts = _arrays(replace(hand, tiles=tuple(_without_win(hand))))
    rows = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    own_wind = hand.seat_wind if hand.own_wind is None else hand.own_wind
    mask, out = sum(1 << kind for kind in _waits_of(hand, rules)), np.zeros(layout.OUT_SIZE, np.int64)
    return not is_settled(
        counts, kinds, sorts, len(hand.melds), mask, own_wind, hand.round_wind, hand.honba,
        tables.patterns, tables.params, rows, out,
    )  # fmt: skip


def _score(hand: WinningHand, rules: Ruleset) -> ScoredWin:
    """Score a hand that can be."""
    table, tables = yaku_of(rules), scoring_tables(rules)
    counts, kinds, sorts = _arrays(hand)
    win = kind_of(hand.win)
    dora = dora_counts(hand, rules)
    own_wind = hand.seat_wind if hand.own_wind is None else hand.own_wind
    rows = np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64)
    out = np.zeros(layout.OUT_SIZE, np.int64)

    def run(only: int, situation: int = int(hand.situation)) -> _Value | None:
        base = score_kernel(
            counts, kinds, sorts, len(hand.melds), win, situation, own_wind, hand.round_wind,
            sum(dora.values()), hand.honba, only, tables.patterns, tables.params, rows, out,
        )  # fmt: skip
        return _Value.of(out) if base > 0 else None

    def reading(number: int) -> RiichiReading:
        return reading_of_row(rows[number], counts, hand.melds, win, tsumo=hand.tsumo)

    best = run(_EVERY_READING)
    if best is not None and rules.local.dealer_wins_need_yaku and Situation.THIRTEENTH in hand.situation:
        best = run(_EVERY_READING, int(hand.situation & ~Situation.THIRTEENTH)) and run(_EVERY_READING)
    if best is None:
        raise HandError(_why_nothing(hand, rules, int(out[layout.OUT_READINGS])))
    if _is_unsettled(hand, rules):
        text = _("the yaku of this hand are not settled (rule yaku_settled = {kind})")
        raise HandError(text.format(kind=rules.win.yaku_settled.name.lower()))
    points, payments = _payments(hand, rules, best)
    others = [
        _other(reading(number), run(number), best, hand, rules)
        for number in range(int(out[layout.OUT_READINGS]))
        if number != best.reading
    ]
    return ScoredWin(
        yaku=tuple((table[i], table[i].han_under(rules, hand.situation)[not hand.closed]) for i in best.yaku)
        + (() if best.yakuman or best.is_alone else tuple((table[i], dora[i]) for i in dora)),
        han=best.han,
        fu=best.fu,
        fu_rows=_fu_rows(best.fu_reasons, reading(best.reading), tables.params),
        limit=Limit.reached(best.base, best.yakuman, rules),
        yakuman=best.yakuman,
        base=best.base,
        points=points,
        payments=payments,
        reading=reading(best.reading),
        others=tuple(sorted(others, key=lambda other: (-other.points, -other.han, -other.fu))),
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
        base, 0, 1, seat, seat, 0, hand.honba * is_win, hand.sticks * is_win, _NOBODY, np.zeros(4, np.int64),
        tables.patterns, tables.params, out,
    )  # fmt: skip
    changes = tuple(int(change) for change in out[: rules.table.players])
    return ScoredNagashi(Limit.of_base(base), int(points), changes, is_win)


_EVERY_READING = -1
_NOBODY = -1


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

    @classmethod
    def of(cls, out: I64) -> _Value:
        """Read the kernel's output."""
        base, han, fu, yakuman, low, local, reasons, reading, alone = map(int, out[: layout.OUT_READINGS])
        return cls(base, han, fu, yakuman, yaku_ids(low, local), reasons, reading, bool(alone))


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


def _payments(hand: WinningHand, rules: Ruleset, value: _Value) -> tuple[int, tuple[int, ...]]:
    """Points of the hand, and the change of each seat."""
    tables = scoring_tables(rules)
    liable, out = np.zeros(4, np.int64), np.zeros(4, np.int64)
    if hand.liable is not None:
        played = {
            yaku.id: yaku.pao
            for yaku in yaku_of(rules).values()
            if yaku.id in value.yaku and yaku.pao is not None and rules[yaku.pao.rule]
        }
        fed = [i for i, pao in played.items() if hand.is_fed(pao, rules)]
        whole = (
            rules.pao.pao_rinshan
            and Situation.RINSHAN in hand.situation
            and any(meld.kind == MeldKind.DAIMINKAN for meld in hand.melds)
        )
        if not fed and not whole:
            raise HandError(_why_nobody_is_liable(played, rules))
        liable[hand.liable] = layout.LIABLE_FOR_ALL if whole else sum(1 << i for i in fed)
    low = sum(1 << i for i in value.yaku if i < layout.LOCAL_IDS)
    marked = _NOBODY if hand.marked is None else hand.marked
    points = payments_kernel(
        value.base, low, int(hand.closed), hand.seat_wind, hand.paying_seat(rules), 0, hand.honba,
        hand.sticks, marked, liable, tables.patterns, tables.params, out,
    )  # fmt: skip
    return int(points), tuple(int(change) for change in out[: rules.table.players])


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


def _other(
    reading: RiichiReading, value: _Value | None, best: _Value, hand: WinningHand, rules: Ruleset
) -> OtherReading:
    """Describe a reading that was not scored."""
    if value is None:
        return OtherReading(reading, 0, 0, 0, N_("no yaku"))
    params = scoring_tables(rules).params
    points = int(points_kernel(value.base, hand.seat_wind, hand.paying_seat(rules), 0, params))
    why = N_("worth the same")
    for mine, theirs, text in (
        (value.base, best.base, N_("fewer points")),
        (value.han, best.han, N_("fewer han")),
        (value.fu, best.fu, N_("less fu")),
    ):
        if mine < theirs:
            why = text
            break
    return OtherReading(reading, value.han, value.fu, points, why)


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
        count, fu = reasons >> 3 * reason & 7, int(params[layout.PARAM_FU + reason])
        if count and reason in groups:
            rows += [FuRow(fu, _group_text(group), str(group)) for group in groups[reason]]
        elif count:
            rows.append(FuRow(fu, _FU_TEXTS.get(reason) or _WAIT_TEXTS[reading.wait]))
    return tuple(rows)


def _fu_reason(group: TileGroup) -> int:
    return layout.FU_TRIPLET + group.concealed + 2 * group.is_outer + 4 * group.is_kan


def _group_text(group: TileGroup) -> str:
    how = "concealed " if group.concealed else "open " if group.called else ""
    what = "kan" if group.is_kan else "triplet"
    end = "" if group.concealed or group.called else ", by ron"
    return f"{how}{what} of {'terminals or honours' if group.is_outer else 'simples'}{end}"
