"""paifu's own log: what is read, what is refused and where, and that nothing is lost on the way."""

from __future__ import annotations

import copy
import gzip
import io
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import assert_sound, faults
from case_data import case_data
from each_row import each_row
from fuzzing import SAMPLES, mangled_json
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from paifu_texts import paifu_events_text, paifu_text

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.errors import ParseError, WriteError
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.paifu_log.notation import ROUNDS, notation
from paifu.parsers.paifu_log.values import LIMITS
from paifu.parsers.paifu_log.writer import PaifuEventsGameWriter, PaifuGameWriter
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format, sniff
from paifu.parsers.sources.documents import Document, InputLimits, open_document
from paifu.parsers.sources.paths import iter_documents
from paifu.replay.bounds import check_batch
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Faults
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import load_preset, preset_names, resolve
from paifu.replay.scoring.yaku import ROMAJI
from paifu.replay.table.engine import replay
from paifu.replay.views.labels import format_label

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "parsers" / "paifu_log" / "schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
PAGE = (ROOT / "docs" / "reference" / "paifu-log.md").read_text("utf-8")
SHAPES = {
    "games": (paifu_text, PaifuGameWriter.games),
    "events": (paifu_events_text, PaifuEventsGameWriter.games),
}


def read(text: bytes | str, name: str = "x.jsonl", **fields: Any) -> Batch:
    data = text.encode() if isinstance(text, str) else text
    return read_unit([Document(name, data, Format.PAIFU, **fields)])


def example(language: str) -> str:
    """The page's log in one of its two shapes."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


def with_own_faults(batch: Batch, game: int) -> Batch:
    """One game of a batch, with the faults of its source."""
    mine = batch.faults.source == batch.games.source[game]
    rows = Faults(**{name: values[mine] for name, values in batch.faults.arrays()})
    return replace(batch.take(game), faults=rows)


@cache
def samples() -> tuple[Batch, ...]:
    return tuple(read_batches([SAMPLES]))


# --- nothing is lost -----------------------------------------------------------------------------------


def assert_comes_back(batch: Batch) -> int:
    """Every column of every game, faults included, in both shapes; return how many games were compared."""
    count = 0
    for _write_all, of_games in SHAPES.values():
        for game, text in enumerate(of_games(batch)):
            one = with_own_faults(batch, game)
            again = read(text, one.games.source[0])
            assert again.differences(one) == [], one.games.source[0]
            count += 1
    return count // len(SHAPES)


@pytest.mark.full
def test_every_sample_log_comes_back() -> None:
    assert sum(map(assert_comes_back, samples())) > 200
    assert sum(len(batch.faults) for batch in samples()) > 3, "with faults among them"


@each_row("name", preset_names(Scheme.HAN_FU))
def test_games_under_any_rules_come_back_and_name_them(name: str) -> None:
    game = Simulator(load_preset(name), [PLAYERS["wild"], PLAYERS["caller"]]).game(5)
    batch = batch_of([game], "paifu")
    assert_comes_back(batch)
    (text,) = PaifuGameWriter.games(batch)
    assert "origin" not in json.loads(text)["game"]
    again = read(text)
    assert again.games.format[0] == "paifu"
    facts = replay(again)
    assert facts.findings.code.tolist() == [], "without being told the rules"
    assert facts.checked.finals == 1


def test_mjlog_comes_back_byte_for_byte() -> None:
    for batch in read_batches(sorted(SAMPLES.glob("[grs]*/*.mjlog*"))):
        for write_all, _ in SHAPES.values():
            assert b"".join(MjlogGameWriter.games(read(write_all(batch)))) == b"".join(
                MjlogGameWriter.games(batch)
            )


@pytest.mark.parametrize("shape", SHAPES)
def test_who_leaves_before_the_first_hand_comes_back(shape: str) -> None:
    _, write_all = SHAPES[shape]
    batch = read(json.dumps(json.loads(example("json")) | {"events": ["3 leave", "3 return"]}))
    assert batch.events.kind[:2].tolist() == [EventKind.LEAVE, EventKind.RETURN]
    assert batch.hands.event_begin[0] == 2
    (text,) = write_all(batch)
    assert read(text).events.kind.tolist() == batch.events.kind.tolist()


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "step", "games"),
    [("mjlog", 18, 141), ("tenhou6", 3, 117), pytest.param("mjlog", 1, 2538, marks=pytest.mark.slow)],
)
def test_real_logs_come_back(shared: Path, folder: str, step: int, games: int) -> None:
    batch = Batch.concatenate(read_batches([shared / "logs" / folder]))
    assert sum(assert_comes_back(batch.take(game)) for game in range(0, len(batch), step)) == games


@pytest.mark.corpus
def test_real_mjlogs_come_back_byte_for_byte(shared: Path) -> None:
    same = 0
    for document in islice(iter_documents([shared / "logs" / "mjlog"]), 0, None, 3):
        assert isinstance(document, Document), document
        text = open_document(document)
        batch = read_unit([Document(document.location, text, Format.MJLOG)])
        if b"".join(MjlogGameWriter.games(batch)) == text:
            (own,) = PaifuGameWriter.games(batch)
            assert b"".join(MjlogGameWriter.games(read(own))) == text
            same += 1
    assert same > 170


def test_a_batch_that_no_parser_makes_is_refused_or_written_whole() -> None:
    (batch,) = (b for b in read_batches([SAMPLES / "formats" / "tonpuu.mjlog"]))
    for table, column, row, value, words in (
        ("events", "tile", 0, 3, "contradict each other"),
        ("events", "flags", 0, 4, "cannot state"),
        ("hands", "dice", 0, 9, "dice"),
        ("wins", "melds", 0, [-1, 5, -1, -1, -1, -1, -1, -1], "melds of codes"),
        ("wins", "yaku", 0, [255, 1] + [255] * 22, "gaps"),
    ):
        broken = Batch(*map(copy.deepcopy, batch.tables()))  # type: ignore[arg-type]
        getattr(getattr(broken, table), column)[row] = value
        with pytest.raises(WriteError, match=words):
            paifu_text(broken)
    broken = Batch(*map(copy.deepcopy, batch.tables()))  # type: ignore[arg-type]
    broken.games.names[0, 0] = "\ud800"
    with pytest.raises(WriteError, match="JSON"):
        paifu_text(broken)


# --- the page's example --------------------------------------------------------------------------------


def test_the_example_is_what_the_page_says() -> None:
    batch = read(example("jsonl"))
    assert_sound(batch)
    assert faults(batch) == []
    assert [format_label(*pair) for pair in zip(batch.hands.round, batch.hands.honba, strict=True)] == [
        "E1.0",
        "E2.0",
        "E2.1",
    ]
    assert batch.hands.end.tolist() == [HandEnd.WIN, HandEnd.KYUUSHU, HandEnd.WIN]
    assert batch.games.names[0].tolist() == ["Anna", "Ben", "Chie", "Dmitri"]
    assert batch.games.is_cut.tolist() == [True]
    assert (batch.games.final_scores == UNKNOWN_POINTS).all()
    assert batch.hands.dealer.tolist() == [0, 1, 1]
    assert (batch.hands.dealt[1, [0, 2, 3]] == NO_TILE).all()
    assert (batch.wins.deltas[1] == UNKNOWN_POINTS).all()
    facts = replay(batch)
    assert facts.findings.code.tolist() == []
    assert facts.checked.wins == 1


def test_the_first_hand_of_the_example_is_checked() -> None:
    for right, wrong in (
        ('"points": 8000', '"points": 7700'),
        ("[-8000, 9000, 0, 0]", "[-8000, 8000, 0, 0]"),
        ('["pinfu", 1]', '["iipeikou", 1]'),
        ('"3 discard 1s"', '"3 discard 2s"'),
        ('"scores": [17000', '"scores": [17100'),
    ):
        assert right in example("jsonl")
        batch = read(example("jsonl").replace(right, wrong, 1))
        assert faults(batch) == []
        assert len(replay(batch).findings) > 0, wrong


def test_both_shapes_of_the_example_say_the_same() -> None:
    events, whole = read(example("jsonl")), read(example("json"))
    assert faults(whole) == []
    last = events.take(0)
    first = int(last.hands.event_begin[2])
    assert whole.events.differences(
        type(last.events)(**{name: values[first:] for name, values in last.events.arrays()})
    ) == []  # fmt: skip
    for column in ("round", "honba", "dealer", "scores", "dora", "end"):
        assert np.array_equal(getattr(whole.hands, column)[0], getattr(last.hands, column)[2])
    assert read(paifu_text(events)).differences(read(paifu_events_text(events))) == []
    assert read(paifu_text(events)).differences(events) == []


def test_the_page_names_every_field_and_event() -> None:
    fields = {
        name for part in ("header", "hand", "result", "fault") for name in SCHEMA["$defs"][part]["properties"]
    } | {name for kind in SCHEMA["$defs"]["event"]["anyOf"] for name in kind.get("properties", ())}
    assert {name for name in fields if f"`{name}`" not in PAGE} == set()
    words = {word for word in SCHEMA["$defs"]["draw"]["enum"] if f"`{word}`" not in PAGE}
    assert words == set()
    texts = re.findall(r"^\| (`.*?`) \| ", PAGE.partition("| event |")[2].partition("\n\n")[0], re.MULTILINE)
    examples = [text for cell in texts for text in re.findall("`(.*?)`", cell)]
    assert len(examples) > 20
    with_bonus_tiles = notation(4, (), is_riichi=False)
    for text in examples:
        (with_bonus_tiles if "bonus" in text else FOUR).word(text)


# --- notation ------------------------------------------------------------------------------------------

FOUR, THREE = notation(4, (16, 52, 88)), notation(3, (52, 88))

TABLES = case_data("paifu_log")


@each_row("text", TABLES["events"])
def test_events_are_read_and_written(text: str) -> None:
    kind, seat, source, tile, own, flags = TABLES["events"][text]
    word = FOUR.word(text)
    bits = lambda value: 7 if value == 255 else value  # noqa: E731
    assert word & 31 == EventKind[kind.upper()]
    assert (word >> 5 & 7, word >> 8 & 7) == (bits(seat), bits(source))
    assert word >> 11 & 255 == tile
    assert [word >> shift & 255 for shift in (19, 27, 35)] == [*own, 255, 255, 255][:3]
    assert word >> 43 == (EventFlag[flags.upper()] if flags else 0)
    assert FOUR.text(word) == text


@pytest.mark.parametrize(
    ("by_wind", "dealer", "by_number"),
    [
        ("E draw 5p", 2, "2 draw 5p"),
        ("N pon (555p) from W", 2, "1 pon (555p) from 0"),
        ("W ron 1m from E uncertain", 0, None),
        ("S ron 1m from E", 3, "0 ron 1m from 3"),
    ],
)
def test_seats_by_wind(by_wind: str, dealer: int, by_number: str | None) -> None:
    if by_number is None:
        with pytest.raises(ParseError):
            FOUR.word(by_wind, dealer)
    else:
        assert FOUR.text(FOUR.word(by_wind, dealer)) == by_number


def test_three_players_have_no_north() -> None:
    assert THREE.text(THREE.word("W draw 5p", 2)) == "1 draw 5p"
    for text in ("N draw 5p", "3 draw 5p", "1 pon (555p) from 3", "1 ron 5p from 3", "3 pon (555p) from 1"):
        with pytest.raises(ParseError) as caught:
            THREE.word(text, 0)
        assert caught.value.code == "V105"


@each_row("text", TABLES["wrong_events"])
def test_wrong_events_say_what_is_wrong(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        FOUR.word(text)
    code, _, words = TABLES["wrong_events"][text].partition(" ")
    assert caught.value.code == code
    assert words in caught.value.reason


@given(st.lists(st.one_of(st.integers(0, 172), st.just(NO_TILE)), max_size=14))
def test_any_tiles_come_back(codes: list[int]) -> None:
    assert list(FOUR.codes(FOUR.tiles(codes))) == codes


def test_rounds_are_named_as_hands_are() -> None:
    assert {name: format_label(number, 0).removesuffix(".0") for name, number in ROUNDS.items()} == {
        name: name for name in ROUNDS
    }


# --- what is left out ----------------------------------------------------------------------------------

SMALL = {"paifu": 1, "game": {"ruleset": "tenhou"}, "hands": [{"round": "S2", "events": ["exhaustive"]}]}


def test_the_smallest_game_states_nothing_else() -> None:
    batch = read(json.dumps(SMALL))
    assert faults(batch) == []
    assert_sound(batch)
    stated = {
        "games": {"source", "format", "version", "ruleset", "players", "hand_end", "event_end"},
        "hands": {"round", "dealer", "end", "event_end"},
        "events": {"kind"},
        "hand_draws": {"kind"},
    }
    for table in batch.tables():
        blank = type(table).empty(len(table))
        assert set(table.differences(blank)) == stated.get(table.NAME, set()), table.NAME
    assert batch.hands.dealer.tolist() == [1]
    assert replay(batch).findings.code.tolist() == []


# --- what is wrong -------------------------------------------------------------------------------------


def changed(path: str, value: Any) -> str:
    """The page's game with one value set; ``path`` is as in an error's place."""
    log = json.loads(example("json"))
    steps: list[Any] = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]
    place = log
    for step in steps[:-1]:
        place = place[step]
    place[steps[-1]] = value
    return json.dumps(log)


BAD_VALUES = [(path, json.loads(value), *fault) for path, value, *fault in TABLES["bad_values"]["rows"]]


@each_row(("path", "value", "place", "code", "reason", "hint", "games"), BAD_VALUES)
def test_a_wrong_value_is_told_with_its_place(
    path: str, value: Any, place: str, code: str, reason: str, hint: str, games: int
) -> None:
    batch = read(changed(path, value))
    ((told_place, told_code, told_reason, told_hint),) = faults(batch)
    assert (told_place, told_code) == (place, code)
    assert reason in told_reason
    assert hint in told_reason + told_hint
    assert told_hint
    assert len(batch) == games
    assert_sound(batch)


def lines(*changes: tuple[str, str]) -> str:
    text = example("jsonl")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_what_is_wrong_in_lines_names_the_line() -> None:
    for old, new, place, code, reason in (
        ('"3 pon (555z) from 1"', '"3 pon (55z) from 1"', "line 8", "V105", "expected 3 known tiles"),
        ('"fu": 30', '"fu": "x"', "line 30 fu", "V105", "expected a whole number 0 to 1000"),
        ('"E2", "honba": 1', '"E9", "honba": 1', "line 34 hand.round", "V105", "not one of the rounds"),
        (
            '{"event": "2 draw 2s"}',
            '{"event": "2 draw 2s"',
            "line 16 column 22",
            "V101",
            "the JSON breaks off",
        ),
        ('{"event": "2 draw 2s"}', "[1]", "line 16", "V101", "a line is a list"),
        (
            '{"event": "2 draw 2s"}',
            '{"evnet": "2 draw 2s"}',
            "line 16",
            "V102",
            "this is not a line of a log",
        ),
    ):
        batch = read(lines((old, new)) + lines())
        (fault,) = faults(batch)
        assert fault[:2] == (place, code)
        assert reason in fault[2]
        assert batch.faults.source.tolist() == ["x.jsonl:1"]
        assert batch.games.source.tolist() == ["x.jsonl:1", "x.jsonl:44"], "the next game is read"
        assert batch.games.is_cut[0]
        assert batch.take(1).differences(read(lines()).take(0), ignore=["games.source"]) == []


def test_lines_outside_a_game_are_told_once() -> None:
    stray = '{"event": "0 draw 5m"}\n{"event": "0 discard 5m"}\n'
    batch = read(stray + lines())
    ((place, code, reason, hint),) = faults(batch)
    assert (place, code, reason) == ("line 1", "V102", "no game begins before this line")
    assert '"paifu": 1' in hint
    assert len(batch) == 1
    after = read(lines() + stray)
    ((place, code, reason, _),) = faults(after)
    assert (place, code, reason) == ("line 44", "V102", "it comes after the game's result")
    assert len(after.hands) == 3


def test_own_names_are_skipped_and_unknown_ones_told() -> None:
    own = lines(('"round": "E1"', '"x_mood": {"a": [1]}, "round": "E1"'), ('"fu": 30', '"fu": 30, "x_y": 1'))
    assert read(own).differences(read(lines())) == []
    unknown = lines(('{"event": "0 draw 4z"}', '{"event": "0 draw 4z", "ms": 1200}'))
    batch = read(unknown)
    ((place, code, reason, hint),) = faults(batch)
    assert (place, code, reason) == ("line 4", "V102", "unknown field 'ms'")
    assert "it was skipped and the rest of the game read" in hint
    assert batch.differences(read(lines())) == [
        "faults." + name for name in ("source", "place", "code", "reason", "hint")
    ]


def test_many_unknown_names_are_told_within_bounds() -> None:
    log = json.loads(example("json"))
    log["game"] |= {f"name{number}": 0 for number in range(1000)}
    assert len(read(json.dumps(log)).faults) == 20


def test_a_name_twice_counts_as_the_last() -> None:
    batch = read(lines(('"ruleset": "tenhou"', '"ruleset": "no such", "ruleset": "tenhou"')))
    assert batch.differences(read(lines())) == []


@pytest.mark.parametrize("opening", ["[", '{"paifu":1,"game":', '{"x_a":'])
def test_deep_nesting_is_refused(opening: str) -> None:
    batch = read('{"paifu":1,"game":' + opening * 100_000)
    assert [code for _, code, _, _ in faults(batch)] == ["V101"]
    deep = '{"paifu":1,"game":{"ruleset":"tenhou","overrides":{"uma":' + "[" * 500 + "]" * 500 + "}}}\n"
    assert [code for _, code, _, _ in faults(read(deep + deep))] == ["V102", "V102"]


def test_a_list_of_games_and_one_over_many_lines() -> None:
    game = json.loads(example("json"))
    batch = read(json.dumps([game, game], indent=2))
    assert batch.games.source.tolist() == ["x.jsonl#1", "x.jsonl#2"]
    assert faults(batch) == []
    ((_, code, reason, _),) = faults(read("[]"))
    assert (code, reason) == ("V102", "the list holds no game")
    (fault,) = faults(read(json.dumps(game, indent=2)[:-9]))
    assert fault[0].startswith("line ")


# --- detection and streams -----------------------------------------------------------------------------


@each_row(
    "text",
    [
        example("jsonl"),
        example("json"),
        "[" + example("json") + "]",
        "\ufeff" + example("jsonl"),
        '{"game": {}, "paifu": 1}',
        '{"paifu":1,"game":{"ruleset":"tenhou","title":"\\"log\\":[ \\"type\\": \\"none\\""}}',
    ],
)
def test_it_is_detected_from_content(text: str) -> None:
    assert sniff(text.encode()) is Format.PAIFU


def test_other_json_is_not_taken_for_it() -> None:
    assert sniff(b'{"log":[[[0,0,0]]],"title":["{\\"paifu\\": 1}",""]}') is Format.TENHOU6


@pytest.mark.parametrize("shape", SHAPES)
def test_pieces_of_a_stream_are_whole_games(shape: str) -> None:
    batch = Batch.concatenate(read_batches([SAMPLES / "formats", SAMPLES / "scenarios"]))
    text = SHAPES[shape][0](batch)
    limits = InputLimits(piece=5000)
    documents = list(iter_documents(["-"], stdin=io.BytesIO(text), limits=limits))
    assert len(documents) > 20
    assert all(
        isinstance(document, Document) and document.data.startswith(b'{"paifu"') for document in documents
    )
    again = read_unit(documents)
    assert again.differences(batch, ignore=["games.source"]) == []
    starts = [at for at, line in enumerate(text.splitlines()) if line.startswith(b'{"paifu"')]
    assert again.games.source.tolist() == [f"<stdin>:{at + 1}" for at in starts]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_stream_that_breaks_off_keeps_what_came_before(shape: str) -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "five-games.jsonl"])
    text = SHAPES[shape][0](batch)
    cut = gzip.compress(text)[:-500]
    documents = list(iter_documents(["-"], stdin=io.BytesIO(cut)))
    again = read_unit(documents)
    assert [reason for _, _, reason, _ in faults(again)] == ["the gzip data are cut off"]
    whole = 4 if shape == "games" else 5
    assert len(again) == whole
    assert again.games.is_cut.tolist() == [False] * 4 + [True] * (whole - 4)


# --- the schema ----------------------------------------------------------------------------------------


def is_valid(text: bytes | str) -> bool:
    return all(VALIDATOR.is_valid(json.loads(line)) for line in text.splitlines() if line.strip())


def test_the_schema_is_one_and_knows_every_word() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    words = SCHEMA["$defs"]
    assert words["yaku"]["anyOf"][0]["enum"] == list(ROMAJI)
    (win,) = (kind for kind in words["event"]["anyOf"] if "fu" in kind.get("properties", ()))
    assert win["properties"]["limit"]["enum"] == list(LIMITS)


@pytest.mark.full
def test_every_line_that_is_written_fits_the_schema() -> None:
    parts: set[bytes] = set()
    for batch in samples():
        parts |= set(paifu_events_text(batch).splitlines())
    assert len(parts) > 3000
    for line in sorted(parts):
        assert VALIDATOR.is_valid(json.loads(line)), line
    for batch in samples()[:1]:
        for line in sorted(paifu_text(batch).splitlines(), key=len)[:25]:
            assert VALIDATOR.is_valid(json.loads(line)), line


def test_the_examples_fit_the_schema() -> None:
    assert is_valid(example("jsonl"))
    assert VALIDATOR.is_valid(json.loads(example("json")))
    assert VALIDATOR.is_valid(SMALL)


def test_wrong_values_break_the_schema() -> None:
    """All but those that a schema cannot find."""
    fine = {path for path, value, *_ in BAD_VALUES if VALIDATOR.is_valid(json.loads(changed(path, value)))}
    assert fine == {
        "game.ruleset",
        "game.overrides",
        "game.players",
        "hands[0].dealt",
        "hands[0].events[7]",
        "events",
    }


def short_games() -> Iterator[bytes]:
    yield example("json").encode()
    yield from (line for line in paifu_text(samples()[0]).splitlines() if len(line) < 8_000)


@pytest.mark.full
def test_what_breaks_the_schema_is_refused() -> None:
    rng = random.Random(12)  # noqa: S311
    games = list(short_games())
    assert len(games) > 50
    refused = 0
    for number in range(700):
        text = mangled_json(games[number % len(games)], rng)
        batch = read(text)
        if not VALIDATOR.is_valid(json.loads(text)):
            refused += 1
            assert len(batch.faults) > 0, text
    assert 200 < refused < 700, "some changes leave it valid"


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 2**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["0 draw 5m", "kyuushu", "E1", "x", ""]),
)
NAMES = st.sampled_from(["event", "hand", "round", "result", "fault", "x_a", "cut"])
LINES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=2 * settings().max_examples)
@given(st.data())
def test_a_line_that_breaks_the_schema_is_refused(data: st.DataObject) -> None:
    parts = example("jsonl").splitlines()
    at = data.draw(st.integers(0, len(parts) - 1))
    value = data.draw(LINES)
    parts[at] = json.dumps(value)
    batch = read("\n".join(parts))
    if not VALIDATOR.is_valid(value):
        assert len(batch.faults) > 0


def test_rules_with_two_red_fives_come_back() -> None:
    rules = resolve("tenhou", '{"red_pin":2}')
    batch = batch_of([Simulator(rules, [PLAYERS["balanced"]]).game(3)], "paifu")
    assert_comes_back(batch)
    assert b"0p#1" in paifu_events_text(batch)
    assert replay(read(paifu_text(batch))).findings.code.tolist() == []


def test_a_fault_of_another_version_is_not_read() -> None:
    line = json.dumps({"paifu": 2, "fault": {"source": "a", "code": "V101", "reason": "cut"}}).encode()
    batch = read_unit([Document("x.jsonl", line, Format.PAIFU)])
    assert batch.faults.code.tolist() == ["V102"]
    assert "paifu/2" in batch.faults.reason[0]


# --- what is not stated, and what contradicts itself -----------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "liable", "codes"),
    [("", 254, []), (',"liable":"nobody"', 255, [404]), (',"liable":2', 2, [404])],
)
def test_liability_that_is_left_out_is_not_known(stated: str, liable: int, codes: list[int]) -> None:
    (batch,) = read_batches([SAMPLES / "scenarios" / "pao-daisangen-tsumo.mjlog"])
    (text,) = PaifuEventsGameWriter.games(batch)
    (seat,) = set(re.findall(rb',"liable":\d', text))
    again = read(text.replace(seat, stated.encode()))
    assert faults(again) == []
    row = int(np.flatnonzero(batch.wins.liable < 4)[0])
    assert again.wins.liable[row] == liable
    assert replay(again).findings.code.tolist() == codes
    assert replay(read(text)).findings.code.tolist() == []


def hidden(*events: str) -> str:
    return "\n".join(
        ['{"paifu": 1, "game": {"ruleset": "tenhou"}}', '{"hand": {"round": "E1"}}', *map(json.dumps, events)]
    )


@pytest.mark.parametrize(
    ("events", "place", "reason"),
    [
        (
            ("0 draw 3z#0", "0 discard 3z#1 tsumogiri"),
            "line 4", "'0 discard 3z#1 tsumogiri': the tile drawn was 3z#0",
        ),
        (
            ("0 draw 5m", "0 discard 3p tsumogiri"),
            "line 4", "'0 discard 3p tsumogiri': the tile drawn was 5m",
        ),
        (
            ("1 discard 7p", "2 pon (777p) from 1", "2 discard 9p tsumogiri"),
            "line 5", "'2 discard 9p tsumogiri': nothing was drawn before",
        ),
    ],
)  # fmt: skip
def test_a_mark_that_contradicts_the_draw_is_told(events: tuple[str, ...], place: str, reason: str) -> None:
    batch = read(hidden(*events))
    hint = "the mark was left out and the rest of the game read"
    assert faults(batch) == [(place, "V105", reason, hint)]
    assert not (batch.events.flags & EventFlag.TSUMOGIRI).any()
    whole = json.dumps(
        {"paifu": 1, "game": {"ruleset": "tenhou"}, "hands": [{"round": "E1", "events": list(events)}]}
    )
    assert faults(read(whole)) == [(f"hands[0].events[{len(events) - 1}]", "V105", reason, hint)]


@pytest.mark.parametrize(
    "events",
    [
        ("0 draw ?", "0 discard 3p#1 tsumogiri"),
        ("0 draw 3p", "0 discard 3p#1 tsumogiri"),
        ("0 draw 3p#1", "0 riichi", "0 discard 3p tsumogiri", "0 riichi paid"),
        ("0 draw 3p#1", "dora 1z", "0 discard 3p#1 tsumogiri"),
    ],
)
def test_a_mark_that_may_be_true_is_kept(events: tuple[str, ...]) -> None:
    batch = read(hidden(*events))
    assert faults(batch) == []
    assert (batch.events.flags & EventFlag.TSUMOGIRI).sum() == 1
    assert_sound(batch)
    check_batch(batch)


def test_a_stated_fault_has_a_code_of_input() -> None:
    text = (
        hidden("0 draw ?")
        + '\n{"fault": {"code": "Z1", "reason": "torn"}}\n{"paifu": 1, "fault": {"source": "b"}}'
    )
    batch = read(text)
    assert batch.faults.code.tolist() == ["V105", "V101", "V101"]
    assert batch.faults.reason[0] == "its code is 'Z1'; those of input are V101, V102, V103, V104, V105"
    check_batch(batch)


def test_settled_points_are_in_thousands() -> None:
    """As the page says: all other points are plain."""
    (batch,) = read_batches([SAMPLES / "formats" / "tonpuu.mjlog"])
    result = json.loads(paifu_events_text(batch).splitlines()[-1])["result"]
    assert sum(result["scores"]) == 100_000
    best = result["scores"].index(max(result["scores"]))
    rules = load_preset("tenhou")
    settled = (
        result["scores"][best]
        - rules.final.return_points
        + rules.final.uma[0]
        + 4 * (rules.final.return_points - 25_000)
    )
    assert abs(1000 * result["points"][best] - settled) < 1000
    assert "in thousands, so 45.3 stands for 45,300 points" in " ".join(PAGE.split())
