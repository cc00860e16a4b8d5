"""The patterns of Zung Jung, version 3.3: points, series, and the forms they count for."""

from __future__ import annotations

from paifu.replay.rules import hand_facts as f
from paifu.replay.rules import hand_shapes as h
from paifu.replay.schemes import conditions as c
from paifu.replay.schemes.pattern import ANY_FORM, PAIRS_TOO, REGULAR, Condition, Pattern
from paifu.replay.scoring.readings import Form


def _row(series: str, id: str, name: str, native: str, value: int, meaning: str, find: Condition,
         forms: frozenset[Form] = REGULAR) -> Pattern:  # fmt: skip
    return Pattern(id, name, native, value, meaning, find, forms, series, source="ZJ")


# fmt: off
PATTERNS = (
    _row("1.1", "all-sequences", "All Sequences", "平和", 5, "four sequences", f.ALL_RUNS),
    _row("1.2", "concealed-hand", "Concealed Hand", "門前清", 5, "no claimed set", f.CLOSED),
    _row("1.3", "no-terminals", "No Terminals", "斷么九", 5, "only simples", h.SIMPLES, PAIRS_TOO),
    _row("2.1", "mixed-one-suit", "Mixed One-Suit", "混一色", 40, "one suit and honours", h.HALF_FLUSH, PAIRS_TOO),
    _row("2.1", "pure-one-suit", "Pure One-Suit", "清一色", 80, "one suit, no honours", h.ONE_SUIT, PAIRS_TOO),
    _row("2.2", "nine-gates", "Nine Gates", "九蓮寶燈", 480, "waited with 1112345678999 of one suit, all concealed",
         h.NINE_GATES & f.WIN_EVEN),
    _row("3.1", "value-honour", "Value Honour", "番牌", 10, "a triplet of dragons or of the seat wind",
         c.value_honours),
    _row("3.2", "small-three-dragons", "Small Three Dragons", "小三元", 40,
         "two triplets of dragons and a pair of the third", h.LITTLE_DRAGONS),
    _row("3.2", "big-three-dragons", "Big Three Dragons", "大三元", 130, "three triplets of dragons",
         h.BIG_DRAGONS),
    _row("3.3", "small-three-winds", "Small Three Winds", "小三風", 30,
         "two triplets of winds and a pair of a third", c.SMALL_THREE_WINDS),
    _row("3.3", "big-three-winds", "Big Three Winds", "大三風", 120, "three triplets of winds",
         c.BIG_THREE_WINDS),
    _row("3.3", "small-four-winds", "Small Four Winds", "小四喜", 320,
         "three triplets of winds and a pair of the fourth", h.LITTLE_WINDS),
    _row("3.3", "big-four-winds", "Big Four Winds", "大四喜", 400, "four triplets of winds", h.BIG_WINDS),
    _row("3.4", "all-honours", "All Honours", "字一色", 320, "honours only", h.ALL_HONOURS, PAIRS_TOO),
    _row("4.1", "all-triplets", "All Triplets", "對對和", 30, "four triplets", h.ALL_TRIPLETS),
    _row("4.2", "two-concealed-triplets", "Two Concealed Triplets", "二暗刻", 5, "two concealed triplets",
         c.TWO_CONCEALED),
    _row("4.2", "three-concealed-triplets", "Three Concealed Triplets", "三暗刻", 30, "three concealed triplets",
         f.THREE_CONCEALED),
    _row("4.2", "four-concealed-triplets", "Four Concealed Triplets", "四暗刻", 125, "four concealed triplets",
         f.FOUR_CONCEALED),
    _row("4.3", "one-kong", "One Kong", "一槓", 5, "one kong", c.ONE_GONG),
    _row("4.3", "two-kongs", "Two Kongs", "二槓", 20, "two kongs", c.TWO_GONGS),
    _row("4.3", "three-kongs", "Three Kongs", "三槓", 120, "three kongs", f.THREE_KANS),
    _row("4.3", "four-kongs", "Four Kongs", "四槓", 480, "four kongs", f.FOUR_KANS),
    _row("5.1", "two-identical-sequences", "Two Identical Sequences", "一般高", 10, "two equal sequences",
         h.TWINS),
    _row("5.1", "two-identical-sequences-twice", "Two Identical Sequences Twice", "兩般高", 60,
         "two couples of equal sequences", f.TWO_TWINS),
    _row("5.1", "three-identical-sequences", "Three Identical Sequences", "一色三同順", 120, "three equal sequences",
         f.RUN_THRICE),
    _row("5.1", "four-identical-sequences", "Four Identical Sequences", "一色四同順", 480, "four equal sequences",
         f.RUN_FOUR_TIMES),
    _row("6.1", "three-similar-sequences", "Three Similar Sequences", "三色同順", 35,
         "the same sequence in all three suits", h.SIMILAR_RUNS),
    _row("6.2", "small-three-similar-triplets", "Small Three Similar Triplets", "三色小同刻", 30,
         "triplets of one number in two suits and its pair in the third", c.SMALL_SIMILAR_PUNGS),
    _row("6.2", "three-similar-triplets", "Three Similar Triplets", "三色同刻", 120,
         "triplets of one number in all three suits", h.SIMILAR_TRIPLETS),
    _row("7.1", "nine-tile-straight", "Nine-Tile Straight", "一氣通貫", 40, "123, 456 and 789 of one suit", h.STRAIGHT),
    _row("7.2", "three-consecutive-triplets", "Three Consecutive Triplets", "三連刻", 100,
         "triplets of three successive numbers of one suit", h.triplets_in_row(3)),
    _row("7.2", "four-consecutive-triplets", "Four Consecutive Triplets", "四連刻", 200,
         "triplets of four successive numbers of one suit", h.triplets_in_row(4)),
    _row("8.1", "mixed-lesser-terminals", "Mixed Lesser Terminals", "混全帶么", 40,
         "a terminal or honour in every set and the pair, with a sequence and an honour", h.OUTSIDE & f.HAS_HONOUR),
    _row("8.1", "pure-lesser-terminals", "Pure Lesser Terminals", "純全帶么", 50,
         "a terminal in every set and the pair, with a sequence", h.OUTSIDE & ~f.HAS_HONOUR),
    _row("8.1", "mixed-greater-terminals", "Mixed Greater Terminals", "混么九", 100,
         "only terminals and honours, both of them", h.MIXED_TERMINALS, PAIRS_TOO),
    _row("8.1", "pure-greater-terminals", "Pure Greater Terminals", "清么九", 400, "only terminals", h.ALL_TERMINALS,
         PAIRS_TOO),
    _row("9.1", "final-draw", "Final Draw", "海底撈月", 10, "self-drawn with the last tile of the wall", c.LAST_DRAW,
         ANY_FORM),
    _row("9.1", "final-discard", "Final Discard", "河底撈魚", 10, "on the discard after the last tile of the wall",
         c.LAST_DISCARD, ANY_FORM),
    _row("9.2", "win-on-kong", "Win on Kong", "嶺上開花", 10, "self-drawn with a kong's supplement tile", c.ON_GONG,
         ANY_FORM),
    _row("9.3", "robbing-a-kong", "Robbing a Kong", "搶槓", 10, "on the tile that another added to a triplet",
         c.ROBBING, ANY_FORM),
    _row("9.4", "blessing-of-heaven", "Blessing of Heaven", "天和", 155, "East wins with the first fourteen tiles",
         c.HEAVEN, ANY_FORM),
    _row("9.4", "blessing-of-earth", "Blessing of Earth", "地和", 155, "on East's very first discard",
         c.FIRST_DISCARD, ANY_FORM),
    _row("10.1", "thirteen-terminals", "Thirteen Terminals", "十三么九", 160,
         "one of each terminal and honour, and a second of one", f.ORPHANS, frozenset({Form.ORPHANS})),
    _row("10.2", "seven-pairs", "Seven Pairs", "七對子", 30, "seven pairs", f.SEVEN_PAIRS,
         frozenset({Form.SEVEN_PAIRS})),
)
# fmt: on
"""All 44 rows, in the order of the series."""
