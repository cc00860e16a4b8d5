"""Reading mjlog: each element and attribute, what is refused and where, and every way to spell it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from builders import (
    GO,
    HEAD,
    HEAD_SANMA,
    OWARI,
    OYA,
    UN,
    agari,
    assert_sound,
    faults,
    game,
    init,
    mjlog,
    read,
    ryuukyoku,
    turns,
)
from case_data import case_data
from each_row import each_row

from paifu.parsers.mjlog import reader as parser
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.kernels.running import LIBRARY
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE

K = EventKind


def sound(*elements: str, **options: Any) -> Batch:
    """The batch of one game that is read without a fault, by both ways."""
    text = mjlog(*elements)
    batch = read(text, **options)
    assert faults(batch) == []
    assert_sound(batch)
    assert read(text.replace(b"</mjloggm>", b"<!-- --></mjloggm>"), **options).differences(batch) == []
    return batch


def cell(batch: Batch, column: str, row: int = 0) -> Any:
    """One cell, such as ``games.lobby``, as plain Python."""
    table, _, name = column.partition(".")
    value = getattr(getattr(batch, table), name)[row]
    return value.tolist() if hasattr(value, "tolist") else value


def events(batch: Batch) -> list[tuple[str, int, int, int, list[int]]]:
    """Kind, seat, source, tile id and own ids of each event."""
    e = batch.events
    kinds = [K(kind).name for kind in e.kind.tolist()]
    return list(
        zip(kinds, e.seat.tolist(), e.source.tolist(), e.tile_id.tolist(), e.own_id.tolist(), strict=True)
    )


# --- a whole game --------------------------------------------------------------------------------------


def test_a_whole_game() -> None:
    batch = sound(
        HEAD, init(), turns(1), agari(), init(seed="1,0,0,3,4,134", oya=1), turns(2), ryuukyoku(owari=OWARI)
    )
    game_row = {name: cell(batch, f"games.{name}") for name, _ in batch.games.arrays()}
    assert game_row == {
        "id": "", "source": "x.mjlog", "format": "mjlog", "version": "2.3", "ruleset": "tenhou",
        "overrides": '{"rounding":"nearest"}', "rule": "", "go_type": 9, "lobby": "0", "title": "",
        "started": "",
        "players": 4, "first_dealer": 0, "names": ["a", "b", "c", "d"], "dan": [0, 1, 2, 3],
        "rate": [1500.0, 1600.0, 1700.0, 1800.0], "sex": ["M", "F", "C", "M"], "seed": "",
        "final_scores": [25000] * 4, "final_points": [0.0] * 4, "final_chips": [UNKNOWN_POINTS] * 4,
        "penalties": [0] * 4, "is_cut": False, "hand_begin": 0, "hand_end": 2,
        "event_begin": 0, "event_end": 8,
    }  # fmt: skip
    hand = {name: cell(batch, f"hands.{name}", 1) for name, _ in batch.hands.arrays()}
    dealt = [list(range(13 * seat, 13 * seat + 13)) for seat in range(4)]
    assert hand.pop("dealt_id") == dealt
    assert [[tile // 4 if tile != 16 else 34 for tile in row] for row in dealt] == hand.pop("dealt")
    assert hand == {
        "game": 0, "round": 1, "honba": 0, "sticks": 0, "dealer": 1, "dice": [3, 4], "scores": [25000] * 4,
        "chips": [UNKNOWN_POINTS] * 4, "dora": 33, "dora_id": 134, "seed": "", "end": HandEnd.EXHAUSTIVE,
        "event_begin": 3, "event_end": 8,
    }  # fmt: skip
    assert events(batch)[:4] == [
        ("DRAW", 0, NO_SEAT, 52, [255] * 3),
        ("DISCARD", 0, NO_SEAT, 52, [255] * 3),
        ("WIN", 1, 0, 52, [255] * 3),
        ("DRAW", 0, NO_SEAT, 52, [255] * 3),
    ]
    assert cell(batch, "events.tile") == 35
    win = {name: cell(batch, f"wins.{name}") for name, _ in batch.wins.arrays()}
    assert win == {
        "game": 0, "hand": 0, "event": 2, "seat": 1, "source": 0, "liable": NO_SEAT, "tile": 35,
        "tile_id": 52,
        "tiles": [3, 3, 35] + [255] * 11, "tiles_id": [13, 14, 52] + [255] * 11, "melds": [-1] * 8,
        "fu": 30, "points": 1000, "limit": 0, "honba": 0, "sticks": 0, "yaku": [8] + [255] * 23,
        "han": [1] + [0] * 23, "scores": [25000] * 4, "deltas": [-1000, 1000, 0, 0],
        "own_scores": [UNKNOWN_POINTS] * 4, "patterns": "",
        "chips": [UNKNOWN_POINTS] * 4, "dora": [33] + [255] * 4, "dora_id": [135] + [255] * 4,
        "ura": [255] * 5, "ura_id": [255] * 5,
    }  # fmt: skip
    draw = {name: cell(batch, f"hand_draws.{name}") for name, _ in batch.hand_draws.arrays()}
    assert draw == {
        "game": 0, "hand": 1, "event": 7, "kind": HandEnd.EXHAUSTIVE, "honba": 0, "sticks": 0,
        "scores": [25000] * 4, "deltas": [0] * 4, "chips": [UNKNOWN_POINTS] * 4, "tenpai": [0] * 4,
        "shown": [[255] * 14] * 4, "shown_id": [[255] * 14] * 4,
    }  # fmt: skip


# --- an attribute that stands twice --------------------------------------------------------------------

TWO_HANDS = mjlog(
    HEAD, init(), turns(1), agari(), init(seed="1,0,0,3,4,134", oya=1), turns(2), ryuukyoku(owari=OWARI)
)


def doubled(name: str, other: Callable[[bytes], bytes] = bytes, text: bytes = TWO_HANDS) -> bytes:
    """A log in which the last attribute of a name stands twice, the second time as ``other`` makes it."""
    found = list(re.finditer(rb' %b="([^"]*)"' % name.encode(), text))[-1]
    again = b' %b="%b"' % (name.encode(), other(found[1]))
    return text[: found.end()] + again + text[found.end() :]


@each_row("name", ["owari", "ba", "sc", "seed", "hai3", "who", "n0", "type", "oya", "ver"])
def test_an_attribute_that_says_the_same_twice_is_read_once(name: str) -> None:
    batch = read(doubled(name))
    assert faults(batch) == []
    assert batch.differences(read(TWO_HANDS)) == []


def test_some_attributes_in_many_places_say_the_same_twice() -> None:
    text = re.sub(rb' (owari|ba|ten)="([^"]*)"', rb' \1="\2" \1="\2"\n\1 = "\2"', TWO_HANDS)
    assert text.count(b"owari") == 3
    batch = read(text)
    assert faults(batch) == []
    assert batch.differences(read(TWO_HANDS)) == []


def test_an_attribute_that_says_two_things_says_neither() -> None:
    other = "260,1.0,240,-1.0,250,0.0,250,0.0"
    text = doubled("owari", lambda _: other.encode())
    batch = read(text)
    ((place, code, reason, hint),) = faults(batch)
    assert (code, hint) == ("V102", "it was left out and the rest of the game read")
    assert place == f"line 1 column {text.rindex(b'<RYUU') + 1}"
    assert reason == f"the attribute owari occurs twice, as {OWARI!r} and as {other!r}"
    whole = read(TWO_HANDS)
    assert batch.games.final_scores[0].tolist() == [UNKNOWN_POINTS] * 4
    assert batch.games.is_cut[0], "it does not say how the game ended"
    for table in ("hands", "events", "wins", "hand_draws"):
        assert getattr(batch, table).differences(getattr(whole, table)) == []


def test_an_element_without_what_it_says_twice_is_read_as_far_as_it_goes() -> None:
    batch = read(doubled("sc", lambda value: value.replace(b"250", b"251")))
    assert [reason for _, _, reason, _ in faults(batch)] == [
        "the attribute sc occurs twice, as '250,0,250,0,250,0,250,0' and as '251,0,251,0,251,0,251,0'",
    ]
    assert batch.hands.end.tolist() == [HandEnd.WIN, HandEnd.EXHAUSTIVE]


def test_what_else_is_wrong_is_told_where_it_stands() -> None:
    text = doubled("ba")
    at = text.rindex(b"<D5") + 1
    (fault,) = faults(read(text[:at] + b"=" + text[at:]))
    assert fault[0] == f"line 1 column {at + 1}"


def test_attributes_that_differ_are_told_within_bounds() -> None:
    text = TWO_HANDS.replace(b"<T52/>", b"<T52/>" + b'<new a="1" a="2"/>' * 5000)
    assert 10 < len(faults(read(text))) < 30


# --- one element, one attribute ------------------------------------------------------------------------

ONE = (init(), turns(1), agari(owari=OWARI))
TABLES = case_data("mjlog")
NAMED = {"GO": GO, "UN": UN, "OYA": OYA, "HEAD": HEAD, "INIT": init(), "AGARI": agari()}


def end_of(row: dict[str, Any], otherwise: dict[str, str]) -> str:
    """The element that ends the hand of a row."""
    if "drawn" in row:
        return ryuukyoku(**row["drawn"])
    return agari(
        **{name: None if value is False else value for name, value in row.get("won", otherwise).items()}
    )


def filled(value: list[Any], found: list[Any], fill: int) -> list[Any]:
    """The value with what stands behind it in cells of a fixed length."""
    if isinstance(found[0], list):
        return [filled(part, other, fill) for part, other in zip(value, found, strict=True)]
    return value + [fill] * (len(found) - len(value))


@each_row("name", TABLES["cells"])
def test_a_cell(name: str) -> None:
    row = TABLES["cells"][name]
    head = [NAMED.get(element, element) for element in row.get("head", ["HEAD"])]
    batch = sound(*head, init(**row.get("dealt", {})), turns(1), end_of(row, {"owari": OWARI}))
    found, value = cell(batch, row["column"]), row["value"]
    assert found == (filled(value, found, row["fill"]) if "fill" in row else value)


@each_row("version", ["2.3", "2.2", "2.1", "3.0", "", "2.3 beta", "very very long indeed, this is"])
def test_any_version_is_read_and_stated(version: str) -> None:
    batch = read(mjlog(HEAD, *ONE, version=version))
    assert faults(batch) == []
    assert cell(batch, "games.version") == version
    assert len(batch.events) == 3


def test_a_root_without_a_version() -> None:
    batch = read(mjlog(HEAD, *ONE).replace(b' ver="2.3"', b""))
    assert (faults(batch), cell(batch, "games.version"), len(batch.events)) == ([], "", 3)


DRAWS = {
    None: HandEnd.EXHAUSTIVE,
    "": HandEnd.EXHAUSTIVE,
    "nm": HandEnd.NAGASHI,
    "yao9": HandEnd.KYUUSHU,
    "kaze4": HandEnd.SUUFON,
    "reach4": HandEnd.SUUCHA,
    "ron3": HandEnd.SANCHAHOU,
    "kan4": HandEnd.SUUKAIKAN,
}


@each_row(("kind", "end"), DRAWS.items())
def test_kinds_of_draws(kind: str | None, end: HandEnd) -> None:
    batch = sound(HEAD, init(), turns(1), ryuukyoku(type=kind, owari=OWARI))
    assert (cell(batch, "hand_draws.kind"), cell(batch, "hands.end")) == (end, end)


def test_several_winners_follow_one_another() -> None:
    second = agari(who=3, sc="240,-20,260,0,250,0,250,20", ba="0,0", ten="30,2000,0", owari=OWARI)
    batch = sound(
        HEAD,
        init(),
        turns(1),
        agari(),
        second,
    )
    assert batch.wins.seat.tolist() == [1, 3]
    assert batch.wins.event.tolist() == [2, 3]
    assert batch.wins.hand.tolist() == [0, 0]
    assert batch.wins.scores.tolist() == [[25000] * 4, [24000, 26000, 25000, 25000]]
    assert cell(batch, "hands.end") == HandEnd.WIN
    assert [kind for kind, *_ in events(batch)] == ["DRAW", "DISCARD", "WIN", "WIN"]


def test_moves_of_a_hand() -> None:
    batch = sound(
        HEAD,
        init(),
        "<T52/>",
        '<REACH who="0" step="1"/>',
        "<D52/>",
        '<REACH who="0" ten="240,250,250,250" step="2"/>',
        "<U53/><E53/>",
        '<N who="2" m="20489" />',  # the pon of 53 with 54, 55
        "<F39/>",
        '<REACH who="3" step="1" /><REACH who="3" step="2"/>',
        '<DORA hai="131"/>',
        "<V60/><F60/><W61/><G13/>",
        ryuukyoku(owari=OWARI),
    )
    none = [255] * 3
    assert events(batch) == [
        ("DRAW", 0, NO_SEAT, 52, none),
        ("RIICHI", 0, NO_SEAT, 255, none),
        ("DISCARD", 0, NO_SEAT, 52, none),
        ("RIICHI_PAID", 0, NO_SEAT, 255, none),
        ("DRAW", 1, NO_SEAT, 53, none),
        ("DISCARD", 1, NO_SEAT, 53, none),
        ("PON", 2, 3, 54, [53, 55, 255]),
        ("DISCARD", 2, NO_SEAT, 39, none),
        ("RIICHI", 3, NO_SEAT, 255, none),
        ("RIICHI_PAID", 3, NO_SEAT, 255, none),
        ("DORA", NO_SEAT, NO_SEAT, 131, none),
        ("DRAW", 2, NO_SEAT, 60, none),
        ("DISCARD", 2, NO_SEAT, 60, none),
        ("DRAW", 3, NO_SEAT, 61, none),
        ("DISCARD", 3, NO_SEAT, 13, none),
        ("HAND_DRAW", NO_SEAT, NO_SEAT, 255, none),
    ]
    assert np.flatnonzero(batch.events.flags).tolist() == [2, 5, 12]
    # Logs of 2009 and 2010 do not state the scores after the payment.
    assert batch.riichi_scores.event.tolist() == [3]
    assert batch.riichi_scores.scores.tolist() == [[24000, 25000, 25000, 25000]]


@pytest.mark.parametrize("seat", range(4))
def test_each_seat_draws_and_discards_each_tile(seat: int) -> None:
    moves = "".join(f"<{'TUVW'[seat]}{tile}/><{'DEFG'[seat]}{tile}/>" for tile in range(136))
    batch = sound(HEAD, init(), moves, ryuukyoku(owari=OWARI))
    assert events(batch)[:-1] == [
        (kind, seat, NO_SEAT, tile, [255] * 3) for tile in range(136) for kind in ("DRAW", "DISCARD")
    ]


def test_players_who_leave_and_return() -> None:
    batch = sound(
        '<BYE who="3"/>', HEAD, '<BYE who="2" /><UN n2="%63"/>', init(), turns(1), '<BYE who="0"/>', agari(),
        '<UN n0="%61" />', init(), turns(1), agari(owari=OWARI), '<BYE who="1"/>',
    )  # fmt: skip
    assert [(kind, seat) for kind, seat, *_ in events(batch) if kind in ("LEAVE", "RETURN")] == [
        ("LEAVE", 3), ("LEAVE", 2), ("RETURN", 2), ("LEAVE", 0), ("RETURN", 0), ("LEAVE", 1),
    ]  # fmt: skip
    assert cell(batch, "games.names") == ["a", "b", "c", "d"]
    assert (cell(batch, "games.event_begin"), cell(batch, "games.event_end")) == (0, 12)
    assert batch.hands.event_begin.tolist() == [3, 8]
    assert batch.hands.event_end.tolist() == [8, 12]


def test_a_return_may_come_before_the_players_are_named() -> None:
    batch = sound(GO, '<UN n1="%62"/>', UN, OYA, *ONE)
    assert cell(batch, "games.names") == ["a", "b", "c", "d"]
    assert events(batch)[0][:2] == ("RETURN", 1)


def test_three_players() -> None:
    end = agari(owari="350,0,350,0,350,0,0,0", sc="350,-10,350,10,350,0,0,0")
    batch = sound(HEAD_SANMA, init(players=3, hai3=""), turns(3, players=3), '<N who="2" m="31776" />', end)
    assert cell(batch, "games.players") == 3
    assert cell(batch, "games.ruleset") == "tenhou-sanma"
    assert cell(batch, "games.names") == ["a", "b", "c", ""]
    assert cell(batch, "hands.dealt_id")[3] == [NO_TILE] * 13
    assert cell(batch, "hands.scores") == [35000, 35000, 35000, 0]
    assert events(batch)[6] == ("KITA", 2, NO_SEAT, 124, [255] * 3)
    assert (
        sound(HEAD_SANMA, init(players=3), turns(3, players=3), end).differences(
            sound(HEAD_SANMA, init(players=3, hai3=""), turns(3, players=3), end)
        )
        == []
    )


def test_a_game_without_red_fives() -> None:
    batch = sound('<GO type="11"/>', UN, OYA, *ONE)
    assert cell(batch, "events.tile") == 13
    assert cell(batch, "hands.dealt")[1][3] == 4


def test_the_id_and_the_hour_are_in_the_name() -> None:
    name = "/logs/2009/2009031120gm-00e1-0000-0123abcd.mjlog.gz"
    batch = sound(GO.replace('"9"', '"225"'), UN, OYA, *ONE, name=name)
    assert cell(batch, "games.id") == "2009031120gm-00e1-0000-0123abcd"
    assert cell(batch, "games.started") == "2009-03-11T20"
    assert '"tenpai_yame":false' in cell(batch, "games.overrides")
    assert cell(batch, "games.source") == name


# --- several games, cut games --------------------------------------------------------------------------


@pytest.mark.parametrize("between", ["", "\n", "\r\n\r\n", " \t"])
def test_several_roots_are_several_games(between: str) -> None:
    text = (between.encode()).join([b"", game(0), game(1), game(2), b""])
    batch = read(text)
    assert faults(batch) == []
    assert batch.games.source.tolist() == ["x.mjlog#1", "x.mjlog#2", "x.mjlog#3"]
    assert batch.games.lobby.tolist() == ["0", "1", "2"]
    singles = Batch.concatenate([read(game(number)) for number in range(3)])
    assert batch.differences(singles, ignore=["games.source"]) == []


def test_a_broken_game_among_others_is_one_fault() -> None:
    batch = read(game(0) + game(1).replace(b"<E53/>", b"<E531/>") + game(2))
    assert batch.games.lobby.tolist() == ["0", "1", "2"]
    assert batch.games.is_cut.tolist() == [False, True, False]
    assert batch.faults.source.tolist() == ["x.mjlog#2"]


CUT = game(5, hands=3)
WHOLE = read(CUT)


@each_row("part", range(8))
def test_a_game_cut_anywhere_keeps_every_element_before(part: int) -> None:
    places = [*range(10, len(CUT) - len("</mjloggm>") + 1, 7), len(CUT) - 1, len(CUT) - 10]
    for at in places[part::8]:
        _assert_what_is_before_is_kept(CUT[:at])


def _assert_what_is_before_is_kept(text: bytes) -> None:
    batch = read(text)
    assert_sound(batch)
    assert len(batch.faults) == 1
    place, code, reason, hint = faults(batch)[0]
    hands = text.count(b"<INIT ") - (text.rfind(b"<INIT ") > text.rfind(b">"))
    assert len(batch.hands) == hands
    assert len(batch) == (hands > 0)
    assert code == "V101"
    assert "breaks off" in reason
    assert place.startswith("line 1 column ")
    assert "fetch the log again" in hint
    if hands:
        assert batch.games.is_cut.tolist() == [True]
        complete = len(re.findall(rb"<[D-GT-W]\d+/>|<RYUUKYOKU [^>]*>|<AGARI [^>]*>", text))
        assert len(batch.events) == complete
        for name, array in batch.events.arrays():
            assert array.tolist() == getattr(WHOLE.events, name)[:complete].tolist()


@pytest.mark.parametrize("at", [300, 700, len(CUT) - 100])
def test_what_was_told_before_is_not_told_again(at: int) -> None:
    batch = read_unit([Document("x.mjlog", CUT[:at], Format.MJLOG, cut=True)])
    assert faults(batch) == []
    assert batch.games.is_cut.tolist() == [True] * (at > 300)


def test_a_game_without_its_result_is_cut_but_no_fault() -> None:
    for elements in ((init(), turns(1), agari()), (init(), turns(1)), (init(),)):
        batch = sound(HEAD, *elements)
        assert batch.games.is_cut.tolist() == [True]
    assert cell(sound(HEAD, init(), turns(1)), "hands.end") == HandEnd.UNFINISHED
    assert sound(HEAD, *ONE).games.is_cut.tolist() == [False]


# --- spellings -----------------------------------------------------------------------------------------

PLAIN = mjlog(
    '<GO type="9" lobby="0" title="%61%26b"/>',
    UN,
    OYA,
    '<BYE who="2"/>',
    init(),
    turns(3),
    agari(owari=OWARI),
)
SPELLINGS: dict[str, Callable[[bytes], bytes]] = {
    "trailing line break": lambda text: text + b"\n",
    "leading blanks": lambda text: b" \r\n" + text,
    "declaration": lambda text: b'<?xml version="1.0" encoding="UTF-8"?>\n' + text,
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "mark and declaration": lambda text: b'\xef\xbb\xbf<?xml version="1.0"?>' + text,
    "line breaks between elements": lambda text: text.replace(b"><", b">\n\t<"),
    "comments": lambda text: text.replace(b"<AGARI", b"<!-- <T1/> & -- >--><AGARI".replace(b"-- >", b"")),
    "a comment before the root": lambda text: b"<!-- a log -->" + text,
    "a processing instruction": lambda text: text.replace(b"<AGARI", b"<?view fast?><AGARI"),
    "single quotes": lambda text: text.replace(b'"', b"'"),
    "blanks in elements": lambda text: text.replace(b"/>", b"  />").replace(b" who=", b"\n  who="),
    "blanks around equals": lambda text: text.replace(b"=", b" = "),
    "entities": lambda text: text.replace(b"%61%26b", b"&#97;&amp;b").replace(b'"250,', b'"&#x32;50,'),
    "end tags": lambda text: re.sub(rb"<(\w+)\b([^<>]*)/>", rb"<\1\2></\1>", text),
    "a blank before the end": lambda text: text.replace(b"/>", b" />"),
    "other order of attributes": lambda text: text.replace(
        b'<GO type="9" lobby="0"', b'<GO lobby="0" type="9"'
    ),
    "a blank in the end tag": lambda text: text.replace(b"</mjloggm>", b"</mjloggm >"),
    "CDATA of nothing": lambda text: text.replace(b"<AGARI", b"<![CDATA[ ]]><AGARI"),
}


@each_row("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_any_spelling_is_read_alike(spell: Callable[[bytes], bytes]) -> None:
    text = spell(PLAIN)
    assert text != PLAIN
    batch = read(text)
    assert faults(batch) == []
    assert batch.differences(read(PLAIN)) == []
    assert cell(batch, "games.title") == "a&b"


def test_bytes_that_are_no_text_spoil_the_value_alone() -> None:
    for text in (PLAIN, PLAIN.replace(b"</mjloggm>", b"<!-- --></mjloggm>")):
        batch = read(text.replace(b'n1="%62"', b'n1="\xff"'))
        assert (faults(batch), batch.games.names[0, 1]) == ([], "\ufffd")


def test_another_encoding_is_read_when_it_is_declared() -> None:
    text = '<?xml version="1.0" encoding="Shift_JIS"?>' + PLAIN.decode().replace("%61", "東")
    assert cell(read(text.encode("shift_jis")), "games.title") == "東&b"


def test_the_plain_spelling_needs_no_lxml(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read(PLAIN)

    def refuse(*arguments: object) -> None:
        raise AssertionError("lxml was asked")

    monkeypatch.setattr("paifu.parsers.mjlog.by_element.elements", refuse)
    monkeypatch.setattr(parser, "way", lambda: LIBRARY)
    assert read(PLAIN, PLAIN).take(1).differences(expected) == []
    assert "lxml was asked" in read(PLAIN.replace(b'"', b"'")).faults.reason[0]


# --- what is refused -----------------------------------------------------------------------------------


def behind_the_head(row: dict[str, Any]) -> str:
    """The elements of a row that no game can hold."""
    if "elements" in row:
        return "".join(NAMED.get(element, element) for element in row["elements"])
    deal = init(**row.get("dealt", {}))
    if "moves" in row or "dealt" in row:
        return deal + row.get("moves", "")
    return deal + end_of(row, {})


@each_row("name", TABLES["wrong"])
def test_what_no_game_can_hold_ends_it(name: str) -> None:
    row = TABLES["wrong"][name]
    elements = behind_the_head(row)
    alone, tags = mjlog(HEAD, elements), re.findall(r"<(\w+)", elements)
    for text in (alone, alone.replace(b"</mjloggm>", b"<!----></mjloggm>")):
        batch = read(text)
        assert_sound(batch)
        ((place, code, reason, hint),) = faults(batch)
        assert (place, code) == (f"element {4 + len(tags)} <{tags[-1]}>", row.get("code", "V105"))
        assert row["reason"] in reason
        assert hint == "hands before this place were kept"
        assert batch.games.is_cut.all()


@pytest.mark.parametrize("none", ["-1", "odd"])
def test_a_game_of_no_type_is_refused(none: str) -> None:
    batch = read(mjlog(f'<GO type="{none}"/>', UN, OYA, *ONE))
    assert [(place, code) for place, code, _, _ in faults(batch)] == [("element 2 <GO>", "V105")]
    assert f"the type is '{none}'" in faults(batch)[0][2]


@each_row("name", [name for name, row in TABLES["wrong"].items() if "elements" not in row])
def test_hands_before_it_are_kept_as_they_are(name: str) -> None:
    elements = behind_the_head(TABLES["wrong"][name])
    sound_part = HEAD + init() + turns(2) + ryuukyoku()
    expected = read(mjlog(sound_part))
    batch = read(mjlog(sound_part, elements, turns(3), agari(owari=OWARI)))
    assert len(batch.faults) == 1
    assert batch.games.is_cut.tolist() == [True]
    assert batch.hand_draws.differences(expected.hand_draws) == []
    assert batch.events.kind[: len(expected.events)].tolist() == expected.events.kind.tolist()
    assert len(batch.events) - len(expected.events) == elements.count("<T52/>")
    assert len(batch.wins) == 0


def test_an_unknown_element_is_told_once_and_passed_over() -> None:
    text = mjlog(
        HEAD, '<CHAT who="0" text="hello"/>', init(), "<CHAT/><T52/><CHAT/><D52/>", agari(owari=OWARI)
    )
    for spelling in (text, text.replace(b"</mjloggm>", b"<!----></mjloggm>")):
        batch = read(spelling)
        assert faults(batch) == [
            (
                "element 5 <CHAT>",
                "V102",
                "unknown element <CHAT>",
                "it was skipped and the rest of the game read",
            )
        ]
        assert batch.games.is_cut.tolist() == [False]
        assert batch.events.differences(read(mjlog(HEAD, init(), turns(1), agari(owari=OWARI))).events) == []


def test_many_unknown_elements_are_not_all_told() -> None:
    batch = read(mjlog(HEAD, init(), *(f"<X{number}/>" for number in range(1000)), agari(owari=OWARI)))
    assert batch.faults.reason.tolist() == [f"unknown element <X{number}>" for number in range(20)]


def test_a_tile_with_an_attribute_is_still_a_tile() -> None:
    text = mjlog(HEAD, init(), turns(1), agari(owari=OWARI))
    odd = text.replace(b"<T52/>", b'<T52 at="12:00"/>').replace(b"<D52/>", b"<D52 />")
    assert read(odd).differences(read(text)) == []


@pytest.mark.parametrize(
    "moves",
    [
        "<W60/>",
        "<G60/>",
        '<N who="3" m="31776"/>',
        '<N who="0" m="20491"/>',
        '<BYE who="3"/>',
        '<UN n3="%62"/>',
    ],
)
@pytest.mark.parametrize("end", [agari(owari=OWARI), "<T136/>", ""])
def test_three_players_have_no_fourth_seat(moves: str, end: str) -> None:
    batch = read(mjlog(HEAD_SANMA, init(players=3), turns(2, players=3), moves, end))
    assert len(batch) == 0
    assert faults(batch) == [
        (
            "element 10",
            "V105",
            "seat 3 moves or is called from in a 3-player game",
            "the game was not read; fetch it again",
        )
    ]


def test_three_players_are_dealt_three_hands() -> None:
    batch = read(mjlog(HEAD_SANMA, init(players=4, ten="350,350,350,0")))
    assert faults(batch)[0][1:3] == ("V104", "seat 3 is dealt tiles in a 3-player game")


@each_row(
    ("text", "reason"),
    [
        (mjlog(), "the log holds no hand"),
        (mjlog(HEAD), "the log holds no hand"),
        (b"<mjloggm/>", "the log holds no hand"),
        (mjlog(init(), turns(1), agari()), "no GO element comes before it, so the rules are unknown"),
        (mjlog(HEAD, *ONE).replace(b"<T52/>", b"T52/>"), "there is text between the elements"),
        (mjlog(HEAD, *ONE).replace(b"<T52/>", b"<T52>"), "Opening and ending tag mismatch"),
        (mjlog(HEAD, *ONE).replace(b"<T52/>", b'<BYE who="/>'), "Unescaped '<' not allowed"),
        (mjlog(HEAD, *ONE).replace(b"<T52/>", b'<BYE who="1"/>"x'), "there is text between the elements"),
        (mjlog(HEAD, *ONE).replace(b"<T52/>", b'<BYE"1" who=/>'), "is not well-formed"),
        (mjlog(HEAD, *ONE).replace(b"<T52/>", b'<BYE who="&x;"/>'), "Entity 'x' not defined"),
        (b"<!DOCTYPE mjloggm>" + mjlog(HEAD, *ONE), "the XML declares a document type"),
        (mjlog(HEAD, *ONE).replace(b"<T52/>", b"<T52/>\0"), "the XML breaks off or is not well-formed"),
    ],
)
def test_a_text_that_is_wrong_as_a_whole_is_one_fault(text: bytes, reason: str) -> None:
    batch = read(text)
    assert len(batch.faults) == 1
    assert reason in faults(batch)[0][2]
    assert faults(batch)[0][3]
    assert batch.games.is_cut.all()


def test_messages_stay_short_whatever_the_log_says() -> None:
    long = "9" * 100_000
    for elements in (
        f'<BYE who="{long}"/>',
        f'<N who="1" m="{long}"/>', f'<DORA hai="{long}"/>', f"<T{long}/>", f"<{'X' * 5000}/>",
        init(seed=f"0,0,0,{long},0,1"), agari(m=long), agari(ten=long), agari(owari=f"x{long},2,3,4,5,6,7,8"),
        ryuukyoku(type=long), agari(yaku=long), agari(sc=f"{long},1,1,1,1,1,1,1"),
    ):  # fmt: skip
        batch = read(mjlog(HEAD, init(), elements))
        assert len(batch.faults) == 1
        assert sum(map(len, faults(batch)[0])) < 500


@pytest.mark.parametrize(
    ("name", "seed", "is_old"),
    [
        ("x.mjlog", {"shuffle": "mt19937ar,1,2"}, True),
        ("x.mjlog", {}, False),
        ("2020010100gm-00b9-0000-2eca4cd0.mjlog", {"shuffle": "mt19937ar,1,2"}, False),
    ],
)
def test_a_game_without_a_date_is_dated_by_its_seeds(name: str, seed: dict[str, str], is_old: bool) -> None:
    games = read(mjlog(HEAD, init(**seed)), name=name).games
    assert ('"tenpai_yame":false' in games.overrides[0]) is is_old
