"""Statistics, figures and pages in Japanese: whole sentences, and nothing in English but what is data."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from browser import Browser, browser
from command import call

from paifu.parsers.read import read_batches
from paifu.replay.language import VARIABLE
from paifu.replay.language import _ as gettext
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay
from paifu.reports.figures import files
from paifu.reports.figures import style as look
from paifu.reports.figures.files import drawn, notice
from paifu.reports.metrics.catalogue import CATALOGUE, choose
from paifu.reports.pages.page import read_template, words_script
from paifu.reports.pages.report_data import Wanted, gather, total

pytestmark = pytest.mark.full

__all__ = ["browser"]  # a fixture

SAMPLES = Path(__file__).parents[2] / "sample_logs"
FORMATS = SAMPLES / "formats"
HANCHAN = FORMATS / "hanchan.mjlog.gz"


@pytest.fixture(autouse=True)
def japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak Japanese."""
    monkeypatch.setenv(VARIABLE, "ja")


# --- statistics ----------------------------------------------------------------------------------------


def test_a_statistic_is_found_by_its_japanese_title() -> None:
    assert [metric.name for metric in choose(["和了率", "win rate", "riichi_rate"])] == [
        "win_rate",
        "riichi_rate",
    ]


def test_different_statistics_have_different_titles() -> None:
    found = Counter(one.said for one in CATALOGUE.values() if one.family != "patterns")
    english = Counter(one.title for one in CATALOGUE.values() if one.family != "patterns")
    assert sum(found.values()) - len(found) <= sum(english.values()) - len(english), found.most_common(5)


def test_groups_have_japanese_headings_and_rooms() -> None:
    lines = call("stats", FORMATS, "--by", "room,length", "--lang", "ja", "-j", "1").text
    assert "鳳凰卓, 半荘戦" in lines
    lines = call("stats", SAMPLES / "games", "--by", "player", "--limit", "4", "--lang", "ja", "-j", "1").text
    heads = lines.split("─")[0].split()
    assert heads == [
        "プレイヤー",
        "局数",
        "平均順位",
        "ラス率%",
        "和了率%",
        "放銃率%",
        "立直率%",
        "副露率%",
        "和了点",
        "放銃点",
    ]


# --- figures -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("has_font", [True, False])
def test_files_of_figures_are_japanese_where_a_font_is(
    has_font: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    look._has_glyphs.cache_clear()
    signs = frozenset(range(0x30000)) if has_font else frozenset(range(0x250))
    monkeypatch.setattr(look, "_characters", lambda: signs)
    batch = Batch.concatenate(list(read_batches([HANCHAN])))
    wanted = Wanted((), ("win_rate", "draw_rate", "aside_rate", "hit_rate", "deal_in_rate"))
    gathered = total([gather(replay(batch), wanted, 1)], wanted)
    monkeypatch.setattr(files, "saved", lambda figure, _fmt: texts_of(figure))
    data = gathered.others, gathered.course, gathered.pushes, None
    said: Any = drawn(*data, "endings", "", "svg", with_title=True)
    words = {"局の結果", "和了", "横移動", "局の割合", "全プレイヤー"}
    english = {"How hands end", "win", "others' ron", "share of hands", "all players"}
    assert (
        (words <= said, english & said) == (True, set())
        if has_font
        else (english <= said, words & said == set())
    )
    assert notice().startswith("図は英語で描きました") == (not has_font)
    look._has_glyphs.cache_clear()


def texts_of(figure: Any) -> set[str]:
    from matplotlib.text import Text

    return {one.get_text() for one in figure.findobj(Text)}


# --- pages ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every kind of page."""
    folder = tmp_path_factory.mktemp("pages")
    season = folder / "season.toml"
    season.write_text(
        'title = "リーグ"\ndrop_worst = 1\n[[penalties]]\nplayer = "Botan"\npoints = -20.0\nreason = "遅刻"\n'
    )
    commands: dict[str, tuple[object, ...]] = {
        "player": ("report", FORMATS, "--player", "Botan", "-o"),
        "all": ("report", FORMATS, "-o"),
        "league": (
            "league",
            SAMPLES / "games",
            "--season",
            season,
            "--rules",
            "tenhou",
            "--under",
            "mleague",
            "--html",
            "-o",
        ),
        "show": ("show", HANCHAN, "--html", "-o"),
        "discard": ("discard", "2340m34p11234779s", "--dora", "9s", "--turn", "6", "--html", "-o"),
    }
    for name, arguments in commands.items():
        result = call(*map(str, arguments), str(folder / f"{name}.html"), "--lang", "ja")
        assert result.status == 0, result.talk
    return {name: folder / f"{name}.html" for name in commands}


DATA = re.compile(
    r"paifu [a-z]+|--[a-z]+( [A-Z]+)?|"
    r"[\w./:-]+\.(?:mjlog|json|xml|gz|ndjson|jsonl|toml)\b[\w.]*|[A-Z]+\d+(?:\.\d)?|\b(?:[0-9]+[mpsz])+\b|[a-z]+_[a-z_]+"
)
"""Commands, options, files, codes, labels, tiles, names of rules."""
NAMES = {
    "Botan", "dahlia", "paifu", "Page", "Up", "Down", "Home", "End", "Enter", "JavaScript", "mleague",
    "tenhou", "true", "false", "uma", "kiriage", "all", "verify", "before", "at",
}  # fmt: skip
"""Players, keys, names of rulesets and values of rules."""


@pytest.mark.parametrize("name", ["player", "all", "league", "show", "discard"])
def test_nothing_is_left_in_english(pages: dict[str, Path], name: str) -> None:
    page = lxml.html.fromstring(pages[name].read_text("utf-8"))
    assert page.get("lang") == "ja"
    for one in page.xpath("//script | //style | //meta | //use"):
        one.drop_tree()
    texts = {text.strip() for text in page.xpath("//text()")}
    for attribute in ("title", "aria-label", "data-here"):
        texts |= set(page.xpath(f"//@{attribute}"))
    left = {
        text
        for text in texts
        if {word for word in re.findall(r"[A-Za-z]{2,}", DATA.sub(" ", text)) if word not in NAMES}
    }
    assert left == set()


def test_scripts_say_everything_in_japanese() -> None:
    said = json.loads(words_script().partition("const WORDS = ")[2].partition(";\n")[0])
    scripts = "".join(map(read_template, ("stepper.js", "report.js", "show.js")))
    assert len(said) > 60
    assert all(re.search("[、-鿿%/～]", text) for text in said.values())
    for text in re.findall(r'[^\w.]_\("([^"]+)"\)', scripts):
        assert text in said, text


def test_english_pages_bring_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    assert words_script().startswith("const WORDS = {};\n")


def test_the_stepper_speaks_japanese(browser: Browser, pages: dict[str, Path]) -> None:
    browser.open(pages["show"], "#E1.0:0")
    assert browser.complaints() == []
    assert browser.text(".count") == "イベント0"
    assert re.fullmatch(r"\w+が\d[mpsz]をツモ", browser.text(".move"))
    assert browser.text(".wall") == "残り69枚"
    assert browser.text(".choose-hand option").startswith("東1局0本場 · ")
    browser.press("END")
    assert browser.text(".ending h2").startswith(("ツモ：", "ロン："))
    browser.press("HOME")
    assert re.fullmatch(r".+：配牌（親は\w+）", browser.text(".move"))


# --- words ---------------------------------------------------------------------------------------------


def test_no_template_ends_a_sentence_itself() -> None:
    """A period after an expression would be the English one on every page."""
    templates = sorted((Path(__file__).parents[2] / "reports" / "pages" / "templates").glob("*.html"))
    assert len(templates) > 5
    for path in templates:
        found = re.findall(r"\}\}\.(?=\s|<|\{%)", path.read_text("utf-8"))
        assert not found, path.name


def test_japanese_texts_end_with_a_japanese_period() -> None:
    for name, text in japanese_texts():
        assert not re.search(r"[ぁ-んァ-ヶ一-龥）」}][.](?!\w)", text), f"{name}: {text}"
    assert gettext("{sentence}.") == "{sentence}。"


def japanese_texts() -> list[tuple[str, str]]:
    folder = Path(__file__).parents[2] / "replay" / "language" / "ja"
    texts = [
        (path.stem, text)
        for path in sorted(folder.glob("*.po"))
        for text in re.findall(r'^msgstr(?:\[0\])? "(.*)"$', path.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(texts) > 5000
    return texts
