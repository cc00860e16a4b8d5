"""A hand in words, for the terminal and for pages: its title, the value of a win, the kind of draw."""

from __future__ import annotations

from collections.abc import Sequence

from paifu.replay.language import N_, _, ngettext, pgettext
from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE, kind_of
from paifu.replay.positions.tracker import LaidMeld, SeatState
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.tables import pattern_name
from paifu.replay.scoring.readings import Meld, MeldKind
from paifu.replay.scoring.yaku import YAKU, YakuKind
from paifu.replay.scoring.yaku_names import yaku_name
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand
from paifu.replay.views.results import HandDraw, Win

_ROUNDS = {
    "E": N_("East {number}"), "S": N_("South {number}"), "W": N_("West {number}"), "N": N_("North {number}"),
}  # fmt: skip
_NEXT_IN_CYCLE = {
    kind: cycle[(at + 1) % len(cycle)]
    for cycle in (range(9), range(9, 18), range(18, 27), range(27, 31), range(31, 34))
    for at, kind in enumerate(cycle)
}
"""Kind of a dora indicator -> kind of the dora."""
_SANMA_NEXT = _NEXT_IN_CYCLE | {0: 8}
_DRAWS = {
    HandEnd.EXHAUSTIVE: N_("Exhaustive draw"),
    HandEnd.NAGASHI: N_("Nagashi mangan"),
    HandEnd.KYUUSHU: N_("Abortive draw: nine terminals and honours"),
    HandEnd.SUUFON: N_("Abortive draw: four equal winds"),
    HandEnd.SUUCHA: N_("Abortive draw: four riichi"),
    HandEnd.SANCHAHOU: N_("Abortive draw: three rons"),
    HandEnd.SUUKAIKAN: N_("Abortive draw: four kans"),
    HandEnd.CHOMBO: N_("Foul (chombo)"),
}
COMING_AND_GOING = {EventKind.LEAVE: N_("leaves the table"), EventKind.RETURN: N_("is back")}
"""What a player does, to be said after the name."""


def round_name(hand: Hand) -> str:
    """Name wind and number: ``East 1``."""
    name = hand.label.partition(".")[0]
    return _(_ROUNDS[name[0]]).format(number=name[1:])


def hand_title(hand: Hand) -> str:
    """Name a hand with honba and riichi sticks: ``East 1, 2 honba, 1 riichi stick``."""
    honba, sticks = hand.honba, hand.sticks
    words = [round_name(hand)]
    if honba and is_riichi(hand):
        words.append(_("{count} honba").format(count=honba))
    elif honba:
        words.append(ngettext("deal kept {count} time", "deal kept {count} times", honba).format(count=honba))
    if sticks:
        words.append(ngettext("{count} riichi stick", "{count} riichi sticks", sticks).format(count=sticks))
    return pgettext("between round, honba and sticks", ", ").join(words)


def is_riichi(hand: Hand) -> bool:
    """Tell riichi from other games."""
    return hand.rules.game.scheme == Scheme.HAN_FU


def called_meld(meld: LaidMeld) -> Meld:
    """Return a meld on the table as hands are scored with it."""
    return Meld(MeldKind(meld.kind), tuple(meld.tiles))


def dora_of(indicator: int, players: int) -> int:
    """Return the kind that an indicator (0-36) makes dora; three-player games have only 1m and 9m."""
    return (_SANMA_NEXT if players == 3 else _NEXT_IN_CYCLE)[kind_of(indicator)]


def worth(win: Win) -> list[str]:
    """Return the value of a win in words: limit, han and fu, points."""
    words = [_(win.limit.name.lower())] if win.limit else []
    is_yakuman = any(n in YAKU and YAKU[n].kind is YakuKind.YAKUMAN for n, _han in win.yaku)
    if win.yaku and not is_yakuman:
        text = _("{han} han {fu} fu") if win.fu else _("{han} han")
        words.append(text.format(han=win.han, fu=win.fu))
    if win.points is not None:
        words.append(ngettext("{count} point", "{count} points", win.points).format(count=win.points))
        paid = win.deltas[win.seat] if win.seat is not None and win.seat < len(win.deltas) else None
        if paid is not None and paid != win.points:
            text = _("{paid} with honba and sticks") if win.patterns is None else _("{paid} paid in all")
            words.append(text.format(paid=paid))
    return words


def value_words(win: Win, rules: Ruleset) -> list[str]:
    """Name what a hand is worth anything for: yaku with han, or patterns with their values."""
    yaku = [yaku_words(number, han, rules) for number, han in win.yaku if han]
    return yaku + [
        f"{pattern_name(name)} {_(str(value).replace('_', ' '))}" for name, value in win.patterns or ()
    ]


def own_score_words(win: Win, names: Sequence[str]) -> list[str]:
    """Say what the losers' hands count, where losers score."""
    text = _("{player} scores {score}")
    return [
        text.format(player=name, score=score)
        for seat, (name, score) in enumerate(zip(names, win.own_scores, strict=False))
        if score and seat != win.seat
    ]


def yaku_words(number: int, han: int, rules: Ruleset) -> str:
    """Name a yaku (Tenhou's id) and its han: ``riichi 1``; for a yakuman, only its name."""
    name = yaku_name(number, rules)
    is_yakuman = number in YAKU and YAKU[number].kind is YakuKind.YAKUMAN
    return name if is_yakuman else _("{yaku} {han}").format(yaku=name, han=han)


def foul_text(player: str, event: Event) -> str:
    """Say which foul a player commits, and what the table ruled that it costs."""
    text = _("{player} commits a foul: {foul}").format(player=player, foul=event.foul)
    if event.ruled is None:
        return text
    return _("{text} (ruled: {cost})").format(text=text, cost=event.ruled.name.lower())


def winning_hand(win: Win, seats: Sequence[SeatState]) -> tuple[list[int], SeatState]:
    """Return the closed tiles of a win without the tile won on, and the winner's place at the table."""
    state = seats[win.seat] if win.seat is not None and win.seat < len(seats) else SeatState()
    closed = list(win.tiles) or state.all_closed()
    tile = NO_TILE if win.tile is None else win.tile
    if tile in closed and (win.tiles or win.is_tsumo):
        closed.remove(tile)
    return closed, state


def draw_name(draw: HandDraw) -> str:
    """Name how a hand ended without a winner."""
    name = _(_DRAWS.get(draw.kind, N_("Draw")))
    if draw.offender is None:
        return name
    return _("{end} by seat {seat}").format(end=name, seat=draw.offender)
