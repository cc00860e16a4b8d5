"""Logs that hide tiles: what is public is checked, and what is known of a seat; the rest is counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_data import case_data
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

CASES = case_data("hidden_tiles")
NAMED = {"own": OWN, "round": ROUND, "riichi": RIICHI}


def moves_of(case: dict[str, Any]) -> list[Line]:
    """The events of a case, in words that its file explains."""
    found: list[Line] = []
    for text in case["moves"].split(" / "):
        word, *rest = text.split()
        tile, is_drawn = text.split()[-1].rstrip("!"), not text.endswith("!")
        if word in NAMED:
            found += NAMED[word]
        elif word.isdigit():
            found += turn(int(word), tile, is_drawn)
        elif word in ("draw", "cut"):
            found.append(draw(int(rest[0]), tile) if word == "draw" else cut(int(rest[0]), tile, is_drawn))
        elif word == "reach":
            found.append(event("reach", actor=int(rest[0])))
        elif word == "ankan":
            found.append(event("ankan", actor=int(rest[0]), consumed=[tile] * 4))
        elif word == "kakan":
            found.append(event("kakan", actor=int(rest[0]), pai=tile, consumed=[tile] * 3))
        elif word == "ron":
            shown = RIICHI_PINFU if "after_riichi" in case else PINFU
            found.append(
                ron(int(rest[0]), int(rest[1]), tile, **(shown | case["win"] if "win" in case else {}))
            )
        else:
            found.append(call(word, int(rest[0]), int(rest[1]), *rest[2:]))
    return found


@each_row("case", CASES)
def test_what_is_public_or_known_is_checked(case: str) -> None:
    expected = [(code, int(seat)) for code, seat in map(str.split, CASES[case]["found"])]
    assert found(replay(read(*moves_of(CASES[case])))) == expected


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
