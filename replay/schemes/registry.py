"""Which scheme scores under which ruleset: the one place that lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.card import CardScheme
from paifu.replay.schemes.cards import WrittenCard
from paifu.replay.schemes.classical import CLASSICAL
from paifu.replay.schemes.faan import FAAN
from paifu.replay.schemes.scheme import ScoringScheme
from paifu.replay.schemes.series import SERIES


def _han_fu(_: WrittenCard | None) -> ScoringScheme[Any]:
    # Riichi's scoring comes with its kernels, which the other schemes do not need.
    from paifu.replay.schemes.han_fu import HanFuScheme

    return HanFuScheme()


_SCHEMES: Mapping[Scheme, Callable[[WrittenCard | None], ScoringScheme[Any]]] = MappingProxyType(
    {
        Scheme.HAN_FU: _han_fu,
        Scheme.SERIES: lambda _: SERIES,
        Scheme.FAAN: lambda _: FAAN,
        Scheme.CLASSICAL: lambda _: CLASSICAL,
        Scheme.CARD: CardScheme,
    }
)


def scheme_of(rules: Ruleset, card: WrittenCard | None = None) -> ScoringScheme[Any]:
    """Return the scheme that scores under a ruleset; ``card`` replaces the card that it names."""
    return _SCHEMES[rules.game.scheme](card)
