"""Luck: what chance brought each player, hand by hand, and the results without it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Done, Once, Paths, Run, Unit, Watch, names_in, unread
from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.coach.luck.ledger import luck_ledger
from paifu.coach.luck.of_game import luck_of_game
from paifu.coach.luck.views import GameLuck
from paifu.coach.places.utilities import RULES, UTILITIES
from paifu.replay.errors import ArgumentError
from paifu.replay.findings.finding import Finding
from paifu.replay.foreign_text import name_key
from paifu.replay.language import _
from paifu.replay.rulesets.presets import Given
from paifu.replay.views.games import Game
from paifu.reports.luck import (
    HAND_COLUMNS,
    LuckByPlayer,
    PlayerLuck,
    by_player,
    hand_rows,
    player_columns,
    player_rows,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class LuckPart:
    """Luck in some of the input."""

    players: LuckByPlayer
    hands: list[dict[str, Any]]
    """A row for each hand and seat, if they were asked for."""
    games: int
    left_out: int
    """Games of which luck is not measured."""


@dataclass(frozen=True, slots=True)
class Luck:
    """Luck of players and hands, as rows and as DataFrames."""

    players: list[dict[str, Any]]
    """A row for each player: games, hands, and means of a game with 95% intervals."""
    hands: list[dict[str, Any]]
    """A row for each hand and seat."""
    games: int
    left_out: int
    """Games of which luck is not measured: unfinished, with hidden tiles, not riichi of four players."""
    faults: list[Finding]
    """What could not be read."""
    utility: str

    @property
    def frame(self) -> pd.DataFrame:
        """The rows of hands as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.hands, columns=list(HAND_COLUMNS))

    @property
    def by_player(self) -> pd.DataFrame:
        """The rows of players as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.players, columns=list(player_columns(utility=bool(self.utility))))


def luck(
    paths: Paths,
    *,
    player: str | Iterable[str] = (),
    utility: str = "",
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
) -> Luck:
    """Return how much of the results was luck: chance nodes against the mean of what might have come.

    Chance nodes are the deal with the first indicator, every draw, kan dora and ura. What players chose is
    not in it. ``player`` are names of those to show (letter case does not matter), by default everybody.
    ``utility`` is one of :func:`paifu.places`, in which results and luck are given, too. ``rules``,
    ``settings``, ``only`` and ``jobs`` are those of :func:`paifu.verify`. Raises PathNotFound,
    ArgumentError.

    >>> import paifu
    >>> found = paifu.luck("sample_logs/formats/hanchan.mjlog.gz")
    >>> {row["player"]: (round(row["result"]), round(row["luck"])) for row in found.players}
    {'Botan': (-1200, -9970), 'dahlia 3': (-20100, -377), 'チドリ': (24700, 10215), '葵': (-3400, -1798)}
    """
    names = [player] if isinstance(player, str) else list(player)
    run = measuring(
        paths, utility, by_hand=True, rules=rulesets_for_replay(rules, settings), only=only, jobs=jobs
    )
    players: LuckByPlayer = {}
    hands: list[dict[str, Any]] = []
    games = left_out = 0
    for part in run:
        add_players(players, part.players)
        hands += part.hands
        games, left_out = games + part.games, left_out + part.left_out
    shown = shown_players(players, names)
    if names:
        hands = [row for row in hands if row["player"] in shown]
    return Luck(player_rows(shown, utility=bool(utility)), hands, games, left_out, run.faults, utility)


def game_luck(
    game: Game, *, utility: str = RULES, rules: Rules | None = None, settings: Settings = ()
) -> GameLuck:
    """Return the course of a game: place chances after every event, and the luck of every chance node.

    ``game`` is one of :func:`paifu.read`; ``rules`` and ``settings`` are those of :func:`paifu.verify`,
    ``utility`` is one of :func:`paifu.places`: what swings and leverage are in. Raises ArgumentError with
    the reason if luck is not measured in such a game.

    >>> import paifu
    >>> (game,) = paifu.read("sample_logs/formats/hanchan.mjlog.gz")
    >>> found = paifu.game_luck(game)
    >>> [game.hands[hand.number].label for hand in found.turning_points(2)]
    ['E2.0', 'E3.0']
    >>> hand = found.hands[0]
    >>> [round(points) for points in hand.luck]
    [1743, -1844, -881, 179]
    >>> hand.moment.kind.value, hand.moment.event, [round(points) for points in hand.moment.luck]
    ('draw', 40, [2187, -658, -895, -660])
    >>> ((hand, moment),) = found.swings(1)
    >>> event = game.hands[hand.number].events[moment.event]
    >>> event.kind.name, event.seat, [round(change) for change in moment.swing]
    ('WIN', 2, [2, -1, 33, -33])
    """
    check_utility(utility)
    return luck_of_game(game, *rulesets_for_replay(rules, settings), worth=utility)


def check_utility(utility: str) -> None:
    """Raise ArgumentError for the name of no utility."""
    if utility not in UTILITIES:
        raise ArgumentError(
            _("there is no utility {name!r}; there are {names}").format(
                name=utility, names=", ".join(UTILITIES)
            )
        )


def add_players(players: LuckByPlayer, more: LuckByPlayer) -> None:
    """Add the sums of a part."""
    for name, one in more.items():
        players.setdefault(name, PlayerLuck()).add(one)


def shown_players(players: LuckByPlayer, names: Iterable[str]) -> LuckByPlayer:
    """Return the players of these names, or all if there are none."""
    wanted = set(map(name_key, names))
    return {name: one for name, one in players.items() if not wanted or name_key(name) in wanted}


def measuring(
    paths: Paths,
    utility: str = "",
    *,
    by_hand: bool = False,
    rules: tuple[Given, ...] = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Run[LuckPart]:
    """Return a run that measures luck: iterate over it for what each unit of input gave."""
    if utility:
        check_utility(utility)
    work = partial(_measure, utility, by_hand, rules, only)
    return Run(paths, work, jobs=jobs, watch=watch, once=Once.HANDS)


def _measure(utility: str, by_hand: bool, rules: tuple[Given, ...], only: Only, unit: Unit) -> Done[LuckPart]:
    batch, _inputs, left_out = only.read(unit)
    ledger = luck_ledger(batch, *rules, worth=utility, outlook=by_hand)
    part = LuckPart(
        by_player(batch, ledger),
        list(hand_rows(batch, ledger)) if by_hand else [],
        len(ledger.games),
        ledger.left_out,
    )
    names = names_in(batch.games.names)
    return Done(part, len(batch), unread(batch.faults), left_out, names=names)
