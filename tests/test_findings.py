"""Findings in words: every code is shown by a log in which one fact was changed, and says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from builders import HEAD, init, mjlog, read, tag, turns

from paifu.parsers.read import read_batches
from paifu.replay.batch import Batch
from paifu.replay.engine import replay
from paifu.replay.events import EventFlag, EventKind, HandEnd
from paifu.replay.facts import Checked, Facts, Findings, PlayerHands, ScoredWins
from paifu.replay.finding_kinds import KINDS
from paifu.replay.findings import (
    Finding,
    cases,
    faults,
    in_words,
)
from paifu.replay.rule_presets import load_preset, with_overrides
from paifu.replay.rules import Ruleset, RuleValue
from paifu.replay.tiles import NO_TILE, kind_of, parse_tile
from paifu.replay.views import Event, Hand
from paifu.reports.tracker import Tracker

SAMPLES = Path(__file__).parents[1] / "sample_logs"
SKIPPED = EventKind.LEAVE
"""In place of an event that is taken out: it says nothing of the hand."""


@dataclass(frozen=True)
class Change:
    """A sample log, what is changed in it, and the rules it is replayed under."""

    sample: str
    edit: Callable[[Batch], None]
    rules: tuple[Ruleset, ...] = ()


CHANGES: dict[str, Change] = {}


def shown_by(
    code: str, sample: str = "hanchan.mjlog.gz", **rules: RuleValue
) -> Callable[[Callable[[Batch], None]], Callable[[Batch], None]]:
    """Register what shows a code; ``rules`` are other rules than the log's."""
    chosen = (with_overrides(load_preset("tenhou"), rules),) if rules else ()

    def register(edit: Callable[[Batch], None]) -> Callable[[Batch], None]:
        CHANGES[code] = Change(sample, edit, chosen)
        return edit

    return register


def find(batch: Batch, kind: EventKind, number: int = 0) -> int:
    """Row of the ``number``-th event of a kind."""
    return int(np.flatnonzero(batch.events.kind == kind)[number])


def set_tile(batch: Batch, row: int, tile: int, tile_id: int = NO_TILE) -> None:
    batch.events.tile[row] = tile
    batch.events.tile_id[row] = tile_id


def nothing(batch: Batch) -> None:
    """For findings that other rules than the log's make."""


shown_by("V302", min_han=4)(nothing)
shown_by("V309", head_bump=True)(nothing)
shown_by("V505", target_points=60000)(nothing)


@shown_by("V101")
def _(batch: Batch) -> None:
    batch.hands.end[1] = HandEnd.UNFINISHED


@shown_by("V103")
def _(batch: Batch) -> None:
    set_tile(batch, find(batch, EventKind.DRAW), int(batch.hands.dora[0]), int(batch.hands.dora_id[0]))


@shown_by("V201")
def _(batch: Batch) -> None:
    batch.events.seat[find(batch, EventKind.DRAW, 3)] ^= 1


@shown_by("V202")
def _(batch: Batch) -> None:
    row = find(batch, EventKind.DISCARD)
    held = batch.hands.dealt[0, batch.events.seat[row]].tolist()
    set_tile(batch, row, next(tile for tile in range(34) if tile not in (*held, *batch.events.tile[:row])))


@shown_by("V203")
def _(batch: Batch) -> None:
    batch.events.flags[find(batch, EventKind.DISCARD)] ^= EventFlag.TSUMOGIRI


@shown_by("V204")
def _(batch: Batch) -> None:
    batch.events.source[find(batch, EventKind.PON)] ^= 1


@shown_by("V205", "aborted-hands.zip")
def _(batch: Batch) -> None:
    for row in range(len(batch.hands)):
        hand = Hand.of(batch, row)
        tracker = Tracker(hand)
        for event, following in zip(hand.events, hand.events[1:], strict=False):
            tracker.apply(event)
            if event.kind not in (EventKind.CHI, EventKind.PON):
                continue
            assert event.seat is not None
            assert event.tile is not None
            for tile in tracker.seats[event.seat].closed:
                if kind_of(tile) in (kind_of(event.tile), _other_end(event)):
                    return set_tile(batch, following.row, tile)
    raise AssertionError("nobody holds a tile that kuikae forbids")


def _other_end(event: Event) -> int:
    """The kind at the other end of a run whose end was called; NO_TILE of other calls."""
    assert event.tile is not None
    called, own = kind_of(event.tile), [kind_of(tile) for tile in event.own if tile is not None]
    if event.kind != EventKind.CHI or min(own) < called < max(own):
        return NO_TILE
    end = called + 3 if called < min(own) else called - 3
    return end if end >= 0 and end // 9 == called // 9 else NO_TILE


@shown_by("V206", "tonpuu.mjlog")
def _(batch: Batch) -> None:
    row = find(batch, EventKind.ANKAN)
    batch.events.own[row, 0] = batch.events.tile[row] + 1


@shown_by("V207")
def _(batch: Batch) -> None:
    row = find(batch, EventKind.RIICHI)
    hand = int(np.searchsorted(batch.hands.event_begin, row, side="right")) - 1
    batch.hands.scores[hand, batch.events.seat[row]] = 900


@shown_by("V208")
def _(batch: Batch) -> None:
    batch.events.kind[find(batch, EventKind.RIICHI_PAID)] = SKIPPED


@shown_by("V209", "tonpuu.mjlog")
def _(batch: Batch) -> None:
    batch.events.kind[find(batch, EventKind.DORA)] = SKIPPED


@shown_by("V211")
def _(batch: Batch) -> None:
    batch.hands.event_end[0] += 1


@shown_by("V212")
def _(batch: Batch) -> None:
    batch.hand_draws.kind[0] = HandEnd.SUUFON


@shown_by("V213", "sanma.mjlog.gz")
def _(batch: Batch) -> None:
    batch.events.tile[find(batch, EventKind.KITA)] = parse_tile("1z")


@shown_by("V301")
def _(batch: Batch) -> None:
    batch.wins.tile[0] = (batch.wins.tile[0] + 1) % 34


@shown_by("V303", "five-games.jsonl")
def _(batch: Batch) -> None:
    """The winner has drawn and discarded the kind it wins on, of which not all copies were seen."""
    events, hands, wins = batch.events, batch.hands, batch.wins
    for win in np.flatnonzero(wins.source != wins.seat):
        begin, tile = int(hands.event_begin[wins.hand[win]]), int(wins.tile[win])
        dealt = hands.dealt[wins.hand[win]]
        drawn = events.tile[begin : wins.event[win]][events.kind[begin : wins.event[win]] == EventKind.DRAW]
        if (dealt == tile).sum() + (drawn == tile).sum() > 3 or hands.dora[wins.hand[win]] == tile:
            continue
        for row in range(begin + 1, int(wins.event[win])):
            own = events.seat[row] == wins.seat[win] and events.kind[row] == EventKind.DISCARD
            if own and events.flags[row] & EventFlag.TSUMOGIRI and events.kind[row + 1] == EventKind.DRAW:
                set_tile(batch, row - 1, tile)
                return set_tile(batch, row, tile)
    raise AssertionError("no ron with a tsumogiri before it")


@shown_by("V304")
def _(batch: Batch) -> None:
    batch.wins.yaku[0, 0] = 24


@shown_by("V305")
def _(batch: Batch) -> None:
    batch.wins.han[0, 0] += 1


@shown_by("V306")
def _(batch: Batch) -> None:
    batch.wins.fu[0] += 10


@shown_by("V307")
def _(batch: Batch) -> None:
    batch.wins.points[0] += 100


@shown_by("V308")
def _(batch: Batch) -> None:
    rows, places = np.nonzero(batch.wins.yaku == 52)
    batch.wins.han[rows[0], places[0]] += 1


@shown_by("V401")
def _(batch: Batch) -> None:
    batch.wins.deltas[0, batch.wins.seat[0]] += 1000


@shown_by("V402")
def _(batch: Batch) -> None:
    batch.wins.honba[0] += 1


@shown_by("V403")
def _(batch: Batch) -> None:
    batch.wins.sticks[0] += 1


@shown_by("V404")
def _(batch: Batch) -> None:
    batch.wins.liable[0] = (batch.wins.seat[0] + 1) % 4


@shown_by("V405")
def _(batch: Batch) -> None:
    deltas = batch.hand_draws.deltas
    deltas[np.flatnonzero(deltas.any(axis=1))[0]] = 0


@shown_by("V406")
def _(batch: Batch) -> None:
    batch.hand_draws.tenpai[0, 0] ^= 1


@shown_by("V407")
def _(batch: Batch) -> None:
    batch.hand_draws.kind[0] = HandEnd.NAGASHI


@shown_by("V501")
def _(batch: Batch) -> None:
    batch.hands.scores[1, 0] += 100


@shown_by("V502")
def _(batch: Batch) -> None:
    batch.hands.round[2] += 1


@shown_by("V503")
def _(batch: Batch) -> None:
    batch.hands.honba[1] += 1


@shown_by("V504")
def _(batch: Batch) -> None:
    batch.hands.sticks[1] += 1


@shown_by("V506")
def _(batch: Batch) -> None:
    batch.games.final_points[0, 0] += 1


@shown_by("V601")
def _(batch: Batch) -> None:
    batch.hands.dealt_id[0, 0, 0] = batch.events.tile_id[find(batch, EventKind.DRAW)]


@shown_by("V602")
def _(batch: Batch) -> None:
    batch.events.tile_id[find(batch, EventKind.DRAW)] ^= 1


@shown_by("V603")
def _(batch: Batch) -> None:
    batch.hands.dora_id[0] ^= 1


@shown_by("V604")
def _(batch: Batch) -> None:
    batch.hands.dice[0, 0] = (batch.hands.dice[0, 0] + 1) % 6


UNREADABLE = {
    "V102": mjlog(HEAD, init(), turns(1), "<SURPRISE/>"),
    "V104": mjlog(HEAD, init(hai0="0,1,2"), turns(1)),
    "V105": mjlog(HEAD, init(), tag("T136")),
}
"""Logs that show codes of reading."""


@cache
def sample(name: str) -> Batch:
    return Batch.concatenate(read_batches([SAMPLES / name]))


def copy_of(batch: Batch) -> Batch:
    """A batch whose columns may be changed."""
    tables = {
        table.NAME: type(table)(**{name: array.copy() for name, array in table.arrays()})
        for table in batch.tables()
    }
    return Batch(**tables)


def findings(batch: Batch, *rules: Ruleset) -> list[Finding]:
    """All findings of a batch, in words."""
    return [in_words(case) for case in cases(batch, replay(batch, *rules), *rules)]


def shown(code: str) -> Finding:
    """The first finding of that code in the log that shows it."""
    change = CHANGES[code]
    batch = copy_of(sample(change.sample))
    change.edit(batch)
    return next(finding for finding in findings(batch, *change.rules) if finding.code == code)


def noted_as(code: int, **cells: int) -> Finding:
    """A finding with these numbers, at the first draw of a sample log, in words."""
    batch = sample("hanchan.mjlog.gz")
    row = {"code": code, "game": 0, "hand": 0, "event": 0, "seat": 0, "tile": 0, "expected": 0, "actual": 0}
    table = Findings(**{c.name: np.array([(row | cells)[c.name]], c.dtype) for c in Findings.columns()})
    facts = Facts(table, PlayerHands.empty(), ScoredWins.empty(len(batch.wins)), Checked())
    (case,) = cases(batch, facts)
    return in_words(case)


@pytest.mark.parametrize("code", CHANGES)
def test_every_code_is_shown_by_a_log_with_one_change(code: str) -> None:
    finding = shown(code)
    kind = KINDS[code]
    assert finding.message == kind.example
    assert (finding.name, finding.severity) == (kind.name, kind.severity)


@pytest.mark.parametrize("name", sorted({change.sample for change in CHANGES.values()}))
def test_the_logs_say_nothing_before_the_change(name: str) -> None:
    batch = sample(name)
    assert findings(batch) == []
    assert len(batch.hands) > 0


@pytest.mark.parametrize("code", UNREADABLE)
def test_what_cannot_be_read_is_a_finding(code: str) -> None:
    (finding,) = faults(read(UNREADABLE[code]))
    assert (finding.code, finding.message) == (code, KINDS[code].example)
    assert (finding.hand, finding.seat, finding.event) == (None, None, None)
