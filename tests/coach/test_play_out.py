"""Decisions played out: with no luck left the log's own end comes out, with luck its mean does."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from paifu.api.simulated import batch_of
from paifu.coach.decisions import OptionKind, Options
from paifu.coach.judgement.deciding import rows_of_options, table_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.coach.simulate.playing_out import PlayOut
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from play_out import played_out

pytestmark = pytest.mark.full

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
STICK = 1000
WALLS = np.arange(1, 9, dtype=np.int64) * 104729
SECOND_WIN = load_preset("tenhou").changed(thirteen_dealer_wins_han=13, dealer_wins_count=2)
BOLD = replace(PLAYERS["balanced"], aborts=0)


@pytest.fixture(scope="module", params=["tenhou", "tenhou-sanma", "second dealer win"])
def played(request: pytest.FixtureRequest) -> tuple[Batch, PlayOut]:
    is_preset = request.param.startswith("tenhou")
    rules = load_preset(request.param) if is_preset else SECOND_WIN
    simulator = Simulator(rules, [BOLD])
    batch = batch_of(simulator.game(number) for number in range(12))
    return batch, PlayOut(batch, rules, BOLD)


def decisions(batch: Batch) -> Iterator[tuple[Options, slice, int]]:
    """Yield each decision: its table, its rows, and the row that was chosen."""
    for table in (table_of(*rows) for rows in rows_of_options(batch)):
        bounds = np.flatnonzero(np.diff(table.decision, prepend=-1, append=-1))
        for first, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            yield table, slice(first, end), first + int(np.argmax(table.chosen[first:end]))


def end_of(batch: Batch, hand: int) -> npt.NDArray[np.int64]:
    """Return the scores right after a hand, before the next begins."""
    scores = batch.hands.scores[hand].astype(np.int64)
    for table in (batch.wins, batch.hand_draws):
        scores = scores + table.deltas[table.hand == hand].astype(np.int64).sum(axis=0)
    own = slice(int(batch.hands.event_begin[hand]), int(batch.hands.event_end[hand]))
    paid = batch.events.seat[own][batch.events.kind[own] == 10]
    return scores - STICK * np.bincount(paid, minlength=4)


def test_without_luck_the_end_is_that_of_the_log(played: tuple[Batch, PlayOut]) -> None:
    """A discard that deals in to hands without riichi, and the last discard of a hand that nobody wins."""
    batch, out = played
    events, found = batch.events, {"ron": 0, "draw": 0}
    for table, _, row in decisions(batch):
        hand, event, seat = (int(column[row]) for column in (table.hand, table.event, table.seat))
        last = slice(event, int(batch.hands.event_end[hand]))
        rons = table.to[row] and not (events.kind[: last.stop][batch.hands.event_begin[hand] :] == 9).any()
        drawn = np.isin(events.kind[last], [2, 13]).all() and table.option[row] == OptionKind.DISCARD
        is_exhausted = drawn and (batch.hand_draws.kind[batch.hand_draws.hand == hand] <= 2).all()
        if not rons and not is_exhausted:
            continue
        choice = int(table.option[row]), int(table.tile[row])
        points = out.points(hand, event, seat, [choice], WALLS)
        assert points is not None
        assert (points[0] == end_of(batch, hand)).all(), (hand, event, choice)
        found["ron" if rons else "draw"] += 1
    assert min(found.values()) >= 3, found


def test_every_option_is_played_and_points_only_move(played: tuple[Batch, PlayOut]) -> None:
    batch, out = played
    players = int(batch.games.players[0])
    kinds: defaultdict[int, int] = defaultdict(int)
    for table, rows, row in islice(decisions(batch), 0, None, 17):
        hand, event, seat = (int(column[row]) for column in (table.hand, table.event, table.seat))
        choices = list(zip(table.option[rows].tolist(), table.tile[rows].tolist(), strict=True))
        points = out.points(hand, event, seat, choices, WALLS[:2])
        assert points is not None, (hand, event, choices)
        again = out.points(hand, event, seat, choices[::-1], WALLS[:2])
        assert again is not None
        assert (points == again[::-1]).all()
        total = int(batch.hands.scores[hand, :players].sum()) + STICK * int(batch.hands.sticks[hand])
        left = total - points[:, :, :players].sum(axis=2)
        assert ((left >= 0) & (left % STICK == 0)).all()
        for option, _ in choices:
            kinds[option] += 1
    assert set(kinds) >= {OptionKind.DISCARD, OptionKind.RIICHI, OptionKind.PASS, OptionKind.PON}, kinds
    assert kinds[OptionKind.CHI] if players == 4 else not kinds[OptionKind.CHI]


def test_the_mean_is_what_the_same_players_come_to() -> None:
    """The log's end is one more draw from the ends that are played out: it is above and below them alike."""
    rules = load_preset("tenhou")
    batch = batch_of(Simulator(rules, [BOLD]).game(number) for number in range(40))
    out = PlayOut(batch, rules, BOLD)
    off: defaultdict[int, list[float]] = defaultdict(list)
    for table, _, row in islice(decisions(batch), 5, None, 13):
        hand, event, seat = (int(column[row]) for column in (table.hand, table.event, table.seat))
        choice = int(table.option[row]), int(table.tile[row])
        points = out.points(hand, event, seat, [choice], WALLS)
        assert points is not None
        off[hand].append(float(end_of(batch, hand)[seat] - points[0, :, seat].mean()))
    means = np.array([np.sum(values) for values in off.values()])
    assert len(means) > 300
    z = means.sum() / np.sqrt((means**2).sum())
    assert abs(z) < 3, z


def test_a_log_that_cannot_be_followed_is_not_played_out(played: tuple[Batch, PlayOut]) -> None:
    batch, out = played
    table, _, row = next(decisions(batch))
    hand, event, seat = (int(column[row]) for column in (table.hand, table.event, table.seat))
    choice = int(table.option[row]), int(table.tile[row])
    end = int(batch.hands.event_end[hand])
    assert out.points(hand, end, seat, [choice], WALLS) is None
    assert out.sight(hand, end, seat, OptionKind.DISCARD) is None
    not_held = next(
        tile for tile in range(34) if tile not in table.tile[table.decision == table.decision[row]]
    )
    assert out.points(hand, event, seat, [(OptionKind.DISCARD, not_held)], WALLS) is None


def test_the_experiment_can_be_repeated() -> None:
    """In small: the same options of the same decisions come out the same, and no group gets too many."""
    (batch,) = read_batches([SAMPLES / "games"])
    first, again = (list(played_out(batch, "balanced", 3, 4, defaultdict(int))) for _ in (1, 2))
    assert first == again
    assert {"P101", "R202"} <= {one.code for one in first}
    assert max(Counter(one.group for one in first).values()) == 4
