"""Fouls in logs and in play: what they cost, what shows them, what a dead hand may not do."""

from __future__ import annotations

from typing import Any

import pytest
from each_row import each_row
from fouls_in_play import FoulSimulator
from rules.letter import found
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS
from paifu.parsers.errors import WriteError
from paifu.parsers.paifu_log.notation import notation_of
from paifu.parsers.paifu_log.writer import PaifuEventsGameWriter, PaifuGameWriter
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import refuse_others
from paifu.replay.course.fouls import StatedFoul, penalties
from paifu.replay.course.settlement import HandOutcome, HandStart, OutcomeKind, next_hand
from paifu.replay.kernels.rules import FOUL_BITS
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import FOULS, EventKind
from paifu.replay.rules.choices import Consequence
from paifu.replay.rules.foul_kinds import FOUL_KINDS
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay
from paifu.reports.league.games import league_games

END = Script("end")
SWAP = "3m chi1:45m >3m"
SWAP_HAND = ("", "345m9m19p19s12345z")
TENPAI = "123m456m678p55z34s"


def ruled(preset: str = "tenhou", **rules: Any) -> Ruleset:
    return with_overrides(load_preset(preset), rules)


def log_of(rules: Ruleset, *scripts: Script, **opening: Any) -> Batch:
    return batch_of([play_scripts(rules, *scripts, **opening)], "paifu")


def edited(batch: Batch, *changes: tuple[str, str]) -> Batch:
    """Write a log, change its text, and read it again."""
    text = b"".join(PaifuGameWriter.games(batch)).decode()
    for old, new in changes:
        assert text.count(old) == 1, (old, text)
        text = text.replace(old, new)
    return read_unit([Document("x.jsonl", text.encode(), Format.PAIFU)])


def test_kinds_are_numbered_alike_everywhere() -> None:
    assert [kind.id for kind in FOUL_KINDS] == list(range(FOULS))
    assert max(Consequence) < 1 << FOUL_BITS
    assert FOULS * FOUL_BITS < 63


# --- the examples of the rules page ---------------------------------------------------------------------


def test_a_false_ron_costs_3000_to_each_and_riichi_sticks_return() -> None:
    rules = ruled(foul_false_win="chombo", chombo_pays=[3000, 3000, 3000], chombo_after="replay")
    riichi = Script(". 9p>r9p 1z foul3:false_win foul3", ("", TENPAI))
    game = play_scripts(rules, riichi, END)
    assert game.hands[0].deltas == (3000, 4000, 3000, -9000)
    assert game.hands[1].scores == (28000, 28000, 28000, 16000)
    assert game.hands[1].start == HandStart(0, 0, 0, 0)
    assert found(batch_of([game], "paifu")) == ()


def test_kuikae_is_a_dead_hand_that_is_noten_at_the_draw() -> None:
    hands = ("", SWAP_HAND[1], TENPAI, "123p456p678m66z34m")
    game = play_scripts(ruled("saikouisen"), Script(f"{SWAP} foul1:kuikae end", hands))
    assert game.hands[0].deltas == (-1500, -1500, 1500, 1500)
    assert game.hands[0].tenpai == (0, 0, 1, 1)
    assert found(batch_of([game], "paifu")) == ()


def test_a_win_of_another_makes_riichi_without_tenpai_void() -> None:
    rules = ruled("riichi-encyclopedia", noten_riichi_found="draw")
    script = Script("1z>r1z . . 5s ron2", ("", "", "234m456m678p55m34s"))
    game = play_scripts(rules, script)
    assert game.hands[0].claimants == (2,)
    assert game.hands[0].costs_of_fouls(rules) == []
    assert found(batch_of([game], "paifu")) == ()


def test_the_dealers_own_chombo_passes_the_deal_and_keeps_honba() -> None:
    rules = ruled(chombo_after="replay_dealer_passes")
    start = HandStart(0, 2, 0, 0)
    own, other = (HandOutcome(OutcomeKind.FOUL, offender=seat) for seat in (0, 1))
    assert next_hand(rules, start, own) == HandStart(1, 2, 0, 1)
    assert next_hand(rules, start, other) == start


# --- what bodies do ------------------------------------------------------------------------------------

PAYMENTS = {
    "a mangan reversed": ([4000, 4000, 2000], (-12000, 4000), (4000, -8000)),
    "3,000 to each": ([3000, 3000, 3000], (-9000, 3000), (3000, -9000)),
    "dealer 4,000, others 3,000 to each": ([4000, 3000, 3000], (-12000, 4000), (3000, -9000)),
    "2,000, dealer 3,000 to each": ([3000, 2000, 2000], (-9000, 3000), (2000, -6000)),
    "1,000 each": ([1000, 1000, 1000], (-3000, 1000), (1000, -3000)),
    "nothing at the table": ([], (0, 0), (0, 0)),
}


@each_row(("pays", "dealers", "others"), PAYMENTS.values(), ids=list(PAYMENTS))
def test_payments_of_a_chombo(pays: list[int], dealers: tuple[int, int], others: tuple[int, int]) -> None:
    rules = ruled(foul_wall="chombo", chombo_pays=pays)
    deltas = [
        play_scripts(rules, Script(f". foul{seat}:wall foul{seat}"), END).hands[0].deltas for seat in (0, 1)
    ]
    assert (deltas[0][0], deltas[0][1]) == dealers
    assert (deltas[1][0], deltas[1][1]) == others


def test_three_players_reverse_a_baiman() -> None:
    rules = ruled("tenhou-sanma", foul_wall="chombo", chombo_pays=[8000, 8000, 4000])
    assert play_scripts(rules, Script(". foul2:wall foul2"), END).hands[0].deltas == (8000, 4000, -12000)


def test_points_off_the_result() -> None:
    costs = [(0, Consequence.WARNING)] * 3 + [(1, Consequence.CHOMBO), (3, Consequence.SMALL)]
    assert penalties(ruled("mleague"), costs) == [20000, 20000, 0, 0]
    assert penalties(ruled("saikouisen"), costs, (0, 0, 500, 0)) == [0, 20000, 500, 10000]


def test_a_deposit_lies_on_the_table_until_somebody_wins() -> None:
    rules = ruled(foul_empty_call="deposit")
    empty = Script(". foul2:empty_call end")
    win = Script(". 5s ron3", ("", "", "", "234m456m678p55m34s"), dora="1z")
    batch = log_of(rules, empty, win)
    assert batch.hands.scores[1].tolist() == [25000, 25000, 24000, 25000]
    assert batch.hands.sticks.tolist() == [0, 1]
    assert batch.wins.sticks.tolist() == [1]
    assert found(batch) == ()


def test_a_foul_that_ends_the_last_hand() -> None:
    rules = ruled("ema-2025", wind_rounds=1, max_wind_rounds=1, foul_wall="chombo")
    game = play_scripts(rules, *[END] * 3, Script(". foul1:wall foul1"))
    assert game.result is not None
    assert game.result.points[1] == min(game.result.points)
    assert found(batch_of([game], "paifu")) == ()


# --- dead hands ----------------------------------------------------------------------------------------


@each_row(
    ("moves", "hands", "finding"),
    [
        ("3m foul1:other=dead_hand chi1:45m >9m end", SWAP_HAND, "V216"),
        (". foul2:other=dead_hand 5m 1z>r1z end", ("", "", "123m456m678p55s34s"), "V216"),
        (". foul3:other=dead_hand 5s ron3", ("", "", "", "234m456m678p55m34s"), "V216"),
        (". foul2:other=dead_hand . . 5s>tsumo", ("", "", "", "234m456m678p55m34s"), None),
        (". . foul2:other=dead_hand 1z>k1z end", ("", "", "111z5678m1199p12s"), "V216"),
    ],
    ids=["chi", "riichi", "ron", "tsumo of another", "kan"],
)
def test_what_a_dead_hand_may_not_do(moves: str, hands: tuple[str, ...], finding: str | None) -> None:
    script = Script(moves, hands)
    if finding is None:
        assert found(log_of(ruled(), script)) == ()
    else:
        with pytest.raises(ScriptError, match=finding):
            play_scripts(ruled(), script)


def test_what_a_dead_hand_does_is_a_foul_where_the_rules_say_so() -> None:
    rules = ruled(foul_dead_acts="small", small_points=5000)
    moves = "3m foul1:other=dead_hand chi1:45m >9m foul1:dead_acts end"
    batch = log_of(rules, Script(moves, SWAP_HAND))
    assert found(batch) == ()
    assert found(edited(batch, ('"1 foul dead_acts",', ""))) == ("V214",)


# --- what shows a foul ---------------------------------------------------------------------------------


def test_a_foul_that_the_log_does_not_state_is_a_finding() -> None:
    batch = log_of(ruled("saikouisen"), Script(f"{SWAP} foul1:kuikae end", SWAP_HAND))
    assert found(edited(batch, ('"1 foul kuikae",', ""))) == ("V214",)


@each_row("kind", ["false_win", "noten_riichi", "riichi_kan", "kuikae", "dead_acts"])
def test_a_foul_that_no_event_shows_is_a_finding(kind: str) -> None:
    rules = ruled(**{f"foul_{kind}": "warning"})
    batch = log_of(ruled(foul_other="warning"), Script(". foul0:other end"))
    changed = edited(batch, ("0 foul other", f"0 foul {kind}"))
    assert found(changed, rules) == ("V215",)


def test_a_win_at_the_same_moment_makes_a_chombo_void() -> None:
    rules = ruled(foul_false_win="chombo", chombo_points=20000)
    hands = ("", "234m456m678p55m34s")
    batch = log_of(rules, Script(". . 5s foul3:false_win ron1", hands, dora="1z"))
    assert found(batch) == ()
    assert found(batch, rules.changed(win_beats_foul=False)) == ("V212",)


@pytest.mark.parametrize("found_when", ["draw", "own_win", "at_once"])
def test_when_a_kan_under_riichi_comes_out(found_when: str) -> None:
    """The kan leaves 4m of three waits; a win on it is one where nobody looks."""
    script = Script(". 9p>r9p . . . 7m>k7m 4m>tsumo", ("", "56777m123456p99s"), dora="4z4z")
    rules = ruled("yakuza2", riichi_kan_found=found_when)
    if found_when == "draw":
        assert found(log_of(rules, script)) == ()
    else:
        with pytest.raises(ScriptError, match="V207"):
            play_scripts(rules, script)


def test_a_dead_hand_of_a_kan_that_comes_out_at_once() -> None:
    script = Script(". 9p>r9p . . . 7m>k7m foul1:riichi_kan 1z>1z end", ("", "56777m123456p99s"), dora="4z4z")
    batch = log_of(ruled("mu-cup", red_man=0), script)
    assert found(batch) == ()
    assert batch.hand_draws.tenpai[0, 1] == 0
    assert found(edited(batch, ('"1 foul riichi_kan",', ""))) == ("V214", "V406")


# --- logs ----------------------------------------------------------------------------------------------


def test_fouls_come_back_from_logs_of_both_shapes() -> None:
    rules = ruled(foul_tiles_shown="none")
    batch = log_of(rules, Script(". foul2:tiles_shown foul0:other=warning end"))
    batch.games.penalties[0] = (0, 0, 20000, 0)
    for write in (PaifuGameWriter.games, PaifuEventsGameWriter.games):
        text = b"".join(write(batch))
        assert b"2 foul tiles_shown" in text
        assert b"0 foul other warning" in text
        assert b'"penalties":[0,0,20000,0]' in text
        again = read_unit([Document("x.jsonl", text, Format.PAIFU)])
        assert not again.faults.reason.tolist()
        assert batch.differences(again, ignore={"games.source"}) == []


def test_a_foul_that_is_none_says_what_there_is() -> None:
    batch = log_of(ruled(foul_other="none"), Script(". foul0:other end"))
    again = edited(batch, ("0 foul other", "0 foul kuikai"))
    assert "'foul KIND'" in again.faults.reason[0]
    assert "kuikae" in again.faults.hint[0]


def test_other_formats_have_no_word_for_fouls() -> None:
    batch = log_of(ruled(foul_other="none"), Script(". foul0:other end"))
    with pytest.raises(WriteError, match="has no word for a foul"):
        refuse_others("mjai", batch, 0)


def test_penalties_of_a_referee_are_in_the_final_points() -> None:
    rules = ruled(wind_rounds=1, max_wind_rounds=1, target_points=0)
    batch = log_of(rules, *[END] * 4)
    assert found(batch) == ()
    batch.games.penalties[0, 2] = 20000
    assert found(batch) == ("V506",)
    batch.games.final_points[0, 2] -= 20
    assert found(batch) == ()


def test_a_league_counts_fouls_and_what_a_referee_took_off() -> None:
    rules = ruled("mleague", wind_rounds=1, max_wind_rounds=1)
    clean = log_of(rules, *[END] * 4)
    fouls = log_of(rules, Script(". foul2:other foul2:other end"), *[END] * 3)
    fouls.games.penalties[0, 0] = 5000
    before, after = (league_games(replay(batch), None).games[0].points for batch in (clean, fouls))
    assert [old - new for old, new in zip(before, after, strict=True)] == [5000, 0, 20000, 0]


def test_words_and_rows_say_the_same_of_a_foul() -> None:
    rules = ruled(foul_kuikae="dead_hand")
    game = play_scripts(rules, Script(f"{SWAP} foul1:kuikae=small end", SWAP_HAND))
    assert game.hands[0].stated_fouls == [StatedFoul(1, 7, Consequence.SMALL)]
    word = next(word for word in game.hands[0].words.tolist() if word & 31 == EventKind.FOUL)
    assert notation_of(rules).text(word) == "1 foul kuikae small"


# --- simulated games -----------------------------------------------------------------------------------

WITH_FOULS = {
    "saikouisen": {"deposit_sticks": 2, "foul_tiles_shown": "deposit"},
    "ema": {},
    "mu-cup": {"foul_noten_riichi": "dead_hand", "noten_riichi_found": "at_once"},
    "riichi-encyclopedia": {
        "foul_noten_riichi": "small", "small_points": 5000, "small_after": "replay", "foul_other": "warning",
        "warning_points": 3000, "chombo_after": "replay_dealer_passes", "foul_kuikae": "chombo",
    },
}  # fmt: skip


@pytest.mark.parametrize("preset", WITH_FOULS)
def test_simulated_games_with_fouls_have_no_finding(preset: str) -> None:
    rules = ruled(preset, **WITH_FOULS[preset])
    players = [PLAYERS["caller"], PLAYERS["balanced"]]
    games = [FoulSimulator(rules, players).game(number) for number in range(2)]
    assert sum(len(hand.stated_fouls) for game in games for hand in game.hands) > 5
    batch = batch_of(games, "paifu")
    assert found(batch) == ()
    assert replay(batch).checked.finals == len(games)
