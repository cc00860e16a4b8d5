"""Time grows with the size of an input, in whichever direction it grows: never with the square.

Steps are counted, which no other load of the machine changes: the lines of Python that run. What the
interpreter does within one, such as a search in a text, is measured in time: each text is read four times at
one size, and once at four times that size, which is as much text. The second may take twice as long, for
noise; the square would be four times.
"""

from __future__ import annotations

import ast
import gc
import io
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import orjson
import pytest
from fuzzing import MADE, simulated
from majsoul_games import UUID
from record_places import TEXTS, with_repeated_cells

import paifu.parsers
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.sources.paths import iter_documents
from paifu.parsers.sources.surroundings import Search
from paifu.parsers.writers import WRITERS

Text = Callable[[int], bytes]
"""Makes a text of about so many bytes."""

START = b'<GO type="9" lobby="0"/><UN n0="a" n1="b" n2="c" n3="d" dan="0,0,0,0" rate="1,1,1,1" sx="M,M,M,M"/>'
DEAL = b",".join(b"%d" % tile for tile in range(0, 52, 4))
HANDS = b" ".join(b'hai%d="%b"' % (seat, DEAL) for seat in range(4))
INIT = b'<INIT seed="0,0,0,1,2,132" ten="250,250,250,250" oya="0" %b/>' % HANDS
AGARI = (
    b'<AGARI ba="0,0" hai="1,2" machi="1" ten="30,1000,0" yaku="1,1" doraHai="3" who="0" fromWho="1" '
    b'sc="1,1,1,1,1,1,1,1"/>'
)


def plain(text: bytes) -> bytes:
    """A game in the spelling that Tenhou writes."""
    return b'<mjloggm ver="2.3">%b</mjloggm>' % text


def other(text: bytes) -> bytes:
    """A game in a spelling that only the XML library reads."""
    return b'<mjloggm  ver="2.3">%b</mjloggm>' % text


def repeated(piece: bytes, before: bytes = b"", around: Callable[[bytes], bytes] = plain) -> Text:
    return lambda size: around(before + piece * (size // len(piece)))


def counted(piece: bytes, around: Callable[[bytes], bytes] = plain, join: bytes = b"") -> Text:
    """A piece over and over, with a number in it, so that no two are the same."""
    return lambda size: around(join.join(piece % n for n in range(size // (len(piece) + len(join) + 3))))


def one(text: bytes) -> Callable[[bytes], bytes]:
    """Around the attributes of one element."""
    return lambda attributes: plain(text % attributes)


XML: dict[str, Text] = {
    **{
        f"attributes of {name}": counted(b'a%d="1"', one(b"<" + name.encode() + b" %b/>"), b" ")
        for name in ("GO", "UN", "SHUFFLE", "TAIKYOKU", "INIT", "N", "DORA", "REACH", "AGARI", "BYE", "ZZ")
    },
    "attributes of the root": counted(b'a%d="1"', lambda text: b"<mjloggm %b></mjloggm>" % text, b" "),
    "namespaces": counted(b'xmlns:a%d="u"', one(b"<GO %b/>"), b" "),
    "namespaces of elements": counted(b'<b xmlns:a%d="u"/>', other),
    "moves": repeated(b"<T53/><D53/>", START + INIT),
    "moves in another spelling": repeated(b"<T53/><D53/>", START + INIT, other),
    "hands": repeated(INIT, START),
    "wins": repeated(AGARI, START + INIT),
    "calls": repeated(b'<N who="0" m="1234"/>', START + INIT),
    "riichi": repeated(b'<REACH who="0" step="2" ten="1,1,1,1"/>', START + INIT),
    "names": repeated(b'<UN n0="a" n1="b" n2="c" n3="d"/>', START),
    "returns": repeated(b'<UN n0="a"/>', START + INIT),
    "unknown elements": counted(b"<A%d/>"),
    "unknown elements in another spelling": counted(b"<A%d/>", other),
    "depth": lambda size: other(b"<a>" * (size // 7) + b"</a>" * (size // 7)),
    "elements in an element": repeated(b"<T1/>", b"", lambda text: other(b"<a>%b</a>" % text)),
    "text": repeated(b"a", b"", other),
    "text between elements": repeated(b"<T1/> a\n", b"", other),
    "text in elements": repeated(b"<T1>a</T1>", b"", other),
    "comments": repeated(b"<!-- = -->", b"", other),
    "a comment": repeated(b"=", b"<!--", lambda text: other(text + b"-->")),
    "instructions": repeated(b"<?a b?>", b"", other),
    "character data": repeated(b"<![CDATA[=]]>", b"", other),
    "blanks in a tag": repeated(b" ", b"", one(b"<GO %b/>")),
    "quotes in a tag": repeated(b'"', b"", one(b"<GO %b/>")),
    "signs in a tag": repeated(b"=", b"", one(b"<GO %b/>")),
    "openings": repeated(b"<", b""),
    "closings": repeated(b">", b"", other),
    "ends without beginnings": repeated(b"</mjloggm", b"<mjloggm>", bytes),
    "a name of an element": repeated(b"a", b"<", lambda text: other(text + b"/>")),
    "a name of an attribute": repeated(b"a", b"", one(b'<GO %b="1"/>')),
    **{
        f"{what} in a value": repeated(piece, b"", one(b'<GO type="%b"/>'))
        for what, piece in {
            "digits": b"1", "zeros": b"0", "numbers": b"1,", "commas": b",", "brackets": b"[",
            "entities": b"&amp;", "references": b"&#49;", "percents": b"%61", "signs": b"-",
            "letters": b"a", "equals": b"=",
        }.items()
    },
    "fields of rules": repeated(b"1,", b"", one(b'<GO type="9" lobby="0" csrule="%b"/>')),
    "a field of rules": repeated(b"9", b"", one(b'<GO type="9" lobby="0" csrule="0,0,0,0,%b"/>')),
    "a player's name": repeated(b"%61", b"", one(b'<UN n0="%b" n1="b" n2="c" n3="d"/>')),
    "a seed": repeated(b"a,", b"", one(b'<SHUFFLE seed="mt19937ar-sha512-n288-base64,%b"/>')),
}  # fmt: skip

TILES = [11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24]


def hand(took: Any = (), gave: Any = (), result: Any = ("流局", [0, 0, 0, 0])) -> list[Any]:
    others = [TILES, [], []] * 3
    return [[0, 0, 0], [25000] * 4, [11], [], TILES, list(took), list(gave), *others, list(result)]


def game(hands: list[Any], **more: Any) -> bytes:
    return orjson.dumps({"title": ["", ""], "name": list("abcd"), "rule": {"aka": 1}, "log": hands, **more})


JSON: dict[str, Text] = {
    "hands": lambda size: game([hand()] * (size // 250)),
    "moves": lambda size: game([hand([11] * (size // 6), [60] * (size // 6))]),
    "calls": lambda size: game([hand(["p111111"] * (size // 13), [11] * (size // 13))]),
    "results": lambda size: game([hand(result=["和了", *[[0, 0, 0, 0], [0, 0, 0]] * (size // 16)])]),
    "yaku": lambda size: game(
        [hand(result=["和了", [0] * 4, [0, 1, 0, "30符", *["立直(1飜)"] * (size // 20)]])]
    ),
    "unknown results": lambda size: game([hand(result=[f"x{n}"]) for n in range(size // 250)]),
    "a result": lambda size: game([hand(result=["x" * size])]),
    "keys": lambda size: game([hand()], **{f"k{n}": 1 for n in range(size // 12)}),
    "depth": lambda size: b'{"log":' + b"[" * (size // 2) + b"]" * (size // 2) + b"}",
    "depth of objects": lambda size: b'{"log":[' + b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6) + b"]}",
    "digits": lambda size: b'{"log":[[' + b"1" * size + b"]]}",
    "digits after a point": lambda size: b'{"log":[[0.' + b"1" * size + b"]]}",
    "an exponent": lambda size: b'{"log":[[1e' + b"1" * size + b"]]}",
    "a name": lambda size: game([hand()], name=["a" * size] * 4),
    "titles": lambda size: game([hand()], title=["a"] * (size // 4)),
    "fields of rules": lambda size: game([hand()], csrule=["1"] * (size // 4)),
    "fields of rules as a text": lambda size: game([hand()], csrule="1," * (size // 2)),
    "a field of rules": lambda size: game([hand()], csrule=["9" * size]),
    "a reference": lambda size: game([hand()], ref="2022010503gm-" * (size // 13)),
    "a shown rule": lambda size: game([hand()], rule={"disp": "赤" * (size // 3)}),
    "keys of a rule": lambda size: game([hand()], rule={f"aka{n}": 1 for n in range(size // 10)}),
    "connections": lambda size: game(
        [hand()], connection=[{"what": 0, "who": 0, "log": 0, "step": 1}] * (size // 40)
    ),
    "games": lambda size: b"[" + b",".join([game([hand()])] * (size // 330)) + b"]",
    "lines": lambda size: (game([hand()]) + b"\n") * (size // 330),
    "lines without games": lambda size: b"{}\n" * (size // 30),
    "a link": lambda size: b"https://tenhou.net/6/#json=" + b"%7B" * (size // 3),
    "links": lambda size: b"https://tenhou.net/6/#json={}\n" * (size // 60),
    "escapes": lambda size: b'{"log":["' + b"\\u0041" * (size // 6) + b'"]}',
    "surrogates": lambda size: b'{"log":["' + b"\\ud800" * (size // 6) + b'"]}',
}

DEEP = {
    Format.MJAI: b'{"type":"none"}\n',
    Format.MAJIANG: b'{"qijia":0,"log":',
    Format.MAJSOUL: b'{"head":{"uuid":"%b"},"data":' % UUID.encode(),
    Format.PAIFU: b'{"paifu":1,"x":',
    Format.MLEAGUE: b'[{"cmd":"page","args":',
    Format.RIICHI_CITY: b'{"handRecord":',
    Format.MJX: b'{"publicObservation":',
}
"""Beginnings of logs, where lists follow. Their events are repeated by ``with_repeated_cells``."""

ROOTS: dict[str, Text] = {
    "games": lambda size: plain(START + INIT) * (size // 500),
    "games without hands": lambda size: plain(b"") * (size // 150),
    "ends": lambda size: b"<mjloggm>" + b"</mjloggm>" * (size // 150),
}


SIZE = 150_000
NOISE = 0.75
"""Seconds that make no difference: a long text may have to go a slower way, which grows no faster. All are of
the processor: what else runs does not count."""
SURE = 0.2
"""Seconds of reading after which what one reading takes is known well enough."""
TRIES = 5
"""What else runs on the machine slows one measurement, not all of them."""

DIMENSIONS = [
    *((Format.MJLOG, name, make) for name, make in (XML | ROOTS).items()),
    *((Format.TENHOU6, name, make) for name, make in JSON.items()),
    *(
        (kind, "depth", lambda size, begin=begin: begin + b"[" * (size // 2) + b"]" * (size // 2))
        for kind, begin in DEEP.items()
    ),
]


def seconds_of_four(read: Callable[[], object]) -> float:
    """Seconds that four readings take, by as many of them as it needs to tell."""
    gc.collect()
    start = time.process_time()
    count = 0
    while count < 4 and (count == 0 or time.process_time() - start < SURE):
        read()
        count += 1
    return (time.process_time() - start) * 4 / count


def seconds(read: Callable[[], object]) -> float:
    """Seconds that one reading takes."""
    gc.collect()
    start = time.process_time()
    read()
    return time.process_time() - start


def check_growth(small: Callable[[], object], big: Callable[[], object]) -> None:
    """Read something four times, and something four times its size once: neither takes far longer."""
    for _ in range(TRIES):
        before, after = seconds_of_four(small), seconds(big)
        most = 2 * before + NOISE
        if after < most:
            return
    raise AssertionError(f"{after:.2f} s at once, {before:.2f} s in four parts; at most {most:.2f} s")


def check_growth_of_text(kind: Format, make: Text, size: int) -> None:
    small, big = make(size), make(4 * size)
    assert 3 < len(big) / len(small) < 4.5, "it grows as it should"
    check_growth(
        lambda: read_unit([Document("x", small, kind)]), lambda: read_unit([Document("x", big, kind)])
    )


def steps(read: Callable[[], object]) -> int:
    """Count the lines of Python that run."""
    count = 0

    def trace(_frame: FrameType, _event: str, _argument: object) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        read()
    finally:
        sys.settrace(before)
    return count


MOST = 2.6
"""Of how many times as many steps twice as much may take: the square takes four times as many."""
FEW = 3000
"""Steps that make no difference."""


def check_steps(read: Callable[[int], Callable[[], object]], size: int) -> None:
    """Count the steps of reading some text, twice as much and four times as much.

    What the second adds to the first is half of what the third adds to the second.
    """
    readings = [read(factor * size) for factor in (1, 2, 4)]
    readings[-1]()  # what is remembered from one reading to the next is by now
    first, second, third = map(steps, readings)
    assert third - second < MOST * max(second - first, 0) + FEW, (first, second, third)


def of_text(kind: Format, make: Text) -> Callable[[int], Callable[[], object]]:
    """What reads a text of some size; compiled code, which reads mjlog's own spelling, has no lines."""

    def read(size: int) -> Callable[[], object]:
        text = make(size).replace(b"<mjloggm ", b"<mjloggm  ")
        return lambda: read_unit([Document("x", text, kind)])

    return read


@pytest.mark.every(60)
@pytest.mark.parametrize(
    ("kind", "name", "make"), DIMENSIONS, ids=[f"{k.name}-{n}" for k, n, _ in DIMENSIONS]
)
def test_steps_grow_with_the_size(kind: Format, name: str, make: Text) -> None:
    check_steps(of_text(kind, make), STEPPED)


STEPPED = 40_000
"""Bytes; a look back at the last events of a hand no longer grows by then."""
REPEATED = 300
"""Cells; of hands and games, in which nothing looks back at the last events, fewer do."""
BIG = 1000
"""Bytes."""


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in (*WRITERS, *MADE) if name not in TEXTS])
def test_steps_grow_with_each_cell_of_a_record(name: str) -> None:
    """Each kind of event, hand, tile and result stands there very often."""
    rules = {"riichicity": "riichi-city", "mleague": "mleague"}.get(name, "tenhou")
    batch = simulated(rules, 2)
    if name in MADE:
        text, kind = MADE[name][0](batch), MADE[name][1]
    else:
        text, kind = b"".join(WRITERS[name].games(batch)), WRITERS[name].format
    tried = 0
    for what, make in with_repeated_cells(name, text):
        tried += 1
        one = len(make(1)) - len(make(0))
        try:
            check_steps(of_text(kind, make), REPEATED if one < BIG else REPEATED // 8)
        except AssertionError as error:
            raise AssertionError(what) from error
    assert tried > 3


def test_steps_of_the_square_are_noticed() -> None:
    def quadratic(size: int) -> Callable[[], object]:
        return lambda: [at for at in range(size) for _ in range(at)]

    def linear(size: int) -> Callable[[], object]:
        return lambda: [at for at in range(size) for _ in range(10)]

    check_steps(linear, 400)
    with pytest.raises(AssertionError):
        check_steps(quadratic, 400)


# --- logs in other texts ----------------------------------------------------------------------------------

SURROUNDED = {
    "pages without an end": "UMP_PLAYER.init('[{",
    "pages of nothing": "UMP_PLAYER.init('[{}]'",
    "pages with one list": "UMP_PLAYER.init(",
    "dates": """UMP_PLAYER.init('[{"a":1}]' id="dateTime\"""",
    "escaped marks": "{&quot;log&quot;:",
    "escaped lists": "{&quot;log&quot;:[1,",
    "marks": '{"title":',
    "objects": '{"title":"a"},',
    "lists": '{"title":[1,2,',
    "depth": '{"log":[[',
    "blanks": '{"log":        ',
    "lines": '{"log":\n\n\n\n',
    "digits": '{"log":' + "1" * 5000,
    "strings without an end": '{"log":1,\'',
    "roots": "<mjloggm ",
    "addresses": "#json=",
    "addresses with objects": '#json={"a":1',
    "escaped addresses": "#json=%7B",
    "one address": "#json=%7B%22",
    "entities": "&amp;",
    "ids": "?log=2022010503gm-00a9-0000-6ebd44bf ",
    "ids of another list": '[{"modeId":1,"uuid":"',
}


@pytest.mark.every(11)
@pytest.mark.parametrize("what", SURROUNDED)
def test_the_search_for_logs_grows_with_the_text(what: str) -> None:
    """It counts by itself how many characters it looks at, which Python's lines do not show."""

    def search(size: int) -> Search:
        begin = "" if what != "pages with one list" else "'[{\"a\": 1}]'"
        found = Search(SURROUNDED[what] * (size // len(SURROUNDED[what])) + begin)
        list(found.logs())
        return found

    first, second = search(100_000), search(200_000)
    assert second.steps < 2.2 * first.steps + 70_000
    assert second.steps < 17 * 200_000 + 200_000, "the budget ends it"
    check_steps(partial(of_pipe, SURROUNDED[what]), 20_000)


def of_pipe(piece: str, size: int) -> Callable[[], object]:
    """What reads a pipe that has a piece of text over and over."""
    data = piece.encode() * (size // len(piece))
    return lambda: list(iter_documents(["-"], stdin=io.BytesIO(data)))


LAZY = re.compile(r"[*+?}]\?")


def test_no_pattern_of_a_reader_is_lazy() -> None:
    """A lazy pattern over a stranger's text reads it to the end for each place where it might begin."""
    root = Path(paifu.parsers.__path__[0])
    found, patterns = [], 0
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in PATTERN_CALLS and node.args:
                for part in ast.walk(node.args[0]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str | bytes):
                        text = part.value if isinstance(part.value, str) else part.value.decode("latin-1")
                        patterns += 1
                        found += [f"{path.name}: {text}"] if LAZY.search(re.sub(r"\\.", "", text)) else []
    assert patterns > 60
    assert found == []


PATTERN_CALLS = {"compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "split"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("kind", "name", "make"), DIMENSIONS[::5], ids=[f"{k.name}-{n}" for k, n, _ in DIMENSIONS[::5]]
)
def test_time_grows_with_the_size(kind: Format, name: str, make: Text) -> None:
    """Some of the dimensions."""
    check_growth_of_text(kind, make, SIZE)


@pytest.mark.full
@pytest.mark.parametrize("count", [101, 1000, 200_000])
@pytest.mark.parametrize("around", [plain, other])
def test_hands_before_an_element_with_too_many_attributes_are_kept(
    count: int, around: Callable[[bytes], bytes]
) -> None:
    attributes = b" ".join(b'a%d="1"' % n for n in range(count))
    text = around(START + INIT + b"<T53/><D53/>" + b"<AGARI %b/>" % attributes + INIT)
    batch = read_unit([Document("x", text, Format.MJLOG)])
    assert len(batch.hands) == 1
    (reason,) = batch.faults.reason
    assert f"has {count} attributes" in reason
    assert "<AGARI>" in batch.faults.place[0]
    assert "hands before this place were kept" in batch.faults.hint[0]


@pytest.mark.full
@pytest.mark.parametrize("around", [plain, other])
def test_as_many_attributes_as_any_log_has_are_read(around: Callable[[bytes], bytes]) -> None:
    attributes = b" ".join(b'a%d="1"' % n for n in range(98))
    batch = read_unit([Document("x", around(START + INIT + b"<ZZ %b/>" % attributes), Format.MJLOG)])
    assert [str(reason) for reason in batch.faults.reason] == ["unknown element <ZZ>"]
