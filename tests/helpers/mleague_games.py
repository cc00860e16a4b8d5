"""Made-up pages of the M.League's viewer: a simulated game as that page would hold it.

No real page was at hand: this follows the description of one.
"""

from __future__ import annotations

import json
from typing import Any

from paifu.parsers.errors import WriteError
from paifu.replay.model.batch import NO_YAKU, Batch
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE, RED_MAN
from paifu.replay.scoring.yaku import YAKU

Command = dict[str, Any]
NAMES = {
    1: "リーチ",
    21: "ダブルリーチ",
    0: "門前自摸",
    8: "タンヤオ",
    23: "チャンタ",
    33: "純チャン",
    54: "赤",
}
_SAID = {
    EventKind.CHI: "chi", EventKind.PON: "pon", EventKind.DAIMINKAN: "kan", EventKind.ANKAN: "kan",
    EventKind.KAKAN: "kan",
}  # fmt: skip
_LIMITS = ("", "満貫", "跳満", "倍満", "三倍満", "役満")


def tiles(codes: Any) -> str:
    """Tiles as pages write them: a red five has a capital."""
    return "".join(
        f"5{'MPS'[code - RED_MAN]}" if code >= RED_MAN else tile_name(code)
        for code in (int(one) for one in codes)
        if code != NO_TILE
    )


class _Pages:
    """Commands of one game while they are made; ``first`` is the seat of the page that deals first."""

    def __init__(self, batch: Batch, first: int) -> None:
        self.batch = batch
        self.first = first
        self.made: list[Command] = []

    def seat(self, seat: int) -> str:
        return f"{'ABCD'[(int(seat) + self.first) % 4]}0"

    def put(self, cmd: str, *args: object) -> None:
        self.made.append({"time": "0", "id": "0", "cmd": cmd, "args": [str(one) for one in args]})

    def game(self) -> list[Command]:
        batch = self.batch
        if batch.games.players[0] != 4:
            raise WriteError("the M.League plays with four")
        self.put("gamestart")
        for page_seat in range(4):
            seat = (page_seat - self.first) % 4
            self.put("player", self.seat(seat), batch.games.names[0][seat], "user", "team")
        for hand in range(len(batch.hands)):
            self.hand(hand)
        points = batch.games.final_points[0].tolist()
        order = sorted(range(4), key=lambda seat: -points[seat])
        self.put("gameend", *(cell for seat in order for cell in (self.seat(seat), f"{points[seat]:+.1f}")))
        return self.made

    def hand(self, hand: int) -> None:
        batch, hands, events = self.batch, self.batch.hands, self.batch.events
        honba, sticks, wind = int(hands.honba[hand]), int(hands.sticks[hand]), int(hands.round[hand]) // 4
        self.put("kyokustart", 0, self.seat(hands.dealer[hand]), honba, 1000 * sticks, "東南西北"[wind])
        for seat in range(4):
            self.put("point", self.seat(seat), f"={hands.scores[hand, seat]}")
        dealt = [hands.dealt[hand, seat].tolist() for seat in range(4)]
        for begin, end in ((0, 4), (4, 8), (8, 12), (12, 13)):
            for seat in range(4):
                self.put("haipai", self.seat(seat), tiles(dealt[seat][begin:end]))
        self.put("dora", self.seat(0), tiles([hands.dora[hand]]))
        held = [list(one) for one in dealt]
        left, riichi, paid = 70, -1, set()
        for at in range(int(hands.event_begin[hand]), int(hands.event_end[hand])):
            kind, seat, tile = EventKind(events.kind[at]), int(events.seat[at]), int(events.tile[at])
            if kind == EventKind.DRAW:
                left -= 1
                held[seat].append(tile)
                self.put("tsumo", self.seat(seat), left, tiles([tile]))
            elif kind == EventKind.RIICHI:
                riichi = seat
                self.put("say", self.seat(seat), "richi")
            elif kind == EventKind.DISCARD:
                held[seat].remove(tile)
                marks = ["tsumogiri"] * bool(events.flags[at] & EventFlag.TSUMOGIRI) + ["richi"] * (
                    riichi == seat
                )
                riichi = -1
                self.put("sutehai", self.seat(seat), tiles([tile]), *marks)
            elif kind == EventKind.RIICHI_PAID:
                paid.add(seat)
                self.put("richi", self.seat(seat), "-1000")
            elif kind == EventKind.DORA:
                self.put("dora", self.seat(0), tiles([tile]))
            elif kind in _SAID:
                self.meld(
                    kind, seat, tile, [int(one) for one in events.own[at] if one != NO_TILE], held[seat]
                )
            elif kind == EventKind.WIN:
                self.win(int(batch.wins.event.searchsorted(at)), held)
        self.end(hand, paid, held)

    def meld(self, kind: EventKind, seat: int, tile: int, own: list[int], held: list[int]) -> None:
        self.put("say", self.seat(seat), _SAID[kind])
        if kind == EventKind.ANKAN:
            for one in (tile, *own):
                held.remove(one)
            self.put("open", self.seat(seat), f"<{tiles([tile, *own])}>")
            return
        for one in (tile,) if kind == EventKind.KAKAN else own:
            held.remove(one)
        self.put("open", self.seat(seat), f"<{tiles(own)}>", tiles([tile]))

    def win(self, row: int, held: list[list[int]]) -> None:
        wins = self.batch.wins
        seat, is_ron = int(wins.seat[row]), bool(wins.seat[row] != wins.source[row])
        self.put("say", self.seat(seat), "ron" if is_ron else "tsumo")
        self.put("open", self.seat(seat), f"<{tiles(held[seat])}>")
        for one in wins.ura[row]:
            if one != NO_TILE:
                self.put("uradora", self.seat(0), tiles([one]))
        pairs = [
            cell
            for number, han in zip(wins.yaku[row].tolist(), wins.han[row].tolist(), strict=True)
            if number != NO_YAKU
            for cell in (NAMES.get(number, YAKU[number].japanese), "役満" if han == 13 else f"{han}飜")
        ]
        value = _LIMITS[int(wins.limit[row])] or int(wins.points[row])
        self.put(
            "agari", "comment…", *[f"ron={tiles([wins.tile[row]])}"] * is_ron, self.seat(seat), value,
            f"{wins.fu[row]}符", *pairs,
        )  # fmt: skip

    def end(self, hand: int, paid: set[int], held: list[list[int]]) -> None:
        batch = self.batch
        changes = sum(batch.wins.deltas[batch.wins.hand == hand])
        if batch.hands.end[hand] != HandEnd.WIN:
            (row,) = [row for row in range(len(batch.hand_draws)) if batch.hand_draws.hand[row] == hand]
            if batch.hands.end[hand] != HandEnd.EXHAUSTIVE:
                raise WriteError("the M.League aborts no hand")
            changes = batch.hand_draws.deltas[row]
            for seat in range(4):
                is_ready = batch.hand_draws.tenpai[row, seat] == 1
                if is_ready:
                    self.put("open", self.seat(seat), f"<{tiles(held[seat])}>")
                self.put("say", self.seat(seat), "tenpai" if is_ready else "noten")
            self.put("ryukyoku")
        for seat in range(4):
            self.put("point", self.seat(seat), f"{changes[seat] - 1000 * (seat in paid):+d}")
        self.put("kyokuend")


def commands(batch: Batch, first: int = 0) -> list[Command]:
    """The list of a page, of the one game of a batch."""
    return _Pages(batch, first).game()


def page(some: list[Command], date: str = "2026/04/28 (火) 21:21 〜 22:52") -> str:
    """A saved page with the list in it."""
    text = json.dumps(some, ensure_ascii=False).replace("\\", "\\\\").replace("'", "\\'")
    return (
        f"<!DOCTYPE html>\n<html><head><title>viewer</title></head><body>{'<p>…</p>' * 1000}"
        f'<div class="gameInfo" id="dateTime">{date}</div>\n<script>\n'
        f"UMP_PLAYER.init(true, true, '{text}', autoplay);\n</script></body></html>"
    )
