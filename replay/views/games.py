"""Views: games, hands and events as small objects, made on demand from the rows of a Batch.

The columns of a :class:`~paifu.replay.model.batch.Batch` are the only truth; a view copies one row out of
them into something that reads well: enums instead of numbers, None where the log does not say, tuples without
padding. A view is what people and tests use, so it is made for reading, not for speed: engine and
statistics work on the columns.

Conventions: seats are absolute, 0-3; every tuple "by seat" has as many entries as the game has players;
points are plain points (25000); tiles are 0-36 and ids 0-135 as in :mod:`paifu.replay.model.tiles`; yaku are
Tenhou's ids. Like the columns, views show what the **log claims**, not what the rules make of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import RuleError, load_preset, ruleset_of
from paifu.replay.views.cells import ByTile, Points, fields_of, rows_of
from paifu.replay.views.events import Event, events_of
from paifu.replay.views.labels import format_label
from paifu.replay.views.results import END_WORDS, HandDraw, Win, draw_of, win_of, win_words
from paifu.replay.views.verdicts import Verdict, verdicts_of


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
        cells = fields_of(cls, table, row, players)
        return cls(
            index=row - int(batch.games.hand_begin[game]),
            row=row,
            players=players,
            **cells | {"dice": cells["dice"] or None, "end": HandEnd(cells["end"])},
            _batch=batch,
        )

    @property
    def rules(self) -> Ruleset:
        """The ruleset that the log of the game names; Tenhou's where it names none that is known."""
        try:
            return ruleset_of(self._batch, int(self._batch.hands.game[self.row]))
        except RuleError:
            return load_preset("tenhou" if self.players == 4 else "tenhou-sanma")

    @property
    def label(self) -> str:
        """Wind, number and honba, such as ``E1.0``; without honba, how often the dealer has kept the deal."""
        return format_label(self.round, self.honba)

    @property
    def events(self) -> tuple[Event, ...]:
        """Events in the order of play, made again at each access."""
        return events_of(self._batch, self.event_begin, self.event_end, self.players)

    @property
    def wins(self) -> tuple[Win, ...]:
        """Wins in the order of the log; empty when nobody won."""
        table = self._batch.wins
        rows = rows_of(table.hand, self.row)
        return tuple(win_of(self._batch, row, self.event_begin, self.players) for row in rows)

    @property
    def draw(self) -> HandDraw | None:
        """What the log says of a hand without a winner; None when somebody won or the log is cut."""
        rows = rows_of(self._batch.hand_draws.hand, self.row)
        return draw_of(self._batch, rows[0], self.event_begin, self.players) if rows else None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What engines said of decisions in this hand, in the order of play; mostly empty."""
        return verdicts_of(self._batch, self.row)

    def batch(self) -> Batch:
        """Return a batch of the hand's game alone; there the hand is in row ``index``."""
        return self._batch.take(int(self._batch.hands.game[self.row]))

    def __repr__(self) -> str:
        if self.end == HandEnd.WIN:
            result = " and ".join(map(win_words, self.wins)) or END_WORDS[self.end]
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
        return cls(row=row, **fields_of(cls, batch.games, row, int(batch.games.players[row])), _batch=batch)

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Hands in the order of play, made again at each access; their events are not."""
        return tuple(map(self.hand, range(self.hand_end - self.hand_begin)))

    def hand(self, index: int) -> Hand:
        """Return a hand by its place in the game, from 0."""
        return Hand.of(self._batch, self.hand_begin + index)

    def batch(self) -> Batch:
        """Return a batch of this game alone; there it is in row 0."""
        return self._batch.take(self.row)

    def __repr__(self) -> str:
        hands = self.hand_end - self.hand_begin
        plural = "" if hands == 1 else "s"
        cut = ", cut" if self.is_cut else ""
        return f"<Game {self.id or self.source or '?'} {self.players} players, {hands} hand{plural}{cut}>"


def games(batch: Batch) -> Iterator[Game]:
    """Yield the games of a batch, one at a time."""
    for row in range(len(batch.games)):
        yield Game.of(batch, row)
