"""Conditions that people write in rulesets: the facts of the yaku tables under names, and their combination.

::

    condition  = quantifier | part { "|" part }
    part       = factor { "&" factor }
    factor     = "~" factor | "(" condition ")" | fact | fact "(" tiles ")"
    quantifier = ("any" | "all" | "at_least" number) binding { "," binding } ":" condition
    binding    = variable { "," variable } "in" values
    values     = digits | digit "-" digit | suits | "winds" | "dragons" | "honours"

What is written becomes a :class:`~paifu.replay.rules.hand_facts.YakuCondition`, as in the rows of the
shipped tables. A quantifier goes as far as the end, or the bracket that closes around it. Variables of one
binding take different values. A tile is ``5m``, ``1z``, or has variables: ``xm``, ``x+1a``, ``w``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb, perm, prod
from typing import TypeVar

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.language import _
from paifu.replay.model.tile_notation import parse_kinds
from paifu.replay.rules import hand_facts as f
from paifu.replay.rules import hand_shapes as h
from paifu.replay.rules.hand_facts import BitPattern, Situation, YakuCondition
from paifu.replay.rules.written_values import short, suggestion

MAX_CONDITION = 2_000
"""Characters of a condition."""
MAX_CASES = 1_000
"""Alternatives that a condition may come to; each is a row that every possible win is compared with."""
_MAX_PRODUCT = 8_000
"""Alternatives before those that others cover are dropped."""
_MAX_WORK = 2_000_000
"""Comparisons of alternatives while a condition is made: less than half a second."""
_MADE = 20
"""How many of them take as long as to make an alternative."""
_MAX_DEPTH = 40
"""Brackets, denials and quantifiers within each other."""


class WrittenConditionError(ValueError):
    """A condition that cannot be read: what is wrong, and at which character (from 1)."""

    def __init__(self, text: str, at: int) -> None:
        super().__init__(text)
        self.at = at


@dataclass(frozen=True, slots=True)
class NamedFact:
    """A fact without tiles: its meaning, and the condition."""

    meaning: str
    condition: YakuCondition


@dataclass(frozen=True, slots=True)
class TileFact:
    """A fact about a tile: its meaning, what makes the condition of a kind, and which kinds it takes."""

    meaning: str
    of_kind: Callable[[int], YakuCondition]
    starts_run: bool = False
    """The tile is the lowest of a run."""


def _wait(number: int) -> YakuCondition:
    return f.fact(layout.WORD_FACTS, layout.FACT_WAIT + number)


def _run_from(kind: int) -> YakuCondition:
    return f.run(kind // 9, kind % 9 + 1)


_S = Situation
# fmt: off
_FACTS: tuple[tuple[str, str, YakuCondition], ...] = (
    ("tsumo", "Won by tsumo; ~tsumo is a ron", f.TSUMO),
    ("riichi", "After riichi of any kind",
     f.any_of(map(f.situation, (_S.RIICHI, _S.DOUBLE_RIICHI, _S.OPEN_RIICHI)))),
    ("double_riichi", "After double riichi", f.situation(_S.DOUBLE_RIICHI)),
    ("open_riichi", "After riichi declared with the hand shown", f.situation(_S.OPEN_RIICHI)),
    ("ippatsu", "Within one turn after riichi", f.situation(_S.IPPATSU)),
    ("rinshan", "Tsumo on a supplement tile", f.situation(_S.RINSHAN)),
    ("chankan", "Ron on a tile that another player uses for a kan", f.situation(_S.CHANKAN)),
    ("haitei", "Tsumo on the last tile of the wall", f.situation(_S.HAITEI)),
    ("houtei", "Ron on the last discard", f.situation(_S.HOUTEI)),
    ("tenhou", "The dealer's tsumo on the first draw", f.situation(_S.TENHOU)),
    ("chiihou", "Another player's tsumo on the first draw, no call before", f.situation(_S.CHIIHOU)),
    ("renhou", "Ron in the first go-around, before the first draw", f.situation(_S.RENHOU)),
    ("kanburi", "Ron on the discard that follows a kan's supplement draw", f.situation(_S.KANBURI)),
    ("tsubame", "Ron on the discard that declares riichi", f.situation(_S.TSUBAME)),
    ("twofold", "Tsumo on the supplement tile of a kan that another kan's supplement tile made",
     f.situation(_S.TWOFOLD)),
    ("dealer_streak", "The dealer's win in a row from which dealer_wins_count counts",
     f.situation(_S.THIRTEENTH)),
    ("closed", "No open meld; a closed kan is allowed", f.CLOSED),
    ("four_open", "Four melds, no closed kan among them", f.FOUR_OPEN),
    ("standard", "Four groups and a pair", f.STANDARD),
    ("seven_pairs", "Seven pairs", f.SEVEN_PAIRS),
    ("orphans", "Thirteen orphans", f.ORPHANS),
    ("ryanmen", "Wait on both ends of a run", f.RYANMEN),
    ("kanchan", "Wait on the middle of a run", _wait(layout.KANCHAN)),
    ("penchan", "Wait on the 3 of 123 or the 7 of 789", _wait(layout.PENCHAN)),
    ("shanpon", "Wait on a triplet", _wait(layout.SHANPON)),
    ("tanki", "Wait on the pair", f.TANKI),
    ("win_even", "Two or four concealed tiles of the winning kind", f.WIN_EVEN),
    ("has_run", "A run at least", f.HAS_RUN),
    ("all_runs", "Four runs", f.ALL_RUNS),
    ("all_triplets", "Four triplets or kans", h.ALL_TRIPLETS),
    ("value_pair", "The pair is of dragons, the seat wind or the round wind", f.VALUE_PAIR),
    ("one_twin", "Two identical runs, once", f.ONE_TWIN),
    ("two_twins", "Two identical runs, twice", f.TWO_TWINS),
    ("run_thrice", "Three or four identical runs", f.RUN_THRICE),
    ("run_four_times", "Four identical runs", f.RUN_FOUR_TIMES),
    ("three_concealed", "Exactly three concealed triplets", f.THREE_CONCEALED),
    ("four_concealed", "Four concealed triplets", f.FOUR_CONCEALED),
    ("any_kan", "A kan at least", f.ANY_KAN),
    ("three_kans", "Exactly three kans", f.THREE_KANS),
    ("four_kans", "Four kans", f.FOUR_KANS),
    ("has_man", "A tile of characters", f.HAS_SUIT[0]),
    ("has_pin", "A tile of dots", f.HAS_SUIT[1]),
    ("has_sou", "A tile of bamboos", f.HAS_SUIT[2]),
    ("has_honour", "An honour", f.HAS_HONOUR),
    ("one_suit", "All tiles of one suit", h.ONE_SUIT),
    ("half_flush", "One suit and honours", h.HALF_FLUSH),
    ("simples", "No terminal and no honour", h.SIMPLES),
    ("all_honours", "Honours only", h.ALL_HONOURS),
    ("all_terminals", "Terminals only", h.ALL_TERMINALS),
    ("mixed_terminals", "Terminals and honours only, both of them", h.MIXED_TERMINALS),
    ("all_green", "23468 of bamboos and green dragons only", h.ALL_GREEN),
    ("outside", "A terminal or an honour in every group and the pair, and a run", h.OUTSIDE),
    ("straight", "123, 456 and 789 of one suit", h.STRAIGHT),
    ("similar_runs", "The same run in three suits", h.SIMILAR_RUNS),
    ("similar_triplets", "The same triplet in three suits", h.SIMILAR_TRIPLETS),
    ("little_dragons", "Triplets of two dragons and a pair of the third", h.LITTLE_DRAGONS),
    ("big_dragons", "Triplets of three dragons", h.BIG_DRAGONS),
    ("little_winds", "Triplets of three winds and a pair of the fourth", h.LITTLE_WINDS),
    ("big_winds", "Triplets of four winds", h.BIG_WINDS),
    *((f"seat_{name}", f"The winner sits {name}", f.SEAT_WIND[wind])
      for wind, name in enumerate(("east", "south", "west", "north"))),
    *((f"round_{name}", f"In the {name} round", f.ROUND_WIND[wind])
      for wind, name in enumerate(("east", "south", "west", "north"))),
)
# fmt: on
FACTS: Mapping[str, NamedFact] = {name: NamedFact(meaning, condition) for name, meaning, condition in _FACTS}
"""Facts that stand alone, by name."""

RIICHI_FACTS = (
    "riichi", "double_riichi", "open_riichi", "ippatsu", "tsubame",
    "ryanmen", "kanchan", "penchan", "shanpon", "tanki", "value_pair",
)  # fmt: skip
"""Facts that other games do not have."""

TILE_FACTS: Mapping[str, TileFact] = {
    "triplet": TileFact("A triplet or kan of the tile", f.triplet),
    "pair": TileFact("The pair, or one of seven pairs, is of the tile", f.pair),
    "run": TileFact("A run of which the tile is the lowest", _run_from, starts_run=True),
    "held": TileFact("The tile is somewhere in the hand", f.held),
    "held_thrice": TileFact("Three or four concealed tiles, however they are read", f.held_thrice),
    "won_on": TileFact("Won on the tile", f.winning_tile),
}
"""Facts about one tile, by name: ``triplet(5m)``."""
ONLY = "only"
"""The fact about a set of tiles: ``only(19m19p19s1234567z)``."""
QUANTIFIERS: Mapping[str, str] = {
    "any": "For one choice of the variables at least",
    "all": "For every choice of the variables",
    "at_least": "For at least this many choices, such as `at_least 3 w in winds: pair(w)`",
}

NUMBERS, SUITS, HONOURS = "ntuvxy", "abc", "dw"
"""Variables of numbers, suits and honours."""
_SETS = {"winds": f.WIND_KINDS, "dragons": f.DRAGON_KINDS, "honours": f.HONOUR_KINDS}
_TOKEN = re.compile(r"\s*(?:([A-Za-z_][A-Za-z0-9_]*)|([0-9][0-9a-z]*)|(\S))")
_TILE = re.compile(rf"([1-9]|[{NUMBERS}](?:\+[1-8])?)([mpsz{SUITS}])|([{HONOURS}])")
_TILES = re.compile(r"(?:[1-9]+[mps]|[1-7]+z)+")

T = TypeVar("T")
_Bound = dict[str, int]
_MakeCondition = Callable[[_Bound], YakuCondition]


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, a number or a sign, and where it begins (from 0)."""

    text: str
    at: int


def tiles_of(text: str) -> tuple[int, ...]:
    """Return the kinds that a text such as ``19m567z`` lists; empty if it is not one."""
    return tuple(parse_kinds(text)) if _TILES.fullmatch(text) else ()


@lru_cache(maxsize=256)
def read_condition(text: str) -> YakuCondition:
    """Read a condition.

    >>> read_condition("seven_pairs & any a in mps: pair(1a) & pair(9a)").holds([0] * 5)
    False

    Raises WrittenConditionError for what cannot be read, and for a condition of more than MAX_CASES cases.
    """
    if len(text) > MAX_CONDITION:
        reason = _("a condition has at most {most} characters").format(most=MAX_CONDITION)
        raise WrittenConditionError(reason, MAX_CONDITION + 1)
    reader = _ConditionReader(text)
    made = reader.whole()({})
    if not made.alternatives:
        raise WrittenConditionError(_("it can never hold"), 1)
    return made


def _code(pattern: BitPattern) -> int:
    code = 0
    for word in (*pattern.need, *pattern.never):
        code = code << 64 | word
    return code


_Join = Callable[[Sequence[YakuCondition], _Token], YakuCondition]


class _ConditionReader:
    """Reads one condition into a function from values of its variables to the condition."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            _Token(found[1] or found[2] or found[3], found.start(found.lastindex or 0))
            for found in _TOKEN.finditer(text)
            if found.lastindex
        ]
        self.next = 0
        self.depth = 0
        self.known: set[str] = set()
        """Variables that are bound here."""
        self.work = 0

    # --- tokens ---------------------------------------------------------------------------------------

    @property
    def token(self) -> _Token:
        """The next token; an empty one at the end."""
        return self.tokens[self.next] if self.next < len(self.tokens) else _Token("", len(self.text))

    def take(self) -> _Token:
        """Take the next token."""
        token = self.token
        self.next += 1
        return token

    def expect(self, text: str) -> None:
        """Take a sign."""
        if self.token.text != text:
            what = _("{sign} is missing before {found}")
            raise self.wrong(what.format(sign=repr(text), found=self.found()))
        self.next += 1

    def found(self) -> str:
        """What the next token is, for messages."""
        return repr(short(self.token.text)) if self.token.text else _("the end")

    def wrong(self, text: str, token: _Token | None = None) -> WrittenConditionError:
        """Return the error of a token, the next one by default."""
        return WrittenConditionError(text, (token or self.token).at + 1)

    # --- grammar --------------------------------------------------------------------------------------

    def whole(self) -> _MakeCondition:
        """Read all of the text."""
        made = self.condition()
        if self.token.text:
            text = _("{found} is too much here: & is and, | is or, ~ is not")
            raise self.wrong(text.format(found=self.found()))
        return made

    def condition(self) -> _MakeCondition:
        """Read alternatives."""
        return self.chain("|", self.part, self.any_of)

    def part(self) -> _MakeCondition:
        """Read what must hold together."""
        return self.chain("&", self.factor, self.all_of)

    def chain(self, sign: str, read: Callable[[], _MakeCondition], join: _Join) -> _MakeCondition:
        """Read one part or several with a sign between them, and join them."""
        start = self.token
        parts = self.listed(sign, read)
        return parts[0] if len(parts) == 1 else lambda values: join([part(values) for part in parts], start)

    def listed(self, sign: str, read: Callable[[], T]) -> list[T]:
        """Read one thing or several with a sign between them."""
        found = [read()]
        while self.token.text == sign:
            self.next += 1
            found.append(read())
        return found

    def factor(self) -> _MakeCondition:
        """Read a fact, a denial, brackets or a quantifier."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.wrong(_("brackets nest too deeply"))
        try:
            return self._factor()
        finally:
            self.depth -= 1

    def _factor(self) -> _MakeCondition:
        token = self.take()
        if token.text == "~":
            denied = self.factor()
            return lambda values: self.denied(denied(values), token)
        if token.text == "(":
            made = self.condition()
            self.expect(")")
            return made
        if token.text in QUANTIFIERS:
            return self.quantifier(token)
        if token.text in TILE_FACTS or token.text == ONLY:
            self.expect("(")
            return self.tile_fact(token)
        if token.text in FACTS:
            condition = FACTS[token.text].condition
            return lambda _values: condition
        raise self.wrong(self._why_no_fact(token), token)

    def _why_no_fact(self, token: _Token) -> str:
        if not token.text:
            return _("a fact is missing at the end")
        if not token.text[0].isalpha():
            text = _("a fact is missing before {found}")
            return text.format(found=repr(short(token.text)))
        if token.text == "not":
            return _("{word} is not a word of conditions: ~ is not").format(word=repr(token.text))
        hint = suggestion(token.text, (*FACTS, *TILE_FACTS, ONLY, *QUANTIFIERS))
        return _("there is no fact {name}{hint}").format(name=repr(short(token.text)), hint=hint)

    # --- combination ----------------------------------------------------------------------------------

    def any_of(self, conditions: Sequence[YakuCondition], start: _Token) -> YakuCondition:
        """Join conditions by |. Raises WrittenConditionError."""
        if sum(len(condition.alternatives) for condition in conditions) > _MAX_PRODUCT:
            raise self.too_large(start)
        return self.small(f.any_of(conditions), start)

    def all_of(self, conditions: Sequence[YakuCondition], start: _Token) -> YakuCondition:
        """Join conditions by & one after the other, keeping them small. Raises WrittenConditionError."""
        made = f.ALWAYS
        for other in conditions:
            size = len(made.alternatives) * len(other.alternatives)
            self.work += _MADE * size
            if size > _MAX_PRODUCT:
                raise self.too_large(start)
            made = self.least(made & other, start)
        return self.small(made, start)

    def small(self, condition: YakuCondition, start: _Token) -> YakuCondition:
        """Drop what is covered, and see that no more than MAX_CASES are left."""
        made = self.least(condition, start)
        if len(made.alternatives) > MAX_CASES:
            raise self.too_large(start)
        return made

    def least(self, condition: YakuCondition, start: _Token) -> YakuCondition:
        """Drop the alternatives that another one covers."""
        kept: list[BitPattern] = []
        codes: list[int] = []
        for pattern in sorted(condition.alternatives, key=lambda pattern: _code(pattern).bit_count()):
            code = _code(pattern)
            self.work += len(codes)
            if self.work > _MAX_WORK:
                raise self.too_large(start)
            if not any(code & other == other for other in codes):
                kept.append(pattern)
                codes.append(code)
        return YakuCondition(tuple(kept))

    def denied(self, condition: YakuCondition, start: _Token) -> YakuCondition:
        """Return that a condition does not hold."""
        denials = (YakuCondition(tuple(pattern.denials())) for pattern in condition.alternatives)
        return self.all_of(list(denials), start)

    def too_large(self, start: _Token) -> WrittenConditionError:
        """Return the error of a condition of too many cases."""
        text = _("from here on there are more than {most} cases; say it with fewer choices or denials")
        return self.wrong(text.format(most=f"{MAX_CASES:,}"), start)

    # --- quantifiers ----------------------------------------------------------------------------------

    def quantifier(self, token: _Token) -> _MakeCondition:
        """Read what follows any, all or at_least."""
        least = 0
        if token.text == "at_least":
            number = self.take()
            if not re.fullmatch("[1-9]", number.text):
                raise self.wrong(_("at_least needs a number from 1 to 9"), number)
            least = int(number.text)
        choices = self.listed(",", self.binding)
        self.expect(":")
        names = [name for binding in choices for name in binding[0]]
        body = self.condition()
        self.known -= set(names)
        if prod(perm(len(values), len(own)) for own, values in choices) > MAX_CASES:
            raise self.too_large(token)
        rows = [
            dict(zip(names, (value for group in groups for value in group), strict=True))
            for groups in product(*(permutations(values, len(own)) for own, values in choices))
        ]
        if comb(len(rows), least) > MAX_CASES:
            raise self.too_large(token)

        def made(values: _Bound) -> YakuCondition:
            each = [body(values | row) for row in rows]
            if token.text == "any":
                return self.any_of(each, token)
            if token.text == "all":
                return self.all_of(each, token)
            return self.any_of([self.all_of(some, token) for some in combinations(each, least)], token)

        return made

    def binding(self) -> tuple[list[str], tuple[int, ...]]:
        """Read variables and the values that they take."""
        first = self.token
        names = self.listed(",", lambda: self.variable(first))
        self.expect("in")
        return names, self.values(names)

    def variable(self, first: _Token) -> str:
        """Read the name of a variable."""
        token = self.take()
        if len(token.text) != 1 or token.text not in NUMBERS + SUITS + HONOURS:
            text = _("{found} is not a variable: {numbers} are numbers, {suits} suits, {honours} honours")
            raise self.wrong(
                text.format(
                    found=repr(short(token.text)) if token.text else _("the end"),
                    numbers=", ".join(NUMBERS), suits=", ".join(SUITS), honours=", ".join(HONOURS),
                ),
                token,
            )  # fmt: skip
        if token.text in self.known:
            raise self.wrong(_("{name} is bound twice").format(name=repr(token.text)), token)
        if _sort(token.text) != _sort(first.text):
            text = _("{name} is of another sort than {first}: begin a binding of its own")
            raise self.wrong(text.format(name=repr(token.text), first=repr(first.text)), token)
        self.known.add(token.text)
        return token.text

    def values(self, names: list[str]) -> tuple[int, ...]:
        """Read the values that variables take."""
        token = self.take()
        sort = _sort(names[0])
        found: tuple[int, ...] = ()
        if sort == NUMBERS and re.fullmatch("[1-9]+", token.text):
            found = tuple(dict.fromkeys(map(int, token.text)))
            if self.token.text == "-":
                self.next += 1
                last = self.take()
                is_range = re.fullmatch("[1-9]", last.text) and len(token.text) == 1
                found = tuple(range(found[0], int(last.text) + 1)) if is_range else ()
        elif sort == SUITS and re.fullmatch("[mps]+", token.text):
            found = tuple(dict.fromkeys(map("mps".index, token.text)))
        elif sort == HONOURS:
            found = tuple(_SETS.get(token.text, ()))
        if not found:
            text = {
                NUMBERS: _("numbers are written as 1-7 or 147"),
                SUITS: _("suits are written as mps or two of them"),
                HONOURS: _("honours are winds, dragons or honours"),
            }[sort]
            raise self.wrong(text, token)
        return found

    # --- tiles ----------------------------------------------------------------------------------------

    def tile_fact(self, token: _Token) -> _MakeCondition:
        """Read the tiles of a fact, up to the closing bracket."""
        start = self.token
        end = self.text.find(")", start.at)
        if end < 0:
            what = _("{sign} is missing before {found}")
            raise self.wrong(what.format(sign="')'", found=_("the end")), token)
        written = re.sub(r"\s+", "", self.text[start.at : end])
        while self.token.at < end:
            self.next += 1
        self.expect(")")
        if token.text == ONLY:
            kinds = tiles_of(written)
            if not kinds:
                text = _("{name} takes tiles such as 19m567z, not {found}")
                raise self.wrong(text.format(name=ONLY, found=repr(short(written))), start)
            condition = f.only(kinds)
            return lambda _values: condition
        found = _TILE.fullmatch(written)
        if found is None:
            text = _("{name} takes one tile such as 5m, 1z or x+1a, not {found}")
            raise self.wrong(text.format(name=token.text, found=repr(short(written))), start)
        for name in (found[1] or "")[:1] + (found[2] or "") + (found[3] or ""):
            if name in NUMBERS + SUITS + HONOURS and name not in self.known:
                text = _("{name} has no values here: write, for example, any {name} in {values}: before it")
                values = {NUMBERS: "1-9", SUITS: "mps", HONOURS: "winds"}[_sort(name)]
                raise self.wrong(text.format(name=name, values=values), start)
        fact = TILE_FACTS[token.text]
        return lambda values: fact.of_kind(self.kind(found, values, start, fact))

    def kind(self, found: re.Match[str], values: _Bound, start: _Token, fact: TileFact) -> int:
        """Return the kind that a tile is for some values. Raises WrittenConditionError for none."""
        if found[3]:
            kind = values[found[3]]
        else:
            name, _plus, step = found[1].partition("+")
            number = (int(name) if name.isdigit() else values[name]) + int(step or 0)
            suit = values[found[2]] if found[2] in SUITS else "mpsz".index(found[2])
            if number > (7 if suit == 3 else 9):
                text = _("there is no tile {tile}")
                raise self.wrong(text.format(tile=f"{number}{'mpsz'[suit]}"), start)
            kind = 9 * suit + number - 1
        if fact.starts_run and (kind >= layout.FACT - 7 or kind % 9 > 6):
            raise self.wrong(_("a run begins with 1 to 7 of a suit"), start)
        return kind


def _sort(name: str) -> str:
    return next((sort for sort in (NUMBERS, SUITS, HONOURS) if name and name in sort), "")
