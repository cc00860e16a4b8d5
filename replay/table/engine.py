"""Replay of a whole batch under each game's ruleset: the checked caller of the replay kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64, writable
from paifu.replay.facts.tables import Findings, PlayerHands, ScoredWins
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.claims import DrawClaims, EventClaims, HandClaims, WinClaims
from paifu.replay.kernels.notes import Notes
from paifu.replay.kernels.replay import (
    C_DRAWS,
    C_EVENTS,
    C_HANDS,
    C_SIZE,
    C_STOPPED,
    C_WALL_TILES,
    C_WALLS,
    C_WINS,
    U_DISCARDS,
    Settled,
    replay_hands,
)
from paifu.replay.kernels.review_layout import ReviewDesk
from paifu.replay.kernels.rows import NOTED, SCORED
from paifu.replay.kernels.wins import Scoring, ScoringWork
from paifu.replay.model.batch import NO_YAKU, Batch, Hands, Table, Wins, rows_within
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import Given, rulesets_of
from paifu.replay.scoring.tables import scoring_tables
from paifu.replay.scoring.yaku import YAKU, YakuKind, yaku_ids, yaku_of
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.hidden import Uncovered, uncovered
from paifu.replay.table.late_riichi import check_late_riichi, in_time, late_riichi
from paifu.replay.table.progress import check_progress
from paifu.replay.table.replayed import Checked, Replay, Unchecked
from paifu.replay.table.stated import DueStart, Ledger, check_stated
from paifu.replay.table.unmarked import without_marks
from paifu.replay.table.unstated import carried, engine_changes
from paifu.replay.table.wall_claims import check_walls
from paifu.replay.walls.hands import kinds_of, walls_of

if TYPE_CHECKING:
    from paifu.replay.review.results import ReviewPass

T = TypeVar("T", bound=Table)

_AS_THEY_ARE: I64 = np.zeros(0, np.int64)
"""Stands for the order of events that a batch has."""
_MAX_FINDINGS = 1 << 16
"""Findings that one replay of a batch has room for at first; when they are more it runs again with room."""


def replay(
    batch: Batch,
    *rules: Given,
    review: bool = False,
    player_hands: bool = True,
    watched: frozenset[str] | None = None,
) -> Replay:
    """Replay every hand of ``batch`` and compare it with what its log claims.

    Each of ``rules`` replaces the ruleset that logs of games with its number of players name, or changes
    rules of it. Of a hand with hidden tiles, what does not depend on them is compared, and the rest is
    counted as unchecked. With ``review`` the choices of players whose tiles are known are looked at, too.
    Without ``player_hands`` that table is empty, and a tenth of the time is saved. With ``watched``,
    case-folded names of players, the review counts discards under threat, theirs apart.
    """
    rulesets = rulesets_of(batch, *rules)
    order = _AS_THEY_ARE
    if rules:
        from paifu.replay.table.indicator_order import replay_order  # what logs name needs neither
        from paifu.replay.table.own_numbers import with_own_numbers

        batch = with_own_numbers(batch, rulesets)
        order = replay_order(batch, rulesets)
    late = late_riichi(batch, rulesets)
    room, order = _MAX_FINDINGS, in_time(order, late, len(batch.events))
    while True:
        run = _BatchPass(batch, order, room, review, player_hands, watched)
        for ruleset, seed_kind, games in _groups(batch, rulesets):
            engine_of(ruleset).replay_games(run, ruleset, seed_kind, games)
        needed = run.found()
        if needed <= room:
            return run.replayed(rulesets, rules, late)
        room = needed


def _groups(batch: Batch, rulesets: tuple[Ruleset, ...]) -> Iterable[tuple[Ruleset, str, I64]]:
    """Games that share ruleset and kind of seed: (ruleset, kind of seed or empty, game rows)."""
    keys: dict[tuple[int, str], list[int]] = {}
    for game, kind in enumerate(kinds_of(batch)):
        # By identity: equal rulesets are nearly always one object, and a hash goes over all rules.
        keys.setdefault((id(rulesets[game]), kind), []).append(game)
    return [(rulesets[rows[0]], kind, np.array(rows)) for (_, kind), rows in keys.items()]


class Engine(Protocol):
    """What replays games of one kind, and knows what else depends on the kind. Wins are rows of tables."""

    def replay_games(self, run: _BatchPass, rules: Ruleset, seed_kind: str, games: I64) -> None:
        """Replay all hands of games that share a ruleset and a kind of seed."""
        ...

    def waits(self, rules: Ruleset, tiles: Iterable[int], melds: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return the kinds that complete 13 tiles, melds included; raises ValueError for other tiles."""
        ...

    def won_with(self, rules: Ruleset, scored: ScoredWins, win: int) -> list[Any]:
        """Return the ids of the yaku or patterns of a win as the engine scores it, dora left out."""
        ...

    def listed(self, wins: Wins, win: int) -> list[Any]:
        """Return those that the log lists with it."""
        ...

    def name(self, rules: Ruleset, which: Any) -> str:
        """Return what data calls a yaku or a pattern."""
        ...

    def spoken(self, rules: Ruleset, which: Any) -> str:
        """Return what messages call it."""
        ...


class RiichiEngine:
    """Riichi, replayed by the kernels."""

    def replay_games(self, run: _BatchPass, rules: Ruleset, seed_kind: str, games: I64) -> None:
        """Replay all hands of games that share a ruleset and a kind of seed."""
        chosen = rows_within(run.batch.games.hand_begin[games], run.batch.games.hand_end[games])
        chosen = chosen[~run.uncovered.untold[chosen]]
        shapes, scoring, table = load_tables(sanma=rules.table.players == 3), new_scoring(rules), new_table()
        desk = None
        if run.review is not None:
            review = run.review.under(rules)
            desk = ReviewDesk(table, rules.kernel(), shapes, scoring, run.notes, review)
        replay_hands(
            chosen,
            claims_under(rules, run.batch, chosen),
            run.events,
            run.order,
            run.wins,
            run.win_begin,
            run.draws,
            run.draw_begin,
            walls_of(run.batch, games, seed_kind, rules.table.players, rules.flowers),
            rules.kernel(),
            shapes,
            scoring,
            table,
            run.notes,
            run.scored,
            run.settled,
            run.uncovered.reveals,
            run.players,
            run.tenpai,
            run.counters,
            run.takes_notes,
            desk,
        )

    def waits(self, rules: Ruleset, tiles: Iterable[int], melds: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """Return the kinds that complete 13 tiles, melds included; raises ValueError for other tiles."""
        from paifu.replay.shapes.shanten import waits  # replay has them from its kernels

        return waits(tuple(tiles), melds, sanma=rules.table.players == 3)

    def won_with(self, _rules: Ruleset, scored: ScoredWins, win: int) -> list[int]:
        """Return the ids of the yaku of a win as the engine scores it, dora left out."""
        return sorted(yaku_ids(int(scored.yaku[win]), int(scored.local[win])))

    def listed(self, wins: Wins, win: int) -> list[int]:
        """Return those that the log lists with it."""
        return sorted({*wins.yaku[win].tolist()} - {NO_YAKU} - _DORA_IDS)

    def name(self, rules: Ruleset, which: int) -> str:
        """Return what data calls a yaku."""
        known = yaku_of(rules)
        return known[which].romaji if which in known else f"yaku {which}"

    def spoken(self, rules: Ruleset, which: int) -> str:
        """Return what messages call it."""
        from paifu.replay.scoring.yaku_names import spoken_name

        return spoken_name(which, rules)


def engine_of(rules: Ruleset) -> Engine:
    """Return the engine that replays games under a ruleset."""
    if rules.game.scheme == Scheme.HAN_FU:
        return RIICHI
    from paifu.replay.general.engine import GENERAL  # riichi does not need it

    return GENERAL


RIICHI = RiichiEngine()
_DORA_IDS = frozenset(number for number, yaku in YAKU.items() if yaku.kind is YakuKind.DORA)


class _BatchPass:
    """One pass over a batch: the arrays that kernels fill."""

    def __init__(
        self,
        batch: Batch,
        order: I64,
        room: int,
        review: bool,
        player_hands: bool,
        watched: frozenset[str] | None = None,
    ) -> None:
        self.batch = batch
        self.order = order
        self.takes_notes = player_hands
        self.review: ReviewPass | None = None
        if review:
            from paifu.replay.review.results import ReviewPass  # most runs need none

            self.review = ReviewPass(batch, room, watched)
        hands = len(batch.hands)
        self.notes = new_notes(room)
        self.scored = np.zeros((len(batch.wins), ScoredWins.cells()), np.int64)
        self.settled = Settled(
            np.zeros(len(batch.wins), np.uint8), np.zeros((len(batch.hand_draws), 5), np.int64)
        )
        self.others: list[tuple[int, ...]] = []
        """Rows of findings in games other than riichi."""
        self.players = np.zeros((hands if player_hands else 1, 4, PlayerHands.cells()), np.int64)
        self.tenpai = np.full(hands, -1, np.int64)
        self.counters = np.zeros(C_SIZE, np.int64)
        every = np.arange(hands + 1)
        self.win_begin = np.searchsorted(batch.wins.hand, every)
        self.draw_begin = np.searchsorted(batch.hand_draws.hand, every)
        self.uncovered = uncovered(batch)
        self.events = events_of(batch, self.uncovered)
        self.wins = WinClaims(*claim_columns(batch.wins, WinClaims._fields))
        self.draws = DrawClaims(*claim_columns(batch.hand_draws, DrawClaims._fields))

    def unchecked(self) -> Unchecked:
        """Return how much could not be checked because tiles are hidden."""
        known, untold = self.uncovered.known, self.uncovered.untold
        hands = int((~known.all(axis=1) & ~untold).sum())
        return Unchecked(hands, *self.counters[U_DISCARDS:C_SIZE].tolist())

    def found(self) -> int:
        """Return how many findings there were, whether or not there was room for them."""
        return int(max(self.notes.counts[0], 0 if self.review is None else self.review.found))

    def note(self, row: tuple[int, ...]) -> None:
        """Take a finding in a game other than riichi."""
        self.others.append(row)

    def replayed(self, rulesets: tuple[Ruleset, ...], rules: tuple[Given, ...], late: I64) -> Replay:
        """Turn the arrays into tables, the progress of the games checked too; ``late`` are riichi."""
        batch = self.batch
        of_others = np.array(self.others, np.int64).reshape(-1, Findings.cells())
        found = np.concatenate([self.notes.rows[: self.notes.counts[0]], of_others])
        found[:, NOTED.game] = batch.hands.game[found[:, NOTED.hand]]
        ledger = Ledger(batch, rulesets)
        changes = self.scored[:, SCORED.changes :][:, :4]
        whole = carried(batch, ledger, self.settled, changes)
        if whole.batch is not batch:
            ledger = Ledger(whole.batch, rulesets)
        noted, unmarked = without_marks(batch, Findings.from_rows(found))
        by_sticks: dict[int, DueStart] = {}
        if len(noted):
            from paifu.replay.table.consequences import starts_by_sticks

            by_sticks = starts_by_sticks(noted, whole.batch, rulesets)
        progress = check_progress(
            whole.batch,
            rulesets,
            ledger,
            self.tenpai,
            self.scored,
            engine_changes(whole.batch, self.settled, changes),
            by_sticks,
        )
        stated = check_stated(whole.batch, ledger, by_sticks | progress.due)
        others = [progress.findings, stated, check_walls(batch, rulesets), check_late_riichi(batch, late)]
        findings = noted.concatenated(others)
        if len(findings):
            from paifu.replay.table.consequences import without_consequences

            findings = without_consequences(findings, batch, rulesets, changes, progress.due, by_sticks)
        present = np.arange(4) < batch.games.players[batch.hands.game][:, None]
        counted = self.counters
        checked = Checked(
            games=len(batch),
            hands=int(counted[C_HANDS]),
            events=int(counted[C_EVENTS]),
            wins=int(counted[C_WINS]),
            draws=int(counted[C_DRAWS]),
            walls=int(counted[C_WALLS]),
            wall_tiles=int(counted[C_WALL_TILES]),
            carried=progress.carried,
            finals=progress.finals,
            stopped=int(counted[C_STOPPED]),
        )
        return Replay(
            batch,
            rulesets,
            rules,
            _in_order(findings),
            PlayerHands.from_rows(self.players[present] if self.takes_notes else self.players[0, :0]),
            ScoredWins.from_rows(self.scored),
            checked,
            replace(whole.unstated, unmarked=unmarked),
            self.unchecked(),
            None if self.review is None else self.review.tables(self.scored[:, SCORED.changes :], rulesets),
        )


def hand_claims(hands: Hands) -> HandClaims:
    """Return what kernels read of hands that no game leads to: dealers have won none in a row."""
    columns = [*claim_columns(hands, HandClaims._fields[:-1]), np.zeros(len(hands), np.uint8)]
    return HandClaims(*columns)


def claims_under(rules: Ruleset, batch: Batch, chosen: I64) -> HandClaims:
    """Return what kernels read of a batch's hands, to play those ``chosen`` (rows) under some rules.

    The dealers' wins in a row before them are counted where the rules ask for these.
    """
    claims = hand_claims(batch.hands)
    if rules.local.thirteen_dealer_wins_han or rules.local.yaku.ask_for("dealer_streak"):
        from paifu.replay.course.dealer_wins import dealer_wins_before  # hardly any rules ask for them

        claims.dealer_wins[chosen] = [dealer_wins_before(batch, hand) for hand in chosen.tolist()]
    return claims


def events_of(batch: Batch, known: Uncovered) -> EventClaims:
    """Return what kernels read of a batch's events, hidden tiles filled in that follow from others."""
    events = EventClaims(*claim_columns(batch.events, EventClaims._fields))
    return events if known.tile is batch.events.tile else events._replace(tile=known.tile)


def claim_columns(table: Table, names: Iterable[str]) -> Iterator[npt.NDArray[Any]]:
    """Yield columns laid out alike, wherever they come from: each other layout would be compiled again."""
    return (writable(getattr(table, name)) for name in names)


def _in_order(findings: Findings) -> Findings:
    order = np.lexsort((findings.code, findings.event, findings.hand, findings.game))
    return findings.rows(order)


def new_table() -> state.TableState:
    """Return a table for the kernels; its content is undefined until a hand is set up."""
    return state.TableState()


def new_notes(room: int) -> Notes:
    """Return what takes up to ``room`` findings."""
    return Notes(np.zeros((room, Findings.cells()), np.int64), np.zeros(3, np.int64))


def new_scoring(rules: Ruleset) -> Scoring:
    """Return what the kernels score wins with under ``rules``, scratch memory of its own included."""
    tables = scoring_tables(rules)
    return Scoring(tables.patterns, ScoringWork(params=tables.params))
