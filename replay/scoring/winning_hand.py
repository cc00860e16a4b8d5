"""A winning hand with everything its score depends on, and the checks that it can be.

Seats are counted from the dealer here: 0 East, 1 South, 2 West, 3 North, by the players' own winds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from paifu.replay.arrays import bits_of
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.scoring import payer_of, payments_kernel
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import (
    CHUN,
    EAST,
    HAKU,
    NO_TILE,
    NORTH,
    RED_MAN,
    SANMA_ABSENT_KINDS,
    TILES,
    WINDS,
    count_kinds,
    kind_of,
)
from paifu.replay.rules.choices import KanDoraTiming, Pochi, RiichiKan
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Meld, MeldKind
from paifu.replay.scoring.tables import scoring_tables
from paifu.replay.scoring.yaku import Pao
from paifu.replay.shapes.shanten import Acceptance, acceptance_of

MAX_KANS = 4
MAX_INDICATORS = 1 + MAX_KANS
MAX_COUNTERS = 9_999
"""Honba, and riichi sticks, at most."""
_ORPHANS = 13


HeldAndShown = tuple[tuple[int, ...], int, tuple[Meld, ...], tuple[int, ...], tuple[int, ...], int, int]
"""The fields of a winning hand that are tiles."""


class WinningHand(NamedTuple):
    """A complete hand and how it won. Tiles are 0-36; the winning tile is among ``tiles``."""

    tiles: tuple[int, ...]
    """The concealed tiles."""
    win: int
    """The winning tile."""
    melds: tuple[Meld, ...] = ()
    dora_indicators: tuple[int, ...] = ()
    ura_indicators: tuple[int, ...] = ()
    kita: int = 0
    """Norths set aside."""
    flowers: int = 0
    """Flowers set aside."""
    situation: Situation = RON
    seat_wind: int = 0
    """The winner's seat, 0 the dealer."""
    own_wind: int | None = None
    """The winner's wind, where it need not be that of the seat because winds do not rotate."""
    round_wind: int = 0
    honba: int = 0
    sticks: int = 0
    payer: int | None = None
    """The discarder's seat, for a ron; without it the payer is the next seat that can be."""
    liable: int | None = None
    """The seat that is liable: for a yakuman whose ``pao`` the ruleset plays, or, for a win
    on the supplement tile where it has rinshan pao, for the whole hand."""
    marked: int | None = None
    """The seat at the wall's break, which matters where wareme is played."""
    payer_in_riichi: bool = False
    """The discarder is in riichi, which matters where others pay a yakuman to an open riichi."""

    @property
    def tsumo(self) -> bool:
        """Won by self-draw."""
        return int(self.situation) & layout.TSUMO > 0

    @property
    def closed(self) -> bool:
        """Without called tiles but in closed kans."""
        return not self.melds or all(meld.kind == MeldKind.ANKAN for meld in self.melds)

    @property
    def all_tiles(self) -> tuple[int, ...]:
        """Concealed tiles and melds, without kita."""
        return sum([meld.tiles for meld in self.melds], self.tiles) if self.melds else self.tiles

    @property
    def reds(self) -> int:
        """Red fives, concealed or in melds."""
        return len([tile for tile in self.all_tiles if tile > CHUN])

    @property
    def set_aside(self) -> int:
        """Norths and flowers set aside: a dora each, with a supplement tile."""
        return self.kita + self.flowers

    @property
    def own_kans(self) -> int:
        """Kans among the melds."""
        return sum([len(meld.tiles) == 4 for meld in self.melds])

    @property
    def has_fed_kan(self) -> bool:
        """Whether a kan among the melds was called from a discard."""
        return any(meld.kind == MeldKind.DAIMINKAN for meld in self.melds)

    @property
    def kans(self) -> int:
        """Kans at the table, as far as the hand and the indicators show: each turns another."""
        return max(self.own_kans, len(self.dora_indicators) - 1, len(self.ura_indicators) - 1)

    @property
    def in_kans(self) -> bool:
        """Won in a turn of kans, before a discard turned their indicators."""
        return self.unfinished or Situation.RINSHAN in self.situation

    @property
    def unfinished(self) -> bool:
        """Four kans and a lone tile, which win under some rules: with the fourth kan, not with the tile."""
        return len(self.tiles) == 1 and self.own_kans == 4

    def paying_seat(self, rules: Ruleset) -> int:
        """Return the discarder's seat, or the winner's own on tsumo."""
        payer = -1 if self.payer is None else self.payer
        return int(payer_of(self.seat_wind, int(self.situation), payer, scoring_tables(rules).params))

    def payments(self, base: int, rules: Ruleset) -> tuple[int, tuple[int, ...]]:
        """Return the points of a hand with these base points, whatever its tiles, and the change by seat."""
        tables, out = scoring_tables(rules), np.zeros(4, np.int64)
        points = payments_kernel(
            base, 0, 1, self.seat_wind, self.paying_seat(rules), 0, self.honba, self.sticks,
            -1 if self.marked is None else self.marked, np.zeros(4, np.int64), *tables, out,
        )  # fmt: skip
        return int(points), tuple(out[: rules.table.players].tolist())

    def payers(self, rules: Ruleset) -> range:
        """Return the seats that have discarded when this win comes; the winner's own is not left out.

        Before a player's first turn these are the seats from the dealer to that player.
        """
        situation = int(self.situation)
        if situation & layout.CHIIHOU:
            return range(1)
        if situation & layout.RENHOU:
            return range(int(rules.scoring.chiihou_ron), self.seat_wind)
        return range(rules.table.players)

    def is_fed(self, pao: Pao, rules: Ruleset) -> bool:
        """Return whether the melds on the table settle a yakuman so that the last one can have been fed."""
        calls = (MeldKind.DAIMINKAN,) if pao.kans else tuple(set(MeldKind) - {MeldKind.ANKAN})
        melds = [
            meld
            for meld in self.melds
            if pao.kinds.issuperset(map(kind_of, meld.tiles)) and (len(meld.tiles) == 4 or not pao.kans)
            if rules.pao.pao_closed_kans or meld.kind != MeldKind.ANKAN
        ]
        return len(melds) >= pao.melds and any(meld.kind in calls for meld in melds)

    def as_played(self, rules: Ruleset) -> WinningHand:
        """Return the hand without what ``rules`` do not play, as a log's ruleset leaves it out."""
        played = self
        for row in _PLAYED:
            if row.given(played) and not row.is_played(rules):
                played = played._replace(**row.without(played))
        return played

    def check(self, rules: Ruleset) -> None:
        """Raise HandError, saying what is wrong, unless this hand can be under ``rules``."""
        _refuse(_problems_of_tiles(self, rules))
        is_told_by_tiles = self.win not in self.tiles or int(self.situation) & _LOOKED_UP
        if is_told_by_tiles or not _can_win(self.face_down(), rules):
            _refuse(chain(self.problems_of_play(rules), _problems_of_win(self, rules)))

    def check_payments(self, rules: Ruleset) -> None:
        """Raise HandError, as ``check`` does, for what is wrong about who wins and pays, tiles apart."""
        _refuse(_problems_of_seats(self, rules))
        _refuse(chain(_matches(_IMPOSSIBLE_WINS, self, rules), _not_played(self, rules)))

    def problems_of_play(self, rules: Ruleset) -> Iterator[str]:
        """Yield what it has that ``rules`` do not play."""
        yield from _matches(_IMPOSSIBLE_TILES, self, rules)
        yield from _not_played(self, rules)

    def check_waiting(self, rules: Ruleset) -> None:
        """Raise HandError, as ``check`` does, unless a player can hold these tiles, be they a win or not."""
        _refuse(_problems_of_tiles(self, rules))
        if not _is_played(self.face_down(), rules):
            _refuse(self.problems_of_play(rules))

    def acceptance(self, rules: Ruleset) -> Acceptance:
        """Return what the hand waits for, or gets better by, if it has 13 tiles; its indicators are seen.

        Raises HandError as ``check_waiting`` does.
        """
        self.check_waiting(rules)
        own = self.all_tiles + (NORTH,) * self.kita
        counts, melded = count_kinds(self.tiles), count_kinds(own[len(self.tiles) :])
        seen, sanma = count_kinds(own + self.dora_indicators), rules.table.players == 3
        return acceptance_of(counts, melded, seen, len(self.melds), sanma=sanma, forms=rules.forms)

    def with_tiles(self, held: HeldAndShown) -> WinningHand:
        """Return another hand that wins in the same way."""
        return WinningHand._make(held + self[len(held) :])

    def face_down(self) -> WinningHand:
        """Return the hand with all its tiles hidden, which is the same for many hands."""
        melds, dora, ura, none = self.melds, self.dora_indicators, self.ura_indicators, (NO_TILE,)
        melds = melds and tuple([Meld(kind, none * len(tiles)) for kind, tiles in melds])
        hidden = none * len(self.tiles), NO_TILE, melds, none * len(dora), none * len(ura)
        return self.with_tiles((*hidden, self.kita, self.flowers))


def _refuse(problems: Iterable[str]) -> None:
    """Raise HandError for the first problem, if there is one."""
    for problem in problems:
        raise HandError(problem)


@lru_cache(maxsize=4096)
def _is_played(hand: WinningHand, rules: Ruleset) -> bool:
    """Return whether the rules play all that a hand has, which is face down."""
    return not any(hand.problems_of_play(rules))


@lru_cache(maxsize=4096)
def _can_win(hand: WinningHand, rules: Ruleset) -> bool:
    """Return whether a hand that is face down can win as it does, as far as its tiles do not matter."""
    return not any(chain(hand.problems_of_play(rules), _problems_of_win(hand, rules)))


_LOOKED_UP = layout.CHANKAN | layout.POCHI
"""Situations whose checks look at the tiles of a hand; those of all others do not."""
_HandCheck = Callable[[WinningHand, Ruleset], bool]


def _problems_of_tiles(hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    """Yield what is wrong with the tiles, the most telling first."""
    shown = hand.dora_indicators + hand.ura_indicators
    loose = (hand.win, *hand.tiles, *shown)
    if min(loose) < 0 or max(loose) >= TILES:
        text = _("a tile is a number from 0 to {last}; unknown tiles cannot be scored")
        yield text.format(last=TILES - 1)
    for meld in hand.melds:
        meld.check()
    every = hand.all_tiles + shown
    seen = count_kinds(every)
    seen[NORTH] += hand.kita  # of any size, so far
    for kind, count in enumerate(seen if max(seen) > 4 or rules.table.players == 3 else ()):
        if count > 4:
            if (held := count - sum([kind_of(tile) == kind for tile in shown])) > 4:
                text = _("{count} tiles {tile}; there are four of each")
                yield text.format(count=held, tile=tile_name(kind))
            text = _("{count} tiles {tile} in hand and indicators; there are four of each")
            yield text.format(count=count, tile=tile_name(kind))
        if count and rules.table.players == 3 and kind in SANMA_ABSENT_KINDS:
            yield _("{tile} is not in the set of three players").format(tile=tile_name(kind))
    allowed = rules.table.red_man, rules.table.red_pin, rules.table.red_sou
    for red, have in enumerate(allowed if max(every, default=0) > CHUN else (), RED_MAN):
        if (count := every.count(red)) > have:
            text = _("{count} red fives {tile}; the ruleset {rules} has {have}")
            yield text.format(count=count, tile=tile_name(red), rules=rules.name, have=have)


def _not_played(hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    for row in _PLAYED if int(hand.situation) & _PLAYED_FLAGS else _PLAYED_OTHERWISE:
        if row.given(hand) and not row.is_played(rules):
            text = _("{problem} under the ruleset {rules} (rule {rule})")
            yield text.format(problem=row.problem, rules=rules.name, rule=row.rule)


def _problems_of_win(hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    whole = len(hand.tiles) + 3 * len(hand.melds)
    wins_so = hand.unfinished and not rules.yakuman.suukantsu_needs_pair
    if whole != 14 and not wins_so:
        text = _("{tiles} tiles; a winning hand has 14 in all, a kan counting as three")
        if hand.melds:
            text = _(
                "{tiles} tiles and {melds} melds of three make {size}; a winning hand has 14 in all, a kan "
                "counting as three"
            )
        yield text.format(tiles=len(hand.tiles), melds=len(hand.melds), size=whole)
    if hand.win not in hand.tiles and not wins_so:
        yield _("the winning tile {tile} is not among the concealed tiles").format(tile=tile_name(hand.win))
    yield from _problems_of_seats(hand, rules)
    yield from _matches(_IMPOSSIBLE_WINS, hand, rules)
    for bit in bits_of(int(hand.situation)):
        for needs, need in _NEEDS[bit]:
            if not needs(hand, rules):
                yield unmet(_name(Situation(1 << bit)), need)


def unmet(situation: str, need: str) -> str:
    """Say that a way to win, as people read its name, needs what a table says in English."""
    return _("{situation} {needs}").format(situation=situation, needs=pgettext("situation", need))


_SEATS = (N_("seat wind"), N_("own wind"), N_("payer"), N_("liable seat"), N_("wareme"))


def _problems_of_seats(hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    seats = (hand.seat_wind, hand.own_wind, hand.payer, hand.liable, hand.marked)
    for what, seat in zip(_SEATS, seats, strict=True):
        if seat is not None and not 0 <= seat < rules.table.players:
            last = rules.table.players - 1
            text = _("{what} {seat}: seats are 0 to {last}, east to {wind}")
            yield text.format(what=_(what), seat=seat, last=last, wind=pgettext("wind", WINDS[last]))
    if hand.round_wind not in range(4):
        yield _("round wind {wind}: winds are 0 to 3, east to north").format(wind=hand.round_wind)


def _matches(table: tuple[tuple[_HandCheck, str], ...], hand: WinningHand, rules: Ruleset) -> Iterator[str]:
    for impossible, text in table:
        if impossible(hand, rules):
            wind = pgettext("wind", WINDS[hand.seat_wind % len(WINDS)])
            values = {"indicators": MAX_INDICATORS, "counters": MAX_COUNTERS}
            yield _(text).format(wind=wind, rules=rules.name, **values)


def missing_indicators(hand: WinningHand, rules: Ruleset) -> str:
    """Say that some of the dora indicators that kans have turned are not given; empty if all or none are.

    Such a hand can be scored; it is just worth something else than at the table.
    """
    given = len(hand.dora_indicators)
    may_lack = rules.dora.kan_dora and 0 < given <= len(hand.melds)
    if not may_lack or given >= (least := _least_indicators(hand, rules)):
        return ""
    text = _(
        "each kan turns a dora indicator, so there are {least} at least when this hand wins, and {given} "
        "given; give them all, or none"
    )
    return text.format(least=least, given=given)


def _least_indicators(hand: WinningHand, rules: Ruleset) -> int:
    """Return how many dora indicators the winner's kans have turned: all but those of the turn that wins."""
    if not hand.in_kans:
        return 1 + hand.own_kans
    open_kans = sum(len(meld.tiles) == 4 and meld.kind != MeldKind.ANKAN for meld in hand.melds)
    late = {
        KanDoraTiming.AT_ONCE: 0,
        KanDoraTiming.BEFORE_DISCARD: min(1, open_kans),
        KanDoraTiming.AFTER_DISCARD: open_kans,
        KanDoraTiming.ALL_AFTER_DISCARD: hand.own_kans,
    }
    return 1 + hand.own_kans - late[KanDoraTiming(rules.dora.kan_dora_timing)]


def _name(flag: Situation) -> str:
    return pgettext("situation", situation_name(flag))


def situation_name(flag: Situation) -> str:
    """Return the English name of a situation, as options have it."""
    return (flag.name or "").lower().replace("_", " ")


def declared() -> Iterator[str]:
    """Yield what situations are called, and what they need."""
    yield from map(situation_name, Situation)
    for _situations, _check, need in _SITUATION_RULES:
        yield need


_FACTS = {Situation.THIRTEENTH: "dealer_streak"}
"""Situations that conditions call by another name."""
RIICHI_SORTS = Situation.RIICHI | Situation.DOUBLE_RIICHI | Situation.OPEN_RIICHI
FIRST_TURN = Situation.TENHOU | Situation.CHIIHOU | Situation.RENHOU


@dataclass(frozen=True, slots=True)
class _Played:
    """Something that a hand may state, which counts only where a rule says so."""

    text: str
    """What is not played; empty for a situation."""
    rule: str
    given: Callable[[WinningHand], bool]
    without: Callable[[WinningHand], dict[str, Any]]
    """The fields of a hand without it."""
    flag: Situation = Situation(0)  # noqa: RUF009  frozen
    """The situation, if it is one."""

    def is_played(self, rules: Ruleset) -> bool:
        """Return whether the rule is on, or a yaku of the ruleset's own asks for the situation."""
        if rules[self.rule]:
            return True
        return bool(self.flag) and rules.local.yaku.ask_for(
            _FACTS.get(self.flag) or (self.flag.name or "").lower()
        )

    @property
    def problem(self) -> str:
        """What to say where the rule is off."""
        if self.flag:
            return _("{situation} is not played").format(situation=_name(self.flag))
        return _(self.text)


def _flag(flag: Situation, rule: str) -> _Played:
    return _Played(
        "",
        rule,
        lambda hand: int.__and__(hand.situation, flag) > 0,
        lambda hand: {"situation": hand.situation & ~flag},
        flag,
    )


_PLAYED = (
    _flag(Situation.OPEN_RIICHI, "open_riichi_han"),
    _flag(Situation.IPPATSU, "ippatsu"),
    _flag(Situation.RENHOU, "renhou"),
    _flag(Situation.KANBURI, "kanburi_han"),
    _flag(Situation.TSUBAME, "tsubame_gaeshi_han"),
    _flag(Situation.TWOFOLD, "twofold_fortune_han"),
    _flag(Situation.THIRTEENTH, "thirteen_dealer_wins_han"),
    _flag(Situation.POCHI, "pochi"),
    _flag(Situation.FED_KAN, "rinshan_fed"),
    _Played(
        N_("wareme is not played"), "wareme",
        lambda hand: hand.marked is not None, lambda _: {"marked": None},
    ),
    _Played(
        N_("dora indicators do not count"), "dora",
        lambda hand: bool(hand.dora_indicators), lambda _: {"dora_indicators": (), "ura_indicators": ()},
    ),
    _Played(
        N_("ura dora indicators do not count"), "ura_dora",
        lambda hand: bool(hand.ura_indicators), lambda _: {"ura_indicators": ()},
    ),
    _Played(
        N_("the dora indicators of kans do not count"), "kan_dora",
        lambda hand: max(len(hand.dora_indicators), len(hand.ura_indicators)) > 1,
        lambda hand: {"dora_indicators": hand.dora_indicators[:1], "ura_indicators": hand.ura_indicators[:1]},
    ),
    _Played(
        N_("the ura dora indicators of kans do not count"), "kan_ura_dora",
        lambda hand: len(hand.ura_indicators) > 1,
        lambda hand: {"ura_indicators": hand.ura_indicators[:1]},
    ),
)  # fmt: skip
"""What some rulesets do not play. A hand that states it is refused, never scored as if it had not."""
_PLAYED_FLAGS = sum(row.flag for row in _PLAYED)
_PLAYED_OTHERWISE = tuple(row for row in _PLAYED if not row.flag)

_IMPOSSIBLE_TILES: tuple[tuple[_HandCheck, str], ...] = (
    (
        lambda hand, rules: hand.kita > 0 and not rules.calls.kita,
        N_("north cannot be set aside under the ruleset {rules}"),
    ),
    (lambda hand, _: not 0 <= hand.kita <= 4, N_("norths set aside are 0 to 4")),
    (
        lambda hand, rules: hand.flowers > 0 and not rules.flowers,
        N_("the ruleset {rules} has no flowers (rule flowers_dora)"),
    ),
    (lambda hand, _: not 0 <= hand.flowers <= 4, N_("flowers set aside are 0 to 4")),
    (
        lambda hand, rules: not rules.calls.chi and any(meld.kind == MeldKind.CHI for meld in hand.melds),
        N_("chi cannot be called under the ruleset {rules}"),
    ),
    (
        lambda hand, _: max(len(hand.dora_indicators), len(hand.ura_indicators)) > MAX_INDICATORS,
        N_("there are at most {indicators} indicators of a sort"),
    ),
)
"""What no player can hold or see, and what to say."""

_IMPOSSIBLE_WINS: tuple[tuple[_HandCheck, str], ...] = (
    (
        lambda hand, _: not hand.tsumo and hand.payer == hand.seat_wind,
        N_("{wind} cannot win on their own discard"),
    ),
    (
        lambda hand, _: hand.tsumo and hand.payer not in (None, hand.seat_wind),
        N_("nobody discards the tile of a tsumo; leave the payer out, or say ron"),
    ),
    (lambda hand, _: hand.liable == hand.seat_wind, N_("{wind} cannot be liable for their own hand")),
    (
        lambda hand, _: not (0 <= hand.honba <= MAX_COUNTERS and 0 <= hand.sticks <= MAX_COUNTERS),
        N_("honba and riichi sticks are 0 or more, and {counters:,} at most"),
    ),
    (
        lambda hand, _: bool(hand.ura_indicators and not hand.situation & RIICHI_SORTS),
        N_("ura dora indicators count only with riichi"),
    ),
    (
        lambda hand, rules: rules.dora.dora and len(hand.ura_indicators) > len(hand.dora_indicators),
        N_(
            "each ura dora indicator lies under a dora indicator; there are more of them than dora indicators"
        ),
    ),
    (
        lambda hand, _: hand.unfinished and not hand.tsumo,
        N_("four kans without a pair win with the fourth kan; there is no ron on the lone tile"),
    ),
    (
        lambda hand, rules: (
            rules.draw.abort_suukaikan
            and 0 < hand.own_kans < MAX_KANS
            and hand.kans == MAX_KANS
            and (rules.draw.suukaikan_at_once or (hand.tsumo and Situation.RINSHAN not in hand.situation))
        ),
        N_("four kans of several players, which hand and indicators imply, end the hand before this win"),
    ),
)
"""What no win can be, and what to say."""


def _counts_as_pochi(hand: WinningHand, rules: Ruleset) -> bool:
    needed = Situation.IPPATSU if rules.riichi.pochi == Pochi.IPPATSU else RIICHI_SORTS
    return bool(hand.situation & needed)


def _orphans(hand: WinningHand) -> bool:
    """The hand is thirteen orphans, which may rob a closed kan."""
    kinds = set(map(kind_of, hand.tiles))
    return len(kinds) == _ORPHANS and all(kind >= EAST or kind % 9 in (0, 8) for kind in kinds)


def _no_kans(hand: WinningHand, rules: Ruleset) -> bool:
    return hand.kans == 0 or not rules.win.closed_kan_interrupts


def _has_lasted(hand: WinningHand, rules: Ruleset) -> bool:
    """Not both double riichi and ippatsu, each of which something else on the table has ended."""
    both = Situation.DOUBLE_RIICHI | Situation.IPPATSU
    ending = (hand.kans and rules.win.closed_kan_interrupts) or (hand.kita and rules.win.kita_interrupts)
    return both not in hand.situation or not ending


def _robs_no_pon(hand: WinningHand, rules: Ruleset) -> bool:
    both = Situation.DOUBLE_RIICHI | Situation.IPPATSU
    return both not in hand.situation or (rules.win.kokushi_ankan_ron and _orphans(hand))


def _may_follow_riichi(hand: WinningHand, rules: Ruleset) -> bool:
    """A supplement tile drawn in riichi."""
    in_riichi = bool(hand.situation & RIICHI_SORTS)
    return not in_riichi or rules.riichi.riichi_kan != RiichiKan.FORBIDDEN or hand.set_aside > 0


def _robbed(hand: WinningHand, _: Ruleset) -> bool:
    """The other three tiles of its kind lie in the kan that is robbed."""
    seen = (*hand.all_tiles, *(NORTH,) * hand.kita, *hand.dora_indicators, *hand.ura_indicators)
    return sum(kind_of(tile) == kind_of(hand.win) for tile in seen) <= 1


def _without(*others: Situation) -> _HandCheck:
    unwanted = reduce(Situation.__or__, others)
    return lambda hand, _: not hand.situation & unwanted


_S = Situation
_SITUATION_RULES: tuple[tuple[Situation, _HandCheck, str], ...] = (
    (RIICHI_SORTS, lambda hand, _: hand.closed, "needs a closed hand"),
    (_S.IPPATSU, lambda hand, _: bool(hand.situation & RIICHI_SORTS), "needs riichi"),
    (_S.IPPATSU, _without(_S.KANBURI), "does not go with kanburi: the kan ends it"),
    (
        _S.DOUBLE_RIICHI,
        lambda hand, _: _S.IPPATSU not in hand.situation or not hand.situation & (_S.HAITEI | _S.HOUTEI),
        "with ippatsu is over long before the last tile",
    ),
    (
        _S.DOUBLE_RIICHI,
        _has_lasted,
        "goes with ippatsu only if no kan was made and no north set aside: before riichi that ends double "
        "riichi, and after it ippatsu",
    ),
    (
        _S.CHANKAN,
        _robs_no_pon,
        "goes with double riichi or with ippatsu: the robbed kan adds to a pon, which ended one of them",
    ),
    (
        _S.CHANKAN,
        lambda hand, rules: hand.kans < MAX_KANS or rules.draw.abort_fifth_kan,
        "robs a kan, and four kans have been made",
    ),
    (
        _S.KANBURI,
        lambda hand, _: hand.own_kans < MAX_KANS,
        "needs a kan of another player, and the winner made all four",
    ),
    (_S.RINSHAN | _S.HAITEI | _S.TENHOU | _S.POCHI, lambda hand, _: hand.tsumo, "needs tsumo"),
    (_S.POCHI, lambda hand, _: hand.win == HAKU, "is won on 5z"),
    (_S.POCHI, _counts_as_pochi, "needs riichi, and ippatsu where the rules say so"),
    (
        _S.RINSHAN,
        lambda hand, _: hand.set_aside > 0 or hand.own_kans > 0,
        "needs a kan",
    ),
    (
        _S.FED_KAN,
        lambda hand, _: hand.has_fed_kan and _S.RINSHAN in hand.situation,
        "needs rinshan and an open kan",
    ),
    (_S.RINSHAN, _may_follow_riichi, "needs a kan, and there is none in riichi (rule riichi_kan)"),
    (
        _S.TWOFOLD,
        lambda hand, _: hand.own_kans >= 2 and _S.RINSHAN in hand.situation,
        "needs rinshan and two kans",
    ),
    (_S.RINSHAN, _without(_S.HAITEI, _S.IPPATSU), "goes with neither haitei nor ippatsu"),
    (
        _S.RINSHAN | _S.HAITEI,
        lambda hand, _: not hand.unfinished,
        "needs a pair: four kans without one win before the supplement tile",
    ),
    (_S.HOUTEI, _without(_S.TSUMO), "needs ron; on your own draw it is haitei"),
    (_S.CHANKAN | _S.KANBURI | _S.TSUBAME | _S.RENHOU, _without(_S.TSUMO), "needs ron"),
    (_S.CHANKAN, _without(_S.HOUTEI, _S.KANBURI, _S.TSUBAME), "is not a win on a discard"),
    (_S.CHANKAN, _robbed, "is impossible: hand or indicators show a tile that the robbed kan needs"),
    (
        _S.TSUBAME,
        lambda hand, rules: _S.HOUTEI not in hand.situation or rules.riichi.riichi_wall == 0,
        "does not go with houtei: riichi needs tiles in the wall",
    ),
    (_S.CHIIHOU, lambda hand, rules: hand.tsumo or rules.scoring.chiihou_ron, "needs tsumo"),
    (_S.TENHOU | _S.THIRTEENTH, lambda hand, _: hand.seat_wind == 0, "is the dealer's"),
    (_S.CHIIHOU | _S.RENHOU, lambda hand, _: hand.seat_wind != 0, "is not the dealer's"),
    (FIRST_TURN, lambda hand, _: not hand.melds and not hand.kita, "needs a hand without calls or kans"),
    (FIRST_TURN, _no_kans, "is over with the first kan, and a second indicator implies one"),
    (
        FIRST_TURN,
        _without(RIICHI_SORTS, _S.RINSHAN, _S.CHANKAN, _S.HAITEI, _S.HOUTEI, _S.KANBURI),
        "wins in the first turn: no riichi, no kan and no last tile before it",
    ),
    (_S.TENHOU, _without(_S.CHIIHOU, _S.RENHOU), "goes with neither chiihou nor renhou"),
    (_S.CHIIHOU, _without(_S.RENHOU), "does not go with renhou"),
    (
        _S.CHIIHOU | _S.RENHOU,
        lambda hand, rules: hand.tsumo or hand.paying_seat(rules) in hand.payers(rules),
        "is a win before your first turn: this payer has not discarded yet",
    ),
)
"""Situations, what each of them needs, and what to say when that fails."""

_NEEDS = tuple(
    tuple((needs, text) for flags, needs, text in _SITUATION_RULES if flag in flags) for flag in Situation
)
"""Number of a situation's bit -> what it needs."""
