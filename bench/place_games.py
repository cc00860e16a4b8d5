"""Real hands as the model of places needs them: where each began, how it ended, and the places in the end.

Games are read from logs as they are; nothing is replayed. :func:`read_hands` keeps games that came to their
end. :func:`is_kept_from_fit` says which games no fit may see: one in five, by a hash of the file's name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from paifu.coach.places import templates
from paifu.coach.places.templates import Template
from paifu.parsers.read import read_batches
from paifu.replay.course.settlement import HandStart, ranking
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.table.progress import Ends
from paifu.replay.table.stated import Ledger

CORPUS = Path(__file__).resolve().parents[2] / "shared"
HELD_OUT = 5
I64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand of a real game."""

    start: HandStart
    scores: tuple[int, ...]
    template: Template | None
    """How it ended; None where the model has no such end (liability, a foul, an end that is not stated)."""
    after: tuple[int, ...]
    """The scores after it; those of the last hand without the sticks left on the table."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One real game that came to its end."""

    source: str
    rules: Ruleset
    first_dealer: int
    hands: tuple[PlayedHand, ...]
    places: tuple[int, ...]
    """By seat; 1 is first."""


def is_kept_from_fit(source: str) -> bool:
    """Return whether no fit may see a game: one in five, by a hash of the file's name."""
    name = Path(source.split("#")[0]).name
    return hashlib.sha256(name.encode()).digest()[0] % HELD_OUT == 0


def read_games(paths: Iterable[Path]) -> Iterator[PlayedGame]:
    """Yield the games of riichi that came to their end, each once."""
    seen = set()
    for batch in read_batches(list(paths)):
        for game in _games_of(batch):
            key = tuple((hand.start, hand.scores, hand.after) for hand in game.hands)
            if key not in seen:
                seen.add(key)
                yield game


def _games_of(batch: Batch) -> Iterator[PlayedGame]:
    games, hands = batch.games, batch.hands
    rulesets = rulesets_of(batch)
    ledger = Ledger(batch, rulesets)
    ends = Ends(batch, ledger)
    every = np.arange(len(hands))
    paid = ledger.paid(every, hands.event_end - 1)
    for number, rules in enumerate(rulesets):
        players = rules.table.players
        begin, end = int(games.hand_begin[number]), int(games.hand_end[number])
        final = games.final_scores[number, :players]
        if (
            rules.game.scheme != Scheme.HAN_FU
            or players < 3
            or games.is_cut[number]
            or (final == UNKNOWN_POINTS).any()
            or begin == end
            or not ends.known[begin:end].all()
            or hands.round[begin] != 0
        ):
            continue
        first = int(games.deals_first[number])
        order = ranking(rules, final.tolist(), first)
        yield PlayedGame(
            str(games.source[number]),
            rules,
            first,
            tuple(
                PlayedHand(
                    ends.start(hand),
                    tuple(ends.begun(hand)[:players]),
                    template_of(batch, ends, hand, paid[hand], rules),
                    tuple(ends.after[hand, :players].tolist()),
                )
                for hand in range(begin, end)
            ),
            tuple(order.index(seat) + 1 for seat in range(players)),
        )


def template_of(batch: Batch, ends: Ends, hand: int, paid: I64, rules: Ruleset) -> Template | None:
    """Return how a hand ended, seen from its dealer, without honba and sticks."""
    start, kind, players = ends.start(hand), ends.kind[hand], rules.table.players
    seats = [(start.dealer + place) % players for place in range(players)]
    riichi = sum(bool(paid[seat]) << place for place, seat in enumerate(seats))
    if kind == HandEnd.WIN:
        wins = batch.wins
        begin, end = np.searchsorted(wins.hand, (hand, hand + 1)).tolist()
        if (wins.liable[begin:end] < players).any():
            return None
        source = seats.index(int(wins.source[begin]))
        winners = tuple(seats.index(int(seat)) for seat in wins.seat[begin:end])
        is_ron = source not in winners
        first = [int(wins.deltas[begin, seat]) for seat in seats]
        each = rules.payment.honba_each * start.honba
        for place in range(players):
            if is_ron and place == source:
                first[place] += each * (players - 1)
            elif not is_ron and place != source:
                first[place] += each
        first[winners[0]] = 0
        first[winners[0]] = -sum(first)
        values = [first[winners[0]], *(int(points) for points in wins.points[begin + 1 : end])]
        if is_ron:
            return Template(templates.WON, riichi, winners=winners, source=source, changes=tuple(values))
        return Template(templates.WON, riichi, winners=winners, source=source, changes=tuple(first))
    if kind in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
        claimed = int(ends.claimed[hand])
        if claimed < 0:
            return None
        tenpai = sum((claimed >> seat & 1) << place for place, seat in enumerate(seats))
        if kind == HandEnd.EXHAUSTIVE:
            return Template(templates.EXHAUSTED, riichi, tenpai)
        changes = tuple(int(ends.change[hand, seat]) for seat in seats)
        gained = tuple(place for place in range(players) if changes[place] > 0)
        return Template(templates.NAGASHI, riichi, tenpai, winners=gained, changes=changes)
    if kind in (HandEnd.KYUUSHU, HandEnd.SUUFON, HandEnd.SUUCHA, HandEnd.SANCHAHOU, HandEnd.SUUKAIKAN):
        return Template(templates.ABORTED, riichi, way=int(kind))
    return None
