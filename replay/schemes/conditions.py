"""What patterns of other games ask for beside the conditions that riichi's yaku have, too.

Both are written over the same facts (:mod:`paifu.replay.rules.hand_facts`): riichi's kernels know some, and
:attr:`Case.words <paifu.replay.schemes.case.Case.words>` all. Where a pattern counts a set at a time, a
function returns the tiles of each.
"""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.model.tile_notation import format_kinds
from paifu.replay.rules import hand_facts as f
from paifu.replay.rules.hand_facts import Situation, YakuCondition
from paifu.replay.rules.hand_shapes import ALL_TRIPLETS
from paifu.replay.schemes.case import Case, OtherFact
from paifu.replay.schemes.hand import bonus_owner

(
    TWO_CONCEALED, ONE_GONG, TWO_GONGS, ON_REPLACEMENT, GONG_ON_GONG, FIRST_DISCARD, EIGHT_KEEPS,
    NO_BONUS, ALL_FLOWERS, ALL_SEASONS, SIX_BONUS, SEVEN_BONUS, EIGHT_BONUS,
) = (f.fact(layout.WORD_KINDS, one) for one in OtherFact)  # fmt: skip
"""That each of these facts holds, in their order; not to be denied, for kernels do not know them."""
LAST_TILE = f.situation(Situation.HAITEI) | f.situation(Situation.HOUTEI)
ROBBING, HEAVEN, EARTH, MAN = map(
    f.situation, (Situation.CHANKAN, Situation.TENHOU, Situation.CHIIHOU, Situation.RENHOU)
)
ON_GONG, LAST_DRAW, LAST_DISCARD = map(f.situation, (Situation.RINSHAN, Situation.HAITEI, Situation.HOUTEI))

SMALL_THREE_WINDS = f.any_of(
    f.pair(kind)
    & ~f.triplet(lacking)
    & f.all_of(f.triplet(o) for o in f.WIND_KINDS if o not in (kind, lacking))
    for kind in f.WIND_KINDS
    for lacking in f.WIND_KINDS
    if lacking != kind
)
BIG_THREE_WINDS = f.any_of(
    ~f.triplet(kind) & ~f.pair(kind) & f.all_of(f.triplet(other) for other in f.WIND_KINDS if other != kind)
    for kind in f.WIND_KINDS
)
SMALL_SIMILAR_PUNGS = f.any_of(
    f.pair(9 * suit + number) & f.all_of(f.triplet(9 * other + number) for other in f.SUITS if other != suit)
    for suit in f.SUITS
    for number in range(9)
)
GREAT_CHARIOT = (
    f.CLOSED & ~f.ANY_KAN & f.only(range(10, 17)) & f.all_of(~f.held_thrice(k) for k in range(10, 17))
)
"""22334455667788 of dots, nothing claimed, however it is read."""


def dragon_suit(dragon: int, suit: int) -> YakuCondition:
    """Return the condition of a pung of the dragon, and three pungs and a pair of the suit."""
    return ALL_TRIPLETS & f.triplet(dragon) & f.only((*f.kinds_of_suit(suit), dragon))


def pungs_of_dragons(case: Case) -> tuple[str, ...]:
    """Each pung of a dragon."""
    return case.pungs_of(f.DRAGON_KINDS)


def pung_of_seat_wind(case: Case) -> tuple[str, ...]:
    """The pung of the player's wind."""
    return case.pungs_of([27 + case.facts.seat_wind])


def pung_of_round_wind(case: Case) -> tuple[str, ...]:
    """The pung of the round's wind, where there is one."""
    return case.pungs_of([27 + case.facts.round_wind] if case.rules.table.round_wind else [])


def value_honours(case: Case) -> tuple[str, ...]:
    """Each pung of a dragon or of the player's wind."""
    return pungs_of_dragons(case) + pung_of_seat_wind(case)


def own_bonus(case: Case) -> tuple[str, ...]:
    """Each flower or season of the player's seat."""
    return tuple(
        format_kinds([kind]) for kind in case.hand.bonus if bonus_owner(kind) == case.facts.seat_wind
    )
