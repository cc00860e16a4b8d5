"""Patterns that no system plays today and any may switch on, one by one.

Their values depend on the scheme: what is a limit in one is a limit in all, the others have a number for each.
"""

from __future__ import annotations

from dataclasses import replace

from paifu.replay.rules.choices import Scheme
from paifu.replay.schemes import conditions as c
from paifu.replay.schemes.pattern import ANY_FORM, PAIRS_TOO, REGULAR, Condition, Pattern, PatternLimit
from paifu.replay.schemes.readings import Form

FULL, HALF = PatternLimit.FULL, PatternLimit.HALF


def _row(id: str, name: str, native: str, worth: PatternLimit | dict[Scheme, int], meaning: str, find: Condition,
         forms: frozenset[Form] = ANY_FORM, *, winning_form: Form | None = None, replaces: tuple[str, ...] = (),
         ) -> tuple[Pattern, dict[Scheme, int]]:  # fmt: skip
    values = {} if isinstance(worth, PatternLimit) else worth
    limit = worth if isinstance(worth, PatternLimit) else PatternLimit.NONE
    row = Pattern(
        id, name, native, 0, meaning, find, forms, replaces=replaces, limit=limit, played=False,
        winning_form=winning_form, free=winning_form is not None,
    )  # fmt: skip
    return row, values


_ONE = {Scheme.SERIES: 10, Scheme.FAAN: 1, Scheme.CLASSICAL: 1}
_THREE = {Scheme.SERIES: 30, Scheme.FAAN: 3, Scheme.CLASSICAL: 1}

# fmt: off
_ROWS = (
    _row("original-gift-of-earth", "Original Gift of Earth", "地和", FULL, "on East's very first discard",
         c.dealers_first_discard, replaces=("gift-of-man",)),
    _row("plum-blossom", "Gathering a Plum Blossom from the Roof", "梅花", FULL,
         "a gong's replacement tile, a 5 of dots", c.plum_blossom),
    _row("moon-from-the-sea", "Scooping the Moon from the Bottom of the Sea", "海底撈月", FULL,
         "self-drawn with the last tile of the wall, a 1 of dots", c.moon),
    _row("carrying-pole", "Scratching a Carrying Pole", "", FULL, "robbing a gong of 2s", c.robbing_two_bamboo),
    _row("twofold-fortune", "Twofold Fortune", "槓上槓", FULL,
         "a gong's replacement made a second gong, whose replacement won", c.twofold),
    _row("concealed-purity", "Concealed Purity", "", FULL, "one suit, nothing claimed, self-drawn", c.concealed_suit,
         PAIRS_TOO),
    _row("concealed-purity-pairs", "Concealed Purity of Pairs", "", FULL, "seven pairs of one suit", c.pure_suit,
         frozenset({Form.SEVEN_PAIRS, Form.PURE_PAIRS}), winning_form=Form.PURE_PAIRS),
    _row("wriggling-snake", "Wriggling Snake", "", FULL,
         "one suit: pungs of 1 and 9, and from 2 to 8 two chows and a pair", c.snake, REGULAR),
    _row("wriggling-snake-winds", "Wriggling Snake with Winds", "", FULL,
         "1 to 9 of one suit, the four winds, and a second of one of them", c.form(Form.SNAKE),
         frozenset({Form.SNAKE}), winning_form=Form.SNAKE),
    _row("knitted-pairs", "Knitted Pairs", "", FULL, "1 to 7 of two suits", c.form(Form.KNITTED),
         frozenset({Form.KNITTED}), winning_form=Form.KNITTED),
    _row("thirteen-dealer-wins", "Thirteen Dealer Wins", "十三連莊", FULL, "the dealer's thirteenth win in a row",
         c.dealer_wins(13)),
    _row("golden-chicken", "Unique Golden Chicken", "", HALF, "four open melds, won on the 1 of bamboos",
         c.golden_chicken, REGULAR),
    _row("triple-guest-winds", "Triple Guest Winds", "客風三刻", _THREE,
         "the player's wind is the round's, the three others are pungs", c.guest_winds, REGULAR),
    _row("sudden-reversal", "Sudden Reversal", "", _ONE, "on the discard right after a replacement draw",
         c.after_replacement),
)
# fmt: on


def outdated(scheme: Scheme) -> tuple[Pattern, ...]:
    """Return the rows with what they are worth in a scheme."""
    return tuple(replace(row, value=values.get(scheme, 0)) for row, values in _ROWS)
