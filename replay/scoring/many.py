"""Scoring of many winning hands at once, in arrays with a row for each hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypedDict, Unpack

import numpy as np

from paifu.replay.arrays import I64, U8, Array
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.scoring import score_hands
from paifu.replay.language import _
from paifu.replay.model.tiles import KINDS
from paifu.replay.rules.choices import OpenRiichiDealIn
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Meld, MeldKind
from paifu.replay.scoring.score import EVERY_READING, NO_INDICATOR, NOBODY
from paifu.replay.scoring.tables import scoring_tables
from paifu.replay.scoring.winning_hand import MAX_COUNTERS, WinningHand
from paifu.replay.scoring.yaku import Yaku, yaku_ids, yaku_of

HandColumn = int | Sequence[int] | Array
"""Whole numbers, one for each hand or one for all."""


class HandColumns(TypedDict, total=False):
    """What can be said of hands besides their concealed tiles; what is left out is 0 or none."""

    situation: HandColumn
    """How they won: bits of :class:`~paifu.replay.rules.hand_facts.Situation`; 0 is a ron."""
    seat_wind: HandColumn
    """The winner's seat, 0 the dealer; 1 where it is left out."""
    round_wind: HandColumn
    meld_kinds: Array
    """(n, 4): :class:`~paifu.replay.scoring.readings.MeldKind` of the melds, 0 after the last."""
    meld_firsts: Array
    """(n, 4): the kind of each meld's lowest tile."""
    reds: HandColumn
    """How many red fives the hand holds, melds included; in the counts they are plain fives."""
    kita: HandColumn
    flowers: HandColumn
    dora: Array
    """(n, up to 5): kinds of the dora indicators; 255 for none."""
    ura: Array
    honba: HandColumn
    sticks: HandColumn
    payer: HandColumn
    """The discarder's seat; -1, as where it is left out: the next seat that can be."""


class ScoredHands(NamedTuple):
    """What many hands are worth; arrays of int64, a row for each hand."""

    base: I64
    """(n,): base points; 0 without enough yaku, -1 where the tiles make no winning hand."""
    han: I64
    fu: I64
    yakuman: I64
    """(n,): how many yakuman, a double one counting twice."""
    points: I64
    """(n,): points of the hand, without honba and riichi sticks."""
    payments: I64
    """(n, players): change of points by seat, 0 the dealer; honba and sticks included."""
    yaku_bits: I64
    """(n, 2): ids of the yaku below 64, and 64 and more; see :meth:`yaku`. Dora are not among them."""

    def yaku(self, row: int, rules: Ruleset) -> tuple[Yaku, ...]:
        """Return the yaku of a hand."""
        return tuple(yaku_of(rules)[number] for number in yaku_ids(*self.yaku_bits[row].tolist()))


_ONE_BY_ONE = Situation.POCHI | Situation.THIRTEENTH | Situation.FED_RIICHI | Situation.FED_KAN


def score_many(hands: Array, win: HandColumn, rules: Ruleset, **columns: Unpack[HandColumns]) -> ScoredHands:
    """Score many hands of riichi under a ruleset; see :func:`paifu.score_many`."""
    number = len(hands)
    given = {name: np.asarray(value) for name, value in columns.items()}

    def column(name: str, default: int = 0) -> Array:
        return given.get(name, np.array(default))

    def cells(name: str, width: int, missing: int) -> U8:
        value = given.get(name, np.empty((number, 0), np.uint8))
        if value.ndim != 2 or len(value) != number or value.shape[1] > width:
            text = _("{name}: expected {rows} rows of {width} cells, not an array of the shape {shape}")
            raise HandError(text.format(name=name, rows=number, width=width, shape=value.shape))
        if value.dtype != np.uint8:
            value = np.minimum(value.astype(np.uint64), 255).astype(np.uint8)
        if value.shape[1] < width:
            rest = np.full((number, width - value.shape[1]), missing, np.uint8)
            value = np.concatenate([value, rest], axis=1)
        return np.require(value, requirements=["C", "A", "W"])

    given["hands"] = hands
    kinds, firsts = cells("meld_kinds", 4, 0), cells("meld_firsts", 4, 0)
    shown = [cells(name, layout.MOST_INDICATORS, NO_INDICATOR) for name in ("dora", "ura")]
    made = np.empty((layout.HAND_SIZE, number), np.int64)
    values = {
        layout.HAND_WIN: win,
        layout.HAND_SITUATION: column("situation"),
        layout.HAND_SEAT: column("seat_wind", 1),
        layout.HAND_OWN_WIND: column("seat_wind", 1),
        layout.HAND_ROUND_WIND: column("round_wind"),
        layout.HAND_EXTRA: column("reds") + column("kita") + column("flowers"),
        layout.HAND_KITA: column("kita"),
        layout.HAND_HONBA: column("honba"),
        layout.HAND_STICKS: column("sticks"),
        layout.HAND_PAYER: column("payer", NOBODY),
        layout.HAND_MARKED: NOBODY,
        layout.HAND_ONLY: EVERY_READING,
    }
    for place, value in values.items():
        made[place] = value
    for problem in _problems(made, kinds, shown, given, rules):
        raise HandError(problem)
    out = np.empty((number, layout.WORTH_SIZE), np.int64)
    score_hands(
        cells("hands", KINDS, 0), firsts, kinds, np.concatenate(shown, axis=1), made, np.zeros(4, np.int64),
        *scoring_tables(rules), np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64),
        np.zeros(KINDS, np.uint8), np.zeros(4, np.int64), out,
    )  # fmt: skip
    if (bad := out[:, layout.OUT_BASE] == layout.IMPOSSIBLE).any():
        text = _(
            "row {row}: a hand has 14 tiles, each meld counting as three, and the winning tile is one of the "
            "concealed; there are four tiles of a kind, indicators included; kinds are 0 to 33, winds and "
            "seats 0 to 3"
        )
        raise HandError(text.format(row=int(bad.argmax())))
    return ScoredHands(
        base=out[:, layout.OUT_BASE],
        han=out[:, layout.OUT_HAN],
        fu=out[:, layout.OUT_FU],
        yakuman=out[:, layout.OUT_YAKUMAN],
        points=out[:, layout.WORTH_POINTS],
        payments=out[:, layout.WORTH_PAID : layout.WORTH_PAID + rules.table.players],
        yaku_bits=out[:, layout.OUT_YAKU : layout.OUT_LOCAL + 1],
    )


def _problems(
    made: I64, kinds: U8, shown: list[U8], given: dict[str, Array], rules: Ruleset
) -> Iterator[str]:
    """Yield what the rules, or this way of scoring, do not know of all that is said of any hand."""
    if not made.size:
        return
    situation = Situation(int(np.bitwise_or.reduce(made[layout.HAND_SITUATION])))
    chi = Meld(MeldKind.CHI, (0, 1, 2))
    dora, ura = ((0,) * int((part != NO_INDICATOR).sum(axis=1).max()) for part in shown)
    kita, flowers = (int(np.max(given.get(name, 0))) for name in ("kita", "flowers"))
    all_of_them = WinningHand(
        tiles=(), win=0, melds=(chi,) if (kinds == MeldKind.CHI).any() else (), situation=situation,
        dora_indicators=dora, ura_indicators=ura, kita=kita, flowers=flowers,
    )  # fmt: skip
    yield from all_of_them.problems_of_play(rules)
    feeds = Situation.OPEN_RIICHI in situation and rules.riichi.open_riichi_deal_in != OpenRiichiDealIn.VALUE
    if situation & _ONE_BY_ONE or feeds or rules.win.yaku_settled:
        yield _("what these hands are worth depends on more than arrays say; score them one by one")
    counters = made[layout.HAND_HONBA : layout.HAND_STICKS + 1]
    if counters.min() < 0 or counters.max() > MAX_COUNTERS:
        text = _("honba and riichi sticks are 0 or more, and {counters:,} at most")
        yield text.format(counters=MAX_COUNTERS)
