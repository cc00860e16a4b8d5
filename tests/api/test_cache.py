"""Results that are kept from run to run: what is read again is what was made, and never of anything else."""

from __future__ import annotations

import os
import shutil
from array import array
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from paifu.api import cache
from paifu.api import report as gathering
from paifu.api.kept_values import read, spelt, written
from paifu.api.pipeline import SILENT, Watch
from paifu.api.report import gather_all
from paifu.api.rules import rulesets_for_replay
from paifu.parsers.read import iter_units
from paifu.replay import source_hash
from paifu.replay.array_files import npz
from paifu.replay.comparison.copies import Copies, GameKey
from paifu.replay.findings.finding import Severity
from paifu.reports.metrics.counters import Spellings
from paifu.reports.pages.report import report, wanted

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "scenarios"
PLAYER = "Botan"


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, -1.5, float("-inf"), "", "日本", [1, [2]], (), (1, (2,)), {1: "a", (2,): "b"},
        Counter(a=2), frozenset({"b", "a"}), range(1, 9, 2), b"\0\xff", array("Q", [2**64 - 1]),
        Severity.MISTAKE, GameKey("a", array("Q", [5]), 3),
    ],
)  # fmt: skip
def test_a_value_is_read_as_it_was_written(value: object) -> None:
    found = read(written(value, {}))
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "values",
    [
        np.arange(6, dtype=np.int16).reshape(2, 3),
        np.zeros((0, 4)),
        np.array(["a", "é"], object),
        np.array(1.5),
    ],
)
def test_an_array_is_read_as_it_was_written(values: np.ndarray[Any, Any]) -> None:
    found = read(written([values], {}))[0]
    assert (found.dtype, found.shape, found.tolist()) == (values.dtype, values.shape, values.tolist())
    assert found.flags.writeable


def test_an_instance_that_is_there_twice_is_one_again() -> None:
    one = GameKey("a", array("Q"))
    first, second = read(written([one, one], {}))
    assert first is second


@pytest.mark.parametrize("value", [object(), SILENT, {1, 2}, np.int64(3), 1j])
def test_other_values_are_not_kept(value: object) -> None:
    with pytest.raises(TypeError):
        written(value, {})


@pytest.mark.parametrize(
    "tree",
    [
        [["new", 0, "true"], ["os:system"], []],
        [["new", 0, "true"], ["paifu.parsers.output_files:write_file"], []],
        [["new", 0, "true"], ["paifu.api.cache:Kept"], []],
        [["partial", ["function", "os", "system"], ["tuple", "true"], ["dict"]], [], []],
        [["array", 0], [], [["|O", [1]]]],
    ],
)
def test_reading_calls_nothing_but_classes_of_values(tree: object) -> None:
    parts = {"tree": np.frombuffer(orjson.dumps(tree), np.uint8), "data": np.zeros(8, np.uint8)}
    with pytest.raises((TypeError, KeyError, ValueError)):
        read(npz(parts, {}))


def test_work_is_spelt_with_all_its_options() -> None:
    asked = [wanted(PLAYER, Spellings({}, names)) for names in ([PLAYER], [PLAYER, "Aki"])]
    texts = [spelt(partial(gathering._gathered, one)) for one in asked]
    assert texts[0] != texts[1]
    assert texts[0] == spelt(partial(gathering._gathered, asked[0]))


class Pages:
    """Makes pages of small units, and counts those that were worked on."""

    def __init__(self, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.logs = logs
        self._worked: list[int] = []
        self._made: dict[str, str] = {}
        gathered = gathering._gathered

        def counting(*arguments: Any) -> Any:
            self._worked.append(len(arguments[1].batch))
            return gathered(*arguments)

        monkeypatch.setattr(gathering, "_gathered", counting)
        for name in ("cache", "pipeline"):
            monkeypatch.setattr(f"paifu.api.{name}.iter_units", partial(iter_units, unit_items=3))
        self._monkeypatch = monkeypatch

    def page(
        self, player: str = PLAYER, rules: str | None = None, watch: Watch = SILENT
    ) -> tuple[str, list[int]]:
        """Make a page; returns it, and how many games each unit had that was worked on."""
        self._worked.clear()
        given = rulesets_for_replay(rules, ())
        done = gather_all([self.logs], wanted(player), rules=given, watch=watch)
        return report(done.gathered, player).html, self._worked[:]

    def checked(self, **options: Any) -> list[int]:
        """Make a page with kept results and without, which must be the same; returns what was worked on."""
        page, worked = self.page(**options)
        case = str((sorted(self.logs.iterdir()), options))
        with self._monkeypatch.context() as apart:
            apart.setenv(cache.VARIABLE, "")
            assert page == (self._made.get(case) or self._made.setdefault(case, self.page(**options)[0]))
        return worked


def put(numbers: range, folder: Path) -> None:
    logs = sorted(SAMPLES.iterdir())[::5]  # no two of them have a hand in common
    for number in numbers:
        shutil.copy(logs[number], folder)


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pages:
    (tmp_path / "logs").mkdir()
    put(range(4), tmp_path / "logs")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    return Pages(tmp_path / "logs", monkeypatch)


def test_only_what_is_new_is_worked_on(pages: Pages, tmp_path: Path) -> None:
    put(range(4, 11), pages.logs)
    logs = sorted(path for path in pages.logs.iterdir())
    apart = logs[1], logs[6]
    for log in apart:
        log.rename(tmp_path / log.name)
    assert pages.checked() == [3, 3, 3]
    assert pages.checked() == []
    for log in apart:
        (tmp_path / log.name).rename(log)
    assert pages.checked() == [2]
    logs[2].unlink()
    assert pages.checked() == [2]
    assert pages.checked(rules="mleague") == [3, 3, 3, 1]


def test_copies_count_once_as_in_a_first_run(pages: Pages) -> None:
    told = list[list[str]]()

    class Told(Watch):
        def counted_once(self, copies: Copies) -> None:
            told.append(list(copies.lines()))

    watch = Told()
    put(range(4, 7), pages.logs)
    pages.checked()
    first, *_, last = sorted(pages.logs.iterdir())
    shutil.copy(last, first.with_name(f"0{last.name}"))
    assert len(pages.checked(watch=watch)) > 3  # that of the bounds moved, and the one that has it again
    assert pages.checked(watch=watch) == []
    assert told[0]
    assert told == [told[0]] * 3


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def another(path: Path) -> None:
    path.write_bytes(max(path.parent.iterdir()).read_bytes() if path < max(path.parent.iterdir()) else b"")


@pytest.mark.every(4)
@pytest.mark.parametrize(
    "harm", [cut, another, lambda path: path.write_bytes(b""), lambda path: (path.unlink(), path.mkdir())]
)
def test_a_file_that_is_no_result_is_passed_over(
    harm: Callable[[Path], object], pages: Pages, tmp_path: Path
) -> None:
    sizes = pages.checked()
    kept = sorted((tmp_path / "kept").rglob("*.npz"))
    assert len(kept) == len(sizes)
    harm(kept[0])
    assert pages.checked() in [[size] for size in sizes]
    if kept[0].is_file():
        assert pages.checked() == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything may be written to")
def test_a_folder_that_cannot_be_written_to_is_no_error(pages: Pages, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir(0o500)
    assert pages.checked() == pages.checked() != []


def test_a_file_in_place_of_the_folder_is_no_error(pages: Pages, tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"")
    assert pages.checked() == pages.checked() != []


def test_the_oldest_results_go(pages: Pages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages.page()
    kept = sorted((tmp_path / "kept").rglob("*.npz"))
    for place, path in enumerate(kept):
        os.utime(path, (place, place))
    monkeypatch.setattr(cache, "MOST_BYTES", sum(path.stat().st_size for path in kept) - 1)
    cache.Kept(read).tidy()
    assert [path.exists() for path in kept] == [False] + [True] * (len(kept) - 1)


def test_results_of_other_sources_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("api/cache.py", "coach/model.npz", "cli/report.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    monkeypatch.setattr(source_hash, "ROOT", tmp_path)

    def hashed() -> str:
        return source_hash.source_hash(cache._FLOORS)

    before = hashed()
    (tmp_path / "cli" / "report.py").write_text("1")
    assert hashed() == before
    (tmp_path / "coach" / "model.npz").write_bytes(b"1")
    assert hashed() != before
