"""Logs that hide tiles: what is public is checked, and what is known of a seat; the rest is counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import call as call_command
from each_row import each_row
from hidden_tiles import SAMPLES, sample_pairs, seen_by
from mjai_games import DEAL, cut, draw, event, hand, lines, play, start

import paifu
from paifu.coach.judgement.deciding import rows_of_options
from paifu.coach.kernels.decision_layout import D_GAME
from paifu.coach.kernels.option_rows import OPTION
from paifu.parsers.read import read_batches
from paifu.replay.arrays import I64
from paifu.replay.facts.tables import Findings, ReviewFindings, code_of
from paifu.replay.model.batch import NOT_STATED, Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.table.engine import replay
from paifu.replay.table.replayed import Replay

HIDDEN = ["?"] * 13
OF_ONE = {"tehais": [DEAL, HIDDEN, HIDDEN, HIDDEN]}
"""Seat 0 holds 123m 123p 123s ESWP."""
Line = dict[str, Any]


def read(*events: Line, **fields: Any) -> Batch:
    return play(*events, **{**OF_ONE, **fields})


def found(played: Replay) -> list[tuple[str, int]]:
    """Codes and seats, without those about the hand that a short case does not end."""
    table = played.findings
    every = [
        (code_of(code), seat) for code, seat in zip(table.code.tolist(), table.seat.tolist(), strict=True)
    ]
    return [one for one in every if one[0] != "V101"]


def turn(seat: int, tile: str, tsumogiri: bool = True) -> list[Line]:
    return [draw(seat, "?"), cut(seat, tile, tsumogiri)]


def call(kind: str, seat: int, source: int, tile: str, *own: str) -> Line:
    return event(kind, actor=seat, target=source, pai=tile, consumed=list(own))


def ron(seat: int, source: int, tile: str, **fields: Any) -> Line:
    return event("hora", actor=seat, target=source, pai=tile, **fields)


OWN = [draw(0, "9m"), cut(0, "9m")]
ROUND = [*OWN, *turn(1, "1p"), *turn(2, "2p"), *turn(3, "4m")]
RIICHI = [draw(1, "?"), event("reach", actor=1), cut(1, "5p", False), event("reach_accepted", actor=1)]

SHOWN = ["9m", "9m", "5p", "6p", "7p", "2s", "3s", "4s", "5s", "6s", "7s", "7m", "8m"]
PINFU = {
    "hora_tehais": SHOWN, "fu": 30, "fan": 1, "yakus": [["pinfu", 1]], "hora_points": 1000,
    "deltas": [-1000, 1000, 0, 0],
}  # fmt: skip
RIICHI_PINFU = PINFU | {
    "fan": 4, "yakus": [["double_reach", 2], ["ippatsu", 1], ["pinfu", 1]], "hora_points": 7700,
    "deltas": [-7700, 8700, 0, 0],
}  # fmt: skip

CASES: dict[str, tuple[list[Line], list[tuple[str, int]]]] = {
    "nothing wrong": ([*OWN, *turn(1, "5p", False)], []),
    "a discard without a draw": ([*OWN, cut(1, "5p")], [("V201", 1)]),
    "a draw out of turn": ([*OWN, *turn(2, "5p")], [("V201", 2)]),
    "a chi": ([*OWN, call("chi", 1, 0, "9m", "7m", "8m"), cut(1, "5p", False)], []),
    "a chi out of turn": ([*OWN, call("chi", 2, 0, "9m", "7m", "8m")], [("V204", 2)]),
    "a chi that is none": ([*OWN, call("chi", 1, 0, "9m", "6m", "8m")], [("V204", 1)]),
    "a pon of another tile": ([*OWN, call("pon", 2, 0, "8m", "8m", "8m")], [("V204", 2)]),
    "a pon of an old tile": ([*ROUND, call("pon", 2, 1, "1p", "1p", "1p")], [("V204", 2)]),
    "a tsumogiri after a call": ([*OWN, call("pon", 2, 0, "9m", "9m", "9m"), cut(2, "5p")], [("V203", 2)]),
    "kuikae with known tiles": (
        [*ROUND, call("chi", 0, 3, "4m", "2m", "3m"), cut(0, "1m", False)], [("V205", 0)],
    ),
    "kuikae with hidden tiles": (
        [*OWN, call("chi", 1, 0, "9m", "7m", "8m"), cut(1, "6m", False)], [("V205", 1)],
    ),
    "the fourth copy of a kind": (
        [*OWN, *turn(1, "9m", False), *turn(2, "9m"), *turn(3, "9m", False)], [],
    ),
    "a fifth copy from the hand": (
        [*OWN, *turn(1, "9m", False), *turn(2, "9m"), *turn(3, "9m", False), draw(0, "8m"), cut(0, "8m"),
         *turn(1, "9m", False)],
        [("V103", 255)],
    ),
    "five copies in a meld": (
        [draw(0, "9s"), cut(0, "9s"), call("daiminkan", 1, 0, "9s", "9s", "9s", "9s")], [("V103", 255)],
    ),
    "a riichi out of turn": ([*OWN, event("reach", actor=2)], [("V201", 2)]),
    "a riichi": ([*OWN, *RIICHI, *turn(2, "5p")], []),
    "a riichi with an open hand": (
        [*OWN, call("pon", 1, 0, "9m", "9m", "9m"), cut(1, "1p", False), *turn(2, "2p"), *turn(3, "3p"), *OWN,
         draw(1, "?"), event("reach", actor=1), cut(1, "5p", False)],
        [("V207", 1)],
    ),
    "a second riichi": (
        [*OWN, *RIICHI, *turn(2, "1p"), *turn(3, "1p"), *OWN, draw(1, "?"), event("reach", actor=1),
         cut(1, "6p")],
        [("V207", 1)],
    ),
    "a stick that is not paid": (
        [*OWN, *RIICHI[:3], *turn(2, "5p")], [("V208", 1)],
    ),
    "a discard from the hand in riichi": (
        [*OWN, *RIICHI, *turn(2, "1p"), *turn(3, "1p"), *OWN, *turn(1, "6p", False)], [("V207", 1)],
    ),
    "a call in riichi": (
        [*OWN, *RIICHI, *turn(2, "1p"), call("pon", 1, 2, "1p", "1p", "1p")], [("V204", 1)],
    ),
    "an own tile that is not there": ([draw(0, "9m"), cut(0, "5p", False)], [("V202", 0)]),
    "an own call with a tile that is not there": (
        [*ROUND, call("chi", 0, 3, "4m", "5m", "6m")], [("V204", 0)],
    ),
    "an own riichi that is not tenpai": (
        [draw(0, "9m"), event("reach", actor=0), cut(0, "9m")], [("V207", 0)],
    ),
    "an own false mark": ([draw(0, "9m"), cut(0, "1m")], [("V203", 0)]),
    "a hidden kan without its indicator": (
        [*OWN, draw(1, "?"), event("ankan", actor=1, consumed=["8s"] * 4), draw(1, "?"), cut(1, "1p", False),
         *turn(2, "1p")],
        [("V209", 1)],
    ),
    "a kan added to no pon of its own kind": (
        [*OWN, call("pon", 1, 0, "9m", "9m", "9m"), cut(1, "1p", False), *turn(2, "2p"), *turn(3, "3p"),
         draw(0, "8m"), cut(0, "8m"), draw(1, "?"),
         event("kakan", actor=1, pai="9m", consumed=["9m", "9m", "9m"]), draw(1, "?"), cut(1, "1p", False)],
        [("V209", 1)],
    ),
    "a ron on an old tile": ([*OWN, *turn(1, "5p"), ron(2, 0, "9m")], [("V301", 2)]),
    "a ron on another's tile": ([*OWN, ron(2, 1, "9m")], [("V301", 2)]),
    "a ron on an own discard's kind": (
        [draw(0, "1m"), cut(0, "1m"), *turn(1, "9m"), *turn(2, "1p"), *turn(3, "1p"), *OWN, ron(1, 0, "9m")],
        [("V303", 1)],
    ),
    "a ron": ([*OWN, ron(1, 0, "9m")], []),
    "an own ron without a hand": ([*ROUND[:-1], cut(3, "4m"), ron(0, 3, "4m")], [("V301", 0)]),
    "two rons out of order": (
        [*OWN, ron(3, 0, "9m"), ron(1, 0, "9m")], [("V309", 1)],
    ),
    "a shown hand": ([*OWN, ron(1, 0, "9m", **PINFU)], []),
    "a shown hand with other fu": ([*OWN, ron(1, 0, "9m", **PINFU | {"fu": 40})], [("V306", 1)]),
    "a shown hand with another yaku": (
        [*OWN, ron(1, 0, "9m", **PINFU | {"yakus": [["tanyaochu", 1]]})], [("V304", 1)],
    ),
    "a shown hand with another payment": (
        [*OWN, ron(1, 0, "9m", **PINFU | {"deltas": [-2000, 2000, 0, 0]})], [("V401", 0)],
    ),
    "a shown hand that does not win": (
        [draw(0, "6p"), cut(0, "6p"), ron(1, 0, "6p", **PINFU)], [("V301", 1)],
    ),
    "a shown hand that was furiten": (
        [draw(0, "8m"), cut(0, "8m"), *turn(1, "6m"), *turn(2, "1p"), *turn(3, "1p"), *OWN,
         ron(1, 0, "9m", **PINFU)],
        [("V303", 1)],
    ),
    "a shown hand that let a tile pass in riichi": (
        [*OWN, *RIICHI, *turn(2, "6m"), *turn(3, "1p"), *OWN, ron(1, 0, "9m", **RIICHI_PINFU)],
        [("V303", 1)],
    ),
}  # fmt: skip


@each_row("case", CASES)
def test_what_is_public_or_known_is_checked(case: str) -> None:
    events, expected = CASES[case]
    assert found(replay(read(*events))) == expected


def test_what_could_not_be_checked_is_counted() -> None:
    """Of a hidden hand: one discard, one call with two discards, a kan, a riichi; the rest is tsumogiri."""
    events = [
        *OWN, *turn(1, "5p", False), call("pon", 2, 1, "5p", "5p", "5p"), cut(2, "7p", False), *turn(3, "3p"),
        draw(0, "8m"), cut(0, "8m"), draw(1, "?"), event("ankan", actor=1, consumed=["8s"] * 4),
        event("dora", dora_marker="1s"), draw(1, "?"), event("reach", actor=1), cut(1, "1p", False),
        ron(2, 1, "1p"),
    ]  # fmt: skip
    played = replay(read(*events))
    assert found(played) == []
    left = played.unchecked
    assert (left.hands, left.discards, left.calls, left.kans) == (1, 3, 1, 1)
    assert (left.riichi, left.wins, left.tenpai) == (1, 1, 0)


def test_payments_tell_who_was_tenpai() -> None:
    """Seat 0 is noten; a draw that pays it, or pays as no tenpai of the others would, is a finding."""
    (batch,) = read_batches([SAMPLES / "hanchan.mjlog.gz"])
    seen = seen_by(batch, np.zeros(len(batch), np.int64), is_shown=False)
    draws = seen.hand_draws
    exhaustive = np.flatnonzero(draws.kind == HandEnd.EXHAUSTIVE)
    silent = np.full_like(draws.tenpai, NOT_STATED)
    seen = replace(seen, hand_draws=replace(draws, tenpai=silent))
    assert found(replay(seen)) == []
    for changes in ((500, -500, 0, 0), (3000, -1000, -1000, -1000)):
        deltas = draws.deltas.copy()
        before = deltas[exhaustive[0]].tolist()
        deltas[exhaustive[0]] = changes
        spoilt = replace(seen, hand_draws=replace(draws, tenpai=silent, deltas=deltas))
        codes = {code for code, _ in found(replay(spoilt))}
        assert before != list(changes)
        assert "V405" in codes


ANSWERS = {
    "sound": (True, 0, [start(), hand(**OF_ONE), *ROUND]),
    "wrong": (False, 1, [start(), hand(**OF_ONE), *OWN, cut(1, "5p")]),
    "nothing": (False, 3, [start(), hand(tehais=[HIDDEN] * 4), ron(1, 0, "9m")]),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_there_are_three_answers(answer: str, tmp_path: Path) -> None:
    is_true, status, events = ANSWERS[answer]
    path = tmp_path / "log.mjson"
    path.write_bytes(lines(*events))
    checked = paifu.verify(path, ignore=["V1"])
    assert (checked.answer, bool(checked)) == (answer, is_true)
    done = call_command("verify", path, "--ignore", "V1")
    assert done.status == status
    assert done.talk[-1].startswith("nothing to say") == (answer == "nothing")


# --- whole games, three hands taken out ---------------------------------------------------------------


@pytest.fixture(scope="module", params=["shown", "not shown"])
def pairs(request: pytest.FixtureRequest) -> list[tuple[Batch, Batch, I64]]:
    return sample_pairs(is_shown=request.param == "shown")


def rows(table: Findings | ReviewFindings, seats: I64 | None = None) -> set[tuple[int, ...]]:
    keep = np.arange(len(table)) if seats is None else np.flatnonzero(table.seat == seats[table.game])
    names = ("code", "game", "hand", "event", "seat")
    return set(zip(*(getattr(table, name)[keep].tolist() for name in names), strict=True))


def reviewed(replayed: Replay) -> ReviewFindings:
    assert replayed.review is not None
    return replayed.review.findings


def test_nothing_is_found_that_a_full_log_has_not(pairs: list[tuple[Batch, Batch, I64]]) -> None:
    for full, seen, _ in pairs:
        whole, part = replay(full), replay(seen)
        assert rows(part.findings) <= rows(whole.findings)
        assert part.checked.hands == whole.checked.hands == part.unchecked.hands
        assert part.checked.stopped == whole.checked.stopped


def test_the_review_of_the_known_seat_is_the_same(pairs: list[tuple[Batch, Batch, I64]]) -> None:
    for full, seen, seats in pairs:
        whole, part = (reviewed(replay(batch, review=True)) for batch in (full, seen))
        assert rows(part) == rows(whole, seats)


@pytest.mark.every(2)
def test_decisions_of_the_known_seat_are_the_same(pairs: list[tuple[Batch, Batch, I64]]) -> None:
    for full, seen, seats in pairs:
        own = [
            np.concatenate([cells[cells[:, OPTION.seat] == seats[ids[:, D_GAME]]] for ids, cells in found])
            for found in (list(rows_of_options(full)), list(rows_of_options(seen)))
        ]
        assert len(own[1]) == sum(len(cells) for _, cells in rows_of_options(seen))
        assert np.array_equal(*own)


@pytest.mark.corpus
@pytest.mark.parametrize("is_shown", [True, False])
def test_real_logs_as_one_seat_saw_them(shared: Path, is_shown: bool) -> None:
    """No false alarm in sound games; in others the replay of a full hand may stop earlier."""
    for full in read_batches([shared / "logs"]):
        seats = np.arange(len(full)) % np.maximum(full.games.players, 1)
        whole, part = replay(full, review=True), replay(seen_by(full, seats, is_shown=is_shown), review=True)
        sound = np.ones(len(full), bool)
        sound[whole.findings.game] = False
        every = (whole.findings, part.findings), (reviewed(whole), reviewed(part))
        for one, other in every:
            more = rows(other) - rows(one)
            assert [row for row in more if sound[row[1]]] == []
