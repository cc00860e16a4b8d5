"""What findings, scores and hands say in Japanese: whole sentences, as people read them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import test_findings as logs
import test_review as reviews

from paifu.replay.findings.finding import Finding
from paifu.replay.findings.review_evidence import evidence
from paifu.replay.findings.review_kinds import REVIEW_KINDS
from paifu.replay.findings.review_sentences import spoken_option
from paifu.replay.findings.spoken import KINDS, kinds_of
from paifu.replay.language import VARIABLE, _
from paifu.replay.language.lines import cells
from paifu.replay.model.events import EventKind
from paifu.replay.schemes.tables import pattern_name, spoken_pattern
from paifu.replay.scoring.yaku_names import spoken_name, yaku_name
from paifu.replay.views.games import Hand
from paifu.replay.views.labels import format_label, spoken_round
from paifu.reports.findings.explanations import explained
from paifu.reports.findings.output import where
from paifu.reports.findings.review import JudgedFinding
from paifu.reports.hands.hand_in_words import hand_title

FILES = ("V101", "V102", "V104", "V105")
"""Codes that readers of files report in their own words."""


@pytest.fixture
def japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak Japanese."""
    monkeypatch.setenv(VARIABLE, "ja")


def made(code: str) -> Finding:
    """The finding whose message is a kind's example."""
    if code == "V210":
        return logs.noted_as(210, EventKind.DRAW, expected=4, actual=5)
    if code in REVIEW_KINDS:
        case, _evidence = reviews.situation(reviews.named("example")[code]).found(code)
        return JudgedFinding(case).judged.finding
    return logs.shown(code)


@pytest.mark.parametrize("code", [*sorted(set(logs.CHANGES) - set(FILES)), "V210", *REVIEW_KINDS])
def test_messages_are_the_translated_examples(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    english = made(code)
    monkeypatch.setenv(VARIABLE, "ja")
    finding = made(code)
    assert finding.message == _(KINDS[code].example) != english.message
    assert (finding.expected, finding.actual) == (english.expected, english.actual)


def test_numbers_and_names_for_programs_stay(japanese: None) -> None:
    finding = made("V304")
    assert (finding.name, finding.expected, finding.actual) == ("yaku", "riichi", "ittsuu")
    case, _evidence = reviews.situation(reviews.named("example")["D101"]).found("D101")
    (threat,) = evidence(case)["threats"]
    assert (threat["threat"], threat["class"]) == ("riichi", "no suji 4-6")


@pytest.mark.parametrize(
    ("option", "spoken"),
    [
        ("5p", "5p"),
        ("pass", "見送り"),
        ("open kan", "大明槓"),
        ("riichi 4s", "立直（4s切り）"),
        ("chi from 3s", "チー（3sからの順子）"),
        ("closed kan 3p", "暗槓 3p"),
    ],
)
def test_options_are_told_as_people_name_them(
    option: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert spoken_option(option) == option
    monkeypatch.setenv(VARIABLE, "ja")
    assert spoken_option(option) == spoken


def test_a_place_is_told_in_the_order_of_the_language(japanese: None) -> None:
    finding = made("V401")
    assert where(finding).endswith(":E1.0:12巡目 席2 (チドリ) イベント102")


def test_explanations_are_broken_where_japanese_may_be(japanese: None) -> None:
    (kind,) = kinds_of("D101")
    text = explained(kind)
    assert text.startswith("D101 avoidable-far (悪手または参考)\n\nすべての脅威に対して")
    assert "例: 6sでBenに12,000点の放銃" in text
    for line in text.splitlines():
        assert cells(line) <= 80
        assert line[:1] not in ("、", "。", "）", "」")


@pytest.mark.parametrize(
    ("round_", "honba", "label", "spoken"),
    [(0, 0, "E1.0", "東1局"), (6, 2, "S3.2", "南3局"), (16, 0, "N5.0", "北5局")],
)
def test_labels_stay_where_hands_are_chosen_by_them(
    round_: int, honba: int, label: str, spoken: str, japanese: None
) -> None:
    assert format_label(round_, honba) == label
    assert spoken_round(round_) == spoken


def test_titles_of_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = logs.sample("hanchan.mjlog.gz")
    hands = [Hand.of(batch, row) for row in range(len(batch.hands))]
    english = list(map(hand_title, hands))
    monkeypatch.setenv(VARIABLE, "ja")
    told = dict(zip(english, map(hand_title, hands), strict=True))
    assert told["East 1"] == "東1局"
    assert told["East 4, 1 honba, 2 riichi sticks"] == "東4局 1本場 供託2本"
    assert told["South 3, 2 honba, 1 riichi stick"] == "南3局 2本場 供託1本"


# --- names -------------------------------------------------------------------------------------------------


def test_yaku_have_the_names_of_the_language_unless_a_set_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (yaku_name(8, None), spoken_name(8, None), yaku_name(99, None)) == ("tanyao", "tanyao", "yaku 99")
    monkeypatch.setenv(VARIABLE, "ja")
    assert (yaku_name(8, None), spoken_name(8, None), yaku_name(99, None)) == ("断幺九", "断幺九", "役99")
    assert yaku_name(78, None) == "門前清一色自摸"
    monkeypatch.setenv("PAIFU_NAMES", "english")
    assert (yaku_name(8, None), spoken_name(8, None)) == ("all simples", "断幺九")


def test_patterns_of_other_games_have_their_chinese_names(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [pattern_name(name) for name in ("half-flush", "ruby-dragon", "nothing")]
    assert names == ["Half Flush", "Ruby Dragon", "nothing"]
    assert spoken_pattern("half-flush") == "half-flush"
    monkeypatch.setenv(VARIABLE, "ja")
    names = [pattern_name(name) for name in ("half-flush", "ruby-dragon", "nothing")]
    assert names == ["混一色", "紅玉龍", "nothing"]
    assert spoken_pattern("half-flush") == "混一色"


# --- sources -----------------------------------------------------------------------------------------------


def _looked_up_in_f_strings(path: Path) -> list[int]:
    """Return the lines in which a text is translated within an f-string, where no collector looks."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    strings = (node for node in nodes if isinstance(node, ast.JoinedStr))
    return [
        call.lineno
        for string in strings
        for call in ast.walk(string)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("_", "ngettext", "pgettext")
        and isinstance(call.args[-1], ast.Constant)
    ]


@pytest.mark.every(3)
@pytest.mark.parametrize("folder", ["api", "cli", "coach", "parsers", "replay", "reports"])
def test_texts_stand_where_they_are_collected(folder: str) -> None:
    paths = (Path(__file__).parents[2] / folder).rglob("*.py")
    assert {path.name: found for path in paths if (found := _looked_up_in_f_strings(path))} == {}
