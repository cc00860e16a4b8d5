"""Logs that went wrong in many places at once, and everything that paifu does with what it reads of them.

All follows from a ``random.Random``. A change need not make sense: the aim is a state that nobody thought
of when an array was indexed. What a parser cannot take it refuses, and the game is cut there; so most
changes keep to numbers that a parser lets pass.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from builders import batch_from_arrow
from mjx_games import lines as mjx_lines
from mjx_games import states
from mleague_games import commands
from riichicity_games import record
from tonpuusou_games import text as tonpuusou_text

from paifu.api.convert import completed
from paifu.api.simulated import batch_of, go_type
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.dataset.arrow import batch_to_arrow
from paifu.parsers.errors import BUG, WriteError
from paifu.parsers.read import read_batches, read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.bounds import BoundsError, check_batch
from paifu.replay.findings.review_sentences import review_cases
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import TABLES, Batch, Table
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset, fields_of
from paifu.replay.rulesets.presets import load_preset, preset_names
from paifu.replay.table.engine import replay
from paifu.replay.views.games import games
from paifu.reports.findings.review import judgements, row
from paifu.reports.hands.preferences import preferences
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import Chosen, count
from paifu.reports.metrics.recording import records
from paifu.reports.statistics import danger
from paifu.reports.statistics.values import statistics
from paifu.reports.terminal.game_lines import game_lines
from paifu.reports.terminal.hand_lines import HandWriter

Random = random.Random
SAMPLES = Path(__file__).parents[2] / "sample_logs"
_KINDS = ("wild", "caller", "wild", "balanced")


@cache
def simulated(rules: str, number: int) -> Batch:
    """One game under a preset, of players who do all sorts of things."""
    return batch_of([Simulator(load_preset(rules), [PLAYERS[kind] for kind in _KINDS]).game(number)])


@cache
def sample_games() -> list[Batch]:
    """The sample logs, a batch a game: ordinary ones, and a scenario for each rare thing."""
    batches = read_batches([SAMPLES / folder for folder in ("formats", "scenarios", "rulesets")])
    every = [batch.take(game) for batch in batches for game in range(len(batch))]
    return [batch for batch in every if batch.games.format[0] == "mjlog"]


def written(target: str, batch: Batch) -> bytes:
    """A game as a writer of paifu writes it."""
    return b"".join(WRITERS[target].games(completed(batch, target)))


def read_log(text: bytes, fmt: Format) -> Batch:
    """What the parser makes of a text; a bug of it is raised, not told as a fault."""
    batch = read_unit([Document("x", text, fmt)])
    for reason in batch.faults.reason:
        assert BUG not in reason, reason
    return batch


# --- the chain -----------------------------------------------------------------------------------------


def survive(batch: Batch, *rules: Ruleset) -> int:
    """Do with a batch whatever a command may do; return how many findings there were.

    Nothing may be raised but the refusal to write a game in a format that cannot say what happened in it.
    """
    facts = replay(batch, *rules, review=True)
    found = sum(1 for _ in map(in_words, cases(facts)))
    found += sum(1 for one in judgements(facts).found if row(one.judged))
    made = records(facts)
    for by in ((), ("player",), ("room", "length")):
        statistics(count(made, list(CATALOGUE.values()), Chosen(by)))
    assert facts.review is not None
    list(danger.rows(facts.review.danger, by_turn=True))
    for game in games(batch):
        _show(game, rules)
    for writer in WRITERS.values():
        for game_number in range(len(batch)):
            with suppress(WriteError):
                b"".join(writer.games(batch.take(game_number)))
    assert batch_from_arrow(batch_to_arrow(batch)).differences(batch) == []
    return found


def _show(game: Any, rules: tuple[Ruleset, ...]) -> None:
    own = game.batch()
    facts = replay(own, *rules, review=True)
    marks: dict[int, list[Any]] = {}
    for case in chain(cases(facts), review_cases(facts)):
        marks.setdefault(case.hand, []).append(in_words(case))
    assert all(True for _ in game_lines(game))
    for seat in (None, game.players - 1):
        for hand in game.hands:
            writer = HandWriter(hand, game.names, seat, marks.get(hand.index, ()))
            assert sum(len(line) for line in writer.lines()) > 0
            preferences(game, hand, seat)


FIXED = {"scheme", "players", "max_wind_rounds", "wind_rounds", "double_wind_pair_fu", "kita"}
"""Rules that others depend on."""


def some_rules(rng: Random, players: int) -> Ruleset:
    """A preset for so many players with some of its rules changed."""
    presets = [load_preset(name) for name in preset_names(Scheme.HAN_FU)]
    rules = rng.choice([preset for preset in presets if preset.table.players == players])
    fields = [field for field in fields_of(Scheme.HAN_FU).values() if field.name != "scheme"]
    for field in rng.sample(fields, rng.randrange(12)):
        if field.name in FIXED:
            continue
        if field.is_enum:
            value: Any = rng.choice(list(field.type))
        elif field.type is bool:
            value = rng.random() < 0.5
        elif field.type is int:
            value = rng.choice([field.low, field.high, rng.randint(field.low, field.high)])
        else:
            continue
        rules = rules.changed(**{field.name: value})
    return rules


# --- mangled text --------------------------------------------------------------------------------------

_NUMBER = re.compile(rb"\d+")
_ODD_NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 13, 33, 34, 37, 54, 99, 100, 127, 128, 135, 136, 255, 256, 9999,
                65535, 2**31 - 1, 2**31, 2**63, 10**30)  # fmt: skip


def mangled_mjlog(text: bytes, rng: Random) -> bytes:
    """Change some elements of an mjlog: drop, repeat, swap, move, renumber."""
    elements = re.findall(rb"<[^>]+>", text)
    for _ in range(rng.choice((1, 2, 5, 20, 60))):
        rng.choice(_ELEMENT_CHANGES)(elements, rng)
    return b"".join(elements)


def _drop(elements: list[bytes], rng: Random) -> None:
    if len(elements) > 9:
        del elements[rng.randrange(1, len(elements) - 1)]


def _repeat(elements: list[bytes], rng: Random) -> None:
    elements.insert(rng.randrange(5, len(elements)), rng.choice(elements[1:-1]))


def _swap(elements: list[bytes], rng: Random) -> None:
    first = rng.randrange(5, len(elements) - 2)
    second = first + 1 if rng.random() < 0.6 else rng.randrange(5, len(elements) - 1)
    elements[first], elements[second] = elements[second], elements[first]


def _renumber(elements: list[bytes], rng: Random) -> None:
    at = rng.randrange(1, len(elements))
    numbers = list(_NUMBER.finditer(elements[at]))
    if not numbers:
        return
    chosen = rng.choice(numbers)
    value = rng.choice(
        (rng.randrange(4), rng.randrange(136), rng.randrange(1 << 16), rng.choice(_ODD_NUMBERS))
    )
    elements[at] = elements[at][: chosen.start()] + b"%d" % value + elements[at][chosen.end() :]


def _meld(elements: list[bytes], rng: Random) -> None:
    """Put any call, declaration or payment anywhere."""
    seat = rng.randrange(4)
    new = rng.choice((
        b'<N who="%d" m="%d" />' % (seat, rng.randrange(1 << 16)),
        b'<N who="%d" m="%d" />' % (seat, rng.randrange(136) << 8 | rng.randrange(4)),
        b'<REACH who="%d" step="1"/>' % seat,
        b'<REACH who="%d" step="2"/>' % seat,
        b'<DORA hai="%d" />' % rng.randrange(136),
        b'<BYE who="%d" />' % seat,
        b"<%c%d/>" % (rng.choice(b"TUVWDEFG"), rng.randrange(136)),
    ))  # fmt: skip
    elements.insert(rng.randrange(5, len(elements)), new)


def _remeld(elements: list[bytes], rng: Random) -> None:
    """Show other melds with a win."""
    wins = [at for at, element in enumerate(elements) if element.startswith(b"<AGARI")]
    if wins:
        at = rng.choice(wins)
        codes = b",".join(
            b"%d" % rng.choice((rng.randrange(1 << 16), rng.randrange(1 << 20))) for _ in range(3)
        )
        element = re.sub(rb' m="[^"]*"', b"", elements[at])
        elements[at] = element.replace(
            b" machi", b' m="%b" machi' % codes[rng.randrange(9) :].lstrip(b","), 1
        )


def _retile(elements: list[bytes], rng: Random) -> None:
    """Draw and discard something else."""
    at = rng.randrange(5, len(elements))
    if re.fullmatch(rb"<[D-GT-W]\d+/>", elements[at]):
        letter = elements[at][1] if rng.random() < 0.7 else rng.choice(b"TUVWDEFG")
        elements[at] = b"<%c%d/>" % (letter, rng.randrange(136))


_ELEMENT_CHANGES: Sequence[Callable[[list[bytes], Random], None]] = (
    _drop, _drop, _repeat, _repeat, _swap, _swap, _swap, _renumber, _meld, _meld, _meld, _remeld,
    _retile, _retile,
)  # fmt: skip


def mangled_json(text: bytes, rng: Random) -> bytes:
    """Change some values of a log in JSON or in lines of it: drop, repeat, swap, rename, replace, respell."""
    try:
        log, is_lines = orjson.loads(text), False
    except orjson.JSONDecodeError:
        log, is_lines = [orjson.loads(line) for line in text.splitlines()], rng.random() < 0.9
    for _ in range(rng.choice(_MANY)):
        _change_inside(log, rng)
    if is_lines:
        return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in log)
    return orjson.dumps(log)


_FEW, _MANY = (1, 1, 1, 2, 5, 20), (1, 1, 2, 5, 20, 60)
"""How many changes a text gets: mostly so few that most of it can still be read."""


def _change_inside(log: Any, rng: Random) -> None:
    """Change one value somewhere in JSON."""
    places = [place for place in _places(log) if len(place) > 0]
    if not places:
        return
    (place,) = rng.choices(places, map(len, places))
    key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
    change = rng.randrange(8)
    if isinstance(place, list) and (change < 3 or (change < 6 and isinstance(place[key], list | dict))):
        _change_list(place, rng, key, change % 3)
    elif change == 0:
        del place[key]
    elif change == 1 and isinstance(place, dict):
        other = rng.choice([one for one in places if isinstance(one, dict)])
        name = rng.choice(list(other))
        place[name] = place.pop(key)
    else:
        place[key] = _other_value(place[key], key, places, rng)


def _change_list(items: list[Any], rng: Random, at: int, change: int) -> None:
    """Drop an item (0), repeat another there (1), or swap it (2), often with the next."""
    if change == 0:
        del items[at]
    elif change == 1:
        items.insert(at, deepcopy(rng.choice(items)))
    else:
        other = min(at + 1, len(items) - 1) if rng.random() < 0.6 else rng.randrange(len(items))
        items[at], items[other] = items[other], items[at]


def _places(value: Any) -> Iterator[Any]:
    if isinstance(value, list | dict):
        yield value
        for item in value if isinstance(value, list) else value.values():
            yield from _places(item)


_ODD_VALUES = (
    None, True, False, 0, 1, 2, 3, 4, 13, 60, 136, -1, 1.5, 1e300, 10**7, 10**8, 2**31, 2**63, 10**18, "",
    "?", "5mr", "0p", "8z", "E", "p1212", "c123456", "r60", "m1*", "流局", "不明", [], {}, [1], [{}],
    [0, 0, 0, 0], [1000, -1000, 0], "x" * 3000, "1m" * 136, "9" * 30,
)  # fmt: skip


def _other_value(old: Any, key: str | int, places: list[Any], rng: Random) -> Any:
    """Another value, mostly one that stands elsewhere in the log, often under the same name."""
    if isinstance(old, str) and old[:1] == "{" and rng.random() < 0.8:  # the data of an event of Riichi City
        inside = orjson.loads(old)
        _change_inside(inside, rng)
        return orjson.dumps(inside).decode()
    chance = rng.random()
    if chance < 0.3:
        return deepcopy(rng.choice(_ODD_VALUES))
    if chance < 0.55 and isinstance(old, str | int) and not isinstance(old, bool):
        return _respelt(old, rng.choice(places), rng) if isinstance(old, str) else old + rng.choice(_STEPS)
    alike = [place[key] for place in places if isinstance(place, dict) and key in place]
    other = rng.choice(places)
    others = alike if alike and chance < 0.85 else list(other.values()) if isinstance(other, dict) else other
    return deepcopy(rng.choice(others))


_STEPS = (-100, -4, -1, -1, 1, 1, 1, 4, 9, 100)


def _respelt(text: str, place: Any, rng: Random) -> str:
    """Change a word to one of another text, or a character."""
    texts = [one for one in (place.values() if isinstance(place, dict) else place) if isinstance(one, str)]
    words = text.split(" ")
    if texts and rng.random() < 0.5:
        words[rng.randrange(len(words))] = rng.choice(rng.choice(texts).split(" "))
        return " ".join(words)
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice("0123456789mpsz?#-+_*<>()[]= ESWN") + text[at + rng.randrange(2) :]


def mangled_report(text: bytes, rng: Random) -> bytes:
    """Change some values of what an engine says in a report, and rarely of the game in it."""
    report = orjson.loads(text)
    part = report["mjai_log"] if rng.random() < 0.2 else report["review"]
    for _ in range(rng.choice(_FEW)):
        _change_inside(part, rng)
    if rng.random() < 0.1:
        report["player_id"] = rng.choice(_ODD_VALUES)
    return orjson.dumps(report)


def mangled_lines(text: bytes, rng: Random) -> bytes:
    """Change some words of a text, or drop, repeat and swap lines."""
    lines = text.decode().split("\n")
    for _ in range(rng.choice(_MANY)):
        at = rng.randrange(len(lines))
        if rng.random() < 0.3:
            _change_list(lines, rng, at, rng.randrange(3))
            lines = lines or [""]
        else:
            lines[at] = _respelt(lines[at], lines, rng)
    return "\n".join(lines).encode()


# --- mangled columns -----------------------------------------------------------------------------------


def mangled_columns(batch: Batch, rng: Random) -> Batch:
    """Overwrite some numbers of some columns with any that their dtype can hold."""
    tables: dict[str, Table] = {kind.NAME: getattr(batch, kind.NAME) for kind in TABLES}
    for _ in range(rng.choice((1, 2, 5))):
        name = rng.choice(list(tables))
        table = tables[name]
        column = rng.choice([column for column in table.columns() if column.dtype != "str"] or [None])  # type: ignore[list-item]
        if column is None or not len(table):
            continue
        values = np.array(getattr(table, column.name))
        flat = values.reshape(-1)
        for _ in range(rng.choice((1, 1, 3, 20))):
            flat[rng.randrange(len(flat))] = _any_number(values.dtype, rng)
        tables[name] = replace(table, **{column.name: values})  # type: ignore[type-var]
    return Batch(**tables)  # type: ignore[arg-type]


def _any_number(dtype: np.dtype[Any], rng: Random) -> Any:
    if dtype.kind == "f":
        return rng.choice((0.0, -1e300, 1e300, float("nan"), float("inf"), 12.3))
    if dtype.kind == "b":
        return rng.random() < 0.5
    info = np.iinfo(dtype)
    most = int(info.max)
    near = rng.choice(
        (0, 1, 2, 3, 4, 12, 15, 16, 33, 34, 36, 37, 135, 136, 254, 255, most, int(info.min), -1, -2)
    )
    value = rng.choice((near, rng.randrange(0, 140), rng.randint(int(info.min), most)))
    return value if int(info.min) <= value <= most else 0


MADE: dict[str, tuple[Callable[[Batch], bytes], Format]] = {
    "mjx": (lambda batch: mjx_lines(states(batch)), Format.MJX),
    "mleague": (lambda batch: orjson.dumps(commands(batch)), Format.MLEAGUE),
    "riichicity": (lambda batch: orjson.dumps(record(batch)), Format.RIICHI_CITY),
    "tonpuusou": (lambda batch: tonpuusou_text(batch).encode(), Format.TONPUUSOU),
}
"""Formats that paifu reads and does not write: what makes one of a simulated game."""
MANGLE: dict[str, Callable[[bytes, Random], bytes]] = {
    "mjlog": mangled_mjlog,
    **dict.fromkeys(("tenhou6", "paifu", "mjai", "majiang", "majsoul-json"), mangled_json),
}
MANGLE_MADE: dict[str, Callable[[bytes, Random], bytes]] = {
    **dict.fromkeys(("mjx", "mleague", "riichicity"), mangled_json),
    "tonpuusou": mangled_lines,
}
FORMATS = {name: WRITERS[name].format for name in MANGLE} | {name: fmt for name, (_, fmt) in MADE.items()}
COLUMNS = "columns"
KINDS = (*FORMATS, COLUMNS)
"""What can be mangled: a log of a format, or the numbers of a batch."""


def mangled(batch: Batch, kind: str, rng: Random) -> Batch:
    """Write a game in a format, mangle the text and read it; raises WriteError where it cannot be stated."""
    text = MADE[kind][0](batch) if kind in MADE else b"".join(WRITERS[kind].games(batch))
    return read_log({**MANGLE, **MANGLE_MADE}[kind](text, rng), FORMATS[kind])


def attempt(
    number: int, kind: str, games: Sequence[Batch] = (), *, reads_only: bool = False
) -> tuple[int, int]:
    """Mangle a game and do everything with it; returns the hands that were read and the findings.

    The game is one of ``games``, or a simulated one. A batch whose numbers were mangled must either be
    refused or be safe. With ``reads_only`` the game is its first hands, at most three, and nothing is done
    with what was read but to check it.
    """
    rng = Random(f"{kind} {number}")
    batch = rng.choice(games) if games else simulated(rng.choice(_writable()), rng.randrange(6))
    players = int(batch.games.players[0])
    if reads_only:
        batch = batch.only(np.ones(1, bool), np.arange(len(batch.hands)) < rng.randint(1, 3))
    if kind == COLUMNS:
        batch = mangled_columns(batch, rng)
        try:
            check_batch(batch)
        except BoundsError:
            return 0, 0
    else:
        try:
            batch = mangled(batch, kind, rng)
        except WriteError:  # a game that the format cannot state
            return 0, 0
        check_batch(batch)
    if reads_only:
        return len(batch.hands), len(batch.faults)
    others = [some_rules(rng, players)] if rng.random() < 0.5 else []
    return len(batch.hands), survive(batch, *others)


@cache
def _writable() -> list[str]:
    """Presets whose games Tenhou's formats can state."""

    def is_writable(name: str) -> bool:
        try:
            go_type(load_preset(name))
        except ValueError:
            return False
        return True

    return list(filter(is_writable, preset_names(Scheme.HAN_FU)))
