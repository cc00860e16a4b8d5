"""Draws, claims, the next hand, the end of a game and final points; checked against real games."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from paifu.replay.course.settlement import (
    GameEnd,
    HandOutcome,
    HandStart,
    OutcomeKind,
    endings,
    final_result,
    game_over,
    next_hand,
    ranking,
    starting_scores,
)
from paifu.replay.rules.choices import Scheme, SticksLeft
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.log_rules import from_tenhou_type
from paifu.replay.rulesets.presets import load_preset, preset_names, with_overrides

TENHOU, SANMA, MLEAGUE = load_preset("tenhou"), load_preset("tenhou-sanma"), load_preset("mleague")
RULES = st.sampled_from([load_preset(name) for name in preset_names(Scheme.HAN_FU)])


def total_start(rules: Ruleset) -> int:
    return rules.table.start_points * rules.table.players


@given(st.data())
def test_final_points_add_up(data: st.DataObject) -> None:
    rules = with_overrides(data.draw(RULES), {"yakitori_points": data.draw(st.sampled_from([0, 3000]))})
    sticks = data.draw(st.integers(0, 3))
    total = total_start(rules) - rules.riichi.riichi_stick * sticks
    scores = [100 * data.draw(st.integers(-500, 900)) for _ in range(rules.table.players - 1)]
    scores.append(total - sum(scores))
    result = final_result(
        rules,
        scores,
        data.draw(st.lists(st.integers(0, rules.table.players - 1))),
        sticks=sticks,
        first_dealer=data.draw(st.integers(0, 2)),
    )
    lost = rules.riichi.riichi_stick * sticks if rules.final.sticks_left == SticksLeft.LOST else 0
    kept = 0 if rules.final.oka else total_start(rules) - rules.final.return_points * rules.table.players
    assert sum(result.points) == kept - lost
    assert sum(result.scores) == total_start(rules) - lost
    assert sorted(result.places)[0] == 1


@each_row(
    ("start", "end", "following"),
    [
        (HandStart(3, 2, 1, 3), HandOutcome(OutcomeKind.WIN, winners=(0,)), HandStart(4, 0, 0, 0)),
        (HandStart(3, 2, 1, 3), HandOutcome(OutcomeKind.WIN, winners=(0, 3)), HandStart(3, 3, 0, 3)),
        (
            HandStart(3, 2, 1, 3),
            HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(0,), sticks=2),
            HandStart(4, 3, 2, 0),
        ),
        (
            HandStart(3, 2, 1, 3),
            HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(3,), sticks=1),
            HandStart(3, 3, 1, 3),
        ),
        (HandStart(3, 2, 1, 3), HandOutcome(OutcomeKind.ABORTIVE, sticks=5), HandStart(3, 3, 5, 3)),
        (HandStart(7, 0, 0, 3), HandOutcome(OutcomeKind.EXHAUSTIVE), HandStart(8, 1, 0, 0)),
    ],
)
def test_next_hand(start: HandStart, end: HandOutcome, following: HandStart) -> None:
    assert next_hand(TENHOU, start, end) == following


def test_three_players_skip_the_fourth_turn() -> None:
    end = HandOutcome(OutcomeKind.WIN, winners=(0,))
    assert next_hand(SANMA, HandStart(2, 0, 0, 2), end) == HandStart(4, 0, 0, 0)


def test_seats_break_ties_from_the_first_dealer() -> None:
    assert ranking(TENHOU, (25000,) * 4, first_dealer=2) == (2, 3, 0, 1)
    assert final_result(TENHOU, (25000,) * 4, (), first_dealer=2).places == (3, 4, 1, 2)


def test_seat_0_is_the_first_dealer_unless_said_otherwise() -> None:
    assert ranking(TENHOU, (25000,) * 4) == (0, 1, 2, 3)
    assert final_result(TENHOU, (25000,) * 4, ()).places == (1, 2, 3, 4)
    given = with_overrides(TENHOU, {"start_points_by_seat": [10000, 25000, 25000, 40000]})
    assert starting_scores(given) == (10000, 25000, 25000, 40000)
    # The dealer shares the lead in South 4: the seat nearer to the first dealer has it.
    last, win, scores = (
        HandStart(7, 0, 0, 3),
        HandOutcome(OutcomeKind.WIN, (3,)),
        (32000, 18000, 18000, 32000),
    )
    assert (game_over(TENHOU, last, win, scores), endings(TENHOU, last, win, scores)) == (None, (None,))
    assert game_over(TENHOU, last, win, scores, 3) == GameEnd.AGARI_YAME


@each_row(
    ("scores", "end", "expected"),
    [
        ((20000, 30000, 20000, 30000), HandOutcome(OutcomeKind.WIN, winners=(3,)), None),
        ((20000, 20000, 20000, 40000), HandOutcome(OutcomeKind.ABORTIVE), None),
        ((26000, 25000, 24500, 24500), HandOutcome(OutcomeKind.WIN, winners=(0,)), None),
        ((30000, 25000, 24500, 20500), HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=(0,)), GameEnd.LAST_HAND),
        ((29900, 25000, 24500, 19600), HandOutcome(OutcomeKind.EXHAUSTIVE, sticks=1), None),
        ((50000, 30100, 20000, -100), HandOutcome(OutcomeKind.WIN, winners=(3,)), GameEnd.TOBI),
    ],
)
def test_end_of_south_4(scores: tuple[int, ...], end: HandOutcome, expected: GameEnd | None) -> None:
    assert game_over(TENHOU, HandStart(7, 0, 0, 3), end, scores) == expected


def test_overtime_without_sudden_death_plays_its_wind() -> None:
    rules = with_overrides(TENHOU, {"sudden_death": False})
    scores, end = (50000, 20000, 20000, 10000), HandOutcome(OutcomeKind.WIN, winners=(1,))
    assert game_over(rules, HandStart(8, 0, 0, 0), end, scores) is None
    assert game_over(rules, HandStart(11, 0, 0, 3), end, scores) == GameEnd.TARGET


def test_mleague_shares_ties_and_sticks() -> None:
    result = final_result(MLEAGUE, (35000, 35000, 20000, 7000), (), sticks=3)
    assert result.scores == (36500, 36500, 20000, 7000)
    assert result.places == (1, 1, 3, 4)
    assert result.points == (36500, 36500, -20000, -53000)
    three = final_result(MLEAGUE, (30000, 30000, 30000, 10000), ())
    assert three.points == (16700, 16700, 16600, -50000)


@pytest.mark.parametrize(
    ("winners", "changes"),
    [
        ((0, 1, 2, 3), (0, 0, 0, 0)),
        ((), (0, 0, 0, 0)),
        ((0, 3, 1, 3), (3000, 3000, -9000, 3000)),
        ((2, 2), (-3000, -3000, 9000, -3000)),
    ],
)
def test_who_won_nothing_pays_each_who_did(winners: tuple[int, ...], changes: tuple[int, ...]) -> None:
    rules = with_overrides(TENHOU, {"yakitori_points": 3000})
    scores = (41300, 30200, 20400, 8100)
    with_it, without = (final_result(one, scores, winners) for one in (rules, TENHOU))
    assert tuple(a - b for a, b in zip(with_it.points, without.points, strict=True)) == changes
    assert (with_it.scores, with_it.places) == (without.scores, without.places)


@dataclass(frozen=True)
class LoggedHand:
    start: HandStart
    end: HandOutcome
    scores: tuple[int, ...]


@dataclass(frozen=True)
class LoggedGame:
    name: str
    rules: Ruleset
    hands: list[LoggedHand]
    final: list[tuple[int, float]]


INIT = re.compile(r'<INIT seed="(\d+),(\d+),(\d+),[^"]*"[^>]*? oya="(\d)"')
ENDS = re.compile(r"<(AGARI|RYUUKYOKU) ([^>]*)>")


def attribute(text: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', text)
    return found[1] if found else ""


def logged_games(folder: Path) -> Iterator[LoggedGame]:
    """Read what this test needs from every complete log, without the parsers."""
    for path in sorted(folder.glob("*/*")):
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")
        go_type, owari = attribute(text, "type"), attribute(text, "owari").split(",")
        if go_type and len(owari) > 1:
            players = 3 if int(go_type) & 0x10 else 4
            final = [(100 * int(owari[2 * i]), float(owari[2 * i + 1])) for i in range(players)]
            date = re.search(r"20\d{8}", path.name)
            rules = from_tenhou_type(
                int(go_type), date=date[0] if date else "", final_points=[points for _, points in final]
            ).ruleset()
            hands = [
                hand for part in re.split(r"(?=<INIT )", text)[1:] for hand in logged_hand(part, players)
            ]
            yield LoggedGame(path.name, rules, hands, final)


def logged_hand(text: str, players: int) -> Iterator[LoggedHand]:
    init = INIT.match(text)
    ends = ENDS.findall(text)
    if not init or not ends:
        return
    start = HandStart(*map(int, init.groups()))
    numbers = [100 * int(number) for number in attribute(ends[-1][1], "sc").split(",")]
    changes = numbers[1 : 2 * players : 2]
    scores = tuple(score + change for score, change in zip(numbers[::2], changes, strict=False))
    if ends[0][0] == "AGARI":
        end = HandOutcome(OutcomeKind.WIN, winners=tuple(int(attribute(text, "who")) for _, text in ends))
        yield LoggedHand(start, end, scores)
        return
    draw = attribute(ends[0][1], "type")
    sticks = start.sticks + len(re.findall(r'<REACH [^>]*step="2"', text))
    ready = tuple(seat for seat in range(players) if f"hai{seat}=" in ends[0][1])
    if draw in ("", "nm"):
        end = HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=ready, sticks=sticks)
    else:
        end = HandOutcome(OutcomeKind.ABORTIVE, sticks=sticks)
    yield LoggedHand(start, end, scores)


PRIVATE_UMA = {"2019020120gm-0009-10011-215330df.mjlog"}
"""A game in a private lobby whose uma (20, 0, -70 for the others) the log does not give."""


@pytest.mark.corpus
def test_real_games_go_on_and_end_as_the_rules_say(shared: Path) -> None:
    checked: Counter[str] = Counter()
    for game in logged_games(shared / "logs" / "mjlog"):
        rules = game.rules
        for hand, after in zip(game.hands, [*game.hands[1:], None], strict=True):
            over = game_over(rules, hand.start, hand.end, hand.scores)
            if after:
                assert (over, next_hand(rules, hand.start, hand.end)) == (None, after.start), game.name
                checked["next hand"] += 1
            else:
                assert over, game.name
                checked[over.name] += 1
        result = final_result(rules, game.hands[-1].scores, (), sticks=game.hands[-1].end.sticks)
        assert result.scores == tuple(score for score, _ in game.final), game.name
        if game.name not in PRIVATE_UMA:
            assert result.points == tuple(round(1000 * points) for _, points in game.final), game.name
            checked["final points"] += 1
    assert checked.keys() >= {end.name for end in GameEnd} - {"CEILING"}
    assert checked["next hand"] > 20_000
    assert checked["final points"] > 2_500
