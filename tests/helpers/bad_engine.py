"""An engine that misbehaves, for tests: ``python tests/helpers/bad_engine.py WAY [MARK]``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time


def say(text: str, end: str = "\n") -> None:
    """Write at once."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def main() -> None:  # noqa: C901  one way after the other
    """Misbehave in one way."""
    way = sys.argv[1]
    if way == "deaf":
        time.sleep(600)
    if way == "silent-death":
        sys.exit(3)
    if way == "with-child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", *sys.argv[2:]])
    if way == "closed":
        os.close(1)
        time.sleep(600)
    if way in ("orphan", "orphan-death"):
        sleep = [sys.executable, "-c", "import time; time.sleep(600)", *sys.argv[2:]]
        subprocess.Popen(sleep, start_new_session=True)
    if way == "orphan-death":
        sys.exit(3)
    if way == "stubborn":
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(600)
    if way == "forked" and os.fork():
        sys.exit(0)
    if way == "eager":
        say("Loading ...")
    while way == "flood":
        say('{"type":"none"}')
    while way == "endless":
        say("x" * 1000, end="")
    for number, line in enumerate(sys.stdin):
        if way == "loud":
            sys.stderr.write("x" * 100_000)
        events = json.loads(line)
        event = events[-1] if isinstance(events, list) else events
        if way in ("hang", "with-child", "orphan") and number > 5:
            time.sleep(600)
        elif way == "die" and number > 5:
            sys.stderr.write("out of luck\n")
            sys.exit(7)
        elif way == "partial" and number > 5:
            say('{"type":', end="")
            time.sleep(600)
        elif way == "speechless" and event["type"] == "end_game":
            time.sleep(600)
        elif way == "between" and event["type"] == "end_kyoku":
            sys.exit(0)
        elif way == "shut" and number > 5:
            os.close(0)
            say('{"type":"none"}')
            time.sleep(600)
        elif way == "stopped" and number > 5:
            os.kill(os.getpid(), signal.SIGSTOP)
        elif way == "garbage":
            say("I would rather not")
        elif way == "binary":
            sys.stdout.buffer.write(b"\xff\xfe\x00\n")
            sys.stdout.buffer.flush()
        elif way == "array":
            say("[1, 2]")
        elif way == "deep":
            say("[" * 50_000)
        elif way == "illegal":
            say(json.dumps({"type": "dahai", "actor": event.get("actor", 0), "pai": "1m"}))
        elif way == "claims":
            say(json.dumps({"type": "hora"}))
        elif way == "unknown":
            say(json.dumps({"type": "resign"}))
        elif way == "twice":
            say('{"type":"none"}\n{"type":"none"}')
        else:
            say('{"type":"none"}')


main()
