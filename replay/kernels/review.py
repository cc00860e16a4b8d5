"""The review: what players did with what they could see, taken down while the engine replays a hand.

The replay calls :func:`remember` before and :func:`keep` after each move, and where these or
:func:`is_of_interest` say so, :func:`before` and :func:`after`, which look closely; :func:`end` where a hand
ends. Nothing is replayed here, and nothing of the table changes: all follows from its state and from the
events to come, which tell whether a win on offer was taken. Codes are numbers: 1101 is F101, 2101 W101, 3101
D101, 4101 R101.
"""

from __future__ import annotations

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels import table as t
from paifu.replay.kernels import wins as w
from paifu.replay.kernels.jit import kernel
from paifu.replay.kernels.review_layout import (
    ALWAYS_LAST,
    BITS,
    DISCARD_FURITEN,
    GENBUTSU,
    HALF_SUJI,
    HONOUR,
    I64,
    LAST_AT_TARGET,
    LEVELS,
    M_DRAW,
    M_KUIKAE,
    M_LAST,
    M_POINTS,
    M_RIVER,
    M_TSUMO,
    M_WAITS,
    MAX_TURN,
    NO_CHANCE,
    NO_SUJI,
    ONE_CHANCE,
    OPEN_THREAT,
    PER_WORD,
    RIICHI_FURITEN,
    RIICHI_THREAT,
    SUJI,
    TEMPORARY_FURITEN,
    TERMINAL,
    U8,
    V_AWAY,
    V_BEST,
    V_DAMA,
    V_FOLDED,
    V_PASSED,
    V_PERMANENT,
    V_TEMPORARY,
    V_THREAT,
    X_ACCEPTED,
    X_ALTERNATIVES,
    X_BETTER,
    X_BETTER_LIVE,
    X_BETTER_VALUE,
    X_CAUSE,
    X_CHOICES,
    X_CLASSES,
    X_CODE,
    X_COST,
    X_DEALT_IN,
    X_DORA,
    X_EVENT,
    X_FURITEN,
    X_HAND,
    X_IS_NOTE,
    X_LIVE,
    X_OTHER,
    X_SEAT,
    X_SHANTEN,
    X_THREATS,
    X_TILE,
    X_TURN,
    X_VALUE,
    X_WAITS,
    X_WINNER_WAITS,
    X_WINNERS,
    Review,
)
from paifu.replay.kernels.scoring import payments_kernel
from paifu.replay.kernels.shapes import ShapeTables, acceptance, drawable_kinds, shanten, waits
from paifu.replay.kernels.table import Log, Table, kind_of
from paifu.replay.kernels.wins import Scoring
from paifu.replay.rules.ruleset import KernelRules


@kernel
def found(review: Review, table: Table, log: Log, code: int, seat: int, tile: int) -> int:
    """Note a finding at the present event and return its row, whose other columns are to be filled."""
    number = min(review.counts[0], len(review.rows) - 1)
    review.counts[0] += 1
    row = review.rows[number]
    row[:] = 0
    row[X_CODE], row[X_HAND], row[X_EVENT] = code, log.counts[1], log.counts[2]
    row[X_SEAT], row[X_TILE] = seat, tile
    row[X_OTHER], row[X_CAUSE], row[X_BETTER] = t.NOBODY, -1, t.NOBODY
    row[X_IS_NOTE] = review.seats[V_AWAY, seat]
    row[X_TURN] = table.seats[t.S_DISCARDS, seat]
    row[X_WAITS] = table.seats[t.S_WAITS, seat]
    row[X_LIVE] = t.live_copies(table, table.seats[t.S_WAITS, seat], seat)
    return number


@kernel
def gain(
    table: Table, seat: int, source: int, tile: int, rules: KernelRules, scoring: Scoring, review: Review
) -> int:
    """Return what a win on ``tile`` would bring, honba and sticks in and ura apart; 0 or less if it is none.

    ``scoring.changes`` holds everybody's change afterwards, ``review.memory[M_POINTS]`` the points without
    honba and sticks.
    """
    review.memory[M_POINTS] = 0
    base = w.worth(table, seat, source, tile, review.nothing, rules, scoring)[0]
    if base > 0:
        hand = table.hand
        review.memory[M_POINTS] = payments_kernel(
            base, scoring.out[layout.OUT_YAKU], 1 - table.seats[t.S_OPEN, seat], seat, source,
            hand[t.H_DEALER], hand[t.H_HONBA], hand[t.H_STICKS], -1, table.liable[seat], scoring.patterns,
            scoring.params, scoring.changes,
        )  # fmt: skip
        return int(scoring.changes[seat])
    return base


@kernel
def is_yakuless(
    table: Table, seat: int, source: int, rules: KernelRules, scoring: Scoring, review: Review
) -> bool:
    """Tell whether a tenpai hand could not win by ron on any of its waits for want of a yaku."""
    mask = table.seats[t.S_WAITS, seat]
    for kind in range(34):
        if mask >> kind & 1 and w.worth(table, seat, source, kind, review.nothing, rules, scoring)[0] > 0:
            return False
    return True


@kernel
def takers(events_kind: U8, events_seat: U8, event: int, stop: int, hand_end: int) -> int:
    """Return who wins on the tile that ``event`` offers, as bits; all where three rons abort the hand."""
    mask = 0
    for later in range(event + 1, stop):
        kind = events_kind[later]
        if kind < t.WIN:
            break
        if kind == t.WIN:
            mask |= 1 << min(4, events_seat[later])
        elif kind == t.HAND_DRAW:
            return 15 if hand_end == w.SANCHAHOU else mask
    return mask


# --- the hooks -----------------------------------------------------------------------------------------


@kernel
def begin(hand: int, round_: int, rules: KernelRules, review: Review) -> None:
    """Start a hand."""
    seats = review.seats
    seats[:] = 0
    review.discarded[:] = -1
    for seat in range(4):
        seats[V_TEMPORARY, seat] = seats[V_PERMANENT, seat] = -1
        seats[V_AWAY, seat] = review.away[hand] >> seat & 1
    review.memory[M_LAST] = 0
    if round_ >= 4 * rules.wind_rounds - 5 + rules.players:
        last = rules.target_points == 0 or round_ >= 4 * rules.max_wind_rounds - 5 + rules.players
        review.memory[M_LAST] = ALWAYS_LAST if last else LAST_AT_TARGET


@kernel
def remember(
    seats: I64, hand: I64, memory: I64, discarded: I64, kind: int, seat: int, tile: int, event: int
) -> bool:
    """Remember what a mover holds before a move; tell whether its draw completes the hand.

    ``hand``, ``seats`` are those of the table, ``memory`` and ``discarded`` those of the review.
    """
    memory[M_WAITS], memory[M_RIVER] = seats[t.S_WAITS, seat], seats[t.S_RIVER, seat]
    memory[M_KUIKAE] = hand[t.H_KUIKAE]
    memory[M_TSUMO] = 0
    if kind == t.DISCARD and discarded[seat, kind_of(tile)] < 0:
        discarded[seat, kind_of(tile)] = event
    drawn = seats[t.S_DRAWN, seat]
    return hand[t.H_TURN] == seat and drawn != t.NOBODY and memory[M_WAITS] >> kind_of(drawn) & 1 != 0


@kernel
def before(table: Table, seat: int, rules: KernelRules, scoring: Scoring, review: Review, log: Log) -> None:
    """Look at a move by which a completed hand is not won."""
    drawn = table.seats[t.S_DRAWN, seat]
    review.memory[M_TSUMO] = max(0, gain(table, seat, seat, drawn, rules, scoring, review))
    if review.memory[M_TSUMO] > 0:
        row = missed(table, 2102, seat, seat, drawn, rules, scoring, review, log)
        review.rows[row, X_EVENT] = review.memory[M_DRAW]


@kernel
def is_of_interest(seats: I64, own: I64, kind: int, seat: int, tile: int, winners: int, players: int) -> bool:
    """Tell whether a move is one to look at closely; by far most are not. ``own``: the review's ``seats``."""
    if kind != t.DISCARD or winners:
        return True
    if seats[t.S_WAITS, seat] and (seats[t.S_RIICHI, seat] == 0 or seats[t.S_DECLARING, seat]):
        return True
    for other in range(players):
        if other != seat and (own[V_THREAT, other] or seats[t.S_WAITS, other] >> kind_of(tile) & 1):
            return True
    return False


@kernel
def keep(seats: I64, own: I64, kind: int, seat: int, tile: int, event: int, players: int) -> None:
    """Keep in mind, after a move was looked at, what passed, who is furiten since when, and who threatens."""
    if kind == t.DISCARD:
        if seats[t.S_RIICHI, seat] == 0 or seats[t.S_DECLARING, seat]:
            own[V_PASSED, seat] = 0
        if seats[t.S_DECLARING, seat]:
            own[V_THREAT, seat] = RIICHI_THREAT
        if seats[t.S_WAITS, seat] == 0:
            own[V_DAMA, seat] = 0
    elif not t.ANKAN <= kind <= t.KITA:
        return
    for other in range(players):
        if seats[t.S_TEMPORARY, other] == 0:
            own[V_TEMPORARY, other] = -1
        elif own[V_TEMPORARY, other] < 0:
            own[V_TEMPORARY, other] = event
        if seats[t.S_FURITEN, other] and own[V_PERMANENT, other] < 0:
            own[V_PERMANENT, other] = event
        if other != seat and kind != t.ANKAN:
            own[V_PASSED, other] |= 1 << kind_of(tile)


@kernel
def after(
    table: Table,
    kind: int,
    seat: int,
    tile: int,
    winners: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: Review,
    log: Log,
) -> None:
    """Look at the table after a move of which ``winners`` (bits) win the tile."""
    seats, own, players = table.seats, review.seats, rules.players
    if kind != t.DISCARD:
        for other in range(players):
            if own[V_THREAT, other] != RIICHI_THREAT:
                own[V_THREAT, other] = OPEN_THREAT * shows_much(table, other, rules, review)
        if not t.ANKAN <= kind <= t.KITA:
            return
    threats = waiting = 0
    bit = 1 << kind_of(tile)
    for other in range(players):
        if other != seat:
            threats |= own[V_THREAT, other]
            waiting |= seats[t.S_WAITS, other] & bit
    taken = 0 if winners == 15 else int(winners) & ((1 << players) - 1) & ~(1 << seat)
    if taken:
        deal_in(table, seat, tile, taken, rules, shapes, scoring, review, log)
    if kind == t.DISCARD:
        in_riichi = seats[t.S_RIICHI, seat] != 0 and not seats[t.S_DECLARING, seat]
        if threats:
            count_danger(table, seat, tile, taken, players, review)
            if not in_riichi:
                follow_folding(table, seat, kind_of(tile), rules.chiitoitsu_identical_pairs, shapes, review)
        if seats[t.S_WAITS, seat] and not in_riichi:
            tenpai_discard(table, seat, tile, rules, shapes, scoring, review, log)
    if waiting:
        passed(table, winners, rules, scoring, review, log)


@kernel
def end(
    table: Table, kind: int, seat: int, source: int, tile: int, tenpai: int, review: Review, log: Log
) -> None:
    """Look at the table where a hand ends: a win, or a draw of the ``tenpai`` seats (bits)."""
    if kind == t.WIN:
        if source == seat and seat < 4 and t.furiten(table, seat):
            row = found(review, table, log, 1106, seat, tile)
            tell_furiten(table, seat, review, review.rows[row])
            if table.seats[t.S_DRAWN, seat] != t.NOBODY:
                review.rows[row, X_EVENT] = review.memory[M_DRAW]
        return
    for other in range(4):
        late = other != table.hand[t.H_OFFER_SEAT] and not table.seats[t.S_MISSED, other]
        if tenpai >> other & 1 and t.furiten(table, other) and not late:
            row = found(review, table, log, 1107, other, t.NOBODY)
            tell_furiten(table, other, review, review.rows[row])


# --- furiten and missed wins ---------------------------------------------------------------------------


@kernel
def tell_furiten(table: Table, seat: int, review: Review, row: I64) -> None:
    """Write which furiten a seat is in, before the tile now on offer, and the event it comes from."""
    by_river = table.seats[t.S_WAITS, seat] & table.seats[t.S_RIVER, seat]
    temporary, permanent = review.seats[V_TEMPORARY, seat], review.seats[V_PERMANENT, seat]
    if temporary >= 0 and table.seats[t.S_TEMPORARY, seat]:
        row[X_FURITEN] |= TEMPORARY_FURITEN
        row[X_CAUSE] = temporary
    if permanent >= 0:
        row[X_FURITEN] |= RIICHI_FURITEN
        row[X_CAUSE] = permanent
    if by_river:
        row[X_FURITEN] |= DISCARD_FURITEN
        row[X_CAUSE] = first_discard(by_river, seat, review)


@kernel
def first_discard(mask: int, seat: int, review: Review) -> int:
    """Return the event of a seat's first discard among the kinds of ``mask``, -1 for none."""
    first = -1
    for kind in range(34):
        event = review.discarded[seat, kind]
        if mask >> kind & 1 and event >= 0 and (first < 0 or event < first):
            first = event
    return first


@kernel
def missed(
    table: Table,
    code: int,
    seat: int,
    source: int,
    tile: int,
    rules: KernelRules,
    scoring: Scoring,
    review: Review,
    log: Log,
) -> int:
    """Note a win that a seat did not take; its worth must just have been worked out. Returns the row."""
    changes, dealer = scoring.changes, table.hand[t.H_DEALER]
    stays_last = seat != dealer or rules.agari_renchan == 0
    leader = 0
    for other in range(rules.players):
        ahead = table.scores[other] + changes[other] - table.scores[seat] - changes[seat]
        stays_last = stays_last and (other == seat or ahead > 0 or (ahead == 0 and other < seat))
        leader = max(leader, table.scores[other] + changes[other])
    last = review.memory[M_LAST]
    stays_last = stays_last and (
        last == ALWAYS_LAST or (last == LAST_AT_TARGET and leader >= rules.target_points)
    )
    number = found(review, table, log, code, seat, tile)
    row = review.rows[number]
    row[X_OTHER] = source
    row[X_COST], row[X_VALUE] = changes[seat], review.memory[M_POINTS]
    row[X_IS_NOTE] |= stays_last
    return number


@kernel
def passed(
    table: Table, winners: int, rules: KernelRules, scoring: Scoring, review: Review, log: Log
) -> None:
    """Note who lets the tile on offer pass: a legal win, or one that furiten or a missing yaku forbids."""
    hand, seats = table.hand, table.seats
    sort, source, tile = hand[t.H_OFFER], hand[t.H_OFFER_SEAT], hand[t.H_OFFER_TILE]
    taken, nearest = 0, 4
    for step in range(1, rules.players):
        if winners >> (source + step) % rules.players & 1:
            taken, nearest = taken + 1, min(nearest, step)
    for step in range(1, rules.players):
        seat = (source + step) % rules.players
        if winners >> seat & 1 or not seats[t.S_WAITS, seat] >> kind_of(tile) & 1:
            continue
        if sort == t.ANKAN and not (rules.kokushi_ankan_ron and t.is_orphans(table, seat)):
            continue
        if (rules.head_bump and nearest < step) or (rules.abort_sanchahou and taken > 1):
            continue
        worth = gain(table, seat, source, tile, rules, scoring, review)
        if worth > 0 and seats[t.S_MISSED, seat]:
            code = 1104
            if seats[t.S_WAITS, seat] & seats[t.S_RIVER, seat]:
                code = 1103
            elif review.seats[V_PERMANENT, seat] >= 0:
                code = 1105
            row = missed(table, code, seat, source, tile, rules, scoring, review, log)
            tell_furiten(table, seat, review, review.rows[row])
        elif worth > 0:
            missed(
                table, 2101 if sort == t.DISCARD else 2103, seat, source, tile, rules, scoring, review, log
            )
        elif (
            worth == layout.NO_YAKU
            and not seats[t.S_MISSED, seat]
            and is_yakuless(table, seat, source, rules, scoring, review)
        ):
            review.rows[found(review, table, log, 2104, seat, tile), X_OTHER] = source


# --- a player's own discard ----------------------------------------------------------------------------


@kernel
def keys_of(table: Table, seat: int, more: int, less: int) -> tuple[int, int, int, int]:
    """Return the suit keys of a hand with a tile of kind ``more``, and without one of ``less`` (-1: none)."""
    keys = table.keys[seat]
    man, pin, sou, honour = keys[0], keys[1], keys[2], keys[3]
    for kind, sign in ((more, 1), (less, -1)):
        if kind < 0 or more == less:
            continue
        power = sign * 5 ** (kind % 9)
        man += power if kind < 9 else 0
        pin += power if 9 <= kind < 18 else 0
        sou += power if 18 <= kind < 27 else 0
        honour += power if kind >= 27 else 0
    return man, pin, sou, honour


@kernel
def waits_without(
    table: Table, seat: int, kind: int, other: int, rules: KernelRules, shapes: ShapeTables
) -> int:
    """Return the waits had ``seat`` not discarded ``kind`` but ``other``."""
    man, pin, sou, honour = keys_of(table, seat, kind, other)
    drawable = drawable_kinds(table.counts[seat], table.melded[seat], shapes) | (1 << other & shapes.kinds)
    if table.counts[seat, kind] + table.melded[seat, kind] == 3:
        drawable &= ~(1 << kind)
    melds = table.seats[t.S_MELDS, seat]
    return waits(man, pin, sou, honour, melds, rules.chiitoitsu_identical_pairs, drawable, shapes)


@kernel
def shanten_without(
    table: Table, seat: int, kind: int, other: int, identical: int, shapes: ShapeTables
) -> int:
    """Return the shanten had ``seat`` not discarded ``kind`` but ``other`` (-1: nothing)."""
    man, pin, sou, honour = keys_of(table, seat, kind, other)
    return shanten(man, pin, sou, honour, table.seats[t.S_MELDS, seat], identical, shapes)


@kernel
def follow_folding(
    table: Table, seat: int, kind: int, identical: int, shapes: ShapeTables, review: Review
) -> None:
    """Keep in mind whether a discard under threat gave up shanten, until the hand has it back."""
    own = review.seats
    if table.seats[t.S_WAITS, seat]:
        own[V_FOLDED, seat] = 0
        return
    now = shanten_without(table, seat, kind, kind, identical, shapes)
    if own[V_FOLDED, seat]:
        own[V_FOLDED, seat] = now > own[V_BEST, seat]
        return
    had = shanten_without(table, seat, kind, -1, identical, shapes)
    if now > had:
        own[V_FOLDED, seat], own[V_BEST, seat] = 1, had


@kernel
def tenpai_discard(
    table: Table,
    seat: int,
    tile: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: Review,
    log: Log,
) -> None:
    """Look at a discard that leaves the hand tenpai: furiten, riichi or the lack of it."""
    seats, own, memory = table.seats, review.seats, review.memory
    mask = seats[t.S_WAITS, seat]
    by_river = mask & seats[t.S_RIVER, seat]
    silent = False
    if seats[t.S_DECLARING, seat]:
        declared(table, seat, tile, by_river, rules, shapes, scoring, review, log)
    elif by_river and memory[M_TSUMO] == 0 and not memory[M_WAITS] & memory[M_RIVER]:
        better, more = not_furiten(table, seat, kind_of(tile), rules, shapes, review)
        if better != t.NOBODY:
            row = review.rows[found(review, table, log, 1102, seat, tile)]
            tell_furiten(table, seat, review, row)
            row[X_BETTER], row[X_BETTER_LIVE] = better, more
    elif not by_river and not seats[t.S_OPEN, seat]:
        silent = may_riichi(table, seat, rules, review) and t.live_copies(table, mask, seat) > 0
        silent = silent and is_yakuless(table, seat, (seat + 1) % rules.players, rules, scoring, review)
    own[V_DAMA, seat] = own[V_DAMA, seat] + 1 if silent else 0
    if own[V_DAMA, seat] == 2:
        found(review, table, log, 4102, seat, tile)


@kernel
def may_riichi(table: Table, seat: int, rules: KernelRules, review: Review) -> bool:
    """Tell whether a closed hand could have declared riichi with its last discard, and nobody else had."""
    for other in range(rules.players):
        if other != seat and review.seats[V_THREAT, other] == RIICHI_THREAT:
            return False
    return table.scores[seat] >= rules.riichi_points and table.hand[t.H_LIVE] >= rules.riichi_wall


@kernel
def not_furiten(
    table: Table, seat: int, tile: int, rules: KernelRules, shapes: ShapeTables, review: Review
) -> tuple[int, int]:
    """Return the kind of the discard that keeps tenpai out of furiten with the most live tiles, and those.

    (NOBODY, 0) when there is none.
    """
    best, most = t.NOBODY, 0
    for other in range(34):
        if other == tile or not table.counts[seat, other] or review.memory[M_KUIKAE] >> other & 1:
            continue
        mask = waits_without(table, seat, tile, other, rules, shapes)
        if mask & (review.memory[M_RIVER] | 1 << other):
            continue
        count = t.live_copies(table, mask, seat)
        if count > most:
            best, most = other, count
    return best, most


@kernel
def declared(
    table: Table,
    seat: int,
    tile: int,
    by_river: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: Review,
    log: Log,
) -> None:
    """Look at a riichi: furiten, a dead wait, or a better discard at hand."""
    kind = kind_of(tile)
    if by_river:
        row = review.rows[found(review, table, log, 1101, seat, tile)]
        tell_furiten(table, seat, review, row)
        row[X_BETTER], row[X_BETTER_LIVE] = not_furiten(table, seat, kind, rules, shapes, review)
    own_live = t.live_copies(table, table.seats[t.S_WAITS, seat], seat)
    if own_live == 0:
        found(review, table, log, 4101, seat, tile)
    best, most, value, own_value = -1, own_live, 0, -1
    for other in range(34):
        if other == kind or not table.counts[seat, other]:
            continue
        mask = waits_without(table, seat, kind, other, rules, shapes)
        count = t.live_copies(table, mask, seat)
        if count <= most or mask & (review.memory[M_RIVER] | 1 << other):
            continue
        if own_value < 0:
            own_value = mean_value(table, table.seats[t.S_WAITS, seat], seat, rules, scoring, review)
        held = other
        if table.held[seat, other] == 0:
            held = 34 + other // 9
        seen = table.river[kind]
        t.take(table, seat, tile)
        t.drop(table, seat, held)
        table.river[kind] -= 1
        table.river[other] += 1
        other_value = mean_value(table, mask, seat, rules, scoring, review)
        table.river[other] -= 1
        table.river[kind] = seen
        t.take(table, seat, held)
        t.drop(table, seat, tile)
        if other_value >= own_value:
            best, most, value = other, count, other_value
    if best >= 0:
        row = review.rows[found(review, table, log, 4103, seat, tile)]
        row[X_BETTER], row[X_BETTER_LIVE], row[X_BETTER_VALUE], row[X_VALUE] = best, most, value, own_value


@kernel
def mean_value(
    table: Table, mask: int, seat: int, rules: KernelRules, scoring: Scoring, review: Review
) -> int:
    """Return what a ron on one of the live tiles of ``mask`` is worth on average, honba and sticks apart.

    A five counts as a red one where the player holds all that are not.
    """
    total = count = 0
    reds = (rules.red_man, rules.red_pin, rules.red_sou)
    for kind in range(34):
        if mask >> kind & 1:
            copies = 4 - t.seen_by(table, seat, kind)
            if copies > 0:
                tile = kind
                if kind in (4, 13, 22) and table.held[seat, kind] == 4 - reds[kind // 9]:
                    tile = 34 + kind // 9
                gain(table, seat, (seat + 1) % rules.players, tile, rules, scoring, review)
                total += copies * review.memory[M_POINTS]
                count += copies
    return total // max(1, count)


# --- danger and deal-ins -------------------------------------------------------------------------------


@kernel
def shows_much(table: Table, seat: int, rules: KernelRules, review: Review) -> bool:
    """Tell whether an open hand is to be feared: three melds, two dora, or two melds of one suit.

    Norths set aside are dora that everybody sees.
    """
    number = table.seats[t.S_MELDS, seat]
    if not table.seats[t.S_OPEN, seat]:
        return False
    suits = 0
    for i in range(number):
        suits |= 1 << table.meld_kinds[seat, i] // 9
    flush = number >= 2 and suits & 7 in (1, 2, 4)
    dora = (
        table.seats[t.S_REDS, seat]
        + table.seats[t.S_KITA, seat]
        + w.count_dora(table, seat, review.no_tiles, table.indicators, table.hand[t.H_TURNED], rules)
    )
    return number >= 3 or flush or dora >= 2


@kernel
def danger_class(table: Table, seat: int, threat: int, kind: int, players: int, review: Review) -> int:
    """Return the class of a kind that ``seat`` holds or discards, against ``threat``, as ``seat`` sees it."""
    safe = table.seats[t.S_RIVER, threat] | review.seats[V_PASSED, threat]
    if safe >> kind & 1:
        return GENBUTSU
    if kind >= 27:
        return HONOUR + 4 - t.seen_by(table, seat, kind)
    if players == 3 and kind < 9:
        return TERMINAL + 4 - t.seen_by(table, seat, kind)
    rank = kind % 9
    sides = suji = walled = thin = 0
    for step in (-1, 1):
        if not 0 <= rank + 3 * step <= 8:
            continue
        sides += 1
        if safe >> kind + 3 * step & 1:
            suji += 1
            continue
        most = max(t.seen_by(table, seat, kind + step), t.seen_by(table, seat, kind + 2 * step))
        walled += most == 4
        thin += most == 3
    zone = min(rank, 8 - rank, 3)
    if suji == sides:
        return SUJI + zone
    if suji + walled == sides:
        return NO_CHANCE
    if suji + walled + thin == sides:
        return ONE_CHANCE
    return HALF_SUJI if suji + walled else NO_SUJI + zone


@kernel
def count_danger(table: Table, seat: int, tile: int, winners: int, players: int, review: Review) -> None:
    """Count a discard, and whether it dealt in, by its class against each threat."""
    for threat in range(players):
        sort = review.seats[V_THREAT, threat]
        if threat != seat and sort:
            number = danger_class(table, seat, threat, kind_of(tile), players, review)
            cell = review.danger[sort - 1, min(table.seats[t.S_DISCARDS, seat], MAX_TURN), number]
            cell[0] += 1
            cell[1] += winners >> threat & 1


@kernel
def worst_class(table: Table, seat: int, kind: int, players: int, review: Review) -> int:
    """Return the most dangerous of a kind's classes against all threats."""
    worst = GENBUTSU
    for threat in range(players):
        if threat != seat and review.seats[V_THREAT, threat]:
            other = danger_class(table, seat, threat, kind, players, review)
            if LEVELS[other] > LEVELS[worst] or (LEVELS[other] == LEVELS[worst] and other > worst):
                worst = other
    return worst


@kernel
def is_safer(table: Table, seat: int, kind: int, than: int, players: int, review: Review) -> bool:
    """Tell whether a kind is safer than another against every threat, or as safe as can be."""
    any_safer = False
    for threat in range(players):
        if threat == seat or not review.seats[V_THREAT, threat]:
            continue
        level = LEVELS[danger_class(table, seat, threat, kind, players, review)]
        other = LEVELS[danger_class(table, seat, threat, than, players, review)]
        if level >= other and level > 0:
            return False
        any_safer = any_safer or level < other
    return any_safer


@kernel
def would_deal_in(
    table: Table, seat: int, kind: int, rules: KernelRules, scoring: Scoring, review: Review
) -> bool:
    """Tell whether another kind would have been won in place of the tile on offer."""
    for other in range(rules.players):
        if other == seat or table.seats[t.S_MISSED, other] or not table.seats[t.S_WAITS, other] >> kind & 1:
            continue
        if gain(table, other, seat, kind, rules, scoring, review) > 0:
            return True
    return False


@kernel
def deal_in(
    table: Table,
    seat: int,
    tile: int,
    winners: int,
    rules: KernelRules,
    shapes: ShapeTables,
    scoring: Scoring,
    review: Review,
    log: Log,
) -> None:
    """Note a tile of ``seat`` on which ``winners`` (bits) win, and what else could have been discarded."""
    seats, own, kind, players = table.seats, review.seats, kind_of(tile), rules.players
    row = review.rows[found(review, table, log, 3104, seat, tile)]
    row[X_WINNERS] = winners
    to_threat = to_riichi = False
    for step in range(1, players):
        other = (seat + step) % players
        if winners >> other & 1:
            if row[X_OTHER] == t.NOBODY:
                row[X_OTHER] = other
            row[X_WINNER_WAITS + other] = seats[t.S_WAITS, other]
            to_threat = to_threat or own[V_THREAT, other] != 0
            to_riichi = to_riichi or own[V_THREAT, other] == RIICHI_THREAT
    row[X_DORA] = seats[t.S_REDS, seat] + seats[t.S_KITA, seat]
    for red in range(34, 37):
        row[X_DORA] += table.held[seat, red]
    row[X_DORA] += w.count_dora(
        table, seat, table.counts[seat], table.indicators, table.hand[t.H_TURNED], rules
    )
    for threat in range(players):
        if threat != seat and own[V_THREAT, threat]:
            row[X_THREATS] |= own[V_THREAT, threat] << 2 * threat
            row[X_CLASSES] |= danger_class(table, seat, threat, kind, players, review) << 8 * threat
    now = shanten_without(table, seat, kind, kind, rules.chiitoitsu_identical_pairs, shapes)
    row[X_SHANTEN] = now
    if seats[t.S_RIICHI, seat] == 2:
        row[X_CODE] = 3106
        return
    choices = dealing = safer = genbutsu = 0
    for other in range(34):
        if other == kind or not table.counts[seat, other] or review.memory[M_KUIKAE] >> other & 1:
            continue
        hit = would_deal_in(table, seat, other, rules, scoring, review)
        lost = shanten_without(table, seat, kind, other, rules.chiitoitsu_identical_pairs, shapes) - now
        lost = min(7, max(0, lost))
        worst = worst_class(table, seat, other, players, review)
        better = is_safer(table, seat, other, kind, players, review)
        word = other | worst << 6 | lost << 11 | hit << 14 | better << 15
        row[X_ALTERNATIVES + choices // PER_WORD] |= word << BITS * (choices % PER_WORD)
        choices += 1
        dealing += hit
        safer += better
        genbutsu += better and worst == GENBUTSU
    row[X_CHOICES], row[X_DEALT_IN] = choices, dealing
    if now == 1:
        keys = table.keys[seat]
        drawable = drawable_kinds(table.counts[seat], table.melded[seat], shapes)
        mask = acceptance(
            keys[0], keys[1], keys[2], keys[3], seats[t.S_MELDS, seat], rules.chiitoitsu_identical_pairs,
            drawable, shapes,
        )[1]  # fmt: skip
        row[X_ACCEPTED] = t.live_copies(table, mask, seat)
    if choices and dealing == choices:
        row[X_CODE] = 3107
    elif not to_threat:
        row[X_CODE] = 3105
    elif now == 0:
        row[X_CODE] = 3103
    elif genbutsu and to_riichi and own[V_FOLDED, seat]:
        row[X_CODE] = 3108
    elif safer == 0:
        row[X_CODE] = 3104
    elif row[X_DORA] >= 3:
        row[X_CODE] = 3103
    elif now >= 2:
        row[X_CODE] = 3101
    elif row[X_DORA] <= 1 or row[X_ACCEPTED] <= 12:
        row[X_CODE] = 3102
    else:
        row[X_CODE] = 3103
