"""Findings in words: every code is shown by a log in which one fact was changed, and says what is wrong."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import HEAD, init, mjlog, read, tag, turns
from case_data import case_data, with_cells
from each_row import each_row

from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import Findings, PlayerHands, ScoredWins, code_of
from paifu.replay.findings.finding import Finding, UnknownCodeError
from paifu.replay.findings.kinds import FindingKind
from paifu.replay.findings.spoken import FAMILIES, KINDS, cases, faults, in_words, kinds_of, parse_selection
from paifu.replay.kernels import reasons as why
from paifu.replay.model.batch import NO_YAKU, Batch
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd
from paifu.replay.model.tile_notation import parse_tile
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.ruleset import FIELDS, Ruleset
from paifu.replay.rulesets.presets import load_preset, rulesets_of, with_overrides
from paifu.replay.scoring.yaku import DORA_ID
from paifu.replay.table.engine import replay
from paifu.replay.table.replayed import Checked, Replay
from paifu.replay.views.games import Hand

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"


TABLES = case_data("findings")
CHANGES: dict[str, dict[str, Any]] = TABLES["changes"]
"""Code -> a sample log, the cells that are changed in it, and other rules that it is replayed under."""


def find(batch: Batch, kind: EventKind, number: int = 0) -> int:
    """Row of the ``number``-th event of a kind."""
    return int(np.flatnonzero(batch.events.kind == kind)[number])


UNREADABLE = {
    "V102": mjlog(HEAD, init(), turns(1), "<SURPRISE/>"),
    "V104": mjlog(HEAD, init(hai0="0,1,2"), turns(1)),
    "V105": mjlog(HEAD, init(), tag("T136")),
}
"""Logs that show codes of reading."""


@cache
def sample(name: str) -> Batch:
    return Batch.concatenate(read_batches([SAMPLES / name]))


def copy_of(batch: Batch) -> Batch:
    """A batch whose columns may be changed."""
    tables = {
        table.NAME: type(table)(**{name: array.copy() for name, array in table.arrays()})
        for table in batch.tables()
    }
    return Batch(**tables)


def findings(batch: Batch, *rules: Ruleset) -> list[Finding]:
    """All findings of a batch, in words."""
    return [in_words(case) for case in cases(replay(batch, *rules))]


def log_of(code: str) -> str:
    """The sample log in which a code is shown."""
    return str(CHANGES[code].get("log", "hanchan.mjlog.gz"))


def shown(code: str) -> Finding:
    """The first finding of that code in the log that shows it."""
    change = CHANGES[code]
    batch = with_cells(sample(log_of(code)), change.get("cells", ()))
    rules = (with_overrides(load_preset("tenhou"), change["rules"]),) if "rules" in change else ()
    return next(finding for finding in findings(batch, *rules) if finding.code == code)


def noted_as(code: int, at: EventKind | None = None, **cells: int) -> Finding:
    """A finding with these numbers, at the first event of a kind in a sample log, in words."""
    batch = sample("hanchan.mjlog.gz")
    event = -1 if at is None else find(batch, at)
    hand = max(0, int(np.searchsorted(batch.hands.event_begin, event, side="right")) - 1)
    seat = NO_SEAT if at is None else int(batch.events.seat[event])
    row = {
        "game": 0,
        "hand": hand,
        "event": event,
        "seat": seat,
        "tile": NO_TILE,
        "expected": 0,
        "actual": 0,
        "reason": 0,
    }
    cells = {"code": code, **row, **cells}
    table = Findings(**{c.name: np.array([cells[c.name]], c.dtype) for c in Findings.columns()})
    facts = Replay(
        batch,
        rulesets_of(batch),
        (),
        table,
        PlayerHands.empty(),
        ScoredWins.empty(len(batch.wins)),
        Checked(*[0] * 10),
    )
    (case,) = cases(facts)
    return in_words(case)


def numbers(note: dict[str, Any]) -> dict[str, int]:
    """The cells of a finding as a table writes them: tiles, masks of tiles and reasons by name."""
    named = {"no tile": NO_TILE, "nobody": NO_SEAT, "suucha": HandEnd.SUUCHA}

    def number(value: int | str | list[str]) -> int:
        if isinstance(value, list):
            return sum(1 << parse_tile(name) for name in value)
        return value if isinstance(value, int) else named.get(value) or parse_tile(value)

    if "reason" in note:
        note = note | {"reason": getattr(why, note["reason"].upper())}
    return {name: number(value) for name, value in note.items()}


@each_row("row", TABLES["words"])
def test_words(row: dict[str, Any]) -> None:
    note = dict(row["note"])
    at = EventKind[note.pop("at").upper()] if "at" in note else None
    finding = noted_as(at=at, **numbers(note))
    says = row["says"], row.get("expected"), row.get("actual")
    assert (finding.message, finding.expected, finding.actual) == says


def test_an_aborted_hand_shows_hands_rather_than_tenpai() -> None:
    batch = copy_of(sample("aborted-hands.zip"))
    row = int(np.flatnonzero(batch.hand_draws.kind == HandEnd.SUUCHA)[0])
    batch.hand_draws.shown[row, 1] = NO_TILE
    finding = next(finding for finding in findings(batch) if finding.code == "V406")
    assert finding.message == "hand differs: engine shown, log hidden"
    assert (finding.expected, finding.actual, finding.seat) == ("shown", "hidden", 1)


def test_a_finding_tells_where_it_is() -> None:
    finding = shown("V306")
    batch = sample("hanchan.mjlog.gz")
    hand = Hand.of(batch, int(batch.wins.hand[0]))
    win = hand.wins[0]
    assert (finding.hand, finding.event, finding.seat) == (hand.label, win.event, win.seat)
    assert win.seat is not None
    assert finding.player == batch.games.names[0, win.seat]
    own = [e for e in hand.events if e.kind == EventKind.DISCARD and e.seat == win.seat]
    assert finding.turn == len(own) + win.is_tsumo
    assert finding.source.endswith("hanchan.mjlog.gz")
    assert finding.game_id == batch.games.id[0]
    assert (finding.expected, finding.actual) == (40, 50)


@pytest.mark.parametrize("seat", range(4))
def test_a_payment_that_differs_names_the_seat(seat: int) -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    batch.wins.deltas[0, seat] += 100
    finding = next(finding for finding in findings(batch) if finding.code == "V401")
    assert finding.seat == seat


def test_what_is_about_no_event_is_at_the_beginning() -> None:
    higher = with_overrides(load_preset("tenhou"), {"target_points": 60000})
    (case,) = cases(replay(sample("hanchan.mjlog.gz"), higher))
    assert (case.event, case.index, case.shown) == (-1, None, 0)


def test_dora_that_the_log_does_not_list() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    row, place = np.argwhere(batch.wins.yaku == DORA_ID)[0]
    han = int(batch.wins.han[row, place])
    batch.wins.yaku[row, place] = NO_YAKU
    (finding,) = findings(batch)
    assert (finding.code, finding.message) == ("V308", f"dora differ: engine {han} dora, log 0 dora")


def test_ura_indicators_without_riichi() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    silent = ~np.isin(batch.wins.yaku, [1, 21]).any(axis=1)
    row = int(np.flatnonzero(silent)[0])
    batch.wins.ura[row, 0] = batch.wins.dora[row, 0]
    messages = [finding.message for finding in findings(batch)]
    assert "ura indicators differ: 0 due, more shown" in messages


def test_a_hand_that_is_not_the_one_that_won() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    shown, other = int(batch.wins.tiles[0, 0]), int(batch.hands.dora[batch.wins.hand[0]])
    assert shown != other
    batch.wins.tiles[0, 0], batch.wins.tiles_id[0, 0] = other, NO_TILE
    assert {finding.code for finding in findings(batch)} == {"V301"}


def test_a_copy_that_the_seat_does_not_hold() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    row = find(batch, EventKind.DISCARD, 3)
    batch.events.tile_id[row] ^= 1
    found = [finding for finding in findings(batch) if finding.code.startswith("V2")]
    assert (found[0].code, found[0].event) == ("V202", row - batch.hands.event_begin[0])


def test_a_seat_whose_deal_differs_in_two_tiles_is_told_once() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    rows = [find(batch, EventKind.DRAW, number) for number in (0, 1)]
    batch.hands.dealt_id[0, 0, :2] = batch.events.tile_id[rows]
    codes = [(finding.code, finding.seat) for finding in findings(batch) if finding.code == "V601"]
    assert codes == [("V601", 0)]


def test_turns_are_counted_from_the_first_move_of_a_player() -> None:
    draws = [noted_as(602, EventKind.DRAW), noted_as(202, EventKind.DISCARD), noted_as(204, EventKind.PON)]
    assert [finding.turn for finding in draws[:2]] == [1, 1]
    assert draws[2].turn is not None
    assert (
        noted_as(208, EventKind.RIICHI_PAID).turn
        == noted_as(207, EventKind.RIICHI, reason=why.OPEN_HAND).turn
    )
    assert noted_as(401, EventKind.DRAW, seat=3).turn == 0
    assert noted_as(505).turn is None


# --- the table -----------------------------------------------------------------------------------------

LOG_KINDS = [kind for kind in KINDS.values() if kind.code.startswith("V")]


def test_every_code_of_a_log_is_shown() -> None:
    assert {kind.code for kind in LOG_KINDS} == CHANGES.keys() | UNREADABLE.keys() | {"V210"}
    assert noted_as(210, EventKind.DRAW, expected=4, actual=5).message == KINDS["V210"].example


@each_row("kind", LOG_KINDS, ids=lambda kind: kind.code)
def test_every_row_says_what_a_reader_needs(kind: FindingKind) -> None:
    assert re.fullmatch(r"V[1-6]\d\d", kind.code)
    assert kind.family in FAMILIES
    assert re.fullmatch(r"[a-z][a-z-]+", kind.name)
    for text in (kind.meaning, kind.basis, kind.advice):
        assert text[0].isupper() or text[0] == "`"
        assert text.endswith(".")
    rules = set(re.findall(r"`([a-z_0-9]+)`", kind.basis))
    assert rules <= FIELDS.keys()


def test_names_and_codes_are_unique_and_in_order() -> None:
    assert len({kind.name for kind in KINDS.values()}) == len(KINDS)
    assert [kind.code for kind in LOG_KINDS] == sorted(kind.code for kind in LOG_KINDS)


def test_codes_of_numbers() -> None:
    assert [code_of(number) for number in (101, 604, 1101, 2103, 3108, 4101)] == [
        "V101", "V604", "F101", "W103", "D108", "R101",
    ]  # fmt: skip


@each_row(
    ("select", "ignore", "wanted"),
    [
        ([], [], {"V101", "V103", "V306", "V401"}),
        (["V3"], [], {"V101", "V306"}),
        (["v306, V4"], [], {"V101", "V306", "V401"}),
        ([], ["V1,V3"], {"V401"}),
        (["V3", "V4"], ["V306"], {"V101", "V401"}),
    ],
)
def test_selection(select: list[str], ignore: list[str], wanted: set[str]) -> None:
    selection = parse_selection(select, ignore)
    codes = {"V101": True, "V103": False, "V306": False, "V401": False}
    assert {code for code, is_fault in codes.items() if selection.wants(code, is_fault=is_fault)} == wanted


@each_row("prefix", ["", "X", "V9", "V3066", "306"])
def test_a_prefix_of_no_code_is_an_error(prefix: str) -> None:
    with pytest.raises(UnknownCodeError, match="V1, V2, V3"):
        kinds_of(prefix)


@each_row("code", CHANGES)
def test_every_code_is_shown_by_a_log_with_one_change(code: str) -> None:
    finding = shown(code)
    kind = KINDS[code]
    assert finding.message == kind.example
    assert (finding.name, finding.severity) == (kind.name, kind.severity)


@each_row("name", sorted({log_of(code) for code, change in CHANGES.items() if change.keys() - {"log"}}))
def test_the_logs_say_nothing_before_the_change(name: str) -> None:
    batch = sample(name)
    assert findings(batch) == []
    assert len(batch.hands) > 0


@pytest.mark.parametrize("code", UNREADABLE)
def test_what_cannot_be_read_is_a_finding(code: str) -> None:
    (finding,) = faults(read(UNREADABLE[code]).faults)
    assert (finding.code, finding.message) == (code, KINDS[code].example)
    assert (finding.hand, finding.seat, finding.event) == (None, None, None)


@pytest.mark.parametrize(("bit", "codes"), [(0, {"V506"}), (0x800, set())])
def test_lobbies_with_a_settlement_of_their_own(bit: int, codes: set[str]) -> None:
    """Their logs do not state the ratio, so only scores can be compared."""
    batch = copy_of(sample("hanchan.mjlog.gz"))
    batch.games.go_type[0] |= bit
    batch.games.final_points[0] *= 2
    assert {one.code for one in findings(batch)} == codes
    batch.games.final_scores[0, 0] += 100
    assert {one.code for one in findings(batch)} == {"V506"}
