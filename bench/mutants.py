"""Would the tests notice a wrong line? Changes lines one at a time, and runs the tests that reach them.

    python bench/mutants.py trace [--folder DIR] [-j 2]
    python bench/mutants.py run [--sample 800] [--seed 1] [--only PART] [--patience 60] [--fresh]
                           [--folder DIR] [-j 2]
    python bench/mutants.py again, with the options of run

``trace`` runs all tests once, with kernels interpreted, and takes down in DIR which test reaches which line
(Python 3.12 or newer). What DIR holds already it leaves out, so that it can be stopped.
``run`` makes SAMPLE changes in ``replay/``, ``parsers/`` and ``reports/metrics/`` (or in modules with PART
in their path), spread over the modules by their lines, each in the memory of a process of its own: no file
changes. It runs the tests that reach the line until one fails, for PATIENCE seconds at most, and prints the
score of each module and the changes that nobody noticed. At the end each test that noticed something runs
without a change: what fails then has noticed nothing. Functions get their new code in a fork of a process
that has all tests ready; what is made while modules are imported needs a process that imports them anew.
``mutants_equivalent.toml`` lists those that change no result. DIR keeps what came of each, so that a run can
be stopped, too.
``again`` tries those of the sample that nobody noticed once more, with tests that did not run with them yet:
those for which PATIENCE did not last, and those that were written and traced since. With ``--fresh``, each
has a process of its own from the start.

A change on a line that runs while a module is imported is tested by whatever reaches the module, or one that
imports it. Tests in processes of their own notice nothing, for those run the files; nor does a test that
compiles.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import multiprocessing.connection
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from multiprocessing.connection import Connection
from pathlib import Path

from mutant_choice import Mutant, Outcome, Trace, outcomes_in, passed_in, sample, unsound_in
from mutant_forks import work_in_forks
from mutant_processes import sound, work
from mutant_tests import ROOT

LEFT_OUT = [
    "test_architecture.py", "test_bounds_of_kernels.py", "test_doc_examples.py", "test_mutants.py",
    "test_report_browser.py", "test_site.py", "test_streams.py",
]  # fmt: skip
"""Tests of sources, of compiling, of browsers, of processes and of this program notice nothing here."""


def outcomes(
    mutants: list[Mutant], folder: Path, patience: float, jobs: int, *, in_forks: bool
) -> Iterator[Outcome]:
    """Yield what comes of mutants, as it comes."""
    tried = set()
    for outcome in _received([_started(work_in_forks, mutants, folder, patience, jobs)] if in_forks else []):
        tried.add(outcome.mutant)
        yield outcome
    left = [mutant for mutant in mutants if mutant not in tried]
    parts = [left[number::jobs] for number in range(jobs)]
    yield from _received([_started(work, part, folder, patience) for part in parts])


def _started(target: Callable[..., None], *arguments: object) -> Connection:
    """Start a process that sends outcomes; return where they arrive."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    multiprocessing.get_context("fork").Process(target=target, args=(*arguments, sender)).start()
    sender.close()
    return receiver


def _received(receivers: list[Connection]) -> Iterator[Outcome]:
    while receivers:
        ready = multiprocessing.connection.wait(receivers)
        for receiver in [one for one in receivers if one in ready]:
            try:
                yield receiver.recv()
            except EOFError:
                receivers.remove(receiver)


def trace_tests(folder: Path, jobs: int) -> None:
    """Run all tests that need no compiler, and take down which lines they reach."""
    folder.mkdir(parents=True, exist_ok=True)
    ignored = [f"--ignore=tests/{name}" for name in LEFT_OUT]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "mutant_tests",
            "-W",
            "ignore",
            "-n",
            str(jobs),
            *ignored,
        ],
        cwd=ROOT,
        env=environment() | {"PAIFU_TRACE": str(folder)},
        check=False,
    )


def environment() -> dict[str, str]:
    """Return the environment in which tests run: interpreted, and able to find the plugin."""
    return os.environ | {"PAIFU_KERNELS": "python", "PYTHONPATH": str(Path(__file__).parent)}


def leave_out_unsound(tried: list[Mutant], noticed_by: dict[str, str], folder: Path) -> None:
    """Take back what tests noticed that fail without a change, too, and leave these out from now on."""
    found = {noticed_by.get(mutant.key, "") for mutant in tried}
    noticing = sorted(test for test in found if "::" in test)
    unsound = set(noticing) - sound(noticing, Trace(folder))
    if not unsound:
        return
    taken_back = [key for key, test in noticed_by.items() if test in unsound]
    for key in taken_back:
        del noticed_by[key]
    (folder / "unsound.json").write_text(json.dumps(sorted(unsound_in(folder) | unsound), indent=0))
    print(f"\n{len(unsound)} tests fail without a change; {len(taken_back)} changes are to be tried again:")
    print(*sorted(unsound), sep="\n")


def report(tried: list[Mutant], noticed_by: Mapping[str, str]) -> None:
    """Print the score of each module, and who survived."""
    number, noticed = Counter[str](), Counter[str]()
    for mutant in tried:
        number[mutant.module] += 1
        noticed[mutant.module] += bool(noticed_by[mutant.key])
    print(f"\n{'module':50}{'mutants':>8}{'noticed':>9}")
    for module in sorted(number):
        print(f"{module:50}{number[module]:8}{noticed[module]:9}")
    print(f"{'all':50}{number.total():8}{noticed.total():9}  {noticed.total() / max(1, number.total()):.1%}")
    print("\nNot noticed:")
    for mutant in tried:
        if not noticed_by[mutant.key]:
            print(mutant)


def main() -> None:
    """Trace, or try mutants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("step", choices=["trace", "run", "again"])
    parser.add_argument("--folder", type=Path, default=ROOT / ".mutants")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sample", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--patience", type=float, default=60)
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    os.chdir(ROOT)
    os.environ.update(environment())
    if options.step == "trace":
        trace_tests(options.folder, options.jobs)
        return
    kept = options.folder / "outcomes.json"
    before, passed = outcomes_in(options.folder), passed_in(options.folder)
    tried = sample(options.sample, options.seed, options.only)
    wanted = "" if options.step == "again" else None
    mutants = [mutant for mutant in tried if before.get(mutant.key) == wanted]
    random.Random(options.seed).shuffle(mutants)  # noqa: S311  so that each process has some of all
    found = outcomes(mutants, options.folder, options.patience, options.jobs, in_forks=not options.fresh)
    for number, outcome in enumerate(found, 1):
        what = outcome.noticed_by or f"NOT NOTICED by {outcome.ran} of {outcome.tests}"
        print(f"{number}/{len(mutants)} {outcome.seconds:5.1f} s  {outcome.mutant}    {what}", flush=True)
        before[outcome.mutant.key] = outcome.noticed_by
        passed[outcome.mutant.key] = [*passed.get(outcome.mutant.key, ()), *outcome.passed]
        kept.write_text(json.dumps(before, indent=0))
        (options.folder / "passed.json").write_text(json.dumps(passed))
    leave_out_unsound(tried, before, options.folder)
    kept.write_text(json.dumps(before, indent=0))
    report([mutant for mutant in tried if mutant.key in before], before)


if __name__ == "__main__":
    main()
