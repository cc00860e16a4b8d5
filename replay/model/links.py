"""What a batch says twice: rows that point at rows, counts, and facts that are in two tables.

The :class:`~paifu.replay.model.builder.BatchBuilder` writes both places from one value, so they agree in
every batch that a parser makes. In a stored batch they may not, and readers of one place would contradict
readers of the other. :func:`links` lists every such pair once, over whole columns. What a *log* may state
twice and differently (scores, honba, sticks, indicators) is not a link: the replay compares those.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import Mask
from paifu.replay.model.batch import MAX_OPTIONS, NO_YAKU, Batch, Table, Verdicts
from paifu.replay.model.events import (
    FOULS,
    NO_SEAT,
    RULING_SHIFT,
    UNSTATED_SEAT,
    EventFlag,
    EventKind,
    HandEnd,
    discards_of_drawn,
)
from paifu.replay.model.tiles import (
    ALL_TILES,
    BONUS_TILES,
    FIVE_KINDS,
    IDS,
    KIND_OF_TILE,
    KINDS,
    NO_TILE,
    TILE_OF_ID_PLAIN,
)

Ints = npt.NDArray[Any]

_OF_A_SEAT = tuple(kind for kind in EventKind if kind not in (EventKind.DORA, EventKind.HAND_DRAW))
_OF_A_TILE = (EventKind.DISCARD, EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN,
              EventKind.KAKAN, EventKind.DORA, EventKind.BONUS)  # fmt: skip
_FROM_A_SEAT = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.WIN)
_OWN_TILES = {EventKind.CHI: 2, EventKind.PON: 2, EventKind.DAIMINKAN: 3, EventKind.ANKAN: 3,
              EventKind.KAKAN: 3}  # fmt: skip
OPTIONS_OF_TILES = (EventKind.DISCARD, EventKind.CHI, EventKind.ANKAN, EventKind.KAKAN)
"""Options of which a verdict names a tile."""
OPTION_KINDS = (0, *OPTIONS_OF_TILES, EventKind.PON, EventKind.DAIMINKAN, EventKind.KITA, EventKind.RIICHI,
                EventKind.WIN, EventKind.HAND_DRAW)  # fmt: skip
"""All that an engine may rate; 0 is to pass."""
_IS_PLAY = ~np.isin(np.arange(256), (EventKind.LEAVE, EventKind.RETURN, EventKind.FOUL))
_NO_MELD, _MELDS_UNKNOWN = -1, -2
_IS_FIVE = np.isin(TILE_OF_ID_PLAIN, FIVE_KINDS)


class Link(NamedTuple):
    """One thing that must hold in every row of a table."""

    table: Table
    column: str
    holds: Mask
    """(rows,)"""
    claim: str
    """What holds, in words that follow "which": ``is not that of its event``."""


def links(batch: Batch) -> Iterator[Link]:
    """Yield all links, in an order in which each may rely on those before it.

    Columns must be within their ranges. The next link may be asked for only after the last one was found
    to hold.
    """
    yield from _of_games(batch)
    yield from _of_hands(batch)
    yield from _of_events(batch)
    yield from _of_results(batch)
    yield from _of_lists(batch)
    yield from _of_tiles(batch)
    if len(batch.verdicts):
        yield from _of_verdicts(batch)


def _of_games(batch: Batch) -> Iterator[Link]:
    """Games share out the hands and the events among themselves, in order and without a rest."""
    games = batch.games
    for begin, end, table in (
        ("hand_begin", "hand_end", batch.hands), ("event_begin", "event_end", batch.events),
    ):  # fmt: skip
        first, last = getattr(games, begin), getattr(games, end)
        before = np.concatenate([np.zeros(min(1, len(last)), last.dtype), last[:-1]])
        yield Link(games, begin, first == before, "is not where the game before ends")
        yield Link(games, end, last >= first, "is before the game begins")
        is_whole = np.ones(len(games), bool)
        is_whole[-1:] = last[-1:] == len(table)
        yield Link(games, end, is_whole, f"is not the end of {table.NAME}, which has {len(table)} rows")
        if not len(games):
            name = table.columns()[0].name
            yield Link(table, name, np.zeros(len(table), bool), "belongs to no game, for there is none")


def _of_hands(batch: Batch) -> Iterator[Link]:
    """A hand lies in its game, begins where the one before it ends, and the last one ends with the game."""
    games, hands = batch.games, batch.hands
    game = np.repeat(np.arange(len(games)), games.hand_end - games.hand_begin)
    yield Link(hands, "game", hands.game == game, "is not the game whose hands it is among")
    begin, end = hands.event_begin, hands.event_end
    yield Link(hands, "event_begin", begin >= games.event_begin[game], "is before the game begins")
    yield Link(hands, "event_end", end >= begin, "is before the hand begins")
    due = games.event_end[game]
    is_followed = game[:-1] == game[1:]
    due[:-1][is_followed] = begin[1:][is_followed]
    yield Link(hands, "event_end", end == due, "is not where the next hand begins, or the game ends")
    is_first = np.ones(len(hands), bool)
    is_first[1:] = ~is_followed
    outside = np.zeros(len(batch.events) + 1, np.int64)
    np.cumsum(_IS_PLAY[batch.events.kind], out=outside[1:])
    nothing = outside[begin] == outside[games.event_begin[game]]
    yield Link(hands, "event_begin", nothing | ~is_first, "leaves out events of play before it")
    players = games.players[game]
    yield Link(hands, "dealer", hands.dealer < players, "does not play")
    absent = np.arange(4) >= players[:, None]
    nobody = (hands.dealt == NO_TILE).all(axis=2) | ~absent
    yield Link(hands, "dealt", nobody.all(axis=1), "has tiles for a seat that does not play")
    has_hands = games.hand_end > games.hand_begin
    is_over = np.ones(len(games), bool)
    is_over[has_hands] = hands.end[games.hand_end[has_hands] - 1] != HandEnd.UNFINISHED
    yield Link(games, "is_cut", games.is_cut | is_over, "but its last hand is not finished")


def _of_events(batch: Batch) -> Iterator[Link]:
    """An event of a kind has a seat, a source, a tile and own tiles, or has none."""
    games, events = batch.games, batch.events
    players = np.repeat(games.players, games.event_end - games.event_begin)
    kind, seat, source, tile = events.kind, events.seat, events.source, events.tile
    nobody = (seat == NO_SEAT) | ((kind == EventKind.HAND_DRAW) & (seat < players))
    yield Link(events, "seat", _where(kind, _OF_A_SEAT, seat < players, nobody), "does not play")
    is_source = (source < players) | ((kind == EventKind.KAKAN) & (source == NO_SEAT))
    yield Link(
        events,
        "source",
        _where(kind, (*_FROM_A_SEAT, EventKind.KAKAN), is_source, source == NO_SEAT),
        "is not what such an event has",
    )
    yield Link(events, "tile", _where(kind, _OF_A_TILE, tile < ALL_TILES), "is not what such an event has")
    is_bonus = (tile >= BONUS_TILES.start) & (tile < BONUS_TILES.stop)
    yield Link(events, "tile", (kind != EventKind.BONUS) | is_bonus, "is not a flower or season")
    is_foul = kind == EventKind.FOUL
    yield Link(events, "tile", ~is_foul | (tile < FOULS), "is not a kind of foul")
    is_open = (kind == EventKind.RIICHI) & (events.flags == EventFlag.OPEN)
    no_cost = is_foul | is_open | (events.flags >> RULING_SHIFT == 0)
    yield Link(events, "flags", no_cost, "is a cost of no foul")
    due = np.zeros(max(EventKind) + 1, np.uint8)
    due[list(_OWN_TILES)] = list(_OWN_TILES.values())
    number = due[kind]
    own = np.ones(len(events), bool)
    for place in range(events.own.shape[1]):  # much faster than to ask all() of rows of three
        own &= (events.own[:, place] < ALL_TILES) == (number > place)
    yield Link(events, "own", own, "is not what such an event shows")
    is_marked = (events.flags & EventFlag.TSUMOGIRI) != 0
    first = np.repeat(games.event_begin, games.event_end - games.event_begin)
    is_drawn, may_be = discards_of_drawn(kind, seat, events.tile_id, first)
    fits = (is_marked == is_drawn) | may_be
    yield Link(events, "flags", fits, "is wrong on whether the tile was just drawn")


def _of_results(batch: Batch) -> Iterator[Link]:
    """Every end of a hand has its row of claims, in order, every row its event; the hand says the same."""
    hands, events = batch.hands, batch.events
    ends = np.zeros(len(hands), np.uint8)
    ended = np.full(len(hands), -1)
    for table, kind, what in (
        (batch.wins, EventKind.WIN, "win"), (batch.hand_draws, EventKind.HAND_DRAW, "draw"),
    ):  # fmt: skip
        due = np.flatnonzero(events.kind == kind)
        at = table.event
        rows = np.full(len(at), -1)
        rows[: len(due)] = due[: len(at)]
        yield Link(table, "event", at == rows, f"is not the next event that is a {what}")
        has_row = np.ones(len(events), bool)
        has_row[due[len(at) :]] = False
        yield Link(events, "kind", has_row, f"is a {what} without a row in {table.NAME}")
        hand = np.searchsorted(hands.event_begin, at, side="right") - 1
        yield Link(table, "hand", (table.hand == hand) & (hand >= 0), "is not the hand of its event")
        yield Link(table, "event", at < hands.event_end[hand], "is in no hand")
        yield Link(table, "game", table.game == hands.game[hand], "is not the game of its hand")
        last = at > ended[hand]
        ended[hand[last]] = at[last]
        ends[hand[last]] = table.kind[last] if table is batch.hand_draws else HandEnd.WIN
    yield Link(hands, "end", hands.end == ends, "is not how its last result ends it")
    wins, riichi = batch.wins, batch.riichi_scores
    for name in ("seat", "source", "tile", "tile_id"):
        is_same = getattr(wins, name) == getattr(events, name)[wins.event]
        yield Link(wins, name, is_same, f"is not the {name} of its event")
    players = batch.games.players[wins.game]
    yield Link(wins, "liable", (wins.liable < players) | (wins.liable >= UNSTATED_SEAT), "does not play")
    at = riichi.event
    yield Link(riichi, "event", (at >= 0) & (at < len(events)), "is not an event")
    yield Link(riichi, "event", events.kind[at] == EventKind.RIICHI_PAID, "is not a paid riichi")
    yield Link(riichi, "event", np.diff(at, prepend=-1) > 0, "is not after the row before")
    hand = np.searchsorted(hands.event_begin, at, side="right") - 1
    yield Link(riichi, "event", hand >= 0, "is in no hand")
    yield Link(riichi, "event", at < hands.event_end[hand], "is in no hand")


def _of_lists(batch: Batch) -> Iterator[Link]:
    """In a list, nothing follows the first cell that is empty; two lists of the same things are as long."""
    wins = batch.wins
    for table, name, empty in (
        (wins, "tiles", NO_TILE), (wins, "dora", NO_TILE), (wins, "ura", NO_TILE), (wins, "yaku", NO_YAKU),
        (wins, "melds", _NO_MELD), (batch.hand_draws, "shown", NO_TILE),
    ):  # fmt: skip
        is_empty = getattr(table, name) == empty
        followed = (is_empty[..., :-1] & ~is_empty[..., 1:]).any(axis=tuple(range(1, is_empty.ndim)))
        yield Link(table, name, ~followed, "goes on after its end")
    yield Link(wins, "han", ((wins.yaku != NO_YAKU) | (wins.han == 0)).all(axis=1), "has han without yaku")
    shows = wins.melds != _MELDS_UNKNOWN
    yield Link(wins, "melds", shows.all(axis=1) | ~shows.any(axis=1), "is stated and not stated")


def _of_tiles(batch: Batch) -> Iterator[Link]:
    """A tile is of the kind of its physical id, and an id is red in the whole game or nowhere."""
    games = batch.games
    game_of_event = np.repeat(np.arange(len(games)), games.event_end - games.event_begin)
    reds: list[tuple[Table, str, Ints, Ints, Mask]] = []
    is_red = np.zeros(len(games) * IDS, bool)
    for table, game in (
        (batch.hands, batch.hands.game), (batch.events, game_of_event), (batch.wins, batch.wins.game),
        (batch.hand_draws, batch.hand_draws.game),
    ):  # fmt: skip
        for column in table.columns():
            if not column.is_code:
                continue
            all_ids = getattr(table, f"{column.name}_id").reshape(-1)
            at = np.flatnonzero(all_ids != NO_TILE)
            ids, tiles = all_ids[at], getattr(table, column.name).reshape(-1)[at]
            wrong = at[KIND_OF_TILE[tiles] != TILE_OF_ID_PLAIN[ids]] // column.cells
            yield Link(table, column.name, _but(table, wrong), "is not the tile of its physical id")
            fives = np.flatnonzero(_IS_FIVE[ids])
            row = at[fives] // column.cells
            key = game[row] * IDS + ids[fives]
            red = tiles[fives] >= KINDS  # a five has an id of a five, so this is not a flower
            is_red[key] = red
            reds.append((table, column.name, row, key, red))
    for some, name, row, key, red in reds:
        wrong = row[is_red[key] != red]
        yield Link(some, name, _but(some, wrong), "has a five that is red in part of the game only")


def _of_verdicts(batch: Batch) -> Iterator[Link]:
    """A verdict belongs to an event of its hand; of a decision, one option is chosen and one is played."""
    verdicts, hands = batch.verdicts, batch.hands
    at = verdicts.event
    yield Link(verdicts, "event", (at >= 0) & (at < len(batch.events)), "is not an event")
    yield Link(verdicts, "event", np.diff(at, prepend=0) >= 0, "is before that of the row before")
    hand = np.searchsorted(hands.event_begin, at, side="right") - 1
    yield Link(verdicts, "hand", (verdicts.hand == hand) & (hand >= 0), "is not the hand of its event")
    yield Link(verdicts, "event", at < hands.event_end[hand], "is in no hand")
    yield Link(verdicts, "game", verdicts.game == hands.game[hand], "is not the game of its hand")
    yield Link(verdicts, "seat", verdicts.seat < batch.games.players[verdicts.game], "does not play")
    kind, tile = verdicts.kind, verdicts.tile
    yield Link(verdicts, "kind", np.isin(kind, OPTION_KINDS), "is nothing that a player decides")
    may_be = kind == EventKind.RIICHI
    yield Link(
        verdicts, "tile", may_be | (np.isin(kind, OPTIONS_OF_TILES) == (tile != NO_TILE)),
        "is not what such an option has",
    )  # fmt: skip
    is_chi = (kind == EventKind.CHI)[:, None]
    yield Link(
        verdicts, "own", (is_chi == (verdicts.own != NO_TILE)).all(axis=1), "is not what such an option shows"
    )
    of_event = np.cumsum(np.diff(at, prepend=-1) > 0) - 1
    yield Link(verdicts, "event", np.bincount(of_event)[of_event] <= MAX_OPTIONS, "has too many options")
    decision = decisions(verdicts)
    for name in ("is_chosen", "is_played"):
        count = np.bincount(decision, getattr(verdicts, name))
        yield Link(verdicts, name, count[decision] <= 1, "is said of two options of a decision")
    first = np.searchsorted(decision, decision)
    for name in ("shanten", "is_furiten"):
        values = getattr(verdicts, name)
        yield Link(verdicts, name, values == values[first], "is not that of the decision's first option")


def decisions(verdicts: Verdicts) -> Ints:
    """Return for each row of verdicts a number of its decision, which grows."""
    is_new = np.ones(len(verdicts), bool)
    is_new[1:] = False
    for name in ("event", "seat", "engine"):
        values = getattr(verdicts, name)
        is_new[1:] |= np.asarray(values[1:] != values[:-1], bool)
    numbers: Ints = np.cumsum(is_new)
    return numbers


def _but(table: Table, wrong: Ints) -> Mask:
    """Tell that something holds in all rows but some."""
    holds = np.ones(len(table), bool)
    holds[wrong] = False
    return holds


def _where(kinds: Ints, some: tuple[EventKind, ...], holds: Mask, otherwise: Mask | bool = True) -> Mask:
    """Demand one thing of events of some kinds, and another of all others."""
    wanted = np.zeros(max(EventKind) + 1, bool)
    wanted[list(some)] = True
    chosen: Mask = np.where(wanted[kinds], holds, otherwise)
    return chosen
