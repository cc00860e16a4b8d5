"""The data of a report, gathered in one pass: replay, verification, review and statistics of each batch.

Each batch is replayed once, with the review. The data of batches are merged in the order of the input and
stay small however many there are: sums, the results of one player, the hands to show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import add, attrgetter
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from paifu.coach.judgement.match import Match
from paifu.coach.judgement.mistakes import PlayerMistakes
from paifu.replay.arrays import I64, Mask
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.finding import Finding, Severity
from paifu.replay.findings.spoken import KINDS, cases, in_words
from paifu.replay.foreign_text import name_key
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.table.replayed import Replay
from paifu.reports.findings.review import Asked, judgements
from paifu.reports.findings.tally import Tally
from paifu.reports.metrics.catalogue import choose
from paifu.reports.metrics.counters import Chosen, Counters, count, counted_names
from paifu.reports.metrics.recording import records
from paifu.reports.metrics.records import GameRecords, Records
from paifu.reports.pages.luck_and_changes import LuckInGame, LuckOfPlayer, MeasuredGame, luck_of_player
from paifu.reports.pages.report_games import GameRow, WholeGame, game_rows, latest, latest_games
from paifu.reports.pages.report_hands import Recorder, ShownHand, game_keys_of, merged, shown_hands
from paifu.reports.pages.trainer import POSITIONS, drilled_hands, mixed
from paifu.reports.statistics.course_games import CourseGame
from paifu.reports.statistics.periods import GameSeries
from paifu.reports.statistics.reference import Stratum

if TYPE_CHECKING:
    from paifu.coach.judgement.choices import JudgedChoices
    from paifu.reports.pages.stepper import Data

BY_PLAYER = ("player",)
UNUSUAL_OF_GAME = 3
"""Maximum number of unusual moves of a game that are looked at."""
MOST_ERRORS = 20
"""Maximum number of verification errors that a report lists."""
_SOURCE = attrgetter("source")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to gather."""

    compared: tuple[str, ...]
    """Statistics to compute for every player."""
    others: tuple[str, ...]
    """Statistics to compute only for the player and for everybody, which saves memory."""
    player: str = ""
    """Empty: everybody."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Name in a log -> the name to count it under."""
    hands: int = 0
    """Maximum number of hands in each list."""
    review: bool = True
    pages: bool = False
    """Whether to make a page for each game of the player."""
    luck: bool = False
    """Whether to measure the player's luck."""
    over_time: tuple[str, ...] = ()
    """Statistics of which the sums of each game of the player are kept."""

    @property
    def apart(self) -> Chosen:
        """Groups for the statistics in ``others``: the player and the rest, or everybody."""
        if not self.player:
            return Chosen()
        return Chosen(BY_PLAYER, frozenset([self.player]), self.aliases)

    @property
    def names(self) -> frozenset[str]:
        """The names of the player in logs, as keys, which the review watches; none for everybody."""
        others = [name for name, shown in self.aliases.items() if shown == self.player]
        return frozenset(name_key(name) for name in (self.player, *others) if self.player)

    def seats(self, batch: Batch) -> Mask:
        """Return which seats, as (games, 4), are the player's, or with no player all seats."""
        present = np.arange(4) < batch.games.players[:, None]
        if not self.player:
            return present
        chosen: Mask = present & (counted_names(batch.games.names, self.aliases) == self.player)
        return chosen


@dataclass(slots=True)
class ReportData:
    """Data gathered from some input; parts can be merged."""

    compared: Counters
    others: Counters
    tally: Tally = field(default_factory=Tally)
    left_out: int = 0
    """Number of hands left out of the statistics."""
    pushes: I64 | None = None
    """:attr:`~paifu.replay.review.results.Reviewed.pushes`: discards against threats, the player's apart."""
    mistakes: PlayerMistakes = field(default_factory=PlayerMistakes)
    """How often the player (or anybody) made mistakes; hands without a model are not in."""
    match: Match = field(default_factory=Match)
    """What the player chose beside what strong players choose; nothing without a player."""
    errors: list[Finding] = field(default_factory=list)
    """The first errors, by source."""
    lists: dict[str, tuple[ShownHand, ...]] = field(default_factory=dict)
    days: tuple[str, str] = ("", "")
    """The first and last day of play in the logs; empty if no log gives a date."""
    games: list[GameRow] = field(default_factory=list)
    """The player's games in the order of play."""
    whole: tuple[WholeGame, ...] = ()
    """The last of these games, to step through."""
    strata: Counter[Stratum] = field(default_factory=Counter)
    """Hands of the player in riichi games, by number of players, room and length."""
    luck: list[LuckInGame] = field(default_factory=list)
    """Luck of the player by game, in the order of play."""
    luck_left_out: int = 0
    """Games of the player of which luck is not measured."""
    series: GameSeries | None = None
    """Sums of each game of the player, of the statistics that are followed; None if none is."""

    @property
    def course(self) -> list[CourseGame]:
        """The player's games as statistics know them."""
        return [row.played for row in self.games]

    def take(self, part: ReportData, wanted: Wanted) -> None:
        """Add a part, all but its counters of every player and its series."""
        for name in _ADDED:
            setattr(self, name, add(getattr(self, name), getattr(part, name)))
        if part.pushes is not None:
            self.pushes = part.pushes if self.pushes is None else self.pushes + part.pushes
        self.errors = sorted(self.errors + part.errors, key=_SOURCE)[:MOST_ERRORS]
        self.lists = merged((self.lists, part.lists), wanted.hands)
        known = [day for day in (*self.days, *part.days) if day]
        self.days = (min(known), max(known)) if known else ("", "")
        self.whole = latest(self.whole, part.whole)


_ADDED = ("others", "tally", "left_out", "mistakes", "match", "games", "strata", "luck", "luck_left_out")
"""What of two parts is added up, or put one after the other."""


@dataclass(frozen=True, slots=True)
class Known:
    """What of a batch has been found out already; the rest of a report takes a tenth of the time."""

    choices: JudgedChoices
    luck: Sequence[MeasuredGame | None] = ()
    """By game; asked for with a player only."""
    data: Sequence[Data | None] = ()
    """Each whole game for the stepper, None for one of which that is not known."""


def gather(
    replayed: Replay,
    wanted: Wanted,
    files: int,
    also: Callable[[Records, Recorder], object] | None = None,
    known: Known | None = None,
) -> ReportData:
    """Gather the wanted data of one batch, which was read from ``files`` files.

    ``also`` is called with what else can be made of it.
    """
    batch = replayed.batch
    made = records(replayed)
    seats = wanted.seats(batch)
    keys = game_keys_of(batch)
    # Other players' decisions appear in games that have a page, and in the hands shown here.
    told = seats | (wanted.pages & seats.any(axis=1, keepdims=True))
    is_partial = bool(wanted.player and not wanted.pages and not known)
    judged = judgements(
        replayed,
        Asked(unusual=UNUSUAL_OF_GAME if wanted.player and wanted.hands else 0),
        seats=None if known else told[batch.hands.game],
        drilled=np.where(seats, wanted.player, "").astype(object) if wanted.player and wanted.hands else None,
        made=known.choices if known else None,
    )
    noted = list(cases(replayed))
    recorder = Recorder(batch, noted, judged, known.data if known else (), later=is_partial)
    if also is not None:
        also(made, recorder)
    luck = (
        luck_of_player(replayed, recorder, seats, known.luck if known else None)
        if wanted.player and wanted.luck
        else LuckOfPlayer()
    )
    wrong = [case for case in noted if KINDS[code_of(case.code)].severity == Severity.ERROR]
    errors = sorted(map(in_words, wrong), key=_SOURCE)
    started = sorted(day[:10] for day in batch.games.started if day)
    found = ReportData(
        compared=count(made, choose(wanted.compared), Chosen(BY_PLAYER, aliases=wanted.aliases)),
        others=count(made, choose(wanted.others), wanted.apart),
        tally=Tally.of(replayed, files=files, errors=len(errors)),
        left_out=int(made.games.left_out.sum()),
        pushes=None if replayed.review is None else replayed.review.pushes,
        mistakes=_own(judged.players, wanted, PlayerMistakes()),
        match=_own(judged.matches, wanted, Match()),
        errors=errors[:MOST_ERRORS],
        lists={
            **shown_hands(replayed, judged, recorder, seats, wanted.hands),
            **drilled_hands(batch, judged.drilled, recorder, wanted.hands),
            **luck.lists,
        }
        if wanted.hands
        else {},
        days=(started[0], started[-1]) if started else ("", ""),
        games=list(game_rows(made, recorder, seats, wanted.aliases, keys, pages=wanted.pages))
        if wanted.player
        else [],
        whole=latest_games(replayed, recorder, seats, keys) if wanted.player and wanted.hands else (),
        strata=_strata(made.games, seats) if wanted.player else Counter(),
        luck=list(luck.games),
        luck_left_out=luck.left_out,
        series=GameSeries.of([made], wanted.over_time, wanted.player, wanted.aliases)
        if wanted.over_time
        else None,
    )
    if is_partial:
        recorder.complete(judgements(replayed, seats=recorder.shown()))
    return found


def _strata(games: GameRecords, seats: Mask) -> Counter[Stratum]:
    found: Counter[Stratum] = Counter()
    for row in np.flatnonzero(seats.any(axis=1) & (games.scheme == Scheme.HAN_FU)).tolist():
        stratum = int(games.players[row]), str(games.room[row]), str(games.length[row])
        found[stratum] += int(games.hands[row])
    return found


_Sums = TypeVar("_Sums", PlayerMistakes, Match)


def _own(by_name: Mapping[str, _Sums], wanted: Wanted, nothing: _Sums) -> _Sums:
    for name, found in by_name.items():
        if not wanted.player or wanted.aliases.get(name, name) == wanted.player:
            nothing += found
    return nothing


Positions = tuple[ShownHand, ...]


def total(
    parts: Iterable[ReportData], wanted: Wanted, deep: Callable[[Positions], Positions] | None = None
) -> ReportData:
    """Merge gathered parts; ``deep`` plays the positions of the trainer out."""
    compared, others = _names(wanted.compared), _names(wanted.others)
    whole = ReportData(Counters.total((), BY_PLAYER, compared), Counters.total((), wanted.apart.by, others))
    series: list[GameSeries] = []

    def counters() -> Iterator[Counters]:
        for part in parts:
            whole.take(part, wanted)
            series.extend([part.series] if part.series else [])
            yield part.compared

    whole.compared = Counters.total(counters(), BY_PLAYER, compared)
    shown = dict(mixed(whole.lists))
    if deep is not None:
        shown[POSITIONS] = deep(shown[POSITIONS])
    whole.lists = {name: tuple(map(ShownHand.with_replay, part)) for name, part in shown.items()}
    whole.games.sort(key=lambda row: row.played.key)
    whole.luck.sort(key=lambda one: one.key)
    whole.series = GameSeries.total(series, wanted.over_time) if wanted.over_time else None
    return whole


def _names(metrics: Iterable[str]) -> list[str]:
    return [metric.name for metric in choose(metrics)]
