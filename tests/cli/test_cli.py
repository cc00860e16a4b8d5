"""What all commands share: help, exit status, quick start, pipes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builders import game
from case_data import case_data
from command import MODULE, call, run
from each_row import each_row

from paifu.cli.__main__ import COMMANDS, GROUPS, cli

SAMPLES = Path(__file__).parents[2] / "sample_logs"
OVERTIME = SAMPLES / "formats" / "overtime.mjlog.gz"
HEAVY = {
    "jinja2", "lxml", "matplotlib", "multiprocessing", "numba", "numpy", "pandas", "pyarrow", "rich",
    "sqlite3",
}  # fmt: skip
REFUSALS: dict[str, dict[str, str]] = case_data("refusals")


def test_help_lists_every_command() -> None:
    result = call("--help")
    assert (result.status, result.talk) == (0, [])
    lines = result.text.partition("Look at games:\n")[2].splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ")] == list(COMMANDS)
    assert [line.rstrip(":") for line in lines if line and not line.startswith(" ")] == list(GROUPS)[1:]
    assert "..." not in "".join(lines)  # no line is cut
    assert max(map(len, result.text.splitlines())) <= 80
    assert call("-h") == result


def test_without_a_command_help_is_shown() -> None:
    result = call()
    assert result.status == 2
    assert "Usage: paifu" in "\n".join(result.talk) + result.text


@each_row("name", COMMANDS)
def test_every_command_has_help_and_an_example(name: str) -> None:
    result = call(name, "--help")
    assert (result.status, result.talk) == (0, [])
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    parts = [call(name, part, "--help").text for part in getattr(command, "commands", {})]
    for text in parts or [result.text]:
        assert re.search(r"^  Examples?:$", text, re.MULTILINE)
        assert f"    paifu {name}" in text
        assert max(map(len, text.splitlines())) <= 80


def test_help_imports_nothing_heavy() -> None:
    every = [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)]
    script = (
        "import sys; from paifu.cli.__main__ import main\n"
        f"for arguments in {every!r}: main(arguments); print('imported:', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    imported = [line for line in done.stdout.splitlines() if line.startswith("imported:")]
    for arguments, line in zip(every, imported, strict=True):
        modules = {name.partition(".")[0] for name in line.split()}
        assert "click" in modules
        assert modules & HEAVY == set(), arguments


def best(command: list[str]) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def test_help_comes_quickly(record_property: pytest.TestShortLogReport) -> None:
    more = best([*MODULE, "--help"]) - best([sys.executable, "-c", "pass"])
    record_property("seconds", more)  # type: ignore[operator]
    assert more < 2  # 0.1 s alone; modules are what the test above bounds, this only finds something absurd


@pytest.mark.parametrize("command", REFUSALS)
def test_what_cannot_be_is_refused_with_words(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").symlink_to(SAMPLES)
    monkeypatch.chdir(tmp_path)
    others = {}
    for words, message in REFUSALS[command].items():
        result = call(*shlex.split(f"{command} {words}".removeprefix("paifu ")))
        said = " ".join(" ".join(result.talk).split())
        if (result.status, result.data) != (2, b"") or message not in said:
            others[words] = (result.status, said)
    assert others == {}
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_an_interruption_has_its_own_status(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("paifu.api.import_dataset.iter_items", interrupt)
    result = call("import", str(tmp_path), "-o", str(tmp_path / "ds"))
    assert (result.status, result.talk[-1]) == (130, "interrupted")


def test_a_fault_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*arguments: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("paifu.api.import_dataset.iter_items", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        call("import", str(tmp_path), "-o", str(tmp_path / "ds"))


@pytest.mark.every(20)
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["rules", "list"],
        ["rules", "show", "tenhou"],
        ["score", "1112345678999m"],
        ["show", "a.mjlog"],
        *(
            ["import", "a.mjlog", "-o", "ds", "-f", form]
            for form in ("table", "json", "jsonl", "csv", "parquet")
        ),
    ],
    ids=lambda arguments: "-".join((arguments[0], arguments[-1])),
)
def test_a_reader_that_has_enough_is_no_error(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.mjlog").write_bytes(game())
    reading, writing = os.pipe()
    os.close(reading)  # whoever reads has gone, as head does after its line
    try:
        done = subprocess.run(
            [*MODULE, *arguments],
            stdout=writing,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env={**os.environ, "PYTHONUNBUFFERED": ""},  # the harder case: what is left is written at exit
            timeout=60,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_the_module_and_the_script_are_the_same_command() -> None:
    script = Path(sys.executable).with_name("paifu")
    if not script.exists():
        pytest.skip("the package is not installed beside this Python, so it has no script")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == run("--version").text
    assert done.stdout.startswith("paifu ")


def test_a_folder_without_logs_holds_no_game(tmp_path: Path) -> None:
    """No command ends well without a word where there was nothing to do."""
    page = tmp_path / "page.html"
    folder = tmp_path / "empty"
    folder.mkdir()
    for more in ([], ["--html", "-o", page]):
        done = call("show", folder, *more)
        assert done.status == 1
        assert "there is no log in it" in done.talk[-1]
    assert not page.exists()
    for command in ("verify", "review", "danger", "luck", "stats", "fair"):
        done = call(command, folder)
        assert done.status == 1, command
        assert any("there is no log in it" in line for line in (*done.talk, *done.text.splitlines())), command


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("stats --by player", "groups"),
        ("review", "findings"),
        ("danger", "rows"),
        ("luck", "players"),
        ("fair", "rows"),
        ("league", "rows"),
        ("find --where won", "rows"),
    ],
)
def test_what_cannot_be_read_is_told_and_the_rest_counts(tmp_path: Path, command: str, key: str) -> None:
    (tmp_path / "bad.mjlog").write_bytes(b"<mjloggm ver='2.3'><SHUFFLE")
    words = [*command.split(), OVERTIME, "-j", "1", "-f", "json"]
    alone, found = call(*words), call(*words, tmp_path / "bad.mjlog")
    assert (alone.status, found.status) == (0, 1)
    assert any("bad.mjlog: V10" in line for line in found.talk)
    assert json.loads(found.data)[key] == json.loads(alone.data)[key] != []


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_score_fits_the_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = call("score", "234m55p345678s(555z)", "--win", "3s", "--dora", "4m").text.splitlines()
    assert max(map(len, lines)) <= min(width, 80)
    assert any("haku" in line for line in lines)
