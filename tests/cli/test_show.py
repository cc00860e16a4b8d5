"""``paifu show`` and the lines it prints: every kind of event, odd logs, strangers' names, 80 columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from case_data import EXAMPLE
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from paifu.cli.__main__ import main
from paifu.parsers.read import read_batches
from paifu.replay.findings.finding import Finding, Severity
from paifu.replay.foreign_text import display_name
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, EventFlag, EventKind, HandEnd, pack
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.views.games import Game, games
from paifu.reports.terminal.game_lines import game_lines, grade_name
from paifu.reports.terminal.hand_lines import HandWriter
from paifu.reports.terminal.text import fit


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    Path("example.mjlog").write_text(EXAMPLE, encoding="utf-8")
    return "example.mjlog"


# --- drafts --------------------------------------------------------------------------------------------


def code(name: str) -> int:
    return CODE_OF_TILE + parse_tiles(name)[0]


def codes(names: str) -> tuple[int, ...]:
    return tuple(CODE_OF_TILE + tile for tile in parse_tiles(names))


def draws(seat: int, tile: str = "") -> int:
    return pack(EventKind.DRAW, seat, code(tile) if tile else 255)


def discards(seat: int, tile: str, flags: int = 0) -> int:
    return pack(EventKind.DISCARD, seat, code(tile), flags=flags)


def call(kind: EventKind, seat: int, tile: str, source: int = 255, own: str = "", flags: int = 0) -> int:
    return pack(kind, seat, code(tile), source, codes(own), flags)


def dealt(*hands: str) -> bytes:
    return b"".join(bytes(codes(hand)).ljust(13, b"\xff") for hand in hands).ljust(52, b"\xff")


def draft(words: Iterable[int], *, players: int = 4, names: Iterable[str] = (), **hand: Any) -> GameDraft:
    names = list(names) or ["Aoi", "Botan", "Chiyo", "Daigo"]
    made = GameDraft({"players": players, "names": [*names, ""][:4]}, words=list(words))
    made.begin_hand(0, {"round": 0, "honba": 0, "sticks": 0, "dealer": 0, "scores": [25000] * 4} | hand)
    return made


def lines_of(made: GameDraft, *, viewer: int | None = None, hand: int = 0) -> list[str]:
    builder = BatchBuilder()
    builder.add(made)
    game = Game.of(builder.finish(), 0)
    writer = HandWriter(game.hands[hand], game.names, viewer)
    return [line.plain for line in writer.lines()]


def moves(*words: int, viewer: int | None = None, **hand: Any) -> list[str]:
    """The rows of moves, without the title, the heads and the result."""
    lines = lines_of(draft(words, **hand), viewer=viewer)
    return lines[3 + (viewer is None) : lines.index("")]


# --- the command ---------------------------------------------------------------------------------------


def in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the output be for a terminal that has colours."""
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLORTERM", "")):
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_what_is_wrong_is_marked_where_it_happens(
    example: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = EXAMPLE.replace('ten="30,18000,2"', 'ten="40,18000,2"').replace("<V34/><F34/>", "<V34/><F35/>")
    Path(example).write_text(wrong, encoding="utf-8")
    assert main(["show", example, "--hand", "E1.0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(i for i, line in enumerate(lines) if "V202" in line)
    assert lines[at - 1].startswith(" 5 3m→9m riichi")
    assert lines[at].strip() == "V202 Chiyo: 9m (id 35) is not where this takes it from; another copy may be"
    at = next(i for i, line in enumerate(lines) if "V306" in line)
    assert lines[at - 1].strip() == "ron"
    assert lines[at].strip() == "V306 Aoi: fu differ: engine 30, log 40"
    in_colour(monkeypatch)
    assert main(["show", example, "--hand", "E1.0"]) == 0
    assert "\x1b[1;31mV306 Aoi" in capsys.readouterr().out


def test_a_long_mark_is_wrapped_and_a_name_in_it_is_clean() -> None:
    finding = Finding(
        "V304", "yaku", Severity.ERROR, "", "", "E1.0", 0, 1, 0, None, None, "yaku " * 30, None, None
    )
    made = draft([draws(0, "1m"), discards(0, "1m")], names=["A\x1b[2J\n", "b", "c", "d"])
    builder = BatchBuilder()
    builder.add(made)
    game = Game.of(builder.finish(), 0)
    lines = [line.plain for line in HandWriter(game.hands[0], game.names, marks=[finding]).lines()]
    marked = [line for line in lines if "yaku" in line]
    assert marked[0].startswith("   V304 A[2J: yaku")
    assert len(marked) == 3
    assert max(map(len, lines)) <= 80


def test_one_hand_can_be_chosen(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", example, "--hand", "E1.1"]) == 0
    assert re.findall(r"E\d\.\d", capsys.readouterr().out) == ["E1.1"]
    assert main(["show", example, "--hand", "e1"]) == 0
    assert re.findall(r"E\d\.\d", capsys.readouterr().out) == ["E1.0", "E1.1"]


def test_several_games_and_one_of_them(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(example).write_text(EXAMPLE + EXAMPLE.replace("%41%6F%69", "%59%75%72%69"), encoding="utf-8")
    assert main(["show", example]) == 0
    out = capsys.readouterr().out
    assert (out.count("══ example.mjlog#1 ═"), out.count("══ example.mjlog#2 ═")) == (1, 1)
    assert main(["show", example, "--game", "2"]) == 0
    out = capsys.readouterr().out
    assert "example.mjlog#1" not in out
    assert "Ron: Yuri from Daigo" in out


def test_a_fault_is_told_and_the_rest_shown(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(example).write_text(EXAMPLE.replace("<V34/>", "<V134/><V999/>"), encoding="utf-8")
    assert main(["show", example]) == 1
    out, err = capsys.readouterr()
    assert re.fullmatch(r"example\.mjlog: V10\d element \d+ <V999>: .* \(.*\)\n", err)
    assert "This log is cut off or could be read only in part." in out
    assert "The log stops inside this hand." in out
    assert Path(example).write_text("no log", encoding="utf-8")
    assert main(["show", example]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("example.mjlog: V102 not a log")


def test_colours_are_there_when_asked_for(
    example: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["show", example]) == 0
    plain = capsys.readouterr().out
    in_colour(monkeypatch)
    assert main(["show", example]) == 0
    coloured = capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["show", example]) == 0
    assert "\x1b[31m" not in capsys.readouterr().out
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert "\x1b[31m0\x1b[0m678s" in coloured  # a red five inside a hand
    assert "\x1b[33m3m→9m\x1b[0m \x1b[33mriichi\x1b[0m" in coloured
    assert "\x1b[36m7p\x1b[0m" in coloured  # called
    assert "\x1b[1;32mron\x1b[0m" in coloured
    assert "\x1b[1;32m1m\x1b[0m" in coloured  # won on


# --- moves ---------------------------------------------------------------------------------------------


def test_draws_discards_and_tsumogiri() -> None:
    assert moves(
        draws(0, "1m"), discards(0, "9s"), draws(1, "2m"), discards(1, "2m", EventFlag.TSUMOGIRI),
        draws(2), discards(2, "3z"), draws(3), discards(3, "0p", EventFlag.TSUMOGIRI),
        draws(0, "7z"), discards(0, "1z"),
    ) == [
        " 1 1m→9s                ↓2m              ??→3z                ↓0p",
        " 2 7z→1z",
    ]  # fmt: skip


def test_the_dealer_is_in_the_first_column() -> None:
    lines = lines_of(draft([draws(2, "1m"), discards(2, "9s"), draws(3, "2m")], dealer=2, round=6))
    assert lines[0].startswith("── South 3 ──")
    assert lines[1] == "   E Chiyo            S Daigo            W Aoi              N Botan"
    assert " 1 1m→9s              2m" in lines


def test_calls_and_kans() -> None:
    assert moves(
        draws(0, "1m"), discards(0, "5p"),
        call(EventKind.CHI, 1, "5p", 0, "06p"), discards(1, "9s"),
        call(EventKind.PON, 0, "9s", 1, "99s"), discards(0, "1z"),
        call(EventKind.DAIMINKAN, 3, "1z", 0, "111z"), draws(3, "2z"), pack(EventKind.DORA, tile=code("4p")),
        discards(3, "2z", EventFlag.TSUMOGIRI),
        draws(0, "9s"), call(EventKind.KAKAN, 0, "9s", 1, "999s"), draws(0, "3m"), discards(0, "4m"),
        draws(1, "7m"), call(EventKind.ANKAN, 1, "7m", own="777m"), draws(1, "7s"), discards(1, "8s"),
    ) == [
        " 1 1m→5p              chi 056p→9s",
        " 2 pon 999s→1z                                              minkan 1z ↓2z",
        "   new dora 5p (indicator 4p)",
        " 3 9s kakan 9s 3m→4m  7m ankan 7m 7s→8s",
    ]  # fmt: skip


def test_riichi_that_is_paid_and_riichi_that_is_cut() -> None:
    assert moves(
        draws(0, "1m"), pack(EventKind.RIICHI, 0), discards(0, "9s"), pack(EventKind.RIICHI_PAID, 0),
        draws(1, "2m"), pack(EventKind.RIICHI, 1), discards(1, "2m", EventFlag.TSUMOGIRI),
        draws(2, "3m"), pack(EventKind.RIICHI, 2),
    ) == [" 1 1m→9s riichi         ↓2m riichi       3m riichi"]  # fmt: skip


def test_an_uncertain_order_has_a_question_mark() -> None:
    assert moves(
        draws(0, "1m"), discards(0, "2p"), call(EventKind.CHI, 1, "2p", 0, "34p", EventFlag.ORDER_UNCERTAIN)
    ) == [" 1 1m→2p              chi? 234p"]  # fmt: skip


def test_kita_and_three_columns() -> None:
    words = [
        draws(1, "4z"), pack(EventKind.KITA, 1, code("4z")), draws(1, "3p"), discards(1, "9s"),
        draws(2, "1m"), pack(EventKind.KITA, 2), draws(2, "9m"), discards(2, "9m", EventFlag.TSUMOGIRI),
        draws(0, "2p"), *[pack(EventKind.KITA, 0, code("4z")), draws(0, "4z")] * 3, discards(0, "1p"),
    ]  # fmt: skip
    lines = lines_of(draft(words, players=3, names=["Aoi", "Botan", "Chiyo"], dealer=1, dora=code("1m")))
    assert lines[0].startswith("── East 1 ── dora 9m (indicator 1m) ──")
    assert lines[1] == "   E Botan                  S Chiyo                  W Aoi"
    assert lines[4:7] == [
        " 1 4z kita 3p→9s            1m kita ↓9m              2p kita 4z kita 4z kita",
        "                                                     4z→1p",
        "",
    ]


def test_coming_and_going() -> None:
    assert moves(
        draws(0, "1m"), pack(EventKind.LEAVE, 3), discards(0, "9s"), pack(EventKind.RETURN, 3), draws(1, "2m")
    ) == [
        " 1 1m→9s",
        "   Daigo leaves the table",
        "   Daigo is back",
        "                      2m",
    ]


def test_an_odd_order_is_shown_as_it_stands() -> None:
    """Nothing that a cut or broken log may hold stops the drawing."""
    assert moves(
        discards(0, "1m"), discards(0, "2m"), pack(EventKind.RIICHI, 2), draws(2, "3m"), draws(2, "4m"),
        pack(EventKind.KAKAN, 1, code("5m"), 2), pack(EventKind.DISCARD, 255, code("6m")),
        pack(EventKind.DISCARD, 1),
    ) == [
        " 1   →1m→2m                              riichi 3m 4m",
        " 2                    kakan 5m→??",
    ]  # fmt: skip


# --- one seat's view -----------------------------------------------------------------------------------


def test_a_seat_sees_its_own_hand_and_the_discards_of_others() -> None:
    hands = dealt("123m456p789s1122z", "19m19p19s1234567z", "", "2345678m23456p7z")
    assert moves(
        draws(0, "3z"), discards(0, "1z"), draws(1, "5m"), discards(1, "5m", EventFlag.TSUMOGIRI),
        draws(2), discards(2, "1m"), call(EventKind.CHI, 3, "1m", 2, "23m"), discards(3, "7z"),
        draws(0, "7m"), pack(EventKind.RIICHI, 0), discards(0, "1z"),
        draws(1, "9m"), discards(1, "9m"), draws(2, "5z"), discards(2, "6z"), draws(3, "1m"),
        discards(3, "1m", EventFlag.TSUMOGIRI),
        viewer=3, dealt=hands,
    ) == [
        "                                        →1z          ↓5m          →1m",
        " 1 45678m23456p7z(1'23m) chi→7z         →1z riichi   →9m          →6z",
        " 2 45678m23456p(1'23m)   ↓1m",
    ]  # fmt: skip


def test_a_long_hand_goes_on_below() -> None:
    words = [
        call(EventKind.PON, 0, "1m", 1, "11m"), discards(0, "2m"), call(EventKind.PON, 0, "3m", 2, "33m"),
        discards(0, "4m"), call(EventKind.PON, 0, "5m", 3, "05m"), discards(0, "6m"),
        draws(0, "1p"), call(EventKind.ANKAN, 0, "1p", own="111p"), draws(0, "2p"), discards(0, "3p"),
        draws(0, "4p"), discards(0, "4p", EventFlag.TSUMOGIRI),
    ]  # fmt: skip
    assert moves(*words, viewer=0, dealt=dealt("112334056m111p2s")) == [
        " 1 2334056m111p2s(111'm) pon→2m",
        " 2 4056m111p2s(111'm)(33'3m) pon→4m",
        " 3 6m111p2s(111'm)(33'3m)(5'05m) pon→6m",
        " 4 111p2s(111'm)(33'3m)(5'05m) 1p",
        "   ankan 1p 2p→3p",
        " 5 2p2s(111'm)(33'3m)(5'05m)[1111p]",
        "     ↓4p",
    ]


# --- results -------------------------------------------------------------------------------------------


def result(made: GameDraft, **options: Any) -> list[str]:
    lines = lines_of(made, **options)
    return lines[lines.index("") + 1 : -1]


def test_several_rons_are_paid_one_after_another() -> None:
    made = draft([draws(0, "1m"), discards(0, "5p"), 0, 0], honba=1, sticks=1)
    common = {"source": 0, "tile": code("5p"), "fu": 30, "limit": 0}
    made.win(
        2,
        common
        | {"seat": 1, "points": 1000, "yaku": bytes([8, 54]), "han": bytes([1, 0]), "scores": [25000] * 4,
           "deltas": [-1300, 2300, 0, 0], "tiles": bytes(codes("4506p")), "dora": bytes(codes("1z"))},
    )  # fmt: skip
    made.win(
        3,
        common
        | {"seat": 3, "points": 2000, "yaku": bytes([10, 200]), "han": bytes([1, 1]), "liable": 2,
           "scores": [23700, 27300, 25000, 25000], "deltas": [-2000, 0, 0, 2000]},
    )  # fmt: skip
    lines = lines_of(made)
    assert lines[0].startswith("── East 1, 1 honba, 1 riichi stick ──")
    assert " 1 1m→5p              ron                                   ron" in lines
    assert result(made) == [
        "   Ron: Botan from Aoi · 1 han 30 fu · 1000 points · 2300 with honba and sticks",
        "   406p   5p   dora indicators 1z",
        "   tanyao 1",
        "   23700 -1300        27300 +2300        25000              25000",
        "   Ron: Daigo from Aoi · 2 han 30 fu · 2000 points",
        "   ?????????????   5p",
        "   jikaze east 1 · yaku 200 1",
        "   Chiyo is liable",
        "   21700 -2000        27300              25000              27000 +2000",
    ]


def test_tsumo_of_a_yakuman_with_melds_laid_sideways() -> None:
    made = draft(
        [
            call(EventKind.PON, 0, "5z", 1, "55z"), discards(0, "9s"),
            call(EventKind.PON, 0, "6z", 2, "66z"), discards(0, "9s"),
            call(EventKind.CHI, 0, "3s", 3, "24s"), discards(0, "9s"),
            call(EventKind.PON, 0, "7z", 3, "77z"), discards(0, "9s"),
            draws(0, "7z"), pack(EventKind.KAKAN, 0, code("7z"), 3, codes("777z")), draws(0, "1m"), 0,
        ],
        dealt=dealt("1m55z66z24s77z9999s"),
    )  # fmt: skip
    made.win(
        11,
        {"seat": 0, "source": 0, "tile": code("1m"), "points": 48000, "limit": 5, "yaku": bytes([39]),
         "han": bytes([13]), "scores": [25000] * 4, "deltas": [48000, -16000, -16000, -16000]},
    )  # fmt: skip
    shown = result(made)
    assert shown[0] == "   Tsumo: Aoi · yakuman · 48000 points"
    assert shown[1] == "   1m(555'z)(66'6z)(3'24s)(7'7'77z)   1m"
    assert shown[2:] == [
        "   daisangen",
        "   73000 +48000       9000 -16000        9000 -16000        9000 -16000",
    ]


def test_a_win_of_which_the_log_says_little() -> None:
    made = draft([draws(1), 0], scores=None)
    made.win(1, {"seat": 1, "source": 1})
    assert result(made) == ["   Tsumo: Botan", "   ?????????????   ??"]


@each_row(
    ("kind", "words"),
    [
        (HandEnd.KYUUSHU, "Abortive draw: nine terminals and honours"),
        (HandEnd.SUUFON, "Abortive draw: four equal winds"),
        (HandEnd.SUUCHA, "Abortive draw: four riichi"),
        (HandEnd.SANCHAHOU, "Abortive draw: three rons"),
        (HandEnd.SUUKAIKAN, "Abortive draw: four kans"),
        (HandEnd.EXHAUSTIVE, "Exhaustive draw"),
        (HandEnd.NAGASHI, "Nagashi mangan"),
        (HandEnd.UNKNOWN_DRAW, "Draw"),
    ],
)
def test_every_kind_of_draw(kind: HandEnd, words: str) -> None:
    made = draft([draws(0, "1m"), 0])
    made.hand_draw(1, {"kind": kind, "scores": [25000] * 4, "deltas": [0] * 4})
    assert result(made) == [
        f"   {words}",
        "   25000              25000              25000              25000",
    ]


def test_an_exhaustive_draw_tells_who_is_tenpai() -> None:
    made = draft([draws(0, "1m"), 0], names=["Aoi", "牡丹", "Chiyo", "Daigo"], sticks=2)
    tiles = b"".join(bytes(codes(hand)).ljust(14, b"\xff") for hand in ("", "1223m", "9p", ""))
    made.hand_draw(
        1,
        {"kind": HandEnd.EXHAUSTIVE, "scores": [25000, 24000, 25000, 25000], "shown": tiles,
         "tenpai": bytes([0, 1, 1, 0]), "deltas": [-1500, 1500, 1500, -1500]},
    )  # fmt: skip
    assert result(made) == [
        "   Exhaustive draw · tenpai: 牡丹, Chiyo",
        "   牡丹             1223m",
        "   Chiyo            9p",
        "   23500 -1500        25500 +1500 -1000  26500 +1500        23500 -1500",
    ]
    nobody = draft([0])
    nobody.hand_draw(0, {"kind": HandEnd.EXHAUSTIVE, "tenpai": bytes(4)})
    assert result(nobody) == ["   Exhaustive draw · tenpai: nobody"]


def test_a_hand_without_end() -> None:
    assert result(draft([draws(0, "1m")])) == ["   The log stops inside this hand."]
    assert result(draft([])) == ["   The log stops inside this hand."]


# --- names and the game's head -------------------------------------------------------------------------


@each_row(
    ("name", "clean"),
    [
        ("[red]x[/red]", "[red]x[/red]"),
        ("a\x1b[31mb", "a[31mb"),
        ("a\x9b31mb\r\n\tc", "a31mb c"),
        ("a\u202eb\u2066c\u200b\u200dd", "abcd"),
        ("  a \u3000 b ", "a b"),
        ("が", "が"),
    ],
)
def test_names_are_cleaned_and_never_read_as_markup(name: str, clean: str) -> None:
    assert display_name(name) == clean
    lines = lines_of(draft([draws(0, "1m")], names=[name, "B", "C", "D"]))
    assert f"E {clean}".ljust(5) in lines[1]


def test_long_and_wide_names_are_cut_to_their_column() -> None:
    assert fit("四文字熟語", 10) == "四文字熟語"
    assert fit("四文字熟語", 9) == "四文字熟…"
    assert fit("四文字熟語", 8) == "四文字…"
    assert fit("x" * 500, 5) == "xxxx…"
    lines = lines_of(draft([], names=["四" * 30, "x" * 30, "👨‍👩‍👧" * 9, "d"]))
    columns = [cell_len(lines[1][: lines[1].index(mark)]) for mark in (" E ", " S ", " W ", " N ")]
    assert columns == [2, 21, 40, 59]


def test_a_seat_without_a_name_goes_by_its_number() -> None:
    assert "S seat 1" in lines_of(draft([], names=["Aoi", "\x1b", "C", "D"]))[1]


def head(**cells: Any) -> list[str]:
    builder = BatchBuilder()
    made = draft([])
    made.game |= cells
    builder.add(made)
    return [line.plain for line in game_lines(Game.of(builder.finish(), 0))]


def test_a_head_tells_rules_that_are_out_of_the_ordinary() -> None:
    lines = head(
        id="2020010100gm-0009-1234-00000000", started="2020-01-01T00", go_type=0x09 | 0x40, lobby="1234",
        ruleset="tenhou", overrides='{"red_man":0,"red_pin":0,"red_sou":0,"kuitan":false,"kiriage":true,'
        '"wind_rounds":1}', title="Spring [b]Cup[/b]",
    )  # fmt: skip
    assert lines[:4] == [
        "══ 2020010100gm-0009-1234-00000000 ═══════════════════════════ 2020-01-01 00h ══",
        "Spring [b]Cup[/b]",
        "lobby 1234 · fast · rules tenhou · 4 players · east only · no open tanyao",
        "no red fives · kiriage=true",
    ]


def test_a_head_leaves_out_what_is_not_known() -> None:
    assert head(rate=[float("inf"), 1e300, float("nan"), 1500.0], dan=bytes([255, 0, 9, 10])) == [
        "══ game without a name ═════════════════════════════════════════════════════════",
        "4 players",
        "",
        "seat player                    grade      rate    score   points  place",
        "0    Aoi                                   inf",
        "1    Botan                     newcomer  1000…",
        "2    Chiyo                     1 kyu",
        "3    Daigo                     1 dan      1500",
        "",
    ]


def test_places_are_shared_by_equals() -> None:
    places = [line[-1] for line in head(final_scores=[30000, 20000, 30000, 20000])[4:8]]
    assert places == ["1", "3", "1", "3"]


def test_grades() -> None:
    assert [grade_name(dan) for dan in (None, 0, 1, 9, 10, 19, 20)] == [
        "", "newcomer", "9 kyu", "1 kyu", "1 dan", "10 dan", "tenhoui",
    ]  # fmt: skip


# --- 80 columns ----------------------------------------------------------------------------------------

tile_codes = st.one_of(st.integers(0, 135), st.integers(CODE_OF_TILE, CODE_OF_TILE + 36), st.just(255))
words = st.builds(
    lambda kind, seat, tile, source, own, flags: pack(kind, seat, tile, source, tuple(own), flags),
    st.sampled_from(sorted(set(EventKind) - {EventKind.WIN, EventKind.HAND_DRAW})),
    st.sampled_from([0, 1, 2, 3, 255]),
    tile_codes,
    st.sampled_from([0, 1, 2, 3, 255]),
    st.lists(tile_codes, max_size=3),
    st.integers(0, 3),
)


@pytest.mark.full
@given(
    st.lists(words, max_size=60),
    st.sampled_from([3, 4]),
    st.lists(st.text(max_size=40), min_size=4, max_size=4),
    st.binary(max_size=14).map(lambda tiles: bytes(t % 136 for t in tiles)),
    st.integers(0, 9999),
    st.integers(0, 63),
)
def test_no_line_is_wider_than_80_cells(
    events: list[int], players: int, names: list[str], tiles: bytes, number: int, round_: int
) -> None:
    """Whatever events a log strings together, and whatever the players are called."""
    made = draft([*events, 0, 0, 0], players=players, names=names, honba=number, sticks=number, round=round_)
    at = len(events)
    points = {"scores": [-number * 1000] * 4, "deltas": [number, -number, 0, number]}
    value = {
        "yaku": bytes(range(24)),
        "han": bytes([13] * 24),
        "points": number * 1000,
        "limit": 5,
        "fu": 110,
    }
    made.win(at, points | value | {"seat": 2, "source": 1, "tile": 255, "tiles": tiles})
    made.win(at + 1, points | {"seat": 0, "source": 0})
    shown = {"tenpai": bytes([1, 1, 1, 1]), "shown": tiles.ljust(14, b"\xff") * 4}
    made.hand_draw(at + 2, points | shown | {"kind": HandEnd.NAGASHI})
    for viewer in (None, 0, 2):
        for line in lines_of(made, viewer=viewer):
            assert cell_len(line) <= 80, line


def check_widths(paths: list[Path]) -> tuple[int, int]:
    """Render games in all ways; return the numbers of games and lines."""
    count = widest = lines = 0
    for batch in read_batches(paths):
        for game in games(batch):
            count += 1
            shown: list[Text] = list(game_lines(game))
            for hand in game.hands:
                viewer = hand.index % (game.players + 1)
                for seat in (None, viewer if viewer < game.players else None):
                    shown += HandWriter(hand, game.names, seat).lines()
            widest = max(widest, *(line.cell_len for line in shown))
            lines += len(shown)
            assert widest <= 80, game
    return count, lines


def corpus(shared: Path) -> list[Path]:
    return sorted(path for path in (shared / "logs" / "mjlog").rglob("*") if path.is_file())


@pytest.mark.corpus
@pytest.mark.slow
def test_every_real_log_fits_80_columns(shared: Path) -> None:
    paths = corpus(shared)
    count, lines = check_widths(paths)
    assert count == 2538
    assert lines > 2_000_000


@pytest.mark.corpus
def test_what_is_shown_of_real_hands_is_what_they_hold(shared: Path) -> None:
    """In 20 games: as many arrows as discards, as many wins and riichi as the log has."""
    hands = 0
    for batch in read_batches(corpus(shared)[::120]):
        for game in games(batch):
            for hand in game.hands:
                hands += 1
                text = [line.plain for line in HandWriter(hand, game.names).lines()]
                table = "\n".join(text[4 : text.index("")])
                kinds = [event.kind for event in hand.events]
                assert len(re.findall("[→↓]", table)) == kinds.count(EventKind.DISCARD)
                assert table.count("ron") == sum(not win.is_tsumo for win in hand.wins)
                assert table.count("tsumo") == sum(win.is_tsumo for win in hand.wins)
                assert table.count("riichi") == kinds.count(EventKind.RIICHI)
    assert hands > 150
