"""Verification: replay everything and say where logs break the rules or contradict themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

from paifu.api.once import OnceUnit
from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Done, Once, Paths, Run, Unit, Watch, unread
from paifu.parsers.read import Inputs
from paifu.replay.comparison.copies import RepeatedGame
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.finding import Finding, Selection
from paifu.replay.rulesets.presets import Given
from paifu.replay.table.replayed import Replay
from paifu.reports.findings.tally import Answer, Tally

if TYPE_CHECKING:
    from paifu.api.rules import Rules, Settings

ERROR = "error"


@dataclass(frozen=True, slots=True)
class ExplainedFinding:
    """A finding, and the lines that explain it if they are wanted."""

    finding: Finding
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found in some input, and how much was looked at; parts add up."""

    found: list[ExplainedFinding]
    tally: Tally

    def up_to_first_error(self) -> Verified:
        """Leave out what comes after the first error."""
        for number, found in enumerate(self.found, start=1):
            if found.finding.severity == ERROR:
                return Verified(self.found[:number], replace(self.tally, errors=1))
        return self


@dataclass(frozen=True, slots=True)
class Verification:
    """The findings of a verification, in the order of the input, and how much was looked at.

    It is true when something was checked, no error was found and everything could be read.
    """

    findings: list[Finding]
    tally: Tally
    copies: tuple[RepeatedGame, ...] = ()
    """Games that are there again, wholly or in part: verified, too, but counted once."""

    @property
    def answer(self) -> Answer:
        """``"sound"``, ``"wrong"``, or ``"nothing"`` where nothing could be checked."""
        return self.tally.answer

    def __bool__(self) -> bool:
        return self.answer == Answer.SOUND

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)


def verify(
    paths: Paths,
    *,
    rules: Rules | None = None,
    settings: Settings = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
) -> Verification:
    """Replay every hand and return all findings: illegal actions, wrong scores, walls that do not fit, ...

    ``rules`` replays under a preset, a TOML file or a :class:`Ruleset` instead of what each log names;
    ``settings`` changes single rules of it, or without ``rules`` of what each log names. ``select`` and
    ``ignore`` take codes or their beginnings (``"V3"``). Input that cannot be read is a finding, too.
    ``only`` are the games that count:
    ``paifu.Only(since="2024-05", rooms=["houou"])``. ``jobs`` is the number of worker processes, None for one
    a processor. Raises PathNotFound, RuleError, UnknownCodeError.

    >>> result = verify("sample_logs/formats/hanchan.mjlog.gz")
    >>> bool(result), result.tally.games, len(result.findings)
    (True, 1, 0)
    """
    from paifu.api.rules import rulesets_for_replay

    run = verifying(
        paths,
        rules=rulesets_for_replay(rules, settings),
        selection=selection_of(select, ignore),
        only=only,
        jobs=jobs,
    )
    findings: list[Finding] = []
    tally = Tally()
    for part in run:
        findings += [found.finding for found in part.found]
        tally += part.tally
    return Verification(findings, tally, tuple(run.copies.found))


def selection_of(select: Iterable[str], ignore: Iterable[str]) -> Selection:
    """Read which codes, or beginnings of codes, are wanted and which not. Raises UnknownCodeError."""
    if not (select or ignore):
        return Selection()
    from paifu.replay.findings.spoken import parse_selection

    return parse_selection(select, ignore)


def verifying(
    paths: Paths,
    *,
    rules: tuple[Given, ...] = (),
    selection: Selection | None = None,
    explain: bool = False,
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Run[Verified]:
    """Return a run that verifies: iterate over it for the findings of each unit of input.

    With ``explain`` each finding comes with the hand, and how a win is scored. Every file is verified; what
    is there twice counts once.
    """
    work = partial(_verify_unit, selection or Selection(), explain, rules, only)
    return Run(paths, work, jobs=jobs, watch=watch, once=Once.HANDS)


def _verify_unit(
    selection: Selection, explain: bool, rules: tuple[Given, ...], only: Only, unit: Unit
) -> Done[Verified]:
    """Read and verify a unit; the work of one process."""
    from paifu.replay.table.engine import replay

    batch, inputs, left_out = only.read(list(unit))
    replayed = replay(batch, *rules, player_hands=False)
    done = _verified(selection, explain, replayed, inputs)
    once = unit.without_copies(batch)[0] if isinstance(unit, OnceUnit) else batch
    if once is not batch:
        counted = Tally.of(replay(once, *rules, player_hands=False), files=inputs.files, errors=0)
        done = replace(done, tally=replace(counted, errors=done.tally.errors))
    return Done(done, len(batch), unread(batch.faults), left_out)


def _verified(selection: Selection, explain: bool, replayed: Replay, inputs: Inputs) -> Verified:
    faults = [
        (inputs.item_of_fault(row), ExplainedFinding(fault))
        for row, fault in enumerate(unread(replayed.batch.faults))
        if selection.wants(fault.code, is_fault=True)
    ]
    wanted = _wanted(selection, explain, replayed, inputs) if len(replayed.findings) else ()
    # In the order of the input, wherever the units end: a file's faults go before its findings.
    found = [one for _, one in sorted([*faults, *wanted], key=itemgetter(0))]
    errors = sum(one.finding.severity == ERROR for one in found)
    return Verified(found, Tally.of(replayed, files=inputs.files, errors=errors))


def _wanted(
    selection: Selection, explain: bool, replayed: Replay, inputs: Inputs
) -> Iterator[tuple[int, ExplainedFinding]]:
    """Yield the findings that are wanted, each with the position of its item."""
    from paifu.replay.findings.spoken import cases, in_words

    if explain:
        from paifu.reports.hands.evidence import evidence

    for case in cases(replayed):
        if selection.wants(code_of(case.code)):
            told = tuple(evidence(case)) if explain else ()
            yield inputs.item_of_game(case.game), ExplainedFinding(in_words(case), told)
