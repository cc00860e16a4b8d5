"""Findings in words: every code is shown by a log in which one fact was changed, and says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from builders import HEAD, init, mjlog, read, tag, turns
from each_row import each_row

from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import Findings, PlayerHands, ScoredWins, code_of
from paifu.replay.findings.finding import Finding, UnknownCodeError
from paifu.replay.findings.kinds import FindingKind
from paifu.replay.findings.spoken import (
    FAMILIES,
    KINDS,
    cases,
    faults,
    in_words,
    kinds_of,
    parse_selection,
)
from paifu.replay.kernels import reasons
from paifu.replay.model.batch import NO_YAKU, Batch
from paifu.replay.model.events import NO_SEAT, RULING_SHIFT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE, kind_of, parse_tile
from paifu.replay.positions.tracker import Tracker
from paifu.replay.rules.choices import Consequence
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.foul_kinds import FOUL_NAMES
from paifu.replay.rules.ruleset import FIELDS, Ruleset
from paifu.replay.rulesets.presets import load_preset, rulesets_of, with_overrides
from paifu.replay.scoring.yaku import DORA_ID
from paifu.replay.table.engine import replay
from paifu.replay.table.replayed import Checked, Replay
from paifu.replay.views.events import Event
from paifu.replay.views.games import Hand

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
SKIPPED = EventKind.LEAVE
"""In place of an event that is taken out: it says nothing of the hand."""


@dataclass(frozen=True)
class Change:
    """A sample log, what is changed in it, and the rules it is replayed under."""

    sample: str
    edit: Callable[[Batch], None]
    rules: tuple[Ruleset, ...] = ()


CLASSICAL = "../systems/chinese-classical-games.jsonl.gz"
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
@shown_by("V214", "aborted-hands.zip", foul_kuikae="dead_hand")
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


@shown_by("V215", foul_kuikae="dead_hand")
def _(batch: Batch) -> None:
    row = find(batch, EventKind.RIICHI_PAID)
    batch.events.kind[row], batch.events.tile[row] = EventKind.FOUL, FOUL_NAMES.index("kuikae")


@shown_by("V216")
def _(batch: Batch) -> None:
    events, wins = batch.events, batch.wins
    for row in np.flatnonzero(events.kind == EventKind.RIICHI_PAID):
        if (wins.seat[wins.hand == batch.hands_of(np.array([row]))[0]] == events.seat[row]).any():
            events.kind[row], events.tile[row] = EventKind.FOUL, FOUL_NAMES.index("other")
            events.flags[row] = Consequence.DEAD_HAND << RULING_SHIFT
            return
    raise AssertionError("no riichi wins")


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


@shown_by("V408", CLASSICAL)
def _(batch: Batch) -> None:
    row = int(np.flatnonzero((batch.wins.own_scores == 16).any(axis=1))[0])
    batch.wins.own_scores[row][batch.wins.own_scores[row] == 16] = 32


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


@shown_by("V507")
def _(batch: Batch) -> None:
    batch.games.hand_begin[0] = 1


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


RECORD = "../platforms/tonpuu-md5.json.gz"


@shown_by("V605", RECORD)
def _(batch: Batch) -> None:
    batch.hands.seed[0] = batch.hands.seed[0][:-1] + "x"


@shown_by("V606", RECORD)
def _(batch: Batch) -> None:
    batch.hands.dealt[0, 1, 0] = batch.hands.dealt[0, 1, 0] ^ 1


@shown_by("V607")
def _(batch: Batch) -> None:
    hands, events = batch.hands, batch.events
    hands.dealt[1] = np.roll(hands.dealt[0], int(hands.dealer[1]) - int(hands.dealer[0]), axis=0)
    hands.dora[1] = hands.dora[0]
    drawn = [
        np.flatnonzero((batch.hands_of(np.arange(len(events))) == hand) & (events.kind == EventKind.DRAW))
        for hand in (0, 1)
    ]
    both = min(map(len, drawn))
    events.tile[drawn[1][:both]] = events.tile[drawn[0][:both]]


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
    return [in_words(case) for case in cases(replay(batch, *rules))]


def shown(code: str) -> Finding:
    """The first finding of that code in the log that shows it."""
    change = CHANGES[code]
    batch = copy_of(sample(change.sample))
    change.edit(batch)
    return next(finding for finding in findings(batch, *change.rules) if finding.code == code)


def noted_as(code: int, at: EventKind | None = None, **cells: int) -> Finding:
    """A finding with these numbers, at the first event of a kind in a sample log, in words."""
    batch = sample("hanchan.mjlog.gz")
    event = -1 if at is None else find(batch, at)
    hand = max(0, int(np.searchsorted(batch.hands.event_begin, event, side="right")) - 1)
    seat = NO_SEAT if at is None else int(batch.events.seat[event])
    row = {
        "game": 0,
        "hand": hand,
        "event": event,
        "seat": seat,
        "tile": NO_TILE,
        "expected": 0,
        "actual": 0,
        "reason": 0,
    }
    cells = {"code": code, **row, **cells}
    table = Findings(**{c.name: np.array([cells[c.name]], c.dtype) for c in Findings.columns()})
    facts = Replay(
        batch,
        rulesets_of(batch),
        (),
        table,
        PlayerHands.empty(),
        ScoredWins.empty(len(batch.wins)),
        Checked(*[0] * 10),
    )
    (case,) = cases(facts)
    return in_words(case)


def tile(name: str) -> int:
    return parse_tile(name)


def mask(*names: str) -> int:
    return sum(1 << parse_tile(name) for name in names)


K = EventKind
FIRST_FINAL = 21600
"""Final score of seat 0 in the sample log."""
case = partial(partial, noted_as)
WORDS: list[tuple[Callable[[], Finding], str, object, object]] = [
    (case(103, K.DRAW, tile=tile("5s"), expected=3, actual=4),
     "5s for the fourth time; the set holds 3", 3, 4),
    (case(103, K.DRAW), "a tile is hidden, so the hand cannot be followed", 0, 0),
    (case(103, K.DRAW, tile=tile("4m"), expected=0, actual=1),
     "4m is not in the set of this game", 0, 1),
    (case(103, K.WIN, reason=reasons.OTHER_COPY, actual=16),
     "0m (id 16) comes into play a second time", None, None),
    (case(201, K.DRAW, expected=2, actual=2),
     "a draw where another move is due, or none is possible any more", 2, 2),
    (case(201, K.RIICHI, expected=1, actual=2), "a riichi out of turn: seat 1 is to move", 1, 2),
    (case(202, K.DISCARD, reason=reasons.OTHER_COPY, actual=17),
     "5m (id 17) is not where this takes it from; another copy may be", None, None),
    (case(203, K.RIICHI, tile=tile("9s"), expected=tile("9s")),
     "9s is said to come from the hand, but the only one is the tile just drawn", "9s", "1m"),
    (case(204, K.PON, reason=reasons.NOT_HELD, tile=tile("2p"), expected=tile("2p"), actual=NO_TILE),
     "pon with 2p, which is not in the hand", "2p", None),
    (case(204, K.PON, tile=tile("2p"), expected=NO_TILE, actual=tile("2p")),
     "pon of 2p, but nothing was just discarded", None, "2p"),
    (case(204, K.CHI, tile=tile("2p"), expected=tile("3p"), actual=tile("2p")),
     "chi of 2p, but 3p was just discarded", "3p", "2p"),
    (case(204, K.CHI, reason=reasons.OTHER_COPY, actual=17),
     "5m (id 17) is not where this takes it from; another copy may be", None, None),
    (case(206, K.KAKAN, tile=tile("7z"), reason=reasons.NOT_NOW, actual=3),
     "kakan of 7z at another's turn, before a draw, or with no tile left to draw", None, None),
    (case(206, K.KAKAN, tile=tile("7z"), reason=reasons.OTHER_SOURCE, actual=3),
     "kakan of 7z to a pon from seat 3, who did not feed it", None, None),
    (case(206, K.KAKAN, reason=reasons.OTHER_COPY, actual=17),
     "5m (id 17) is not where this takes it from; another copy may be", None, None),
    (case(206, K.KAKAN, tile=tile("7z"), expected=5, actual=5),
     "kakan of 7z under riichi, which the rules allow with the tile just drawn only", "1m 3m", "1m 3m"),
    (case(206, K.KAKAN, tile=tile("3m"), reason=reasons.OTHER_GROUPS),
     "kakan of 3m under riichi takes tiles that another group could need", None, None),
    (case(206, K.KAKAN, tile=tile("7z"), expected=mask("1m", "4m"), actual=0),
     "kakan of 7z under riichi changes the waits from 1m 4m to none", "1m 4m", "none"),
    (case(207, K.DISCARD, tile=tile("7z"), reason=reasons.NOT_TENPAI),
     "riichi without tenpai: discarding 7z leaves no wait", None, None),
    (case(207, K.RIICHI, reason=reasons.OPEN_HAND), "riichi with an open hand", None, None),
    (case(207, K.RIICHI, reason=reasons.SECOND_RIICHI), "a second riichi", None, None),
    (case(207, K.DISCARD, reason=reasons.IN_RIICHI, tile=tile("7z"), expected=tile("1z"), actual=tile("7z")),
     "7z is discarded under riichi, but 1z was drawn", "1z", "7z"),
    (case(207, K.DISCARD, reason=reasons.IN_RIICHI, tile=tile("7z"), expected=NO_TILE, actual=tile("7z")),
     "7z is discarded under riichi, but nothing was drawn", None, "7z"),
    (case(207, K.RIICHI, reason=reasons.SHORT_WALL, expected=4, actual=3),
     "riichi with 3 tiles left to draw, it takes 4", 4, 3),
    (case(207, K.RIICHI, reason=reasons.FEW_POINTS, expected=4, actual=-500),
     "riichi with -500 points, it takes 4", 4, -500),
    (case(207, K.WIN, reason=reasons.FOUL_SHOWN),
     "a win that shows that its riichi, or a kan under it, was a foul", None, None),
    (case(208, K.RIICHI_PAID, reason=reasons.NOT_DUE),
     "a riichi stick is paid that is not due", None, None),
    (case(208, K.RIICHI_PAID, expected=24000, actual=25000),
     "score after the riichi differs: engine 24000, log 25000", None, None),
    (case(208, K.WIN, reason=reasons.TILE_WON),
     "a riichi stick is paid although the tile was won", None, None),
    (case(211, K.DRAW, actual=K.CHI), "a chi after the end of the hand", None, None),
    (case(212, K.DRAW, expected=HandEnd.SUUCHA),
     "the hand goes on, but had to end by four riichi", "four riichi", None),
    (case(213, K.DRAW, reason=reasons.NOT_HELD, tile=tile("4z")), "kita without a north in the hand",
     None, None),
    (case(213, K.DRAW, reason=reasons.NOT_PLAYED, tile=tile("4z")), "kita in a game that has none",
     None, None),
    (case(213, K.DRAW, reason=reasons.IN_RIICHI, tile=tile("4z")),
     "kita under riichi of a north that was not just drawn", None, None),
    (case(213, K.DRAW, reason=reasons.NOT_NOW, tile=tile("4z")),
     "kita at another's turn, before a draw, after declaring riichi, or with no tile left to draw",
     None, None),
    (case(213, K.DRAW, reason=reasons.OTHER_COPY, actual=120),
     "4z (id 120) comes into play a second time", None, None),
    (case(301, K.WIN, tile=tile("1s"), expected=1, actual=-1),
     "the hand is not complete with 1s", None, None),
    (case(301, K.WIN, reason=reasons.OTHER_TILES, tile=tile("1s")),
     "the tiles or melds shown with the win are not those of the hand", None, None),
    (case(301, K.WIN, reason=reasons.ROBS_ANKAN, tile=tile("1s")),
     "1s of a closed kan could not be won: only thirteen orphans may rob one, if anybody", None, None),
    (case(307, K.WIN, expected=1000, actual=0), "points differ: engine 1000, log 0", 1000, 0),
    (case(307, K.WIN, reason=reasons.LIMIT, expected=0, actual=1),
     "points differ: engine none, log mangan", "none", "mangan"),
    (case(308, K.WIN, reason=reasons.URA, expected=1, actual=2),
     "dora differ: engine 1 ura dora, log 2 ura dora", "1 ura dora", "2 ura dora"),
    (case(308, K.WIN, reason=reasons.RED, expected=0, actual=1),
     "dora differ: engine 0 red dora, log 1 red dora", "0 red dora", "1 red dora"),
    (case(308, K.WIN, reason=reasons.INDICATOR, expected=0, actual=255),
     "indicators differ: the wall has 1m, the log lists none", "1m", None),
    (case(308, K.WIN, reason=reasons.URA_INDICATORS, expected=2, actual=1),
     "ura indicators differ: 2 due, 1 shown", 2, 1),
    (case(308, K.WIN, reason=reasons.URA_INDICATORS, expected=0, actual=0),
     "ura indicators differ: 0 due, more shown", 0, 0),
    (case(309, K.WIN, expected=1, actual=2), "2 wins on one tile, not in the order of turns", None, None),
    (case(309, K.WIN, reason=reasons.TOO_MANY_WINS, expected=1, actual=2),
     "2 wins on one tile; the rules allow 1", None, None),
    (case(404, K.WIN, expected=2, actual=NO_SEAT),
     "liable player differs: engine seat 2, log nobody", "seat 2", "nobody"),
    (case(406, K.HAND_DRAW, reason=reasons.OTHER_TILES, seat=1, expected=1),
     "the tiles shown are not those of the hand", None, None),
    (case(407, K.HAND_DRAW, seat=1, expected=4000, actual=-2000),
     "nagashi payments differ: engine +4000, log -2000", 4000, -2000),
    (case(407, K.HAND_DRAW, expected=0b1001),
     "no nagashi mangan in the log, but the discards of seat 0 and 3 are one", None, None),
    (case(501, K.WIN, expected=1000, actual=2000),
     "score before the payment differs: engine 1000, log 2000", 1000, 2000),
    (case(502, seat=2, expected=1, actual=2), "dealer differs: engine 1, log 2", 1, 2),
    (case(505, expected=1), "the game goes on though it is over", None, None),
    (case(506, seat=0, expected=25000, actual=FIRST_FINAL),
     f"final score differs: engine 25000, log {FIRST_FINAL}", 25000, FIRST_FINAL),
    (case(506, reason=reasons.FINAL_POINTS, seat=0, expected=1600, actual=FIRST_FINAL),
     "final points differ: engine +1.6, log +21.6", 1600, FIRST_FINAL),
    (case(601, reason=reasons.ANOTHER_WALL, expected=52, actual=6),
     "the wall of this seed is another one: 6 of 52 tiles dealt agree", 52, 6),
    (case(603, expected=16, actual=NO_TILE), "indicator differs: wall 0m (id 16), log None",
     "0m (id 16)", None),
]  # fmt: skip
"""What the codes say where they stand for more than one thing: finding, message, expected, actual."""


@each_row(("make", "message", "expected", "actual"), WORDS)
def test_words(make: Callable[[], Finding], message: str, expected: object, actual: object) -> None:
    finding = make()
    assert (finding.message, finding.expected, finding.actual) == (message, expected, actual)


def test_an_aborted_hand_shows_hands_rather_than_tenpai() -> None:
    batch = copy_of(sample("aborted-hands.zip"))
    row = int(np.flatnonzero(batch.hand_draws.kind == HandEnd.SUUCHA)[0])
    batch.hand_draws.shown[row, 1] = NO_TILE
    finding = next(finding for finding in findings(batch) if finding.code == "V406")
    assert finding.message == "hand differs: engine shown, log hidden"
    assert (finding.expected, finding.actual, finding.seat) == ("shown", "hidden", 1)


def test_a_finding_tells_where_it_is() -> None:
    finding = shown("V306")
    batch = sample("hanchan.mjlog.gz")
    hand = Hand.of(batch, int(batch.wins.hand[0]))
    win = hand.wins[0]
    assert (finding.hand, finding.event, finding.seat) == (hand.label, win.event, win.seat)
    assert win.seat is not None
    assert finding.player == batch.games.names[0, win.seat]
    own = [e for e in hand.events if e.kind == EventKind.DISCARD and e.seat == win.seat]
    assert finding.turn == len(own) + win.is_tsumo
    assert finding.source.endswith("hanchan.mjlog.gz")
    assert finding.game_id == batch.games.id[0]
    assert (finding.expected, finding.actual) == (40, 50)


@pytest.mark.parametrize("seat", range(4))
def test_a_payment_that_differs_names_the_seat(seat: int) -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    batch.wins.deltas[0, seat] += 100
    finding = next(finding for finding in findings(batch) if finding.code == "V401")
    assert finding.seat == seat


def test_what_is_about_no_event_is_at_the_beginning() -> None:
    higher = with_overrides(load_preset("tenhou"), {"target_points": 60000})
    (case,) = cases(replay(sample("hanchan.mjlog.gz"), higher))
    assert (case.event, case.index, case.shown) == (-1, None, 0)


def test_dora_that_the_log_does_not_list() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    row, place = np.argwhere(batch.wins.yaku == DORA_ID)[0]
    han = int(batch.wins.han[row, place])
    batch.wins.yaku[row, place] = NO_YAKU
    (finding,) = findings(batch)
    assert (finding.code, finding.message) == ("V308", f"dora differ: engine {han} dora, log 0 dora")


def test_ura_indicators_without_riichi() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    silent = ~np.isin(batch.wins.yaku, [1, 21]).any(axis=1)
    row = int(np.flatnonzero(silent)[0])
    batch.wins.ura[row, 0] = batch.wins.dora[row, 0]
    messages = [finding.message for finding in findings(batch)]
    assert "ura indicators differ: 0 due, more shown" in messages


def test_a_hand_that_is_not_the_one_that_won() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    shown, other = int(batch.wins.tiles[0, 0]), int(batch.hands.dora[batch.wins.hand[0]])
    assert shown != other
    batch.wins.tiles[0, 0], batch.wins.tiles_id[0, 0] = other, NO_TILE
    assert {finding.code for finding in findings(batch)} == {"V301"}


def test_a_copy_that_the_seat_does_not_hold() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    row = find(batch, EventKind.DISCARD, 3)
    batch.events.tile_id[row] ^= 1
    found = [finding for finding in findings(batch) if finding.code.startswith("V2")]
    assert (found[0].code, found[0].event) == ("V202", row - batch.hands.event_begin[0])


def test_a_seat_whose_deal_differs_in_two_tiles_is_told_once() -> None:
    batch = copy_of(sample("hanchan.mjlog.gz"))
    rows = [find(batch, EventKind.DRAW, number) for number in (0, 1)]
    batch.hands.dealt_id[0, 0, :2] = batch.events.tile_id[rows]
    codes = [(finding.code, finding.seat) for finding in findings(batch) if finding.code == "V601"]
    assert codes == [("V601", 0)]


def test_turns_are_counted_from_the_first_move_of_a_player() -> None:
    draws = [noted_as(602, K.DRAW), noted_as(202, K.DISCARD), noted_as(204, K.PON)]
    assert [finding.turn for finding in draws[:2]] == [1, 1]
    assert draws[2].turn is not None
    assert noted_as(208, K.RIICHI_PAID).turn == noted_as(207, K.RIICHI, reason=reasons.OPEN_HAND).turn
    assert noted_as(401, K.DRAW, seat=3).turn == 0
    assert noted_as(505).turn is None


# --- the table -----------------------------------------------------------------------------------------

LOG_KINDS = [kind for kind in KINDS.values() if kind.code.startswith("V")]


def test_every_code_of_a_log_is_shown() -> None:
    assert {kind.code for kind in LOG_KINDS} == CHANGES.keys() | UNREADABLE.keys() | {"V210"}
    assert noted_as(210, K.DRAW, expected=4, actual=5).message == KINDS["V210"].example


@each_row("kind", LOG_KINDS, ids=lambda kind: kind.code)
def test_every_row_says_what_a_reader_needs(kind: FindingKind) -> None:
    assert re.fullmatch(r"V[1-6]\d\d", kind.code)
    assert kind.family in FAMILIES
    assert re.fullmatch(r"[a-z][a-z-]+", kind.name)
    for text in (kind.meaning, kind.basis, kind.advice):
        assert text[0].isupper() or text[0] == "`"
        assert text.endswith(".")
    rules = set(re.findall(r"`([a-z_0-9]+)`", kind.basis))
    assert rules <= FIELDS.keys()


def test_names_and_codes_are_unique_and_in_order() -> None:
    assert len({kind.name for kind in KINDS.values()}) == len(KINDS)
    assert [kind.code for kind in LOG_KINDS] == sorted(kind.code for kind in LOG_KINDS)


def test_codes_of_numbers() -> None:
    assert [code_of(number) for number in (101, 604, 1101, 2103, 3108, 4101)] == [
        "V101", "V604", "F101", "W103", "D108", "R101",
    ]  # fmt: skip


@each_row(
    ("select", "ignore", "wanted"),
    [
        ([], [], {"V101", "V103", "V306", "V401"}),
        (["V3"], [], {"V101", "V306"}),
        (["v306, V4"], [], {"V101", "V306", "V401"}),
        ([], ["V1,V3"], {"V401"}),
        (["V3", "V4"], ["V306"], {"V101", "V401"}),
    ],
)
def test_selection(select: list[str], ignore: list[str], wanted: set[str]) -> None:
    selection = parse_selection(select, ignore)
    codes = {"V101": True, "V103": False, "V306": False, "V401": False}
    assert {code for code, is_fault in codes.items() if selection.wants(code, is_fault=is_fault)} == wanted


@each_row("prefix", ["", "X", "V9", "V3066", "306"])
def test_a_prefix_of_no_code_is_an_error(prefix: str) -> None:
    with pytest.raises(UnknownCodeError, match="V1, V2, V3"):
        kinds_of(prefix)


@each_row("code", CHANGES)
def test_every_code_is_shown_by_a_log_with_one_change(code: str) -> None:
    finding = shown(code)
    kind = KINDS[code]
    assert finding.message == kind.example
    assert (finding.name, finding.severity) == (kind.name, kind.severity)


@each_row("name", sorted({change.sample for change in CHANGES.values()}))
def test_the_logs_say_nothing_before_the_change(name: str) -> None:
    batch = sample(name)
    assert findings(batch) == []
    assert len(batch.hands) > 0


@pytest.mark.parametrize("code", UNREADABLE)
def test_what_cannot_be_read_is_a_finding(code: str) -> None:
    (finding,) = faults(read(UNREADABLE[code]).faults)
    assert (finding.code, finding.message) == (code, KINDS[code].example)
    assert (finding.hand, finding.seat, finding.event) == (None, None, None)


@pytest.mark.parametrize(("bit", "codes"), [(0, {"V506"}), (0x800, set())])
def test_lobbies_with_a_settlement_of_their_own(bit: int, codes: set[str]) -> None:
    """Their logs do not state the ratio, so only scores can be compared."""
    batch = copy_of(sample("hanchan.mjlog.gz"))
    batch.games.go_type[0] |= bit
    batch.games.final_points[0] *= 2
    assert {one.code for one in findings(batch)} == codes
    batch.games.final_scores[0, 0] += 100
    assert {one.code for one in findings(batch)} == {"V506"}
