"""The solver of discards, against brute force, closed formulas and published figures."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from each_row import each_row
from expectimax import Expectimax, hypergeometric

from paifu.coach.solving.position import NaniKiru, wall_at
from paifu.coach.solving.solve import Candidate, Solution, solve, tiles_ahead
from paifu.replay.kernels import table_state as state
from paifu.replay.model.tile_notation import format_tiles, parse_tile, parse_tiles
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.hand_text import parse_hand

HELPERS = str(Path(__file__).parents[1] / "helpers")
TENHOU = load_preset("tenhou")
NO_REDS = with_overrides(TENHOU, {"red_man": 0, "red_pin": 0, "red_sou": 0})


def position(
    text: str, *, rules: Ruleset = TENHOU, turn: int = 6, dora: str = "", seat_wind: int = 1
) -> NaniKiru:
    """Return the position of a hand."""
    hand = parse_hand(text)
    return NaniKiru(
        rules=rules,
        tiles=hand.tiles,
        melds=hand.melds,
        kita=hand.kita,
        seat_wind=seat_wind,
        indicators=tuple(parse_tiles(dora)),
        wall=wall_at(turn, seat_wind, rules),
    )


def solved(asked: NaniKiru, *, ron: float = 0.0, **options: object) -> Solution:
    """Solve a position that is near enough to tenpai; unless ``ron`` says otherwise, by tsumo only."""
    asked.check()
    found = solve(asked, max(0, tiles_ahead(asked)[0].shanten), ron=ron, **options)  # type: ignore[arg-type]
    assert found is not None
    return found


def of(found: Solution, tile: str) -> Candidate:
    """Return what was found of a discard."""
    return next(one for one in found.candidates if one.tile == parse_tile(tile))


def test_a_position_lies_on_the_table_as_it_was_stated() -> None:
    table = position("123m456p789s2z(555z)3z", seat_wind=2).table()
    assert (table.turn, table.phase) == (2, state.WAIT_ACT)
    assert table.open_melds.tolist() == [0, 0, 1, 0]
    assert table.counts.sum(axis=1).tolist() == [0, 0, 11, 0]
    assert position("123m456p789s2z[5555z]3z", seat_wind=2).table().open_melds.sum() == 0


# --- brute force ----------------------------------------------------------------------------------------

SMALL = [
    # hand, what is left to draw, dora indicator, tiles left for all, share of ron
    ("123m456p789s1122z5p", "1112z45p", "9p", 8, 0.0),
    ("123m456p789s1122z5p", "1112z45p", "9p", 12, 0.5),
    ("234m067p78s55577z1m", "6667799s1z", "6s", 12, 0.3),
    ("34678m678p22s5z(345p)", "255m05m9m1z", "1s", 12, 0.4),
    ("23478m678p22s5z(234p)", "69m69m5z5z2s", "1s", 12, 0.57),
    ("234567m23p34588s7z", "14p1p4p4p9p9p", "8p", 8, 0.0),
    ("2256m667788p445s3z", "47m345s05p6s2m", "4p", 8, 0.5),
    ("1122335577m66p9s1z", "9s1z1z9s6p5m0m", "", 12, 0.0),
    ("1112345678999m5p", "5m0m9m1m5p5p7p", "1z", 8, 0.2),
    ("19m19p19s1234567z1m", "9m9p9s1z2z3z", "2p", 12, 0.5),
    ("123456m1199p(777z)9s", "9p1p9s8p7s3p", "", 12, 0.6),
    ("123m456p789m1122z0s", "1112z5s5p", "9p", 12, 0.3),
    ("123m456p789m1122z5p", "1112z0s5p", "9p", 12, 0.3),
]


def scarce(asked: NaniKiru, left: str) -> NaniKiru:
    """Return the position with all tiles seen but a few, as far as there are so many."""
    live, pool = asked.live(), parse_tiles(left)
    seen = [tile for tile in range(37) for _ in range(max(0, int(live[tile]) - pool.count(tile)))]
    return replace(asked, seen=tuple(seen))


@pytest.mark.every(8)
@pytest.mark.parametrize(("text", "left", "dora", "wall", "ron"), SMALL)
def test_the_solver_finds_what_brute_force_finds(
    text: str, left: str, dora: str, wall: int, ron: float
) -> None:
    asked = scarce(replace(position(text, dora=dora), wall=wall), left)
    slow = Expectimax(asked, ron)
    found = solved(asked, ron=ron, changes=2)
    assert {one.tile for one in found.candidates} == set(asked.tiles)
    assert any(one.solo and one.solo.win > 0 for one in found.candidates)
    for one in found.candidates:
        assert one.solo is not None
        expected = slow.discard(one.tile)
        got = (one.solo.tenpai, one.solo.win, one.solo.points)
        assert got[1:] == pytest.approx(expected[1:], rel=1e-6, abs=1e-6), format_tiles([one.tile])


def shuffled(seed: int) -> tuple[str, str]:
    """Return a hand near a win, and some tiles to draw from."""
    rng = random.Random(seed)  # noqa: S311  hands for a test
    whole = [k for k in range(34) for _ in range(4)]
    sets = [[k, k + 1, k + 2] for k in range(27) if k % 9 < 7] + [[k] * 3 for k in range(34)]
    while True:
        tiles = [tile for one in rng.sample(sets, 4) for tile in one] + [rng.randrange(34)] * 2
        if max(map(tiles.count, tiles)) <= 4:
            break
    rng.shuffle(tiles)
    rest = list(whole)
    for tile in tiles:
        rest.remove(tile)
    lost = tiles[: rng.choice([1, 2, 2])]
    hand = tiles[len(lost) :] + rng.sample(rest, len(lost))
    for tile in hand[-len(lost) :]:
        rest.remove(tile)
    pool = lost + rng.sample(rest, 4)
    return format_tiles(sorted(hand)), format_tiles(sorted(pool))


@pytest.mark.every(4)
@pytest.mark.parametrize("seed", range(8))
def test_the_solver_finds_what_brute_force_finds_in_random_hands(seed: int) -> None:
    text, left = shuffled(seed)
    rng = random.Random(seed)  # noqa: S311  hands for a test
    asked = scarce(replace(position(text, rules=NO_REDS), wall=8), left)
    ron = rng.choice([0.0, 0.57])
    slow = Expectimax(asked, ron)
    for one in solved(asked, ron=ron, changes=2).candidates:
        assert one.solo is not None
        assert (one.solo.win, one.solo.points) == pytest.approx(
            slow.discard(one.tile)[1:], rel=1e-6, abs=1e-6
        )


# --- what is known otherwise -----------------------------------------------------------------------------


def test_a_published_figure_of_mahjong_cpp() -> None:
    """South in the east round, 34678m678p22s5z with a chi of 345p, dora 2s, no red fives left.

    mahjong-cpp 0.9.1 (its issue 10): 61.62% by tsumo and 2,465 points with 14 draws, when nothing may change
    and the wall never shrinks.
    """
    asked = replace(position("34678m678p22s5z(345p)", dora="1s", rules=NO_REDS), wall=4 * 14)
    found = of(solved(asked, changes=0, shrinks=False), "5z").solo
    assert found is not None
    assert round(100 * found.win, 2) == 61.62
    assert round(found.points) == 2465


@pytest.mark.parametrize("draws", [1, 5, 14])
def test_the_chance_of_a_fixed_wait_is_that_of_drawing_without_replacement(draws: int) -> None:
    asked = replace(position("34678m678p22s5z(345p)", dora="1s"), wall=4 * draws)
    found = of(solved(asked, changes=0), "5z").solo
    assert found is not None
    assert found.win == pytest.approx(hypergeometric(8, 121, draws))


@pytest.mark.parametrize("ron", [0.0, 0.3, 0.57, 0.9])
def test_the_share_of_ron_is_as_stated(ron: float) -> None:
    """With two draws left, what is won by ron and by tsumo can be written down."""
    asked = replace(position("123m456p789s1122z5p", dora="9p"), wall=4)
    found = of(solved(asked, changes=0, ron=ron), "5p").solo
    assert found is not None
    assert found.riichi is not None
    draw = 4 / 121
    by_ron = ron * draw / (1 - ron + ron * draw)
    assert found.riichi.win == pytest.approx(by_ron + (1 - by_ron) * draw)
    assert by_ron / found.riichi.win == pytest.approx(ron)


def test_a_furiten_hand_wins_by_tsumo_only() -> None:
    asked = position("34678m678p22s5z(345p)", dora="1s")
    furiten = replace(asked, rivers=((), (parse_tile("5m"),), (), ()))
    with_ron, without = (of(solved(one, ron=0.57, changes=0), "5z").solo for one in (asked, furiten))
    alone = of(solved(furiten, changes=0), "5z").solo
    assert with_ron is not None
    assert without is not None
    assert alone is not None
    assert without.win == pytest.approx(alone.win)
    assert without.win < with_ron.win - 0.1


def test_riichi_is_left_out_where_it_does_not_pay_or_may_not_be() -> None:
    closed = position("123456789m34677s", dora="3s")
    best = of(solved(closed), "6s").solo
    assert best is not None
    assert best.declares
    assert best.riichi is not None
    assert best.silent is not None
    assert best.points == best.riichi.points > best.silent.points
    for barred in (replace(closed, has_drawn=False), replace(closed, points=900), replace(closed, wall=3)):
        found = of(solved(barred), "6s").solo
        assert found is not None
        assert not found.declares
        assert found.riichi is None


def test_more_changes_and_more_draws_never_bring_less() -> None:
    asked = position("2340m34p11234779s", dora="3s")
    before = [[one.solo.points for one in sorted(solved(asked, changes=n).candidates, key=_tile) if one.solo]
              for n in (0, 1)]  # fmt: skip
    assert all(less <= more + 1e-6 for less, more in zip(*before, strict=True))
    late = solved(replace(asked, wall=20))
    assert max(_points(late)) < max(before[1])


def _tile(one: Candidate) -> int:
    return one.tile


def _points(found: Solution) -> Sequence[float]:
    return [one.solo.points for one in found.candidates if one.solo]


def test_three_players_have_no_middle_characters_and_other_payments() -> None:
    rules = load_preset("tenhou-sanma")
    asked = position("19m123456p34599s5z(4z)", rules=rules)
    asked.check()
    assert of(solved(asked), "5z").accepted.keys() == {0, 8} or of(solved(asked), "5z").shanten == 1


def test_a_hand_far_from_tenpai_is_not_solved() -> None:
    asked = position("1479m147p147s1234z")
    far = tiles_ahead(asked)[0].shanten
    assert far > 4
    assert solve(asked, far) is None


@each_row(
    ("change", "message"),
    [
        ({"tiles": tuple(parse_tiles("123456789m3467s"))}, "add the 14th tile"),
        ({"tiles": tuple(parse_tiles("123456789m34s"))}, "a hand that discards has 14"),
        ({"tiles": tuple(parse_tiles("11111m456789m344s"))}, "5 tiles 1m; there are four of each"),
        ({"seen": tuple(parse_tiles("9999m"))}, "5 tiles 9m in hand and on the table"),
        ({"seen": tuple(parse_tiles("0p0p"))}, "more red fives 0p"),
        ({"riichi": frozenset({1})}, "name the others"),
        ({"forbidden": (1 << 34) - 1}, "no tile of this hand may be discarded"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(HandError, match=message):
        replace(position("123456789m34677s"), **change).check()  # type: ignore[arg-type]


COMPILED = """
from test_solver import position, solved
for text in ("2340m34p11234779s", "34678m678p22s5z(345p)", "12577m222468p445s"):
    for one in solved(position(text, dora="3s"), ron=0.57, changes=1 if len(text) < 20 else 0).candidates:
        print(one.tile, one.solo)
"""


@pytest.mark.full
def test_compiled_and_interpreted_agree() -> None:
    answers = []
    for how in ("library", "python"):
        run = subprocess.run(
            [sys.executable, "-c", COMPILED], env=os.environ | {"PAIFU_KERNELS": how, "PYTHONPATH": HELPERS},
            cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=500,
        )  # fmt: skip
        answers.append(run.stdout.split())
    compiled, interpreted = answers
    assert len(compiled) > 100
    for one, other in zip(compiled, interpreted, strict=True):
        assert one == other or abs(_number(one) - _number(other)) <= 1e-9 * abs(_number(one))


def _number(text: str) -> float:
    return float(text.strip(",()").rpartition("=")[2])
