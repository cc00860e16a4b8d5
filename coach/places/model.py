"""Chances of each place of a game from its scores, and what they are worth.

A game is played on many times from where it stands: each hand ends as a real one did
(:mod:`~paifu.coach.places.templates`), with honba, sticks, dealer and end of the game by the ruleset. The
draws are the same for every state, and spread evenly: the first hand goes through all templates in turn. So
the same state always has the same chances, and those of neighbouring states can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from paifu.coach.kernels import place_chances
from paifu.coach.kernels.place_chances import PlaceCourse
from paifu.coach.places.templates import Template, Templates, end_under, shipped_templates
from paifu.replay.arrays import F64, I64
from paifu.replay.course.settlement import HANDS_A_WIND, HandStart
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.rules.choices import Scheme, SticksLeft, TieBreak
from paifu.replay.rules.ruleset import FIELDS, Ruleset

SAMPLES = 512
"""Times that a game is played on: a power of 2. With 4 times as many, the mean log loss falls by .0002."""
LATTICE = 235
"""Multiplier of the lattice that the draws lie on (Korobov's)."""
FINE = 4096
"""Samples where a single state is asked for."""
DEPTHS = 24
"""Hands whose draws are spread evenly."""


@dataclass(frozen=True, slots=True)
class GameState:
    """Where a game is between two hands: scores by seat, and the hand that is next.

    ``is_over`` says that no hand follows; the rest is then that of the last one.
    """

    scores: tuple[int, ...]
    start: HandStart
    first_dealer: int = 0
    is_over: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """What becomes of the seats of one game."""

    places: F64
    """(seats, places) chance of each place, first to last; rows and columns sum to 1."""
    scores: F64
    """(seats,) mean final score, with sticks left over where the first takes them."""


class PlaceModel:
    """Chances of places under one ruleset.

    >>> from paifu.replay.rulesets.presets import load_preset
    >>> model = place_model(load_preset("tenhou"))
    >>> over = GameState((40000, 30000, 20000, 10000), HandStart(7, 0, 0, 3), is_over=True)
    >>> model.chances([over])[0].places[1].tolist()
    [0.0, 1.0, 0.0, 0.0]
    """

    def __init__(self, rules: Ruleset, templates: Templates, samples: int = SAMPLES, seed: int = 1) -> None:
        self.rules = rules
        ends, order = templates.ends_under(rules)
        hands = 0 if rules.progress.ceiling_points else rules.table.players * rules.table.wind_rounds
        ways = np.zeros((hands * samples, place_chances.W_SIZE), np.int32)
        points, scratch = _spread(len(order), samples, seed), np.zeros((3, place_chances.G_SIZE), np.int64)
        self._course = PlaceCourse(ends, order, points, ways, _kernel_rules(rules), scratch)
        endless = _kernel_rules(rules)
        endless.tobi = 0
        place_chances.fill_ways(self._course._replace(rules=endless))

    def chances(self, states: Sequence[GameState]) -> list[Chances]:
        """Return the chances of each state."""
        players = self.rules.table.players
        answers = self.answers(_rows(states))
        return [
            Chances(a[:players, :players].copy(), a[:players, place_chances.MEAN_SCORE].copy())
            for a in answers
        ]

    def answers(self, games: I64) -> F64:
        """Return (n, 4, A_SIZE) answers for (n, G_SIZE) games; the kernels say what is where."""
        answers = np.zeros((len(games), 4, place_chances.A_SIZE))
        place_chances.place_chances(games, self._course, answers)
        return answers

    def after(self, state: GameState, ends: Sequence[Template]) -> list[GameState | None]:
        """Return where the game is after each of several ends of a hand; None for one that cannot be."""
        rows = [end_under(template, self.rules) for template in ends]
        games = _rows([state] * len(rows))
        possible = [row for row in rows if row is not None]
        taken = np.array([row is not None for row in rows], bool)
        some = np.ascontiguousarray(games[taken])
        if possible:
            place_chances.end_hands(some, np.array(possible, np.int32), self._course.rules)
        found = iter(some.tolist())
        return [_state(next(found), self.rules.table.players) if row is not None else None for row in rows]

    def after_some(self, games: I64, number: int) -> I64:
        """Return (n, number, G_SIZE) games: each of (n, G_SIZE) after ends drawn evenly from all."""
        places = (2 * np.arange(number) + 1) * len(self._course.order) // (2 * number)
        return self.after_ends(games, self._course.ends[self._course.order[places]])

    def after_ends(self, games: I64, ends: npt.NDArray[np.int32]) -> I64:
        """Return (n, m, G_SIZE) games: each of (n, G_SIZE) after each of (m, E_SIZE) ends."""
        after = np.repeat(games, len(ends), axis=0)
        place_chances.end_hands(after, np.tile(ends, (len(games), 1)), self._course.rules)
        return after.reshape(len(games), len(ends), place_chances.G_SIZE)


@lru_cache(maxsize=64)
def place_model(rules: Ruleset, samples: int = SAMPLES, seed: int = 1) -> PlaceModel:
    """Return the model that comes with the package, for a ruleset of riichi; ``samples`` is a power of 2.

    Models with other seeds draw otherwise: means over several are more exact than those of one.

    Raises ArgumentError where there is none: for other games, two players and wareme.
    """
    templates = shipped_templates(rules.table.players) if rules.game.scheme == Scheme.HAN_FU else None
    if templates is None:
        raise ArgumentError(
            _(
                "there are no place chances for {rules}: they are for riichi with three or four players"
            ).format(rules=rules.name)
        )
    if rules.payment.wareme:
        raise ArgumentError(_("there are no place chances with wareme, which the dice decide"))
    return PlaceModel(rules, templates, samples, seed)


def state_at(
    rules: Ruleset, scores: Sequence[int], round_: int, *, honba: int = 0, sticks: int = 0
) -> GameState:
    """Return the state of a game in which seat 0 dealt first. Raises ArgumentError for what cannot be."""
    players = rules.table.players
    wind, turn = divmod(round_, HANDS_A_WIND)
    if len(scores) != players:
        raise ArgumentError(
            _("{count} scores for {players} players; give one for each seat").format(
                count=len(scores), players=players
            )
        )
    if turn >= players or wind >= rules.table.max_wind_rounds:
        raise ArgumentError(_("there is no such round under the rules {rules}").format(rules=rules.name))
    return GameState(tuple(scores), HandStart(round_, honba, sticks, turn))


def _rows(states: Sequence[GameState]) -> I64:
    rows = np.zeros((len(states), place_chances.G_SIZE), np.int64)
    for row, state in zip(rows, states, strict=True):
        row[: len(state.scores)] = state.scores
        start = state.start
        row[place_chances.G_ROUND : place_chances.G_DEALER + 1] = (
            start.round,
            start.honba,
            start.sticks,
            start.dealer,
        )
        row[place_chances.G_FIRST :] = state.first_dealer, state.is_over
    return rows


def _state(row: list[int], players: int) -> GameState:
    start = HandStart(*row[place_chances.G_ROUND : place_chances.G_DEALER + 1])
    return GameState(tuple(row[:players]), start, row[place_chances.G_FIRST], bool(row[place_chances.G_OVER]))


def _spread(drawn: int, samples: int, seed: int) -> npt.NDArray[np.int32]:
    """Return (DEPTHS, samples) places in ``order``: a lattice, which spreads pairs of hands evenly, too."""
    rng = np.random.default_rng(seed)
    steps = [pow(LATTICE, depth, samples) for depth in range(DEPTHS)]
    shares = (np.outer(steps, np.arange(samples)) / samples + rng.random((DEPTHS, 1))) % 1
    return (shares * drawn).astype(np.int32)


def _kernel_rules(rules: Ruleset) -> place_chances.PlaceRules:
    named = {name: int(rules[name]) for name in place_chances.PlaceRules.fields() if name in FIELDS}
    return place_chances.PlaceRules(
        **named,
        tie_share=int(rules.final.tie_break == TieBreak.SHARE),
        sticks_to_first=int(rules.final.sticks_left == SticksLeft.FIRST),
    )
