"""Numbers that stand for "nothing" or "not stated" are for tables; no text, page or output shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, product
from pathlib import Path

import numpy as np
import pytest
from attacking import SENTINEL, with_unknowns
from command import call
from fuzzing import SAMPLES, Random
from paifu_texts import paifu_events_text

from paifu.parsers.read import read_batches
from paifu.replay.bounds import BoundsError
from paifu.replay.findings.review_sentences import review_cases
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import TABLES, UNKNOWN_POINTS, Batch
from paifu.replay.table.engine import replay
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import count
from paifu.reports.metrics.recording import records
from paifu.reports.tables.making import tables_of

pytestmark = pytest.mark.full

NOBODY = re.compile(r"(?<![\w.,])-?(254|255|127)(?![\w.,])")
"""Nobody, no tile, no yaku, no shanten. Points may be so, but not those of the sample logs."""
ID = re.compile(r"\(id \d+\)")


def said(batch: Batch) -> Iterator[tuple[str, str]]:
    """All texts of all findings, with where each stands."""
    replayed = replay(batch, review=True)
    for case in chain(cases(replayed), review_cases(replayed)):
        found = in_words(case)
        where = f"{found.source} {found.code} event {found.event}"
        for text in (found.message, found.expected, found.actual):
            if text is not None:
                yield where, ID.sub("", str(text))


@cache
def games() -> list[Batch]:
    folders = ("formats", "systems", "rulesets", "scenarios")
    batches = [batch for folder in folders for batch in read_batches([SAMPLES / folder])]
    return [batch.take(game) for batch in batches for game in range(len(batch))]


def less_said(count: int, seed: str) -> Iterator[Batch]:
    """Games of the sample logs that leave out what they stated."""
    rng = Random(seed)
    while count:
        batch = with_unknowns(rng.choice(games()), rng)
        if batch is not None:
            yield batch
            count -= 1


def test_findings_about_logs_that_say_less_show_no_sentinel() -> None:
    looked_at = 0
    for batch in less_said(350, "less"):
        for where, text in said(batch):
            assert not SENTINEL.search(text), (where, text)
            assert not NOBODY.search(text), (where, text)
            looked_at += 1
    assert looked_at > 1000


@pytest.fixture(scope="module")
def less(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of paifu logs that leave out what the sample logs state."""
    folder = tmp_path_factory.mktemp("less")
    written = 0
    for number, batch in enumerate(less_said(120, "written")):
        try:
            (folder / f"{number}.jsonl").write_bytes(paifu_events_text(batch))
            written += 1
        except (ValueError, BoundsError):  # what no log can leave out
            continue
    assert written > 100
    return folder


OUTPUTS = [
    *product(("verify", "review", "stats --all", "danger"), ("table", "json", "csv")),
    ("show", ""),
]  # fmt: skip


@pytest.mark.parametrize(("command", "form"), OUTPUTS)
def test_no_output_shows_a_sentinel(less: Path, command: str, form: str) -> None:
    options = ["--format", form] if form else []
    for path in (SAMPLES, less):
        result = call(*command.split(), path, *options)
        assert result.status in (0, 1), result.talk
        for line in (*result.text.splitlines(), *result.talk):
            assert not SENTINEL.search(line), line


def without_points(batch: Batch) -> Iterator[Batch]:
    """The batch without the points of each column, of its first row and of all."""
    for kind in TABLES:
        table = getattr(batch, kind.NAME)
        for column in kind.columns():
            if column.unknown != UNKNOWN_POINTS or not len(table):
                continue
            for rows in (0, slice(None)):
                values = getattr(table, column.name).copy()
                values[rows] = UNKNOWN_POINTS
                yield replace(batch, **{kind.NAME: replace(table, **{column.name: values})})


def test_no_statistic_counts_points_that_are_not_stated() -> None:
    """Of each log by itself: an average over many would hide them."""
    metrics, wrong, looked_at = list(CATALOGUE.values()), set(), 0
    for batch in games()[:8]:
        for less in without_points(batch):
            replayed = replay(less)
            found = records(replayed)
            sums = np.abs(count(found, metrics).whole[:, :2]).max(axis=1)
            wrong |= {metrics[number].name for number in np.flatnonzero(sums > 1_000_000_000)}
            for name, table in tables_of(replayed, found).items():
                for column in set(table.column_names) - {"key"}:
                    numbers = [cell for cell in table[column].to_pylist() if isinstance(cell, int | float)]
                    if max(map(abs, numbers), default=0) > 1_000_000_000:
                        wrong.add(f"{name}.{column}")
            looked_at += 1
    assert wrong == set()
    assert looked_at > 60
