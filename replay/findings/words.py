"""What a row of findings means in its place: the context of a finding, and the parts of its message.

The engine notes numbers; what ``expected`` and ``actual`` count follows from the code. The functions here
turn one number into a value (points, a tile's name, names of yaku) or a whole case into a sentence.
:mod:`paifu.replay.findings.kinds` says which of them belongs to which code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from paifu.replay.findings.case import Case
from paifu.replay.kernels import finding_values as noted
from paifu.replay.model.batch import NO_YAKU
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.patterns import parse_patterns
from paifu.replay.model.tiles import (
    ALL_TILES,
    BONUS_TILES,
    IDS,
    KINDS,
    NO_TILE,
    NORTH,
    TILE_OF_ID_PLAIN,
    TILE_OF_ID_RED,
    tile_name,
)
from paifu.replay.rules.choices import RiichiKan
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.yaku import YAKU, YakuKind, yaku_ids
from paifu.replay.views.labels import format_label
from paifu.replay.views.results import END_WORDS

Value = int | str | None
"""What is expected or found, for people and programs: a number, a name, or nothing."""

Pair = tuple[Value, Value]

_DORA_IDS = frozenset(i for i, yaku in YAKU.items() if yaku.kind is YakuKind.DORA)
# --- the two numbers -----------------------------------------------------------------------------------


def both(one: Callable[[Case, int], Value]) -> Callable[[Case], Pair]:
    """Apply what reads one number to ``expected`` and ``actual``."""

    @wraps(one)
    def pair(case: Case) -> Pair:
        return one(case, case.expected), one(case, case.actual)

    return pair


@both
def number(_: Case, value: int) -> Value:
    """A count, points, fu or han."""
    return value


def nothing(_: Case) -> Pair:
    """For codes whose two numbers say nothing more."""
    return None, None


@both
def seat(_: Case, value: int) -> Value:
    """A seat, or nobody."""
    return None if value == NO_SEAT else value


@both
def liable(_: Case, value: int) -> Value:
    """A seat, or nobody."""
    return "nobody" if value == NO_SEAT else f"seat {value}"


@both
def tile(case: Case, value: int) -> Value:
    """A tile's name; nothing where it is the physical copy that is wrong."""
    return _tile(value) if case.expected >= 0 else None


def _tile(value: int) -> str | None:
    return tile_name(value) if 0 <= value < ALL_TILES else None


@both
def physical(case: Case, value: int) -> Value:
    """A physical tile: its name and its id; where logs tell no copies, its name."""
    return _physical(case, value)


def _physical(case: Case, value: int) -> str | None:
    if value == NO_TILE:
        return None
    if not case.is_riichi:
        return tile_name(value)
    if value >= IDS:
        return tile_name(value - IDS)
    has_reds = case.rules.red_man + case.rules.red_pin + case.rules.red_sou > 0
    table = TILE_OF_ID_RED if has_reds else TILE_OF_ID_PLAIN
    return f"{tile_name(int(table[value]))} (id {value})"


@both
def eyes(_: Case, value: int) -> Value:
    """A die, stored as eyes minus one."""
    return value + 1


@both
def hand_end(_: Case, value: int) -> Value:
    """A kind of draw; 0, which the engine gives for "none of these", is nothing."""
    return END_WORDS[HandEnd(value)] if value else None


@both
def tenpai(case: Case, value: int) -> Value:
    """Whether a hand is tenpai, or is shown where a hand is aborted."""
    words = ("hidden", "shown") if _is_aborted(case) else ("noten", "tenpai")
    return words[value] if value in (0, 1) else None


def _is_aborted(case: Case) -> bool:
    return case.batch.hands.end[case.hand] not in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI)


@both
def of_nagashi(case: Case, value: int) -> Value:
    """Points that a seat gains or loses; nothing where the draw itself is in doubt."""
    return None if case.seat == NO_SEAT else value


@both
def points_or_limit(case: Case, value: int) -> Value:
    """Points, or a limit where the log states nothing else."""
    return Limit(value).name.lower() if case.is_riichi and 0 <= value <= Limit.YAKUMAN else value


@both
def of_kan(case: Case, value: int) -> Value:
    """Kinds waited for before and after a kan under riichi; nothing where the kan itself cannot be."""
    return names_of(value) if case.expected >= 0 else None


@both
def count_of_tile(case: Case, value: int) -> Value:
    """Copies of a tile; nothing where one copy is at two places."""
    return value if case.expected >= 0 else None


@both
def of_riichi(case: Case, value: int) -> Value:
    """Points or tiles that riichi takes, or the tile that may be discarded under it."""
    if case.expected < 0:
        return None
    return _tile(value) if case.kind == EventKind.DISCARD else value


def names_of(mask: int) -> str:
    """Name the kinds of a mask."""
    return " ".join(tile_name(kind) for kind in range(KINDS) if mask >> kind & 1) or "none"


@both
def round_or_dealer(case: Case, value: int) -> Value:
    """A round's name, or the seat that deals."""
    return value if case.seat != NO_SEAT else format_label(value, 0).partition(".")[0]


@both
def dora(_: Case, value: int) -> Value:
    """A number of dora of one sort, or an indicator."""
    sort, count = divmod(value, noted.DORA_SORT)
    if value >= _URA_INDICATORS:
        return count
    return f"{count} {_DORA_SORTS[sort]}" if sort < len(_DORA_SORTS) else _tile(count)


_DORA_SORTS = ("dora", "ura dora", "red dora")
_URA_INDICATORS = 4 * noted.DORA_SORT


def yaku(case: Case) -> Pair:
    """Names of the yaku that the engine finds, and of those that the log lists; or of patterns."""
    if not case.is_riichi:
        return _pattern_names(_found_patterns(case)), _pattern_names(_listed_patterns(case))
    return _yaku_names(_found(case)), _yaku_names(_listed(case))


def _yaku_names(ids: set[int]) -> str:
    return ", ".join(YAKU[i].romaji if i in YAKU else f"yaku {i}" for i in sorted(ids)) or "none"


def _found(case: Case) -> set[int]:
    if case.win is None:
        return set()
    return set(yaku_ids(int(case.scored.yaku[case.win]), int(case.scored.local[case.win])))


def _listed(case: Case) -> set[int]:
    listed = [] if case.win is None else case.batch.wins.yaku[case.win].tolist()
    return {i for i in listed if i != NO_YAKU} - _DORA_IDS


def _pattern_names(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _found_patterns(case: Case) -> list[str]:
    from paifu.replay.schemes.tables import table  # patterns are not needed for riichi

    bits = 0 if case.win is None else int(case.scored.patterns[case.win])
    return [name for number, name in enumerate(table(case.rules.scheme)) if bits >> number & 1]


def _listed_patterns(case: Case) -> list[str]:
    listed = None if case.win is None else parse_patterns(str(case.batch.wins.patterns[case.win]))
    return [name for name, _ in listed or ()]


# --- sentences -----------------------------------------------------------------------------------------


def _other_copy(case: Case) -> str:
    """The tile fits, its physical copy does not."""
    if case.kind in (None, EventKind.DRAW, EventKind.DORA, EventKind.WIN):
        return f"{_physical(case, case.actual)} comes into play a second time"
    return f"{_physical(case, case.actual)} is not where this takes it from; another copy may be"


def too_many(case: Case) -> str:
    """V103."""
    if case.expected == noted.OTHER_COPY:
        return _other_copy(case)
    if case.tile >= ALL_TILES:
        return "a tile is hidden, so the hand cannot be followed"
    if case.expected == 0:
        return f"{case.tile_text} is not in the set of this game"
    return f"{case.tile_text} for the {_ordinal(case.actual)} time; the set holds {case.expected}"


def _ordinal(value: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth"}.get(value, "fifth")


def out_of_turn(case: Case) -> str:
    """V201."""
    what = "a move" if case.kind is None else f"a {case.kind.name.lower()}"
    if case.expected != case.actual:
        return f"{what} out of turn: seat {case.expected} is to move"
    return f"{what} where another move is due, or none is possible any more"


def not_held(case: Case) -> str:
    """V202."""
    if case.expected == noted.OTHER_COPY:
        return _other_copy(case)
    return f"{case.tile_text} is discarded, but it is not in the hand"


def tsumogiri(case: Case) -> str:
    """V203."""
    if case.batch.events.flags[case.event] & EventFlag.TSUMOGIRI:
        drawn = "nothing" if case.expected == NO_TILE else tile_name(case.expected)
        return f"{case.tile_text} is said to be the tile just drawn, but that was {drawn}"
    return f"{case.tile_text} is said to come from the hand, but the only one is the tile just drawn"


def illegal_call(case: Case) -> str:
    """V204."""
    what = "call" if case.kind is None else case.kind.name.lower()
    if case.expected == noted.OTHER_COPY:
        return _other_copy(case)
    if case.actual == NO_TILE:
        return f"{what} with {case.tile_text}, which is not in the hand"
    if case.expected != case.actual:
        there = (
            "no discard lies there" if case.expected == NO_TILE else f"{tile_name(case.expected)} lies there"
        )
        return f"{what} of {case.tile_text}, but {there}"
    return f"{what} of {case.tile_text}, which these tiles, this seat or this moment do not allow"


def kuikae(case: Case) -> str:
    """V205."""
    return f"{case.tile_text} may not be discarded after this call (kuikae)"


def illegal_kan(case: Case) -> str:
    """V206."""
    what = "kan" if case.kind is None else case.kind.name.lower()
    if case.expected == noted.NOT_TO_MOVE:
        return f"{what} of {case.tile_text} at another's turn, before a draw, or with no tile left to draw"
    if case.expected == noted.NOT_HELD:
        return f"{what} of {case.tile_text} without the tiles for it"
    if case.expected == noted.OTHER_SOURCE:
        return f"{what} of {case.tile_text} to a pon from seat {case.actual}, who did not feed it"
    if case.expected == noted.OTHER_COPY:
        return _other_copy(case)
    if case.expected == noted.OTHER_GROUPS:
        return f"{what} of {case.tile_text} under riichi takes tiles that another group could need"
    if case.expected == case.actual and case.rules.riichi_kan == RiichiKan.FORBIDDEN:
        return f"{what} of {case.tile_text} under riichi, which the rules do not allow"
    if case.expected == case.actual:
        return f"{what} of {case.tile_text} under riichi, which the rules allow with the tile just drawn only"
    before, after = names_of(case.expected), names_of(case.actual)
    return f"{what} of {case.tile_text} under riichi changes the waits from {before} to {after}"


def illegal_riichi(case: Case) -> str:
    """V207."""
    if not case.is_riichi:
        return "riichi in a game that has none"
    if case.expected == noted.NOT_TENPAI:
        return f"riichi without tenpai: discarding {case.tile_text} leaves no wait"
    if case.expected == noted.NOT_CLOSED:
        return "a second riichi" if case.actual else "riichi with an open hand"
    if case.kind == EventKind.DISCARD:
        drawn = "nothing" if case.expected == NO_TILE else tile_name(case.expected)
        return f"{case.tile_text} is discarded under riichi, but {drawn} was drawn"
    if case.expected == case.rules.riichi_wall:
        return f"riichi with {case.actual} tiles left to draw, it takes {case.expected}"
    return f"riichi with {case.actual} points, it takes {case.expected}"


def riichi_stick(case: Case) -> str:
    """V208."""
    if not case.is_riichi:
        return "a riichi stick in a game that has none"
    if case.kind == EventKind.RIICHI_PAID and max(abs(case.expected), abs(case.actual)) <= NO_SEAT:
        return "a riichi stick is paid that is not due"
    if case.kind == EventKind.RIICHI_PAID:
        return f"score after the riichi differs: engine {case.expected}, log {case.actual}"
    if case.kind == EventKind.WIN:
        return "a riichi stick is paid although the tile was won"
    return "riichi passed, but its stick is not paid"


def dora_turned(case: Case) -> str:
    """V209."""
    if not case.is_riichi:
        return "a dora indicator in a game that has none"
    return f"indicators turned: {case.expected} due, {case.actual} in the log"


def after_end(case: Case) -> str:
    """V211."""
    return f"a {EventKind(case.actual).name.lower()} after the end of the hand"


def illegal_draw(case: Case) -> str:
    """V212."""
    if case.expected:
        return f"the hand goes on, but had to end by {END_WORDS[HandEnd(case.expected)]}"
    return f"the hand may not end here by {END_WORDS[HandEnd(case.actual)]}"


def illegal_kita(case: Case) -> str:
    """V213."""
    if not case.is_riichi:
        return _illegal_bonus(case)
    if case.expected == noted.OTHER_COPY:
        return _other_copy(case)
    if case.expected != NORTH:
        return "kita without a north in the hand"
    if case.actual != NORTH:
        return f"kita of {case.tile_text}; only north is set aside"
    return "kita at another's turn, before a draw, with no tile left to draw, or under riichi"


def _illegal_bonus(case: Case) -> str:
    if case.kind == EventKind.KITA:
        return "kita in a game that has none"
    if case.kind != EventKind.BONUS:
        return f"seat {case.seat} has not set {case.tile_text} aside"
    if case.tile not in BONUS_TILES or not case.actual:
        return f"{case.tile_text} is set aside, but is not in the hand"
    return f"{case.tile_text} is set aside out of turn"


def no_win(case: Case) -> str:
    """V301."""
    if case.actual == noted.NOT_OFFERED:
        return f"{case.tile_text} could not be won: it was neither drawn nor discarded just before"
    if case.actual == noted.OTHER_TILES:
        return "the tiles or melds shown with the win are not those of the hand"
    return f"the hand is not complete with {case.tile_text}"


def no_yaku(case: Case) -> str:
    """V302."""
    if not case.is_riichi:
        return f"a win on {case.tile_text} that is worth too little, or does not complete what it must"
    return f"a win on {case.tile_text} without a yaku, or with fewer han than the rules ask for"


def furiten_ron(case: Case) -> str:
    """V303."""
    return f"ron on {case.tile_text} while furiten"


def yaku_differ(case: Case) -> str:
    """V304."""
    if not case.is_riichi:
        return _patterns_differ(_found_patterns(case), _listed_patterns(case))
    found, listed = _found(case), _listed(case)
    parts = [
        f"{title} {_yaku_names(ids)}"
        for title, ids in (("not in the log:", found - listed), ("only in the log:", listed - found))
        if ids
    ]
    return f"yaku differ; {'; '.join(parts)}"


def _patterns_differ(found: list[str], listed: list[str]) -> str:
    missing, extra = [n for n in found if n not in listed], [n for n in listed if n not in found]
    parts = [f"not in the log: {', '.join(missing)}"] if missing else []
    parts += [f"only in the log: {', '.join(extra)}"] if extra else []
    return f"patterns differ; {'; '.join(parts) or 'one is listed more than once'}"


def han_differ(case: Case) -> str:
    """V305."""
    what = "han" if case.is_riichi else "values of the patterns"
    return f"{what} differ: engine {case.expected}, log {case.actual}"


def honba_differ(case: Case) -> str:
    """V503."""
    what = "honba" if case.is_riichi else "hands dealt in a row before"
    return f"{what} differ: engine {case.expected}, log {case.actual}"


def dora_differ(case: Case) -> str:
    """V308."""
    expected, actual = dora(case)
    if case.expected >= _URA_INDICATORS:
        due, shown = case.expected - _URA_INDICATORS, case.actual - _URA_INDICATORS
        return f"ura indicators differ: {due} due, {shown if shown < due else 'more'} shown"
    if case.expected >= len(_DORA_SORTS) * noted.DORA_SORT:
        return f"indicators differ: {expected or 'none'} lies there, the log lists {actual or 'none'}"
    return f"dora differ: engine {expected}, log {actual}"


def several_wins(case: Case) -> str:
    """V309."""
    if case.actual == 1:
        return "a win that the order of turns does not allow"
    return f"{case.actual} wins on one tile, more than the rules allow or not in the order of turns"


def tenpai_differs(case: Case) -> str:
    """V406."""
    if case.actual == noted.OTHER_TILES:
        return "the tiles shown are not those of the hand"
    expected, actual = tenpai(case)
    return f"{'hand' if _is_aborted(case) else 'tenpai'} differs: engine {expected}, log {actual}"


def score_differs(case: Case) -> str:
    """V501."""
    when = "at the start" if case.event < 0 else "before the payment"
    return f"score {when} differs: engine {case.expected}, log {case.actual}"


def nagashi(case: Case) -> str:
    """V407."""
    if case.seat != NO_SEAT:
        return f"nagashi payments differ: engine {case.expected:+}, log {case.actual:+}"
    if case.actual:
        return "nagashi mangan, but nobody's discards allow it"
    seats = " and ".join(str(seat) for seat in range(4) if case.expected >> seat & 1)
    return f"no nagashi mangan in the log, but the discards of seat {seats} are one"


def wrong_round(case: Case) -> str:
    """V502."""
    what = "round" if case.seat == NO_SEAT else "dealer"
    expected, actual = round_or_dealer(case)
    return f"{what} differs: engine {expected}, log {actual}"


def game_end(case: Case) -> str:
    """V505."""
    return "the game goes on though it is over" if case.expected else "the game ends though it is not over"


def final_result(case: Case) -> str:
    """V506."""
    if case.batch.games.final_scores[case.game, case.seat] == case.actual:
        return f"final score differs: engine {case.expected}, log {case.actual}"
    return f"final points differ: engine {case.expected / 1000:+g}, log {case.actual / 1000:+g}"


def deal_differs(case: Case) -> str:
    """V601."""
    return f"the wall gives {_physical(case, case.expected)}, which is not among the tiles dealt"


_HASHES = ("of the wall", "of the salt")


def hash_differs(case: Case) -> str:
    """V605."""
    return f"the published hash {_HASHES[case.expected]} does not fit"


def wall_is_no_set(case: Case) -> str:
    """V606."""
    if case.tile == NO_TILE:
        return f"the wall is of {case.actual} tiles; expected {case.expected}, or those after the deal"
    return f"wall and deal hold {case.actual} of {case.tile_text}; the set holds {case.expected}"
