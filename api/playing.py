"""Players of our own at other people's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paifu.api.rulesets import Rules, riichi_ruleset
from paifu.replay.errors import ArgumentError

if TYPE_CHECKING:
    from paifu.parsers.mjai.player import MjaiPlayer


def bot(player: str, *, rules: Rules | None = None, seed: int = 0, seat: int | None = None) -> MjaiPlayer:
    """Return a simulated player that speaks mjai: give its ``react`` events, and it returns its answer.

    ``player`` is a kind as ``paifu simulate --players`` takes it. ``rules`` are those of the server, by
    default Tenhou's for three or four players. What the player leaves to chance follows from ``seed``.
    ``seat`` is where it sits if ``start_game`` states no ``id``. Raises ArgumentError and RuleError.

    >>> player = bot("tile-efficient")
    >>> hand = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p 2p 3p".split()
    >>> hidden = 13 * ["?"]
    >>> start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
    ...     "dora_marker": "9s", "scores": 4 * [25000], "tehais": [hand, hidden, hidden, hidden]}
    >>> player.react([{"type": "start_game", "id": 0}, start, {"type": "tsumo", "actor": 0, "pai": "C"}])
    {'type': 'reach', 'actor': 0}
    """
    from paifu.parsers.mjai.player import MjaiPlayer
    from paifu.replay.simulate.games import player_named

    try:
        chosen = player_named(player)
    except ValueError as error:
        raise ArgumentError(str(error)) from error
    return MjaiPlayer(chosen, rules=None if rules is None else riichi_ruleset(rules), seed=seed, seat=seat)
