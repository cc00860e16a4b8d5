"""Games between mjai bots at paifu's table: duplicate walls, seats rotated, every log verified."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from paifu.api.playing import OWN, check, label, mjai_ruleset, speaker
from paifu.api.rulesets import Rules, Settings
from paifu.parsers.mjai.process import ending_well
from paifu.parsers.mjai.table import MjaiTable
from paifu.parsers.simulated import draft_of
from paifu.parsers.spreading import run
from paifu.parsers.workers import default_jobs
from paifu.parsers.writers import WRITERS
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.places.utilities import RULES
from paifu.replay.rules.ruleset import Ruleset
from paifu.reports.luck import VALUES, game_values
from paifu.reports.statistics.matches import BotStanding, Placed, share_of_games, standings

if TYPE_CHECKING:
    from paifu.replay.simulate.games import PlayedGame

TIMEOUT = 10.0
_UNIT_WALLS = 10


@dataclass(frozen=True, slots=True)
class Match:
    """What is to be played."""

    commands: tuple[str, ...]
    rules: Ruleset
    seed: int
    timeout: float
    lists: bool
    log_format: str
    """Empty for no logs."""


@dataclass(slots=True)
class ArenaPart:
    """What came of some walls."""

    placed: list[Placed] = field(default_factory=list)
    faults: list[Counter[str]] = field(default_factory=list)
    """By command."""
    notes: list[dict[str, str]] = field(default_factory=list)
    """By command, the first fault of each kind in words."""
    logs: list[bytes] = field(default_factory=list)
    hands: int = 0
    findings: int = 0


@dataclass(slots=True)
class Arena:
    """The result."""

    standings: list[BotStanding]
    games: int
    hands: int
    findings: int
    """What verification finds in the logs; any is a fault of paifu's."""

    @property
    def share_of_games(self) -> float | None:
        """What share of the games would say as much about points without luck; None if it is not known."""
        return share_of_games(self.standings)


def arena(
    bots: Sequence[str],
    games: int,
    *,
    rules: Rules | None = None,
    settings: Settings = (),
    seed: int = 0,
    timeout: float = TIMEOUT,
    lists: bool = False,
    log_format: str = "",
    jobs: int | None = 1,
    on_part: Callable[[ArenaPart], None] | None = None,
) -> Arena:
    """Let three or four mjai bots play games, and return how they did.

    ``bots`` are commands, split as a shell does and run without one, or ``paifu:KIND`` for one of paifu's
    players in this process. ``games`` is rounded up so that each wall is played once from each seat. A bot
    that does not answer within ``timeout`` seconds is ended and its turns are played for it, to the end of
    the game. With ``lists`` a bot gets a list of all events since its last turn instead of each alone. Each
    part's ``logs`` are written in ``log_format``, if one is given. Raises ArgumentError and RuleError.

    >>> result = arena(["paifu:balanced", "paifu:tile-efficient", "paifu:tile-efficient"], 3)
    >>> [row.games for row in result.standings], result.findings
    ([3, 6], 0)
    """
    chosen = _rules_for(len(bots), rules, settings)
    for command in bots:
        check(command)
        if command == f"{OWN}policy":
            from paifu.replay.simulate.policy_seat import policy_for  # its network takes its time to import

            policy_for(len(bots))
    match = Match(tuple(bots), chosen, seed, timeout, lists, log_format)
    walls = -(-games // len(bots))
    is_own = all(command.startswith(OWN) for command in bots)
    size = max(1, min(_UNIT_WALLS if is_own else 1, walls // (4 * (jobs or default_jobs()))))
    units: Iterator[range] = (range(first, min(first + size, walls)) for first in range(0, walls, size))
    whole = ArenaPart(faults=[Counter[str]() for _ in bots], notes=[{} for _ in bots])
    with ending_well():
        for part in run(units, partial(play_walls, match), jobs=jobs or default_jobs()):
            if on_part is not None:
                on_part(part)
            whole.placed += part.placed
            whole.hands += part.hands
            whole.findings += part.findings
            for number, faults in enumerate(part.faults):
                whole.faults[number] += faults
                whole.notes[number] = part.notes[number] | whole.notes[number]
    rows = standings(whole.placed, len(bots))
    for row in rows:
        numbers = [number for number, command in enumerate(bots) if label(command) == row.name]
        row.faults = dict(sum((whole.faults[number] for number in numbers), Counter[str]()))
        row.notes = {kind: told for number in numbers[::-1] for kind, told in whole.notes[number].items()}
    return Arena(rows, walls * len(bots), whole.hands, whole.findings)


def _rules_for(players: int, rules: Rules | None, settings: Settings) -> Ruleset:
    if players not in (3, 4):
        raise ArgumentError(_("three or four bots play, not {count}").format(count=players))
    chosen = mjai_ruleset(rules or ("tenhou" if players == 4 else "tenhou-sanma"), settings)
    if chosen.table.players != players:
        raise ArgumentError(
            _("{rules} is for {players} players; {bots} bots were given").format(
                rules=chosen.name, players=chosen.table.players, bots=players
            )
        )
    return chosen


def play_walls(match: Match, walls: Sequence[int]) -> ArenaPart:
    """Play each of some walls once from each seat; the work of one process."""
    from paifu.replay.table.engine import replay

    with ending_well():
        players = len(match.commands)
        part = ArenaPart(faults=[Counter[str]() for _ in match.commands], notes=[{} for _ in match.commands])
        builder = BatchBuilder()
        for wall in walls:
            for turn in range(players):
                at = [(seat - turn) % players for seat in range(players)]
                game = _play(match, wall, at, part)
                part.hands += len(game.hands)
                names = [label(match.commands[number]) for number in at]
                draft = draft_of(game, f"wall {wall} turn {turn}", match.log_format or "paifu")
                draft.game["names"] = [*names, ""][:4]
                builder.add(draft)
                assert game.result is not None  # noqa: S101  games are played to their end
                result = game.result
                for seat, name in enumerate(names):
                    placed = Placed(
                        wall, name, result.places[seat], result.points[seat] / 1000, result.scores[seat]
                    )
                    part.placed.append(placed)
        batch = builder.finish()
        part.findings = len(replay(batch).findings)
        _add_luck(part, batch)
        if match.log_format:
            part.logs = list(WRITERS[match.log_format].games(batch))
        return part


def _add_luck(part: ArenaPart, batch: Batch) -> None:
    """Say of each bot in each game what luck brought it, where that is measured."""
    from paifu.replay.luck.ledger import luck_ledger

    ledger = luck_ledger(batch, worth=RULES)
    luck = game_values(ledger)[:, :, VALUES.index("utility_luck")]
    for game, row in zip(ledger.games.tolist(), luck.tolist(), strict=True):
        players = int(batch.games.players[game])
        for seat in range(players):
            at = players * game + seat
            if not math.isnan(row[seat]):
                part.placed[at] = replace(part.placed[at], luck=row[seat])


def _play(match: Match, wall: int, at: Sequence[int], part: ArenaPart) -> PlayedGame:
    """Play a wall with the bot number ``at[seat]`` in each seat."""
    from paifu.replay.simulate.driven import DrivenGames

    openings = [
        partial(
            speaker, match.commands[number], seat, timeout=match.timeout, rules=match.rules, lists=match.lists
        )
        for seat, number in enumerate(at)
    ]
    table = MjaiTable(openings, [label(match.commands[number]) for number in at])
    try:
        table.begin_game()
        game = DrivenGames(match.rules, table).game(match.seed << 32 | wall)
        table.end_game(game)
    finally:
        table.close()
        for seat, number in enumerate(at):
            part.faults[number] += table.faults[seat]
            part.notes[number] = table.notes[seat] | part.notes[number]
    return game
