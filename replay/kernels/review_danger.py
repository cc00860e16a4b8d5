"""The review of danger and deal-ins: how dangerous a tile was, and what else could have been discarded."""

from __future__ import annotations

from paifu.replay.kernels import codes, review_layout
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import U8
from paifu.replay.kernels.legal import discardable, may_ron
from paifu.replay.kernels.review_discards import shanten_without
from paifu.replay.kernels.review_findings import found, would_gain
from paifu.replay.kernels.review_layout import ReviewDesk, ReviewState
from paifu.replay.kernels.rows import FOUND
from paifu.replay.kernels.rules import KernelRules
from paifu.replay.kernels.running import kernel
from paifu.replay.kernels.scoring import bit_count
from paifu.replay.kernels.shapes import acceptance, drawable_kinds
from paifu.replay.kernels.table_state import TableState, kind_of
from paifu.replay.kernels.wins import count_dora, reds_of


@kernel
def shows_much(table: TableState, seat: int, rules: KernelRules, review: ReviewState) -> bool:
    """Return whether an open hand is to be feared: three melds, two dora, or a suit collected.

    Norths set aside are dora that everybody sees.
    """
    number = table.meld_count[seat]
    if not table.open_melds[seat]:
        return False
    flush = collected_suit(table, seat) >= 0
    dora = (
        table.meld_reds[seat]
        + table.kita[seat]
        + count_dora(table, seat, review.memory.no_tiles, table.indicators, table.turned, rules)
    )
    return number >= 3 or flush or dora >= 2


@kernel
def collected_suit(table: TableState, seat: int) -> int:
    """Return the suit that an open hand seems to collect, -1 for none.

    Two melds at least, all of one suit or honours, and at most three kinds of the suit in its river.
    """
    number, suits, suit = table.meld_count[seat], 0, -1
    if not table.open_melds[seat] or number < 2:
        return -1
    # Honours go with any suit.
    for i in range(number):
        if table.meld_kinds[seat, i] < 27:
            suit = table.meld_kinds[seat, i] // 9
            suits |= 1 << suit
    if suits not in (1, 2, 4):
        return -1
    thrown = bit_count(table.river_kinds[seat] >> 9 * suit & 511)
    return suit if thrown <= review_layout.MOST_THROWN else -1


@kernel
def danger_class(seen: U8, safe: int, kind: int, players: int) -> int:
    """Return the class of a tile that somebody holds or discards who sees (34,) ``seen`` tiles.

    ``safe``: kinds that the threat cannot win, as bits.
    """
    # What the threat discarded or let pass, it cannot win.
    if safe >> kind & 1:
        return review_layout.GENBUTSU
    # Nobody waits for these in a run: what matters is how many are left to pair.
    if kind >= 27:
        return review_layout.HONOUR + max(0, 4 - int(seen[kind]))
    if players == 3 and kind < 9:
        return review_layout.TERMINAL + max(0, 4 - int(seen[kind]))
    # From each side a run may wait for it: closed by suji, by a wall, nearly so, or open.
    rank = kind % 9
    sides = suji = walled = thin = 0
    for step in (-1, 1):
        if not 0 <= rank + 3 * step <= 8:
            continue
        sides += 1
        if safe >> kind + 3 * step & 1:
            suji += 1
            continue
        most = max(int(seen[kind + step]), int(seen[kind + 2 * step]))
        walled += most == 4
        thin += most == 3
    # The nearer to the middle, the more kinds of wait are left.
    zone = min(rank, 8 - rank, 3)
    if suji == sides:
        return review_layout.SUJI + zone
    if suji + walled == sides:
        return review_layout.NO_CHANCE
    if suji + walled + thin == sides:
        return review_layout.ONE_CHANCE
    return review_layout.HALF_SUJI if suji + walled else review_layout.NO_SUJI + zone


@kernel
def class_against(desk: ReviewDesk, threat: int, kind: int) -> int:
    """Return the class of a kind against ``threat``, as the player whose view was noted last sees it."""
    memory = desk.review.memory
    safe = desk.table.river_kinds[threat] | memory.passed[threat]
    return danger_class(memory.seen, safe, kind, desk.rules.players)


@kernel
def count_danger(desk: ReviewDesk, seat: int, tile: int, winners: int) -> None:
    """Take down the class of a discard against each threat, and count it, and whether it dealt in."""
    review = desk.review
    for threat in range(desk.rules.players):
        sort = review.memory.threat[threat]
        if threat != seat and sort:
            number = class_against(desk, threat, kind_of(tile))
            review.classes[desk.notes.counts[2], threat] = review_layout.SORT * sort + number
            cell = review.danger[sort - 1, min(desk.table.discards[seat], review_layout.MAX_TURN), number]
            cell[0] += 1
            cell[1] += winners >> threat & 1


@kernel
def count_push(desk: ReviewDesk, seat: int, tile: int, winners: int) -> None:
    """Count a discard by its class against each threat and by the hand left, if anybody is watched."""
    table, review, kind = desk.table, desk.review, kind_of(tile)
    watched = int(review.watched[desk.notes.counts[1]])
    if not watched:
        return
    # What hand is left: 0 in riichi, which has no choice, else 1 more than its shanten.
    left = 0
    if table.riichi[seat] == 0 or table.declaring[seat]:
        left = 1 + max(0, min(3, shanten_without(desk, seat, kind, kind)))
    for threat in range(desk.rules.players):
        sort = review.memory.threat[threat]
        if threat != seat and sort:
            number = class_against(desk, threat, kind)
            cell = review.pushes[2 * (watched >> seat & 1) + sort - 1, number, left]
            cell[0] += 1
            cell[1] += winners >> threat & 1


@kernel
def level_against(sort: int, number: int) -> int:
    """Return how dangerous a class is against a sort of threat."""
    return (
        review_layout.LEVELS[number]
        if sort == review_layout.RIICHI_THREAT
        else review_layout.OPEN_LEVELS[number]
    )


@kernel
def is_safer(desk: ReviewDesk, seat: int, kind: int, than: int) -> bool:
    """Return whether a kind is safer than another against every threat, or as safe as can be."""
    any_safer = False
    for threat in range(desk.rules.players):
        sort = desk.review.memory.threat[threat]
        if threat == seat or not sort:
            continue
        level = level_against(sort, class_against(desk, threat, kind))
        other = level_against(sort, class_against(desk, threat, than))
        # No better against one of them: not safer, unless it cannot be any better.
        if level >= other and level > 0:
            return False
        any_safer = any_safer or level < other
    return any_safer


@kernel
def would_deal_in(desk: ReviewDesk, seat: int, kind: int) -> bool:
    """Return whether another kind would have been won in place of the tile on offer."""
    for other in range(desk.rules.players):
        is_won = other != seat and may_ron(desk.table, other, kind)
        if is_won and would_gain(desk, other, seat, kind) > 0:
            return True
    return False


@kernel
def deal_in(desk: ReviewDesk, seat: int, tile: int, winners: int) -> None:
    """Note a tile of ``seat`` on which ``winners`` (bits) win, and what else could have been discarded."""
    table, rules, shapes, memory = desk.table, desk.rules, desk.shapes, desk.review.memory
    kind, players = kind_of(tile), rules.players
    row = desk.review.rows[found(desk, codes.NOTHING_SAFER, seat, tile)]
    row[FOUND.winners] = winners
    # Who wins: the next in turn is named; whether any of them had shown a threat.
    to_threat = to_riichi = False
    for step in range(1, players):
        other = (seat + step) % players
        if winners >> other & 1:
            if row[FOUND.other] == state.NOBODY:
                row[FOUND.other] = other
            row[FOUND.winner_waits + other] = table.waits[other]
            to_threat = to_threat or memory.threat[other] != 0
            to_riichi = to_riichi or memory.threat[other] == review_layout.RIICHI_THREAT
    # How much the hand was worth a push: its dora, red fives and norths.
    row[FOUND.dora] = reds_of(table, seat) + table.kita[seat]
    row[FOUND.dora] += count_dora(table, seat, table.counts[seat], table.indicators, table.turned, rules)
    # How dangerous the tile looked to everybody who is to be feared.
    for threat in range(players):
        if threat != seat and memory.threat[threat]:
            row[FOUND.threats] |= memory.threat[threat] << 2 * threat
            row[FOUND.classes] |= class_against(desk, threat, kind) << 8 * threat
    now = shanten_without(desk, seat, kind, kind)
    row[FOUND.shanten] = now
    # In riichi there was no choice.
    if table.riichi[seat] == 2:
        row[FOUND.code] = codes.IN_RIICHI
        return
    # What else there was: whether it deals in, what it costs the hand, whether it looked safer.
    choices = dealing = safer = genbutsu = 0
    kinds = discardable(table.counts[seat], memory.kuikae | 1 << kind)
    for other in range(34):
        if kinds >> other & 1 == 0:
            continue
        hit = would_deal_in(desk, seat, other)
        lost = min(7, max(0, shanten_without(desk, seat, kind, other) - now))
        better = is_safer(desk, seat, other, kind)
        word = other | lost << 6 | hit << 9 | better << 10
        worst = review_layout.GENBUTSU
        for threat in range(players):
            if threat != seat and memory.threat[threat]:
                number = class_against(desk, threat, other)
                word |= number << 11 + 5 * threat
                worst = max(worst, number)
        row[FOUND.alternatives + choices // review_layout.PER_WORD] |= word << review_layout.BITS * (
            choices % review_layout.PER_WORD
        )
        choices += 1
        dealing += hit
        safer += better
        genbutsu += better and worst == review_layout.GENBUTSU
    row[FOUND.choices], row[FOUND.dealing] = choices, dealing
    # Of hidden hands nobody knows what else would have dealt in.
    for other in range(players):
        if other != seat and table.hidden[other]:
            row[FOUND.dealing] = review_layout.UNKNOWN_DEALING
    # How wide the hand is, where that tells a good shape from a bad one.
    if now == 1:
        keys = table.keys[seat]
        drawable = drawable_kinds(table.counts[seat], table.melded[seat], shapes)
        mask = acceptance(
            keys[0], keys[1], keys[2], keys[3], table.meld_count[seat], rules.forms,
            drawable, shapes,
        )[1]  # fmt: skip
        row[FOUND.accepted] = state.live_copies(table, mask, seat)
    # The first that fits: no way out, nothing to see, what excuses a push, how far away it was.
    if choices and dealing == choices:
        row[FOUND.code] = codes.ALL_DEAL_IN
    elif not to_threat:
        row[FOUND.code] = codes.NO_VISIBLE_THREAT
    elif now == 0:
        row[FOUND.code] = codes.PUSHED
    elif genbutsu and to_riichi and memory.folded[seat]:
        row[FOUND.code] = codes.FOLDED_AND_DEALT_IN
        row[FOUND.cause] = memory.folded[seat] - 1
    elif safer == 0:
        row[FOUND.code] = codes.NOTHING_SAFER
    elif row[FOUND.dora] >= 3:
        row[FOUND.code] = codes.PUSHED
    elif now >= 2:
        row[FOUND.code] = codes.AVOIDABLE_FAR
    elif row[FOUND.dora] <= 1 or row[FOUND.accepted] <= 12:
        row[FOUND.code] = codes.AVOIDABLE_NEAR
    else:
        row[FOUND.code] = codes.PUSHED
