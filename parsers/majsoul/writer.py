"""Games to Mahjong Soul's records, as JSON in the shape of the platform's own export, a game a line.

The format has no place for physical tiles, dice, the order of a deal, and of rules those that no room has. A
win of several players states one sum of changes.
"""

from __future__ import annotations

from typing import Any

from paifu.parsers.majsoul import names
from paifu.parsers.majsoul.rules import detail_rule
from paifu.parsers.words import ROUND_WIND, SEAT_WIND
from paifu.parsers.written_game import HandBeingWritten, WrittenGame
from paifu.replay.model.batch import NOT_STATED, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, UNSTATED_SEAT, EventKind, HandEnd
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE
from paifu.replay.model.winning_tiles import winning_tiles
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.walls import majsoul

_VERSION = 210715
_LIMIT_OF_YAKUMAN = 5
_NUMBERS = {id_: number for number, id_ in reversed(list(names.YAKU.items()))}
_KINDS = {kind: number for number, kind in names.DRAWS.items()}
_LEFT = {4: 69, 3: 54}
"""Tiles of the live wall after the dealer's first draw."""
_DOUBLE = {41: "double_suuankou_tanki", 46: "double_junsei_chuuren", 48: "double_kokushi_13",
           49: "double_daisuushii"}  # fmt: skip
_USER_EVENTS = {EventKind.RETURN: 1, EventKind.LEAVE: 2}
_CALLS = {EventKind.CHI: 0, EventKind.PON: 1, EventKind.DAIMINKAN: 2}
_WALL_FIELDS = {
    majsoul.MD5: ("paishan", "md5"),
    majsoul.SHA256: ("paishan", "sha256", "salt", "saltSha256"),
}
"""Kind of a hand's seed -> the fields of what follows it."""
_RECORD, _USER_EVENT = 1, 3
"""Types of an action."""


class MajsoulGameWriter(WrittenGame):
    """One game while it is written."""

    target = "majsoul-json"

    def __init__(self, batch: Batch, game: int) -> None:
        super().__init__(batch, game)
        self.actions: list[dict[str, Any]] = []

    def document(self) -> dict[str, Any]:
        """The game as the format's object."""
        games, game = self.batch.games, self.game
        for event in range(games.event_begin[game], self.batch.hands.event_begin[self.hands.start]):
            self.user_event(event)
        for hand in self.hands:
            _MajsoulHandWriter(self, hand).write()
        details = {"version": _VERSION, "actions": self.actions}
        return {
            "head": self._head(),
            "data": {"name": ".lq.GameDetailRecords", "data": details},
        }

    def user_event(self, event: int) -> None:
        """Somebody left or came back."""
        events = self.batch.events
        presence = {"seat": int(events.seat[event]), "type": _USER_EVENTS[EventKind(events.kind[event])]}
        self.actions.append({**self._passed(event), "type": _USER_EVENT, "user_event": presence})

    def record(self, event: int, name: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Something happened, the last of it being ``event``; returns the fields, to add more to them."""
        result = {"name": f".lq.Record{name}", "data": fields}
        self.actions.append({**self._passed(event), "type": _RECORD, "result": result})
        return fields

    def _passed(self, event: int) -> dict[str, int]:
        """When it happened, where the game states it."""
        time = int(self.batch.events.time[event])
        return {} if time < 0 else {"passed": time}

    def _head(self) -> dict[str, Any]:
        games, game = self.batch.games, self.game
        mode = (11 if self.players == 3 else 1) + (self.rules.table.wind_rounds > 1)
        named = games.names[game].tolist()[: self.players]
        head: dict[str, Any] = {
            "uuid": games.id[game],
            "config": {"category": 1, "mode": {"mode": mode, "detail_rule": detail_rule(self.rules)}},
            "accounts": [{"seat": seat, "nickname": name} for seat, name in enumerate(named)],
        }
        scores, points = self.final()
        if scores is not None:
            order = sorted(range(self.players), key=lambda seat: -scores[seat])
            head["result"] = {
                "players": [
                    {"seat": seat, "part_point_1": scores[seat]}
                    | ({} if points is None else {"total_point": round(1000 * points[seat])})
                    for seat in order
                ]
            }
        return head


class _MajsoulHandWriter(HandBeingWritten):
    """One hand while it is written."""

    def __init__(self, game: MajsoulGameWriter, hand: int) -> None:
        super().__init__(game, hand)
        self.game = game
        self.left = _LEFT[self.players]
        self.doras = [self.name(int(self.batch.hands.dora[hand]))]
        self.has_turned = False
        """An indicator was turned and is to be listed with the next record."""
        self.paid: dict[str, Any] | None = None
        """A riichi was paid, which the next record says."""
        self._now = 0
        """The event that is written."""
        self.riichi = NO_SEAT
        self.in_riichi = [False] * 4
        self.scores = self.start_scores()[: self.players]
        self.sticks = int(self.batch.hands.sticks[hand])

    def name(self, tile: int) -> str:
        """A tile's name."""
        if tile == NO_TILE:
            raise self.error("has hidden tiles")
        return tile_name(tile)

    def names(self, tiles: Any) -> list[str]:
        """The names of a list of tiles, up to its end."""
        return [tile_name(tile) for tile in tiles.tolist() if tile != NO_TILE]

    def write(self) -> None:
        """Write the whole hand."""
        events = list(self.game.events_of(self.hand))
        first = next((event for event in events if event.kind not in _USER_EVENTS), None)
        if first is None or (first.kind, first.seat) != (EventKind.DRAW, self.dealer):
            raise self.error("does not begin with a draw of the dealer")
        self._new_round(first.row)
        wins: list[int] = []
        for event in events:
            if event.kind in _USER_EVENTS:
                self.game.user_event(event.row)
            elif event.kind == EventKind.WIN:
                wins.append(int(self.batch.wins.event.searchsorted(event.row)))
            elif event != first:
                self._now = event.row
                self._event(*event)
        if wins:
            self._now = int(self.batch.wins.event[wins[-1]])
            self._wins(wins)

    def _new_round(self, first: int) -> None:
        hands, hand = self.batch.hands, self.hand
        drawn = int(self.batch.events.tile[first])
        fields: dict[str, Any] = {
            "chang": int(hands.round[hand]) // 4,
            "ju": self.dealer,
            "ben": int(hands.honba[hand]),
            "scores": list(self.scores),
            "liqibang": self.sticks,
            "doras": list(self.doras),
            "left_tile_count": self.left,
        }
        for seat in range(self.players):
            tiles = [self.name(tile) for tile in hands.dealt[hand, seat].tolist()]
            fields[f"tiles{seat}"] = [*tiles, self.name(drawn)] if seat == self.dealer else tiles
        kind, _, stated = str(hands.seed[hand]).partition(",")
        if kind in _WALL_FIELDS:
            fields |= zip(_WALL_FIELDS[kind], stated.split(","), strict=False)
        self.game.record(first, "NewRound", fields)

    # --- moves ----------------------------------------------------------------------------------------

    def _say(self, record: str, *, turns: bool = True, **fields: Any) -> dict[str, Any]:
        """Write a record, with the payment and the indicators that came before it."""
        if self.paid is not None:
            fields["liqi"] = self.paid
            self.paid = None
        if turns and self.has_turned:
            fields["doras"] = list(self.doras)
            self.has_turned = False
        return self.game.record(self._now, record, fields)

    def _event(self, event: int, kind: EventKind, seat: int, source: int, tile: int, is_drawn: bool) -> None:
        match kind:
            case EventKind.DRAW:
                self.left -= 1
                self._say("DealTile", seat=seat, tile=self.name(tile), left_tile_count=self.left)
            case EventKind.DISCARD:
                is_riichi = self.riichi == seat
                self._say("DiscardTile", seat=seat, tile=self.name(tile), is_liqi=is_riichi, moqie=is_drawn)
                self.riichi = NO_SEAT
            case EventKind.RIICHI:
                self.riichi = seat
                self.in_riichi[seat] = True
            case EventKind.RIICHI_PAID:
                self.scores[seat] -= self.game.rules.riichi.riichi_stick
                self.sticks += 1
                self.paid = {"seat": seat, "score": self.scores[seat], "liqibang": self.sticks}
            case EventKind.DORA:
                self.doras.append(self.name(tile))
                self.has_turned = True
            case EventKind.HAND_DRAW:
                self._draw(int(self.batch.hand_draws.event.searchsorted(event)), event)
            case EventKind.KITA:
                self._say("BaBei", seat=seat)
            case EventKind.ANKAN | EventKind.KAKAN:
                is_closed = kind == EventKind.ANKAN
                shown = int(KIND_OF_TILE[tile]) if is_closed else tile
                self._say("AnGangAddGang", seat=seat, type=3 if is_closed else 2, tiles=tile_name(shown))
            case _:
                own = self.names(self.batch.events.own[event])
                froms = [seat] * len(own) + [source]
                tiles = [*own, self.name(tile)]
                self._say("ChiPengGang", turns=False, seat=seat, type=_CALLS[kind], tiles=tiles, froms=froms)

    # --- results --------------------------------------------------------------------------------------

    def _wins(self, rows: list[int]) -> None:
        wins = self.batch.wins
        fields: dict[str, Any] = {"hules": [self._hule(row) for row in rows], "old_scores": list(self.scores)}
        deltas = wins.deltas[rows].tolist()
        if not any(UNKNOWN_POINTS in delta for delta in deltas):
            change = [sum(cells) for cells in zip(*deltas, strict=True)][: self.players]
            fields["delta_scores"] = change
            fields["scores"] = [a + b for a, b in zip(self.scores, change, strict=True)]
        liable = next((int(wins.liable[row]) for row in rows if wins.liable[row] < UNSTATED_SEAT), NO_SEAT)
        fields["baopai"] = 0 if liable == NO_SEAT else liable + 1
        self._say("Hule", **fields)

    def _hule(self, row: int) -> dict[str, Any]:
        wins = self.batch.wins
        seat, source = int(wins.seat[row]), int(wins.source[row])
        tiles = [tile_name(one) for one in winning_tiles(self.batch, row)]
        tile = self.name(int(wins.tile[row]))
        if tile not in tiles:
            raise self.error("does not state the winner's tiles")
        tiles.remove(tile)
        hule: dict[str, Any] = {
            "hand": tiles,
            "hu_tile": tile,
            "seat": seat,
            "zimo": seat == source,
            "qinjia": seat == self.dealer,
            "liqi": self.in_riichi[seat],
            "doras": self.names(wins.dora[row]) or list(self.doras),
            "li_doras": self.names(wins.ura[row]),
        }
        if listed := self.game.listed(row):
            hule["fans"] = [self._fan(number, han) for number, han in listed]
            hule["count"] = sum(fan["val"] for fan in hule["fans"])
            hule["yiman"] = any(self._is_yakuman(*pair) for pair in listed)
        if wins.fu[row] >= 0:
            hule["fu"] = int(wins.fu[row])
        if wins.limit[row] <= _LIMIT_OF_YAKUMAN:
            hule["title_id"] = int(wins.limit[row])
        if wins.points[row] != UNKNOWN_POINTS:
            hule |= self._points(row, is_dealer=seat == self.dealer)
        if wins.liable[row] < UNSTATED_SEAT:
            hule["baopai"] = int(wins.liable[row]) + 1
        return hule

    def _is_yakuman(self, number: int, han: int) -> bool:
        return han == YAKUMAN_HAN and _NUMBERS.get(number) in names.YAKUMAN_YAKU

    def _fan(self, number: int, han: int) -> dict[str, int]:
        plain = SEAT_WIND if 10 <= number < 14 else ROUND_WIND if 14 <= number < 18 else number
        known = _NUMBERS.get(plain)
        if known is None:
            raise self.error(f"has a yaku without a number: {self.game.yaku(number).romaji}")
        is_double = number in _DOUBLE and self.game.rules[_DOUBLE[number]]
        return {"id": known, "val": 1 + is_double if self._is_yakuman(number, han) else han}

    def _points(self, row: int, *, is_dealer: bool) -> dict[str, int]:
        """What the hand is worth: by ron, or what the dealer and each other player pay for a tsumo."""
        wins = self.batch.wins
        points = int(wins.points[row])
        others = self.players - 2
        if wins.seat[row] != wins.source[row]:
            return {"point_rong": points}
        if is_dealer:
            return {"point_zimo_xian": points // (self.players - 1)}
        small = points // (others + 2)
        small -= small % 100
        deltas = wins.deltas[row].tolist()
        payers = [seat for seat in range(self.players) if seat not in (int(wins.seat[row]), self.dealer)]
        extra = self.game.rules.payment.honba_each * int(self.batch.hands.honba[self.hand])
        if wins.liable[row] >= UNSTATED_SEAT and UNKNOWN_POINTS not in deltas and -deltas[payers[0]] > extra:
            small = -deltas[payers[0]] - extra
        return {"point_zimo_xian": small, "point_zimo_qin": max(points - others * small, 0)}

    def _draw(self, row: int, event: int) -> None:
        draws = self.batch.hand_draws
        kind = HandEnd(draws.kind[row])
        shown = [self.names(tiles) for tiles in draws.shown[row][: self.players]]
        if kind in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
            tenpai = draws.tenpai[row].tolist()[: self.players]
            change = draws.deltas[row].tolist()[: self.players]
            fields: dict[str, Any] = {"liujumanguan": kind == HandEnd.NAGASHI}
            if NOT_STATED not in tenpai:
                pairs = zip(tenpai, shown, strict=True)
                fields["players"] = [{"tingpai": bool(ready), "hand": tiles} for ready, tiles in pairs]
            entry: dict[str, Any] = {"old_scores": list(self.scores)}
            if any(change) and UNKNOWN_POINTS not in change:
                entry["delta_scores"] = change
            self._say("NoTile", turns=False, **fields, scores=[entry])
            return
        if kind not in _KINDS:
            raise self.error("ends in a draw whose kind is not known")
        fields = {"type": _KINDS[kind]}
        if kind == HandEnd.KYUUSHU:
            seat = int(self.batch.events.seat[event - 1])
            fields |= {"seat": seat, "tiles": shown[seat] if seat < len(shown) else []}
        elif any(shown):
            fields["allplayertiles"] = ["|".join(tiles) for tiles in shown]
        self._say("LiuJu", turns=False, **fields)
