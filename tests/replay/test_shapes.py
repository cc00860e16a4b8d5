"""Shanten, waits and acceptance against two libraries, a slow obvious reference and known answers."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import riichienv
from case_data import case_data
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from mahjong.shanten import Shanten as MahjongShanten
from scratch_state import complete

from paifu.replay.kernels import shapes as shape_kernels
from paifu.replay.kernels.rules import IDENTICAL_PAIRS
from paifu.replay.model.tile_notation import format_tiles, parse_tiles
from paifu.replay.model.tiles import KINDS, SANMA_ABSENT_KINDS, TERMINALS_AND_HONOURS, counts_of
from paifu.replay.shapes.shanten import (
    Acceptance,
    Shanten,
    acceptance,
    discards,
    kinds_of,
    may_wait,
    shanten,
    shanten_many,
    waits,
    waits_many,
)
from paifu.replay.shapes.table_making import build_arrays
from paifu.replay.shapes.tables import load_arrays, load_tables

HELPERS = str(Path(__file__).parents[1] / "helpers")
Counts = npt.NDArray[np.uint8]


def random_hands(seed: int, n: int, *, sanma: bool = False) -> tuple[Counts, Counts]:
    """Return (n, 34) hands and (n,) melds: 0-4 melds, 13 or 14 tiles, from chaos to nearly complete.

    Every hand comes from a shuffled wall in which random kinds lie near the top: flushes, triplets and
    orphans are as common as mixed hands.
    """
    rng = np.random.default_rng(seed)
    called = (rng.integers(0, 5, n) * rng.integers(0, 2, n)).astype(np.uint8)
    size = 13 + rng.integers(0, 2, n) - 3 * called
    suit = np.arange(KINDS) // 9
    favour = rng.random((n, 4))[:, suit] * rng.choice([0.0, 1.0, 3.0], (n, 1))
    favour += rng.random((n, KINDS)) * rng.choice([0.0, 1.0, 3.0], (n, 1))
    favour[:, list(TERMINALS_AND_HONOURS)] -= 2 * (rng.random((n, 1)) < 0.1)
    if sanma:
        favour[:, list(SANMA_ABSENT_KINDS)] = np.inf
    order = np.argsort(np.repeat(favour, 4, axis=1) + rng.random((n, 4 * KINDS)), axis=1, kind="stable")
    top = (np.arange(14) < size[:, None]).ravel()
    kinds = (order[:, :14] // 4).ravel()[top]
    rows = np.repeat(np.arange(n), 14)[top]
    counts = np.zeros((n, KINDS), np.uint8)
    np.add.at(counts, (rows, kinds), 1)
    return counts, called


def ids_of(counts: Counts) -> list[int]:
    return [4 * kind + copy for kind in range(KINDS) for copy in range(counts[kind])]


# --- the slow obvious reference ---------------------------------------------------------------------------


@cache
def targets(kinds: int, sequences: bool) -> dict[tuple[int, int], Counts]:
    """Every choice of melds and pairs in one suit that uses no kind five times, by (melds, pairs)."""
    melds = [np.eye(kinds, dtype=np.uint8)[i] * 3 for i in range(kinds)]
    if sequences:
        melds += [np.eye(kinds, dtype=np.uint8)[i : i + 3].sum(axis=0).astype(np.uint8) for i in range(7)]
    pairs = [np.zeros(kinds, np.uint8), *(np.eye(kinds, dtype=np.uint8)[i] * 2 for i in range(kinds))]
    found: dict[tuple[int, int], list[Counts]] = {}
    for n in range(5):
        for chosen in combinations_with_replacement(melds, n):
            for i, pair in enumerate(pairs):
                whole = np.sum([*chosen, pair], axis=0).astype(np.uint8)
                if whole.max() <= 4:
                    found.setdefault((n, int(i > 0)), []).append(whole)
    return {key: np.array(rows) for key, rows in found.items()}


@cache
def missing_in_suit(held: tuple[int, ...], sequences: bool) -> dict[tuple[int, int], int]:
    """The fewest tiles missing to each number of melds and pairs in one suit."""
    return {
        key: int(np.maximum(rows.astype(int) - held, 0).sum(axis=1).min())
        for key, rows in targets(len(held), sequences).items()
    }


def obvious_standard(counts: Counts, called: int, *, sanma: bool = False) -> int:
    suits = [tuple(counts[i : i + 9].tolist()) for i in (0, 9, 18)] + [tuple(counts[27:].tolist())]
    parts = [missing_in_suit(suits[0][::8], False) if sanma else missing_in_suit(suits[0], True)]
    parts += [
        missing_in_suit(suits[1], True),
        missing_in_suit(suits[2], True),
        missing_in_suit(suits[3], False),
    ]
    best = {(0, 0): 0}
    for part in parts:
        joined: dict[tuple[int, int], int] = {}
        for (m, p), cost in best.items():
            for (more, pair), lack in part.items():
                if m + more <= 4 and p + pair <= 1:
                    goal = (m + more, p + pair)
                    joined[goal] = min(joined.get(goal, 99), cost + lack)
        best = joined
    return best[4 - called, 1] - 1


def obvious_seven_pairs(counts: Counts, *, identical_pairs: bool = False) -> int:
    """Missing tiles to any seven pairs: the seven (or twice-used) kinds that miss least."""
    lacks = [max(0, 2 - int(c)) for c in counts]
    if identical_pairs:
        lacks += [max(0, 4 - int(c)) - max(0, 2 - int(c)) for c in counts]
    return sum(sorted(lacks)[:7]) - 1


def obvious_orphans(counts: Counts) -> int:
    held = [int(counts[kind]) for kind in TERMINALS_AND_HONOURS]
    return sum(c == 0 for c in held) + (max(held) < 2) - 1


def obvious_shanten(
    counts: Counts, called: int, *, sanma: bool = False, identical_pairs: bool = False
) -> int:
    standard = obvious_standard(counts, called, sanma=sanma)
    if called:
        return standard
    return min(
        standard, obvious_seven_pairs(counts, identical_pairs=identical_pairs), obvious_orphans(counts)
    )


@pytest.mark.every(3)
@pytest.mark.parametrize("sanma", [False, True])
@pytest.mark.parametrize("identical_pairs", [False, True])
def test_shanten_matches_the_obvious_way(sanma: bool, identical_pairs: bool) -> None:
    counts, called = random_hands(1, 600, sanma=sanma)
    ours = shanten_many(counts, called, sanma=sanma, forms=int(identical_pairs))
    theirs = [
        obvious_shanten(row, int(n), sanma=sanma, identical_pairs=identical_pairs)
        for row, n in zip(counts, called, strict=True)
    ]
    assert ours.tolist() == theirs
    assert set(range(5)) <= set(ours.tolist())
    assert len(set(zip(counts.sum(axis=1).tolist(), called.tolist(), strict=True))) == 10


@given(st.permutations(range(136)), st.integers(13, 14))
def test_a_drawn_tile_lowers_shanten_by_at_most_one(wall: list[int], size: int) -> None:
    counts = np.bincount(np.array(wall[:size]) // 4, minlength=KINDS).astype(np.uint8)
    now = obvious_shanten(counts, 0)
    assert shanten(counts).least == now
    if size == 13:
        counts[wall[13] // 4] += 1
        assert now - 1 <= shanten(counts).least <= now


# --- other libraries --------------------------------------------------------------------------------------


def against_libraries(seed: int, n: int) -> None:
    counts, called = random_hands(seed, n)
    ours = shanten_many(counts, called).tolist()
    for row, value in zip(counts, ours, strict=True):
        tiles = row.tolist()
        assert value == MahjongShanten.calculate_shanten(tiles), tiles
        assert value == riichienv.calculate_shanten(ids_of(row)), tiles


def test_shanten_matches_two_libraries() -> None:
    against_libraries(2, 10_000)


def test_3_player_shanten_matches_two_libraries() -> None:
    counts, called = random_hands(3, 10_000, sanma=True)
    ours = shanten_many(counts, called, sanma=True).tolist()
    four_players = shanten_many(counts, called).tolist()
    for row, value in zip(counts, ours, strict=True):
        tiles = row.tolist()
        assert value == MahjongShanten.calculate_shanten(tiles, is_three_player=True), tiles
        assert value == riichienv.calculate_shanten_3p(ids_of(row)), tiles
    assert ours != four_players


@pytest.mark.corpus
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_shanten_matches_the_public_sets(shared: Path, number: int) -> None:
    rows = json.loads((shared / f"testsets/kobalab-majiang-core/xiangting_{number}.json").read_text("utf-8"))
    for row in rows:
        ours = shanten(parse_tiles("".join(tile[::-1] for tile in row["q"])))
        assert [ours.standard, ours.thirteen_orphans, ours.seven_pairs] == row["x"], row["q"]
    assert len(rows) == 2000


# --- waits ------------------------------------------------------------------------------------------------


def obvious_waits(counts: Counts, melded: Counts, called: int, *, identical_pairs: bool = False) -> list[int]:
    found = []
    for kind in range(KINDS):
        more = counts.copy()
        more[kind] += 1
        closed = called == 0 and (
            obvious_seven_pairs(more, identical_pairs=identical_pairs) == -1 or obvious_orphans(more) == -1
        )
        if counts[kind] + melded[kind] < 4 and (
            closed or complete(tuple(np.repeat(np.arange(KINDS), more).tolist()))
        ):
            found.append(kind)
    return found


def tenpai_hands(seed: int, n: int) -> tuple[Counts, Counts, list[list[list[int]]]]:
    """Return hands, melds by kind and melds as tiles: complete hands less one tile, of many shapes."""
    rng = np.random.default_rng(seed)
    hands: list[Counts] = []
    melded: list[Counts] = []
    melds: list[list[list[int]]] = []
    while len(hands) < n:
        suits = rng.choice(4, rng.integers(1, 4), replace=False)
        kinds = np.flatnonzero(np.isin(np.arange(KINDS) // 9, suits))
        sets = []
        for _ in range(4):
            first = int(rng.choice(kinds))
            run = first < 27 and first % 9 < 7 and rng.random() < 0.7
            sets.append([first, first + 1, first + 2] if run else [first] * 3)
        called = int(rng.integers(0, 5)) * int(rng.integers(0, 2))
        own = [meld + meld[:1] * (meld[0] == meld[1] and rng.random() < 0.7) for meld in sets[:called]]
        tiles = [tile for meld in sets[called:] for tile in meld] + [int(rng.choice(kinds))] * 2
        tiles.pop(rng.integers(len(tiles)))
        hand = np.bincount(tiles, minlength=KINDS)
        table = np.bincount([tile for meld in own for tile in meld], minlength=KINDS)
        if (hand + table).max() <= 4:
            hands.append(hand.astype(np.uint8))
            melded.append(table.astype(np.uint8))
            melds.append(own)
    return np.array(hands), np.array(melded), melds


def test_waits_match_the_obvious_way() -> None:
    hands, melded, melds = tenpai_hands(4, 600)
    several = fifth = 0
    for hand, table, own in zip(hands, melded, melds, strict=True):
        expected = obvious_waits(hand, table, len(own))
        assert list(waits(hand, own)) == expected, (hand, own)
        several += len(expected) >= 3
        fifth += not expected
    assert several > 80, "too few hands with three waits or more"
    assert fifth > 3, "too few hands whose only wait is a fifth tile"


def test_waits_of_any_closed_hand() -> None:
    """Tenpai or not: a hand has waits exactly when its shanten is 0, except for kinds that it holds whole."""
    counts, called = random_hands(5, 20_000)
    counts = counts[(counts.sum(axis=1) == 13) & (called == 0)]
    tenpai = 0
    for row, value in zip(counts, shanten_many(counts, np.zeros(len(counts), np.uint8)), strict=True):
        expected = obvious_waits(row, np.zeros(KINDS, np.uint8), 0) if value == 0 else []
        assert list(waits(row)) == expected, row
        tenpai += value == 0
        assert bool(expected) == (value == 0)
    assert tenpai > 100


def seven_pairs_and_orphans_hands(seed: int, n: int) -> list[Counts]:
    """Closed hands at or near tenpai of seven pairs (four of a kind included) and thirteen orphans."""
    rng = np.random.default_rng(seed)
    hands: list[Counts] = []
    while len(hands) < n:
        if rng.random() < 0.5:
            tiles = np.repeat(rng.integers(0, KINDS, 7), 2)[:13]
        else:
            tiles = rng.permutation([*TERMINALS_AND_HONOURS, int(rng.choice(TERMINALS_AND_HONOURS))])[:13]
        if rng.random() < 0.3:
            tiles[rng.integers(13)] = rng.integers(0, KINDS)
        hand = np.bincount(tiles, minlength=KINDS)
        if hand.max() <= 4:
            hands.append(hand.astype(np.uint8))
    return hands


@pytest.mark.every(2)
@pytest.mark.parametrize("identical_pairs", [False, True])
def test_waits_of_seven_pairs_and_orphans(identical_pairs: bool) -> None:
    none = np.zeros(KINDS, np.uint8)
    tenpai = thirteen_sided = 0
    for hand in seven_pairs_and_orphans_hands(6, 600):
        expected = obvious_waits(hand, none, 0, identical_pairs=identical_pairs)
        assert list(waits(hand, forms=int(identical_pairs))) == expected, hand
        tenpai += bool(expected)
        thirteen_sided += len(expected) == 13
    assert tenpai > 200
    assert thirteen_sided > 5


@pytest.mark.parametrize("sanma", [False, True])
@pytest.mark.parametrize("forms", [0, IDENTICAL_PAIRS])
def test_waits_of_many_hands_are_those_of_each(sanma: bool, forms: int) -> None:
    counts, called = random_hands(12, 3_000, sanma=sanma)
    fit = counts.sum(axis=1) + 3 * called == 13
    counts, called = counts[fit & (called == 0)], called[fit & (called == 0)]
    masks = waits_many(counts, called, sanma=sanma, forms=forms)
    assert [kinds_of(mask) for mask in masks.tolist()] == [
        waits(hand, sanma=sanma, forms=forms) for hand in counts
    ]
    hands, melded, melds = tenpai_hands(13, 1_000)
    number = np.array([len(each) for each in melds])
    assert [kinds_of(mask) for mask in waits_many(hands, number, melded).tolist()] == [
        waits(hand, each) for hand, each in zip(hands, melds, strict=True)
    ]
    assert waits_many(hands[:0]).tolist() == shanten_many(hands[:0]).tolist() == []


def test_waits_match_riichienv() -> None:
    """We agree, except on kinds of which hand and melds together hold four.

    It looks at the hand alone and waits for a fifth tile there, say 12m beside a kan of 3m. There is no such
    tile, and by the rules no such wait: at a draw the hand is noten.
    """
    hands, melded, melds = tenpai_hands(7, 3000)
    fifth = 0
    for hand, table, own in zip(hands, melded, melds, strict=True):
        used = table.astype(int).tolist()
        taken: list[riichienv.Meld] = []
        seen = [0] * KINDS
        for meld in own:
            ids = []
            for tile in meld:
                ids.append(4 * tile + seen[tile])
                seen[tile] += 1
            kind = riichienv.MeldType.Ankan if len(meld) == 4 else riichienv.MeldType.Pon
            kind = riichienv.MeldType.Chi if meld[0] != meld[1] else kind
            taken.append(riichienv.Meld(kind, ids, len(meld) == 3))
        tiles = [4 * tile + used[tile] + copy for tile in range(KINDS) for copy in range(hand[tile])]
        theirs = riichienv.HandEvaluator(tiles, taken).get_waits()
        ours = waits(hand, own)
        full = [tile for tile in theirs if hand[tile] + table[tile] == 4]
        fifth += bool(full)
        assert sorted(set(theirs) - set(full)) == list(ours), (hand, own)
    assert fifth > 10


@each_row(("hand", "melds", "expected"), case_data("shapes")["waits"]["rows"])
def test_known_waits(hand: str, melds: list[str], expected: str) -> None:
    assert format_tiles(waits(parse_tiles(hand), [parse_tiles(meld) for meld in melds])) == expected


def test_identical_pairs_are_an_option() -> None:
    hand = parse_tiles("1111m223344p55s1z")
    assert shanten(hand).seven_pairs == 2
    assert shanten(hand, forms=IDENTICAL_PAIRS).seven_pairs == 0
    assert format_tiles(waits(hand, forms=IDENTICAL_PAIRS)) == "1z"


# --- acceptance -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sanma", [False, True])
@pytest.mark.parametrize("identical_pairs", [False, True])
def test_acceptance_is_what_lowers_shanten(sanma: bool, identical_pairs: bool) -> None:
    counts, called = random_hands(8, 4000, sanma=sanma)
    thirteen = counts.sum(axis=1) + 3 * called == 13
    counts, called = counts[thirteen], called[thirteen]
    tables = load_tables(sanma=sanma)
    now = shanten_many(counts, called, sanma=sanma, forms=int(identical_pairs))
    expected = np.zeros(len(counts), np.int64)
    for kind in range(KINDS):
        room = counts[:, kind] < 4
        if sanma and kind in SANMA_ABSENT_KINDS:
            continue
        more = counts[room].copy()
        more[:, kind] += 1
        better = shanten_many(more, called[room], sanma=sanma, forms=int(identical_pairs)) < now[room]
        expected[np.flatnonzero(room)[better]] |= 1 << kind
    for row, n, value, mask in zip(counts, called, now, expected, strict=True):
        got = shape_kernels.acceptance(
            *shape_kernels.suit_keys(row), int(n), int(identical_pairs), tables.kinds, tables
        )
        assert (int(got[0]), kinds_of(int(got[1]))) == (value, kinds_of(int(mask)))


def test_acceptance_counts_live_tiles() -> None:
    hand = parse_tiles("123m456p78s11222z")
    assert acceptance(hand) == Acceptance(0, tuple(parse_tiles("69s1z"[:3])), 8)
    seen = [*hand, *parse_tiles("666s9s3z")]
    assert acceptance(hand, seen=seen) == Acceptance(0, tuple(parse_tiles("69s")), 4)


def test_acceptance_offers_no_fifth_tile_of_a_meld() -> None:
    assert acceptance(
        parse_tiles("23m55p"), [parse_tiles(t) for t in ("1111m", "456p", "789p")]
    ) == Acceptance(0, tuple(parse_tiles("4m")), 4)


def test_acceptance_knows_the_3_player_set() -> None:
    """Any new kind becomes the pair, but none of which a fourth tile would be held, and no absent one."""
    hand = parse_tiles("1111m222p333s444z")
    held = set(parse_tiles("1m2p3s4z"))
    every = tuple(kind for kind in range(KINDS) if kind not in held)
    present = tuple(kind for kind in every if kind not in SANMA_ABSENT_KINDS)
    assert acceptance(hand) == Acceptance(1, every, 120)
    assert acceptance(hand, sanma=True) == Acceptance(1, present, 92)


def test_discards_are_the_hands_they_leave() -> None:
    counts, called = random_hands(9, 400)
    checked = 0
    for row, n in zip(counts, called, strict=True):
        if n or row.sum() != 14:
            continue
        found = discards(row)
        assert sorted(one.kind for one in found) == np.flatnonzero(row).tolist()
        for one in found:
            less = row.copy()
            less[one.kind] -= 1
            assert one.after == acceptance(less, seen=row)
            checked += 1
        order = [(one.after.shanten, -one.after.live) for one in found]
        assert order == sorted(order)
    assert checked > 500


def test_a_discard_from_four_can_be_waited_for_again() -> None:
    """A kind held in full is not a wait, but it can be had again once one of it is thrown."""
    melds = [parse_tiles(t) for t in ("111m", "456p", "789p", "222z")]
    by_kind = {one.kind: one.after for one in discards(parse_tiles("1m9s"), melds)}
    assert by_kind[0] == Acceptance(0, tuple(parse_tiles("9s")), 3)
    assert by_kind[26] == Acceptance(0, (), 0)


# --- the checked callers ----------------------------------------------------------------------------------


def test_forms_are_told_apart() -> None:
    assert shanten(parse_tiles("1122m3344p5566s77z")) == Shanten(3, -1, 10)
    assert shanten(parse_tiles("19m19p19s12345677z")) == Shanten(7, 5, -1)
    melds = [parse_tiles(meld) for meld in ("111p", "067s", "2222s")]
    assert shanten(parse_tiles("340m1z"), melds) == Shanten(0, None, None)


@each_row(
    ("hand", "melds", "options", "message"),
    [
        ("11111m222p333s44z", [], {}, "hand: 5 of 1m"),
        ("1111m", ["111m"], {}, "hand and melds: 7 of 1m"),
        ("123m", [], {}, "hand: 3 tiles beside 0 melds, expected 13 or 14"),
        ("123456789m1234p", ["111z"], {}, "hand: 13 tiles beside 1 melds, expected 10 or 11"),
        ("1z", ["12p"], {}, "meld 12p: 2 tiles"),
        ("1z", ["123p"] * 5, {}, "5 melds"),
        ("5m123p456p789p111z", [], {"sanma": True}, "5m is not in a 3-player set"),
        ("1z", ["567m", "111p", "222p", "333p"], {"sanma": True}, "meld 567m: 5m is not in a 3-player set"),
    ],
)
def test_a_hand_that_cannot_be_says_why(
    hand: str, melds: list[str], options: dict[str, bool], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        shanten(parse_tiles(hand), [parse_tiles(meld) for meld in melds], **options)


def test_bad_input_says_why() -> None:
    with pytest.raises(ValueError, match="255 is not a tile"):
        shanten([255] * 13)
    with pytest.raises(ValueError, match="whole counts"):
        shanten(np.zeros(33, np.uint8))
    with pytest.raises(ValueError, match="14 tiles beside 0 melds, expected 13"):
        waits(parse_tiles("123m456p789s11122z"))
    with pytest.raises(ValueError, match="seen: 2 of 1z, but hand and melds hold 3"):
        acceptance(parse_tiles("123m456p789s1112z"), seen=parse_tiles("123m456p789s112z"))
    counts, called = random_hands(10, 5)
    counts[3, 0] = 5
    with pytest.raises(ValueError, match="row 3: 5 of 1m"):
        shanten_many(counts, called)
    counts[3] = 0
    with pytest.raises(ValueError, match="hand: 0 tiles"):
        shanten_many(counts, called)
    called[2] = 7
    with pytest.raises(ValueError, match="row 2: 7 melds"):
        shanten_many(counts, called)
    with pytest.raises(ValueError, match="expected"):
        shanten_many(counts[:, :33], called)


# --- tables and the interpreted body ----------------------------------------------------------------------


@pytest.mark.full
def test_the_shipped_tables_are_those_the_source_makes() -> None:
    shipped, made = load_arrays(), build_arrays()
    assert shipped.keys() == made.keys()
    for name, array in made.items():
        assert shipped[name].dtype == array.dtype
        assert np.array_equal(shipped[name], array), f"{name}: run python -m paifu.replay.shapes.table_making"


def report() -> str:
    """Everything the kernels say about some hundred hands, 3- and 4-player, both seven-pairs rules."""
    lines: list[object] = []
    for sanma in (False, True):
        counts, called = random_hands(11, 60, sanma=sanma)
        lines += shanten_many(counts, called, sanma=sanma).tolist()
        lines += [
            discards(row, sanma=sanma) for row, n in zip(counts, called, strict=True) if row.sum() == 14
        ]
    for hand, own in zip(*tenpai_hands(12, 100)[::2], strict=True):
        lines.append((waits(hand, own), acceptance(hand, own)))
    for hand in seven_pairs_and_orphans_hands(13, 40):
        lines += [shanten(hand), waits(hand), waits(hand, forms=IDENTICAL_PAIRS)]
    return json.dumps([str(line) for line in lines])


@pytest.mark.full
def test_interpreted_kernels_say_the_same() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import test_shapes;"
        "from paifu.replay.kernels.running import way;"
        "assert way() == 'python'; print(test_shapes.report())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(Path(__file__).parent)],
        env={**os.environ, "PAIFU_KERNELS": "python", "PYTHONPATH": HELPERS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == report()
    assert len(json.loads(done.stdout)) > 350


def test_hands_that_may_wait_are_those_that_do() -> None:
    """Of many hands at once; hands that cannot be have no waits, and are no error."""
    rng = random.Random(7)  # noqa: S311
    hands: list[tuple[list[int], int]] = [([], 0), ([0] * 5 + [1] * 8, 0), ([255] * 13, 0), ([0] * 13, 5)]
    for _ in range(3000):
        called = rng.randrange(5)
        suit = rng.choice([range(9), range(37), range(27, 34)])
        hands.append((rng.choices(suit, k=13 - 3 * called + (rng.random() < 0.05)), called))
    for sanma in (False, True):
        waiting = 0
        for (tiles, called), may in zip(hands, may_wait(hands, sanma=sanma), strict=True):
            melds = [[27 + 7 - 1 - number] * 3 for number in range(called)]
            try:
                found = bool(waits(tiles, melds, sanma=sanma))
            except ValueError:
                found = False
            waiting += found
            assert may or not found, (tiles, called)
            if called == 0 and may:
                assert shanten_many(counts_of(tiles)[None], np.zeros(1, np.uint8))[0] <= 0
        assert waiting > 100
    assert may_wait([]) == []
