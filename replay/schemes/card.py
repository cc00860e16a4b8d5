"""Hands of a card: a win is one of its lines; jokers may be in groups of three or more like tiles.

With natural concealed tiles C, the strict need N of a line and the need L of its like groups that are not
exposed, by kind, and J jokers in hand, a hand matches when N is there, the rest fits into L, and the jokers
are exactly what L still lacks. Nothing has to be tried joker by joker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from paifu.replay.language import N_, _
from paifu.replay.model.tile_notation import format_kinds
from paifu.replay.model.tiles import BONUS_KINDS, FLOWERS, JOKER
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.cards import (
    HAND_SIZE,
    LIKE,
    Line,
    Target,
    WrittenCard,
    as_card_kind,
    copies,
    shipped_card,
    targets,
)
from paifu.replay.schemes.check import count_problems
from paifu.replay.schemes.hand import Facts, HeldTiles
from paifu.replay.schemes.payments import paid, win_shares, with_bet
from paifu.replay.schemes.scheme import CompleteHand, Other, Row, Won
from paifu.replay.schemes.table_scheme import plain_roles
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Meld

NEAREST = 5
"""How many lines an answer names when a hand matches none of them."""


@dataclass(frozen=True, slots=True)
class Distance:
    """How far a hand is from a line, for the best choice of suits and variables."""

    line: Line
    away: int | None
    """Tiles that are missing; None when the line is out of reach, and ``why`` says why."""
    choice: str = ""
    missing: tuple[int, ...] = ()
    """The missing kinds, any flower as the first; of like groups only what jokers in hand do not fill."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class CardWaits:
    """What thirteen tiles wait for, and how far they are from every line."""

    kinds: tuple[int, ...]
    """Kinds that win."""
    lines: tuple[Distance, ...]
    """The nearest first, those out of reach last."""


def exposure(meld: Meld, rules: Ruleset) -> tuple[int, int]:
    """Return kind and size of an exposure. Raises HandError if it cannot be one."""
    natural = {as_card_kind(kind) for kind in meld.kinds if kind != JOKER}
    size = len(meld.kinds)
    if meld.concealed:
        text = _("{meld}: concealed groups are not declared under the ruleset {rules}")
        raise HandError(text.format(meld=meld, rules=rules.name))
    if len(natural) != 1:
        text = _(
            "{meld} has different tiles; an exposure is like tiles and jokers, at least one of them natural"
        )
        if not natural:
            text = _(
                "{meld} has no natural tile; an exposure is like tiles and jokers, at least one of them "
                "natural"
            )
        raise HandError(text.format(meld=meld))
    if not LIKE <= size <= rules.calls.largest_exposure:
        text = _("{meld} has {size} tiles; an exposure has {least} to {most} under {rules}")
        raise HandError(
            text.format(meld=meld, size=size, least=LIKE, most=rules.calls.largest_exposure, rules=rules.name)
        )
    return natural.pop(), size


def check_hand(hand: HeldTiles, rules: Ruleset) -> None:
    """Raise HandError unless a player can hold these tiles."""
    if hand.bonus:
        text = _("({tile}): flowers stay in hand under the ruleset {rules}")
        raise HandError(text.format(tile=format_kinds(hand.bonus[:1]), rules=rules.name))
    for meld in hand.melds:
        exposure(meld, rules)
    for problem in count_problems(hand, rules):
        raise HandError(problem)


def distance(hand: HeldTiles, line: Line, rules: Ruleset) -> Distance:
    """Return how many tiles a hand of thirteen or fourteen lacks for a line, and which.

    What does not fit is not missing: of fourteen tiles one can be thrown away, so 14 tiles that are "1 away"
    lack one and hold one that is not needed.
    """
    if hand.melds and not line.exposed:
        return Distance(line, None, why=N_("a concealed line, and the hand has exposures"))
    shown = [exposure(meld, rules) for meld in hand.melds]
    concealed = Counter(as_card_kind(kind) for kind in hand.tiles)
    jokers = concealed.pop(JOKER, 0)
    best: Distance | None = None
    for target in targets(line):
        open_groups = _less_exposures(target, shown)
        if open_groups is None:
            continue
        missing, unfilled = _lacks(target, open_groups, concealed)
        filled = min(jokers, sum(unfilled.values()))
        away = sum(missing.values()) + sum(unfilled.values()) - filled
        if best is None or away < (best.away or 0):
            lacked = [*missing.elements(), *list(unfilled.elements())[filled:]]
            best = Distance(line, away, target.choice, tuple(sorted(lacked)))
            if not away:
                break
    return best or Distance(line, None, why=N_("the exposures are not groups of it"))


def _less_exposures(target: Target, shown: Iterable[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """The like groups that are not exposed, or None when an exposure is not among the groups."""
    left = list(target.like)
    for group in shown:
        if group not in left:
            return None
        left.remove(group)
    return left


def _lacks(
    target: Target, groups: Iterable[tuple[int, int]], concealed: Counter[int]
) -> tuple[Counter[int], Counter[int]]:
    """What natural tiles leave open: strict tiles, and places in like groups that jokers could fill."""
    need: Counter[int] = Counter(dict(target.strict))
    like: Counter[int] = Counter()
    for kind, size in groups:
        like[kind] += size
    return need - concealed, like - (concealed - need)


def matches(hand: HeldTiles, line: Line, rules: Ruleset) -> Distance | None:
    """Return how a hand of fourteen tiles is the line, or None."""
    found = distance(hand, line, rules)
    return found if found.away == 0 and len(hand.kinds) == HAND_SIZE else None


@dataclass(frozen=True, slots=True)
class CardScheme:
    """The scheme ``card``, with the ruleset's card or another."""

    card: WrittenCard | None = None

    def lines(self, rules: Ruleset) -> tuple[Line, ...]:
        """The lines that win."""
        return (self.card or shipped_card(rules.card.card)).lines

    def distances(self, hand: HeldTiles, rules: Ruleset) -> list[Distance]:
        """Return the distance to every line, the nearest first, those out of reach last."""
        found = [distance(hand, line, rules) for line in self.lines(rules)]
        return sorted(found, key=lambda d: (d.away is None, d.away or 0))

    def waits(self, hand: HeldTiles, rules: Ruleset) -> tuple[int, ...]:
        """Return the kinds that make thirteen tiles a line, flowers as the first of them, jokers included."""
        held = Counter(as_card_kind(kind) for kind in hand.kinds)
        found = []
        for kind in (*range(FLOWERS), FLOWERS, JOKER):
            there = rules.tiles.jokers if kind == JOKER else copies(kind)
            more = HeldTiles(tiles=(*hand.tiles, kind), win=kind, melds=hand.melds)
            if held[kind] < there and any(matches(more, line, rules) for line in self.lines(rules)):
                found.append(kind)
        return tuple(found)

    def score(self, win: CompleteHand, rules: Ruleset) -> Won:
        """Score a win. Raises HandError, saying why, for a hand that cannot be, or matches no line."""
        hand, facts = win.hand, win.facts
        check_hand(hand, rules)
        _check_facts(facts, rules)
        size = len(hand.kinds)
        if size != HAND_SIZE:
            text = _("{size} tiles; a winning hand has {whole}, exposures counted as they are")
            raise HandError(text.format(size=size, whole=HAND_SIZE))
        if hand.win == JOKER and not facts.self_drawn:
            raise HandError(_("a joker that was discarded is dead: nobody can win on it"))
        near = self.distances(hand, rules)
        found = {d.line.id: d for d in near if d.away == 0}
        if not found:
            raise HandError(_no_line(near, (self.card or shipped_card(rules.card.card)).name))
        jokers = hand.kinds.count(JOKER)
        worth = {
            line.id: line.value * (rules.card.jokerless_factor if line.doubles and not jokers else 1)
            for line in self.lines(rules)
            if line.id in found
        }
        best = max(worth, key=lambda name: worth[name])
        payments, roles = _paid(facts, rules, worth[best])
        line = found[best].line
        times = worth[best] // line.value
        text = _("{number} x {times}, no joker") if times > 1 else _("{number} points")
        return Won(
            value=worth[best],
            worth=text.format(number=line.value, times=times),
            patterns=(_row(found[best]),),
            payments=payments,
            roles=roles,
            reading=_text(found[best]),
            others=tuple(
                Other(
                    _text(found[name]), value, _("worth less") if value < worth[best] else _("worth the same")
                )
                for name, value in worth.items()
                if name != best
            ),
        )


def _check_facts(facts: Facts, rules: Ruleset) -> None:
    if facts.payer == facts.seat_wind:
        raise HandError(_("nobody can win on their own discard"))
    if facts.self_drawn and facts.payer is not None:
        raise HandError(_("a self-drawn win has no discarder"))
    if facts.bet is not None and not rules.card.bettor:
        text = _("nobody bets under the ruleset {rules}; switch it on with --set bettor=true")
        raise HandError(text.format(rules=rules.name))


def _paid(facts: Facts, rules: Ruleset, value: int) -> tuple[tuple[int, ...], dict[int, str]]:
    """Payments by seat, with the bettor's last where there is one."""
    shares = win_shares(rules, value, facts.seat_wind, facts.discarder)
    payments, roles = paid(shares, facts.seat_wind), plain_roles(facts, facts.discarder)
    if rules.card.bettor and facts.bet is not None:
        payments = with_bet(payments, facts.bet, facts.seat_wind, facts.discarder)
        roles[4] = _("bets")
    return payments, roles


def _row(match: Distance) -> Row:
    line = match.line
    how = _("may be exposed") if line.exposed else _("concealed")
    reason = _(", ").join(filter(None, (line.category, how)))
    return Row(line.id, line.pattern, "", line.value, 1, f"{line.value} points", reason, match.choice)


def _text(match: Distance) -> str:
    return f"{match.line.pattern}, {match.choice}" if match.choice else match.line.pattern


def missing_text(found: Distance) -> str:
    """What a hand lacks, in notation; any flower will do for ``F``."""
    tiles = [kind for kind in found.missing if kind not in BONUS_KINDS]
    flowers = len(found.missing) - len(tiles)
    return f"{format_kinds(tiles)}{'F' * flowers}"


def _no_line(near: list[Distance], name: str) -> str:
    reachable = [d for d in near if d.away is not None]
    if not reachable:
        return _("the hand is dead: its exposures fit no line of the card {card}").format(card=name)
    text = _("{line} lacks {count}: {tiles}")
    listed = _("; ").join(
        text.format(line=d.line.id, count=d.away, tiles=missing_text(d))
        for d in reachable[:NEAREST]
        if d.away
    )
    text = _("the hand is not a line of the card {card}; the nearest: {lines}")
    return text.format(card=name, lines=listed)


def card_waits(hand: HeldTiles, rules: Ruleset, card: WrittenCard | None = None) -> CardWaits:
    """Return what thirteen tiles wait for under a card. Raises HandError for tiles nobody can hold."""
    check_hand(hand, rules)
    scheme = CardScheme(card)
    return CardWaits(scheme.waits(hand, rules), tuple(scheme.distances(hand, rules)))
