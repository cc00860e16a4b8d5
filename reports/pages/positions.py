"""Positions for the trainer: mistakes, unusual moves, and decisions like them in which the player chose best.

The latter are the **controls**: without them, one would know of each position that the player erred.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import dist
from operator import itemgetter

from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.choices import JudgedChoice
from paifu.coach.judgement.drills import Drill
from paifu.replay.comparison.pairing import hand_names
from paifu.replay.language import N_, _
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import format_tiles, tile_name
from paifu.replay.positions.tracker import Tracker
from paifu.replay.table.replayed import Replay
from paifu.replay.views.games import Hand
from paifu.reports.hands.hand_in_words import hand_title
from paifu.reports.pages.recorded import Recorder, game_keys_of
from paifu.reports.pages.report_hands import (
    CONTROLS,
    DRILLED,
    IN_MILLION,
    MOST_DRILLED,
    Lists,
    Rank,
    ShownHand,
    laid_out,
    merged,
    where,
)

POSITIONS = "positions"
"""List of the positions, wrong moves and controls alike, in an order that does not tell which is which."""
_WINDS = (N_("East"), N_("South"), N_("West"), N_("North"))


def drilled_hands(
    replayed: Replay, drilled: Iterable[JudgedChoice], recorder: Recorder, limit: int
) -> dict[str, tuple[ShownHand, ...]]:
    """Return the lists that :func:`mixed` chooses positions from: wrong moves, and controls by kind.

    Mistakes are sorted by the model's loss and come before unusual moves, the rarest first; controls by
    chance, but in the same order however the input is split.
    """
    batch = replayed.batch
    hand_of, names, keys = cache(partial(Hand.of, batch)), hand_names(batch), game_keys_of(batch)
    found: dict[str, list[ShownHand]] = defaultdict(list)
    rows: dict[tuple[str, str], int] = {}  # copies of a game have the same keys
    for one in drilled:
        hand, drill = hand_of(one.hand), drill_of(one)
        shown = ShownHand(
            points=0,
            player=str(batch.games.names[one.game, one.seat]),
            other="",
            **where(batch, keys, hand),
            lasting=names[one.hand],
            seat=one.seat,
            event=_begin(batch, one) - hand.event_begin,
            turn=one.case(replayed).turn or 0,
            words=(),
            decision=one,
        )
        name = f"{CONTROLS}{drill.kind}" if drill.kind else DRILLED
        found[name].append(replace(shown, rank=_rank(one)))
        rows[shown.key, key_of(shown)] = one.hand

    def full(shown: ShownHand) -> ShownHand:
        if drill_of(shown.decision).place < 0:
            return shown
        hand = hand_of(rows[shown.key, key_of(shown)])
        events, tracker = hand.events[: shown.event], Tracker(hand)
        for event in events:
            tracker.apply(event)
        return replace(
            shown,
            held=laid_out(tracker.seats[shown.seat]),
            table=tuple(_table_words(hand, tracker, shown.seat)),
            recorded=recorder.hand(hand.row),
        )

    return {
        name: tuple(map(full, part))
        for name, part in merged([{name: tuple(part) for name, part in found.items()}], limit).items()
    }


def mixed(lists: Mapping[str, Sequence[ShownHand]]) -> Lists:
    """Replace lists of wrong moves and controls by one of positions: wrong moves, and what is most like each.

    Controls are of the same class, as far as there are any, else they ask the same: whether
    to declare riichi, or only what to discard. Of a hand there is one position, so that the table of one does
    not show what was done in another.
    """
    kept = {name: tuple(part) for name, part in lists.items() if name != DRILLED and CONTROLS not in name}
    rest = [hand for name, part in lists.items() if name.startswith(CONTROLS) for hand in part]
    first = {_hand_of(hand): hand for hand in reversed(lists.get(DRILLED, ()))}
    wrong = sorted(first.values(), key=ShownHand.order)[:MOST_DRILLED]
    chosen = {_hand_of(hand): hand for hand in wrong}
    for hand in wrong:
        own = drill_of(hand.decision)
        alike = [
            (
                drill.place != own.place,
                _offers_riichi(one) != _offers_riichi(hand),
                dist(own.likeness, drill.likeness),
                key_of(one),
                one,
            )
            for one in rest
            if (drill := drill_of(one.decision)).place >= 0 and _hand_of(one) not in chosen
        ]
        if alike:
            control = min(alike, key=itemgetter(slice(4)))[-1]
            chosen[_hand_of(control)] = control
    return kept | {POSITIONS: tuple(sorted(chosen.values(), key=key_of))}


def key_of(hand: ShownHand) -> str:
    """Return the key of a position, which stays the same in later reports, and where logs are moved."""
    key = f"{hand.lasting} {hand.label} {hand.event} {hand.seat}"
    return hashlib.sha256(key.encode()).hexdigest()[:20]


def _hand_of(position: ShownHand) -> tuple[str, int]:
    """Return the key of the hand, which copies of it share."""
    return position.lasting, position.index


def _offers_riichi(hand: ShownHand) -> bool:
    assert hand.decision is not None  # noqa: S101  a position has one
    return OptionKind.RIICHI in hand.decision.weighed.option


def drill_of(choice: JudgedChoice | None) -> Drill:
    """Return what makes a decision fit to be decided again."""
    assert choice is not None and choice.drill is not None  # noqa: S101, PT018  asked for as such
    return choice.drill


def _rank(one: JudgedChoice) -> Rank:
    """Return what sorts mistakes by loss, then unusual moves, the rarest first; controls by chance."""
    if drill_of(one).kind:
        return -drill_of(one).chance, 0
    return (one.loss, 0) if one.is_mistake else (-round(IN_MILLION * one.weighed.share), 0)


def _begin(batch: Batch, one: JudgedChoice) -> int:
    """Return the row of the first event of a move: of a discard in riichi, the declaration."""
    events, at = batch.events, one.event
    is_declared = events.kind[at - 1] == EventKind.RIICHI and events.seat[at - 1] == one.seat
    return at - 1 if at and is_declared else at


def _table_words(hand: Hand, tracker: Tracker, seat: int) -> Iterator[str]:
    """Say what lies on the table, for those who see it without the page: tiles by name, a riichi as ``*``."""
    names = " ".join(map(tile_name, tracker.indicators))
    yield _("{hand}; dora indicator {tiles}").format(hand=hand_title(hand), tiles=names)
    for turn in range(hand.players):
        other = (seat + turn) % hand.players
        wind = _WINDS[(other - (hand.dealer or 0)) % hand.players]
        state, score = tracker.seats[other], hand.scores[other]
        river = " ".join(tile_name(thrown.tile) + ("*" if thrown.riichi else "") for thrown in state.river)
        melds = " ".join(f"({format_tiles(meld.tiles)})" for meld in state.melds)
        norths = _("kita x{count}").format(count=state.kita) if state.kita else ""
        points = "" if score is None else f"{score:,}"
        riichi = _("riichi") if state.riichi else ""
        parts = filter(None, (points, riichi, melds, norths))
        words = (
            _("{wind} (you): {facts}; river {river}")
            if other == seat
            else _("{wind}: {facts}; river {river}")
        )
        yield words.format(wind=_(wind), facts=_(", ").join(parts), river=river or _("empty"))
