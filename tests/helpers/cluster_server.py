"""A cluster of two worker processes on loopback, run as a process of its own.

Prints the scheduler's address, then obeys one command a line of standard input: ``kill`` kills a worker as
soon as one is at work, ``pids`` prints those of the workers, ``name KEY VALUE`` lets workers say something
else of themselves. Ends with its standard input.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from distributed import Client, LocalCluster


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def pretend(name: str, value: str) -> None:
    """In a worker: give another version of something."""
    from paifu.parsers import cluster

    cluster.identity()[name] = value


def busy_process(cluster: LocalCluster) -> int:
    """The process of a worker that has been at work for a moment."""
    while True:
        for address, worker in list(cluster.scheduler.workers.items()):
            if worker.processing:
                time.sleep(0.3)
                return next(n.process.pid for n in cluster.workers.values() if n.worker_address == address)
        time.sleep(0.01)


def pretend_everywhere(client: Client, name: str, value: str) -> None:
    """In both workers, although one may have been killed a moment ago and its successor not be there yet."""
    answers: list[object] = []
    while answers != [None, None]:
        client.wait_for_workers(2)
        answers = list(client.run(pretend, name, value, on_error="return").values())


def main() -> None:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=60
    ) as cluster:
        say(cluster.scheduler_address)
        for line in sys.stdin:
            command, *arguments = line.split(maxsplit=2)
            if command == "kill":
                pid = busy_process(cluster)
                os.kill(pid, signal.SIGKILL)
                say(pid)
            elif command == "pids":
                say(*(nanny.process.pid for nanny in cluster.workers.values()))
            elif command == "name":
                with cluster.get_client() as client:
                    pretend_everywhere(client, *map(str.strip, arguments))
                say("done")


if __name__ == "__main__":
    main()
