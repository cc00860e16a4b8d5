"""Reading mjlog: each element and attribute, what is refused and where, and every way to spell it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from builders import (
    GO,
    GO_SANMA,
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
FINAL = "-12,-51.2,412,61.2,300,10,300,-20.0"
CHIPS = "250,-10,250,10,250,0,250,0,0,-1,0,3,0,-1,0,-1"


def won(**changes: object) -> tuple[str, ...]:
    return HEAD, init(), turns(1), agari(**changes)


def drawn(**changes: object) -> tuple[str, ...]:
    return HEAD, init(), turns(1), ryuukyoku(**changes)


def dealt(**changes: object) -> tuple[str, ...]:
    return HEAD, init(**changes), *ONE[1:]


CELLS: dict[str, tuple[tuple[str, ...], str, Any]] = {
    "seed of the newest era": (
        ('<SHUFFLE seed="mt19937ar-sha512-n288-base64,QUJD/+==" ref=""/>', HEAD, *ONE),
        "games.seed",
        "mt19937ar-sha512-n288-base64,QUJD/+==",
    ),
    "seed of the middle era": (
        ('<SHUFFLE seed="mt19937ar-sha512-n288,0A,1B" ref=""/>', HEAD, *ONE),
        "games.seed",
        "mt19937ar-sha512-n288,0A,1B",
    ),
    "seed of the oldest era": (dealt(shuffle="mt19937ar,0A,1B"), "hands.seed", "mt19937ar,0A,1B"),
    "no seed": ((HEAD, *ONE), "games.seed", ""),
    "empty seed": (('<SHUFFLE seed="" ref=""/>', HEAD, *ONE), "games.seed", ""),
    "lobby": (('<GO type="9" lobby="1234"/>', UN, OYA, *ONE), "games.lobby", "1234"),
    "no lobby": (('<GO type="9"/>', UN, OYA, *ONE), "games.lobby", ""),
    "type": (('<GO type="2113"/>', UN, OYA, *ONE), "games.go_type", 2113),
    "east game": (
        ('<GO type="1"/>', UN, OYA, *ONE[:2], agari()),
        "games.overrides",
        '{"max_wind_rounds":2,"wind_rounds":1}',
    ),
    "title": (('<GO type="9" title="%E2%99%AA a"/>', UN, OYA, *ONE), "games.title", "♪ a"),
    "title encoded wrongly": (('<GO type="9" title="%4%1"/>', UN, OYA, *ONE), "games.title", "%4%1"),
    "title half encoded": (('<GO type="9" title="%41bc"/>', UN, OYA, *ONE), "games.title", "Abc"),
    "broken title": (('<GO type="9" title="%E2%99%"/>', UN, OYA, *ONE), "games.title", "\ufffd%"),
    "no title": ((HEAD, *ONE), "games.title", ""),
    "custom rules as they stand": (
        ('<GO type="9" csrule="2,0,,,300"/>', UN, OYA, *ONE),
        "games.rule",
        "2,0,,,300",
    ),
    "custom rules": (('<GO type="9" csrule="2,0"/>', UN, OYA, *ONE), "games.overrides", '{"kiriage":true}'),
    "names": (
        ("<GO type='9'/>", UN.replace("%61", "%E6%9D%B1+%3C"), OYA, *ONE),
        "games.names",
        ["東+<", "b", "c", "d"],
    ),
    "no players": ((GO, OYA, *ONE), "games.names", [""] * 4),
    "players without grades": ((GO, '<UN n0="" n1="%62" n2="" n3=""/>', OYA, *ONE), "games.dan", [-1] * 4),
    "rates with a point": (
        (GO, UN.replace("1500", "1500.25").replace("1600", "-3.50"), OYA, *ONE),
        "games.rate",
        [1500.25, -3.5, 1700.0, 1800.0],
    ),
    "first dealer": ((GO, UN, '<TAIKYOKU oya="2"/>', *ONE), "games.first_dealer", 2),
    "no first dealer": ((GO, UN, *ONE), "games.first_dealer", NO_SEAT),
    "round, honba, sticks": (dealt(seed="11,12,13,0,5,99"), "hands.honba", 12),
    "round": (dealt(seed="11,12,13,0,5,99"), "hands.round", 11),
    "sticks": (dealt(seed="11,12,13,0,5,99"), "hands.sticks", 13),
    "dice": (dealt(seed="11,12,13,0,5,99"), "hands.dice", [0, 5]),
    "no dice": (dealt(seed="0,0,0,,,99"), "hands.dice", [255, 255]),
    "indicator": (dealt(seed="0,0,0,,,0"), "hands.dora_id", 0),
    "scores below nothing": (dealt(ten="-12,1012,0,0"), "hands.scores", [-1200, 101200, 0, 0]),
    "chips before a hand": (dealt(chip="1,0,-1,2"), "hands.chips", [1, 0, -1, 2]),
    "changes with chips": (won(sc=CHIPS), "wins.deltas", [-1000, 1000, 0, 0]),
    "chips of a win": (won(sc=CHIPS), "wins.chips", [-1, 3, -1, -1]),
    "chips of a draw": (
        drawn(sc="250,0,250,0,250,0,250,0,5,1,6,2,7,-3,8,0"),
        "hand_draws.chips",
        [1, 2, -3, 0],
    ),
    "final chips in pairs": (won(owari=OWARI + ",1,0,2,0,-3,0,0,0"), "games.final_chips", [1, 2, -3, 0]),
    "final chips alone": (won(owari=OWARI + ",1,2,-3,0"), "games.final_chips", [1, 2, -3, 0]),
    "final scores": (won(owari=FINAL), "games.final_scores", [-1200, 41200, 30000, 30000]),
    "final points": (won(owari=FINAL), "games.final_points", [-51.2, 61.2, 10.0, -20.0]),
    "final points after a draw": (drawn(owari=FINAL), "games.final_points", [-51.2, 61.2, 10.0, -20.0]),
    "broken points were not rounded": (won(owari=FINAL), "games.overrides", ""),
    "liable player": (won(paoWho=3), "wins.liable", 3),
    "tsumo": (won(fromWho=1), "wins.source", 1),
    "yakuman": (won(yaku=None, yakuman="39,42"), "wins.han", [13, 13] + [0] * 22),
    "first and last yaku": (won(yaku="0,1,54,2"), "wins.yaku", [0, 54] + [255] * 22),
    "most tiles shown": (
        drawn(hai2=",".join("1" * 14)),
        "hand_draws.shown_id",
        [[255] * 14, [255] * 14, [1] * 14, [255] * 14],
    ),
    "most honba": (won(ba="9999,9999"), "wins.honba", 9999),
    "yaku in the order listed": (won(yaku="52,3,1,1,53,0"), "wins.yaku", [52, 1, 53] + [255] * 21),
    "han as listed": (won(yaku="52,3,1,1,53,0"), "wins.han", [3, 1] + [0] * 22),
    "melds": (won(m="0,31264"), "wins.melds", [0, 31264] + [-1] * 6),
    "limit": (won(ten="0,32000,5"), "wins.limit", 5),
    "points": (won(ten="0,32000,5"), "wins.points", 32000),
    "ura dora": (won(doraHai="1,2", doraHaiUra="3,4"), "wins.ura_id", [3, 4, 255, 255, 255]),
    "honba of a win": (won(ba="3,2"), "wins.honba", 3),
    "sticks of a win": (won(ba="3,2"), "wins.sticks", 2),
    "sticks of a draw": (drawn(ba="3,2"), "hand_draws.sticks", 2),
    "tenpai": (drawn(hai1="13,14", hai3=""), "hand_draws.tenpai", [0, 1, 0, 1]),
    "shown hands": (
        drawn(hai1="13,14", hai3=""),
        "hand_draws.shown_id",
        [[255] * 14, [13, 14] + [255] * 12, [255] * 14, [255] * 14],
    ),
    "tenpai at nagashi": (drawn(type="nm", hai0="1"), "hand_draws.tenpai", [1, 0, 0, 0]),
    "tenpai after an abortion": (drawn(type="reach4", hai0="1"), "hand_draws.tenpai", [255] * 4),
}


@each_row(("elements", "column", "value"), CELLS.values(), ids=CELLS)
def test_a_cell(elements: tuple[str, ...], column: str, value: Any) -> None:
    assert cell(sound(*elements), column) == value


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

    monkeypatch.setattr("paifu.parsers.mjlog.elements.elements", refuse)
    monkeypatch.setattr(parser, "way", lambda: LIBRARY)
    assert read(PLAIN, PLAIN).take(1).differences(expected) == []
    assert "lxml was asked" in read(PLAIN.replace(b'"', b"'")).faults.reason[0]


# --- what is refused -----------------------------------------------------------------------------------


def _win(**changes: object) -> str:
    return init() + agari(**changes)


WRONG: dict[str, tuple[str, str, str, str]] = {
    # The elements behind HEAD, then the fault's place, code and reason. HEAD has the elements 2-4.
    "kind of draw in digits": (
        init() + ryuukyoku(type="5"),
        "element 6 <RYUUKYOKU>",
        "V102",
        "unknown kind of draw '5'",
    ),
    "tile 136 drawn": (init() + "<T136/>", "element 6 <T136>", "V105", "tile 136; ids are 0-135"),
    "tile 136 discarded": (init() + "<T52/><D136/>", "element 7 <D136>", "V105", "tile 136; ids are 0-135"),
    "tile 136 dealt": (
        init(hai0="136,1,2,3,4,5,6,7,8,9,10,11,12"),
        "element 5 <INIT>",
        "V105",
        "its tiles are '136,1,2",
    ),
    "tile of letters": (
        init() + '<DORA hai="x"/>',
        "element 6 <DORA>",
        "V105",
        "not a number or is out of range: x",
    ),
    "tile below nothing": (init() + '<DORA hai="-1"/>', "element 6 <DORA>", "V105", "'-1' is not one tile"),
    "two tiles for one": (init() + '<DORA hai="1,2"/>', "element 6 <DORA>", "V105", "'1,2' is not one tile"),
    "no tile": (init() + '<DORA hai=""/>', "element 6 <DORA>", "V105", "'' is not one tile"),
    "twelve tiles dealt": (init(hai1="1,2"), "element 5 <INIT>", "V104", "seat 1 is not dealt 13 tiles"),
    "fifteen tiles shown": (
        _win(hai=",".join("1" * 15)),
        "element 6 <AGARI>",
        "V105",
        "15 tiles; at most 14",
    ),
    "fifteen tiles shown at a draw": (
        init() + ryuukyoku(hai2=",".join("1" * 15)),
        "element 6 <RYUUKYOKU>",
        "V105",
        "15 tiles; at most 14",
    ),
    "sticks without bound": (_win(ba="0,10000"), "element 6 <AGARI>", "V105", "0 honba and 10000 sticks"),
    "six indicators": (
        _win(doraHai="1,2,3,4,5,6"),
        "element 6 <AGARI>",
        "V105",
        "6 tiles; at most 5",
    ),
    "seat 7 leaves": (init() + '<BYE who="7"/>', "element 6 <BYE>", "V105", "seat '7'; seats are 0-3"),
    "seat 7 declares": (
        init() + '<REACH who="7" step="1"/>',
        "element 6 <REACH>",
        "V105",
        "seat '7'; seats are 0-3",
    ),
    "seat 7 pays": (
        init() + '<REACH who="7" step="2"/>',
        "element 6 <REACH>",
        "V105",
        "seat '7'; seats are 0-3",
    ),
    "seat 7 calls": (init() + '<N who="7" m="0"/>', "element 6 <N>", "V105", "seat '7'; seats are 0-3"),
    "seat 7 wins": (_win(who=7), "element 6 <AGARI>", "V105", "seat '7'; seats are 0-3"),
    "seat 7 deals": (init(oya=7), "element 5 <INIT>", "V105", "seat '7'; seats are 0-3"),
    "seat 4 deals in": (_win(fromWho=4), "element 6 <AGARI>", "V105", "seat '4'"),
    "seat of letters": (init() + '<BYE who="x&amp;"/>', "element 6 <BYE>", "V105", "seat 'x&'"),
    "riichi step 3": (
        init() + '<REACH who="0" step="3"/>',
        "element 6 <REACH>",
        "V102",
        "step '3'; riichi has steps 1 and 2",
    ),
    "meld without a tile": (
        init() + '<N who="0" m="34816"/>',
        "element 6 <N>",
        "V105",
        "meld code 34816 names tile 136",
    ),
    "meld of letters": (
        init() + '<N who="0" m="z"/>',
        "element 6 <N>",
        "V105",
        "not a number or is out of range",
    ),
    "meld below nothing": (
        init() + '<N who="0" m="-4"/>',
        "element 6 <N>",
        "V105",
        "meld code -4 is negative",
    ),
    "nine melds": (_win(m="0,0,0,0,0,0,0,0,0"), "element 6 <AGARI>", "V105", "its melds are '0,0,0"),
    "unknown draw": (
        init() + ryuukyoku(type="rain"),
        "element 6 <RYUUKYOKU>",
        "V102",
        "unknown kind of draw 'rain'",
    ),
    "yaku 55": (_win(yaku="55,1"), "element 6 <AGARI>", "V105", "yaku [55] of [1] han; ids are 0-54"),
    "yaku without han": (_win(yaku="1,1,0"), "element 6 <AGARI>", "V105", "a yaku is listed without its han"),
    "han below nothing": (_win(yaku="1,-1"), "element 6 <AGARI>", "V105", "yaku [1] of [-1] han"),
    "yaku without end": (
        _win(yaku=",".join(["1,1"] * 25)),
        "element 6 <AGARI>",
        "V105",
        "25 yaku; at most 24",
    ),
    "yaku too big for any integer": (_win(yaku=f"{10**30},1"), "element 6 <AGARI>", "V105", "ids are 0-54"),
    "limit 6": (_win(ten="30,1000,6"), "element 6 <AGARI>", "V105", "limit 6"),
    "two numbers of ten": (
        _win(ten="30,1000"),
        "element 6 <AGARI>",
        "V105",
        "not a number or is out of range",
    ),
    "points without bound": (_win(ten=f"30,{10**30},0"), "element 6 <AGARI>", "V105", "30 fu"),
    "changes of three": (
        _win(sc="1,2,3"),
        "element 6 <AGARI>",
        "V105",
        "sc has 3 numbers; expected 8, or 16",
    ),
    "changes without bound": (_win(sc=f"250,{10**9},0,0,0,0,0,0"), "element 6 <AGARI>", "V105", "points"),
    "sticks of letters": (
        _win(ba="0,x"),
        "element 6 <AGARI>",
        "V105",
        "not a number or is out of range: 0,x",
    ),
    "honba without bound": (_win(ba="99999,0"), "element 6 <AGARI>", "V105", "ba states 99999 honba"),
    "final result of seven": (
        _win(owari="1,2,3,4,5,6,7"),
        "element 6 <AGARI>",
        "V105",
        "owari has 7 numbers",
    ),
    "final points without bound": (
        _win(owari="1,1e999,3,4,5,6,7,8"),
        "element 6 <AGARI>",
        "V105",
        "without bounds",
    ),
    "final points that are none": (
        _win(owari="1,nan,3,4,5,6,7,8"),
        "element 6 <AGARI>",
        "V105",
        "without bounds",
    ),
    "three scores": (
        init(ten="1,2,3"),
        "element 5 <INIT>",
        "V105",
        "the list of scores has 3 numbers; expected 4",
    ),
    "short seed": (init(seed="0,0,0"), "element 5 <INIT>", "V105", "its seed is not round, honba"),
    "round 64": (init(seed="64,0,0,0,0,1"), "element 5 <INIT>", "V105", "its seed is not round, honba"),
    "a die of seven": (
        init(seed="0,0,0,6,0,1"),
        "element 5 <INIT>",
        "V105",
        "a die is '6'; expected a whole number 0 to 5",
    ),
    "a win before the deal": (agari(), "element 5 <AGARI>", "V102", "it comes before the first INIT"),
    "a draw before the deal": (
        "<T1/>" + init(),
        "element 6 <INIT>",
        "V102",
        "a move comes before the first deal",
    ),
    "GO behind the deal": (init() + GO_SANMA, "element 6 <GO>", "V102", "it comes after the first INIT"),
}


@each_row(("elements", "place", "code", "reason"), WRONG.values(), ids=WRONG)
def test_what_no_game_can_hold_ends_it(elements: str, place: str, code: str, reason: str) -> None:
    alone = mjlog(HEAD, elements)
    for text in (alone, alone.replace(b"</mjloggm>", b"<!----></mjloggm>")):
        batch = read(text)
        assert_sound(batch)
        assert len(batch.faults) == 1
        assert faults(batch)[0][:2] == (place, code)
        assert reason in faults(batch)[0][2]
        assert faults(batch)[0][3] == "hands before this place were kept"
        assert batch.games.is_cut.all()


@pytest.mark.parametrize("none", ["-1", "odd"])
def test_a_game_of_no_type_is_refused(none: str) -> None:
    batch = read(mjlog(f'<GO type="{none}"/>', UN, OYA, *ONE))
    assert [(place, code) for place, code, _, _ in faults(batch)] == [("element 2 <GO>", "V105")]
    assert f"the type is '{none}'" in faults(batch)[0][2]


BEHIND = {name: case[0] for name, case in WRONG.items() if "before the deal" not in name}


@each_row("elements", BEHIND.values(), ids=BEHIND)
def test_hands_before_it_are_kept_as_they_are(elements: str) -> None:
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
