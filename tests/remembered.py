"""What came of every sample log, remembered: ``python tests/remembered.py`` writes it down anew.

``remembered.json`` holds a checksum of each table that is made of each log: as it is read, replayed with the
review, decided, written and viewed; of each table of some simulated games; one for each of many damaged logs,
of all that is read and found out of it; and one for each statistic, of all logs. Whether these are right
other tests say; this one notices when any of them changes. After a change that is meant to change them, write
them down again, and look at the diff: it names the logs and the tables.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import astuple
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "helpers"))  # for whom runs this as a program

from fuzzing import MANGLE, SAMPLES, Random, mangled, mangled_report, read_log

from paifu.api.simulated import play_and_write
from paifu.coach.judgement.judged import judgements
from paifu.coach.judgement.policy import shipped_policy
from paifu.coach.judgement.policy_inputs import CALLS, boards, numbers_of
from paifu.coach.simulate.games import PLAYERS, Player, check_known
from paifu.parsers.errors import WriteError
from paifu.parsers.read import read_batches
from paifu.parsers.sources.detect import Format
from paifu.parsers.writers import WRITERS
from paifu.replay.findings.review_sentences import review_cases
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch, Table
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import PLAYED_SCHEMES
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, preset_names, rulesets_of, with_overrides
from paifu.replay.table.engine import replay
from paifu.replay.table.replayed import Replay
from paifu.replay.views.games import games
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import Chosen, count
from paifu.reports.metrics.recording import records

KEPT = Path(__file__).with_name("remembered.json")


def logs() -> list[str]:
    """All sample logs, by their path in the folder."""
    return sorted(path.relative_to(SAMPLES).as_posix() for path in SAMPLES.glob("*/*"))


REPORT = "report"
AT_A_TIME = 5
DAMAGED = [(kind, first) for kind in (*MANGLE, REPORT) for first in range(0, 100, AT_A_TIME)]
"""Formats and first numbers of the damaged logs; each line of the file has some of them."""
PLAYED = [name for name in preset_names() if load_preset(name).game.scheme in PLAYED_SCHEMES]
ALONE = {f"only {name}": name for name in PLAYERS}
"""Games of four players who do not differ."""


def kinds_under(rules: Ruleset) -> dict[str, Player]:
    """Return the kinds of players who play under some rules."""
    with suppress(ValueError):
        check_known(rules, PLAYERS.values())
        return dict(PLAYERS)
    return {name: kind for name, kind in PLAYERS.items() if not kind.strong}


SIMULATED = [
    (preset, players)
    for preset in PLAYED
    for players in (*PLAYERS, *ALONE)
    if ALONE.get(players, players) in kinds_under(load_preset(preset))
]
"""Rules of simulated games, and their players: the first of four who differ, or who all four are."""
SOUND = [log for log in logs() if not log.startswith("broken")]
Parts = Iterator[tuple[str, object]]
"""Names of what is made of a log, and plain values or arrays."""


def read(log: str) -> Batch:
    """Read a log as if it lay in the working directory."""
    batch = Batch.concatenate(list(read_batches([SAMPLES / log])))
    for table in (batch.games, batch.faults):
        table.source[:] = [Path(source).relative_to(SAMPLES).as_posix() for source in table.source]
    return batch


def damaged(kind: str, number: int) -> Batch:
    """Read a log of a format that went wrong in some places; all follows from the number."""
    rng = Random(f"remembered {kind} {number}")
    if kind == REPORT:
        text = gzip.decompress((SAMPLES / "platforms" / "report.json.gz").read_bytes())
        return read_log(mangled_report(text, rng), Format.MJAI)
    while True:
        batch = read(rng.choice(SOUND))
        with suppress(WriteError):  # a game that the format cannot state
            return mangled(batch.take(rng.randrange(len(batch))), kind, rng)


def _columns(table: Table) -> list[Any]:
    return [array for _, array in table.arrays()]


def as_read(batch: Batch) -> Parts:
    """The tables of a batch."""
    for table in filter(len, batch.tables()):
        yield table.NAME, _columns(table)


def replayed(batch: Batch) -> Parts:
    """What the engine finds out, and how findings are worded."""
    return _found_out(replay(batch, review=True))


def _found_out(found: Replay) -> Parts:
    assert found.review is not None
    tables = found.findings, found.player_hands, found.scored_wins, found.review.findings
    for table in filter(len, tables):
        yield table.NAME, _columns(table)
    yield "checked", astuple(found.checked)
    yield "danger", found.review.danger
    yield "words", [str(in_words(case)) for case in (*cases(found), *review_cases(found))]


def decided(batch: Batch) -> Parts:
    """The options of all decisions, in whole points what the choices lost, and what the policy reads."""
    rulesets = rulesets_of(batch)
    for number, one in enumerate(judgements(batch)):
        yield f"options {number}", _columns(one.table)
        yield f"best {number}", one.best
        yield f"loss {number}", round(float(one.loss.sum()), -1)
        made, table = one.chosen, one.table
        if len(made) and shipped_policy(int(batch.games.players[table.game[0]])) is not None:
            is_call = np.isin(table.option[made], CALLS)
            at = boards(batch, rulesets, table.hand[made], table.event[made], table.seat[made], is_call)
            numbers = numbers_of(at, one.cells, one.first)
            rounded = [np.rint(1000 * each) for each in numbers]
            yield f"read by the policy {number}", [part.astype(np.int32) for part in rounded]


def outcome_of_statistics() -> dict[str, str]:
    """A checksum of what each statistic counts of every player of all sample logs."""
    found = replay(Batch.concatenate([read(log) for log in logs()]), review=True)
    return _checksums(_counts(found))


def _counts(found: Replay) -> Parts:
    made = records(found)
    for name, metric in sorted(CATALOGUE.items()):
        sums = count(made, [metric], Chosen(("player",)))
        yield name, [sums.sums, sums.sizes, sums.keys, sorted(map(str, sums.bests.items()))]


def written(batch: Batch) -> Parts:
    """The games in every format that can hold them."""
    for target, writer in WRITERS.items():
        try:
            yield target, b"".join(writer.games(batch))
        except WriteError as error:
            yield target, str(error)


def viewed(batch: Batch) -> Parts:
    """Everything that the views of its hands tell."""
    for hand in (hand for game in games(batch) for hand in game.hands):
        told = hand.label, hand.scores, hand.dealt, hand.wins, hand.draw, hand.verdicts
        yield f"{hand.row}", [*map(astuple, hand.events), *map(str, told)]


STAGES: dict[str, Callable[[Batch], Parts]] = {
    one.__name__: one for one in (as_read, replayed, decided, written, viewed)
}


def outcome(log: str, stage: str) -> dict[str, str]:
    """The checksum of each thing that a stage makes of a log."""
    return _checksums(STAGES[stage](read(log)))


def _checksums(parts: Parts) -> dict[str, str]:
    return {name: f"{crc32(_plain(value)):08x}" for name, value in parts}


def outcome_of_simulated(preset: str, players: str) -> dict[str, str]:
    """A checksum of each table of a short game: of those who differ, from the first on in turn."""
    rules = load_preset(preset)
    known = kinds_under(rules)
    at = list(known).index(ALONE.get(players, players))
    if rules.game.scheme == Scheme.HAN_FU:
        rules = with_overrides(rules, {"wind_rounds": 1, "max_wind_rounds": 1})
    kinds = [*known.values(), *known.values()][at : at + 4]
    if players in ALONE:
        kinds = kinds[:1] * 4
    ((text, _),) = play_and_write([len(players)], rules, kinds, "paifu")
    batch = read_log(text, Format.PAIFU)
    return _checksums(chain(as_read(batch), replayed(batch)))


def outcome_of_damaged(kind: str, first: int) -> dict[str, str]:
    """A checksum of what is read and found out of each of some damaged logs, which are counted, too.

    How a library words that a text is not XML or JSON is left out.
    """
    found = {}
    for number in range(first, first + AT_A_TIME):
        batch = damaged(kind, number)
        batch.faults.reason[batch.faults.code == "V101"] = ""
        facts = replay(batch, review=True)
        parts = [*as_read(batch), *_found_out(facts)]
        count(
            records(facts), list(CATALOGUE.values()), Chosen(("player",))
        )  # a new statistic changes no line
        found[str(number)] = f"{crc32(_plain([_plain(value) for _, value in parts])):08x}"
    return found


def _plain(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, list):
        return b"\0".join(map(_plain, value))
    if not isinstance(value, np.ndarray):
        return str(value).encode()
    if value.dtype == object:
        return _plain(value.tolist())
    return (
        f"{value.dtype.kind} {value.shape} ".encode() + value.astype(value.dtype.newbyteorder("<")).tobytes()
    )


def remember() -> None:
    """Write it all down, in a line a test."""
    found = {f"{log}: {stage}": outcome(log, stage) for log in logs() for stage in STAGES}
    found |= {
        f"simulated {preset}: {players}": outcome_of_simulated(preset, players)
        for preset, players in SIMULATED
    }
    found |= {f"damaged {kind}: {first}": outcome_of_damaged(kind, first) for kind, first in DAMAGED}
    found |= {f"statistic {name}": value for name, value in outcome_of_statistics().items()}
    rows = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items())
    KEPT.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    remember()
