"""Decisions: what a row says is what the player could see, and what came of the choice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import decision_oracle as oracle
import numpy as np
import pyarrow.parquet as pq
import pytest
from command import call
from situations import Situation

from paifu.coach.decisions import NO_DANGER, OptionKind, Options, Tenpai
from paifu.coach.judgement.deciding import new_decisions, rows_of_options, table_of
from paifu.coach.kernels.decision_layout import HAND_ROWS
from paifu.coach.kernels.decision_options import call_options, turn_options
from paifu.parsers.read import read_batches
from paifu.replay.kernels import legal, review_hooks
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.claims import EventClaims
from paifu.replay.kernels.replay import set_up, step
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.shapes.shanten import acceptance
from paifu.replay.table.engine import claim_columns, hand_claims, new_notes
from paifu.replay.views.games import games

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "sample_logs" / "games"
FOUR, THREE = GAMES / "tonpuu-4p-01.mjlog.gz", GAMES / "hanchan-3p-01.mjlog.gz"


def batch_of(path: Path) -> Batch:
    return Batch.concatenate(list(read_batches([path])))


def all_options(batch: Batch, **how: Any) -> Options:
    parts = [table_of(*rows) for rows in rows_of_options(batch, **how)]
    return parts[0].concatenated(parts[1:])


@pytest.fixture(scope="module")
def four() -> tuple[Batch, Options]:
    batch = batch_of(FOUR)
    return batch, all_options(batch)


class Replayed:
    """One hand after another, event by event, on a table that may be looked at and tampered with."""

    def __init__(self, batch: Batch) -> None:
        self.batch, self.rules = batch, rulesets_of(batch)[0]
        self.hands = hand_claims(batch.hands)
        self.events = EventClaims(*claim_columns(batch.events, EventClaims._fields))
        self.notes, self.desk = new_notes(64), new_decisions(self.rules, batch, HAND_ROWS)
        self.table, self.review, self.kernel_rules = self.desk.table, self.desk.review, self.desk.rules

    def moments(self) -> Iterator[tuple[int, bool]]:
        """Yield (seat, whether it has to discard) before each discard, and after it for who may call."""
        for hand in range(len(self.batch.hands)):
            set_up(self.table, self.hands, hand, self.kernel_rules, self.desk.shapes, self.notes)
            review_hooks.begin(hand, self.review)
            for event in range(self.hands.event_begin[hand], self.hands.event_end[hand]):
                kind, seat = int(self.events.kind[event]), int(self.events.seat[event])
                tile = int(self.events.tile[event])
                if kind >= EventKind.WIN:
                    continue
                is_discard = kind == EventKind.DISCARD
                is_free = is_discard and self.table.riichi[seat] == 0
                if is_free and self.table.phase != state.WAIT_DECLARED:
                    yield seat, True
                step(self.table, self.events, event, self.kernel_rules, self.desk.shapes, self.notes)
                review_hooks.threaten(self.table, kind, self.kernel_rules, self.review)
                for other in range(self.rules.table.players if is_discard else 0):
                    is_free = other != seat and self.table.riichi[other] == 0
                    if is_free and legal.calls(self.table, other, self.kernel_rules):
                        yield other, False
                review_hooks.keep(
                    self.table, self.review.memory, kind, seat, tile, event, self.rules.table.players
                )

    def rows(self, seat: int, is_turn: bool) -> np.ndarray[Any, Any]:
        """The options of a seat on the table as it is."""
        self.desk.mind.rows = 0
        write = turn_options if is_turn else call_options
        write(self.desk, seat)
        return self.desk.cells[: self.desk.mind.rows].copy()


@pytest.mark.every(2)
@pytest.mark.parametrize("path", [FOUR, THREE], ids=["4 players", "3 players"])
def test_nothing_hidden_is_looked_at(path: Path) -> None:
    """Options are the same when all that is hidden from the player is wiped from the table."""
    replayed = Replayed(batch_of(path))
    looked_at = 0
    for number, (seat, is_turn) in enumerate(replayed.moments()):
        if number % 3:
            continue
        honest = replayed.rows(seat, is_turn)
        table = replayed.table
        kept = table.whole.copy()
        for other in range(4):
            if other != seat:
                table.counts[other] = table.held[other] = 0
                table.keys[other] = 0
                for hidden in (
                    table.waits, table.drawn, table.temporary_furiten, table.permanent_furiten,
                    table.was_furiten, table.nagashi, table.foul,
                ):  # fmt: skip
                    hidden[other] = 1
        table.seen[:] = 0
        table.places[:] = 0
        table.rows[:] = 0
        wiped = replayed.rows(seat, is_turn)
        table.whole[:] = kept
        assert np.array_equal(honest, wiped)
        looked_at += 1
    assert looked_at > 100


@pytest.mark.full
@pytest.mark.parametrize("path", [FOUR, THREE], ids=["4 players", "3 players"])
def test_the_table_is_left_as_it_was(path: Path) -> None:
    replayed = Replayed(batch_of(path))
    for seat, is_turn in replayed.moments():
        kept = state.TableState(**{name: getattr(replayed.table, name) for name in state.TableState.fields()})
        replayed.rows(seat, is_turn)
        for name in state.TableState.fields():
            array, before = getattr(replayed.table, name), getattr(kept, name)
            if name in ("meld_kinds", "meld_types"):  # places without a meld hold nothing
                melds = np.arange(4) < replayed.table.meld_count[:, None]
                assert np.array_equal(array[melds], before[melds]), name
            elif name != "rows":  # scratch memory
                assert np.array_equal(array, before), name


def test_features_by_a_second_way() -> None:
    """Shanten, acceptance and what is visible, counted anew."""
    replayed = Replayed(batch_of(FOUR))
    places = Options.cell_places()
    looked_at = 0
    for seat, is_turn in replayed.moments():
        table = replayed.table
        melds = int(table.meld_count[seat])
        if not is_turn or table.open_melds[seat] != (melds > 0):
            continue
        hand = table.counts[seat].astype(np.int64)
        seen = hand + table.river + table.melded.sum(axis=0, dtype=np.int64)
        for indicator in table.indicators[: table.turned]:
            seen[indicator] += 1
        laid = [meld_tiles(table, seat, number) for number in range(melds)]
        for row in replayed.rows(seat, is_turn)[::3]:
            if row[places.option] > OptionKind.RIICHI:
                continue
            after = hand.copy()
            after[state.kind_of(int(row[places.tile]))] -= 1
            found = acceptance(after, laid, seen)
            assert row[places.shanten] == max(0, min(6, found.shanten))
            # The tile discarded may be drawn again, so it is accepted if one is unseen.
            assert row[places.accepted] == min(60, found.live)
            looked_at += 1
    assert looked_at > 500


ORACLE = [
    GAMES.parent / name
    for name in ("games/tonpuu-3p-01.mjlog.gz", "games/tonpuu-4p-01.mjlog.gz", "formats/tonpuu.mjlog")
]


@pytest.mark.every(5)
@pytest.mark.parametrize("path", ORACLE, ids=lambda path: path.name)
def test_columns_are_what_their_words_say(path: Path) -> None:
    """All options of all decisions, and what is said of them except for a win's worth, worked out again."""
    batch = batch_of(path)
    table = all_options(batch)
    rows: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row, place in enumerate(zip(table.event.tolist(), table.seat.tolist(), strict=True)):
        rows[place].append(row)
    checked: Counter[OptionKind] = Counter()
    for game in games(batch):
        for hand in game.hands:
            for event, look in oracle.Course(hand, hand.rules).moments():
                own = rows.pop((event, look.seat), [])
                if own:
                    checked.update(check_decision(table, own, look))
    assert not rows, "decisions that there should not be"
    print(checked)  # noqa: T201  shown with -s
    assert checked[OptionKind.DISCARD] > 500
    assert checked[OptionKind.PASS] > 5


def check_decision(table: Options, rows: list[int], look: oracle.Seen) -> list[OptionKind]:
    """Check the options of a decision; return them."""
    options = {(OptionKind(int(table.option[row])), int(table.tile[row])): row for row in rows}
    assert len(options) == len(rows)
    calls = oracle.call_options(look) if look.offer else {}
    assert set(options) == (set(calls) if look.offer else oracle.turn_options(look))
    for (option, tile), row in options.items():
        expected: dict[str, Any]
        if option <= OptionKind.RIICHI:
            expected = oracle.discard_columns(look, tile)
        elif option == OptionKind.PASS:
            expected = oracle.pass_columns(look)
        else:
            shape = calls[option, tile] if look.offer else oracle.kan_shape(look, tile)
            expected = {
                **oracle.context(look),
                "shanten": max(0, min(6, shape[0])),
                "accepted": min(60, shape[1]),
            }
            if look.offer:
                expected["calls"] = 1 + sum(kind != EventKind.ANKAN for kind, _ in look.melds(look.seat))
        is_furiten = expected.pop("is_furiten", None)
        if is_furiten is not None:
            assert Tenpai(int(table.tenpai[row])) in oracle.tenpai_of(option, is_furiten=bool(is_furiten))
        for name, value in expected.items():
            assert getattr(table, name)[row].tolist() == value, (name, option, tile)
    return [option for option, _ in options]


def meld_tiles(table: state.TableState, seat: int, number: int) -> list[int]:
    kind, sort = int(table.meld_kinds[seat, number]), int(table.meld_types[seat, number])
    if sort == EventKind.CHI:
        return [kind, kind + 1, kind + 2]
    return [kind] * (3 if sort == EventKind.PON else 4)


def test_every_decision_has_one_choice_among_several(four: tuple[Batch, Options]) -> None:
    table = four[1]
    assert len(np.unique(table.decision)) == table.decision[-1] + 1
    numbers = np.bincount(table.decision)
    assert numbers.min() >= 2
    assert np.array_equal(np.bincount(table.decision, table.chosen), np.ones(len(numbers)))


def test_what_is_chosen_is_what_the_log_says(four: tuple[Batch, Options]) -> None:
    batch, table = four
    events, chosen = batch.events, table.chosen == 1
    discards = chosen & (table.option <= OptionKind.RIICHI)
    assert np.array_equal(events.tile[table.event[discards]], table.tile[discards])
    assert np.array_equal(events.seat[table.event[discards]], table.seat[discards])
    riichi = np.flatnonzero(chosen & (table.option == OptionKind.RIICHI))
    assert len(riichi) == np.count_nonzero(events.kind == EventKind.RIICHI)
    assert set(events.kind[table.event[riichi] - 1]) == {EventKind.RIICHI}
    calls = chosen & np.isin(table.option, (OptionKind.CHI, OptionKind.PON))
    assert set(events.kind[table.event[calls]]) == {EventKind.DISCARD}
    assert calls.any()
    assert (events.seat[table.event[calls]] != table.seat[calls]).all()


def test_targets_are_what_came_of_the_hand(four: tuple[Batch, Options]) -> None:
    batch, table = four
    wins = batch.wins
    for win in range(len(wins)):
        rows = table.hand == wins.hand[win]
        assert (table.won[rows & (table.seat == wins.seat[win])] == 1).all()
        if wins.source[win] != wins.seat[win]:
            payer = rows & (table.seat == wins.source[win])
            assert (table.dealt_in[payer] > 0).all()
            now = np.flatnonzero(payer & (table.dealt_in == 1) & (table.chosen == 1))
            if len(now):  # one in riichi has no choice
                assert len(now) == 1
                assert table.tile[now[0]] == wins.tile[win]
                assert table.to[now[0]] == 1 << (int(wins.seat[win]) - int(wins.source[win])) % 4 - 1
    last = np.flatnonzero((table.hand == 0) & (table.seat == 1))[-1]
    following = batch.hands.scores[1] - batch.hands.scores[0]
    paid = batch.events.kind == EventKind.RIICHI_PAID
    before = np.count_nonzero(
        paid[: table.event[last]] & (batch.events.seat[: table.event[last]] == 1)
    )  # fmt: skip
    assert table.points[last] == following[1] + 1000 * before


def test_rows_do_not_depend_on_how_many_are_written_at_a_time(four: tuple[Batch, Options]) -> None:
    batch, table = four
    assert len([table_of(*rows) for rows in rows_of_options(batch, room=HAND_ROWS + 1)]) > 1
    assert all_options(batch, room=HAND_ROWS + 1).differences(table) == []


def test_a_tenpai_has_a_state_and_a_folded_hand_none(four: tuple[Batch, Options]) -> None:
    table = four[1]
    assert np.array_equal(table.tenpai == Tenpai.NOTEN, table.shanten > 0)
    assert ((table.tenpai == Tenpai.RIICHI) | (table.tenpai == Tenpai.RIICHI_FURITEN))[
        table.option == OptionKind.RIICHI
    ].all()
    calls = table.option >= OptionKind.PASS
    assert (table.danger[calls] == NO_DANGER).all()
    assert (table.danger[~calls] < 20).all()


def test_import_keeps_decisions_when_asked(tmp_path: Path) -> None:
    assert call("import", FOUR, "-o", tmp_path / "with", "--decisions").status == 0
    (file,) = (tmp_path / "with" / "facts" / "decisions").iterdir()
    stored = pq.read_table(file)
    table = all_options(batch_of(FOUR))
    assert stored.num_rows == int(table.chosen.sum())
    assert stored["tile"].to_pylist() == table.tile[table.chosen == 1].tolist()
    assert stored["options"].to_pylist() == np.bincount(table.decision).tolist()
    assert call("import", FOUR, "-o", tmp_path / "without").status == 0
    assert not (tmp_path / "without" / "facts" / "decisions").exists()


@pytest.mark.parametrize(
    ("end", "to"), [("ron 0\nron 1", 0b011), ("ron 1", 0b010), ("abort", 0), ("0 9p", 0)]
)
def test_a_discard_goes_to_those_who_win_it(end: str, to: int) -> None:
    """Where three rons abort the hand, nobody wins."""
    hands = {0: "234m567m11p789p45s", 1: "234m567m22p789p45s", 2: "123999m456p78s11z"}
    table = all_options(Situation(f"0 1z\n1 9m\n2 9p\n3 6s\n{end}", hands, dora="7z").batch())
    assert set(table.to[table.seat == 3]) == {to}
