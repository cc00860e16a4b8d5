"""``paifu compare``: what is a fact, how games and hands find each other, and the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import call
from compared import agree
from each_row import each_row
from fuzzing import sample_games
from mjai_games import cut, draw, hand, lines, start
from situations import Situation

from paifu.api.compare import compare_records
from paifu.api.convert import convert
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.comparison.comparing import ComparedFact, FactDifference, compare_games, stated_facts
from paifu.replay.comparison.facts import (
    DIFFERENT,
    DORA,
    DORA_PLACE,
    EVENTS,
    HANDS,
    LAST_RIICHI,
    ONLY_A,
    ONLY_B,
    PRESENCE,
    RULES,
)
from paifu.replay.comparison.hand_digests import NO_DIGEST, hand_digests
from paifu.replay.comparison.pairing import pair_games, pair_hands, pairing_keys
from paifu.replay.mending.draft import without_event
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tiles import NO_TILE

FORMATS = Path(__file__).parents[2] / "sample_logs" / "formats"
HANCHAN = FORMATS / "hanchan.mjlog.gz"


@cache
def game() -> Batch:
    (batch,) = read_batches([HANCHAN])
    return batch


def first_hands(batch: Batch, count: int) -> Batch:
    """The game as a record that stops after so many hands."""
    end = int(batch.hands.event_begin[count])
    hands = batch.hands.rows(slice(count))
    kept = {name: getattr(batch, name) for name in ("wins", "hand_draws", "riichi_scores")}
    tables = {name: table.rows(table.event < end) for name, table in kept.items()}
    games = replace(batch.games, hand_end=np.array([count], np.int32), event_end=np.array([end], np.int32))
    return replace(batch, games=games, hands=hands, events=batch.events.rows(slice(end)), **tables)


# --- facts ---------------------------------------------------------------------------------------------


CHANGES: dict[str, tuple[str, str, Any]] = {
    "a win's fu": ("wins", "fu", 30),
    "a discard": ("events", "tile", 7),
    "a score": ("hands", "scores", 100),
    "who paid": ("wins", "source", 2),
    "how a hand ended": ("hand_draws", "kind", 4),
    "a mark": ("events", "flags", 1),
}


@each_row("case", CHANGES)
def test_a_fact_that_changed_is_found(case: str) -> None:
    table_name, column, value = CHANGES[case]
    table = getattr(game(), table_name)
    values = getattr(table, column).copy()
    row = next(row for row in range(len(values)) if (values[row] != value).all())
    values[row] = value
    changed = replace(game(), **{table_name: replace(table, **{column: values})})
    found = compare_games(game(), changed)
    fact = f"{table_name}.{column}"
    assert {name for name, counts in found.facts.items() if counts.different} == {fact}
    assert found.facts[fact].different == 1
    (place,) = found.differences
    assert (place.fact, place.status) == (fact, DIFFERENT)
    assert place.a != place.b
    assert place.label.startswith(("E", "S"))
    assert not agree(found)


def test_a_game_is_equal_to_itself() -> None:
    found = compare_games(game(), game())
    assert (agree(found), found.differences) == (True, [])
    assert all(counts.equal for counts in found.facts.values())


def test_facts_are_stated_that_a_game_and_itself_agree_on() -> None:
    for sample in sample_games():
        facts = compare_games(sample, sample).facts.keys()
        assert stated_facts(sample) == facts
        assert stated_facts(sample, {"wins.fu", "games.rule"}) == facts & {"wins.fu", "games.rule"}


def test_indicators_alone_are_no_events() -> None:
    events = replace(game().events, kind=np.full_like(game().events.kind, EventKind.DORA))
    assert EVENTS in stated_facts(game())
    assert EVENTS not in stated_facts(replace(game(), events=events))


def test_what_one_record_says_is_no_difference() -> None:
    wins = replace(game().wins, fu=np.full_like(game().wins.fu, -1))
    bare, rows = replace(game(), wins=wins), len(wins)
    assert compare_games(game(), bare).facts["wins.fu"] == ComparedFact(only_a=rows)
    assert compare_games(bare, game()).facts["wins.fu"] == ComparedFact(only_b=rows)
    assert agree(compare_games(bare, game()))
    assert "wins.fu" not in compare_games(bare, bare).facts


def test_cells_of_seats_are_known_apart() -> None:
    """A player's own record may know one name of four."""
    names = game().games.names.copy()
    names[0, 1:] = ""
    own = replace(game(), games=replace(game().games, names=names))
    assert compare_games(game(), own).facts["games.names"] == ComparedFact(only_a=1)
    names = names.copy()
    names[0, 0] = "somebody else"
    other = replace(game(), games=replace(game().games, names=names))
    (place,) = [one for one in compare_games(game(), other).differences if one.fact == "games.names"]
    assert (place.status, place.b) == (DIFFERENT, "somebody else, -, -, -")


def test_hidden_hands_say_nothing() -> None:
    dealt = game().hands.dealt.copy()
    dealt[:, 1:] = NO_TILE
    hidden = replace(game(), hands=replace(game().hands, dealt=dealt))
    found = compare_games(game(), hidden)
    assert agree(found)
    assert found.facts["hands.dealt"] == ComparedFact(only_a=len(dealt))


def test_a_missing_move_is_a_difference_and_the_rest_stays_in_step() -> None:
    at = int(np.flatnonzero(game().events.kind == EventKind.DISCARD)[5])
    found = compare_games(game(), without_event(game(), at))
    assert found.facts[EVENTS] == ComparedFact(found.facts[EVENTS].equal, 1)
    assert "events.tile" in found.facts
    (place,) = found.differences
    assert (place.fact, place.label, place.a.partition(" ")[0], place.b) == (EVENTS, "E1.0", "discard", "")
    back = compare_games(without_event(game(), at), game())
    assert back.facts[EVENTS] == found.facts[EVENTS]


def test_hands_that_one_record_has_only_are_named() -> None:
    found = compare_games(game(), first_hands(game(), 3))
    assert agree(found)
    assert found.facts[HANDS] == ComparedFact(3, only_a=11)
    assert [one.a for one in found.differences if one.fact == HANDS][:1] == ["E3.1"]
    back = compare_games(first_hands(game(), 3), game())
    assert back.facts[HANDS] == ComparedFact(3, only_b=11)
    assert [one.label for one in back.differences if one.fact == HANDS][:1] == ["E3.1"]


def test_a_hand_that_stops_early_is_no_difference() -> None:
    whole = Situation("0 9p\n1 9m\n2 1p\n3 1s").batch()
    end = whole.hands.event_end - 2
    short = replace(
        whole,
        events=whole.events.rows(slice(end[0])),
        hands=replace(whole.hands, event_end=end),
        games=replace(whole.games, event_end=end),
    )
    found = compare_games(whole, short)
    assert (agree(found), found.facts[EVENTS]) == (True, ComparedFact(6, only_a=2))
    assert compare_games(short, whole).facts[EVENTS] == ComparedFact(6, only_b=2)


def test_the_order_of_equal_things_says_nothing() -> None:
    dealt = game().hands.dealt[:, :, ::-1].copy()
    assert not compare_games(game(), replace(game(), hands=replace(game().hands, dealt=dealt))).differences


def test_times_are_as_exact_as_both_records() -> None:
    def at(text: str) -> Batch:
        started = game().games.started.copy()
        started[0] = text
        return replace(game(), games=replace(game().games, started=started))

    assert agree(compare_games(at("2022-01-05T03"), at("2022-01-05T03:12")))
    assert not agree(compare_games(at("2022-01-05T04"), at("2022-01-05T03:12")))


def test_rules_are_compared_by_what_they_mean() -> None:
    overrides = game().games.overrides.copy()
    overrides[0] = '{"kuitan":false}'
    other = replace(game(), games=replace(game().games, overrides=overrides))
    found = compare_games(game(), other)
    assert [(one.a, one.b) for one in found.differences if one.fact == RULES] == [
        ("kuitan = True", "kuitan = False")
    ]
    assert agree(compare_games(game(), other, rules=["players", "red_man"]))


def only(batch: Batch, keep: Callable[[int, int], bool]) -> Batch:
    """The batch with those of its events that ``keep`` (number, kind) has."""
    return in_order(batch, [row for row, kind in enumerate(batch.events.kind.tolist()) if keep(row, kind)])


def in_order(batch: Batch, rows: list[int]) -> Batch:
    return replace(batch, events=batch.events.rows(np.array(rows)))


KAN = Situation("0 1m ankan 1m\n0 9p\n1 9p", {0: "111m258p146s1234z"}).batch()


def test_indicators_that_are_lost_moved_or_others_are_facts_of_their_own() -> None:
    kinds = KAN.events.kind.tolist()
    at = kinds.index(EventKind.DORA)
    without = only(KAN, lambda row, _kind: row != at)
    assert compare_games(KAN, without).facts[DORA] == ComparedFact(only_a=1)
    assert compare_games(without, KAN).facts[DORA] == ComparedFact(only_b=1)
    later = [*range(at), at + 1, at, *range(at + 2, len(kinds))]
    moved = compare_games(KAN, in_order(KAN, later))
    assert (moved.facts[DORA], moved.facts[DORA_PLACE]) == (ComparedFact(1), ComparedFact(0, 1))
    unsaid = compare_games(KAN, in_order(KAN, later), unsaid_b=[DORA_PLACE])
    assert (agree(unsaid), unsaid.facts[DORA_PLACE], unsaid.differences) == (True, ComparedFact(only_a=1), [])
    tiles = KAN.events.tile.copy()
    tiles[at] = 3
    other = compare_games(KAN, replace(KAN, events=replace(KAN.events, tile=tiles)))
    assert other.facts[DORA] == ComparedFact(0, 1)


def test_who_leaves_and_returns_is_a_fact_of_its_own() -> None:
    batch = Situation("leave 1\n0 9p\nreturn 1\n1 9m").batch()
    without = only(batch, lambda _row, kind: kind not in (EventKind.LEAVE, EventKind.RETURN))
    assert compare_games(batch, batch).facts[PRESENCE] == ComparedFact(2)
    assert compare_games(batch, without).facts[PRESENCE] == ComparedFact(only_a=1)
    assert compare_games(without, batch).facts[PRESENCE] == ComparedFact(only_b=1)


def test_a_riichi_that_ends_what_there_is_of_a_game_is_a_fact_of_its_own() -> None:
    batch = Situation("0 9p r9p", {0: "123456m789p1123s"}).batch()
    assert batch.events.kind[-2:].tolist() == [EventKind.RIICHI, EventKind.DISCARD]
    declared = only(batch, lambda row, _kind: row != len(batch.events) - 1)
    drawn = only(declared, lambda _row, kind: kind != EventKind.RIICHI)
    assert compare_games(declared, drawn).facts[LAST_RIICHI] == ComparedFact(only_a=1)
    assert compare_games(drawn, declared).facts[LAST_RIICHI] == ComparedFact(only_b=1)


def test_scores_after_a_riichi_belong_to_its_payment() -> None:
    fewer = replace(game(), riichi_scores=game().riichi_scores.rows(slice(1, None)))
    paid = len(game().riichi_scores)
    found = compare_games(game(), fewer)
    assert found.facts["riichi_scores.scores"] == ComparedFact(paid - 1, only_a=1)
    assert compare_games(fewer, game()).facts["riichi_scores.scores"] == ComparedFact(paid - 1, only_b=1)


def test_a_place_says_where_and_what() -> None:
    values = game().wins.yaku.copy()
    values[0, 0] = 8
    found = compare_games(game(), replace(game(), wins=replace(game().wins, yaku=values)))
    (place,) = found.differences
    begin = int(game().hands.event_begin[game().wins.hand[0]])
    assert place == FactDifference(
        "wins.yaku", DIFFERENT, 0, "E1.0", int(game().wins.event[0]) - begin, int(game().wins.seat[0]),
        place.a, place.b,
    )  # fmt: skip
    assert "tanyao" in place.b
    assert place.seat != NO_SEAT


# --- pairs ---------------------------------------------------------------------------------------------


def every() -> Batch:
    return Batch.concatenate(read_batches([FORMATS]))


def test_digests_are_equal_for_copies_and_for_nothing_else() -> None:
    one = hand_digests(game())
    (other,) = read_batches([FORMATS / "hanchan.json"])
    assert (one.play == hand_digests(other).play).all()
    assert (one.deal == hand_digests(other).deal).all()
    assert len(set(one.deal.tolist()) | set(one.play.tolist())) == 2 * len(game().hands)


def test_hidden_tiles_have_no_digest_of_the_deal() -> None:
    text = lines(start(), hand(tehais=[["?"] * 13] * 4), draw(0, "?"), cut(0, "1m"))
    digests = hand_digests(read_unit([Document("x", text, Format.MJAI)]))
    assert (digests.deal.tolist(), digests.play[0] != NO_DIGEST) == ([NO_DIGEST], True)


def test_games_find_each_other_in_any_order() -> None:
    keys = pairing_keys(every())
    turned = list(reversed(keys))
    pairs = pair_games(keys, turned)
    # The samples hold games in several formats, and any record of a game is as good as another.
    same = {frozenset(key.plays) for key in keys}
    assert all(frozenset(keys[a].plays) == frozenset(turned[b].plays) for a, b in pairs)
    assert len(pairs) == len(keys) > len(same)


def test_a_changed_deal_is_found_by_the_play_and_a_changed_play_by_the_deal() -> None:
    dealt, tiles = game().hands.dealt.copy(), game().events.tile.copy()
    dealt[:, :, 0] = 33
    other = replace(game(), hands=replace(game().hands, dealt=dealt))
    assert pair_hands(game(), other) == [(at, at) for at in range(14)]
    tiles[game().events.kind == EventKind.DISCARD] = 33
    other = replace(game(), events=replace(game().events, tile=tiles))
    assert pair_hands(game(), other) == [(at, at) for at in range(14)]


def test_a_hand_that_comes_twice_is_paired_once() -> None:
    hands = np.array([0, *range(14)])
    twice = replace(game(), hands=game().hands.rows(hands))
    pairs = pair_hands(game(), twice)
    assert pairs[0][1] in (0, 1)
    assert pairs[1:] == [(at, at + 1) for at in range(1, 14)]


def test_hands_of_nothing_in_common_are_paired_by_their_place() -> None:
    (other,) = read_batches([FORMATS / "tonpuu.mjlog"])
    pairs = pair_hands(game(), other)
    assert pairs[0] == (0, 0)
    assert len(pairs) == len({b for _, b in pairs})


# --- files ---------------------------------------------------------------------------------------------


def test_the_same_game_in_two_formats() -> None:
    found = compare_records(HANCHAN, FORMATS / "hanchan.json")
    assert bool(found)
    (pair,) = found.pairs
    assert (bool(pair), list(found.differences)) == (True, [])
    assert pair.facts["wins.yaku"] == ComparedFact(equal=13)
    assert pair.facts["hands.dice"] == ComparedFact(unsaid=14)
    assert pair.facts["games.names"] == ComparedFact(equal=1)


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("converted")
    for target in ("mjai", "majsoul-json", "tenhou6", "paifu"):
        convert([FORMATS / "five-games.jsonl", FORMATS / "sanma.mjlog.gz", HANCHAN], folder / target, target)
    return folder


@pytest.mark.every(4)
@pytest.mark.parametrize("one", ["mjai", "majsoul-json", "tenhou6", "paifu"])
@pytest.mark.parametrize("other", ["mjai", "majsoul-json", "tenhou6", "paifu"])
def test_folders_are_paired_by_content(converted: Path, one: str, other: str) -> None:
    for number, path in enumerate(sorted((converted / other).iterdir())):
        assert path.name != f"{number}{path.suffix}"
    found = compare_records(converted / one, converted / other)
    assert (len(found.pairs), found.only_a, found.only_b, found.faults) == (7, [], [], [])
    assert bool(found), [str(one) for one in found.differences][:3]


def test_games_of_one_side_only_are_named() -> None:
    found = compare_records(
        [HANCHAN, FORMATS / "tonpuu.mjlog"], [FORMATS / "hanchan.json", FORMATS / "kokushi.mjlog"]
    )
    assert [len(found.pairs), len(found.only_a), len(found.only_b)] == [1, 1, 1]
    assert found.only_a[0].endswith("tonpuu.mjlog")
    assert bool(found)


def test_one_hand_a_line_is_compared_with_the_whole_game(tmp_path: Path) -> None:
    whole = json.loads((FORMATS / "hanchan.json").read_text())
    apart = [{**whole, "log": [one]} for one in whole["log"]]
    for one in apart[:-1]:
        del one["sc"]
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(map(json.dumps, apart)))
    found = compare_records(path, HANCHAN)
    assert (len(found.pairs), bool(found), found.only_a) == (1, True, [])
    assert found.facts[HANDS] == ComparedFact(equal=14)


# --- the command ---------------------------------------------------------------------------------------


def test_equal_different_and_unusable(tmp_path: Path) -> None:
    result = call("compare", HANCHAN, FORMATS / "hanchan.json", "--jobs", 1)
    assert (result.status, result.talk[-1]) == (0, "the game is equal as far as both say")
    changed = json.loads((FORMATS / "hanchan.json").read_text())
    changed["log"][0][-1][1] = [-value for value in changed["log"][0][-1][1]]
    changed["name"][0] = "x"
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(changed))
    result = call("compare", HANCHAN, path, "--jobs", 1)
    assert (result.status, result.talk[-1]) == (1, "the game is different")
    assert any("E1.0 event" in line and "wins.deltas: A " in line for line in result.text.splitlines())
    result = call("compare", HANCHAN, path, "--ignore", "wins.,games.names", "--ignore", "x", "--jobs", 1)
    assert result.status == 0
    (tmp_path / "bad.mjlog").write_bytes(b"no log")
    result = call("compare", tmp_path, HANCHAN, "--jobs", 1)
    assert result.status == 2
    result = call("compare", FORMATS / "five-games.jsonl", FORMATS / "sanma.json", "--jobs", 1)
    assert (result.status, result.talk[-1]) == (2, "no game of A is in B")
    assert any(line.startswith("5 games only in A: ") for line in result.talk)


def test_two_games_with_nothing_in_common_are_different() -> None:
    result = call("compare", HANCHAN, FORMATS / "tonpuu.mjlog", "--jobs", 1)
    assert (result.status, result.talk[-1]) == (1, "the game is different")
    assert "... and " in result.text


def test_what_programs_read(tmp_path: Path) -> None:
    changed = json.loads((FORMATS / "hanchan.json").read_text())
    changed["log"][0][1] = [24000, 26000, 25000, 25000]
    (tmp_path / "b.json").write_text(json.dumps(changed))
    result = call("compare", HANCHAN, tmp_path / "b.json", "-f", "json", "--jobs", 1)
    document = json.loads(result.data)
    assert (document["schema"], document["summary"]["equal"]) == ("paifu.compare/1", 0)
    assert document["games"][0]["equal"] is False
    facts = {row["fact"]: row for row in document["facts"]}
    assert facts["hands.scores"] == {
        "fact": "hands.scores", "equal": 13, "different": 1, "only_a": 0, "only_b": 0, "unsaid": 0,
    }  # fmt: skip
    result = call("compare", HANCHAN, tmp_path / "b.json", "--places", "-f", "jsonl", "--jobs", 1)
    (row,) = (row for row in map(json.loads, result.data.splitlines()) if row["status"] == "different")
    assert (row["hand"], row["event"], row["a"], row["b"]) == (
        "E1.0", None, "25000, 25000, 25000, 25000", "24000, 26000, 25000, 25000",
    )  # fmt: skip
    assert call("compare", HANCHAN, tmp_path / "b.json", "--places", "--jobs", 1).status == 1


def test_statuses_of_rows_have_numbers_of_their_own() -> None:
    assert len({DIFFERENT, ONLY_A, ONLY_B}) == 3


# --- real logs -----------------------------------------------------------------------------------------


def pairs_of_real_logs(shared: Path) -> Iterator[tuple[Path, Path]]:
    for line in (shared / "logs" / "pairs.csv").read_text().splitlines()[1:]:
        one, other, _ = line.split(",")
        yield shared / "logs" / one, shared / "logs" / other


@pytest.mark.corpus
def test_real_records_of_one_game_by_two_programs_agree(shared: Path) -> None:
    """They differ in names alone, which one program hid."""
    for one, other in pairs_of_real_logs(shared):
        found = compare_records(one, other).without(["games.names"])
        assert bool(found), (one, [str(place) for place in found.differences][:3])
