"""The examples of the documentation, read from its Markdown and run as a reader would run them.

What a fenced block is, follows from its language:

* ``sh``: a script. Each line is run and must exit with status 0.
* ``console``: a session. Lines after ``$ `` are run, the lines below each are its output (standard error
  included), in which ``...`` stands for any text.
* ``pycon`` is run by doctest, ``python`` as a script; blocks of one page share their names.
* ``toml``, ``json``, ``jsonl``, ``yaml`` and ``text`` are not run, and must not begin with a command.

Comments in the lines before a block say what cannot be read from it:

* ``<!-- exit: 1 -->``: the status of the last command, or of each (``<!-- exit: 0 1 -->``);
* ``<!-- file: friday.toml -->``: the block is written to this file;
* ``<!-- not run: why -->``: the block is shown only.

The commands of one page run in one folder, in order. It holds the files that :func:`make_folder` makes.

``python tests/doc_examples.py PAGE...`` writes today's output into the sessions of these pages, except where
``...`` leaves some of it out. With ``--check`` before the pages, it writes nothing, and ends with status 1
where something is not as shown.
"""

from __future__ import annotations

import doctest
import gzip
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import click

sys.path.insert(0, str(Path(__file__).parent / "helpers"))  # for whom runs this as a program

from case_data import EXAMPLE
from sources import database, zipped

from paifu.cli.__main__ import main
from paifu.parsers.read import read_batches
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "sample_logs" / "README.md",
        *(ROOT / "docs").rglob("*.md"),
    ]
)
RUN = frozenset({"sh", "console", "python", "pycon"})
SHOWN = frozenset({"toml", "json", "jsonl", "yaml", "text"})

_FENCE = re.compile(r"^( *)```(.*)$")
_COMMENT = re.compile(r"^ *<!-- (exit|file|not run): (.+) -->$")
_HELP_EXAMPLE = re.compile(r"^    (paifu .*)$", re.MULTILINE)
_PAGER = re.compile(r" \| less -R$")
"""What a pager is given is what the command prints."""
_BASH = re.compile(r"[|;&]")
_ELLIPSIS = doctest.ELLIPSIS


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, and what the comments before it say."""

    line: int
    """Of the fence, counted from 1."""
    language: str
    text: str
    exits: tuple[int, ...] = (0,)
    file: str = ""
    not_run: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command with what the page shows of its output; None where it shows none."""

    text: str
    output: str | None
    exit: int


def blocks(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    notes: dict[str, str] = {}
    lines = iter(enumerate(page.splitlines(), 1))
    for number, line in lines:
        if comment := _COMMENT.match(line):
            notes[comment[1]] = comment[2]
        elif fence := _FENCE.match(line):
            indent = len(fence[1])
            inside = []
            for _, text in lines:
                if text.strip() == "```":
                    break
                inside.append(text[indent:])
            yield Block(
                number,
                fence[2].strip(),
                "".join(f"{text}\n" for text in inside),
                tuple(map(int, notes.get("exit", "0").split())),
                notes.get("file", ""),
                notes.get("not run", ""),
            )
            notes = {}
        elif line.strip() and not line.lstrip().startswith("<!--"):
            notes = {}


def commands(block: Block) -> list[Command]:
    """Return the commands of a script or a session; a line that ends in a backslash goes on."""
    found: list[tuple[str, str | None]] = []
    if block.language == "sh":
        joined = block.text.replace("\\\n", "")
        found = [(line, None) for line in joined.splitlines() if line.partition("#")[0].strip()]
    else:
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, output = part.replace("\\\n", "").partition("\n")
            found.append((command, output))
    exits = (0,) * (len(found) - len(block.exits)) + block.exits
    return [Command(text, output, code) for (text, output), code in zip(found, exits, strict=True)]


def help_examples(command: click.Command) -> list[Command]:
    """Return the examples in the help of a command and of the commands below it."""
    found = [
        Command(text, None, 0) for text in _HELP_EXAMPLE.findall(command.get_help(click.Context(command)))
    ]
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return found + [example for one in below for example in help_examples(one)]


SHEET = """\
date,player_1,score_1,player_2,score_2,player_3,score_3,player_4,score_4
2026-05-26,Aki,42100,Botan,31000,Chie,18000,Dai,8900
"""
"""A league night, typed in."""


def make_folder(folder: Path) -> None:
    """Fill a folder with what the examples read: the sample logs, and the likes of a reader's own files."""
    shutil.copytree(ROOT / "sample_logs", folder / "sample_logs")
    games = sorted((folder / "sample_logs" / "games").glob("*.gz"))
    short = [path for path in games if path.name.startswith("tonpuu")]
    for year in ("2023", "2024"):
        (folder / "logs" / year).mkdir(parents=True)
    for number, path in enumerate(short[4:10]):
        shutil.copy(path, folder / "logs" / ("2023", "2024")[number % 2])
    database(folder / "houou.db", "houou-logs", [(path.name, path.read_bytes()) for path in short])
    (folder / "2024").mkdir()
    for month, path in enumerate(short[4:7], 1):
        data = gzip.decompress(path.read_bytes())
        (folder / "2024" / f"{month:02}.zip").write_bytes(zipped({path.stem: data}))
    shutil.copy(folder / "sample_logs" / "formats" / "hanchan.mjlog.gz", folder / "game.mjlog.gz")
    (folder / "library").mkdir()
    name = "2022010503gm-00b9-0000-6ebd44bf.mjlog.gz"
    shutil.copy(folder / "game.mjlog.gz", folder / "library" / name)
    (folder / "example.mjlog").write_text(EXAMPLE, "utf-8")
    formats = folder / "sample_logs" / "formats"
    for name in ("hanchan.mjlog.gz", "hanchan.json"):
        shutil.copy(formats / name, folder / name)
    for name in ("ours.json", "theirs.json"):
        shutil.copy(formats / "hanchan.json", folder / name)
    shutil.copytree(folder / "logs", folder / "converted")
    shutil.copytree(folder / "logs" / "2023", folder / "another")
    (folder / "friday.toml").write_text('base = "tenhou"\n', "utf-8")
    (folder / "tuesday.csv").write_text(SHEET, "utf-8")
    (folder / "season.toml").write_text('title = "Spring"\nrules = "tenhou"\n', "utf-8")
    (folder / "club-games").mkdir()
    (club,) = read_batches([folder / "sample_logs" / "rulesets" / "mleague.mjlog"])
    (folder / "club-games" / "friday.json").write_bytes(b"".join(Tenhou6GameWriter.games(club)))


@dataclass(slots=True)
class Runner:
    """Runs the blocks of one page in the present folder; ``failures`` says what went wrong."""

    names: dict[str, Any] = field(default_factory=dict)
    """What the page's Python blocks have defined."""
    failures: list[str] = field(default_factory=list)
    corrections: dict[str, str] = field(default_factory=dict)
    """A command and its output as the page has them, and as they ought to be."""

    def run(self, block: Block) -> None:
        """Run a block."""
        if block.file:
            Path(block.file).write_text(block.text, "utf-8")
        elif block.language in ("sh", "console"):
            for command in commands(block):
                self.run_command(command, block.line)
        elif block.language == "python":
            exec(compile(block.text, f"line {block.line}", "exec"), self.names)  # noqa: S102
        elif block.language == "pycon":
            self._run_doctest(block)

    def run_command(self, command: Command, line: int) -> None:
        """Run one command and compare exit status and output with the page's."""
        status, printed = execute(command.text)
        where = f"line {line}: {command.text}"
        if status != command.exit:
            self.failures.append(f"{where}\nexits with {status}, not {command.exit}:\n{printed}")
        elif command.output is not None:
            checker, example = doctest.OutputChecker(), doctest.Example("", command.output)
            if not checker.check_output(command.output, printed, _ELLIPSIS):
                self.failures.append(f"{where}\n{checker.output_difference(example, printed, _ELLIPSIS)}")
                self.corrections[f"{command.text}\n{command.output}"] = f"{command.text}\n{printed}"

    def _run_doctest(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, self.names, "page", None, block.line)
        # Lines of DataFrames end in blanks, those of a page do not.
        runner = doctest.DocTestRunner(optionflags=_ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        told: list[str] = []
        runner.run(test, out=told.append, clear_globs=False)
        self.names |= test.globs
        if runner.failures:
            self.failures.append("".join(told))


def execute(line: str) -> tuple[int, str]:
    """Run a line of a shell under the page's settings, if it has any, and nobody else's."""
    own = "paifu.toml" if Path("paifu.toml").exists() else ""
    with mock.patch.dict(os.environ, PAIFU_CONFIG=own, BROWSER="true"):  # which opens nothing
        return _execute(line)


def _execute(line: str) -> tuple[int, str]:
    """Run a line of a shell; return the exit status and what a terminal would show.

    One call of paifu, its output redirected or not, runs within this process; bash runs everything else.
    """
    words = shlex.split(_PAGER.sub("", line), comments=True)
    if words[0] != "paifu" or _BASH.search(re.sub(r"'[^']*'", "", _PAGER.sub("", line).partition(" #")[0])):
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"PATH": path},
            timeout=100,
        )
        return done.returncode, _tidy(done.stdout.decode())
    target = words[words.index(">") + 1] if ">" in words else None
    arguments = words[1 : words.index(">")] if target else words[1:]
    terminal = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) if target else terminal
    with redirect_stdout(out), redirect_stderr(terminal):
        status = main(arguments)
    if target:
        Path(target).write_bytes(out.buffer.getvalue())  # type: ignore[attr-defined]
    text = terminal.buffer.getvalue().decode()  # type: ignore[attr-defined]
    return status, _tidy(text)


def _tidy(text: str) -> str:
    """Return output as a page shows it: without blanks at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def run_page(page: Path) -> Runner:
    """Run the examples of a page, in a folder of their own."""
    runner = Runner()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        make_folder(Path(folder))
        for block in blocks(page.read_text("utf-8")):
            if not block.not_run:
                runner.run(block)
    return runner


def update(page: Path) -> None:
    """Write the output of today into a page's sessions."""
    text, runner = page.read_text("utf-8"), run_page(page)
    for old, new in runner.corrections.items():
        if "..." not in old:
            text = text.replace(old, new)
    page.write_text(text, "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        faults = [fault for page in sys.argv[2:] for fault in run_page(Path(page).resolve()).failures]
        sys.exit("\n\n".join(faults) or 0)
    for argument in sys.argv[1:]:
        update(Path(argument).resolve())
