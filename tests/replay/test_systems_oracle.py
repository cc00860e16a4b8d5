"""Random wins of each game against the slow second scoring: value, patterns and every payment."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from random_systems import random_loser, random_win
from slow_cards import CARDS, SlowLine, away, spelt
from slow_systems import (
    HONOURS,
    SUITED,
    SlowWin,
    best,
    classical_payments,
    faan_payments,
    loser_score,
    series_payments,
)

from paifu.replay.model.tile_notation import parse_kinds
from paifu.replay.model.tiles import tile_of_kind
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.schemes.card import CardScheme
from paifu.replay.schemes.hand import Facts, HeldTiles, Replacement
from paifu.replay.schemes.registry import scheme_of
from paifu.replay.schemes.scheme import CompleteHand, Won
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Meld

pytestmark = pytest.mark.every(4)

SYSTEMS = ("zung-jung", "wsom", "hk-old-style", "chinese-classical")
FEW, MANY = 2_000, 100_000


def kinds(tiles: list[str] | tuple[str, ...]) -> tuple[int, ...]:
    return tuple(parse_kinds("".join(tiles)))


def as_hand(win: SlowWin, *, won: bool = True) -> HeldTiles:
    return HeldTiles(
        tiles=kinds(win.tiles),
        win=kinds([win.win])[0] if won else None,
        melds=tuple(Meld.of(kinds(meld), closed=concealed) for meld, concealed in win.melds),
        bonus=tuple(sorted(kinds(win.bonus))),
    )


def as_facts(win: SlowWin, losers: dict[int, SlowWin]) -> Facts:
    gong = Replacement.GONG if "gong" in win.situation else Replacement.NONE
    return Facts(
        seat_wind=win.seat,
        round_wind=win.round,
        self_drawn=win.drawn,
        payer=None if win.drawn else win.payer,
        last_tile="last" in win.situation,
        replacement=Replacement.BONUS if "bonus" in win.situation else gong,
        gongs_in_turn=2 if "gong-on-gong" in win.situation else int("gong" in win.situation),
        robbing="robbing" in win.situation,
        first_turn="first" in win.situation,
        dealers_first_discard="dealers-first" in win.situation,
        losers={seat: as_hand(loser, won=False) for seat, loser in losers.items()},
    )


def check(system: str, rng: Random, seen: Counter[str]) -> None:
    """Make one win and hold both scorings against each other."""
    rules = load_preset(system)
    win = random_win(rng, bonus=bool(rules.tiles.bonus_tiles))
    losers: dict[int, SlowWin] = {}
    if rules.classical.losers_settle:
        taken = Counter([*win.tiles, *win.bonus, *(tile for meld, _ in win.melds for tile in meld)])
        if "robbing" in win.situation:
            taken[win.win] = 4
        for seat in range(4):
            loser = random_loser(rng, taken) if seat != win.seat and rng.random() < 0.5 else None
            if loser is not None:
                losers[seat] = loser
    expected = best(system, win)
    won: Won | HandError
    try:
        won = scheme_of(rules).score(CompleteHand(as_hand(win), as_facts(win, losers)), rules)
    except HandError as error:
        won = error
    assert isinstance(won, HandError) == (expected is None), f"{win}: {won}, expected {expected}"
    if isinstance(won, HandError) or expected is None:
        seen["refused"] += 1
        return
    value, readings = expected
    mine = {row.id: row.value for row in won.patterns}
    assert won.value == value, f"{win}: {mine}, expected {readings}"
    assert mine in readings, f"{win}: {mine}, expected {readings}"
    if rules.classical.losers_settle:
        scores = {seat: loser_score(loser, seat, win.round) for seat, loser in losers.items()}
        assert {own.seat: own.score for own in won.losers} == scores, f"{losers}"
        payments = classical_payments(value, win, scores)
    elif system == "hk-old-style":
        payments = faan_payments(value, win)
    else:
        payments = series_payments(value, win)
    assert list(won.payments) == payments, f"{win}"
    seen.update(mine.keys() or ["nothing"])


def hold(system: str, number: int) -> Counter[str]:
    rng, seen = Random(f"{system} {number}"), Counter[str]()  # noqa: S311
    for _ in range(number):
        check(system, rng, seen)
    return seen


@pytest.mark.parametrize("system", SYSTEMS)
def test_random_wins_score_alike(system: str) -> None:
    seen = hold(system, FEW)
    assert seen["refused"] < FEW // 2 or system == "chinese-classical"
    assert len(seen) > 20


# American


def card_kinds(tiles: list[str] | tuple[str, ...], rng: Random) -> tuple[int, ...]:
    """Kinds of texts in which F is some flower (each of the eight once) and J a joker."""
    flowers = rng.sample(range(34, 42), 8)
    return tuple(
        42 if tile == "J" else flowers.pop() if tile == "F" else parse_kinds(tile)[0] for tile in tiles
    )


def random_card_hand(rng: Random, lines: tuple[SlowLine, ...]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Fourteen tiles near a line, with jokers and exposures, some of them wrong."""
    line = rng.choice(lines)
    hand = rng.choice(spelt(line))
    tiles: list[str] = []
    exposures: list[tuple[str, ...]] = []
    jokers = 0
    for group in hand:
        like = len(group) >= 3 and len(set(group)) == 1
        wild = rng.choice((0, 0, 1, 2, len(group))) if like else int(rng.random() < 0.01)
        wild = max(
            wild, sum(group[0] == tile for tile in group) - (8 if group[0] == "F" else 4) if like else 0
        )
        wild = min(wild, 8 - jokers, len(group))
        jokers += wild
        made = ("J",) * wild + group[wild:]
        if like and wild < len(group) and rng.random() < (0.3 if line.exposed else 0.03):
            exposures.append(made)
        else:
            tiles += made
    for _ in range(rng.choice((0, 0, 0, 1, 2, 5))):
        if tiles:
            tiles[rng.randrange(len(tiles))] = rng.choice(["F", "J", *SUITED, *HONOURS])
    rng.shuffle(tiles)
    held = Counter([*tiles, *(tile for exposure in exposures for tile in exposure)])
    possible = all(count <= (8 if tile in "FJ" else 4) for tile, count in held.items())
    return (tiles, exposures) if possible and tiles else random_card_hand(rng, lines)


def check_card(name: str, rng: Random, seen: Counter[str]) -> None:
    rules = with_overrides(load_preset("american-2013"), {"card": name})
    lines = CARDS[name]
    tiles, exposures = random_card_hand(rng, lines)
    every = card_kinds([*(tile for exposure in exposures for tile in exposure), *tiles], rng)
    sizes = [len(exposure) for exposure in exposures]
    groups = [every[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(len(sizes))]
    melds = [Meld.of(map(tile_of_kind, group)) for group in groups]
    hand = HeldTiles(tiles=every[sum(sizes) :], win=every[-1], melds=tuple(melds))
    expected = {line.id: away(line, tiles, exposures) for line in lines}
    assert {d.line.id: d.away for d in CardScheme().distances(hand, rules)} == expected, (
        f"{tiles} {exposures}"
    )
    jokers = sum(tile == "J" for tile in [*tiles, *(t for exposure in exposures for t in exposure)])
    worth = [
        line.value * (1 if jokers or not line.doubles else 2) for line in lines if expected[line.id] == 0
    ]
    win = CompleteHand(hand, Facts(seat_wind=1, self_drawn=True))
    try:
        value = CardScheme().score(win, rules).value
    except HandError:
        value = 0
    assert value == max(worth, default=0), f"{tiles} {exposures}"
    seen.update(name for name, distance in expected.items() if distance == 0)
    if rng.random() < 0.02:
        check_card_waits(
            tiles[:-1], exposures, HeldTiles(tiles=hand.tiles[:-1], melds=hand.melds), rules, lines
        )


def check_card_waits(
    tiles: list[str],
    exposures: list[tuple[str, ...]],
    hand: HeldTiles,
    rules: Ruleset,
    lines: tuple[SlowLine, ...],
) -> None:
    held = Counter([*tiles, *(tile for exposure in exposures for tile in exposure)])
    wanted = [
        tile
        for tile in (*SUITED, *HONOURS, "F", "J")
        if held[tile] < (8 if tile in "FJ" else 4)
        and any(away(line, [*tiles, tile], exposures) == 0 for line in lines)
    ]
    kinds_wanted = {{"F": 34, "J": 42}[tile] if tile in "FJ" else parse_kinds(tile)[0] for tile in wanted}
    assert set(CardScheme().waits(hand, rules)) == kinds_wanted, f"{tiles} {exposures}"


@pytest.mark.parametrize("name", CARDS)
def test_random_hands_match_the_card_alike(name: str) -> None:
    rng, seen = Random(name), Counter[str]()  # noqa: S311
    for _ in range(300):
        check_card(name, rng, seen)
    assert len(seen) == len(CARDS[name])
