"""The report: its numbers against those of ``paifu stats``, its hands against the views, hostile names."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from command import call

from paifu.api.report import gather_all
from paifu.api.review import reviewing
from paifu.parsers.read import iter_items, iter_units, read_batches, read_unit
from paifu.replay.findings.spoken import KINDS
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay
from paifu.replay.views.games import games
from paifu.reports.findings.review import Asked
from paifu.reports.findings.review import row as review_row
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.page import content_security_policy, packed
from paifu.reports.pages.report import report, wanted
from paifu.reports.pages.report_data import ReportData, gather, total
from paifu.reports.pages.report_games import MOST_WHOLE, WHOLE_WEIGHT, fitting
from paifu.reports.pages.report_hands import DEAL_INS, LUCKIEST, MISTAKES, UNLUCKIEST, UNUSUAL, WINS, YAKUMAN
from paifu.reports.pages.report_sections import (
    BUDGET,
    BUDGET_TOTAL,
    HEADLINE,
    HEADLINE_OF_ALL,
    LEAGUE,
    SECTIONS,
)
from paifu.reports.pages.trainer import POSITIONS
from paifu.reports.statistics.reference import Population, shipped

pytestmark = pytest.mark.full

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
PLAYER = "Botan"
HOSTILE = (
    "<script>window.hacked=1</script>",
    '" onmouseover="window.hacked=2" style="position:fixed;background:red',
    "</style><style>body{display:none}</style>",
    "</script><img src=x onerror=window.hacked=3>",
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The page of a player and that of all, parsed, with what the commands printed."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, more in (("player", ["--player", PLAYER]), ("all", [])):
        path = folder / f"{name}.html"
        result = call("report", SAMPLES, *more, "-o", path)
        assert result.status == 0, result.talk
        found[name] = lxml.html.fromstring(path.read_text("utf-8"))
        found[f"{name} path"], found[f"{name} output"] = path, result.text
    return found


@pytest.fixture(scope="module")
def stats() -> dict[str, Any]:
    """What ``paifu stats`` says of the same logs."""
    arguments = ["stats", SAMPLES, "--all", "--by", "player", "--format", "json"]
    document: dict[str, Any] = json.loads(call(*arguments).text)
    return document


def number(text: str) -> float | None:
    """Read a number as the page writes it."""
    text = text.replace("−", "-").replace(",", "").replace("%", "").replace("*", "").strip()
    return None if text in ("", "-") else float(text)


def replays_in(page: Any) -> Any:
    """The hands to step through in a page."""
    return json.loads(zlib.decompress(base64.b64decode(page.xpath("//script[@id='replays']")[0].text), -15))


def rows_of(page: Any) -> Iterator[tuple[str, list[str]]]:
    for row in page.xpath("//div[contains(@class, 'statistics')]//tr[@data-metric]"):
        yield row.get("data-metric"), [cell.text_content() for cell in row.xpath("td")]


def close(text: str, name: str, value: float | None) -> bool:
    """Return whether a text is a value, rounded."""
    shown, metric = number(text), CATALOGUE[name]
    if shown is None or value is None:
        return shown is None and value is None
    scale, decimals = (100, 2) if metric.unit == "%" else (1, metric.decimals)
    return abs(shown - scale * value) <= 0.5001 * 10**-decimals


def test_numbers_are_those_of_stats(
    pages: dict[str, Any], stats: dict[str, Any], reference: Population
) -> None:
    own = next(group for group in stats["groups"] if group["key"]["player"] == PLAYER)["stats"]
    everybody = stats["population"]["stats"]
    compared = 0
    for name, (value, interval, cases, all_, *_) in rows_of(pages["player"]):
        assert close(value, name, own[name]["value"]), name
        assert number(cases) == own[name]["d"], name
        assert close(all_, name, reference.estimate(name).value), name
        if interval:
            low, high = interval.split(" to ")
            assert close(low, name, own[name]["low"]), name
            assert close(high, name, own[name]["high"]), name
        compared += 1
    assert compared > 60
    for name, (value, *_) in rows_of(pages["all"]):
        assert close(value, name, everybody[name]["value"]), name


def test_findings_are_those_of_stats_and_review(
    pages: dict[str, Any], stats: dict[str, Any], reference: Population
) -> None:
    own = next(group for group in stats["groups"] if group["key"]["player"] == PLAYER)["stats"]
    found = json.loads(call("review", SAMPLES, "--player", PLAYER, "--format", "json").text)["findings"]
    rows = pages["player"].xpath("//div[contains(@class, 'findings')]//tbody/tr")
    assert len(rows) > 8
    for row in rows:
        code = row.xpath(".//span[contains(@class, 'code')]")[0].text
        name = f"review_{code.lower()}"
        number_, rate, all_ = [cell.text_content() for cell in row.xpath("td")]
        severities = {"mistake"} if KINDS[code].severity == "mistake" else {"mistake", "note"}
        counted = sum(one["code"] == code and one["severity"] in severities for one in found)
        assert int(number_) == own[name]["n"] == counted
        assert close(rate, name, own[name]["value"])
        assert close(all_, name, reference.estimate(name).value)


def test_deal_ins_are_judged(pages: dict[str, Any]) -> None:
    for name in ("player", "all"):
        entries = pages[name].xpath("//section[@id='deal-ins']//li")
        assert len(entries) == 10
        for entry in entries:
            [judged] = entry.xpath(".//p[@class='judged']")
            assert judged.text_content().strip().startswith("D1")


OWN_RISK = re.compile(r"^[^;]*?\((?:under )?\d+%\)|\d% together|it deals in \d|deals in [\d.]+%, \S+ [\d.]+%")
"""Where a line says how often the tile that was discarded deals in."""


@pytest.mark.parametrize("name", ["player", "all"])
def test_a_line_has_one_risk_of_a_tile(pages: dict[str, Any], name: str) -> None:
    page = pages[name]
    lines = {one.text_content() for one in page.xpath("//p[@class='words' or @class='judged']")}
    lines |= {mark["text"] for data in replays_in(page) for hand in hands_in(data) for mark in hand["marks"]}
    lines |= {
        json.loads(line)["message"] for line in call("review", SAMPLES, "--format", "jsonl").text.splitlines()
    }
    risks = {line: len(OWN_RISK.findall(line)) for line in lines}
    assert max(risks.values()) == 1, max(lines, key=lambda line: risks[line])
    assert sum(risks.values()) > 20
    assert any("% together" in line for line in lines)
    clauses = (clause for line in lines for clause in line.split(";"))
    assert all(len(re.findall(r"\((?:under )?\d+%\)|% together", clause)) < 2 for clause in clauses)


def test_worst_mistakes_are_those_of_the_review(pages: dict[str, Any]) -> None:
    found = json.loads(call("review", SAMPLES, "--player", PLAYER, "--mistakes", "--format", "json").text)
    entries = pages["player"].xpath("//section[@id='mistakes']//li")
    points = [number(entry.xpath(".//p[@class='points']")[0].text) or 0 for entry in entries]
    assert points == sorted(points, reverse=True)
    codes = [entry.xpath(".//span[contains(@class, 'code')]")[0].text for entry in entries]
    assert "P101" in codes
    assert not {code[0] for code in codes} & set("FWR"), "nothing unproved, and no habit"
    prices = {one["evidence"]["cost"] for one in found["findings"]}
    assert set(points) <= prices


def test_costly_decisions_of_shown_hands_have_their_options(pages: dict[str, Any]) -> None:
    data = replays_in(pages["player"])
    choices = [one for hand in hands_in(data) for one in hand["choices"]]
    assert choices
    assert all("found by playing out" in one["x"] or one.get("u") for one in choices), (
        "to keep the page small"
    )


def hands_in(data: Any) -> Iterator[dict[str, Any]]:
    """Every hand in the data of a page."""
    if isinstance(data, dict) and "choices" in data:
        yield data
    elif isinstance(data, (dict, list)):
        for part in data.values() if isinstance(data, dict) else data:
            yield from hands_in(part)


def test_cards_say_the_same(pages: dict[str, Any], stats: dict[str, Any]) -> None:
    own = next(group for group in stats["groups"] if group["key"]["player"] == PLAYER)["stats"]
    cards = pages["player"].xpath("//div[contains(@class, 'number')]")
    assert len(cards) == 8
    for card in cards:
        name = card.get("data-metric")
        value = card.xpath("p[contains(@class, 'big')]/text()")[0]
        assert close(value, name, own[name]["value"]), name
        here = card.xpath(".//a")[0].get("data-here")
        assert f"here: {own[name]['n']:,} / {own[name]['d']:,}" in here, name


def test_the_table_of_players(pages: dict[str, Any], stats: dict[str, Any]) -> None:
    [table] = pages["all"].xpath("//table[contains(@class, 'league')]")
    groups = {group["key"]["player"]: group for group in stats["groups"]}
    rows = table.xpath("tbody/tr")
    assert {row.xpath("th")[0].text_content() for row in rows} == set(groups)
    for row in rows:
        group = groups[row.xpath("th")[0].text_content()]
        played, hands, *cells = row.xpath("td")
        assert (int(played.get("data-v")), int(hands.get("data-v"))) == (group["games"], group["hands"])
        for name, cell in zip(LEAGUE, cells, strict=True):
            assert float(cell.get("data-v")) == pytest.approx(group["stats"][name]["value"], abs=1e-6), name
    hands_played = [int(row.xpath("td")[1].get("data-v")) for row in rows]
    assert hands_played == sorted(hands_played, reverse=True)
    assert table.xpath("tfoot/tr/td[2]")[0].get("data-v") == str(stats["population"]["hands"])


def test_the_command_ends_with_five_numbers_and_the_page(pages: dict[str, Any]) -> None:
    for name, metrics in (("player", HEADLINE), ("all", HEADLINE_OF_ALL)):
        *lines, last = pages[f"{name} output"].splitlines()
        assert [line.rsplit("  ", 1)[0].strip() for line in lines] == [CATALOGUE[m].title for m in metrics]
        assert last == f"page: {pages[f'{name} path']}"


def test_the_first_screen_comes_first_and_adds_up(
    pages: dict[str, Any], stats: dict[str, Any], reference: Population
) -> None:
    page = pages["player"]
    ids = page.xpath("//main/section/@id")
    assert ids[:7] == ["verdict", "luck", "style", "budget", "standouts", "decisions", "changes"]
    assert not {"verdict", "luck", "style", "budget", "standouts", "decisions"} & set(
        pages["all"].xpath("//main/section/@id")
    )
    own = next(group for group in stats["groups"] if group["key"]["player"] == PLAYER)["stats"]
    rows = [
        [number(cell.text_content()) or 0 for cell in row.xpath("td")[:3]]
        for row in page.xpath("//section[@id='budget']//tbody/tr")
    ]
    assert len(rows) == len(BUDGET) + 1
    for name, (mine, other, difference) in zip((*BUDGET, BUDGET_TOTAL), rows, strict=True):
        assert mine == pytest.approx(own[name]["value"], abs=0.51), name
        assert other == pytest.approx(reference.estimate(name).value, abs=0.51), name
        assert difference == pytest.approx(mine - other, abs=1.01), name
    for column in zip(*rows, strict=True):
        assert sum(column[:-1]) == pytest.approx(column[-1], abs=3)
    said = [one.text_content() for one in page.xpath("//section[@id='budget']//p")]
    assert not [text for text in said if "largest" in text], "no part of the budget stands out"
    assert "may be chance" in said[0]
    [lead] = [one.text_content() for one in page.xpath("//section[@id='standouts']/p")]
    shown = [one.text_content() for one in page.xpath("//section[@id='standouts']//h3")]
    assert shown == ["Style: what is done differently"]
    assert "chance does not explain" in lead
    decisions = page.xpath("//section[@id='decisions']//li")
    mistakes = page.xpath("//section[@id='mistakes']//li")[:3]
    assert len(decisions) == len(mistakes) == 3
    for one, mistake in zip(decisions, mistakes, strict=True):
        answer = unsealed(one)
        for part in ("points", "who", "words"):
            [said] = answer.xpath(f".//p[@class='{part}']")
            assert said.text_content() == mistake.xpath(f".//p[@class='{part}']")[0].text_content()
            assert said.text_content().strip() not in one.text_content()
        assert not one.xpath(".//*[contains(@class, ' it')]"), "no tile is marked before the choice"
        [link], [other] = one.xpath(".//a"), mistake.xpath(".//a")
        assert link.get("href") == other.get("href")
        assert "data-decide" in link.attrib
        assert "data-decide" not in other.attrib


def test_the_verdict_says_what_other_commands_say(pages: dict[str, Any], stats: dict[str, Any]) -> None:
    """Rank, rates and places as `stats`, luck as below it, match and unusual moves as `review`."""
    [verdict] = pages["player"].xpath("//section[@id='verdict']")
    facts = [
        [part.text_content() for part in one.xpath("*")] for one in verdict.xpath(".//div[@class='fact']")
    ]
    own = next(group for group in stats["groups"] if group["key"]["player"] == PLAYER)["stats"]
    for name, (_title, value, _more) in zip(("rank", "win_rate", "deal_in_rate"), facts, strict=False):
        assert close(value, name, own[name]["value"])
    places = [100 * own[f"{place}_rate"]["value"] for place in ("first", "second", "third", "fourth")]
    assert [number(one) for one in facts[0][2].split("·")] == pytest.approx(places, abs=0.51)
    document = json.loads(call("review", SAMPLES, "--player", PLAYER, "--format", "json").text)
    [match] = [one["match"]["all"] for one in document["summary"]["players"]]
    assert number(facts[4][1]) == pytest.approx(match["first_percent"]["value"], abs=0.06)
    assert number(facts[5][1]) == pytest.approx(match["unusual_percent"]["value"], abs=0.006)
    luck, points = verdict.xpath(".//p[@class='in-short']")[0].text_content(), luck_on(pages["player"])[1][0]
    for value in points:
        assert f"{abs(value):,.0f}" in luck
    [change] = verdict.xpath(".//div[contains(@class, 'change')]")
    assert change.xpath("h2")[0].text_content() in ("One thing to change", "Nothing to change yet")


def test_unusual_moves_are_listed_rarest_first_and_can_be_stepped_through(pages: dict[str, Any]) -> None:
    """The share and the reason are those of `review`; the replay opens before the move, with its options."""
    asked = replace(Asked.of([PLAYER], ["U101"]), unusual=3)
    findings = [review_row(one) for part in reviewing(SAMPLES, asked) for one in part.found]
    percent = {one["message"]: one["evidence"]["strong_players_percent"] for one in findings}
    data, shares = replays_in(pages["player"]), []
    for entry in pages["player"].xpath("//section[@id='unusual']//li"):
        [message] = entry.xpath(".//p[@class='words']")
        shares.append(percent[message.text_content()])
        assert not entry.xpath(".//*[contains(@class, 'mistake')]")
        link = entry.xpath(".//a/@href")[0]
        [replayed, hand, event, seat] = re.findall(r"#replay-(\d+)(?:\.(\d+))?-(\d*)-(\d)", link)[0]
        choices = data[int(replayed)]["hands"][int(hand or 0)]["choices"]
        [own] = [
            one for one in choices if one.get("u") and one["s"] == int(seat) and one["e"] > int(event or -1)
        ][:1]
        assert own["b"] != own["c"]
    assert len(shares) == min(10, len(percent))
    assert shares == sorted(shares)
    assert shares == sorted(percent.values())[: len(shares)]


def luck_on(page: Any) -> tuple[str, list[list[float]]]:
    """Return the games that a page says luck was measured in, and result, luck and the rest by unit."""
    texts = [
        page.xpath("//p[@class='in-short']")[0].text_content(),
        page.xpath("//section[@id='luck']//div[contains(@class, 'said')]/p")[0].text_content(),
    ]
    numbers = r"([+-]?[\d.,]*\d)\xa0±\xa0([\d.,]*\d)"
    rows = [re.findall(numbers, text.replace("−", "-")) for text in texts]
    return texts[0], [[float(part.replace(",", "")) for pair in row for part in pair] for row in rows]


def test_luck_comes_first_and_is_that_of_the_command(pages: dict[str, Any]) -> None:
    """Result, luck and the result without it, in points and with uma and oka; the rest adds up."""
    arguments = ["luck", SAMPLES, "--player", PLAYER, "--utility", "rules", "--format", "json"]
    document = json.loads(call(*arguments).text)
    [own] = document["players"]
    text, rows = luck_on(pages["player"])
    games = re.search(r"points a game in (\d+)(?: of (\d+) games| games):", text)
    assert games is not None
    assert int(games[1]) == own["games"]
    assert int(games[2]) > own["games"], "the samples have games in which luck is not measured"
    for unit, row, digits in zip(("", "utility_"), rows, (0, 1), strict=True):
        near = 0.51 * 10**-digits
        for name, mean, half in zip(("result", "luck", "without_luck"), row[::2], row[1::2], strict=True):
            assert mean == pytest.approx(own[unit + name], abs=near)
            assert half == pytest.approx((own[f"{unit}{name}_high"] - own[f"{unit}{name}_low"]) / 2, abs=near)
        assert row[0] == pytest.approx(row[2] + row[4], abs=3 * near)
    assert pages["player"].text_content().count(str(text)) == 1, "it is said once"
    assert pages["player"].xpath("//section[@id='luck']//figure/svg")
    assert pages["player"].xpath("//div[@id='def-luck']/dd")


def test_hands_with_the_most_luck_can_be_opened(pages: dict[str, Any]) -> None:
    arguments = ["luck", SAMPLES, "--player", PLAYER, "--by", "hand", "--format", "json"]
    luck = sorted(row["luck"] for row in json.loads(call(*arguments).text)["hands"])
    data = replays_in(pages["player"])
    links = pages["player"].xpath("//section[@id='luck']//a[contains(@class, 'step')]")
    shown = []
    for link in links:
        [replayed, hand, _event, seat] = re.findall(
            r"#replay-(\d+)(?:\.(\d+))?-(\d*)-(\d)", link.get("href")
        )[0]
        game = data[int(replayed)]
        assert game["names"][int(seat)] == PLAYER
        assert 0 <= int(hand or 0) < len(game["hands"])
        shown.append(number(link.text_content().rpartition("(")[2].rstrip(")").replace("+", "")))
    assert shown == [pytest.approx(one, abs=0.51) for one in (*luck[:-4:-1], *luck[:3])]


def test_luck_that_is_not_measured_is_not_shown(tmp_path: Path) -> None:
    """Three players, and unfinished games: no section, no link to one, and a line that says why."""
    logs = SAMPLES.parent / "games"
    [log, *_] = sorted(logs.glob("*3p*"))
    path = tmp_path / "page.html"
    assert call("report", log, "--player", PLAYER, "-o", path).status == 0
    page = lxml.html.fromstring(path.read_text("utf-8"))
    assert not page.xpath("//*[@id='luck' or @id='def-luck' or @href='#luck']")
    assert "Luck is not shown" in page.xpath("//section[@id='about']")[0].text_content()
    assert page.xpath("//main/section/@id")[:3] == ["verdict", "style", "budget"]
    [said] = page.xpath("//main/p[@class='in-short']/text()")
    assert said.startswith("Of games of three players it is not known which decisions cost points")
    assert page.xpath("//section[@id='decisions']/p/text()") == [said], "that none was tried is no praise"
    result = call("luck", log, "--player", PLAYER)
    assert (result.status, result.text) == (0, ""), "a player of whom luck is not measured is no stranger"
    assert "1 game left out: luck is measured in whole games of riichi with four players" in str(result.talk)


def test_luck_of_joined_names_and_one_game(batch: Batch, tmp_path: Path) -> None:
    """Aliases count; one game has no interval and no chart."""
    asked = wanted("Bo", {PLAYER: "Bo"})
    joined = total([gather(replay(batch, review=True), asked, 1)], asked).luck
    own = gathered(batch, PLAYER).luck
    assert [one.key for one in joined] == [one.key for one in own]
    assert all((one.values == two.values).all() for one, two in zip(joined, own, strict=True))
    path = tmp_path / "page.html"
    assert call("report", SAMPLES / "hanchan.mjlog.gz", "--player", PLAYER, "-o", path).status == 0
    page = lxml.html.fromstring(path.read_text("utf-8"))
    [said, *_] = page.xpath("//p[@class='in-short']")
    assert said.text_content() == "−1,200 points a game in 1 game: −9,970 of it was luck, +8,770 the play."
    assert not page.xpath("//section[@id='luck']//figure")


def unsealed(entry: Any) -> Any:
    """Return the answer of a position, of which the page shows nothing before it is asked for."""
    [sealed] = entry.xpath(".//details/div/@data-sealed")
    markup = json.loads(zlib.decompress(base64.b64decode(sealed), wbits=-zlib.MAX_WBITS))
    return lxml.html.fragment_fromstring(markup, create_parent="div")


def test_replays_open_before_the_decision(pages: dict[str, Any]) -> None:
    """At the move shown, the player has yet to decide; wins open at the win."""
    page = pages["player"]
    data = replays_in(page)
    for name, is_before in (("mistakes", True), ("deal-ins", True), ("best-wins", False)):
        links = page.xpath(f"//section[@id='{name}']//a[contains(@class, 'step')]/@href")
        assert links
        for link in links:
            place, event, seat = link.removeprefix("#replay-").split("-")
            game, _, hand = place.partition(".")
            events = data[int(game)]["hands"][int(hand or 0)]["events"]
            at = int(event) + 1 if event else 0
            if is_before:
                own = next(one for one in events[at:] if one["k"] not in ("dora", "draw"))
                assert own["s"] == int(seat) or events[at - 1]["k"] in ("discard", "kakan")
                assert at == 0 or events[at - 1]["k"] != "riichi"
            else:
                assert events[at - 1]["k"] == "win"


def test_folded_parts_hold_the_statistics(pages: dict[str, Any]) -> None:
    folded = pages["player"].xpath("//main/section[contains(@class, 'folded')]/details")
    assert len(folded) > len(SECTIONS)
    assert not [one for one in folded if one.get("open") is not None]
    assert all(one.get("open") is not None for one in pages["all"].xpath("//section[@id='wins']/details"))


def test_every_statistic_has_its_definition(pages: dict[str, Any]) -> None:
    page = pages["player"]
    own = ("#def-luck", "#def-change")
    assert all(page.xpath(f"//*[@id='{name[1:]}']") for name in own)
    terms = [one for one in page.xpath("//a[contains(@class, 'term')]") if one.get("href") not in own]
    assert len(terms) > 70
    for term in terms:
        metric = CATALOGUE[term.get("href").removeprefix("#def-")]
        [definition] = page.xpath(f"//div[@id='def-{metric.name}']")
        assert metric.definition in definition.text_content()
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))


def test_a_page_needs_nothing_but_itself(pages: dict[str, Any]) -> None:
    for name in ("player", "all"):
        page, text = pages[name], pages[f"{name} path"].read_text("utf-8")
        addresses = [*page.xpath("//@src"), *page.xpath("//@href"), *page.xpath("//@*[local-name()='href']")]
        assert addresses
        assert all(address.startswith("#") for address in addresses)
        assert "url(#" in text
        assert text.count("url(") == text.count("url(#")
        assert not page.xpath("//@style")
        assert not [a for a in page.xpath("//@*") if getattr(a, "attrname", "").startswith("on")]
        assert len(text) < (1_500_000 if name == "all" else 600_000)


def test_the_policy_allows_what_is_there(pages: dict[str, Any]) -> None:
    text = pages["player path"].read_text("utf-8")
    style = text.partition("<style>")[2].partition("</style>")[0]
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    policy = pages["player"].xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert policy == content_security_policy([script], [style])
    assert "unsafe" not in policy


def test_sections_are_there(pages: dict[str, Any]) -> None:
    for name in ("player", "all"):
        ids = pages[name].xpath("//main/section/@id")
        assert {section.id for section in SECTIONS} < set(ids)
        assert {"summary", "best-wins", "deal-ins", "mistakes", "yakuman", "about"} <= set(ids)
        assert ("players" in ids) == (name == "all")
        entries = pages[name].xpath("//nav/a/@href")
        assert 3 <= len(entries) <= 6
        within = pages[name].xpath("//*[@class='within']/a/@href")
        assert {target.removeprefix("#") for target in [*entries, *within]} <= set(ids)
    figures = set(pages["player"].xpath("//figure/@id"))
    drawn = {f"figure-{figure}" for section in SECTIONS for figure in section.figures}
    assert figures == drawn | {"figure-budget", "figure-luck", "figure-style"}


@pytest.fixture(scope="module")
def reference(batch: Batch) -> Population:
    """What the page of the player compares with."""
    found = shipped(gathered(batch, PLAYER, 0).strata)
    assert found is not None
    return found


# --- hands ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def batch() -> Batch:
    return Batch.concatenate(list(read_batches([SAMPLES])))


def gathered(batch: Batch, player: str = "", hands: int = 10, **more: Any) -> ReportData:
    asked = wanted(player, hands=hands, **more)
    return total([gather(replay(batch, review=True), asked, 1)], asked)


def test_decisions_of_others_are_told_of_where_a_hand_is_shown() -> None:
    """They are judged there alone; with a page for each game, in all of the player's games."""
    paths = sorted((SAMPLES.parent / "games").glob("tonpuu*"))[:6]
    batch = Batch.concatenate(list(read_batches(paths)))
    player = next(
        name
        for name in sorted({*batch.games.names.reshape(-1).tolist()} - {""})
        if 0 < sum(name in row for row in batch.games.names.tolist()) < len(batch)
    )
    asked = wanted(player, hands=3)
    few, every = (gather_all(paths, one).gathered for one in (asked, replace(asked, pages=True)))
    assert few.mistakes.hands
    assert (few.mistakes, few.match) == (every.mistakes, every.match)
    lists = [
        {name: [hand.replay for hand in part] for name, part in one.lists.items()} for one in (few, every)
    ]
    assert lists[0] == lists[1]
    shown = [[whole.recorded.data for whole in one.whole] for one in (few, every)]
    assert shown[0] == shown[1]
    told = {
        game["names"][choice["s"]]
        for game in shown[0]
        for hand in game["hands"]
        for choice in hand["choices"]
    }
    assert len(told) > 1


def test_hands_are_the_dearest(batch: Batch) -> None:
    found = gathered(batch, PLAYER, 5).lists
    wins, deal_ins = [], []
    for game in games(batch):
        for hand in game.hands:
            for win in hand.wins:
                assert win.seat is not None
                assert win.source is not None
                if game.names[win.seat] == PLAYER:
                    wins.append(win.points)
                if not win.is_tsumo and game.names[win.source] == PLAYER:
                    deal_ins.append(win.points)
    assert [hand.points for hand in found[WINS]] == sorted(wins, reverse=True)[:5]
    assert [hand.points for hand in found[DEAL_INS]] == sorted(deal_ins, reverse=True)[:5]
    assert len(found[MISTAKES]) == 5
    assert [hand.words for hand in found[YAKUMAN]] == [("kokushi musou", "yakuman")]


def test_hands_show_fourteen_tiles_and_begin_where_it_happened(batch: Batch) -> None:
    lists = gathered(batch, hands=50).lists
    shown = [hand for part in lists.values() for hand in part]
    assert len(shown) > 100
    for hand in shown:
        for laid in filter(None, (hand.winner, hand.held)):
            melds = sum(3 for _ in laid.melds)
            assert len(laid.closed) + (laid.last is not None) + melds in (13, 14)
        [data] = hand.replay["hands"]
        assert data["label"] == hand.label
        assert 0 <= hand.event < len(data["events"])
    for hand in lists[WINS]:
        assert hand.replay["hands"][0]["events"][hand.event]["k"] == "win"
    for hand in lists[DEAL_INS]:
        event = hand.replay["hands"][0]["events"][hand.event]
        assert event["k"] in ("discard", "kakan")
        assert event["s"] == hand.seat


def test_any_cut_of_the_input_gives_the_same(batch: Batch) -> None:
    asked = wanted(PLAYER, hands=7)
    parts = []
    for unit in iter_units(iter_items([SAMPLES]), unit_items=3):
        part = read_unit(unit)
        parts.append(gather(replay(part, review=True), asked, 1))
    assert len(parts) > 3
    whole = gather(replay(batch, review=True), asked, len(parts))
    assert report(total(parts, asked), PLAYER).html == report(total([whole], asked), PLAYER).html


def test_the_last_games_are_whole_as_far_as_they_fit(batch: Batch) -> None:
    found = gathered(batch, PLAYER)
    assert [game.order for game in found.whole] == [row.played.key for row in found.games][-MOST_WHOLE:]
    weights = [len(packed(game.recorded.data)) for game in found.whole]
    kept = fitting(found.whole)
    assert 0 < len(kept) < len(found.whole)
    assert tuple(game for game, _ in kept) == found.whole[-len(kept) :]
    assert sum(weights[-len(kept) :]) <= WHOLE_WEIGHT < sum(weights[-len(kept) - 1 :])
    assert fitting(found.whole, 10) == []
    for whole, data in kept:
        (game,) = (one for one in games(batch) if one.source == whole.order[2])
        assert [hand["label"] for hand in data["hands"]] == [hand.label for hand in game.hands]


def test_of_equal_hands_always_the_same_are_shown(batch: Batch) -> None:
    asked = wanted(hands=4)
    backward = Batch.concatenate([batch.take(game) for game in reversed(range(len(batch)))])
    lists = [total([gather(replay(b, review=True), asked, 1)], asked).lists for b in (batch, backward)]
    keys = [{name: [hand.order() for hand in part] for name, part in found.items()} for found in lists]
    assert keys[0] == keys[1]
    own_length = (YAKUMAN, LUCKIEST, UNLUCKIEST, UNUSUAL, POSITIONS)
    assert all(len(part) == 4 for name, part in keys[0].items() if name not in own_length)


def test_a_dataset_gives_the_same_page(pages: dict[str, Any], tmp_path: Path) -> None:
    assert call("import", SAMPLES, "-o", tmp_path / "dataset").status == 0
    assert call("report", tmp_path / "dataset", "-o", tmp_path / "page.html").status == 0
    assert (tmp_path / "page.html").read_bytes() == pages["all path"].read_bytes()


def test_names_of_one_player_are_joined(batch: Batch) -> None:
    joined = gathered(batch, "Both", aliases={"Botan": "Both", "葵": "Both"})
    page = report(joined, "Both").html
    assert "32 games" in page
    assert len(joined.course) == 32


def test_nothing_to_report(tmp_path: Path) -> None:
    page = report(gathered(Batch.empty())).html
    assert "0 games" in page
    broken = tmp_path / "broken.mjlog"
    broken.write_text("<mjloggm")
    result = call("report", broken, "-o", tmp_path / "page.html")
    assert result.status == 2
    assert "no game could be read" in " ".join(result.talk)
    assert list(tmp_path.iterdir()) == [broken]


def test_what_cannot_be_read_is_told_and_left_out(tmp_path: Path) -> None:
    (tmp_path / "broken.mjlog").write_text("<mjloggm")
    path = tmp_path / "page.html"
    result = call("report", SAMPLES / "tonpuu.mjlog", tmp_path / "broken.mjlog", "-o", path)
    assert result.status == 1
    assert any("broken.mjlog: V102" in line for line in result.talk)
    assert "1 input unreadable" in path.read_text("utf-8")


# --- strangers' names ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log whose players are called what no player should be called."""
    log = json.loads((SAMPLES / "hanchan.json").read_text("utf-8"))
    log["name"] = list(HOSTILE)
    path = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=window.hacked=4>.json"
    path.write_text(json.dumps(log), "utf-8")
    return path


def clean(name: str) -> str:
    return " ".join(name.split())


@pytest.mark.parametrize("player", ["", *HOSTILE])
def test_names_are_text_and_nothing_else(hostile_log: Path, tmp_path: Path, player: str) -> None:
    path = tmp_path / "page.html"
    result = call("report", hostile_log, "-o", path, *(["--player", player] if player else []))
    assert result.status == 0, result.talk
    text = path.read_text("utf-8")
    page = lxml.html.fromstring(text)
    *data_scripts, script = page.xpath("//script")
    assert {one.get("type") for one in data_scripts} == {"text/plain"}
    assert script.get("type") is None
    assert len(page.xpath("//style")) == 1
    assert not page.xpath("//img")
    assert not page.xpath("//@style")
    assert not [a for a in page.xpath("//@*") if getattr(a, "attrname", "").startswith("on")]
    shown = player or "All players"
    assert page.xpath("//h1/bdi")[0].text_content() == clean(shown)
    assert unescape(page.xpath("//title")[0].text_content()) == f"{clean(shown)} · paifu report"
    data = replays_in(page)
    assert {tuple(game["names"]) for game in data} == {tuple(map(clean, HOSTILE))}


def test_another_dataset_as_the_reference(tmp_path: Path) -> None:
    """Compared with the very logs: the player's own hands are not among them."""
    path = tmp_path / "page.html"
    result = call("report", SAMPLES, "--player", PLAYER, "--reference", SAMPLES, "-o", path)
    assert result.status == 0, result.talk
    page = lxml.html.fromstring(path.read_text("utf-8"))
    assert "without the player" in page.xpath("//p[@class='subtitle']")[0].text_content()
    document = json.loads(call("stats", SAMPLES, "--all", "--by", "player", "--format", "json").text)
    others = [group["stats"] for group in document["groups"] if group["key"]["player"] != PLAYER]
    [cells] = [cells for name, cells in rows_of(page) if name == "win_rate"]
    rate = sum(one["win_rate"]["n"] for one in others) / sum(one["win_rate"]["d"] for one in others)
    assert close(cells[3], "win_rate", rate)
    assert call("report", SAMPLES, "--reference", SAMPLES, "-o", path).status == 2


def test_other_games_are_compared_with_the_others(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    systems = SAMPLES.parent / "systems"
    folder = next(one for one in sorted(systems.iterdir()))
    names = json.loads(call("stats", folder, "--by", "player", "--format", "json").text)["groups"]
    result = call("report", folder, "--player", names[0]["key"]["player"], "-o", path)
    assert result.status == 0, result.talk
    assert "the other players in these logs" in path.read_text("utf-8")
