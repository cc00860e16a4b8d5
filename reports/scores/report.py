"""The answer of ``paifu score`` as one JSON contract for all games, and drawn for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType

from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.card import CardWaits
from paifu.replay.schemes.hand import Facts, HeldTiles
from paifu.replay.schemes.scheme import Won
from paifu.replay.scoring.han_fu import ScoredHanFu
from paifu.replay.scoring.score import ScoredNagashi, ScoredWin
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.shapes.shanten import Acceptance
from paifu.reports.scores import riichi, schemes

SCHEMA = "paifu.score/1"


def score_report(
    hand: WinningHand | HeldTiles,
    result: ScoredWin | ScoredNagashi | ScoredHanFu | Won | Acceptance | CardWaits,
    rules: Ruleset,
    facts: Facts | None,
    settings: tuple[str, ...],
) -> dict[str, Any]:
    """Return what came out for a hand, in the ruleset to which ``settings`` were applied."""
    head = {"schema": SCHEMA, "rules": {"name": rules.name, "set": list(settings)}}
    match hand, result:
        case WinningHand(), ScoredWin():
            return head | riichi.win_report(hand, result, rules)
        case WinningHand(), ScoredNagashi():
            return head | riichi.nagashi_report(hand, result)
        case WinningHand(), ScoredHanFu():
            return head | riichi.han_fu_report(hand, result, rules)
        case WinningHand(), Acceptance():
            return head | riichi.waits_report(hand, result)
        case HeldTiles(), Won() if facts:
            return head | schemes.win_report(hand, facts, result, rules)
        case HeldTiles(), Acceptance():
            return head | schemes.waits_report(hand, result, rules)
        case HeldTiles(), CardWaits():
            return head | schemes.card_report(hand, result)
    raise TypeError(f"{type(result).__name__} is not an answer about a {type(hand).__name__}")


def drawn(report: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Yield a report drawn for people, to print at a width of 80; plain text where it is not a terminal."""
    yield from (schemes if "scheme" in report else riichi).drawn(report)
