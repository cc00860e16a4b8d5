"""Hands of games other than riichi, read from the options of ``score`` into what a scheme scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from paifu.api.score_options import seat_of
from paifu.parsers.small_files import read_small_text
from paifu.replay.language import _
from paifu.replay.model.tiles import WINDS, parse_kinds
from paifu.replay.schemes.cards import WrittenCard, parse_card
from paifu.replay.schemes.hand import NO_WINNER, Facts, HeldTiles, Replacement, parse_held
from paifu.replay.scoring.errors import HandError

_MAX_LOSERS = 3
_ALL_BONUS_TILES = 8


def card_of(path: str | Path | None) -> WrittenCard | None:
    """Read a card from a TOML file; None for none. Raises ArgumentError (CardError)."""
    if path is None:
        return None
    path = Path(path)
    return parse_card(read_small_text(path, "card"), path.stem)


def declares_bonus(hand: HeldTiles, options: Mapping[str, Any]) -> bool:
    """Return whether a hand wins by its bonus tiles."""
    return bool(options["declare_bonus"]) or len(hand.bonus) == _ALL_BONUS_TILES


def facts_of(hand: HeldTiles, options: Mapping[str, Any]) -> Facts:
    """Return how a hand won. What is only possible by self-draw is one without ``tsumo``."""
    gongs = bool(options["gong_on_gong"] or options["twofold"])
    replacement = Replacement(options["replacement"] or ("gong" if gongs else "none"))
    own = replacement != Replacement.NONE or declares_bonus(hand, options)
    bet = options["bet"]
    return Facts(
        seat_wind=WINDS.index(options["seat_wind"]),
        round_wind=WINDS.index(options["round_wind"]),
        self_drawn=own if options["tsumo"] is None else options["tsumo"],
        payer=seat_of(options["payer"]),
        last_tile=options["last_tile"],
        replacement=replacement,
        gongs_in_turn=2 if gongs else int(replacement == Replacement.GONG),
        gong_from_replacement=options["twofold"],
        robbing=options["robbing"],
        first_turn=options["first_turn"],
        dealers_first_discard=options["dealers_first_discard"],
        after_replacement=options["after_replacement"],
        keeps=options["keeps"],
        dealer_wins=options["dealer_wins"],
        declares_bonus=bool(options["declare_bonus"]),
        liable=seat_of(options["liable"]),
        fed_gong=seat_of(options["fed_gong"]),
        discards=_discards(options["discards"]),
        losers=_losers(options["loser"]),
        bet=None if bet is None else NO_WINNER if bet == "draw" else WINDS.index(bet),
    )


def _discards(text: str) -> tuple[tuple[int, int], ...]:
    """Read ``south:2z west:1z`` into seats and kinds."""
    found = []
    for part in text.replace(",", " ").split():
        wind, colon, tile = part.partition(":")
        if wind not in WINDS or not colon:
            raise HandError(
                _("{part!r}: discards are written wind:tile, such as 'south:2z west:1z'").format(part=part)
            )
        found += [(WINDS.index(wind), kind) for kind in parse_kinds(tile)]
    return tuple(found)


def _losers(texts: Iterable[str]) -> dict[int, HeldTiles]:
    """Read ``east=HAND`` texts into hands by seat."""
    losers: dict[int, HeldTiles] = {}
    for text in texts:
        wind, equals, hand = text.partition("=")
        if wind not in WINDS or not equals:
            raise HandError(
                _("{text!r}: a loser's hand is written wind=hand, such as 'east=(111z)79m78s335p...'").format(
                    text=text
                )
            )
        if WINDS.index(wind) in losers:
            raise HandError(_("{wind} has two hands").format(wind=wind))
        losers[WINDS.index(wind)] = parse_held(hand, wins=False)
    if len(losers) > _MAX_LOSERS:
        raise HandError(_("one of four players wins; there are three losers"))
    return losers
