"""Replaying: a batch, or one game, played again under its rules."""

from __future__ import annotations

from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.review_sentences import review_cases
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.table.replayed import Replay
from paifu.replay.views.games import Game


def replay_games(
    games: Batch | Game, rules: Rules | None = None, *, settings: Settings = (), review: bool = False
) -> Replay:
    """Replay every hand of a batch or of one game; return the tables of what was found out.

    ``rules`` and ``settings`` are those of :func:`paifu.verify`. With ``review`` the players' choices are
    looked at, too. ``paifu.findings(replayed)`` puts its findings in words.

    >>> import paifu
    >>> (game,) = paifu.read("sample_logs/formats/hanchan.mjlog.gz")
    >>> replayed = replay_games(game)
    >>> replayed.checked.hands, len(replayed.findings), replayed.rulesets[0].name
    (14, 0, 'tenhou')
    """
    from paifu.replay.table import engine

    batch = games.batch() if isinstance(games, Game) else games
    return engine.replay(batch, *rulesets_for_replay(rules, settings), review=review)


def findings(replayed: Replay) -> list[Finding]:
    """Return the findings of a replay in words: those of verification, then those of the review if it ran.

    >>> import paifu
    >>> (game,) = paifu.read("sample_logs/formats/hanchan.mjlog.gz")
    >>> findings(replay_games(game))
    []
    """
    return [in_words(case) for case in (*cases(replayed), *review_cases(replayed))]
