"""Numbers that the scoring kernels, the yaku table and their Python callers share. No code.

A **reading** of a winning hand is one row of integers (``ROW_*``). To find its yaku it is spelt out as five
**words** of 64 bits (``WORD_*``): the lower bits say which runs, triplets, kinds and pairs there are, the
upper bits state facts. A yaku is a pattern over these words (see ``yaku``).
"""

from __future__ import annotations

# Called melds: the values of EventKind, so that the replay's columns can be handed on as they are.
MELD_CHI, MELD_PON, MELD_DAIMINKAN, MELD_ANKAN, MELD_KAKAN = 3, 4, 5, 6, 7

# A reading's row: form, closed runs (octal digit 7 * suit + number - 1 counts the runs that start there),
# closed triplets (bit of the kind), pairs (bit of the kind), wait.
ROW_FORM, ROW_RUNS, ROW_TRIPLETS, ROW_PAIRS, ROW_WAIT, ROW_SIZE = range(6)
MAX_READINGS = 32
FORM_STANDARD, FORM_SEVEN_PAIRS, FORM_ORPHANS, FORM_FOUR_KANS, FORM_SNAKE, FORM_KNITTED, FORMS = range(7)
RYANMEN, KANCHAN, PENCHAN, SHANPON, TANKI = range(5)

WORD_FACTS, WORD_TRIPLETS, WORD_KINDS, WORD_RUNS, WORD_THREES, WORDS = range(6)
FACT = 34
"""In the words of kinds the bits from here on are facts."""

# WORD_FACTS: pairs in the lower bits, then what is true of this reading (the forms and waits in order).
FACT_FORM = FACT
FACT_WAIT = FACT_FORM + FORMS
(
    FACT_ALL_RUNS,
    FACT_HAS_RUN,
    FACT_VALUE_PAIR,
    FACT_ONE_TWIN,
    FACT_TWO_TWINS,
    FACT_RUN_THRICE,
    FACT_RUN_FOUR_TIMES,
    FACT_THREE_CONCEALED,
    FACT_FOUR_CONCEALED,
) = range(FACT_WAIT + 5, FACT_WAIT + 14)
# WORD_TRIPLETS: then what is true of the hand in every reading.
FACT_CLOSED, FACT_ANY_KAN, FACT_THREE_KANS, FACT_FOUR_KANS, FACT_WIN_EVEN = range(FACT, FACT + 5)
FACT_MAN, FACT_PIN, FACT_SOU, FACT_HONOUR = range(FACT + 5, FACT + 9)
FACT_SEAT_WIND = FACT + 9
FACT_ROUND_WIND = FACT + 13
FACT_FOUR_OPEN = FACT + 17
FACT_WIN_KIND = FACT + 18
"""First of six bits: the number of the winning tile's kind."""
# WORD_KINDS: then how the win came about, bit FACT + i for situation bit i.
# WORD_THREES: kinds of which three or more are concealed.

# Situation bits, as callers give them.
TSUMO, RIICHI, DOUBLE_RIICHI, OPEN_RIICHI, IPPATSU = 1, 2, 4, 8, 16
RINSHAN, CHANKAN, HAITEI, HOUTEI = 32, 64, 128, 256
TENHOU, CHIIHOU, RENHOU = 512, 1024, 2048
KANBURI, TSUBAME, TWOFOLD, THIRTEENTH = 4096, 8192, 16384, 32768
POCHI = 65536
FED_RIICHI, FED_KAN = 131072, 262144
ANY_RIICHI = RIICHI | DOUBLE_RIICHI | OPEN_RIICHI
LUCK = RINSHAN | CHANKAN | HAITEI | HOUTEI | TENHOU | CHIIHOU | RENHOU | KANBURI | TSUBAME
"""What comes about with the winning tile alone."""

SUITED = (1 << 27) - 1
HONOURS = ((1 << 7) - 1) << 27
YAOCHUU = HONOURS | 0b100000001 | 0b100000001 << 9 | 0b100000001 << 18
DRAGONS = 0b111 << 31
RUN_ONES = 0o111111111111111111111
"""One in each of the 21 octal digits of the runs."""

# A row of the pattern table: need and never for each word, then what a match means.
PATTERN_ID, PATTERN_NEXT, PATTERN_OPEN, PATTERN_CLOSED, PATTERN_LIMIT = range(2 * WORDS, 2 * WORDS + 5)
PATTERN_REPLACES, PATTERN_REPLACES_LOCAL, PATTERN_SIZE = range(2 * WORDS + 5, 2 * WORDS + 8)
PIECE, PIECES = 7, 9
"""Bits of a piece of a word, and pieces of a word at most."""
PIECES_OF = (8, 9, 8, 9, 5)
"""How many pieces of each word can be other than 0."""
PATTERNS_A_CELL = 62
"""How many patterns are the bits of one number."""
YAKUMAN_HAN = 13
"""Han of a yaku that is a yakuman; twice that for a double one."""
PINFU_ID = 7

# Reasons for fu; a reading's fu are packed three bits a reason, counting how often it holds.
FU_BASE, FU_CLOSED_RON, FU_TSUMO, FU_WAIT, FU_DRAGON_PAIR, FU_SEAT_PAIR, FU_ROUND_PAIR, FU_DOUBLE_PAIR = (
    range(8)
)
FU_TRIPLET = 8
"""First of eight: +1 concealed, +2 terminal or honour, +4 kan."""
FU_OPEN_WITHOUT, FU_SEVEN_PAIRS, FU_REASONS = 16, 17, 18

# Parameters of a ruleset: fu for each reason, base points for 0 to 14 han, then single rules.
PARAM_FU = 0
PARAM_LIMIT = 18
MAX_LIMIT_HAN = 14
(
    PARAM_KIRIAGE,
    PARAM_MIN_HAN,
    PARAM_TWO_HAN_HONBA,
    PARAM_RINSHAN_FU,
    PARAM_STACKING,
    PARAM_FORMS,
    PARAM_FOUR_KANS_WIN,
    PARAM_HONBA,
    PARAM_STICK,
    PARAM_PLAYERS,
    PARAM_SHARES,
    PARAM_PAO_ALL,
    PARAM_PAO_HONBA,
    PARAM_PAO_AS_RON,
    PARAM_RINSHAN_AS_RON,
    PARAM_WAREME_HONBA,
    PARAM_WAREME,
    PARAM_OPEN_PINFU,
    PARAM_FIXED_FU,
    PARAM_UNIT,
    PARAM_NAGASHI,
    PARAM_DEALER,
    PARAM_BY_SHARES,
    PARAM_NO_LIMITS,
    PARAM_YAKUMAN,
    PARAM_UNSETTLED,
    PARAM_SETTLED,
    PARAM_VALUES,
    PARAM_CHIIHOU_RON,
    PARAMS,
) = range(PARAM_LIMIT + MAX_LIMIT_HAN + 1, PARAM_LIMIT + MAX_LIMIT_HAN + 31)
"""PARAM_SHARES: what becomes of the missing player's share of a tsumo, see SPLIT and so on, or 0."""
SPLIT, HALVES, PLUS_1000, AS_RON = 1, 2, 3, 4
"""``rules.SanmaTsumo``."""
EVERY_WAIT, BEFORE_WIN, FIRST_CALL = 1, 2, 3
"""``rules.YakuSettled``, in PARAM_SETTLED. PARAM_UNSETTLED: yaku ids (bits) whose han no minimum counts."""

MANGAN, YAKUMAN = 2000, 8000
"""Base points."""
MOST_BASE = 30_000_000
"""Where there are no limits: more is not counted, so that every sum of points fits its column."""
KIRIAGE_FROM = 1920
"""Base points of 4 han 30 fu and 3 han 60 fu."""

# What the scoring kernel puts out.
(
    OUT_BASE,
    OUT_HAN,
    OUT_FU,
    OUT_YAKUMAN,
    OUT_YAKU,
    OUT_LOCAL,
    OUT_FU_ROWS,
    OUT_READING,
    OUT_ALONE,
    OUT_READINGS,
    OUT_HELD,
    OUT_HELD_LOCAL,
    OUT_SIZE,
) = range(13)
"""OUT_YAKU: bit i for yaku id i; OUT_LOCAL: bit i for id 64 + i; OUT_YAKUMAN: how many, doubles twice.
OUT_ALONE: 1 where one yaku that is worth a limit by itself decided, without dora.
OUT_READINGS: how many there are, filled even when none of them has a yaku.
OUT_HELD, OUT_HELD_LOCAL: the yaku that hold, those beside a yakuman included."""
LOCAL_IDS = 64
NOT_A_WIN, NO_YAKU = -1, 0
"""Returned in place of base points."""

# What ``score_hands`` takes of a hand besides its tiles and indicators, and what it adds to the above.
(
    HAND_WIN,
    HAND_SITUATION,
    HAND_SEAT,
    HAND_OWN_WIND,
    HAND_ROUND_WIND,
    HAND_EXTRA,
    HAND_KITA,
    HAND_HONBA,
    HAND_STICKS,
    HAND_PAYER,
    HAND_MARKED,
    HAND_ONLY,
    HAND_SIZE,
) = range(13)
"""HAND_EXTRA: dora without an indicator: red fives, and tiles set aside. HAND_KITA: the norths of these.
HAND_PAYER: the discarder, or -1 (see ``scoring.payer_of``). HAND_ONLY: -1, or the one reading to look at."""
MOST_INDICATORS = 5
"""Dora indicators of a hand, then as many ura dora indicators; 255 for none."""
WORTH_DORA, WORTH_URA, WORTH_POINTS, WORTH_PAID = range(OUT_SIZE, OUT_SIZE + 4)
WORTH_SIZE = WORTH_PAID + 4
IMPOSSIBLE = -2
"""In OUT_BASE: nobody can hold this, or it has more or fewer than 14 tiles."""
LIABLE_FOR_ALL = 1 << 62
"""In a liability mask: for the whole hand, whatever its yaku."""
