"""A report as mjai-reviewer writes it, on a simulated game, by an engine that only counts acceptance.

An option of a turn is worth minus the shanten that it leaves, a hundredth for each live tile of the
acceptance, and a little more for an honour or a terminal. To call is worth as much as the best discard after
it, less a third; to win is worth most.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import orjson

from paifu.parsers.mjai.names import NAMES
from paifu.parsers.writers import WRITERS
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import EAST, kind_of
from paifu.replay.shapes.shanten import discards, shanten

ENGINE, MODEL = "acceptance", "1.0"
_TILE_OF = {name: tile for tile, name in enumerate(NAMES)}
_LIVE_DRAWS = 70
_TEMPERATURE = 0.2
_WIN, _CALL, _RIICHI, _NO_CALL = 9.0, 0.33, 0.25, 0.1
_BETWEEN = ("dora", "reach_accepted")

Event = dict[str, Any]


def report(batch: Batch, player: int) -> bytes:
    """The report on the decisions of a player in a batch of one game."""
    text = b"".join(WRITERS["mjai-mortal"].games(batch))
    events = [orjson.loads(line) for line in text.splitlines()]
    kyokus: list[dict[str, Any]] = []
    seat = _Seat(player)
    for at, event in enumerate(events):
        if event["type"] == "start_kyoku":
            seat = _Seat(player)
            number = 4 * "ESWN".index(event["bakaze"]) + event["kyoku"] - 1
            kyokus.append({"kyoku": number, "honba": event["honba"], "end_status": [], "entries": []})
        seat.take(event)
        if event["type"] in ("hora", "ryukyoku"):
            kyokus[-1]["end_status"].append(event)
        entry = seat.entry(event, _next(events[at + 1 :], player))
        if entry is not None:
            kyokus[-1]["entries"].append(entry)
    entries = [entry for kyoku in kyokus for entry in kyoku["entries"]]
    review = {
        "total_reviewed": len(entries),
        "total_matches": sum(entry["is_equal"] for entry in entries),
        "temperature": _TEMPERATURE,
        "kyokus": kyokus,
        "model_tag": MODEL,
    }
    document = {
        "engine": ENGINE, "game_length": "Tonpuu", "version": "1.0.0", "review": review, "player_id": player,
        "split_logs": [], "mjai_log": events, "lang": "en",
    }  # fmt: skip
    return orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE)


def _next(events: list[Event], player: int) -> Event | None:
    """What the player does next; None if another was faster, or the hand is over."""
    rest = [event for event in events[:8] if event["type"] not in _BETWEEN]
    if not rest:
        return None
    if rest[0]["type"] == "hora":
        return next((one for one in rest[:3] if one["type"] == "hora" and one["actor"] == player), None)
    if rest[0].get("actor") == player or rest[0]["type"] == "ryukyoku":
        return rest[0] if rest[0].get("actor") == player else None
    return {"type": "none"} if rest[0]["type"] == "tsumo" else None


class _Seat:
    """The player while a hand goes on."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.closed: Counter[int] = Counter()
        self.melds: list[list[int]] = []
        self.turn = self.draws = 0
        self.tile = ""
        self.last_actor = 0
        self.is_riichi = False

    def take(self, event: Event) -> None:
        """Go on by an event."""
        kind, actor = event["type"], event.get("actor")
        self.last_actor = self.last_actor if actor is None else actor
        self.draws += kind == "tsumo"
        if kind == "start_kyoku":
            self.closed = Counter(_TILE_OF[name] for name in event["tehais"][self.player])
        elif kind in ("dahai", "kakan"):
            self.tile = event["pai"]
        if actor != self.player:
            return
        if kind == "tsumo":
            self.tile = event["pai"]
            self.closed[_TILE_OF[event["pai"]]] += 1
        elif kind == "dahai":
            self.closed[_TILE_OF[event["pai"]]] -= 1
        elif kind in ("chi", "pon", "daiminkan", "ankan"):
            own = [_TILE_OF[name] for name in event["consumed"]]
            self.closed -= Counter(own)
            self.melds.append([*own, _TILE_OF[event["pai"]]] if "pai" in event else own)
        elif kind == "kakan":
            self.closed[_TILE_OF[event["pai"]]] -= 1
        elif kind == "reach_accepted":
            self.is_riichi = True
        self.turn += kind in ("tsumo", "chi", "pon")

    def entry(self, event: Event, actual: Event | None) -> dict[str, Any] | None:
        """The decision after an event, as a report has it; None if there is none."""
        kind, is_own = event["type"], event.get("actor") == self.player
        if actual is None or self.is_riichi:
            return None
        if is_own and kind in ("tsumo", "chi", "pon", "reach"):
            options = self._turn(actual, is_draw=kind == "tsumo", is_riichi=kind == "reach")
        elif not is_own and kind == "dahai":
            options = self._reaction(actual)
        else:
            return None
        if len(options) < 2:
            return None
        options.sort(key=lambda option: -option[1])
        weights = [math.exp((value - options[0][1]) / _TEMPERATURE) for _, value in options]
        expected = options[0][0]
        place = next(at for at, (action, _) in enumerate(options) if _is_same(action, actual))
        return {
            "junme": self.turn,
            "tiles_left": _LIVE_DRAWS - self.draws,
            "last_actor": self.last_actor,
            "tile": self.tile,
            "at_self_chi_pon": is_own and kind in ("chi", "pon"),
            "at_self_riichi": is_own and kind == "reach",
            "at_opponent_kakan": False,
            "expected": expected,
            "actual": actual,
            "is_equal": place == 0,
            "details": [
                {"action": action, "q_value": round(value, 4), "prob": round(weight / sum(weights), 4)}
                for (action, value), weight in zip(options, weights, strict=True)
            ],
            "shanten": self._shanten(),
            "at_furiten": False,
            "actual_index": place,
        }

    def _tiles(self) -> list[int]:
        return sorted(self.closed.elements())

    def _shanten(self) -> int:
        return min(one for one in _numbers(shanten(self._tiles(), self.melds)))

    def _turn(self, actual: Event, *, is_draw: bool, is_riichi: bool) -> list[tuple[Event, float]]:
        worth = {
            one.kind: one.after.live / 100 - one.after.shanten + _worthless(one.kind)
            for one in discards(self._tiles(), self.melds)
        }
        options: list[tuple[Event, float]] = [
            ({"type": "dahai", "actor": self.player, "pai": NAMES[tile]}, worth[kind_of(tile)])
            for tile in sorted(set(self._tiles()))
            if not is_riichi or worth[kind_of(tile)] >= 0
        ]
        best = max(value for _, value in options)
        if actual["type"] == "hora":
            options.append((_bare(actual), _WIN))
        elif actual["type"] == "reach" or (is_draw and not self.melds and best >= 0):
            options.append(({"type": "reach", "actor": self.player}, best + _RIICHI))
        if actual["type"] in ("ankan", "kakan"):
            plain = NAMES[kind_of(_TILE_OF[actual.get("pai", actual.get("consumed", [""])[0])])]
            kan = {"type": "ankan", "actor": self.player, "consumed": [plain] * 4}
            options.append((kan, best - _CALL))
        return options

    def _reaction(self, actual: Event) -> list[tuple[Event, float]]:
        options: list[tuple[Event, float]] = [({"type": "none"}, _NO_CALL)]
        called = {"actor": self.player, "target": self.last_actor, "pai": self.tile}
        kind = kind_of(_TILE_OF[self.tile])
        if sum(count for tile, count in self.closed.items() if kind_of(tile) == kind) >= 2:
            options.append(({"type": "pon", **called, "consumed": [self.tile] * 2}, _NO_CALL - _CALL))
        if actual["type"] == "chi":
            options.append(({"type": "chi", **called, "consumed": actual["consumed"]}, _CALL))
        elif actual["type"] == "daiminkan":
            options.append(({"type": "ankan", "actor": self.player, "consumed": [NAMES[kind]] * 4}, -_CALL))
        elif actual["type"] == "hora":
            options.append((_bare(actual), _WIN))
        return options


def _worthless(kind: int) -> float:
    return 0.2 if kind >= EAST else 0.1 if kind % 9 in (0, 8) else 0.0


def _bare(action: Event) -> Event:
    return {"type": action["type"], "actor": action["actor"], "target": action["target"]}


def _is_same(option: Event, actual: Event) -> bool:
    if "kan" in actual["type"]:
        return "kan" in option["type"]
    names = ("type", "pai") if actual["type"] == "dahai" else ("type",)
    return all(option.get(name) == actual[name] for name in names)


def _numbers(found: Any) -> list[int]:
    return [one for one in (found.standard, found.seven_pairs, found.thirteen_orphans) if one is not None]
