"""Commands whose standard streams are closed or full: words, never a traceback or a half success."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from command import MODULE, call
from sources import read

pytestmark = pytest.mark.full

SAMPLES = Path(__file__).parents[2] / "sample_logs"
LOG = str(SAMPLES / "scenarios" / "menzen-tsumo.mjlog")
BROKEN = str(SAMPLES / "broken" / "V304.mjlog")

COMMANDS = {
    "verify stdin": ["verify", "-"],
    "verify": ["verify", BROKEN],
    "verify as JSON": ["verify", LOG, "-f", "json"],
    "verify as Parquet": ["verify", LOG, "-f", "parquet"],
    "verify something else": ["verify", str(SAMPLES / "README.md")],
    "show": ["show", LOG],
    "show as a page": ["show", LOG, "--html"],
    "stats": ["stats", LOG, "-f", "csv"],
    "score": ["score", "123m456p789s11222z"],
    "rules": ["rules", "list"],
    "help": ["--help"],
    "import": ["import", LOG, "-o", "{}/dataset"],
    "simulate": ["simulate", "-o", "{}/games"],
    "a wrong option": ["verify", "--nothing"],
    "a wrong path": ["verify", "nowhere"],
}
SILENT = ("import", "simulate", "a wrong option", "a wrong path", "verify something else")
"""They have nothing to say on standard output, or nothing but that."""


def started(streams: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call a command as a process of its own, by a shell that redirects as ``streams`` says."""
    shell = ["sh", "-c", f'exec "$@" {streams}', "sh"]
    return subprocess.run([*shell, *MODULE, *arguments], capture_output=True, encoding="latin-1", timeout=60)


def of(name: str, folder: Path) -> list[str]:
    return [argument.format(folder) for argument in COMMANDS[name]]


CLOSED = ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"]
FULL = [">/dev/full", "2>/dev/full", ">/dev/full 2>/dev/full"]


Process = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Process]:
    """What a command does on sound streams; each is called once."""
    return cache(lambda name: started("</dev/null", *of(name, tmp_path_factory.mktemp("sound") / "sound")))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no shell, or no full device")
@pytest.mark.parametrize("streams", [*CLOSED, *FULL])
@pytest.mark.parametrize("name", ["verify stdin", "verify", "verify as Parquet", "rules", "import"])
def test_a_stream_that_is_closed_or_full(
    tmp_path: Path, name: str, streams: str, sound: Callable[[str], Process]
) -> None:
    check_streams(sound(name), tmp_path, name, streams)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no shell, or no full device")
@pytest.mark.parametrize("streams", [*CLOSED, *FULL])
@pytest.mark.parametrize("name", COMMANDS)
def test_any_stream_of_any_command(
    tmp_path: Path, name: str, streams: str, sound: Callable[[str], Process]
) -> None:
    check_streams(sound(name), tmp_path, name, streams)


def check_streams(sound: Process, folder: Path, name: str, streams: str) -> None:
    """Compare with the same command on sound streams."""
    done = started(streams, *of(name, folder / "broken"))
    for text in (done.stdout, done.stderr):
        assert "Traceback" not in text
        assert "Exception" not in text
    if "2>" not in streams and done.returncode:
        assert done.stderr
    no_output = ">&-" in streams.replace("2>&-", "") or ">/dev/full" in streams.replace("2>/dev/full", "")
    if no_output and sound.stdout:
        assert done.returncode == 2, "what nobody got is not success"
    elif "2>/dev/full" in streams and sound.stderr:
        assert done.returncode == 2
    else:
        assert done.returncode == sound.returncode
        assert no_output or name == "verify stdin" or len(done.stdout) == len(sound.stdout)


def test_a_closed_standard_input_is_a_fault_and_the_rest_goes_on() -> None:
    done = started("<&-", "verify", "-", LOG, "-f", "csv")
    assert "<stdin>" in done.stdout
    assert "standard input is closed" in done.stdout
    assert "1 game," in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("stream", [None, object(), "closed"])
def test_a_standard_input_without_bytes(monkeypatch: pytest.MonkeyPatch, stream: object) -> None:
    if stream == "closed":
        stream = Path(os.devnull).open("rb")  # noqa: SIM115
        stream.close()
    monkeypatch.setattr(sys, "stdin", stream)
    documents, (fault,) = read("-")
    assert documents == []
    assert fault.location == "<stdin>"
    assert "standard input is closed" in fault.reason
    assert call("verify", "-").status == 1


def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """Else what the program says would go into the file that was opened next."""
    script = """
        import os, sys
        from paifu.cli.streams import prepare_streams
        prepare_streams()
        print(os.open(sys.argv[1], os.O_RDONLY) > 2, file=open(sys.argv[2], "w"))
    """
    program = "\n".join(line.strip() for line in script.splitlines())
    shell = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", program]
    done = subprocess.run([*shell, LOG, str(tmp_path / "answer")])
    assert done.returncode == 0
    assert (tmp_path / "answer").read_text() == "True\n"
