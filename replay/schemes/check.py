"""What no hand can be and no win can be, with what to say; and the hand as its ruleset plays it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.tile_notation import format_kinds, kind_name
from paifu.replay.model.tiles import BONUS_KINDS, JOKER, KINDS, WINDS
from paifu.replay.rules.choices import BonusTiles
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.hand import SEATS, Facts, HeldTiles, Replacement
from paifu.replay.schemes.readings import COPIES
from paifu.replay.schemes.scheme import CompleteHand
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import MeldKind

WINNING_SIZE = 14


def check_tiles(hand: HeldTiles, rules: Ruleset, others: Iterable[HeldTiles] = ()) -> None:
    """Raise HandError unless a player can hold these tiles, beside those of other players."""
    for problem in _tile_problems(hand, rules, tuple(others)):
        raise HandError(problem)


def check_win(win: CompleteHand, rules: Ruleset) -> None:
    """Raise HandError unless the hand can be and can have won so; whether it is complete is not asked."""
    check_tiles(win.hand, rules, win.facts.losers.values())
    for seat, loser in win.facts.losers.items():
        check_tiles(loser, rules)
        if loser.size != WINNING_SIZE - 1:
            text = _(
                "{wind}'s hand has {size} tiles, a gong counting as three, not 13; leave out a dead hand, it "
                "scores nothing"
            )
            raise HandError(text.format(wind=pgettext("wind", WINDS[seat]), size=loser.size))
    for impossible, text in _IMPOSSIBLE:
        if impossible(win.facts, win.hand):
            wind = pgettext("wind", WINDS[win.facts.seat_wind])
            raise HandError(_(text).format(wind=wind, rules=rules.name))


def _tile_problems(hand: HeldTiles, rules: Ruleset, others: tuple[HeldTiles, ...]) -> Iterator[str]:
    for meld in hand.melds:
        if not meld.fits:
            text = _("{meld} is neither a chow nor three or four equal tiles")
            if meld.concealed:
                text = _("{meld}: square brackets hold a concealed gong, four equal tiles")
            yield text.format(meld=meld)
        if meld.kind == MeldKind.CHI and not rules.calls.chi:
            text = _("{meld}: chows cannot be claimed under the ruleset {rules}")
            yield text.format(meld=meld, rules=rules.name)
        if meld.concealed and not rules.calls.concealed_gongs:
            text = _("{meld}: concealed gongs are not declared under the ruleset {rules}")
            yield text.format(meld=meld, rules=rules.name)
    yield from count_problems(hand, rules, others)


def count_problems(hand: HeldTiles, rules: Ruleset, others: Iterable[HeldTiles] = ()) -> Iterator[str]:
    """Yield which tiles are too many for the set, in this hand or in all hands together."""
    aside = bool(hand.bonus)
    if aside and rules.tiles.bonus_tiles != BonusTiles.SET_ASIDE:
        text = _("{tiles}: bonus tiles are not set aside under the ruleset {rules}")
        yield text.format(tiles=format_kinds(hand.bonus), rules=rules.name)
    held = Counter(kind for other in (hand, *others) for kind in (*other.kinds, *other.bonus))
    for kind, count in sorted(held.items()):
        copies = copies_of(kind, rules)
        if count > copies:
            text = _("{count} tiles {tile}; there are {copies} under the ruleset {rules}")
            if copies == 0:
                text = _("{count} tiles {tile}; there is none under the ruleset {rules}")
            elif copies == 1:
                text = _("{count} tiles {tile}; there is one under the ruleset {rules}")
            yield text.format(count=count, tile=kind_name(kind), copies=copies, rules=rules.name)
    loose = [kind for kind in hand.tiles if kind in BONUS_KINDS]
    if loose and rules.tiles.bonus_tiles == BonusTiles.SET_ASIDE:
        yield _("{tile} is set aside in brackets of its own: ({tile})").format(tile=kind_name(loose[0]))


def copies_of(kind: int, rules: Ruleset) -> int:
    """Return how many tiles of a kind the set has."""
    if kind < KINDS:
        return COPIES
    return rules.tiles.jokers if kind == JOKER else int(rules.tiles.bonus_tiles != BonusTiles.NONE)


_SchemeCheck = Callable[[Facts, HeldTiles], bool]


def _seat_is_wrong(f: Facts, _: HeldTiles) -> bool:
    given = [f.seat_wind, f.round_wind]
    given += [seat for seat in (f.payer, f.liable, f.fed_gong) if seat is not None]
    return any(seat not in SEATS for seat in given)


def _robbed_elsewhere(f: Facts, hand: HeldTiles) -> bool:
    seen = (*hand.kinds, *(kind for loser in f.losers.values() for kind in loser.tiles))
    return f.robbing and Counter(seen)[hand.win or 0] > 1


def _has_gongs(hand: HeldTiles, number: int) -> bool:
    return sum(len(meld.kinds) == 4 for meld in hand.melds) >= number


def _is_first(f: Facts) -> bool:
    return f.first_turn or f.dealers_first_discard


_IMPOSSIBLE: tuple[tuple[_SchemeCheck, str], ...] = (
    (_seat_is_wrong, N_("seats are 0 to 3, east to north")),
    (lambda f, _: f.payer == f.seat_wind, N_("{wind} cannot win on their own discard")),
    (lambda f, _: f.self_drawn and f.payer is not None, N_("a self-drawn win has no discarder")),
    (lambda f, _: f.seat_wind in f.losers, N_("{wind} wins; the losers are the others")),
    (lambda f, _: f.liable == f.seat_wind, N_("{wind} cannot be liable for their own hand")),
    (lambda f, _: f.fed_gong == f.seat_wind, N_("{wind} cannot feed their own gong")),
    (
        lambda f, _: f.replacement != Replacement.NONE and not f.self_drawn,
        N_("a win on a replacement tile is self-drawn"),
    ),
    (
        lambda f, hand: f.replacement == Replacement.GONG and not _has_gongs(hand, 1),
        N_("a win on a gong's replacement tile needs a gong"),
    ),
    (
        lambda f, hand: f.replacement == Replacement.BONUS and not hand.bonus,
        N_("a win on a bonus tile's replacement needs a bonus tile set aside"),
    ),
    (
        lambda f, hand: (
            f.gongs_in_turn >= 2 and not (f.replacement == Replacement.GONG and _has_gongs(hand, 2))
        ),
        N_("gong on gong needs two gongs and wins on the replacement tile of the second"),
    ),
    (
        lambda f, _: f.gong_from_replacement and f.gongs_in_turn < 2,
        N_("a gong made by a replacement tile is the second of its turn"),
    ),
    (lambda f, _: f.robbing and f.self_drawn, N_("robbing a gong is not a self-drawn win")),
    (lambda f, _: f.robbing and f.last_tile, N_("there is no gong to rob after the last tile")),
    (
        _robbed_elsewhere,
        N_("the robbed gong has the other three tiles of its kind; a hand holds one of them"),
    ),
    (
        lambda f, _: f.after_replacement and (f.self_drawn or f.robbing),
        N_("a win on the discard after a replacement draw is neither self-drawn nor robs a gong"),
    ),
    (
        lambda f, hand: _is_first(f) and any(not meld.concealed for meld in hand.melds),
        N_("a win in the first turn has no claimed meld"),
    ),
    (
        lambda f, _: _is_first(f) and (f.last_tile or f.robbing),
        N_("a win in the first turn comes long before the last tile, and before any pung"),
    ),
    (
        lambda f, _: f.dealers_first_discard and (f.self_drawn or f.discarder != 0),
        N_("east's first discard is won by another player, and east pays"),
    ),
    (
        lambda f, _: f.first_turn and not f.self_drawn and (f.discarder or 0) > f.seat_wind,
        N_(
            "before the first draw of {wind} only players before {wind} have discarded; name one with --payer"
        ),
    ),
    (
        lambda f, _: f.seat_wind == 0 and f.first_turn and not f.self_drawn,
        N_("east draws first, and does not win on a discard before that"),
    ),
    (
        lambda f, _: f.seat_wind != 0 and (f.keeps or f.dealer_wins) > 0,
        N_("keeps and wins in a row are the dealer's, and {wind} does not deal"),
    ),
    (
        lambda f, _: f.fed_gong is not None and f.replacement != Replacement.GONG,
        N_("who feeds a gong matters when its replacement tile wins"),
    ),
    (
        lambda f, hand: (
            f.fed_gong is not None
            and not any(len(meld.kinds) == 4 and not meld.concealed for meld in hand.melds)
        ),
        N_("a fed gong is an open one; this hand has none"),
    ),
)
"""What no win can be, and what to say."""
