"""Which games, and which of their hands, are the same in two batches: by what was dealt and discarded.

A copy of a hand has both digests in common, a hand that stops early or was changed somewhere has one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paifu.replay.arrays import U64
from paifu.replay.comparison.hand_digests import NO_DIGEST, hand_digests
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd


@dataclass(frozen=True, slots=True)
class PairingKeys:
    """What of a game tells whether another one is the same."""

    deals: tuple[int, ...]
    plays: tuple[int, ...]
    id: str
    names: tuple[str, ...]
    started: str


def pairing_keys(batch: Batch) -> list[PairingKeys]:
    """Return the keys of each game."""
    digests, games = hand_digests(batch), batch.games
    return [
        PairingKeys(
            tuple(digests.deal[begin:end].tolist()),
            tuple(digests.play[begin:end].tolist()),
            str(games.id[game]),
            tuple(map(str, games.names[game])),
            str(games.started[game]),
        )
        for game, (begin, end) in enumerate(
            zip(games.hand_begin.tolist(), games.hand_end.tolist(), strict=True)
        )
    ]


def pair_games(ones: Sequence[PairingKeys], others: Sequence[PairingKeys]) -> list[tuple[int, int]]:
    """Return which game of one side is which of the other, each at most once, those most alike first.

    A hand in common counts once for its deal and once for its play. Games without any are the same if they
    have one id, and the only ones left of both sides are the same if there is nothing else to go by.
    """
    where: dict[int, list[int]] = defaultdict(list)
    ids: dict[str, list[int]] = defaultdict(list)
    for number, keys in enumerate(others):
        for digest in (*keys.deals, *keys.plays):
            if digest != NO_DIGEST:
                where[digest].append(number)
        if keys.id:
            ids[keys.id].append(number)
    votes: list[tuple[int, int, int]] = []
    for number, one in enumerate(ones):
        found: Counter[int] = Counter()
        for digest in (*one.deals, *one.plays):
            if digest != NO_DIGEST:
                found.update(where.get(digest, ()))
        for other in ids.get(one.id, ()) if one.id else ():
            found[other] += 1
        votes += [(-count, number, other) for other, count in found.items()]
    pairs: list[tuple[int, int]] = []
    taken: tuple[set[int], set[int]] = (set(), set())
    for _count, number, other in sorted(votes):
        if number not in taken[0] and other not in taken[1]:
            taken[0].add(number)
            taken[1].add(other)
            pairs.append((number, other))
    left = [number for number in range(len(ones)) if number not in taken[0]]
    right = [number for number in range(len(others)) if number not in taken[1]]
    if len(ones) == len(others) == 1 and left:
        pairs.append((left[0], right[0]))
    return sorted(pairs)


def pair_hands(one: Batch, other: Batch) -> list[tuple[int, int]]:
    """Return which hand of a batch of one game is which of another's, in order."""
    mine, theirs = hand_digests(one), hand_digests(other)
    pairs = dict(_by_digest(mine.play, theirs.play))
    pairs |= {
        a: b for a, b in _by_digest(mine.deal, theirs.deal) if a not in pairs and b not in pairs.values()
    }
    used = set(pairs.values())
    left = [hand for hand in range(len(one.hands)) if hand not in pairs]
    right = [hand for hand in range(len(other.hands)) if hand not in used]
    places = [list(zip(b.hands.round.tolist(), b.hands.honba.tolist(), strict=True)) for b in (one, other)]
    for hand in left:
        same = next((b for b in right if places[1][b] == places[0][hand]), None)
        if same is not None:
            pairs[hand] = same
            right.remove(same)
    left = [hand for hand in left if hand not in pairs]
    if len(left) == len(right):
        pairs |= zip(left, right, strict=True)
    return sorted(pairs.items())


def _by_digest(mine: U64, theirs: U64) -> Iterator[tuple[int, int]]:
    """Pair equal digests in order, each at most once."""
    free: dict[int, list[int]] = defaultdict(list)
    for hand, digest in enumerate(theirs.tolist()):
        if digest != NO_DIGEST:
            free[digest].append(hand)
    for hand, digest in enumerate(mine.tolist()):
        if free.get(digest):
            yield hand, free[digest].pop(0)


def is_finished(batch: Batch, hand: int) -> bool:
    """Return whether a hand's end is in its record."""
    return bool(batch.hands.end[hand] != HandEnd.UNFINISHED)
