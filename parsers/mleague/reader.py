"""Pages of the M.League's viewer: commands of the table as they came, into games.

The page hands its viewer a list of ``{time, id, cmd, args}``. Seats are A0 to D0; the one that deals first is
seat 0 of the model. The scores at the end of a hand are changes without the riichi stick that was paid.
Official records have gaps: what cannot be read ends a hand, and the next one begins anew with the scores it
states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from paifu.parsers.drafting import DEALT, HIDDEN_DEAL, SHOWN, STICK, DraftedGame, ListedYaku, hands_shown
from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import json_games
from paifu.parsers.json_values import MAX_TEXT, Within, shown, wrong_value
from paifu.parsers.packed_events import pon_of, winning_tile
from paifu.parsers.sources.documents import Document
from paifu.parsers.words import LIMIT_OF_WORD, yaku_of_name
from paifu.replay.model.batch import MAX_COUNT, MAX_FU, MAX_HAN, MAX_INDICATORS, MAX_POINTS
from paifu.replay.model.builder import BatchBuilder, DraftRow, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE, RED_MAN
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rulesets.log_rules import RuleChoice
from paifu.replay.scoring.limits import Limit

_PLAYERS = 4
_LONGEST = 100
"""Characters of the longest list of tiles, or number with its words."""
_ID = re.compile(r"L\d{3}_S\d{3}_\d{4}_\d{2}A", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?:\D{1,20}(\d{1,2}):(\d{2}))?")
_TILE = re.compile(r"([1-9])([mpszMPS])")
_WINDS = {wind: number for number, winds in enumerate(("東1E", "南2S", "西3W", "北4N")) for wind in winds}
_YAKU = {
    "リーチ": 1, "ダブルリーチ": 21, "一発": 2, "門前自摸": 0, "ツモ": 0, "タンヤオ": 8, "ピンフ": 7,
    "チャンタ": 23, "純チャン": 33, "赤": 54, "ドラ": 52, "裏ドラ": 53, "裏": 53,
}  # fmt: skip
_SAID_CALLS = frozenset({"chi", "pon", "kan"})
_NUMBER = re.compile(r"(-?[0-9]+)(?:\.[0-9]+)?")


def read_mleague(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read the game of ``text`` (the plain bytes of ``document``): the list of a page.

    What cannot be read becomes a fault of the builder. Its hand ends there, and the next one is read again.
    """
    items: list[Any] = []
    for _location, value in json_games(document, text, builder):
        items.append(value)
    if items:
        _MleagueGame(items, document.location).add_to(builder)


class _MleagueGame(DraftedGame):
    """One game while its commands are read."""

    format = "mleague"

    def __init__(self, items: list[Any], location: str) -> None:
        found = _ID.search(location.rpartition("/")[2])
        super().__init__(location, id=found[0].upper() if found else "")
        self.items = items
        self._first = 0
        """Seat of the page that deals first."""
        self._names = [""] * _PLAYERS
        self._is_lost = True
        """No hand is under way, or it cannot be read any further."""
        self._dealt: list[list[int]] = []
        self._row: DraftRow = {}
        self._scores: dict[int, int] = {}
        self._changes: dict[int, int] = {}
        self._said = ["", "", "", ""]
        """By seat, what it said last."""
        self._last = NO_SEAT, NO_TILE
        """Who discarded last, or added to a pon, and what."""
        self._drawn = [NO_TILE] * _PLAYERS
        self._paid: set[int] = set()
        self._wins: list[DraftRow] = []
        self._shown: dict[int, bytes] = {}
        self._tenpai: dict[int, int] = {}
        self._ura: list[int] = []
        self._dora: list[int] = []
        self._has_begun = False
        """The deal of the present hand has been put into the draft."""

    def read(self) -> None:
        """Take all commands."""
        for at, item in enumerate(self.items):
            try:
                with Within(f"[{at}]"):
                    self._item(item)
            except ParseError as error:
                error.hint = error.hint or "the hand ends here; the next one is read"
                self.faults.note(error)
                self._is_lost = True
        self._end_hand()
        if not self.draft.hands:
            nothing = ParseError("the page holds no hand", hint="save it again")
            raise self.faults.pop() if self.faults else nothing

    def finish(self, *, is_whole: bool) -> GameDraft:
        """Return the draft, once all has been read; a whole game states its points at the end."""
        game = self.draft.game
        game["names"] = [self._names[(seat + self._first) % _PLAYERS] for seat in range(_PLAYERS)]
        self.is_over = "final_points" in game
        return super().finish(is_whole=is_whole)

    def rules(self) -> RuleChoice:
        """Return those of the league."""
        return RuleChoice("mleague")

    def _item(self, item: Any) -> None:
        if not isinstance(item, dict) or not isinstance(item.get("cmd"), str):
            raise wrong_value(f"a command is an object with cmd, not {shown(item)}", code="V102")
        args = item.get("args") or []
        if not isinstance(args, list) or not all(isinstance(one, str) for one in args):
            raise wrong_value("args is not a list of texts", code="V102")
        name = item["cmd"]
        handler = _HANDLERS.get(name)
        if handler is None:
            if name not in _IGNORED:
                self.faults.note_unknown("command", name, "")
            return
        if self._is_lost and name not in _OF_GAME:
            return
        handler(self, args)

    # --- arguments ------------------------------------------------------------------------------------

    def _seat(self, args: list[str], at: int = 0) -> int:
        text = _argument(args, at)
        if len(text) != 2 or text[0] not in "ABCD" or text[1] != "0":
            raise wrong_value(f"{shown(text)} is not a seat", code="V105")
        return ("ABCD".index(text[0]) - self._first) % _PLAYERS

    def _number(self, args: list[str], at: int, low: int, high: int, what: str) -> int:
        text = _argument(args, at)
        found = re.fullmatch(r"[=+]?(-?\d{1,9})", text)
        if not found or not low <= int(found[1]) <= high:
            raise wrong_value(f"{what} is {shown(text)}", code="V105")
        return int(found[1])

    def _tiles(self, text: str, most: int) -> list[int]:
        """Read tiles, codes of the model; anything else between them says nothing."""
        codes = [_code(number, suit) for number, suit in _TILE.findall(text[:_LONGEST])]
        rest = _TILE.sub("", text[:_LONGEST]).strip("<> ")
        if rest or len(codes) > most or len(text) > _LONGEST:
            raise wrong_value(f"{shown(text)} are not tiles, or too many", code="V105")
        return codes

    def _tile(self, args: list[str], at: int) -> int:
        codes = self._tiles(_argument(args, at), 1)
        if not codes:
            raise wrong_value("a tile is missing", code="V105")
        return codes[0]

    # --- the game -------------------------------------------------------------------------------------

    def page(self, args: list[str]) -> None:
        """What the page says around the list: the date."""
        found = _DATE.search(_argument(args, 0))
        if found:
            year, month, day, hour, minute = found.groups()
            time = f"T{int(hour):02}:{minute}" if hour else ""
            self.draft.game["started"] = f"{year}-{int(month):02}-{int(day):02}{time}"

    def player(self, args: list[str]) -> None:
        """Who sits where."""
        self._names[(self._seat(args) + self._first) % _PLAYERS] = _argument(args, 1)[:MAX_TEXT]

    def kyoku_start(self, args: list[str]) -> None:
        """A hand begins; what came before is over."""
        self._end_hand()
        self._is_lost = True  # until all of this is read
        if not self.draft.hands:
            self._first = 0
            self._first = self._seat(args, 1)
        wind = next((_WINDS[sign] for sign in _argument(args, 4) if sign in _WINDS), None)
        if wind is None:
            raise wrong_value(f"the round wind is {shown(args[4:5])}", code="V105")
        dealer = self._seat(args, 1)
        self._row = {
            "round": 4 * wind + dealer,
            "dealer": dealer,
            "honba": self._number(args, 2, 0, MAX_COUNT, "the number of honba"),
            "sticks": self._number(args, 3, 0, MAX_POINTS, "riichi sticks") // STICK,
        }
        self._dealt = [[] for _ in range(_PLAYERS)]
        self._scores, self._changes, self._shown, self._tenpai = {}, {}, {}, {}
        self._said, self._drawn = [""] * _PLAYERS, [NO_TILE] * _PLAYERS
        self._last = NO_SEAT, NO_TILE
        self._paid, self._wins, self._ura, self._dora = set(), [], [], []
        self._has_begun = self._is_lost = False

    def point(self, args: list[str]) -> None:
        """Points: ``=25000`` at the start, ``+8000`` or ``-8000`` at the end."""
        seat, value = self._seat(args), self._number(args, 1, -MAX_POINTS, MAX_POINTS, "points")
        (self._scores if args[1].startswith("=") else self._changes)[seat] = value

    def haipai(self, args: list[str]) -> None:
        """Some of the tiles dealt."""
        dealt = self._dealt[self._seat(args)]
        dealt += self._tiles(_argument(args, 1), DEALT)
        if len(dealt) > DEALT:
            raise wrong_value(f"more than {DEALT} tiles are dealt", code="V104")

    def dora(self, args: list[str]) -> None:
        """An indicator: the first of the hand, or that of a kan."""
        text = _argument(args, 1)
        codes = self._tiles(text, 1)
        code = codes[0] if codes else NO_TILE
        if len(self._dora) >= MAX_INDICATORS:
            raise wrong_value(f"more than {MAX_INDICATORS} indicators are turned", code="V105")
        if not self._dora:
            self._row["dora"] = code
        elif code == NO_TILE:
            self.faults.note(ParseError("the indicator of a kan is not recorded", code="V102"))
            return
        else:
            self.put(EventKind.DORA, tile=code)
        self._dora.append(code)

    def uradora(self, args: list[str]) -> None:
        """An indicator under one of the dora."""
        if len(self._ura) < MAX_INDICATORS:
            self._ura += self._tiles(_argument(args, 1), 1)

    def _start(self) -> None:
        """Put the deal into the draft, before the first move."""
        if self._has_begun:
            return
        wrong = next((len(tiles) for tiles in self._dealt if len(tiles) not in (0, DEALT)), None)
        if wrong is not None:
            raise wrong_value(f"{wrong} tiles are dealt, not {DEALT}", code="V104")
        if not self._row:
            raise wrong_value("a move before the first hand", code="V102")
        row = self._row
        row["dealt"] = b"".join(bytes(tiles or HIDDEN_DEAL) for tiles in self._dealt)
        if len(self._scores) == _PLAYERS:
            row["scores"] = [self._scores[seat] for seat in range(_PLAYERS)]
        row.setdefault("dora", NO_TILE)
        turned = [word for word in self.words[self.begin :] if word & 31 == EventKind.DORA]
        del self.words[self.begin :]
        self.begin_hand(row)
        self.words += turned
        self._has_begun = True

    # --- moves ----------------------------------------------------------------------------------------

    def tsumo(self, args: list[str]) -> None:
        """A draw; the number of tiles left stands between."""
        self._start()
        seat = self._seat(args)
        self._drawn[seat] = self._tile(args, 2)
        self.put(EventKind.DRAW, seat, self._drawn[seat])

    def sutehai(self, args: list[str]) -> None:
        """A discard, perhaps of the tile just drawn, perhaps with riichi."""
        self._start()
        seat, code = self._seat(args), self._tile(args, 1)
        self.discard(seat, code, is_drawn="tsumogiri" in args[2:], is_riichi="richi" in args[2:])
        self._last = seat, code

    def richi(self, args: list[str]) -> None:
        """The stick is paid."""
        self._start()
        seat = self._seat(args)
        self._paid.add(seat)
        self.pay(seat)

    def say(self, args: list[str]) -> None:
        """What a player says."""
        seat, word = self._seat(args), _argument(args, 1)
        self._said[seat] = word
        if word in ("tenpai", "noten"):
            self._tenpai[seat] = int(word == "tenpai")

    def open(self, args: list[str]) -> None:
        """Tiles laid open: a meld after its call, otherwise a hand."""
        self._start()
        seat = self._seat(args)
        own = self._tiles(_argument(args, 1), SHOWN)
        if self._said[seat] not in _SAID_CALLS:
            self._shown[seat] = bytes(own)
            return
        said, self._said[seat] = self._said[seat], ""
        if len(args) == 2:
            if said != "kan" or len(own) != _PLAYERS:
                raise wrong_value(f"{said} without a called tile", code="V105")
            self.put(EventKind.ANKAN, seat, own[0], own=own[1:])
            return
        tile = self._tile(args, 2)
        if said == "kan" and pon_of(self.words, self.begin, seat, tile):
            self.add_to_pon(seat, tile)
            self._last = seat, tile
            return
        kind = {"chi": EventKind.CHI, "pon": EventKind.PON, "kan": EventKind.DAIMINKAN}[said]
        if len(own) != 2 + (kind == EventKind.DAIMINKAN) or self._last[0] == NO_SEAT:
            raise wrong_value(f"{said} with {len(own)} own tiles", code="V105")
        self.put(kind, seat, tile, self._last[0], own)

    # --- results --------------------------------------------------------------------------------------

    def agari(self, args: list[str]) -> None:
        """A win: its value, and its yaku with their han."""
        self._start()
        rest = [one for one in args if not one.startswith(("comment", "ron="))]
        seat = self._seat(rest)
        is_ron = any(one.startswith("ron=") for one in args)
        source = self._last[0] if is_ron else seat
        if source == NO_SEAT:
            raise wrong_value("a ron without a discard", code="V102")
        tile = winning_tile(self.words, self.begin, seat, source)
        if tile == NO_TILE:
            raise wrong_value("a win without a tile", code="V102")
        row: DraftRow = {"seat": seat, "source": source, "tile": tile}
        value, fu = (rest[at] if at < len(rest) else "" for at in (1, 2))
        stated = [word for word in LIMIT_OF_WORD if word in value]
        row["limit"] = LIMIT_OF_WORD[max(stated, key=len)] if stated else Limit.NONE
        if is_ron and (points := _whole(value, MAX_POINTS)) is not None:
            row["points"] = points
        if (number := _whole(fu, MAX_FU)) is not None and number > 0:
            row["fu"] = number
        self.state_yaku(row, self._listed(rest[3:]))
        if len(self._wins) >= _PLAYERS - 1:
            raise wrong_value("more than three players win", code="V105")
        self._wins.append(row)

    def _listed(self, listed: list[str]) -> Iterator[ListedYaku]:
        for name, worth in zip(listed[::2], listed[1::2], strict=False):
            number = _YAKU.get(name, yaku_of_name(name))
            han = YAKUMAN_HAN if "役満" in worth else _whole(worth, MAX_HAN)
            if number is not None and (han is None or han < 0):
                raise wrong_value(f"{shown(worth)} is not a number of han", code="V105")
            yield ListedYaku(number, han or 0, name)

    def _end_hand(self) -> None:
        """Put the result of the present hand, if it has one."""
        if self._has_begun and not self._is_lost:
            deltas = (
                [self._changes.get(seat, 0) + STICK * (seat in self._paid) for seat in range(_PLAYERS)]
                if self._changes
                else None
            )
            if self._wins:
                for row in self._wins:
                    self._win_claims(row, deltas)
                    self.win(row)
            elif self._changes or self._tenpai:
                draw: DraftRow = {"kind": HandEnd.EXHAUSTIVE, "deltas": deltas or [0] * _PLAYERS}
                if len(self._tenpai) == _PLAYERS:
                    draw["tenpai"] = bytes(self._tenpai[seat] for seat in range(_PLAYERS))
                draw["shown"] = hands_shown(
                    self._shown.get(seat, b"")[:SHOWN] if self._tenpai.get(seat) else b""
                    for seat in range(_PLAYERS)
                )
                self.end_without_win(draw)
        if not self._has_begun:
            del self.words[self.begin :]  # indicators of a hand that did not come to its first move
        self.begin = len(self.words)
        self._has_begun = False

    def _win_claims(self, row: DraftRow, deltas: list[int] | None) -> None:
        seat = row["seat"]
        if deltas is not None and len(self._wins) == 1:
            row["deltas"] = deltas
        own = self._shown.get(seat, b"")
        if own and len(own) <= SHOWN:
            is_ron = row["source"] != seat
            tiles = own + bytes([row["tile"]]) * (is_ron and len(own) % 3 == 1)
            if len(tiles) % 3 == 2:
                row["tiles"] = tiles
        if self._dora and NO_TILE not in self._dora:
            row["dora"] = bytes(self._dora[:MAX_INDICATORS])
        if {1, 21} & set(row.get("yaku", b"")) and self._ura:
            row["ura"] = bytes(self._ura[:MAX_INDICATORS])

    def end(self, args: list[str]) -> None:
        """The result of the game: settled points by seat."""
        self._end_hand()
        self._is_lost = True
        points: dict[int, float] = {}
        seat = None
        for one in args:
            if re.fullmatch(r"[A-D]0", one):
                seat = self._seat([one])
            elif seat is not None and re.fullmatch(r"[+-]?\d{1,5}(?:\.\d)?", one):
                points.setdefault(seat, float(one))
        if len(points) == _PLAYERS:
            self.draft.game["final_points"] = [points[seat] for seat in range(_PLAYERS)]


def _argument(args: list[str], at: int) -> str:
    """An argument of a command; empty where it is left out."""
    return args[at] if at < len(args) else ""


def _code(number: str, suit: str) -> int:
    """Return the code of a tile; capitals are red."""
    if suit in "MPS" and number == "5":
        return CODE_OF_TILE + RED_MAN + "MPS".index(suit)
    if suit == "z" and number > "7":
        raise wrong_value(f"{number}{suit} is not a tile", code="V105")
    return CODE_OF_TILE + 9 * "mpsz".index(suit.lower()) + int(number) - 1


def _whole(text: str, most: int) -> int | None:
    """Read the first number in a text, without what comes after its point; None for none that fits."""
    found = _NUMBER.search(text[:_LONGEST])
    value = int(found[1]) if found else most + 1
    return value if abs(value) <= most else None


_HANDLERS: Mapping[str, Callable[[_MleagueGame, list[str]], None]] = {
    "page": _MleagueGame.page,
    "player": _MleagueGame.player,
    "kyokustart": _MleagueGame.kyoku_start,
    "point": _MleagueGame.point,
    "haipai": _MleagueGame.haipai,
    "dora": _MleagueGame.dora,
    "uradora": _MleagueGame.uradora,
    "tsumo": _MleagueGame.tsumo,
    "sutehai": _MleagueGame.sutehai,
    "richi": _MleagueGame.richi,
    "say": _MleagueGame.say,
    "open": _MleagueGame.open,
    "agari": _MleagueGame.agari,
    "gameend": _MleagueGame.end,
}
_OF_GAME = frozenset({"page", "player", "kyokustart", "gameend"})
_IGNORED = frozenset({"ryukyoku", "kyokuend", "dice", "area", "gamestart"})
