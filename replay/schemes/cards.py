"""Cards: the lines that win in American mahjong, written in a small language and read from TOML.

::

    line    = group { " " group }           fourteen tiles in all
    group   = symbol { symbol } [ suit ]    equal symbols: like tiles; others: a string
    symbol  = "0" .. "9" | "F" | "E" | "S" | "W" | "N" | "D" | variable
    suit    = "a" | "b" | "c"
    variable= "q" | "t" | "u" | "v" | "x" | "y" | "z"

A digit 1-9, a number variable and ``D`` (the suit's dragon: red for characters, green for bamboos, white
for dots) need a suit; ``0`` is the white dragon and ``F`` any flower or season. Different suit letters are
different suits, unless a letter is listed in ``free``. ``let`` gives each variable its values: a range
``"1-8"``, a list ``[1, 3, 5]``, ``"winds"``, or an expression of others (``"x+1"``, ``"x+y"``); ``distinct``
names variables that must differ.

Every flower and season is the kind FLOWERS here (:func:`as_card_kind`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from paifu.replay.errors import ArgumentError
from paifu.replay.foreign_text import one_line
from paifu.replay.model.tiles import BONUS_KINDS, CHUN, FLOWERS, HAKU, HATSU
from paifu.replay.rules.choices import Card
from paifu.replay.rules.written_values import WrittenError, read_toml, short, shown

_FOLDER = Path(__file__).parent / "shipped_cards"
HAND_SIZE = 14
LIKE = 3
"""Equal tiles from which on a group may be exposed and may hold jokers."""
MAX_LINES, MAX_CHOICES, MAX_TARGETS = 500, 20_000, 5_000
"""Lines of a card, choices of suits and variables of a line, and hands that it means."""
SINGLES = "singles-and-pairs"
"""The category whose hands are never doubled for having no joker."""
_SUITS = "abc"
_VARIABLES = "qtuvxyz"
_WINDS = {"E": 27, "S": 28, "W": 29, "N": 30}
_LETTERS = {kind: letter for letter, kind in _WINDS.items()}
_DRAGONS = (CHUN, HAKU, HATSU)
"""Names of characters, dots, bamboos."""
_EXPRESSION = re.compile(r"([qtuvxyz])\+([qtuvxyz]|[1-8])")
_GROUP = re.compile(r"([0-9FESWND]|[qtuvxyz])+[abc]?")


class CardError(ArgumentError):
    """A card that cannot be read; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a card."""

    id: str
    category: str
    pattern: str
    exposed: bool
    """X: may be exposed; else C: concealed until the win."""
    value: int
    free: str = ""
    let: tuple[tuple[str, str | tuple[int, ...]], ...] = ()
    distinct: str = ""

    @property
    def doubles(self) -> bool:
        """Whether a hand without jokers is worth more."""
        return self.category != SINGLES


@dataclass(frozen=True, slots=True)
class WrittenCard:
    """A card: its name and lines, in order."""

    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """The fourteen tiles of a line, for one choice of suits and variables."""

    strict: tuple[tuple[int, int], ...]
    """Kind and number of tiles that jokers cannot replace, rising."""
    like: tuple[tuple[int, int], ...]
    """Kind and size of each group of three or more like tiles."""
    choice: str
    """The choice in words, such as ``a=p, x=3``."""


def as_card_kind(kind: int) -> int:
    """Return a kind as cards have it: flowers and seasons are all one."""
    return FLOWERS if kind in BONUS_KINDS else kind


def parse_card(text: str, name: str) -> WrittenCard:
    """Read a card from the text of a TOML file. Raises CardError."""
    try:
        table = read_toml(text)
    except WrittenError as error:
        raise CardError(f"card {name}: {error}") from error
    head = table.get("card", {})
    rows = table.get("line", [])
    if not isinstance(head, dict) or not isinstance(rows, list) or not rows:
        raise CardError(
            f"card {name} has no lines; write each as [[line]] with id, pattern, exposed and value"
        )
    if len(rows) > MAX_LINES:
        raise CardError(f"card {name} has {len(rows)} lines; {MAX_LINES} at most")
    lines = tuple(_line(row, f"card {name}, line {number}") for number, row in enumerate(rows, 1))
    twice = [line_id for line_id, count in Counter(line.id for line in lines).items() if count > 1]
    if twice:
        raise CardError(f"card {name} has two lines {twice[0]!r}")
    categories = head.get("categories")
    for line in lines:
        if isinstance(categories, list) and line.category not in categories:
            raise CardError(
                f"card {name}, line {short(line.id)}: {short(line.category)!r} is not one of its categories"
            )
    return WrittenCard(short(one_line(str(head.get("name", name)))), lines)


_FIELDS: Mapping[str, type] = {
    "id": str,
    "category": str,
    "pattern": str,
    "exposed": bool,
    "value": int,
    "free": str,
    "let": dict,
    "distinct": str,
}


def _line(row: Any, where: str) -> Line:
    """Read one line and try it out."""
    if not isinstance(row, dict):
        raise CardError(f"{where} is not a table")
    for key, value in row.items():
        if key not in _FIELDS:
            raise CardError(f"{where}: there is no key {short(key)!r}; a line has {', '.join(_FIELDS)}")
        if type(value) is not _FIELDS[key]:
            raise CardError(f"{where}: {key} is a {_FIELDS[key].__name__}, not {shown(value)}")
    missing = [key for key in ("id", "pattern", "exposed", "value") if key not in row]
    if missing:
        raise CardError(f"{where} lacks {', '.join(missing)}")
    if not 1 <= row["value"] <= 1_000_000:
        raise CardError(f"{where}: value is 1 to 1000000, not {shown(row['value'])}")
    let = tuple((name, tuple(v) if isinstance(v, list) else v) for name, v in row.get("let", {}).items())
    words = {key: short(one_line(row.get(key, ""))) for key in ("id", "category", "pattern")}
    line = Line(**{**row, **words, "let": let})
    try:
        targets(line)
    except CardError as error:
        raise CardError(f"{where} ({line.id}): {error}") from error
    return line


@cache
def shipped_card(card: Card) -> WrittenCard:
    """Return a card that comes with the package."""
    name = card.name.lower()
    return parse_card((_FOLDER / f"{name}.toml").read_text("utf-8"), name)


@lru_cache(maxsize=2048)
def targets(line: Line) -> tuple[Target, ...]:
    """Return all fourteen-tile hands that a line allows, without repetition. Raises CardError."""
    groups = line.pattern.split()
    for group in groups:
        if not _GROUP.fullmatch(group):
            raise CardError(
                f"{group!r} is not a group: symbols 0-9 F E S W N D or {_VARIABLES}, then a suit a b c"
            )
    letters = sorted({group[-1] for group in groups if group[-1] in _SUITS})
    used = {symbol for group in groups for symbol in group if symbol in _VARIABLES}
    declared = {name for name, _ in line.let}
    if used - declared:
        raise CardError(f"{', '.join(sorted(used - declared))} has no values; declare it in let")
    found: dict[tuple[Any, Any], Target] = {}
    for suits, values in product(_suit_choices(letters, line.free), _assignments(line)):
        strict: Counter[int] = Counter()
        like: list[tuple[int, int]] = []
        for group in groups:
            kinds = _kinds(group, suits, values)
            if len(kinds) >= LIKE and len(set(kinds)) == 1:
                like.append((kinds[0], len(kinds)))
            else:
                strict.update(kinds)
        _check_size(strict, like)
        named = [f"{letter}={'mps'[suits[letter]]}" for letter in letters]
        named += [
            f"{name}={_LETTERS.get(value, value)}" for name, value in sorted(values.items()) if name in used
        ]
        target = Target(tuple(sorted(strict.items())), tuple(sorted(like)), ", ".join(named))
        found.setdefault((target.strict, target.like), target)
        if len(found) > MAX_TARGETS:
            raise CardError(f"it stands for more than {MAX_TARGETS} hands")
    if not found:
        raise CardError("no choice of suits and variables makes a hand of it")
    return tuple(found.values())


def _check_size(strict: Counter[int], like: list[tuple[int, int]]) -> None:
    size = strict.total() + sum(number for _, number in like)
    if size != HAND_SIZE:
        raise CardError(f"it has {size} tiles; a hand has {HAND_SIZE}")
    for kind, number in strict.items():
        if number > copies(kind):
            raise CardError(f"it needs {number} natural tiles of one kind; there are {copies(kind)}")


def copies(kind: int) -> int:
    """Return how many natural tiles there are of a kind, flowers being all one."""
    return 8 if kind == FLOWERS else 4


def _suit_choices(letters: Sequence[str], free: str) -> Iterator[dict[str, int]]:
    """Yield suits for the letters: different ones, a free letter's any."""
    unknown = set(free) - set(letters)
    if unknown:
        raise CardError(f"free names {short(', '.join(sorted(unknown)))}, which the pattern does not use")
    bound = [letter for letter in letters if letter not in free]
    for suits in product(range(3), repeat=len(letters)):
        choice = dict(zip(letters, suits, strict=True))
        if len({choice[letter] for letter in bound}) == len(bound):
            yield choice


def _assignments(line: Line) -> Iterator[dict[str, int]]:
    """Yield values for the variables: numbers 1-9, or kinds of winds."""
    listed: dict[str, tuple[int, ...]] = {}
    computed: dict[str, re.Match[str]] = {}
    for name, text in line.let:
        if len(name) != 1 or name not in _VARIABLES:
            raise CardError(f"let: {short(name)!r} is not a variable; use one of {', '.join(_VARIABLES)}")
        expression = _EXPRESSION.fullmatch(text) if isinstance(text, str) else None
        if expression is not None:
            computed[name] = expression
        else:
            listed[name] = _listed(name, text)
    for name, expression in computed.items():
        for part in expression.groups():
            if part in _VARIABLES and part not in listed:
                raise CardError(f"let: {name} is made of {part}, which has no list or range of its own")
    if set(line.distinct) - set(listed) - set(computed):
        raise CardError(f"distinct names a variable that let does not declare: {short(line.distinct)}")
    if prod(map(len, listed.values())) > MAX_CHOICES:
        raise CardError(f"its variables have more than {MAX_CHOICES} values together")
    for chosen in product(*listed.values()):
        values = dict(zip(listed, chosen, strict=True))
        for name, expression in computed.items():
            values[name] = sum(values[p] if p in values else int(p) for p in expression.groups())
        in_range = all(values[name] <= 9 for name in computed)
        if in_range and len({values[name] for name in line.distinct}) == len(line.distinct):
            yield values


def _listed(name: str, text: str | tuple[int, ...]) -> tuple[int, ...]:
    """The values of a variable that does not depend on others."""
    if text == "winds":
        return tuple(_WINDS.values())
    if isinstance(text, tuple):
        if not text or any(type(number) is not int or not 1 <= number <= 9 for number in text):
            raise CardError(f"let: {name} lists numbers from 1 to 9, not {shown(list(text))}")
        return tuple(dict.fromkeys(text))
    ends = re.fullmatch(r"([1-9])-([1-9])", text) if isinstance(text, str) else None
    if ends is None or ends[1] > ends[2]:
        raise CardError(f'let: {name} is "1-8", [1, 3, 5], "winds", "x+1" or "x+y", not {shown(text)}')
    return tuple(range(int(ends[1]), int(ends[2]) + 1))


def _kinds(group: str, suits: Mapping[str, int], values: Mapping[str, int]) -> list[int]:
    """The kinds of a group's tiles."""
    suit = suits.get(group[-1])
    symbols = group[:-1] if suit is not None else group
    return [_kind(symbol, suit, values) for symbol in symbols]


def _kind(symbol: str, suit: int | None, values: Mapping[str, int]) -> int:
    if symbol in _WINDS:
        return _WINDS[symbol]
    if symbol == "F":
        return FLOWERS
    if symbol == "0":
        return HAKU
    value = values.get(symbol, 0)
    if value in _WINDS.values():
        return value
    if suit is None:
        raise CardError(f"{symbol} needs a suit letter after its group: a, b or c")
    if symbol == "D":
        return _DRAGONS[suit]
    return 9 * suit + (value or int(symbol)) - 1
