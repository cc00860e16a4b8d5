"""A player in its own seat: it follows what can be, and says that it cannot follow what cannot."""

from __future__ import annotations

import pytest

from paifu.replay.course.settlement import HandStart
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE, parse_tiles
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.simulate.games import PLAYERS
from paifu.replay.simulate.seat import Answer, LostTrackError, SeatMove, SeatPlayer

RUNS = "123456789m1234p"
FOURS = "1111m2345678m55p"


def tiles_of(text: str) -> tuple[int, ...]:
    """Tiles; ``?`` is one that nobody sees."""
    return (NO_TILE,) * len(text) if text.startswith("?") else tuple(parse_tiles(text))


def move(text: str) -> SeatMove:
    """A move: ``0 discard 3s``, ``0 discard 3s drawn``, ``2 pon 1m 1m1m from 0`` or ``1 ankan 9s 9s9s9s``."""
    seat, word, tile, *more = text.split()
    flags = EventFlag.TSUMOGIRI if "drawn" in more else 0
    source = int(more[-1]) if "from" in more else int(seat)
    own = tiles_of(more[0]) if more and not flags else ()
    return SeatMove(EventKind[word.upper()], int(seat), tiles_of(tile)[0], source, own, flags)


def seated(hand: str, *, players: int = 4) -> SeatPlayer:
    """A player who deals in seat 0."""
    rules = load_preset("tenhou" if players == 4 else "tenhou-sanma")
    player = SeatPlayer(rules, PLAYERS["balanced"])
    scores = (rules.table.start_points,) * players
    player.begin(0, HandStart(0, 0, 0, 0), scores, tiles_of(hand), tiles_of("4z")[0])
    return player


FOLLOWED = {
    "a discard of each": ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 discard 9s"],
    "a pon": ["0 draw 3s", "0 discard 1m", "2 pon 1m 1m1m from 0", "2 discard 9s"],
    "a chi": ["0 draw 3s", "0 discard 3s", "1 chi 3s 4s5s from 0", "1 discard 9s"],
    "a pon by the player": [
        "0 draw 4p", "0 discard 9m", "1 draw ?", "1 discard 4p", "0 pon 4p 4p4p from 1", "0 discard 1m",
    ],
    "a closed kan of another": ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 ankan 9s 9s9s9s"],
    "a riichi of another": [
        "0 draw 3s", "0 discard 3s", "1 draw ?", "1 riichi ?", "1 discard 9s", "1 riichi_paid ?", "2 draw ?",
    ],
}  # fmt: skip


@pytest.mark.parametrize("moves", FOLLOWED.values(), ids=FOLLOWED)
def test_what_can_be_is_followed(moves: list[str]) -> None:
    player = seated(RUNS)
    for text in moves:
        player.follow(move(text))
    assert not player.is_lost


LOST = {
    "a discard of what is not held": (RUNS, ["0 draw 3s", "0 discard 9s"]),
    "the drawn tile, which was another": (RUNS, ["0 draw 3s", "0 discard 9s drawn"]),
    "a fifth copy drawn": (FOURS, ["0 draw 1m"]),
    "a fifth copy discarded": (FOURS, ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 discard 1m"]),
    "a pon with one tile in hand": (
        RUNS, ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 discard 3m", "0 pon 3m 3m3m from 1"],
    ),
    "a pon with hidden tiles from the hand": (
        RUNS, ["0 draw 3m", "0 discard 1m", "1 draw ?", "1 discard 3m", "0 pon 3m ?? from 1"],
    ),
    "a pon with a fifth copy": (FOURS, ["0 draw 3s", "0 discard 1m", "2 pon 1m 1m1m from 0"]),
    "a pon of other tiles": (RUNS, ["0 draw 3s", "0 discard 3s", "2 pon 3s 4s4s from 0"]),
    "a pon of another's discard": (RUNS, ["0 draw 3s", "0 discard 3s", "2 pon 3s 3s3s from 3"]),
    "a closed kan of three tiles": ("11123456789m12p", ["0 draw 3s", "0 ankan 1m"]),
    "a closed kan of tiles not in hand": (RUNS, ["0 draw 3s", "0 ankan 9s"]),
    "a closed kan of two kinds": (RUNS, ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 ankan 9s 9s9s8s"]),
    "a closed kan of hidden tiles by another": (
        RUNS, ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 ankan 9s ???"],
    ),
    "a closed kan of what is held here": (
        RUNS, ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 ankan 1m 1m1m1m"],
    ),
    "a kan added to no pon": (RUNS, ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 kakan 9s"]),
    "a discard out of turn": (RUNS, ["0 draw 3s", "0 discard 3s", "2 discard 9s"]),
    "a draw out of turn": (RUNS, ["0 draw 3s", "0 discard 3s", "0 draw 4s"]),
    "an indicator of which all are held": (FOURS, ["0 draw 3s", "0 dora 1m"]),
}  # fmt: skip


@pytest.mark.parametrize("case", LOST.values(), ids=LOST)
def test_what_cannot_be_is_not_followed(case: tuple[str, list[str]]) -> None:
    hand, moves = case
    player = seated(hand)
    for text in moves[:-1]:
        player.follow(move(text))
    assert not player.is_lost
    with pytest.raises(LostTrackError):
        player.follow(move(moves[-1]))
    assert player.is_lost
    player.follow(move(moves[-1]))
    assert player.choose() == Answer(HandEnd.UNFINISHED, ())


NORTH_SET_ASIDE = ["0 draw 3s", "0 discard 3s", "1 draw ?", "1 kita 4z"]


def test_three_players_set_norths_aside() -> None:
    player = seated("19m12345p123456s", players=3)
    for text in NORTH_SET_ASIDE:
        player.follow(move(text))
    assert not player.is_lost


def test_four_players_do_not() -> None:
    player = seated("1239m123456p123s")
    for text in NORTH_SET_ASIDE[:-1]:
        player.follow(move(text))
    with pytest.raises(LostTrackError):
        player.follow(move(NORTH_SET_ASIDE[-1]))
    assert player.is_lost


@pytest.mark.parametrize(
    "dealt", ["123456789m123p", "11111m2345678m5p", "?????????????"], ids=["twelve", "five", "hidden"]
)
def test_a_deal_that_cannot_be(dealt: str) -> None:
    with pytest.raises(LostTrackError):
        seated(dealt)


def test_after_a_deal_that_cannot_be_nothing_is_followed() -> None:
    player = seated(RUNS)
    with pytest.raises(LostTrackError):
        player.begin(0, HandStart(0, 0, 0, 0), (25000,) * 4, tiles_of("11111m2345678m5p"), tiles_of("4z")[0])
    assert player.is_lost
