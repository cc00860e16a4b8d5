"""majiang JSON: hands as lists of events by wind, as majiang-core and its kin write them.

Within a hand everything is by wind: ``l`` 0 is the dealer. Around the hands it is by player, of whom
``qijia`` deals first. The model's seat 0 deals first, so wind ``l`` of a hand is seat ``jushu + l``. A
riichi is paid when its tile was not won, which no event says; a new indicator stands one event after the
move that it was turned before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from paifu.parsers.drafting import DEALT, HIDDEN_DEAL, SHOWN, DraftedGame, ListedYaku, hands_shown
from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import reads_json
from paifu.parsers.json_values import (
    MAX_TEXT,
    Within,
    as_list,
    as_object,
    as_points,
    as_whole,
    log_of,
    shown,
    wrong_value,
)
from paifu.parsers.majiang.notation import CODES, DOUBLES, LOG_ID, STEPS, call_word, tiles_of
from paifu.parsers.packed_events import (
    ends_with_east,
    honba_after,
    red_fives,
    sticks_after,
    turned,
    winning_source,
)
from paifu.parsers.tenhou import find_game_id, is_east_only, started_at
from paifu.parsers.words import DRAW_WORDS, yaku_of_name
from paifu.replay.model.batch import MAX_COUNT, MAX_FU, MAX_HAN, MAX_INDICATORS, MAX_POINTS
from paifu.replay.model.builder import DraftRow, GameDraft
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd, pack
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rules.fields import YAKUMAN_HAN, RuleValue
from paifu.replay.rulesets.log_rules import RuleChoice
from paifu.replay.rulesets.shown_rules import from_tiles

_PLAYERS = 4
_BREAKS = re.compile(r"[\r\n\t]+")
_KNOWN: dict[tuple[int, str, int, Any], int] = {}
"""Dealer's seat, what happened, who by wind, tile -> word."""
_MAX_KNOWN = 4_000
RULES: Mapping[str, RuleValue] = {**dict.fromkeys(DOUBLES.values(), True), "sudden_death_over_renchan": True}
"""What majiang-core plays by default otherwise than Tenhou."""


class _MajiangGame(DraftedGame):
    """One game while it is read."""

    format = "majiang"

    def __init__(self, value: Any, location: str) -> None:
        game_id = find_game_id(location.rpartition("/")[2])
        super().__init__(location, id=game_id, started=started_at(game_id))
        self.value = value
        self.first = 0
        """The player who deals first."""
        self.has_marks = False
        """Discards of the tile just drawn are marked in this game."""
        self.worths: dict[str, RuleValue] = {}
        """Rules on double yakuman, as far as the wins show them."""
        self._number = 0
        """The dealer's seat, which is that of wind 0."""
        self._last = 0
        """Where the words of the event before begin."""
        self._owes = -1
        """The seat whose riichi is to be paid if its tile passes."""

    def place(self) -> str:
        """Where in the log is read, for what is not known."""
        return f"log[{len(self.draft.hands) - 1}]" if self.draft.hands else ""

    def read(self) -> None:
        """Read the whole game. Raises ParseError where it cannot be read on."""
        value, log = log_of(self.value)
        self.first = as_whole(value.get("qijia", 0), 0, _PLAYERS - 1, "qijia", "qijia")
        self.read_fields(value, _FIELDS)
        if not log:
            raise ParseError("the log holds no hand", place="log", hint="nothing to do, or get it again")
        self.has_marks = any(map(_has_mark, log))
        self.each_hand(log, self._take_hand)

    def finish(self, *, is_whole: bool) -> GameDraft:
        """Return the draft, once all has been read; a whole game states its scores at the end."""
        self.is_over = "final_scores" in self.draft.game
        return super().finish(is_whole=is_whole)

    def rules(self) -> RuleChoice:
        """Choose the rules by what the game shows."""
        draft = self.draft
        points = draft.game.get("final_points", ())
        others = {**RULES, **self.worths}
        if points and all(map(float.is_integer, points)):
            others["rounding"] = "nearest"
        is_east = not draft.game["is_cut"] and ends_with_east(draft, draft.game["final_scores"], _PLAYERS)
        is_east = is_east_only(draft.game["id"], is_east)
        return from_tiles(
            _PLAYERS, reds=red_fives(draft), is_east=is_east, date=draft.game["started"], others=others
        )

    # --- what stands around the hands -----------------------------------------------------------------

    def title(self, value: Any) -> None:
        """The title, which may go over several lines."""
        title = " ".join(str(value).split())[:MAX_TEXT] if isinstance(value, str) else ""
        game_id = find_game_id(title) or self.draft.game["id"]
        if LOG_ID.fullmatch(title):
            game_id, title = title, ""
        self.draft.game |= {"title": title, "id": game_id, "started": started_at(game_id)}

    def names(self, value: Any) -> None:
        """The players' names."""
        cells = as_list(value, "it")
        if len(cells) != _PLAYERS or not all(isinstance(cell, str) for cell in cells):
            raise wrong_value("it does not name four players")
        self.draft.game["names"] = turned(
            [_BREAKS.sub(" ", cell)[:MAX_TEXT] for cell in cells], self.first, _PLAYERS, ""
        )

    def final_scores(self, value: Any) -> None:
        """Scores at the end, by player."""
        self.draft.game["final_scores"] = turned(_points(value), self.first, _PLAYERS, 0)

    def final_points(self, value: Any) -> None:
        """Settled points, numbers or texts, by player."""
        cells = as_list(value, "it")
        try:
            points = [float(cell) for cell in cells]
        except (TypeError, ValueError):
            raise wrong_value("it is not a list of points", code="V105") from None
        if len(points) != _PLAYERS or not all(abs(point) <= MAX_POINTS for point in points):
            raise wrong_value("it does not state four players' points", code="V105")
        self.draft.game["final_points"] = turned(points, self.first, _PLAYERS, 0.0)

    # --- events ---------------------------------------------------------------------------------------

    def _take_hand(self, number: int, events: Any) -> None:
        with Within(f"log[{number}]"):
            self._events(as_list(events, "a hand"))

    def _events(self, events: list[Any]) -> None:
        """Take the events of one hand."""
        words, known = self.words, _KNOWN if self.has_marks else {}
        for at, event in enumerate(events):
            if at and self._owes < 0:  # a draw or discard met before, and no payment is due
                try:
                    ((kind, fields),) = event.items()
                    words.append(known[self._number, kind, fields["l"], fields["p"]])
                except (AttributeError, ValueError, TypeError, KeyError, IndexError):
                    pass
                else:
                    self._last = len(words) - 1
                    continue
            with Within(f"[{at}]"):
                self.event(event, is_first=at == 0)

    def event(self, value: Any, *, is_first: bool) -> None:
        """Take one event, an object with one member."""
        if not isinstance(value, dict) or len(value) != 1:
            raise wrong_value(f"an event is an object with one member, not {shown(value)}", code="V102")
        ((kind, fields),) = value.items()
        handler = _HANDLERS.get(kind)
        if is_first != (kind == "qipai"):
            raise wrong_value("a hand begins with its deal, and has one only", code="V102")
        if handler is None:
            self.note_unknown("event", kind)
            return
        fields = as_object(fields, kind, f".{kind}")
        with Within(f".{kind}"):
            at = len(self.words)
            handler(self, fields)
            if kind != "kaigang":
                self._last = at if self.words[at:] else self._last

    def _seat(self, fields: dict[str, Any], name: str = "l") -> int:
        return (self._number + as_whole(fields.get(name), 0, _PLAYERS - 1, name)) % _PLAYERS

    def _by_seat(self, cells: list[Any]) -> list[Any]:
        """Cells by wind, put by seat."""
        return [cells[(seat - self._number) % _PLAYERS] for seat in range(_PLAYERS)]

    def qipai(self, fields: dict[str, Any]) -> None:
        """Begin a hand."""
        number = as_whole(fields.get("jushu"), 0, _PLAYERS - 1, "jushu")
        draft, self._number = self.draft, number
        last = int(draft.hands[-1]["round"]) if draft.hands else 0
        wind = last // _PLAYERS + (number < last % _PLAYERS)  # where the hand does not state it
        wind = as_whole(fields.get("zhuangfeng", wind), 0, 15, "zhuangfeng")
        sticks = sticks_after(draft) if draft.hands else 0
        hands = as_list(fields.get("shoupai"), "shoupai")
        if len(hands) != _PLAYERS:
            raise wrong_value(f"shoupai lists {len(hands)} hands; expected 4", code="V104")
        self._last = len(self.words)
        self._owes = -1
        row: DraftRow = {
            "round": _PLAYERS * wind + number,
            "honba": as_whole(fields.get("changbang", honba_after(draft, number)), 0, MAX_COUNT, "changbang"),
            "sticks": as_whole(fields.get("lizhibang", sticks), 0, MAX_COUNT, "lizhibang"),
            "dealer": number,
            "scores": self._by_seat(_points(fields.get("defen"))),
            "dora": _tile(fields.get("baopai")),
            "dealt": b"".join(self._by_seat([_dealt(hand) for hand in hands])),
        }
        self.begin_hand(row)

    def _settle(self) -> None:
        """Pay the riichi whose tile has passed."""
        if self._owes >= 0:
            self.pay(self._owes)
            self._owes = -1

    def zimo(self, fields: dict[str, Any]) -> None:
        """A draw, of a kan's supplement tile as well."""
        self._settle()
        at = len(self.words)
        word = pack(EventKind.DRAW, self._seat(fields), _tile(fields.get("p")))
        self.words.append(word)
        self._last = at
        self._remember("zimo", fields, word)

    def dapai(self, fields: dict[str, Any]) -> None:
        """A discard; ``_`` marks the tile just drawn, ``*`` riichi."""
        seat, stated = self._seat(fields), fields.get("p")
        text = stated if isinstance(stated, str) else ""
        code = CODES.get(text[:2])
        if code is None or code == NO_TILE or text[2:] not in ("", "_", "*", "_*"):
            raise wrong_value(f"p is {shown(stated)}, which is not a discard", code="V105")
        is_drawn = "_" in text if self.has_marks else self.must_be_drawn(seat, code)
        is_riichi = text.endswith("*")
        if is_riichi:
            self._owes = seat
        self.discard(seat, code, is_drawn=is_drawn, is_riichi=is_riichi)
        if self.has_marks and self._owes != seat:
            self._remember("dapai", fields, self.words[-1])

    def _remember(self, kind: str, fields: dict[str, Any], word: int) -> None:
        if len(_KNOWN) < _MAX_KNOWN and type(fields["l"]) is int and len(fields) == 2:
            _KNOWN[self._number, kind, fields["l"], fields.get("p")] = word

    def meld(self, fields: dict[str, Any]) -> None:
        """A call, or a kan of one's own."""
        seat, text = self._seat(fields), fields.get("m")
        if not isinstance(text, str):
            raise wrong_value(f"m is {shown(text)}, which is not a meld", code="V105")
        word = call_word(seat, text)
        if word & 31 in (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN):
            self._settle()
        self.words.append(word)

    def kaigang(self, fields: dict[str, Any]) -> None:
        """A new indicator, turned before the event that is before this one."""
        code = _tile(fields.get("baopai"))
        if code == NO_TILE:
            raise wrong_value("an indicator is hidden; everybody sees it", code="V105")
        hand = self.hand
        if hand["end"] != HandEnd.UNFINISHED:  # its events have rows by now, which say where they stand
            raise wrong_value("an indicator is turned after the end of the hand", code="V102")
        self.words.insert(self._last, pack(EventKind.DORA, tile=code))
        self._last += 1

    # --- results --------------------------------------------------------------------------------------

    def hule(self, fields: dict[str, Any]) -> None:
        """A win."""
        seat = self._seat(fields)
        is_stated = fields.get("baojia") is not None
        source = self._seat(fields, "baojia") if is_stated else winning_source(self.words, self.begin, seat)
        self._owes = -1
        row: DraftRow = {"seat": seat, "source": source, "deltas": self._changes(fields)}
        hand = fields.get("shoupai")
        tiles = tiles_of(hand) if isinstance(hand, str) else b""
        if len(tiles) > SHOWN or len(tiles) % 3 != 2:
            raise wrong_value(f"shoupai is {shown(hand)}, which is not a winning hand", code="V104")
        row["tile"] = tiles[-1]
        if NO_TILE not in tiles:
            row["tiles"] = tiles
        if fields.get("fubaopai") is not None:
            names = as_list(fields["fubaopai"], "fubaopai")
            ura = bytes(_tile(name) for name in names[:MAX_INDICATORS])
            if NO_TILE in ura:
                raise wrong_value("an indicator is hidden; everybody sees it", code="V105")
            row["ura"] = ura
        if fields.get("fu") is not None:
            row["fu"] = as_whole(fields["fu"], 0, MAX_FU, "fu")
        if fields.get("defen") is not None:
            row["points"] = as_whole(fields["defen"], 0, MAX_POINTS, "defen")
        if "hupai" in fields:
            row["liable"] = NO_SEAT
        self.state_yaku(row, self._listed(fields, row), "hupai")
        self.win(row)

    def _changes(self, fields: dict[str, Any]) -> list[int] | None:
        if fields.get("fenpei") is None:
            return None
        return self._by_seat(_points(fields["fenpei"]))

    def _listed(self, fields: dict[str, Any], row: DraftRow) -> Iterator[ListedYaku]:
        for at, cell in enumerate(as_list(fields.get("hupai", []), "hupai")):
            with Within(f".hupai[{at}]"):
                if not isinstance(cell, dict) or not isinstance(cell.get("name"), str):
                    raise wrong_value(f"it is {shown(cell)}; expected a yaku", code="V105")
                han = cell.get("fanshu")
                worth = YAKUMAN_HAN if han in ("*", "**") else as_whole(han, 0, MAX_HAN, "fanshu")
                sign = cell.get("baojia")
                if sign is not None:
                    if not isinstance(sign, str) or sign not in STEPS:
                        raise wrong_value(f"baojia is {shown(sign)}; expected one of + = -", code="V105")
                    row["liable"] = (row["seat"] + STEPS[sign]) % _PLAYERS
            number = yaku_of_name(cell["name"])
            if number in DOUBLES and worth == YAKUMAN_HAN:
                self.worths[DOUBLES[number]] = han == "**"
            yield ListedYaku(number, worth, cell["name"])

    def pingju(self, fields: dict[str, Any]) -> None:
        """A draw of the hand."""
        name = fields.get("name")
        kind = DRAW_WORDS.get(name, HandEnd.UNKNOWN_DRAW) if isinstance(name, str) else HandEnd.UNKNOWN_DRAW
        if kind in (HandEnd.UNKNOWN_DRAW, HandEnd.UNFINISHED):
            self.note_unknown("end of a hand", name)
            kind = HandEnd.UNKNOWN_DRAW
        if kind != HandEnd.SANCHAHOU:
            self._settle()
        row: DraftRow = {"kind": kind, "deltas": self._changes(fields)}
        hands = fields.get("shoupai")
        if hands is not None:
            cells = as_list(hands, "shoupai")
            if len(cells) != _PLAYERS or not all(isinstance(cell, str) for cell in cells):
                raise wrong_value("shoupai does not list four hands", code="V104")
            tiles = self._by_seat([tiles_of(cell) for cell in cells])
            if max(map(len, tiles)) > SHOWN:
                raise wrong_value("shoupai has a hand of more than 14 tiles", code="V104")
            row["shown"] = hands_shown(b"" if NO_TILE in hand else hand for hand in tiles)
            if kind == HandEnd.EXHAUSTIVE:
                row["tenpai"] = bytes(len(hand) > 0 for hand in tiles)
        self.end_without_win(row)


def _has_mark(events: Any) -> bool:
    """Return whether a hand has a discard marked as the tile just drawn."""
    if not isinstance(events, list):
        return False
    discards = (event.get("dapai") for event in events if isinstance(event, dict))
    return any("_" in str(discard.get("p")) for discard in discards if isinstance(discard, dict))


def _points(value: Any) -> list[int]:
    cells = as_list(value, "a list of points")
    if len(cells) != _PLAYERS:
        raise wrong_value(f"it states {len(cells)} players' points; expected 4", code="V105")
    return as_points(cells, "a number of points")


def _tile(value: Any) -> int:
    code = CODES.get(value or "_") if isinstance(value, str) else None
    if code is None:
        raise wrong_value(f"{shown(value)} is not a tile", code="V105")
    return code


def _dealt(value: Any) -> bytes:
    tiles = tiles_of(value) if isinstance(value, str) else b""
    if value in ("", None):
        tiles = HIDDEN_DEAL
    if len(tiles) != DEALT:
        raise wrong_value(f"{len(tiles)} tiles are dealt, not {DEALT}", code="V104")
    return tiles


_FIELDS: Mapping[str, Callable[[_MajiangGame, Any], None]] = {
    "title": _MajiangGame.title,
    "player": _MajiangGame.names,
    "playerr": _MajiangGame.names,
    "defen": _MajiangGame.final_scores,
    "point": _MajiangGame.final_points,
}
_HANDLERS: Mapping[str, Callable[[_MajiangGame, dict[str, Any]], None]] = {
    "qipai": _MajiangGame.qipai,
    "zimo": _MajiangGame.zimo,
    "gangzimo": _MajiangGame.zimo,
    "dapai": _MajiangGame.dapai,
    "fulou": _MajiangGame.meld,
    "gang": _MajiangGame.meld,
    "kaigang": _MajiangGame.kaigang,
    "hule": _MajiangGame.hule,
    "pingju": _MajiangGame.pingju,
}

read_majiang = reads_json(_MajiangGame)
