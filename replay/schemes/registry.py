"""Which scheme scores under which ruleset: the one place that lists them.

Riichi is none of them: its scoring is in ``replay.scoring``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.card import CardScheme
from paifu.replay.schemes.cards import WrittenCard
from paifu.replay.schemes.classical import CLASSICAL
from paifu.replay.schemes.faan import FAAN
from paifu.replay.schemes.scheme import ScoringScheme
from paifu.replay.schemes.series import SERIES

_SCHEMES: Mapping[Scheme, Callable[[WrittenCard | None], ScoringScheme]] = {
    Scheme.SERIES: lambda _: SERIES,
    Scheme.FAAN: lambda _: FAAN,
    Scheme.CLASSICAL: lambda _: CLASSICAL,
    Scheme.CARD: CardScheme,
}


def scheme_of(rules: Ruleset, card: WrittenCard | None = None) -> ScoringScheme:
    """Return the scheme of a ruleset other than riichi's; ``card`` replaces the card that it names."""
    return _SCHEMES[rules.game.scheme](card)
