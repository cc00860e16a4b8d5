"""Every command and every Python example of the documentation runs, and prints what the page shows."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import click
import pytest
from doc_examples import (
    PAGES,
    ROOT,
    RUN,
    SHOWN,
    Block,
    Command,
    Runner,
    blocks,
    commands,
    execute,
    help_examples,
    make_folder,
)

from paifu.cli.__main__ import COMMANDS, cli

pytestmark = pytest.mark.every(20)

MOST_NOT_RUN = 8


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def has_examples(page: Path) -> bool:
    return any(block.language in RUN for block in blocks(page.read_text("utf-8")))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_folder(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.every(40)
@pytest.mark.parametrize("page", [page for page in PAGES if has_examples(page)], ids=name)
def test_the_examples_of_a_page_run(page: Path, folder: Path) -> None:
    runner = Runner()
    for block in blocks(page.read_text("utf-8")):
        if not block.not_run:
            runner.run(block)
    assert not runner.failures, "\n\n".join(runner.failures)


@pytest.mark.full
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_examples_of_a_help_text_run(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))  # no command waits for more
    runner = Runner()
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    examples = help_examples(found)
    assert examples
    if any(" dataset" in example.text for example in examples) and command != "import":
        assert execute("paifu import logs -o dataset")[0] == 0
    if command == "reference":  # which takes a hundred games
        assert execute("paifu simulate --games 110 -o logs/many")[0] == 0
    for example in examples:
        runner.run_command(example, 0)
    assert not runner.failures, "\n\n".join(runner.failures)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_says_what_it_is(page: Path) -> None:
    for block in blocks(page.read_text("utf-8")):
        assert block.language in RUN | SHOWN, f"line {block.line}: no known language"
        if block.language in SHOWN:
            assert not re.search(r"^(\$ )?paifu ", block.text, re.MULTILINE), f"line {block.line}: never run"


SHOWN_ONLY = [
    pytest.param(block.not_run, id=f"{name(page)}:{block.line}")
    for page in PAGES
    for block in blocks(page.read_text("utf-8"))
    if block.not_run
]


def test_few_blocks_are_only_shown() -> None:
    assert len(SHOWN_ONLY) <= MOST_NOT_RUN


@pytest.mark.parametrize("reason", SHOWN_ONLY)
def test_a_block_that_is_only_shown(reason: str) -> None:
    """The report of a run names each of them, and why."""
    pytest.skip(reason)


def options_of(command: click.Command) -> set[str]:
    return {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {
        "--help",
        "-h",
    }


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_within_a_sentence_exist(page: Path) -> None:
    """As ``paifu show LOG --review``: the command is one of ours, and so is each of its options."""
    context = click.Context(cli)
    for text in re.findall(
        r"`paifu ([a-z][^`]*)`", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    ):
        words = text.split()
        command = cli.get_command(context, words.pop(0))
        assert command is not None, text
        if isinstance(command, click.Group) and words:
            command = command.commands[words.pop(0)]
        wrong = {word for word in words if re.fullmatch(r"--?[a-z][a-z-]*", word)} - options_of(command)
        assert not wrong, f"`paifu {text}` has no {wrong}"


PAGE = """\
<!-- exit: 0 1 -->
```sh
paifu explain V306   # a comment
paifu verify \\
  gone
```

Text.

<!-- not run: it installs -->
<!-- another comment -->
```console
$ paifu explain V3
V301 ...
$ true
```
"""


def test_blocks_and_commands_are_read() -> None:
    script, session = blocks(PAGE)
    assert script == Block(2, "sh", "paifu explain V306   # a comment\npaifu verify \\\n  gone\n", (0, 1))
    assert session.not_run == "it installs"
    assert commands(script) == [
        Command("paifu explain V306   # a comment", None, 0),
        Command("paifu verify   gone", None, 1),
    ]
    assert [command.output for command in commands(session)] == ["V301 ...\n", ""]


@pytest.mark.parametrize(
    "block",
    [
        Block(1, "sh", "paifu explain V999\n"),
        Block(1, "sh", "paifu explain V306\n", (1,)),
        Block(1, "sh", "false\n"),
        Block(1, "console", "$ paifu explain V306\nV306 something else\n"),
        Block(1, "console", "$ paifu explain V999 | cat\n...\n"),
        Block(1, "pycon", ">>> 1 + 1\n3\n"),
    ],
    ids=lambda block: block.text,
)
def test_an_example_that_lies_is_found(block: Block, folder: Path) -> None:
    runner = Runner()
    runner.run(block)
    assert runner.failures
