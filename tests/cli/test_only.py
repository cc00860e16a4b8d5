"""The games that count, by day and by room: the same from logs and datasets, and the others are counted."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import call, run

import paifu
from paifu.api.only import EVERY_GAME, DateError, LeftOut, Only, UnknownRoomError
from paifu.cli.__main__ import cli
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch

pytestmark = pytest.mark.every(20)

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "games"
DAYS = {
    "2023123123gm-00a1-0000-00000001": "tonpuu-4p-04",  # houou
    "2024010100gm-00a1-0000-00000002": "tonpuu-4p-08",  # houou
    "2024021512gm-0081-0000-00000003": "tonpuu-4p-02",  # joukyuu
    "2024022923gm-0021-0000-00000004": "tonpuu-4p-03",  # tokujou
    "friday": "tonpuu-4p-07",  # tokujou
}
CHOICES: dict[str, tuple[tuple[str, ...], tuple[int, ...], LeftOut]] = {
    "a month": (("--since", "2024-02", "--until", "2024-02"), (2, 3), LeftOut(undated=1, earlier=2)),
    "a year": (("--until", "2023"), (0,), LeftOut(undated=1, later=3)),
    "days": (("--since", "2024-01-01", "--until", "2024-02-15"), (1, 2), LeftOut(0, 1, 1, 1)),
    "a room": (("--room", "houou"), (0, 1), LeftOut(other_rooms=3)),
    "rooms": (("--room", "tokujou", "--room", "joukyuu"), (2, 3, 4), LeftOut(other_rooms=2)),
    "both": (("--room", "Houou", "--since", "2024"), (1,), LeftOut(other_rooms=3, earlier=1)),
}
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("verify", "-f", "json"),
    ("verify", "--statistics", "-f", "json"),
    ("stats", "--all", "--by", "player", "-f", "json"),
    ("stats", "--by", "room,month", "-f", "json"),
    ("review", "-f", "json"),
    ("danger", "-f", "json"),
    ("fair", "--test", "draws", "-f", "json"),
    ("league", "-f", "json"),
    ("find", "--where", "won", "-f", "json"),
    ("rules", "guess", "-f", "json"),
    ("review", "--verdicts", "-f", "json"),
)
FILES: tuple[tuple[str, ...], ...] = (
    ("report", "-o"),
    ("report", "--player", "Botan", "-o"),
    ("plot", "placement", "--player", "Botan", "-o"),
    ("convert", "--to", "mjai", "-o"),
    ("league", "--html", "-o"),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for name, sample in DAYS.items():
        shutil.copy(SAMPLES / f"{sample}.mjlog.gz", folder / f"{name}.mjlog.gz")
    return folder


@pytest.fixture(scope="module")
def dataset(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "ds"
    assert call("import", logs, "-o", folder, "-j", "1").status == 0
    return folder


def files_of(logs: Path, numbers: tuple[int, ...]) -> list[Path]:
    return [logs / f"{name}.mjlog.gz" for number, name in enumerate(DAYS) if number in numbers]


def told(left_out: LeftOut) -> int:
    return sum(left_out.summary().values())


@pytest.mark.parametrize("choice", CHOICES)
def test_games_are_chosen_by_what_their_logs_state(logs: Path, choice: str) -> None:
    flags, numbers, left_out = CHOICES[choice]
    result = call("verify", logs, "-f", "json", *flags)
    document = json.loads(result.data)
    assert document["summary"]["games"] == len(numbers)
    assert document["only"]["left_out"] == left_out.summary()
    assert len(numbers) + told(left_out) == len(DAYS)
    assert sum(line.endswith("left out") for line in result.talk) == np.count_nonzero(
        list(left_out.summary().values())
    )


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_says_of_the_games_what_it_says_of_their_files(
    logs: Path, dataset: Path, command: tuple[str, ...]
) -> None:
    flags, numbers, left_out = CHOICES["days"]
    found = call(*command, logs, *flags, "-j", "1")
    assert call(*command, dataset, *flags, "-j", "1").data == found.data
    document = json.loads(found.data)
    only: dict[str, Any] = document.pop("only")
    assert only == {
        "since": "2024-01-01", "until": "2024-02-15", "rooms": [], "left_out": left_out.summary()
    }  # fmt: skip
    alone = json.loads(call(*command, *files_of(logs, numbers), "-j", "1").data)
    for one in (document, alone):
        if isinstance(one.get("summary"), dict):
            one["summary"].pop("files", None)
        for row in one.get("rows", ()):
            for key in ("hand", "game"):
                row.pop(key, None) if command[0] == "find" else None  # numbered in each dataset anew
    assert document == alone


@pytest.mark.parametrize("command", FILES, ids=" ".join)
def test_a_file_is_made_of_the_games_that_count(
    logs: Path, dataset: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    flags, numbers, _ = CHOICES["rooms"]
    name = "out.svg" if command[0] == "plot" else "out"
    made = []
    for place, paths, asked in (
        ("logs", [logs], flags), ("dataset", [dataset], flags), ("files", files_of(logs, numbers), ())
    ):  # fmt: skip
        (tmp_path / place).mkdir()
        target = tmp_path / place / name
        status = call(*command, target, *paths, *asked, "-j", "1").status
        assert status in (0, 1)
        made.append(_content(target))
    assert made[0] == made[1]
    assert made[0]
    if command[0] in ("plot", "convert"):
        assert made[0] == made[2]


def _content(path: Path) -> list[tuple[str, bytes]]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [(file.name, file.read_bytes()) for file in files]


def test_workers_choose_alike(logs: Path) -> None:
    flags, _, _ = CHOICES["both"]
    one = run("stats", logs, "--by", "player", "-f", "json", *flags, "-j", "1")
    two = run("stats", logs, "--by", "player", "-f", "json", *flags, "-j", "2")
    assert one.data == two.data
    assert one.talk == two.talk
    assert "3 games in other rooms left out" in one.talk


def test_faults_of_games_that_do_not_count_are_not_told(tmp_path: Path) -> None:
    whole = gzip.decompress((SAMPLES / "tonpuu-4p-02.mjlog.gz").read_bytes())
    for year in (2022, 2024):
        (tmp_path / f"{year}010100gm-00a1-0000-00000001.mjlog").write_bytes(whole[: len(whole) // 2 + year])
    both = call("verify", tmp_path, "-f", "json")
    later = call("verify", tmp_path, "-f", "json", "--since", "2023")
    assert len(json.loads(both.data)["findings"]) == 2 * len(json.loads(later.data)["findings"]) > 0
    assert call("import", tmp_path, "-o", tmp_path / "ds", "-j", "1").status == 1
    for command in (("verify", "-f", "json"), ("stats", "-f", "json")):
        found = call(*command, tmp_path / "ds", "--since", "2023")
        assert found.data == call(*command, *sorted(tmp_path.glob("*.mjlog")), "--since", "2023").data
        assert sum("2022" in line for line in found.talk) == 0


def test_a_dataset_keeps_to_its_choice(logs: Path, tmp_path: Path) -> None:
    made = call("import", logs, "-o", tmp_path / "ds", "--room", "houou", "-j", "1")
    assert "3 games in other rooms left out" in made.talk
    again = call("import", logs, "-o", tmp_path / "ds", "--room", "houou", "-j", "1")
    assert again.status == 0
    assert any("5 inputs there already" in line for line in again.talk)
    for other in ((), ("--room", "houou", "--since", "2024")):
        refused = call("import", logs, "-o", tmp_path / "ds", *other, "-j", "1")
        assert refused.status == 2
        assert "this dataset was made with --room houou" in refused.talk[-1]
    plain = call("stats", tmp_path / "ds", "-f", "json")
    assert plain.data == call("stats", *files_of(logs, (0, 1)), "-f", "json").data
    whole = call("import", logs, "-o", tmp_path / "all", "-j", "1")
    assert whole.status == 0
    refused = call("import", logs, "-o", tmp_path / "all", "--room", "houou", "-j", "1")
    assert "this dataset was made of all games" in refused.talk[-1]


def test_the_library_takes_the_same_choice(logs: Path) -> None:
    only = paifu.Only(since="2024-02")
    assert [game.started[:7] for game in paifu.read(logs, only=only)] == ["2024-02", "2024-02"]
    assert paifu.verify(logs, only=only).tally.games == 2
    assert set(paifu.stats(logs, only=only)["games"]) == {2}


PERIODS = (
    (Only("2024", "2024"), "2024-01-01", "2024-12-31"),
    (Only("2024-02", "2024-02"), "2024-02-01", "2024-02-29"),
    (Only("2023-02", "2023-02"), "2023-02-01", "2023-02-28"),
    (Only(until="2024-05-07"), "", "2024-05-07"),
)


@pytest.mark.parametrize(("only", "first", "last"), PERIODS, ids=[one.spelt() for one, _, _ in PERIODS])
def test_periods_are_whole(only: Only, first: str, last: str) -> None:
    assert (only.first, only.last) == (first, last)


def test_moments_and_rooms() -> None:
    only = Only("2024-01-01", "2024-01-31", ("鳳凰卓", "lobby C12"))
    moments = ["2024-01-31T23:59", "2024-02-01T00", "2024-01", "", "soon", "2024-01-02", "2023-12-31T23"]
    rooms = ["houou", "lobby C12", "houou", "houou", "houou", "gold", "houou"]
    keep, left_out = only.choose(moments, rooms)
    assert keep.tolist() == [True, False, True, False, False, False, False]
    assert left_out == LeftOut(other_rooms=1, undated=2, earlier=1, later=1)
    assert not EVERY_GAME
    assert only.spelt() == "--since 2024-01-01 --until 2024-01-31 --room houou --room 'lobby c12'"
    with pytest.raises(DateError):
        Only("1")
    with pytest.raises(UnknownRoomError):
        Only(rooms=("",))


def test_every_command_that_reads_many_games_has_the_options() -> None:
    lacking = []
    for name in cli.list_commands(None):  # type: ignore[arg-type]
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        names = {parameter.name for parameter in command.params}
        takes_many = any(p.name == "paths" for p in command.params)
        if takes_many and not {"since", "until", "rooms"} <= names:
            lacking.append(name)
    assert lacking == []


@pytest.mark.parametrize("keep", [(1, 0, 1, 0, 1), (0, 0, 0, 0, 0), (1, 1, 1, 1, 1), (0, 0, 0, 0, 1)])
def test_a_batch_of_some_games_is_that_of_them_alone(logs: Path, keep: tuple[int, ...]) -> None:
    (batch,) = read_batches([logs])
    mask = np.array(keep, bool)
    alone = Batch.concatenate([batch.take(int(game)) for game in np.flatnonzero(mask)])
    assert batch.only(mask).differences(alone) == []
