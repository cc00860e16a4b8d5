"""Compound forgeries: several facts of a sound record changed so that its sums agree.

A forger changes what happened in a hand, or what it is said to be worth, and then rewrites all that follows:
yaku, fu, points, payments, the scores of all later hands, the final table. What he does not change is
the wall. Each :class:`Forgery` is one such change; :func:`forged` carries it through to the end of the game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mutation_places import K, NotHereError, Place
from sheets import Event, HandSheet, Sheet

from paifu.replay.comparison.derived import derived, with_settled_points
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.table.engine import replay

Claims = dict[str, Any]
NO_YAKU, UNKNOWN_LIMIT = 255, 255
DORA, URA = 52, 53
_TRIES = 12
"""How often a forger looks for another place in a hand, so that the rules alone do not betray him."""
_CLAIMS = ("yaku", "han", "fu", "points", "limit", "deltas", "tiles", "dora", "melds", "liable")
"""What is known of a win and follows from the hand."""


@dataclass(frozen=True, slots=True)
class Forgery:
    """One kind of forgery."""

    name: str
    change: Callable[[Place], None]
    settles: bool
    """The hand is settled anew by the engine; else the change itself says what is paid."""


FORGERIES: list[Forgery] = []
"""All kinds, in the order in which they are declared."""


def forgery(
    name: str, *, settles: bool = False
) -> Callable[[Callable[[Place], None]], Callable[[Place], None]]:
    """Declare a kind of forgery."""

    def declare(change: Callable[[Place], None]) -> Callable[[Place], None]:
        FORGERIES.append(Forgery(name, change, settles))
        return change

    return declare


# --- carrying a change through to the end of the game ------------------------------------------------------


def forged(batch: Batch, kind: Forgery, hand: int, rng: random.Random) -> Batch:
    """The one game of a batch with a forgery in a hand, its sums made to agree. Raises NotHereError.

    A forger of what happened looks for a place where the rules alone do not betray him, a few times.
    """
    found: Batch | None = None
    for _ in range(_TRIES if kind.settles else 1):
        sheet = Sheet.of(batch, 0)
        place = Place(sheet, hand, rng)
        try:
            kind.change(place)
            made = settled(sheet, place.number, anew=kind.settles)
        except (NotHereError, ValueError, IndexError):
            continue
        found = found or made
        blind = Sheet.of(made, 0)
        blind.forget_the_wall()
        if not len(replay(blind.batch(), player_hands=False).findings):
            return made
    if found is None:
        raise NotHereError
    return found


def settled(sheet: Sheet, number: int, *, anew: bool) -> Batch:
    """The game with all sums carried on from a hand; ``anew``: that hand is settled by the engine."""
    _forget_sums(sheet, number)
    if anew:
        for event in sheet.hands[number].events:
            for name in (*_CLAIMS, "tenpai", "shown") if event.row is not None else ():
                (event.row or {}).pop(name, None)
        sheet = Sheet.of(derived(sheet.batch()), 0)
        _forget_sums(sheet, number)
    sticks = _carry(sheet, number)
    game, players = sheet.game, sheet.rules.table.players
    if game["final_scores"][0] != UNKNOWN_POINTS and not game.pop("keeps_table", False):
        scores = game.pop("carried")
        first = max(range(players), key=lambda seat: (scores[seat], -seat))
        scores[first] += sheet.rules.riichi.riichi_stick * sticks
        game["final_scores"] = [*scores[:players], *[0] * (4 - players)]
        game["final_points"] = [float("nan")] * 4
    return with_settled_points(derived(sheet.batch()))


def _forget_sums(sheet: Sheet, number: int) -> None:
    """Take out what is repeated of scores, honba and sticks from a hand on."""
    for hand in sheet.hands[number:]:
        for event in hand.events:
            event.scores = None
            for name in ("scores", "honba", "sticks") if event.row is not None else ():
                (event.row or {}).pop(name, None)


def _carry(sheet: Sheet, number: int) -> int:
    """Carry the scores from a hand on; returns the sticks on the table at the end."""
    stick = sheet.rules.riichi.riichi_stick
    scores, sticks = list(sheet.hands[number].row["scores"]), 0
    for hand in sheet.hands[number:]:
        hand.row["scores"] = list(scores)
        sticks = hand.row["sticks"]
        for event in hand.events:
            if event.kind == K.RIICHI_PAID:
                scores[event.seat] -= stick
                sticks += 1
            elif event.row is not None:
                deltas = event.row.get("deltas", [UNKNOWN_POINTS])
                if UNKNOWN_POINTS in deltas:
                    raise NotHereError
                scores = [score + delta for score, delta in zip(scores, deltas, strict=True)]
                sticks = 0 if event.kind == K.WIN else sticks
    sheet.game["carried"] = scores
    return int(sticks)


# --- what hands are like -----------------------------------------------------------------------------------


def exchange(place: Place, swap: dict[int, int]) -> None:
    """Put other tile codes in the place of those of a hand, wherever they are; ``swap`` is a permutation."""

    def moved(code: int) -> int:
        return swap.get(code, code)

    row = place.hand.row
    row["dealt"] = [[moved(code) for code in codes] for codes in row["dealt"]]
    row["dora"] = moved(row["dora"])
    for event in place.events:
        event.tile = moved(event.tile)
        event.own = (
            tuple(sorted(moved(code) for code in event.own))
            if event.kind != K.KAKAN
            else tuple(moved(code) for code in event.own)
        )
        for name in ("tile", "ura"):
            if event.row is not None and name in event.row:
                cell = event.row[name]
                event.row[name] = moved(cell) if name == "tile" else [moved(code) for code in cell]


def pairwise_swap(pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The permutation that exchanges the tiles of each pair."""
    swap: dict[int, int] = {}
    for one, other in pairs:
        swap[one], swap[other] = other, one
    return swap


def copies(kind: int) -> range:
    """Physical tiles of a kind."""
    return range(4 * kind, 4 * kind + 4)


def the_win(place: Place, test: Callable[[Claims], Any] = lambda row: True) -> Claims:
    """The only win of a hand."""
    place.need(len(place.hand.wins) == 1 and test(place.hand.wins[0]))
    return place.hand.wins[0]


def in_use(place: Place) -> set[int]:
    """Tile codes that a hand shows."""
    return set(place.sheet.ids()) - set(place.hand.unused(place.sheet.ids()))


def loose_draws(place: Place) -> list[int]:
    """Indices of draws that are discarded at once and not called."""
    events = place.events
    return [
        at
        for at in place.hand.find(K.DRAW)
        if at + 2 < len(events)
        and events[at + 1].kind == K.DISCARD
        and events[at + 1].tile == events[at].tile
        and events[at + 2].kind == K.DRAW
    ]


def scaled(place: Place, row: Claims, points: int) -> None:
    """Let a win pay as if it were worth ``points``, in proportion; the winner gets the sum."""
    place.need(row["points"] > 0)
    for seat in range(place.players):
        if seat != row["seat"]:
            row["deltas"][seat] = round(row["deltas"][seat] * points / row["points"] / 100) * 100
    paid = -sum(change for seat, change in enumerate(row["deltas"]) if seat != row["seat"])
    collected = 1000 * (place.hand.row["sticks"] + len(place.hand.find(K.RIICHI_PAID)))
    row["deltas"][row["seat"]] = paid + collected
    row["points"] = points


# --- forgeries of what is claimed --------------------------------------------------------------------------


@forgery("a yaku more, with its han, points and payments")
def one_yaku_more(place: Place) -> None:
    row = the_win(place, lambda row: row["limit"] == 0 and 13 not in row["han"])
    number = row["yaku"].index(NO_YAKU)
    row["yaku"][number] = place.pick(yaku for yaku in range(3, 30) if yaku not in row["yaku"])
    row["han"][number] = 1
    scaled(place, row, 2 * row["points"])


@forgery("a dora more, with points and payments")
def one_dora_more(place: Place) -> None:
    row = the_win(place, lambda row: row["limit"] == 0 and 13 not in row["han"])
    number = row["yaku"].index(DORA) if DORA in row["yaku"] else row["yaku"].index(NO_YAKU)
    row["yaku"][number], row["han"][number] = DORA, row["han"][number] + 1
    scaled(place, row, 2 * row["points"])


@forgery("more fu, with points and payments")
def more_fu(place: Place) -> None:
    row = the_win(place, lambda row: row["limit"] == 0 and row["fu"] in (30, 40) and 13 not in row["han"])
    scaled(place, row, round(row["points"] * (row["fu"] + 20) / row["fu"] / 100) * 100)
    row["fu"] += 20


@forgery("a higher limit, with points and payments")
def higher_limit(place: Place) -> None:
    row = the_win(place, lambda row: 1 <= row["limit"] <= 3 and 13 not in row["han"])
    row["limit"] += 1
    row["han"][0] += 2
    scaled(place, row, row["points"] * (1, 1.5, 4 / 3, 1.5)[row["limit"] - 1] // 1)
    row["points"] = int(row["points"])


@forgery("another pays for a ron")
def another_pays(place: Place) -> None:
    row = the_win(place, lambda row: row["source"] != row["seat"])
    other = place.pick(s for s in range(place.players) if s not in (row["seat"], row["source"]))
    deltas = row["deltas"]
    deltas[other], deltas[row["source"]] = deltas[row["source"]], deltas[other]


@forgery("two payers of a tsumo change their shares")
def shares_exchanged(place: Place) -> None:
    row = the_win(place, lambda row: row["source"] == row["seat"])
    others = [s for s in range(place.players) if s != row["seat"]]
    one, other = place.rng.sample(others, 2)
    deltas = row["deltas"]
    place.need(deltas[one] != deltas[other])
    deltas[one], deltas[other] = deltas[other], deltas[one]


@forgery("honba are paid twice")
def honba_twice(place: Place) -> None:
    row = the_win(place, lambda row: row["source"] != row["seat"])
    place.need(place.hand.row["honba"])
    row["deltas"][row["source"]] -= 300 * place.hand.row["honba"]
    row["deltas"][row["seat"]] += 300 * place.hand.row["honba"]


@forgery("the sticks on the table go to another seat")
def sticks_elsewhere(place: Place) -> None:
    row = the_win(place)
    sticks = 1000 * (place.hand.row["sticks"] + len(place.hand.find(K.RIICHI_PAID)))
    place.need(sticks)
    other = place.pick(s for s in range(place.players) if s != row["seat"])
    row["deltas"][row["seat"]] -= sticks
    row["deltas"][other] += sticks


@forgery("points move from one seat to another between two hands")
def points_moved(place: Place) -> None:
    place.need(place.number)
    one, other = place.rng.sample(range(place.players), 2)
    points = place.pick((100, 1000, 2300))
    place.hand.row["scores"][one] -= points
    place.hand.row["scores"][other] += points


@forgery("points come from nowhere between two hands")
def points_made(place: Place) -> None:
    place.need(place.number)
    place.hand.row["scores"][place.rng.randrange(place.players)] += place.pick((100, 1000, 4000))


@forgery("a riichi stick is never paid")
def stick_unpaid(place: Place) -> None:
    at = place.pick_at(K.RIICHI_PAID)
    row = the_win(place)
    del place.events[at]
    row["deltas"][row["seat"]] -= 1000


@forgery("a noten seat counts as tenpai, and is paid")
def counted_as_tenpai(place: Place) -> None:
    row = place.hand.draw
    place.need(
        row is not None and row["kind"] == HandEnd.EXHAUSTIVE and 0 < sum(row["tenpai"]) < place.players - 1
    )
    assert row is not None
    seat = place.pick(s for s in range(place.players) if not row["tenpai"][s])
    row["tenpai"][seat] = 1
    _pay_noten(place, row)
    held = place.held(seat, len(place.events))
    row["shown"][14 * seat : 14 * seat + 14] = [*held, *[NO_TILE] * (14 - len(held))]


@forgery("a tenpai seat counts as noten, and pays")
def counted_as_noten(place: Place) -> None:
    row = place.hand.draw
    place.need(
        row is not None and row["kind"] == HandEnd.EXHAUSTIVE and 1 < sum(row["tenpai"]) <= place.players
    )
    assert row is not None
    riichi = {place.events[at].seat for at in place.hand.find(K.RIICHI)}
    seat = place.pick(s for s in range(place.players) if row["tenpai"][s] and s not in riichi)
    row["tenpai"][seat] = 0
    _pay_noten(place, row)
    row["shown"][14 * seat : 14 * seat + 14] = [NO_TILE] * 14


def _pay_noten(place: Place, row: Claims) -> None:
    ready = sum(row["tenpai"])
    if not 0 < ready < place.players:
        row["deltas"] = [0] * 4
        return
    pot = 1000 * (place.players - 1)
    row["deltas"] = [
        (pot // ready if row["tenpai"][seat] else -pot // (place.players - ready))
        if seat < place.players
        else 0
        for seat in range(4)
    ]


@forgery("a honba more, with its payments")
def honba_more(place: Place) -> None:
    row = the_win(place, lambda row: row["source"] != row["seat"])
    place.hand.row["honba"] += 1
    row["deltas"][row["source"]] -= 300
    row["deltas"][row["seat"]] += 300


@forgery("a stick more on the table, which the winner takes")
def sticks_more(place: Place) -> None:
    row = the_win(place)
    place.hand.row["sticks"] += 1
    row["deltas"][row["seat"]] += 1000


@forgery("two players exchange their places in the final table")
def table_exchanged(place: Place) -> None:
    game = place.sheet.game
    place.need(place.number == len(place.sheet.hands) - 1 and game["final_scores"][0] != UNKNOWN_POINTS)
    one, other = place.rng.sample(range(place.players), 2)
    place.need(game["final_scores"][one] != game["final_scores"][other])
    for cells in (game["final_scores"], game["final_points"]):
        cells[one], cells[other] = cells[other], cells[one]
    game["keeps_table"] = True


@forgery("another seat wins, with the winner's value")
def another_wins(place: Place) -> None:
    row = the_win(place, lambda row: row["source"] != row["seat"])
    at = place.hand.find(K.WIN)[0]
    waits = place.state(at).waits
    other = place.pick(
        s
        for s in range(place.players)
        if s not in (row["seat"], row["source"]) and place.kind(row["tile"]) not in waits(s)
    )
    deltas = row["deltas"]
    deltas[row["seat"]], deltas[other] = deltas[other], deltas[row["seat"]]
    row["seat"] = place.events[at].seat = other
    held = place.held(other, at)
    row["tiles"] = [*held, row["tile"], *[NO_TILE] * (13 - len(held))][:14]


@forgery("a ron becomes a tsumo, which all pay")
def ron_becomes_tsumo(place: Place) -> None:
    row = the_win(place, lambda row: row["source"] != row["seat"])
    at = place.hand.find(K.WIN)[0]
    row["source"] = place.events[at].source = row["seat"]
    total = -sum(change for change in row["deltas"] if change < 0)
    share = total // (place.players - 1) // 100 * 100
    collected = 1000 * (place.hand.row["sticks"] + len(place.hand.find(K.RIICHI_PAID)))
    row["deltas"] = [-share if s < place.players else 0 for s in range(4)]
    row["deltas"][row["seat"]] = share * (place.players - 1) + collected


@forgery("a win is left out, and the hand ends in a draw", settles=True)
def win_left_out(place: Place) -> None:
    the_win(place)
    at = place.hand.find(K.WIN)[0]
    place.events[at:] = [Event(K.HAND_DRAW, row={"kind": HandEnd.EXHAUSTIVE})]


@forgery("a draw becomes a ron of the last discard, by a hand that was noten")
def draw_becomes_ron(place: Place) -> None:
    row = place.hand.draw
    place.need(row is not None and row["kind"] == HandEnd.EXHAUSTIVE)
    at = place.hand.find(K.HAND_DRAW)[0]
    last = place.hand.find(K.DISCARD)[-1]
    discard = place.events[last]
    waits = place.state(at).waits
    seat = place.pick(
        s for s in range(place.players) if s != discard.seat and place.kind(discard.tile) not in waits(s)
    )
    held = place.held(seat, at)
    place.need(len(held) == 13)
    deltas = [0] * 4
    collected = 1000 * (place.hand.row["sticks"] + len(place.hand.find(K.RIICHI_PAID)))
    worth = 1000 if seat != place.hand.row["dealer"] else 1500
    honba = 300 * place.hand.row["honba"]
    deltas[discard.seat], deltas[seat] = -worth - honba, worth + honba + collected
    claims = {
        "seat": seat, "source": discard.seat, "tile": discard.tile, "tiles": [*held, discard.tile],
        "fu": 30, "points": worth, "limit": 0, "deltas": deltas, "yaku": [8], "han": [1],
        "liable": NO_SEAT,
    }  # fmt: skip
    place.events[at:] = [Event(K.WIN, seat, discard.tile, discard.seat, row=claims)]


# --- forgeries of what happened, settled anew --------------------------------------------------------------


@forgery("two draws of a seat that were discarded at once change places", settles=True)
def draws_exchanged(place: Place) -> None:
    draws = loose_draws(place)
    one = place.pick(draws)
    other = place.pick(
        at
        for at in draws
        if place.events[at].seat == place.events[one].seat
        and place.sheet.tile(place.events[at].tile) != place.sheet.tile(place.events[one].tile)
    )
    _exchange_draws(place, one, other)


@forgery("two seats exchange draws that were discarded at once", settles=True)
def draws_of_two_exchanged(place: Place) -> None:
    draws = loose_draws(place)
    one = place.pick(draws)
    other = place.pick(
        at
        for at in draws
        if place.events[at].seat != place.events[one].seat
        and place.sheet.tile(place.events[at].tile) != place.sheet.tile(place.events[one].tile)
    )
    _exchange_draws(place, one, other)


def _exchange_draws(place: Place, one: int, other: int) -> None:
    events = place.events
    for at in (0, 1):
        events[one + at].tile, events[other + at].tile = events[other + at].tile, events[one + at].tile


def another_tile(place: Place, code: int) -> int:
    """A tile that the hand does not show and that is not like another."""
    tile = place.sheet.tile
    return place.unused(only=lambda other: tile(other) != tile(code))


@forgery("a draw that was discarded at once is another tile", settles=True)
def another_draw(place: Place) -> None:
    at = place.pick(loose_draws(place))
    tile = another_tile(place, place.events[at].tile)
    place.events[at].tile = place.events[at + 1].tile = tile


@forgery("the dora indicator is another, and wins are worth what it makes", settles=True)
def another_indicator(place: Place) -> None:
    row = place.hand.row
    row["dora"] = another_tile(place, row["dora"])


@forgery("an ura indicator is another, and the win is worth what it makes", settles=True)
def another_ura(place: Place) -> None:
    row = the_win(place, lambda row: row["ura"][0] != NO_TILE)
    row["ura"][0] = another_tile(place, row["ura"][0])


@forgery("a kan's indicator is another, and wins are worth what it makes", settles=True)
def another_kan_indicator(place: Place) -> None:
    event = place.events[place.pick_at(K.DORA)]
    event.tile = another_tile(place, event.tile)


@forgery("a dealt tile and a later draw of the seat change places", settles=True)
def dealt_for_drawn(place: Place) -> None:
    at = place.pick_at(K.DRAW)
    seat, drawn = place.events[at].seat, place.events[at].tile
    place.need(at + 1 < len(place.events) and place.events[at + 1].tile != drawn)
    dealt = place.hand.row["dealt"][seat]
    gone = {event.tile for event in place.events[:at] if event.seat == seat}
    gone |= {code for event in place.events[:at] if event.seat == seat for code in event.own}
    tile = place.sheet.tile
    number = place.pick(i for i, code in enumerate(dealt) if code not in gone and tile(code) != tile(drawn))
    follows = place.events[at + 1]
    place.need(follows.tile != dealt[number] and dealt[number] not in follows.own)
    place.events[at].tile, dealt[number] = dealt[number], drawn
    for event in place.events[at + 1 :]:  # what was kept is no longer the tile just drawn
        event.flags &= ~1 if event.seat == seat and event is follows else ~0


@forgery("a tile of a hand is another from the deal on", settles=True)
def another_dealt_tile(place: Place) -> None:
    code = place.pick(place.hand.row["dealt"][place.rng.randrange(place.players)])
    exchange(place, pairwise_swap([(code, another_tile(place, code))]))


@forgery("two seats exchange a tile from the deal on", settles=True)
def dealt_tiles_exchanged(place: Place) -> None:
    one, other = place.rng.sample(range(place.players), 2)
    dealt, tile = place.hand.row["dealt"], place.sheet.tile
    first = place.pick(dealt[one])
    second = place.pick(code for code in dealt[other] if tile(code) != tile(first))
    exchange(place, pairwise_swap([(first, second)]))


@forgery("a red five and a plain one change places", settles=True)
def red_exchanged(place: Place) -> None:
    used = in_use(place)
    red = place.pick(code for code in place.sheet.rules.red_ids if code in used)
    # Who is dealt both may discard either: no record tells.
    own = {code for dealt in place.hand.row["dealt"] if red in dealt for code in dealt}
    plain = place.pick(code for code in copies(place.kind(red)) if code != red and code not in own)
    exchange(place, pairwise_swap([(red, plain)]))


@forgery("a win by tsumo is on another of its waits", settles=True)
def another_wait(place: Place) -> None:
    row = the_win(place, lambda row: row["source"] == row["seat"])
    at = place.hand.find(K.WIN)[0]
    drawn = place.hand.find(K.DRAW)[-1]
    waits = place.state(drawn).waits(row["seat"])
    tile = place.unused(
        only=lambda code: place.kind(code) in waits and place.kind(code) != place.kind(row["tile"])
    )
    row["tile"] = place.events[at].tile = place.events[drawn].tile = tile


@forgery("two suits change places throughout the hand", settles=True)
def suits_exchanged(place: Place) -> None:
    one, other = place.rng.sample(range(3), 2)
    exchange(place, pairwise_swap((36 * one + i, 36 * other + i) for i in range(36)))


@forgery("two dragons change places throughout the hand", settles=True)
def dragons_exchanged(place: Place) -> None:
    one, other = place.rng.sample(range(31, 34), 2)
    place.need(in_use(place) & {*copies(one), *copies(other)})
    exchange(place, pairwise_swap(zip(copies(one), copies(other), strict=True)))


@forgery("a go-around of tiles that were discarded at once is left out", settles=True)
def turns_left_out(place: Place) -> None:
    draws = loose_draws(place)
    begin = place.pick(
        at
        for at in draws
        if all(at + 2 * turn in draws for turn in range(place.players))
        and not any(event.kind == K.RIICHI_PAID for event in place.events[at : at + 2 * place.players])
    )
    del place.events[begin : begin + 2 * place.players]


@forgery("a go-around of other tiles, discarded at once, is put in", settles=True)
def turns_put_in(place: Place) -> None:
    place.need(place.hand.wins)
    begin = place.pick(loose_draws(place))
    seat = place.events[begin].seat
    free = place.hand.unused(place.sheet.ids())
    place.need(len(free) >= place.players + 14)
    made: list[Event] = []
    for turn in range(place.players):
        tile = free.pop(place.rng.randrange(len(free)))
        who = (seat + turn) % place.players
        made += [Event(K.DRAW, who, tile), Event(K.DISCARD, who, tile, flags=1)]
    place.events[begin:begin] = made


@forgery("a hand is a copy of another one, with its own scores and honba", settles=True)
def another_hand(place: Place) -> None:
    own = place.hand
    other: HandSheet = place.pick(
        hand
        for hand in place.sheet.hands
        if hand is not own
        and hand.row["dealer"] == own.row["dealer"]
        and hand.row["round"] == own.row["round"]
        and bool(hand.wins) == bool(own.wins)
    )
    kept = ("round", "honba", "sticks", "dealer", "scores", "seed", "dice")
    twin = Sheet.copy(place.sheet).hands[place.sheet.hands.index(other)]
    twin.row |= {name: own.row[name] for name in kept}
    place.sheet.hands[place.number] = twin


# --- looking for them --------------------------------------------------------------------------------------


def tries(batch: Batch, kind: Forgery, places: int, rng: random.Random) -> Iterator[tuple[Batch, Batch]]:
    """Yield up to ``places`` pairs of a game and its forgery, from the games of a batch."""
    hands = rng.sample(range(len(batch.hands)), len(batch.hands))
    found = 0
    for hand in hands:
        game = int(batch.hands.game[hand])
        if found == places or batch.hands.end[hand] == HandEnd.UNFINISHED:
            continue
        one = batch.take(game)
        try:
            made = forged(one, kind, hand - int(batch.games.hand_begin[game]), rng)
        except NotHereError:
            continue
        found += 1
        yield one, made
