"""The trainer in a browser: nothing of an answer before a choice, then all of it, and what is kept."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from browser import DESKTOP, PHONE, Browser, browser
from command import call
from test_accessibility import violations

pytestmark = pytest.mark.full

__all__ = ["browser"]  # a fixture

GAMES = sorted((Path(__file__).parents[2] / "sample_logs" / "games").glob("*-4p-*"))
NARROW = (320, 640)
BOX = "#trainer-box"
STATUS = "return (document.querySelector('#trainer-box .status') || {}).textContent"
PICKS = "return [...document.querySelectorAll('#trainer-box [role=radio]')]"
RECORDS = "return JSON.parse(localStorage.getItem(Object.keys(localStorage)[0]) || '{}')"


@dataclass(frozen=True)
class Page:
    """A page with a trainer, and what is packed in it."""

    path: Path
    questions: list[dict[str, Any]]
    answers: list[dict[str, Any]]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    path = tmp_path_factory.mktemp("trainer") / "page.html"
    assert call("report", *GAMES, "--player", "Botan", "--deep", "-o", path).status == 0
    text = path.read_text("utf-8")

    def unpacked(name: str) -> Any:
        found = re.search(f'id="{name}">([^<]*)<', text)
        assert found
        return json.loads(zlib.decompress(base64.b64decode(found[1]), -15))

    return Page(path, unpacked("positions")["positions"], unpacked("answers"))


def opened(browser: Browser, page: Page, size: tuple[int, int] = DESKTOP) -> None:
    """Open the trainer and start."""
    browser.open(page.path, "#trainer", size)
    browser.wait(f"return document.querySelector('{BOX} .main') !== null", True)
    browser.run(f"document.querySelector('{BOX} .main').focus()")
    browser.press("ENTER")
    assert len(browser.run(PICKS)) > 4


def forget(browser: Browser, page: Page) -> None:
    browser.open(page.path)
    browser.run("localStorage.clear()")


def choose(browser: Browser, page: Page, at: int, option: int) -> None:
    """Choose an option of the position shown by keys."""
    wanted = page.questions[at]["options"][option]
    number = browser.run(
        f"{PICKS}.findIndex(e => arguments[0] ? e.title === arguments[0] : e.textContent === arguments[1])",
        wanted["tile"],
        wanted["said"],
    )
    assert number >= 0, wanted
    if number < 9:
        browser.type(str(number + 1))
    else:
        browser.run(f"{PICKS}[arguments[0]].click()", number)
    assert browser.run(f"{PICKS}.findIndex(e => e.getAttribute('aria-checked') === 'true')") == number
    browser.press("ENTER")
    browser.wait(f"return document.querySelector('{BOX} .outcome').textContent !== ''", True)


def told(answer: dict[str, Any]) -> Iterator[str]:
    """Yield everything that only an answer says."""
    yield answer["why"]
    yield from filter(None, (one["why"] for one in answer["options"]))
    yield from answer["prices"]
    yield from (
        "A mistake:",
        "Right:",
        "Not counted:",
        "Unusual:",
        "The mistake here",
        "In the game:",
        "your choice",
    )


def seen(browser: Browser) -> str:
    """Return all that somebody may see or hear of the page, or find in its source."""
    script = (
        "const tree = document.documentElement.cloneNode(true);"
        "for (const one of tree.querySelectorAll('#mistakes, #unusual, script:not([type])')) one.remove();"
        "return tree.outerHTML + document.body.innerText"
    )
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    spoken = [
        str(node.get(part, {}).get("value", ""))
        for node in nodes
        for part in ("name", "description", "value")
    ]
    return str(browser.run(script)) + "\n".join(spoken)


def test_nothing_of_an_answer_is_anywhere_before_a_choice(browser: Browser, page: Page) -> None:
    """The lists of mistakes and of unusual moves aside, which are there to be read."""
    forget(browser, page)
    source = page.path.read_text("utf-8")
    source = re.sub(r'<section id="(mistakes|unusual)".*?</section>', "", source, flags=re.DOTALL)
    source = re.sub(r"<script>.*?</script>", "", source, flags=re.DOTALL)
    opened(browser, page)
    shapes: list[tuple[bool, Any]] = []
    for at, answer in enumerate(page.answers):
        question = page.questions[at]
        assert browser.text(f"{BOX} h3") == question["place"]
        before = seen(browser)
        assert question["place"] in before
        for said in told(answer):
            assert said not in before, said
            assert said not in source, said
        shape = browser.run(
            "const names = new Set();"
            f"for (const e of document.querySelectorAll('{BOX}, {BOX} *')) names.add("
            "  e.tagName + '.' + e.getAttribute('class') + ' ' + [...e.attributes].map(a => a.name)"
            "  + ' ' + (e.tabIndex === 0));"
            "return [...names].sort()"
        )
        is_mistake = answer["options"][answer["played"]]["grade"] >= 0
        shapes.append((is_mistake, shape))
        choose(browser, page, at, answer["best"])
        after = seen(browser)
        assert answer["why"].partition(" ")[0] in after
        assert "Right:" in after
        assert "In the game:" in after
        grade = answer["options"][answer["wrong"]]["grade"]
        has_price = grade < len(answer["prices"])
        assert ("The mistake here" in after) == has_price
        played = browser.text(f"{BOX} .after")
        assert (", a mistake." in played or ", an unusual move." in played) == is_mistake
        assert not has_price or answer["prices"][grade] in after
        browser.press("ENTER")
    marks = [{str(name) for name in shape} for _, shape in shapes]
    common = set.intersection(*marks)
    for is_mistake in (True, False):
        own = [shape for (made, _), shape in zip(shapes, marks, strict=True) if made == is_mistake]
        rest = [shape for (made, _), shape in zip(shapes, marks, strict=True) if made != is_mistake]
        only = set.intersection(*own) - common - set.union(*rest)
        assert not only, "no mark that all of one kind have, and none of the other"
    assert browser.run(STATUS).startswith("Due today: 0, new: 0 · next on ")
    assert browser.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_complain_of_before_and_after_a_choice(
    browser: Browser, page: Page, scheme: str
) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    forget(browser, page)
    opened(browser, page)
    assert violations(browser, BOX) == []
    choose(browser, page, 0, 0)
    assert violations(browser, BOX) == []


def test_keys_lead_from_choice_to_choice(browser: Browser, page: Page) -> None:
    forget(browser, page)
    opened(browser, page)
    focused = f"{PICKS}.indexOf(document.activeElement)"
    checked = f"{PICKS}.map(e => e.getAttribute('aria-checked')).indexOf('true')"
    assert browser.run(focused) == 0
    assert browser.run(checked) == -1
    browser.press("ENTER")
    assert browser.run(checked) == 0, "nothing was chosen yet: this chooses"
    assert browser.text(f"{BOX} .outcome") == ""
    for key, expected in (("ARROW_RIGHT", 1), ("ARROW_DOWN", 2), ("ARROW_LEFT", 1), ("END", 1)):
        browser.press(key)
        assert browser.run(checked) == browser.run(focused) == expected
    for _ in range(2):
        browser.press("ARROW_UP")
    assert browser.run(focused) == len(browser.run(PICKS)) - 1, "from the first to the last"
    browser.type("3")
    assert browser.run(checked) == 2
    names = browser.run(f"{PICKS}.map(e => e.getAttribute('aria-label') || e.textContent)")
    assert all(
        re.match(r"(\d|red 5) of |East|South|West|North|\w+ dragon|riichi|(closed|added) kan", name)
        for name in names
    )
    outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    browser.press("ENTER")
    browser.wait(f"return document.querySelector('{BOX} .outcome').textContent !== ''", True)
    assert browser.run("return document.activeElement.textContent") == "Next"
    assert browser.run(f"return document.querySelector('{BOX} .outcome').getAttribute('role')") == "status"
    place = browser.text(f"{BOX} h3")
    browser.press("ENTER")
    assert browser.text(f"{BOX} h3") != place
    assert browser.run(focused) == 0


def test_the_table_goes_no_further_than_the_decision(browser: Browser, page: Page) -> None:
    forget(browser, page)
    opened(browser, page)
    answer = page.answers[0]
    table = f"[...document.querySelectorAll('{BOX} .buttons button')].at(-1)"
    browser.run(f"{table}.click()")
    assert browser.find("#replay .table").is_displayed()
    shown = "return document.querySelector('#stepper .count').textContent"
    assert browser.run(shown) == f"event {answer['event'] - 1}"
    browser.press("END")
    browser.press("ARROW_RIGHT")
    assert browser.run(shown) == f"event {answer['event'] - 1}"
    for part in (".options table", ".marks li", ".ending"):
        assert not browser.run("return document.querySelectorAll('#stepper ' + arguments[0]).length", part)
    before = str(browser.run("return document.getElementById('stepper').outerHTML"))
    assert answer["data"]["hands"][0]["result"] not in before
    assert not [said for said in told(answer) if said in before]
    browser.press("ESCAPE")
    browser.run(f"{PICKS}[0].focus()")
    choose(browser, page, 0, answer["best"])
    browser.run(f"{table}.click()")
    assert browser.find("#replay .table").is_displayed()
    assert browser.run(shown) == f"event {answer['event'] - 1}"
    browser.press("END")
    assert browser.run(shown) == f"event {len(answer['data']['hands'][0]['events']) - 1}"
    assert browser.find("#stepper .ending").is_displayed()
    assert browser.complaints() == []


def test_right_comes_later_and_wrong_again(browser: Browser, page: Page) -> None:
    """After 1, 3, 7, 21, 60 days; after a mistake again in this sitting, then tomorrow."""
    forget(browser, page)
    opened(browser, page)
    number, key = len(page.questions), page.questions[0]["key"]
    today = "const now = new Date(); return Math.floor((now - now.getTimezoneOffset() * 60000) / 86400000)"
    day = browser.run(today)
    choose(browser, page, 0, page.answers[0]["wrong"])
    assert browser.text(f"{BOX} .outcome").startswith(("A mistake: ", "Unusual: "))
    assert "comes again in this sitting" in browser.text(f"{BOX} .after")
    assert browser.run(RECORDS)[key] == {
        "box": 0, "due": day + 1, "seen": 1, "right": 0, "of": page.answers[0]["class"],
    }  # fmt: skip
    for at in [*range(1, number), 0]:
        browser.press("ENTER")
        choose(browser, page, at, page.answers[at]["best"])
    assert browser.run(RECORDS)[key]["seen"] == 1, "the repetition of this sitting does not count"
    assert browser.run(RECORDS)[key]["due"] == day + 1
    browser.press("ENTER")
    assert browser.run(STATUS).startswith("Due today: 0, new: 0 · next on ")
    cells = "map(r => [...r.cells].map(c => c.textContent))"
    rows = f"return [...document.querySelectorAll('{BOX} tbody tr')].{cells}"
    shown = [[int(cell) for cell in row[1:]] for row in browser.run(rows)]
    classes = [answer["class"] for answer in page.answers]
    assert [row[0] for row in shown] == [classes.count(place) for place in range(len(shown))]
    assert sum(row[0] for row in shown) - sum(row[1] for row in shown) == 1
    assert {row[2] for row in shown} == {0}
    second = page.questions[1]["key"]
    make_due = (
        "const deck = Object.keys(localStorage)[0], kept = JSON.parse(localStorage.getItem(deck));"
        "kept[arguments[0]].due = arguments[1]; localStorage.setItem(deck, JSON.stringify(kept))"
    )
    for days, box in ((3, 2), (7, 3), (21, 4), (60, 4), (60, 4)):
        browser.run(make_due, second, day)
        opened(browser, page)
        assert browser.text(f"{BOX} h3") == page.questions[1]["place"]
        choose(browser, page, 1, page.answers[1]["best"])
        assert (browser.run(RECORDS)[second]["due"], browser.run(RECORDS)[second]["box"]) == (day + days, box)
        browser.press("ENTER")
        assert browser.run(STATUS).startswith("Due today: 0, ")
    browser.run(f"document.querySelector('{BOX} .main').click()")
    assert len(browser.run(PICKS)) > 4, "going on anyway"
    browser.open(page.path, "#trainer")
    browser.wait(f"return document.querySelectorAll('{BOX} button').length", 2)
    browser.run(f"setTimeout(() => document.querySelectorAll('{BOX} button')[1].click())")
    browser.driver.switch_to.alert.accept()
    browser.wait(STATUS, f"Due today: 0, new: {number}")
    assert browser.run("return localStorage.length") == 0


def test_an_estimate_counts_neither_way(browser: Browser, page: Page) -> None:
    forget(browser, page)
    opened(browser, page)
    number, option = next(
        (number, at)
        for number, answer in enumerate(page.answers)
        for at, one in enumerate(answer["options"])
        if one["grade"] == -2
    )
    for before in range(number):
        choose(browser, page, before, page.answers[before]["best"])
        browser.press("ENTER")
    kept = browser.run("return JSON.stringify(localStorage)")
    choose(browser, page, number, option)
    assert browser.text(f"{BOX} .outcome").startswith("Not counted: ")
    assert "comes again in this sitting" in browser.text(f"{BOX} .after")
    assert browser.run("return JSON.stringify(localStorage)") == kept


def test_a_browser_that_keeps_nothing_is_no_obstacle(browser: Browser, page: Page) -> None:
    refuse = (
        "Object.defineProperty(window, 'localStorage',"
        "{ get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    added = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": refuse})
    try:
        browser.open(page.path, "#trainer")
        browser.wait(STATUS, f"Due today: 0, new: {len(page.questions)}")
        assert browser.text(BOX).count("keeps nothing") == 1
        opened(browser, page)
        choose(browser, page, 0, page.answers[0]["best"])
        assert browser.text(f"{BOX} .outcome").startswith("Right: ")
        browser.press("ENTER")
        assert browser.text(f"{BOX} h3") == page.questions[1]["place"]
        assert browser.complaints() == []
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


BROKEN = [
    "",
    "x",
    "null",
    "5",
    '"text"',
    "[1, null]",
    "{",
    '{"a": null, "b": 5, "c": [], "d": {}}',
    "[" * 5000,
]
"""What may lie where the trainer's records should, as text."""
ODD: list[dict[str, Any]] = [
    {"box": 99}, {"box": -1}, {"box": "1"}, {"box": None}, {"due": None}, {"due": "tomorrow"}, {"due": 1.5},
    {"due": 10**400}, {"due": -5}, {"seen": -1}, {"seen": "<b>"}, {"right": 9}, {"of": {}},
]  # fmt: skip
SOUND = {"box": 1, "due": 1, "seen": 2, "right": 1, "of": 0}


def test_what_others_wrote_into_the_storage_counts_as_nothing(browser: Browser, page: Page) -> None:
    """A program of another version, or somebody by hand."""
    forget(browser, page)
    opened(browser, page)
    choose(browser, page, 0, page.answers[0]["best"])
    (deck,) = browser.run("return Object.keys(localStorage)")
    key = page.questions[0]["key"]
    odd = [json.dumps({key: SOUND | {name: value}}) for one in ODD for name, value in one.items()]
    for text in (*BROKEN, *odd, json.dumps({"__proto__": SOUND | {"due": 10**9}})):
        browser.open(page.path)
        browser.run("localStorage.setItem(arguments[0], arguments[1])", deck, text)
        browser.open(page.path, "#trainer")
        browser.wait(STATUS, f"Due today: 0, new: {len(page.questions)}")
        assert browser.complaints() == [], text
    opened(browser, page)
    choose(browser, page, 0, page.answers[0]["best"])
    assert browser.run(RECORDS)[key]["seen"] == 1, "it begins anew"
    forget(browser, page)


def test_a_clock_that_was_ahead_postpones_nothing_for_good(browser: Browser, page: Page) -> None:
    forget(browser, page)
    opened(browser, page)
    choose(browser, page, 0, page.answers[0]["best"])
    (deck,) = browser.run("return Object.keys(localStorage)")
    far = {one["key"]: SOUND | {"due": 10**9} for one in page.questions}
    browser.open(page.path)
    browser.run("localStorage.setItem(arguments[0], arguments[1])", deck, json.dumps(far))
    browser.open(page.path, "#trainer")
    browser.wait(f"return document.querySelector('{BOX} .main') !== null", True)
    shown = re.search(r"next on (\d{4}-\d\d-\d\d)", browser.text(f"{BOX} .status"))
    assert shown is not None
    ahead = browser.run("return Math.round((new Date(arguments[0]) - new Date()) / 86400000)", shown[1])
    assert 59 <= ahead <= 61
    assert browser.complaints() == []
    forget(browser, page)


def test_two_windows_keep_the_results_of_both(browser: Browser, page: Page) -> None:
    forget(browser, page)
    opened(browser, page)
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("window")
    try:
        opened(browser, page)
        choose(browser, page, 0, page.answers[0]["best"])
        browser.press("ENTER")
        choose(browser, page, 1, page.answers[1]["best"])
    finally:
        browser.driver.close()
        browser.driver.switch_to.window(first)
    choose(browser, page, 0, page.answers[0]["wrong"])
    records = browser.run(RECORDS)
    assert set(records) == {one["key"] for one in page.questions[:2]}
    assert records[page.questions[0]["key"]]["seen"] == 2
    forget(browser, page)


@pytest.mark.parametrize("size", [PHONE, NARROW], ids=["phone", "narrow"])
def test_a_phone_shows_all_of_it(browser: Browser, page: Page, size: tuple[int, int]) -> None:
    forget(browser, page)
    opened(browser, page, size)
    beyond = (
        "return [...document.querySelectorAll('html, #trainer-box, #trainer-box table, #trainer-box .held')]"
        ".filter(e => e.scrollWidth > e.clientWidth + 1"
        "|| e.getBoundingClientRect().right > innerWidth).length"
    )
    small = f"{PICKS}.map(e => e.getBoundingClientRect()).filter(b => b.width < 24 || b.height < 24).length"
    assert browser.run(beyond) == 0
    assert browser.run(small) == 0
    choose(browser, page, 0, page.answers[0]["wrong"])
    assert browser.run(beyond) == 0
