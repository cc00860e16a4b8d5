"""Logs that a preset allows and Tenhou's rules fault; see ``letter``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from each_row import each_row
from fouls_in_play import FoulSimulator
from rules.letter import CASES, Case, found
from rules.test_accounts import ROWS
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.paifu_log.writer import PaifuGameWriter
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.course.settlement import final_result
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.scoring.score import score
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.scoring.yaku import Situation
from paifu.replay.table.engine import replay


@each_row("case", CASES.values(), ids=list(CASES))
def test_a_log_is_clean_under_its_preset_and_faulted_under_tenhou(case: Case) -> None:
    batch = case.batch()
    assert found(batch) == ()
    assert found(batch, case.others()) == case.faults


def test_a_win_by_25000_points_triples_the_points_at_the_start_of_yakuza_2() -> None:
    result = final_result(load_preset("yakuza2"), (50000, 25000, 15000, 10000), winners=(0,))
    assert result.points == (75000, 25000, 5000, -5000)


@pytest.mark.parametrize(("renhou", "points"), [("mangan", 8000), ("yakuman", 32000)])
def test_engine_and_score_pay_renhou_alike(renhou: str, points: int) -> None:
    rules = with_overrides(load_preset("kwan-official"), {"renhou": renhou})
    hand = "123m456m678p55z34s"
    game = play_scripts(rules, Script(". 2s ron3", ("", "", "", hand)))
    assert game.hands[0].deltas == (0, -points, 0, points)
    tiles = tuple(parse_tiles(hand + "2s"))
    won = score(WinningHand(tiles=tiles, win=tiles[-1], situation=Situation.RENHOU, seat_wind=3), rules)
    assert won.points == points


@pytest.mark.parametrize(
    ("pair", "wanted"),
    [
        ("5p", ("any",)),
        ("8m", ("any", "same_suit")),
        ("1m", ("any", "same_suit", "consecutive")),
        ("6m", ("any", "same_suit", "consecutive")),
    ],
)
def test_four_consecutive_triplets_ask_for_the_pair_that_the_house_wants(
    pair: str, wanted: tuple[str, ...]
) -> None:
    written = parse_hand(f"{pair}(222m)(333m)(444m)(555m){pair}")
    hand = WinningHand(tiles=written.tiles, win=written.tiles[-1], melds=written.melds, seat_wind=1)
    for value in ("any", "same_suit", "consecutive"):
        rules = with_overrides(load_preset("kwan-house"), {"suurenkou_pair": value})
        named = {yaku.romaji for yaku, _ in score(hand, rules).yaku}
        assert ("suurenkou" in named) == (value in wanted)


def test_a_rinshan_win_on_a_fed_kan_is_priced_as_a_ron_of_1300_points() -> None:
    case = CASES["mcgill-riichi: a rinshan win on a fed kan is priced as a ron"]
    (hand,) = play_scripts(case.rules(), *case.scripts).hands
    assert hand.deltas == (-1300, 1300, 0, 0)
    (other,) = play_scripts(load_preset("tenhou"), *case.scripts).hands
    assert other.deltas == (-700, 1500, -400, -400)


def test_wareme_doubles_what_is_paid_with_the_counters() -> None:
    written = parse_hand("456m456p678s9923p1p")
    hand = WinningHand(
        tiles=written.tiles, win=written.tiles[-1], seat_wind=1, payer=2, marked=2, honba=2,
        situation=Situation.TSUBAME,
    )  # fmt: skip
    rules = with_overrides(load_preset("riichi-encyclopedia"), {"wareme": True, "tsubame_gaeshi_han": 1})
    won = score(hand, rules)
    assert (won.points, won.payments) == (2000, (0, 5200, -5200, 0))
    before = with_overrides(rules, {"wareme_honba": False})
    assert score(hand, before).payments == (0, 4600, -4600, 0)


@pytest.mark.parametrize("players", [2, 3])
def test_a_ruleset_for_four_is_played_by_fewer(players: int) -> None:
    rules = with_overrides(load_preset("riichi-encyclopedia"), {"players": players})
    kinds = PLAYERS["wild"], PLAYERS["caller"]
    games = [Simulator(rules, kinds).game(number) for number in range(2)]
    batch = batch_of(games, "paifu")
    assert found(batch) == ()
    assert replay(batch).checked.finals == len(games)
    assert all(change % 100 == 0 for game in games for hand in game.hands for change in hand.deltas)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"noten_riichi_found": "at_once", "riichi_kan_found": "at_once", "chombo_after": "replay"},
        {"chombo_pays": [], "chombo_points": 20000, "chombo_after": "replay"},
    ],
    ids=str,
)
def test_games_with_fouls_are_clean_and_come_back(given: dict[str, Any]) -> None:
    rules = with_overrides(load_preset("riichi-encyclopedia"), given)
    games = [FoulSimulator(rules, [PLAYERS["balanced"]]).game(number) for number in range(2)]
    batch = batch_of(games, "paifu")
    fouls = [seat for game in games for hand in game.hands for seat in hand.fouls]
    assert len(fouls) > 3
    assert found(batch) == ()
    assert replay(batch).checked.finals == 2
    again = read_unit([Document("x.jsonl", b"".join(PaifuGameWriter.games(batch)), Format.PAIFU)])
    assert found(again) == ()
    is_foul = again.hand_draws.kind == HandEnd.CHOMBO
    assert again.events.seat[again.hand_draws.event[is_foul]].tolist() == fouls
    if "noten_riichi_found" in given:
        assert sum(right_after_riichi(batch)) > 3


def right_after_riichi(batch: Batch) -> Iterator[bool]:
    """Whether each foul followed its player's riichi at once."""
    for event in batch.hand_draws.event[batch.hand_draws.kind == HandEnd.CHOMBO].tolist():
        own = batch.events.seat[event - 2 : event] == batch.events.seat[event]
        yield bool((own & (batch.events.kind[event - 2 : event] == EventKind.RIICHI)).any())


@each_row(
    ("moves", "hand", "is_foul"),
    [
        (". 1z foul3", "234m456m678p55m34s", True),
        (". 5s foul3", "234m456m678p55m34s", False),
        (". 5s 5s foul3", "234m456m678p55m34s", True),
        (". 4s foul3", "123m456m678p55m35s", True),
        (". 4s foul3", "234m456m678p55m35s", False),
    ],
    ids=["no wait", "a win", "furiten", "no yaku", "a yaku"],
)
def test_a_win_that_is_one_is_no_foul(moves: str, hand: str, is_foul: bool) -> None:
    rules = with_overrides(load_preset("tenhou"), {"foul_false_win": "chombo"})
    scripts = Script(moves, ("", "", "", hand)), Script("end")
    if is_foul:
        assert play_scripts(rules, *scripts).hands[0].fouls == (3,)
    else:
        with pytest.raises(ScriptError, match="V212"):
            play_scripts(rules, *scripts)


def test_the_pages_have_all_presets_of_the_documents_and_all_their_logs() -> None:
    presets = {row.preset for row in ROWS}
    assert presets >= {
        "yakuza2",
        "saki",
        "riichi-encyclopedia",
        "kwan-official",
        "kwan-house",
        "mcgill-riichi",
    }
    assert {key.partition(":")[0].partition(",")[0] for key in CASES} <= presets
