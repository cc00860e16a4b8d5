"""What is legal: the lists of moves against a slow second implementation, and the reasons against others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from each_row import each_row
from legal_oracle import Move, offered_moves, turn_moves
from scratch_state import OFFERS, Scratch

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import code_of
from paifu.replay.kernels import legal
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.claims import EventClaims
from paifu.replay.kernels.replay import set_up, step
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE, TILES, kind_of
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, ruleset_of, with_overrides
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import hand_claims, new_notes, new_table, replay

SAMPLES = Path(__file__).parents[2] / "sample_logs"
K = EventKind
ENDS = (K.WIN, K.HAND_DRAW)
RULES: dict[str, tuple[str, dict[str, object]]] = {
    "four players": ("tenhou", {}),
    "three players": ("tenhou-sanma", {}),
    "anything after a call": ("tenhou", {"kuikae": "allowed", "abort_fifth_kan": True}),
    "another tile after a call": ("tenhou", {"kuikae": "same_tile", "riichi_kan": "same_shape"}),
    "no kan in riichi": ("tenhou", {"riichi_kan": "forbidden", "own_four_wait": "noten"}),
    "robbed closed kans": ("tenhou-sanma", {"kokushi_ankan_ron": True, "own_four_wait": "tenpai"}),
    "fouls": ("tenhou", {"foul_noten_riichi": "chombo", "foul_riichi_kan": "dead_hand", "riichi_wall": 0}),
}
MADE = {K.DISCARD: "discard", K.ANKAN: "ankan", K.KAKAN: "kakan", K.KITA: "kita"}


class Walk:
    """A hand stepped through by the engine; the kernels run as plain Python."""

    def __init__(self, batch: Batch, rules: Ruleset) -> None:
        self.batch, self.rules = batch, rules.kernel()
        self.shapes, self.table = load_tables(sanma=rules.table.players == 3), new_table()
        self.notes = new_notes(100)
        self.hands = hand_claims(batch.hands)
        self.events = EventClaims(*(getattr(batch.events, name) for name in EventClaims._fields))

    def hand(self, hand: int) -> Iterator[int]:
        """Deal, and yield each event before it is applied, up to the end of the hand or what cannot be."""
        assert set_up(self.table, self.hands, hand, self.rules, self.shapes, self.notes)
        for event in range(self.batch.hands.event_begin[hand], self.batch.hands.event_end[hand]):
            if self.events.kind[event] in (K.LEAVE, K.RETURN):
                continue
            yield event
            if self.events.kind[event] in ENDS or not step(
                self.table, self.events, event, self.rules, self.shapes, self.notes
            ):
                return

    def against(self, event: int) -> int:
        """Return the reasons against an event."""
        events, table, rules, shapes = self.events, self.table, self.rules, self.shapes
        kind, seat, tile = int(events.kind[event]), int(events.seat[event]), int(events.tile[event])
        if kind == K.DISCARD:
            return legal.against_discard(table, seat, tile, int(events.flags[event]), rules, shapes)
        if kind in (K.CHI, K.PON, K.DAIMINKAN):
            source = int(events.source[event])
            return legal.against_call(table, kind, seat, tile, source, events.own[event], rules)
        if kind in (K.ANKAN, K.KAKAN):
            return legal.against_kan(table, kind, seat, int(kind_of(tile)), rules, shapes)
        if kind == K.KITA:
            return legal.against_kita(table, seat, tile, rules)
        return legal.against_riichi(table, seat, rules) if kind == K.RIICHI else 0

    def moves(self) -> dict[int, set[Move]]:
        """Return the legal moves of each seat that has any, as the kernels list them."""
        table, rules, found = self.table, self.rules, {}
        if state.WAIT_ACT <= table.phase <= state.WAIT_DECLARED:
            found[table.turn] = self.turn(table.turn)
        elif table.offer:
            kind = kind_of(table.offer_tile)
            for seat in range(rules.players):
                if seat != table.offer_seat:
                    found[seat] = self.offered(seat, kind)
        return found

    def turn(self, seat: int) -> set[Move]:
        """Return the moves of the seat to discard."""
        table, rules, shapes = self.table, self.rules, self.shapes
        discards = legal.discards(table, seat, rules, shapes)
        riichi = legal.riichi_discards(table, seat, rules, shapes)
        moves = {("discard", tile) for tile in range(TILES) if discards >> tile & 1}
        moves |= {("riichi", tile) for tile in range(TILES) if riichi >> tile & 1}
        kans = legal.own_kans(table, seat, rules, shapes)
        for kind in range(34):
            if kans >> kind & 1:
                event = K(int(legal.kan_of(table, seat, kind)))
                moves.add((MADE[event], kind))
        if not legal.against_kita(table, seat, state.NORTH, rules):
            moves.add(("kita", state.NORTH))
        if legal.may_abort(table, legal.KYUUSHU, rules):
            moves.add(("nine", 0))
        return moves

    def offered(self, seat: int, kind: int) -> set[Move]:
        """Return what a seat may do with what is on offer."""
        table, rules = self.table, self.rules
        calls = legal.calls(table, seat, rules)
        moves: set[Move] = {("pon", kind)} if calls & legal.A_PON else set()
        moves |= {("kan", kind)} if calls & legal.A_KAN else set()
        moves |= {("chi", kind - above) for above in range(3) if calls & legal.A_CHI << above}
        if legal.may_ron(table, seat, kind) and legal.is_open_to(table, seat, rules):
            moves.add(("ron", kind))
        return moves


def compare(batch: Batch, rules: Ruleset, hand: int, seen: Counter[str]) -> None:
    """Compare the lists of both in every state of a hand; the moves that are made are among them."""
    walk, hands, events = Walk(batch, rules), batch.hands, batch.events
    scratch = Scratch(
        rules, int(hands.dealer[hand]), hands.scores[hand].tolist(), int(hands.sticks[hand]),
        hands.dealt[hand].tolist(), int(hands.dora[hand]),
    )  # fmt: skip
    furiten = [False] * rules.table.players
    for event in walk.hand(hand):
        kind, seat, tile = K(events.kind[event]), int(events.seat[event]), int(events.tile[event])
        if kind not in (K.DORA, K.RIICHI_PAID):
            whole = walk.table.whole.copy()
            for mover, moves in walk.moves().items():
                is_turn = walk.table.phase != state.WAIT_DRAW and mover == walk.table.turn
                expected = (
                    turn_moves(scratch, mover) if is_turn else offered_moves(scratch, mover, furiten[mover])
                )
                assert moves == set(expected), f"hand {hand}, before event {event}, seat {mover}"
                seen.update(name for name, _ in moves)
            if kind in MADE:
                made = (MADE[kind], tile if kind == K.DISCARD else kind_of(tile))
                assert made in walk.moves()[seat]
            assert walk.against(event) & ~legal.FOUL == 0, f"event {event}"
            assert (walk.table.whole == whole).all(), "looking changes nothing"
        if kind in ENDS:
            continue
        if kind in OFFERS:
            furiten = [
                other != seat
                and (
                    scratch.discard_furiten(other)
                    or scratch.temporary_furiten(other)
                    or scratch.riichi_furiten(other)
                )
                for other in range(rules.table.players)
            ]
        own = [tile for tile in events.own[event].tolist() if tile != NO_TILE]
        scratch.apply(kind, seat, tile, int(events.source[event]), own if kind != K.KAKAN else ())


@pytest.mark.every(6)
@pytest.mark.parametrize("name", RULES)
def test_the_legal_moves_are_those_of_a_plain_reading(name: str) -> None:
    preset, changes = RULES[name]
    rules = with_overrides(load_preset(preset), changes)
    simulator = Simulator(rules, [PLAYERS[kind] for kind in ("wild", "caller", "balanced", "caller")])
    batch = batch_of([simulator.game(number) for number in range(2)], "paifu")
    seen: Counter[str] = Counter()
    for hand in range(0, len(batch.hands), 3):
        compare(batch, rules, hand, seen)
    print(name, dict(seen))  # noqa: T201  shown with -s
    assert {"discard", "riichi", "pon", "kan", "ron"} <= set(seen)
    assert "kita" in seen if rules.table.players == 3 else "chi" in seen


REASONS = {
    "V203.json": legal.MISMARKED,
    "V204.mjlog": legal.NO_MELD | legal.NOT_HELD | legal.NOT_NOW | legal.LOCKED,
    "V205.mjlog": legal.SWAP,
    "V206.mjlog": legal.LOCKED | legal.OTHER_GROUPS | legal.NOT_HELD | legal.NOT_NOW,
    "V207.mjlog": legal.NOT_TENPAI
    | legal.NOT_CLOSED
    | legal.TOO_FEW_POINTS
    | legal.SHORT_WALL
    | legal.LOCKED,
    "V210.jsonl": legal.TOO_MANY_KANS,
    "V213.mjlog": legal.NOT_HELD | legal.NOT_NOW | legal.LOCKED,
}


@each_row("log", REASONS)
def test_a_broken_log_is_refused_for_its_reason(log: str) -> None:
    """Where the engine finds something, there is that reason; before it, there is none."""
    batch = Batch.concatenate(list(read_batches([SAMPLES / "broken" / log])))
    findings, code = replay(batch).findings, log.split(".")[0]
    rows = [row for row in range(len(findings)) if code_of(findings.code[row]) == code]
    assert rows
    for row in rows:
        hand, found = int(findings.hand[row]), int(findings.event[row])
        walk = Walk(batch, ruleset_of(batch, int(batch.hands.game[hand])))
        for event in walk.hand(hand):
            assert bool(walk.against(event) & REASONS[log]) == (event == found)
            if event == found:
                break


def test_what_a_log_without_findings_does_is_legal() -> None:
    looked_at = 0
    for path in sorted((SAMPLES / "formats").iterdir()):
        batch = Batch.concatenate(list(read_batches([path])))
        bad = set(replay(batch).findings.hand.tolist())
        for game in range(min(2, len(batch))):
            rules = ruleset_of(batch, game)
            if rules.game.scheme or batch.hands.dealt[batch.games.hand_begin[game]].max() > TILES:
                continue
            hand = int(batch.games.hand_begin[game])
            walk = Walk(batch, rules)
            for event in walk.hand(hand) if hand not in bad else ():
                assert walk.against(event) & ~legal.FOUL == 0, f"{path.name}, event {event}"
                looked_at += 1
    assert looked_at > 500
