"""Repair: what is proved is mended, nothing is guessed, and the record says the same of all else."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import call
from compared import agree
from mjx_games import states
from mutation_places import KINDS, NotHereError, Place
from mutations import MODULES
from sheets import Sheet

from paifu.api.compare import compare_records
from paifu.api.convert import completed
from paifu.api.fix import fix
from paifu.api.verify import verify
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.comparison.facts import ONLY_A
from paifu.replay.mending.search import BY_RULES, IN_DOUBT, SEVERAL, mend
from paifu.replay.model.batch import NO_YAKU, Batch
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.model.tiles import NO_TILE, RED_MAN
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.table.engine import replay

SAMPLES = Path(__file__).parents[2] / "sample_logs"
BROKEN = SAMPLES / "broken"
IPPATSU = 2
MENDED = {
    "V203.json": "formats/hanchan.json", "V208": "scenarios/riichi", "V212": "scenarios/four-winds",
    "V301": "scenarios/pinfu", "V304": "scenarios/pinfu", "V305": "scenarios/pinfu",
    "V306": "scenarios/haku", "V307": "scenarios/haku", "V308": "scenarios/pinfu",
    "V401": "scenarios/pinfu", "V402": "scenarios/double-ron", "V403": "scenarios/double-ron",
    "V404": "scenarios/pao-daisangen-tsumo", "V405": "scenarios/two-tenpai",
    "V406": "scenarios/two-tenpai", "V407": "scenarios/nagashi", "V501": "scenarios/pinfu",
    "V502": "scenarios/pinfu", "V503": "scenarios/pinfu", "V504": "scenarios/pinfu",
    "V506": "scenarios/pinfu", "V603": "formats/tonpuu", "V604": "formats/tonpuu",
}  # fmt: skip
"""Broken sample logs that can be mended, and what they are made of."""


def named(name: str) -> str:
    return name if "." in name else f"{name}.mjlog"


@pytest.mark.full
def test_sample_logs_are_mended_where_that_is_proved(tmp_path: Path) -> None:
    done = fix(BROKEN, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {named(name) for name in MENDED}
    assert (done.written, done.errors, bool(done)) == (len(MENDED), [], False)
    for name, original in MENDED.items():
        if name == "V203.json":  # the tile was changed, too: no other tile is proved
            continue
        found = compare_records(tmp_path / named(name), SAMPLES / named(original))
        assert (bool(found), list(found.differences)) == (True, []), name
    verified = verify(tmp_path)
    assert verified.findings == []
    for name in map(named, MENDED):
        changes = compare_records(BROKEN / name, tmp_path / name)
        listed = [one.mend.fact for one in done.changes if one.source.endswith(name)]
        assert [one.difference for pair in changes.pairs for one in pair.differences] == listed
        assert listed


@pytest.mark.full
@pytest.mark.parametrize("folder", ["rulesets", "scenarios", "formats", "platforms"])
def test_nothing_is_mended_in_sound_logs_whatever_rules_they_were_played_under(folder: str) -> None:
    """Those of rulesets name Tenhou's rules: what contradicts these is no slip of the record."""
    done = fix(SAMPLES / folder, None)
    assert (done.changes, done.mended, done.unchanged) == ([], 0, done.games)
    assert bool(done) is (folder != "rulesets")


# --- every format -------------------------------------------------------------------------------------


@cache
def game(target: str) -> Batch:
    """A clean game, as a record of a format has it."""
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    writer = WRITERS[target]
    text = b"".join(writer.games(completed(batch, target)))
    return read_unit([Document(f"game{writer.suffix}", text, writer.format)])


def put(batch: Batch, table: str, column: str, at: Any, value: Any) -> Batch:
    rows = getattr(batch, table)
    cells = getattr(rows, column).copy()
    assert np.any(cells[at] != value)
    cells[at] = value
    return replace(batch, **{table: replace(rows, **{column: cells})})


SLIPS = {
    "a payment": ("wins", "deltas", (0, 0)),
    "a score at a start": ("hands", "scores", (2, 1)),
    "honba at a start": ("hands", "honba", 3),
    "sticks at a start": ("hands", "sticks", 3),
    "points of a win": ("wins", "points", 1),
    "fu of a win": ("wins", "fu", 0),
    "a final score": ("games", "final_scores", (0, 2)),
}
UNSAID = {("mjai-mortal", column) for column in ("points", "fu", "final_scores")}


@pytest.mark.every(96)
@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize(
    "target", ["mjlog", "tenhou6", "mjai", "mjai-mortal", "majiang", "majsoul-json", "paifu"]
)
def test_a_slip_is_mended_in_every_format(tmp_path: Path, target: str, slip: str) -> None:
    table, column, at = SLIPS[slip]
    if (target, column) in UNSAID:
        return
    true, writer = game(target), WRITERS[target]
    before = getattr(getattr(true, table), column)[at]
    spoilt = put(true, table, column, at, before + {"fu": 10, "honba": 1, "sticks": 1}.get(column, 1000))
    log, folder = tmp_path / f"spoilt{writer.suffix}", tmp_path / "mended"
    log.write_bytes(b"".join(writer.games(spoilt)))
    (source,) = read_batches([log])
    if not len(replay(source).findings):  # the format has no place for it
        assert not compare_games(source, true).facts[f"{table}.{column}"].different
        return
    done = fix(log, folder)
    # A record may state the slip again, in scores after a riichi or before a payment.
    assert f"{table}.{column}" in {one.mend.fact.fact for one in done.changes}
    assert bool(done)
    (result,) = read_batches([folder])
    assert not len(replay(result).findings)
    assert agree(compare_games(result, true))
    found = compare_records(log, folder)
    assert [one.difference for one in found.differences] == [one.mend.fact for one in done.changes]


def test_a_red_five_that_lost_its_mark() -> None:
    true = game("tenhou6")
    reds = np.flatnonzero((true.events.tile >= RED_MAN) & (true.events.kind == EventKind.DISCARD))
    mended = Counter[bool]()
    for row in reds.tolist():
        spoilt = put(true, "events", "tile", row, 4 + 9 * (int(true.events.tile[row]) - RED_MAN))
        if len(replay(spoilt).findings):
            done = mend(spoilt)
            differences = compare_games(done.batch, true).differences
            mended[bool(done.mends)] += 1
            assert differences == [] or not done.mends
    assert mended[True]


@pytest.mark.parametrize("target", ["mjlog", "paifu"])
def test_indicators_that_a_win_lists_are_those_that_were_turned(target: str) -> None:
    true = game(target)
    row = int(np.flatnonzero(true.wins.dora[:, 0] != NO_TILE)[0])
    other = (int(true.wins.dora[row, 0]) + 1) % 34
    spoilt = put(true, "wins", "dora", (row, 0), other)
    if (true.wins.dora_id[row] != NO_TILE).any():
        spoilt = put(spoilt, "wins", "dora_id", (row, 0), 4 * other)
    assert len(replay(spoilt).findings)
    assert agree(compare_games(mend(spoilt).batch, true))


# --- never a guess --------------------------------------------------------------------------------------


def test_two_ways_to_mend_are_none() -> None:
    """A tile said to be the one drawn is another: the mark, the draw or the discard may be wrong."""
    true = game("tenhou6")
    events = true.events
    rows = np.flatnonzero((events.kind == EventKind.DISCARD) & (events.flags == 0))
    reasons = Counter[str]()
    for row in rows[:12].tolist():
        if events.kind[row - 1] == EventKind.DRAW and events.tile[row] != events.tile[row - 1]:
            done = mend(put(true, "events", "flags", row, EventFlag.TSUMOGIRI))
            reasons.update(one.reason for one in done.left)
            assert compare_games(done.batch, true).differences == [] or not done.mends
    assert reasons[SEVERAL]


def test_what_other_rules_explain_is_left() -> None:
    """A mangan without the ippatsu that its hand has: there may have been no ippatsu."""
    (batch,) = read_batches([SAMPLES / "scenarios" / "dora.mjlog"])
    yaku, han = batch.wins.yaku[0].copy(), batch.wins.han[0].copy()
    at = yaku.tolist().index(IPPATSU)
    for cells, nothing in ((yaku, NO_YAKU), (han, 0)):
        cells[at:] = [*cells[at + 1 :], nothing]
    spoilt = put(put(batch, "wins", "yaku", 0, yaku), "wins", "han", 0, han)
    done = mend(spoilt)
    assert (done.mends, [(one.reason, one.rules) for one in done.left]) == (
        [],
        [(BY_RULES, '{"ippatsu":false}')],
    )
    assert len(mend(spoilt, rulesets_of(spoilt)[0]).mends) == 2


def test_rules_in_doubt_leave_all_that_depends_on_them() -> None:
    (batch,) = read_batches([SAMPLES / "rulesets" / "ema-2025.mjlog"])
    spoilt = put(batch, "wins", "honba", 2, batch.wins.honba[2] + 3)
    done = mend(spoilt)
    assert not done.mends
    assert IN_DOUBT in {one.reason for one in done.left}


def test_a_record_that_agrees_with_itself_is_left() -> None:
    """The win is worth less by its tiles, but all that follows has the payment."""
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    row = 0
    seat, source, hand = int(batch.wins.seat[row]), int(batch.wins.source[row]), int(batch.wins.hand[row])
    assert seat != source
    spoilt = put(batch, "wins", "points", row, batch.wins.points[row] + 1000)
    for player, more in ((seat, 1000), (source, -1000)):
        spoilt = put(spoilt, "wins", "deltas", (row, player), batch.wins.deltas[row, player] + more)
        scores = spoilt.hands.scores.copy()
        scores[hand + 1 :, player] += more
        spoilt = replace(spoilt, hands=replace(spoilt.hands, scores=scores))
        for name in ("wins", "hand_draws"):
            table = getattr(spoilt, name)
            cells = table.scores.copy()
            cells[table.hand > hand, player] += more
            spoilt = replace(spoilt, **{name: replace(table, scores=cells)})
        riichi = spoilt.riichi_scores
        cells = riichi.scores.copy()
        cells[riichi.event >= batch.hands.event_begin[hand + 1], player] += more
        spoilt = replace(spoilt, riichi_scores=replace(riichi, scores=cells))
        spoilt = put(
            spoilt, "games", "final_scores", (0, player), spoilt.games.final_scores[0, player] + more
        )
    done = mend(spoilt)
    assert not done.mends
    assert "V307" in {one.finding.code for one in done.left}


@pytest.mark.full
@pytest.mark.parametrize("has_wall", [True, False])
def test_no_change_of_a_sound_game_is_mended_wrongly(has_wall: bool) -> None:
    """Whatever is spoilt: each fact that is mended is what it was. The rules are given."""
    assert MODULES
    batch = Batch.concatenate(read_batches([SAMPLES / "games"]))
    outcomes: Counter[str] = Counter()
    for number, kind in enumerate(KINDS):
        rng = random.Random(f"{number} {kind.name}")  # noqa: S311
        hands = kind.where(batch)
        if kind.sanma is not None:
            hands = hands[(batch.games.players[batch.hands.game[hands]] == 3) == kind.sanma]
        for hand in rng.sample(hands.tolist(), min(len(hands), 2)):
            own = int(batch.hands.game[hand])
            place = Place(Sheet.of(batch, own), hand - int(batch.games.hand_begin[own]), rng)
            if not has_wall:
                place.sheet.forget_the_wall()
            true = place.sheet.batch()
            try:
                kind.change(place)
            except NotHereError:
                continue
            done = mend(place.sheet.batch(), rulesets_of(true)[0])
            differences = compare_games(true, done.batch).differences
            is_right = all(one.status == ONLY_A for one in differences)  # what the change left out
            outcomes["mended" if done.mends else "left"] += 1
            assert is_right or not done.mends, (kind.name, done.mends, differences)
    assert outcomes["mended"] > 50


# --- the command ----------------------------------------------------------------------------------------


def test_changes_are_listed_and_the_status_says_whether_all_is_mended(tmp_path: Path) -> None:
    result = call("verify", BROKEN / "V306.mjlog", "--fix", "-o", tmp_path, "--jobs", 1)
    assert result.status == 0
    (line,) = result.text.splitlines()
    assert line.endswith("V306.mjlog:E1.0:seat 1 event 10: wins.fu from 20 to 30 (V306)")
    assert (tmp_path / "V306.mjlog").is_file()
    again = call("verify", BROKEN / "V306.mjlog", "--fix", "-o", tmp_path, "--jobs", 1)
    assert any("1 there already" in one for one in again.talk)
    left = call("verify", BROKEN / "V309.mjlog", "--fix", "-o", tmp_path, "--jobs", 1)
    assert (left.status, left.text) == (1, "")
    assert not (tmp_path / "V309.mjlog").exists()


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    logs = [BROKEN / name for name in ("V306.mjlog", "V309.mjlog", "V604.mjlog")]
    result = call("verify", *logs, "--fix", "--dry-run", "--format", "json", "--jobs", 1)
    document = json.loads(result.text)
    assert document["schema"] == "paifu.verify.fix/1"
    assert document["summary"]["mended"] == len(document["changes"]) == 2
    assert len(document["left"]) == document["summary"]["left"]
    assert {"source", "fact", "before", "after", "codes"} <= document["changes"][0].keys()
    assert list(tmp_path.iterdir()) == []


def test_sources_are_not_replaced_and_damaged_ones_not_rewritten(tmp_path: Path) -> None:
    log = tmp_path / "V306.mjlog"
    log.write_bytes((BROKEN / "V306.mjlog").read_bytes())
    done = fix(log, tmp_path)
    assert (done.written, len(done.errors)) == (0, 1)
    assert log.read_bytes() == (BROKEN / "V306.mjlog").read_bytes()
    cut = tmp_path / "cut.mjlog"
    text = log.read_text()
    cut.write_text(text[: text.rindex("<INIT")])
    done = fix(cut, tmp_path / "out")
    assert (done.mended, done.written, len(done.errors)) == (1, 0, 1)


def test_a_format_without_a_writer_says_so(tmp_path: Path) -> None:
    (batch,) = read_batches([SAMPLES / "games" / "hanchan-4p-01.mjlog.gz"])
    made = states(batch)
    won = next(state for state in made if "wins" in state["roundTerminal"])
    won["roundTerminal"]["wins"][0]["ten"] += 100
    log = tmp_path / "game.json"
    log.write_text("\n".join(map(json.dumps, made)))
    done = fix(log, tmp_path / "out")
    assert [one.mend.fact.fact for one in done.changes] == ["wins.points"]
    (error,) = done.errors
    assert "no writer for mjx" in error
    assert list((tmp_path / "out").iterdir()) == []
