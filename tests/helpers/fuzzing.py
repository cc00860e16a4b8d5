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
from mjx_games import lines as mjx_lines
from mjx_games import states
from mleague_games import commands
from riichicity_games import record
from tonpuusou_games import text as tonpuusou_text

from paifu.api.simulated import batch_of, go_type
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.dataset.arrow import batch_from_arrow, batch_to_arrow
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
from paifu.reports.terminal.text import TileStyle, TileWriter

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
            writer = HandWriter(
                hand, game.names, TileWriter(TileStyle("mpsz")), seat, marks.get(hand.index, ())
            )
            assert sum(len(line) for line in writer.lines()) > 0
            preferences(game, hand, seat)


def some_rules(rng: Random, players: int) -> Ruleset:
    """A preset for so many players with some of its rules changed."""
    presets = [load_preset(name) for name in preset_names(Scheme.HAN_FU)]
    rules = rng.choice([preset for preset in presets if preset.table.players == players])
    fields = [field for field in fields_of(Scheme.HAN_FU).values() if field.name != "scheme"]
    for field in rng.sample(fields, rng.randrange(12)):
        if field.name in (
            "scheme",
            "players",
            "max_wind_rounds",
            "wind_rounds",
            "double_wind_pair_fu",
            "kita",
        ):
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
    """Change some values of a tenhou.net/6 log: drop, repeat, swap, replace."""
    log = orjson.loads(text)
    for _ in range(rng.choice(_FEW)):
        _change_inside(log, rng, _other_value)
    return orjson.dumps(log)


_FEW, _MANY = (1, 1, 1, 2, 5, 20), (1, 1, 2, 5, 20, 60)
"""How many changes a text gets: mostly so few that most of it can still be read."""


def _change_inside(
    log: Any, rng: Random, other: Callable[[Any, Random], Any], names: Sequence[str] = ()
) -> None:
    """Change one value somewhere in JSON: drop, repeat, swap or rename it, or ask ``other`` for another."""
    places = [place for place in _places(log) if len(place) > 0]
    if not places:
        return
    place = rng.choice(places)
    key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
    change = rng.randrange(8)
    if change < 3 and isinstance(place, list):
        _change_list(place, rng, key, change)
    elif change == 0:
        del place[key]
    elif change == 3 and isinstance(place, dict) and names:
        place[rng.choice(names)] = place.pop(key)
    else:
        place[key] = other(place[key], rng)


def _change_list(items: list[Any], rng: Random, at: int, change: int) -> None:
    """Drop an item (0), repeat another there (1), or swap it (2), often with the next."""
    if change == 0:
        del items[at]
    elif change == 1:
        items.insert(at, deepcopy(rng.choice(items)))
    else:
        other = min(at + 1, len(items) - 1) if rng.random() < 0.6 else rng.randrange(len(items))
        items[at], items[other] = items[other], items[at]


def _any_of(values: Sequence[Any]) -> Callable[[Any, Random], Any]:
    return lambda _old, rng: deepcopy(rng.choice(values))


def _places(value: Any) -> Iterator[Any]:
    if isinstance(value, list | dict):
        yield value
        for item in value if isinstance(value, list) else value.values():
            yield from _places(item)


_TILES_OF_JSON = [*range(11, 20), *range(21, 30), *range(31, 40), *range(41, 48), 51, 52, 53, 60, 0, -1]
_ODD_VALUES = (
    "", "r60", "c123456", "12p1212", "55m555555", "4545k4545", "a29292929", "f44", "f", "r", "c", "流局",
    "和了", "不明", "九種九牌", None, True, 1.5, [], {}, [1], "x" * 50, 10**18, -(10**18),
)  # fmt: skip


def _other_value(old: Any, rng: Random) -> Any:
    if isinstance(old, str) and old[1:2].isdigit() and rng.random() < 0.7:
        digits = [str(rng.choice(_TILES_OF_JSON[:37])) for _ in range(rng.randrange(1, 5))]
        digits.insert(rng.randrange(len(digits) + 1), rng.choice("cpmkafr"))
        return "".join(digits)
    if rng.random() < 0.7:
        return rng.choice(_TILES_OF_JSON)
    return rng.choice(_ODD_VALUES)


def mangled_paifu(text: bytes, rng: Random) -> bytes:
    """Change some values of a paifu log of one game: drop, repeat, swap, replace, rename, respell."""
    log = orjson.loads(text)
    for _ in range(rng.choice(_FEW)):
        _change_inside(log, rng, _other_of_paifu, _FIELDS_OF_PAIFU)
    return orjson.dumps(log)


def _other_of_paifu(old: Any, rng: Random) -> Any:
    if isinstance(old, str) and rng.random() < 0.75:
        return _respelt(old, rng)
    return deepcopy(rng.choice(_VALUES_OF_PAIFU))


def mangled_report(text: bytes, rng: Random) -> bytes:
    """Change some values of what an engine says in a report, and rarely of the game in it."""
    report = orjson.loads(text)
    part = report["mjai_log"] if rng.random() < 0.2 else report["review"]
    for _ in range(rng.choice(_FEW)):
        _change_inside(part, rng, _any_of(_VALUES_OF_REPORTS))
    if rng.random() < 0.1:
        report["player_id"] = rng.choice(_VALUES_OF_REPORTS)
    return orjson.dumps(report)


def _respelt(text: str, rng: Random) -> str:
    """Change a word or a character of an event, or of any other text."""
    words = text.split(" ")
    if rng.random() < 0.5:
        words[rng.randrange(len(words))] = rng.choice(_WORDS_OF_PAIFU)
        return " ".join(words)
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice("0123456789mpsz?#-()[] ESWN") + text[at + rng.randrange(2) :]


_VALUES_OF_REPORTS = (
    None, True, 0, 1, 2, 3, 4, -1, 1.5, 1e300, 70, 69, 10**8, 2**63, "", "5mr", "E", "9z", "none", [],
    {}, [1], [{}], {"type": "none"}, {"type": "dahai", "pai": "5m"}, {"type": "ankan", "consumed": ["E"] * 4},
    {"type": "chi", "pai": "3m", "consumed": ["1m", "2m"]}, "hora",
    [{"type": "reach"}, {"type": "dahai", "pai": "E"}],
)  # fmt: skip
_FIELDS_OF_PAIFU = (
    "x_a", "honba", "scores", "dealer", "dora", "events", "fu", "tiles", "yaku", "seed", "names", "paifu",
    "result", "dealt", "chips", "cut", "new", "time", "verdicts", "options",
)  # fmt: skip
_WORDS_OF_PAIFU = (
    "0", "1", "2", "3", "E", "N", "draw", "discard", "tsumogiri", "chi", "pon", "kakan", "ankan", "kita",
    "riichi", "paid", "dora", "ron", "tsumo", "from", "leave", "exhaustive", "5m", "0p", "0p#0", "5s#0", "?",
    "(555z)", "(312m)", "[1111z#0123]", "(2222s)", "(4z)", "",
)  # fmt: skip
_VALUES_OF_PAIFU = (
    None, True, 0, 1, 3, 4, -1, 1.5, 25000.0, 10**7, 10**8, 2**63, "", "E1", "N52", "exhaustive",
    "0 draw 5m", "1 tsumo 3z", [], {}, [1], [0, 0, 0, 0], [None, 1, 2, 3], [["dora", 1]],
    {"event": "2 ron 5m from 1"}, [{"seat": 1, "options": [{"option": "discard 5m", "value": 0.5}]}],
    {"event": "nagashi", "tenpai": [True, False, None, True]},
)  # fmt: skip


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


def mangled_mjai(text: bytes, rng: Random) -> bytes:
    """Change some lines of an mjai log: drop, repeat, swap, and what is in them."""
    lines = [orjson.loads(line) for line in text.splitlines()]
    for _ in range(rng.choice(_MANY)):
        change = rng.randrange(len(lines) < 10, 8)
        at = rng.randrange(len(lines))
        if change < 3:
            _change_list(lines, rng, at, change)
        elif change == 3:
            lines.insert(at, _mjai_event(rng))
        else:
            _change_inside(lines[at], rng, _any_of(_VALUES_OF_MJAI), _FIELDS_OF_MJAI)
    if rng.random() < 0.2:
        return orjson.dumps(lines)
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines)


def _mjai_event(rng: Random) -> dict[str, Any]:
    seat, tile = rng.randrange(5), rng.choice(_TILES_OF_MJAI)
    consumed = [rng.choice(_TILES_OF_MJAI) for _ in range(rng.randrange(5))]
    kinds = ("tsumo", "dahai", "chi", "pon", "daiminkan", "kakan", "ankan", "reach", "reach_accepted", "dora",
             "hora", "ryukyoku", "kita", "end_game", "haipai", "error", "new")  # fmt: skip
    fields = {"actor": seat, "target": rng.randrange(4), "pai": tile, "consumed": consumed}
    return {"type": rng.choice(kinds), **fields, "dora_marker": tile}


_TILES_OF_MJAI = ("1m", "5m", "5mr", "9p", "0p", "5sr", "7s", "E", "N", "P", "C", "?", "10m", "")
_FIELDS_OF_MJAI = (
    "actor", "target", "pai", "consumed", "tsumogiri", "deltas", "scores", "ura_markers", "yakus", "fu",
    "hora_points", "hora_tehais", "reason", "tenpais", "tehais", "pao", "names", "seed", "oya", "kyoku",
    "bakaze", "kyotaku", "gametype", "new",
)  # fmt: skip
_VALUES_OF_MJAI = (
    *_TILES_OF_MJAI, None, True, False, 0, 1, 2, 3, 4, -1, 1.5, 10**7, 10**8, 2**63, [], {}, [1], "S",
    [0, 0, 0, 0], [1000, -1000, 0], ["1m"] * 13, ["?"] * 13, ["5mr"] * 4, [["reach", 1]], [["sangenpai", 9]],
    [["suanko", 100]], [True, False, True], "fanpai", "suchareach", "x" * 50,
)  # fmt: skip


def mangled_majiang(text: bytes, rng: Random) -> bytes:
    """Change some values of a majiang log of one game, or put an event anywhere."""
    log = orjson.loads(text)
    for _ in range(rng.choice(_MANY)):
        if rng.random() < 0.3 and isinstance(log.get("log"), list) and log["log"]:
            hand = rng.choice(log["log"])
            if isinstance(hand, list):
                kind = rng.choice(_EVENTS_OF_MAJIANG)
                tile, meld = rng.choice(_TEXTS_OF_MAJIANG), rng.choice(_TEXTS_OF_MAJIANG)
                hand.insert(
                    rng.randrange(len(hand) + 1), {kind: {"l": rng.randrange(5), "p": tile, "m": meld}}
                )
        else:
            _change_inside(log, rng, _any_of(_VALUES_OF_MAJIANG), _FIELDS_OF_MAJIANG)
    return orjson.dumps(log)


_EVENTS_OF_MAJIANG = (
    "qipai",
    "zimo",
    "dapai",
    "fulou",
    "gang",
    "gangzimo",
    "kaigang",
    "hule",
    "pingju",
    "new",
)
_TEXTS_OF_MAJIANG = (
    "m1", "p0", "z7", "z8", "m1_", "m1*", "s9_*", "_", "", "m34-5", "m3-45", "p555+", "s5550=", "p999+9",
    "m9999", "p50", "m12+3", "m123p456", "m" + "1" * 13, "m" + "1" * 14, "_" * 13, "m1,p999+9", "荒牌平局",
    "立直", "**", "+",
)  # fmt: skip
_FIELDS_OF_MAJIANG = (
    "l", "p", "m", "defen", "fenpei", "shoupai", "baojia", "fubaopai", "fu", "fanshu", "hupai", "name",
    "qijia", "jushu", "zhuangfeng", "changbang", "baopai", "player", "point", "log", *_EVENTS_OF_MAJIANG,
)  # fmt: skip
_VALUES_OF_MAJIANG = (
    *_TEXTS_OF_MAJIANG, None, True, 0, 1, 2, 3, 4, -1, 1.5, 10**7, 10**8, 2**63, [], {}, [1], [0, 0, 0, 0],
    ["m123p456s789z1234"] * 4, ["z1"] * 6, [{"name": "ドラ", "fanshu": 1}],
    {"name": "四暗刻単騎", "fanshu": "*"},
)  # fmt: skip


def mangled_majsoul(text: bytes, rng: Random) -> bytes:
    """Change some values of a Mahjong Soul log of one game, or move, drop and repeat its records."""
    log = orjson.loads(text)
    actions = log["data"]["data"]["actions"]
    for _ in range(rng.choice(_MANY)):
        at = rng.randrange(len(actions))
        change = rng.randrange(len(actions) < 10, 8)
        if change < 3:
            _change_list(actions, rng, at, change)
        else:
            part = actions[at] if change < 7 else log["head"]
            _change_inside(part, rng, _any_of(_VALUES_OF_MAJSOUL), _FIELDS_OF_MAJSOUL)
    return orjson.dumps(log)


_FIELDS_OF_MAJSOUL = (
    "seat", "tile", "tiles", "type", "froms", "moqie", "is_liqi", "liqi", "doras", "scores", "hules", "fans",
    "delta_scores", "old_scores", "hu_tile", "hand", "zimo", "baopai", "players", "tiles0", "tiles3", "ju",
    "paishan", "md5", "passed", "name", "data", "result", "detail_rule", "mode", "accounts", "init_point",
)  # fmt: skip
_VALUES_OF_MAJSOUL = (
    "1m", "0p", "7z", "8z", "", ".lq.RecordHule", ".lq.RecordBaBei", ".lq.RecordLiuJu", None, True, False,
    0, 1, 2, 3, 4, 9, -1, 1.5, 10**7, 10**8, 2**63, [], {}, [1], [0, 0, 0, 0], [1000, -1000, 0], ["1m"] * 13,
    ["1m"] * 14, ["0p"] * 3, [0, 0, 1], [{}], {"seat": 1, "score": 1}, [{"id": 48, "val": 2}], "1m" * 136,
)  # fmt: skip


def mangled_mjx(text: bytes, rng: Random) -> bytes:
    """Change some values of states of mjx, or drop, repeat and swap hands and events."""
    states = [orjson.loads(line) for line in text.splitlines()]
    for _ in range(rng.choice(_MANY)):
        state = rng.choice(states)
        change = rng.randrange(8)
        if change == 0 and len(states) > 1:
            _change_list(states, rng, rng.randrange(len(states)), rng.randrange(3))
        elif change < 4 and isinstance(state, dict) and state.get("publicObservation"):
            seen = state["publicObservation"]
            events = seen.get("events") if isinstance(seen, dict) else None
            if isinstance(events, list) and len(events) > 1:
                _change_list(events, rng, rng.randrange(len(events)), rng.randrange(3))
        else:
            _change_inside(state, rng, _any_of(_VALUES_OF_MJX), _FIELDS_OF_MJX)
    return b"".join(orjson.dumps(state, option=orjson.OPT_APPEND_NEWLINE) for state in states)


_FIELDS_OF_MJX = (
    "type", "who", "tile", "open", "wins", "noWinner", "tens", "round", "honba", "riichi", "closedTiles",
    "opens", "drawHistory", "wall", "gameSeed", "isGameOver", "yakus", "fans", "yakumans", "tenChanges",
    "fromWho", "playerIds", "gameId", "privateObservation", "terminal", "legalActions",
)  # fmt: skip
_VALUES_OF_MJX = (
    *(f"EVENT_TYPE_{name}" for name in ("DRAW", "RON", "TSUMO", "PON", "RIICHI", "NEW_DORA", "FOLD")), None,
    True, 0, 1, 2, 3, 4, 5, 10, 11, 12, 20, 21, 135, 136, -1, 1.5, 10**7, 10**8, 2**63, 38441, "", [], {},
    [1], [0, 0, 0, 0], [{}], list(range(13)), list(range(136)), [52] * 4, "x" * 3000,
)  # fmt: skip


def mangled_riichicity(text: bytes, rng: Random) -> bytes:
    """Change some values of a record of Riichi City, also in the texts of events, or its lists of events."""
    record = orjson.loads(text)
    for _ in range(rng.choice(_MANY)):
        hands = record["data"].get("handRecord")
        hand = rng.choice(hands) if isinstance(hands, list) and hands else None
        events = hand.get("handEventRecord") if isinstance(hand, dict) else None
        change = rng.randrange(10)
        if change == 0 or not isinstance(events, list) or len(events) < 2:
            _change_inside(record["data"], rng, _any_of(_VALUES_OF_RIICHICITY), _FIELDS_OF_RIICHICITY)
        elif change < 4:
            _change_list(events, rng, rng.randrange(len(events)), rng.randrange(3))
        else:
            _change_event(rng.choice(events), rng)
    return orjson.dumps(record)


def _change_event(event: Any, rng: Random) -> None:
    """Change an event of Riichi City, mostly its data, which are JSON in a text."""
    change = _any_of(_VALUES_OF_RIICHICITY)
    if not isinstance(event, dict) or not event:
        return
    if not isinstance(event.get("data"), str) or rng.random() < 0.2:
        _change_inside(event, rng, change, _FIELDS_OF_RIICHICITY)
        return
    with suppress(orjson.JSONDecodeError):
        data = orjson.loads(event["data"])
        if data and isinstance(data, (dict, list)):
            _change_inside(data, rng, change, _FIELDS_OF_RIICHICITY)
        event["data"] = orjson.dumps(data).decode()


_FIELDS_OF_RIICHICITY = (
    "eventType", "userId", "data", "startTime", "in_card", "card", "action", "group_cards", "move_cards_pos",
    "is_li_zhi", "hand_cards", "dealer_pos", "dices", "quan_feng", "chang_ci", "bao_pai_card", "end_type",
    "user_info_list", "win_info", "user_profit", "fang_info", "all_fu", "all_point", "user_cards", "cards",
    "li_bao_card", "user_data", "point_profit", "user_point", "playerCount", "isGeMu", "handCardEncode",
)  # fmt: skip
_VALUES_OF_RIICHICITY = (
    None, True, False, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 26, 49, 97, 145, 261, 901, 902, 904, -1,
    1.5, 10**7, 10**8, 2**63, 10**18, "", "1m", "co22hduai0897qt1uocg", [], {}, [1], [49] * 13, [49] * 14,
    [1, 2, 3], [{}], [{"fang_type": 30, "fang_num": 5}], [{"user_id": 901}], "x" * 3000, "1m" * 136, [6, 6],
)  # fmt: skip


def mangled_mleague(text: bytes, rng: Random) -> bytes:
    """Change some arguments of a page of the M.League, or drop, repeat and swap commands."""
    commands = orjson.loads(text)
    for _ in range(rng.choice(_MANY)):
        change = rng.randrange(10)
        if change < 3 and len(commands) > 1:
            _change_list(commands, rng, rng.randrange(len(commands)), rng.randrange(3))
        elif commands and isinstance(one := rng.choice(commands), dict) and one:
            _change_inside(one, rng, _any_of(_VALUES_OF_MLEAGUE), ("cmd", "args", "time", "id"))
    return orjson.dumps(commands)


_VALUES_OF_MLEAGUE = (
    "A0", "B0", "D0", "E0", "kyokustart", "point", "haipai", "dora", "tsumo", "sutehai", "richi", "say",
    "open", "agari", "gameend", "player", "uradora", "chi", "pon", "kan", "ron", "tenpai", "noten",
    "tsumogiri", "1m", "5P", "7z", "8z", "0m", "<4z4z>", "<4z4z4z4z>", "<1m2m3m>", "", "=25000", "-1000",
    "=" + "9" * 12, "満貫", "役満",
    "東", "ron=1m", "comment", None, 0, 1.5, [], {}, ["A0"], ["A0", "1m"], "1m" * 14, "x" * 3000,
)  # fmt: skip


def mangled_tonpuusou(text: bytes, rng: Random) -> bytes:
    """Change some words of a text of Tonpuusou, or drop, repeat and swap lines."""
    lines = text.decode().split("\n")
    for _ in range(rng.choice(_MANY)):
        at = rng.randrange(len(lines))
        if rng.random() < 0.3:
            _change_list(lines, rng, at, rng.randrange(3))
            lines = lines or [""]
            continue
        words = lines[at].split(" ")
        words[rng.randrange(len(words))] = rng.choice(_WORDS_OF_TONPUUSOU)
        lines[at] = " ".join(words)
    return "\n".join(lines).encode()


_WORDS_OF_TONPUUSOU = (
    "*", "1G1m", "2d5P", "3D白", "4N", "1C2m3m", "2K東", "3R", "4A", "5G1m", "1X", "1G", "2G9z",
    "[1東]1m2m3m", "[表ドラ]5m", "[裏ドラ]", "30符", "二飜ロン", "役満ツモ", "流局", "ドラ99", "リーチ",
    "Anna", "-1000", "9" * 12, "東1局", "0本場(リーチ0)", "西4局", "持点25000", "[1]x", "R1500", "1位",
    "+44", "=====", "x" * 3000, "",
)  # fmt: skip

MADE: dict[str, tuple[Callable[[Batch], bytes], Format]] = {
    "mjx": (lambda batch: mjx_lines(states(batch)), Format.MJX),
    "mleague": (lambda batch: orjson.dumps(commands(batch)), Format.MLEAGUE),
    "riichicity": (lambda batch: orjson.dumps(record(batch)), Format.RIICHI_CITY),
    "tonpuusou": (lambda batch: tonpuusou_text(batch).encode(), Format.TONPUUSOU),
}
"""Formats that paifu reads and does not write: what makes one of a simulated game."""
MANGLE: dict[str, Callable[[bytes, Random], bytes]] = {
    "mjlog": mangled_mjlog,
    "tenhou6": mangled_json,
    "paifu": mangled_paifu,
    "mjai": mangled_mjai,
    "majiang": mangled_majiang,
    "majsoul-json": mangled_majsoul,
}
MANGLE_MADE: dict[str, Callable[[bytes, Random], bytes]] = {
    "mjx": mangled_mjx,
    "mleague": mangled_mleague,
    "riichicity": mangled_riichicity,
    "tonpuusou": mangled_tonpuusou,
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
