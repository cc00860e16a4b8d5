"""What a rule can be where it is one of a few: the enums of rulesets.

Presets write their names in lower case; kernels read their numbers.
"""

from __future__ import annotations

from enum import IntEnum


class Scheme(IntEnum):
    """How a hand becomes a value.

    HAN_FU: riichi's yaku, fu and limits. SERIES: points add up, those of one pattern a series.
    FAAN: faan add up and a table turns them into points. CLASSICAL: points for sets, doubled by patterns,
    and the losers settle among themselves. CARD: the hand is one of the lines of a card.
    """

    HAN_FU = 0
    SERIES = 1
    FAAN = 2
    CLASSICAL = 3
    CARD = 4


class BonusTiles(IntEnum):
    """Flowers and seasons: not in the set, set aside for a replacement, or kept in hand like other tiles."""

    NONE = 0
    SET_ASIDE = 1
    IN_HAND = 2


class GongShows(IntEnum):
    """Tiles of a concealed gong that the others see: all four, two, or none."""

    ALL = 0
    TWO = 1
    NOTHING = 2


class SevenPairs(IntEnum):
    """Seven pairs: no win, only with seven different pairs, or four equal tiles may be two of them."""

    NONE = 0
    DISTINCT = 1
    IDENTICAL = 2


class DiscardWin(IntEnum):
    """What a discard must complete to win: anything, or a pung."""

    ANY = 0
    PUNG = 1


class ReplacementWin(IntEnum):
    """Replacement tiles that earn the pattern for winning on one: a gong's, or a bonus tile's as well."""

    GONG = 0
    GONG_OR_BONUS = 1


class Bystander(IntEnum):
    """What those pay who did not discard the winning tile: nothing, the value, or at most ``par`` of it."""

    NONE = 0
    VALUE = 1
    PAR = 2


class Immunity(IntEnum):
    """Whose discard a win is charged to.

    OFF: the one won on. SAME_TILE: the first of the same kind since the winner's own last discard, that one
    included; if it is the winner's, nobody is charged. ANY_WAIT: likewise, of any kind that would have won.
    """

    OFF = 0
    SAME_TILE = 1
    ANY_WAIT = 2


class Card(IntEnum):
    """The card whose lines win: the four hands of 2013 that are public, or one made up for practice."""

    HANDS_2013 = 0
    PRACTICE = 1


class Kuikae(IntEnum):
    """What may not be discarded right after a call.

    ALLOWED: nothing. SAME_TILE: the tile called. FORBIDDEN: that and the other end of the run. OTHER_END:
    only the other end.
    """

    ALLOWED = 0
    SAME_TILE = 1
    FORBIDDEN = 2
    OTHER_END = 3


class KanDoraTiming(IntEnum):
    """When a kan's dora indicator is turned.

    AT_ONCE: with the kan, always. BEFORE_DISCARD: a closed kan's at once; an open or added kan's after the
    supplement draw, just before the discard (or at the next kan), so a rinshan win has none and a ron on
    that discard has it. AFTER_DISCARD: a closed kan's at once; the others' when the discard has passed.
    ALL_AFTER_DISCARD: every kan's when the discard has passed.
    """

    AT_ONCE = 0
    BEFORE_DISCARD = 1
    AFTER_DISCARD = 2
    ALL_AFTER_DISCARD = 3


class RiichiKan(IntEnum):
    """Whether a closed kan is legal under riichi, always with the tile just drawn.

    FORBIDDEN: never. SAME_WAITS: when the waits stay the same. SAME_SHAPE: when besides, in every reading
    of every winning hand, the three tiles form a triplet.
    """

    FORBIDDEN = 0
    SAME_WAITS = 1
    SAME_SHAPE = 2


class TemporaryFuriten(IntEnum):
    """When temporary furiten ends.

    UNTIL_DRAW: at the player's own next draw or call. UNTIL_DISCARD: at their next discard. UNTIL_OWN_DRAW:
    at their next draw; neither a call nor the discard after it ends it.
    """

    UNTIL_DRAW = 0
    UNTIL_DISCARD = 1
    UNTIL_OWN_DRAW = 2


class OwnFourWait(IntEnum):
    """Whether a hand is tenpai that waits only for tiles of which the player has all four.

    TENPAI: always. NOTEN_IN_HAND: not when all four are concealed in the hand; tiles in own melds do not
    count. NOTEN: not when the hand and its melds together hold all four. NOTEN_SEEN: not when the hand, all
    melds and all rivers together show all four of every tile that it waits for.
    """

    TENPAI = 0
    NOTEN_IN_HAND = 1
    NOTEN = 2
    NOTEN_SEEN = 3


class DrawTenpai(IntEnum):
    """What makes an open hand tenpai at a draw: its shape, or a yaku on one of its waits besides."""

    SHAPE = 0
    YAKU = 1


class YakuSettled(IntEnum):
    """When yaku must be settled, if the hand wins without riichi and not by a closed tsumo.

    ANY: never. EVERY_WAIT: each wait gives yaku enough, or none of them wins. BEFORE_WIN: the yaku that all
    waits share are enough, so that they exist before the winning tile. FIRST_CALL: besides, only those count
    that the first call is a part of.
    """

    ANY = 0
    EVERY_WAIT = 1
    BEFORE_WIN = 2
    FIRST_CALL = 3


class Pochi(IntEnum):
    """The marked white dragon, drawn in riichi: a plain one, or any tile, always or only with ippatsu."""

    NONE = 0
    RIICHI = 1
    IPPATSU = 2


class Limits(IntEnum):
    """Whether hands have limits, or their fu are doubled for every han, however many (aotenjou)."""

    USUAL = 0
    NONE = 1


class DealerWinsBy(IntEnum):
    """What counts the dealer's wins in a row: wins, which a draw ends, or honba."""

    WINS = 0
    HONBA = 1


class OpenRiichiDealIn(IntEnum):
    """What a player without riichi pays who discards into an open riichi.

    VALUE: what the hand is worth. YAKUMAN: a yakuman. YAKUMAN_IF_AVOIDABLE: a yakuman if they could have
    discarded another kind, else its value. TAKEN_BACK: such a discard is taken back, unless they hold nothing
    else that they may discard; then it costs a yakuman.
    """

    VALUE = 0
    YAKUMAN = 1
    YAKUMAN_IF_AVOIDABLE = 2
    TAKEN_BACK = 3


class RinshanFed(IntEnum):
    """What a win on the supplement tile of an open kan is, beside the liability of who fed it.

    USUAL: a win with rinshan's han. TWO_HAN: rinshan counts two han. FALSE_WIN: no win.
    """

    USUAL = 0
    TWO_HAN = 1
    FALSE_WIN = 2


class Kazoe(IntEnum):
    """What a hand of 13 han or more without a yakuman is worth."""

    SANBAIMAN = 0
    YAKUMAN = 1


class Renhou(IntEnum):
    """Ron in the first uninterrupted go-around, before their first draw.

    MANGAN, BAIMAN: the hand is worth that much, or its other yaku and dora when those are worth more.
    FOUR_HAN, SEVEN_HAN: a yaku of so many han, which adds to the others.
    """

    NONE = 0
    MANGAN = 1
    YAKUMAN = 2
    BAIMAN = 3
    FOUR_HAN = 4
    SEVEN_HAN = 5


class SuurenkouPair(IntEnum):
    """What pair four consecutive triplets need: any, one of their suit, or one next to them in the row."""

    ANY = 0
    SAME_SUIT = 1
    CONSECUTIVE = 2


class Nagashi(IntEnum):
    """Nagashi mangan: unknown, paid while the hand counts as a draw, or a win with sticks and honba."""

    NONE = 0
    DRAW = 1
    WIN = 2


class KyuushuCounts(IntEnum):
    """What counts toward the nine for kyuushu kyuuhai: kinds of terminals and honours, or just tiles."""

    KINDS = 0
    TILES = 1


class PaoCovers(IntEnum):
    """What the liable player of a hand with several yakuman answers for: only the one fed, or everything."""

    OWN = 0
    ALL = 1


class PaoHonba(IntEnum):
    """Who pays the honba when a liable player and a discarder share a ron."""

    LIABLE = 0
    DISCARDER = 1


class SanmaTsumo(IntEnum):
    """The missing fourth player's share of a tsumo.

    LOSS: lost. SPLIT: split between the two payers. HALVES: each pays half of what a ron costs. PLUS_1000:
    lost, and each adds 1,000 points. AS_RON: the two pay what a ron costs, the dealer twice as much of it.
    """

    LOSS = 0
    SPLIT = 1
    HALVES = 2
    PLUS_1000 = 3
    AS_RON = 4


class NagashiValue(IntEnum):
    """What nagashi mangan is worth."""

    MANGAN = 0
    HANEMAN = 1
    BAIMAN = 2
    YAKUMAN = 3


class PaoTsumo(IntEnum):
    """What a liable player pays for a tsumo: the sum of all shares, or as much as for a ron.

    The two are the same for a yakuman among four players. With three, the sum of the shares may lack that of
    the missing player.
    """

    SHARES = 0
    RON = 1


class MultiRonSticks(IntEnum):
    """Who takes riichi sticks when several win one discard.

    FIRST: all go to the winner next after the discarder. OWN_FIRST: a winner takes back their own stick of
    this hand, the rest go to the winner next after the discarder.
    """

    FIRST = 0
    OWN_FIRST = 1


class MultiRonHonba(IntEnum):
    """Who is paid the honba when several win one discard: the one next after the discarder, or each."""

    FIRST = 0
    EACH = 1


class Tobi(IntEnum):
    """Whether a player without points ends the game: never, below zero, or at zero and below."""

    OFF = 0
    BELOW_ZERO = 1
    AT_ZERO = 2


class TobiPrizeElse(IntEnum):
    """Who gets the prize for a player out of points where no ron did it: the first place, or nobody."""

    FIRST = 0
    NOBODY = 1


class LastNoten(IntEnum):
    """What follows when the last scheduled hand is a draw with the dealer noten.

    ENDS: the game is over. MAY_GO_ON: it is over, or it goes on with the next dealer, as the players like.
    GOES_ON: it goes on.
    """

    ENDS = 0
    MAY_GO_ON = 1
    GOES_ON = 2


class SticksLeft(IntEnum):
    """Riichi sticks still on the table when the game ends: to the first place, or nobody's."""

    FIRST = 0
    LOST = 1


class TieBreak(IntEnum):
    """Equal points at the end: the earlier first seat is placed higher, or the places' uma is shared."""

    SEAT = 0
    SHARE = 1


class Rounding(IntEnum):
    """How the final points are rounded.

    EXACT: not at all; the others to whole thousands, for all but the first, who takes the remainder. NEAREST:
    500 go up. FIVE_DOWN: 500 go down, 600 up. SEVEN_DOWN: 700 go down, 800 up. DOWN: always down. UP: always
    up. Of negative numbers the amount is rounded.
    """

    EXACT = 0
    NEAREST = 1
    FIVE_DOWN = 2
    SEVEN_DOWN = 3
    DOWN = 4
    UP = 5


class RoundingOf(IntEnum):
    """What is rounded: table points, or their difference to the return, so that both move toward zero."""

    POINTS = 0
    DIFFERENCE = 1


class YakitoriTo(IntEnum):
    """Whom a player without a win pays.

    WINNERS: each player with one, the whole amount. SPLIT: those share the amount. FIRST: who is first, if
    that player has won a hand.
    """

    WINNERS = 0
    SPLIT = 1
    FIRST = 2


class MultiRonRenchan(IntEnum):
    """When a dealer stays who is one of several that win one discard.

    AMONG: always. NEAREST: if no other winner sits nearer after the discarder. NEVER: then the deal passes.
    """

    AMONG = 0
    NEAREST = 1
    NEVER = 2


class Consequence(IntEnum):
    """What a foul costs.

    REFUSED: it cannot be; a log that has one is wrong. NONE: nothing. WARNING: a warning, of which
    ``warning_count`` cost ``warning_points``. DEPOSIT: ``deposit_sticks`` sticks on the table. DEAD_HAND: the
    hand may not call, declare riichi or win, and is noten. SMALL: ``small_points``. CHOMBO: the hand ends;
    ``chombo_pays`` and ``chombo_points``.
    """

    REFUSED = 0
    NONE = 1
    WARNING = 2
    DEPOSIT = 3
    DEAD_HAND = 4
    SMALL = 5
    CHOMBO = 6


class FoulFound(IntEnum):
    """When a foul of a hand in riichi comes out; before that, a win of another makes it void.

    AT_ONCE: at once. DRAW: when hands are shown at a draw. OWN_WIN: when the hand is shown for a win.
    DRAW_OR_OWN_WIN: then and then.
    """

    AT_ONCE = 0
    DRAW = 1
    OWN_WIN = 2
    DRAW_OR_OWN_WIN = 3


class WarningsOver(IntEnum):
    """Over what warnings add up: a game, or all games of a league on one day."""

    GAME = 0
    DAY = 1


class ChomboAfter(IntEnum):
    """What follows a hand that a chombo ended.

    DRAW: what follows a draw; who was tenpai counts. REPLAY: it is played again, its sticks returned.
    REPLAY_DEALER_PASSES: likewise, but the dealer's own chombo passes the deal, and honba stay.
    """

    DRAW = 0
    REPLAY = 1
    REPLAY_DEALER_PASSES = 2


class SmallAfter(IntEnum):
    """What follows a small chombo: the hand goes on, or is played again."""

    GOES_ON = 0
    REPLAY = 1


class ChomboLast(IntEnum):
    """A hand to be played again that was the last scheduled one: it is played again, or the game ends."""

    REPLAY = 0
    ENDS = 1
