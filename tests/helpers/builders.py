"""Made-up logs, batches and drafts for the tests of parsers and of the replay model.

The deal is always the same: seat 0 holds the ids 0-12, seat 1 the ids 13-25, and so on; the wall begins
with id 52 and the first dora indicator is id 135.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from paifu.parsers.dataset.arrow import from_arrow
from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.model.batch import (
    TABLES,
    Batch,
    Column,
    Faults,
    Games,
    HandDraws,
    Hands,
    RiichiScores,
    Table,
    Wins,
)
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, EventKind, HandEnd, pack
from paifu.replay.model.tiles import IDS, NO_TILE, TILES

# --- mjlog ---------------------------------------------------------------------------------------------

GO = '<GO type="9" lobby="0"/>'
GO_SANMA = '<GO type="25" lobby="0"/>'
UN = '<UN n0="%61" n1="%62" n2="%63" n3="%64" dan="0,1,2,3" rate="1500,1600,1700,1800" sx="M,F,C,M"/>'
OYA = '<TAIKYOKU oya="0"/>'
HEAD = GO + UN + OYA
HEAD_SANMA = GO_SANMA + UN.replace('"%64"', '""') + OYA
OWARI = "250,0.0,250,0.0,250,0.0,250,0.0"


def tag(element: str, **attributes: object) -> str:
    """One element; an attribute of None is left out, and a name may end in ``_``."""
    given = "".join(
        f' {name.rstrip("_")}="{value}"' for name, value in attributes.items() if value is not None
    )
    return f"<{element}{given}/>"


def init(*, players: int = 4, **changes: object) -> str:
    """The start of a hand, with other or further attributes as given."""
    hands = {f"hai{s}": ",".join(map(str, range(13 * s, 13 * s + 13))) for s in range(players)}
    ten = "250,250,250,250" if players == 4 else "350,350,350,0"
    return tag("INIT", **({"seed": "0,0,0,1,2,135", "ten": ten, "oya": 0, **hands} | changes))


def turns(count: int, first: int = 52, players: int = 4) -> str:
    """So many draws, each discarded at once, from seat 0 on."""
    return "".join(
        f"<{'TUVW'[n % players]}{first + n}/><{'DEFG'[n % players]}{first + n}/>" for n in range(count)
    )


def agari(**changes: object) -> str:
    """A win by seat 1 on the 52 that seat 0 discarded, with other or further attributes as given."""
    common: dict[str, object] = {
        "ba": "0,0",
        "hai": "13,14,52",
        "machi": 52,
        "ten": "30,1000,0",
        "yaku": "8,1",
        "doraHai": 135,
        "who": 1,
        "fromWho": 0,
        "sc": "250,-10,250,10,250,0,250,0",
    }
    return tag("AGARI", **(common | changes))


def ryuukyoku(**changes: object) -> str:
    """An exhaustive draw in which nobody is tenpai, with other or further attributes as given."""
    return tag("RYUUKYOKU", **({"ba": "0,0", "sc": "250,0,250,0,250,0,250,0"} | changes))


def mjlog(*elements: str, version: str = "2.3") -> bytes:
    """A root with these elements."""
    return f'<mjloggm ver="{version}">{"".join(elements)}</mjloggm>'.encode()


def deal(number: int) -> dict[str, str]:
    """The hands of seats 2 and 3, with other tiles for each number, so that no hand is a copy of another."""
    hands = {2: list(range(26, 39)), 3: list(range(39, 52))}
    if number:
        a, b, c, d = (number // 9**place % 9 * 4 for place in range(4))
        hands[2][2], hands[2][6], hands[3][1], hands[3][5] = 60 + a, 96 + b, 61 + c, 97 + d
    return {f"hai{seat}": ",".join(map(str, ids)) for seat, ids in hands.items()}


def game(number: int = 0, hands: int = 2) -> bytes:
    """A whole game that ends; its first player, its lobby and its deals are told apart by ``number``."""
    name = "".join(f"%{byte:02X}" for byte in f"player {number}".encode())
    head = GO.replace('lobby="0"', f'lobby="{number}"') + UN.replace("%61", name) + OYA
    middle = [
        init(seed=f"0,{hand},0,1,2,135", **deal(3 * number + hand)) + turns(8) + ryuukyoku(ba=f"{hand},0")
        for hand in range(hands - 1)
    ]
    last = init(seed=f"0,{hands - 1},0,1,2,135", **deal(3 * number + hands - 1))
    return mjlog(head, *middle, last, turns(1), agari(owari=OWARI))


def read(*texts: bytes, name: str = "x.mjlog", format_: Format = Format.MJLOG) -> Batch:
    """The batch of some texts, each a document of that name."""
    return read_unit([Document(name, text, format_) for text in texts])


def faults(batch: Batch) -> list[tuple[str, str, str, str]]:
    """Place, code, reason and hint of each fault."""
    rows = batch.faults
    return list(zip(rows.place, rows.code, rows.reason, rows.hint, strict=True))


# --- random drafts -------------------------------------------------------------------------------------

CODES = (*range(IDS), *range(CODE_OF_TILE, CODE_OF_TILE + TILES), NO_TILE)
"""All that a tile code can be."""
SEATS = (0, 1, 2, 3, 255)

_OF_BUILDER = {"game", "hand", "event", "hand_begin", "hand_end", "event_begin", "event_end", "end"}
"""Columns that drafts and builder fill themselves."""
_PLAIN_KINDS = [k for k in EventKind if k not in (EventKind.WIN, EventKind.HAND_DRAW, EventKind.RIICHI_PAID)]


def _scalars(column: Column) -> st.SearchStrategy[Any]:
    if column.is_code:
        return st.sampled_from(CODES)
    if column.dtype == "str":
        return st.text(max_size=8)
    if column.dtype == "bool":
        return st.booleans()
    if column.dtype == "float64":
        return st.floats()
    low, high = {"uint8": (0, 255), "int8": (-128, 127), "int16": (-(2**15), 2**15 - 1)}.get(
        column.dtype, (-(2**31), 2**31 - 1)
    )
    return st.integers(low, high)


def _cells(column: Column) -> st.SearchStrategy[Any]:
    scalars = _scalars(column)
    if not column.width:
        return scalars
    if column.dtype in ("uint8", "int8"):
        return st.lists(scalars.map(lambda n: n & 255), max_size=column.cells).map(bytes)
    return st.lists(scalars, min_size=column.cells, max_size=column.cells)


def rows(table: type[Table], fixed: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Rows of a draft: any columns with any values, and those of ``fixed`` always."""
    columns = table.columns()
    twins = {column.name + "_id" for column in columns if column.is_code}
    free = {c.name: _cells(c) for c in columns if c.name not in _OF_BUILDER | twins | fixed.keys()}
    return st.fixed_dictionaries(fixed, optional=free)


SEAT = st.sampled_from(SEATS)
WORDS = st.one_of(
    st.just(0),
    st.builds(
        pack,
        st.sampled_from(_PLAIN_KINDS),
        SEAT,
        st.sampled_from(CODES),
        SEAT,
        st.lists(st.sampled_from(CODES), max_size=3).map(tuple),
        st.integers(0, 3),
    ),
)
"""Packed events of any kind without a row of its own, and 0 for no event."""

_RED_IDS = st.sampled_from([(), (16, 52, 88), (16, 17, 52, 88)])
_HAND_ROWS = rows(Hands, {})
_WIN_ROWS = rows(Wins, {"seat": SEAT, "source": SEAT})
_DRAW_ROWS = rows(HandDraws, {"kind": st.sampled_from([int(end) for end in HandEnd])})
_SCORES = next(_cells(column) for column in RiichiScores.columns() if column.name == "scores")


@st.composite
def drafts(draw: st.DrawFn) -> GameDraft:
    """A game whose rows say anything that their columns can hold, in any order that a draft allows."""
    draft = GameDraft(draw(rows(Games, {})), draw(_RED_IDS))
    for what in draw(st.lists(st.sampled_from(["event", "event", "event", "hand", "win", "draw", "riichi"]))):
        at = len(draft.words)
        draft.words.append(draw(WORDS))
        if what == "hand":
            draft.begin_hand(at, draw(_HAND_ROWS))
        elif what == "riichi":
            draft.riichi_paid(at, draw(SEAT), draw(st.none() | _SCORES))
        elif what == "win" and draft.hands:
            draft.win(at, draw(_WIN_ROWS))
        elif what == "draw" and draft.hands:
            draft.hand_draw(at, draw(_DRAW_ROWS))
    return draft


FAULT_ROWS = st.fixed_dictionaries({column.name: st.text(max_size=8) for column in Faults.columns()})


def build(some: Iterable[GameDraft], fault_rows: Iterable[dict[str, str]] = ()) -> Batch:
    """The batch of some drafts and faults."""
    builder = BatchBuilder()
    for draft in some:
        builder.add(draft)
    for row in fault_rows:
        builder.add_fault(**row)
    return builder.finish()


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """A batch of any drafts and faults."""
    return build(draw(st.lists(drafts(), max_size=4)), draw(st.lists(FAULT_ROWS, max_size=3)))


def batch_from_arrow(tables: dict[str, pa.Table]) -> Batch:
    """The batch that was turned into Arrow tables, by their names."""
    return Batch(**{kind.NAME: from_arrow(kind, tables[kind.NAME]) for kind in TABLES})  # type: ignore[arg-type]


def assert_sound(batch: Batch) -> None:
    """Every column has the dtype and shape of its declaration, and every row number points into its table."""
    for table in batch.tables():
        for column in table.columns():
            array = getattr(table, column.name)
            assert array.dtype == column.numpy_dtype(), f"{table.NAME}.{column.name}"
            assert array.shape == (len(table), *column.width), f"{table.NAME}.{column.name}"
    for table, name, other in (
        (batch.wins, "event", batch.events),
        (batch.hand_draws, "event", batch.events),
        (batch.riichi_scores, "event", batch.events),
        (batch.wins, "hand", batch.hands),
        (batch.hand_draws, "hand", batch.hands),
        (batch.hands, "game", batch.games),
        (batch.wins, "game", batch.games),
        (batch.hand_draws, "game", batch.games),
    ):
        numbers = getattr(table, name)
        assert ((numbers >= 0) & (numbers < len(other))).all(), f"{table.NAME}.{name}"
