"""What tests of the shuffle look at: a row for each hand of which all four (or three) deals are known.

Seats count from the dealer, who is 0. Tiles are kinds, 0-33, except for the deal, which keeps red fives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64, U8, Mask
from paifu.replay.kernels import codes
from paifu.replay.kernels.wall_checks import ANY_COPY, Walls
from paifu.replay.model.batch import Batch, Hands
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import IDS, KIND_OF_TILE, KINDS, NO_TILE, RED_MAN, SANMA_ABSENT_KINDS, TILES
from paifu.replay.rules.choices import Scheme
from paifu.replay.table.replayed import Replay
from paifu.replay.walls.hands import kinds_of, walls_of
from paifu.replay.walls.layout import HAND_SIZE
from paifu.reports.hands.hand_in_words import dora_of

Digests = npt.NDArray[np.uint64]

UNKNOWN = -1
"""Of a shanten, dice or a place."""
_DIGEST = 8
_DEAD = 14
_SIZES = {4: IDS, 3: IDS - 4 * len(SANMA_ABSENT_KINDS)}
_LIVE = {players: size - HAND_SIZE * players - _DEAD for players, size in _SIZES.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """Hands of games for one number of players, in the order of the input."""

    players: int
    game: I64
    """Number of the game in its unit of the input."""
    number: I64
    """The hand's number within its game."""
    seats: U8
    """(n, s) absolute seats of the players that are looked at: all from the dealer on, or one."""
    dealt: U8
    """(n, s, 13) tiles, 0-36."""
    reds: I64
    """Red fives in the set."""
    indicator: U8
    """The first dora indicator."""
    unseen: U8
    """(n, 34) tiles that neither the deal nor the indicator shows."""
    shanten: I64
    """(n, s) of the deal."""
    dice: I64
    """0-35."""
    place: I64
    """In the first hand of a game what its seats are judged by; see :func:`_places_of_seats`."""
    shown: U8
    """(n, most) kinds that are drawn or turned, in order, NO_TILE after the last."""
    counts: Mask
    """Which of them count: all, or one player's draws."""
    waits: I64
    """(n, most) bits of the kinds that a player in riichi waits for, 0 for other draws."""
    awaited: I64
    """(n, most) bits of the kinds that others in riichi wait for, in draws; with one player that is looked
    at, what that player waits for, in draws of others."""
    ura: U8
    """(n, 5) ura indicators that a win shows."""
    ura_sums: I64
    """(n, 4) ura indicators, dora that they make in the hand; the mean of one, and its variance, both times
    powers of the unseen tiles."""
    has_wall: Mask
    wall: U8
    """(n, tiles) kinds: the deals from the dealer on, the draws, the dead wall."""
    red_places: Mask
    """(n, tiles) where red fives lie in it."""
    agrees: Mask
    """Whether every tile drawn is that of the wall."""
    undrawn: U8
    """(n, 34) tiles of the live wall that nobody drew, where the wall is known and agrees."""
    undrawn_waits: I64
    """Bits of the kinds that players in riichi waited for when the hand ended."""
    dead: U8
    """(n, 10) the indicators and the ura indicators, seen or not."""
    deal: Digests
    """Equal for equal deals with the same first indicator."""
    copy: Digests
    """Equal for copies of a hand: the same deal in the same round at the same scores."""
    contradicted: int = 0
    """Hands whose deal is not that of the wall that their log states."""
    left_out: int = 0
    """Hands with hidden or impossible tiles."""

    def __len__(self) -> int:
        return len(self.game)

    def rows(self, chosen: npt.NDArray[Any]) -> Self:
        """Return some of the hands."""
        arrays = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(
            self, **{name: array[chosen] for name, array in arrays.items() if isinstance(array, np.ndarray)}
        )

    @property
    def tiles(self) -> int:
        """Number of tiles in the set."""
        return _SIZES[self.players]

    @property
    def kinds(self) -> I64:
        """The kinds in the set."""
        return kinds_of_set(self.players)


@cache
def kinds_of_set(players: int) -> I64:
    """Return the kinds in the set of a number of players."""
    absent = SANMA_ABSENT_KINDS if players == 3 else ()
    return np.array([kind for kind in range(KINDS) if kind not in absent])


def counts_of(kinds: npt.NDArray[Any]) -> I64:
    """Count the kinds of (n, ...) tiles: (n, 34). Anything but a kind does not count."""
    rows = np.repeat(np.arange(len(kinds)), kinds[:1].size)
    flat = kinds.reshape(-1)
    held = flat < KINDS
    table = np.bincount(rows[held] * KINDS + flat[held], minlength=len(kinds) * KINDS)
    return table.reshape(-1, KINDS)


def deals_of(facts: Replay, players: frozenset[str] = frozenset()) -> list[Deals]:
    """Return the hands of a replayed batch: those for four players, and those for three.

    ``players`` are names of one player, case-folded, of whom alone the hands are looked at.
    """
    return [_deals(facts, number, players) for number in _SIZES]


def _deals(facts: Replay, players: int, names: frozenset[str]) -> Deals:
    batch, hands, games = facts.batch, facts.batch.hands, facts.batch.games
    plays = [
        rules.game.scheme == Scheme.HAN_FU
        and rules.table.players == players
        and games.players[game] == players
        for game, rules in enumerate(facts.rulesets)
    ]
    rows = np.flatnonzero(np.array(plays, bool)[hands.game]) if len(hands) else np.zeros(0, np.int64)
    every = len(rows)
    rows = rows[_are_possible(batch, rows, players)]
    left_out = every - len(rows)
    own = batch.seats_of(names)[hands.game[rows]] if names else np.zeros((len(rows), 4), bool)
    rows, own = (rows[own.any(axis=1)], own[own.any(axis=1)]) if names else (rows, own)
    turn = (hands.dealer[rows, None].astype(np.int64) + np.arange(players)) % players
    tiles = hands.dealt[rows[:, None], turn]
    seats = own.argmax(axis=1)[:, None] if names else turn
    game = hands.game[rows].astype(np.int64)
    first = np.cumsum(np.concatenate([[0], games.players[hands.game].astype(np.int64)]))
    shanten = facts.player_hands.start_shanten[first[rows][:, None] + seats].astype(np.int64)
    usual = np.array([rules.forms == 0 for rules in facts.rulesets], bool)
    reds = np.array([len(rules.red_ids) for rules in facts.rulesets], np.int64)
    dice = hands.dice[rows].astype(np.int64)
    unseen = _unseen(tiles, hands.dora[rows], players)
    deal = _deal_digests(tiles, hands.dora[rows])
    begins = np.unique(game, return_index=True)[1]
    walls = _Walls(facts, rows, players, tiles)
    number = rows - games.hand_begin[hands.game[rows]]
    agrees = walls.known & ~np.isin(rows, facts.findings.hand[facts.findings.code == codes.WALL_DRAW])
    play = _play(facts, rows, seats if names else None, unseen, first, players)
    return Deals(
        players=players,
        game=game,
        number=number,
        seats=seats.astype(np.uint8),
        dealt=hands.dealt[rows[:, None], seats],
        reds=reds[hands.game[rows]] if len(rows) else np.zeros(0, np.int64),
        indicator=KIND_OF_TILE[hands.dora[rows]],
        unseen=unseen,
        shanten=np.where(usual[hands.game[rows]][:, None], shanten, UNKNOWN) if len(rows) else shanten,
        dice=np.where((dice < 6).all(axis=1), 6 * dice[:, 0] + dice[:, 1], UNKNOWN),
        place=_places_of_seats(batch, game, seats[:, 0] if names else None, begins),
        **play,
        agrees=agrees,
        undrawn=_undrawn(facts, rows, agrees, walls.live),
        has_wall=walls.known,
        wall=walls.kinds,
        red_places=walls.reds,
        dead=walls.dead,
        deal=deal,
        copy=_digests_of_copies(hands, rows, deal),
        contradicted=walls.contradicted,
        left_out=left_out,
    )


def _are_possible(batch: Batch, rows: I64, players: int) -> Mask:
    """Return in which hands all deals are known, and no kind is there more than four times."""
    dealt, dora = batch.hands.dealt[rows, :players], batch.hands.dora[rows]
    known = (dealt < TILES).all(axis=(1, 2)) & (dora < TILES)
    seen = counts_of(KIND_OF_TILE[dealt]) + counts_of(KIND_OF_TILE[dora][:, None])
    absent = np.setdiff1d(np.arange(KINDS), kinds_of_set(players))
    possible: Mask = known & (seen <= 4).all(axis=1) & (seen[:, absent] == 0).all(axis=1)
    return possible


def _unseen(tiles: U8, dora: U8, players: int) -> U8:
    whole = np.zeros(KINDS, np.int64)
    whole[kinds_of_set(players)] = 4
    return (whole - counts_of(KIND_OF_TILE[tiles]) - counts_of(KIND_OF_TILE[dora][:, None])).astype(np.uint8)


def _deal_digests(tiles: U8, dora: U8) -> Digests:
    """Return a number for each deal, equal for equal ones whatever order a log lists tiles in."""
    held = np.sort(KIND_OF_TILE[tiles], axis=2)
    return _digests(hand.tobytes() + bytes([turned]) for hand, turned in zip(held, dora, strict=True))


def _digests_of_copies(hands: Hands, rows: I64, deal: Digests) -> Digests:
    columns = [deal, hands.round[rows], hands.honba[rows], *hands.scores[rows].T]
    return _digests(
        row.tobytes() for row in np.stack([column.astype(np.int64) for column in columns], axis=1)
    )


def _digests(parts: Iterable[bytes]) -> Digests:
    data = b"".join(hashlib.blake2b(part, digest_size=_DIGEST).digest() for part in parts)
    return np.frombuffer(data, "<u8").astype(np.uint64)


def _places_of_seats(batch: Batch, games: npt.NDArray[Any], own: I64 | None, begins: I64) -> I64:
    """Return the seat of the player; of all players, which place by rating the first dealer has, from 0.

    Only the first row of each game has it, and only where all ratings are known and different.
    """
    place = np.full(len(games), UNKNOWN, np.int64)
    if own is not None:
        place[begins] = own[begins]
        return place
    for at in begins.tolist():
        rates = batch.games.rate[games[at], : batch.games.players[games[at]]]
        if not np.isnan(rates).any() and len(set(rates.tolist())) == len(rates):
            place[at] = int((rates > rates[0]).sum())
    return place


def _play(
    facts: Replay, rows: I64, own: I64 | None, unseen: U8, first: I64, players: int
) -> dict[str, npt.NDArray[Any]]:
    """Return what play shows of the wall, in order; nothing of hands in which it shows the impossible."""
    batch, events = facts.batch, facts.batch.events
    row_of_hand = np.full(len(batch.hands), -1, np.int64)
    row_of_hand[rows] = np.arange(len(rows))
    at = np.flatnonzero(np.isin(events.kind, (EventKind.DRAW, EventKind.DORA)))
    hand = batch.hands_of(at)
    row = np.where(hand >= 0, row_of_hand[hand], -1)
    at, hand, row = at[row >= 0], hand[row >= 0], row[row >= 0]
    order = np.arange(len(at)) - np.searchsorted(row, row)
    shape = (len(rows), int(order.max(initial=0)) + 1)
    shown, seat = np.full(shape, NO_TILE, np.uint8), np.full(shape, NO_TILE, np.uint8)
    shown[row, order], seat[row, order] = KIND_OF_TILE[events.tile[at]], events.seat[at]
    is_draw, length = np.zeros(shape, bool), np.bincount(row, minlength=len(rows))
    is_draw[row, order] = events.kind[at] == EventKind.DRAW
    waits = np.zeros(shape, np.int64)
    awaited, undrawn_waits = waits.copy(), np.zeros(len(rows), np.int64)
    of_seats = _waits(facts, at, hand, first)
    drawer = np.arange(4) == events.seat[at, None]
    watched = np.ones((len(rows), 4), bool) if own is None else np.arange(4) == own
    waits[row, order] = np.where(drawer, of_seats, 0).sum(axis=1)
    awaited[row, order] = np.bitwise_or.reduce(np.where(~drawer & watched[row], of_seats, 0), axis=1)
    at_end = _waits(facts, batch.hands.event_end[rows].astype(np.int64), rows, first)
    undrawn_waits = np.bitwise_or.reduce(np.where(watched, at_end, 0), axis=1)
    possible = _follow(shown, unseen, length)
    shown[~possible], waits[~possible], awaited[~possible], undrawn_waits[~possible] = NO_TILE, 0, 0, 0
    counts = shown < KINDS
    if own is not None:
        counts &= is_draw & (seat == own)
    ura, sums = _ura(facts, rows, own, unseen, shown, possible, players)
    return {
        "shown": shown,
        "counts": counts,
        "waits": np.where(counts & is_draw, waits, 0),
        "awaited": np.where(is_draw, awaited, 0),
        "undrawn_waits": undrawn_waits,
        "ura": ura,
        "ura_sums": sums,
    }


def _undrawn(facts: Replay, rows: I64, agrees: Mask, live: U8) -> U8:
    """Count the kinds of the live wall that nobody drew, in hands whose draws agree with their wall."""
    batch, events = facts.batch, facts.batch.events
    left = np.zeros((len(rows), KINDS), np.uint8)
    supplied = (EventKind.ANKAN, EventKind.KAKAN, EventKind.DAIMINKAN, EventKind.KITA)
    for row in np.flatnonzero(agrees).tolist():
        kinds = events.kind[batch.hands.event_begin[rows[row]] : batch.hands.event_end[rows[row]]]
        draws = np.flatnonzero(kinds == EventKind.DRAW)
        kans = int(np.isin(kinds[: draws[-1] if len(draws) else 0], supplied).sum())
        left[row] = np.bincount(live[row, len(draws) - kans :], minlength=KINDS)[:KINDS]
    return left


def _waits(facts: Replay, at: I64, hand: I64, first: I64) -> I64:
    """Return (n, 4) the kinds that each seat waits for that is in riichi by some events."""
    batch, events = facts.batch, facts.batch.events
    since = np.full((len(batch.hands), 4), np.iinfo(np.int64).max)
    declared = np.flatnonzero(events.kind == EventKind.RIICHI)
    where = batch.hands_of(declared)
    declared, where = declared[where >= 0], where[where >= 0]
    since[where, events.seat[declared] % 4] = declared
    players = batch.games.players[batch.hands.game[hand]].astype(np.int64)
    seats = np.minimum(np.arange(4), players[:, None] - 1)
    in_riichi = (at[:, None] > since[hand]) & (np.arange(4) < players[:, None])
    waits = facts.player_hands.riichi_waits[first[hand][:, None] + seats].astype(np.int64)
    return np.where(in_riichi, waits, 0)


def _follow(shown: U8, unseen: U8, length: I64) -> Mask:
    """Return in which hands every tile that is shown was there to be shown."""
    left = unseen.astype(np.int64)
    possible = np.ones(len(shown), bool)
    for step in range(shown.shape[1]):
        rows = np.flatnonzero(step < length)
        known = shown[rows, step] < KINDS
        possible[rows[~known]] = False
        rows = rows[known]
        left[rows, shown[rows, step]] -= 1
    return possible & (left >= 0).all(axis=1)


def _ura(
    facts: Replay, rows: I64, own: I64 | None, unseen: U8, shown: U8, possible: Mask, players: int
) -> tuple[U8, I64]:
    """Return the ura indicators of the first win that shows some, and what they do for its hand."""
    batch, wins, events = facts.batch, facts.batch.wins, facts.batch.events
    ura, sums = np.full((len(rows), wins.ura.shape[1]), NO_TILE, np.uint8), np.zeros((len(rows), 4), np.int64)
    row_of_hand = np.full(len(batch.hands), -1, np.int64)
    row_of_hand[rows] = np.arange(len(rows))
    makes = np.array([dora_of(kind, players) for kind in range(KINDS)])
    left = unseen.astype(np.int64) - counts_of(shown)
    for win in np.flatnonzero((wins.ura < TILES).any(axis=1)).tolist():
        hand, seat = int(wins.hand[win]), int(wins.seat[win])
        row = int(row_of_hand[hand])
        if row < 0 or not possible[row] or ura[row, 0] != NO_TILE:
            continue
        if own is not None and own[row, 0] != seat:
            continue
        kinds = KIND_OF_TILE[wins.ura[win][wins.ura[win] < TILES]]
        part = slice(int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand]))
        turned = 1 + int((events.kind[part] == EventKind.DORA).sum())
        held = _held(batch, win, part)
        if len(kinds) != turned or (counts_of(kinds[None])[0] > left[row]).any() or held is None:
            continue
        worth, size = held[makes], int(left[row].sum())
        mean = int(left[row] @ worth)
        ura[row, : len(kinds)] = kinds
        sums[row] = (
            len(kinds),
            int(worth[kinds].sum()),
            mean,
            size * int(left[row] @ worth**2) - mean**2,
        )
    return ura, sums


def _held(batch: Batch, win: int, part: slice) -> I64 | None:
    """Count the kinds of a hand that won closed; None if the log does not show it."""
    wins, events = batch.wins, batch.events
    tiles = wins.tiles[win]
    if not (tiles < TILES).any():
        return None
    held: I64 = counts_of(KIND_OF_TILE[tiles][None])[0]
    mine = events.seat[part] == wins.seat[win]
    for kind, number in ((EventKind.ANKAN, 4), (EventKind.KITA, 1)):
        for tile in events.tile[part][mine & (events.kind[part] == kind)]:
            held[KIND_OF_TILE[tile] if tile < TILES else KINDS - 4] += number
    return held


class _Walls:
    """The walls of some hands without flowers, as far as logs state them and the deals agree."""

    def __init__(self, facts: Replay, rows: I64, players: int, tiles: U8) -> None:
        size = _SIZES[players]
        self.known = np.zeros(len(rows), bool)
        self.kinds = np.full((len(rows), size), NO_TILE, np.uint8)
        self.reds = np.zeros((len(rows), size), bool)
        self.dead = np.full((len(rows), 10), NO_TILE, np.uint8)
        self.live = np.full((len(rows), _LIVE[players]), NO_TILE, np.uint8)
        self.contradicted = 0
        batch = facts.batch
        games: dict[str, list[int]] = {}
        for game, kind in enumerate(kinds_of(batch)):
            if kind and batch.games.players[game] == players and not facts.rulesets[game].flowers:
                games.setdefault(kind, []).append(game)
        for kind, chosen in games.items():
            walls = walls_of(batch, np.array(chosen), kind, players)
            of_kind = np.flatnonzero(walls.row[rows] >= 0)
            if len(of_kind):
                self._take(facts, rows, of_kind, walls, tiles, players)

    def _take(self, facts: Replay, rows: I64, of_kind: I64, walls: Walls, tiles: U8, players: int) -> None:
        hands = facts.batch.hands
        ids = walls.ids[walls.row[rows[of_kind]]]
        kinds = np.where(ids < IDS, ids // 4, KIND_OF_TILE[ids.astype(np.int64) - ANY_COPY])
        reds = ids >= ANY_COPY + RED_MAN
        for game in np.unique(hands.game[rows[of_kind]]).tolist():
            mine = hands.game[rows[of_kind]] == game
            reds[mine] |= np.isin(ids[mine], facts.rulesets[game].red_ids)
        dealers = hands.dealer[rows[of_kind]].astype(np.int64)
        turn = (dealers[:, None] + np.arange(players)) % players
        deal = walls.deal[dealers[:, None], turn].reshape(len(of_kind), -1).astype(np.int64)
        rest = np.concatenate([walls.live, walls.supplements, walls.indicators, walls.ura]).astype(np.int64)
        _, first = np.unique(rest, return_index=True)
        places = np.concatenate(
            [deal, np.broadcast_to(rest[np.sort(first)], (len(deal), len(first)))], axis=1
        )
        if places.shape[1] != self.kinds.shape[1]:
            return
        here = np.arange(len(of_kind))[:, None]
        whole = (ids[here, places] != NO_TILE).all(axis=1)
        agree = (
            np.sort(kinds[here, deal].reshape(len(of_kind), players, HAND_SIZE), axis=2)
            == np.sort(KIND_OF_TILE[tiles[of_kind]], axis=2)
        ).all(axis=(1, 2))
        agree &= (
            kinds[np.arange(len(of_kind)), walls.indicators[0]] == KIND_OF_TILE[hands.dora[rows[of_kind]]]
        )
        self.contradicted += int((whole & ~agree).sum())
        good = whole & agree
        to = of_kind[good]
        self.known[to] = True
        self.kinds[to] = kinds[here, places][good]
        self.reds[to] = reds[here, places][good]
        live = walls.live[: self.live.shape[1]].astype(np.int64)
        self.live[to, : len(live)] = kinds[:, live][good]
        self.dead[to] = kinds[:, np.concatenate([walls.indicators, walls.ura]).astype(np.int64)][good]


class Seen:
    """The digests that were there before: sorted arrays, of which each is longer than the next."""

    def __init__(self) -> None:
        self._arrays: list[Digests] = []

    def fresh(self, digests: Digests) -> Mask:
        """Return which of some digests are new, and the first of their like; they are not new again."""
        new = np.zeros(len(digests), bool)
        new[np.unique(digests, return_index=True)[1]] = True
        for array in self._arrays:
            place = np.minimum(np.searchsorted(array, digests), len(array) - 1)
            new &= array[place] != digests
        if new.any():
            self._arrays.append(np.sort(digests[new]))
        while len(self._arrays) > 1 and len(self._arrays[-2]) <= 2 * len(self._arrays[-1]):
            last = self._arrays.pop()
            self._arrays[-1] = np.sort(np.concatenate([self._arrays[-1], last]))
        return new

    def __len__(self) -> int:
        return sum(map(len, self._arrays))
