"""Names that look the same are one player's, however a log writes a letter and its mark."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from command import call
from fuzzing import simulated

from paifu.api.luck import luck
from paifu.parsers.read import read_batches
from paifu.parsers.writers import WRITERS

NAME = "\u30ac\u30c3\u30c4\u00e9"
APART = unicodedata.normalize("NFD", NAME)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two logs of one player, whose name looks the same in both."""
    assert NAME != APART
    (tmp_path / "logs").mkdir()
    for number, name in enumerate((NAME, APART)):
        batch = simulated("tenhou", number)
        batch.games.names[0, 0] = name
        (tmp_path / "logs" / f"{number}.json").write_bytes(b"".join(WRITERS["tenhou6"].games(batch)))
    return tmp_path / "logs"


@pytest.mark.every(4)
@pytest.mark.parametrize("is_dataset", [False, True])
@pytest.mark.parametrize("asked", [NAME, APART])
def test_they_count_as_one(logs: Path, tmp_path: Path, is_dataset: bool, asked: str) -> None:
    path = logs
    if is_dataset:
        path = tmp_path / "ds"
        assert call("import", logs, "-o", path).status == 0
    result = call("stats", path, "--by", "player", "--metrics", "win_rate", "-f", "json")
    rows = json.loads(result.text)["groups"]
    assert [row["games"] for row in rows if row["key"]["player"] == NAME] == [2]
    assert APART not in result.text
    reviewed = call("review", path, "--player", asked, "-f", "json")
    assert reviewed.status < 2, reviewed.talk
    assert NAME in reviewed.text
    one = json.loads(call("stats", path, "--player", asked, "--metrics", "win_rate", "-f", "json").text)
    assert [row["games"] for row in one["groups"]] == [2]


def test_other_names_lead_to_them(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "aliases.toml").write_text(f'"x" = ["{APART}"]', "utf-8")
    words = ("--by", "player", "--metrics", "win_rate", "-f", "json", "--aliases", tmp_path / "aliases.toml")
    rows = json.loads(call("stats", logs, *words).text)["groups"]
    assert [row["games"] for row in rows if row["key"]["player"] == "x"] == [2]


def test_luck_of_them_is_one_players(logs: Path) -> None:
    assert [one["games"] for one in luck(logs).players if one["player"] == NAME] == [2]


def test_a_conversion_leaves_them_as_they_are(logs: Path, tmp_path: Path) -> None:
    assert call("convert", logs, "--to", "tenhou6", "-o", tmp_path / "out").status == 0
    (batch,) = read_batches([tmp_path / "out"])
    assert batch.games.names[:, 0].tolist() == [NAME, APART]
