"""Which options of ``paifu score`` a ruleset knows, and which describe a win.

An option that a ruleset does not play is refused, never ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from paifu.replay.language import N_, _
from paifu.replay.model.tiles import WINDS
from paifu.replay.rules.choices import Scheme
from paifu.replay.scoring.errors import HandError

if TYPE_CHECKING:
    from paifu.replay.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class GameOption:
    """An option and the rulesets that know it."""

    name: str
    """The parameter: ``fed_kan`` for ``--fed-kan``."""
    known: Callable[[Ruleset], bool]
    needs: str
    """What a ruleset must have, in words."""

    @property
    def flag(self) -> str:
        """As it is written."""
        return f"--{self.name.replace('_', '-')}"


def _scheme(*schemes: Scheme) -> Callable[[Ruleset], bool]:
    return lambda rules: rules.game.scheme in schemes


def _plays(pattern: str) -> Callable[[Ruleset], bool]:
    def known(rules: Ruleset) -> bool:
        from paifu.replay.schemes.tables import patterns_of

        return pattern in patterns_of(rules)

    return known


def _counts(rules: Ruleset, rule: str, fact: str) -> bool:
    """Whether a local yaku counts, or a yaku of the ruleset's own asks for what it is about."""
    return rules[rule] > 0 or rules.local.yaku.ask_for(fact)


_RIICHI = _scheme(Scheme.HAN_FU)
_TABLE = _scheme(Scheme.SERIES, Scheme.FAAN, Scheme.CLASSICAL)
_RIICHI_OPTIONS = (
    "riichi", "double_riichi", "open_riichi", "ippatsu", "tsubame", "pochi", "payer_riichi", "nagashi", "han",
    "fu", "yakuman", "dora", "ura", "sticks", "wareme",
)  # fmt: skip
_SITUATIONS = ("rinshan", "chankan", "haitei", "houtei", "tenhou", "chiihou", "renhou", "kanburi")
_OTHER_SITUATIONS = ("gong_on_gong", "bonus_replacement", "dealers_first_discard")

OPTIONS = (
    *(GameOption(name, _RIICHI, "riichi (scheme han_fu)") for name in _RIICHI_OPTIONS),
    *(
        GameOption(name, lambda rules: _RIICHI(rules) or _TABLE(rules), "riichi, or a table of patterns")
        for name in _SITUATIONS
    ),
    *(
        GameOption(name, _TABLE, "a table of patterns (scheme series, faan or classical)")
        for name in _OTHER_SITUATIONS
    ),
    GameOption(
        "round_wind",
        lambda rules: rules.game.scheme != Scheme.CARD and rules.table.round_wind,
        "a round wind",
    ),
    GameOption(
        "own_wind",
        lambda rules: _RIICHI(rules) and not rules.table.seat_winds_rotate,
        "winds that stay with their seats (seat_winds_rotate = false)",
    ),
    GameOption(
        "honba",
        lambda rules: _RIICHI(rules) or _plays("eight-dealer-keeps")(rules),
        "riichi, or the pattern eight-dealer-keeps",
    ),
    GameOption(
        "twofold",
        lambda rules: _TABLE(rules) or _counts(rules, "twofold_fortune_han", "twofold"),
        "a table of patterns, or the yaku twofold fortune (--set twofold_fortune_han=13)",
    ),
    GameOption(
        "dealer_wins",
        lambda rules: (
            _plays("thirteen-dealer-wins")(rules)
            or _counts(rules, "thirteen_dealer_wins_han", "dealer_streak")
        ),
        "the pattern thirteen-dealer-wins, or in riichi the yaku (--set thirteen_dealer_wins_han=13)",
    ),
    GameOption("discards", lambda rules: rules.series.immunity > 0, "immunity"),
    GameOption("loser", lambda rules: rules.classical.losers_settle, "losers_settle"),
    GameOption(
        "liable",
        lambda rules: _RIICHI(rules) or rules.faan.liability or rules.faan.fed_gong_pays,
        "liability or fed_gong_pays",
    ),
    GameOption(
        "fed_kan",
        lambda rules: _RIICHI(rules) or rules.faan.fed_gong_pays,
        "riichi, or fed_gong_pays",
    ),
    GameOption(
        "declare_bonus",
        lambda rules: _plays("seven-bonus-tiles")(rules) and rules.game.scheme == Scheme.FAAN,
        "bonus tiles that win by themselves",
    ),
    GameOption("card", _scheme(Scheme.CARD), "a card (scheme card)"),
    GameOption("bet", lambda rules: rules.card.bettor, "bettor"),
)
"""Options that not every ruleset knows; all others mean the same in all games."""

_NOT_OF_A_WIN = frozenset({"seat_wind", "own_wind", "round_wind", "dora", "card"})
OF_A_WIN = frozenset({"tsumo", "payer", *(option.name for option in OPTIONS)}) - _NOT_OF_A_WIN
"""Options that describe a win and say nothing about thirteen tiles."""


def check_options(given: Iterable[str], rules: Ruleset) -> None:
    """Raise ValueError when an option was given that the ruleset does not know."""
    for option in _unknown(tuple(given), rules):
        raise ValueError(
            _("{flag} needs {needs}; {name} does not have it").format(
                flag=option.flag, needs=_(option.needs), name=rules.name
            )
        )


@lru_cache(maxsize=1024)
def _unknown(given: tuple[str, ...], rules: Ruleset) -> list[GameOption]:
    """Return the options among those given that the ruleset does not know, in order."""
    return [option for option in OPTIONS if option.name in given and not option.known(rules)]


def refuse_win_options(given: Mapping[str, Any]) -> None:
    """Raise HandError when something was said about the win of a hand of 13 tiles."""
    names = sorted(OF_A_WIN.intersection(given))
    if "tsumo" in names and given["tsumo"] is False:
        names[names.index("tsumo")] = "ron"
    refuse(names, N_("--{option} describes a win, and 13 tiles have not won; name the 14th with --win"))


def refuse(names: Iterable[str], text: str) -> None:
    """Raise HandError, with a text that is declared, for the first of the options, if there is one."""
    for name in names:
        raise HandError(_(text).format(option=name.replace("_", "-")))


def seat_of(wind: str | None) -> int | None:
    """Return the seat of a wind, 0 for ``"east"``; None where none is given."""
    return None if wind is None else WINDS.index(wind)
