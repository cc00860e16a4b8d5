"""Flowers as dora: walls of 112 tiles, flowers set aside and replaced, and what they are worth."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from each_row import each_row
from rules.scoring_flips import payments, points
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.coach.luck.of_game import luck_of_game
from paifu.coach.simulate.games import PLAYERS, PlayedGame, PlayedHand, Simulator
from paifu.parsers.errors import WriteError
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.kernels.rows import SCORED
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import CODE_OF_TILE, EventKind, HandEnd
from paifu.replay.model.tiles import TILES
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import RuleError, load_preset, with_overrides
from paifu.replay.table.engine import replay
from paifu.replay.views.games import games as games_of
from paifu.replay.walls.tenhou import FLOWER_CODES

KANSAI = {
    "kita": False, "flowers_dora": True, "north_yakuhai": True, "fixed_fu": 30, "payment_unit": 1000,
    "dead_wall": 10,
}  # fmt: skip
"""Osaka and around, as far as sources agree."""
WHITE = "123456p777z99p55z"
"""Waits for 9p and the white dragon: with that three dragons and a half flush, five han."""


def rules(**changes: Any) -> Ruleset:
    return with_overrides(load_preset("tenhou-sanma"), KANSAI | changes)


def scripted(moves: str, *hands: str, **changes: Any) -> PlayedHand:
    """Return the hand of a script, whose log is clean."""
    game = play_scripts(rules(**changes), Script(moves, hands, dora="1z"))
    assert replay(batch_of([game], "paifu")).findings.code.tolist() == []
    return game.hands[0]


def flowers(hand: PlayedHand) -> list[int]:
    """Return who set flowers aside."""
    return [int(word) >> 5 & 7 for word in hand.words if word & 31 == EventKind.BONUS]


# --- what they are worth ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("aside", "worth", "of_dealer"),
    [("", 1000, 2000), ("(1f)", 2000, 3000), ("(1f)(2f)", 4000, 6000), ("(3f)(4f)(1f)", 8000, 12000)],
)
def test_each_is_a_han_in_the_counting_of_kansai(aside: str, worth: int, of_dealer: int) -> None:
    """The table of the sources: 30 fu for every hand, rounded up to thousands."""
    text = f"123456p78s99p(555z)9s{aside}"
    assert points(text)(rules()) == worth
    assert points(text, seat=0)(rules()) == of_dealer


def test_a_flower_alone_is_no_yaku() -> None:
    assert points("(111p)456p789s99p78s9s(1f)")(rules()) is None


@pytest.mark.parametrize("text", ["(1f)(1f)", "(1g)", "(5f)"])
def test_hands_with_other_flowers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"flower|expected digits"):
        points(f"123p456p789s(555z)9p9p{text}")


def test_payments_of_a_tsumo() -> None:
    """Tsumo, white dragons and a flower: three han, 1,920 and 960 rounded up."""
    paid = payments("123456p789s555z9p(2f)9p", Situation.TSUMO)(rules())
    assert paid == (-2000, 3000, -1000)


# --- scripted hands -----------------------------------------------------------------------------------------


def test_dealt_and_drawn_flowers_count_for_who_sets_them_aside() -> None:
    hand = scripted("1f . 2f 3f 4s . .2 5z ron1", "", WHITE)
    assert flowers(hand) == [0, 1, 1]
    assert hand.wins[0, SCORED.kita] == 2
    assert hand.wins[0, SCORED.han] == 7


def test_a_win_on_the_supplement_tile_of_a_flower_is_rinshan() -> None:
    hand = scripted(". 1f 9p>tsumo", "", WHITE)
    assert Situation.RINSHAN in Situation(int(hand.wins[0, SCORED.situation]))
    dealt = scripted("1f 9p>tsumo", WHITE)
    assert Situation(int(dealt.wins[0, SCORED.situation])) == Situation.TSUMO | Situation.TENHOU


def test_a_flower_as_the_supplement_tile_of_a_kan() -> None:
    hand = scripted(". 1p>k1p 1f 2f 9p>tsumo", "", "111p456p789p777z9p")
    assert flowers(hand) == [1, 1]
    assert hand.wins[0, SCORED.kita] == 2


@pytest.mark.parametrize(("interrupts", "han"), [(True, 0), (False, 1)])
def test_whether_a_flower_ends_ippatsu_is_the_rule_of_norths(interrupts: bool, han: int) -> None:
    hand = scripted(". 2z>r2z 1f . . 9p>tsumo", "", WHITE, kita_interrupts=interrupts)
    assert (Situation.IPPATSU in Situation(int(hand.wins[0, SCORED.situation]))) == bool(han)


def test_a_script_needs_the_rule() -> None:
    with pytest.raises(ScriptError, match="no flowers"):
        scripted("1f . end", flowers_dora=False)


# --- simulated games ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def games() -> list[PlayedGame]:
    simulator = Simulator(rules(), [PLAYERS[kind] for kind in ("wild", "caller", "balanced")])
    return [simulator.game(number) for number in range(200)]


@pytest.fixture(scope="module")
def batch(games: list[PlayedGame]) -> Batch:
    return batch_of(games, "paifu")


def test_simulated_games_are_clean(games: list[PlayedGame], batch: Batch) -> None:
    """Walls too: every flower, draw and indicator is where the seed lays it."""
    found = replay(batch)
    assert [in_words(case).message for case in cases(found)] == []
    assert found.checked.walls == len(batch.hands)
    for game in games:
        assert game.result is not None
        assert sum(game.result.scores) == 3 * game.rules.table.start_points
        for hand in game.hands:
            assert len(flowers(hand)) <= 4


def test_flowers_are_counted_where_they_are_won(games: list[PlayedGame]) -> None:
    hands = [hand for game in games for hand in game.hands]
    for hand in hands:
        owned = Counter(flowers(hand))
        for win in hand.wins:
            assert win[SCORED.kita] == owned[int(win[SCORED.seat])]
    assert {count for hand in hands for count in Counter(flowers(hand)).values()} == {1, 2, 3, 4}


def test_flowers_lie_anywhere_in_the_wall(games: list[PlayedGame]) -> None:
    """40 of 102 tiles are dealt, indicators left out; some of the flowers there are replaced by flowers."""
    dealt = 0
    for hand in (hand for game in games for hand in game.hands):
        words = hand.words.tolist()
        first = next(at for at, word in enumerate(words) if word & 31 == EventKind.DRAW)
        dealt += sum(word & 31 == EventKind.BONUS for word in words[:first])
    hands = sum(len(game.hands) for game in games)
    assert dealt / hands == pytest.approx(4 * 40 / 102 * (1 + 4 / 102), abs=0.1)


@pytest.mark.parametrize("target", ["paifu", "paifu-events"])
def test_logs_of_our_own_state_them(batch: Batch, target: str) -> None:
    few = batch.take(0)
    (text,) = WRITERS[target].games(few)
    again = read_unit([Document(few.games.source[0], text, Format.PAIFU)])
    assert again.faults.reason.tolist() == []
    assert few.differences(again) == []
    assert replay(again).findings.code.tolist() == []


@each_row("target", sorted({*WRITERS} - {"paifu", "paifu-events"}))
def test_other_formats_refuse_them(batch: Batch, target: str) -> None:
    with pytest.raises(WriteError, match="has no word for a flower"):
        list(WRITERS[target].games(batch.take(0)))


def test_luck_is_not_measured(batch: Batch) -> None:
    with pytest.raises(ValueError, match="3 players"):
        luck_of_game(next(iter(games_of(batch.take(0)))))


# --- what is wrong ------------------------------------------------------------------------------------------

DEALT = ["19m147p147s12344z", "19m258p258s4z5566z", "19m369p369s45677z"]
DRAWN = ["0 draw 9p", "0 discard 9p tsumogiri"]
MOVES: dict[str, tuple[list[str], list[tuple[str, int]]]] = {
    "dealt to two and drawn": (
        ["0 bonus (1f)", "2 bonus (4f)", *DRAWN, "1 bonus (2f)", "1 bonus (3f)", "1 draw 9p"], [],
    ),
    "after another's discard, out of turn": ([*DRAWN, "2 bonus (1f)"], [("V213", 2)]),
    "with a tile to discard": (["0 draw 9p", "0 bonus (1f)"], [("V213", 0)]),
    "twice the same": (["0 bonus (1f)", *DRAWN, "1 bonus (1f)"], [("V103", 255)]),
    "a fifth": (
        ["0 bonus (1f)", "0 bonus (2f)", "1 bonus (3f)", "2 bonus (4f)", *DRAWN, "1 bonus (2f)"],
        [("V103", 255)],
    ),
    "no supplement tile": ([*DRAWN, "1 bonus (1f)", "1 discard 1m"], [("V201", 1)]),
    "a discard before the supplement tile of another": (
        [*DRAWN, "1 bonus (1f)", "2 draw 9p"], [("V201", 2)],
    ),
    "the tile before it called": ([*DRAWN, "1 bonus (1f)", "2 pon (999p) from 0"], [("V204", 2)]),
}  # fmt: skip


@each_row("case", MOVES)
def test_moves(case: str) -> None:
    events, expected = MOVES[case]
    assert noted(*events) == expected


def logged(*events: str, **changes: Any) -> Batch:
    log = {
        "paifu": 1,
        "game": {"ruleset": "tenhou-sanma", "overrides": KANSAI | changes},
        "hands": [{"round": "E1", "dealt": DEALT, "scores": [35000] * 3, "dora": "8p", "events": [*events]}],
        "result": {"cut": True},
    }
    return read_unit([Document("x.json", json.dumps(log).encode(), Format.PAIFU)])


def noted(*events: str, **changes: Any) -> list[tuple[str, int]]:
    batch = logged(*events)
    assert batch.faults.reason.tolist() == []
    ruled = with_overrides(rules(), changes) if changes else None
    found = replay(batch, *([ruled] if ruled else [])).findings
    return [(code_of(code), seat) for code, seat in zip(found.code, found.seat.tolist(), strict=True)]


def test_under_rules_without_flowers_they_are_findings() -> None:
    assert noted(*DRAWN, "1 bonus (1f)", flowers_dora=False) == [("V213", 1)]
    case = next(iter(cases(replay(logged(*DRAWN, "1 bonus (1f)"), rules(flowers_dora=False)))))
    assert in_words(case).message == "1f is set aside in a game without flowers"


@each_row(
    ("text", "changes", "reason"),
    [
        ("0 bonus (1g)", {}, "only flowers 1f-4f are set aside"),
        ("0 bonus (4z)", {}, "only flowers 1f-4f are set aside"),
        ("0 bonus (1f)", {"flowers_dora": False}, "there is no bonus in this game"),
        ("0 draw 1f", {}, "is not a tile"),
        ("0 discard 1f", {}, "is not a tile"),
    ],
)
def test_what_a_log_cannot_state(text: str, changes: dict[str, bool], reason: str) -> None:
    assert reason in logged(text, **changes).faults.reason[0]


@pytest.mark.parametrize(
    ("preset", "changes", "reason"),
    [
        ("tenhou", {"flowers_dora": True}, "flowers_dora needs players = 3"),
        ("tenhou-sanma", {"flowers_dora": True}, "flowers_dora needs kita = false"),
    ],
)
def test_where_there_are_none(preset: str, changes: dict[str, bool], reason: str) -> None:
    with pytest.raises(RuleError, match=reason):
        with_overrides(load_preset(preset), changes)


def test_the_wall_is_longer() -> None:
    assert rules().live_wall == 112 - 10 - 39
    assert (FLOWER_CODES - CODE_OF_TILE).tolist() == [TILES + number for number in range(4)]


def test_the_last_tile_may_be_a_flower() -> None:
    """Its supplement tile is drawn all the same, and nothing after that."""
    hand = scripted(".62 1f 4s end")
    assert hand.end == HandEnd.EXHAUSTIVE
    assert sum(word & 31 == EventKind.DRAW for word in hand.words.tolist()) == 63
