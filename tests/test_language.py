"""Languages: who chooses one, what is translated, and what stays as it is."""

from __future__ import annotations

import gettext
import re
from pathlib import Path

import pytest
from command import Result, call, run

from paifu.cli.__main__ import COMMANDS, cli
from paifu.cli.config import FILE
from paifu.cli.config import VARIABLE as CONFIG
from paifu.replay import language
from paifu.replay.language import VARIABLE

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "sample_logs" / "games"
FORMATS = ROOT / "sample_logs" / "formats"
HANCHAN = FORMATS / "hanchan.mjlog.gz"
HAND = "123m456p789s1122z2z"
OPEN, CLOSE = "⟦", "⟧"


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """No language but what a test chooses."""
    monkeypatch.delenv(VARIABLE, raising=False)


# --- who chooses -------------------------------------------------------------------------------------------


def is_japanese(result: Result) -> bool:
    return bool(re.search("[ぁ-ん]", result.text))


@pytest.mark.parametrize(
    ("arguments", "settings", "variable", "expected"),
    [
        ([], "", None, False),
        (["--lang", "ja"], "", None, True),
        (["--lang=ja"], "", None, True),
        ([], 'lang = "ja"', None, True),
        ([], "", "ja", True),
        ([], 'lang = "en"', "ja", False),
        (["--lang", "en"], 'lang = "ja"', "ja", False),
        (["--lang", "ja"], 'lang = "en"', "en", True),
    ],
)
@pytest.mark.parametrize("is_after", [False, True], ids=["before the command", "after it"])
def test_the_command_line_goes_before_settings_and_these_before_the_variable(
    arguments: list[str],
    settings: str,
    variable: str | None,
    expected: bool,
    is_after: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / FILE
    path.write_text(settings)
    monkeypatch.setenv(CONFIG, str(path))
    if variable is not None:
        monkeypatch.setenv(VARIABLE, variable)
    given = ["verify", "--help", *arguments] if is_after else [*arguments, "verify", "--help"]
    assert is_japanese(call(*given)) == expected
    assert language.language() == (variable or "en")


def test_what_stands_after_the_command_goes_before_what_stands_before_it() -> None:
    assert not is_japanese(call("--lang", "ja", "verify", "--lang", "en", "--help"))
    assert is_japanese(call("--lang", "en", "verify", "--help", "--lang", "ja"))


@pytest.mark.parametrize(
    "arguments", [["--lang", "xx", "yaku"], ["yaku", "--lang", "xx"], ["rules", "list", "--lang=xx"]]
)
def test_an_unknown_language_is_a_usage_error_that_names_those_there_are(arguments: list[str]) -> None:
    result = call(*arguments)
    assert (result.status, result.text) == (2, "")
    assert "'en', 'ja'" in result.talk[-1]


def test_an_unknown_language_in_settings_or_variable_is_one_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / FILE
    path.write_text('lang = "xx"')
    monkeypatch.setenv(CONFIG, str(path))
    result = call("yaku")
    assert (result.status, "there is no language 'xx'; there are en, ja" in result.talk[-1]) == (2, True)
    monkeypatch.setenv(CONFIG, "")
    monkeypatch.setenv(VARIABLE, "xx")
    result = call("yaku")
    assert (result.status, result.talk[-1]) == (
        2, "Error: PAIFU_LANG: there is no language 'xx'; there are en, ja",
    )  # fmt: skip


def test_errors_in_the_command_line_are_in_its_language_wherever_it_is_named() -> None:
    for arguments in (["--lang", "ja", "stats", "--nix"], ["stats", "--nix", "--lang", "ja"]):
        result = call(*arguments)
        assert (result.status, result.text) == (2, "")
        assert "エラー" in result.talk[-1]
        assert "Usage" not in "\n".join(result.talk)


def test_a_value_is_not_taken_for_the_option() -> None:
    result = call("stats", HANCHAN, "--player=--lang", "-j", "1")
    assert "no player is called" in result.talk[-1]


@pytest.mark.parametrize("where", [["--jobs", "2"], ["--cluster", "local:2"]], ids=" ".join)
def test_workers_speak_the_language_of_the_command(where: list[str]) -> None:
    if "--cluster" in where:
        pytest.importorskip("distributed")
    paths = [ROOT / "sample_logs" / "broken", HANCHAN]
    alone = run("verify", *paths, "--jobs", "1", "--lang", "ja")
    there = run("verify", *paths, *where, "--lang", "ja")
    assert (there.data, there.status, there.talk) == (alone.data, alone.status, alone.talk)
    assert re.search("[ぁ-ん]", "\n".join(there.talk))


# --- what stays --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", ROOT / "sample_logs" / "broken", "-j", "1", "-f", "json"],
        ["verify", ROOT / "sample_logs" / "broken", "-j", "1", "-f", "jsonl"],
        ["verify", ROOT / "sample_logs" / "broken", "-j", "1", "-f", "csv"],
        ["verify", ROOT / "sample_logs" / "broken", "-j", "1", "-f", "github"],
        ["verify", ROOT / "sample_logs" / "broken", "-j", "1", "--statistics", "-f", "parquet"],
        ["stats", HANCHAN, "-j", "1", "--all", "-f", "json"],
        ["stats", HANCHAN, "-j", "1", "--by", "player", "-f", "csv"],
        ["review", HANCHAN, "-j", "1", "-f", "json"],
        ["review", HANCHAN, "-j", "1", "-f", "jsonl"],
        ["danger", HANCHAN, "-j", "1", "-f", "csv"],
        ["fair", HANCHAN, "-j", "1", "-f", "json"],
        ["league", HANCHAN, "-j", "1", "-f", "json"],
        ["score", HAND, "-f", "json"],
        ["discard", "123456789m34677s", "-f", "json"],
        ["yaku", "-f", "json"],
        ["rules", "show", "tenhou", "-f", "json"],
        ["rules", "show", "tenhou", "-f", "toml"],
    ],
    ids=lambda arguments: " ".join(getattr(part, "name", part) for part in arguments),
)  # fmt: skip
def test_what_programs_read_is_the_same_in_every_language(arguments: list[str | Path]) -> None:
    english, japanese = call(*arguments), call(*arguments, "--lang", "ja")
    assert japanese == english
    assert english.data


def test_without_a_choice_everything_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    for arguments in (["--help"], ["verify", "--help"], ["rules", "list"]):
        assert not is_japanese(call(*arguments))


# --- nothing is left out -----------------------------------------------------------------------------------


class Pseudo(gettext.NullTranslations):
    """A language whose texts are the English ones between marks: what has none was not translated."""

    def gettext(self, message: str) -> str:
        return f"{OPEN}{message}{CLOSE}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"{OPEN}{msgid1 if n == 1 else msgid2}{CLOSE}"

    def pgettext(self, context: str, message: str) -> str:
        return f"{OPEN}{message}{CLOSE}"


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the marks in the place of Japanese."""
    english = gettext.NullTranslations()
    monkeypatch.setattr(language, "_catalogue", lambda code: Pseudo() if code == "ja" else english)


def outside(text: str) -> str:
    """Return what stands outside all marks."""
    depth, kept = 0, []
    for character in text:
        depth += (character == OPEN) - (character == CLOSE)
        if depth == 0:
            kept.append(character)
    return "".join(kept)


CODES = re.compile(
    r"paifu( [a-z]+)*|(?<!\w)--?[a-z][a-z-]*|[A-Z]+\d+(\.\d)?|[a-z]+_[a-z_]+|\S*/\S*"
    r"|\S+\.(gz|html|json|toml|mjlog|svg)|\[(?:[A-Za-z0-9|]+)\]"
)
"""Commands, options, codes, labels of hands, names of statistics and rules, files."""


def untranslated(text: str, data: str) -> set[str]:
    """Return the English words outside the marks; ``data`` are words that are data."""
    left = CODES.sub(" ", outside(text))
    return set(re.findall(r"[A-Za-z][A-Za-z'-]+", left)) - set(data.split())


PLAYERS = "Botan dahlia Hana"
PRESETS = (
    " ".join(path.stem for path in (ROOT / "replay" / "rules" / "presets").glob("*.toml"))
    + " american- yakuza"
)
SHOWN: list[tuple[list[str | Path], str]] = [
    (["rules", "list"], PRESETS),
    (["rules", "diff", "tenhou", "tenhou"], PRESETS),
    (["show", HANCHAN], PLAYERS),
    (["show", HANCHAN, "--seat", "1", "--hand", "E1"], PLAYERS),
    (["stats", HANCHAN, "--sort", "nix"], ""),
    (["plot", "nix"], ""),
    (["discard", "1m"], ""),
    (["score", "1m"], ""),
    (["nix"], ""),
    (["yaku", "nothing", "at", "all"], "nothing at all"),
]
"""A command, and words that are data in what it shows."""


@pytest.mark.parametrize(
    ("arguments", "data"),
    SHOWN,
    ids=[" ".join(getattr(part, "name", str(part)) for part in arguments) for arguments, _ in SHOWN],
)
def test_no_english_is_left(arguments: list[str | Path], data: str, pseudo: None) -> None:
    result = call("--lang", "ja", *arguments)
    assert untranslated(result.text, data) == set()
    assert untranslated("\n".join(result.talk), data) == set()
    assert OPEN in result.text + "".join(result.talk)


def helps() -> list[list[str]]:
    """Return the command lines that show help."""
    found: list[list[str]] = [["--help"]]
    for name in COMMANDS:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        found += [[name, "--help"], *([name, part, "--help"] for part in getattr(command, "commands", {}))]
    return found


METAVARS = re.compile(r"\b[A-Z][A-Z:=|,.\[\]-]+[A-Z\]](\.\.\.)?|INTEGER RANGE|FLOAT RANGE|x>?=|<=x<=")


@pytest.mark.parametrize("arguments", helps(), ids=" ".join)
def test_no_english_is_left_in_help(arguments: list[str], pseudo: None) -> None:
    text = call("--lang", "ja", *arguments).text
    plain = "\n".join(line for line in text.splitlines() if not line.startswith("      paifu "))
    left = METAVARS.sub(" ", re.sub(r"^ *(-\w, )?--.*?(  |$)|^  [a-z]+  ", " ", outside(plain), flags=re.M))
    left = re.sub(r"\[[a-z0-9| -]+\]|: *[a-z0-9.-]+(?=[\];])|<=x<=\d+|x>=\d", " ", left)
    assert untranslated(left, "") == set()
