"""Curves by turn: tenpai, riichi, calls, wins and deal-ins up to each discard of the player."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from paifu.replay.arrays import Mask
from paifu.reports.metrics.frames import HandRows
from paifu.reports.metrics.metric import Family

family = Family(
    "turns",
    "By turn",
    base="hands",
    of_riichi=r"^riichi_by",
    signed=r"shanten_at_turn_\d+",
    higher=r"(tenpai|won)_by_turn_\d+|win_value_at_turn_\d+",
    lower=r"dealt_in_by_turn_\d+|shanten_at_turn_\d+",
)

TURNS = range(1, 19)

_BY: dict[str, tuple[str, str, Callable[[HandRows, int], Mask]]] = {
    "tenpai": (
        "tenpai",
        "that reached tenpai",
        lambda h, turn: (h.tenpai_turn >= 0) & (h.tenpai_turn <= turn),
    ),
    "riichi": ("riichi", "with riichi", lambda h, turn: h.in_riichi & (h.riichi_turn <= turn)),
    "called": ("open calls", "with an open call", lambda h, turn: h.is_open & (h.call_turns[:, 0] <= turn)),
    "won": ("wins", "won", lambda h, turn: h.won & (h.turns <= turn)),
    "dealt_in": ("deal-ins", "in which the player dealt in", lambda h, turn: h.dealt_in & (h.turns <= turn)),
}

for _name, (_title, _words, _is) in _BY.items():
    for _turn in TURNS:
        family.share(
            f"{_title} by turn {_turn}",
            f"hands {_words} by turn {_turn}",
            name=f"{_name}_by_turn_{_turn}",
            series=f"{_name}_by_turn",
            at=_turn,
            definition=f"Share of hands {_words} by turn {_turn}, counted in the player's discards.",
        )(partial(lambda is_so, turn, hands: is_so(hands, turn), _is, _turn))

for _turn in TURNS:
    _discards = "discard" if _turn == 1 else "discards"

    family.mean(
        f"average shanten after {_turn} {_discards}",
        "shanten",
        name=f"shanten_at_turn_{_turn}",
        unit="shanten",
        denominator=f"hands with at least {_turn} {_discards}",
        series="shanten_at_turn",
        at=_turn,
        definition=f"Average shanten after {_turn} {_discards}, of hands that lasted that long; tenpai is 0.",
    )(partial(lambda turn, hands: (hands.shanten_after(turn), hands.turns >= turn), _turn))

for _turn in TURNS:
    _discards = "discard" if _turn == 1 else "discards"

    family.points(
        f"average win after {_turn} {_discards}",
        "value of wins",
        name=f"win_value_at_turn_{_turn}",
        base="wins",
        denominator=f"wins after {_turn} {_discards}",
        series="win_value_at_turn",
        at=_turn,
        definition=f"Average value of wins after exactly {_turn} {_discards} of the player, without honba "
        "and riichi sticks.",
    )(partial(lambda turn, wins: (wins.value, wins.turn == turn), _turn))
