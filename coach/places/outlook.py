"""What each result of the next hand does to the places: what players work out before a last hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from paifu.coach.places.model import Chances, GameState, PlaceModel
from paifu.coach.places.templates import EXHAUSTED, WON, Template
from paifu.coach.places.utilities import Utility
from paifu.replay.arrays import F64
from paifu.replay.course.settlement import ranking
from paifu.replay.kernels.scoring import share
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.han_fu import base_values
from paifu.replay.scoring.tables import scoring_tables

_MOST = 8000
"""Base points of a yakuman: what doubles of it bring is not listed."""
RON, TSUMO, DRAW = "ron", "tsumo", "draw"


@dataclass(frozen=True, slots=True)
class PossibleResult:
    """One way for the next hand to end, and what follows."""

    kind: str
    """``ron``, ``tsumo`` or ``draw``."""
    seat: int | None
    """The winner; None for a draw."""
    source: int | None
    """Who deals in; None for tsumo and draws."""
    value: str
    """What is paid without honba and sticks: ``3900``, ``1000/2000`` (others, dealer), ``2000 all``; of a
    draw the seats that are tenpai, such as ``02``."""
    points: int
    """What the winner gets, without honba and sticks; 0 for a draw."""
    base: int
    """Base points of the hand; 0 for a draw."""
    after: GameState
    places: tuple[int, ...]
    """Place of each seat by the scores after it; 1 is first."""
    chances: Chances


class Outlook:
    """The chances of one game, and the results of its next hand. Seats count from 0."""

    def __init__(self, model: PlaceModel, state: GameState, worth: Utility) -> None:
        self.model, self.state, self.utility = model, state, worth

    @property
    def rules(self) -> Ruleset:
        """The rules that the game goes on under."""
        return self.model.rules

    @cached_property
    def now(self) -> Chances:
        """Chances and mean final scores before the hand."""
        return self.model.chances([self.state])[0]

    @property
    def chances(self) -> F64:
        """(seats, places) chance of each seat to end in each place, first to last."""
        return self.now.places

    @property
    def values(self) -> F64:
        """(seats,) expected utility."""
        return self.utility.of(self.now)

    @property
    def places(self) -> tuple[int, ...]:
        """Place of each seat by the present scores; 1 is first."""
        return _places(self.rules, self.state)

    @cached_property
    def results(self) -> list[PossibleResult]:
        """What each value of a win and each draw does, winner by winner, from small to large."""
        rules, state = self.rules, self.state
        ways = [*_wins(rules, state), *_draws(rules, state)]
        after = self.model.after(state, [template for *_, template in ways])
        answers = iter(self.model.chances([one for one in after if one is not None]))
        return [
            PossibleResult(kind, seat, source, value, points, base, one, _places(rules, one), next(answers))
            for (kind, seat, source, value, points, base, _template), one in zip(ways, after, strict=True)
            if one is not None
        ]


def _places(rules: Ruleset, state: GameState) -> tuple[int, ...]:
    order = ranking(rules, state.scores, state.first_dealer)
    return tuple(order.index(seat) + 1 for seat in range(rules.table.players))


_Way = tuple[str, int | None, int | None, str, int, int, Template]


def _wins(rules: Ruleset, state: GameState) -> Iterator[_Way]:
    players, dealer = rules.table.players, state.start.dealer
    bases = base_values(rules, _MOST)
    for winner in range(players):
        place = (winner - dealer) % players
        for base, (by_ron, by_tsumo) in bases.items():
            payer = (place + 1) % players
            value = int(share(base, place, payer, payer, 0, scoring_tables(rules).params))
            for source in range(players):
                if source != winner and by_ron:
                    at = (source - dealer) % players
                    template = Template(WON, winners=(place,), source=at, changes=(value,))
                    yield RON, winner, source, str(value), value, base, template
            if not by_tsumo:
                continue
            changes = _tsumo(rules, base, place)
            child = next(other for other in range(1, players) if other != place)
            text = f"{-changes[child]} all" if place == 0 else f"{-changes[child]}/{-changes[0]}"
            template = Template(WON, winners=(place,), source=place, changes=tuple(changes))
            yield TSUMO, winner, None, text, changes[place], base, template


def _tsumo(rules: Ruleset, base: int, place: int) -> list[int]:
    """Changes of a tsumo, from the dealer on."""
    params = scoring_tables(rules).params
    shares = [
        0 if other == place else int(share(base, place, place, other, 0, params))
        for other in range(rules.table.players)
    ]
    return [sum(shares) if other == place else -share for other, share in enumerate(shares)]


def _draws(rules: Ruleset, state: GameState) -> Iterator[_Way]:
    players = rules.table.players
    for tenpai in range(1 << players):
        seats = [(state.start.dealer + place) % players for place in range(players) if tenpai >> place & 1]
        yield DRAW, None, None, "".join(map(str, sorted(seats))), 0, 0, Template(EXHAUSTED, tenpai=tenpai)
