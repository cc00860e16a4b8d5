"""Who plays: players of our own, also at other people's tables, and bots that are named by a command."""

from __future__ import annotations

import shlex
import shutil
from typing import TYPE_CHECKING

from paifu.api.rulesets import Rules, Settings, riichi_ruleset
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.rulesets.presets import RuleError

if TYPE_CHECKING:
    from paifu.parsers.mjai.player import MjaiPlayer
    from paifu.parsers.mjai.table import Speaker
    from paifu.replay.rules.ruleset import Ruleset

OWN = "paifu:"
"""Beginning of the name of one of paifu's players that plays within this process."""
SEAT = "{seat}"
"""In a command, the seat of the bot in this game."""
_LONGEST_NAME = 60


def bot(player: str, *, rules: Rules | None = None, seed: int = 0, seat: int | None = None) -> MjaiPlayer:
    """Return a simulated player that speaks mjai: give its ``react`` events, and it returns its answer.

    ``player`` is a kind as ``paifu simulate --players`` takes it, or ``policy``: what strong players would
    most likely do. ``rules`` are those of the server, by default Tenhou's for three or four players. What the
    player leaves to chance follows from ``seed``. ``seat`` is where it sits if ``start_game`` states no
    ``id``. Raises ArgumentError and RuleError.

    >>> player = bot("tile-efficient")
    >>> hand = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p 2p 3p".split()
    >>> hidden = 13 * ["?"]
    >>> start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
    ...     "dora_marker": "9s", "scores": 4 * [25000], "tehais": [hand, hidden, hidden, hidden]}
    >>> player.react([{"type": "start_game", "id": 0}, start, {"type": "tsumo", "actor": 0, "pai": "C"}])
    {'type': 'reach', 'actor': 0}
    """
    from paifu.parsers.mjai.player import MjaiPlayer
    from paifu.replay.simulate.games import POLICY, player_named

    try:
        chosen = POLICY if player == "policy" else player_named(player)
    except ValueError as error:
        raise ArgumentError(str(error)) from error
    return MjaiPlayer(chosen, rules=None if rules is None else mjai_ruleset(rules), seed=seed, seat=seat)


def mjai_ruleset(rules: Rules, settings: Settings = ()) -> Ruleset:
    """Return a ruleset of riichi for games told in mjai. Raises RuleError if they cannot be."""
    chosen = riichi_ruleset(rules, settings)
    if chosen.flowers:
        raise RuleError(
            _("mjai has no word for a flower; play with flowers_dora = false, not {name}").format(
                name=chosen.name
            )
        )
    return chosen


def check(command: str) -> None:
    """Raise ArgumentError for a bot that cannot be: no such player of paifu's, or no such program."""
    if command.startswith(OWN):
        bot(command.removeprefix(OWN))
        return
    words = split(command)
    if shutil.which(words[0]) is None:
        raise ArgumentError(
            _("there is no program {words!r}; a bot is a command, or {own}KIND").format(
                words=words[0], own=OWN
            )
        )


def split(command: str) -> list[str]:
    """Split a command as a shell does. Raises ArgumentError where it cannot be split, or is empty."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ArgumentError(
            _("{command!r} cannot be split into words: {error}").format(command=command, error=error)
        ) from error
    if not words:
        raise ArgumentError(_("a bot's command is empty"))
    return words


def label(command: str) -> str:
    """Return the name by which a bot goes: its command, shortened."""
    return command if len(command) <= _LONGEST_NAME else f"{command[: _LONGEST_NAME - 1]}…"


def speaker(
    command: str, seat: int, *, timeout: float, rules: Rules | None = None, lists: bool = False
) -> Speaker:
    """Return a bot that is ready to play in ``seat``; paifu's players go by ``rules``. Raises BotError."""
    from paifu.parsers.mjai.process import BotProcess
    from paifu.parsers.mjai.table import LineSpeaker, ListSpeaker, OwnSpeaker

    if command.startswith(OWN):
        return OwnSpeaker(bot(command.removeprefix(OWN), rules=rules))
    process = BotProcess([word.replace(SEAT, str(seat)) for word in split(command)], timeout=timeout)
    return ListSpeaker(process) if lists else LineSpeaker(process)
