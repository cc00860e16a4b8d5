"""The order of play of a hand, found from each player's own turns.

It is known who moves next, except for calls: after a discard the next player draws, unless somebody calls
it. A player whose next turn calls this very tile from this player may mean this discard, or a later one of
the same tile. So the call is tried first, then the other way: what was wrong shows a few turns later, when a
player whose turn it is has no draw to make, or turns are left over.

No more than one order uses up all turns. Suppose two orders part after a discard of D: in one X calls it,
in the other Y moves, and X calls a later discard of D. A turn is led by the seat that it calls from or, a
draw, by the seat before: the same in all orders. Y's turn is led by D as X's is, so in both orders D moves
again between these two. Up to there, of X, Y and D only X has moved in the one order and only Y in the
other; so D is led by the fourth player W, and W's first turn since the parting by X in the one and by Y in
the other, which cannot be. A test counts the orders of random games.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I64, I64_2D
from paifu.replay.kernels.records import Record
from paifu.replay.kernels.running import entry, kernel

DRAWS, AGAIN, STOPS, OVER = -1, -2, -3, -4
"""Instead of a discard's key: takes from the wall; takes again after a kan; gives nothing up; no turn."""
NO_KAN, CLOSED_KAN, OPEN_KAN = range(3)
"""What a turn declares, as far as the dora indicators care."""

WANTS, OFFERS, KAN, TILE, WORDS, TURN_SIZE = 0, 1, 2, 3, 4, 8
"""Cells of a turn: the key of the discard that is called; that of the tile discarded; the kan declared; the
code of the tile discarded or shown for a kan, or of the drawn one that is kept; up to four packed events, the
payment of a riichi included, 0 for none."""
_MOST_WORDS = TURN_SIZE - WORDS

TOO_MANY_WAYS, NO_ORDER = -2, -1
MAX_TURNS, MAX_DORA = 200, 4
"""More turns in a hand than the wall has tiles to draw and hands have room to call."""
_SEAT, _COUNT, _MADE, BRANCH_SIZE = 0, 1, 2, 6
_SEAT_SHIFT = 5
"""Bit of an event where its seat begins."""


class TurnFacts(Record):
    """What is known of a hand, and then what is found."""

    players: int
    dealer: int
    at_once: int
    """Kan dora are turned with every kan."""
    attempts: int
    """How many ways may be tried."""
    indicators: int
    """How many are turned after the first."""
    furthest: int
    """How many turns the furthest way used."""
    last: int
    """Row of the last turn; -1 without one."""
    riichi: int
    """Seats that declare riichi, as bits."""


class PlayersTurns(NamedTuple):
    """The turns of a hand, and room to put them in order."""

    turns: I64_2D
    """Each seat's, and after them one that takes ``OVER``."""
    dora: I64
    """Events that turn the indicators after the first."""
    facts: TurnFacts
    branches: I64_2D
    """A seat that may move instead, how many turns were made before, and which is each seat's next."""
    made: I64
    """Each seat's next turn."""
    order: I64
    words: I64


@kernel
def _branch(hand: PlayersTurns, top: int, seat: int, count: int) -> int:
    """Note that ``seat`` may move next, after ``count`` turns; return how many ways there are to go on."""
    branch = hand.branches[top]
    branch[_SEAT], branch[_COUNT] = seat, count
    for other in range(len(hand.made)):
        branch[_MADE + other] = hand.made[other]
    return top + 1


@kernel
def _branch_at_call(hand: PlayersTurns, top: int, seat: int, count: int) -> int:
    """Note who may move after a discard of ``seat`` that next turns call; return how many ways there are.

    What is noted last is tried first: pon and kan, then chi, then the next player if the caller can wait.
    """
    turns, made, players = hand.turns, hand.made, hand.facts.players
    at = int(made[seat])
    offers = turns[at - 1, OFFERS]
    can_wait = False
    while turns[at, WANTS] != OVER:
        can_wait |= turns[at, OFFERS] == offers
        at += 1
    following, callers = (seat + 1) % players, 0
    for other in range(players):
        callers += turns[made[other], WANTS] == offers
    if callers > 1 and not can_wait:
        return top
    if can_wait and turns[made[following], WANTS] == DRAWS:
        top = _branch(hand, top, following, count)
    for step in range(2 * players):
        caller = players - 1 - step % players
        turn = turns[made[caller]]
        is_chi = turn[WORDS] & 31 == state.CHI
        if turn[WANTS] == offers and is_chi == (step < players):
            top = _branch(hand, top, caller, count)
    return top


@kernel
def _put_dora(hand: PlayersTurns, count: int, written: int, put: int) -> tuple[int, int]:
    """Put ``count`` indicators, if there are as many; return how many events and indicators there are now."""
    while count > 0 and put < hand.facts.indicators:
        hand.words[written] = hand.dora[put]
        written, put, count = written + 1, put + 1, count - 1
    return written, put


@kernel
def _write_events(hand: PlayersTurns, total: int) -> int:
    """Put the events of the turns in order, and the indicators after kans, where Tenhou turns them.

    A closed kan's comes right after the kan. An open or added kan's comes before the discard that follows, or
    after the next kan or kita if the player shows one instead; if kan dora are turned at once, it comes after
    the kan as well. Indicators that no kan explains are at the end.
    """
    written = put = owed = 0
    for place in range(total):
        turn = hand.turns[hand.order[place]]
        owed_here = owed if turn[WORDS + 1] else 0
        for at in range(_MOST_WORDS):
            if turn[WORDS + at]:
                hand.words[written] = turn[WORDS + at]
                written += 1
            if at == (0 if turn[OFFERS] >= 0 else 1):
                written, put = _put_dora(hand, owed_here, written, put)
        owed -= owed_here
        if turn[KAN] == CLOSED_KAN or (turn[KAN] != NO_KAN and hand.facts.at_once):
            written, put = _put_dora(hand, 1, written, put)
        elif turn[KAN] != NO_KAN:
            owed += 1
        if turn[WORDS + _MOST_WORDS - 1]:
            hand.facts.riichi |= 1 << (int(turn[WORDS]) >> _SEAT_SHIFT & 7)
    written, put = _put_dora(hand, MAX_DORA, written, put)
    return written


@entry
def find_order(hand: PlayersTurns) -> int:
    """Put the turns in the order of play; return how many events they are, or why there is no order."""
    turns, made, players = hand.turns, hand.made, hand.facts.players
    total = at = attempts = 0
    for seat in range(players):
        made[seat] = at
        while turns[at, WANTS] != OVER:
            at += 1
        total += at - int(made[seat])
        at += 1
    hand.facts.furthest = hand.facts.riichi = 0
    top = _branch(hand, 0, hand.facts.dealer, 0)
    while top:
        top -= 1
        branch = hand.branches[top]
        seat, count = int(branch[_SEAT]), int(branch[_COUNT])
        for other in range(players):
            made[other] = branch[_MADE + other]
        wanted, is_stuck = int(turns[made[seat], WANTS]) if count else DRAWS, True
        while turns[made[seat], WANTS] == wanted:
            hand.order[count] = made[seat]
            offers = turns[made[seat], OFFERS]
            made[seat] += 1
            count += 1
            wanted, callers = DRAWS, 0
            if offers == STOPS:
                break
            if offers >= 0:
                for other in range(players):
                    callers += turns[made[other], WANTS] == offers
                if callers:
                    before = top
                    top = _branch_at_call(hand, top, seat, count)
                    is_stuck = top == before
                    break
                seat = (seat + 1) % players
        if not is_stuck:
            continue
        if count == total:
            hand.facts.last = int(hand.order[total - 1]) if total else -1
            return _write_events(hand, total)
        hand.facts.furthest = max(hand.facts.furthest, count)
        attempts += 1
        if attempts == hand.facts.attempts:
            return TOO_MANY_WAYS
    return NO_ORDER
