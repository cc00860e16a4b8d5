"""Replay of a whole batch under each game's ruleset: the checked caller of the replay kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from paifu.replay.kernels import jit
from paifu.replay.kernels import scoring_layout as layout
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
    replay_hands,
)
from paifu.replay.kernels.rows import NOTED, SCORED
from paifu.replay.kernels.wall_checks import Walls
from paifu.replay.kernels.wins import Scoring
from paifu.replay.model.batch import Batch, Hands, Table
from paifu.replay.model.tiles import IDS
from paifu.replay.review.results import new_review, review_of, reviewed
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.presets import load_preset, rulesets_of
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.score import scoring_tables
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.dealer_wins import dealer_wins_before
from paifu.replay.table.facts import Checked, Findings, PlayerHands, Replay, ScoredWins
from paifu.replay.table.indicator_order import replay_order
from paifu.replay.table.progress import check_progress
from paifu.replay.table.stated import Ledger, check_stated
from paifu.replay.walls.tenhou import (
    KINDS,
    PER_HAND,
    Layout,
    Seed,
    deal_indices,
    layout_of,
    live_indices,
    parse_seed,
    shuffled,
)

I64 = npt.NDArray[np.int64]
T = TypeVar("T", bound=Table)

_MAX_FINDINGS = 1 << 16
"""Findings that one replay of a batch has room for at first; when they are more it runs again with room."""


def replay(batch: Batch, *rules: Ruleset, review: bool = False, player_hands: bool = True) -> Replay:
    """Replay every hand of ``batch`` and compare it with what its log claims.

    Each of ``rules`` replaces the ruleset that logs of games with its number of players name. Hands of which
    tiles are hidden are left out. With ``review`` the players' choices are looked at, too. Without
    ``player_hands`` that table is empty, and a tenth of the time is saved.
    """
    rulesets = rulesets_of(batch, *rules)
    room, order = _MAX_FINDINGS, replay_order(batch, rulesets) if rules else np.zeros(0, np.int64)
    while True:
        run = _Run(batch, order, room, review, player_hands)
        for group in _groups(batch, rulesets):
            run.group(*group)
        needed = run.found()
        if needed <= room:
            return run.replayed(rulesets, rules)
        room = needed


def warm_up(*, review: bool = False) -> None:
    """Have all kernels of a replay compiled, or loaded from the cache, without replaying anything."""
    _Run(Batch.empty(), np.zeros(0, np.int64), 1, review, True).group(
        load_preset("tenhou"), "", np.zeros(0, np.int64)
    )
    jit.mark_warm(jit.REVIEW if review else jit.ENGINE)


def _groups(batch: Batch, rulesets: tuple[Ruleset, ...]) -> Iterable[tuple[Ruleset, str, I64]]:
    """Games that share ruleset and kind of seed: (ruleset, kind of seed or empty, game rows)."""
    games = batch.games
    first_seeds = _first_hand_seeds(batch)
    keys: dict[tuple[Ruleset, str], list[int]] = {}
    for game in range(len(games)):
        kind = (games.seed[game] or first_seeds[game]).partition(",")[0]
        key = (rulesets[game], kind if kind in KINDS else "")
        keys.setdefault(key, []).append(game)
    return [(ruleset, kind, np.array(rows)) for (ruleset, kind), rows in keys.items()]


def _first_hand_seeds(batch: Batch) -> list[str]:
    games, seeds = batch.games, batch.hands.seed
    return [
        seeds[begin] if end > begin else ""
        for begin, end in zip(games.hand_begin, games.hand_end, strict=True)
    ]


class _Run:
    """One pass over a batch: the arrays that kernels fill."""

    def __init__(self, batch: Batch, order: I64, room: int, review: bool, player_hands: bool) -> None:
        self.batch = batch
        self.order = order
        self.takes_notes = player_hands
        self.review = new_review(batch, room) if review else None
        hands = len(batch.hands)
        self.notes = new_notes(room)
        self.scored = np.zeros((len(batch.wins), ScoredWins.cells()), np.int64)
        self.others: list[tuple[int, ...]] = []
        """Rows of findings in games other than riichi."""
        self.players = np.zeros((hands if player_hands else 1, 4, PlayerHands.cells()), np.int64)
        self.tenpai = np.full(hands, -1, np.int64)
        self.counters = np.zeros(C_SIZE, np.int64)
        every = np.arange(hands + 1)
        self.win_begin = np.searchsorted(batch.wins.hand, every)
        self.draw_begin = np.searchsorted(batch.hand_draws.hand, every)
        self.hands = hand_claims(batch.hands)
        self.events = EventClaims(*claim_columns(batch.events, EventClaims._fields))
        self.wins = WinClaims(*claim_columns(batch.wins, WinClaims._fields))
        self.draws = DrawClaims(*claim_columns(batch.hand_draws, DrawClaims._fields))

    def found(self) -> int:
        """Return how many findings there were, whether or not there was room for them."""
        reviewed = 0 if self.review is None else self.review.counts[0]
        return int(max(self.notes.counts[0], reviewed))

    def note(self, row: tuple[int, ...]) -> None:
        """Take a finding in a game other than riichi."""
        self.others.append(row)

    def group(self, rules: Ruleset, seed_kind: str, games: I64) -> None:
        """Replay all hands of games that share a ruleset and a kind of seed."""
        if rules.scheme != Scheme.HAN_FU:
            from paifu.replay.general.engine import replay_games

            replay_games(self, rules, games)
            return
        begin, end = self.batch.games.hand_begin, self.batch.games.hand_end
        chosen = np.concatenate([np.zeros(0, np.int64), *(np.arange(begin[g], end[g]) for g in games)])
        if rules.thirteen_dealer_wins_han:
            self.hands.dealer_wins[chosen] = [
                dealer_wins_before(self.batch, hand) for hand in chosen.tolist()
            ]
        hidden = (self.batch.hands.dealt[chosen, : rules.players] >= 37).any(axis=(1, 2))
        table, shapes = new_table(), load_tables(sanma=rules.players == 3)
        scoring = new_scoring(rules)
        review = None if self.review is None else review_of(self.review, rules.players)
        replay_hands(
            chosen[~hidden],
            self.hands,
            self.events,
            self.order,
            self.wins,
            self.win_begin,
            self.draws,
            self.draw_begin,
            _walls(self.batch, games, seed_kind, rules.players),
            rules.kernel(),
            shapes,
            scoring,
            table,
            self.notes,
            self.scored,
            self.players,
            self.tenpai,
            self.counters,
            self.takes_notes,
            review,
        )

    def replayed(self, rulesets: tuple[Ruleset, ...], rules: tuple[Ruleset, ...]) -> Replay:
        """Turn the arrays into tables, the progress of the games checked too."""
        batch = self.batch
        others = np.array(self.others, np.int64).reshape(-1, Findings.cells())
        found = np.concatenate([self.notes.rows[: self.notes.counts[0]], others])
        found[:, NOTED.game] = batch.hands.game[found[:, NOTED.hand]]
        ledger = Ledger(batch, np.array([ruleset.riichi_stick for ruleset in rulesets], np.int64))
        progress, carried, finals = check_progress(batch, rulesets, ledger, self.tenpai)
        stated = check_stated(batch, ledger)
        findings = Findings.from_rows(found).concatenated([progress, stated])
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
            carried=carried,
            finals=finals,
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
            None if self.review is None else reviewed(batch, self.review, self.scored[:, SCORED.changes :]),
        )


def hand_claims(hands: Hands) -> HandClaims:
    """Return what kernels read of hands; the dealers' wins in a row are left at 0."""
    columns = [*claim_columns(hands, HandClaims._fields[:-1]), np.zeros(len(hands), np.uint8)]
    return HandClaims(*columns)


def claim_columns(table: Table, names: Iterable[str]) -> Iterator[npt.NDArray[Any]]:
    """Yield columns laid out alike, wherever they come from: each other layout would be compiled for anew."""
    return (np.require(getattr(table, name), requirements=["C", "W"]) for name in names)


def _in_order(findings: Findings) -> Findings:
    order = np.lexsort((findings.code, findings.event, findings.hand, findings.game))
    return Findings(**{name: array[order] for name, array in findings.arrays()})


# --- walls ---------------------------------------------------------------------------------------------


def _walls(batch: Batch, games: I64, kind: str, players: int) -> Walls:
    """Return the walls of all hands of ``games`` whose seed can be followed from the first hand on."""
    row_of_hand = np.full(len(batch.hands), -1, np.int32)
    ids, dice, rows = [], [], 0
    layout = _layout(kind, players)
    for game in games if layout else ():
        for hand, number, seed in _seeded_hands(batch, int(game), kind):
            wall, eyes = shuffled(seed, number, players)
            ids.append(wall)
            dice.append(eyes)
            row_of_hand[hand : hand + number] = np.arange(rows, rows + number)
            rows += number
    layout = layout or Layout((0,) * 5, (0,) * 5, (0,) * 8, (0, 0))
    return Walls(
        ids=np.concatenate(ids) if ids else np.zeros((1, 136), np.uint8),
        dice=np.ascontiguousarray(np.concatenate(dice)) if dice else np.zeros((1, 2), np.uint8),
        row=row_of_hand,
        deal=deal_indices(players).copy(),  # kernels take what may be written to
        live=live_indices(players).copy(),
        supplements=np.array(layout.supplements, np.int16),
        indicators=np.array(layout.indicators, np.int16),
        ura=np.array(layout.ura, np.int16),
    )


@lru_cache(maxsize=16)
def _layout(kind: str, players: int) -> Layout | None:
    try:
        return layout_of(Seed(kind, b""), players)
    except ValueError:
        return None


def _seeded_hands(batch: Batch, game: int, kind: str) -> Iterator[tuple[int, int, Seed]]:
    """Yield (first hand, number of hands, seed); nothing where a seed is missing or cannot be read."""
    games, hands = batch.games, batch.hands
    begin, end = int(games.hand_begin[game]), int(games.hand_end[game])
    try:
        if kind == PER_HAND:
            for hand in range(begin, end):
                if hands.seed[hand]:
                    yield hand, 1, parse_seed(hands.seed[hand])
        elif end > begin and hands.round[begin] == 0 and hands.honba[begin] == 0:
            yield begin, end - begin, parse_seed(games.seed[game])
    except ValueError:
        return


def new_table() -> state.TableState:
    """Return a table for the kernels; its content is undefined until a hand is set up."""
    return state.TableState(
        counts=np.zeros((4, 34), np.uint8),
        held=np.zeros((4, 37), np.uint8),
        melded=np.zeros((4, 34), np.uint8),
        keys=np.zeros((4, 4), np.int64),
        meld_kinds=np.zeros((4, 4), np.uint8),
        meld_types=np.zeros((4, 4), np.uint8),
        meld_sources=np.zeros((4, 4), np.uint8),
        seats=np.zeros((state.S_SIZE, 4), np.int64),
        hand=np.zeros(state.H_SIZE, np.int64),
        scores=np.zeros(4, np.int64),
        liable=np.zeros((4, 4), np.int64),
        indicators=np.zeros(5, np.uint8),
        seen=np.zeros(37, np.uint8),
        river=np.zeros(34, np.uint8),
        places=np.zeros(IDS, np.uint8),
        rows=np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64),
    )


def new_notes(room: int) -> Notes:
    """Return what takes up to ``room`` findings."""
    return Notes(np.zeros((room, Findings.cells()), np.int64), np.zeros(3, np.int64))


def new_scoring(rules: Ruleset) -> Scoring:
    """Return what the kernels score wins with under ``rules``, scratch memory of its own included."""
    tables = scoring_tables(rules)
    return Scoring(
        tables.patterns,
        tables.params,
        np.zeros((layout.MAX_READINGS, layout.ROW_SIZE), np.int64),
        np.zeros(layout.OUT_SIZE, np.int64),
        np.zeros(4, np.int64),
        np.zeros(34, np.uint8),
    )
