"""tenhou.net/6 JSON: the format of Tenhou's log editor, and of most converters of other platforms' games.

A game is an object whose ``log`` lists the hands; a hand lists round and sticks, scores, indicators, each
player's deal and moves, and the result. What it leaves open stays unknown in the replay model: physical
tiles, scores within a hand, honba and sticks at its end, the winner's tiles, fu of limit hands. The order
of play is rebuilt.

The format cannot say whether a game went on after its last hand. A game counts as cut only when its last
hand stops unfinished or something in it could not be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson

from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import reads_json
from paifu.parsers.json_values import (
    MAX_TEXT,
    Within,
    as_decimal,
    as_list,
    as_object,
    as_text,
    as_whole,
    load_json,
    log_of,
)
from paifu.parsers.packed_events import mark_first_discards
from paifu.parsers.tenhou import find_game_id, started_at, with_lobby_uma
from paifu.parsers.tenhou6.hands import FIRST_DEAL, Tenhou6Hands, read_points
from paifu.parsers.tenhou6.names import DAN_NUMBERS
from paifu.replay.model.batch import MAX_POINTS
from paifu.replay.model.builder import GameDraft
from paifu.replay.model.events import EventKind, pack
from paifu.replay.rules.choices import KanDoraTiming
from paifu.replay.rulesets.log_rules import MAX_FIELDS, RuleChoice
from paifu.replay.rulesets.shown_rules import from_tenhou_json

_MAX_CONNECTIONS = 1000
_MAX_ESCAPES = 250_000
"""Characters of a link that are written as %5B; each takes 200 bytes of memory for a moment."""
_MAX_NUMBER = 10_000
"""Maximum of hands in a game, and of moves in a hand."""
_SOUL_ID = re.compile(r"(?<!\d)\d{6}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-")
"""A Mahjong Soul game's link id, which converters put into ``ref``."""
_SOUL_GRADES = re.compile(r"初心|雀士|雀傑|雀豪|雀聖|魂天|(?:Novice|Adept|Expert|Master|Saint|Celestial)\b")
_CONNECTION_KINDS = (EventKind.LEAVE, EventKind.RETURN)


# --- from text to games --------------------------------------------------------------------------------

_LINK = b"#json="


def _is_link(text: bytes) -> bool:
    return text[:1] not in (b"{", b"[") and _LINK in text[:200]


def _load(text: bytes) -> Any:
    """Read JSON, or a link that carries it: as it is or percent-encoded, perhaps with parameters after it."""
    if not _is_link(text):
        return load_json(text)
    payload = text.partition(_LINK)[2]
    try:
        return load_json(payload)
    except orjson.JSONDecodeError:
        if payload.count(b"%") > _MAX_ESCAPES:
            raise ParseError("the link holds more than any game has", hint="get the log again") from None
        plain = unquote_to_bytes(payload)
        return load_json(plain[: plain.rfind(b"}") + 1])


# --- a game --------------------------------------------------------------------------------------------


class _Tenhou6Game(Tenhou6Hands):
    """One game while it is read."""

    def __init__(self, value: Any, location: str) -> None:
        super().__init__(location)
        self.value = value
        self.rule: dict[str, Any] | list[Any] = {}
        self.csrule: list[Any] = []
        self.choice = RuleChoice("tenhou")
        """The rules, as far as the log states them."""
        self.is_mahjong_soul = False
        """Something says that the game was made from one of Mahjong Soul."""
        self.connections: dict[int, list[tuple[int, int]]] = {}
        """Number of a hand -> steps in it and the words of those who left or came back then."""

    def read(self) -> None:
        """Take the whole game."""
        value, log = log_of(self.value)
        self.players = _players(log)
        _read_header(self, value)
        if not log:
            raise ParseError("the log holds no hand", place="log", hint="nothing to do, or get it again")
        self.words += [word for _, word in self.connections.get(-1, [])]
        for number, hand in enumerate(log):
            with Within(f"log[{number}]"):
                self.read_hand(hand, self.connections.get(number, []))
        if not (self.csrule or self.is_mahjong_soul):
            self.choice = with_lobby_uma(self.draft, self.choice)

    def finish(self, *, is_whole: bool) -> GameDraft:
        """Return the draft, once all has been read."""
        if self.is_mahjong_soul:
            mark_first_discards(self.draft)
        return super().finish(is_whole=is_whole)

    def rules(self) -> RuleChoice:
        """Return the rules, as far as the log states or shows them."""
        return self.choice


def _players(log: list[Any]) -> int:
    """Nobody is dealt tiles in the fourth seat of a 3-player game."""
    first = log[0] if log else None
    last_deal = FIRST_DEAL + 3 * 3
    return 3 if isinstance(first, list) and len(first) > last_deal and first[last_deal] == [] else 4


# --- what stands around the hands ----------------------------------------------------------------------


def _read_header(game: _Tenhou6Game, value: dict[str, Any]) -> None:
    """Read all fields but the log; a faulty one stays unknown and is reported."""
    game.read_fields(value, _FIELDS)
    row = game.draft.game
    ref = value.get("ref")
    game.is_mahjong_soul |= bool(_SOUL_ID.search(str(ref)[:MAX_TEXT]))
    stated = f"{ref if isinstance(ref, str) else ''} {row.get('title', '')}"
    row["id"] = find_game_id(stated) or find_game_id(row["source"].rpartition("/")[2])
    row["started"] = started_at(row["id"])
    game.choice = _rules(game)
    game.is_mahjong_soul |= game.choice.preset.startswith("majsoul")
    game.is_at_once = game.choice.ruleset().dora.kan_dora_timing == KanDoraTiming.AT_ONCE


def _rules(game: _Tenhou6Game) -> RuleChoice:
    row = game.draft.game
    facts: dict[str, Any] = {"date": row["started"], "final_points": row.get("final_points", ())}
    try:
        facts["is_mahjong_soul"] = game.is_mahjong_soul
        return from_tenhou_json(game.rule, game.players, game.csrule, **facts)
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        reason = f"the rules cannot be read: {error}"
        game.faults.note(
            ParseError(reason[:200], place="rule", code="V105", hint="the usual ones were taken")
        )
        return from_tenhou_json(None, game.players, **facts)


def _four(value: Any, read: Callable[[Any], Any], absent: Any) -> list[Any]:
    """Read a list by seat; the absent one of a 3-player game may be left out."""
    cells = as_list(value, "it")
    if len(cells) not in (3, 4):
        raise ParseError(f"it lists {len(cells)} values; expected 4", code="V105")
    return [read(cell) for cell in cells] + [absent] * (4 - len(cells))


def _by_seat(name: str, read: Callable[[Any], Any], absent: Any) -> Callable[[_Tenhou6Game, Any], None]:
    """Return what reads a list by seat into a column of the game."""

    def put(game: _Tenhou6Game, value: Any) -> None:
        game.draft.game[name] = _four(value, read, absent)

    return put


def _read_version(game: _Tenhou6Game, value: Any) -> None:
    game.draft.game["version"] = str(value)[:20] if isinstance(value, (str, int, float)) else ""


def _read_title(game: _Tenhou6Game, value: Any) -> None:
    parts = value if isinstance(value, list) else [value]
    texts = [str(part) if type(part) is int else as_text(part, "a title") for part in parts]
    game.is_mahjong_soul |= any(type(part) is int for part in parts)
    game.draft.game["title"] = " ".join(filter(None, texts))[:MAX_TEXT]


def _read_rule(game: _Tenhou6Game, value: Any) -> None:
    """Keep the name shown; what the rule means is read when all that it depends on is known."""
    parts = list(value.values()) if isinstance(value, dict) else as_list(value, "it")
    if not all(isinstance(part, (str, int, float)) for part in parts):
        raise ParseError("it holds something that is neither a text nor a number")
    words = [value.get("disp")] if isinstance(value, dict) else value
    game.rule = value
    game.draft.game["rule"] = " ".join(word for word in words if isinstance(word, str))[:MAX_TEXT]


def _read_custom_rules(game: _Tenhou6Game, value: Any) -> None:
    """Read a tournament's rule fields, as a list or as one text with commas."""
    fields = value.split(",") if isinstance(value, str) else as_list(value, "it")
    if len(fields) > MAX_FIELDS or any(type(field) not in (str, int) for field in fields):
        raise ParseError("it is not a list of rule fields", code="V105")
    game.csrule = fields
    game.draft.game["rule"] = ",".join(map(str, fields))[:MAX_TEXT]


def _read_lobby(game: _Tenhou6Game, value: Any) -> None:
    game.draft.game["lobby"] = str(value)[:20] if isinstance(value, (str, int)) else ""


def _read_dan(game: _Tenhou6Game, value: Any) -> None:
    """Grades of other platforms are not in Tenhou's scale: unknown."""
    unknown = 255
    game.is_mahjong_soul |= bool(_SOUL_GRADES.search(str(value)[:MAX_TEXT]))
    game.draft.game["dan"] = bytes(
        _four(value, lambda name: DAN_NUMBERS.get(as_text(name, "a grade"), unknown), unknown)
    )


def _decimal(value: Any) -> float:
    return as_decimal(value, MAX_POINTS, "one of its numbers")


def _read_final(game: _Tenhou6Game, value: Any) -> None:
    """Final scores and settled points in turn: ``[38000, 18, 29000, -11, ...]``."""
    cells = as_list(value, "it")
    if len(cells) not in (2 * game.players, 8):
        raise ParseError(f"it lists {len(cells)} numbers; expected 8", code="V105")
    points = [_decimal(cell) for cell in cells[1::2]]
    game.draft.game["final_scores"] = read_points(cells[0::2], game.players, "the list of scores")
    game.draft.game["final_points"] = points + [0.0] * (4 - len(points))


def _read_connections(game: _Tenhou6Game, value: Any) -> None:
    """Read who left (what 0) and came back (what 1), in which hand and after how many moves in it.

    Hand -1 is the time before the first deal.
    """
    entries = as_list(value, "it")
    if len(entries) > _MAX_CONNECTIONS:
        raise ParseError(f"it lists {len(entries)} changes; no game has that many", code="V105")
    for number, entry in enumerate(entries):
        with Within(f"[{number}]"):
            entry = as_object(entry)
            kind = _CONNECTION_KINDS[as_whole(entry.get("what"), 0, 1, "what")]
            seat = as_whole(entry.get("who"), 0, game.players - 1, "who")
            hand = as_whole(entry.get("log"), -1, _MAX_NUMBER, "log")
            step = as_whole(entry.get("step"), 0, _MAX_NUMBER, "step")
        game.connections.setdefault(hand, []).append((step, pack(kind, seat)))


_FIELDS: dict[str, Callable[[_Tenhou6Game, Any], None]] = {
    "ver": _read_version,
    "title": _read_title,
    "rule": _read_rule,
    "csrule": _read_custom_rules,
    "lobby": _read_lobby,
    "name": _by_seat("names", lambda name: as_text(name, "a name"), ""),
    "dan": _read_dan,
    "rate": _by_seat("rate", _decimal, float("nan")),
    "sx": _by_seat("sex", lambda sex: as_text(sex, "a mark")[:1], ""),
    "sc": _read_final,
    "connection": _read_connections,
}

read_tenhou6 = reads_json(_Tenhou6Game, load=_load, is_line=_is_link)
"""Reads games, lists of games, and links that carry them."""
