"""Writing mjlog: what is read is written again, byte for byte where Tenhou spelt it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from each_row import each_row

from paifu.parsers.errors import WriteError
from paifu.parsers.mjlog.melds import LoggedMeld, decode_meld, encode_meld
from paifu.parsers.mjlog.reader import read_mjlog
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, open_document
from paifu.parsers.sources.paths import iter_documents
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.model.events import EventKind


def read(*texts: bytes, names: tuple[str, ...] = ()) -> Batch:
    builder = BatchBuilder()
    for index, text in enumerate(texts):
        name = names[index] if names else f"game{index}.mjlog"
        read_mjlog(Document(name, text, Format.MJLOG), text, builder)
    return builder.finish()


HAI = " ".join(f'hai{seat}="{",".join(str(tile) for tile in range(seat, 52, 4))}"' for seat in range(4))
GAME = (
    '<mjloggm ver="2.3"><SHUFFLE seed="some&amp;seed" ref=""/>'
    '<GO type="521" lobby="1234" title="%E2%99%AA"/>'
    '<UN n0="%61" n1="" n2="%63" n3="%3C" dan="0,10,20,3" rate="1500.00,2001.25,-3.50,7.00" sx="M,F,C,M"/>'
    '<TAIKYOKU oya="1"/><BYE who="2" />'
    f'<INIT seed="0,0,0,,,130" ten="250,250,250,250" chip="1,2,3,-4" oya="0" {HAI}/>'
    '<UN n2="%63" /><T60/><REACH who="0" step="1"/><D60/><REACH who="0" ten="240,250,250,250" step="2"/>'
    '<U64/><N who="1" m="0" /><DORA hai="131" /><U68/><E68/><REACH who="1" step="2"/>'
    '<RYUUKYOKU ba="0,2" sc="240,15,250,-15,250,15,250,-15,1,0,2,1,3,0,-4,-1" hai0="0,4" hai2="" />'
    f'<INIT seed="0,1,2,3,5,131" ten="255,235,265,235" oya="0" {HAI} shuffle="mt19937ar,1,2"/>'
    "<T60/><D60/>"
    '<AGARI ba="1,2" hai="1,5,60" m="0,31264" machi="60" ten="30,1000,0" yaku="1,1,53,0" doraHai="131,2" '
    'doraHaiUra="3" who="1" fromWho="0" sc="255,-13,235,33,265,0,235,0" />'
    '<AGARI ba="1,0" hai="60" machi="60" ten="0,32000,5" yakuman="39,42" doraHai="131" '
    'who="2" fromWho="0" paoWho="3" sc="242,-320,268,0,265,320,235,0" '
    'owari="-78,-60.5,268,0.0,585,70.5,235,-10.0" /></mjloggm>'
).encode()


def test_a_game_with_every_attribute_comes_back_byte_for_byte() -> None:
    batch = read(GAME)
    assert batch.faults.reason.tolist() == []
    assert b"".join(MjlogGameWriter.games(batch)) == GAME


@pytest.mark.parametrize(("version", "written"), [("2.1", "2.1"), ("", "2.3")])
def test_the_version_is_kept_where_there_is_one(version: str, written: str) -> None:
    batch = read(GAME.replace(b'ver="2.3"', f'ver="{version}"'.encode()))
    assert b"".join(MjlogGameWriter.games(batch)) == GAME.replace(b'ver="2.3"', f'ver="{written}"'.encode())


def test_several_games_are_written_one_after_the_other() -> None:
    batch = read(GAME, GAME)
    assert b"".join(MjlogGameWriter.games(batch)) == GAME + GAME
    assert b"".join(MjlogGameWriter.games(batch.take(1))) == GAME
    assert b"".join(MjlogGameWriter.games(Batch.empty())) == b""


@each_row("kind", ["yao9", "reach4", "ron3", "kan4", "kaze4", "nm"])
def test_kinds_of_draws_come_back(kind: str) -> None:
    game = GAME.replace(b"<RYUUKYOKU ", f'<RYUUKYOKU type="{kind}" '.encode())
    if kind != "nm":  # an abort states nobody's tenpai, so an empty hand cannot be told from none
        game = game.replace(b' hai2="" />', b" />")
    assert b"".join(MjlogGameWriter.games(read(game))) == game


def changed(table: str, column: str, value: object) -> Batch:
    """The game above with one cell of a table's first row changed."""
    batch = read(GAME)
    rows = getattr(batch, table)
    array = getattr(rows, column).copy()
    array[0] = value
    return dataclasses.replace(batch, **{table: dataclasses.replace(rows, **{column: array})})


@each_row(
    ("table", "column", "value", "message"),
    [
        ("games", "go_type", -1, "does not state Tenhou's type of game"),
        ("games", "final_points", np.nan, "no final points"),
        ("hands", "dealt_id", 255, "hand 0 does not state which physical tiles seat 0 was dealt"),
        ("hands", "dora_id", 255, "the physical tile of the dora indicator"),
        ("hands", "scores", UNKNOWN_POINTS, "needs whole hundreds"),
        ("hands", "scores", 25050, "needs whole hundreds"),
        ("wins", "tile_id", 255, "the physical tile of event"),
        ("wins", "tiles_id", 255, "does not show the hand's physical tiles"),
        ("wins", "fu", -1, "does not state fu and points"),
        ("hand_draws", "kind", 9, "a kind that it does not state"),
    ],
)
def test_a_game_that_says_too_little_is_refused(table: str, column: str, value: object, message: str) -> None:
    with pytest.raises(WriteError, match="game0.mjlog cannot be written as mjlog: .*" + message):
        b"".join(MjlogGameWriter.games(changed(table, column, value)))


def test_an_event_without_its_physical_tile_is_refused() -> None:
    batch = read(GAME)
    draw = int(np.flatnonzero(batch.events.kind == EventKind.DRAW)[0])
    batch.events.tile_id[draw] = 255
    with pytest.raises(WriteError, match=f"the physical tile of event {draw}"):
        b"".join(MjlogGameWriter.games(batch))


def test_meld_codes_come_back() -> None:
    found = 0
    for code in range(1 << 16):
        try:
            meld = decode_meld(code, 2)
        except ValueError:
            continue
        assert decode_meld(encode_meld(meld), 2) == meld
        found += 1
    assert found > 20_000
    with pytest.raises(ValueError, match="is not a meld"):
        encode_meld(LoggedMeld(EventKind.DRAW, 0, 255, 1, ()))


@pytest.mark.corpus
def test_real_logs_come_back(shared: Path) -> None:
    texts, names = [], []
    for document in iter_documents([str(shared / "logs" / "mjlog")]):
        assert isinstance(document, Document), document
        texts.append(open_document(document))
        names.append(document.location)
    batch = read(*texts, names=tuple(names))
    assert len(batch) == len(texts) == 2538
    written = [b"".join(MjlogGameWriter.games(batch.take(game))) for game in range(len(batch))]
    assert batch.differences(read(*written, names=tuple(names))) == []
    same = sum(text.strip() == ours for text, ours in zip(texts, written, strict=True))
    assert same >= 2535, f"{same} of {len(texts)} logs are spelt as Tenhou did"
