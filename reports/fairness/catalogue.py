"""The tests: what each counts of some hands, and what chance makes of the sums.

Counts are whole numbers that add up, so any split of the input gives the same sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import F64, I64
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.model.tiles import KIND_OF_TILE, KINDS, NO_TILE, RED_MAN, TERMINALS_AND_HONOURS, WINDS
from paifu.replay.walls.layout import HAND_SIZE
from paifu.reports.fairness import nulls
from paifu.reports.fairness.deals import Deals, counts_of, kinds_of_set
from paifu.reports.fairness.nulls import Outcome
from paifu.reports.fairness.starting_hands import MOST, shanten_counts
from paifu.reports.hands.hand_in_words import dora_of

STEPS = 128
"""More tiles than any hand shows."""
MAX_REDS = 12
_HONOURS = 27
_SIDES = 6


@dataclass(frozen=True, slots=True)
class Setting:
    """What the hands of some sums have in common."""

    players: int
    size: int
    """Tiles of the set."""
    seats: int
    """Hands that are looked at in each deal: all, or one player's."""

    @property
    def kinds(self) -> I64:
        """The kinds in the set."""
        return kinds_of_set(self.players)

    @property
    def groups(self) -> list[int]:
        """Places of each hand that is looked at, then all other places."""
        return [HAND_SIZE] * self.seats + [self.size - HAND_SIZE * self.seats]

    @property
    def unseen(self) -> int:
        """Tiles that neither the deal nor the first indicator shows."""
        return self.size - HAND_SIZE * self.players - 1


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """Cases, and what was counted of them."""

    n: int
    sums: I64

    def __add__(self, other: CaseCounts) -> CaseCounts:
        return CaseCounts(self.n + other.n, self.sums + other.sums)


ShuffleJudge = Callable[[Setting, CaseCounts], Outcome | None]


@dataclass(frozen=True, slots=True)
class ShuffleTest:
    """A test of the shuffle."""

    name: str
    question: str
    bias: str
    """What is likelier, by the smallest bias that could have been found."""
    count: Callable[[Deals], CaseCounts]
    judge: ShuffleJudge
    fits: Callable[[Setting], bool] = lambda _: True
    cases: str = "hands"


def _held(deals: Deals) -> I64:
    """(n, s, 34) kinds in each hand."""
    n, seats = deals.dealt.shape[:2]
    kinds = KIND_OF_TILE[deals.dealt].reshape(n * seats, HAND_SIZE)
    return counts_of(kinds).reshape(n, seats, KINDS)


def _dealt_kinds(deals: Deals) -> CaseCounts:
    return CaseCounts(len(deals), _held(deals).sum(axis=0))


def _judge_kinds(setting: Setting, counts: CaseCounts) -> Outcome | None:
    hands = counts.sums[:, setting.kinds]
    table = np.vstack([hands, 4 * counts.n - hands.sum(axis=0)])
    return nulls.crossed(counts.n, table, setting.groups, [4] * len(setting.kinds), (0, 0))


def _judge_classes(setting: Setting, counts: CaseCounts) -> Outcome | None:
    kinds = setting.kinds
    outer = np.isin(kinds, TERMINALS_AND_HONOURS)
    classes = [kinds >= _HONOURS, outer & (kinds < _HONOURS), ~outer]
    sizes = [4 * int(of_class.sum()) for of_class in classes]
    hands = np.stack([counts.sums[:, kinds[of_class]].sum(axis=1) for of_class in classes], axis=1)
    table = np.vstack([hands, counts.n * np.array(sizes) - hands.sum(axis=0)])
    return nulls.crossed(counts.n, table, setting.groups, sizes, (0, 0))


def _dealt_reds(deals: Deals) -> CaseCounts:
    """Walls by their red fives; then the red fives of each hand."""
    walls = np.bincount(deals.reds, minlength=MAX_REDS + 1)
    return CaseCounts(len(deals), np.concatenate([walls, (deals.dealt >= RED_MAN).sum(axis=(0, 2))]))


def _judge_dealt_reds(setting: Setting, counts: CaseCounts) -> Outcome | None:
    walls, hands = np.split(counts.sums, [MAX_REDS + 1])
    rest = walls @ np.arange(MAX_REDS + 1) - hands.sum()
    return nulls.marked(walls, np.append(hands, rest), setting.groups, 0)


def _shanten_of(column: int) -> Callable[[Deals], CaseCounts]:
    def count(deals: Deals) -> CaseCounts:
        shanten = deals.shanten[:, column] if column < deals.shanten.shape[1] else np.zeros(0, np.int64)
        known = np.clip(shanten[shanten >= 0], 0, MOST)
        return CaseCounts(len(known), np.bincount(known, minlength=MOST + 1))

    return count


def _pairs(deals: Deals) -> CaseCounts:
    held = _held(deals)
    return CaseCounts(len(deals), np.array([(held == 2).sum(), (held >= 3).sum()]))


def _judge_pairs(setting: Setting, counts: CaseCounts) -> Outcome | None:
    mean, covariance = nulls.pairs_and_triplets(setting.size, len(setting.kinds), setting.seats)
    if counts.n * mean.min() < nulls.LEAST:
        return None
    unit = counts.n * np.array([mean[0], 0])
    return nulls.vector(counts.n, counts.sums - counts.n * mean, counts.n * covariance, unit)


def _indicators(deals: Deals) -> CaseCounts:
    return CaseCounts(len(deals), np.bincount(deals.indicator, minlength=KINDS))


def _judge_indicators(setting: Setting, counts: CaseCounts) -> Outcome | None:
    kinds = setting.kinds
    return nulls.categories(counts.sums[kinds], [1 / len(kinds)] * len(kinds), 0)


def _dora_table(players: int) -> I64:
    return np.array([dora_of(kind, players) for kind in range(KINDS)])


def _dealt_dora(deals: Deals) -> CaseCounts:
    dora = _dora_table(deals.players)[deals.indicator]
    held = np.take_along_axis(_held(deals), dora[:, None, None], axis=2)
    return CaseCounts(len(deals), held.sum(axis=(0, 2)))


def _judge_dealt_dora(setting: Setting, counts: CaseCounts) -> Outcome | None:
    groups = setting.groups
    groups[-1] -= 1  # the indicator's own place
    walls = np.array([0, 0, 0, 0, counts.n])
    return nulls.marked(walls, np.append(counts.sums, 4 * counts.n - counts.sums.sum()), groups, 0)


def _one_by_one(deals: Deals, shown: npt.NDArray[Any], counts: npt.NDArray[np.bool_]) -> CaseCounts:
    """Count what is shown, step by step, beside what was unseen before: kinds, sums, sums of products."""
    sums = np.zeros((STEPS, KINDS + 2, KINDS), np.int64)
    left = deals.unseen.astype(np.int64)
    for step in range(shown.shape[1]):
        rows = np.flatnonzero(counts[:, step])
        before = left[rows].astype(float)  # exact: products of small whole numbers
        sums[step, 0] = np.bincount(shown[rows, step], minlength=KINDS)
        sums[step, 1] = before.sum(axis=0)
        sums[step, 2:] = before.T @ before
        there = np.flatnonzero(shown[:, step] != NO_TILE)
        left[there, shown[there, step]] -= 1
    return CaseCounts(int(counts.sum()), sums)


def _draws(deals: Deals) -> CaseCounts:
    return _one_by_one(deals, deals.shown, deals.counts)


def _ura_kinds(deals: Deals) -> CaseCounts:
    """The ura indicators come after everything else that the hand shows."""
    shown = np.concatenate([deals.shown, np.full_like(deals.ura, NO_TILE)], axis=1)
    counts = np.zeros(shown.shape, bool)
    length = (deals.shown != NO_TILE).sum(axis=1)
    for number in range(deals.ura.shape[1]):
        rows = np.flatnonzero(deals.ura[:, number] != NO_TILE)
        shown[rows, length[rows] + number] = deals.ura[rows, number]
        counts[rows, length[rows] + number] = True
    return _one_by_one(deals, shown, counts)


def _judge_one_by_one(setting: Setting, counts: CaseCounts) -> Outcome | None:
    kinds, steps = setting.kinds, setting.unseen
    sums = counts.sums[:steps][:, :, kinds].astype(float)
    size = (steps - np.arange(steps))[:, None]
    mean = (sums[:, 1] / size).sum(axis=0)
    if mean.min() < nulls.LEAST:
        return None
    products = sums[:, 2:][:, kinds]
    covariance = np.diag(mean) - (products / size[:, :, None] ** 2).sum(axis=0)
    return nulls.vector(counts.n, sums[:, 0].sum(axis=0) - mean, covariance, covariance[:, 0])


def _hits(deals: Deals, waits: I64, turns: Iterable[int] = (0,)) -> CaseCounts:
    """Draws for which somebody waits, by step: hits, such tiles among the unseen, what the variance needs.

    They are counted for the kinds that lie a number of ``turns`` further on in the set than those waited for.
    """
    kinds = deals.kinds
    others = [np.roll(kinds, turn) for turn in turns]
    sums = np.zeros((len(others), STEPS, 3), np.int64)
    left = deals.unseen.astype(np.int64)
    bits = np.arange(KINDS)
    for step in range(deals.shown.shape[1]):
        rows = np.flatnonzero(waits[:, step])
        of_kinds = waits[rows, step, None] >> bits & 1
        size = left[rows].sum(axis=1)
        for number, taken_from in enumerate(others if len(rows) else ()):
            wanted = np.zeros_like(of_kinds)
            wanted[:, kinds] = of_kinds[:, taken_from]
            live = (left[rows] * wanted).sum(axis=1)
            hit = np.take_along_axis(wanted, deals.shown[rows, step, None].astype(np.int64), axis=1)
            sums[number, step] = hit.sum(), live.sum(), (live * (size - live)).sum()
        there = np.flatnonzero(deals.shown[:, step] != NO_TILE)
        left[there, deals.shown[there, step]] -= 1
    return CaseCounts(int((waits != 0).sum()), sums)


def _riichi_draws(deals: Deals) -> CaseCounts:
    """Draws in riichi: of hands whose draws are not known to be those of a wall, then of the others."""
    parts = [_hits(deals, np.where(deals.agrees[:, None] == is_known, deals.waits, 0)) for is_known in (0, 1)]
    return CaseCounts(parts[0].n + parts[1].n, np.concatenate([_with_n(part) for part in parts]))


def _with_n(part: CaseCounts) -> I64:
    """Return the sums, with the number of cases in a last row of which nothing else is counted."""
    sums = part.sums.copy()
    sums[0, -1, 0] = part.n
    return sums


def riichi_draws_of(counts: Iterable[tuple[Setting, CaseCounts]], part: int) -> Outcome:
    """Judge draws in riichi of all settings together: not known to be a wall's (0), or known to be (1)."""
    moments, n = np.zeros(3), 0
    for setting, of_setting in counts:
        n += int(of_setting.sums[part, -1, 0])
        moments += _moments(setting, of_setting.sums[part])
    hits, mean, variance = moments.tolist()
    found = nulls.scalar(n, hits, mean, variance)
    return found or Outcome(n, 1.0, observed=hits, expected=mean)


def _moments(setting: Setting, sums: I64) -> F64:
    """Return hits, their mean and their variance."""
    size = (setting.unseen - np.arange(setting.unseen)).astype(float)
    hits, live, spread = np.moveaxis(sums[..., : setting.unseen, :], -1, 0).astype(float)
    return np.array([hits.sum(axis=-1), (live / size).sum(axis=-1), (spread / size**2).sum(axis=-1)])


def _judge_riichi_draws(setting: Setting, counts: CaseCounts) -> Outcome | None:
    return nulls.scalar(counts.n, *_moments(setting, counts.sums).sum(axis=1))


def _riichi_others(deals: Deals) -> CaseCounts:
    return _hits(deals, deals.awaited)


def _riichi_placebo(deals: Deals) -> CaseCounts:
    return _hits(deals, deals.waits, range(1, len(deals.kinds)))


def _judge_placebo(setting: Setting, counts: CaseCounts) -> Outcome | None:
    return nulls.greatest(counts.n, *_moments(setting, counts.sums))


def _riichi_undrawn(deals: Deals) -> CaseCounts:
    """Tiles that nobody drew, by unseen tiles: waits among them, and what mean and variance need."""
    sums = np.zeros((STEPS, 3), np.int64)
    rows = np.flatnonzero((deals.undrawn_waits != 0) & deals.undrawn.any(axis=1))
    undrawn, shown = deals.undrawn[rows].astype(np.int64), deals.shown[rows]
    wanted = deals.undrawn_waits[rows, None] >> np.arange(KINDS) & 1
    left = deals.unseen[rows].astype(np.int64) - counts_of(shown)
    size, live, number = left.sum(axis=1), (left * wanted).sum(axis=1), undrawn.sum(axis=1)
    hits = (undrawn * wanted).sum(axis=1)
    spread = number * (size - number) * live * (size - live)
    np.add.at(sums, size, np.stack([hits, number * live, spread], axis=1))
    return CaseCounts(len(rows), sums)


def _judge_undrawn(_: Setting, counts: CaseCounts) -> Outcome | None:
    hits, mean, spread = counts.sums.T.astype(float)
    size = np.maximum(np.arange(STEPS), 2.0)
    return nulls.scalar(
        counts.n, hits.sum(), float((mean / size).sum()), float((spread / (size**2 * (size - 1))).sum())
    )


def _ura_hits(deals: Deals) -> CaseCounts:
    """Wins by unseen tiles and indicators shown: ura dora, and what mean and variance need."""
    sums = np.zeros((STEPS, deals.ura.shape[1] + 1, 3), np.int64)
    rows = np.flatnonzero(deals.ura_sums[:, 0])
    left = deals.unseen[rows].sum(axis=1, dtype=np.int64) - (deals.shown[rows] != NO_TILE).sum(axis=1)
    np.add.at(sums, (left, deals.ura_sums[rows, 0]), deals.ura_sums[rows, 1:])
    return CaseCounts(len(rows), sums)


def _judge_ura_hits(_: Setting, counts: CaseCounts) -> Outcome | None:
    hits, mean, variance = np.moveaxis(counts.sums, 2, 0).astype(float)
    size = np.maximum(np.arange(STEPS), 2.0)[:, None]
    number = np.arange(counts.sums.shape[1])
    spread = number * (size - number) / (size - 1) * variance / size**2
    return nulls.scalar(counts.n, hits.sum(), float((number * mean / size).sum()), float(spread.sum()))


def _following(deals: Deals) -> I64:
    """Return the rows that come right after the row before in the same game."""
    same = (deals.game[1:] == deals.game[:-1]) & (deals.number[1:] == deals.number[:-1] + 1)
    rows: I64 = np.flatnonzero(same) + 1
    return rows


def _hands_again(deals: Deals) -> CaseCounts:
    rows = _following(deals)
    held = np.zeros((len(deals), 4, KINDS), np.int64)
    np.put_along_axis(held, deals.seats[:, :, None].astype(np.int64), _held(deals), axis=1)
    return CaseCounts(len(rows), np.array([(held[rows] * held[rows - 1]).sum()]))


def _seats(deals: Deals) -> CaseCounts:
    place = deals.place[deals.place >= 0]
    return CaseCounts(len(place), np.bincount(place, minlength=4))


def _dice(deals: Deals) -> CaseCounts:
    dice = deals.dice[deals.dice >= 0]
    return CaseCounts(len(dice), np.bincount(dice, minlength=_SIDES**2))


def _wall_kinds(deals: Deals) -> CaseCounts:
    walls = deals.wall[deals.has_wall]
    places = np.arange(deals.tiles) * KINDS + walls
    counted = np.bincount(places.ravel(), minlength=deals.tiles * KINDS)
    return CaseCounts(len(walls), counted.reshape(deals.tiles, KINDS))


def _judge_wall_kinds(setting: Setting, counts: CaseCounts) -> Outcome | None:
    kinds = setting.kinds
    return nulls.crossed(counts.n, counts.sums[:, kinds], [1] * setting.size, [4] * len(kinds), (0, 0))


def _wall_reds(deals: Deals) -> CaseCounts:
    walls = np.bincount(deals.reds[deals.has_wall], minlength=MAX_REDS + 1)
    return CaseCounts(int(walls.sum()), np.concatenate([walls, deals.red_places[deals.has_wall].sum(axis=0)]))


def _judge_wall_reds(setting: Setting, counts: CaseCounts) -> Outcome | None:
    walls, places = np.split(counts.sums, [MAX_REDS + 1])
    return nulls.marked(walls, places, [1] * setting.size, 0)


def _neighbours(deals: Deals) -> CaseCounts:
    walls = deals.wall[deals.has_wall]
    return CaseCounts(len(walls), np.array([(walls[:, 1:] == walls[:, :-1]).sum()]))


def _walls_again(deals: Deals) -> CaseCounts:
    rows = _following(deals)
    rows = rows[deals.has_wall[rows] & deals.has_wall[rows - 1]]
    return CaseCounts(len(rows), np.array([(deals.wall[rows] == deals.wall[rows - 1]).sum()]))


def _dead_kinds(deals: Deals) -> CaseCounts:
    dead = deals.dead[deals.has_wall]
    half = dead.shape[1] // 2
    return CaseCounts(
        len(dead), np.stack([counts_of(dead[:, :half]).sum(axis=0), counts_of(dead[:, half:]).sum(axis=0)])
    )


def _judge_dead_kinds(setting: Setting, counts: CaseCounts) -> Outcome | None:
    kinds = setting.kinds
    table = np.vstack([counts.sums[:, kinds], 4 * counts.n - counts.sums[:, kinds].sum(axis=0)])
    return nulls.crossed(counts.n, table, [5, 5, setting.size - 10], [4] * len(kinds), (1, 0))


def _ura_below(deals: Deals) -> CaseCounts:
    """The first ura indicator beside the indicator above it: equal, the dora, or neither."""
    dead = deals.dead[deals.has_wall]
    above, below = dead[:, 0].astype(np.int64), dead[:, dead.shape[1] // 2]
    same, dora = int((above == below).sum()), int((_dora_table(deals.players)[above] == below).sum())
    return CaseCounts(len(dead), np.array([same, dora, len(dead) - same - dora]))


def _number(moments: Callable[[Setting], tuple[float, float]]) -> ShuffleJudge:
    """Return what judges one number by the mean and the variance that chance gives it in each case."""

    def judge(setting: Setting, counts: CaseCounts) -> Outcome | None:
        mean, variance = moments(setting)
        return nulls.scalar(counts.n, int(counts.sums[0]), counts.n * mean, counts.n * variance)

    return judge


_judge_hands_again = _number(lambda s: nulls.equal_places(s.groups, [4] * len(s.kinds), s.seats))
_judge_walls_again = _number(lambda s: nulls.equal_places([1] * s.size, [4] * len(s.kinds), s.size))
_judge_neighbours = _number(lambda setting: nulls.equal_neighbours(setting.size))


def _shares(chances: Callable[[Setting], Iterable[float]], cell: int = 0) -> ShuffleJudge:
    """Return what judges cases by category, by the chance of each; the bias is that of category ``cell``."""
    return lambda setting, counts: nulls.categories(counts.sums, list(chances(setting)), cell)


_judge_shanten = _shares(
    lambda s: (number / comb(s.size, HAND_SIZE) for number in shanten_counts(s.players)), 2
)
_judge_seats = _shares(lambda s: [1 / s.players] * s.players)
_judge_dice = _shares(lambda _: [_SIDES**-2] * _SIDES**2)
_judge_ura_below = _shares(lambda s: (number / (s.size - 1) for number in (3, 4, s.size - 8)), 1)


def _of_all(setting: Setting) -> bool:
    return setting.seats > 1


def _has_seat(column: int) -> Callable[[Setting], bool]:
    return lambda setting: 1 < setting.seats > column


CHECKS = (
    ShuffleTest("dealt-kinds", "Is each kind of tile dealt to each seat as often as chance has it?",
          "a kind is dealt to a seat", _dealt_kinds, _judge_kinds),
    ShuffleTest("dealt-classes", "Are honours, terminals and simples dealt to each seat alike?",
          "an honour is dealt to a seat", _dealt_kinds, _judge_classes),
    ShuffleTest("dealt-reds", "Are red fives dealt to each seat alike?",
          "a red five is dealt to a seat", _dealt_reds, _judge_dealt_reds),
    ShuffleTest("dealt-dora", "Are dora dealt to each seat alike?",
          "a dora is dealt to a seat", _dealt_dora, _judge_dealt_dora),
    ShuffleTest("pairs", "Do hands begin with as many pairs and triplets as chance has it?",
          "a hand begins with a pair", _pairs, _judge_pairs),
    ShuffleTest("shanten", "Is the shanten of the player's starting hands that of chance?",
          "a hand begins 2-shanten", _shanten_of(0), _judge_shanten, fits=lambda setting: setting.seats == 1),
    *(
        ShuffleTest(f"shanten-{wind}", f"Is the shanten of {wind}'s starting hands that of chance?",
              f"{wind}'s hand begins 2-shanten", _shanten_of(column), _judge_shanten,
              fits=_has_seat(column))
        for column, wind in enumerate(WINDS)
    ),
    ShuffleTest("indicators", "Is each kind the first dora indicator equally often?",
          "a kind is the indicator", _indicators, _judge_indicators, fits=_of_all),
    ShuffleTest("draws", "Is each tile drawn or turned equally likely to be any unseen one?",
          "a kind is drawn", _draws, _judge_one_by_one, cases="tiles"),
    ShuffleTest("riichi-draws", "Do players in riichi draw their waits as often as chance has it?",
          "a wait is drawn", _riichi_draws, _judge_riichi_draws, cases="draws"),
    ShuffleTest("riichi-others", "Do others draw what players in riichi wait for as often as chance has it?",
          "a wait is drawn by others", _riichi_others, _judge_riichi_draws, cases="draws"),
    ShuffleTest("riichi-undrawn", "Are waits of players in riichi among the undrawn tiles as often as chance "
          "has it?", "a wait is undrawn", _riichi_undrawn, _judge_undrawn, cases="hands"),
    ShuffleTest("riichi-placebo", "Do players in riichi draw other kinds, as many as they wait for, as often "
          "as chance has it?", "a kind is drawn", _riichi_placebo, _judge_placebo, cases="draws"),
    ShuffleTest("ura-kinds", "Is each ura indicator equally likely to be any unseen tile?",
          "a kind is an ura indicator", _ura_kinds, _judge_one_by_one, cases="tiles"),
    ShuffleTest("ura-hits", "Do hands that win with riichi get as many ura dora as chance has it?",
          "an ura dora", _ura_hits, _judge_ura_hits, cases="wins"),
    ShuffleTest("hands-again", "Do players get tiles again that they were dealt in the hand before?",
          "a tile comes again", _hands_again, _judge_hands_again, cases="pairs of hands"),
    ShuffleTest("seats", "Is each place by rating first dealer, or the player in each seat, equally often?",
          "the highest rating deals first, or the player sits there", _seats, _judge_seats, cases="games"),
    ShuffleTest("dice", "Is each throw of the dice equally likely?", "a throw", _dice, _judge_dice,
          fits=_of_all),
    ShuffleTest("wall-kinds", "Does each kind lie in each place of the wall equally often?",
          "a kind lies in a place", _wall_kinds, _judge_wall_kinds, fits=_of_all,
          cases="walls"),
    ShuffleTest("wall-reds", "Do red fives lie in each place of the wall equally often?",
          "a red five lies in a place", _wall_reds, _judge_wall_reds, fits=_of_all,
          cases="walls"),
    ShuffleTest("neighbours", "Are neighbours in the wall of one kind as often as chance has it?",
          "a tile has its like beside it", _neighbours, _judge_neighbours, fits=_of_all,
          cases="walls"),
    ShuffleTest("walls-again", "Does a tile lie where its like lay in the wall before?",
          "a kind lies where it lay", _walls_again, _judge_walls_again, fits=_of_all,
          cases="pairs of walls"),
    ShuffleTest("dead-wall", "Is each kind among indicators and ura indicators, seen or not, equally often?",
          "a kind is among the ura indicators", _dead_kinds, _judge_dead_kinds, fits=_of_all,
          cases="walls"),
    ShuffleTest("ura-below", "Does the first ura indicator not depend on the indicator above it?",
          "the ura indicator is the dora", _ura_below, _judge_ura_below, fits=_of_all,
          cases="walls"),
)  # fmt: skip
"""Every test but that of repeated deals, which adds up no counts."""
RIICHI_DRAWS = next(check for check in CHECKS if check.name == "riichi-draws")
"""The test that has a verdict of its own; see :func:`~paifu.reports.fairness.sums.results`."""

REPEATS = ShuffleTest(
    "repeats", "Does no deal come twice in different games?", "",
    lambda deals: CaseCounts(len(deals), np.zeros(0, np.int64)), lambda _setting, _counts: None, fits=_of_all,
)  # fmt: skip
"""How the test of repeated deals is shown; see :meth:`~paifu.reports.fairness.sums.Sums.outcomes`."""


def named(names: Iterable[str]) -> frozenset[str]:
    """Return names of tests as they are called. Raises ArgumentError for one that does not exist."""
    known = [check.name for check in (*CHECKS, REPEATS)]
    wanted = frozenset(part.strip() for name in names for part in name.split(","))
    for name in sorted(wanted - set(known)):
        raise ArgumentError(
            _("there is no test {name!r}; the tests are {known}").format(name=name, known=", ".join(known))
        )
    return wanted
