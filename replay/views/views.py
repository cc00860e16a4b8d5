"""Views: games, hands and events as small objects, made on demand from the rows of a Batch.

The columns of a :class:`~paifu.replay.model.batch.Batch` are the only truth; a view copies one row out of
them into something that reads well: enums instead of numbers, None where the log does not say, tuples without
padding. A view is what people and tests use, so it is made for reading, not for speed: engine and
statistics work on the columns.

Conventions: seats are absolute, 0-3; every tuple "by seat" has as many entries as the game has players;
points are plain points (25000); tiles are 0-36 and ids 0-135 as in :mod:`paifu.replay.model.tiles`; yaku are
Tenhou's ids. Like the columns, views tell what the **log claims**, not what the rules make of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE, tile_name
from paifu.replay.scoring.limits import Limit

ByTile = tuple[int | None, ...]
"""Tiles or ids; None where hidden or not stated."""
Points = tuple[int | None, ...]
"""Points by seat; None where not stated."""

_UNKNOWN_WIN_LIMIT = 255
_UNKNOWN_DIE = 255
_NOT_SHOWN = -2
_WINDS = "ESWN"
_LABEL = re.compile(r"([ESWN])([1-9]\d?)(?:\.(\d+))?", re.IGNORECASE)


def format_label(round_: int, honba: int) -> str:
    """Name a hand by wind, number and honba: ``E1.0`` is East 1, ``S3.2`` South 3 with two honba.

    ``round_`` is 4 x wind + number - 1 (with 3 players too). No game is known to play beyond North 4; a log
    that claims to goes on with N5.
    """
    wind = min(round_ // 4, 3)
    return f"{_WINDS[wind]}{round_ - 4 * wind + 1}.{honba}"


def parse_label(text: str) -> tuple[int, int | None]:
    """Read a label as ``format_label`` writes it: round and honba; without ``.honba`` that is None.

    >>> parse_label("S3.2"), parse_label("e1")
    ((6, 2), (0, None))

    Raises ValueError when the text is no label.
    """
    match = _LABEL.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no hand; write wind, number and honba, such as E1.0 or S3.2")
    wind, number, honba = match.groups()
    return 4 * _WINDS.index(wind.upper()) + int(number) - 1, None if honba is None else int(honba)


@dataclass(frozen=True, slots=True, repr=False)
class Event:
    """One event of a hand; what the fields mean for each kind stands at EventKind."""

    index: int
    """Position among the events of its hand (or of those before the first hand), from 0."""
    row: int
    """Row in the batch's ``events``."""
    kind: EventKind
    seat: int | None
    source: int | None
    tile: int | None
    tile_id: int | None
    own: tuple[int, ...]
    """The caller's own tiles in a meld."""
    own_id: tuple[int, ...]
    flags: EventFlag
    scores: Points | None = None
    """Scores after a riichi was paid, where the log states them."""

    @property
    def is_tsumogiri(self) -> bool:
        """The tile discarded is the one just drawn."""
        return EventFlag.TSUMOGIRI in self.flags

    @property
    def is_order_uncertain(self) -> bool:
        """The format tells only each seat's own order, and this event could stand elsewhere as well."""
        return EventFlag.ORDER_UNCERTAIN in self.flags

    def __repr__(self) -> str:
        words = [str(self.index)]
        if self.seat is not None:
            words.append(f"seat {self.seat}")
        words.append(_VERBS[self.kind])
        if self.tile is not None or self.kind in _WITH_TILE:
            words.append(_name(self.tile))
        if self.own:
            words.append("with " + " ".join(map(tile_name, self.own)))
        if self.source is not None and self.source != self.seat:
            words.append(f"from {self.source}")
        words += [_FLAG_WORDS[flag] for flag in self.flags]
        return f"<Event {' '.join(words)}>"


_VERBS = {
    EventKind.DRAW: "draws",
    EventKind.DISCARD: "discards",
    EventKind.CHI: "calls chi",
    EventKind.PON: "calls pon",
    EventKind.DAIMINKAN: "calls daiminkan",
    EventKind.ANKAN: "declares ankan",
    EventKind.KAKAN: "declares kakan",
    EventKind.KITA: "sets aside kita",
    EventKind.RIICHI: "declares riichi",
    EventKind.RIICHI_PAID: "pays riichi",
    EventKind.DORA: "dora indicator",
    EventKind.WIN: "wins on",
    EventKind.HAND_DRAW: "ends the hand in a draw",
    EventKind.LEAVE: "leaves",
    EventKind.RETURN: "returns",
}
_WITH_TILE = frozenset({EventKind.DRAW, EventKind.DISCARD, EventKind.DORA, EventKind.WIN})
_FLAG_WORDS = {EventFlag.TSUMOGIRI: "tsumogiri", EventFlag.ORDER_UNCERTAIN: "(order uncertain)"}


@dataclass(frozen=True, slots=True, repr=False)
class Win:
    """One win, as the log claims it. A hand with several rons has several."""

    row: int
    """Row in the batch's ``wins``."""
    event: int
    """Index of the win among the hand's events."""
    seat: int | None
    source: int | None
    """Seat that discarded the tile, or the winner itself on tsumo."""
    liable: int | None
    """Seat that pays by liability (pao)."""
    tile: int | None
    tile_id: int | None
    tiles: tuple[int, ...]
    """Closed tiles, the winning tile included; empty where not shown."""
    tiles_id: tuple[int, ...]
    melds: tuple[int, ...] | None
    """Tenhou's meld codes, the newest first; None where the format shows no melds here."""
    fu: int | None
    points: int | None
    """Value of the hand without honba and sticks."""
    limit: Limit | None
    honba: int | None
    sticks: int | None
    yaku: tuple[tuple[int, int], ...]
    """(yaku id, han) in the order listed, 13 han a yakuman; empty where not stated."""
    scores: Points
    """By seat, before this win is paid."""
    deltas: Points
    """By seat; a riichi stick paid earlier in the hand is not in."""
    chips: Points
    dora: tuple[int, ...]
    """Dora indicators as listed with the win."""
    ura: tuple[int, ...]

    @property
    def is_tsumo(self) -> bool:
        """Won on an own draw."""
        return self.source == self.seat

    @property
    def han(self) -> int:
        """Sum of the han listed; 0 where no yaku are."""
        return sum(han for _, han in self.yaku)

    def __repr__(self) -> str:
        value = [f"{self.han} han"] if self.yaku else []
        value += [f"{self.fu} fu"] if self.fu else []
        parts = [_win_words(self) + f" on {_name(self.tile)}", " ".join(value)]
        parts += [f"{self.points} points"] if self.points is not None else []
        return f"<Win {', '.join(filter(None, parts))}>"


@dataclass(frozen=True, slots=True, repr=False)
class HandDraw:
    """The end of a hand without a winner, as the log claims it."""

    row: int
    """Row in the batch's ``hand_draws``."""
    event: int
    """Index of the draw among the hand's events."""
    kind: HandEnd
    honba: int | None
    sticks: int | None
    scores: Points
    deltas: Points
    chips: Points
    tenpai: tuple[bool | None, ...]
    """By seat; None where not stated."""
    shown: tuple[tuple[int, ...], ...]
    """Closed tiles that each seat showed; empty for a seat that did not."""

    def __repr__(self) -> str:
        tenpai = [str(seat) for seat, is_tenpai in enumerate(self.tenpai) if is_tenpai]
        suffix = f", tenpai {' '.join(tenpai)}" if tenpai else ""
        return f"<HandDraw {END_WORDS[self.kind]}{suffix}>"


END_WORDS = {
    HandEnd.UNFINISHED: "unfinished",
    HandEnd.WIN: "won",
    HandEnd.EXHAUSTIVE: "exhaustive draw",
    HandEnd.NAGASHI: "nagashi mangan",
    HandEnd.KYUUSHU: "nine terminals",
    HandEnd.SUUFON: "four winds",
    HandEnd.SUUCHA: "four riichi",
    HandEnd.SANCHAHOU: "three rons",
    HandEnd.SUUKAIKAN: "four kans",
    HandEnd.UNKNOWN_DRAW: "draw",
}


def _win_words(win: Win) -> str:
    seat = "?" if win.seat is None else win.seat
    return f"tsumo {seat}" if win.is_tsumo else f"ron {seat} from {'?' if win.source is None else win.source}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hand:
    """One hand (kyoku), repeats by honba included. Events and results are made when asked for."""

    index: int
    """Position in its game, from 0."""
    row: int
    """Row in the batch's ``hands``."""
    players: int
    """3 or 4."""
    round: int
    """4 x round wind + number - 1: 0 = East 1, 4 = South 1."""
    honba: int
    sticks: int
    """Riichi sticks on the table at the start."""
    dealer: int | None
    dice: tuple[int, ...] | None
    """Eyes minus one."""
    scores: Points
    """By seat, before the hand."""
    chips: Points
    dealt: tuple[ByTile, ...]
    """13 tiles a seat, in the order dealt; None for those that are hidden."""
    dealt_id: tuple[ByTile, ...]
    dora: int | None
    """The first dora indicator."""
    dora_id: int | None
    seed: str
    end: HandEnd
    event_begin: int
    event_end: int
    """Rows of the batch's ``events`` that belong to the hand."""
    _batch: Batch = field(compare=False)

    @classmethod
    def of(cls, batch: Batch, row: int) -> Hand:
        """Return the hand in row ``row`` of the batch's ``hands``."""
        table = batch.hands
        game = int(table.game[row])
        players = int(batch.games.players[game])
        return cls(
            index=row - int(batch.games.hand_begin[game]),
            row=row,
            players=players,
            round=int(table.round[row]),
            honba=int(table.honba[row]),
            sticks=int(table.sticks[row]),
            dealer=_seat(table.dealer[row]),
            dice=None if table.dice[row, 0] == _UNKNOWN_DIE else tuple(table.dice[row].tolist()),
            scores=_points(table.scores[row, :players]),
            chips=_points(table.chips[row, :players]),
            dealt=tuple(_tiles(tiles) for tiles in table.dealt[row, :players]),
            dealt_id=tuple(_tiles(tiles) for tiles in table.dealt_id[row, :players]),
            dora=_tile(table.dora[row]),
            dora_id=_tile(table.dora_id[row]),
            seed=str(table.seed[row]),
            end=HandEnd(table.end[row]),
            event_begin=int(table.event_begin[row]),
            event_end=int(table.event_end[row]),
            _batch=batch,
        )

    @property
    def label(self) -> str:
        """Wind, number and honba, such as ``E1.0``."""
        return format_label(self.round, self.honba)

    @property
    def events(self) -> tuple[Event, ...]:
        """Events in the order of play, made anew at each access."""
        return _events(self._batch, self.event_begin, self.event_end, self.players)

    @property
    def wins(self) -> tuple[Win, ...]:
        """Wins in the order of the log; empty when nobody won."""
        table = self._batch.wins
        return tuple(_win(self._batch, row, self) for row in _rows_of(table.hand, self.row))

    @property
    def draw(self) -> HandDraw | None:
        """What the log says of a hand without a winner; None when somebody won or the log is cut."""
        rows = _rows_of(self._batch.hand_draws.hand, self.row)
        return _hand_draw(self._batch, rows[0], self) if rows else None

    def __repr__(self) -> str:
        if self.end == HandEnd.WIN:
            result = " and ".join(map(_win_words, self.wins)) or END_WORDS[self.end]
        else:
            result = END_WORDS[self.end]
        dealer = "?" if self.dealer is None else self.dealer
        return f"<Hand {self.label} dealer {dealer}, {self.event_end - self.event_begin} events, {result}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Game:
    """One game. Its hands are made when asked for."""

    row: int
    """Row in the batch's ``games``."""
    id: str
    source: str
    format: str
    version: str
    ruleset: str
    """Preset that the log's flags name."""
    overrides: str
    """JSON object of ruleset fields that the log's flags set otherwise."""
    rule: str
    """The log's own words on its rules."""
    go_type: int | None
    """Tenhou's bit field of room and rules."""
    lobby: str
    title: str
    started: str
    """Local time of the platform, ISO 8601 as far as it is known."""
    players: int
    """3 or 4."""
    first_dealer: int | None
    names: tuple[str, ...]
    """By seat, as the log has them: text of strangers, to be cleaned before it goes to a terminal."""
    dan: tuple[int | None, ...]
    """By seat: 0 newcomer, 1-9 for 9 to 1 kyu, 10-19 for 1 to 10 dan, 20 tenhoui."""
    rate: tuple[float | None, ...]
    sex: tuple[str, ...]
    """By seat: M, F, or C for a computer; empty where not stated."""
    seed: str
    final_scores: Points
    final_points: tuple[float | None, ...]
    """By seat, settled: uma and oka in."""
    final_chips: Points
    is_cut: bool
    """The log stops before the game's end, or was only readable so far."""
    hand_begin: int
    hand_end: int
    """Rows of the batch's ``hands`` that belong to the game."""
    _batch: Batch = field(compare=False)

    @classmethod
    def of(cls, batch: Batch, row: int) -> Game:
        """Return the game in row ``row`` of the batch's ``games``."""
        table = batch.games
        players = int(table.players[row])
        return cls(
            row=row,
            players=players,
            go_type=_known(int(table.go_type[row]), -1),
            first_dealer=_seat(table.first_dealer[row]),
            names=_texts(table.names[row, :players]),
            dan=tuple(_known(grade, -1) for grade in table.dan[row, :players].tolist()),
            rate=_floats(table.rate[row, :players]),
            sex=_texts(table.sex[row, :players]),
            final_scores=_points(table.final_scores[row, :players]),
            final_points=_floats(table.final_points[row, :players]),
            final_chips=_points(table.final_chips[row, :players]),
            is_cut=bool(table.is_cut[row]),
            hand_begin=int(table.hand_begin[row]),
            hand_end=int(table.hand_end[row]),
            **{name: str(getattr(table, name)[row]) for name in _GAME_TEXTS},
            _batch=batch,
        )

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Hands in the order of play, made anew at each access; their events are not."""
        return tuple(Hand.of(self._batch, row) for row in range(self.hand_begin, self.hand_end))

    def batch(self) -> Batch:
        """Return a batch of this game alone; there it is in row 0."""
        return self._batch.take(self.row)

    @property
    def opening_events(self) -> tuple[Event, ...]:
        """Events before the first hand: players who leave and return."""
        games = self._batch.games
        end = int(games.event_end[self.row])
        if self.hand_begin < self.hand_end:
            end = int(self._batch.hands.event_begin[self.hand_begin])
        return _events(self._batch, int(games.event_begin[self.row]), end, self.players)

    def __repr__(self) -> str:
        hands = self.hand_end - self.hand_begin
        plural = "" if hands == 1 else "s"
        cut = ", cut" if self.is_cut else ""
        return f"<Game {self.id or self.source or '?'} {self.players} players, {hands} hand{plural}{cut}>"


_GAME_TEXTS = (
    "id",
    "source",
    "format",
    "version",
    "ruleset",
    "overrides",
    "rule",
    "lobby",
    "title",
    "started",
    "seed",
)


def games(batch: Batch) -> Iterator[Game]:
    """Yield the games of a batch, one at a time."""
    for row in range(len(batch.games)):
        yield Game.of(batch, row)


# --- cells to values -----------------------------------------------------------------------------------


def _known(value: int, unknown: int) -> int | None:
    return None if value == unknown else value


def _seat(value: np.uint8) -> int | None:
    return _known(int(value), NO_SEAT)


def _tile(value: np.uint8) -> int | None:
    return _known(int(value), NO_TILE)


def _tiles(cells: npt.NDArray[np.uint8]) -> ByTile:
    return tuple(_known(tile, NO_TILE) for tile in cells.tolist())


def _stated(cells: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    """Cells without the padding."""
    return tuple(tile for tile in cells.tolist() if tile != NO_TILE)


def _points(cells: npt.NDArray[np.int32]) -> Points:
    return tuple(_known(value, UNKNOWN_POINTS) for value in cells.tolist())


def _floats(cells: npt.NDArray[np.float64]) -> tuple[float | None, ...]:
    return tuple(None if math.isnan(value) else value for value in cells.tolist())


def _texts(cells: npt.NDArray[np.object_]) -> tuple[str, ...]:
    return tuple(map(str, cells))


def _name(tile: int | None) -> str:
    return tile_name(NO_TILE if tile is None else tile)


def _rows_of(column: npt.NDArray[np.int32], hand: int) -> range:
    """Rows of a table, ordered by hand, that belong to one hand."""
    return range(*np.searchsorted(column, (hand, hand + 1)).tolist())


def _events(batch: Batch, begin: int, end: int, players: int) -> tuple[Event, ...]:
    table = batch.events
    paid = batch.riichi_scores
    first, last = np.searchsorted(paid.event, (begin, end)).tolist()
    scores = {int(paid.event[i]): _points(paid.scores[i, :players]) for i in range(first, last)}
    columns = (
        table.kind, table.seat, table.source, table.tile, table.tile_id, table.own, table.own_id, table.flags,
    )  # fmt: skip
    rows = zip(*(column[begin:end].tolist() for column in columns), strict=True)
    return tuple(
        Event(
            index=index,
            row=begin + index,
            kind=EventKind(kind),
            seat=_known(seat, NO_SEAT),
            source=_known(source, NO_SEAT),
            tile=_known(tile, NO_TILE),
            tile_id=_known(tile_id, NO_TILE),
            own=tuple(t for t in own if t != NO_TILE),
            own_id=tuple(t for t in own_id if t != NO_TILE),
            flags=EventFlag(flags),
            scores=scores.get(begin + index),
        )
        for index, (kind, seat, source, tile, tile_id, own, own_id, flags) in enumerate(rows)
    )


def _win(batch: Batch, row: int, hand: Hand) -> Win:
    table, players = batch.wins, hand.players
    limit, melds = int(table.limit[row]), table.melds[row].tolist()
    yaku = _stated(table.yaku[row])
    return Win(
        row=row,
        event=int(table.event[row]) - hand.event_begin,
        seat=_seat(table.seat[row]),
        source=_seat(table.source[row]),
        liable=_seat(table.liable[row]),
        tile=_tile(table.tile[row]),
        tile_id=_tile(table.tile_id[row]),
        tiles=_stated(table.tiles[row]),
        tiles_id=_stated(table.tiles_id[row]),
        melds=None if melds[0] == _NOT_SHOWN else tuple(code for code in melds if code >= 0),
        fu=_known(int(table.fu[row]), -1),
        points=_known(int(table.points[row]), UNKNOWN_POINTS),
        limit=None if limit == _UNKNOWN_WIN_LIMIT else Limit(limit),
        honba=_known(int(table.honba[row]), -1),
        sticks=_known(int(table.sticks[row]), -1),
        yaku=tuple(zip(yaku, table.han[row].tolist(), strict=False)),
        scores=_points(table.scores[row, :players]),
        deltas=_points(table.deltas[row, :players]),
        chips=_points(table.chips[row, :players]),
        dora=_stated(table.dora[row]),
        ura=_stated(table.ura[row]),
    )


def _hand_draw(batch: Batch, row: int, hand: Hand) -> HandDraw:
    table, players = batch.hand_draws, hand.players
    return HandDraw(
        row=row,
        event=int(table.event[row]) - hand.event_begin,
        kind=HandEnd(table.kind[row]),
        honba=_known(int(table.honba[row]), -1),
        sticks=_known(int(table.sticks[row]), -1),
        scores=_points(table.scores[row, :players]),
        deltas=_points(table.deltas[row, :players]),
        chips=_points(table.chips[row, :players]),
        tenpai=tuple(None if t == 255 else bool(t) for t in table.tenpai[row, :players].tolist()),
        shown=tuple(_stated(tiles) for tiles in table.shown[row, :players]),
    )
