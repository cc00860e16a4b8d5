"""A win at the table as the schemes score it, and what a log claims of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from paifu.replay.general.table import GeneralTable
from paifu.replay.kernels import codes
from paifu.replay.kernels.reasons import NOT_OFFERED, OTHER_TILES
from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.model.events import NO_SEAT, UNSTATED_SEAT
from paifu.replay.model.patterns import StatedPattern
from paifu.replay.model.tiles import KINDS, tile_of_kind
from paifu.replay.rules.choices import DiscardWin, Immunity
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.hand import Facts, Replacement
from paifu.replay.schemes.registry import scheme_of
from paifu.replay.schemes.scheme import CompleteHand, Row, Won
from paifu.replay.schemes.tables import pattern_bits
from paifu.replay.scoring.errors import HandError

UNKNOWN_PATTERN = 62
"""The bit of a pattern that the scheme does not know."""


def pattern_mask(rules: Ruleset, names: Sequence[str]) -> int:
    """Return patterns as bits."""
    bits = pattern_bits(rules)
    return sum(1 << bit for bit in {bits.get(name, UNKNOWN_PATTERN) for name in names})


def stated_value(row: Row) -> StatedPattern:
    """Return a pattern of a scored win as logs list it."""
    return row.id, row.value or row.worth.replace(" ", "_")


@dataclass(frozen=True, slots=True)
class Scored:
    """A win as the rules have it; seats are absolute."""

    won: Won
    changes: tuple[int, ...]
    liable: int
    """Who answers beside the discarder or in their place; NO_SEAT for nobody."""
    own_scores: tuple[int, ...] | None
    """What each hand counts for itself, where losers settle."""

    @property
    def patterns(self) -> tuple[StatedPattern, ...]:
        """The patterns as logs list them."""
        return tuple(map(stated_value, self.won.patterns))


def facts_of(table: GeneralTable, seat: int, source: int, kind: int) -> Facts:
    """Return how a win at this moment comes about."""
    rules, player, wind = table.rules, table.seats[seat], table.wind_of(seat)
    self_drawn, declares = seat == source, kind >= KINDS
    offer = None if self_drawn else table.offer
    robbing = offer is not None and offer.robbing
    replacement = player.drawn_for if self_drawn and not declares else Replacement.NONE
    gongs = player.gongs_in_turn if replacement == Replacement.GONG else 0
    is_first = table.is_first_turn(seat) and not robbing and not declares
    is_dealer = seat == table.dealer
    fed = player.fed_gong if replacement == Replacement.GONG and rules.faan.fed_gong_pays else NO_SEAT
    discards: tuple[tuple[int, int], ...] = ()
    if offer is not None and rules.series.immunity != Immunity.OFF:
        discards = tuple(
            (table.wind_of(other), thrown) for other, thrown in _window(table, seat, robbing=robbing)
        )
    losers = {}
    if rules.classical.losers_settle:
        losers = {table.wind_of(other): table.loser_hand(other) for other in range(4) if other != seat}
    return Facts(
        seat_wind=wind,
        round_wind=table.round_wind,
        self_drawn=self_drawn,
        payer=None if self_drawn else table.wind_of(source),
        last_tile=table.live == 0 and not robbing and not declares,
        replacement=replacement,
        gongs_in_turn=gongs,
        gong_from_replacement=gongs > 1 and player.from_replacement,
        robbing=robbing,
        first_turn=is_first,
        gong_before=is_first and table.gongs > 0,
        dealers_first_discard=is_first
        and source == table.dealer
        and not self_drawn
        and len(table.discards) == 1,
        after_replacement=offer is not None and offer.after_replacement,
        keeps=table.keeps if is_dealer else 0,
        dealer_wins=table.dealer_wins + 1 if is_dealer else 0,
        declares_bonus=declares,
        fed_gong=None if fed == NO_SEAT else table.wind_of(fed),
        discards=discards,
        losers=losers,
    )


def _window(table: GeneralTable, seat: int, *, robbing: bool) -> list[tuple[int, int]]:
    """Return the discards from the winner's own last one on, or all; a robbed tile counts as one."""
    thrown = list(table.discards)
    if robbing and table.offer is not None:
        thrown.append((table.offer.seat, table.offer.kind))
    own = [place for place, (other, _) in enumerate(thrown) if other == seat]
    return thrown[own[-1] :] if own else thrown


def score_win(table: GeneralTable, seat: int, source: int, kind: int) -> Scored:
    """Score a win on a tile that is offered; raises HandError, saying why, if the hand may not win."""
    rules, player = table.rules, table.seats[seat]
    win = CompleteHand(player.hand(None if kind >= KINDS else kind), facts_of(table, seat, source, kind))
    scheme = scheme_of(rules)
    won = scheme.score(win, rules)
    counted = {row.id for row in won.patterns}
    feeders = [feeder for pattern, feeder in player.fed.items() if pattern in counted]
    if feeders:
        won = scheme.score(replace(win, facts=replace(win.facts, liable=table.wind_of(feeders[-1]))), rules)
    own_scores = None
    if rules.classical.losers_settle:
        by_wind = {table.wind_of(seat): won.value, **{loser.seat: loser.score for loser in won.losers}}
        own_scores = tuple(by_wind[table.wind_of(other)] for other in range(4))
    answers = NO_SEAT if won.answers is None else (table.dealer + won.answers) % 4
    return Scored(won, tuple(won.payments[table.wind_of(other)] for other in range(4)), answers, own_scores)


def may_win(table: GeneralTable, seat: int, source: int, kind: int) -> Scored | None:
    """Return a win at this moment as it would be scored; None when the hand may not win."""
    try:
        return score_win(table, seat, source, kind) if table.is_offered(seat, source, kind) else None
    except HandError:
        return None


@dataclass(frozen=True, slots=True)
class WinClaim:
    """What a log claims of a win."""

    seat: int
    source: int
    kind: int
    """255 when it is not known."""
    liable: int
    tiles: tuple[int, ...]
    """Kinds, the winning one among them; empty when not shown."""
    points: int
    patterns: tuple[StatedPattern, ...] | None
    """None when they are not stated."""
    honba: int
    sticks: int
    deltas: tuple[int, ...]
    own_scores: tuple[int, ...]


def check_win(table: GeneralTable, claim: WinClaim) -> Scored | None:
    """Score a win and note where the log's claims differ; None when the hand could not win."""
    seat, source, kind = claim.seat, claim.source, claim.kind
    known = kind < KINDS + 8
    tile = tile_of_kind(kind) if known else kind
    if not known or not table.is_offered(seat, source, kind):
        table.note(codes.NO_WINNING_HAND, seat, tile, 1, 0, NOT_OFFERED)
        return None
    shown = table.seats[seat].hand(None if kind >= KINDS else kind).tiles
    if claim.tiles and tuple(sorted(claim.tiles)) != tuple(sorted(shown)):
        table.note(codes.NO_WINNING_HAND, seat, tile, 1, 0, OTHER_TILES)
    try:
        scored = score_win(table, seat, source, kind)
    except HandError:
        table.note(_refusal(table, seat, source, kind), seat, tile, 1, 0)
        return None
    _compare(table, claim, scored, tile)
    return scored


def _refusal(table: GeneralTable, seat: int, source: int, kind: int) -> int:
    """Tell a hand that is worth too little, or whose discard does not complete what it must, from no win."""
    if kind >= KINDS:
        return codes.NO_WINNING_HAND
    relaxed = relaxed_rules(table.rules)
    hand = table.seats[seat].hand(kind)
    try:
        scheme_of(relaxed).score(CompleteHand(hand, facts_of(table, seat, source, kind)), relaxed)
    except HandError:
        return codes.NO_WINNING_HAND
    return codes.WIN_WITHOUT_YAKU


@lru_cache(maxsize=64)
def relaxed_rules(rules: Ruleset) -> Ruleset:
    """Return the rules without a minimum and without a demand on what a discard completes."""
    table = ((0, 1), *rules.faan.faan_table) if rules.faan.faan_table else ()
    return rules.changed(minimum=0, discard_win=DiscardWin.ANY, faan_table=table)


def _compare(table: GeneralTable, claim: WinClaim, scored: Scored, tile: int) -> None:
    note, seat, rules = table.note, claim.seat, table.rules
    expected = scored.patterns
    if claim.patterns is not None:
        names, stated = [name for name, _ in expected], [name for name, _ in claim.patterns]
        if sorted(names) != sorted(stated):
            note(codes.YAKU, seat, tile, pattern_mask(rules, names), pattern_mask(rules, stated))
        elif sorted(expected, key=str) != sorted(claim.patterns, key=str):
            note(codes.HAN, seat, tile, _total(expected), _total(claim.patterns))
    if claim.points not in (UNKNOWN_POINTS, scored.won.value):
        note(codes.POINTS, seat, tile, scored.won.value, claim.points)
    for what, stated_count, due in (
        (codes.STATED_HONBA, claim.honba, table.keeps), (codes.STATED_STICKS, claim.sticks, 0),
    ):  # fmt: skip
        if stated_count >= 0 and stated_count != due:
            note(what, seat, tile, due, stated_count)
    is_same = claim.liable == scored.liable or (claim.liable == NO_SEAT and scored.liable == claim.source)
    if claim.liable != UNSTATED_SEAT and not is_same:
        note(codes.LIABILITY, seat, tile, scored.liable, claim.liable)
    _differing(table, codes.OWN_SCORE, scored.own_scores or (0,) * 4, claim.own_scores, tile)
    _differing(table, codes.PAYMENT, scored.changes, claim.deltas, tile)


def _total(patterns: Sequence[StatedPattern]) -> int:
    return sum(value for _, value in patterns if isinstance(value, int))


def _differing(
    table: GeneralTable, code: int, expected: Sequence[Any], actual: Sequence[Any], tile: int
) -> None:
    """Note the first seat whose points differ, where the log states them."""
    for seat, (due, stated) in enumerate(zip(expected, actual, strict=True)):
        if stated not in (UNKNOWN_POINTS, due):
            table.note(code, seat, tile, int(due), int(stated))
            return
