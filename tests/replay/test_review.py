"""The review, code by code: built situations that show it, and such in which it must stay silent."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import cast

import numpy as np
import pytest
from case_data import case_data
from each_row import each_row
from situations import Situation

from paifu.coach.judgement.choices import JudgedChoice, Push
from paifu.coach.judgement.losses import WeighedOptions
from paifu.coach.judgement.verdicts import DEALING_IN, MISTAKES, PlayedOut
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_kinds import REVIEW_KINDS
from paifu.replay.findings.review_sentences import ReviewCase
from paifu.replay.findings.spoken import KINDS
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.review_danger import shows_much
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import parse_tile, parse_tiles
from paifu.replay.review.results import Danger, Threat, new_review, review_of
from paifu.replay.rules.hand_facts import Situation as Facts
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring.score import score
from paifu.replay.scoring.winning_hand import Meld, MeldKind, WinningHand
from paifu.replay.table.engine import new_table, replay
from paifu.reports.findings.review import JudgedFinding, hand_of

# Seat 0 waits for 36s after drawing 5s: tanyao and pinfu. Others discard at once what they draw.
WAITING = "234567m22678p4s1z"

RIVER = """
0 3s 3s
1 1z
2 9m
3 2z
0 5s 1z
1 6s
2 9m
"""
"""A 3s in the own river, then the wait for 36s; 6s of seat 1 passes."""

RIICHI = "234567m11p78945s"
AGAINST_RIICHI = """
0 9p
1 9m r9m
2 9m
3 2z
"""
"""Seat 1 declares riichi in its first turn; 9m and 2z are genbutsu."""

CASES = case_data("review")


def situation(name: str) -> Situation:
    case = {name: value for name, value in CASES[name].items() if name not in ("found", "example", "silent")}
    hands = {int(seat): hand for seat, hand in case.pop("hands").items()}
    return Situation(case.pop("moves").replace(" / ", "\n"), hands, **case)


def named(mark: str) -> dict[str, str]:
    """Code -> the case that is marked with it."""
    return {code: name for name, case in CASES.items() for code in case.get(mark, ())}


@each_row("name", CASES)
def test_situations(name: str) -> None:
    assert [f"{code} {seat}" for code, seat in situation(name).codes()] == CASES[name]["found"]


def test_every_code_is_shown() -> None:
    shown = {found.split()[0] for case in CASES.values() for found in case["found"]}
    assert shown == REVIEW_KINDS.keys()
    assert {code: KINDS[code] for code in REVIEW_KINDS} == REVIEW_KINDS


@each_row("code", REVIEW_KINDS)
def test_every_code_stays_silent_somewhere(code: str) -> None:
    assert code not in {found for found, _ in situation(named("silent")[code]).codes()}


# --- evidence ------------------------------------------------------------------------------------------


def test_a_passed_win_tells_its_value_and_the_cause_of_the_furiten() -> None:
    case, evidence = situation("a wait in the river").found("F103")
    assert evidence == {
        "cost": 0,
        "points": 2900,
        "furiten": ["discard"],
        "cause": {"event": 1, "seat": 0, "tile": "3s", "turn": 1},
        "waits": ["3s", "6s"],
        "live": 6,
        "value": 2900,
        "offered_by": 1,
    }
    assert JudgedFinding(case).judged.finding.turn == 2
    furiten = replace(situation("riichi in furiten"), honba=1)
    (_, riichi), (_, passed) = furiten.found("F101"), furiten.found("F103")
    assert riichi["points"] == passed["points"] == 12900
    assert riichi["value"] == passed["value"] == 11600
    later = replace(furiten, moves=f"{furiten.moves.rstrip()}\n3 2z\n0 1m 1m\n1 3s\n")
    points = [(code_of(case.code), case.points) for case in later.cases()]
    assert points == [("F101", 12900), ("F103", 12900), ("F103", 7100)], "the first win that was lost counts"
    _, temporary = situation("temporary furiten outlasts a pon that skips the turn").found("F104")
    assert (temporary["furiten"], temporary["cause"]["tile"]) == (["temporary"], "6s")
    _, for_good = situation("passed under riichi").found("F105")
    assert (for_good["furiten"], for_good["cause"]["seat"]) == (["riichi"], 1)


def test_honba_and_sticks_are_in_the_cost_but_not_in_the_value() -> None:
    _, evidence = replace(situation("nothing in the river"), honba=2).found("W101")
    assert (evidence["value"], evidence["points"]) == (2900, 3500)
    plain = situation("riichi on the narrower wait")
    (_, without), (_, with_honba) = plain.found("R103"), replace(plain, honba=3).found("R103")
    assert (without["value"], without["better"]["value"]) == (7700, 11600)
    assert with_honba == without


@each_row(
    ("code", "moves", "drawn"),
    [
        ("W102", "0 5s 1z\n1 9m\n2 9m\n3 2z\n0 6s 6s", 8),
        ("W102", "0 5s 1z\n1 9m\n2 9m\n3 2z\n0 6s r6s", 8),
        ("W102", "0 5s 1z\n1 9m\n2 9m\n3 2z\n0 7z ankan 7z\n0 6s 6s", 11),
        ("F106", RIVER.replace("1 6s", "1 1p") + "3 2z\n0 6s -\ntsumo 0", 16),
        ("F106", RIVER.replace("1 6s", "1 1p") + "3 2z\n0 7z ankan 7z\n0 6s -\ntsumo 0", 19),
    ],
    ids=["discard", "riichi", "after a kan", "win", "win after a kan"],
)
def test_a_tsumo_is_found_at_its_draw(code: str, moves: str, drawn: int) -> None:
    hand = "234567m22678p4s1z" if "7z" not in moves else "234567m22p4s1z777z"
    case, _ = Situation(moves, {0: hand}).found(code)
    event = case.batch.events.kind[case.event]
    assert (case.index, event, case.tile_text) == (drawn, EventKind.DRAW, "6s")
    (line,) = hand_of(case)
    assert line.endswith("  drew 6s")


def test_a_better_discard_is_named() -> None:
    case, evidence = situation("a discard into furiten").found("F102")
    assert evidence["better"] == {"discard": "4s", "live": 4}
    assert (JudgedFinding(case).judged.finding.expected, JudgedFinding(case).judged.finding.actual) == (
        "4s",
        "7s",
    )
    _, evidence = situation("riichi on the narrower wait").found("R103")
    assert (evidence["live"], evidence["better"]["live"]) == (4, 8)
    assert evidence["better"]["value"] > evidence["value"] > 0


@pytest.mark.parametrize(
    ("changes", "severity"),
    [
        ({"moves": "leave 0" + RIVER}, "note"),
        ({"moves": "leave 0\nreturn 0" + RIVER}, "mistake"),
        ({"moves": RIVER}, "mistake"),
    ],
    ids=["away", "back", "there"],
)
def test_what_the_client_of_an_absent_player_does_is_a_note(changes: dict[str, str], severity: str) -> None:
    moves = changes["moves"].replace("0 3s 3s", "0 9s 9s")
    scores = (24000, 26000, 25000, 25000)
    built = replace(situation("nothing in the river"), moves=moves, scores=scores, round=4)
    case, _ = built.found("W101")
    assert JudgedFinding(case).judged.finding.severity == severity


LAST_HAND = """
3 9p
0 5s 1z
1 6s
"""


@each_row(
    ("scores", "round_", "severity"),
    [
        ((1000, 40000, 30000, 29000), 7, "note"),
        ((24000, 26000, 25000, 25000), 7, "mistake"),
        ((1000, 40000, 30000, 29000), 3, "note"),
        ((14000, 1000, 43000, 42000), 3, "note"),
        ((13000, 29000, 29000, 29000), 7, "mistake"),
        ((13000, 29000, 29000, 29000), 11, "note"),
    ],
    ids=[
        "stays last",
        "moves up",
        "not the last hand",
        "busts another",
        "overtime follows",
        "no more overtime",
    ],
)
def test_a_win_that_keeps_the_last_place_may_be_passed(
    scores: tuple[int, int, int, int], round_: int, severity: str
) -> None:
    case, _ = Situation(LAST_HAND, {0: WAITING}, scores=scores, round=round_).found("W101")
    assert JudgedFinding(case).judged.finding.severity == severity


@pytest.mark.parametrize(("round_", "severity"), [(6, "note"), (5, "note")])
def test_so_it_is_with_three_players(round_: int, severity: str) -> None:
    moves = f"{round_ % 4} 9p\n" + ("" if round_ == 6 else "2 9p\n") + "0 5s 1z\n1 6s"
    hands = {0: "234567678p22s4s1z"}
    built = Situation(moves, hands, players=3, dora="9s", scores=(1000, 60000, 44000, 0), round=round_)
    case, _ = built.found("W101")
    assert JudgedFinding(case).judged.finding.severity == severity


def test_a_deal_in_tells_what_could_be_seen_and_apart_what_the_log_knows() -> None:
    case, evidence = situation("one from tenpai with a genbutsu in hand").found("D102")
    assert evidence["winner"] == 1
    assert evidence["winner_waits"] == ["3s", "6s"]
    (threat,) = evidence["threats"]
    assert threat == {"seat": 1, "threat": "riichi", "class": "no suji 4-6", "level": 4, "percent": 14.2}
    assert evidence["shanten"] == 1
    assert evidence["points"] == 12000  # double riichi, ippatsu, pinfu, two dora
    first = evidence["alternatives"][0]
    assert first == {
        "tile": "9m", "class": "genbutsu", "level": 0, "percent": 0.0, "shanten_given_up": 0, "safer": True,
    }  # fmt: skip
    assert evidence["percent"] == 14.2
    tiles = {one["tile"] for one in evidence["alternatives"]}
    assert tiles == {"2m", "3m", "4m", "5m", "6m", "7m", "9m", "2p", "4p", "5p", "7s", "9s"}
    assert evidence["hindsight"] == {"would_have_dealt_in": []}
    assert case.safest is not None
    assert case.safest.dangers[1] is Danger.GENBUTSU
    _, evidence = situation("everything deals in").found("D107")
    assert evidence["hindsight"]["would_have_dealt_in"] == ["2m", "3m", "4m", "6m", "7m"]
    _, evidence = situation("in riichi").found("D106")
    assert evidence["alternatives"] == []


def test_the_tile_that_is_named_is_safer_against_every_threat() -> None:
    case, evidence = situation("safer against both of two").found("D101")
    safer = {one["tile"]: one["safer"] for one in evidence["alternatives"]}
    assert [tile for tile, is_safer in safer.items() if is_safer] == ["1p"]
    assert evidence["alternatives"][0]["tile"] == "3z", (
        "less dangerous at its worst, but no genbutsu to seat 2"
    )
    finding = JudgedFinding(case).judged.finding
    assert finding.expected == "1p"
    assert finding.message.endswith("; 1p was no suji 1/9 (8%)")
    named = next(one for one in evidence["alternatives"] if one["tile"] == "1p")
    assert (named["level"], named["percent"]) == (3, 8.1)
    # 4m is half suji to one and nothing to the other: 1 - 0.899 x 0.858.
    both = {one["tile"]: one["percent"] for one in evidence["alternatives"]}
    assert both["4m"] == pytest.approx(100 * (1 - (1 - 0.142) ** 2), abs=0.1)
    nothing, evidence = situation("folded, and nothing is safer against both of two").found("D104")
    assert "1z" in [one["tile"] for one in evidence["alternatives"]]
    assert JudgedFinding(nothing).judged.finding.expected is None


def test_a_discard_that_two_win_is_one_finding_at_the_cost_of_both() -> None:
    built = replace(situation("two players win one tile"), honba=1)
    case, evidence = built.found("D105")
    assert evidence["winners"] == [
        {"seat": 0, "waits": ["3s", "6s"]},
        {"seat": 1, "waits": ["3s", "6s", "9s"]},
    ]
    assert (evidence["winner"], evidence["winner_waits"]) == (0, ["3s", "6s"])
    assert evidence["points"] == 2900 + 3900 + 300
    assert JudgedFinding(case).judged.finding.message == (
        "6s deals into Aki and Ben for 7100, 6 from tenpai: Aki showed nothing, Ben showed nothing"
    )
    assert {one["class"] for one in evidence["alternatives"]} == {None}, "nobody was to be feared"


def test_what_a_log_has_behind_the_end_of_a_hand_is_not_looked_at() -> None:
    """It is not carried out either: the discard that declared riichi would be looked at once more."""
    built = replace(situation("riichi on the narrower wait"), moves="0 7s r4s\nron 1\n0 9p")
    facts = replay(built.batch(), review=True)
    assert facts.review is not None
    assert [code_of(code) for code in facts.review.findings.code.tolist()].count("R103") == 1
    assert 211 in facts.findings.code


# --- classes of danger ---------------------------------------------------------------------------------


@each_row(
    ("river", "tile", "danger"),
    [
        (AGAINST_RIICHI, "9m", Danger.GENBUTSU),
        (AGAINST_RIICHI, "2z", Danger.GENBUTSU),
        (AGAINST_RIICHI, "6m", Danger.HALF_SUJI),
        (AGAINST_RIICHI, "1z", Danger.HONOUR_3),
        (AGAINST_RIICHI, "5p", Danger.NO_SUJI_456),
        (AGAINST_RIICHI, "3p", Danger.NO_SUJI_37),
        (AGAINST_RIICHI, "2p", Danger.NO_SUJI_28),
        (AGAINST_RIICHI, "1p", Danger.NO_SUJI_19),
        (AGAINST_RIICHI.replace("3 2z", "3 4p"), "1p", Danger.SUJI_19),
        (AGAINST_RIICHI.replace("3 2z", "3 5p"), "2p", Danger.SUJI_28),
        (AGAINST_RIICHI.replace("3 2z", "3 4p"), "7p", Danger.SUJI_37),
        (AGAINST_RIICHI.replace("3 2z", "3 2p").replace("2 9m", "2 8p"), "5p", Danger.SUJI_456),
        (AGAINST_RIICHI.replace("3 2z", "3 1z"), "1z", Danger.GENBUTSU),
        # what passed before the riichi, and not by its player, is not safe
        ("0 9p\n1 9m\n2 5p\n3 2z\n0 9p\n1 1s r1s\n2 9m\n3 2z", "5p", Danger.NO_SUJI_456),
        ("0 9p\n1 5p\n2 9m\n3 2z\n0 9p\n1 1s r1s\n2 9m\n3 2z", "5p", Danger.GENBUTSU),
    ],
)
def test_classes_against_a_riichi(river: str, tile: str, danger: Danger) -> None:
    built = Situation(f"{river.rstrip()}\n0 {tile}", {0: "1478m147p258s346z", 1: RIICHI})
    before, after = (counted(replace(built, moves=moves)) for moves in (river, f"{river.rstrip()}\n0 {tile}"))
    (found,) = np.argwhere(after - before)
    players, threat, _, kind = found[:4]
    assert (players, threat, Danger(int(kind))) == (1, 0, danger)


@each_row(
    ("hand", "tile", "danger"),
    [
        ("9m258p13699s1234z", "1m", "TERMINAL_3"),
        ("19m258p13699s123z", "1m", "TERMINAL_2"),
        ("1119m258p369s123z", "1m", "TERMINAL_0"),
        ("19m258p13699s234z", "1z", "HONOUR_3"),
        ("19m258p1369s1234z", "9s", "NO_SUJI_19"),
    ],
)
def test_terminals_that_no_run_can_hold_are_no_honours(hand: str, tile: str, danger: str) -> None:
    moves = "0 9p\n1 9p r9p\n2 2z"
    hands = {0: hand, 1: "111m234567p22s45s" if tile != "1m" else "999m234567p22s45s"}
    built = Situation(moves, hands, players=3, dora="9s", scores=(35000, 35000, 35000, 0))
    difference = counted(replace(built, moves=f"{moves}\n0 {tile}")) - counted(built)
    (found,) = np.argwhere(difference)
    assert (found[0], Danger(int(found[3])).name) == (0, danger)


def counted(built: Situation) -> np.ndarray:
    reviewed = built.replayed().review
    assert reviewed is not None
    return reviewed.danger[..., 0]


@pytest.mark.parametrize(
    ("hand", "danger"), [("222p1478m147s346z", Danger.ONE_CHANCE), ("2222p147m147s346z", Danger.NO_CHANCE)]
)
def test_walls(hand: str, danger: str) -> None:
    built = Situation(f"{AGAINST_RIICHI}0 1p", {0: hand, 1: RIICHI})
    (found,) = np.argwhere(counted(built) - counted(replace(built, moves=AGAINST_RIICHI)))
    assert Danger(int(found[3])) is danger


def test_open_hands_are_threats_when_they_show_much() -> None:
    moves = "0 9p\n1 9p\n2 2m\n1 pon 2m 9s\n2 {}\n1 pon {} 1z\n2 1s"
    hands = {1: "2233m44p19s12345z"}
    one_suit = Situation(moves.format("3m", "3m"), hands)
    two_suits = Situation(moves.format("4p", "4p"), hands)
    assert counted(one_suit)[1, 1].sum() == 1
    assert counted(two_suits)[1, 1].sum() == 0
    assert counted(replace(two_suits, dora="3p"))[1, 1].sum() == 1


def test_a_suit_that_a_player_throws_is_not_collected() -> None:
    moves = (
        "0 9p\n1 {}\n2 1s\n3 1z\n0 2z\n1 1p 4m\n2 2m\n1 pon 2m 6m\n2 3s\n3 3z\n0 2z\n1 1p 8m\n2 3m\n"
        "1 pon 3m 5z\n2 1s"
    )
    three, four = (Situation(moves.format(first), {1: "22334689m12345z"}) for first in ("1s", "1m"))
    assert counted(three)[1, 1].sum() == 1, "three kinds of the suit are in the river"
    assert counted(four)[1, 1].sum() == 0, "four kinds"


def test_the_level_of_a_class_is_lower_against_an_open_hand() -> None:
    assert [Danger.NO_SUJI_456.level(threat) for threat in (Threat.RIICHI, Threat.OPEN)] == [4, 2]
    for danger in Danger:
        assert danger.level(Threat.OPEN) <= danger.level(Threat.RIICHI)


def test_a_discard_into_furiten_names_the_one_that_keeps_out_of_it() -> None:
    _, evidence = situation("a discard into furiten").found("F102")
    assert evidence["better"] == {"discard": "4s", "live": 4}


def test_where_a_fold_began() -> None:
    _, evidence = situation("folded, then not").found("D108")
    assert (evidence["fold"]["tile"], evidence["fold"]["turn"]) == ("2m", 2)


def test_two_melds_of_one_suit_are_a_threat_honours_apart() -> None:
    table, rules = new_table(), load_preset("tenhou").kernel()
    table.indicators[:] = state.NOBODY
    table.meld_count[2] = table.open_melds[2] = 2
    for melds in product((0, 6, 8, 9, 15, 17, 18, 24, 26, 27, 31, 33), repeat=2):
        table.meld_kinds[2, :2] = melds
        review = review_of(new_review(Batch.empty(), 1), 4)
        suits = {kind // 9 for kind in melds if kind < 27}
        assert bool(shows_much(table, 2, rules, review)) == (len(suits) == 1), melds


@pytest.mark.parametrize(
    ("moves", "hand", "better"),
    [
        ("0 3s 3s\n1 1z\n2 1z\n3 2z\n0 5s r1z", WAITING, None),
        ("0 6s 6s\n1 1z\n2 1z\n3 2z\n0 7s r9s", "234567m22678p59s", {"discard": "5s", "live": 4}),
        ("0 3s 3s\n1 6s\n2 6s\n3 3s\n0 5s r1z", WAITING, None),
    ],
    ids=["wide", "another discard is better", "few live tiles"],
)
def test_a_riichi_in_furiten_is_a_note_that_names_the_discard_without(
    moves: str, hand: str, better: dict[str, object] | None
) -> None:
    case, evidence = Situation(moves, {0: hand}).found("F101")
    assert JudgedFinding(case).judged.finding.severity == "note"
    assert evidence.get("better") == better


# --- how it is told ------------------------------------------------------------------------------------


FAR = next(one for one in MISTAKES if one.code == DEALING_IN)
FOLD = next(one for one in MISTAKES if one.code != DEALING_IN)


def choice(loss: int, verdict: PlayedOut | None = None, push: Push | None = None) -> JudgedChoice:
    """What the model says of a discard; of its options nothing is asked here."""
    options = cast("WeighedOptions", None)
    is_costly = loss >= 300
    return JudgedChoice(
        0, 0, 0, 0, 0, "pushing", 0, options, loss, 0, is_costly, dealt_in=True, verdict=verdict, push=push
    )


def push(verdict: PlayedOut | None = None) -> Push:
    """A push that lost 700 by the model where it began."""
    return Push(0, 1, "1m", 700, is_costly=True, verdict=verdict)


def test_a_mistaken_deal_in_weighs_its_price_and_bad_luck_nothing() -> None:
    case, _ = situation("one from tenpai with a genbutsu in hand").found("D102")
    pushed = JudgedFinding(case, choice(400, FAR, push()))
    assert (pushed.is_mistake, pushed.rank) == (True, (FAR.found, 700))
    begun = JudgedFinding(case, choice(0, None, push(FAR)))
    assert (begun.is_mistake, begun.weight) == (True, FAR.found)
    notes = [
        JudgedFinding(case),
        JudgedFinding(case, choice(50)),
        JudgedFinding(case, choice(4000, None, push())),
        JudgedFinding(case, choice(4000, FOLD, push(FOLD))),
    ]
    for note in notes:
        assert (note.is_mistake, note.severity, note.weight) == (False, "note", 12000)
        assert note.cost == 0, "what was paid is luck"


def test_only_what_was_played_out_has_a_price() -> None:
    for name, code in (("a wait in the river", "F103"), ("nothing in the river", "W101")):
        case, evidence = situation(name).found(code)
        assert (JudgedFinding(case).cost, evidence["cost"], evidence["points"]) == (0, 0, 2900)


@each_row("code", REVIEW_KINDS)
def test_examples_are_what_the_review_says(code: str) -> None:
    case: ReviewCase
    case, _ = situation(named("example")[code]).found(code)
    assert JudgedFinding(case).judged.finding.message == KINDS[code].example


@pytest.mark.parametrize(
    ("name", "closed", "kan", "waits"),
    [
        ("a kan in riichi that breaks the runs", "222333m99p89s", "1m", ("7s",)),
        ("no kan in riichi that would bring fu", "123m456p99p78s", "5z", ("6s", "9s")),
    ],
)
def test_a_kan_in_riichi_is_valued_over_all_new_indicators(
    name: str, closed: str, kan: str, waits: tuple[str, ...]
) -> None:
    """A second time, by scoring the hand with every pair of indicators that the player does not see."""
    rules, indicator = load_preset("tenhou"), parse_tile("9p")
    seen = Counter([indicator, *map(parse_tile, ("4z", "1z", "9m", "2z")), *[parse_tile(kan)] * 4])
    seen.update(parse_tiles(closed))
    melds = (Meld(MeldKind.ANKAN, (parse_tile(kan),) * 4),)

    def worth(wait: int, called: tuple[Meld, ...], new: tuple[int, ...], under: tuple[int, ...]) -> int:
        held = parse_tiles(closed) if called else [*parse_tiles(closed), *[parse_tile(kan)] * 3]
        hand = WinningHand(
            tiles=(*held, wait),
            win=wait,
            melds=called,
            situation=Facts.DOUBLE_RIICHI,
            dora_indicators=(indicator, *new),
            ura_indicators=under,
        )
        return int(score(hand, rules).points)

    before = after = live = 0
    for wait in map(parse_tile, waits):
        copies = 4 - seen[wait]
        left = Counter({kind: 4 - seen[kind] - (kind == wait) for kind in range(34)})
        total = ways = 0
        for first, second in product(range(34), repeat=2):
            pairs = left[first] * (left[second] - (first == second))
            if pairs > 0:
                ways += pairs
                total += pairs * worth(wait, melds, (first,), (second,))
        before += copies * worth(wait, (), (), ())
        after += copies * (total // ways)
        live += copies
    (case,) = situation(name).cases()
    values = {int(case.row["value"]), int(case.row["better_value"])}
    assert values == {before // live, after // live}
