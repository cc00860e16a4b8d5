"""The table of games other than riichi: what follows from a move, and what it notes of one that is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from each_row import each_row

from paifu.replay.facts.tables import code_of
from paifu.replay.general.table import GeneralTable
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tile_notation import parse_kinds
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.schemes.shapes import Shapes

HANDS = ("123456789m1123p", "2345667p123456s", "789s1122334455z", "789p77889s66777z")
CLAIMS = {"chow": EventKind.CHI, "pung": EventKind.PON, "gong": EventKind.DAIMINKAN}


class Played:
    """A hand in play, dealt by seat 0, and what was noted in it."""

    def __init__(self, system: str = "hk-old-style", hands: Sequence[str] = HANDS, **rules: object) -> None:
        self.noted: list[tuple[str, int]] = []
        ruleset = with_overrides(load_preset(system), rules)
        self.table = GeneralTable(ruleset, Shapes(ruleset), self._note, dealer=0)
        assert self.table.deal([parse_kinds(hand) for hand in hands])

    def _note(self, code: int, seat: int, *_: int) -> None:
        self.noted.append((code_of(code), seat))

    def move(self, text: str) -> bool:
        """Make a move, such as ``0 draw 3s`` or ``1 chow 3p 2p4p from 0``; return whether it was made."""
        seat, word, tile, *more = text.split()
        (kind,), own = parse_kinds(tile), parse_kinds(more[0]) if more else []
        source = int(more[-1]) if len(more) > 1 else NO_SEAT
        if word in CLAIMS:
            return self.table.claim(CLAIMS[word], int(seat), kind, source, own)
        if word in ("conceals", "promotes"):
            event = EventKind.ANKAN if word == "conceals" else EventKind.KAKAN
            return self.table.own_gong(event, int(seat), kind, own, source)
        if word == "discard":
            is_drawn = self.table.seats[int(seat)].drawn == kind
            return self.table.discard(int(seat), kind, tsumogiri=is_drawn)
        return (self.table.draw if word == "draw" else self.table.set_aside)(int(seat), kind)

    def play(self, *moves: str) -> bool:
        """Make moves, of which all but the last can be made; return whether that one was."""
        assert all(self.move(text) for text in moves[:-1])
        return self.move(moves[-1])


@each_row(
    ("kuikae", "discarded", "noted"),
    [
        ("allowed", "2p", []),
        ("allowed", "5p", []),
        ("same_tile", "2p", ["V205"]),
        ("same_tile", "5p", []),
        ("forbidden", "2p", ["V205"]),
        ("forbidden", "5p", ["V205"]),
        ("forbidden", "6p", []),
    ],
)
def test_tiles_that_a_chow_replaces(kuikae: str, discarded: str, noted: list[str]) -> None:
    """Seat 1 claims 2p for 2p3p4p: 2p itself, and 5p at the other end of what it had."""
    hands = ("123456789m1123p", "22345567p12345s", *HANDS[2:])
    played = Played(kuikae=kuikae, hands=hands)
    assert played.play("0 draw 9p", "0 discard 2p", "1 chow 2p 3p4p from 0", f"1 discard {discarded}")
    assert played.noted == [(code, 1) for code in noted]


@pytest.mark.parametrize(("claimed", "own", "end"), [("4p", "5p6p", "7p"), ("7p", "5p6p", "4p")])
def test_the_other_end_of_a_chow(claimed: str, own: str, end: str) -> None:
    hands = ("123456789m447p9s", "4455667p123456s", HANDS[2], "89p77889s666777z")
    for discarded, noted in ((end, [("V205", 1)]), ("1s", [])):
        played = Played(kuikae="forbidden", hands=hands)
        assert played.play(
            "0 draw 1m", f"0 discard {claimed}", f"1 chow {claimed} {own} from 0", f"1 discard {discarded}"
        )
        assert played.noted == noted
    middle = Played(kuikae="forbidden", hands=hands)
    assert middle.play("0 draw 5p", "0 discard 5p", "1 chow 5p 4p6p from 0", "1 discard 7p")
    assert middle.noted == []


NOT_MADE = {
    "a draw out of turn": (["0 draw 9p", "0 discard 9m", "2 draw 9p"], "V201", 2),
    "a discard that is not held": (["0 draw 9p", "0 discard 9s"], "V202", 0),
    "a gong that was not promoted from a pung": (["0 draw 9p", "0 promotes 1p"], "V206", 0),
    "a gong of three": (["0 draw 1p", "0 conceals 1p 1p1p1p"], "V206", 0),
    "a gong of other tiles": (["0 draw 9p", "0 conceals 1m 1m1m2m"], "V206", 0),
    "a gong out of turn": (["0 draw 9p", "0 discard 9m", "3 conceals 7z 7z7z7z"], "V206", 3),
    "a chow of another's": (["0 draw 9p", "0 discard 3p", "2 chow 3p 1p2p from 0"], "V204", 2),
    "a chow of honours": (["0 draw 5z", "0 discard 5z", "1 chow 5z 6z7z from 0"], "V204", 1),
    "a pung of what is not held": (["0 draw 9p", "0 discard 9m", "2 pung 9m 9m9m from 0"], "V204", 2),
    "a pung of another tile": (["0 draw 1z", "0 discard 9m", "2 pung 1z 1z1z from 0"], "V204", 2),
    "a pung of the player's discard": (["0 draw 1p", "0 discard 1p", "0 pung 1p 1p1p from 0"], "V204", 0),
    "a flower that is not held": (["0 draw 9p", "0 flower 1f"], "V213", 0),
}


@each_row("case", NOT_MADE)
def test_what_cannot_be_is_noted_and_not_done(case: str) -> None:
    moves, code, seat = NOT_MADE[case]
    played = Played()
    assert not played.play(*moves)
    assert played.noted == [(code, seat)]


@pytest.mark.parametrize(("live", "is_made"), [(1, True), (0, False)])
def test_a_gong_needs_a_tile_to_replace_it(live: int, is_made: bool) -> None:
    played = Played(hands=("1111p456789m223p", *HANDS[1:]))
    assert played.move("0 draw 9p")
    played.table.live = live
    assert played.move("0 conceals 1p 1p1p1p") == is_made
    assert played.noted == ([] if is_made else [("V206", 0)])


def test_flowers_of_the_deal_come_first() -> None:
    hands = ("12345678m1123p1f", *HANDS[1:])
    played = Played(hands=hands)
    assert not played.move("0 draw 9p")
    assert played.noted == [("V213", 0)]
    assert played.play("0 flower 1f", "0 draw 9p", "0 draw 8p")
    assert len(played.noted) == 1


def test_a_promoted_gong_names_who_gave_the_pung() -> None:
    moves = (
        "0 draw 1z",
        "0 discard 1z",
        "2 pung 1z 1z1z from 0",
        "2 discard 7s",
        "3 draw 9p",
        "3 discard 9p",
    )
    moves += ("0 draw 9p", "0 discard 9p", "1 draw 9p", "1 discard 9p", "2 draw 1z")
    for source, noted in ((0, []), (3, [("V206", 2)])):
        played = Played()
        assert played.play(*moves)
        assert played.table.own_gong(EventKind.KAKAN, 2, 27, (), source)
        assert played.noted == noted
