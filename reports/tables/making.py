"""How the tables for people are made from a replayed batch; :mod:`paifu.reports.tables.declared` has them.

Numbers of hands and players come from the records that statistics count, so that a query finds what
``paifu stats`` prints. Numbers count from 0 within the batch; :func:`numbered` makes them a dataset's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from paifu.coach.decisions import Decisions, OptionKind
from paifu.coach.luck.course import course
from paifu.coach.luck.hand_ends import SEATS
from paifu.coach.luck.ledger import LuckLedger, luck_ledger
from paifu.coach.luck.measuring import chance_nodes
from paifu.coach.luck.moments import Moments, moments
from paifu.coach.places.utilities import RULES
from paifu.replay.arrays import Array
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.finding import Severity
from paifu.replay.findings.review_kinds import REVIEW_KINDS
from paifu.replay.findings.review_sentences import DANGER_NAMES, THREAT_NAMES
from paifu.replay.kernels.hand_result import Result
from paifu.replay.kernels.review_layout import SORT
from paifu.replay.kernels.rows import PATH_BITS, PATH_TURNS
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.identity import game_keys, hand_keys
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE, TILES, WINDS
from paifu.replay.review.results import Threat
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.fields import TABLE_SCHEMES
from paifu.replay.rules.local_yaku import OWN_IDS
from paifu.replay.rules.own_rows import OWN_BITS
from paifu.replay.schemes.tables import table
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.readings import Wait
from paifu.replay.scoring.yaku import YAKU, yaku_ids
from paifu.replay.source_hash import source_hash
from paifu.replay.table.replayed import Replay
from paifu.replay.views.labels import format_label
from paifu.reports.luck import PARTS
from paifu.reports.metrics.records import CALLS_TOLD, Records, ReviewRecords, records_key
from paifu.reports.tables.declared import KEYS, SHARD_BITS, TABLES, TIME, WORD, WORDS, TableColumn
from paifu.reports.tables.waits import NO_WAIT, WAITS, closed_tiles, wait_shape

ENDS = {
    HandEnd.UNFINISHED: "unfinished", HandEnd.WIN: "win", HandEnd.EXHAUSTIVE: "exhaustive draw",
    HandEnd.NAGASHI: "nagashi mangan", HandEnd.KYUUSHU: "nine terminals", HandEnd.SUUFON: "four winds",
    HandEnd.SUUCHA: "four riichi", HandEnd.SANCHAHOU: "three rons", HandEnd.SUUKAIKAN: "four kans",
    HandEnd.UNKNOWN_DRAW: "draw", HandEnd.CHOMBO: "foul",
}  # fmt: skip
RESULTS = {
    Result.UNFINISHED: "unfinished", Result.TSUMO: "tsumo", Result.RON: "ron", Result.DEALT_IN: "dealt in",
    Result.TSUMO_PAID: "paid tsumo", Result.ASIDE: "aside", Result.DRAW: "draw", Result.ABORTED: "aborted",
    Result.FOUL: "foul",
}  # fmt: skip
RIICHI = ("none", "riichi", "double riichi")
FURITEN = ("discard", "temporary", "riichi")
_LIMITS = {limit: limit.name.lower() for limit in Limit}
_WAITS = {wait: wait.name.lower() for wait in Wait}
_SCHEMES = {scheme: scheme.name.lower().replace("_", "-") for scheme in Scheme}
_FURITEN_OF = [[name for bit, name in enumerate(FURITEN) if mask >> bit & 1] for mask in range(8)]
MADE = b"paifu.made"
"""What files say of what made them."""
_TENHOU, _LINK = ("mjlog", "tenhou6"), "https://tenhou.net/0/?log="
_CALLS = (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)


def arrow_type(column: TableColumn) -> pa.DataType:
    """Return how a column is stored."""
    word = pa.dictionary(pa.int32(), pa.string())
    named = {"text": pa.string(), WORD: word, WORDS: pa.list_(pa.string()), TIME: pa.timestamp("ms")}
    return named[column.type] if column.type in named else pa.type_for_alias(column.type)


@cache
def tables_key() -> str:
    """Return a hash of what the tables depend on: engine, rules, records, models, and how they are made."""
    digest = hashlib.sha256(decisions_key().encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def schema(name: str) -> pa.Schema:
    """Return the Arrow schema of a table."""
    fields = [pa.field(column.name, arrow_type(column)) for column in TABLES[name].columns]
    return pa.schema(fields, metadata={"paifu.table": name, MADE: tables_key()})


def numbered(made: pa.Table, shard: int) -> pa.Table:
    """Return a table of a batch with the numbers of a dataset, in which the batch is this shard, from 0."""
    for key in set(KEYS) & set(made.column_names):
        at = made.column_names.index(key)
        keys = np.asarray(made[key]) + (shard << SHARD_BITS)
        made = made.set_column(at, made.schema.field(key), pa.array(keys, pa.int64()))
    return made


def tables_of(
    replayed: Replay, found: Records, *, luck: bool = False, decisions: Decisions | None = None
) -> dict[str, pa.Table]:
    """Return all tables of a replayed batch and its records, with keys from 0.

    Without ``luck``, which takes a tenth of a second a game, those of luck have no rows; without the batch's
    ``decisions``, nothing is known of what discards lost.
    """
    rows = _TableSources(replayed, found, luck, decisions)
    return {name: _arrow(name, make(rows)) for name, make in _MAKERS.items()}


def _arrow(name: str, columns: Mapping[str, Any]) -> pa.Table:
    made = [_array(columns[column.name], arrow_type(column)) for column in TABLES[name].columns]
    return pa.Table.from_arrays(made, schema=schema(name))


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    if isinstance(values, pa.Array):
        return values.cast(kind) if values.type != kind else values
    if isinstance(values, np.ma.MaskedArray):
        return pa.array(values.data.astype(np.int64), kind, mask=np.ma.getmaskarray(values))
    if isinstance(values, np.ndarray) and values.dtype != object:
        return pa.array(values, kind)
    plain = pa.array(values, pa.string() if pa.types.is_dictionary(kind) else kind)
    return plain.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else plain


def _words(codes: Array, words: Sequence[str] | Mapping[Any, str]) -> pa.Array:
    """Words for codes, as a dictionary; a code without a word is null."""
    named = words if isinstance(words, Mapping) else dict(enumerate(words))
    place = np.full(256, len(named), np.int32)
    for number, code in enumerate(named):
        place[int(code)] = number
    at = place[np.asarray(codes).astype(np.uint8)]
    indices = pa.array(at, pa.int32(), mask=at == len(named))
    return pa.DictionaryArray.from_arrays(indices, pa.array(list(named.values()), pa.string()))


def _lists(masks: Iterator[Sequence[str]]) -> pa.Array:
    return pa.array(list(masks), pa.list_(pa.string()))


def _where(values: Array, known: Array) -> Any:
    """Values, null where they are not known."""
    return np.ma.masked_array(np.asarray(values), mask=~np.asarray(known, bool))


def _same(own: Any, names: str) -> dict[str, Array]:
    """Columns of records that are called as those of a table."""
    return {name: getattr(own, name) for name in names.split()}


@dataclass(frozen=True)
class _TableSources:
    """What tables are made of."""

    facts: Replay
    records: Records
    with_luck: bool
    decisions: Decisions | None = None

    @cached_property
    def luck(self) -> tuple[LuckLedger, Moments] | None:
        """Luck of hands, and place chances after every event, if asked for; worth is uma and oka."""
        if not self.with_luck:
            return None
        batch, rules = self.facts.batch, self.facts.rules
        found = list(chance_nodes(batch, *rules, keep=True))
        ledger = luck_ledger(batch, *rules, worth=RULES, outlook=True, nodes=found)
        return ledger, moments(batch, ledger, course(batch, found, RULES))

    @cached_property
    def names(self) -> tuple[pa.Array, Array]:
        """All names, and the place of each game's and seat's among them."""
        names, places = np.unique(self.records.games.names.reshape(-1).astype(str), return_inverse=True)
        return pa.array(names.tolist(), pa.string()), places.reshape(-1, 4).astype(np.int32)

    def players(self, game: Array, seat: Array, is_one: Array | None = None) -> pa.Array:
        """Names, as a dictionary; null where there ``is_one`` not."""
        names, places = self.names
        indices = pa.array(places[game, seat], mask=None if is_one is None else ~is_one)
        return pa.DictionaryArray.from_arrays(indices, names)

    @cached_property
    def game_keys(self) -> Array:
        """The keys of the games."""
        return game_keys(self.facts.batch)

    @cached_property
    def is_counted(self) -> Array:
        """Which hands have records."""
        counted = np.zeros(len(self.facts.batch.hands), bool)
        counted[self.records.hands.hand] = True
        return counted

    @cached_property
    def hand_of_event(self) -> Array:
        """Row of the hand of each event; -1 outside of hands."""
        return self.facts.batch.hands_of(np.arange(len(self.facts.batch.events)))

    @cached_property
    def first_players(self) -> Array:
        """Row of the first player of each hand in the facts."""
        batch = self.facts.batch
        seats = batch.games.players[batch.hands.game].astype(np.int64)
        first: Array = np.concatenate([[0], np.cumsum(seats)])
        return first

    @cached_property
    def last_waits(self) -> Array:
        """Shape of the last wait of each row of the records of hands."""
        own, batch = self.records.hands, self.facts.batch
        masks = self.facts.player_hands.waits[self.first_players[own.hand] + own.seat]
        found = np.full(len(own), NO_WAIT)
        waiting = np.flatnonzero((masks != 0) & own.is_waiting & ~own.is_hidden)
        held = closed_tiles(batch, self.hand_of_event)[own.hand[waiting], own.seat[waiting]]
        for row, tiles, mask in zip(waiting, held.tolist(), masks[waiting].tolist(), strict=True):
            found[row] = wait_shape(tuple(tiles), mask)
        return found

    def of_seat(self, game: Array, hand: Array, seat: Array) -> dict[str, Any]:
        """The columns that a row of a player in a hand begins with."""
        return {"hand": hand, "game": game, "seat": seat, "player": self.players(game, seat)}


def _games(rows: _TableSources) -> dict[str, Any]:
    batch, games, own = rows.facts.batch, rows.facts.batch.games, rows.records.games
    is_tenhou = np.isin(games.format.astype(str), _TENHOU) & (games.id.astype(str) != "")
    return {
        "game": np.arange(len(games)),
        "key": rows.game_keys,
        "link": [_LINK + name if is_one else None for name, is_one in zip(games.id, is_tenhou, strict=True)],
        "started": pa.array([_time(text) for text in games.started], pa.timestamp("ms")),
        "room": [room or None for room in own.room],
        "scheme": _words(own.scheme, _SCHEMES),
        "length": own.length,
        "hands": np.bincount(batch.hands.game, minlength=len(games)),
    } | _same(games, "id source format ruleset players is_cut")


def _time(text: str) -> Any:
    """A moment as far as it is stated; None where it is not, or is not a moment."""
    try:
        return np.datetime64(text, "s").item() if text else None
    except ValueError:
        return None


def _game_players(rows: _TableSources) -> dict[str, Any]:
    own = rows.records.games
    game, seat = np.nonzero(np.arange(4) < own.players[:, None])
    rating, points = own.rating[game, seat], own.points[game, seat]
    start, final = own.start[game, seat], own.final[game, seat]
    return {
        "game": game,
        "seat": seat,
        "player": rows.players(game, seat),
        "dan": _where(own.dan[game, seat], own.dan[game, seat] >= 0),
        "rating": pa.array(rating / 100, mask=rating == 0),
        "start": _where(start, start != UNKNOWN_POINTS),
        "final": _where(final, final != UNKNOWN_POINTS),
        "result": pa.array(points / 10, mask=points == UNKNOWN_POINTS),
        "rank": _where(own.rank[game, seat], own.rank[game, seat] > 0),
    }


def _hands(rows: _TableSources) -> dict[str, Any]:
    batch = rows.facts.batch
    hands = batch.hands
    number = np.arange(len(hands))
    every = rows.hand_of_event
    kinds = batch.events.kind
    return {
        "hand": number,
        "key": hand_keys(batch, rows.game_keys),
        "place": list(map(format_label, hands.round.tolist(), hands.honba.tolist())),
        "wind": _words(hands.round // 4 % 4, WINDS),
        "number": hands.round % 4 + 1,
        "dealer": _where(hands.dealer, hands.dealer != NO_SEAT),
        "end": _words(hands.end, ENDS),
        "riichis": np.bincount(every[(kinds == EventKind.RIICHI) & (every >= 0)], minlength=len(hands)),
        "winners": np.bincount(batch.wins.hand, minlength=len(hands)),
        "is_counted": rows.is_counted,
    } | _same(hands, "game honba sticks")


def _player_hands(rows: _TableSources) -> dict[str, Any]:
    known = np.flatnonzero(~rows.records.hands.is_hidden)
    own = rows.records.hands.rows(known)
    in_riichi, won = own.riichi > 0, np.isin(own.result, (Result.TSUMO, Result.RON))
    first_call = own.call_turns.reshape(len(own), CALLS_TOLD)[:, 0]
    paid = own.result == Result.TSUMO_PAID
    return (
        rows.of_seat(own.game, own.hand, own.seat)
        | {
            "score": _where(own.score, own.score != UNKNOWN_POINTS),
            "result": _words(own.result, RESULTS),
            "won": won,
            "points": _where(own.value, won),
            "dealt_in_points": _where(own.dealt_in_value, own.deal_ins > 0),
            "tsumo_paid": _where(own.tsumo_loss, paid),
            "tenpai_turn": _where(own.tenpai_turn, own.tenpai_turn >= 0),
            "wait": _words(rows.last_waits[known], WAITS),
            "riichi": _words(own.riichi, RIICHI),
            "riichi_turn": _where(own.riichi_turn, in_riichi),
            "riichi_order": _where(own.riichi_order, in_riichi),
            "riichi_kinds": _where(own.riichi_kinds, in_riichi),
            "riichi_tiles": _where(own.riichi_live, in_riichi),
            "riichi_furiten": pa.array(own.riichi_furiten, mask=~in_riichi),
            "furiten": _lists(_FURITEN_OF[mask] for mask in own.furiten.tolist()),
            "first_call_turn": _where(first_call, first_call >= 0),
            "closed_kans": own.ankan,
            "added_kans": own.kakan,
            "open_kans": own.daiminkan,
        }
        | _same(
            own,
            "is_dealer change yakuman deal_ins turns start_shanten shanten tenpai_at_draw calls kita draws "
            "useful_draws losing_discards",
        )
    )


def _wins(rows: _TableSources) -> dict[str, Any]:
    every, players = rows.records.wins, rows.records.hands
    own = every.rows(np.flatnonzero(~players.is_hidden[every.row]))
    winner, is_ron = own.row, own.payer >= 0
    payer = np.where(is_ron, own.payer, 0)
    is_riichi = own.scheme == Scheme.HAN_FU
    keys = rows.records.games.own_yaku[own.game]
    return (
        rows.of_seat(players.game[winner], players.hand[winner], players.seat[winner])
        | {
            "from_seat": _where(players.seat[payer], is_ron),
            "from_player": rows.players(players.game[payer], players.seat[payer], is_ron),
            "is_tsumo": ~is_ron,
            "is_dealer": players.is_dealer[winner],
            "tile": _tiles(own.tile),
            "points": own.value,
            "han": _where(own.han, is_riichi),
            "fu": _where(own.fu, is_riichi),
            "limit": _words(own.limit, _LIMITS),
            "yaku": _lists(
                map(yaku_words, *(c.tolist() for c in (own.scheme, own.yaku, own.local, own.patterns, keys)))
            ),
            "wait": _words(np.where(is_riichi & (own.yakuman == 0), own.wait, NO_TILE), _WAITS),
            "riichi": _words(players.riichi[winner], RIICHI),
        }
        | _same(own, "turn yakuman dora ura red kita is_open honba sticks")
    )


def yaku_words(scheme: int, mask: int, local: int, patterns: int, own: str) -> list[str]:
    """Names of what a win counts; ``own`` has the keys of its ruleset's own yaku."""
    if scheme in TABLE_SCHEMES:
        every = list(table(Scheme(scheme)))
        known = dict(enumerate(every)) | dict(zip(OWN_BITS, own.split(), strict=False))
        return [name for bit, name in known.items() if patterns >> bit & 1]
    keys = zip(OWN_IDS, own.split(), strict=False)
    names = {number: key.replace("_", " ") for number, key in keys}
    return [YAKU[number].romaji if number in YAKU else names[number] for number in yaku_ids(mask, local)]


def _tiles(tiles: Array) -> pa.Array:
    return _words(tiles, {tile: tile_name(tile) for tile in range(TILES)})


def _deal_ins(rows: _TableSources) -> dict[str, Any]:
    own, players = rows.records.wins, rows.records.hands
    ron = np.flatnonzero((own.payer >= 0) & ~players.is_hidden[own.payer])
    payer, winner = own.payer[ron], own.row[ron]
    return rows.of_seat(players.game[payer], players.hand[payer], players.seat[payer]) | {
        "to_seat": players.seat[winner],
        "to_player": rows.players(players.game[winner], players.seat[winner]),
        "tile": _tiles(own.tile[ron]),
        "turn": players.turns[payer],
        "points": own.value[ron],
        "shanten": players.shanten[payer],
        "riichi": _words(players.riichi[payer], RIICHI),
        "calls": players.calls[payer],
        "is_dealer": players.is_dealer[payer],
        "to_riichi": _words(players.riichi[winner], RIICHI),
        "to_open": own.is_open[ron],
        "to_dealer": players.is_dealer[winner],
    }


def _discards(rows: _TableSources) -> dict[str, Any]:
    batch, hand = rows.facts.batch, rows.hand_of_event
    events = batch.events
    inside = hand >= 0
    inside[inside] = rows.is_counted[hand[inside]]
    at = np.flatnonzero(inside & (events.kind == EventKind.DISCARD))
    is_won = inside & (events.kind == EventKind.WIN) & (events.source != events.seat)
    is_called = _taken(events.kind, at, inside & np.isin(events.kind, _CALLS))
    deals_in = _taken(events.kind, at, is_won)
    own, seat = hand[at], events.seat[at].astype(np.int64)

    def before(*kinds: EventKind) -> Callable[[Array, Array], Array]:
        """How often a seat did something in the hand before an event: from running totals."""
        done = inside[:, None] & (
            np.isin(events.kind, kinds)[:, None] & (events.seat[:, None] == np.arange(4))
        )
        total = np.concatenate([np.zeros((1, 4), np.int64), np.cumsum(done, axis=0)])
        return lambda where, who: total[where, who] - total[batch.hands.event_begin[hand[where]], who]

    declared, paid = before(EventKind.RIICHI), before(EventKind.RIICHI_PAID)
    everybody = sum(paid(at, np.full(len(at), seat)) for seat in range(4))
    mine = paid(at, seat)
    turn = before(EventKind.DISCARD)(at, seat) + 1
    paths = rows.facts.player_hands.path[rows.first_players[own] + seat]
    shanten = paths >> PATH_BITS * (np.minimum(turn, PATH_TURNS) - 1) & (1 << PATH_BITS) - 1
    return rows.of_seat(batch.hands.game[own], own, seat) | {
        "order": np.arange(len(at)) - np.searchsorted(own, own) + 1,
        "turn": turn,
        "tile": _tiles(events.tile[at]),
        "shanten": _where(shanten, turn <= PATH_TURNS),
        "is_drawn": events.flags[at] & EventFlag.TSUMOGIRI > 0,
        "is_riichi": declared(at, seat) > mine,
        "in_riichi": mine > 0,
        "riichis": everybody - mine,
        "calls": before(*_CALLS)(at, seat),
        "is_called": is_called,
        "deals_in": deals_in,
        **_dangers(rows, at, seat),
        **_losses(rows, at),
    }


def _losses(rows: _TableSources, at: Array) -> dict[str, Any]:
    """What the model says of discards (events); null for those of which it says nothing."""
    own = Decisions.empty() if rows.decisions is None else rows.decisions
    row = np.full(len(rows.facts.batch.events), -1)
    judged = np.flatnonzero((own.option <= OptionKind.RIICHI) & (own.loss != UNKNOWN_POINTS))
    row[own.event[judged]] = judged

    def of_row(values: Array, unknown: int) -> Array:
        found: Array = np.append(values.astype(np.int64), unknown)[row[at]]
        return found

    loss, error = of_row(own.loss, UNKNOWN_POINTS), of_row(own.error, UNKNOWN_POINTS)
    return {
        "best": _tiles(of_row(own.best_tile, NO_TILE)),
        "loss": _where(loss, loss != UNKNOWN_POINTS),
        "loss_error": _where(error, error != UNKNOWN_POINTS),
    }


_CLASSES = {
    SORT * threat + danger: name if threat == Threat.RIICHI else f"{THREAT_NAMES[threat]}: {name}"
    for threat in Threat
    for danger, name in DANGER_NAMES.items()
}
"""What a class is called against each sort of threat."""


def _dangers(rows: _TableSources, at: Array, seat: Array) -> dict[str, pa.Array]:
    """Classes of discards against the others who threaten, by where they sit."""
    facts = rows.facts
    players = facts.batch.games.players[facts.batch.hands.game[rows.hand_of_event[at]]].astype(np.int64)
    classes = np.zeros((len(at), 4), np.uint8) if facts.review is None else facts.review.classes[at]
    found = {}
    for place, steps in (("next", 1), ("across", 2), ("before", -1)):
        word = classes[np.arange(len(at)), (seat + steps) % players]
        word = np.where((steps == 2) & (players == 3), 0, word)
        found[f"danger_{place}"] = _words(word, _CLASSES)
    return found


def _taken(kinds: Array, discards: Array, takes: Array) -> Array:
    """Which discards are the latest before an event that takes a tile, with no kan or kita between."""
    found = np.zeros(len(discards), bool)
    if len(discards):
        at = np.flatnonzero(takes)
        latest = np.searchsorted(discards, at) - 1
        kans = np.cumsum(np.isin(kinds, (EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA)))
        found[latest[(latest >= 0) & (kans[at] == kans[discards[np.maximum(latest, 0)]])]] = True
    return found


_NOTES = [kind.number for kind in REVIEW_KINDS.values() if kind.severity == Severity.NOTE]
"""Findings that are notes, whatever was found; of a deal-in, the review says more."""


def _findings(rows: _TableSources) -> dict[str, Any]:
    own, players = rows.records.review or ReviewRecords.empty(), rows.records.hands
    return rows.of_seat(players.game[own.row], players.hand[own.row], players.seat[own.row]) | {
        "code": [code_of(number) for number in own.code.tolist()],
        "cost": own.cost,
        "is_note": own.is_note | np.isin(own.code, _NOTES),
    }


def _luck(rows: _TableSources) -> dict[str, Any]:
    if rows.luck is None:
        return _nothing("luck")
    own, _every = rows.luck
    parts = {name: own.parts[:, :, part] for name, part in PARTS.items()}
    columns = {"result": own.result.astype(np.int64), "luck": own.luck, **parts, **_places(own.chances)}
    worth = {"worth": own.expected, "luck_worth": own.worth_luck, "leverage": own.leverage}
    return _of_luck(rows, own.hand, columns | worth)


def _moments(rows: _TableSources) -> dict[str, Any]:
    if rows.luck is None:
        return _nothing("moments")
    own, every = rows.luck
    event = np.repeat(every.event, SEATS)
    columns = {"event": _where(event, event >= 0), **_places(every.places)}
    worth = {"worth": every.worth, "swing": every.worth - every.worth_before}
    return _of_luck(rows, own.hand[every.row], columns | worth)


def _nothing(name: str) -> dict[str, Any]:
    return {column.name: [] for column in TABLES[name].columns}


def _places(chances: Array) -> dict[str, Array]:
    """The chances of each place, from (rows, seats, places)."""
    return {f"place_{place + 1}": chances[:, :, place] for place in range(SEATS)}


def _of_luck(rows: _TableSources, hands: Array, columns: Mapping[str, Array]) -> dict[str, Any]:
    """Return the columns of a table of luck, a row for each seat; what is not known is null."""
    hand, seat = np.repeat(hands, SEATS), np.tile(np.arange(SEATS), len(hands))
    flat = {name: values.reshape(-1) for name, values in columns.items()}
    known = {
        name: pa.array(values, mask=np.isnan(values)) if values.dtype == float else values
        for name, values in flat.items()
    }
    return rows.of_seat(rows.facts.batch.hands.game[hand], hand, seat) | known


_MAKERS: dict[str, Callable[[_TableSources], dict[str, Any]]] = {
    "games": _games, "game_players": _game_players, "hands": _hands, "player_hands": _player_hands,
    "wins": _wins, "deal_ins": _deal_ins, "discards": _discards, "findings": _findings,
    "luck": _luck, "moments": _moments,
}  # fmt: skip


# --- the table of decisions that an import keeps -------------------------------------------------------


def stored_decisions(batch: Batch) -> Decisions:
    """Return the table of decisions of a batch, each game under its log's rules."""
    from paifu.coach.judgement.judged import decisions  # loads the compiler

    parts = list(decisions(batch))
    return parts[0].concatenated(parts[1:]) if parts else Decisions.empty()


@cache
def decisions_key() -> str:
    """Return a hash of all that the table of decisions depends on: the engine, and the models."""
    return hashlib.sha256((records_key() + source_hash(["coach"], (".py", ".npz"))).encode()).hexdigest()[:32]
