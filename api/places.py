"""Chances of each place, and what the next hand may do to them."""

from __future__ import annotations

from collections.abc import Sequence

from paifu.api.rules import Rules, Settings, riichi_ruleset, ruleset
from paifu.coach.places.model import FINE, place_model, state_at
from paifu.coach.places.outlook import Outlook
from paifu.coach.places.utilities import RULES
from paifu.coach.places.utilities import utility as utility_named
from paifu.replay.errors import ArgumentError
from paifu.replay.rulesets.presets import preset_names
from paifu.replay.views.labels import parse_label


def places(
    scores: Sequence[int],
    round: str = "E1",  # noqa: A002  the word of the game
    *,
    honba: int = 0,
    sticks: int = 0,
    rules: Rules = "tenhou",
    settings: Settings = (),
    utility: str = RULES,
) -> Outlook:
    """Return the chances of each place in a game whose next hand is ``round``.

    ``scores`` are table points by seat, without the ``sticks`` on the table; seat 0 dealt the first hand.
    ``round`` is a label such as ``S4`` or ``S4.1``, with its honba. ``utility`` is ``rules`` (results with
    uma and oka, in thousands), ``points``, or ``tenhou-1dan`` to ``tenhou-10dan``.

    Raises ArgumentError for what cannot be.

    >>> found = places([35000, 29000, 19000, 17000], "S4", honba=1)
    >>> [int(100 * chance) for chance in found.chances[0]]
    [75, 21, 2, 0]
    """
    chosen = riichi_ruleset(ruleset(rules, settings))
    if len(scores) == 3 and f"{chosen.name}-sanma" in preset_names():
        chosen = ruleset(f"{chosen.name}-sanma", settings)
    try:
        number, stated = parse_label(round)
    except ValueError as error:
        raise ArgumentError(str(error)) from error
    state = state_at(chosen, scores, number, honba=honba if stated is None else stated, sticks=sticks)
    return Outlook(place_model(chosen, FINE), state, utility_named(utility, chosen))
