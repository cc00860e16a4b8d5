"""Hands that a report shows: the most expensive wins, deal-ins and mistakes, and the yakuman.

Only the hands to show are built: they are chosen from the columns of the facts, and then get tiles, text, and
the data that the stepper needs to replay them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from paifu.coach.judgement.drills import MOST_CONTROLS
from paifu.replay.arrays import Mask
from paifu.replay.comparison.hand_digests import hand_keys
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.spoken import in_words
from paifu.replay.language import _
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE, NORTH
from paifu.replay.positions.tracker import LaidMeld, SeatState, Tracker
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.tables import pattern_name
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.yaku import yaku_ids
from paifu.replay.scoring.yaku_names import yaku_name
from paifu.replay.table.engine import engine_of
from paifu.replay.table.replayed import Replay
from paifu.replay.views.events import Event
from paifu.replay.views.games import Game, Hand
from paifu.replay.views.labels import format_label
from paifu.reports.findings.review import JudgedFinding, Judgements, each_once
from paifu.reports.hands.hand_in_words import is_riichi

if TYPE_CHECKING:
    from paifu.coach.judgement.choices import JudgedChoice
    from paifu.coach.judgement.play_outs import PlayedOptions
    from paifu.reports.pages.stepper import Data

WINS, DEAL_INS, HITS, MISTAKES, YAKUMAN = "wins", "deal_ins", "hits", "mistakes", "yakuman"
UNUSUAL = "unusual"
"""Moves that strong players hardly ever make, the rarest first."""
IN_MILLION = 1_000_000
"""Of an unusual move, ``points`` says in how many of so many positions strong players make it."""
DRILLED = "drilled"
"""For the trainer: decisions of a class that cost points when played out, and unusual moves."""
LUCKIEST, UNLUCKIEST = "luckiest", "unluckiest"
MOST_LUCK = 3
"""Maximum number of the luckiest hands, and of the unluckiest."""
MOST_DRILLED = 20
"""Maximum number of mistakes and unusual moves for the trainer."""
MOST_YAKUMAN = 60
"""Maximum length of the list of yakuman, however many hands are asked for."""
_PLACED = (EventKind.DISCARD, EventKind.KAKAN, EventKind.ANKAN, EventKind.KITA)
"""Moves whose tile another player may win on."""
_WITH_TILE = (EventKind.DRAW, *_PLACED)
"""Events whose tile a player may win on."""


Rank = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LaidHand:
    """A player's hand, ready to draw."""

    closed: tuple[int, ...]
    melds: tuple[tuple[tuple[int, ...], range], ...]
    """Tiles of each meld, and which of them lie sideways."""
    last: int | None = None
    """The tile just drawn or won on."""
    aside: tuple[int, ...] = ()
    """Norths, flowers and seasons set aside."""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """One entry of a list of hands."""

    points: int
    """Points won or lost; of a mistake, its price; of a lucky hand, its luck; of an unusual move, see
    ``IN_MILLION``."""
    player: str
    """The player concerned, as named in the log."""
    other: str
    """The player who paid or was paid; empty for a tsumo."""
    game: str
    """Id of the game, or its file name."""
    key: str
    """What tells the game from others, as :func:`~paifu.reports.pages.report_hands.game_keys_of`."""
    started: str
    label: str
    """Label of the hand, such as ``E1.0``."""
    index: int
    """Index of the hand in its game, from 0."""
    seat: int
    event: int
    """Index among the hand's events, from 0, where the replay opens."""
    turn: int
    words: tuple[str, ...]
    tile: int | None = None
    """The tile won on or discarded."""
    winner: LaidHand | None = None
    held: LaidHand | None = None
    """The player's hand before the move."""
    code: str = ""
    """Code of the finding, if any."""
    changes: tuple[int, ...] = ()
    decision: JudgedChoice | None = None
    """The decision, of a position for the trainer."""
    lasting: str = ""
    """Of such a position, what names its hand wherever the log lies."""
    table: tuple[str, ...] = ()
    """The table at such a decision in words: the hand, then a line for each player."""
    rank: Rank | None = None
    """What lists are sorted by, the highest first, where that is not ``points``."""
    recorded: RecordedGame | None = None
    """The hand, to be replayed."""
    replay: Data = field(default_factory=dict)
    """The hand for the stepper, as a game with this hand alone; empty until :meth:`with_replay`."""

    @property
    def place(self) -> tuple[str, int]:
        """Key of the hand: entries of several lists may show the same hand."""
        return self.key, self.index

    def with_replay(self) -> ShownHand:
        """Return the entry with the data of its replay in place of what they are made of."""
        return replace(self, recorded=None, replay=self.recorded.data if self.recorded else {})

    def played_out(self, play: Callable[[Batch, JudgedChoice], PlayedOptions | None]) -> ShownHand:
        """Return a position with what came of its options, which ``play`` finds for a game alone."""
        if self.decision is None or self.recorded is None:
            return self
        batch = self.recorded.batch
        event = int(batch.hands.event_begin[self.index]) + self.event
        event += batch.events.kind[event] == EventKind.RIICHI  # its discard is what is decided
        own = replace(self.decision, game=0, hand=self.index, event=int(event))
        weighed = replace(own.weighed, played=play(batch, own))
        return replace(self, decision=replace(self.decision, weighed=weighed))

    def order(self) -> tuple[int, int, str, int, int]:
        """Sort key: the highest rank first, then in the order of play."""
        first, second = self.rank or (self.points, 0)
        return -first, -second, f"{self.started} {self.game}", self.index, self.event


Lists = Mapping[str, tuple[ShownHand, ...]]
_MOST = {YAKUMAN: MOST_YAKUMAN, DRILLED: 2 * MOST_DRILLED, LUCKIEST: MOST_LUCK, UNLUCKIEST: MOST_LUCK}
"""Maximum length of lists that have one of their own."""
CONTROLS = "controls "
"""How the names of lists of controls begin; their kind follows."""


def merged(parts: Iterable[Lists], limit: int) -> dict[str, tuple[ShownHand, ...]]:
    """Merge lists, keeping the first ``limit`` entries of each, or as many as that list may have."""
    joined: dict[str, tuple[ShownHand, ...]] = {}
    for part in parts:
        for name, more in part.items():
            most = MOST_CONTROLS if name.startswith(CONTROLS) else _MOST.get(name, limit)
            kept = sorted((*joined.get(name, ()), *more), key=ShownHand.order)
            joined[name] = tuple(kept[: most if limit else 0])
    return joined


def shown_hands(
    replayed: Replay, judged: Judgements, recorder: Recorder, seats: Mask, limit: int
) -> dict[str, tuple[ShownHand, ...]]:
    """Return the hands of a batch that are worth showing.

    Mistakes are sorted by price, which is the same for all of a class, and then by the model's estimate.

    ``judged`` are the findings of its review; ``seats`` (games, 4) selects the players; ``limit`` is the
    maximum length of each list except yakuman. Findings of the verification and of the review, if it ran,
    become marks of the stepper, and the options of costly decisions tables.
    """
    maker = _Maker(replayed, recorder, seats)
    own = [one for one in judged.found if seats[one.case.game, one.case.seat]]
    ranked = {one: one.rank for one in each_once(one for one in own if one.is_mistake) if one.cost}
    rare = {one: (-in_million(one), 0) for one in own if one.is_unusual}
    return {
        WINS: tuple(maker.wins(limit)),
        DEAL_INS: tuple(maker.deal_ins(limit)),
        HITS: tuple(maker.hits(limit)),
        YAKUMAN: tuple(maker.wins(MOST_YAKUMAN, Limit.YAKUMAN)),
        MISTAKES: tuple(maker.findings(ranked, limit)),
        UNUSUAL: tuple(maker.findings(rare, limit)),
    }


def in_million(one: JudgedFinding) -> int:
    """Return in how many of a million such positions strong players make an unusual move."""
    assert one.choice is not None  # noqa: S101  it follows from the choice
    return round(IN_MILLION * one.choice.weighed.share)


class _Maker:
    """Chooses hands, in the order of :meth:`ShownHand.order`, and builds their entries."""

    def __init__(self, replayed: Replay, recorder: Recorder, seats: Mask) -> None:
        self._batch, self._scored, self._seats = replayed.batch, replayed.scored_wins, seats
        self._hand = cache(partial(Hand.of, replayed.batch))  # several lists may show it
        self._recorded = cache(recorder.hand)
        self._keys = game_keys_of(replayed.batch)
        games = self._batch.games
        keys = [f"{games.started[row]} {games.id[row] or games.source[row]}" for row in range(len(games))]
        place = {key: number for number, key in enumerate(sorted(set(keys)))}
        self._place = np.array([place[key] for key in keys], np.int64)
        """Of each game in the order of play, so that ties do not depend on how the input is split."""

    def wins(self, limit: int, least: Limit = Limit.NONE) -> Iterator[ShownHand]:
        """Yield the wins worth most, of those that could be scored."""
        wins = self._batch.wins
        own = (self._scored.limit >= least) & self._seats[wins.game, np.minimum(wins.seat, 3)]
        for row in self._dearest(own, limit):
            yield replace(self._of_win(row, int(wins.seat[row])), held=None)

    def deal_ins(self, limit: int) -> Iterator[ShownHand]:
        """Yield the costliest deal-ins, for the player who dealt in."""
        wins = self._batch.wins
        own = (wins.source != wins.seat) & self._seats[wins.game, np.minimum(wins.source, 3)]
        for row in self._dearest(own, limit):
            yield self._of_win(row, int(wins.source[row]))

    def _dearest(self, chosen: Mask, limit: int) -> list[int]:
        """Return the rows of the most expensive of some wins."""
        rows = np.flatnonzero(chosen & (self._scored.base > 0))
        points = self._scored.points[rows].astype(np.int64)
        order = np.lexsort((rows, self._place[self._batch.wins.game[rows]], -points))
        found: list[int] = rows[order[:limit]].tolist()
        return found

    def hits(self, limit: int) -> Iterator[ShownHand]:
        """Yield the costliest tsumo of others, for the player who paid the most."""
        scored, wins = self._scored, self._batch.wins
        is_tsumo = (scored.base > 0) & (wins.source == wins.seat)
        rows = np.flatnonzero(is_tsumo & (wins.seat < 4))
        own = self._seats[wins.game[rows]]
        own[np.arange(len(rows)), wins.seat[rows]] = False
        paid = np.where(own, -scored.changes[rows].astype(np.int64), 0)
        seat = paid.argmax(axis=1) if len(rows) else np.zeros(0, np.int64)
        most = paid.max(axis=1) if len(rows) else seat
        order = np.lexsort((rows, self._place[wins.game[rows]], -most))
        for at in order[most[order] > 0][:limit].tolist():
            row, payer = int(rows[at]), int(seat[at])
            winner = self._batch.games.names[int(wins.game[row])][int(wins.seat[row])]
            shown = self._of_win(row, payer)
            yield replace(shown, points=int(most[at]), other=str(winner), held=None)

    def findings(self, ranked: Mapping[JudgedFinding, Rank], limit: int) -> Iterator[ShownHand]:
        """Yield the findings of highest rank: mistakes, or unusual moves."""

        def order(item: tuple[JudgedFinding, Rank]) -> tuple[int, int, int, int, int]:
            one, (first, second) = item
            return -first, -second, int(self._place[one.case.game]), one.case.hand, one.case.event

        for one, rank in sorted(ranked.items(), key=order)[:limit]:
            yield self._finding(one, rank)

    def _finding(self, one: JudgedFinding, rank: Rank) -> ShownHand:
        case, finding = one.case, one.judged.finding
        hand = self._hand(case.hand)
        tracker, at, events = Tracker(hand), max(0, case.index or 0), hand.events
        for event in events[: case.shown]:
            tracker.apply(event)
        return ShownHand(
            points=in_million(one) if one.is_unusual else one.cost,
            rank=rank,
            player=str(finding.player or ""),
            other="",
            **where(self._batch, self._keys, hand.row),
            seat=case.seat,
            event=at,
            turn=finding.turn or 0,
            words=(finding.message,),
            tile=events[at].tile if at < len(events) and events[at].kind in _WITH_TILE else None,
            held=laid_out(tracker.seats[case.seat]),
            code=finding.code,
            recorded=self._recorded(hand.row),
        )

    def _of_win(self, row: int, seat: int) -> ShownHand:
        wins, scored = self._batch.wins, self._scored
        winner, source, tile = int(wins.seat[row]), int(wins.source[row]), int(wins.tile[row])
        hand = self._hand(int(wins.hand[row]))
        walk = _HandUpToWin(hand, int(scored.event[row]) - hand.event_begin, source)
        is_tsumo = winner == source
        names = self._batch.games.names[int(wins.game[row])]
        other = "" if is_tsumo else str(names[source if seat == winner else winner])
        return ShownHand(
            points=int(scored.points[row]),
            player=str(names[seat]),
            other=other,
            **where(self._batch, self._keys, hand.row),
            seat=seat,
            event=walk.moved if seat == source and not is_tsumo else walk.end,
            turn=int(scored.turn[row]) if seat == winner else walk.turn,
            words=tuple((_win_words if is_riichi(hand) else _pattern_words)(hand.rules, scored, row)),
            tile=tile,
            winner=laid_out(walk.seats[winner], None if is_tsumo else tile),
            held=walk.held,
            changes=tuple(scored.changes[row, : hand.players].tolist()),
            recorded=self._recorded(hand.row),
        )


class _HandUpToWin:
    """A hand up to a win: the table then, and the hand of the player who dealt in before that move."""

    def __init__(self, hand: Hand, end: int, source: int) -> None:
        self.end = self.moved = end
        self.turn = 0
        self.held: LaidHand | None = None
        tracker = Tracker(hand)
        events: tuple[Event, ...] = hand.events[:end]
        for event in events:
            if event.seat == source and event.kind in _PLACED:
                self.held, self.moved = laid_out(tracker.seats[source]), event.index
                self.turn += event.kind == EventKind.DISCARD
            tracker.apply(event)
        self.seats = tracker.seats


def where(batch: Batch, keys: Sequence[str], hand: int) -> dict[str, Any]:
    """Return the fields of an entry that say which row of hands it is; ``keys`` are those of the games."""
    games, hands, game = batch.games, batch.hands, int(batch.hands.game[hand])
    return {
        "game": str(games.id[game] or games.source[game]),
        "key": keys[game],
        "started": str(games.started[game]),
        "label": format_label(int(hands.round[hand]), int(hands.honba[hand])),
        "index": hand - int(games.hand_begin[game]),
    }


def laid_out(state: SeatState, won: int | None = None) -> LaidHand:
    """Return the hand of a player, ready to draw, with the tile won on if it is a winning hand."""
    melds = tuple(_meld(meld) for meld in state.melds)
    aside = (NORTH,) * state.kita + tuple(state.bonus)
    if won is not None:
        return LaidHand(tuple(state.all_closed()), melds, won, aside)
    return LaidHand(tuple(state.closed), melds, state.drawn, aside)


def _meld(meld: LaidMeld) -> tuple[tuple[int, ...], range]:
    tiles = tuple(meld.tiles)
    if meld.kind == EventKind.ANKAN:
        return (NO_TILE, *tiles[1:-1], NO_TILE), range(0)
    return tiles, meld.sideways


def _pattern_words(rules: Ruleset, scored: Any, row: int) -> Iterator[str]:
    """Yield the patterns of a hand in another game than riichi, as the engine scores it."""
    names = engine_of(rules).won_with(rules, scored, row)
    yield _(", ").join(map(pattern_name, names)) or _("no pattern")


def _win_words(rules: Ruleset, scored: Any, row: int) -> Iterator[str]:
    """Yield the yaku and the value of the hand, as the engine scores it."""
    dora = {
        _("dora"): scored.dora[row],
        _("ura dora"): scored.ura[row],
        _("red"): scored.red[row],
        _("flower") if rules.flowers else _("north"): scored.kita[row],
    }
    found = yaku_ids(int(scored.yaku[row]), int(scored.local[row]))
    names = [yaku_name(number, rules) for number in found]
    if not scored.yakuman[row]:
        names += [f"{name} {int(count)}" for name, count in dora.items() if count]
    yield _(", ").join(names)
    limit = Limit(int(scored.limit[row]))
    yakuman = int(scored.yakuman[row])
    if yakuman:
        yield _("yakuman") if yakuman == 1 else _("{count} yakuman").format(count=yakuman)
        return
    worth = _("{han} han {fu} fu").format(han=int(scored.han[row]), fu=int(scored.fu[row]))
    name = _("counted yakuman") if limit == Limit.YAKUMAN else _(limit.name.lower())
    yield _(", ").join([worth, name]) if limit else worth


# --- games put aside, to be replayed on a page: of many that may be shown, few are ---------------------

T = TypeVar("T")


@dataclass(frozen=True)
class RecordedGame:
    """Some hands of a game with what there is to say of them; they are numbered from 0 in their game."""

    batch: Batch
    """The game alone."""
    hands: frozenset[int]
    findings: dict[int, Sequence[Finding]]
    choices: dict[int, Sequence[JudgedChoice]]
    """Costly decisions, and unusual moves."""
    whole: Data | None = None
    """All hands for the stepper, where they have been made before, with other findings and choices."""

    @cached_property
    def data(self) -> Data:
        """The hands for the stepper."""
        from paifu.reports.pages.stepper import game_data, judged  # loads kernels, which are ready by now

        if self.whole is None:
            return game_data(Game.of(self.batch, 0), self.findings, hands=self.hands, choices=self.choices)
        begins = self.batch.hands.event_begin.tolist()
        hands = [
            judged(one, self.findings[at], self.choices[at], begins[at])
            for one in self.whole["hands"]
            if (at := one["index"]) in self.hands
        ]
        return self.whole | {"hands": hands}


class Recorder:
    """Puts games of a batch aside, with the findings ``noted`` in its replay and those of its review.

    ``made`` is what :attr:`RecordedGame.data` is of each whole game, None where that is not known. With
    ``later``, there is nothing to say of a hand before :meth:`complete`.
    """

    def __init__(
        self,
        batch: Batch,
        noted: Iterable[FindingContext],
        judged: Judgements,
        made: Sequence[Data | None] = (),
        *,
        later: bool = False,
    ) -> None:
        self._batch = batch
        self._made = made or [None] * len(batch)
        self._noted = _by_hand((case.hand, case) for case in noted)
        self._unusual = [one for one in judged.found if one.is_unusual]
        self._aside: list[tuple[RecordedGame, range]] = []
        self._later = later
        self._alone = cache(self._game_alone)
        self._judge(judged.found, judged.choices)

    def _judge(self, found: Sequence[JudgedFinding], choices: Sequence[JudgedChoice]) -> None:
        self._found = _by_hand((one.case.hand, one) for one in found)
        unusual = (one.choice for one in self._unusual if one.choice is not None)
        told = chain((choice for choice in choices if choice.is_mistake), unusual)
        self._choices = _by_hand((choice.hand, choice) for choice in told)

    def shown(self) -> Mask:
        """Return (hands, 4) all seats of the hands that were put aside."""
        found = np.zeros((len(self._batch.hands), 4), bool)
        found[[row for _recorded, rows in self._aside for row in rows]] = True
        return found

    def complete(self, judged: Judgements) -> None:
        """Tell of the hands put aside what everybody decided in them; unusual moves are known before."""
        found = sorted((*judged.found, *self._unusual), key=lambda one: (one.case.event, one.case.code))
        self._judge(found, judged.choices)
        for recorded, rows in self._aside:
            self._tell(recorded, rows)

    def hand(self, row: int) -> RecordedGame:
        """Put a hand aside."""
        return self._of(int(self._batch.hands.game[row]), range(row, row + 1))

    def game(self, row: int) -> RecordedGame:
        """Put all hands of a game aside."""
        games = self._batch.games
        return self._of(row, range(int(games.hand_begin[row]), int(games.hand_end[row])))

    def _of(self, game: int, rows: range) -> RecordedGame:
        first_hand = int(self._batch.games.hand_begin[game])
        hands = frozenset(row - first_hand for row in rows)
        recorded = RecordedGame(self._alone(game), hands, {}, {}, self._made[game])
        self._aside.append((recorded, rows))
        if not self._later:
            self._tell(recorded, rows)
        return recorded

    def _tell(self, recorded: RecordedGame, rows: range) -> None:
        for row in rows:
            game, games = self._batch.hands.game[row], self._batch.games
            at, begin = row - int(games.hand_begin[game]), int(games.event_begin[game])
            findings = (one.judged.finding for one in self._found[row])
            recorded.findings[at] = [*map(in_words, self._noted[row]), *findings]
            recorded.choices[at] = [replace(one, event=one.event - begin) for one in self._choices[row]]

    def _game_alone(self, game: int) -> Batch:
        """Return a game that does not keep the whole batch in memory."""
        return self._batch.take(game).copied()


def game_keys_of(batch: Batch) -> list[str]:
    """Return what tells each game from all others on a page: ids may be there twice, hands are not."""
    games, hands = batch.games, hand_keys(batch)
    firsts = (f"{key:x}" for key in hands[np.minimum(games.hand_begin, len(hands) - 1)].tolist())
    return [
        f"{games.id[row] or games.source[row]} {first}"
        for row, first in zip(range(len(games)), firsts if len(hands) else repeat(""), strict=False)
    ]


def _by_hand(rows: Iterable[tuple[int, T]]) -> Mapping[int, list[T]]:
    found: dict[int, list[T]] = defaultdict(list)
    for hand, one in rows:
        found[hand].append(one)
    return found
