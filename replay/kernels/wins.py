"""A win: what the hand is worth, and where the log's claims differ from that."""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import codes, legal
from paifu.replay.kernels import reasons as why
from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D, U8
from paifu.replay.kernels.claims import UNKNOWN, UNSTATED_SEAT, WinClaims
from paifu.replay.kernels.legal import draws_pochi, holds_all_dealt, is_offered
from paifu.replay.kernels.notes import Notes, note, note_why
from paifu.replay.kernels.records import Record, cells
from paifu.replay.kernels.rows import SCORED
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import entry, kernel
from paifu.replay.kernels.scoring import YakuTable, base_points, dora_of, payments_kernel, score_kernel
from paifu.replay.kernels.scoring_layout import MAX_READINGS, OUT_SIZE, PARAMS, ROW_SIZE
from paifu.replay.kernels.settled import is_settled
from paifu.replay.kernels.shown import check_indicators, check_shown
from paifu.replay.kernels.table_state import TableState, kind_of, note_counts

DORA_IDS = (52, 53, 54)
YAKUMAN_LIMIT = 5
FU_STEPS, MOST_HAN, MOST_YAKUMAN = 19, 13, 6
"""Fu there are, by fives from 20 on, and han and yakuman that a hand is tried with."""
KITA_ID = 73
"""Where a log lists kita apart from the other dora."""


class ScoringWork(Record):
    """Parameters of the ruleset for the scoring kernels, and their scratch memory."""

    params: I64 = cells(PARAMS)
    rows: I64_2D = cells(MAX_READINGS, ROW_SIZE)
    out: I64 = cells(OUT_SIZE)
    changes: I64 = cells(4)
    counts: U8 = cells(34)
    """Concealed tiles of the winner, the winning tile among them."""
    answers: I64 = cells(4)
    """What each seat would be liable for, as the log has it."""
    ura: U8 = cells(5)
    """Ura indicators of the win that is scored."""
    unseen: int
    """Dora that indicators make which nobody states."""
    is_certain: int
    """Whether the win is worth what was worked out, or may be worth more by such dora."""
    unready: int
    """Seats (bits) of which it is not known whether they are tenpai at a draw."""


class Scoring(NamedTuple):
    """What the scoring kernels need."""

    patterns: YakuTable
    """The yaku in play, see ``scoring.score``."""
    work: ScoringWork


@kernel
def riichi_of(table: TableState, seat: int) -> int:
    """Return the riichi of a seat, which has declared it, as bits of ``hand_facts.Situation``."""
    bits = layout.OPEN_RIICHI if table.open_riichi[seat] else 0
    if table.double_riichi[seat]:
        return bits | layout.DOUBLE_RIICHI
    return bits if bits else layout.RIICHI


@kernel
def situation_of(table: TableState, seat: int, source: int, rules: KernelRules) -> int:
    """Return how a win comes about, as bits of ``hand_facts.Situation``."""
    bits = 0
    # What the player had declared, whatever the tile.
    if table.riichi[seat]:
        bits |= riichi_of(table, seat)
        if table.open_riichi[seat] and source != seat and table.riichi[source] != 2:
            bits |= layout.FED_RIICHI if feeds_yakuman(table, rules) else 0
    if table.ippatsu[seat] and rules.ippatsu:
        bits |= layout.IPPATSU
    untouched = table.first and table.discards[seat] == 0 and holds_all_dealt(table, seat)
    # By whose tile: own draw, a discard, or a kan or north that is robbed.
    if source == seat:
        bits |= layout.TSUMO
        if table.phase == state.WAIT_SUPPLEMENT:
            return bits  # the fourth kan itself wins
        if table.supplement[seat]:
            bits |= layout.RINSHAN
            bits |= layout.TWOFOLD if table.twofold else 0
            bits |= layout.FED_KAN if rules.rinshan_fed and table.feeder != state.NOBODY else 0
        elif table.live == 0:
            bits |= layout.HAITEI
        if untouched:
            bits |= layout.TENHOU if seat == table.dealer else layout.CHIIHOU
        if draws_pochi(table, seat, rules):
            bits |= layout.POCHI
    elif table.offer == state.DISCARD:
        if table.live == 0:
            bits |= layout.HOUTEI
        if table.after_kan:
            bits |= layout.KANBURI
        if table.declaring[source]:
            bits |= layout.TSUBAME
        if untouched and seat != table.dealer:
            first = source == table.dealer and table.discards[source] == 1
            bits |= layout.CHIIHOU if rules.chiihou_ron and first else layout.RENHOU
    elif table.offer != state.KITA:
        bits |= layout.CHANKAN
    if seat == table.dealer and is_rewarded(table.dealer_wins, table.honba, rules):
        bits |= layout.THIRTEENTH
    return bits


@kernel
def feeds_yakuman(table: TableState, rules: KernelRules) -> bool:
    """Return whether a player without riichi pays a yakuman for the tile on offer, if an open riichi wins."""
    if rules.open_riichi_deal_in == state.IF_AVOIDABLE:
        return table.forced == 0 or table.offer != state.DISCARD
    if rules.open_riichi_deal_in == state.TAKEN_BACK:
        return table.forced != 0 and table.offer == state.DISCARD
    return rules.open_riichi_deal_in == state.YAKUMAN


@entry
def is_rewarded(wins: int, honba: int, rules: KernelRules) -> bool:
    """Return whether a dealer's win, after ``wins`` others in a row or with these honba, is rewarded."""
    number = honba if rules.dealer_wins_by else wins + 1
    if rules.dealer_wins_again == 0:
        return number > 0 and number % rules.dealer_wins_count == 0
    return number >= rules.dealer_wins_count


@kernel
def collects(
    table: TableState, claims: WinClaims, row: int, first: int, last: int, rules: KernelRules
) -> tuple[int, int]:
    """Return (sticks, honba) that the winner of ``row`` takes; ``first`` to ``last`` are the hand's wins."""
    sticks, taker = table.sticks, first
    # Of several winners one takes the sticks: the first in turn, or the first who is in riichi.
    if rules.sticks_need_riichi:
        while taker < last and table.riichi[claims.seat[taker]] != 2:
            taker += 1
    # Or each gets back what it put down, and that one the rest.
    if rules.multi_ron_sticks:
        own = 0
        for other in range(first, last):
            paid = legal.sticks_of(table, int(claims.seat[other]), rules)
            sticks -= paid
            own += paid if other == row else 0
        sticks = own + (sticks if row == taker else 0)
    elif row != taker:
        sticks = 0
    honba = table.honba if row == first or rules.multi_ron_honba else 0
    return sticks, honba


@kernel
def check_order(claims: WinClaims, row: int, first: int, last: int, rules: KernelRules, notes: Notes) -> None:
    """Check that several winners may win at once, and that they are in the order of their turns.

    One too many is noted, and the first that is out of order.
    """
    seat, tile, allowed = int(claims.seat[row]), int(claims.tile[row]), 3
    if rules.head_bump or claims.source[first] == claims.seat[first]:
        allowed = 1
    elif rules.abort_sanchahou:
        allowed = 2
    if row - first == allowed:
        note_why(notes, codes.SEVERAL_WINS, why.TOO_MANY_WINS, seat, tile, allowed, last - first)
    elif row - first < allowed and is_out_of_order(claims, row, first):  # noqa: SIM102  row - 1 is there
        if not is_out_of_order(claims, row - 1, first):
            note(notes, codes.SEVERAL_WINS, seat, tile, 1, last - first)


@kernel
def is_out_of_order(claims: WinClaims, row: int, first: int) -> bool:
    """Return whether a further winner does not follow in turn on the one before, on the same discard."""
    if row == first:
        return False
    seat, before, source = int(claims.seat[row]), int(claims.seat[row - 1]), int(claims.source[row])
    return source != claims.source[first] or (seat - source) % 4 <= (before - source) % 4


@kernel
def worth(
    table: TableState,
    seat: int,
    source: int,
    tile: int,
    ura_indicators: U8,
    rules: KernelRules,
    scoring: Scoring,
) -> tuple[int, int, int, int, int]:
    """Score a hand that wins on ``tile`` of ``source``; what it is worth is in ``scoring`` afterwards.

    Returns base points (or why there are none), situation bits, dora, ura and red fives.
    """
    kind, tsumo = int(kind_of(tile)), source == seat
    counts = scoring.work.counts
    note_counts(table, seat, counts)
    red = reds_of(table, seat) + (not tsumo and tile >= 34)
    situation = situation_of(table, seat, source, rules)
    if rules.rinshan_fed == state.RINSHAN_REFUSED and situation & layout.FED_KAN:
        return layout.NO_YAKU, situation, 0, 0, 0
    # Yaku that must be settled before the winning tile are looked at without it.
    is_kan = tsumo and table.phase == state.WAIT_SUPPLEMENT
    if not is_kan and (rules.yaku_settled or situation & (layout.POCHI | layout.THIRTEENTH)):
        counts[kind] -= tsumo and counts[kind] > 0
        if is_unsettled(table, seat, tsumo, kind, situation, rules, scoring):
            return layout.NO_YAKU, situation, 0, 0, 0
        if situation & layout.POCHI:
            kind = best_wait(table, seat, kind, situation, ura_indicators, rules, scoring)
        counts[kind] += 1
    elif not tsumo:
        counts[kind] += 1
    dora = open_dora(table, seat, counts, rules)
    ura = ura_of(table, seat, counts, situation, ura_indicators, rules)
    every = dora + ura + red + table.kita[seat] + scoring.work.unseen
    base = base_of(table, seat, counts, kind, situation, every, rules, scoring)
    return base, situation, dora, ura, red


@kernel
def base_of(
    table: TableState, seat: int, counts: U8, kind: int, situation: int, dora: int, rules: KernelRules,
    scoring: Scoring,
) -> int:  # fmt: skip
    """Return what ``score_kernel`` does of concealed tiles that win on a kind, beside a seat's melds."""
    return score_kernel(
        counts, table.meld_kinds[seat], table.meld_types[seat], table.meld_count[seat], kind, situation,
        (seat - table.east) % rules.players, table.wind, dora, table.honba, -1,
        scoring.patterns, scoring.work.params, scoring.work.rows, scoring.work.out,
    )  # fmt: skip


@kernel
def has_settled(table: TableState, seat: int, counts: U8, rules: KernelRules, scoring: Scoring) -> bool:
    """Return whether the yaku of a seat's waiting hand are settled as the rules ask."""
    return is_settled(
        counts, table.meld_kinds[seat], table.meld_types[seat], table.meld_count[seat], table.waits[seat],
        (seat - table.east) % rules.players, table.wind, table.honba,
        scoring.patterns, scoring.work.params, scoring.work.rows, scoring.work.out,
    )  # fmt: skip


@kernel
def waits_with_yaku(table: TableState, seat: int, rules: KernelRules, scoring: Scoring) -> int:
    """Return on how many waits a hand of 3n + 1 tiles has yaku for a ron without luck, settled if need be."""
    counts, number = table.counts[seat], 0
    for kind in range(34):
        if table.waits[seat] >> kind & 1:
            counts[kind] += 1
            number += base_of(table, seat, counts, kind, 0, 0, rules, scoring) > 0
            counts[kind] -= 1
    if number and rules.yaku_settled and not has_settled(table, seat, counts, rules, scoring):
        return 0
    return number


@kernel
def is_unsettled(
    table: TableState, seat: int, tsumo: bool, kind: int, situation: int, rules: KernelRules, scoring: Scoring
) -> bool:
    """Return whether yaku that are not settled forbid a win; the work's counts lack the winning tile."""
    if rules.yaku_settled and table.waits[seat] >> kind & 1 and table.riichi[seat] == 0:
        is_lucky = situation & layout.LUCK != 0 and rules.luck_settles != 0
        is_free = is_lucky or (tsumo and table.open_melds[seat] == 0)
        if not is_free and not has_settled(table, seat, scoring.work.counts, rules, scoring):
            return True
    if not (rules.dealer_wins_need_yaku and situation & layout.THIRTEENTH):
        return False
    counts = scoring.work.counts
    counts[kind] += 1
    base = base_of(table, seat, counts, kind, situation & ~layout.THIRTEENTH, 0, rules, scoring)
    counts[kind] -= 1
    return base == layout.NO_YAKU


@kernel
def best_wait(
    table: TableState, seat: int, drawn: int, situation: int, ura_indicators: U8, rules: KernelRules,
    scoring: Scoring,
) -> int:  # fmt: skip
    """Return the kind that the white pochi is worth most as; ``drawn`` where it completes nothing."""
    counts, best, chosen = scoring.work.counts, 0, drawn
    for kind in range(34):
        if not table.waits[seat] >> kind & 1:
            continue
        counts[kind] += 1
        dora = open_dora(table, seat, counts, rules)
        dora += ura_of(table, seat, counts, situation, ura_indicators, rules)
        base = base_of(table, seat, counts, kind, situation, dora, rules, scoring)
        counts[kind] -= 1
        if base > best:
            best, chosen = base, kind
    return chosen


@kernel
def why_not_offered(table: TableState, seat: int, source: int, tile: int) -> int:
    """Return the reason why a seat may not claim to win on a tile."""
    if tile >= 37 or source == seat or table.offer_seat != source or table.offer_tile != tile:
        return why.NOT_OFFERED
    if table.offer == state.ANKAN:
        return why.ORPHANS_ROB_ANKAN if legal.is_orphans(table, seat) else why.ROBS_ANKAN
    return why.PLAIN if table.offer and table.counts[seat, kind_of(tile)] == 4 else why.NOT_OFFERED


@kernel
def win(
    table: TableState,
    claims: WinClaims,
    row: int,
    first: int,
    last: int,
    rules: KernelRules,
    scoring: Scoring,
    notes: Notes,
    fact: I64,
) -> bool:
    """Score the win in ``row`` of the claims and compare; ``fact`` is the row of ``ScoredWins`` to fill."""
    seat, source, tile = int(claims.seat[row]), int(claims.source[row]), int(claims.tile[row])
    fact[SCORED.event], fact[SCORED.hand] = notes.counts[2], notes.counts[1]
    fact[SCORED.seat], fact[SCORED.source], fact[SCORED.tile] = seat, source, tile
    # Is there anything to win, for this seat, at this moment?
    if table.hidden[seat] and tile >= 37:
        return False
    if tile >= 37 or not is_offered(table, seat, source, tile, int(claims.tile_id[row]), rules):
        note_why(notes, codes.NO_WINNING_HAND, why_not_offered(table, seat, source, tile), seat, tile, 1, 0)
        return False
    # What is wrong with the win, whatever the hand is worth.
    check_order(claims, row, first, last, rules, notes)
    check_shown(table, claims, row, notes)
    if table.offer == state.DISCARD and table.declaring[source] and table.riichi[source] == 2:
        note_why(notes, codes.RIICHI_STICK, why.TILE_WON, source, tile, 0, 1)
    if table.fouls and legal.due(table, seat, legal.AT_OWN_WIN, rules) & legal.OF_RIICHI:
        note_why(notes, codes.ILLEGAL_RIICHI, why.FOUL_SHOWN, seat, tile, 0, 0)
    if table.dead[seat]:
        note(notes, codes.DEAD_HAND, seat, tile, 0, 0)
    if source != seat:
        fact[SCORED.furiten] = table.was_furiten[seat]
        if table.was_furiten[seat]:
            note(notes, codes.FURITEN_RON, seat, tile, 0, 1)
    # A hand that is not known cannot be scored: what it was paid is taken down.
    if table.hidden[seat]:
        if source != seat and table.river_kinds[seat] >> kind_of(tile) & 1:
            note(notes, codes.FURITEN_RON, seat, tile, 0, 1)
        take_as_paid(table, claims, row, first, last, rules, scoring, fact)
        return False
    # What the hand is worth. Ura indicators are the log's; where it has none, those of the wall.
    out, changes, kita = scoring.work.out, scoring.work.changes, table.kita[seat]
    under = scoring.work.ura
    for i in range(5):
        under[i] = claims.ura[row, i] if claims.ura[row, 0] < 37 else int(table.under[i]) - 1 & 255
    base, situation, dora, ura, red = worth(table, seat, source, tile, under, rules, scoring)
    dealer = table.dealer
    scoring.work.is_certain = rules.wareme == 0 or table.marked != state.NOBODY
    if base <= 0:
        code = codes.WIN_WITHOUT_YAKU if base == layout.NO_YAKU else codes.NO_WINNING_HAND
        note(notes, code, seat, tile, 1, base)
        return False
    # Who pays what beside it.
    sticks, honba = collects(table, claims, row, first, last, rules)
    liable = table.liable[seat]
    if rules.pao_rinshan and situation & layout.RINSHAN and table.feeder != state.NOBODY:
        liable[table.feeder] |= layout.LIABLE_FOR_ALL
    # Dora that nobody knows: as many as the log lists, or else as its points need.
    hidden_dora, hidden_ura = hidden_indicators(table, under, situation, rules)
    if hidden_dora + hidden_ura:
        more_dora, more_ura = stated_dora(claims, row, dora + kita, ura, hidden_dora, hidden_ura)
        if more_dora < 0:
            if claims.points[row] == UNKNOWN:
                scoring.work.is_certain = 0
            more_dora, most = 0, 4 * (hidden_dora + hidden_ura)
            more_ura = fitting_dora(table, claims, row, most, honba, sticks, rules, scoring)
        dora += more_dora
        ura += more_ura
        scoring.work.unseen = more_dora + more_ura
        base, _, _, _, _ = worth(table, seat, source, tile, under, rules, scoring)
        scoring.work.unseen = 0
    points = payments_kernel(
        base, out[layout.OUT_YAKU], 1 - table.open_melds[seat], seat, source, dealer, honba, sticks,
        table.marked, liable, scoring.patterns, scoring.work.params, changes,
    )  # fmt: skip
    fact[SCORED.base], fact[SCORED.han], fact[SCORED.fu] = base, out[layout.OUT_HAN], out[layout.OUT_FU]
    fact[SCORED.yakuman], fact[SCORED.yaku] = out[layout.OUT_YAKUMAN], out[layout.OUT_YAKU]
    fact[SCORED.local], fact[SCORED.fu_rows] = out[layout.OUT_LOCAL], out[layout.OUT_FU_ROWS]
    fact[SCORED.points], fact[SCORED.limit] = points, limit_of(base)
    if scoring.work.params[layout.PARAM_NO_LIMITS]:
        fact[SCORED.limit] = YAKUMAN_LIMIT * (out[layout.OUT_YAKUMAN] > 0)
    fact[SCORED.dora], fact[SCORED.ura], fact[SCORED.red], fact[SCORED.kita] = dora, ura, red, kita
    fact[SCORED.honba], fact[SCORED.sticks], fact[SCORED.situation] = honba, sticks, situation
    fact[SCORED.wait] = scoring.work.rows[out[layout.OUT_READING], layout.ROW_WAIT]
    fact[SCORED.turn], fact[SCORED.is_open] = table.discards[seat], table.open_melds[seat]
    for other in range(4):
        fact[SCORED.changes + other] = changes[other]
    compare(table, claims, row, row == first, fact, out[layout.OUT_ALONE] != 0, liable, scoring, notes)
    check_indicators(table, claims, row, situation, rules, notes)
    return True


@kernel
def take_as_paid(
    table: TableState, claims: WinClaims, row: int, first: int, last: int, rules: KernelRules,
    scoring: Scoring, fact: I64,
) -> None:  # fmt: skip
    """Fill in what a win was worth whose hand is not known, if some hand is worth what the log pays for it.

    Its base points stay 0: other ones may be rounded to the same payments.
    """
    seat, source = int(claims.seat[row]), int(claims.source[row])
    fact[SCORED.turn], fact[SCORED.is_open] = table.discards[seat], table.open_melds[seat]
    fact[SCORED.situation] = situation_of(table, seat, source, rules)
    sticks, honba = collects(table, claims, row, first, last, rules)
    fact[SCORED.honba], fact[SCORED.sticks] = honba, sticks
    # Only where nothing but han and fu is open: no liability, no mark of wareme that is not known.
    params, changes, may_be = scoring.work.params, scoring.work.changes, True
    for other in range(4):
        may_be = may_be and table.liable[seat, other] == 0 and claims.deltas[row, other] != UNKNOWN
    fed = rules.pao_rinshan and table.feeder != state.NOBODY
    if not may_be or fed or (rules.wareme and table.marked == state.NOBODY):
        return
    # Try what hands can be worth: fu by han below five, then limits, then yakuman.
    for number in range(FU_STEPS * 4 + MOST_HAN - 4 + MOST_YAKUMAN):
        han, fu = 1 + number // FU_STEPS, 20 + 5 * (number % FU_STEPS)
        base = 0
        if number < FU_STEPS * 4:
            base = base_points(han, fu, params)
        elif number < FU_STEPS * 4 + MOST_HAN - 4:
            base = base_points(5 + number - FU_STEPS * 4, 30, params)
        else:
            base = layout.YAKUMAN * (1 + number - FU_STEPS * 4 - MOST_HAN + 4)
        points = payments_kernel(
            base, 0, 1 - table.open_melds[seat], seat, source, table.dealer, honba, sticks,
            table.marked, table.liable[seat], scoring.patterns, params, changes,
        )  # fmt: skip
        fits = True
        for other in range(4):
            fits = fits and claims.deltas[row, other] == changes[other]
        if fits:
            fact[SCORED.points], fact[SCORED.limit] = points, limit_of(base)
            for other in range(4):
                fact[SCORED.changes + other] = changes[other]
            return


@kernel
def hidden_indicators(table: TableState, under: U8, situation: int, rules: KernelRules) -> tuple[int, int]:
    """Return how many of the indicators, and of those ``under`` them, count for a win and are not known."""
    dora = ura = 0
    for i in range(table.turned if rules.dora else 0):
        dora += table.indicators[i] == state.NOBODY
    if situation & layout.ANY_RIICHI and rules.ura_dora and under[0] >= 37:
        ura = table.turned if rules.kan_ura_dora else 1
    return dora, ura


@kernel
def stated_dora(
    claims: WinClaims, row: int, dora: int, ura: int, hidden_dora: int, hidden_ura: int
) -> tuple[int, int]:
    """Return how many more dora and ura dora a win lists than known indicators make: as many as can be.

    -1 and 0 if it lists no yaku.
    """
    stated = listed_dora = listed_ura = 0
    for i in range(claims.yaku.shape[1]):
        number = int(claims.yaku[row, i])
        stated += number != 255
        if number in (DORA_IDS[0], KITA_ID):
            listed_dora += claims.han[row, i]
        elif number == DORA_IDS[1]:
            listed_ura += claims.han[row, i]
    if stated == 0:
        return -1, 0
    return (
        min(max(listed_dora - dora, 0), 4 * hidden_dora),
        min(max(listed_ura - ura, 0), 4 * hidden_ura),
    )


@kernel
def fitting_dora(
    table: TableState,
    claims: WinClaims,
    row: int,
    most: int,
    honba: int,
    sticks: int,
    rules: KernelRules,
    scoring: Scoring,
) -> int:
    """Return the least number of dora, up to ``most``, with which a win is worth what it claims; else 0."""
    seat, source, tile = int(claims.seat[row]), int(claims.source[row]), int(claims.tile[row])
    out, changes, fitting = scoring.work.out, scoring.work.changes, -1
    for number in range(most + 1):
        scoring.work.unseen = number
        base, _, _, _, _ = worth(table, seat, source, tile, scoring.work.ura, rules, scoring)
        points = payments_kernel(
            base, out[layout.OUT_YAKU], 1 - table.open_melds[seat], seat, source, table.dealer, honba, sticks,
            table.marked, table.liable[seat], scoring.patterns, scoring.work.params, changes,
        )  # fmt: skip
        claimed, limit = int(claims.points[row]), int(claims.limit[row])
        fits = claimed in (UNKNOWN, points) and limit in (255, limit_of(base))
        for other in range(4):
            change = int(claims.deltas[row, other])
            fits = fits and change in (UNKNOWN, changes[other])
        if fits and fitting < 0:
            fitting = number
    scoring.work.unseen = 0
    return max(fitting, 0)


@kernel
def count_dora(
    table: TableState, seat: int, counts: U8, indicators: U8, number: int, rules: KernelRules
) -> int:
    """Count the dora that the first ``number`` indicators make of a hand, kita that are dora included."""
    total = 0
    for i in range(number):
        if indicators[i] >= 37:
            continue
        kind = dora_of(kind_of(indicators[i]), rules.players)
        total += table.norths[seat] if kind == state.NORTH else 0
        total += counts[kind] + table.melded[seat, kind]
    return total


@kernel
def open_dora(table: TableState, seat: int, counts: U8, rules: KernelRules) -> int:
    """Count the dora of a hand by the indicators that lie open."""
    return count_dora(table, seat, counts, table.indicators, table.turned, rules) if rules.dora else 0


@kernel
def own_dora(table: TableState, seat: int, counts: U8, rules: KernelRules) -> int:
    """Count the dora of a hand that its player knows of: by open indicators, red fives, norths set aside."""
    return int(open_dora(table, seat, counts, rules) + reds_of(table, seat) + table.kita[seat])


@kernel
def ura_of(
    table: TableState, seat: int, counts: U8, situation: int, indicators: U8, rules: KernelRules
) -> int:
    """Count the ura dora of a hand, which only riichi has."""
    if not (situation & layout.ANY_RIICHI and rules.ura_dora):
        return 0
    return count_dora(table, seat, counts, indicators, table.turned if rules.kan_ura_dora else 1, rules)


@kernel
def reds_of(table: TableState, seat: int) -> int:
    """Count the red fives of a hand and its melds."""
    reds = table.meld_reds[seat]
    for tile in range(34, 37):
        reds += table.held[seat, tile]
    return int(reds)


@kernel
def limit_of(base: int) -> int:
    """Return the limit of base points: 0 none, 1 mangan, ... 5 yakuman."""
    limit = 0
    for least in (2000, 3000, 4000, 6000, 8000):
        limit += base >= least
    return limit


@kernel
def compare(
    table: TableState,
    claims: WinClaims,
    row: int,
    is_first: bool,
    fact: I64,
    is_alone: bool,
    liable: I64,
    scoring: Scoring,
    notes: Notes,
) -> None:
    """Note where a win's claims differ from what the engine found.

    Dora do not count where one yaku ``is_alone`` worth a limit: logs may list them or not. What follows from
    a claim that is noted is not noted again: points from han and fu, payments from points and liability.
    """
    # What the log says of the hand, added up.
    before, params = notes.counts[0], scoring.work.params
    seat, tile = fact[SCORED.seat], fact[SCORED.tile]
    yaku = local = han = dora = ura = red = stated = 0
    for i in range(claims.yaku.shape[1]):
        number, worth = int(claims.yaku[row, i]), int(claims.han[row, i])
        if number == 255:
            continue
        stated += 1
        han += worth
        if number in (DORA_IDS[0], KITA_ID):
            dora += worth
        elif number == DORA_IDS[1]:
            ura += worth
        elif number == DORA_IDS[2]:
            red += worth
        elif number < 64:
            yaku |= 1 << number
        elif number < 127:
            local |= 1 << number - 64
    fu, points, limit = int(claims.fu[row]), int(claims.points[row]), int(claims.limit[row])
    # Yaku, dora of each sort, and their sum.
    if stated:
        same = yaku == fact[SCORED.yaku] and local == fact[SCORED.local]
        if not same:
            note(notes, codes.YAKU, seat, tile, fact[SCORED.yaku], yaku)
        if fact[SCORED.yakuman] == 0:
            for reason, expected, actual in (
                (why.PLAIN, fact[SCORED.dora] + fact[SCORED.kita], dora),
                (why.URA, fact[SCORED.ura], ura),
                (why.RED, fact[SCORED.red], red),
            ):  # fmt: skip
                if expected != actual and not (is_alone and actual == 0):
                    note_why(notes, codes.DORA, reason, seat, tile, expected, actual)
                    same = False
            if is_alone:
                han -= dora + ura + red
            if same and han != fact[SCORED.han]:
                note(notes, codes.HAN, seat, tile, fact[SCORED.han], han)
    if fu >= 0 and fact[SCORED.yakuman] == 0 and fu != fact[SCORED.fu]:
        note(notes, codes.FU, seat, tile, fact[SCORED.fu], fu)
    # Points: what follows from a claim that is noted already is not noted again.
    base = int(fact[SCORED.base])
    if notes.counts[0] > before:
        base = base_points(han if stated else fact[SCORED.han], fu if fu >= 0 else fact[SCORED.fu], params)
    # Points alone show a slip of the pen: payments that agree with them follow.
    slip = 0
    if points != UNKNOWN and points != fact[SCORED.points]:
        if points != paid_for(table, base, fact, table.honba, 0, liable, scoring):
            note(notes, codes.POINTS, seat, tile, fact[SCORED.points], points)
            slip = points - fact[SCORED.points]
    elif limit not in (255, fact[SCORED.limit], limit_of(base)):
        # Tenhou's parlours round hands up to a mangan and go on calling them hands without a limit.
        is_rounded_up = fact[SCORED.limit] == 1 and fact[SCORED.fu] << 2 + fact[SCORED.han] < layout.MANGAN
        if limit or not is_rounded_up:
            note_why(notes, codes.POINTS, why.LIMIT, seat, tile, fact[SCORED.limit], limit)
    honba, sticks = int(claims.honba[row]), int(claims.sticks[row])
    # A further winner may be stated with the honba that only the first is paid.
    if honba >= 0 and honba != fact[SCORED.honba] and (is_first or honba != table.honba):
        note(notes, codes.STATED_HONBA, seat, tile, fact[SCORED.honba], honba)
    if sticks >= 0 and sticks != fact[SCORED.sticks]:
        note(notes, codes.STATED_STICKS, seat, tile, fact[SCORED.sticks], sticks)
    # Liability: the seat that answers for a yakuman of this hand. A ron need not name its discarder.
    claimed, expected = int(claims.liable[row]), state.NOBODY
    for other in range(4):
        if liable[other] & fact[SCORED.yaku] or liable[other] & layout.LIABLE_FOR_ALL:
            expected = other
    is_same = claimed == expected or (claimed == state.NOBODY and expected == fact[SCORED.source])
    answers = scoring.work.answers
    for other in range(4):
        answers[other] = liable[other]
    if claimed != UNSTATED_SEAT and not is_same:
        note(notes, codes.LIABILITY, seat, tile, expected, claimed)
        for other in range(4):
            answers[other] = layout.LIABLE_FOR_ALL if other == claimed else 0
    # Payments: right if they follow from the claims above, else the first seat that differs is noted.
    if notes.counts[0] > before:
        honba = honba if honba >= 0 else int(fact[SCORED.honba])
        sticks = sticks if sticks >= 0 else int(fact[SCORED.sticks])
        paid_for(table, base, fact, honba, sticks, answers, scoring)
        if pays_as(claims, row, scoring.work.changes, slip):
            return
    for other in range(4):
        change = int(claims.deltas[row, other])
        if change != UNKNOWN and change != fact[SCORED.changes + other]:
            note(notes, codes.PAYMENT, other, tile, fact[SCORED.changes + other], change)
            break


@kernel
def paid_for(
    table: TableState, base: int, fact: I64, honba: int, sticks: int, liable: I64, scoring: Scoring
) -> int:
    """Write what a scored win would pay for other base points into the work's changes; returns its points."""
    return payments_kernel(
        base, fact[SCORED.yaku], 1 - fact[SCORED.is_open], fact[SCORED.seat], fact[SCORED.source],
        table.dealer, honba, sticks, table.marked, liable, scoring.patterns, scoring.work.params,
        scoring.work.changes,
    )  # fmt: skip


@kernel
def pays_as(claims: WinClaims, row: int, changes: I64, slip: int) -> bool:
    """Return whether a win states these changes, or, after a ``slip`` in its points, as much more.

    Who pays that much more cannot be told then: the winner's gain and the sum show it.
    """
    seat, total, is_same = int(claims.seat[row]), 0, True
    for other in range(4):
        change = int(claims.deltas[row, other])
        if change == UNKNOWN:
            return False
        total += change - changes[other]
        is_same = is_same and change == changes[other]
    if slip == 0:
        return is_same
    return total == 0 and claims.deltas[row, seat] - changes[seat] == slip
