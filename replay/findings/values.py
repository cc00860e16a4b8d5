"""What the two numbers of a finding stand for: ``expected`` and ``actual`` as values for people and programs.

The engine notes numbers; what they count follows from the code. The functions here turn them into points, a
tile's name, names of yaku. Values are English whatever the language, because programs read them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from paifu.replay.arrays import bits_of
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import FindingValue
from paifu.replay.kernels import reasons as why
from paifu.replay.language import N_
from paifu.replay.model.events import NO_SEAT, HandEnd
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import ALL_TILES, IDS, NO_TILE, TILE_OF_ID_PLAIN, TILE_OF_ID_RED
from paifu.replay.rules.foul_kinds import FOUL_NAMES
from paifu.replay.scoring.limits import Limit
from paifu.replay.table.engine import engine_of
from paifu.replay.views.labels import format_label
from paifu.replay.views.results import END_WORDS

ValuePair = tuple[FindingValue, FindingValue]


def both(one: Callable[[FindingContext, int], FindingValue]) -> Callable[[FindingContext], ValuePair]:
    """Apply what reads one number to ``expected`` and ``actual``."""

    @wraps(one)
    def pair(case: FindingContext) -> ValuePair:
        return one(case, case.expected), one(case, case.actual)

    return pair


@both
def number(_case: FindingContext, value: int) -> FindingValue:
    """A count, points, fu or han."""
    return value


def nothing(_case: FindingContext) -> ValuePair:
    """For codes whose two numbers say nothing more."""
    return None, None


def foul(case: FindingContext) -> ValuePair:
    """The kind of a foul that the log lacks, or that it states in vain."""
    if case.expected >= 0:
        return FOUL_NAMES[case.expected], None
    return None, FOUL_NAMES[case.actual]


def earlier_hand(case: FindingContext) -> ValuePair:
    """Nothing, and the label of the hand that has the same wall."""
    hands, games = case.batch.hands, case.batch.games
    row = int(games.hand_begin[hands.game[case.hand]]) + case.actual
    return None, format_label(int(hands.round[row]), int(hands.honba[row]))


@both
def seat(_case: FindingContext, value: int) -> FindingValue:
    """A seat, or nobody."""
    return None if value == NO_SEAT else value


@both
def liable(_case: FindingContext, value: int) -> FindingValue:
    """A seat, or nobody."""
    return "nobody" if value == NO_SEAT else f"seat {value}"


@both
def tile(case: FindingContext, value: int) -> FindingValue:
    """A tile's name; nothing where it is the physical copy that is wrong."""
    return None if case.reason == why.OTHER_COPY else tile_text(value)


def tile_text(value: int) -> str | None:
    """Return a tile's name; None for a number that is not a tile."""
    return tile_name(value) if 0 <= value < ALL_TILES else None


@both
def physical(case: FindingContext, value: int) -> FindingValue:
    """A physical tile: its name and its id; where logs state no copies, its name."""
    return physical_text(case, value)


def physical_text(case: FindingContext, value: int) -> str | None:
    """Return a tile's name and id, as far as logs state copies; None for no tile."""
    if value == NO_TILE:
        return None
    if not case.is_riichi:
        return tile_name(value)
    if value >= IDS:
        return tile_name(value - IDS)
    has_reds = case.rules.table.red_man + case.rules.table.red_pin + case.rules.table.red_sou > 0
    table = TILE_OF_ID_RED if has_reds else TILE_OF_ID_PLAIN
    return f"{tile_name(int(table[value]))} (id {value})"


@both
def eyes(_case: FindingContext, value: int) -> FindingValue:
    """A die, stored as eyes minus one."""
    return value + 1


@both
def hand_end(_case: FindingContext, value: int) -> FindingValue:
    """A kind of draw; 0, which the engine gives for "none of these", is nothing."""
    return END_WORDS[HandEnd(value)] if value else None


@both
def tenpai(case: FindingContext, value: int) -> FindingValue:
    """Whether a hand is tenpai, or is shown where a hand is aborted."""
    if case.reason == why.OTHER_TILES:
        return None
    words = (N_("hidden"), N_("shown")) if is_aborted(case) else (N_("noten"), N_("tenpai"))
    return words[value]


def is_aborted(case: FindingContext) -> bool:
    """Return whether the hand ended in an abortive draw."""
    return case.batch.hands.end[case.hand] not in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI)


@both
def of_nagashi(case: FindingContext, value: int) -> FindingValue:
    """Points that a seat gains or loses; nothing where the draw itself is in doubt."""
    return None if case.seat == NO_SEAT else value


@both
def points_or_limit(case: FindingContext, value: int) -> FindingValue:
    """Points, or a limit where the log states nothing else."""
    return Limit(value).name.lower() if case.reason == why.LIMIT else value


@both
def of_kan(case: FindingContext, value: int) -> FindingValue:
    """Kinds waited for before and after a kan under riichi; nothing where the kan itself cannot be."""
    return names_of(value) if case.reason == why.PLAIN else None


@both
def count_of_tile(case: FindingContext, value: int) -> FindingValue:
    """Copies of a tile; nothing where one copy is at two places."""
    return value if case.reason == why.PLAIN else None


@both
def of_riichi(case: FindingContext, value: int) -> FindingValue:
    """Points or tiles that riichi takes, or the tile that may be discarded under it."""
    if case.reason == why.IN_RIICHI:
        return tile_text(value)
    return value if case.reason in (why.FEW_POINTS, why.SHORT_WALL) else None


def names_of(mask: int) -> str:
    """Name the kinds of a mask."""
    return " ".join(map(tile_name, bits_of(mask))) or "none"


@both
def round_or_dealer(case: FindingContext, value: int) -> FindingValue:
    """A round's name, or the seat that deals."""
    return value if case.seat != NO_SEAT else format_label(value, 0).partition(".")[0]


@both
def dora(case: FindingContext, value: int) -> FindingValue:
    """A number of dora of one sort, or an indicator."""
    if case.reason == why.INDICATOR:
        return tile_text(value)
    return value if case.reason == why.URA_INDICATORS else f"{value} {DORA_SORTS[case.reason]}"


DORA_SORTS = {why.PLAIN: N_("dora"), why.URA: N_("ura dora"), why.RED: N_("red dora")}


@both
def of_deal(case: FindingContext, value: int) -> FindingValue:
    """A physical tile, or how many tiles of the deal the wall has."""
    return value if case.reason == why.ANOTHER_WALL else physical_text(case, value)


def yaku(case: FindingContext) -> ValuePair:
    """Names of the yaku or patterns that the engine finds, and of those that the log lists."""
    name = partial(engine_of(case.rules).name, case.rules)
    found, stated = (map(name, ids) for ids in yaku_of(case))
    return ", ".join(found) or "none", ", ".join(stated) or "none"


def yaku_of(case: FindingContext) -> tuple[list[Any], list[Any]]:
    """Return the yaku or patterns that the engine finds in the win, and those of the log, by id."""
    if case.win is None:
        return [], []
    engine = engine_of(case.rules)
    return engine.won_with(case.rules, case.scored, case.win), engine.listed(case.batch.wins, case.win)
