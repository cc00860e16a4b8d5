"""Proof of conversions: sabotaged writers, sabotaged texts, inventions, and what follows from the source."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from case_data import case_data, with_cells
from each_row import each_row

from paifu.api.convert import completed
from paifu.api.proof import prove
from paifu.parsers.conversion import LOST, always
from paifu.parsers.errors import WriteError
from paifu.parsers.read import read_batches
from paifu.parsers.targets import TARGETS
from paifu.parsers.writers import WRITERS
from paifu.replay.mending.draft import without_event
from paifu.replay.model.batch import Batch

FORMATS = Path(__file__).parents[2] / "sample_logs" / "formats"


@cache
def source() -> Batch:
    """A game of four with chi, pon, riichi, kan, ura dora, a tsumo, a ron and an exhaustive draw."""
    (batch,) = read_batches([FORMATS / "hanchan.mjlog.gz"])
    return batch


def written(batch: Batch, target: str) -> bytes:
    return b"".join(WRITERS[target].games(completed(batch, target)))


def noticed(batch: Batch, target: str, text: bytes) -> bool:
    """Whether a proof finds anything wrong with a text, be it that nothing can be read."""
    try:
        return not prove(batch, text, target)
    except WriteError:
        return True


# --- writers that write something else than the source says ----------------------------------------------


SABOTAGES: dict[str, dict[str, Any]] = case_data("sabotages")


def sabotaged(case: str, batch: Batch) -> Batch:
    """The game as a writer writes it that does something wrong."""
    row = SABOTAGES[case]
    return without_event(batch, row["without"]) if "without" in row else with_cells(batch, row["cells"])


def can_state(target: str, fact: str) -> bool:
    return LOST[target].get(fact) is not always


@each_row("target", TARGETS)
def test_at_least_twenty_sabotages_of_each_writer_can_be_tried(target: str) -> None:
    assert sum(can_state(target, row["fact"]) for row in SABOTAGES.values()) >= 20


@each_row("target", TARGETS)
def test_a_sound_writer_is_proved(target: str) -> None:
    assert prove(source(), written(source(), target), target).faults == ()


@pytest.mark.every(9)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", SABOTAGES)
def test_a_sabotaged_writer_is_noticed(target: str, case: str) -> None:
    if not can_state(target, SABOTAGES[case]["fact"]):
        return
    try:
        text = b"".join(WRITERS[target].games(sabotaged(case, completed(source(), target))))
    except (WriteError, *_CRASHES):
        return  # the writer itself has noticed
    if text != written(source(), target):  # as where a mark follows from physical tiles
        assert noticed(source(), target, text)


_CRASHES = (IndexError, ValueError, StopIteration)
"""What a writer may raise for a game that no reader makes."""


# --- texts of which any value was changed ----------------------------------------------------------------


Path_ = tuple[str | int, ...]


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """The values of a document, each with its path."""
    if isinstance(value, dict):
        for key, cell in value.items():
            yield from leaves(cell, (*path, key))
    elif isinstance(value, list):
        for at, cell in enumerate(value):
            yield from leaves(cell, (*path, at))
    else:
        yield path, value


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if value is None:
        return 1
    if re.fullmatch("[0-9][mpsz]", value):
        return "7z" if value != "7z" else "6z"
    return "x" if value in ("", "y") else "y" + value[1:]


def place(document: Any, path: Path_) -> str:
    """What a value is: its path without numbers, and of an event its kind."""
    kinds = [""]
    cell = document
    for key in path:
        if isinstance(cell, dict):
            kinds.append(
                str(cell.get("name", ""))
                if "data" in cell
                else str(cell.get("type", ""))
                if "actor" in cell
                else ""
            )
        cell = cell[key]
    return max(kinds, key=len) + " " + "/".join("*" if isinstance(key, int) else key for key in path)


DATA = ".lq.GameDetailRecords */data/data/"
REPEATS: dict[str, set[str]] = {
    "tenhou6": {" */ratingc", " */ref", " */rule/disp", " */ver"},
    "mjai": {" */gametype", "hora */fan", "reach_accepted */deltas/*"},
    "mjai-mortal": set(),
    "majiang": {" */log/*/*/hule/fanshu", " */rank/*", " */title"},
    "majsoul-json": {
        " */head/config/category", " */head/config/mode/detail_rule/changbang_value",
        " */head/config/mode/detail_rule/shiduan", DATA + "actions/*/result/data/froms/*",
        DATA + "actions/*/result/data/hules/*/count", DATA + "actions/*/result/data/hules/*/liqi",
        DATA + "actions/*/result/data/hules/*/qinjia", DATA + "actions/*/result/data/hules/*/yiman",
        DATA + "actions/*/result/data/left_tile_count", DATA + "actions/*/result/data/liqi/liqibang",
        DATA + "actions/*/result/name", DATA + "actions/*/type", DATA + "version",
        ".lq.GameDetailRecords */data/name", ".lq.RecordAnGangAddGang */data/data/actions/*/result/name",
    },
}  # fmt: skip
"""What repeats other values or says nothing of the game, so that no reader looks at it, and values of which
the change says the same: 301 points are still 100 from each of three."""


@pytest.mark.every(5)
@pytest.mark.parametrize("target", REPEATS)
def test_any_value_of_a_text_that_is_changed_is_noticed(target: str) -> None:
    lines = [json.loads(line) for line in written(source(), target).splitlines()]
    seen: dict[str, tuple[Path_, Any]] = {}
    for path, value in leaves(lines):
        seen.setdefault(place(lines, path), (path, value))
    missed = set()
    for name, (path, value) in seen.items():
        document = json.loads(json.dumps(lines))
        cell = document
        for key in path[:-1]:
            cell = cell[key]
        cell[path[-1]] = other(value)
        text = b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in document)
        if not noticed(source(), target, text):
            missed.add(name)
    assert missed == REPEATS[target]


# --- what sources do not state ---------------------------------------------------------------------------


def stripped(batch: Batch) -> Batch:
    """The game as a record states it that says of results only who won, or that nobody did."""
    wins, draws = batch.wins, batch.hand_draws
    blank_wins, blank_draws = type(wins).empty(len(wins)), type(draws).empty(len(draws))
    kept = ("game", "hand", "event", "seat", "source", "tile", "ura", "ura_id", "tile_id")
    return replace(
        batch,
        wins=replace(blank_wins, **{name: getattr(wins, name) for name in kept}),
        hand_draws=replace(
            blank_draws, **{name: getattr(draws, name) for name in ("game", "hand", "event", "kind")}
        ),
        riichi_scores=type(batch.riichi_scores).empty(),
    )


@each_row("target", TARGETS)
def test_what_a_source_does_not_state_is_derived_or_stays_unknown(target: str) -> None:
    bare = stripped(source())
    proof = prove(bare, written(bare, target), target)
    assert proof.faults == ()
    assert all(counts.faults == 0 for counts in proof.facts.values())
    is_filled = target not in ("mjai", "mjai-mortal", "paifu", "paifu-events")
    for fact in ("wins.deltas", "wins.points", "wins.yaku"):
        derived = proof.facts[fact].derived if fact in proof.facts else 0
        assert derived == len(bare.wins) * is_filled


OF_RESULTS = [name for name, row in SABOTAGES.items() if row["fact"] in ("wins.yaku", "wins.han", "wins.fu",
              "wins.points", "wins.deltas", "hand_draws.deltas")]  # fmt: skip


@pytest.mark.every(4)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("case", OF_RESULTS)
def test_what_is_made_up_is_noticed(target: str, case: str) -> None:
    """The source says nothing of it, and the engine something else."""
    if not can_state(target, SABOTAGES[case]["fact"]):
        return
    text = b"".join(WRITERS[target].games(sabotaged(case, completed(source(), target))))
    assert prove(stripped(source()), text, target).facts[SABOTAGES[case]["fact"]].invented > 0


def test_a_limit_that_nobody_stated_is_named() -> None:
    bare = stripped(source())
    told = with_cells(source(), [["wins.limit", 5]])
    proof = prove(bare, b"".join(WRITERS["mjlog"].games(told)), "mjlog")
    (first, *_) = (one for one in proof.faults if one.fact == "wins.limit")
    assert (first.a, first.b, first.label) == ("0", "5", "E1.0")
    assert not proof
