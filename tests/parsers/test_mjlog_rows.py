"""Reading mjlog in one pass over its bytes gives what reading it element by element gives, or nothing."""

from __future__ import annotations

import gzip
import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from case_data import case_data
from each_row import each_row

from paifu.parsers.mjlog.reader import _read_fast, read_mjlog
from paifu.parsers.read import iter_items
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document, open_document
from paifu.replay.kernels import mjlog_spelling as spelling
from paifu.replay.kernels import mjlog_text as scan
from paifu.replay.kernels import table_state as state
from paifu.replay.model.batch import (
    MAX_INDICATORS,
    MAX_POINTS,
    MAX_SHOWN_MELDS,
    MAX_YAKU,
    UNKNOWN_POINTS,
    Batch,
)
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rulesets.log_rules import THREE_PLAYERS

HELPERS = str(Path(__file__).parents[1] / "helpers")
SAMPLES = Path(__file__).parents[2] / "sample_logs"
TEXT = (SAMPLES / "formats" / "tonpuu.mjlog").read_bytes()
END = b"</mjloggm>"


def fast(text: bytes) -> Batch | None:
    """Read a game in one pass; None where that gives up."""
    draft = _read_fast(text.partition(END)[0], "x")
    if draft is None:
        return None
    builder = BatchBuilder()
    builder.add(draft)
    return builder.finish()


def slow(text: bytes) -> Batch:
    """Read a game element by element."""
    builder = BatchBuilder()
    read_mjlog(Document("x", b"", Format.MJLOG), text, builder)
    return builder.finish()


def agree(text: bytes) -> bool:
    """Return whether a text is read in one pass; then it must have become the same."""
    found = fast(text)
    if found is None:
        return False
    expected = slow(text)
    assert len(expected.faults) == 0
    assert found.differences(expected) == []
    return True


def first_hands(text: bytes, number: int) -> bytes:
    """The game up to its hand of that number."""
    head, *hands = text.removesuffix(END).split(b"<INIT ")
    return b"<INIT ".join([head, *hands[:number]]) + END


def test_samples_are_read_alike() -> None:
    tally: Counter[str] = Counter()
    for item in iter_items([SAMPLES / "formats", SAMPLES / "scenarios"]):
        if isinstance(item, Document) and item.format == Format.MJLOG:
            text = open_document(item)
            tally["fast" if text.count(END) == 1 and agree(text) else "slow"] += 1
    print(tally)  # noqa: T201  shown with -s
    assert tally["fast"] > 30
    assert tally["slow"] < 0.05 * tally["fast"]


def test_what_the_pass_knows_of_the_model_is_true() -> None:
    for kind in EventKind:
        if kind != EventKind.BONUS:  # of other games
            assert getattr(state, kind.name) == kind
    assert (scan._END_WIN, scan._EXHAUSTIVE, scan._NAGASHI) == (
        HandEnd.WIN, HandEnd.EXHAUSTIVE, HandEnd.NAGASHI,
    )  # fmt: skip
    assert (spelling.UNKNOWN, spelling.NO_TILE, spelling.NOBODY) == (UNKNOWN_POINTS, NO_TILE, NO_SEAT)
    assert (spelling.MAX_POINTS, spelling.IDS) == (MAX_POINTS, CODE_OF_TILE)
    assert scan._THREE_PLAYERS == THREE_PLAYERS
    assert (scan.MAX_MELDS, scan.MAX_YAKU, scan.MAX_INDICATORS) == (
        MAX_SHOWN_MELDS, MAX_YAKU, MAX_INDICATORS,
    )  # fmt: skip


GAME = first_hands(TEXT, 2)
"""Two hands: of the first every end is there, the second breaks off with the game."""

TABLES: dict[str, dict[str, list[str]]] = case_data("mjlog_rows")
PARTS = {
    "SEED": r'(?<=<INIT )seed="[^"]*"', "MOVE": r"(<T\d+ ?/>)", "DEALER": r'oya="0"(?= hai0)',
    "GO": "(<GO [^>]*>)", "UN": "(<UN [^>]*>)", "TAIKYOKU": "(<TAIKYOKU [^>]*>)",
}  # fmt: skip
"""What patterns of the table may name in braces."""


def with_change(pattern: str, other: str) -> bytes:
    """The game with one change of the table."""
    for name, part in PARTS.items():
        pattern = pattern.replace(f"{{{name}}}", part)
    changed, count = re.subn(pattern.encode(), other.encode(), GAME, count=1)
    assert count == 1
    return changed


def test_the_game_of_the_cases_is_read() -> None:
    assert agree(GAME)
    assert agree(TEXT)


@each_row("name", TABLES["otherwise"])
def test_what_is_spelt_otherwise_is_left_to_the_other_way(name: str) -> None:
    plain, other = (text.encode() for text in TABLES["otherwise"][name])
    assert plain in GAME
    assert fast(GAME.replace(plain, other, 1)) is None


@each_row("name", TABLES["read"])
def test_what_tenhou_may_write_is_read_alike(name: str) -> None:
    assert agree(with_change(*TABLES["read"][name]))


def test_who_leaves_before_the_first_deal_is_read_alike() -> None:
    changed = GAME.replace(b"<INIT ", b'<BYE who="3" /><UN n3="%41"/><BYE who="1" /><INIT ', 1)
    assert agree(changed)
    kinds = slow(changed).events.kind[:3].tolist()
    assert kinds == [EventKind.LEAVE, EventKind.RETURN, EventKind.LEAVE]


@each_row("name", TABLES["left"])
def test_what_cannot_be_is_left_to_the_other_way(name: str) -> None:
    assert fast(with_change(*TABLES["left"][name])) is None


def test_tiles_of_a_fourth_of_three_players_are_left_to_the_other_way() -> None:
    sanma = gzip.decompress((SAMPLES / "formats" / "sanma.mjlog.gz").read_bytes())
    assert agree(sanma)
    assert fast(sanma.replace(b'hai3=""', b'hai3="3"', 1)) is None


END_OF_HAND = rb"<(?:AGARI|RYUUKYOKU) [^>]*>"
ENDS = [
    re.findall(END_OF_HAND, GAME)[0],
    b'<RYUUKYOKU ba="0,0" sc="250,10,250,-10,250,0,250,0" hai0="0,1,2,4,8,12,16,20,24,28,32,36,40" />',
]
NUMBERS_OF_ENDS = {
    "ba": ["9999,9999", "10000,0", "0,10000", "0", "0,0,0", "-1,0"],
    "sc": [
        "250,0,250,0,250,0,250,0",
        "250,0,250,0,250,0,250",
        "250,0,250,0,250,0,250,0,1,2,3,4,5,6,7,8",
        "100001,0,250,0,250,0,250,0",
        "250,-10000000,250,0,250,0,250,0",
    ],
    "ten": ["30,1000,0", "30,1000", "30,1000,9", "-1,1000,0", "30,-1,0"],
    "yaku": ["0,1,1,1", "0,1,1", "", "255,1", "54,1", "-1,1", "0,-1"],
    "who": ["3", "4", "-1", ""],
    "fromWho": ["3", "4", "-1", ""],
    "machi": ["135", "136", "-1", "1,2"],
    "hai": ["1,2,3", "136", "1," * 13 + "5", "1," * 14 + "5", "1," * 15 + "5"],
    "doraHai": ["135", "136", "1,2,3,4,5", "1,2,3,4,5,6", "-1"],
    "m": ["0", "1048576", "1048577", "0,0,0,0,0,0,0,0", "0,0,0,0,0,0,0,0,0", "-1"],
    "paoWho": ["3", "4", "-1"],
    "hai0": ["1,2,3", "136", ""],
    "type": ["nm", "yao9", "ron3", "kan4", "kaze4", "reach4", "foo", ""],
}


@each_row("name", NUMBERS_OF_ENDS)
def test_ends_of_hands_are_read_alike_or_left(name: str) -> None:
    """Where the other way finds a fault, this one leaves the game to it."""
    tally: Counter[str] = Counter()
    for end in ENDS:
        for value in NUMBERS_OF_ENDS[name]:
            attribute = f' {name}="{value}"'.encode()
            changed, count = re.subn(rb' %b="[^"]*"' % name.encode(), attribute, end)
            changed = changed if count else end.replace(b" ", attribute + b" ", 1)
            text = re.sub(END_OF_HAND, lambda _, by=changed: by, GAME, count=1)
            if slow(text).faults.code.size:
                assert fast(text) is None, changed
                tally["a fault"] += 1
            else:
                tally["read" if agree(text) else "left"] += 1
    assert tally.total() == 2 * len(NUMBERS_OF_ENDS[name])
    assert tally["read"]


@each_row("name", ["ba", "sc", "ten", "who", "fromWho", "machi", "hai", "doraHai", "paoWho", "type"])
def test_ends_of_hands_without_an_attribute_are_read_alike_or_left(name: str) -> None:
    for end in ENDS:
        changed = re.sub(rb' %b="[^"]*"' % name.encode(), b"", end)
        text = re.sub(END_OF_HAND, lambda _, by=changed: by, GAME, count=1)
        if slow(text).faults.code.size:
            assert fast(text) is None, changed
        else:
            agree(text)


def test_a_text_may_break_off_anywhere() -> None:
    """At an end of an element it is a game so far; within one it is left to the other way."""
    read = 0
    begin = GAME.index(b"<INIT ")
    for size in (*range(begin + 1, begin + 460), *range(len(GAME) - 400, len(GAME) - len(END))):
        text = GAME[:size]
        found = fast(text)
        assert text.endswith(b">") or found is None, text[-40:]
        read += found is not None
    assert read > 10


def test_damaged_texts_are_read_alike_or_left() -> None:
    chance, tally = random.Random(1), Counter[bool]()  # noqa: S311
    alphabet = b'0123456789,"/<> =-TUVWDEFGabc'
    begin = GAME.index(b">")
    for _ in range(400):
        text, at = bytearray(GAME), chance.randrange(begin, len(GAME) - len(END))
        match chance.randrange(6):
            case 0:
                text[at] = chance.choice(alphabet)
            case 1:
                del text[at : at + chance.randrange(1, 4)]
            case 2:
                text[at:at] = bytes([chance.choice(alphabet)])
            case 3:
                other = chance.randrange(begin, len(GAME) - len(END))
                text[at : at + 3] = text[other : other + 3]
            case _:
                digits = [place for place in range(begin, len(GAME)) if GAME[place] in b"0123456789"]
                text[chance.choice(digits)] = chance.choice(b"0123456789")
        tally[agree(bytes(text))] += 1
    print(tally)  # noqa: T201  shown with -s
    assert tally[True] > 80
    assert tally[False] > 80


COMPILED = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from test_mjlog_rows import END, agree, open_document, iter_items
texts = map(open_document, iter_items([Path(sys.argv[2])]))
read = [agree(text) for text in texts if text.count(END) == 1]
print(len(read), sum(read))
"""


@pytest.mark.corpus
def test_real_logs_are_read_alike(shared: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPILED, str(Path(__file__).parent), str(shared / "logs" / "mjlog")],
        env=os.environ | {"PAIFU_KERNELS": "library", "PYTHONPATH": HELPERS},
        capture_output=True, text=True, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    games, alike = map(int, done.stdout.split())
    assert games == 2538
    assert alike >= 2530
