"""The order of play, rebuilt from what tenhou.net/6 JSON gives: each player's own moves.

It is known who moves next, except for calls: after a discard the next player draws, unless somebody calls
it. A player whose next move calls this very tile from this player may mean this discard, or a later one of
the same tile. So the call is tried first, then the other way: what was wrong shows a few moves later, when a
player whose turn it is has no draw to make, or lists are left over.

No more than one order uses up all lists. Suppose two orders part after a discard of D: in one X calls it,
in the other Y moves, and X calls a later discard of D. A move is led by the seat that it calls from or, a
draw, by the seat before: the same in all orders. Y's move is led by D as X's is, so in both orders D moves
again between these two. Up to there, of X, Y and D only X has moved in the one order and only Y in the
other; so D is led by the fourth player W, and W's first move since the parting by X in the one and by Y in
the other, which cannot be. A test counts the orders of random games.
"""

from __future__ import annotations

from itertools import chain

from paifu.parsers.errors import ParseError
from paifu.parsers.tenhou6.moves import CLOSED_KAN, DRAWS, END, NO_KAN, STOPS, DraftTurn
from paifu.replay.model.events import EventKind, pack

MAX_MOVES = 200
"""More moves in a hand than the wall has tiles to draw and hands have room to call."""
MAX_ATTEMPTS = 300
"""How many ways are tried before a hand is refused. Of 23,485 real hands none needs a second one."""

_Branch = tuple[int, int, list[int], int]
"""A seat that may move instead, what its move takes, how many moves each seat had made, and all together."""


def arrange(moves: list[list[DraftTurn]], dealer: int) -> list[DraftTurn]:
    """Put the players' moves in the order of play.

    Raises ParseError if no order uses up all lists, or too many would have to be tried.
    """
    total = sum(map(len, moves))
    if total > MAX_MOVES:
        raise ParseError(f"the hand has more than {MAX_MOVES} moves", code="V105")
    if not total:
        return []
    lists = [[*own, END] for own in moves]
    players = len(lists)
    called = {move.wants for move in chain.from_iterable(moves)} - {DRAWS}
    following = [*range(1, players), 0]
    order: list[DraftTurn] = []
    furthest = attempts = 0
    branches: list[_Branch] = [(dealer, DRAWS, [0] * players, 0)]
    while branches:
        seat, wanted, made, count = branches.pop()
        del order[count:]
        while True:
            at = made[seat]
            move = lists[seat][at]
            if move.wants != wanted:
                break
            order.append(move)
            made[seat] = at + 1
            offers, wanted = move.offers, DRAWS
            if offers in called and offers in (heads := _heads(lists, made)):
                callers = _callers(lists, seat, made, heads)
                if not callers:
                    break
                branches += [(other, heads[other], made.copy(), len(order)) for other in callers[:0:-1]]
                seat, wanted = callers[0], heads[callers[0]]
            elif offers >= 0:
                seat = following[seat]
            elif offers == STOPS:
                break
        if len(order) == total:
            return order
        furthest = max(furthest, len(order))
        attempts += 1
        if attempts == MAX_ATTEMPTS:
            raise ParseError("the order of play could be rebuilt in too many ways")
    raise ParseError(
        f"the players' moves fit together in no order; after {furthest} of {total} nobody can go on",
        hint="a call may name the wrong player or tile, or a tile be missing",
    )


def _heads(lists: list[list[DraftTurn]], made: list[int]) -> list[int]:
    """What each seat's next move takes."""
    return [own[at].wants for own, at in zip(lists, made, strict=True)]


def _callers(lists: list[list[DraftTurn]], seat: int, made: list[int], heads: list[int]) -> list[int]:
    """Who may move after the discard that ``seat`` has just made and somebody's next move calls.

    In the order to be tried: callers, pon and kan first, then the next player if the caller can wait.
    """
    offers = lists[seat][made[seat] - 1].offers
    callers = [caller for caller, wants in enumerate(heads) if wants == offers]
    can_wait = offers in [move.offers for move in lists[seat][made[seat] :]]
    if not can_wait:
        return callers if len(callers) == 1 else []
    following = (seat + 1) % len(heads)
    callers.sort(key=lambda caller: lists[caller][made[caller]].words[0] & 31 == EventKind.CHI)
    return [*callers, following] if heads[following] == DRAWS else callers


def words_of(order: list[DraftTurn], dora: bytes, *, at_once: bool) -> list[int]:
    """Events of the moves, with the indicators turned after kans where Tenhou turns them.

    A closed kan's comes right after the kan. An open or added kan's comes before the discard that
    follows, or after the next kan or kita if the player shows one instead; with ``at_once`` it comes
    after the kan as well. ``dora`` are those that the log states, as tile codes; any that no kan explains
    are at the end.
    """
    if not dora:
        return list(chain.from_iterable([move.words for move in order]))
    left = [pack(EventKind.DORA, tile=code) for code in reversed(dora)]
    words: list[int] = []
    owed = 0
    for move in order:
        own = list(move.words)
        if owed and len(own) > 1:
            behind = 1 if move.offers >= 0 else 2
            own[behind:behind] = _turned(left, owed)
            owed = 0
        if move.kan == CLOSED_KAN or (move.kan != NO_KAN and at_once):
            own += _turned(left, 1)
        elif move.kan != NO_KAN:
            owed += 1
        words += own
    return words + _turned(left, len(left))


def _turned(left: list[int], count: int) -> list[int]:
    return [left.pop() for _ in range(min(count, len(left)))]
