"""``--player NAME``, which all commands check and find in the same way."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from command import call
from test_engines import COUNTING

from paifu.cli.__main__ import COMMANDS, cli
from paifu.replay.foreign_text import name_key
from paifu.reports.metrics.counters import Spellings
from paifu.reports.wording import NobodyError, check_players, no_player

LOGS = Path(__file__).parents[2] / "sample_logs" / "formats"
CALLS: dict[str, list[Any]] = {
    "danger": [LOGS],
    "fair": [LOGS, "--test", "draws"],
    "luck": [LOGS],
    "plot": ["riichi-turns", LOGS, "-o", "figure.svg"],
    "report": [LOGS, "-o", "page.html"],
    "review": [LOGS],
    "stats": [LOGS],
}
"""Command -> a call to which ``--player NAME`` is added."""
ENGINE = f"{sys.executable} engine.py runs {{seat}}"
OTHERWISE = {"review --engine": ["review", LOGS / "overtime.mjlog.gz", "--engine", ENGINE],
             "stats --by": ["stats", LOGS, "--by", "month"]}  # fmt: skip
EVERY = {name: [name, *arguments] for name, arguments in CALLS.items()} | OTHERWISE


def names_players(command: str) -> bool:
    params = cli.get_command(click.Context(cli), command).params  # type: ignore[union-attr]
    return any("--player" in one.opts and one.metavar == "NAME" for one in params if hasattr(one, "opts"))


def test_every_command_that_takes_a_player_is_here() -> None:
    assert {name for name in COMMANDS if names_players(name)} == set(CALLS)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("engine.py").write_text(COUNTING)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.every(5)
@pytest.mark.parametrize("name", EVERY)
def test_a_name_that_no_log_has_is_refused(name: str) -> None:
    done = call(*EVERY[name], "--player", "Botann")
    assert (done.status, done.text) == (2, "")
    assert done.talk[-1] == "Error: no player is called 'Botann' in these logs; did you mean 'Botan'?"
    assert not any("Usage" in line for line in done.talk)
    assert not list(Path().glob("*.html")) + list(Path().glob("*.svg"))


@pytest.mark.full
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("spelt", ["ＢＯＴＡＮ", "botan"])
def test_width_and_case_of_letters_do_not_matter(name: str, spelt: str) -> None:
    right, other = (call(*EVERY[name], "--player", one) for one in ("Botan", spelt))
    assert other.status == right.status != 2
    assert (f"'{spelt}': 'Botan' in these logs" in other.talk) == (spelt != "botan")
    assert figures(other.text) == figures(right.text)


def figures(text: str) -> list[str]:
    return re.findall(r"[-+]?\d[\d,.]*", text)


@pytest.mark.full
def test_half_width_kana_are_found() -> None:
    right, other = (call("stats", LOGS, "--player", one) for one in ("チドリ", "ﾁﾄﾞﾘ"))
    assert other.status == right.status == 0
    assert figures(other.text) == figures(right.text)
    assert call("review", LOGS, "--player", "ﾁﾄﾞﾘ").text == call("review", LOGS, "--player", "チドリ").text


def test_a_few_names_are_listed_where_none_is_like_it() -> None:
    assert no_player("zzz", ["Aki", "Eve"]).endswith("in these logs; there are 'Aki', 'Eve'")
    assert no_player("zzz", map(str, range(9))).endswith("in these logs")
    with pytest.raises(NobodyError, match="did you mean 'Botan'"):
        check_players(["Aki", "BOTANN"], ["Aki", "Botan"])
    check_players(["ａｋｉ"], ["Aki"])
    check_players(["anybody"], [])


def test_spellings_come_after_aliases() -> None:
    found = Spellings({"old": "Aki", "new": "Eve"}, ["aki"])
    assert [found.get(name, name) for name in ("old", "Aki", "ＡＫＩ", "new", "Eve", "Ann")] == [
        "aki", "aki", "aki", "Eve", "Eve", "Ann",
    ]  # fmt: skip
    assert bool(Spellings({}, ["aki"]))
    assert not Spellings({}, [])
    assert name_key("ﾁﾄﾞﾘ") == name_key("チドリ")
