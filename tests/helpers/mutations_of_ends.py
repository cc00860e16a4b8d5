"""Changes of what a log claims at a hand's end, and of what decides a win: families V3 and V4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mutation_places import (
    PAYMENTS,
    PROGRESS,
    STATED,
    K,
    Place,
    Rows,
    anywhere,
    ended,
    is_yakuman,
    lists,
    mutation,
    no_yakuman,
    not_last,
    ron,
    several,
    with_event,
    won,
)
from mutations_of_moves import ABORTED, is_tsumogiri
from sheets import Event

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, HandEnd
from paifu.replay.model.tiles import NO_TILE

Claims = dict[str, Any]
NO_YAKU = 255
DORA, URA, RED = 52, 53, 54
WORTH = (304, 305, 306, 307, 308, 401)
"""Another winner's hand is worth something else."""
RIICHI_AND_LUCK = (1, 2, DORA, URA, RED)
"""Yaku that go with riichi: it, ippatsu, and all dora."""


def win_of(place: Place, test: Callable[[Claims], Any] = lambda row: True) -> Claims:
    """The claims of a win of the hand."""
    row: Claims = place.pick(row for row in place.hand.wins if test(row))
    return row


def listed(row: Claims) -> list[int]:
    """Where yaku are in a row."""
    return [i for i, yaku in enumerate(row["yaku"]) if yaku != NO_YAKU]


def claim(
    name: str, *codes: int, where: Any, test: Callable[[Claims], Any] = lambda row: True, **others: Any
) -> Callable[[Any], Any]:
    """Declare a change of the claims of one win."""

    def declare(change: Callable[[Place, Claims], None]) -> Callable[[Place, Claims], None]:
        mutation(name, *codes, where=where, **others)(lambda place: change(place, win_of(place, test)))
        return change

    return declare


def more(column: str, *amounts: int) -> Callable[[Place, Claims], None]:
    """A change that adds one of some amounts to a number of the claims; of a row, to that of one seat."""

    def change(place: Place, row: Claims) -> None:
        amount = place.pick(amounts)
        if isinstance(row[column], list):
            row[column][place.rng.randrange(place.players)] += amount
        else:
            row[column] += amount

    return change


# --- whether it is a win -----------------------------------------------------------------------------------


@mutation("a win of a hand that waits for something else", 301, 303, where=anywhere, then=PROGRESS)
def win_that_is_none(place: Place) -> None:
    """A hand that waited for such a tile before is furiten as well, and is told so first."""

    def others(at: int) -> list[int]:
        state, kind = place.state(at + 1), place.kind(place.events[at].tile)
        return [s for s in range(place.players) if s != place.events[at].seat and kind not in state.waits(s)]

    at = place.pick_at(K.DISCARD)
    discard = place.events[at]
    place.insert_win(at + 1, place.pick(others(at)), discard.seat, discard.tile)


@claim("a win on another tile than lies there", 301, where=won())
def win_on_another_tile(place: Place, row: Claims) -> None:
    row["tile"] = place.unused(only=lambda tile: place.kind(tile) != place.kind(row["tile"]))


@claim("a win on another copy of the tile", 301, where=won())
def win_on_another_copy(place: Place, row: Claims) -> None:
    tile = place.sheet.tile
    row["tile"] = place.unused(only=lambda other: tile(other) == tile(row["tile"]))


@claim("a win on the tile of another seat", 301, where=won())
def win_from_another_seat(place: Place, row: Claims) -> None:
    row["source"] = place.pick(s for s in range(place.players) if s != row["source"])


@claim("a win by another seat", 301, 303, where=won(), then=(*PROGRESS, *WORTH))
def win_by_another_seat(place: Place, row: Claims) -> None:
    """A seat that waits for the tile, too, may be furiten; its tiles are not those that are shown."""
    others = {other["seat"] for other in place.hand.wins} | {row["source"]}
    row["seat"] = place.pick(s for s in range(place.players) if s not in others)


@mutation("a ron on a closed kan", 301, where=with_event(K.ANKAN), then=PROGRESS)
def ron_on_a_closed_kan(place: Place) -> None:
    found: list[tuple[int, int]] = []
    for at in place.hand.find(K.ANKAN):
        state, kan = place.state(at), place.events[at]
        found += [
            (at, seat)
            for seat in range(place.players)
            if seat != kan.seat and place.kind(kan.tile) in state.waits(seat)
        ]
    at, seat = place.pick(found)
    place.insert_win(at + 1, seat, place.events[at].seat, place.events[at].tile)


@claim("another closed tile is shown with a win", 301, where=won())
def show_another_tile(place: Place, row: Claims) -> None:
    number = place.pick(i for i, t in enumerate(row["tiles"]) if t not in (NO_TILE, row["tile"]))
    row["tiles"][number] = place.unused(only=lambda tile: tile not in row["tiles"])


@claim("a closed tile is not shown with a win", 301, where=won())
def hide_a_tile(place: Place, row: Claims) -> None:
    number = place.pick(i for i, tile in enumerate(row["tiles"]) if tile not in (NO_TILE, row["tile"]))
    row["tiles"] = [*row["tiles"][:number], *row["tiles"][number + 1 :]]


def has_melds(row: Claims) -> bool:
    """Whether a win shows melds."""
    return bool(row["melds"][0] >= 0)


def has_more_melds(row: Claims) -> bool:
    """Whether a win shows several: one that shows none may leave them out."""
    return bool(row["melds"][1] >= 0)


@claim("a meld is not shown with a win", 301, where=won(lambda w: w.melds[:, 1] >= 0), test=has_more_melds)
def hide_a_meld(place: Place, row: Claims) -> None:
    number = place.rng.randrange(sum(code >= 0 for code in row["melds"]))
    row["melds"] = [*row["melds"][:number], *row["melds"][number + 1 :], -1]


@claim("another meld is shown", 301, where=won(lambda w: w.melds[:, 0] >= 0), test=has_melds)
def show_another_meld(place: Place, row: Claims) -> None:
    """A meld code of another kind or copy."""
    number = place.pick(i for i, code in enumerate(row["melds"]) if code >= 0 and code & 0x3C != 0x20)
    code = row["melds"][number]
    row["melds"][number] = code ^ (1 << (10 if code & 4 else 9 if code & 0x18 else 10))


@mutation(
    "a riichi that was the only yaku is left out",
    302,
    where=won(lambda w: ron(w) & lists(1)(w)),
    then=(*STATED, *PROGRESS),
)
def win_without_a_yaku(place: Place) -> None:
    row = win_of(place, lambda row: {row["yaku"][i] for i in listed(row)} <= set(RIICHI_AND_LUCK))
    for kind in (K.RIICHI, K.RIICHI_PAID):
        del place.events[next(i for i in place.hand.find(kind) if place.events[i].seat == row["seat"])]


def furiten(name: str, is_place: Callable[[Place, int, Claims], bool]) -> None:
    """Declare a change that puts a winning tile where it makes the ron furiten."""

    @mutation(f"a ron in furiten: {name}", 303, where=won(ron), wall="gone", spoils=True)
    def change(place: Place) -> None:
        row = win_of(place)
        end = place.pick_at(K.WIN)
        waits = place.state(end).waits(row["seat"])
        draws = [at for at in place.hand.find(K.DRAW) if is_tsumogiri(place, at) and at + 1 < end - 1]
        at = place.pick(at for at in draws if is_place(place, at, row))
        others = [s for s in range(place.players) if s != row["seat"]]
        tile = place.unused(only=lambda tile: place.kind(tile) in waits)
        # Nobody else's hand may be touched: its tenpai, its furiten, the tiles it shows.
        place.need(all(place.kind(tile) not in place.state(end).waits(s) for s in others))
        place.need(place.kind_at(place.after(at + 1)) == K.DRAW)
        place.events[at].tile = place.events[place.after(at)].tile = tile


def _before_riichi(place: Place, at: int, seat: int) -> bool:
    paid = [i for i in place.hand.find(K.RIICHI_PAID) if place.events[i].seat == seat]
    return not paid or at < paid[0]


def _passed_by(place: Place, at: int, row: Claims) -> bool:
    """Another's discard between the winner's last discard and the win, with no call in between."""
    seat = row["seat"]
    own = [i for i in place.hand.find(K.DISCARD) if place.events[i].seat == seat]
    return place.events[at].seat != seat and bool(own) and at > own[-1]


furiten(
    "an own discard is a wait",
    lambda place, at, row: place.events[at].seat == row["seat"] and _before_riichi(place, at, row["seat"]),
)
furiten(
    "a wait passed since the own last discard",
    lambda place, at, row: _passed_by(place, at, row) and _before_riichi(place, at, row["seat"]),
)
furiten(
    "a wait passed after riichi",
    lambda place, at, row: (
        place.events[at].seat != row["seat"] and not _before_riichi(place, at, row["seat"])
    ),
)
furiten(
    "the own winning draw was passed after riichi",
    lambda place, at, row: (
        place.events[at].seat == row["seat"] and not _before_riichi(place, at, row["seat"])
    ),
)


# --- what it is worth --------------------------------------------------------------------------------------


def each_yaku(batch: Batch) -> Rows:
    """Some hands for each yaku that the games show."""
    rows = [
        np.flatnonzero((batch.wins.yaku == yaku).any(axis=1))[:: max(1, 10 * (yaku < 52) - 9)][:4]
        for yaku in range(52)
    ]
    return np.unique(batch.wins.hand[np.concatenate(rows)]).astype(np.int64)


@claim("a yaku is another", 304, where=each_yaku)
def another_yaku(place: Place, row: Claims) -> None:
    number = place.pick(i for i in listed(row) if row["yaku"][i] < DORA)
    row["yaku"][number] = place.pick(yaku for yaku in range(DORA) if yaku not in row["yaku"])


@claim("a yaku is left out", 304, where=each_yaku)
def leave_out_a_yaku(place: Place, row: Claims) -> None:
    """One of several: who lists none may leave them out."""
    place.need(len(listed(row)) > 1)
    number = place.pick(i for i in listed(row) if row["yaku"][i] < DORA)
    row["yaku"] = [*row["yaku"][:number], *row["yaku"][number + 1 :], NO_YAKU]
    row["han"] = [*row["han"][:number], *row["han"][number + 1 :], 0]


@claim("a yaku is added", 304, where=won())
def add_a_yaku(place: Place, row: Claims) -> None:
    number = len(listed(row))
    row["yaku"][number] = place.pick(yaku for yaku in range(DORA) if yaku not in row["yaku"])
    row["han"][number] = 1


@claim("a yaku is worth another number of han", 305, where=won(no_yakuman))
def another_han(place: Place, row: Claims) -> None:
    row["han"][place.pick(i for i in listed(row) if row["yaku"][i] < DORA)] += place.pick((1, 2))


claim("other fu", 306, where=won(no_yakuman))(more("fu", -10, 5, 10, 20))
claim("other points", 307, where=won())(more("points", -1000, -100, 100, 1000))


@claim("another limit", 307, where=won())
def another_limit(place: Place, row: Claims) -> None:
    row["limit"] = place.pick(limit for limit in range(6) if limit != row["limit"])


def _dora(name: str, yaku: int) -> None:
    """Declare the change of a number of dora."""

    @claim(f"another number of {name}", 308, where=won(lambda w: no_yakuman(w) & lists(yaku)(w)))
    def other_dora(place: Place, row: Claims) -> None:
        place.need(yaku in row["yaku"])
        row["han"][row["yaku"].index(yaku)] += place.pick((1, 2))

    @claim(f"{name} that are not there", 308, where=won(no_yakuman))
    def extra_dora(place: Place, row: Claims) -> None:
        place.need(yaku not in row["yaku"])
        row["yaku"][len(listed(row))], row["han"][len(listed(row)) - 1] = yaku, 1


_dora("dora", DORA)
_dora("ura dora", URA)
_dora("red dora", RED)


def shown_indicators(name: str, column: str) -> None:
    """Declare changes of the indicators that stand with a win."""
    where = won() if column == "dora" else won(lambda w: w.ura[:, 0] != NO_TILE)
    has = lambda row: row[column][0] != NO_TILE  # noqa: E731

    @claim(f"{name} indicator is left out", 308, where=where, test=has, then=(307, 401, 603))
    def leave_out(place: Place, row: Claims) -> None:
        """One of several: who shows none may leave them out. Ura dora are scored as they are shown."""
        number = place.rng.randrange(sum(tile != NO_TILE for tile in row[column]))
        place.need(any(tile != NO_TILE for tile in row[column][1:]))
        row[column] = [*row[column][:number], *row[column][number + 1 :], NO_TILE]

    @claim(f"{name} indicator more is shown", 308, where=where, test=has, then=(603,))
    def one_more(place: Place, row: Claims) -> None:
        number = sum(tile != NO_TILE for tile in row[column])
        place.need(number < len(row[column]))
        row[column][number] = place.unused()


shown_indicators("a dora", "dora")
shown_indicators("an ura dora", "ura")


@claim("another dora indicator is shown with a win", 308, where=won())
def show_another_indicator(place: Place, row: Claims) -> None:
    row["dora"][place.pick(i for i, t in enumerate(row["dora"]) if t != NO_TILE)] = place.unused()


@claim(
    "another ura indicator is shown",
    603,
    where=won(lambda w: w.ura[:, 0] != NO_TILE),
    then=(304, 305, 307, 308, 401),
)
def show_another_ura(place: Place, row: Claims) -> None:
    """The ura dora that it makes are scored."""
    place.need(place.sheet.game["seed"] or place.hand.row["seed"])
    row["ura"][place.pick(i for i, t in enumerate(row["ura"]) if t != NO_TILE)] = place.unused()


@claim(
    "an ura indicator that lies in a hand",
    103,
    where=won(lambda w: w.ura[:, 0] != NO_TILE),
    wall="gone",
    then=(304, 305, 306, 307, 308, 401),
)
def show_a_held_ura(place: Place, row: Claims) -> None:
    """The ura dora that it makes are scored."""
    number = place.pick(i for i, t in enumerate(row["ura"]) if t != NO_TILE)
    row["ura"][number] = place.pick(place.hand.row["dealt"][place.rng.randrange(place.players)])


# --- several winners ---------------------------------------------------------------------------------------


@mutation(
    "the last of several winners is left out",
    501,
    502,
    where=not_last(won(several)),
    then=(401, 402, 403, *PROGRESS),
    in_next=True,
)
def leave_out_a_winner(place: Place) -> None:
    del place.events[place.hand.find(K.WIN)[-1]]


@mutation(
    "the first of several winners is left out", 401, 402, 403, where=won(several), then=(501, *PROGRESS)
)
def leave_out_the_first_winner(place: Place) -> None:
    """The second is now the one who takes honba and sticks; where there are none, the scores tell."""
    place.need(place.hand.row["honba"] or place.hand.find(K.RIICHI_PAID) or place.hand.row["sticks"])
    del place.events[place.hand.find(K.WIN)[0]]


@mutation(
    "a winner is added whose hand wins nothing",
    301,
    302,
    303,
    309,
    where=won(ron),
    then=(401, 402, 403, *PROGRESS),
)
def add_a_winner(place: Place) -> None:
    """What is wrong first depends on the hand; one that is not a win never reaches the order of winners."""
    row = win_of(place)
    end = place.pick_at(K.WIN)
    state = place.state(end)
    wrong = [
        s
        for s in range(place.players)
        if s not in (row["seat"], row["source"]) and place.kind(row["tile"]) not in state.waits(s)
    ]
    seat = place.pick(wrong)
    claims = {**row, "seat": seat}
    place.events.insert(end + 1, Event(K.WIN, seat, row["tile"], row["source"], row=claims))


@mutation("two winners change their order", 309, where=won(several), then=(401, 402, 403, *PROGRESS))
def swap_winners(place: Place) -> None:
    """Honba and sticks are the first one's."""
    one, other = place.hand.find(K.WIN)[:2]
    place.events[one], place.events[other] = place.events[other], place.events[one]


@mutation("a winner stands there twice", 309, where=won(ron), then=(401, 402, 403, *PROGRESS))
def winner_twice(place: Place) -> None:
    """Honba and sticks are paid once."""
    at = place.pick_at(K.WIN)
    place.events.insert(at + 1, Event(**{**vars(place.events[at]), "row": dict(win_of(place))}))


@mutation("three winners although that aborts the hand", 309, where=ended(HandEnd.SANCHAHOU), then=PROGRESS)
def three_winners(place: Place) -> None:
    at = place.pick_at(K.HAND_DRAW)
    discard = next(event for event in reversed(place.events[:at]) if event.kind == K.DISCARD)
    seats = [(discard.seat + turn) % 4 for turn in (1, 2, 3)]
    rows = [{"seat": seat, "source": discard.seat, "tile": discard.tile} for seat in seats]
    wins = [Event(K.WIN, row["seat"], discard.tile, discard.seat, row=row) for row in rows]
    place.events[at:] = wins


# --- payments ----------------------------------------------------------------------------------------------


claim("one seat is paid something else", 401, where=won(), then=PROGRESS)(
    more("deltas", -1000, -100, 100, 1000)
)
claim("other honba stand with a win", 402, where=won())(more("honba", 1))
claim("other sticks stand with a win", 403, where=won())(more("sticks", 1))
claim("other scores stand with a win", 501, where=won())(more("scores", 100))


@claim("another seat pays", 401, where=won(ron), then=PROGRESS)
def another_payer(place: Place, row: Claims) -> None:
    other = place.pick(s for s in range(place.players) if s not in (row["seat"], row["source"]))
    deltas = row["deltas"]
    place.need(deltas[other] != deltas[row["source"]])
    deltas[other], deltas[row["source"]] = deltas[row["source"]], deltas[other]


@claim(
    "a yakuman for which none is liable", 404, where=won(is_yakuman), test=lambda r: r["liable"] == NO_SEAT
)
@claim("a seat is made liable that is not", 404, where=won(), test=lambda row: row["liable"] == NO_SEAT)
def add_a_liable_seat(place: Place, row: Claims) -> None:
    row["liable"] = place.pick(s for s in range(place.players) if s != row["seat"])


@claim("the liable seat is not named", 404, where=won(lambda w: w.liable != NO_SEAT))
def leave_out_the_liable_seat(place: Place, row: Claims) -> None:
    place.need(row["liable"] != row["source"])
    row["liable"] = NO_SEAT


@claim("another seat is named as liable", 404, where=won(lambda w: w.liable != NO_SEAT))
def another_liable_seat(place: Place, row: Claims) -> None:
    row["liable"] = place.pick(s for s in range(place.players) if s not in (row["seat"], row["liable"]))


def on_draw(name: str, *codes: int, ends: tuple[HandEnd, ...], **others: Any) -> Callable[[Any], Any]:
    """Declare a change of the claims of a hand that ended in a draw."""

    def declare(change: Callable[[Place, Claims], None]) -> Callable[[Place, Claims], None]:
        def of_draw(place: Place) -> None:
            place.need(place.hand.draw)
            change(place, place.hand.draw or {})

        mutation(name, *codes, where=ended(*ends), **others)(of_draw)
        return change

    return declare


DRAWS = (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI)


on_draw("one seat pays another noten penalty", 405, ends=(HandEnd.EXHAUSTIVE,), then=PROGRESS)(
    more("deltas", -500, 500, 1000)
)
on_draw("other honba stand with a draw", 402, ends=(*DRAWS, *ABORTED))(more("honba", 1))
on_draw("other sticks stand with a draw", 403, ends=(*DRAWS, *ABORTED))(more("sticks", 1))
on_draw("other scores stand with a draw", 501, ends=(*DRAWS, *ABORTED))(more("scores", 100))


@on_draw("the noten players pay nothing", 405, ends=(HandEnd.EXHAUSTIVE,), then=PROGRESS)
def no_penalty(place: Place, row: Claims) -> None:
    place.need(any(row["deltas"]))
    row["deltas"] = [0, 0, 0, 0]


@on_draw("points move when a hand is aborted", 401, ends=ABORTED, then=PROGRESS)
def pay_for_an_abort(place: Place, row: Claims) -> None:
    one, other = place.rng.sample(range(place.players), 2)
    row["deltas"][one] += 1000
    row["deltas"][other] -= 1000


@on_draw("a tenpai hand is not shown", 406, ends=DRAWS)
def hide_tenpai(place: Place, row: Claims) -> None:
    seat = place.pick(s for s in range(place.players) if row["tenpai"][s] == 1)
    row["tenpai"][seat] = 0
    row["shown"][14 * seat : 14 * seat + 14] = [NO_TILE] * 14


@on_draw("a hand is shown that is not tenpai", 406, ends=DRAWS)
def show_noten(place: Place, row: Claims) -> None:
    seat = place.pick(s for s in range(place.players) if row["tenpai"][s] == 0)
    row["tenpai"][seat] = 1
    held = place.held(seat, len(place.events))
    row["shown"][14 * seat : 14 * seat + 14] = [*held, *[NO_TILE] * 14][:14]


@on_draw("another tile is shown at a draw", 406, ends=(*DRAWS, *ABORTED))
def show_another_tile_at_a_draw(place: Place, row: Claims) -> None:
    at = place.pick(i for i, tile in enumerate(row["shown"]) if tile != NO_TILE)
    row["shown"][at] = place.unused(only=lambda tile: tile not in row["shown"])


@on_draw("a hand is not shown when several abort", 406, ends=(HandEnd.SANCHAHOU, HandEnd.SUUCHA))
def hide_an_aborted_hand(place: Place, row: Claims) -> None:
    seat = place.pick(s for s in range(place.players) if row["shown"][14 * s] != NO_TILE)
    row["shown"][14 * seat : 14 * seat + 14] = [NO_TILE] * 14


@on_draw("a nagashi is not called so", 407, ends=(HandEnd.NAGASHI,), then=(405, *PAYMENTS))
def deny_nagashi(place: Place, row: Claims) -> None:
    """What is paid is not a noten penalty then."""
    row["kind"] = HandEnd.EXHAUSTIVE


@on_draw("a nagashi that is none", 407, ends=(HandEnd.EXHAUSTIVE,))
def claim_nagashi(place: Place, row: Claims) -> None:
    row["kind"] = HandEnd.NAGASHI


on_draw("a nagashi pays something else", 407, ends=(HandEnd.NAGASHI,), then=PROGRESS)(
    more("deltas", -1000, 1000)
)
