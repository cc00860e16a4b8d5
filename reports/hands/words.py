"""A hand in words, for the terminal and for pages: its title, the value of a win, the kind of draw."""

from __future__ import annotations

from collections.abc import Sequence

from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import kind_of
from paifu.replay.rules.choices import Scheme
from paifu.replay.schemes.tables import pattern_name
from paifu.replay.scoring.yaku import YAKU, YakuKind
from paifu.replay.scoring.yaku_names import yaku_name
from paifu.replay.views.games import Hand
from paifu.replay.views.results import HandDraw, Win

_WINDS = {"E": "East", "S": "South", "W": "West", "N": "North"}
_NEXT_IN_CYCLE = {
    kind: cycle[(at + 1) % len(cycle)]
    for cycle in (range(9), range(9, 18), range(18, 27), range(27, 31), range(31, 34))
    for at, kind in enumerate(cycle)
}
"""Kind of a dora indicator -> kind of the dora."""
_SANMA_NEXT = _NEXT_IN_CYCLE | {0: 8}
_DRAWS = {
    HandEnd.EXHAUSTIVE: "Exhaustive draw",
    HandEnd.NAGASHI: "Nagashi mangan",
    HandEnd.KYUUSHU: "Abortive draw: nine terminals and honours",
    HandEnd.SUUFON: "Abortive draw: four equal winds",
    HandEnd.SUUCHA: "Abortive draw: four riichi",
    HandEnd.SANCHAHOU: "Abortive draw: three rons",
    HandEnd.SUUKAIKAN: "Abortive draw: four kans",
    HandEnd.CHOMBO: "Foul (chombo)",
}
COMING_AND_GOING = {EventKind.LEAVE: "leaves the table", EventKind.RETURN: "is back"}


def count(number: int, noun: str) -> str:
    """Return a count with its noun: ``1 stick``, ``2 sticks``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def round_name(hand: Hand) -> str:
    """Name wind and number: ``East 1``."""
    name = hand.label.partition(".")[0]
    return f"{_WINDS[name[0]]} {name[1:]}"


def hand_title(hand: Hand) -> str:
    """Name a hand with honba and riichi sticks: ``East 1, 2 honba, 1 riichi stick``."""
    words = [round_name(hand)]
    if is_riichi(hand):
        words += [f"{hand.honba} honba"] if hand.honba else []
    else:
        words += [f"deal kept {count(hand.honba, 'time')}"] if hand.honba else []
    words += [count(hand.sticks, "riichi stick")] if hand.sticks else []
    return ", ".join(words)


def is_riichi(hand: Hand) -> bool:
    """Tell riichi from other games."""
    return hand.rules.scheme == Scheme.HAN_FU


def dora_of(indicator: int, players: int) -> int:
    """Return the kind that an indicator (0-36) makes dora; three-player games have only 1m and 9m."""
    return (_SANMA_NEXT if players == 3 else _NEXT_IN_CYCLE)[kind_of(indicator)]


def worth(win: Win) -> list[str]:
    """Return the value of a win in words: limit, han and fu, points."""
    words = [win.limit.name.lower()] if win.limit else []
    is_yakuman = any(n in YAKU and YAKU[n].kind is YakuKind.YAKUMAN for n, _ in win.yaku)
    if win.yaku and not is_yakuman:
        words.append(f"{win.han} han" + (f" {win.fu} fu" if win.fu else ""))
    if win.points is not None:
        words.append(count(win.points, "point"))
        paid = win.deltas[win.seat] if win.seat is not None and win.seat < len(win.deltas) else None
        if paid is not None and paid != win.points:
            words.append(f"{paid} {'with honba and sticks' if win.patterns is None else 'paid in all'}")
    return words


def value_words(win: Win) -> list[str]:
    """Name what a hand is worth anything for: yaku with han, or patterns with their values."""
    yaku = [yaku_words(number, han) for number, han in win.yaku if han]
    return yaku + [
        f"{pattern_name(name)} {str(value).replace('_', ' ')}" for name, value in win.patterns or ()
    ]


def own_score_words(win: Win, names: Sequence[str]) -> list[str]:
    """Say what the losers' hands count, where losers score."""
    return [
        f"{name} scores {score}"
        for seat, (name, score) in enumerate(zip(names, win.own_scores, strict=False))
        if score and seat != win.seat
    ]


def yaku_words(number: int, han: int) -> str:
    """Name a yaku (Tenhou's id) and its han: ``riichi 1``; for a yakuman, only its name."""
    name = yaku_name(number)
    is_yakuman = number in YAKU and YAKU[number].kind is YakuKind.YAKUMAN
    return name if is_yakuman else f"{name} {han}"


def draw_name(draw: HandDraw) -> str:
    """Name how a hand ended without a winner."""
    name = _DRAWS.get(draw.kind, "Draw")
    return name if draw.offender is None else f"{name} by seat {draw.offender}"
