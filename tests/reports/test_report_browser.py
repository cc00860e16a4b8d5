"""The report in a browser: nothing to complain of, tables that sort, definitions, hands to step through."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
from browser import DESKTOP, PHONE, Browser, browser
from command import call

from paifu.replay.language import VARIABLE
from paifu.reports.metrics.catalogue import CATALOGUE

pytestmark = pytest.mark.full

__all__ = ["browser"]  # a fixture

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
HOSTILE = (
    "<script>window.hacked=1</script>",
    '" onmouseover="window.hacked=2" style="position:fixed;inset:0" x="',
    "</style><style>*{display:none}</style>",
    "</script><svg onload=window.hacked=3>",
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page of a player, that of all, and those of players with hostile names."""
    folder = tmp_path_factory.mktemp("pages")
    log = json.loads((SAMPLES / "hanchan.json").read_text("utf-8")) | {"name": list(HOSTILE)}
    (folder / "hostile.json").write_text(json.dumps(log), "utf-8")
    for name, source, more in (
        ("player", SAMPLES, ("--player", "Botan")),
        ("all", SAMPLES, ()),
        ("hostile", folder / "hostile.json", ()),
        ("hostile-player", folder / "hostile.json", ("--player", HOSTILE[1])),
    ):
        assert call("report", source, *more, "-o", folder / f"{name}.html").status == 0
    return folder


def unfold(browser: Browser) -> None:
    """Open all folded parts of the page."""
    browser.run("for (const one of document.querySelectorAll('details')) one.open = true")


@SIZES
@pytest.mark.parametrize("name", ["player", "all", "hostile", "hostile-player"])
def test_nothing_to_complain_of(browser: Browser, pages: Path, name: str, size: tuple[int, int]) -> None:
    browser.open(pages / f"{name}.html", size=size)
    assert browser.complaints() == []
    unfold(browser)
    width = "const e = document.documentElement; return e.scrollWidth - e.clientWidth"
    assert browser.run(width) == 0
    wide = browser.run(
        "return [...document.querySelectorAll('main *')].filter(e => !e.closest('.scroll, svg') &&"
        "e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert wide == []
    assert browser.run("return window.hacked") is None


LETTERS = """
const found = [];
for (const chart of document.querySelectorAll("main svg:has(text)")) {
  const scale = chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
  const card = chart.parentElement.getBoundingClientRect();
  const texts = [...chart.querySelectorAll("text")].map((text) => {
    const {left, right, top, bottom} = text.getBoundingClientRect();
    const size = scale * parseFloat(getComputedStyle(text).fontSize);
    return {text: text.textContent, size, left, right, top, bottom};
  });
  for (const [at, one] of texts.entries()) {
    const isOver = (other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;
    found.push([one.text, one.size, one.left < card.left + 1 || one.right > card.right - 1,
      texts.slice(at + 1).filter(isOver).map((other) => other.text),
      getComputedStyle(chart.querySelector("text")).fontFamily]);
  }
}
return found;
"""
"""Of each text in a chart: its size in pixels, whether it is cut off, which texts it overlaps, its font."""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_letters_in_charts_have_the_small_size_of_the_page(
    browser: Browser, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, language)
    page = tmp_path / "page.html"
    assert call("report", SAMPLES, "--player", "Botan", "-o", page).status == 0
    for width in (320, 390, 800, 1280):
        browser.open(page, size=(width, 800))
        unfold(browser)
        body = browser.run("return getComputedStyle(document.body).fontFamily")
        texts = browser.run(LETTERS)
        assert len(texts) > 200
        for text, size, is_cut, others, font in texts:
            assert 11 <= size <= 14, (width, text)
            assert not is_cut, (width, text)
            assert others == [], (width, text)
            assert font == body


def test_no_script_runs_but_the_page_s_own(browser: Browser, pages: Path) -> None:
    """What would happen if a name came through: the policy stops it."""
    browser.open(pages / "all.html")
    browser.run(
        "const e = document.createElement('div');"
        'e.innerHTML = \'<img src=x onerror="window.hacked=1"><p style="color:red" id="probe">x</p>\';'
        "document.body.append(e);"
        "const s = document.createElement('script'); s.textContent = 'window.hacked=2';"
        "document.body.append(s);"
    )
    assert browser.run("return window.hacked") is None
    assert browser.run("return getComputedStyle(document.getElementById('probe')).color") != "rgb(255, 0, 0)"
    assert any("Content Security Policy" in text for text in browser.complaints())


def column(browser: Browser, number: int) -> list[str]:
    script = (
        "return [...document.querySelectorAll('.league tbody tr')].map(r => r.cells[arguments[0]].dataset.v)"
    )
    return list(browser.run(script, number))


@SIZES
def test_a_click_on_a_heading_sorts(browser: Browser, pages: Path, size: tuple[int, int]) -> None:
    browser.open(pages / "all.html", size=size)
    heads = browser.all(".league thead th")
    hands = list(map(int, column(browser, 2)))
    assert hands == sorted(hands, reverse=True)
    for number in (7, 3):
        before = sorted(map(float, column(browser, number)))
        for expected, state in ((before[::-1], "descending"), (before, "ascending")):
            browser.run("arguments[0].querySelector('button').click()", heads[number])
            assert list(map(float, column(browser, number))) == expected
            assert heads[number].get_attribute("aria-sort") == state
    browser.run("arguments[0].querySelector('button').click()", heads[0])
    names = browser.run("return [...document.querySelectorAll('.league tbody bdi')].map(e => e.textContent)")
    assert names == browser.run("return arguments[0].slice().sort(new Intl.Collator().compare)", names)
    assert [head.get_attribute("aria-sort") for head in heads].count(None) == len(heads) - 1
    assert browser.text(".league tfoot bdi") == "all players"


@SIZES
def test_a_statistic_tells_its_definition(browser: Browser, pages: Path, size: tuple[int, int]) -> None:
    browser.open(pages / "player.html", size=size)
    term = browser.find(".number[data-metric=deal_in_rate] a")
    tip = browser.find("#tip")
    assert not tip.is_displayed()
    term.click()
    assert tip.is_displayed()
    assert CATALOGUE["deal_in_rate"].definition in tip.text
    assert "hands dealt in / hands" in tip.text
    assert "here: 22 / 111" in tip.text
    assert term.get_attribute("aria-describedby") == "tip"
    box = browser.run("const b = arguments[0].getBoundingClientRect(); return [b.left, b.right]", tip)
    assert box[0] >= 0
    assert box[1] <= size[0]
    browser.press("ESCAPE")
    assert not tip.is_displayed()
    browser.press("TAB")
    assert tip.is_displayed()


@SIZES
def test_a_hand_is_stepped_through(browser: Browser, pages: Path, size: tuple[int, int]) -> None:
    browser.open(pages / "player.html", size=size)
    unfold(browser)
    link = browser.find("#deal-ins a.step")
    browser.run("arguments[0].scrollIntoView({block: 'center'})", link)
    link.click()
    dialog = browser.find("#replay")
    assert dialog.is_displayed()
    address = browser.run("return location.hash")
    assert (
        address == link.get_attribute("href").partition("#")[1] + link.get_attribute("href").partition("#")[2]
    )
    said = browser.text("#stepper")
    browser.press("ARROW_LEFT")
    assert browser.text("#stepper") != said
    browser.press("ARROW_RIGHT")
    assert browser.text("#stepper") == said
    browser.press("ESCAPE")
    assert not dialog.is_displayed()
    assert browser.run("return location.hash") == ""
    browser.open(pages / "player.html", address, size)
    assert browser.find("#replay").is_displayed()
    assert browser.text("#stepper") == said
    browser.find("#replay .close").click()
    assert not browser.find("#replay").is_displayed()
    assert browser.complaints() == []


def test_a_page_without_script_still_says_everything(pages: Path) -> None:
    """Definitions are links to the list at the end, hands are drawn in the page itself."""
    text = (pages / "player.html").read_text("utf-8")
    assert text.count('class="card hand"') > 20
    assert text.count('href="#def-win_rate"') >= 2
    assert 'id="def-win_rate"' in text


@pytest.mark.parametrize("size", [(1280, 900), PHONE], ids=["small desktop", "phone"])
def test_the_first_screen_answers(browser: Browser, pages: Path, size: tuple[int, int]) -> None:
    """Results, luck, match and one thing to change need no scrolling; the page is short until unfolded."""
    browser.open(pages / "player.html", size=size)
    bottom = browser.run("return document.querySelector('#verdict').getBoundingClientRect().bottom")
    assert bottom < size[1]
    assert browser.find("#verdict .change h2").is_displayed()
    height = browser.run("return document.documentElement.scrollHeight")
    assert height < (8000 if size == PHONE else 4900)
    assert not browser.run("return [...document.querySelectorAll('details')].some(e => e.open)")


def test_folded_parts_open_by_key_and_by_link(browser: Browser, pages: Path) -> None:
    browser.open(pages / "player.html")
    browser.run("document.querySelector('#wins summary').focus()")
    browser.press("ENTER")
    assert browser.run("return document.querySelector('#wins details').open")
    browser.run("document.querySelector('nav a[href=\"#games\"]').click()")
    browser.driver.implicitly_wait(1)
    assert browser.find("#games details[open]").is_displayed()
    browser.open(pages / "player.html", "#riichi")
    assert browser.find("#riichi details[open]").is_displayed()
    browser.open(pages / "player.html", "#def-win_rate")
    assert browser.find("#about details[open]").is_displayed()


def test_a_decision_is_open_before_it_is_made(browser: Browser, pages: Path) -> None:
    """First the position alone; one step on, what each option was worth."""
    browser.open(pages / "player.html")
    links = browser.run(
        "return [...document.querySelectorAll('#mistakes .hand')].filter(e => e.textContent.includes('P101'))"
        ".map(e => e.querySelector('a.step').getAttribute('href'))"
    )
    browser.driver.implicitly_wait(2)
    browser.open(pages / "player.html", links[0])
    assert browser.find("#replay .table").is_displayed()
    assert not browser.run("return document.querySelectorAll('#stepper .options table').length")
    for _ in range(2):
        browser.press("ARROW_RIGHT")
        if browser.run("return document.querySelectorAll('#stepper .options table').length"):
            break
    assert "found by playing out" in browser.text("#stepper .options")
    assert browser.complaints() == []


def test_a_replay_plays_and_goes_from_hand_to_hand(browser: Browser, pages: Path) -> None:
    browser.open(pages / "player.html")
    unfold(browser)
    links = browser.all("#best-wins a.step")
    browser.run("arguments[0].click()", links[0])
    browser.driver.implicitly_wait(2)
    assert browser.find("#replay .table").is_displayed()
    assert browser.text("#hand-number") == f"1 of {len(links)}"
    assert browser.run("return document.getElementById('hand-before').disabled")
    browser.press("PAGE_DOWN")
    number = "return document.getElementById('hand-number').textContent"
    browser.wait(number, f"2 of {len(links)}")
    assert (
        browser.run("return location.hash")
        == links[1].get_attribute("href").partition("#")[1]
        + (links[1].get_attribute("href").partition("#")[2])
    )
    browser.find("#hand-before").click()
    browser.wait(number, f"1 of {len(links)}")
    browser.run("document.querySelector('#stepper').firstElementChild.focus()")
    browser.press("HOME")
    label = "return document.querySelector('.step-play').getAttribute('aria-label')"
    assert browser.run(label) == "Play (space)"
    browser.press("SPACE")
    assert browser.run(label) == "Pause (space)"
    browser.wait("return document.querySelector('#stepper .count').textContent", "event 1")
    browser.press("ARROW_LEFT")
    assert browser.run(label) == "Play (space)", "a move by hand ends it"
    assert browser.complaints() == []


ROWS = "return [...document.querySelectorAll('.all-hands tbody tr')]"
HANDS = f"{ROWS}.map(row => [...row.cells].map(cell => cell.textContent))"
LABELS = "return [...document.querySelectorAll('#stepper .choose-hand option')].map(one => one.textContent)"
LABEL = "return document.querySelector('#stepper .choose-hand option:checked').textContent"


@SIZES
def test_a_whole_game_is_stepped_through(browser: Browser, pages: Path, size: tuple[int, int]) -> None:
    browser.open(pages / "player.html", "#games", size=size)
    links = browser.all("#played a.step")
    assert links
    browser.run("arguments[0].click()", links[-1])
    browser.driver.implicitly_wait(2)
    assert browser.find("#replay .table").is_displayed()
    labels = browser.run(LABELS)
    assert len(labels) > 3
    rows = browser.run(HANDS)
    assert [f"{row[0]} · {row[1]}" for row in rows[: len(labels)]] == labels
    assert rows[-1][0] == "end"
    numbers = [[int(cell) for cell in row[2:]] for row in rows]
    assert all(len(row) == len(numbers[0]) and sum(row) <= sum(numbers[0]) for row in numbers)

    assert browser.run(LABEL) == labels[0]
    browser.press("END")
    browser.press("ARROW_RIGHT")
    assert browser.run(LABEL) == labels[1]
    assert browser.text("#stepper .count") == "deal"
    browser.press("ARROW_LEFT")
    assert browser.run(LABEL) == labels[0]
    for key, at in (("j", 1), ("j", 2), ("k", 1)):
        browser.type(key)
        assert browser.run(LABEL) == labels[at]
    browser.run("document.querySelector('.step-after').click()")
    assert browser.run(LABEL) == labels[2]
    browser.run("document.querySelector('.step-before').click()")
    browser.run("document.querySelector('.all-hands').open = true")
    browser.run("document.querySelectorAll('.all-hands button')[3].click()")
    assert browser.run(LABEL) == labels[3]
    assert (
        browser.run("return document.querySelector('.all-hands [aria-current] th').textContent") == rows[3][0]
    )
    assert not browser.find("#only-hand").is_displayed()
    number = "return document.getElementById('hand-number').textContent"
    browser.press("PAGE_UP")
    browser.wait(number, f"{len(links) - 1} of {len(links)}")
    assert browser.find("#hand-after").text == "next game ›"
    width = "const e = document.documentElement; return e.scrollWidth - e.clientWidth"
    assert browser.run(width) == 0
    assert browser.complaints() == []


def test_a_hand_of_a_whole_game_opens_in_it_and_another_says_that_it_is_alone(
    browser: Browser, pages: Path
) -> None:
    browser.open(pages / "player.html")
    unfold(browser)
    links = browser.all(".hands a.step")
    places = [link.get_attribute("href").partition("#")[2] for link in links]
    whole = next(place for place in places if "." in place)
    alone = next(place for place in reversed(places) if "." not in place)
    browser.open(pages / "player.html", f"#{whole}")
    browser.driver.implicitly_wait(2)
    assert browser.find("#replay .table").is_displayed()
    index = int(whole.partition(".")[2].partition("-")[0])
    chosen = "return document.querySelector('#stepper .choose-hand select').selectedIndex"
    assert browser.run(chosen) == index
    event = whole.split("-")[2]
    assert browser.text("#stepper .count") == (f"event {event}" if event else "deal")
    browser.open(pages / "player.html", f"#{alone}")
    assert browser.find("#only-hand").is_displayed()
    assert "holds only this hand of the game" in browser.text("#only-hand")
    assert not browser.find(".all-hands").is_displayed()
    assert not browser.find(".step-after").is_displayed()


def test_paper_shows_what_is_open_and_cuts_nothing(browser: Browser, pages: Path) -> None:
    """As laid out for a sheet of A4 between its margins."""
    browser.open(pages / "player.html", size=(703, 1000))
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        seen = "return [...document.querySelectorAll('main h2')].filter(e => e.checkVisibility()).length"
        assert browser.run(seen) == 9
        assert browser.find("footer .paper").is_displayed()
        unfold(browser)
        assert browser.run(seen) == len(browser.all("main h2"))
        assert not browser.find("footer .paper").is_displayed()
        cut = browser.run(
            "return [...document.querySelectorAll('main .laid, main .statistics, main figure, main td')]"
            ".filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline')"
            ".map(e => e.outerHTML.slice(0, 80))"
        )
        assert cut == []
        width = "const e = document.documentElement; return e.scrollWidth - e.clientWidth"
        assert browser.run(width) == 0
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_games_are_filtered_and_added_up_again(browser: Browser, pages: Path) -> None:
    browser.open(pages / "player.html", "#games")
    number = "return document.getElementById('chosen').textContent"
    cells = "map(r => [...r.cells].map(c => c.textContent))"
    shown = f"return [...document.querySelectorAll('#filtered tbody tr')].{cells}"
    rows = f"return [...document.querySelectorAll('#played tbody tr:not([hidden])')].{cells}"
    every = browser.run(rows)
    browser.wait(number, f"{len(every)} of {len(every)} games")
    for name, chosen, _, _, all_, _ in browser.run(shown):
        assert chosen == all_, name
    choose = (
        "const field = document.forms.filter.elements[arguments[0]]; field.value = arguments[1];"
        "field.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    browser.run(choose, "last", "10")
    browser.wait(number, f"10 of {len(every)} games")
    assert browser.run(rows) == every[-10:]
    browser.run(choose, "last", "")
    browser.run(choose, "seat", every[0][4])
    chosen = browser.run(rows)
    ranks = [int(row[1]) for row in chosen if row[1]]
    [rank] = [value for name, value, *_ in browser.run(shown) if name == "average rank"]
    assert 0 < len(ranks) <= len(every)
    assert {row[4] for row in chosen} == {every[0][4]}
    assert float(rank.rstrip("*")) == pytest.approx(sum(ranks) / len(ranks), abs=0.006)
    browser.find("#filter button").click()
    browser.wait(number, f"{len(every)} of {len(every)} games")
    browser.run(choose, "other", "0")
    name = browser.run("return document.forms.filter.elements.other.selectedOptions[0].textContent")
    played = int(name.rpartition("(")[2].rstrip(")"))
    browser.wait(number, f"{played} of {len(every)} games")
    address = browser.run("return location.search")
    assert address == "?" + urlencode({"other": name.rpartition(" (")[0]})
    browser.open(pages / "player.html", f"{address}#games")
    browser.wait(number, f"{played} of {len(every)} games")
    browser.run(choose, "since", "2999-01-01")
    browser.wait(number, f"0 of {len(every)} games")
    assert {value for _, value, *_ in browser.run(shown)} == {"-"}
    browser.find("#filter button").click()
    browser.wait("return location.search", "")
    assert browser.complaints() == []


def test_what_is_chosen_is_found_again_by_reload_and_back(browser: Browser, pages: Path) -> None:
    """Each choice alone and all together: the address has them; no form drops those of another."""
    fields = {"since": "2000-01-01", "until": "2999-01-01", "seat": "2", "other": "0", "last": "10"}
    choose = (
        "const field = document.forms.filter.elements[arguments[0]] || document.getElementById(arguments[0]);"
        "field.value = arguments[1]; field.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    state = (
        "return [...document.querySelectorAll('#filter [name], #other-player')].map(e => e.value).concat("
        "document.getElementById('chosen').textContent, document.getElementById('pair-name').textContent)"
    )
    browser.open(pages / "player.html")
    names = browser.run("return [...document.querySelectorAll('form [name]')].map(e => e.name)")
    assert set(names) <= {*fields, "room"}
    assert len(browser.all("main select, main input")) == len(names) + 1
    before = browser.run(state)
    for name, value in fields.items():
        browser.run(choose, name, value)
        browser.wait("return new URLSearchParams(location.search).has(arguments[0])".replace(
            "arguments[0]", json.dumps(name)), True)  # fmt: skip
    browser.run(choose, "other-player", "1")
    found = browser.run(state)
    assert [one == other for one, other in zip(before, found, strict=True)].count(True) <= 1  # the room
    address = browser.run("return location.search")
    assert address.count("=") == len(fields) + 1
    for again in ("location.reload()", "location.assign('all.html')"):
        browser.run(again)
        if "all" in again:
            browser.wait("return location.pathname.endsWith('all.html')", True)
            browser.driver.back()
        browser.wait(f"{state}.join()", ",".join(map(str, found)))
        assert browser.run("return location.search") == address
        assert browser.find("#filter").is_displayed()
        assert browser.find("#pair").is_displayed()
    browser.find("#filter button").click()
    browser.wait("return location.search.includes('since')", False)
    assert "beside=" in browser.run("return location.search")
    assert browser.complaints() == []


def test_a_game_is_a_click_away(browser: Browser, tmp_path: Path) -> None:
    """Its page lies in a folder beside the report, whatever the folder is called."""
    games = tmp_path / "Botan's games & more"
    result = call("report", SAMPLES, "--player", "Botan", "-o", tmp_path / "page.html", "--games", games)
    assert result.status == 0, result.talk
    browser.open(tmp_path / "page.html", "#games")
    links = browser.all("#played a")
    assert len(links) == len(list(games.iterdir()))
    browser.driver.implicitly_wait(2)
    browser.run("arguments[0].click()", links[3])
    assert browser.find("#stepper .table").is_displayed()
    assert browser.run("return location.pathname").endswith("game-0004.html")
    browser.open(tmp_path / "page.html")
    unfold(browser)
    links = browser.all("a.step[data-whole]")
    alone = next(link for link in links if "." not in link.get_attribute("href").partition("#")[2])
    address = alone.get_attribute("data-whole")
    browser.run("arguments[0].click()", alone)
    assert browser.find("#whole-game").is_displayed()
    browser.find("#whole-game a").click()
    assert browser.find("#stepper .table").is_displayed()
    label, _, event = address.partition("#")[2].partition(":")
    assert browser.run(LABEL.replace("#stepper ", "")).startswith(label)
    assert browser.text(".count") == (f"event {event}" if event else "deal")
    assert browser.complaints() == []


def test_the_answer_of_a_decision_is_nowhere_before_it_is_asked_for(browser: Browser, pages: Path) -> None:
    """Neither in the page's tree, of which text, labels and data are read, nor at the table beside it."""
    browser.driver.implicitly_wait(2)
    place, entry = "#decisions", "#decisions .hand"
    browser.open(pages / "player.html", place)
    summary = browser.find(f"{entry} .answer summary")
    assert summary.is_displayed()
    before = str(browser.run("return document.querySelector(arguments[0]).outerHTML", entry))
    browser.run("arguments[0].focus()", summary)
    browser.press("ENTER")
    browser.wait(f"return document.querySelector('{entry} .answer p') !== null", True)
    assert browser.find(f"{entry} .answer p").is_displayed()
    said = browser.run(
        "return [...document.querySelectorAll(arguments[0] + ' .answer p')].map(e => e.textContent)", entry
    )[:5]
    told = [text for text in map(str.strip, said) if len(text) > 4]
    assert told
    assert not [text for text in told if text in before]
    browser.open(pages / "player.html")
    browser.run("arguments[0].click()", browser.find(f"{entry} a.step"))
    assert browser.find("#replay .table").is_displayed()
    table = str(browser.run("return document.querySelector('#stepper').outerHTML"))
    assert not [text for text in told if text in table]
    assert not browser.run("return document.querySelectorAll('#stepper .options table').length")
    assert not browser.run("return document.querySelectorAll('#stepper .marks li').length")
    assert not browser.run("return document.querySelector('.choose-open input').checked")
    assert "Ron:" not in browser.text("#stepper")
    marks = "return document.querySelectorAll('#stepper .marks li').length"
    for _ in range(120):  # the decision may be a sound one, and what is marked in its hand later
        if browser.run(marks):
            break
        browser.press("ARROW_RIGHT")
    assert browser.run(marks)
    assert browser.complaints() == []
