"""The room in which a game was played, if its log says so."""

from __future__ import annotations

import re

from paifu.replay.language import _, pgettext
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.log_rules import PUBLIC_LOBBIES

_EXPERT, _UPPER, _PHOENIX = 0x20, 0x80, 0xA0
_IS_LOBBY = re.compile(r"lobby \S{1,20}")
_TENHOU_ROOMS = {0: "ippan", _UPPER: "joukyuu", _EXPERT: "tokujou", _PHOENIX: "houou"}
_ROOM_OF_SIGN = {
    "般": "ippan",
    "上": "joukyuu",
    "特": "tokujou",
    "鳳": "houou",
    "銅": "bronze",
    "銀": "silver",
    "金": "gold",
    "玉": "jade",
    "王": "throne",
}
"""First character of the rules' display name, after ``三`` for three players, -> room."""
ROOMS = (*_TENHOU_ROOMS.values(), *list(_ROOM_OF_SIGN.values())[4:])
"""Every room with a name, from Tenhou's lowest to Mahjong Soul's highest."""
LENGTHS = ("east", "south")
"""Lengths of games with a name."""
_ENGLISH_ROOMS = ("Bronze", "Silver", "Gold", "Jade", "Throne")


def room_of(batch: Batch, game: int) -> str:
    """Return the room of a game: one of Tenhou's four or Mahjong Soul's five, ``lobby N``, or empty."""
    games = batch.games
    lobby = str(games.lobby[game])
    if lobby not in PUBLIC_LOBBIES:
        return f"lobby {lobby}"
    bits = int(games.go_type[game])
    return _TENHOU_ROOMS[bits & _PHOENIX] if bits >= 0 else room_of_rule(str(games.rule[game]))


def room_of_rule(rule: str) -> str:
    """Read a room from the display name of the rules; empty where there is none.

    >>> [room_of_rule(rule) for rule in ("鳳南喰赤", "三金の間赤", "Gold Room South", "?")]
    ['houou', 'gold', 'gold', '']
    """
    sign = _ROOM_OF_SIGN.get(rule.removeprefix("三")[:1], "")
    return sign or next((name.lower() for name in _ENGLISH_ROOMS if rule.startswith(f"{name} Room")), "")


def room_said(room: str) -> str:
    """Name a room to people.

    >>> room_said("houou"), room_said("lobby 1234"), room_said("")
    ('houou', 'lobby 1234', '')
    """
    if room in ROOMS:
        return pgettext("room", room)
    number = room.removeprefix("lobby ")
    return _("lobby {number}").format(number=number) if number != room else room


def length_said(length: str) -> str:
    """Name the length of games to people."""
    if length in LENGTHS:
        return pgettext("length", length)
    number = length.removesuffix(" winds")
    return _("{number} winds").format(number=number) if number != length else length


def room_named(text: str) -> str:
    """Return the room that somebody names; empty if there is none of that name.

    >>> [room_named(text) for text in ("Houou", "鳳凰卓", "lobby 1234", "huou")]
    ['houou', 'houou', 'lobby 1234', '']
    """
    name = " ".join(text.split()).casefold()
    if name in ROOMS or _IS_LOBBY.fullmatch(name):
        return name
    return "ippan" if name.startswith("一般") else room_of_rule(name)
