"""Work on a cluster: what one machine prints, and what becomes of workers and schedulers that go away."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest
from builders import game
from command import MODULE, call, run
from test_object_stores import files_of

import paifu
from paifu.parsers.cluster import _as_there
from paifu.parsers.spreading import run as spread
from paifu.parsers.workers import Cluster, ClusterError
from paifu.replay.errors import ArgumentError
from paifu.replay.language import VARIABLE, language

SAMPLES = Path(__file__).parents[2] / "sample_logs"
needs_dask = pytest.mark.skipif(
    not find_spec("distributed"), reason="clusters need dask.distributed: pip install 'paifu[cluster]'"
)


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here waits for a compiler, nor tells of one."""


class Server:
    """The process of :mod:`cluster_server`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).parents[1] / "helpers" / "cluster_server.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.address = self.heard()

    def heard(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        with suppress(BrokenPipeError):
            self._process.communicate()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if not find_spec("distributed"):
        pytest.skip("clusters need dask.distributed: pip install 'paifu[cluster]'")
    started = Server()
    yield started
    started.close()


@pytest.fixture
def cluster(server: Server) -> str:
    return server.address


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small games that make three units, some of which cannot be read."""
    folder = tmp_path_factory.mktemp("logs")
    for number in range(1100):
        text = game(number, hands=2)
        (folder / f"{number:04}").write_bytes(text[: len(text) // 2] if number % 100 == 7 else text)
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ["verify"], ["verify", "--format", "json"], ["review", "--format", "csv"], ["stats", "--all"],
        ["stats", "--by", "player", "-f", "json"], ["danger"],
        ["stats", "--room", "houou", "-f", "json"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_cluster_prints_what_one_process_prints(cluster: str, logs: Path, command: list[str]) -> None:
    paths = [
        *sorted((SAMPLES / "broken").glob("V30*")),
        SAMPLES / "formats" / "hanchan.mjlog.gz",
        logs / "0007",
    ]
    alone = run(*command, *paths, "--jobs", "1")
    there = run(*command, *paths, "--cluster", cluster)
    assert (there.data, there.status) == (alone.data, alone.status)
    assert there.talk == alone.talk
    assert alone.data


def test_a_worker_killed_in_the_middle_costs_no_data(server: Server, logs: Path, tmp_path: Path) -> None:
    call("import", logs, "-o", tmp_path / "alone", "--jobs", "1")
    server.say("kill")
    there = run("import", logs, "-o", tmp_path / "there", "--cluster", server.address)
    pid = int(server.heard())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert there.status == 1  # some files cannot be read
    assert there.talk[-1].startswith(f"{tmp_path}/there: ")
    assert files_of(tmp_path / "there") == files_of(tmp_path / "alone")


def test_workers_read_and_write_an_object_store(bucket: str, logs: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need dask.distributed: pip install 'paifu[cluster]'")
    call("import", SAMPLES / "formats", "-o", tmp_path / "alone", "--jobs", "1")
    there = run("import", SAMPLES / "formats", "-o", f"{bucket}/ds", "--cluster", "local:2")
    assert there.status == 0, there.talk
    assert files_of(f"{bucket}/ds") == files_of(tmp_path / "alone")
    for command in (["stats", "--all"], ["verify"]):
        alone = call(*command, tmp_path / "alone")
        assert run(*command, f"{bucket}/ds", "--cluster", "local:2").data == alone.data


def test_a_unit_that_kills_workers_again_and_again_is_named(server: Server) -> None:
    begun = time.monotonic()
    with pytest.raises(ClusterError, match=r"4 workers died over one unit of work, 9: "):
        list(spread([9, 9, 9], signal.raise_signal, jobs=Cluster(server.address)))
    assert time.monotonic() - begun < 40


def test_what_work_raises_is_raised_here(cluster: str) -> None:
    with pytest.raises(ZeroDivisionError):
        list(spread([1, 0], partial(divmod, 1), jobs=Cluster(cluster)))


def test_units_are_not_read_far_ahead(cluster: str) -> None:
    taken = 0

    def units() -> Iterator[float]:
        nonlocal taken
        for _ in range(40):
            taken += 1
            yield 0.01

    results = spread(units(), time.sleep, jobs=Cluster(cluster))
    next(results)
    assert taken <= 6
    assert len(list(results)) == 39
    assert taken == 40


@needs_dask
def test_a_scheduler_that_is_not_there_is_an_error_soon() -> None:
    with socket.socket() as silent:  # takes connections and never answers
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        for address in ("tcp://127.0.0.1:9", f"tcp://127.0.0.1:{silent.getsockname()[1]}", "nonsense://x"):
            begun = time.monotonic()
            with pytest.raises(ClusterError) as error:
                paifu.verify(SAMPLES / "formats", jobs=Cluster(address, timeout=1))
            assert time.monotonic() - begun < 15
            assert str(error.value).startswith(f"{address}: no scheduler answered within 1 s (")


@pytest.mark.parametrize("name", ["Python", "paifu", "pyarrow"])
def test_a_worker_of_another_version_is_an_error_before_work_begins(server: Server, name: str) -> None:
    from paifu.parsers.cluster import identity

    server.say(f"name {name} 0.0")
    assert server.heard() == "done"
    try:
        result = run("verify", SAMPLES / "formats", "--cluster", server.address)
        assert result.status == 2
        assert result.data == b""
        assert f" runs {name} 0.0, this process {identity()[name]}; results could differ" in result.talk[0]
    finally:
        server.say(f"name {name} {identity()[name]}")
        server.heard()


def test_ctrl_c_leaves_nothing(logs: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need dask.distributed: pip install 'paifu[cluster]'")
    command = [*MODULE, "verify", str(logs), "--format", "jsonl", "--cluster", "local:2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()  # the others do not fit into the pipe
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        begun = time.monotonic()
        _, talk = process.communicate(timeout=50)
        assert time.monotonic() - begun < 30
    assert talk.decode().split() == ["interrupted"]
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):  # noqa: PT012
        for _ in range(50):  # workers notice within moments
            os.killpg(process.pid, 0)
            time.sleep(0.1)


def test_nobody_else_tells_of_a_scheduler_that_goes_away(logs: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need dask.distributed: pip install 'paifu[cluster]'")
    started = Server()
    command = [*MODULE, "verify", str(logs), "--format", "jsonl", "--cluster", started.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()  # the others do not fit into the pipe
        started.kill()
        _, talk = process.communicate(timeout=50)
    started.close()
    gone = "the scheduler has gone away; start it and run the command again"
    assert (talk, process.returncode) == (f"paifu: {started.address}: {gone}\n", 2)


def test_work_is_done_in_the_folder_and_the_words_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "en")
    before = Path.cwd()
    with _as_there(str(tmp_path), {VARIABLE: "ja"}):
        assert (Path.cwd(), language()) == (tmp_path, "ja")
    assert (Path.cwd(), language()) == (before, "en")


@pytest.mark.parametrize(
    "address", ["", "  ", "local:0", "local:", "local:x", "local:1025", "local:-1", "local:²", "local:٣"]
)
def test_addresses_that_cannot_be(address: str) -> None:
    with pytest.raises(ArgumentError):
        Cluster(address)
    assert call("verify", SAMPLES, "--cluster", address).status == 2


def test_processes_and_a_cluster_exclude_each_other() -> None:
    result = call("verify", SAMPLES, "--cluster", "local:2", "--jobs", "2")
    assert result.status == 2
    assert "--jobs is for this machine" in result.talk[-1]


def test_without_dask_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = call("verify", SAMPLES / "formats", "--cluster", "local:2")
    assert (result.status, result.talk) == (
        2,
        ["paifu: a cluster needs dask.distributed: pip install 'paifu[cluster]'"],
    )


@pytest.mark.parametrize("command", ["verify", "stats", "import"])
def test_neither_dask_nor_fsspec_is_imported_unasked(command: str, tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(game(0))
    script = (
        "import sys; from paifu.cli.__main__ import main; main(sys.argv[1:]); "
        "sys.exit(any(name in sys.modules for name in ('dask', 'distributed', 'fsspec', 's3fs')))"
    )
    extra = ["-o", str(tmp_path / "ds")] if command == "import" else []
    arguments = [sys.executable, "-c", script, command, str(tmp_path / "log"), *extra]
    assert subprocess.run(arguments, capture_output=True).returncode == 0
