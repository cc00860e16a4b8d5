"""The texts of a paifu log: tiles, melds and events, and the codes and words that they stand for.

Tiles are MPSZ, ``?`` for one that is not known. Where the physical copies are known, their numbers 0-3 follow
in the same order: ``05p7z#031``. A meld is in brackets as in ``paifu score``, the called or added tile
first. An event is a seat, a verb and what the verb needs::

    0 draw 5p            0 discard 9s            0 discard 5p tsumogiri
    1 chi (312m) from 0  2 pon (550p) from 1     3 daiminkan (2222z) from 2
    0 ankan [1111s]      0 kakan (5550p) from 3  0 kita (4z)
    0 riichi             0 riichi paid           0 riichi open
    dora 3z
    0 bonus (1f)         1 ron 5p from 0         1 tsumo 5p
    exhaustive
    2 leave              2 return             2 foul kuikae
    2 foul kuikae dead_hand

Games other than riichi have flowers and seasons instead of red fives, riichi, dora and kita; their tiles
have no copies.

A seat is a number, or the letter of its wind in this hand. The event of a call may end in ``uncertain``:
:attr:`~paifu.replay.model.events.EventFlag.ORDER_UNCERTAIN`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from paifu.parsers.errors import ParseError
from paifu.parsers.mjlog.melds import LoggedMeld, decode_meld, encode_meld, word_of_code
from paifu.replay.model.events import (
    CODE_OF_TILE,
    FLAG_SHIFT,
    NO_SEAT,
    RULING_SHIFT,
    SEAT_SHIFT,
    TILE_SHIFT,
    EventFlag,
    EventKind,
    HandEnd,
    pack,
)
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import BONUS_TILES, IDS, KINDS, NO_TILE, TILES, kind_of, tile_of_id_table
from paifu.replay.rules.choices import Consequence, Scheme
from paifu.replay.rules.foul_kinds import FOUL_NAMES
from paifu.replay.rules.ruleset import Ruleset

WINDS = "ESWN"
ROUNDS = {f"{WINDS[min(r // 4, 3)]}{r - 4 * min(r // 4, 3) + 1}": r for r in range(64)}
"""Name of a round -> its number; rounds beyond North 4 go on with N5."""
ROUND_NAMES = {number: name for name, number in ROUNDS.items()}

DRAWS = {
    "exhaustive": HandEnd.EXHAUSTIVE,
    "nagashi": HandEnd.NAGASHI,
    "kyuushu": HandEnd.KYUUSHU,
    "suufon": HandEnd.SUUFON,
    "suucha": HandEnd.SUUCHA,
    "sanchahou": HandEnd.SANCHAHOU,
    "suukaikan": HandEnd.SUUKAIKAN,
    "unknown draw": HandEnd.UNKNOWN_DRAW,
}
"""Events that end a hand without a winner."""
DRAW_NAMES = {kind: name for name, kind in DRAWS.items()}
FOUL = "chombo"
"""Verb of a foul that ends a hand."""
RULINGS = tuple(one for one in Consequence if one != Consequence.REFUSED)
"""What a table may rule that a foul costs."""

_MELDS = {
    "chi": (EventKind.CHI, 3),
    "pon": (EventKind.PON, 3),
    "daiminkan": (EventKind.DAIMINKAN, 4),
    "ankan": (EventKind.ANKAN, 4),
    "kakan": (EventKind.KAKAN, 4),
    "kita": (EventKind.KITA, 1),
    "bonus": (EventKind.BONUS, 1),
}
"""Verb -> kind and number of tiles."""
_VERB_OF_MELD = {kind: verb for verb, (kind, _) in _MELDS.items()}
_FROM_ANOTHER = frozenset({EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN})
_TILES = r"[0-9mpszfg?]+(?:#[0-3-]+)?"
_MELD = re.compile(rf"([a-z]+) (\({_TILES}\)|\[{_TILES}\])(?: from ([0-3]))?( uncertain)?")
_RUN = re.compile(r"([0-9]+)([mpszfg])|(\?+)")
_BY_WIND = re.compile(r"^[ESWN](?= )|(?<= from )[ESWN](?= |$)")
_UNKNOWN_COPY = "-"
_MAX_LEARNT = 20_000
_MAX_SHOWN = 60
_RIICHI_TILES, _OTHER_TILES = tuple(range(TILES)), (*range(KINDS), *BONUS_TILES)
_NO_SUCH_TILE = bytes([NO_TILE - 1])
_EXAMPLES = "'0 draw 5m', '1 pon (550p) from 0', '2 tsumo 3z'"


class Notation:
    """The texts of one game: they depend on the number of players and on which physical fives are red.

    ``words`` maps texts to packed events (see :func:`~paifu.replay.model.events.pack`), except for events
    that have a row in another table, and grows by the melds that are met; a text that is not in it goes to
    :meth:`word`.
    """

    def __init__(
        self, players: int, red_ids: tuple[int, ...], *, is_riichi: bool = True, flowers: int = 0
    ) -> None:
        self.players = players
        self.is_riichi = is_riichi
        self._flowers = range(CODE_OF_TILE + TILES, CODE_OF_TILE + TILES + flowers)
        """Codes of the flowers of riichi, which are only set aside."""
        self._set = _RIICHI_TILES if is_riichi else _OTHER_TILES
        """Tiles of the game."""
        self._to_code = _codes_of_digits(self._set)
        self._tile_of_id = tile_of_id_table(red_ids)
        self._names = [tile_name(int(t)) for t in self._tile_of_id[:IDS]] + [
            tile_name(t) for t in range(BONUS_TILES.stop)
        ]
        """Of each code, without the copy."""
        self._code_of_copy = {
            (CODE_OF_TILE + int(self._tile_of_id[number]), str(number % 4)): number
            for number in range(IDS if is_riichi else 0)
        }
        self._code_of_copy |= {(CODE_OF_TILE + t, _UNKNOWN_COPY): CODE_OF_TILE + t for t in self._set}
        self._code_of_copy[NO_TILE, _UNKNOWN_COPY] = NO_TILE
        self._with_rows = self._words_with_rows()
        self.words = self._plain_words()
        self._texts = {word: text for text, word in (self._with_rows | self.words).items()}
        self._size = len(self.words)
        self._codes_of_melds: dict[tuple[str, int], int] = {}

    # --- tiles ----------------------------------------------------------------------------------------

    def codes(self, text: str) -> bytes:
        """Read tiles into codes; raises ParseError for other text."""
        body, mark, copies = text.partition("#")
        codes = b""
        length = 0
        for digits, suit, hidden in _RUN.findall(body):
            codes += digits.encode().translate(self._to_code[suit]) if digits else b"\xff" * len(hidden)
            length += len(digits) + len(suit) + len(hidden)
        if length != len(body) or _NO_SUCH_TILE in codes:
            raise ParseError(
                f"{_shown(text)} is not a tile or row of them; write digits and a suit, as in 1m or 340p77z",
                code="V105",
            )
        if not mark:
            return codes
        if len(copies) != len(codes):
            raise ParseError(
                f"{_shown(text)} numbers {len(copies)} copies of {len(codes)} tiles; write a digit for each",
                code="V105",
            )
        try:
            return bytes([self._code_of_copy[pair] for pair in zip(codes, copies, strict=True)])
        except KeyError as error:
            code, copy = error.args[0]
            raise ParseError(self._wrong_copy(code, copy), code="V105") from None

    def _wrong_copy(self, code: int, copy: str) -> str:
        if not self.is_riichi:
            return "copies of tiles are told apart in riichi only; leave them out"
        if copy not in "0123" or code == NO_TILE:
            return f"{copy!r} is not a copy of a tile; copies are 0-3, and - stands for an unknown one"
        tile = code - CODE_OF_TILE
        right = self._names[4 * kind_of(tile) + int(copy)]
        return f"copy {copy} of this five is {right} under these rules, not {tile_name(tile)}"

    def tiles(self, codes: Iterable[int]) -> str:
        """Write codes: the reverse of :meth:`codes`. NO_TILE is written as ``?``."""
        digits = suit = ""
        parts: list[str] = []
        copies = ""
        has_copies = False
        for code in codes:
            name = self._names[code] if code != NO_TILE else "?"
            if name[1:] != suit:
                parts.append(digits + suit)
                digits, suit = "", name[1:]
            digits += name[0]
            is_physical = code < IDS
            has_copies |= is_physical
            copies += str(code & 3) if is_physical else _UNKNOWN_COPY
        parts.append(digits + suit)
        return "".join(parts) + (f"#{copies}" if has_copies else "")

    # --- events ---------------------------------------------------------------------------------------

    def _names_of_codes(self) -> dict[int, str]:
        copies = range(IDS) if self.is_riichi else ()
        codes = (*copies, *(CODE_OF_TILE + tile for tile in self._set), NO_TILE)
        return {code: self.tiles([code]) for code in codes}

    def _words_with_rows(self) -> dict[str, int]:
        """Texts of results and paid riichi."""
        words = {name: pack(EventKind.HAND_DRAW) for name in DRAWS}
        names = self._names_of_codes()
        for seat in range(self.players):
            words[f"{seat} {FOUL}"] = pack(EventKind.HAND_DRAW, seat)
            if self.is_riichi:
                words[f"{seat} riichi paid"] = pack(EventKind.RIICHI_PAID, seat)
            for code, name in names.items():
                words[f"{seat} tsumo {name}"] = pack(EventKind.WIN, seat, code, seat)
                for source in set(range(self.players)) - {seat}:
                    words[f"{seat} ron {name} from {source}"] = pack(EventKind.WIN, seat, code, source)
        return words

    def _plain_words(self) -> dict[str, int]:
        """All other texts but those of melds."""
        names = self._names_of_codes()
        words = {}
        if self.is_riichi:
            words = {f"dora {name}": pack(EventKind.DORA, tile=code) for code, name in names.items()}
            del words["dora ?"]
            words |= self._fouls()
        for seat in range(self.players):
            if self.is_riichi:
                words[f"{seat} riichi"] = pack(EventKind.RIICHI, seat)
                words[f"{seat} riichi open"] = pack(EventKind.RIICHI, seat, flags=EventFlag.OPEN)
            words |= {
                f"{seat} leave": pack(EventKind.LEAVE, seat),
                f"{seat} return": pack(EventKind.RETURN, seat),
            }
            for code, name in names.items():
                words[f"{seat} draw {name}"] = pack(EventKind.DRAW, seat, code)
                if code != NO_TILE:
                    words[f"{seat} discard {name}"] = pack(EventKind.DISCARD, seat, code)
                    words[f"{seat} discard {name} tsumogiri"] = pack(
                        EventKind.DISCARD, seat, code, flags=EventFlag.TSUMOGIRI
                    )
        return words

    def _fouls(self) -> dict[str, int]:
        """Texts of fouls, with and without what the table ruled."""
        words = {}
        for seat in range(self.players):
            for number, kind in enumerate(FOUL_NAMES):
                code = CODE_OF_TILE + number
                words[f"{seat} foul {kind}"] = pack(EventKind.FOUL, seat, code)
                for cost in RULINGS:
                    words[f"{seat} foul {kind} {cost.name.lower()}"] = pack(
                        EventKind.FOUL, seat, code, flags=cost << RULING_SHIFT
                    )
        return words

    def word(self, text: str, dealer: int = NO_SEAT) -> int:
        """Read an event into a word; ``dealer`` is East where seats are named by wind.

        Raises ParseError, V102 for a verb that is not known and V105 for what is out of range.
        """
        plain = _BY_WIND.sub(lambda wind: str(self.seat_of_wind(wind[0], dealer)), text)
        word = self.words.get(plain) or self._with_rows.get(plain)
        if word is None:
            word = self._meld_event(plain, text)
            if len(self.words) < self._size + _MAX_LEARNT and len(plain) <= _MAX_SHOWN:
                self.words[plain] = word
        return word

    def seat_of_wind(self, wind: str, dealer: int) -> int:
        """Return the seat that has a wind in a hand of ``dealer``; raises ParseError where none has."""
        number = WINDS.index(wind)
        if dealer == NO_SEAT or number >= self.players:
            raise ParseError(f"nobody is {wind} here; seats are 0-{self.players - 1}", code="V105")
        return (dealer + number) % self.players

    def _meld_event(self, plain: str, text: str) -> int:
        seat, _, rest = plain.partition(" ")
        if seat not in ("0", "1", "2", "3") or not rest:
            raise ParseError(f"unknown event {_shown(text)}; events are such as {_EXAMPLES}", code="V102")
        if int(seat) >= self.players:
            raise ParseError(f"seat {seat}; seats are 0-{self.players - 1}", code="V105")
        verb, _, what = rest.partition(" ")
        if verb not in _MELDS:
            raise self._no_event(verb, what, text)
        return self.meld(int(seat), rest)

    def _no_event(self, verb: str, what: str, text: str) -> ParseError:
        """Say what is wrong with an event without a meld."""
        if verb in ("draw", "discard", "tsumo", "ron") and what:
            tiles = self.codes(what.split(" ")[0])
            if tiles == b"\xff" and verb == "discard":
                return ParseError(f"{_shown(text)}: everybody sees a discard; name its tile", code="V105")
            if len(tiles) == 1 and verb != "ron":
                return ParseError(f"{_shown(text)} does not end after its tile", code="V102")
            if len(tiles) == 1:
                return ParseError(
                    f"{_shown(text)}: write from which other seat, 'ron 5p from 0'", code="V105"
                )
            return ParseError(f"{_shown(text)} names {len(tiles)} tiles; expected one", code="V105")
        if verb == "foul" and self.is_riichi:
            kinds, costs = ", ".join(FOUL_NAMES), ", ".join(cost.name.lower() for cost in RULINGS)
            return ParseError(
                f"{_shown(text)} is not a foul; write 'foul KIND' or 'foul KIND COST'",
                code="V102",
                hint=f"kinds are {kinds}; costs are {costs}",
            )
        return ParseError(f"unknown event {_shown(text)}; events are such as {_EXAMPLES}", code="V102")

    def meld(self, seat: int, text: str) -> int:
        """Read a meld with its verb, ``pon (550p) from 1``, into the word of the event; raises ParseError."""
        found = _MELD.fullmatch(text)
        if found is None or found[1] not in _MELDS:
            raise ParseError(
                f"{_shown(text)} is not a meld; melds are such as 'chi (312m) from 0', 'ankan [1111z]'",
                code="V102",
            )
        kind, size = _MELDS[found[1]]
        is_known = self.is_riichi if kind == EventKind.KITA else self._flowers or not self.is_riichi
        if kind in (EventKind.KITA, EventKind.BONUS) and not is_known:
            raise ParseError(f"{_shown(text)}: there is no {found[1]} in this game", code="V105")
        is_closed = found[2][0] == "["
        if is_closed != (kind == EventKind.ANKAN):
            raise ParseError(
                f"{_shown(text)}: square brackets are for an ankan, round ones for others", code="V102"
            )
        source = int(found[3]) if found[3] else NO_SEAT
        if (source == NO_SEAT and kind in _FROM_ANOTHER) or source in (seat, *range(self.players, 4)):
            raise ParseError(f"{_shown(text)}: write from which other seat, such as 'from 0'", code="V105")
        if source != NO_SEAT and kind in (EventKind.ANKAN, EventKind.KITA, EventKind.BONUS):
            raise ParseError(f"{_shown(text)}: its tiles come from nobody", code="V105")
        if self.is_riichi and kind == EventKind.BONUS:
            codes = bytes(code for code in self._flowers if f"({self._names[code]})" == found[2])
        else:
            codes = self.codes(found[2][1:-1])
        if kind == EventKind.BONUS and (not codes or codes[0] - CODE_OF_TILE not in BONUS_TILES):
            aside = "flowers 1f-4f" if self.is_riichi else "flowers 1f-4f and seasons 1g-4g"
            raise ParseError(f"{_shown(text)}: only {aside} are set aside", code="V105")
        if len(codes) != size or (NO_TILE in codes and kind != EventKind.KITA):
            raise ParseError(
                f"{_shown(text)}: expected {size} known tiles, the called one first", code="V105"
            )
        flags = EventFlag.ORDER_UNCERTAIN if found[4] else 0
        return pack(kind, seat, codes[0], source, tuple(codes[1:]), flags)

    def meld_code(self, text: str, seat: int) -> int:
        """Read a meld of ``seat`` into Tenhou's code, which names physical tiles; raises ParseError."""
        known = self._codes_of_melds.get((text, seat))
        if known is not None:
            return known
        word = self.meld(seat, text)
        meld = LoggedMeld.of(word)
        if any(tile >= CODE_OF_TILE for tile in (meld.tile, *meld.own)):
            hint = "or leave the melds out: the events say what was called"
            raise ParseError(
                f"{_shown(text)} does not number the copies of its tiles", code="V105", hint=hint
            )
        try:
            code = encode_meld(meld)
            is_one = decode_meld(code, seat) == meld and not word >> FLAG_SHIFT
        except ValueError:
            is_one = False
        if not is_one:
            raise ParseError(f"{_shown(text)} is not a meld, or not as Tenhou orders its tiles", code="V105")
        if len(self._codes_of_melds) < _MAX_LEARNT:
            self._codes_of_melds[text, seat] = code
        return code

    def meld_text(self, code: int, seat: int) -> str | None:
        """Write Tenhou's code of a meld; None for an impossible one."""
        try:
            text = self.text(word_of_code(code, seat)).partition(" ")[2]
            return text if self.meld_code(text, seat) == code else None
        except (ValueError, ParseError):
            return None

    def may_be_drawn(self, discard: int, draw: int) -> bool:
        """Return whether a discard, a word, may be of the tile of a draw, as far as both are known."""
        tile, drawn = discard >> TILE_SHIFT & 255, draw >> TILE_SHIFT & 255
        if (discard ^ draw) >> SEAT_SHIFT & 7:
            return False
        if tile == drawn or drawn == NO_TILE:
            return True
        return max(tile, drawn) >= CODE_OF_TILE and self._names[tile] == self._names[drawn]

    def text(self, word: int) -> str:
        """Write an event: the reverse of :meth:`word`. Raises ValueError for one that has no text."""
        known = self._texts.get(word)
        if known is not None:
            return known
        meld, flags = LoggedMeld.of(word), word >> FLAG_SHIFT
        verb = _VERB_OF_MELD.get(meld.kind, "")
        tiles = self.tiles((meld.tile, *meld.own))
        text = f"{verb} [{tiles}]" if meld.kind == EventKind.ANKAN else f"{verb} ({tiles})"
        text += "" if meld.source == NO_SEAT else f" from {meld.source}"
        text = f"{meld.seat} {text}" + (" uncertain" if flags else "")
        try:
            is_same = meld.seat < self.players and self.meld(meld.seat, text.partition(" ")[2]) == word
        except ParseError:
            is_same = False
        if not is_same:
            raise ValueError(f"an event that the notation cannot state: {meld}")
        if len(self._texts) < self._size + _MAX_LEARNT:
            self._texts[word] = text
        return text


def _codes_of_digits(tiles: Iterable[int]) -> dict[str, bytes]:
    """Suit -> digit (as a byte) -> code of the tile, 254 where there is no such tile."""
    code_of_name = {tile_name(tile): CODE_OF_TILE + tile for tile in tiles}
    return {
        suit: bytes(code_of_name.get(chr(digit) + suit, NO_TILE - 1) for digit in range(256))
        for suit in "mpszfg"
    }


@lru_cache(maxsize=32)
def notation(players: int, red_ids: tuple[int, ...], *, is_riichi: bool = True, flowers: int = 0) -> Notation:
    """Return the notation of a game, one for all games with the same tiles."""
    return Notation(players, red_ids, is_riichi=is_riichi, flowers=flowers)


def notation_of(rules: Ruleset) -> Notation:
    """Return the notation of games under a ruleset."""
    is_riichi = rules.game.scheme == Scheme.HAN_FU
    return notation(rules.table.players, rules.red_ids, is_riichi=is_riichi, flowers=rules.flowers)


def _shown(text: str) -> str:
    return repr(text[:_MAX_SHOWN])
