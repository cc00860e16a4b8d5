"""Changes of tiles and moves: families V1, V2 and, where the seed is known, V6."""

from __future__ import annotations

from typing import Any

from mutation_places import (
    PAYMENTS,
    PROGRESS,
    STATED,
    K,
    Place,
    anywhere,
    ended,
    mutation,
    ron,
    with_event,
    won,
)
from sheets import Event

from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventFlag, HandEnd
from paifu.replay.rules.choices import Consequence

NORTH = 30
TERMINALS_AND_HONOURS = frozenset((0, 8, 9, 17, 18, 26, *range(27, 34)))
ENDS = (K.WIN, K.HAND_DRAW)


def is_tsumogiri(place: Place, at: int) -> bool:
    """Whether the draw at an index is discarded at once."""
    now, then = place.events[at], place.after(at)
    return place.kind_at(then) == K.DISCARD and place.events[then].tile == now.tile


def is_quiet(place: Place, at: int) -> bool:
    """Whether the discard at an index is followed by a draw: nobody calls or wins it, or pays for it."""
    return place.kind_at(place.after(at)) == K.DRAW


# --- tiles -------------------------------------------------------------------------------------------------


@mutation("a tile is drawn that another holds", 103, where=anywhere, wall="both", spoils=True)
def draw_a_held_tile(place: Place) -> None:
    draw = place.events[place.pick_at(K.DRAW)]
    other = place.pick(seat for seat in range(place.players) if seat != draw.seat)
    draw.tile = place.pick(place.hand.row["dealt"][other])


@mutation("another tile is drawn than is discarded", 202, where=anywhere, wall="both", spoils=True)
def draw_another_tile(place: Place) -> None:
    draw = place.events[place.pick_at(K.DRAW, only=lambda at: is_tsumogiri(place, at))]
    held = {place.kind(tile) for tile in place.held(draw.seat, 0)}
    draw.tile = place.unused(only=lambda tile: place.kind(tile) != place.kind(draw.tile) and tile not in held)


@mutation("another copy of a tile is drawn", 202, where=anywhere, wall="both", spoils=True)
def draw_another_copy(place: Place) -> None:
    draw = place.events[place.pick_at(K.DRAW, only=lambda at: is_tsumogiri(place, at))]
    draw.tile = place.unused(only=lambda tile: place.sheet.tile(tile) == place.sheet.tile(draw.tile))


@mutation("another tile is dealt than is discarded", 202, where=anywhere, wall="both", spoils=True)
def deal_another_tile(place: Place) -> None:
    seat = place.rng.randrange(place.players)
    dealt = place.hand.row["dealt"][seat]
    at = place.pick(i for i in range(13) if place.discarded_later(seat, 0, dealt[i]))
    kinds = {place.kind(tile) for tile in dealt}
    dealt[at] = place.unused(only=lambda tile: place.kind(tile) not in kinds)


@mutation("a tile is dealt twice", 103, where=anywhere, wall="both", spoils=True)
def deal_a_tile_twice(place: Place) -> None:
    one, other = place.rng.sample(range(place.players), 2)
    place.hand.row["dealt"][one][place.rng.randrange(13)] = place.pick(place.hand.row["dealt"][other])


@mutation("two dealt tiles change places", 202, 204, where=anywhere, wall="both", spoils=True, then=(207,))
def swap_dealt_tiles(place: Place) -> None:
    """The tile that is missing may be wanted for a discard or a call; a riichi before may not be tenpai."""
    one, other = place.rng.sample(range(place.players), 2)
    mine, theirs = place.hand.row["dealt"][one], place.hand.row["dealt"][other]
    i = place.pick(i for i in range(13) if place.discarded_later(one, 0, mine[i]))
    j = place.pick(j for j in range(13) if place.kind(theirs[j]) != place.kind(mine[i]))
    mine[i], theirs[j] = theirs[j], mine[i]


@mutation("two draws change places", 202, where=anywhere, wall="both", spoils=True)
def swap_draws(place: Place) -> None:
    one = place.pick_at(K.DRAW, only=lambda at: is_tsumogiri(place, at))
    tile = place.events[one].tile
    other = place.pick_at(
        K.DRAW,
        only=lambda at: (
            place.events[at].seat != place.events[one].seat
            and is_tsumogiri(place, at)
            and place.kind(place.events[at].tile) != place.kind(tile)
        ),
    )
    place.events[one].tile, place.events[other].tile = place.events[other].tile, tile


@mutation("the dora indicator is a tile that is dealt", 103, where=anywhere, wall="both", spoils=True)
def indicator_in_a_hand(place: Place) -> None:
    place.hand.row["dora"] = place.pick(place.hand.row["dealt"][place.rng.randrange(place.players)])


# --- turns -------------------------------------------------------------------------------------------------


@mutation("a seat draws out of turn", 201, where=anywhere, wall="both", spoils=True)
def draw_out_of_turn(place: Place) -> None:
    draw = place.events[place.pick_at(K.DRAW)]
    draw.seat = (draw.seat + place.rng.randrange(1, place.players)) % place.players


@mutation("a draw is missing", 201, where=anywhere, wall="both", spoils=True)
def leave_out_a_draw(place: Place) -> None:
    at = place.pick_at(K.DRAW, only=lambda at: place.kind_at(place.after(at)) == K.DISCARD)
    del place.events[at]


@mutation("a discard is missing", 201, where=anywhere, wall="both", spoils=True)
def leave_out_a_discard(place: Place) -> None:
    del place.events[place.pick_at(K.DISCARD, only=lambda at: is_quiet(place, at))]


@mutation("a seat draws twice", 201, where=anywhere, wall="both", spoils=True)
def draw_twice(place: Place) -> None:
    at = place.pick_at(K.DRAW)
    place.events.insert(at + 1, Event(K.DRAW, place.events[at].seat, place.unused()))


@mutation("another seat discards", 201, where=anywhere, spoils=True)
def discard_out_of_turn(place: Place) -> None:
    discard = place.events[place.pick_at(K.DISCARD)]
    discard.seat = (discard.seat + place.rng.randrange(1, place.players)) % place.players


@mutation(
    "a tile is drawn when the wall is empty", 201, where=ended(HandEnd.EXHAUSTIVE), wall="both", spoils=True
)
def draw_from_an_empty_wall(place: Place) -> None:
    at = place.pick_at(K.HAND_DRAW)
    place.need(place.kind_at(at - 1) == K.DISCARD)
    seat = (place.events[at - 1].seat + 1) % place.players
    place.events.insert(at, Event(K.DRAW, seat, place.unused()))


# --- discards ----------------------------------------------------------------------------------------------


@mutation("a tile is discarded that is not held", 202, where=anywhere, spoils=True)
def discard_an_unheld_tile(place: Place) -> None:
    at = place.pick_at(K.DISCARD)
    kinds = {place.kind(tile) for tile in place.held(place.events[at].seat, at)}
    place.events[at].tile = place.unused(only=lambda tile: place.kind(tile) not in kinds)


@mutation("another copy of the tile is discarded", 202, where=anywhere, spoils=True)
def discard_another_copy(place: Place) -> None:
    at = place.pick_at(K.DISCARD)
    held, discard = place.held(place.events[at].seat, at), place.events[at]
    tile = place.sheet.tile
    discard.tile = place.pick(t for t in place.sheet.ids() if tile(t) == tile(discard.tile) and t not in held)


@mutation("a discard from the hand is marked as drawn", 203, where=anywhere)
def mark_as_drawn(place: Place) -> None:
    def from_hand(at: int) -> bool:
        drawn = place.events[at - 1]
        return drawn.kind == K.DRAW and place.sheet.tile(drawn.tile) != place.sheet.tile(
            place.events[at].tile
        )

    at = place.pick_at(K.DISCARD, only=from_hand)
    place.events[at].flags |= EventFlag.TSUMOGIRI


@mutation("the drawn tile is discarded without the mark", 203, where=anywhere, spoils=True)
def forget_the_mark(place: Place) -> None:
    def only_drawn(at: int) -> bool:
        drawn, tile = place.events[at - 1], place.sheet.tile
        held = [tile(t) for t in place.held(drawn.seat, at)] if drawn.kind == K.DRAW else []
        return held.count(tile(drawn.tile)) == 1 and drawn.tile == place.events[at].tile

    at = place.pick_at(K.DISCARD, only=only_drawn)
    # The mark follows from the physical tiles, so this discard must not name its own.
    place.events[at].tile = CODE_OF_TILE + place.sheet.tile(place.events[at].tile)


# --- calls -------------------------------------------------------------------------------------------------

TAKES = (K.CHI, K.PON, K.DAIMINKAN)


@mutation("a chi of tiles that make no run", 204, where=with_event(K.CHI), spoils=True)
def chi_of_no_run(place: Place) -> None:
    at = place.pick_at(K.CHI)
    chi = place.events[at]
    kind = place.kind(chi.tile)
    wrong = place.pick(t for t in place.held(chi.seat, at) if abs(place.kind(t) - kind) > 2)
    chi.own = (chi.own[0], wrong)


@mutation("a chi of tiles that are not held", 204, where=with_event(K.CHI), spoils=True)
def chi_of_unheld_tiles(place: Place) -> None:
    at = place.pick_at(K.CHI)
    chi = place.events[at]
    held, tile = place.held(chi.seat, at), place.sheet.kind
    other = place.pick(t for t in place.sheet.ids() if tile(t) == tile(chi.own[0]) and t not in held)
    chi.own = (other, chi.own[1])


@mutation("a chi from another seat than the left one", 204, where=with_event(K.CHI), spoils=True)
def chi_from_another_seat(place: Place) -> None:
    chi = place.events[place.pick_at(K.CHI)]
    chi.source = (chi.source + place.rng.randrange(1, 4)) % 4


@mutation("a chi by a seat whose turn it is not", 204, where=with_event(K.CHI), spoils=True)
def chi_out_of_turn(place: Place) -> None:
    chi = place.events[place.pick_at(K.CHI)]
    chi.seat = (chi.seat + place.rng.randrange(1, 3)) % 4


@mutation("a call of a tile that was not discarded", 204, where=with_event(*TAKES), spoils=True)
def call_another_tile(place: Place) -> None:
    call = place.events[place.pick_at(*TAKES)]
    call.tile = place.unused(only=lambda tile: place.kind(tile) != place.kind(call.tile))


@mutation("a call of another copy of the discard", 204, where=with_event(*TAKES), spoils=True)
def call_another_copy(place: Place) -> None:
    call = place.events[place.pick_at(*TAKES)]
    tile = place.sheet.tile
    taken = (call.tile, *call.own)
    call.tile = place.pick(t for t in place.sheet.ids() if tile(t) == tile(call.tile) and t not in taken)


@mutation("a pon of two tiles that differ", 204, where=with_event(K.PON), spoils=True)
def pon_of_others(place: Place) -> None:
    at = place.pick_at(K.PON)
    pon = place.events[at]
    wrong = place.pick(t for t in place.held(pon.seat, at) if place.kind(t) != place.kind(pon.tile))
    pon.own = (pon.own[0], wrong)


@mutation("a pon from a seat that did not discard", 204, where=with_event(K.PON), spoils=True)
def pon_from_another_seat(place: Place) -> None:
    pon = place.events[place.pick_at(K.PON)]
    pon.source = place.pick(s for s in range(place.players) if s != pon.source)


@mutation("a call after the next draw", 204, where=with_event(*TAKES), wall="both", spoils=True)
def call_too_late(place: Place) -> None:
    at = place.pick_at(*TAKES)
    seat = (place.events[at].source + 1) % place.players
    place.events.insert(at, Event(K.DRAW, seat, place.unused()))


@mutation("a call of a player in riichi", 204, where=with_event(K.RIICHI_PAID), spoils=True)
def call_after_riichi(place: Place) -> None:
    paid = place.pick_at(K.RIICHI_PAID)
    seat = place.events[paid].seat
    found: list[tuple[int, tuple[int, int]]] = []
    for at in place.hand.find(K.DISCARD):
        if at > paid and place.events[at].seat != seat and is_quiet(place, at):
            tile = place.events[at].tile
            same = [t for t in place.held(seat, at) if place.kind(t) == place.kind(tile)]
            if len(same) >= 2:
                found.append((at, (same[0], same[1])))
    at, own = place.pick(found)
    place.events.insert(at + 1, Event(K.PON, seat, place.events[at].tile, place.events[at].seat, own))


@mutation("a called kind is discarded at once", 205, where=with_event(K.CHI, K.PON), spoils=True)
def kuikae(place: Place) -> None:
    found: list[tuple[int, int, int]] = []
    for at in place.hand.find(K.CHI, K.PON):
        call, then = place.events[at], place.after(at)
        forbidden = place.state(then).forbidden()
        found += [(at, then, t) for t in place.held(call.seat, then) if place.kind(t) in forbidden]
    _, then, tile = place.pick(found)
    place.events[then].tile = tile


# --- kans --------------------------------------------------------------------------------------------------

KANS = (K.DAIMINKAN, K.ANKAN, K.KAKAN)


@mutation("a closed kan of a tile that is not held", 206, where=with_event(K.ANKAN), spoils=True)
def kan_of_unheld_tiles(place: Place) -> None:
    at = place.pick_at(K.ANKAN)
    kan = place.events[at]
    held = {place.kind(tile) for tile in place.held(kan.seat, at)}
    kind = place.pick({place.kind(t) for t in place.sheet.ids()} - held)
    kan.tile, kan.own = 4 * kind, (4 * kind + 1, 4 * kind + 2, 4 * kind + 3)


@mutation("a closed kan in riichi that changes the waits", 206, where=with_event(K.RIICHI_PAID), spoils=True)
def kan_that_changes_the_waits(place: Place) -> None:
    """Under rules that have no foul for it, which is found later or never."""
    place.need(place.sheet.rules["foul_riichi_kan"] == Consequence.REFUSED)
    found: list[tuple[int, list[int]]] = []
    for paid in place.hand.find(K.RIICHI_PAID):
        seat = place.events[paid].seat
        for at in place.hand.find(K.DRAW):
            draw = place.events[at]
            if at < paid or draw.seat != seat:
                continue
            four = [t for t in place.held(seat, at + 1) if place.kind(t) == place.kind(draw.tile)]
            if len(four) < 4:
                continue
            before, after = place.state(at), place.state(at + 1)
            tiles = [place.sheet.tile(t) for t in four]
            after.apply(K.ANKAN, seat, tiles[0], NO_SEAT, tiles[1:])
            if before.waits(seat) != after.waits(seat):
                found.append((at, four))
    at, four = place.pick(found)
    place.events.insert(at + 1, Event(K.ANKAN, place.events[at].seat, four[0], own=tuple(four[1:])))


@mutation("a tile is added to a pon that is not there", 206, where=with_event(K.KAKAN), spoils=True)
def kan_without_a_pon(place: Place) -> None:
    at = place.pick_at(K.KAKAN)
    kan = place.events[at]
    state = place.state(at)
    melded = {meld.low for meld in state.players[kan.seat].melds if meld.event == K.PON}
    kan.tile = place.pick(t for t in place.held(kan.seat, at) if place.kind(t) not in melded)


@mutation("an added kan names another feeder than its pon", 206, where=with_event(K.KAKAN))
def kan_of_another_feeder(place: Place) -> None:
    kan = place.events[place.pick_at(K.KAKAN)]
    kan.source = place.pick(s for s in range(place.players) if s not in (kan.seat, kan.source))


@mutation(
    "no supplement tile is drawn after a kan",
    201,
    where=with_event(*KANS),
    wall="both",
    spoils=True,
    then=(209,),
)
def no_supplement(place: Place) -> None:
    """An indicator that stood behind the draw is turned too early then."""
    at = place.pick_at(*KANS)
    then = next((i for i in range(at, len(place.events)) if place.kind_at(i) == K.DRAW), -1)
    place.need(then > 0 and place.kind_at(then + 1) in (K.DISCARD, K.DORA))
    del place.events[then]


@mutation("a kan dora is missing", 209, where=with_event(K.DORA), then=(603,), spoils=True)
def no_kan_dora(place: Place) -> None:
    """The wall is asked for the next indicator, and there is none; a win shows one that was not turned."""
    at = place.pick_at(K.DORA)
    place.need(place.kind_at(place.after(at)) not in ENDS)
    del place.events[at]


@mutation("a kan dora is turned too early", 209, where=with_event(K.DAIMINKAN, K.KAKAN), spoils=True)
def early_kan_dora(place: Place) -> None:
    at = place.pick_at(K.DORA, only=lambda at: place.kind_at(at - 1) == K.DRAW)
    place.need(place.kind_at(at - 2) in (K.DAIMINKAN, K.KAKAN))
    place.events[at - 1], place.events[at] = place.events[at], place.events[at - 1]


@mutation("a kan dora is turned too late", 209, where=with_event(K.DORA), spoils=True)
def late_kan_dora(place: Place) -> None:
    at = place.pick_at(K.DORA, only=lambda at: place.kind_at(at + 1) in (K.DISCARD, K.DRAW))
    place.events[at], place.events[at + 1] = place.events[at + 1], place.events[at]


@mutation("a dora indicator is turned without a kan", 209, where=anywhere, wall="both", spoils=True)
def extra_dora(place: Place) -> None:
    at = place.pick_at(K.DISCARD, only=lambda at: is_quiet(place, at))
    place.events.insert(at + 1, Event(K.DORA, tile=place.unused()))


# --- riichi ------------------------------------------------------------------------------------------------


def draws_of(place: Place, seats: Any, at: int = 0) -> list[int]:
    """Indices of the draws, with a discard behind them, of some seats."""
    return [
        i
        for i in place.hand.find(K.DRAW)
        if i >= at and place.events[i].seat in seats and place.kind_at(place.after(i)) == K.DISCARD
    ]


def declare(place: Place, at: int) -> None:
    """Have the seat that moves at an index declare riichi behind that move."""
    place.events.insert(at + 1, Event(K.RIICHI, place.events[at].seat))


@mutation("riichi with an open hand", 207, where=with_event(*TAKES), spoils=True)
def riichi_when_open(place: Place) -> None:
    call = place.pick_at(*TAKES)
    declare(place, place.pick(draws_of(place, {place.events[call].seat}, call)))


@mutation("riichi right after a call", 207, where=with_event(K.CHI, K.PON), spoils=True)
def riichi_after_a_call(place: Place) -> None:
    declare(place, place.pick_at(K.CHI, K.PON))


@mutation("riichi that is not tenpai", 207, where=anywhere, spoils=True)
def riichi_when_noten(place: Place) -> None:
    """Likewise."""
    place.need(place.sheet.rules["foul_noten_riichi"] == Consequence.REFUSED)

    def is_noten(at: int) -> bool:
        seat, then = place.events[at].seat, place.after(at)
        state = place.state(then + 1)
        player = state.players[seat]
        return not player.melds and not player.riichi and not state.waits(seat) and state.live > 4

    declare(place, place.pick(at for at in draws_of(place, range(4)) if is_noten(at)))


@mutation("riichi with too few tiles left", 207, where=ended(HandEnd.EXHAUSTIVE), spoils=True)
def riichi_too_late(place: Place) -> None:
    rules = place.sheet.rules
    place.need(rules.riichi.riichi_wall)
    closed = {s for s in range(place.players) if not place.state(len(place.events) - 1).players[s].melds}
    riichi = {event.seat for event in place.events if event.kind == K.RIICHI}
    draws = place.hand.find(K.DRAW)[-rules.riichi.riichi_wall :]
    declare(place, place.pick(at for at in draws_of(place, closed - riichi) if at in draws))


@mutation("riichi twice", 207, where=with_event(K.RIICHI_PAID), spoils=True)
def riichi_twice(place: Place) -> None:
    paid = place.pick_at(K.RIICHI_PAID)
    declare(place, place.pick(draws_of(place, {place.events[paid].seat}, paid)))


@mutation("riichi with too few points", 207, where=with_event(K.RIICHI), then=(*STATED, *PROGRESS))
def riichi_without_points(place: Place) -> None:
    place.need(place.sheet.rules.riichi.riichi_points)
    riichi = place.events[place.pick_at(K.RIICHI)]
    place.hand.row["scores"][riichi.seat] = place.sheet.rules.riichi.riichi_points - 100


@mutation("a player in riichi keeps the drawn tile", 207, where=with_event(K.RIICHI_PAID), spoils=True)
def discard_from_a_riichi_hand(place: Place) -> None:
    paid = place.pick_at(K.RIICHI_PAID)
    seat = place.events[paid].seat
    at = place.after(place.pick(draws_of(place, {seat}, paid)))
    now = place.sheet.tile(place.events[at].tile)
    place.events[at].tile = place.pick(t for t in place.held(seat, at) if place.sheet.tile(t) != now)


NOT_AS_PAID = (*STATED, 401, 403, 504, 506)
"""Who pays a riichi stick, and how many lie there, is in all scores and sticks that are stated later."""


@mutation("a riichi stick is not paid", 208, where=with_event(K.RIICHI_PAID), then=NOT_AS_PAID)
def riichi_not_paid(place: Place) -> None:
    del place.events[place.pick_at(K.RIICHI_PAID)]


@mutation("another seat pays the riichi stick", 208, where=with_event(K.RIICHI_PAID), then=NOT_AS_PAID)
def riichi_paid_by_another(place: Place) -> None:
    paid = place.events[place.pick_at(K.RIICHI_PAID)]
    paid.seat = place.pick(s for s in range(place.players) if s != paid.seat)


@mutation("a riichi stick is paid twice", 208, where=with_event(K.RIICHI_PAID), then=NOT_AS_PAID)
def riichi_paid_twice(place: Place) -> None:
    at = place.pick_at(K.RIICHI_PAID)
    place.events.insert(at, Event(K.RIICHI_PAID, place.events[at].seat))


@mutation("a riichi is paid whose tile was ronned", 208, where=won(ron), then=NOT_AS_PAID)
def ronned_riichi_paid(place: Place) -> None:
    at = place.pick_at(K.WIN)
    place.need(place.kind_at(at - 1) == K.DISCARD and place.kind_at(at - 2) == K.RIICHI)
    place.events.insert(at, Event(K.RIICHI_PAID, place.events[at - 1].seat))


@mutation(
    "a riichi is not declared but paid", 208, where=with_event(K.RIICHI_PAID), spoils=True, then=PAYMENTS
)
def riichi_not_declared(place: Place) -> None:
    paid = place.pick_at(K.RIICHI_PAID)
    del place.events[max(at for at in place.hand.find(K.RIICHI) if at < paid)]


@mutation("another score after a riichi", 208, where=with_event(K.RIICHI_PAID))
def score_after_riichi(place: Place) -> None:
    paid = place.events[place.pick_at(K.RIICHI_PAID, only=lambda at: place.events[at].scores)]
    place.need(paid.scores)
    paid.scores = list(paid.scores or ())
    paid.scores[place.rng.randrange(place.players)] += 100


# --- the end -----------------------------------------------------------------------------------------------


@mutation("a draw behind the hand's end", 211, where=anywhere, wall="both", spoils=True)
def draw_after_the_end(place: Place) -> None:
    place.events.append(Event(K.DRAW, place.rng.randrange(place.players), place.unused()))


@mutation("a win behind a draw", 211, where=ended(HandEnd.EXHAUSTIVE), then=PROGRESS, spoils=True)
def win_after_a_draw(place: Place) -> None:
    row = place.other_win()
    place.events.append(Event(K.WIN, row["seat"], row["tile"], row["source"], row=row))


@mutation("a draw of the hand behind a win", 211, where=won(), then=PROGRESS, spoils=True)
def hand_draw_after_a_win(place: Place) -> None:
    row = place.draw_row(HandEnd.EXHAUSTIVE, len(place.events))
    place.events.append(Event(K.HAND_DRAW, row=row))


# --- draws of the hand -------------------------------------------------------------------------------------


@mutation("nine terminals that are not nine", 212, where=anywhere, then=PROGRESS)
def kyuushu_without_nine(place: Place) -> None:
    def few(at: int) -> bool:
        kinds = {place.kind(tile) for tile in place.held(place.events[at].seat, at + 1)}
        return len(kinds & TERMINALS_AND_HONOURS) < 9

    firsts = place.hand.find(K.DRAW)[: place.players]
    place.end_with_draw(HandEnd.KYUUSHU, place.pick(at for at in firsts if few(at)) + 1)


@mutation("nine terminals after the first turn", 212, where=anywhere, then=PROGRESS)
def kyuushu_too_late(place: Place) -> None:
    draws = place.hand.find(K.DRAW)
    place.need(len(draws) > 3 * place.players)
    place.end_with_draw(HandEnd.KYUUSHU, place.pick(draws[2 * place.players :]) + 1)


def _abort(name: str, end: HandEnd) -> None:
    """Declare the change that ends a hand for a reason that is not there."""

    @mutation(f"{name} that are not there", 212, where=anywhere, then=(*PROGRESS, 405, 407))
    def abort(place: Place) -> None:
        at = place.pick_at(K.DISCARD, only=lambda at: is_quiet(place, at))
        place.end_with_draw(end, at + 1)


_abort("four winds", HandEnd.SUUFON)
_abort("four riichi", HandEnd.SUUCHA)
_abort("four kans", HandEnd.SUUKAIKAN)
_abort("three winners", HandEnd.SANCHAHOU)
_abort("an empty wall's tiles", HandEnd.EXHAUSTIVE)

ABORTED = (HandEnd.KYUUSHU, HandEnd.SUUFON, HandEnd.SUUCHA, HandEnd.SUUKAIKAN, HandEnd.SANCHAHOU)


@mutation("another reason to abort", 212, where=ended(*ABORTED), then=(406,))
def another_reason(place: Place) -> None:
    """Other hands would be laid open."""
    draw = place.hand.draw
    place.need(draw)
    if draw:
        draw["kind"] = place.pick(end for end in ABORTED if end != draw["kind"])


@mutation(
    "a hand goes on that had to be aborted",
    212,
    where=ended(HandEnd.SUUFON, HandEnd.SUUCHA, HandEnd.SUUKAIKAN),
    wall="both",
    then=(101, 505),
)
def hand_goes_on(place: Place) -> None:
    """It does not end then."""
    at = place.pick_at(K.HAND_DRAW)
    seat = next(e.seat for e in reversed(place.events[:at]) if e.kind == K.DISCARD)
    place.events[at:] = [Event(K.DRAW, (seat + 1) % place.players, place.unused())]


# --- kita --------------------------------------------------------------------------------------------------


@mutation("a kita of another tile", 213, where=with_event(K.KITA), spoils=True)
def kita_of_another_tile(place: Place) -> None:
    at = place.pick_at(K.KITA)
    kita = place.events[at]
    kita.tile = place.pick(t for t in place.held(kita.seat, at) if place.kind(t) != NORTH)


@mutation("a kita of a north that is not held", 213, where=with_event(K.KITA), spoils=True)
def kita_not_held(place: Place) -> None:
    at = place.pick_at(K.KITA)
    kita = place.events[at]
    held = place.held(kita.seat, at)
    kita.tile = place.pick(t for t in place.sheet.ids() if place.kind(t) == NORTH and t not in held)


@mutation("a kita with four players", 213, where=anywhere, spoils=True, sanma=False)
def kita_with_four(place: Place) -> None:
    found = [
        (at, tile)
        for at in draws_of(place, range(4))
        for tile in place.held(place.events[at].seat, at + 1)
        if place.kind(tile) == NORTH
    ]
    at, tile = place.pick(found)
    place.events.insert(at + 1, Event(K.KITA, place.events[at].seat, tile))


def swap_everywhere(place: Place, one: int, other: int) -> None:
    """Have two physical tiles change their roles in the whole hand."""
    roles = {one: other, other: one}
    row = place.hand.row
    row["dealt"] = [[roles.get(tile, tile) for tile in dealt] for dealt in row["dealt"]]
    row["dora"] = roles.get(row["dora"], row["dora"])
    for event in place.events:
        event.tile = roles.get(event.tile, event.tile)
        event.own = tuple(roles.get(tile, tile) for tile in event.own)


@mutation("a fifth kan", 210, where=ended(HandEnd.SUUKAIKAN), wall="gone", then=(101, 212))
def fifth_kan(place: Place) -> None:
    """The hand had to end before it, and does not end behind it."""
    at = place.pick_at(K.HAND_DRAW)
    place.need(not place.hand.find(K.RIICHI))
    discarder = next(event.seat for event in reversed(place.events[:at]) if event.kind == K.DISCARD)
    seat = (discarder + 1) % place.players
    melds = (K.CHI, K.PON, *KANS)
    melded = {t for e in place.events if e.kind in melds for t in (e.tile, *e.own)}
    kind = place.pick(k for k in range(27, 34) if not melded & set(range(4 * k, 4 * k + 4)))
    four = tuple(range(4 * kind, 4 * kind + 4))
    kept = [t for t in place.held(seat, at) if t not in four]
    place.need(len(kept) >= 4)
    for tile, other in zip(four, kept, strict=False):
        swap_everywhere(place, tile, other)
    place.events[at:] = [Event(K.DRAW, seat, place.unused()), Event(K.ANKAN, seat, four[0], own=four[1:])]
