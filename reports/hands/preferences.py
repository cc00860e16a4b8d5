"""Where an engine would have moved otherwise than the player, as remarks beside the moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from paifu.replay.findings.finding import Finding, Severity
from paifu.replay.foreign_text import display_name
from paifu.replay.language import _, ngettext
from paifu.replay.views.games import Game, Hand
from paifu.replay.views.verdicts import RatedOption, Verdict

PREFERENCE = "preference"
"""Name of such a remark, in the place of a finding's."""
_MAX_ENGINE = 40


def preferences(game: Game, hand: Hand, viewer: int | None = None) -> list[Finding]:
    """Return a remark for each decision that the engine would have made otherwise, and how many it agrees on.

    ``viewer`` is the seat whose decisions may be seen, None for all.
    """
    decided: Counter[tuple[str, int]] = Counter()
    same: Counter[tuple[str, int]] = Counter()
    found = []
    for verdict in hand.verdicts:
        if viewer not in (None, verdict.seat):
            continue
        key = verdict.engine, verdict.seat
        decided[key] += 1
        is_same = verdict.chosen is not None and verdict.chosen == verdict.played
        same[key] += is_same
        if verdict.chosen is not None and not is_same:
            found.append(_remark(game, hand, verdict.engine, verdict.seat, verdict.event, _words(verdict)))
    counted = []
    for (engine, seat), count in decided.items():
        text = ngettext(
            "agrees on {same} of {count:,} decision", "agrees on {same} of {count:,} decisions", count
        )
        agreed = text.format(same=same[engine, seat], count=count)
        counted.append(_remark(game, hand, engine, seat, None, agreed))
    return [*counted, *found]


def _words(verdict: Verdict) -> str:
    chosen, played = verdict.chosen, verdict.played
    assert chosen is not None  # noqa: S101  only such verdicts come here
    if played is None:
        return _("prefers {option}").format(option=_option(chosen, [chosen]))
    both = [chosen, played]
    return _("prefers {option} to {other}").format(option=_option(chosen, both), other=_option(played, both))


def _option(option: RatedOption, compared: Sequence[RatedOption]) -> str:
    """An option with how likely the engine would take it, or else what it is worth to the engine."""
    if all(one.probability is not None for one in compared):
        return f"{option.spoken} ({100 * (option.probability or 0):.0f}%)"
    if all(one.value is not None for one in compared):
        return f"{option.spoken} ({option.value:.4g})"
    return option.spoken


def _remark(game: Game, hand: Hand, engine: str, seat: int, event: int | None, message: str) -> Finding:
    return Finding(
        code=display_name(engine[:_MAX_ENGINE]) or "engine",
        name=PREFERENCE,
        severity=Severity.NOTE,
        source=game.source,
        game_id=game.id,
        hand=hand.label,
        event=event,
        turn=None,
        seat=seat,
        player=game.names[seat],
        tile=None,
        message=message,
        expected=None,
        actual=None,
    )
