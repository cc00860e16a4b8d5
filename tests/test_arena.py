"""Games between bots: by the rules, the same for all, and to their end whatever a bot does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import repeat
from pathlib import Path

import pytest
from command import MODULE, call

import paifu
from paifu.api.playing import bot, label
from paifu.parsers.mjai import names as mjai
from paifu.parsers.mjai import process as process_module
from paifu.parsers.mjai.player import MjaiEvent
from paifu.parsers.mjai.process import BotError, BotProcess
from paifu.parsers.mjai.table import MjaiTable, NonsenseError, OwnSpeaker, heard
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.simulate.driven import DrivenGames
from paifu.reports.inference.quantiles import student
from paifu.reports.statistics.matches import Placed, share_of_games, standings

BAD = Path(__file__).parent / "bad_bot.py"
OWN = "paifu:tile-efficient"
BOT = f"{sys.executable} -m paifu.cli.__main__ bot --player"


def bad(way: str, mark: str = "") -> str:
    return f"{sys.executable} {BAD} {way} {mark}".strip()


def ids_of(mark: str) -> list[int]:
    """Return the processes whose command lines name ``mark``."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


# --- by the rules ---------------------------------------------------------------------------------------


def some(names: Iterable[str], *quick: str) -> list[object]:
    """Parameters of which only some are run each time; the others take their time."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in names]


RULES = ("tenhou", "majsoul", "mleague", "wrc", "ema", "tenhou-sanma", "majsoul-sanma")


@pytest.mark.parametrize("rules", some(RULES, "wrc", "majsoul-sanma"))
def test_games_break_no_rule(rules: str) -> None:
    players = load_preset(rules).table.players
    bots = [f"paifu:{kind}" for kind in ("model", "wild", "caller", "balanced:30")][:players]
    result = paifu.arena(bots, players, rules=rules, seed=3)
    assert result.findings == 0
    assert result.games == players
    assert not any(row.faults for row in result.standings)
    assert sum(row.games for row in result.standings) == players**2


def test_a_bot_in_a_process_plays_as_one_within(tmp_path: Path) -> None:
    """Whether events come one by one, in lists or within the process: the logs are the same but for names."""
    logs = []
    ways = (["paifu:model"], [f"{BOT} model"], [f"{BOT} model", "--lists"])
    for number, (player, *options) in enumerate(ways):
        folder = tmp_path / str(number)
        names = [OWN] * 2
        done = call(
            "arena", player, *names, "--games", "3", "-o", folder, "-j", "1", "--log-format", "paifu",
            "--format", "json", *options,
        )  # fmt: skip
        assert done.status == 0, done.talk
        assert all(row["nonsense"] == 0 and not row["notes"] for row in json.loads(done.text)["rows"])
        texts = [path.read_text() for path in sorted(folder.iterdir())]
        assert len(texts) == 3
        logs.append([text.replace(label(player), "BOT") for text in texts])
    assert logs[0] == logs[1] == logs[2]


def test_walls_are_played_from_each_seat(tmp_path: Path) -> None:
    bots = ["paifu:model", "paifu:caller", "paifu:defender"]
    done = call("arena", *bots, "--games", "4", "-o", tmp_path, "-j", "1", "--format", "json")
    assert done.status == 0
    found = json.loads(done.text)
    assert found["games"] == 6  # two walls, each three times
    assert {row["bot"]: row["games"] for row in found["rows"]} == dict.fromkeys(bots, 6)
    games = list(paifu.read(str(tmp_path)))
    assert len(games) == 6
    assert len({game.seed for game in games}) == 2
    for first in (0, 3):
        seats = [game.names[:3] for game in games[first : first + 3]]
        assert all(sorted(names) == sorted(bots) for names in seats)
        assert all(len({names[seat] for names in seats}) == 3 for seat in range(3))
    assert paifu.verify(str(tmp_path))


def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    texts = []
    for jobs in ("1", "2"):
        done = call("arena", "paifu:caller", OWN, OWN, "--games", "12", "-j", jobs, "--format", "csv")
        assert done.status == 0
        texts.append(done.text)
    assert texts[0] == texts[1]


def test_the_fourth_kan_wins_where_the_rules_say_so() -> None:
    """A rule that few presets have; here it must only not disturb."""
    rules = with_overrides(load_preset("tenhou"), {"suukantsu_needs_pair": False})
    result = paifu.arena(["paifu:caller"] * 4, 4, rules=rules)
    assert result.findings == 0


# --- bots that misbehave --------------------------------------------------------------------------------

WAYS = [
    ("hang", "hung"), ("deaf", "hung"), ("partial", "hung"), ("die", "died"), ("silent-death", "died"),
    ("closed", "died"), ("flood", "flooded"), ("endless", "flooded"), ("deep", "nonsense"),
    ("garbage", "nonsense"), ("binary", "nonsense"), ("array", "nonsense"), ("unknown", "nonsense"),
    ("twice", "nonsense"), ("illegal", "illegal"), ("claims", "illegal"), ("none", "illegal"),
    ("orphan", "illegal"), ("orphan-death", "died"), ("stubborn", "hung"), ("shut", "died"),
    ("forked", "illegal"), ("eager", "nonsense"), ("between", "died"), ("stopped", "hung"),
    ("loud", "illegal"),
]  # fmt: skip


def test_nobody_listens_any_more_to_a_bot_that_floods_once_it_is_closed() -> None:
    before = threading.active_count()
    process = BotProcess([sys.executable, str(BAD), "flood"], timeout=5)
    assert process.receive()
    process.close()
    end = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_nobody_waits_for_a_bot_that_reads_nothing() -> None:
    """A pipe holds some kilobytes; what is more has to be read."""
    process = BotProcess([sys.executable, str(BAD), "deaf"], timeout=0.05)
    try:
        with pytest.raises(BotError, match=r"did not read what it was told within 0\.5 s") as told:
            process.send(b"x" * 1_000_000)
        assert told.value.kind == "hung"
    finally:
        process.close()


def test_a_line_without_an_end_is_told_whenever_it_comes() -> None:
    process = BotProcess([sys.executable, str(BAD), "endless"], timeout=20)
    try:
        with pytest.raises(BotError, match="longer than") as told:
            any(process.send(b"[]\n") for _ in repeat(None))
        assert told.value.kind == "flooded"
    finally:
        process.close()


HAS_PROC = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")


@HAS_PROC
@pytest.mark.parametrize("is_hidden", [False, True])
def test_what_a_bot_left_in_another_session_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch, is_hidden: bool
) -> None:
    """It is ended or, where it cannot be found, left alone."""
    mark = f"mark-{os.getpid()}-orphan"
    with monkeypatch.context() as patched:
        if is_hidden:
            patched.setattr(process_module, "_marked", lambda marks: [])
        process = BotProcess([sys.executable, str(BAD), "orphan", mark], timeout=5)
        process.send(b"{}\n")
        assert process.receive() == b'{"type":"none"}\n'
        begin = time.monotonic()
        process.close()
        assert time.monotonic() - begin < 60
    left = ids_of(mark)
    assert bool(left) == is_hidden
    for number in left:
        os.kill(number, signal.SIGKILL)


class Listener(OwnSpeaker):
    """A player of ours who takes down what it hears."""

    def __init__(self, name: str, taken_down: list[MjaiEvent]) -> None:
        super().__init__(bot(name))
        self._taken_down = taken_down

    def hear(self, event: MjaiEvent) -> None:
        self._taken_down.append(event)
        super().hear(event)


def test_players_hear_how_each_hand_ended() -> None:
    everything: list[MjaiEvent] = []
    names = ["wild", "tile-efficient", "wild", "tile-efficient"]
    hears = [everything, *([] for _ in names[1:])]
    table = MjaiTable([partial(Listener, *one) for one in zip(names, hears, strict=True)], names)
    ends: Counter[HandEnd] = Counter()
    for number in range(3):
        everything.clear()
        table.begin_game()
        game = DrivenGames(load_preset("tenhou"), table).game(number)
        table.end_game(game)
        told = [mjai.DRAWS[event["reason"]] for event in everything if event["type"] == "ryukyoku"]
        draws = [hand.end for hand in game.hands if hand.end != HandEnd.WIN]
        assert told == draws
        ends.update(draws)
    table.close()
    assert ends[HandEnd.EXHAUSTIVE]


LISTS = ("hang", "die", "garbage", "illegal", "orphan", "orphan-death")
"""Ways that are tried with lists of events, too."""
BOTH = [(way, fault, False) for way, fault in WAYS]
BOTH += [(way, fault, True) for way, fault in WAYS if way in LISTS]


@pytest.mark.parametrize(("way", "fault", "lists"), BOTH, ids=[f"{way}-{lists}" for way, _, lists in BOTH])
def test_a_bad_bot_loses_its_turns_and_is_named(way: str, fault: str, lists: bool) -> None:
    command = bad(way, f"mark-{os.getpid()}-{way}")
    name = label(command)
    timeout = 20.0  # a busy machine is slow to start them
    if fault == "hung":
        timeout = 0.1 if way in ("deaf", "stubborn") else 0.7
    result = paifu.arena([command, OWN, OWN], 3, timeout=timeout, lists=lists)
    assert result.findings == 0
    rows = {row.name: row for row in result.standings}
    assert rows[name].faults.get(fault), rows[name]
    assert rows[name].notes[fault]
    assert rows[name].games == 3
    assert not rows[OWN].faults
    assert not ids_of(f"mark-{os.getpid()}-{way}")


def test_nobody_waits_long_for_a_bot_that_does_not_say_goodbye() -> None:
    """Its last answer counts for nothing, so it is not a fault either."""
    command = bad("speechless", f"mark-{os.getpid()}-speechless")
    result = paifu.arena([command, OWN, OWN], 3, timeout=3600)
    (row,) = [row for row in result.standings if row.name == label(command)]
    assert set(row.faults) == {"illegal"}
    assert not ids_of(f"mark-{os.getpid()}-speechless")


def test_what_a_bot_said_last_is_told() -> None:
    row = next(row for row in paifu.arena([bad("die"), OWN, OWN], 3).standings if row.faults)
    assert "status 7" in row.notes["died"]
    assert "out of luck" in row.notes["died"]


ENDS = [("SIGKILL", "kill", "2")]
ENDS += [(name, "killpg", jobs) for name in ("SIGINT", "SIGTERM", "SIGHUP") for jobs in "12"]
"""A signal, whom it reaches (all processes of a terminal, or one that leaves its workers alone), and jobs."""


@HAS_PROC
@pytest.mark.parametrize(("name", "whom", "jobs"), ENDS)
def test_no_bot_outlives_the_arena(name: str, whom: str, jobs: str) -> None:
    if name == "SIGHUP" and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        pytest.skip("hangups are ignored here, as under nohup, and what is started inherits that")
    mark = f"mark-{os.getpid()}-{jobs}-{name}"
    process = subprocess.Popen(
        [
            *MODULE, "arena", bad("with-child", mark), bad("orphan", mark), OWN,
            "--games", "30", "--timeout=300", "-j", jobs,
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        assert wait_for(lambda: len(ids_of(mark)) > 3 * int(jobs))
        time.sleep(0.5)
        getattr(os, whom)(process.pid, getattr(signal, name))
        assert process.wait(30) != 0
        assert wait_for(lambda: not ids_of(mark)), ids_of(mark)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


STARTED_TOO_LATE = """
import os, signal, subprocess, sys, threading
from paifu.parsers.mjai.process import BotProcess, ending_well

class Slow(subprocess.Popen):
    def __init__(self, *arguments, **words):
        super().__init__(*arguments, **words)
        if words.get("start_new_session"):
            os.kill(os.getpid(), signal.SIGTERM)
            for turn in range(100_000):  # the signal is dealt with between two of these
                pass

subprocess.Popen = Slow
with ending_well():
    BotProcess([sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]], timeout=300)
    threading.Event().wait(60)
"""


@HAS_PROC
def test_a_bot_that_starts_while_the_arena_ends_ends_too() -> None:
    mark = f"mark-{os.getpid()}-late"
    assert subprocess.run([sys.executable, "-c", STARTED_TOO_LATE, mark], check=False).returncode == 143
    assert wait_for(lambda: not ids_of(mark)), ids_of(mark)


def wait_for(is_so: object, seconds: float = 60) -> bool:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():  # type: ignore[operator]
            return True
        time.sleep(0.1)
    return False


# --- input ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        ([OWN] * 2, "three or four"),
        ([OWN] * 5, "three or four"),
        ([OWN] * 2 + ["paifu:nobody"], "unknown kind"),
        ([OWN] * 2 + ["no-such-program --x"], "no program"),
        ([OWN] * 2 + ["'unclosed"], "cannot be split"),
        ([OWN] * 2 + [" "], "empty"),
        ([OWN] * 4 + ["--rules", "tenhou-sanma"], "is for 3 players"),
        ([OWN] * 4 + ["--rules", "hk-old-style"], "is not a ruleset of riichi"),
    ],
)
def test_the_command_refuses(bots: list[str], told: str) -> None:
    done = call("arena", *bots, "--games", "1")
    assert done.status == 2
    assert told in " ".join(done.talk)


def test_a_command_is_not_run_by_a_shell(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    command = f"{bad('none')} ; touch {victim}"
    assert call("arena", command, OWN, OWN, "--games", "1", "-j", "1").status == 1
    assert not victim.exists()


ANSWERS = [
    ({"type": "none"}, HandEnd.UNFINISHED, None),
    ({"type": "hora", "actor": 1, "target": 0, "pai": "1m"}, HandEnd.WIN, None),
    ({"type": "ryukyoku"}, HandEnd.KYUUSHU, None),
    ({"type": "dahai", "actor": 1, "pai": "5mr", "tsumogiri": True}, HandEnd.UNFINISHED, EventKind.DISCARD),
    ({"type": "reach", "actor": 1}, HandEnd.UNFINISHED, EventKind.RIICHI),
    ({"type": "nukidora", "actor": 1, "pai": "N"}, HandEnd.UNFINISHED, EventKind.KITA),
    ({"type": "ankan", "actor": 1, "consumed": ["E"] * 4}, HandEnd.UNFINISHED, EventKind.ANKAN),
    ({"type": "kakan", "pai": "E", "consumed": ["E"] * 3}, HandEnd.UNFINISHED, EventKind.KAKAN),
    ({"type": "chi", "pai": "1m", "consumed": ["2m", "3m"]}, HandEnd.UNFINISHED, EventKind.CHI),
]


@pytest.mark.parametrize(("answer", "end", "kind"), ANSWERS, ids=[str(row[0]["type"]) for row in ANSWERS])
def test_answers_are_read(answer: object, end: HandEnd, kind: EventKind | None) -> None:
    found = heard(answer, 1)
    assert found.end == end
    assert (found.moves[0].kind if found.moves else None) == kind


@pytest.mark.parametrize(
    "answer",
    [
        None, 5, [], {}, {"type": 3}, {"type": "dahai"}, {"type": "dahai", "pai": "?"},
        {"type": "dahai", "pai": "9z"}, {"type": "dahai", "pai": "1m", "actor": 2}, {"type": "ankan"},
        {"type": "chi", "pai": "1m", "consumed": 4}, {"type": "pon", "pai": "1m", "consumed": ["1m"] * 9},
        {"type": "tsumo", "pai": "1m"},
    ],
)  # fmt: skip
def test_nonsense_is_told_apart(answer: object) -> None:
    with pytest.raises(NonsenseError):
        heard(answer, 1)


def test_standings_count_walls_not_games() -> None:
    """Two walls: by hand, 2.5 and 1.5 are the means of the walls."""
    placed = [
        Placed(0, "a", 1, 45.0, 40000), Placed(0, "a", 4, -45.0, 5000),
        Placed(1, "a", 1, 45.0, 40000), Placed(1, "a", 2, 5.0, 30000),
    ]  # fmt: skip
    (row,) = standings(placed, 4)
    assert (row.rank, row.games, row.places) == (2.0, 4, (2, 1, 0, 1))
    assert row.low == pytest.approx(2.0 - float(student(1)) * 0.5)
    assert row.points == pytest.approx(12.5)
    assert row.without_luck is None
    assert standings(placed[:2], 4)[0].low is None


def test_luck_is_taken_from_points_by_wall() -> None:
    """Means of walls: 0 and 25 with luck, 5 and 15 without it; so 16% of the games say as much."""
    placed = [
        Placed(0, "a", 1, 45.0, 40000, 20.0), Placed(0, "a", 4, -45.0, 5000, -30.0),
        Placed(1, "a", 1, 45.0, 40000, 40.0), Placed(1, "a", 2, 5.0, 30000, -20.0),
    ]  # fmt: skip
    (row,) = standings(placed, 4)
    assert row.without_luck is not None
    assert row.without_luck.mean == pytest.approx(10.0)
    assert row.without_luck.low == pytest.approx(10.0 - float(student(1)) * 5)
    assert share_of_games([row]) == pytest.approx((10 / 25) ** 2)
    placed[3] = replace(placed[3], luck=None)
    (row,) = standings(placed, 4)
    assert (row.without_luck, share_of_games([row])) == (None, None)


def test_luck_of_bots_is_that_of_their_logs(tmp_path: Path) -> None:
    bots = ["paifu:wild", "paifu:caller", "paifu:balanced", OWN]
    done = call("arena", *bots, "--games", "8", "-o", tmp_path, "-j", "1", "--format", "json")
    rows = {row["bot"]: row for row in json.loads(done.text)["rows"]}
    for row in paifu.luck(str(tmp_path), utility="rules").players:
        less = rows[row["player"]]["without_luck"]
        assert less == pytest.approx(row["utility_without_luck"], abs=0.1)
        assert less != pytest.approx(rows[row["player"]]["points"], abs=0.1)
    assert 0 < json.loads(done.text)["share_of_games"] < 2
