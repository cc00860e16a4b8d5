"""What a log of Tenhou says of a whole game: rules, players, the final result.

Both ways of reading a game take it from here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar
from urllib.parse import unquote_to_bytes

from paifu.parsers.errors import ParseError
from paifu.parsers.tenhou import bounded, check_points, find_game_id, set_rules, started_at, with_lobby_uma
from paifu.replay.model.batch import MAX_POINTS
from paifu.replay.model.builder import DraftRow, GameDraft
from paifu.replay.model.events import EventKind, HandEnd, pack
from paifu.replay.rulesets.log_rules import OWN_SETTLEMENT, THREE_PLAYERS, from_tenhou_type

T = TypeVar("T")

Attributes = dict[bytes, bytes]
Numbers = dict[bytes, list[int]]

_NAMES = (b"n0", b"n1", b"n2", b"n3")
_OF_TABLES = (b"csrule", b"lobby", b"title")
OF_PLAYERS = (*_NAMES, b"dan", b"rate", b"sx")
"""Attributes that say who plays."""
_OLD_SEED = "mt19937ar-sha512-n288,"


def _era(draft: GameDraft) -> str:
    """When a game without a date was played, as far as rules care: the kinds of seeds changed in 2009."""
    is_old = bool(draft.first_seed) or draft.game.get("seed", "").startswith(_OLD_SEED)
    return "2009" if is_old else ""


class Log:
    """One game while it is read."""

    def __init__(self, location: str) -> None:
        name = location.rpartition("/")[2]
        # The name of a file with several games is not the id of one.
        game_id = "" if "#" in name else find_game_id(name)
        started = started_at(game_id) if game_id else ""
        self.draft = GameDraft({"source": location, "format": "mjlog", "id": game_id, "started": started})
        self.players = 4
        self.at = 0
        """Position in the draft's words of the element that is being read."""

    def finish(self, *, is_cut: bool) -> GameDraft:
        """Return the draft, marked as cut when it was or when the game has no final result."""
        draft = self.draft
        game = draft.game
        choice = from_tenhou_type(
            game["go_type"],
            _fields(game["rule"]),
            date=game["started"] or _era(draft),
            final_points=game.get("final_points", ()),
        )
        states_uma = bool(game["rule"]) or game["go_type"] & OWN_SETTLEMENT
        set_rules(draft, choice if states_uma else with_lobby_uma(draft, choice))
        unfinished = draft.last_end == HandEnd.UNFINISHED or "final_scores" not in draft.game
        draft.game |= {"is_cut": is_cut or unfinished, "players": self.players}
        return draft

    def seat(self, numbers: list[int]) -> int:
        """Take a seat of this game."""
        (seat,) = numbers
        if not 0 <= seat < self.players:
            raise ParseError(f"seat {str(seat)!r}; seats are 0-{self.players - 1}", code="V105")
        return seat

    def take_seed(self, attributes: Attributes) -> None:
        """Take the seed of the shuffle."""
        self.draft.game["seed"] = attributes.get(b"seed", b"").decode("ascii", "replace")

    def take_rules(self, attributes: Attributes) -> None:
        """Take the rules, and where the game is played."""
        if self.draft.hands:
            raise ParseError("it comes after the first INIT", code="V102")
        stated = _table(attributes[b"type"], *[attributes.get(name, b"") for name in _OF_TABLES])
        self.players = 3 if stated["go_type"] & THREE_PLAYERS else 4
        self.draft.game |= stated

    def take_players(self, attributes: Attributes) -> None:
        """Take the players, or, where there is one name only, a return to the table."""
        game = self.draft.game
        present = [seat for seat, name in enumerate(_NAMES) if name in attributes]
        if len(present) == 1:
            self.draft.words[self.at] = pack(EventKind.RETURN, present[0])
            return
        game["names"] = [_text(attributes.get(name, b"")) for name in _NAMES]
        if b"dan" in attributes:
            game["dan"] = _dans(attributes[b"dan"])
        if b"rate" in attributes:
            game["rate"] = _four(_decimals(attributes[b"rate"].split(b",")))
        if b"sx" in attributes:
            game["sex"] = _four(attributes[b"sx"].decode("utf-8", "replace").split(","))

    def take_first_dealer(self, numbers: Numbers, _texts: Attributes) -> None:
        """Take the first dealer."""
        self.draft.game["first_dealer"] = self.seat(numbers[b"oya"])

    def take_final_result(self, owari: bytes) -> None:
        """Take scores, points and chips at the end of the game."""
        cells = owari.split(b",") if owari else []
        if len(cells) not in (8, 12, 16):
            raise ParseError(f"owari has {len(cells)} numbers; expected 8, more with chips", code="V105")
        game = self.draft.game
        game["final_scores"] = check_points([100 * int(n) for n in cells[0:8:2]], "owari")
        game["final_points"] = _decimals(cells[1:8:2])
        if len(cells) > 8:
            chips = cells[8 :: (len(cells) - 8) // 4]
            game["final_chips"] = check_points([int(n) for n in chips], "owari")


@lru_cache(maxsize=256)
def _table(kind: bytes, csrule: bytes, lobby: bytes, title: bytes) -> DraftRow:
    """Read the attributes of GO, which many games share."""
    go_type, rule = bounded(kind, 0, 2**31 - 1, "the type"), csrule.decode("utf-8", "replace")
    from_tenhou_type(go_type, _fields(rule))  # what is wrong with them is found here, where they are
    return {
        "go_type": go_type,
        "lobby": lobby.decode("utf-8", "replace"),
        "rule": rule,
        "title": _text(title),
    }


def _fields(csrule: str) -> list[str]:
    return csrule.split(",") if csrule else []


@lru_cache(maxsize=4096)
def _dans(text: bytes) -> bytes:
    return bytes(_four([bounded(dan, 0, 127, "a dan") for dan in text.split(b",")]))


@lru_cache(maxsize=4096)
def _text(percent_encoded: bytes) -> str:
    """Decode a percent-encoded text; Tenhou encodes every byte, and then hexadecimal will do."""
    if 3 * percent_encoded.count(b"%") == len(percent_encoded):
        try:
            return bytes.fromhex(percent_encoded.replace(b"%", b"").decode("ascii")).decode("utf-8")
        except ValueError:
            pass
    return unquote_to_bytes(percent_encoded).decode("utf-8", "replace")


def _decimals(cells: list[bytes]) -> list[float]:
    """Read decimal numbers of bounded size."""
    values = list(map(float, cells))
    if not all(map(float(MAX_POINTS).__ge__, map(abs, values))):  # nor is NaN
        raise ParseError("it holds a number without bounds", code="V105")
    return values


def _four(cells: list[T]) -> list[T]:
    """Check that a list by seat has four values."""
    if len(cells) != 4:
        raise ParseError(f"it lists {len(cells)} values; expected 4", code="V105")
    return cells
