"""What each format that games are written in has no place for, and which rules it states.

A fact is named as in :mod:`paifu.replay.comparison.facts`. What a conversion loses beside this, and all that
it changes or makes up, is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paifu.parsers.majsoul.rules import stated_rules as rules_of_room
from paifu.parsers.tenhou import find_game_id
from paifu.replay.comparison.facts import DORA_PLACE, LAST_RIICHI, PRESENCE, RIICHI_SCORES, VERDICTS
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.limits import Limit

Due = Callable[[Batch, int], bool]
"""Tells of an event of a game, a row of the batch, whether a format has to lose a fact there."""


def always(_batch: Batch, _event: int) -> bool:
    """The format has no place for the fact, or its logs may leave it out."""
    return True


def _draw(batch: Batch, event: int) -> int:
    return int(batch.hand_draws.event.searchsorted(event))


def _pays_nothing(batch: Batch, event: int) -> bool:
    return not batch.hand_draws.deltas[_draw(batch, event)].any()


def _is_abortive(batch: Batch, event: int) -> bool:
    return bool(batch.hand_draws.kind[_draw(batch, event)] != HandEnd.EXHAUSTIVE)


def _is_not_paid_for(batch: Batch, event: int) -> bool:
    return _is_abortive(batch, event) or _pays_nothing(batch, event)


def _reaches(limit: Limit) -> Due:
    """Return what tells of a win whether it reaches a limit."""
    return lambda batch, event: bool(batch.wins.limit[batch.wins.event.searchsorted(event)] >= limit)


def _has_several_winners(batch: Batch, event: int) -> bool:
    hands = batch.wins.hand
    return bool((hands == hands[batch.wins.event.searchsorted(event)]).sum() > 1)


def _is_not_of_tenhou(batch: Batch, _event: int) -> bool:
    """The id of a game tells when it began, and only Tenhou's is one for this format."""
    return not find_game_id(batch.games.id[0])


_IDS: dict[str, Due] = dict.fromkeys(
    ("hands.dealt_id", "hands.dora_id", "events.tile_id", "events.own_id", "wins.tile_id", "wins.tiles_id",
     "wins.dora_id", "wins.ura_id", "hand_draws.shown_id"), always,
)  # fmt: skip
_PEOPLE: dict[str, Due] = dict.fromkeys(("games.dan", "games.rate", "games.sex"), always)
_COMMON: dict[str, Due] = _IDS | dict.fromkeys(
    ("games.go_type", "games.lobby", "games.rule", "games.final_chips", "hands.chips", "wins.chips",
     "hand_draws.chips", "games.seed", "hands.seed", "hands.dice", "wins.honba", "wins.sticks", "wins.melds",
     "hand_draws.honba", "hand_draws.sticks", VERDICTS), always,
)  # fmt: skip
_SCORES_IN_HAND: dict[str, Due] = dict.fromkeys(("wins.scores", "hand_draws.scores", RIICHI_SCORES), always)
_TIME: dict[str, Due] = dict.fromkeys(("events.time", "games.started"), always)
_OTHER_IDS: dict[str, Due] = dict.fromkeys(("games.id", "games.started"), _is_not_of_tenhou)
LOST: Mapping[str, Mapping[str, Due]] = {
    "paifu": {},
    "paifu-events": {},
    "mjlog": {VERDICTS: always, "games.rule": always, **_TIME, "games.id": always},
    "tenhou6": _COMMON | _SCORES_IN_HAND | _OTHER_IDS | {
        "events.time": always, LAST_RIICHI: always, DORA_PLACE: always, "wins.tiles": always,
        "wins.fu": _reaches(Limit.MANGAN), "wins.ura": _has_several_winners, "hand_draws.shown": always,
        "hand_draws.tenpai": _is_abortive, "hand_draws.deltas": _pays_nothing,
    },
    "mjai": _COMMON | _PEOPLE | _OTHER_IDS | {
        "events.time": always, PRESENCE: always, "games.title": always, "games.final_points": always,
        "wins.limit": always, "wins.dora": always,
    },
    "mjai-mortal": _COMMON | _PEOPLE | _SCORES_IN_HAND | _TIME | {
        PRESENCE: always, "games.title": always, "games.final_points": always, "games.final_scores": always,
        "games.id": always, "wins.limit": always, "wins.dora": always, "wins.fu": always,
        "wins.points": always, "wins.yaku": always, "wins.han": always, "wins.tiles": always,
        "hand_draws.kind": always, "hand_draws.tenpai": _is_not_paid_for, "hand_draws.shown": always,
    },
    "majiang": _COMMON | _PEOPLE | _SCORES_IN_HAND | _OTHER_IDS | {
        "events.time": always, PRESENCE: always, "games.title": always, LAST_RIICHI: always,
        "wins.limit": always, "wins.dora": always, "wins.fu": _reaches(Limit.YAKUMAN),
        "hand_draws.tenpai": _is_abortive, "hand_draws.shown": _is_abortive,
    },
    "majsoul-json": _COMMON | _PEOPLE | {
        "games.started": always, "games.title": always, LAST_RIICHI: always,
        "wins.deltas": _has_several_winners, "wins.scores": _has_several_winners,
        "hand_draws.scores": _is_abortive, "hand_draws.deltas": _pays_nothing,
        "hand_draws.tenpai": _is_abortive, "hand_draws.shown": _is_abortive,
    },
}  # fmt: skip
"""Format -> facts that it cannot state, or not everywhere, and where."""
_OF_TILES = frozenset({"players", "red_man", "red_pin", "red_sou"})
_OF_ROOM = _OF_TILES | {"wind_rounds", "kuitan"}
_PLAYERS_ONLY = frozenset({"players"})
_RULES: Mapping[str, frozenset[str]] = {
    "mjlog": _OF_ROOM,
    "tenhou6": _OF_ROOM,
    "mjai": _PLAYERS_ONLY | {"wind_rounds"},
    "mjai-mortal": _PLAYERS_ONLY,
    "majiang": _PLAYERS_ONLY,
}


def stated_rules(target: str, rules: Ruleset) -> frozenset[str] | None:
    """Return the rules of which a format states what they are under a ruleset; None for all of them."""
    return rules_of_room(rules) if target == "majsoul-json" else _RULES.get(target)


CHOSEN: Mapping[str, frozenset[str]] = {
    "mjlog": frozenset({*_IDS, "wins.melds", "games.go_type", "games.final_points"}),
    "tenhou6": frozenset({"games.final_points"}),
    "mjai": frozenset({"games.rule", "hand_draws.kind"}),
}
"""Format -> facts that it must state, so that something is chosen where the source does not."""
INFERRED: Mapping[str, frozenset[str]] = {
    "tenhou6": frozenset({DORA_PLACE}),
    "mjai-mortal": frozenset({"hand_draws.kind"}),
}
"""Format -> facts that it does not state and its reader takes for likely."""
_READ: Mapping[str, tuple[str, frozenset[str], frozenset[str]]] = {
    "mjlog": ("mjlog", _OF_ROOM, frozenset()),
    "tenhou6": ("tenhou6", _OF_ROOM, frozenset({DORA_PLACE})),
    "mjai": ("mjai", _PLAYERS_ONLY, frozenset()),
    "majiang": ("majiang", _PLAYERS_ONLY, frozenset()),
    "majsoul": ("majsoul-json", _OF_ROOM, frozenset()),
    "mjx": ("mjai", _PLAYERS_ONLY, frozenset()),
    "mleague": ("majsoul-json", _OF_TILES, frozenset()),
    "tonpuusou": ("tenhou6", _OF_TILES, frozenset({DORA_PLACE})),
    "riichicity": ("majsoul-json", _OF_TILES, frozenset()),
}
"""Format that is read -> the target that states as much, rules that logs state, what the reader infers."""


def unsaid_by(name: str) -> frozenset[str]:
    """Return the facts that logs of a format do not state, or not everywhere."""
    return frozenset(LOST[_READ[name][0]]) if name in _READ else frozenset()


def rules_stated_by(one: str, other: str) -> frozenset[str] | None:
    """Return the rules that logs of two formats state, whatever they are; None for all."""
    if one == other and one not in ("mjai", "majiang", "mjx", "tenhou6"):
        return None
    return frozenset.intersection(*(_READ[name][1] if name in _READ else _OF_ROOM for name in (one, other)))


def inferred_by(name: str) -> frozenset[str]:
    """Return the facts that logs of a format do not state and that its reader takes for likely."""
    return _READ[name][2] if name in _READ else frozenset()
