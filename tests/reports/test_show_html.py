"""The page of ``paifu show --html``: its data beside a slow reading of the log, and the page in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browser import DESKTOP, PHONE, Browser, browser
from case_data import EXAMPLE
from command import call
from hypothesis import given
from hypothesis import strategies as st
from scratch_state import Followed
from test_show import call as calls
from test_show import codes, dealt, discards, draft, draws
from test_show import words as any_event

from paifu.parsers.read import read_batches
from paifu.replay.findings.finding import Finding, Severity
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, EventFlag, EventKind, HandEnd, pack
from paifu.replay.model.tile_notation import parse_tiles, tile_name
from paifu.replay.model.tiles import ALL_TILES, NO_TILE, sort_tiles
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.views.games import Game, games
from paifu.reports.pages.page import content_security_policy, embed, symbol_of, tile_sheet
from paifu.reports.pages.stepper import Data, game_data, show_page, stepper_assets

pytestmark = pytest.mark.every(20)

__all__ = ["browser"]  # a fixture

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
LOGS = ("hanchan.mjlog.gz", "sanma.mjlog.gz", "tonpuu.mjlog", "overtime.mjlog.gz", "kokushi.mjlog")
CALLS = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA)
ENDS = (EventKind.WIN, EventKind.HAND_DRAW, EventKind.LEAVE, EventKind.RETURN)


def game_of(draft: GameDraft) -> Game:
    builder = BatchBuilder()
    builder.add(draft)
    return Game.of(builder.finish(), 0)


def sample_games(*names: str) -> Iterator[Game]:
    for batch in read_batches([str(SAMPLES / name) for name in names]):
        yield from games(batch)


# --- tiles ---------------------------------------------------------------------------------------------


class _Elements(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_every_tile_has_a_symbol_and_every_use_finds_one() -> None:
    elements = _Elements(tile_sheet()).found
    symbols = [attributes["id"] for tag, attributes in elements if tag == "symbol"]
    assert len(symbols) == len(set(symbols))
    assert {symbol_of(tile) for tile in (*range(ALL_TILES), NO_TILE)} <= set(symbols)
    uses = {str(attributes["href"]) for tag, attributes in elements if tag == "use"}
    assert uses
    assert uses <= {f"#{symbol}" for symbol in symbols}
    assert len(tile_sheet()) < 40_000


def test_no_two_tiles_look_the_same() -> None:
    faces = re.findall(r'<symbol id="t-[0-9].".*?>(.*?)</symbol>', tile_sheet())
    assert len(faces) == len(set(faces)) == ALL_TILES


# --- data ----------------------------------------------------------------------------------------------


class Folded:
    """What the page makes of a hand's data, in the plainest way."""

    def __init__(self, hand: Data) -> None:
        self.seats: list[Data] = [
            {"h": tiles, "d": None, "m": [], "n": 0, "w": waits}
            for tiles, waits in zip(hand["dealt"], hand["waits"], strict=True)
        ]
        self.rivers: list[list[list[Any]]] = [[] for _ in hand["dealt"]]
        self.scores, self.sticks, self.live = hand["scores"], hand["sticks"], hand["wall"]
        self.indicators = hand["dora"]

    def apply(self, event: Data) -> None:
        seat = event.get("s")
        self.scores = event.get("p", self.scores)
        self.sticks = event.get("x", self.sticks)
        self.live -= event["k"] == "draw"
        self.indicators += event["t"] if event["k"] == "dora" else ""
        if seat is not None:
            self.seats[seat] |= {key: event[key] for key in "hdmnw" if key in event}
            if event["k"] == "discard":
                self.rivers[seat].append([event["t"], False])
        if "c" in event:
            self.rivers[event["f"]][event["c"]][1] = True

    def closed(self, seat: int) -> list[int]:
        return sort_tiles(parse_tiles(self.seats[seat]["h"] + (self.seats[seat]["d"] or "")))

    def melds(self, seat: int) -> list[list[int]]:
        return [sort_tiles(parse_tiles(meld["t"])) for meld in self.seats[seat]["m"]]


@pytest.mark.parametrize("log", LOGS)
def test_after_each_event_the_data_say_what_a_slow_reading_says(log: str) -> None:
    compared = tenpai = 0
    for game in sample_games(log):
        batch = game.batch()
        rules = ruleset_of(batch, 0)
        for hand, data in zip(game.hands, game_data(game)["hands"], strict=True):
            folded = Folded(data)
            state = Followed(hand, rules)
            for event, change in zip(hand.events, data["events"], strict=True):
                folded.apply(change)
                if event.kind in ENDS:
                    continue
                state.follow(event)
                for seat, player in enumerate(state.players):
                    assert folded.closed(seat) == sort_tiles(player.hand)
                    assert folded.melds(seat) == [sort_tiles(meld.tiles) for meld in player.melds]
                    river = [[tile_name(one.tile), one.called] for one in player.river]
                    assert folded.rivers[seat] == river
                    assert folded.seats[seat]["n"] == player.kita
                    assert folded.scores[seat] == player.score
                    if player.drawn is None and event.kind not in CALLS:
                        assert set(parse_tiles(folded.seats[seat]["w"])) == state.waits(seat)
                        tenpai += bool(state.waits(seat))
                assert (folded.sticks, folded.live) == (state.sticks, state.live)
                assert folded.indicators == "".join(map(tile_name, state.indicators))
                compared += 1
    assert compared > 50
    assert tenpai > 10


def assert_scores_go_on(some: Iterable[Game]) -> int:
    """The scores after a hand are those before the next; returns how many were compared."""
    compared = 0
    for game in some:
        hands = game_data(game)["hands"]
        for one, following in pairwise(hands):
            folded = Folded(one)
            for event in one["events"]:
                folded.apply(event)
            assert folded.scores == following["scores"], f"{game.source} {one['label']}"
            compared += 1
    return compared


@pytest.mark.parametrize("log", ["hanchan.mjlog.gz", "sanma.mjlog.gz", "hanchan.json", "sanma.json"])
def test_the_scores_after_a_hand_are_those_before_the_next(log: str) -> None:
    assert assert_scores_go_on(sample_games(log)) > 5


@pytest.mark.corpus
def test_the_scores_of_other_programs_logs_go_on_too(shared: Path) -> None:
    """Tenhou's JSON does not state the scores before a payment."""
    logs = [game for batch in read_batches([str(shared / "logs" / "tenhou6")]) for game in games(batch)]
    assert assert_scores_go_on(logs) > 50


ALL_KINDS = [
    draws(0, "5m"),
    pack(EventKind.RIICHI, 0),
    discards(0, "5m", EventFlag.TSUMOGIRI),
    calls(EventKind.PON, 1, "5m", 0, "55m"),
    discards(1, "1z"),
    pack(EventKind.RIICHI_PAID, 0),
    calls(EventKind.CHI, 2, "1z", 1, "23z", EventFlag.ORDER_UNCERTAIN),
    draws(1, "0m"),
    calls(EventKind.KAKAN, 1, "0m", 0, "555m"),
    pack(EventKind.DORA, tile=codes("9s")[0]),
    draws(3, "1p"),
    calls(EventKind.ANKAN, 3, "1p", own="111p"),
    calls(EventKind.DAIMINKAN, 0, "1z", 1, "111z"),
    calls(EventKind.KITA, 2, "4z"),
    pack(EventKind.LEAVE, 3),
    pack(EventKind.RETURN, 3),
    draws(2),
    discards(2, "7z"),
    pack(EventKind.WIN, 0, codes("7z")[0], 2),
    pack(EventKind.HAND_DRAW),
]
"""One of each, in an order that no game has."""
HANDS = ("555m123p111z", "555m22z33s", "2344z", "0111p")


def odd_game(**changes: Any) -> Game:
    made = draft(ALL_KINDS, dealt=dealt(*HANDS), dora=codes("1m")[0], **changes)
    made.win(
        18, {"seat": 0, "source": 2, "tile": codes("7z")[0], "yaku": bytes([1, 52]), "han": bytes([1, 2])}
    )
    made.hand_draw(19, {"kind": int(HandEnd.EXHAUSTIVE)})
    return game_of(made)


def test_every_kind_of_event_is_a_step_with_words() -> None:
    events = game_data(odd_game())["hands"][0]["events"]
    kinds = [event["k"] for event in events]
    assert set(kinds) == {kind.name.lower() for kind in EventKind} - {"bonus", "foul"}
    assert len(kinds) == len(ALL_KINDS)
    words = stepper_assets().js.partition("const MOVES = {")[2].partition("\n  };")[0]
    assert set(re.findall(r"^    (\w+): \(e?\) =>", words, re.MULTILINE)) == set(kinds) | {"bonus", "foul"}


def test_what_an_event_changes_and_marks() -> None:
    data = game_data(odd_game())["hands"][0]
    by_kind = {event["k"]: event for event in data["events"]}
    assert data["makes"] == "2m"
    assert by_kind["dora"]["makes"] == "1s"
    riichi = data["events"][2]
    assert (riichi["g"], riichi["r"]) == (1, 1)
    assert by_kind["pon"]["m"] == [{"t": "555m", "k": "pon", "x": 0}]
    assert by_kind["kakan"]["m"] == [{"t": "5055m", "k": "kakan", "x": 0}]
    assert by_kind["ankan"]["m"] == [{"t": "1111p", "k": "ankan"}]
    assert by_kind["chi"]["u"] == 1
    assert by_kind["riichi_paid"]["p"] == [24000, 25000, 25000, 25000]
    assert by_kind["riichi_paid"]["x"] == 1
    assert by_kind["kita"]["n"] == 1
    assert by_kind["win"]["win"]["yaku"] == ["riichi 1", "dora 2"]
    assert by_kind["hand_draw"]["draw"]["name"] == "Exhaustive draw"


def test_a_red_five_of_a_closed_kan_lies_open() -> None:
    game = game_of(draft([draws(0, "5m"), calls(EventKind.ANKAN, 0, "5m", own="055m")], dealt=dealt("055m")))
    assert game_data(game)["hands"][0]["events"][1]["m"] == [{"t": "5505m", "k": "ankan"}]


def test_hidden_tiles_and_unknown_scores_stay_unknown() -> None:
    made = draft([draws(1), discards(1, "3p")], dealer=255, scores=[-(2**31)] * 4)
    data = game_data(game_of(made))["hands"][0]
    assert data["dealt"] == ["?" * 13] * 4
    assert data["events"][0] == {"k": "draw", "s": 1, "t": "?", "d": "?"}
    assert data["dealer"] is None
    json.loads(embed(data))


@given(
    st.lists(any_event, max_size=40),
    st.sampled_from([3, 4]),
    st.lists(st.text(max_size=20), min_size=4, max_size=4),
    st.binary(max_size=52).map(lambda tiles: bytes(CODE_OF_TILE + t % 37 for t in tiles).ljust(52, b"\xff")),
    st.integers(-(2**31), 2**31 - 1),
)
def test_any_events_become_a_page(
    events: list[int], players: int, names: list[str], tiles: bytes, points: int
) -> None:
    """Whatever events a log strings together, whatever the players are called."""
    made = draft([*events, 0, 0], players=players, names=names, dealt=tiles, scores=[points] * 4)
    made.win(len(events), {"seat": 2, "source": 1, "tile": 255, "points": points, "deltas": [points] * 4})
    made.hand_draw(len(events) + 1, {"kind": int(HandEnd.UNKNOWN_DRAW), "shown": tiles[:14]})
    game = game_of(made)
    data = game_data(game)
    assert [len(hand["events"]) for hand in data["hands"]] == [len(hand.events) for hand in game.hands]
    assert data_of(show_page([data])) == {"games": [data], "seat": 0, "open": True}


# --- the page ------------------------------------------------------------------------------------------

HOSTILE = (
    '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 2">',
    '"><svg onload=window.hit=3><b id="made"> \' onmouseover=\'window.hit = 4',
    "</title></style><style>*{display:none}</style><!--",
    "{{ 7 * 7 }} \u2028\u202e<a href=javascript:window.hit=5>x</a>",
)


def finding(event: int | None, message: str, seat: int | None = 0) -> Finding:
    return Finding(
        code="V202", name="n", severity=Severity.ERROR, source="x", game_id="", hand="E1.0", event=event,
        turn=1, seat=seat, player=None, tile=None, message=message, expected=None, actual=None,
    )  # fmt: skip


def test_nothing_out_of_a_log_becomes_markup() -> None:
    plain, hostile = (
        show_page([game_data(odd_game(names=names), {0: [finding(2, names[0])]})])
        for names in (("a", "b", "c", "d"), HOSTILE)
    )
    assert [tag for tag, _ in _Elements(hostile).found] == [tag for tag, _ in _Elements(plain).found]
    data = hostile.partition('id="data">')[2].partition("</script>")[0]
    assert data.isascii()
    assert not set("<>&'") & set(data)
    names = json.loads(data)["games"][0]["names"]
    assert names[0] == HOSTILE[0]
    assert names[3] == "{{ 7 * 7 }} <a href=javascript:window.hit=5>x</a>"  # what does not print is left out


def test_a_page_does_not_tell_where_the_log_lay(tmp_path: Path) -> None:
    page = call("show", SAMPLES / "hanchan.mjlog.gz", "--html").text
    assert data_of(page)["games"][0]["title"] == "hanchan.mjlog.gz"
    assert str(SAMPLES) not in page


def test_a_hostile_title_is_escaped() -> None:
    made = draft([draws(0)])
    made.game["id"] = HOSTILE[0]
    page = show_page([game_data(game_of(made))])
    assert "<script>window.hit" not in page
    assert "&lt;/script&gt;&lt;script&gt;window.hit = 1" in page


def test_the_policy_names_exactly_what_stands_in_the_page() -> None:
    page = show_page([game_data(odd_game())])
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert (len(script), len(style)) == (1, 1)
    policy = next(a["content"] for tag, a in _Elements(page).found if a.get("http-equiv"))
    assert policy is not None
    assert policy.replace("&#39;", "'") == content_security_policy(script, style)
    assert "default-src 'none'" in policy.replace("&#39;", "'")
    assert "unsafe" not in policy
    assert "https:" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert not [
        a for _, a in _Elements(page).found if any(name.startswith("on") or name == "style" for name in a)
    ]


def test_a_hanchan_is_a_small_page(tmp_path: Path) -> None:
    page = tmp_path / "new" / "game.html"
    done = call("show", SAMPLES / "hanchan.mjlog.gz", "--html", "--review", "-o", page)
    assert (done.status, done.data) == (0, b"")
    assert done.talk == [f"{page}: 14 hands of 1 game"]
    assert 60_000 < page.stat().st_size < 400_000
    assert [path.name for path in page.parent.iterdir()] == ["game.html"]


def data_of(page: str) -> Any:
    return json.loads(page.partition('id="data">')[2].partition("</script>")[0])


def test_the_page_goes_to_standard_output_where_no_file_is_named() -> None:
    for more in ((), ("-o", "-")):
        page = call(
            "show", SAMPLES / "hanchan.mjlog.gz", "--html", "--hand", "E1.0", "--seat", "2", *more
        ).text
        assert page.startswith("<!doctype html>")
        data = data_of(page)
        assert [hand["label"] for hand in data["games"][0]["hands"]] == ["E1.0"]
        assert (data["seat"], data["open"]) == (2, False)


def test_several_games_are_on_one_page_or_chosen_from() -> None:
    log = SAMPLES / "five-games.jsonl"
    assert len(data_of(call("show", log, "--html").text)["games"]) == 5
    chosen = data_of(call("show", log, "--html", "--game", "4").text)["games"]
    assert [game["title"] for game in chosen] == [
        data_of(call("show", log, "--html").text)["games"][3]["title"]
    ]


def test_a_page_holds_so_many_games(tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_bytes((SAMPLES / "five-games.jsonl").read_bytes() * 5)
    done = call("show", tmp_path / "many.jsonl", "--html", "-o", tmp_path / "x.html")
    assert done.status == 2
    assert "--game N" in "\n".join(done.talk)
    assert not (tmp_path / "x.html").exists()


def test_findings_stand_at_their_moves(tmp_path: Path) -> None:
    log = tmp_path / "x.mjlog"
    log.write_text(EXAMPLE.replace('ten="30,18000,2"', 'ten="40,18000,2"'), encoding="utf-8")
    marks = data_of(call("show", log, "--html").text)["games"][0]["hands"][0]["marks"]
    assert marks
    assert all(mark["event"] is not None and mark["code"][0] == "V" for mark in marks)


def test_options_stand_at_the_decisions_of_a_reviewed_game() -> None:
    log = SAMPLES / "hanchan.mjlog.gz"
    (game,) = data_of(call("show", log, "--html", "--review", "--hand", "E3.2").text)["games"]
    (hand,) = game["hands"]
    found = json.loads(call("review", log, "--code", "P", "-f", "json", "-j", "1").data)["findings"]
    costly = {
        (one["event"], one["seat"]): one["evidence"]
        for one in found
        if one["hand"] == "E3.2" and one["severity"] == "mistake"
    }
    assert {(c["e"], c["s"]) for c in hand["choices"] if c["x"]} == costly.keys()
    assert costly
    assert len(hand["choices"]) > 20
    for choice in hand["choices"]:
        event, options = hand["events"][choice["e"]], choice["o"]
        chosen, best = options[choice["c"]], options[choice["b"]]
        if event["s"] == choice["s"] and event["k"] == "discard":
            assert chosen[0].removeprefix("riichi ") == event["t"]
        else:
            assert event["s"] != choice["s"] or event["k"] in ("ankan", "kakan")
        assert choice["l"] == pytest.approx(best[4] - chosen[4], abs=2)
        assert len({option[0] for option in options}) == len(options) <= 7
        if choice["x"]:
            assert choice["x"].startswith("such a move costs ")
            evidence = costly[choice["e"], choice["s"]]
            assert (choice["l"], chosen[0], best[0]) == (
                evidence["loss"],
                evidence["chosen"],
                evidence["best"],
            )
    (plain,) = data_of(call("show", log, "--html", "--hand", "E3.2").text)["games"][0]["hands"]
    assert plain["choices"] == []


# --- in a browser --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages of all that the tests below look at."""
    folder = tmp_path_factory.mktemp("pages")
    for name in ("hanchan", "sanma"):
        call("show", SAMPLES / f"{name}.mjlog.gz", "--html", "--review", "-o", folder / f"{name}.html")
    call("show", SAMPLES / "five-games.jsonl", "--html", "-o", folder / "five.html")
    hostile = game_data(odd_game(names=HOSTILE), {0: [finding(2, HOSTILE[0]), finding(None, HOSTILE[1])]})
    (folder / "hostile.html").write_text(show_page([hostile]), "utf-8")
    return folder


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", ["hanchan", "sanma", "five", "hostile"])
def test_every_position_fits_and_says_nothing_to_the_console(
    browser: Browser, pages: Path, name: str, size: tuple[int, int]
) -> None:
    browser.open(pages / f"{name}.html", size=size)
    assert browser.complaints() == []
    steps, bad = browser.run(WALK, size[0])
    assert steps >= len(ALL_KINDS)
    assert bad == []
    assert browser.complaints() == []


WALK = """
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const label = () => document.querySelector(".choose-hand select").value;
    const bad = [], width = arguments[0];
    let steps = 0;
    const go = (key) => {
        press(key);
        steps += 1;
        const isWide = document.documentElement.scrollWidth > width;
        if (isWide || !document.querySelector(".move").textContent) bad.push([label(), key, steps]);
    };
    for (let step = 0; step < 40; step += 1) go("ArrowRight");
    for (let before = null; before !== label();) {
        before = label();
        for (const key of ["End", "ArrowUp", "ArrowUp", "ArrowUp", "PageDown"]) go(key);
    }
    return [steps, bad];
"""
"""Steps through the beginning of a game, then looks at the end of every hand."""

SHOWN = """
    const next = document.querySelector(".step-next"), states = [];
    const name = (use) => use.getAttribute("href").slice(3);
    const names = (node) => [...node.querySelectorAll(".tile use")].map(name);
    const label = () => document.querySelector(".choose-hand select").value;
    const first = label();
    do {
        states.push([...document.querySelectorAll(".seat")].map((seat) => [
            names(seat.querySelector(".closed")), names(seat.querySelector(".melds")).length,
            names(seat.querySelector(".pond")),
            [...seat.querySelectorAll(".pond .tile")].map((tile) => tile.classList.contains("called")),
        ]));
        next.click();
    } while (label() === first);
    return states;
"""
"""Steps through a hand by the button and reads off the table at each position."""


@pytest.mark.parametrize("name", ["hanchan", "sanma"])
def test_the_table_shows_the_state_after_each_event(browser: Browser, pages: Path, name: str) -> None:
    game = data_of((pages / f"{name}.html").read_text("utf-8"))["games"][0]
    for number in (0, 3):
        hand = game["hands"][number]
        browser.open(pages / f"{name}.html", f"#{hand['label']}")
        states = browser.run(SHOWN)
        assert len(states) == len(hand["events"]) + 1
        folded = Folded(hand)
        for event, state in zip([None, *hand["events"]], states, strict=True):
            if event is not None:
                folded.apply(event)
            for seat, (closed, melded, pond, called) in enumerate(state):
                assert "".join(sorted(closed)) == "".join(sorted(map(tile_name, folded.closed(seat))))
                assert melded == sum(map(len, folded.melds(seat)))
                assert [
                    [tile, is_called] for tile, is_called in zip(pond, called, strict=True)
                ] == folded.rivers[seat]


def odd_games(count: int) -> Iterator[Data]:
    """Games of random events, most of which make no sense."""
    random = Random(7)  # noqa: S311  nothing is kept secret here
    seats = (0, 1, 2, 3, 255)

    def tile() -> int:
        return CODE_OF_TILE + random.choice((*range(37), 255 - CODE_OF_TILE))

    for _ in range(count):
        events = [
            pack(
                random.choice(list(EventKind)[:-4]),
                random.choice(seats),
                tile(),
                random.choice(seats),
                tuple(tile() for _ in range(random.randrange(4))),
                random.randrange(4),
            )
            for _ in range(80)
        ]
        players = random.choice((3, 4))
        dealer = random.choice((0, 1, 2, 255))
        yield game_data(game_of(draft(events, players=players, dealer=dealer, dora=tile())))


def test_events_without_sense_do_not_stop_the_page(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "odd.html"
    page.write_text(show_page(list(odd_games(20))), "utf-8")
    browser.open(page, size=PHONE)
    told = browser.run(
        """
        const next = document.querySelector(".stepper"), key = "ArrowRight";
        const choice = document.getElementById("games"), told = new Set();
        for (let game = 0; game < choice.options.length; game += 1) {
            choice.value = String(game);
            choice.dispatchEvent(new Event("change"));
            for (let step = 0; step <= 80; step += 1) {
                next.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
                told.add(document.querySelector(".count").textContent);
            }
            if (document.documentElement.scrollWidth > arguments[0]) told.add("too wide");
        }
        return [...told];
        """,
        PHONE[0],
    )
    assert sorted(told) == sorted(f"event {number}" for number in range(80))
    assert browser.complaints() == []


def position(browser: Browser) -> tuple[str, int]:
    label = browser.text(".choose-hand option:checked").split(" ")[0]
    count = browser.text(".count")
    return label, 0 if count == "deal" else 1 + int(count.removeprefix("event "))


@pytest.mark.full
def test_stepping_by_buttons_and_keys(browser: Browser, pages: Path) -> None:
    browser.open(pages / "hanchan.html")
    assert position(browser) == ("E1.0", 0)
    assert "the hand is dealt" in browser.text(".move")
    assert browser.find(".step-previous").get_attribute("aria-disabled") == "true"
    browser.find(".step-previous").click()
    assert position(browser) == ("E1.0", 0)
    browser.find(".step-next").click()
    assert position(browser) == ("E1.0", 1)
    assert " draws " in browser.text(".move")
    browser.press("ARROW_RIGHT")
    assert position(browser) == ("E1.0", 2)
    assert " discards " in browser.text(".move")
    browser.press("ARROW_LEFT")
    assert position(browser) == ("E1.0", 1)
    browser.press("END")
    assert " wins by " in browser.text(".move")
    assert browser.all(".result .yaku li")
    browser.press("ARROW_RIGHT")
    assert position(browser)[1] == 0
    second = position(browser)[0]
    assert second != "E1.0"
    browser.press("ARROW_LEFT")
    assert position(browser)[0] == "E1.0"
    browser.find(".step-first").click()
    assert position(browser) == ("E1.0", 0)
    browser.press("ARROW_RIGHT")  # with the focus on a button that has nothing to do any more
    assert position(browser) == ("E1.0", 1)
    browser.press("PAGE_DOWN")
    assert position(browser) == (second, 0)
    browser.type("k")
    assert position(browser) == ("E1.0", 0)
    browser.find(".step-before").click()
    assert position(browser) == ("E1.0", 0)
    assert browser.find(".step-before").get_attribute("aria-disabled") == "true"
    browser.find(".step-after").click()
    assert position(browser) == (second, 0)
    browser.find(".all-hands summary").click()
    browser.all(".all-hands button")[4].click()
    assert position(browser) == (browser.text(".all-hands [aria-current] th"), 0)
    assert browser.complaints() == []


def test_decisions_are_those_of_the_seat_below(browser: Browser, pages: Path) -> None:
    data = data_of((pages / "hanchan.html").read_text("utf-8"))["games"][0]
    own = [
        n
        for n, e in enumerate(data["hands"][0]["events"], 1)
        if e.get("s") == 2 and e["k"] in ("draw", "chi", "pon")
    ]
    browser.open(pages / "hanchan.html")
    browser.run(
        "const s = document.querySelector('.choose-seat select'); s.value = '2';"
        "s.dispatchEvent(new Event('change'))"
    )
    visited = []
    for _ in own[:5]:
        browser.press("ARROW_DOWN")
        visited.append(position(browser)[1])
    assert visited == own[:5]
    browser.find(".step-back").click()
    assert position(browser)[1] == own[3]


def test_a_position_has_an_address(browser: Browser, pages: Path) -> None:
    browser.open(pages / "hanchan.html", "#E2.0:17")
    assert position(browser) == ("E2.0", 18)
    browser.find(".step-next").click()
    browser.driver.set_script_timeout(5)
    address = "const done = arguments[0]; setTimeout(() => done(location.hash), 400)"
    assert browser.driver.execute_async_script(address) == "#E2.0:18"
    browser.run("location.hash = '#E1.0'")
    assert browser.driver.execute_async_script(address) == "#E1.0"
    assert position(browser) == ("E1.0", 0)
    for nonsense in ("#E9.9:4", "#%", "#<script>", "#E1.0:99999"):
        browser.open(pages / "hanchan.html", nonsense)
        assert position(browser)[0] == "E1.0"
    assert browser.complaints() == []


def test_one_of_several_games(browser: Browser, pages: Path) -> None:
    titles = [game["title"] for game in data_of((pages / "five.html").read_text("utf-8"))["games"]]
    browser.open(pages / "five.html", "#3/E1.0:2")
    assert browser.text("#title") == titles[2]
    assert position(browser) == ("E1.0", 3)
    browser.run(
        "const s = document.getElementById('games'); s.value = '1'; s.dispatchEvent(new Event('change'))"
    )
    assert browser.text("#title") == titles[1]
    browser.press("ARROW_RIGHT")
    assert position(browser) == ("E1.0", 1)  # and not two: the first game does not listen any more


def test_closed_hands_are_not_given_away(browser: Browser, pages: Path) -> None:
    browser.open(pages / "hanchan.html", "#E1.0:3")
    browser.find(".choose-open input").click()
    backs = "return [...document.querySelectorAll('.seat.{} .closed use')].map(u => u.getAttribute('href'))"
    for side in ("right", "top", "left"):
        assert set(browser.run(backs.format(side))) == {"#t-back"}
    assert "#t-back" not in browser.run(backs.format("bottom"))
    data = data_of((pages / "hanchan.html").read_text("utf-8"))["games"][0]
    draw = next(n for n, e in enumerate(data["hands"][0]["events"]) if e["k"] == "draw" and e["s"] == 1)
    browser.run(f"location.hash = '#E1.0:{draw}'")
    assert browser.run("return document.querySelector('.move').textContent").endswith(" draws a tile")


def test_names_of_strangers_have_no_effect(browser: Browser, pages: Path) -> None:
    for size in (DESKTOP, PHONE):
        browser.open(pages / "hostile.html", "#E1.0:2", size)
        browser.press("END")
        browser.run(
            "document.querySelectorAll('*').forEach((one) => one.dispatchEvent(new Event('mouseover')))"
        )
        assert browser.run("return window.hit") is None
        assert not browser.all("img, #made, .stepper a, .stepper script, .stepper style")
        assert browser.find(".table").is_displayed()
        assert browser.text(".plate.at-bottom .name") == HOSTILE[0]
        assert browser.all(".marks .mark")[0].text.endswith(HOSTILE[0])
        assert len(browser.all("style")) == len(browser.all("script:not([type])")) == 1
        assert browser.complaints() == []


def test_the_game_ends_with_its_last_hand_only(browser: Browser, pages: Path) -> None:
    game = data_of((pages / "hanchan.html").read_text("utf-8"))["games"][0]
    labels = [hand["label"] for hand in game["hands"]]
    for label, is_last in ((labels[0], False), (labels[-1], True)):
        browser.open(pages / "hanchan.html", f"#{label}:999")
        assert ("End of the game" in browser.text(".result")) == is_last
    rows = [row.text for row in browser.all(".result > :last-child tr")]
    first = max(game["final"])
    assert rows[0].startswith(f"1 {game['names'][game['final'].index(first)]} {first} +")


def test_a_finding_leads_to_its_move(browser: Browser, pages: Path) -> None:
    browser.open(pages / "hostile.html")
    assert [one.text for one in browser.all(".remarks code")] == ["V202"]  # the one about the whole hand
    browser.find(".marks button").click()
    assert position(browser) == ("E1.0", 3)
    assert len(browser.all(".remarks .mark")) == 1


def test_the_options_of_the_seat_at_the_bottom_and_the_way_to_costly_ones(
    browser: Browser, pages: Path
) -> None:
    browser.open(pages / "hanchan.html", "#E3.2:115")
    choose = """
        const select = document.querySelector('.choose-seat select');
        select.value = arguments[0]; select.dispatchEvent(new Event('change'));
    """
    assert browser.text(".options") == "", "the move of another seat"
    browser.run(choose, "2")
    assert browser.text(".options h2") == "904 points below the best option, by estimate"
    rows = [
        [cell.text for cell in row.find_elements("css selector", "th, td")]
        for row in browser.all(".options tbody tr")
    ]
    assert [row[-1] for row in rows] == ["best", "", "", "", "", "", "chosen"]
    assert (rows[0][1:5], rows[-1][1:5]) == (
        ["1", "7", "0.7%", "\u22121,341"],
        ["1", "10", "20.4%", "\u22122,245"],
    )
    assert (
        browser.run("return document.querySelector('.options tr.best .tile').getAttribute('aria-label')")
        == "3m"
    )
    press = """
        const event = new KeyboardEvent('keydown', {key: arguments[0], bubbles: true});
        document.activeElement.dispatchEvent(event);
    """
    browser.open(pages / "hanchan.html", "#S3.1:10")
    browser.run(choose, "3")
    browser.find(".step-costly").click()
    early, late = ("event 61", "614 ± 268", 206), ("event 69", "859 ± 484", 90)
    for (event, price, number), key in ((early, "n"), (late, "p"), (early, "p")):
        assert browser.text(".count") == event
        assert browser.text(".options h2") == (
            f"A mistake: such a move costs {price} points, found by playing out {number} such decisions"
        )
        browser.run(press, key)
    assert browser.text(".count") == "event 61", "there is none before"
    browser.open(pages / "five.html")
    assert not browser.find(".step-costly").is_displayed(), "nothing was judged"
    assert browser.complaints() == []
