"""Outdated hands under riichi's rules: shapes beside the obvious way, and hands that the engine plays."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from each_row import each_row
from hands import readings
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.kernels.rules import KNITTED, SNAKE
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import KINDS, SANMA_ABSENT_KINDS
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.local_yaku import LOCAL_YAKU
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.schemes.outdated_patterns import outdated
from paifu.replay.scoring.readings import Form
from paifu.replay.shapes.shanten import acceptance, shanten_many, waits
from paifu.replay.table.engine import replay

SNAKES = [{*range(first, first + 9), 27, 28, 29, 30} for first in (0, 9, 18)]
KNITS = [{*range(a, a + 7), *range(b, b + 7)} for a, b in ((0, 9), (0, 18), (9, 18))]
OTHER_NAMES = {
    "concealed-purity-pairs": "concealed_purity_of_pairs_han",
    "original-gift-of-earth": "chiihou_ron",
    "sudden-reversal": "kanburi_han",
    "wriggling-snake-winds": "wriggling_snake_with_winds_han",
}
"""Outdated patterns that riichi has by another name."""
ALL = {
    yaku.rule: {"golden_chicken_han": 5, "triple_guest_winds_han": 3}.get(yaku.rule, 13)
    for yaku in LOCAL_YAKU
    if yaku.id in range(74, 86)
}


def test_riichi_knows_every_outdated_hand() -> None:
    names = {
        row.id: OTHER_NAMES.get(row.id, f"{row.id.replace('-', '_')}_han") for row in outdated(Scheme.FAAN)
    }
    values = load_preset("tenhou").values()
    assert len(names) == 14
    assert {rule for rule in names.values() if rule not in values} == set()
    assert set(ALL) <= set(names.values())


# --- shapes --------------------------------------------------------------------------------------------


def obvious_lack(hand: Counter[int], forms: int) -> int:
    """Tiles missing to either form, less one."""
    snakes = [12 - sum(hand[kind] > 0 for kind in kinds) for kinds in SNAKES]
    doubles = [any(hand[kind] > 1 for kind in kinds) for kinds in SNAKES]
    lacks = [lack + 1 - double for lack, double in zip(snakes, doubles, strict=True)] if forms & SNAKE else []
    if forms & KNITTED:
        lacks += [13 - sum(hand[kind] > 0 for kind in kinds) for kinds in KNITS]
    return min(lacks)


def hands_near(forms: int, number: int) -> list[Counter[int]]:
    """Hands of 13 tiles that are up to four tiles away from one of the forms."""
    chance = Random(forms)  # noqa: S311
    found = []
    for _ in range(number):
        kinds = chance.choice((SNAKES if forms & SNAKE else []) + (KNITS if forms & KNITTED else []))
        tiles = chance.sample(sorted(kinds), chance.randint(9, 13))
        wall = [kind for kind in range(KINDS) for _ in range(4)]
        for tile in tiles:
            wall.remove(tile)
        found.append(Counter([*tiles, *chance.sample(wall, 13 - len(tiles))]))
    return found


def counts_of(hand: Counter[int]) -> npt.NDArray[np.uint8]:
    return np.array([hand[kind] for kind in range(KINDS)], np.uint8)


@pytest.mark.every(3)
@pytest.mark.parametrize("forms", [SNAKE, KNITTED, SNAKE | KNITTED])
def test_shanten_and_waits_are_those_of_the_obvious_way(forms: int) -> None:
    waiting = 0
    for hand in hands_near(forms, 600):
        counts = counts_of(hand)
        usual = int(shanten_many(counts[None], np.zeros(1, np.uint8))[0])
        now = min(usual, obvious_lack(hand, forms))
        found = acceptance(counts, forms=forms)
        drawable = [kind for kind in range(KINDS) if hand[kind] < 4]
        more = {kind: hand + Counter([kind]) for kind in drawable}
        lower = [
            kind
            for kind, drawn in more.items()
            if obvious_lack(drawn, forms) < now
            or shanten_many(counts_of(drawn)[None], np.zeros(1, np.uint8))[0] < now
        ]
        assert int(shanten_many(counts[None], np.zeros(1, np.uint8), forms=forms)[0]) == now
        assert (found.shanten, list(found.kinds)) == (now, lower)
        assert list(waits(counts, forms=forms)) == (lower if now == 0 else [])
        waiting += obvious_lack(hand, forms) == 0
    assert waiting > 40


def test_a_complete_hand_reads_as_its_form_where_that_wins() -> None:
    snake = [*range(9), 27, 28, 29, 30, 30]
    knitted = [*range(7), *range(9, 16)]
    for tiles, form, bit in ((snake, Form.SNAKE, SNAKE), (knitted, Form.KNITTED, KNITTED)):
        assert [reading.form for reading in readings(tiles, tiles[-1], forms=bit)] == [form]
        assert readings(tiles, tiles[-1], forms=(SNAKE | KNITTED) & ~bit) == ()
        assert readings([*tiles[:-1], 33], 33, forms=SNAKE | KNITTED) == ()


def test_three_players_have_one_suit_less() -> None:
    rules = with_overrides(load_preset("tenhou-sanma"), {"knitted_pairs_han": 13})
    assert rules.forms == KNITTED
    tiles = [kind for kind in (*range(9, 16), *range(18, 25)) if kind not in SANMA_ABSENT_KINDS][:-1]
    assert 24 in waits(tiles, sanma=True, forms=rules.forms)


# --- at the table --------------------------------------------------------------------------------------


def play(rules: Ruleset, *scripts: Script) -> Batch:
    """Play hands, have the engine look at them, and see that it has no objection."""
    batch = batch_of([play_scripts(rules, *scripts)])
    findings = replay(batch, rules).findings
    assert findings.code.tolist() == []
    return batch


def yaku_of(batch: Batch) -> list[set[int]]:
    """The yaku that each win states."""
    return [set(row.tolist()) - {255} for row in batch.wins.yaku]


def tenhou(**changes: int | str) -> Ruleset:
    return with_overrides(load_preset("tenhou"), dict(changes))


PLAYED = {
    74: Script("1z>k1z 5p>tsumo", ("111z123m789s99p46p",)),
    75: Script(".69 1p>tsumo", ("", "123m456p789s66m23p")),
    76: Script("2s pon2 >9m .3 2s>k2s ron3", ("", "", "22s9m", "123m456p789s66z13s")),
    78: Script(". 1m>tsumo", ("", "1112334567899m")),
    79: Script("8p ron1", ("", "1122334455668p")),
    80: Script("8m ron1", ("", "1119993456722m")),
    81: Script("4z ron1", ("", "123456789m1234z")),
    82: Script("7p ron1", ("", "1234567m123456p")),
    84: Script("2p pon1 >9m 3p pon1 >9m 4p pon1 >8m 7z pon1 >8m 1s ron1", ("", "22p33p44p77z1s99m88m")),
    85: Script(". . . . . 5m ron0", ("222333444z46m55p",)),
}
"""Yaku -> a hand that ends with it."""


@each_row("number", PLAYED)
def test_the_engine_sees_it_at_the_table(number: int) -> None:
    assert number in yaku_of(play(with_overrides(load_preset("tenhou"), ALL), PLAYED[number]))[0]
    assert not any(number in yaku for yaku in plain_wins(PLAYED[number]))


def plain_wins(script: Script) -> list[set[int]]:
    """The yaku of the hand without outdated hands; none where it does not win then."""
    try:
        return yaku_of(play(tenhou(), script))
    except ScriptError:
        return []


TWICE = Script("2m>k2m 3p>k3p 9s>tsumo", ("222m333p456s78s55p",))
HELD = Script("2m>k2m 5p>k3p 9s>tsumo", ("222m3333p456s78s5p",))


def test_a_gong_on_a_gong_is_twofold_only_if_the_supplement_made_it() -> None:
    rules = tenhou(twofold_fortune_han=13)
    assert yaku_of(play(rules, TWICE)) == [{77}]
    assert 77 not in yaku_of(play(rules, HELD))[0]
    assert 77 not in yaku_of(play(tenhou(), TWICE))[0]


def test_a_gong_of_a_later_turn_is_no_second_one() -> None:
    script = Script("2m>k2m 9m>9m . . . 3p>k3p 9s>tsumo", ("222m333p456s78s55p",))
    assert {77} & yaku_of(play(tenhou(twofold_fortune_han=13), script))[0] == set()


def _dealer_wins(number: int) -> list[Script]:
    return [Script(".4 9m>tsumo", ("123m456p789s66z78m",))] * number


def test_the_thirteenth_win_in_a_row_is_a_yakuman() -> None:
    rules = tenhou(thirteen_dealer_wins_han=13, tobi="off")
    found = yaku_of(play(rules, *_dealer_wins(14)))
    assert [83 in yaku for yaku in found] == [False] * 12 + [True] * 2


def test_a_draw_starts_the_count_anew() -> None:
    rules = tenhou(thirteen_dealer_wins_han=13, tobi="off")
    found = yaku_of(play(rules, *_dealer_wins(12), Script("end", ("123m456p789s66z78m",)), *_dealer_wins(12)))
    assert len(found) == 24
    assert not any(83 in yaku for yaku in found)


@pytest.mark.parametrize("preset", ["tenhou", "tenhou-sanma"])
def test_simulated_games_with_all_of_them_are_clean(preset: str) -> None:
    rules = with_overrides(load_preset(preset), ALL)
    simulator = Simulator(rules, [PLAYERS["tile-efficient"]])
    batch = batch_of([simulator.game(number) for number in range(30)])
    facts = replay(batch, rules)
    assert facts.findings.code.tolist() == []
    assert facts.checked.wins > 100
    stated = Counter(number for yaku in yaku_of(batch) for number in yaku if number >= 74)
    print(f"\n{preset}: {facts.checked.wins} wins, {dict(stated)}")  # noqa: T201


@pytest.mark.parametrize("dora", ["1z", "5p", "6s"])
def test_a_yaku_that_is_a_limit_by_itself_adds_no_dora(dora: str) -> None:
    script = Script(". 2s ron3", ("", "", "", "123m456p678s55z34s"), dora=dora)
    batch = play(tenhou(renhou="mangan"), script)
    assert yaku_of(batch) == [{36}]
    assert (batch.wins.han[0, 0], batch.wins.points[0]) == (5, 8000)


CHICKENS = [(5, 5, 8000), (7, 6, 12000), (9, 8, 16000), (12, 11, 24000)]
"""The rule, the han that are listed, and points."""


@pytest.mark.parametrize(("han", "listed", "points"), CHICKENS)
def test_a_golden_chicken_is_worth_its_limit_alone(han: int, listed: int, points: int) -> None:
    batch = play(tenhou(golden_chicken_han=han), PLAYED[84])
    assert (yaku_of(batch), batch.wins.han[0, 0], batch.wins.points[0]) == ([{84}], listed, points)
