"""A winning hand with everything its score depends on, and the checks that it can be.

Seats are counted from the dealer here: 0 East, 1 South, 2 West, 3 North, by the players' own winds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from paifu.replay.model.tiles import NORTH, RED_MAN, SANMA_ABSENT_KINDS, TILES, is_red, kind_of, tile_name
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.readings import HandError, Meld, MeldKind
from paifu.replay.scoring.yaku import RON, Situation

WINDS = ("east", "south", "west", "north")
MAX_INDICATORS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WinningHand:
    """A complete hand and how it won. Tiles are 0-36; the winning tile is among ``tiles``."""

    tiles: tuple[int, ...]
    """The concealed tiles."""
    win: int
    """The winning tile."""
    melds: tuple[Meld, ...] = ()
    situation: Situation = RON
    seat_wind: int = 0
    """The winner's seat, 0 the dealer."""
    round_wind: int = 0
    dora_indicators: tuple[int, ...] = ()
    ura_indicators: tuple[int, ...] = ()
    kita: int = 0
    """Norths set aside."""
    honba: int = 0
    sticks: int = 0
    payer: int | None = None
    """The discarder's seat, for a ron; without it the payer is the next seat."""
    liable: int | None = None
    """The seat that is liable: for the yakuman of ``yaku.PAO_FIELDS`` that the ruleset lists, or, for a win
    on the supplement tile where it has rinshan pao, for the whole hand."""
    marked: int | None = None
    """The seat at the wall's break, which matters where wareme is played."""

    @property
    def tsumo(self) -> bool:
        """Won on an own draw."""
        return Situation.TSUMO in self.situation

    @property
    def closed(self) -> bool:
        """Without called tiles but in closed kans."""
        return all(meld.kind == MeldKind.ANKAN for meld in self.melds)

    @property
    def all_tiles(self) -> tuple[int, ...]:
        """Concealed tiles and melds, without kita."""
        return self.tiles + tuple(tile for meld in self.melds for tile in meld.tiles)

    def paying_seat(self, players: int) -> int:
        """Return the discarder's seat, or the winner's own on tsumo."""
        if self.tsumo:
            return self.seat_wind
        return (self.seat_wind + 1) % players if self.payer is None else self.payer

    def check(self, rules: Ruleset) -> None:
        """Raise HandError, saying what is wrong, unless this hand can be under ``rules``."""
        for problem in _problems(self, rules):
            raise HandError(problem)


def _problems(hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    """Yield what is wrong, the most telling first."""
    tiles = (*hand.tiles, hand.win, *hand.dora_indicators, *hand.ura_indicators)
    if any(tile not in range(TILES) for tile in tiles):
        yield f"a tile is a number from 0 to {TILES - 1}; unknown tiles cannot be scored"
    for meld in hand.melds:
        meld.check()
    yield from _tile_problems(hand, rules)
    yield from _number_problems(hand, rules)
    for flag, needs, text in _SITUATION_RULES:
        if flag in hand.situation and not needs(hand, rules):
            yield f"{_name(flag)} {text}"


def _tile_problems(hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    whole = len(hand.tiles) + 3 * len(hand.melds)
    four_kans = len(hand.melds) == 4 and all(len(meld.tiles) == 4 for meld in hand.melds)
    if whole != 14 and not (four_kans and whole == 13 and not rules.suukantsu_needs_pair):
        melds = f" and {len(hand.melds)} melds of three make {whole}" if hand.melds else ""
        yield f"{len(hand.tiles)} tiles{melds}; a winning hand has 14 in all, a kan counting as three"
    if hand.win not in hand.tiles and not four_kans:
        yield f"the winning tile {tile_name(hand.win)} is not among the concealed tiles"
    held = Counter(map(kind_of, (*hand.all_tiles, *(NORTH,) * hand.kita)))
    shown = Counter(map(kind_of, (*hand.dora_indicators, *hand.ura_indicators)))
    for kind, count in sorted((held + shown).items()):
        if held[kind] > 4:
            yield f"{held[kind]} tiles {tile_name(kind)}; there are four of each"
        if count > 4:
            yield f"{count} tiles {tile_name(kind)} in hand and indicators; there are four of each"
        if rules.players == 3 and kind in SANMA_ABSENT_KINDS:
            yield f"{tile_name(kind)} is not in the set of three players"
    reds = Counter(filter(is_red, (*hand.all_tiles, *hand.dora_indicators, *hand.ura_indicators)))
    for red, count in sorted(reds.items()):
        have = (rules.red_man, rules.red_pin, rules.red_sou)[red - RED_MAN]
        if count > have:
            yield f"{count} red fives {tile_name(red)}; the ruleset {rules.name} has {have}"


def _number_problems(hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    for what, seat in (("seat wind", hand.seat_wind), ("payer", hand.payer), ("liable seat", hand.liable)):
        if seat is not None and seat not in range(rules.players):
            yield f"{what} {seat}: seats are 0 to {rules.players - 1}, east to {WINDS[rules.players - 1]}"
    if hand.round_wind not in range(4):
        yield f"round wind {hand.round_wind}: winds are 0 to 3, east to north"
    if not hand.tsumo and hand.payer == hand.seat_wind:
        yield f"{WINDS[hand.seat_wind]} cannot win on the own discard"
    if hand.liable == hand.seat_wind:
        yield f"{WINDS[hand.seat_wind]} cannot be liable for the own hand"
    if hand.kita and not rules.kita:
        yield f"north cannot be set aside under the ruleset {rules.name}"
    if not rules.chi and any(meld.kind == MeldKind.CHI for meld in hand.melds):
        yield f"chi cannot be called under the ruleset {rules.name}"
    if hand.honba < 0 or hand.sticks < 0:
        yield "honba and riichi sticks are 0 or more"
    if max(len(hand.dora_indicators), len(hand.ura_indicators)) > MAX_INDICATORS:
        yield f"there are at most {MAX_INDICATORS} indicators of a sort"
    if hand.ura_indicators and not hand.situation & RIICHI_SORTS:
        yield "ura dora indicators count only with riichi"


RIICHI_SORTS = Situation.RIICHI | Situation.DOUBLE_RIICHI | Situation.OPEN_RIICHI


def _name(flag: Situation) -> str:
    return (flag.name or "").lower().replace("_", " ")


_Check = Callable[[WinningHand, Ruleset], bool]


def _tsumo(hand: WinningHand, _: Ruleset) -> bool:
    return hand.tsumo


def _ron(hand: WinningHand, _: Ruleset) -> bool:
    return not hand.tsumo


def _closed(hand: WinningHand, _: Ruleset) -> bool:
    return hand.closed


def _untouched(hand: WinningHand, _: Ruleset) -> bool:
    return not hand.melds and not hand.kita


def _without(other: Situation) -> _Check:
    return lambda hand, _: not hand.situation & other


_SITUATION_RULES: tuple[tuple[Situation, _Check, str], ...] = (
    (Situation.RIICHI, _closed, "needs a closed hand"),
    (Situation.DOUBLE_RIICHI, _closed, "needs a closed hand"),
    (Situation.OPEN_RIICHI, _closed, "needs a closed hand"),
    (Situation.OPEN_RIICHI, lambda _, rules: rules.open_riichi_han > 0, "is not played under this ruleset"),
    (Situation.IPPATSU, lambda hand, _: bool(hand.situation & RIICHI_SORTS), "needs riichi"),
    (Situation.RINSHAN, _tsumo, "needs tsumo"),
    (
        Situation.RINSHAN,
        lambda hand, _: bool(hand.kita) or any(len(meld.tiles) == 4 for meld in hand.melds),
        "needs a kan",
    ),
    (
        Situation.RINSHAN,
        _without(Situation.HAITEI | Situation.IPPATSU),
        "goes with neither haitei nor ippatsu",
    ),
    (Situation.HAITEI, _tsumo, "needs tsumo; on a discard it is houtei"),
    (Situation.CHANKAN, _ron, "needs ron"),
    (Situation.CHANKAN, _without(Situation.HOUTEI), "does not go with houtei"),
    (Situation.HOUTEI, _ron, "needs ron; on an own draw it is haitei"),
    (Situation.KANBURI, _ron, "needs ron"),
    (Situation.TSUBAME, _ron, "needs ron"),
    (Situation.TENHOU, _tsumo, "needs tsumo"),
    (Situation.TENHOU, lambda hand, _: hand.seat_wind == 0, "is the dealer's"),
    (Situation.TENHOU, _untouched, "needs a hand without calls or kans"),
    (Situation.CHIIHOU, lambda hand, rules: hand.tsumo or rules.chiihou_ron, "needs tsumo"),
    (Situation.CHIIHOU, lambda hand, _: hand.seat_wind != 0, "is not the dealer's"),
    (Situation.CHIIHOU, _untouched, "needs a hand without calls or kans"),
    (Situation.RENHOU, _ron, "needs ron"),
    (Situation.RENHOU, lambda hand, _: hand.seat_wind != 0, "is not the dealer's"),
    (Situation.RENHOU, _untouched, "needs a hand without calls or kans"),
)
"""Situation, what it needs, and what to say when that fails."""
