"""Numbers of JSON logs: the least and the greatest that each may be are read, the next ones are faults."""

from __future__ import annotations

import copy
import gzip
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson
import pytest
from fuzzing import SAMPLES

from paifu.parsers.paifu_log.writer import PaifuGameWriter
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.model.batch import Batch

POINTS = (-10_000_000, 10_000_000)
COUNT = (0, 9_999)
RANGES: dict[Format, dict[str, tuple[int, int]]] = {
    Format.MJAI: {
        "kyoku": (1, 4), "oya": (0, 3), "honba": COUNT, "kyotaku": COUNT, "actor": (0, 3), "target": (0, 3),
        "fu": (0, 1000), "hora_points": (0, POINTS[1]), "scores": POINTS,
    },
    Format.MAJIANG: {
        "qijia": (0, 3), "jushu": (0, 3), "zhuangfeng": (0, 15), "changbang": COUNT, "lizhibang": COUNT,
        "l": (0, 3), "fu": (0, 1000), "hupai/0/fanshu": (0, 99), "hule/defen": (0, POINTS[1]),
        "fenpei": POINTS, "qipai/defen": POINTS, "baojia": (0, 3),
    },
    Format.MAJSOUL: {
        "chang": (0, 15), "ben": COUNT, "liqibang": COUNT, "score": POINTS,
        "part_point_1": POINTS, "total_point": POINTS, "fu": (0, 1000), "val": (0, 99), "title_id": (0, 100),
        "point_rong": (0, POINTS[1]), "baopai": (0, 4), "scores": POINTS,
    },
    Format.TENHOU6: {
        "log/0/0/1": COUNT, "log/0/0/2": COUNT, "log/0/1/0": POINTS,
        "log/0/16/1/0": POINTS, "log/0/16/2/0": (0, 3), "log/0/16/2/1": (0, 3), "log/0/16/2/2": (-1, 3),
    },
    Format.PAIFU: {
        "honba": COUNT, "sticks": COUNT, "first_dealer": (0, 3), "fu": (0, 1000),
        "points": POINTS, "go_type": (0, 2**31 - 1), "hands/0/scores": POINTS, "dan": (0, 127),
    },
}  # fmt: skip
"""The first number under a name, or at a path."""
OUTSIDE = [
    (Format.MAJSOUL, "ju", (-1, 4)),
    (Format.MAJSOUL, "froms/2", (-1, 4)),
    (Format.TENHOU6, "log/0/0/0", (-1, 64)),
]
"""Numbers that what follows has to fit, so that only those that are none can be tried alone."""
FILES = {
    Format.MJAI: "platforms/hanchan.mjson.gz",
    Format.MAJIANG: "platforms/hanchan.majiang.json.gz",
    Format.MAJSOUL: "platforms/hanchan-sha256.json.gz",
    Format.TENHOU6: "formats/hanchan.json",
    Format.PAIFU: "formats/hanchan.mjlog.gz",
}


@cache
def log_of(kind: Format) -> Any:
    path = SAMPLES / FILES[kind]
    if kind is Format.PAIFU:
        return [orjson.loads(next(PaifuGameWriter.games(next(iter(read_batches([path]))))))]
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [orjson.loads(line) for line in (text.splitlines() if kind is Format.MJAI else [text])]


def read(kind: Format, lines: list[Any]) -> Batch:
    text = b"\n".join(map(orjson.dumps, lines))
    return read_unit([Document("x", text, kind)])


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all numbers."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield path
    elif isinstance(value, dict | list):
        for key, cell in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(cell, (*path, key))


def is_named(path: tuple[Any, ...], name: str) -> bool:
    words = name.split("/")
    names = [str(step) for step in path]
    return any(names[at : at + len(words)] == words for at in range(len(names)))


def with_number(kind: Format, name: str, number: int) -> list[Any]:
    lines = copy.deepcopy(log_of(kind))
    path = next(path for path in numbers(lines) if is_named(path, name))
    at = lines
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = number
    return lines


CASES = [(kind, name) for kind, ranges in RANGES.items() for name in ranges]


@pytest.mark.every(4)
@pytest.mark.parametrize(("kind", "name"), CASES, ids=[f"{kind}-{name}" for kind, name in CASES])
def test_a_number_has_its_range(kind: Format, name: str) -> None:
    least, greatest = RANGES[kind][name]
    assert len(read(kind, log_of(kind)).faults) == 0
    for number in (least, greatest):
        assert read(kind, with_number(kind, name, number)).faults.reason.tolist() == []
    assert_faults(kind, name, (least - 1, greatest + 1))


@pytest.mark.parametrize(("kind", "name", "others"), OUTSIDE)
def test_a_number_outside_its_range(kind: Format, name: str, others: tuple[int, int]) -> None:
    assert_faults(kind, name, others)


def assert_faults(kind: Format, name: str, others: tuple[int, int]) -> None:
    for number in others:
        faults = read(kind, with_number(kind, name, number)).faults
        assert (faults.code.tolist(), str(number) in faults.reason[0]) == (["V105"], True), faults.reason
