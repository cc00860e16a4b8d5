"""``paifu.toml``: what it says, where it is looked for, and what goes before it."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_data import case_data
from command import call

from paifu.cli.config import FILE, VARIABLE, config

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
HANCHAN = SAMPLES / "hanchan.mjlog.gz"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and an empty folder of settings."""
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(text: str, place: str = FILE) -> None:
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_me_is_the_user_under_all_names() -> None:
    write('me = ["葵", "Botan"]')
    joined = call("stats", HANCHAN, "--player", "me", "-j", "1").text
    assert joined == call("stats", HANCHAN, "--player", "葵", "-j", "1").text
    write('me = "葵"')
    alone = call("stats", HANCHAN, "--player", "me", "-j", "1").text
    assert alone.startswith("葵: 1 game, 14 hands")
    assert joined.startswith("葵: 1 game, 14 hands")
    assert joined != alone


def test_me_is_each_of_the_names_where_players_are_not_joined() -> None:
    write('me = ["葵", "Botan"]')
    mine = call("review", HANCHAN, "--player", "me", "-f", "csv", "-j", "1")
    each = call("review", HANCHAN, "--player", "葵", "--player", "Botan", "-f", "csv", "-j", "1")
    assert mine.data == each.data
    assert mine.text.count("\n") > 3


def test_without_settings_me_is_a_name_like_others() -> None:
    found = call("stats", HANCHAN, "--player", "me", "-j", "1")
    assert (found.status, "no player is called 'me'" in found.talk[-1]) == (2, True)


@pytest.mark.parametrize("place", [FILE, f"settings/paifu/{FILE}"])
def test_rules_apply_where_the_command_line_gives_none(place: str) -> None:
    write('rules = "mleague"', place)
    assert "rules mleague" in call("score", "123m456p789s1122z2z", "--riichi").text
    assert "rules wrc" in call("score", "123m456p789s1122z2z", "--riichi", "--rules", "wrc").text
    assert call("verify", HANCHAN, "-j", "1").status == 1
    assert call("verify", HANCHAN, "-j", "1", "--rules", "tenhou").status == 0


def test_the_folder_goes_before_the_user_key_by_key() -> None:
    write('rules = "mleague"\nme = "Aki"', f"settings/paifu/{FILE}")
    write('rules = "wrc"')
    assert (config().me, config().options) == (("Aki",), {"--rules": "wrc"})


def test_the_variable_names_another_file_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    write('rules = "wrc"')
    write('rules = "ema"', "other.toml")
    monkeypatch.setenv(VARIABLE, "other.toml")
    assert config().options == {"--rules": "ema"}
    monkeypatch.setenv(VARIABLE, "")
    assert config().options == {}
    monkeypatch.setenv(VARIABLE, "nowhere.toml")
    found = call("score", "123m456p789s1122z2z")
    assert (found.status, "nowhere.toml" in found.talk[-1]) == (2, True)


def test_files_are_named_from_where_the_settings_are() -> None:
    write('aliases = "names.toml"\nrules = "club.toml"', f"settings/paifu/{FILE}")
    write('base = "tenhou"\nkiriage = true', "settings/paifu/club.toml")
    write('"One" = ["葵"]', "settings/paifu/names.toml")
    assert "rules club" in call("score", "123m456p789s1122z2z", "--riichi").text
    assert "One" in call("stats", HANCHAN, "--by", "player", "-j", "1").text


@pytest.mark.parametrize(("text", "message"), case_data("refused_texts")["settings"].items())
def test_what_the_file_gets_wrong_is_said(text: str, message: str) -> None:
    write(text)
    found = call("verify", HANCHAN)
    assert found.status == 2
    assert message in " ".join(found.talk)


def test_help_and_version_read_no_settings() -> None:
    write("rules =")
    assert call("--version").status == call("--help").status == 0


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("paifu ver", "verify"),
        ("paifu verify --rules ml", "mleague"),
        ("paifu stats --metrics rank,last_r", "rank,last_rate"),
        ("paifu rules diff tenhou wr", "wrc"),
        ("paifu plot plac", "placement"),
        ("paifu verify --select V30", "V301"),
        ("paifu explain F10", "F101"),
        ("paifu score x --rules ./", "./"),
        ("paifu stats --room ho", "houou"),
    ],
)
def test_a_shell_completes_names(words: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PAIFU_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert found in {line.partition(",")[2] for line in call().text.splitlines()}
