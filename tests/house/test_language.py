"""Languages: who chooses one, what is translated, and what stays as it is."""

from __future__ import annotations

import contextlib
import gettext
import importlib.util
import io
import re
import shutil
import string
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from command import Result, call, run

from paifu.cli.__main__ import COMMANDS, cli
from paifu.cli.config import FILE
from paifu.cli.config import VARIABLE as CONFIG
from paifu.coach.simulate.games import PLAYERS as PLAYER_KINDS
from paifu.replay import language
from paifu.replay.language import VARIABLE
from paifu.replay.language.catalogues import compiled, is_translated
from paifu.replay.language.lines import cells, wrap
from paifu.replay.rules.ruleset import FIELDS
from paifu.replay.rulesets.presets import preset_names
from paifu.replay.scoring.yaku import YAKU
from paifu.replay.scoring.yaku_names import all_names
from paifu.reports.fairness.catalogue import CHECKS, REPEATS
from paifu.reports.figures.catalogue import FIGURES
from paifu.reports.metrics.catalogue import CATALOGUE, families

pytestmark = pytest.mark.every(20)

ROOT = Path(__file__).parents[2]


def _translator() -> Any:
    spec = importlib.util.spec_from_file_location("translate", ROOT / "docs" / "translate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["translate"] = module  # for its data class
    spec.loader.exec_module(module)
    return module


translate = _translator()
GAMES = ROOT / "sample_logs" / "games"
FORMATS = ROOT / "sample_logs" / "formats"
HANCHAN = FORMATS / "hanchan.mjlog.gz"
VIOLATIONS = sorted((ROOT / "sample_logs" / "broken").glob("V[2-6]*"))
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


def test_workers_speak_the_language_of_the_command() -> None:
    paths = [ROOT / "sample_logs" / "broken", HANCHAN]
    alone = run("verify", *paths, "--jobs", "1", "--lang", "ja")
    there = run("verify", *paths, "--jobs", "2", "--lang", "ja")
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


# --- the catalogues ----------------------------------------------------------------------------------------


LANGUAGES = sorted(set(language.LANGUAGES) - {"en"})


def catalogues() -> Iterator[tuple[str, str, Any]]:
    """Yield language, room, and each text of its catalogue with its translation."""
    for code in LANGUAGES:
        for room in translate.ROOMS:
            for message in translate._catalogue(translate.LANGUAGES / code / f"{room}.po"):
                if message.id:
                    yield code, room, message


def test_every_text_of_paifu_is_translated() -> None:
    """The only test that fails for a missing translation: everywhere else, the English text stands for it."""
    for code, room, message in catalogues():
        assert is_translated(message), f"{code}/{room}: {message.id!r}"


def test_missing_translations_are_listed_and_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "replay" / "language"
    shutil.copytree(translate.LANGUAGES, folder)
    path = folder / "ja" / "scoring.po"
    text = path.read_text("utf-8")
    assert 'msgstr "反則"' in text
    path.write_text(text.replace('msgstr "反則"', 'msgstr ""'), "utf-8")
    before, texts = path.read_bytes(), translate.rooms()
    monkeypatch.setattr(translate, "ROOT", tmp_path)
    monkeypatch.setattr(translate, "LANGUAGES", folder)
    monkeypatch.setattr(translate, "rooms", lambda: texts)
    monkeypatch.setattr(sys, "argv", ["translate.py", "--missing"])
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert translate.main() == 0
    assert "'Fouls'" in said.getvalue()
    assert path.read_bytes() == before


def test_the_catalogues_are_up_to_date() -> None:
    rooms = translate.rooms()
    for code in LANGUAGES:
        for room, texts in rooms.items():
            path = translate.LANGUAGES / code / f"{room}.po"
            catalogue = translate.updated(path, texts)
            assert path.read_bytes() == translate.written(catalogue), "run: python docs/translate.py"
        kept = (translate.LANGUAGES / f"{code}.mo").read_bytes()
        assert kept == compiled(translate.LANGUAGES / code), "run: python docs/translate.py"


def placeholders(text: str) -> Counter[str]:
    """Return what is put into a text: ``{name:format}``, ``%(name)s``, HTML; with or without commas."""
    fields = Counter(
        f"{name}!{conversion}:{(spec or '').replace(',', '')}"
        for _literal, name, spec, conversion in string.Formatter().parse(text)
        if name is not None
    )
    return fields + Counter(re.findall(r"%\([a-z_]+\)[sd]|</?[a-z]+", text))


def test_translations_hold_what_their_texts_hold() -> None:
    for code, room, message in catalogues():
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        try:
            expected = [placeholders(text) for text in texts]
        except ValueError:  # a text that is not a template, with braces in it
            continue
        for said in message.string if isinstance(message.string, tuple) else (message.string,):
            found = placeholders(said)
            assert set(found) in [set(one) for one in expected], f"{code} {room}: {texts[0]}"


LETTERS = re.compile(r"[A-Za-z]{2,}")
RULES = {"bettor", "fed_gong_pays", "immunity", "liability", "losers_settle"}
SAME = {"ja": RULES | {"pt"}}
"""Texts that are the same in a language: names of rules, and the unit of a league's points."""


def test_no_translation_is_its_english_text() -> None:
    for code, room, message in catalogues():
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        said = message.string if isinstance(message.string, tuple) else (message.string,)
        words = LETTERS.findall(re.sub(r"\{[^}]*\}", "", texts[0]))
        if words and said[0] == texts[0]:
            assert texts[0] in SAME[code], f"{code} {room}: {texts[0]}"


# --- nothing is left out -----------------------------------------------------------------------------------


class Pseudo(gettext.NullTranslations):
    """A language whose texts are the English ones between marks: what has none was not translated.

    It knows what the Japanese catalogue knows, or a text that is marked but not collected would look fine.
    """

    def __init__(self, known: Collection[str]) -> None:
        super().__init__()
        self._known = known

    def _marked(self, text: str, key: str) -> str:
        return f"{OPEN}{text}{CLOSE}" if key in self._known else text

    def gettext(self, message: str) -> str:
        return self._marked(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._marked(msgid1 if n == 1 else msgid2, msgid1)

    def pgettext(self, context: str, message: str) -> str:
        return self._marked(message, f"{context}\x04{message}")


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the marks in the place of Japanese."""
    known = {
        f"{message.context}\x04{message.id}" if message.context else message.id
        for _, _, message in catalogues()
        if isinstance(message.id, str)
    } | {message.id[0] for _, _, message in catalogues() if isinstance(message.id, tuple)}
    english, marked = gettext.NullTranslations(), Pseudo(known)
    monkeypatch.setattr(language, "_catalogue", lambda code: marked if code == "ja" else english)


def outside(text: str) -> str:
    """Return what stands outside all marks."""
    depth, kept = 0, []
    for character in text:
        depth += (character == OPEN) - (character == CLOSE)
        if depth == 0:
            kept.append(character)
    return "".join(kept)


CODES = re.compile(
    r"paifu( [a-z]+)*|[a-z_]+\.[a-z_]+|(?<!\w)--?[a-z][a-z-]*|[A-Z]+\d+(\.\d)?|[a-z0-9]+(_[a-z0-9]+)+|\S*/\S*"
    r"|\S+\.(gz|html|json|toml|mjlog|svg)|\[(?:[A-Za-z0-9|]+)\]"
)
"""Commands, options, codes, labels of hands, names of statistics and rules, files."""


METAVARS = re.compile(r"\b[A-Z][A-Z:=|,.\[\]-]+[A-Z\]](\.\.\.)?|INTEGER RANGE|FLOAT RANGE|x>?=|<=x<=")
"""What stands for values in lines of usage and help."""


def untranslated(text: str, data: str) -> set[str]:
    """Return the English words outside the marks; ``data`` are words that are data."""
    left = METAVARS.sub(" ", CODES.sub(" ", outside(text)))
    return set(re.findall(r"[A-Za-z][A-Za-z'-]+", left)) - set(re.findall(r"[A-Za-z][A-Za-z'-]+", data))


PLAYERS = "Botan dahlia"
PRESETS = f"american- yakuza {' '.join(preset_names())}"
TILES = ["123456789m34677s", "--dora", "3s", "--turn", "4"]
WIN = ["123m456p789s1122z2z", "--tsumo", "--riichi", "--dora", "1z"]
YAKU_NAMES = " ".join(name for yaku in YAKU.values() for name in (*all_names(yaku).values(), *yaku.others))
VALUES = " ".join(
    re.findall("[a-z]+", " ".join(f"{field.name} {field.allowed}" for field in FIELDS.values()))
)
SHOWN: list[tuple[list[str | Path], str]] = [
    (["convert", HANCHAN, "--to", "tenhou6", "--link", "-o", "out"], ""),
    (["danger", HANCHAN, "-j", "1"], ""),
    (["danger", HANCHAN, "-j", "1", "--turns"], ""),
    (["danger", HANCHAN, "-j", "1", "--player", "Botan"], ""),
    (["discard", *TILES], ""),
    (["discard", HANCHAN, "--at", "E1.0:7", "--seat", "2"], ""),
    (["discard", "1m"], ""),
    (["explain", "V306", "F101"], "fu riichi-in-furiten"),
    (["fair", HANCHAN, "-j", "1", "--test", "draws"], "draws"),
    (["league", HANCHAN, "-j", "1"], PLAYERS),
    (["league", GAMES, "-j", "1", "--table", "honours"], PLAYERS),
    (["league", HANCHAN, "-j", "1", "--table", "cross"], PLAYERS),
    (["league", HANCHAN, "-j", "1", "--table", "teams"], ""),
    (["nix"], ""),
    (["plot", "nix"], " ".join(FIGURES)),
    (["plot"], " ".join(FIGURES)),
    (["review", HANCHAN, "-j", "1"], PLAYERS),
    (["review", HANCHAN, "-j", "1", "--code", "F,W,E,R,C,K", "-n", "0"], PLAYERS),
    (["rules", "list"], PRESETS),
    (["rules", "diff", "tenhou", "tenhou"], PRESETS),
    (["score", "1m"], ""),
    (["score", *WIN], ""),
    (["score", "1112345678999m"], ""),
    (["score", "(1f)123m456p678s66m78p9p", "--rules", "hk-old-style", "--tsumo"], ""),
    (["show", HANCHAN], PLAYERS),
    (["show", HANCHAN, "--review"], PLAYERS),
    (["show", HANCHAN, "--seat", "1", "--hand", "E1"], PLAYERS),
    (["stats", HANCHAN, "-j", "1"], ""),
    (["stats", HANCHAN, "-j", "1", "--by", "player"], PLAYERS),
    (["stats", HANCHAN, "-j", "1", "--by", "room,length"], ""),
    (["stats", HANCHAN, "-j", "1", "--player", "Botan", "--all", "--ci"], PLAYERS),
    (["stats", "--explain"], " ".join([*CATALOGUE, *(family.name for family in families())])),
    (["stats", HANCHAN, "--sort", "nix"], ""),
    (["verify", HANCHAN, "-j", "1"], ""),
    (["verify", *VIOLATIONS, "-j", "1", "--explain"], PLAYERS),
    (["verify", HANCHAN, "-j", "1", "--statistics"], ""),
    (["yaku"], YAKU_NAMES),
    (["yaku", "pinfu"], f"{YAKU_NAMES} Kwan McGill Yakuza"),
    (["yaku", "nothing", "at", "all"], "nothing at all"),
    (["stats", "nowhere"], "nowhere"),
    (["stats"], ""),
    (["score", "99x"], ""),
    (["show", HANCHAN, "--hand", "X9"], ""),
    (["simulate", "--players", "nix", "-o", "out"], " ".join(PLAYER_KINDS)),
    (["fair", HANCHAN, "--test", "nix"], " ".join(check.name for check in (*CHECKS, REPEATS))),
    (["league", HANCHAN, "--season", "nowhere.toml"], ""),
    (["find", HANCHAN, "-j", "1", "--where", "won"], PLAYERS),
    (["import", HANCHAN, "-j", "1", "-o", "out"], "mjlog tenhou"),
    (["convert", HANCHAN, "-j", "1", "--to", "tenhou6", "-o", "out", "--prove"], ""),
    (["compare", HANCHAN, FORMATS / "hanchan.json", "-j", "1", "--ignore", "wins"], ""),
    (["rules", "guess", HANCHAN, "-j", "1"], f"{VALUES} rd"),
    (["rules", "diff", "tenhou", "ema"], f"{VALUES} {PRESETS}"),
]
"""A command, and words that are data in what it shows."""


@pytest.mark.full
@pytest.mark.parametrize(
    ("arguments", "data"),
    SHOWN,
    ids=[" ".join(getattr(part, "name", str(part)) for part in arguments) for arguments, _ in SHOWN],
)
def test_no_english_is_left(
    arguments: list[str | Path], data: str, pseudo: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
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


@pytest.mark.parametrize("arguments", helps(), ids=" ".join)
def test_no_english_is_left_in_help(arguments: list[str], pseudo: None) -> None:
    text = call("--lang", "ja", *arguments).text
    plain = "\n".join(line for line in text.splitlines() if not line.startswith("      paifu "))
    left = METAVARS.sub(" ", re.sub(r"^ *(-\w, )?--.*?(  |$)|^  [a-z]+  ", " ", outside(plain), flags=re.M))
    left = re.sub(r"\[[a-z0-9| -]+\]|: *[a-z0-9.-]+(?=[\];])|<=x<=\d+|x>=\d", " ", left)
    assert untranslated(left, "") == set()


# --- widths ------------------------------------------------------------------------------------------------


def ends(line: str) -> set[int]:
    """Return the cells after which words of a line end."""
    return {cells(line[: found.end()]) for found in re.finditer(r"\S(?= |$)", line)}


def table_after(text: str, head: str) -> tuple[str, list[str]]:
    """Return the line that holds ``head`` and those below it, up to a line that is blank or no row."""
    lines = re.sub("\x1b\\[[0-9;]*m", "", text).splitlines()
    at = next(number for number, line in enumerate(lines) if head in line)
    rows = [line for line in lines[at + 1 :] if "─" not in line]
    return lines[at], rows[: next((number for number, line in enumerate(rows) if not line.strip()), None)]


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize(
    ("arguments", "head", "texts"),
    [
        (["stats", HANCHAN, "-j", "1"], "統計", 1),
        (["danger", HANCHAN, "-j", "1"], "放銃率", 3),
        (["league", GAMES, "-j", "1"], "対局数", 2),
        (["discard", *TILES], "受け入れ", 3),
    ],
)  # fmt: skip
def test_numbers_stand_below_their_heads(
    arguments: list[str | Path], head: str, texts: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("FORCE_COLOR", "1")
    title, rows = table_after(call("--lang", "ja", *arguments).text, head)
    heads = sorted(ends(title))[texts:]
    assert len(heads) > 1
    assert len(rows) > 3
    for line in (title, *rows):
        assert cells(line) <= width
        filled = {head for head in heads if head <= max(ends(line))}  # the last cells may be empty
        assert filled <= ends(line) or any(cells(part) > 20 for part in line.split()), line
    assert any(max(ends(row)) == heads[-1] for row in rows)


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", HANCHAN, "--review"],
        ["show", HANCHAN, "--seat", "2"],
        ["review", HANCHAN, "-j", "1", "-n", "0"],
        ["explain", "V", "F"],
        ["score", *WIN],
        ["rules", "list"],
        ["rules", "guess", HANCHAN, "-j", "1"],
        *helps(),
    ],
    ids=lambda arguments: " ".join(getattr(part, "name", part) for part in arguments),
)  # fmt: skip
def test_lines_fit_into_80_cells(arguments: list[str | Path]) -> None:
    text = call("--lang", "ja", *arguments).text
    assert [line for line in text.splitlines() if cells(line.rstrip()) > 80 and "paifu " not in line] == []
    assert is_japanese(call("--lang", "ja", *arguments))


def test_japanese_breaks_between_characters_but_not_before_a_full_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "ja")
    assert wrap("放銃率は、放銃した局の割合です。", 18) == ["放銃率は、放銃した", "局の割合です。"]
    assert wrap("和了、放銃、流局。", 12) == ["和了、放銃、", "流局。"]
    assert wrap("その値（paifu stats の値）", 8) == ["その値", "（paifu", "stats の", "値）"]
    for width in range(4, 30):
        lines = wrap("「paifu verify」は、牌譜を再現し、矛盾（V306 など）を報告します。", width)
        assert not [line for line in lines if line[0] in "。、）」" or line[-1] in "「（"]
