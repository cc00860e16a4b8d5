"""Curves by turn: tenpai, riichi, calls, wins and deal-ins up to and at each own discard."""

from __future__ import annotations

from collections.abc import Callable

from paifu.reports.metrics.frames import Hands, Wins
from paifu.reports.metrics.metric import Counted, Family
from paifu.reports.metrics.records import Mask

family = Family("turns", "By turn")

TURNS = range(1, 19)

_BY: dict[str, tuple[str, Callable[[Hands, int], Mask]]] = {
    "tenpai": ("tenpai by turn", lambda h, turn: (h.tenpai_turn >= 0) & (h.tenpai_turn <= turn)),
    "riichi": ("riichi by turn", lambda h, turn: h.in_riichi & (h.riichi_turn <= turn)),
    "called": ("an open call by turn", lambda h, turn: h.is_open & (h.call_turns[:, 0] <= turn)),
    "won": ("won by turn", lambda h, turn: h.won & (h.turns <= turn)),
    "dealt_in": ("dealt in by turn", lambda h, turn: h.dealt_in & (h.turns <= turn)),
}

for _name, (_words, _is) in _BY.items():
    for _turn in TURNS:

        def _by_turn(hands: Hands, is_so: Callable[[Hands, int], Mask] = _is, turn: int = _turn) -> Counted:
            return is_so(hands, turn)

        family.share(
            f"{_name}_by_turn_{_turn}",
            f"{_words} {_turn}",
            f"hands {_words} {_turn}",
            base="hands",
            series=f"{_name}_by_turn",
            at=_turn,
            definition=f"Hands with {_words} {_turn}, in own discards."
            if _name in ("tenpai", "riichi", "called")
            else f"Hands {_words} {_turn}, in own discards.",
        )(_by_turn)

for _turn in TURNS:

    def _shanten(hands: Hands, turn: int = _turn) -> Counted:
        return hands.shanten_after(turn), hands.turns >= turn

    family.mean(
        f"shanten_at_turn_{_turn}",
        f"shanten after {_turn} discards",
        "shanten",
        base="hands",
        unit="shanten",
        denominator=f"hands with {_turn} own discards",
        series="shanten_at_turn",
        at=_turn,
        definition=f"Mean shanten after {_turn} own discards, of hands that lasted so long; tenpai is 0.",
    )(_shanten)

for _turn in TURNS:

    def _value_at(wins: Wins, turn: int = _turn) -> Counted:
        return wins.value, wins.turn == turn

    family.mean(
        f"win_value_at_turn_{_turn}",
        f"value of wins in turn {_turn}",
        "value of wins",
        base="wins",
        unit="points",
        decimals=0,
        denominator=f"wins after {_turn} own discards",
        series="win_value_at_turn",
        at=_turn,
        definition=f"Mean value of wins after {_turn} own discards, without honba and sticks.",
    )(_value_at)
