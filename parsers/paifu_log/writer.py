"""Games to paifu's own log, ``paifu/1``: a game a line, or an event a line.

Nothing is lost: what was written is read back into the same columns, except for the name of the source, which
is where a log is read. Unknown cells are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from paifu.parsers.errors import WriteError
from paifu.parsers.paifu_log.notation import DRAW_NAMES, ROUND_NAMES, notation_of
from paifu.parsers.paifu_log.values import FORMAT, LIMITS, NOBODY, VERSION, word_of
from paifu.parsers.paifu_log.verdicts import written_verdicts
from paifu.parsers.written_game import WrittenGame
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Table
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, UNSTATED_SEAT, HandEnd, pack_columns
from paifu.replay.model.patterns import parse_patterns
from paifu.replay.model.tiles import ALL_TILES, IDS, NO_TILE, tile_of_id_table
from paifu.replay.rulesets.presets import parse_overrides

_UNKNOWN = 255
_NO_MELD, _NOT_SHOWN = -1, -2
_LIMIT_NAMES = {number: name for name, number in LIMITS.items()}

JsonRecord = dict[str, Any]
WrittenFaults = Sequence[dict[str, str]]


def _line(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as error:
        raise WriteError(f"a text cannot be written as JSON: {error}") from error


def _own_faults(batch: Batch) -> dict[int, list[dict[str, str]]]:
    """Return the faults of each game, without their source: they are reported where the game is read."""
    game_of = {source: game for game, source in enumerate(batch.games.source)}
    names = [name for name, _ in batch.faults.arrays()]
    own: dict[int, list[dict[str, str]]] = {}
    for cells in zip(*(values.tolist() for _, values in batch.faults.arrays()), strict=True):
        fault = _stated(dict(zip(names, cells, strict=True)))
        game = game_of.get(fault.pop("source", None))
        if game is not None:
            own.setdefault(game, []).append(fault)
    return own


def _stated(fields: JsonRecord) -> JsonRecord:
    """Leave out what is empty."""
    return {name: value for name, value in fields.items() if value not in (None, "")}


class PaifuGameWriter(WrittenGame):
    """One game while it is written, with its own faults, as a line.

    Raises WriteError for a game that no parser makes, and for text that JSON cannot hold.
    """

    target = "paifu"

    def __init__(self, batch: Batch, game: int, faults: WrittenFaults = ()) -> None:
        super().__init__(batch, game)
        self.faults = faults
        self.notation = notation_of(self.rules)
        self._tile_of_code = np.full(256, NO_TILE, np.uint8)
        self._tile_of_code[:IDS] = tile_of_id_table(self.rules.red_ids)[:IDS]
        self._tile_of_code[CODE_OF_TILE : CODE_OF_TILE + ALL_TILES] = np.arange(ALL_TILES)

    @classmethod
    def games(cls, batch: Batch) -> Iterator[bytes]:
        """Write each game of a batch as a log of its own."""
        own = _own_faults(batch)
        return (cls(batch, game, own.get(game, ())).text() for game in range(len(batch)))

    def text(self) -> bytes:
        """The game as one object."""
        return _line(self.document())

    def document(self) -> JsonRecord:
        """The game as one object."""
        games, hands, game = self.batch.games, self.batch.hands, self.game
        begin, end = int(games.event_begin[game]), int(games.event_end[game])
        rows = self.hands
        events = self._events(begin, end)
        starts = [int(hands.event_begin[hand]) - begin for hand in rows]
        if not starts:
            raise self.error("it has no hand")
        record: JsonRecord = {"paifu": VERSION, "game": self._header()}
        if starts[0]:
            record["events"] = events[: starts[0]]
        record["hands"] = [
            {**self._hand(hand), "events": events[start:stop]}
            for hand, start, stop in zip(rows, starts, [*starts[1:], end - begin], strict=True)
        ]
        if result := self._result(rows[-1]):
            record["result"] = result
        if self.faults:
            record["faults"] = list(self.faults)
        return record

    # --- around the hands -----------------------------------------------------------------------------

    def _header(self) -> JsonRecord:
        games, game = self.batch.games, self.game
        is_own = games.format[game] == FORMAT and games.version[game] == str(VERSION)
        go_type, dealer = int(games.go_type[game]), int(games.first_dealer[game])
        origin = {"format": games.format[game], "version": games.version[game]}
        return {
            "ruleset": games.ruleset[game],
            **_stated(
                {
                    "overrides": parse_overrides(games.overrides[game]) or None,
                    "id": games.id[game],
                    "title": games.title[game],
                    "started": games.started[game],
                    "names": self._seats(games.names[game].tolist(), ""),
                    "dan": self._seats(_nulls(games.dan[game], -1), None),
                    "rate": self._seats(_decimals(games.rate[game]), None),
                    "sex": self._seats(games.sex[game].tolist(), ""),
                    "first_dealer": None if dealer == NO_SEAT else dealer,
                    "seed": games.seed[game],
                    "rule": games.rule[game],
                    "lobby": games.lobby[game],
                    "go_type": None if go_type < 0 else go_type,
                    "origin": None if is_own else origin,
                }
            ),
        }

    def _result(self, last_hand: int) -> JsonRecord:
        games, game = self.batch.games, self.game
        is_cut = bool(games.is_cut[game])
        is_unfinished = self.batch.hands.end[last_hand] == HandEnd.UNFINISHED
        return _stated(
            {
                "scores": self._points(games.final_scores[game]),
                "points": self._seats(_decimals(games.final_points[game]), None, absent=0.0),
                "chips": self._points(games.final_chips[game]),
                "penalties": self._seats(games.penalties[game].tolist(), 0),
                "cut": is_cut if is_cut or is_unfinished else None,
            }
        )

    def _seats(self, cells: list[Any], unknown: Any, *, absent: Any = ...) -> list[Any] | None:
        """Cells by seat, without an absent one of which nothing is said; None if all are unknown."""
        if all(cell == unknown for cell in cells):
            return None
        absent = unknown if absent is ... else absent
        return cells[: self.players] if all(cell == absent for cell in cells[self.players :]) else cells

    def _points(self, points: npt.NDArray[Any]) -> list[int | None] | None:
        return self._seats(_nulls(points, UNKNOWN_POINTS), None, absent=0)

    # --- tiles ----------------------------------------------------------------------------------------

    def _codes(self, table: Table, name: str, rows: slice) -> npt.NDArray[np.uint8]:
        """Codes of a column of tiles and its twin of physical ids, which must agree."""
        tiles, ids = getattr(table, name)[rows], getattr(table, name + "_id")[rows]
        codes = np.where(ids != NO_TILE, ids, np.where(tiles < ALL_TILES, tiles + CODE_OF_TILE, NO_TILE))
        if not np.array_equal(self._tile_of_code[codes], tiles):
            raise self.error(f"{table.NAME}.{name} and its physical ids contradict each other")
        return codes.astype(np.uint8)

    def _tiles(self, table: Table, name: str, row: int) -> str:
        return self._trimmed(self._codes(table, name, slice(row, row + 1)).reshape(-1).tolist())

    def _trimmed(self, codes: list[int]) -> str:
        """Tiles without the empty cells after the last."""
        while codes and codes[-1] == NO_TILE:
            codes.pop()
        return self.notation.tiles(codes)

    # --- hands ----------------------------------------------------------------------------------------

    def _hand(self, hand: int) -> JsonRecord:
        hands = self.batch.hands
        round_, dealer = int(hands.round[hand]), int(hands.dealer[hand])
        dice = [None if eyes == _UNKNOWN else eyes + 1 for eyes in hands.dice[hand].tolist()]
        if any(eyes is not None and eyes > 6 for eyes in dice):
            raise self.error(f"hand {hand} has dice of {dice}")
        record = {
            "round": ROUND_NAMES[round_],
            "honba": int(hands.honba[hand]),
            "sticks": int(hands.sticks[hand]),
        }
        return record | _stated(
            {
                "dealer": None if dealer == round_ % 4 else dealer,
                "dice": None if dice == [None, None] else dice,
                "scores": self._points(hands.scores[hand]),
                "chips": self._points(hands.chips[hand]),
                "dora": self._tiles(hands, "dora", hand),
                "dealt": self._dealt(hand),
                "seed": hands.seed[hand],
            }
        )

    def _dealt(self, hand: int) -> list[str] | None:
        codes = self._codes(self.batch.hands, "dealt", slice(hand, hand + 1))[0].tolist()
        texts = ["" if set(row) == {NO_TILE} else self.notation.tiles(row) for row in codes]
        return self._seats(texts, "")

    # --- events ---------------------------------------------------------------------------------------

    def _events(self, begin: int, end: int) -> list[Any]:
        """Texts of a range of events, and objects where more is said than a text does."""
        events, rows = self.batch.events, slice(begin, end)
        words = pack_columns(
            {name: getattr(events, name)[rows] for name in ("kind", "seat", "source", "flags")}
            | {name: self._codes(events, name, rows) for name in ("tile", "own")}
        )
        try:
            texts: list[Any] = list(map(self.notation.text, words.tolist()))
        except ValueError as error:
            raise self.error(str(error)) from error
        paid, wins, draws = self.batch.riichi_scores, self.batch.wins, self.batch.hand_draws
        for row in _rows_of(paid.event, begin, end):
            scores = self._points(paid.scores[row])
            texts[int(paid.event[row]) - begin] = {
                "event": texts[int(paid.event[row]) - begin],
                "scores": scores,
            }
        for row in _rows_of(wins.event, begin, end):
            at = int(wins.event[row]) - begin
            texts[at] = {"event": texts[at], **self._win(row)}
        for row in _rows_of(draws.event, begin, end):
            at = int(draws.event[row]) - begin
            kind = HandEnd(draws.kind[row])
            name = DRAW_NAMES[kind] if kind in DRAW_NAMES else texts[at]
            texts[at] = {"event": name, **self._draw(row)}
        self._add_times(texts, begin)
        self._add_verdicts(texts, begin, end)
        return texts

    def _add_times(self, texts: list[Any], begin: int) -> None:
        times = self.batch.events.time[begin : begin + len(texts)]
        for at in np.flatnonzero(times >= 0).tolist():
            texts[at] = {**_as_object(texts[at]), "time": int(times[at])}

    def _add_verdicts(self, texts: list[Any], begin: int, end: int) -> None:
        table = self.batch.verdicts
        rows = _rows_of(table.event, begin, end)
        for event, verdict in written_verdicts(table.rows(slice(rows.start, rows.stop))) if rows else ():
            at = event - begin
            texts[at] = _as_object(texts[at])
            texts[at].setdefault("verdicts", []).append(verdict)

    def _changes(self, table: Any, row: int) -> JsonRecord:
        honba, sticks = int(table.honba[row]), int(table.sticks[row])
        return {
            "honba": None if honba < 0 else honba,
            "sticks": None if sticks < 0 else sticks,
            "scores": self._points(table.scores[row]),
            "deltas": self._points(table.deltas[row]),
            "chips": self._points(table.chips[row]),
        }

    def _win(self, row: int) -> JsonRecord:
        wins = self.batch.wins
        fu, points, limit = int(wins.fu[row]), int(wins.points[row]), int(wins.limit[row])
        liable = int(wins.liable[row])
        return _stated(
            {
                "tiles": self._tiles(wins, "tiles", row),
                "melds": self._melds(row),
                "yaku": self._yaku(row),
                "patterns": parse_patterns(wins.patterns[row]),
                "fu": None if fu < 0 else fu,
                "limit": _LIMIT_NAMES.get(limit),
                "points": None if points == UNKNOWN_POINTS else points,
                "own_scores": self._points(wins.own_scores[row]),
                "liable": {NO_SEAT: NOBODY, UNSTATED_SEAT: None}.get(liable, liable),
                "dora": self._tiles(wins, "dora", row),
                "ura": self._tiles(wins, "ura", row),
                **self._changes(wins, row),
            }
        )

    def _melds(self, row: int) -> list[str | int] | None:
        codes = self.batch.wins.melds[row].tolist()
        if set(codes) == {_NOT_SHOWN}:
            return None
        while codes and codes[-1] == _NO_MELD:
            codes.pop()
        if codes and min(codes) < 0:
            raise self.error(f"win {row} shows melds of codes {codes}")
        seat = int(self.batch.wins.seat[row])
        texts = [self.notation.meld_text(code, seat) for code in codes]
        return [code if text is None else text for code, text in zip(codes, texts, strict=True)]

    def _yaku(self, row: int) -> list[tuple[str, int]] | None:
        yaku, han = self.batch.wins.yaku[row].tolist(), self.batch.wins.han[row].tolist()
        while yaku and yaku[-1] == _UNKNOWN:
            yaku.pop()
        if _UNKNOWN in yaku or any(han[len(yaku) :]):
            raise self.error(f"win {row} lists yaku with gaps")
        return [(word_of(self.yaku(number)), worth) for number, worth in zip(yaku, han, strict=False)] or None

    def _draw(self, row: int) -> JsonRecord:
        draws = self.batch.hand_draws
        tenpai = [None if cell == _UNKNOWN else bool(cell) for cell in draws.tenpai[row].tolist()]
        shown = self._codes(draws, "shown", slice(row, row + 1))[0].tolist()
        return _stated(
            {
                "tenpai": self._seats(tenpai, None, absent=False),
                "shown": self._seats([self._trimmed(codes) for codes in shown], ""),
                **self._changes(draws, row),
            }
        )


class PaifuEventsGameWriter(PaifuGameWriter):
    """One game while it is written as a line for each of its parts."""

    def text(self) -> bytes:
        """The game as an object for each of its parts."""
        record = self.document()
        lines: list[Any] = [{"paifu": VERSION, "game": record["game"]}]
        lines += map(_as_object, record.get("events", ()))
        for hand in record["hands"]:
            events = hand.pop("events")
            lines.append({"hand": hand})
            lines += map(_as_object, events)
        lines += [{"result": record["result"]}] if "result" in record else []
        lines += ({"fault": fault} for fault in record.get("faults", ()))
        return b"".join(map(_line, lines))


def _nulls(values: npt.NDArray[Any], unknown: int) -> list[int | None]:
    return [None if value == unknown else value for value in values.tolist()]


def _decimals(values: npt.NDArray[Any]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


def _as_object(event: str | JsonRecord) -> JsonRecord:
    """An event as an object, to which more may be said."""
    return {"event": event} if isinstance(event, str) else event


def _rows_of(events: npt.NDArray[Any], begin: int, end: int) -> range:
    """Rows of a table whose events are in a range."""
    first, last = events.searchsorted((begin, end)).tolist()
    return range(first, last)
