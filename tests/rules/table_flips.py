"""Flips of the rules that only a table in play shows: sample logs replayed, or the engine's own state."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rules.flip import Flip
from rules.letter import PAIRS_OF_WINDS, Case, found
from scripted import Script

from paifu.replay.course.settlement import HandStart
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels import transitions
from paifu.replay.kernels.codes import RON_PASSED
from paifu.replay.kernels.legal import KYUUSHU, SUUKAIKAN, furiten, may_abort
from paifu.replay.kernels.rows import NOTED
from paifu.replay.kernels.scoring_layout import THIRTEENTH
from paifu.replay.kernels.wins import situation_of
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import with_overrides
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import new_notes, new_table, replay

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"


@cache
def _sample(name: str) -> Batch:
    from paifu.parsers.read import read_batches

    return Batch.concatenate(read_batches([SAMPLES / name]))


def log_has(code: int, name: str) -> Callable[[Ruleset], bool]:
    """Probe: whether a sample log, replayed under the rules, has a finding of this code."""
    return lambda rules: code in replay(_sample(name), rules).findings.code


class Scene:
    """A table in play: hands in MPSZ by seat, seat 0 to move with 50 tiles left in the wall."""

    def __init__(self, rules: Ruleset, *hands: str, phase: int = state.WAIT_ACT) -> None:
        self.rules, self.shapes = rules.kernel(), load_tables()
        self.table = table = new_table()
        self.notes = new_notes(16)
        table.phase, table.live, table.turned = phase, 50, 1
        table.unpaid = table.feeder = state.NOBODY
        for seat, text in enumerate(hands):
            for tile in parse_tiles(text):
                state.take(self.table, seat, tile)
            state.update_waits(self.table, seat, self.rules, self.shapes)

    def codes(self) -> list[int]:
        """Codes noted so far."""
        return self.notes.rows[: self.notes.counts[0], NOTED.code].tolist()


def _tiles(text: str) -> npt.NDArray[np.uint8]:
    return np.array(parse_tiles(text), np.uint8)


def discards_after_chi(rules: Ruleset, tile: str = "2m") -> list[int]:
    """Seat 1 calls 5m with 34m and discards 2m, the other end of the run, or another tile."""
    scene = Scene(rules, "", "2345m123456789p", phase=state.WAIT_DRAW)
    table = scene.table
    table.offer, table.offer_seat, table.offer_tile = state.DISCARD, 0, 4
    scene.table.river[4] = 1
    transitions.call(scene.table, state.CHI, 1, 4, 0, _tiles("34m"), scene.rules, scene.notes)
    transitions.discard(scene.table, 1, int(_tiles(tile)[0]), 0, scene.rules, scene.shapes, scene.notes)
    return scene.codes()


def kan_under_riichi(rules: Ruleset) -> list[int]:
    """A player in riichi draws the fourth 9s and lays the kan; the waits stay the same."""
    scene = Scene(rules, "123m456m11p23p999s")
    table = scene.table
    table.riichi[0], table.drawn[0] = 2, 26
    state.take(table, 0, 26)
    own = _tiles("999s")
    transitions.own_kan(table, state.ANKAN, 0, 26, own, scene.rules, scene.shapes, scene.notes)
    return scene.codes()


def orphans_pass_a_closed_kan(rules: Ruleset) -> bool:
    """Seat 1 waits for 7z with thirteen orphans and lets a closed kan of it pass: is it furiten then?"""
    scene = Scene(rules, "", "19m19p19s1234566z")
    transitions.offer(scene.table, state.ANKAN, 0, 33, scene.rules)
    return bool(furiten(scene.table, 1))


def furiten_after_the_draw(rules: Ruleset) -> bool:
    """A player in temporary furiten draws."""
    scene = Scene(rules, "123m456p11789s23s", phase=state.WAIT_DRAW)
    scene.table.temporary_furiten[0] = 1
    transitions.draw(scene.table, 0, 33, scene.rules, scene.notes)
    return bool(furiten(scene.table, 0))


def nine_tiles_of_eight_kinds(rules: Ruleset) -> bool:
    """A first hand with nine terminals and honours, two of them alike."""
    scene = Scene(rules, "19m19p19s1122z23456p")
    scene.table.first, scene.table.turn = 1, 0
    scene.table.counts[0, 28] -= 1
    return bool(may_abort(scene.table, KYUUSHU, scene.rules))


def waits_only_for_own_four(rules: Ruleset) -> bool:
    """A hand whose one wait is a tile that lies four times in its own melds."""
    scene = Scene(rules, "12m55p")
    scene.table.meld_count[0] = 3
    scene.table.melded[0, 2] = 4
    state.update_waits(scene.table, 0, scene.rules, scene.shapes)
    return bool(state.is_tenpai(scene.table, 0, scene.rules, scene.shapes))


def may_end_by_kans(kans: int, owners: int) -> Callable[[Ruleset], bool]:
    """Probe: whether a hand with so many kans of so many players may end in a draw."""

    def probe(rules: Ruleset) -> bool:
        scene = Scene(rules, phase=state.WAIT_DRAW)
        table = scene.table
        table.kans = kans
        for seat in range(owners):
            table.meld_types[seat, 0] = EventKind.DAIMINKAN
            table.meld_count[seat] = 1
        return bool(may_abort(table, SUUKAIKAN, scene.rules))

    return probe


def nagashi_of_a_caller(rules: Ruleset) -> bool:
    """A player who has discarded no simples calls a pon."""
    scene = Scene(rules, "", "123m456p1178s2233z", phase=state.WAIT_DRAW)
    table = scene.table
    table.offer, table.offer_seat, table.offer_tile = state.DISCARD, 0, 28
    table.river[28] = table.nagashi[1] = 1
    transitions.call(table, state.PON, 1, 28, 0, _tiles("22z"), scene.rules, scene.notes)
    return bool(table.nagashi[1])


WEST_IS_SOUTH = Case(
    "tenhou",
    (Script("9m ron2", ("", "", "78m123p456s222z33z"), dora="9p"),),
    (),
    opening=HandStart(1, 0, 0, 1),
)
"""In East 2 the third seat wins with a triplet of its own wind, which was west in the first hand."""
KAN_AND_EMPTY_WALL = Case("tenhou", (Script("1z>k1z end", ("111z",)),), ())
HIDDEN_TENPAI = Case(
    "tenhou", (Script("end-1", ("", PAIRS_OF_WINDS[0])),), (), given={"noten_by_choice": True}
)

CHAIN = Case(
    "tenhou",
    (Script("6p kan1 7z>k7z 1z>tsumo", ("", "666p777z123m456m1z")),),
    (),
    given={"pao_rinshan": True, "kan_dora_timing": "at_once"},
)
"""An open kan, a closed one with its supplement tile, and a win on that of the second."""
SHOWN = Case(
    "tenhou",
    (Script(". . . . . 8p>o8p 6s ron1", ("", "234m456p78s999p44z")), Script("end")),
    (),
    given={"open_riichi_han": 2},
)
"""A riichi with the hand shown wins the next discard."""
BUMPED = Case(
    "tenhou",
    (Script("9m ron1", ("", "78m123p456s777z33z", "", "78m456p456s222z33z")),),
    (),
    opening=HandStart(4, 0, 0, 0),
    given={"head_bump": True},
)


def payments_after_a_doublet(rules: Ruleset) -> list[int]:
    """What a ron of 2,600 points and two honba costs where the dice show two threes and mark the winner."""
    batch = BUMPED.batch()
    batch.hands.dice[:] = 2
    batch.hands.honba[:] = 2
    wins = replay(batch, with_overrides(rules, {"wareme": True})).scored_wins
    return [int(change) for change in wins.changes[0]]


def codes_of_the_review(rules: Ruleset) -> set[int]:
    """What the review finds where South wins and North, who waited for the tile, too, did not."""
    return set(replay(BUMPED.batch(), rules, review=True).review.findings.code.tolist()) & {RON_PASSED}


def passes_a_north(rules: Ruleset) -> bool:
    """Seat 1 waits for north and lets one that is set aside pass: is it furiten then?"""
    scene = Scene(rules, "", "123456p789s4455z")
    transitions.offer(scene.table, state.KITA, 0, 30, scene.rules)
    return bool(furiten(scene.table, 1))


def is_rewarded_after(wins: int, honba: int = 0) -> Callable[[Ruleset], bool]:
    """Probe: whether a dealer's win after so many in a row earns the yaku for it."""

    def probe(rules: Ruleset) -> bool:
        scene = Scene(rules, "123m456p789s1122z")
        scene.table.dealer_wins, scene.table.honba = wins, honba
        return bool(situation_of(scene.table, 0, 0, scene.rules) & THIRTEENTH)

    return probe


OPEN_TENPAI = Case("tenhou", (Script("9p pon1 >1z end", ("", "99p123m456s78s55p1z")),), ())
"""South calls 9p and waits for 69s without a yaku until the wall is empty."""
STICK_WON = Case(
    "tenhou",
    (Script("9m ron1", ("", "78m123p456s777z33z")), Script("end")),
    (),
    opening=HandStart(4, 0, 1, 0),
)
"""South wins without riichi, and a stick lies on the table."""


def is_double_after(event: int, tile: int) -> Callable[[Ruleset], bool]:
    """Probe: whether the first go-around lasts over a supplement draw after a closed kan or a north."""

    def probe(rules: Ruleset) -> bool:
        scene = Scene(rules, "123456p11789s23s", phase=state.WAIT_SUPPLEMENT)
        table = scene.table
        table.first, table.turn = 1, 0
        table.offer, table.offer_seat, table.offer_tile = event, 0, tile
        transitions.draw(table, 0, 33, scene.rules, scene.notes)
        return bool(table.first)

    return probe


TABLE_FLIPS = {
    "closed_kan_interrupts": Flip(False, is_double_after(state.ANKAN, 0), False, True),
    "kita_interrupts": Flip(False, is_double_after(state.KITA, 30), False, True, preset="tenhou-sanma"),
    "pao_rinshan_chain": Flip(True, lambda r: found(CHAIN.batch(), r), (), ("V404",), given=CHAIN.given),
    "head_bump_farthest": Flip(True, codes_of_the_review, set(), {RON_PASSED}, given=BUMPED.given),
    "kita_pass_furiten": Flip(False, passes_a_north, True, False, preset="tenhou-sanma"),
    "dealer_wins_count": Flip(8, is_rewarded_after(7), False, True),
    "dealer_wins_by": Flip("honba", is_rewarded_after(0, honba=13), False, True),
    "dealer_wins_again": Flip(False, is_rewarded_after(13), True, False),
    "draw_tenpai": Flip("yaku", lambda r: found(OPEN_TENPAI.batch(), r), (), ("V406",)),
    "sticks_need_riichi": Flip(True, lambda r: found(STICK_WON.batch(), r), (), ("V403", "V504")),
    "open_riichi_sticks": Flip(
        2, lambda r: found(SHOWN.batch(), r), (), ("V208", "V403", "V501"), given=SHOWN.given
    ),
    "wareme_doublets": Flip(True, payments_after_a_doublet, [-5800, 5800, 0, 0], [-11000, 11000, 0, 0]),
    "kuikae": Flip("same_tile", discards_after_chi, [205], []),
    "kan_dora_timing": Flip("at_once", log_has(209, "hanchan.mjlog.gz"), False, True),
    "riichi_points": Flip(40000, log_has(207, "hanchan.mjlog.gz"), False, True),
    "riichi_wall": Flip(70, log_has(207, "hanchan.mjlog.gz"), False, True),
    "riichi_kan": Flip("forbidden", kan_under_riichi, [], [206]),
    "kokushi_ankan_ron": Flip(True, orphans_pass_a_closed_kan, False, True),
    "temporary_furiten": Flip("until_draw", furiten_after_the_draw, True, False),
    "nagashi_uncalled": Flip(True, nagashi_of_a_caller, True, False),
    "suukaikan_at_once": Flip(True, may_end_by_kans(4, 2), True, False),
    "seat_winds_rotate": Flip(False, lambda r: found(WEST_IS_SOUTH.batch(), r), (), ("V302",)),
    "dead_wall_shrinks": Flip(True, lambda r: found(KAN_AND_EMPTY_WALL.batch(), r), (), ("V212",)),
    "noten_by_choice": Flip(
        False, lambda r: found(HIDDEN_TENPAI.batch(), r), (), ("V406",), given={"noten_by_choice": True}
    ),
    "kyuushu_counts": Flip("tiles", nine_tiles_of_eight_kinds, False, True),
    "own_four_wait": Flip("noten", waits_only_for_own_four, True, False),
    "abort_kyuushu": Flip(False, log_has(212, "aborted-hands.zip"), False, True),
    "abort_suufon": Flip(False, log_has(212, "aborted-hands.zip"), False, True),
    "abort_suucha": Flip(False, log_has(212, "aborted-hands.zip"), False, True),
    "abort_suukaikan": Flip(False, may_end_by_kans(4, 2), True, False),
    "abort_fifth_kan": Flip(True, may_end_by_kans(5, 2), False, True),
}
