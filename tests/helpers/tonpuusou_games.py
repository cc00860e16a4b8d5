"""Made-up texts of Tonpuusou: a game as its ``mjscore.txt`` would have it."""

from __future__ import annotations

from collections.abc import Iterable

from paifu.replay.kernels.scoring import dora_of
from paifu.replay.model.batch import NO_YAKU, Batch
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE, RED_MAN
from paifu.replay.scoring.yaku import YAKU

NAMES = ("Anna", "Ben", "Chie 三", "Dai")
_HONORS = "東南西北白発中"
_YAKU = {0: "門前清模和", 1: "リーチ", 8: "断ヤオ", 19: "発", 21: "ダブルリーチ", 23: "全帯", 33: "純全帯"}
_LIMITS = ("", "満貫", "ハネ満貫", "倍満貫", "３倍満貫", "役満")
_ENDS = {
    HandEnd.EXHAUSTIVE: "流局", HandEnd.NAGASHI: "流し満貫", HandEnd.KYUUSHU: "九種九牌",
    HandEnd.SUUFON: "四風連打", HandEnd.SUUCHA: "四家リーチ", HandEnd.SANCHAHOU: "三家和",
    HandEnd.SUUKAIKAN: "四開槓", HandEnd.UNFINISHED: "",
}  # fmt: skip
_LETTERS = {EventKind.PON: "N", EventKind.CHI: "C", EventKind.DAIMINKAN: "K", EventKind.KAKAN: "K",
            EventKind.ANKAN: "K"}  # fmt: skip


def tiles(some: Iterable[int]) -> str:
    """Tiles one after the other: a red five has a capital."""
    return "".join(
        f"5{'MPS'[tile - RED_MAN]}" if tile >= RED_MAN
        else _HONORS[tile - 27] if tile >= 27
        else tile_name(tile)
        for tile in map(int, some) if tile != NO_TILE
    )  # fmt: skip


def text(batch: Batch, *, first: int = 0, names: Iterable[str] = NAMES) -> str:
    """The text of the one game of a batch; the player ``first`` (from 0) deals first."""
    return _Text(batch, first, list(names)).game()


class _Text:
    def __init__(self, batch: Batch, first: int, names: list[str]) -> None:
        self.batch, self.first = batch, first
        self.players = int(batch.games.players[0])
        self.names = names[: self.players]

    def number(self, seat: int) -> int:
        return (int(seat) + self.first) % self.players + 1

    def name(self, seat: int) -> str:
        return self.names[self.number(seat) - 1]

    def game(self) -> str:
        games, hands = self.batch.games, self.batch.hands
        kind = "東南戦" if int(hands.round.max()) > 3 else "東風戦"
        kind += "三人" if self.players == 3 else ""
        people = " ".join(f"[{n}]{name} R{1500 - n}" for n, name in enumerate(self.names, start=1))
        lines = [
            f"===== {kind}：テスト卓 7卓 開始 2003/04/05 06:07 =====",
            f"  持点{hands.scores[0, 0]} {people}",
        ]
        for hand in range(len(hands)):
            lines += [*self.hand(hand), ""]
        points = games.final_points[0].tolist()[: self.players]
        if points[0] == points[0]:
            order = sorted(range(self.players), key=lambda seat: -points[seat])
            scores = games.final_scores[0].tolist()
            for seat in order[1:]:  # the bonus is whole; of the points, 500 go up
                bonus = points[seat] - (scores[seat] - 30000) / 1000
                points[seat] = (
                    int(abs(scores[seat]) / 1000 + 0.5) * (1 if scores[seat] >= 0 else -1) - 30 + bonus
                )
            points[order[0]] = -sum(points[seat] for seat in order[1:])
            lines += ["  ---- 試合結果 ----"]
            lines += [
                f"  {n}位 {self.name(seat):<14}{points[seat]:+.0f}" for n, seat in enumerate(order, start=1)
            ]
            lines += ["----- 7卓 終了 2003/04/05 06:30 -----"]
        return "\n".join(lines) + "\n\n"

    def hand(self, hand: int) -> list[str]:
        batch, hands = self.batch, self.batch.hands
        wins = [row for row in range(len(batch.wins)) if batch.wins.hand[row] == hand]
        draws = [row for row in range(len(batch.hand_draws)) if batch.hand_draws.hand[row] == hand]
        changes = [0] * 4
        for row, table in [(row, batch.wins) for row in wins] + [(row, batch.hand_draws) for row in draws]:
            changes = [a + int(b) for a, b in zip(changes, table.deltas[row], strict=True)]
        events = range(hands.event_begin[hand], hands.event_end[hand])
        for at in events:
            if batch.events.kind[at] == EventKind.RIICHI_PAID:
                changes[batch.events.seat[at]] -= 1000
        wind, number = divmod(int(hands.round[hand]), 4)
        head = f"  {'東南西北'[wind]}{number + 1}局 {hands.honba[hand]}本場(リーチ{hands.sticks[hand]})"
        moved = [seat for seat in range(self.players) if changes[seat]]
        lines = [head + "".join(f" {self.name(seat)} {changes[seat]}" for seat in moved) + " "]
        lines += [f"    {self.worth(row)}" for row in wins] or [f"    {_ENDS[HandEnd(int(hands.end[hand]))]}"]
        for number in range(1, self.players + 1):
            seat = (number - 1 - self.first) % self.players
            own = "東南西北"[(seat - int(hands.dealer[hand])) % self.players]
            lines.append(f"    [{number}{own}]{tiles(hands.dealt[hand, seat])}")
        turned = [batch.events.tile[at] for at in events if batch.events.kind[at] == EventKind.DORA]
        ura = max((self.dora(batch.wins.ura[row]) for row in wins), key=len, default="")
        lines.append(f"    [表ドラ]{self.dora([hands.dora[hand], *turned])} [裏ドラ]{ura}")
        moves = list(self.moves(events))
        return lines + [f"    * {' '.join(moves[at : at + 15])}" for at in range(0, len(moves), 15)]

    def dora(self, indicators: Iterable[int]) -> str:
        kinds = [int(KIND_OF_TILE[int(tile)]) for tile in indicators if int(tile) != NO_TILE]
        return tiles(int(dora_of(kind, self.players)) for kind in kinds)

    def moves(self, events: range) -> Iterable[str]:
        table = self.batch.events
        for at in events:
            kind, seat, tile = EventKind(table.kind[at]), int(table.seat[at]), int(table.tile[at])
            own = [one for one in table.own[at].tolist() if one != NO_TILE]
            who = self.number(seat) if seat < 4 else 0
            if kind == EventKind.DRAW:
                yield f"{who}G{tiles([tile])}"
            elif kind == EventKind.RIICHI:
                yield f"{who}R"
            elif kind == EventKind.DISCARD:
                yield f"{who}{'D' if table.flags[at] & EventFlag.TSUMOGIRI else 'd'}{tiles([tile])}"
            elif kind == EventKind.CHI:
                yield f"{who}C{tiles(own)}"
            elif kind == EventKind.PON:
                yield f"{who}N{tiles(own) if max(own) >= RED_MAN else ''}"
            elif kind in _LETTERS:
                yield f"{who}K{tiles(own if kind == EventKind.DAIMINKAN else [tile])}"
            elif kind == EventKind.WIN:
                yield f"{who}A"

    def worth(self, row: int) -> str:
        wins = self.batch.wins
        how = "ツモ" if wins.seat[row] == wins.source[row] else "ロン"
        yaku = [
            (number, han)
            for number, han in zip(wins.yaku[row].tolist(), wins.han[row].tolist(), strict=True)
            if number != NO_YAKU
        ]
        total = sum(han for _, han in yaku)
        words = _LIMITS[int(wins.limit[row])] or f"{wins.fu[row]}符 {'零一二三四'[min(total, 4)]}飜"
        names = [
            "自風" if 10 <= number < 14 else "場風" if number < 18 and number >= 14
            else _YAKU.get(number, YAKU[number].japanese)
            for number, _ in yaku if number not in (52, 53, 54)
        ]  # fmt: skip
        counts = {number: han for number, han in yaku if number in (52, 53, 54)}
        dora = counts.get(52, 0) + counts.get(53, 0)
        names += [f"ドラ{dora}"] * bool(dora) + [f"赤ドラ{counts.get(54)}"] * bool(counts.get(54))
        return f"{words}{how} {' '.join(names)}"
