"""Riichi City: records as downloaded, with or without their envelope, into games.

A record lists its players by position. Positions are turned so that the first dealer is the model's seat 0.
Each event's data are JSON in a text. The server asks (draws and offers), players answer (moves). A riichi is
paid after the call of its tile, and here before it. Rack places show a discard of the tile just drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import orjson

from paifu.parsers.drafting import DEALT, SHOWN, DraftedGame, ListedYaku, hands_shown
from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import reads_json
from paifu.parsers.json_values import (
    MAX_TEXT,
    Within,
    as_list,
    as_object,
    as_whole,
    coded_tile,
    coded_tiles,
    load_json,
    shown,
    wrong_value,
)
from paifu.parsers.majsoul.values import shares_of_wins
from paifu.parsers.packed_events import (
    honba_after,
    kind_of_code,
    seat_of,
    sticks_after,
    turned,
)
from paifu.parsers.riichicity.room_rules import ROOMS, room_rules, shares_of_tsumo
from paifu.parsers.riichicity.yaku_ids import (
    CODES,
    DORA,
    ENDS,
    NAGASHI,
    NORTH_DORA,
    WINDS,
    YAKU,
)
from paifu.replay.model.batch import MAX_COUNT, MAX_FU, MAX_HAN, MAX_INDICATORS, MAX_POINTS
from paifu.replay.model.builder import DraftRow, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventFlag, EventKind, HandEnd, pack
from paifu.replay.model.liability import liable_seat
from paifu.replay.model.tiles import NO_TILE, NORTH
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rulesets.log_rules import RuleChoice
from paifu.replay.walls.majsoul import RIICHI_CITY

_Data = dict[str, Any]
_HONBA = 100
_SHOWN_RIICHI = 3
"""``li_zhi_type`` of a riichi with the hand shown."""
_LAST_MS = 253_402_300_799_000
"""The end of the year 9999."""
_MOST_MS = 2**31 - 1
_DEAL, _ASK, _MOVE, _END, _OVER, _DORA, _PAID = 1, 2, 4, 5, 6, 7, 8
_SILENT = frozenset({3, 9, 10, 11})
"""Offers, notices of furiten, pauses, waits."""
_CHI_LEFT, _CHI_RIGHT, _PON, _OPEN_KAN, _RON, _CLOSED_KAN, _ADDED_KAN, _TSUMO = 2, 4, 5, 6, 7, 8, 9, 10
_DISCARD, _NINE_KINDS, _KITA = 11, 12, 13
_CALLS = {
    **dict.fromkeys(range(_CHI_LEFT, _CHI_RIGHT + 1), (EventKind.CHI, 2)),
    _PON: (EventKind.PON, 2),
    _OPEN_KAN: (EventKind.DAIMINKAN, 3),
}
_DEEPEST = 3
"""How many envelopes may be around a record."""
_XID = re.compile("[0-9a-v]{20}")


def seconds_of_id(text: str) -> int:
    """Return the Unix seconds at which a table with this id was opened; 0 for another text.

    >>> seconds_of_id("9m4e2mr0ui3e8a215n4g")
    1300816219
    """
    return int(text[:7], 32) >> 3 if _XID.fullmatch(text) else 0


class RiichiCityGame(DraftedGame):
    """One game: a record goes in, a draft comes out."""

    format = "riichicity"
    is_over = False

    def __init__(self, value: Any, location: str) -> None:
        super().__init__(location)
        self.record = value
        self.turn = 0
        """The position that deals first."""
        self._positions: dict[Any, int] = {}
        """User id -> position."""
        self._nicknames: list[str] = []
        self._last_ms = 0
        self._began_at: int | None = None
        self._is_void = False
        self._final: list[tuple[int, int, float]] = []
        """Seat, points and settled points, by place."""
        self._shares: list[str] = []
        """How three players may share a tsumo, by all tsumo so far; empty before the first that shows it."""
        self._wall = ""
        self._dora = 0
        """Indicators of kans turned in this hand."""
        self._last = NO_SEAT
        """Who showed a tile last."""
        self._tile = NO_TILE
        """The tile that was shown or drawn last."""
        self._drawn = NO_SEAT
        """Who drew last, nobody after a call."""
        self._declared = NO_SEAT
        """Whose riichi is not paid."""
        self._marks_riichi = False
        """Discards say whether they declare riichi."""
        self._melds = [0, 0, 0, 0]
        self._nine: tuple[int, bytes] | None = None

    # --- the front door -------------------------------------------------------------------------------

    def read(self) -> None:
        """Read all hands. Raises ParseError where the game cannot be read on."""
        self.record = _unwrapped(self.record)
        self.players = as_whole(self.record.get("playerCount", 4), 3, 4, "playerCount")
        self._read_head()
        self.each_hand(self.record["handRecord"], self._take_hand)

    def _take_hand(self, number: int, hand: Any) -> None:
        with Within(f"hand {number + 1} "):
            hand = as_object(hand, code="V102")
            if self.is_over or self._is_void:
                raise wrong_value("it comes after the end of the game", code="V102")
            self._read_hand(hand)

    def finish(self, *, is_whole: bool) -> GameDraft:
        """Return the draft, once all hands have been given."""
        game = self.draft.game
        game["names"] = turned([*self._nicknames, *[""] * 4], self.turn, self.players, "")
        if self._final and not self._is_void:
            scores, points = [0] * 4, [0.0] * 4
            for seat, score, settled in self._final:
                scores[seat], points[seat] = score, settled
            game |= {"final_scores": scores, "final_points": points}
        return super().finish(is_whole=is_whole)

    def rules(self) -> RuleChoice:
        """Choose the rules of the room, by what the record states and the hands show."""
        final = [(points, settled) for _, points, settled in self._final]
        shares = self._shares[0] if self._shares else ""
        return self.rules_or(
            lambda: room_rules(self.record, self.players, self._wall, final, sanma_tsumo=shares),
            "riichi-city-sanma" if self.players == 3 else "riichi-city",
        )

    def _read_head(self) -> None:
        game = self.draft.game
        ids = [self.record.get(name) for name in ("keyValue", "roomId")]
        game["id"] = next((one[:MAX_TEXT] for one in ids if isinstance(one, str) and one), "")
        kind = self.record.get("gamePlay")
        game["rule"] = ROOMS.get(kind, "") if isinstance(kind, int) else ""
        self._start(1000 * seconds_of_id(game["id"]))

    def _start(self, milliseconds: int) -> None:
        if milliseconds:
            date = datetime.fromtimestamp(milliseconds / 1000, UTC)
            self.draft.game["started"] = date.strftime("%Y-%m-%dT%H:%M")

    # --- a hand ---------------------------------------------------------------------------------------

    def _read_hand(self, hand: _Data) -> None:
        if not self._positions:
            self._seat_players(as_list(hand.get("players"), "players"))
        deals: dict[int, _Data] = {}
        is_dealt = False
        for at, event in enumerate(as_list(hand.get("handEventRecord"), "handEventRecord")):
            with Within(f"event {at + 1} "):
                event = as_object(event, code="V102")
                kind = as_whole(event.get("eventType"), 0, 10_000, "eventType")
                data = _data_of(event)
                if kind == _DEAL:
                    deals[self._position(event.get("userId"))] = data
                    continue
                if not is_dealt:
                    self._deal(hand, deals)
                    is_dealt = True
                handler = _HANDLERS.get(kind)
                if handler is None:
                    if kind not in _SILENT:
                        self.note_unknown("event", kind)
                    continue
                if self.hand["end"] != HandEnd.UNFINISHED and kind != _OVER:
                    raise wrong_value("it comes after the end of the hand", code="V102")
                begin = len(self.words)
                handler(self, event, data)
                self._time(event, begin)
        if not is_dealt:
            self._deal(hand, deals)

    def _time(self, event: _Data, begin: int) -> None:
        """Note when what an event added happened."""
        now = event.get("startTime")
        if not isinstance(now, int) or not 0 < now <= _LAST_MS:
            return
        if self._began_at is None:
            self._began_at = now
            self._start(now)
        passed = now - self._began_at
        if self._last_ms <= passed <= _MOST_MS:
            self._last_ms = passed
            self.draft.times |= dict.fromkeys(range(begin, len(self.words)), passed)

    def _seat_players(self, cells: list[Any]) -> None:
        names = [""] * self.players
        for cell in cells:
            if not isinstance(cell, dict):
                raise wrong_value("players lists something that is not an object")
            position = as_whole(cell.get("position"), 0, self.players - 1, "position")
            user = cell.get("userId")
            if isinstance(user, (list, dict)) or user in self._positions:
                raise wrong_value(f"userId is {shown(user)}, which is not one player's own", code="V105")
            self._positions[user] = position
            if isinstance(cell.get("nickname"), str):
                names[position] = cell["nickname"][:MAX_TEXT]
        if sorted(self._positions.values()) != list(range(self.players)):
            raise wrong_value(f"players lists {len(cells)} players; expected {self.players}", code="V105")
        self._nicknames = names

    def _position(self, user: Any) -> int:
        position = None if isinstance(user, (list, dict)) else self._positions.get(user)
        if position is None:
            raise wrong_value(f"{shown(user)} is not a player of this game", code="V105")
        return position

    def _seat(self, user: Any) -> int:
        return (self._position(user) - self.turn) % self.players

    def _deal(self, hand: _Data, deals: dict[int, _Data]) -> None:
        if len(deals) != self.players:
            raise wrong_value(f"{len(deals)} players are dealt tiles, not {self.players}", code="V104")
        deal = deals[0]
        position = as_whole(deal.get("dealer_pos"), 0, self.players - 1, "dealer_pos")
        wind = deal.get("quan_feng", hand.get("quanFeng"))
        if wind not in WINDS:
            raise wrong_value(f"quan_feng is {shown(wind)}, which is not a wind", code="V105")
        number = as_whole(deal.get("chang_ci", hand.get("changCi")), 1, self.players, "chang_ci")
        if not self.draft.hands:
            self.turn = (position - number + 1) % self.players
        dealer = (position - self.turn) % self.players
        tiles = {
            (at - self.turn) % self.players: _tiles(one.get("hand_cards"), 52) for at, one in deals.items()
        }
        for seat, dealt in tiles.items():
            if len(dealt) != DEALT + (seat == dealer):
                raise wrong_value(f"seat {seat} is dealt {len(dealt)} tiles", code="V104")
        draft = self.draft
        honba = hand.get("benChangNum", honba_after(draft, dealer))
        sticks = sticks_after(draft) if draft.hands else 0
        row: DraftRow = {
            "round": 4 * WINDS.index(wind) + number - 1,
            "honba": as_whole(deal.get("ben_chang_num", honba), 0, MAX_COUNT, "honba"),
            "sticks": as_whole(deal.get("li_zhi_bang_num", sticks), 0, MAX_COUNT, "li_zhi_bang_num"),
            "dealer": dealer,
            "dora": _tile(deal.get("bao_pai_card")),
            "dealt": b"".join(tiles[seat][:DEALT] for seat in range(self.players)),
            "seed": self._seed(hand, deal),
        }
        scores = self._by_seat(deal.get("user_info_list"), "hand_points")
        if scores is not None:
            row["scores"] = scores
        dice = deal.get("dices")
        if (
            isinstance(dice, list)
            and len(dice) == 2
            and all(type(die) is int and 1 <= die <= 6 for die in dice)
        ):
            row["dice"] = bytes(die - 1 for die in dice)
        self._dora, self._last, self._declared, self._nine = 0, NO_SEAT, NO_SEAT, None
        self._melds = [0, 0, 0, 0]
        self.begin_hand(row)
        self._draw_tile(dealer, tiles[dealer][-1])

    def _seed(self, hand: _Data, deal: _Data) -> str:
        """The wall, and the hash that was shown with the deal."""
        wall, stated, told = (
            hand.get("handCardEncode"), deal.get("hand_cards_sha_256"), hand.get("handCardsSHA256")
        )  # fmt: skip
        shown_hash = stated if isinstance(stated, str) and stated else told
        if isinstance(told, str) and isinstance(stated, str) and told != stated:
            reason = "the hash of the wall is another one in the deal than beside the wall"
            self.faults.note(ParseError(reason, place=f"hand {len(self.draft.hands) + 1}", code="V105"))
        if not all(
            isinstance(one, str) and 0 < len(one) <= 300 and "," not in one for one in (wall, shown_hash)
        ):
            return ""
        self._wall = self._wall or str(wall)
        return f"{RIICHI_CITY},{wall},{shown_hash}"

    def _by_seat(self, cells: Any, name: str) -> list[int] | None:
        """Numbers of all players, listed with their ids; None where one is missing."""
        values: dict[int, int] = {}
        for cell in cells if isinstance(cells, list) else ():
            if isinstance(cell, dict) and name in cell:
                values[self._seat(cell.get("user_id"))] = as_whole(cell[name], -MAX_POINTS, MAX_POINTS, name)
        if len(values) != self.players:
            return None
        return [values.get(seat, 0) for seat in range(4)]

    # --- events ---------------------------------------------------------------------------------------

    def _ask(self, event: _Data, data: _Data) -> None:
        """Take the start of a turn: a draw, unless it is the dealer's first or follows a call."""
        if as_whole(data.get("in_card"), 0, 10_000, "in_card") == 0:
            return
        self._draw_tile(self._seat(event.get("userId")), _tile(data["in_card"]))

    def _draw_tile(self, seat: int, code: int) -> None:
        self._tile, self._drawn = code, seat
        self.put(EventKind.DRAW, seat, code)

    def _turn_dora(self, _event: _Data, data: _Data) -> None:
        tiles = _tiles(data.get("cards"), MAX_INDICATORS)
        self.words += [pack(EventKind.DORA, tile=code) for code in tiles[self._dora :]]
        self._dora = max(self._dora, len(tiles))

    def _paid(self, event: _Data, data: _Data) -> None:
        seat = self._seat(data.get("user_id", event.get("userId")))
        words = self.words
        if seat == self._declared:
            self._pay_stick(seat)
        elif words[-1] & 31 == EventKind.DISCARD and seat_of(words[-1]) == seat and not self._marks_riichi:
            words.insert(len(words) - 1, pack(EventKind.RIICHI, seat))
            self._pay_stick(seat)

    def _pay_stick(self, seat: int) -> None:
        self._declared = NO_SEAT
        self.pay(seat)

    def _move(self, event: _Data, data: _Data) -> None:
        seat = self._seat(data.get("user_id", event.get("userId")))
        action = as_whole(data.get("action"), 0, 10_000, "action")
        if action == _DISCARD:
            self._discard(seat, data)
        elif action in _CALLS:
            self._call(seat, action, data)
        elif action == _CLOSED_KAN:
            tiles = _tiles(data.get("group_cards"), 4)
            if len(tiles) == 3:
                tiles = bytes([_tile(data.get("card")), *tiles])
            if len(tiles) != 4:
                raise wrong_value(f"a closed kan of {len(tiles)} tiles", code="V105")
            self.put(EventKind.ANKAN, seat, tiles[0], own=tiles[1:])
            self._show(seat, tiles[0], is_meld=True)
        elif action == _ADDED_KAN:
            code = _tile(data.get("card"))
            self.add_to_pon(seat, code)
            self._show(seat, code, is_meld=False)
        elif action == _KITA:
            code = CODE_OF_TILE + NORTH
            self.put(EventKind.KITA, seat, code)
            self._show(seat, code, is_meld=False)
        elif action == _NINE_KINDS:
            self._nine = seat, _tiles(data.get("hand_cards") or [], SHOWN)
        elif action not in (_RON, _TSUMO):
            self.note_unknown("action", action)

    def _show(self, seat: int, code: int, *, is_meld: bool) -> None:
        self._last, self._tile, self._drawn = seat, code, NO_SEAT
        self._melds[seat] += is_meld

    def _discard(self, seat: int, data: _Data) -> None:
        code = _tile(data.get("card"))
        places = data.get("move_cards_pos")
        place = places[0] if isinstance(places, list) and places else None
        if self._drawn != seat:
            is_drawn = False
        elif place is None:  # automatic play discards what was drawn
            is_drawn = code == self._tile
        else:
            is_drawn = place == SHOWN - 3 * self._melds[seat]
        self._marks_riichi |= "is_li_zhi" in data
        if data.get("is_li_zhi"):
            shown = EventFlag.OPEN if data.get("li_zhi_type") == _SHOWN_RIICHI else 0
            self.put(EventKind.RIICHI, seat, flags=shown)
            self._declared = seat
        self.discard(seat, code, is_drawn=is_drawn)
        self._show(seat, code, is_meld=False)

    def _call(self, seat: int, action: int, data: _Data) -> None:
        kind, count = _CALLS[action]
        own = _tiles(data.get("group_cards"), 4)
        code = _tile(data.get("card"))
        if len(own) != count or self._last in (NO_SEAT, seat):
            raise wrong_value(f"there is no {kind.name.lower()} of {len(own)} own tiles here", code="V105")
        if self._declared != NO_SEAT:
            self._pay_stick(self._declared)
        held = sorted(own, key=lambda one: (kind_of_code(one), one))
        self.put(kind, seat, code, self._last, held)
        self._show(seat, code, is_meld=True)

    # --- results --------------------------------------------------------------------------------------

    def _end(self, _event: _Data, data: _Data) -> None:
        number = as_whole(data.get("end_type"), 0, 10_000, "end_type")
        end = ENDS.get(number)
        if end is None:
            self.note_unknown("end of a hand", number)
            end = HandEnd.UNKNOWN_DRAW
        if end == HandEnd.UNFINISHED:
            self._is_void = True
            return
        wins = as_list(data.get("win_info") or [], "win_info")
        if not all(isinstance(win, dict) for win in wins):
            raise wrong_value("win_info lists something that is not an object")
        profit = data.get("user_profit")
        deltas = self._by_seat(profit, "point_profit")
        after = self._by_seat(profit, "user_point")
        if end == HandEnd.WIN:
            self._win(wins, deltas, after, profit, is_tsumo=number == 1)
        else:
            self._draw(end, wins, deltas, after)

    def _win(
        self,
        wins: list[_Data],
        deltas: list[int] | None,
        after: list[int] | None,
        profit: Any,
        *,
        is_tsumo: bool,
    ) -> None:
        won = [win for win in wins if win.get("fang_info")]
        if not 1 <= len(won) <= 3:
            raise wrong_value(f"win_info lists {len(won)} winners", code="V105")
        rows = [self._win_row(win, f"win_info[{at}] ", is_tsumo=is_tsumo) for at, win in enumerate(won)]
        if is_tsumo and self.players == 3:
            self._look_at_shares(won[0], rows[0], deltas)
        paid = sum(word & 31 == EventKind.RIICHI_PAID for word in self.words[self.begin :])
        hand = self.hand
        sticks, honba = int(hand["sticks"]) + paid, int(hand["honba"])
        parts = [None] * len(rows) if deltas is None else shares_of_wins(rows, deltas, sticks, honba)
        liable = [
            self._seat(cell.get("user_id"))
            for cell in (profit if isinstance(profit, list) else ())
            if isinstance(cell, dict) and cell.get("is_bao_pai")
        ]
        scores = _difference(after, deltas)
        for row, part in zip(rows, parts, strict=True):
            if part is not None:
                row["deltas"] = part
                if len(rows) == 1:
                    row["liable"] = liable_seat(row["seat"], row["source"], part[: self.players])
            if len(liable) == 1:
                row["liable"] = liable[0]
            if scores is not None:
                row["scores"] = scores
                scores = _difference(scores, part, sign=1)
            self.win(row)

    def _win_row(self, win: _Data, place: str, *, is_tsumo: bool) -> DraftRow:
        with Within(place):
            seat = self._seat(win.get("user_id"))
            source = seat if is_tsumo else self._last
            if source == NO_SEAT or (source == seat) != is_tsumo:
                raise wrong_value("the winner wins by ron on a tile of his own", code="V105")
            row: DraftRow = {"seat": seat, "source": source, "tile": self._tile, "liable": NO_SEAT}
            tiles = _tiles(win.get("user_cards") or [], SHOWN)
            if len(tiles) % 3 == 1:
                tiles += bytes([self._tile])
            if tiles:
                row["tiles"] = tiles
            row["ura"] = _tiles(win.get("li_bao_card") or [], MAX_INDICATORS)
            if "all_fu" in win:
                row["fu"] = as_whole(win["all_fu"], 0, MAX_FU, "all_fu")
            if "all_point" in win:
                row["points"] = as_whole(win["all_point"], 0, MAX_POINTS, "all_point")
            self.state_yaku(row, self._listed(win), "fang_info")
        return row

    def _listed(self, win: _Data) -> Iterator[ListedYaku]:
        """Yield the yaku of a win; dora that are listed apart are one."""
        listed: dict[int, int] = {}
        total = 0
        for at, cell in enumerate(as_list(win["fang_info"], "fang_info")):
            with Within(f"fang_info[{at}] "):
                cell = as_object(cell)
                number = as_whole(cell.get("fang_type"), 0, 10_000, "fang_type")
                han = as_whole(cell.get("fang_num"), 0, 2 * YAKUMAN_HAN * 10, "fang_num")
            total += han
            yaku = YAKU.get(number)
            if yaku is None:
                yield ListedYaku(None, han, number)
                continue
            worth = YAKUMAN_HAN if han >= YAKUMAN_HAN and han % YAKUMAN_HAN == 0 and yaku != DORA else han
            if number == NORTH_DORA and yaku in listed:
                worth += listed[yaku]
            listed[yaku] = min(
                worth if yaku != DORA or number == NORTH_DORA else worth + listed.get(DORA, 0), MAX_HAN
            )
        stated = win.get("all_fang_num")
        if isinstance(stated, int) and stated != total:
            reason = f"the yaku add up to {total} han, and all_fang_num is {shown(stated)}"
            self.faults.note(ParseError(reason, place=f"hand {len(self.draft.hands)}", code="V102"))
        for yaku, worth in listed.items():
            yield ListedYaku(yaku, worth, yaku)

    def _look_at_shares(self, win: _Data, row: DraftRow, deltas: list[int] | None) -> None:
        """See how three players share a tsumo: by its points, or if several ways fit, by who paid what."""
        base, winner, dealer = win.get("bash_points"), row["seat"], self.hand["dealer"]
        if type(base) is not int or not 0 < base <= MAX_POINTS or "points" not in row:
            return
        ways = shares_of_tsumo(base, is_dealer=winner == dealer)
        fitting = [way for way, parts in ways.items() if sum(parts) == row["points"]]
        if deltas is not None and len(fitting) > 1:
            payers = sorted({0, 1, 2} - {winner}, key=lambda seat: seat != dealer)
            honba = _HONBA * int(self.hand["honba"])
            factors = (1, 2) if self.record.get("isGeMu") is True else (1,)
            paid = [
                way
                for way in fitting
                if all(
                    -deltas[seat] - honba in [factor * part for factor in factors]
                    for seat, part in zip(payers, ways[way], strict=True)
                )
            ]
            fitting = paid or fitting
        known = [way for way in self._shares or ways if way in fitting]
        self._shares = known or self._shares

    def _draw(
        self, end: HandEnd, wins: list[_Data], deltas: list[int] | None, after: list[int] | None
    ) -> None:
        row: DraftRow = {"kind": end}
        if end == HandEnd.CHOMBO and deltas is not None:
            row["seat"] = min(range(self.players), key=deltas.__getitem__)
        hands = [b""] * self.players
        tenpai = bytearray(4)
        for win in wins:
            seat = self._seat(win.get("user_id"))
            yaku = as_list(win.get("fang_info") or [], "fang_info")
            if any(isinstance(cell, dict) and cell.get("fang_type") == NAGASHI for cell in yaku):
                row["kind"] = HandEnd.NAGASHI
            else:
                tenpai[seat] = 1
                hands[seat] = _tiles(win.get("user_cards") or [], SHOWN)
        if end == HandEnd.KYUUSHU and self._nine is not None:
            hands[self._nine[0]] = self._nine[1]
        if row["kind"] == HandEnd.EXHAUSTIVE:
            row["tenpai"] = bytes(tenpai)
        if any(hands):
            row["shown"] = hands_shown(hands)
        if deltas is not None:
            row["deltas"] = deltas
        before = _difference(after, deltas)
        if before is not None:
            row["scores"] = before
        self.end_without_win(row)

    def _over(self, _event: _Data, data: _Data) -> None:
        self.is_over = not self._is_void
        final = []
        for cell in as_list(data.get("user_data") or [], "user_data"):
            if not isinstance(cell, dict) or "point_num" not in cell or "score" not in cell:
                return
            points = as_whole(cell["point_num"], -MAX_POINTS, MAX_POINTS, "point_num")
            score = as_whole(cell["score"], -MAX_POINTS, MAX_POINTS, "score")
            final.append((self._seat(cell.get("user_id")), points, score / 10))
        if len({seat for seat, _, _ in final}) == self.players == len(final):
            self._final = final


def _unwrapped(value: Any) -> _Data:
    """The record in its envelope, or by itself."""
    for _ in range(_DEEPEST):
        if not isinstance(value, dict):
            break
        if isinstance(value.get("handRecord"), list):
            return value
        if "data" not in value:
            break
        message = value.get("message")
        value = value["data"]
        if value is None:
            said = f", which says {shown(message)}" if isinstance(message, str) else ""
            raise ParseError(
                f"the answer of the server holds no record{said}", code="V102", hint="download it again"
            )
    raise ParseError("not a record of Riichi City: it has no handRecord", code="V102", hint="get it again")


def _difference(after: list[int] | None, part: list[int] | None, *, sign: int = -1) -> list[int] | None:
    """Points before or after some changes; None where either is not known, or no game has as many."""
    if after is None or part is None:
        return None
    points = [score + sign * change for score, change in zip(after, part, strict=True)]
    return points if max(map(abs, points)) <= MAX_POINTS else None


def _data_of(event: _Data) -> _Data:
    """The data of an event, which is JSON in a text."""
    data = event.get("data")
    if isinstance(data, str):
        try:
            data = load_json(data.encode("utf-8", "replace")) if data else {}
        except orjson.JSONDecodeError as error:
            raise wrong_value(f"its data are not JSON: {error.msg}") from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise wrong_value(f"its data are {shown(data)}; expected an object")
    return data


_tile = partial(coded_tile, CODES)
_tiles = partial(coded_tiles, CODES)
_HANDLERS: Mapping[int, Callable[[RiichiCityGame, _Data, _Data], None]] = {
    _ASK: RiichiCityGame._ask,
    _MOVE: RiichiCityGame._move,
    _END: RiichiCityGame._end,
    _OVER: RiichiCityGame._over,
    _DORA: RiichiCityGame._turn_dora,
    _PAID: RiichiCityGame._paid,
}

read_riichi_city = reads_json(RiichiCityGame)
