"""Bots over mjai: they play as the simulator does, from what their seat sees, and survive any input."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from command import MODULE, run

from paifu.parsers.mjai.player import MjaiPlayer, conceal
from paifu.parsers.mjai.protocol import serve
from paifu.parsers.mjai.writer import mortal_of_games
from paifu.parsers.simulated import batch_of
from paifu.replay.errors import PaifuError
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.simulate.games import PLAYERS, Player, Simulator

Event = dict[str, Any]

HIDDEN = ["?"] * 13
HAND = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "1p", "2p", "3p"]
SURE = Player(calls=1000, riichi=1000, kans=1000, defence=10, aborts=1000)
"""A player that leaves nothing to chance."""
MODEL = Player(calls=1000, riichi=1000, kans=1000, defence=10, aborts=1000, model=1)

_CALLS = ("chi", "pon", "daiminkan", "hora")


def start(hand: list[str] = HAND, **fields: Any) -> Event:
    return {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "dora_marker": "9s", "scores": [25000] * 4, "tehais": [hand, HIDDEN, HIDDEN, HIDDEN], **fields,
    }  # fmt: skip


def game_of(player: Player, rules: str, number: int, *others: Player) -> list[Event]:
    """Return a simulated game as mjai."""
    simulator = Simulator(load_preset(rules), [player, *others])
    log = next(mortal_of_games(batch_of([simulator.game(number)])))
    return [orjson.loads(line) for line in log.splitlines()]


def answers_of(player: Player, seat: int, events: list[Event]) -> Iterator[tuple[int, Event]]:
    """Yield the answer of a bot to each event."""
    speaker = MjaiPlayer(player)
    for at, event in enumerate(events):
        yield at, speaker.react([event])
        assert not speaker.complaints, (event, speaker.complaints)


def same(answer: Event, event: Event) -> bool:
    """Return whether an event is what an answer asked for; a log does not state all that an answer does."""
    names = {"dahai": ("pai", "actor", "tsumogiri"), "hora": ("actor", "target"), "ryukyoku": ()}.get(
        answer["type"], ("actor", "pai", "consumed", "target")
    )
    kinds = {"nukidora": "kita"}
    if kinds.get(answer["type"], answer["type"]) != kinds.get(event["type"], event["type"]):
        return False
    for name in names:
        one, other = answer.get(name), event.get(name)
        if name == "consumed" and one is not None:
            one, other = sorted(one), sorted(other)
        if one != other:
            return False
    return True


@pytest.mark.parametrize("player", [SURE, MODEL], ids=["shape", "model"])
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-sanma"])
def test_a_bot_does_what_the_simulator_does(player: Player, rules: str) -> None:
    """Every turn of every seat of a simulated game is answered over mjai as it was played."""
    players = load_preset(rules).table.players
    turns, calls, by_chance = compared_answers(player, game_of(player, rules, 3), range(players))
    assert turns > 50
    assert by_chance <= 3
    assert calls > 3


def test_a_bot_fears_whom_a_new_indicator_makes_dangerous() -> None:
    """A hand in which one turns with the discard behind a kan, and an open hand then shows dora."""
    events = game_of(MODEL, "tenhou", 32, *[PLAYERS["caller"]] * 3)
    begins = [at for at, event in enumerate(events) if event["type"] == "start_kyoku"]
    turns, _, _ = compared_answers(MODEL, [events[0], *events[begins[4] : begins[5]]], [0])
    assert turns > 5


def compared_answers(player: Player, events: list[Event], seats: Iterable[int]) -> tuple[int, int, int]:
    """Compare answers with what was played; returns how many turns, calls and norths kept by chance."""
    turns = calls = by_chance = 0
    for seat in seats:
        seen = [conceal(event, seat) for event in events]
        for at, answer in answers_of(player, seat, seen):
            after = next(
                (event for event in events[at + 1 :] if event["type"] not in ("dora", "reach_accepted")), {}
            )
            if events[at].get("actor") == seat and events[at]["type"] in ("tsumo", "chi", "pon", "reach"):
                if "nukidora" in (answer["type"].replace("kita", "nukidora"), after["type"]):
                    by_chance += not same(answer, after)  # a north is kept now and then
                    continue
                assert same(answer, after), (at, answer, after)
                turns += 1
            elif answer["type"] == "none":
                is_own = after.get("type") in _CALLS and after.get("actor") == seat
                assert not is_own or events[at]["type"] in ("dora", "reach_accepted"), (at, after)
            elif after.get("actor") == seat:
                assert same(answer, after), (at, answer, after)
                calls += 1
            else:  # somebody else's call or win came first
                assert after["type"] in _CALLS, (at, answer, after)
    return turns, calls, by_chance


@pytest.mark.parametrize("kind", ["model", "balanced", "wild"])
def test_tiles_of_others_do_not_matter(kind: str) -> None:
    """Whatever a server shows of others' hands and draws, the answers are the same."""
    events = game_of(PLAYERS[kind], "tenhou", 5)
    chance = random.Random(7)  # noqa: S311
    names = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)]
    for seat in (0, 2):
        changed = []
        for event in events:
            other = conceal(event, seat)
            if event["type"] == "start_kyoku":
                hands = [
                    tiles if place == seat else [chance.choice(names) for _ in tiles]
                    for place, tiles in enumerate(event["tehais"])
                ]
                other = {**event, "tehais": hands}
            if event["type"] == "tsumo" and event["actor"] != seat:
                other = {**event, "pai": chance.choice(names)}
            changed.append({**other, "id": seat})
        concealed = [conceal(event, seat) for event in events]
        answers = [list(answers_of(PLAYERS[kind], seat, told)) for told in (concealed, changed)]
        assert answers[0] == answers[1]


def test_events_may_come_one_by_one_or_together() -> None:
    events = [conceal(event, 1) for event in game_of(SURE, "tenhou", 4)]
    one_by_one = dict(answers_of(SURE, 1, events))
    speaker, waiting = MjaiPlayer(SURE), []
    asked = 0
    for at, event in enumerate(events):
        waiting.append(event)
        if one_by_one[at]["type"] != "none":
            assert speaker.react(waiting) == one_by_one[at]
            asked, waiting = asked + 1, []
    assert asked > 50


def test_seats_may_be_turned() -> None:
    """A game that begins with another dealer: seats in answers are the server's."""
    events = [
        {"type": "start_game", "id": 2},
        start(oya=2, tehais=[HIDDEN, HIDDEN, HAND, HIDDEN]),
        {"type": "tsumo", "actor": 2, "pai": "C"},
    ]
    speaker = MjaiPlayer(SURE)
    assert speaker.react(events) == {"type": "reach", "actor": 2}
    answer = speaker.react([{"type": "reach", "actor": 2}])
    assert answer == {"type": "dahai", "actor": 2, "pai": "C", "tsumogiri": True}


@pytest.mark.parametrize(
    ("drawn", "answer"),
    [
        ("1p", {"type": "hora", "actor": 0, "target": 0, "pai": "1p"}),
        ("4p", {"type": "hora", "actor": 0, "target": 0, "pai": "4p"}),
    ],
)
def test_a_win_is_declared(drawn: str, answer: Event) -> None:
    events = [{"type": "start_game", "id": 0}, start(), {"type": "tsumo", "actor": 0, "pai": drawn}]
    assert MjaiPlayer(PLAYERS["model"]).react(events) == answer


def test_nine_terminals_end_the_hand() -> None:
    hand = ["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "2m", "4m", "6p", "8s"]
    events = [{"type": "start_game", "id": 0}, start(hand), {"type": "tsumo", "actor": 0, "pai": "5m"}]
    assert MjaiPlayer(SURE).react(events) == {"type": "ryukyoku", "actor": 0, "reason": "kyushukyuhai"}


BROKEN = [
    ("no seat", [{"type": "start_game"}, start(), {"type": "tsumo", "actor": 0, "pai": "C"}], "--seat"),
    ("five copies", [{"type": "start_game", "id": 0}, start(["1m"] * 13)], "more tiles"),
    ("a hidden own hand", [{"type": "start_game", "id": 0}, start(HIDDEN)], "hidden"),
    ("a tile nobody has", [{"type": "start_game", "id": 0}, start(), {"type": "dahai", "actor": 0,
        "pai": "7z", "tsumogiri": False}], "not a tile"),
    ("out of turn", [{"type": "start_game", "id": 0}, start(), {"type": "chi", "actor": 2, "target": 1,
        "pai": "1s", "consumed": ["2s", "3s"]}], "cannot"),
    ("not an event", [{"type": "start_game", "id": 0}, start(), 5], "object"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "events", "told"), BROKEN, ids=[name for name, *_ in BROKEN])
def test_what_cannot_be_is_told_and_survived(name: str, events: list[Any], told: str) -> None:
    speaker = MjaiPlayer(SURE)
    assert speaker.react(events)["type"] == "none"
    assert told in " ".join(speaker.complaints)
    # The next game is played as if nothing had been.
    speaker.complaints.clear()
    answer = speaker.react(
        [{"type": "start_game", "id": 0}, start(), {"type": "tsumo", "actor": 0, "pai": "C"}]
    )
    assert answer["type"] == "reach"
    assert not speaker.complaints


def served(text: bytes, *, max_line: int = 1000) -> tuple[list[str], list[str]]:
    """The kinds of the answers to lines, and the complaints."""
    target = io.BytesIO()
    complaints = list(serve(MjaiPlayer(SURE), io.BytesIO(text), target, max_line=max_line))
    return [json.loads(line)["type"] for line in target.getvalue().splitlines()], complaints


def test_each_line_has_an_answer_but_blank_ones() -> None:
    begin = orjson.dumps([{"type": "start_game", "id": 0}, start()])
    draw = orjson.dumps({"type": "tsumo", "actor": 0, "pai": "C"})
    text = b'{"type":"hello"}\n\n  \n' + begin + b"\n" + draw + b"\nnonsense\n[]\n5"
    answers, complaints = served(text)
    assert answers == ["join", "none", "reach", "none", "none", "none"]
    assert ["a line is not JSON" in told for told in complaints] == [True, False]
    assert served(b"") == ([], [])


def test_a_line_may_be_as_long_as_is_said() -> None:
    line = b'{"type":"hello"}'
    assert served(line + b"\n" + line, max_line=len(line) + 1) == (["join", "join"], [])
    with pytest.raises(PaifuError, match=f"longer than {len(line)} bytes"):
        served(line + b"\n" + line, max_line=len(line))


def test_the_command_answers_each_line() -> None:
    lines = [
        {"type": "hello", "protocol": "mjsonp"},
        [{"type": "start_game", "id": 0}, start()],
        {"type": "tsumo", "actor": 0, "pai": "C"},
        {"type": "reach", "actor": 0},
    ]
    text = b"\n\n".join(map(orjson.dumps, lines)) + b"\nnonsense\n[]\n"
    done = run("bot", "--player", "tile-efficient", stdin=text)
    assert done.status == 0
    answers = [json.loads(line) for line in done.text.splitlines()]
    assert [answer["type"] for answer in answers] == ["join", "none", "reach", "dahai", "none", "none"]
    assert any("not JSON" in line for line in done.talk)


def test_the_command_refuses_endless_lines() -> None:
    done = run("bot", "--player", "balanced", stdin=b"[" * (1 << 21))
    assert done.status == 2
    assert "longer than" in done.talk[-1]


def test_the_command_ends_with_its_reader(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*MODULE, "bot", "--player", "caller"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": ""},  # else it leaves nothing to write
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    try:
        process.stdin.write(b'{"type":"none"}\n' * 3)
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize(
    ("options", "told"),
    [(["--player", "nobody"], "unknown kind"), (["--player", "balanced:200"], "percentage"),
     (["--player", "model", "--rules", "hk-old-style"], "not a ruleset of riichi")],
)  # fmt: skip
def test_the_command_refuses(options: list[str], told: str) -> None:
    done = run("bot", *options)
    assert done.status == 2
    assert told in " ".join(done.talk)


def test_games_in_another_engine_have_no_illegal_move() -> None:
    pytest.importorskip("riichienv", reason="the package riichienv, an engine to compare with, is missing")
    sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
    try:
        from mjai_environment import play
    finally:
        sys.path.pop(0)
    for kinds in (("model", "balanced", "caller", "tile-efficient"), ("model", "wild", "defender")):
        count = play(kinds, 2, first=700)
        assert not count.illegal
        assert count.asked > 300
