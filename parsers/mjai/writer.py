"""Games to mjai, in the dialect of its first server, which says most, or in that of Mortal.

The first says with a win its tiles, yaku, fu and points, and scores wherever they change. Mortal's has the
changes of score and the ura indicators only, and no reason for a draw. Neither has a place for physical
tiles, dice, ranks, rules and the settled points.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import orjson

from paifu.parsers.mjai import names as mjai
from paifu.parsers.written_game import WrittenGame, is_yakuman
from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import UNSTATED_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE, NORTH, TILES
from paifu.replay.model.winning_tiles import winning_tiles
from paifu.replay.walls import mortal

_LINK = "http://tenhou.net/0/?log="
_YAKU_WORDS = {number: word for word, number in reversed(list(mjai.YAKU.items())) if number >= 0}
_PLAIN_FORMS = {41: 40, 46: 45, 48: 47}
"""Yaku whose rarer form the words do not distinguish from the common one."""
_CALLS = {EventKind.CHI: "chi", EventKind.PON: "pon", EventKind.DAIMINKAN: "daiminkan"}


def events_of_game(batch: Batch, game: int) -> list[tuple[dict[str, Any], int]]:
    """Return the events of a game in Mortal's dialect, each with its row in the batch, or -1.

    Raises WriteError for a game that mjai cannot state.
    """
    written = MortalGameWriter(batch, game)
    lines = written.written()
    return list(zip(lines, written.rows, strict=True))


def yaku_word(number: int, seat_wind: int, round_wind: int, game: WrittenGame) -> str:
    """The word for a yaku; ``seat_wind`` and ``round_wind`` are the ids of the winner's own winds."""
    if number == seat_wind:
        return "jikaze"
    if number == round_wind:
        return "bakaze"
    if number in mjai.DRAGON_IDS.values():
        return "sangenpai"
    number = _PLAIN_FORMS.get(number, number)
    return _YAKU_WORDS.get(number) or game.yaku(number).romaji


class MjaiGameWriter(WrittenGame):
    """One game while it is written in the first server's dialect."""

    target = "mjai"
    is_full = True

    def __init__(self, batch: Batch, game: int) -> None:
        super().__init__(batch, game)
        self.lines_written: list[dict[str, Any]] = []
        self.rows: list[int] = []
        """The event (row of the batch) that each line states; -1 around hands."""
        self._event = -1
        self.scores: list[int] = []
        """The scores now, empty where they are not known."""

    def text(self) -> bytes:
        """All lines, as bytes."""
        return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in self.written())

    def written(self) -> list[dict[str, Any]]:
        """All lines."""
        games, game = self.batch.games, self.game
        start: dict[str, Any] = {"type": "start_game", "names": games.names[game].tolist()[: self.players]}
        if self.is_full:
            start["gametype"] = "tonpu" if self.rules.table.wind_rounds == 1 else "tonnan"
            if games.id[game]:
                start["uri"] = f"{_LINK}{games.id[game]}"
        with suppress(ValueError):  # another kind of seed, or none
            start["seed"] = mortal.parse_seed(games.seed[game])
        self.lines_written, self.rows = [start], [-1]
        for hand in self.hands:
            self._hand(hand)
        final = self._points(games.final_scores[game])
        if not games.is_cut[game] or final is not None:
            end: dict[str, Any] = {"type": "end_game"}
            if self.is_full and final is not None:
                end["scores"] = final
            self.lines_written.append(end)
            self.rows.append(-1)
        return self.lines_written

    # --- values ---------------------------------------------------------------------------------------

    def _points(self, values: Any) -> list[int] | None:
        points: list[int] = values.tolist()[: self.players]
        return None if UNKNOWN_POINTS in points else points

    def _tile(self, tile: int) -> str:
        return mjai.NAMES[tile] if tile < TILES else mjai.HIDDEN

    def _tiles(self, tiles: Sequence[int]) -> list[str]:
        return [mjai.NAMES[tile] for tile in tiles if tile != NO_TILE]

    def _add(self, kind: str, **fields: Any) -> dict[str, Any]:
        line = {"type": kind, **fields}
        self.lines_written.append(line)
        self.rows.append(self._event)
        return line

    # --- a hand ---------------------------------------------------------------------------------------

    def _hand(self, hand: int) -> None:
        hands = self.batch.hands
        number = int(hands.round[hand])
        wind, at = divmod(number, 4)
        if wind >= len(mjai.WINDS):
            raise self.error("it has no word for a fifth wind")
        scores = self._points(hands.scores[hand])
        line = self._add(
            "start_kyoku",
            bakaze=mjai.WINDS[wind],
            dora_marker=self._tile(int(hands.dora[hand])),
            kyoku=at + 1,
            honba=int(hands.honba[hand]),
            kyotaku=int(hands.sticks[hand]),
            oya=int(hands.dealer[hand]),
        )
        if scores is not None:
            line["scores"] = scores
        line["tehais"] = [
            [self._tile(tile) for tile in hands.dealt[hand, seat].tolist()] for seat in range(self.players)
        ]
        self.scores = list(scores or [])
        self._events(hand)
        if hands.end[hand] != HandEnd.UNFINISHED:
            self._event = -1
            self._add("end_kyoku")

    def _events(self, hand: int) -> None:
        for event, kind, seat, source, tile, is_drawn in self.events_of(hand):
            self._event = event
            match kind:
                case EventKind.DRAW:
                    self._add("tsumo", actor=seat, pai=self._tile(tile))
                case EventKind.DISCARD:
                    self._add("dahai", actor=seat, pai=self._tile(tile), tsumogiri=is_drawn)
                case EventKind.DORA:
                    self._add("dora", dora_marker=self._tile(tile))
                case EventKind.RIICHI:
                    self._add("reach", actor=seat)
                case EventKind.RIICHI_PAID:
                    self._paid(seat)
                case EventKind.WIN:
                    self._win(int(self.batch.wins.event.searchsorted(event)), hand)
                case EventKind.HAND_DRAW:
                    self._draw(int(self.batch.hand_draws.event.searchsorted(event)))
                case EventKind.LEAVE | EventKind.RETURN:
                    pass
                case EventKind.BONUS:
                    raise self.error("it has no word for a flower")
                case _:
                    self._meld(kind, seat, source, tile, self.batch.events.own[event].tolist())

    def _meld(self, kind: EventKind, seat: int, source: int, tile: int, own: list[int]) -> None:
        shown = self._tiles(own)
        match kind:
            case EventKind.ANKAN:
                self._add("ankan", actor=seat, consumed=[self._tile(tile), *shown])
            case EventKind.KAKAN:
                self._add("kakan", actor=seat, pai=self._tile(tile), consumed=shown)
            case EventKind.KITA:
                self._add("kita" if self.is_full else "nukidora", actor=seat, pai=mjai.NAMES[NORTH])
            case _:
                self._add(_CALLS[kind], actor=seat, target=source, pai=self._tile(tile), consumed=shown)

    def _paid(self, seat: int) -> None:
        line = self._add("reach_accepted", actor=seat)
        if self.scores:
            self.scores[seat] -= self.rules.riichi.riichi_stick
            if self.is_full:
                line["deltas"] = [
                    -self.rules.riichi.riichi_stick * (other == seat) for other in range(self.players)
                ]
                line["scores"] = list(self.scores)

    def _change(self, line: dict[str, Any], row: Any) -> None:
        """Changes of score and, in the full dialect, the scores after them."""
        deltas = self._points(row)
        if deltas is None:
            self.scores = []
            return
        line["deltas"] = deltas
        if self.scores:
            self.scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
            if self.is_full:
                line["scores"] = list(self.scores)

    def _win(self, row: int, hand: int) -> None:
        wins = self.batch.wins
        seat, source = int(wins.seat[row]), int(wins.source[row])
        line = self._add("hora", actor=seat, target=source)
        ura = self._tiles(wins.ura[row].tolist())
        if self.is_full:
            self._details(line, row, hand, ura)
        self._change(line, wins.deltas[row])
        if not self.is_full:
            line["ura_markers"] = ura

    def _details(self, line: dict[str, Any], row: int, hand: int, ura: list[str]) -> None:
        wins = self.batch.wins
        tile, seat = int(wins.tile[row]), line["actor"]
        if tile != NO_TILE:
            line["pai"] = self._tile(tile)
        line["uradora_markers"] = ura
        tiles = self._tiles(winning_tiles(self.batch, row))
        if tiles and line.get("pai") in tiles:
            tiles.remove(line["pai"])
            line["hora_tehais"] = tiles
        if pairs := self.listed(row):
            dealer = int(self.batch.hands.dealer[hand])
            winds = 10 + (seat - dealer) % self.players, 14 + int(self.batch.hands.round[hand]) // 4 % 4
            line["yakus"] = [
                [yaku_word(number, *winds, self), mjai.YAKUMAN_HAN if is_yakuman(number, han) else han]
                for number, han in pairs
            ]
            line["fan"] = sum(han for _, han in line["yakus"])
        if wins.fu[row] >= 0:
            line["fu"] = int(wins.fu[row])
        if wins.points[row] != UNKNOWN_POINTS:
            line["hora_points"] = int(wins.points[row])
        if wins.liable[row] < UNSTATED_SEAT:
            line["pao"] = int(wins.liable[row])

    def _draw(self, row: int) -> None:
        draws = self.batch.hand_draws
        line = self._add("ryukyoku")
        if self.is_full:
            kind = HandEnd(draws.kind[row])
            if kind in mjai.REASONS:
                line["reason"] = mjai.REASONS[kind][0]
            tenpai = draws.tenpai[row].tolist()[: self.players]
            if NO_YAKU not in tenpai:
                line["tenpais"] = [bool(ready) for ready in tenpai]
            shown = [self._tiles(tiles) for tiles in draws.shown[row].tolist()[: self.players]]
            if any(shown):
                line["tehais"] = shown
        self._change(line, draws.deltas[row])


class MortalGameWriter(MjaiGameWriter):
    """One game while it is written in Mortal's dialect."""

    is_full = False
