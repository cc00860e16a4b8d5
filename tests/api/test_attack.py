"""Mutants of logs of every format: a dataset gives back what was read, and writers write or refuse by name.

``bench/attack.py`` does the same with as many mutants as one likes, and attacks more than logs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from attacking import SPOILS, Counts, attack, attack_files, mutant
from command import call
from fuzzing import SAMPLES

from paifu.api import convert
from paifu.parsers.errors import WriteError
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.paifu_log.writer import PaifuEventsGameWriter
from paifu.parsers.physical import with_physical_tiles
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import Writer
from paifu.replay.comparison.derived import derived
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.reports.metrics.recording import records
from paifu.reports.metrics.records import Records

pytestmark = pytest.mark.every(20)

TONPUU = SAMPLES / "formats" / "tonpuu.mjlog"


@pytest.mark.full
@pytest.mark.parametrize("first", range(0, 240, 40))
def test_mutants_are_read_stored_loaded_and_written(tmp_path: Path, first: int) -> None:
    counts = Counts()
    found = attack([mutant(7, number) for number in range(first, first + 40)], tmp_path / "a", counts)
    assert found == []
    assert counts.games > 20, "hardly anything was left to attack with"
    assert counts.written > 2 * counts.refused


def events_of(path: Path) -> list[str]:
    """The lines of a paifu log of a sample, an event a line."""
    (batch,) = read_batches([path])
    (text,) = PaifuEventsGameWriter.games(batch)
    return text.decode().splitlines()


def test_a_discard_whose_draw_is_missing_leaves_the_dataset_readable(tmp_path: Path) -> None:
    lines = events_of(TONPUU)
    marked = next(at for at, line in enumerate(lines) if line.endswith('tsumogiri"}'))
    del lines[marked - 1]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.jsonl").write_text("\n".join(lines), "utf-8")
    (tmp_path / "logs" / "b.mjlog").write_bytes(TONPUU.read_bytes())
    result = call("import", tmp_path / "logs", "-o", tmp_path / "ds")
    assert result.status == 1
    assert f"a.jsonl: V105 line {marked}: " in result.talk[0]
    assert "tsumogiri': nothing was drawn before" in result.talk[0]
    of_logs, of_dataset = call("verify", tmp_path / "logs"), call("verify", tmp_path / "ds")
    assert of_dataset.status == of_logs.status == 1
    assert of_dataset.text == of_logs.text
    assert "V201" in of_logs.text
    assert call("stats", tmp_path / "ds").status == 1, "faults are told again, and nothing is refused"


# --- nets ----------------------------------------------------------------------------------------------


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name, sample in (("a", "riichi"), ("b", "ippatsu"), ("c", "pinfu")):
        (folder / f"{name}.mjlog").write_bytes((SAMPLES / "scenarios" / f"{sample}.mjlog").read_bytes())
    return folder


def spoilt(batch: Batch) -> Batch:
    """As a faulty reader might make a batch: a draw of the second game has no seat."""
    rows = np.flatnonzero(batch.events.kind == EventKind.DRAW)
    batch.events.seat[rows[rows >= batch.games.event_begin[1]][0]] = 255
    return batch


def test_a_game_that_could_not_be_loaded_is_not_stored(
    tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paifu.parsers.dataset_import.read_unit", lambda unit: spoilt(read_unit(unit)))
    result = call("import", logs, "-o", tmp_path / "ds")
    assert result.status == 1
    assert result.talk[0].startswith(
        f"{logs}/b.mjlog: V101 the game contradicts itself: events.seat of row 0 is 255, which does not play"
    )
    batch = Batch.concatenate(read_batches([tmp_path / "ds"]))
    assert [Path(source).name for source in batch.games.source] == ["a.mjlog", "c.mjlog"]
    assert len(batch.faults) == 1
    assert call("stats", tmp_path / "ds").status == 1


def test_a_game_whose_records_could_not_be_loaded_is_not_stored(
    tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(replayed: object) -> Records:
        made = records(replayed)  # type: ignore[arg-type]
        is_b = [source.endswith("b.mjlog") for source in replayed.batch.games.source]  # type: ignore[attr-defined]
        made.games.left_out[is_b] = 1
        return made

    monkeypatch.setattr("paifu.reports.metrics.recording.records", wrong)
    result = call("import", logs, "-o", tmp_path / "ds", "--jobs", "1")
    assert "b.mjlog: V101 the game contradicts itself: game_records.left_out of row 0 is 1" in result.talk[0]
    monkeypatch.undo()
    assert call("stats", tmp_path / "ds").talk[-1].startswith("2 games")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (WriteError("b.mjlog cannot be written as mjai: no"), "b.mjlog cannot be written as mjai: no"),
        (
            ValueError("shapes do not fit"),
            "b.mjlog cannot be written as mjai because of a bug in paifu, which you can report with the log: "
            "ValueError: shapes do not fit (test_attack.py:",
        ),
    ],
)
def test_a_writer_that_fails_loses_one_game(
    tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    mjai = convert.WRITERS["mjai"]

    def games(batch: Batch) -> Iterator[bytes]:
        if batch.games.source[0].endswith("b.mjlog"):
            raise error
        return mjai.games(batch)

    monkeypatch.setattr(
        convert, "WRITERS", {**convert.WRITERS, "mjai": Writer(games, mjai.format, mjai.suffix)}
    )
    result = call("convert", logs, "--to", "mjai", "-o", tmp_path / "out", "--jobs", "1")
    assert result.status == 1
    assert any(message in line for line in result.talk), result.talk
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.mjson", "c.mjson"]


# --- what the writer of mjlog demands ------------------------------------------------------------------


def paifu_log(*events: str | dict[str, Any], scores: list[int] | None = None) -> bytes:
    """A log of one hand of which every tile that matters is known."""
    dealt = ["123456789m1122p", "1122334455667s", "3344556677889p", "1122334455566z"]
    hand = {"round": "E1", "dora": "1m", "dealt": dealt, "events": events}
    hand |= {"scores": scores} if scores else {}
    return orjson.dumps({"paifu": 1, "game": {"ruleset": "tenhou"}, "hands": [hand]})


def tsumo(tile: str, **claims: object) -> dict[str, Any]:
    worth = {"yaku": [["riichi", 1]], "fu": 30, "limit": "none", "points": 1000, "honba": 0, "sticks": 0}
    return {"event": f"0 tsumo {tile}", "deltas": [3000, -1000, -1000, -1000], **worth, **claims}


FAIR, RICH = [25000] * 4, [10_000_000, 0, 0, -10_000_000]
DEAR = tsumo("2p", deltas=[10_000_000, 0, 0, -10_000_000])
REFUSED: dict[str, tuple[bytes, str]] = {
    "a hand without scores": (paifu_log("0 draw 9s", "0 discard 9s"), "hand 0 does not state its scores"),
    "a tile that the rules lack": (
        paifu_log("0 draw 9s", "0 discard 9s", "dora 0p", "dora 0p", scores=FAIR),
        "it has 0p more often than its rules",
    ),
    "fifteen tiles": (
        paifu_log("0 draw 9s", "0 draw 9p", tsumo("9p"), scores=FAIR),
        "seat 0 wins with 15 tiles in the hand; at most 14 are possible",
    ),
    "six indicators": (
        paifu_log(*["dora 9s"] * 3, *["dora 8s"] * 2, "0 draw 2p", tsumo("2p"), scores=FAIR),
        "6 dora indicators are turned; 5 are possible",
    ),
    "a pon of three kinds": (
        paifu_log("3 draw 9m", "3 discard 9m", "0 pon (9m12p) from 3", "0 draw 2p", tsumo("2p"), scores=FAIR),
        "seat 0: a pon of these tiles is not a meld",
    ),
    "scores without end": (
        paifu_log("0 draw 2p", DEAR, DEAR, scores=RICH), "the scores of hand 0 grow beyond 10000000",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_what_mjlog_cannot_state_is_refused_by_name(tmp_path: Path, text: bytes, message: str) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.jsonl").write_bytes(text)
    (tmp_path / "logs" / "b.mjlog").write_bytes(TONPUU.read_bytes())
    result = call("convert", tmp_path / "logs", "--to", "mjlog", "-o", tmp_path / "out")
    assert result.status == 1
    assert any(f"a.jsonl cannot be written as mjlog: {message}" in line for line in result.talk), result.talk
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.mjlog"]


def test_a_meld_that_the_log_numbers_wrongly_is_refused_by_name() -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    pon = int(np.flatnonzero(batch.events.kind == EventKind.PON)[0])
    batch.events.own_id[pon, 0] = batch.events.tile_id[pon]
    with pytest.raises(WriteError, match=f"event {pon}: a pon of these tiles is not a meld"):
        b"".join(MjlogGameWriter.games(batch))


def test_a_record_of_mahjong_soul_without_a_records_name_is_written_or_refused(tmp_path: Path) -> None:
    log = orjson.loads((SAMPLES / "broken" / "V605.json").read_bytes())
    del log["data"]["data"]["actions"][310]["result"]["name"]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.json").write_bytes(orjson.dumps(log))
    (tmp_path / "logs" / "b.mjlog").write_bytes(TONPUU.read_bytes())
    result = call("convert", tmp_path / "logs", "--to", "mjlog", "-o", tmp_path / "out")
    assert any("a.json cannot be written as mjlog: seat 2 wins with 15 tiles" in line for line in result.talk)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.mjlog"]


def test_a_kan_that_does_not_say_whose_pon_it_grows_from_is_written() -> None:
    lines = events_of(SAMPLES / "scenarios" / "rinshan-after-kakan.mjlog")
    text = "\n".join(lines).encode()
    silent = re.sub(rb"(kakan \([^)]*\)) from \d", rb"\1", re.sub(rb"#[-0-3]+", b"", text))
    assert silent.count(b"kakan") == text.count(b"kakan") > 0
    (batch,) = (read_unit([Document("x.jsonl", silent, Format.PAIFU)]),)
    (told,) = MjlogGameWriter.games(with_physical_tiles(batch))
    kans = read_unit([Document("x.mjlog", told, Format.MJLOG)]).events
    (known,) = read_batches([SAMPLES / "scenarios" / "rinshan-after-kakan.mjlog"])
    is_kakan = kans.kind == EventKind.KAKAN
    assert (
        kans.source[is_kakan].tolist() == known.events.source[known.events.kind == EventKind.KAKAN].tolist()
    )


# --- folders and datasets, and the program itself --------------------------------------------------------


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sound") / "ds"
    assert call("import", SAMPLES / "formats", "-o", root).status == 0
    return root


@pytest.mark.full
@pytest.mark.parametrize("how", SPOILS)
def test_what_is_spoilt_is_refused_with_words(tmp_path: Path, sound: Path, how: str) -> None:
    counts = Counts()
    for number in range(3):
        assert attack_files(11, number, sound, tmp_path / f"{number}", counts, how) == []
    assert counts.spoilt == 3


# --- what is written can be read -----------------------------------------------------------------------


def test_a_mark_that_the_model_makes_comes_back() -> None:
    """A tile drawn by one seat is discarded after moves that should not be there."""
    lines = events_of(TONPUU)
    marked = next(at for at, line in enumerate(lines) if line.endswith('tsumogiri"}'))
    other = next(line for line in lines[marked + 1 :] if "discard" in line and "tsumogiri" not in line)
    lines.insert(marked, other)
    odd = read_unit([Document("x.jsonl", "\n".join(lines).encode(), Format.PAIFU)])
    assert odd.faults.reason.tolist() == []
    (text,) = PaifuEventsGameWriter.games(odd)
    assert read_unit([Document("x.jsonl", text, Format.PAIFU)]).differences(odd) == []


def test_texts_that_a_format_cannot_hold_are_left_out_or_refused() -> None:
    (batch,) = read_batches([TONPUU])
    batch.games.lobby[0], batch.games.seed[0] = "9" * 5000, "mortal,many,more"
    for target in ("tenhou6", "mjai"):
        (text,) = convert.WRITERS[target].games(batch)
        assert b"99999" not in text
        assert b"many" not in text
    batch.games.lobby[0] = "1\0"
    with pytest.raises(WriteError, match="it holds a character that XML cannot state"):
        b"".join(MjlogGameWriter.games(batch))


def test_scores_that_are_not_stated_are_no_number_of_tenhou6() -> None:
    (batch,) = read_batches([TONPUU])
    batch.hands.scores[1, 2] = UNKNOWN_POINTS
    with pytest.raises(WriteError, match="hand 1 does not state its scores"):
        list(convert.WRITERS["tenhou6"].games(batch))


def test_a_tenpai_hand_of_too_many_tiles_stays_unknown() -> None:
    """Writers name the tenpai hands that a log does not; in a damaged one, discards may be missing."""
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    draws, events = batch.hand_draws, batch.events
    row, seat = next(
        (row, seat)
        for row, seat in np.argwhere(draws.tenpai == 1).tolist()
        if draws.kind[row] == HandEnd.EXHAUSTIVE
    )
    shown = sorted(draws.shown[row, seat].tolist())
    draws.shown[row, seat] = draws.shown_id[row, seat] = NO_TILE
    assert sorted(derived(batch).hand_draws.shown[row, seat].tolist()) == shown
    begin, end = (int(at[draws.hand[row]]) for at in (batch.hands.event_begin, batch.hands.event_end))
    own = np.flatnonzero((events.seat[begin:end] == seat) & (events.kind[begin:end] == EventKind.DISCARD))
    events.kind[begin + own[:2]] = EventKind.DRAW
    assert (derived(batch).hand_draws.shown[row, seat] == NO_TILE).all()
    for writer in convert.WRITERS.values():
        with suppress(WriteError):
            assert b"".join(writer.games(batch))


def test_a_win_on_a_hidden_tile_is_written_or_refused() -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"])
    wins = batch.wins
    row = int(np.flatnonzero(wins.source != wins.seat)[0])
    for table, at in ((wins, row), (batch.events, int(wins.event[row]))):
        table.tile[at] = table.tile_id[at] = NO_TILE
    wins.tiles[row] = wins.tiles_id[row] = NO_TILE
    for writer in convert.WRITERS.values():
        with suppress(WriteError):
            assert b"".join(writer.games(batch))


def test_a_call_of_tiles_that_make_none_is_no_call_of_majiang() -> None:
    (batch,) = read_batches([SAMPLES / "formats" / "hanchan.json"])
    pon = int(np.flatnonzero(batch.events.kind == EventKind.PON)[0])
    batch.events.own[pon, 0] = (batch.events.own[pon, 0] + 5) % 27
    with pytest.raises(WriteError, match="a call of tiles that do not make one"):
        list(convert.WRITERS["majiang"].games(batch))
