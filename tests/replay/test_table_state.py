"""The engine's state after every event is what a slow, plain reading of the history makes of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mahjong.shanten import Shanten
from scratch_state import Scratch, kind_of

from paifu.parsers.read import read_batches
from paifu.replay.kernels.claims import EventClaims
from paifu.replay.kernels.legal import furiten
from paifu.replay.kernels.replay import set_up, step
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE, TILES
from paifu.replay.rulesets.presets import ruleset_of
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import hand_claims, new_notes, new_table, replay

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
ENDS = (EventKind.WIN, EventKind.HAND_DRAW, EventKind.LEAVE, EventKind.RETURN)
NOBODY = 255


def mask_of(kinds: Any) -> int:
    return sum(1 << kind for kind in kinds)


def expected_seat(state: Scratch, seat: int) -> dict[str, Any]:
    """What the engine's record should say of one player."""
    player = state.players[seat]
    closed, melded = state.kinds_of(seat)
    counts = list(map(closed.count, range(34)))
    return {
        "held": list(map(player.hand.count, range(TILES))),
        "counts": counts,
        "melded": list(map(melded.count, range(34))),
        "keys": [sum(n * 5**d for d, n in enumerate(counts[9 * s : 9 * s + 9])) for s in range(4)],
        "melds": [(m.low, int(m.event), m.source) for m in player.melds],
        "meld_count": len(player.melds),
        "open_melds": int(state.is_open(seat)),
        "meld_reds": sum(tile >= 34 for meld in player.melds for tile in meld.tiles),
        "kita": player.kita,
        "riichi": player.riichi,
        "double_riichi": int(player.double),
        "ippatsu": int(player.ippatsu),
        "river_kinds": mask_of({kind_of(d.tile) for d in player.river}),
        "early_kinds": mask_of({kind_of(d.tile) for d in player.river[:4]}),
        "discards": len(player.river),
        "drawn": NOBODY if player.drawn is None else player.drawn,
        "nagashi": int(state.is_nagashi(seat)),
    }


def expected_hand(state: Scratch) -> dict[str, int]:
    """What the engine's record should say of the hand."""
    return {
        "live": state.live,
        "kans": state.kans,
        "turned": len(state.indicators),
        "sticks": state.sticks,
        "first": int(state.untouched()),
        "unpaid": NOBODY if state.owes is None else state.owes,
        "kuikae": mask_of(state.forbidden()),
        "riichi_count": sum(player.riichi == 2 for player in state.players),
    }


class Comparison:
    """Steps the engine and the plain reading through a hand side by side."""

    def __init__(self, batch: Batch, game: int) -> None:
        self.batch = batch
        self.rules = ruleset_of(batch, game)
        self.kernel_rules = self.rules.kernel()
        self.shapes = load_tables(sanma=self.rules.table.players == 3)
        self.table = new_table()
        self.notes = new_notes(100)
        self.hands = hand_claims(batch.hands)
        self.events = EventClaims(*(getattr(batch.events, name) for name in EventClaims._fields))
        self.compared: Counter[str] = Counter()

    def hand(self, hand: int) -> None:
        hands, events = self.batch.hands, self.batch.events
        state = Scratch(
            self.rules,
            int(hands.dealer[hand]),
            hands.scores[hand].tolist(),
            int(hands.sticks[hand]),
            hands.dealt[hand].tolist(),
            int(hands.dora[hand]),
        )
        assert set_up(self.table, self.hands, hand, self.kernel_rules, self.shapes, self.notes)
        self.seats = [expected_seat(state, seat) for seat in range(self.rules.table.players)]
        self.compare(state, f"hand {hand}, the deal", range(self.rules.table.players))
        for event in range(hands.event_begin[hand], hands.event_end[hand]):
            kind, seat, tile = EventKind(events.kind[event]), int(events.seat[event]), int(events.tile[event])
            if kind in ENDS:
                continue
            arguments = (self.table, self.events, event, self.kernel_rules, self.shapes, self.notes)
            assert step(*arguments), f"hand {hand}, event {event}"
            own = [tile for tile in events.own[event].tolist() if tile != NO_TILE]
            source = int(events.source[event])
            state.apply(kind, seat, tile, source, own if kind != EventKind.KAKAN else ())
            touched = {s for s in (seat, source) if s < self.rules.table.players}
            dead = kind == EventKind.DRAW and state.players[seat].from_dead_wall
            if dead or kind in (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN):
                touched = set(range(self.rules.table.players))  # ippatsu ends for all
            for other in touched:
                self.seats[other] = expected_seat(state, other)
            self.compare(state, f"hand {hand}, event {event} {kind.name}", touched)
            self.compared[kind.name] += 1

    def compare(self, state: Scratch, where: str, touched: Any) -> None:
        """Compare everything of the players that an event touched, and the table."""
        table = self.table
        for seat in touched:
            expected = dict(self.seats[seat])
            melded = expected.pop("melds")
            for name, value in expected.items():
                assert getattr(table, name)[seat].tolist() == value, f"{where}: {name} of {seat}"
            melds = zip(
                table.meld_kinds[seat].tolist(),
                table.meld_types[seat].tolist(),
                table.meld_sources[seat].tolist(),
                strict=True,
            )
            assert list(melds)[: len(melded)] == melded, f"{where}: melds of {seat}"
        for name, value in expected_hand(state).items():
            assert getattr(table, name) == value, f"{where}: {name}"
        assert table.scores.tolist()[: len(state.players)] == [p.score for p in state.players], where
        indicators = [kind_of(tile) for tile in state.indicators]
        assert table.indicators.tolist()[: len(indicators)] == indicators, f"{where}: indicators"
        lying = Counter(kind_of(d.tile) for p in state.players for d in p.river if not d.called)
        assert table.river.tolist() == list(map(lying.__getitem__, range(34))), f"{where}: rivers"
        seen = Counter(state.in_play())
        assert table.seen.tolist() == list(map(seen.__getitem__, range(TILES))), f"{where}: tiles seen"
        self.compare_waits(state, where)

    def compare_waits(self, state: Scratch, where: str) -> None:
        """Compare waits and the three kinds of furiten of everybody who is not to discard.

        After an open kan the engine works them out at the discard, as nobody can ask before.
        """
        table = self.table
        for seat, player in enumerate(state.players):
            fed = bool(player.melds) and player.melds[-1].event == EventKind.DAIMINKAN
            if len(player.hand) % 3 != 1 or (
                fed and state.history[-1][0] in (EventKind.DAIMINKAN, EventKind.DORA)
            ):
                continue
            waits = state.waits(seat)
            assert table.waits[seat] == mask_of(waits), f"{where}: waits of {seat}"
            temporary, lasting = state.temporary_furiten(seat), state.riichi_furiten(seat)
            assert table.temporary_furiten[seat] == temporary, f"{where}: temporary furiten of {seat}"
            assert table.permanent_furiten[seat] == lasting, f"{where}: furiten of {seat} in riichi"
            in_furiten = state.discard_furiten(seat) or temporary or lasting
            assert furiten(self.table, seat) == in_furiten, f"{where}: furiten of {seat}"
            self.compared["hands of 3n + 1"] += 1
            if waits:
                self.compared["tenpai"] += 1
                self.compared["discard furiten"] += state.discard_furiten(seat)
                self.compared["temporary furiten"] += temporary
                self.compared["riichi furiten"] += lasting


def compare_games(batch: Batch, games: Any) -> Counter[str]:
    compared: Counter[str] = Counter()
    for game in games:
        comparison = Comparison(batch, game)
        for hand in range(batch.games.hand_begin[game], batch.games.hand_end[game]):
            comparison.hand(hand)
        assert comparison.notes.counts[0] == 0
        comparison.compared["games"] += 1
        compared += comparison.compared
    return compared


def test_sample_logs_leave_the_state_that_their_history_makes() -> None:
    files = ["hanchan.mjlog.gz", "sanma.mjlog.gz", "tonpuu.mjlog", "aborted-hands.zip"]
    batch = Batch.concatenate(read_batches([SAMPLES / name for name in files]))
    compared = compare_games(batch, range(len(batch)))
    print(f"\n{dict(compared)}")  # noqa: T201
    assert compared["games"] == 7
    assert compared["DISCARD"] > 1000
    kinds = {kind.name for kind in EventKind if kind not in (*ENDS, EventKind.BONUS, EventKind.FOUL)}
    assert kinds <= compared.keys()
    assert min(compared[f"{kind} furiten"] for kind in ("discard", "temporary")) > 5


@pytest.mark.corpus
def test_real_games_leave_the_state_that_their_history_makes(shared: Path) -> None:
    batch = Batch.concatenate(read_batches([shared / "logs" / "mjlog"]))
    games = range(0, len(batch), 21)[:120]
    compared = compare_games(batch, games)
    print(f"\n{dict(compared)}")  # noqa: T201
    assert compared["games"] == 120
    assert {int(n) for n in batch.games.players[games.start : games.stop : games.step]} == {3, 4}
    assert compared["DISCARD"] > 40_000
    assert min(compared[f"{kind} furiten"] for kind in ("discard", "temporary", "riichi")) > 50


def test_shanten_of_the_deal_is_that_of_another_library() -> None:
    batch = Batch.concatenate(read_batches([SAMPLES / "hanchan.mjlog.gz", SAMPLES / "sanma.mjlog.gz"]))
    facts, calculator, compared = replay(batch).player_hands, Shanten(), 0
    for hand, seat, found in zip(facts.hand, facts.seat, facts.start_shanten, strict=True):
        counts = [0] * 34
        for tile in batch.hands.dealt[hand, seat].tolist():
            counts[kind_of(tile)] += 1
        if batch.games.players[batch.hands.game[hand]] == 3 and counts[0] + counts[8] > 1:
            continue  # the library would complete runs of man, which three players do not have
        assert found == calculator.calculate_shanten(counts), f"hand {hand}, seat {seat}"
        compared += 1
    assert compared > 60


def test_notes_of_players_change_nothing_else() -> None:
    batch = Batch.concatenate(read_batches([SAMPLES]))
    full, bare = replay(batch, review=True), replay(batch, review=True, player_hands=False)
    assert len(full.player_hands) > 400
    assert len(bare.player_hands) == 0
    assert full.findings.differences(bare.findings) == []
    assert full.scored_wins.differences(bare.scored_wins) == []
    assert full.checked == bare.checked
    assert full.review is not None and bare.review is not None  # noqa: PT018  for the type checker
    assert len(full.review.findings) > 0
    assert full.review.findings.differences(bare.review.findings) == []
