"""Hands of games other than riichi, read from the options of ``score`` into what a scheme scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from paifu.api.score_options import seat_of
from paifu.parsers.small_files import read_small_text
from paifu.replay.language import _, pgettext
from paifu.replay.model.tile_notation import parse_kinds
from paifu.replay.model.tiles import WINDS
from paifu.replay.schemes.cards import WrittenCard, parse_card
from paifu.replay.schemes.hand import NO_WINNER, Facts, HeldTiles, Replacement, parse_held
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.winning_hand import unmet

_MAX_LOSERS = 3
_ALL_BONUS_TILES = 8
_DRAWN = ("haitei", "tenhou", "chiihou")


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
    """Return how a hand won. What is only possible by self-draw is one without ``tsumo``.

    Raises HandError where a word does not fit the win.
    """
    gongs = bool(options["gong_on_gong"] or options["twofold"])
    on_gong = gongs or options["rinshan"] or options["fed_kan"]
    on_bonus = options["bonus_replacement"]
    drawn = on_gong or on_bonus or declares_bonus(hand, options) or any(options[name] for name in _DRAWN)
    self_drawn = bool(drawn if options["tsumo"] is None else options["tsumo"])
    seat_wind, liable, bet = WINDS.index(options["seat_wind"]), seat_of(options["liable"]), options["bet"]
    _check_words(options, self_drawn=self_drawn, is_dealer=seat_wind == 0)
    return Facts(
        seat_wind=seat_wind,
        round_wind=WINDS.index(options["round_wind"]),
        self_drawn=self_drawn,
        payer=seat_of(options["payer"]),
        last_tile=options["haitei"] or options["houtei"],
        replacement=Replacement.GONG if on_gong else Replacement.BONUS if on_bonus else Replacement.NONE,
        gongs_in_turn=2 if gongs else int(on_gong),
        gong_from_replacement=options["twofold"],
        robbing=options["chankan"],
        first_turn=options["tenhou"] or options["chiihou"] or options["renhou"],
        dealers_first_discard=options["dealers_first_discard"],
        after_replacement=options["kanburi"],
        keeps=options["honba"],
        dealer_wins=options["dealer_wins"],
        declares_bonus=bool(options["declare_bonus"]),
        liable=None if options["fed_kan"] else liable,
        fed_gong=liable if options["fed_kan"] else None,
        discards=_discards(options["discards"]),
        losers=_losers(options["loser"]),
        bet=None if bet is None else NO_WINNER if bet == "draw" else WINDS.index(bet),
    )


def _check_words(options: Mapping[str, Any], *, self_drawn: bool, is_dealer: bool) -> None:
    """Raise HandError where riichi's word for a way to win is not what this win is."""
    for fits, names, needs in (
        (self_drawn, _DRAWN, "needs tsumo"),
        (not self_drawn, ("houtei", "renhou"), "needs ron"),
        (is_dealer, ("tenhou",), "is the dealer's"),
        (not is_dealer, ("chiihou", "renhou"), "is not the dealer's"),
    ):
        for name in names if not fits else ():
            if options[name]:
                raise HandError(unmet(pgettext("situation", name), needs))
    if options["fed_kan"] and options["liable"] is None:
        raise HandError(_("--fed-kan needs --liable: who fed the gong"))


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
