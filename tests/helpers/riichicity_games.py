"""Made-up records of Riichi City: a simulated game as that platform writes it."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from laid_walls import laid_walls

from paifu.parsers.errors import WriteError
from paifu.parsers.riichicity.yaku_ids import CODES, ROUND_WIND, SEAT_WIND, WINDS, YAKU
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import CODE_OF_TILE, EventFlag, EventKind, HandEnd
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE, TILE_OF_ID_RED
from paifu.replay.walls import majsoul

Record = dict[str, Any]
NUMBERS = {code - CODE_OF_TILE: number for number, code in CODES.items()}
IDS = (901, 902, 903, 904)
_BEGAN = 1_711_548_600_000
_ENDS = {
    HandEnd.EXHAUSTIVE: 7, HandEnd.NAGASHI: 7, HandEnd.KYUUSHU: 6, HandEnd.SUUFON: 2, HandEnd.SUUCHA: 4,
    HandEnd.SANCHAHOU: 5, HandEnd.SUUKAIKAN: 3,
}  # fmt: skip
_OF_YAKU = {
    yaku: number for number, yaku in reversed(tuple(YAKU.items())) if yaku >= 0 and number not in (54, 55)
}
_CALLS = {EventKind.PON: 5, EventKind.DAIMINKAN: 6}


class _Hand:
    """What one hand of a record holds, event by event."""

    def __init__(self, maker: _Maker, hand: int) -> None:
        self.maker = maker
        self.events: list[Record] = []
        self.hand = hand
        self.racks: list[list[int]] = []

    def add(self, kind: int, seat: int | None, **data: Any) -> None:
        """Put an event; ``seat`` None is the server."""
        maker = self.maker
        maker.clock += 900
        self.events.append(
            {
                "eventType": kind,
                "eventPos": maker.count,
                "userId": 0 if seat is None else maker.user(seat),
                "startTime": maker.clock,
                "handId": "",
                "data": orjson.dumps(data).decode(),
            }
        )
        maker.count += 1

    def move(self, seat: int, action: int, card: int, **data: Any) -> None:
        """Put what a player does."""
        usual = {"move_cards_pos": None, "hand_cards": None, "group_cards": None, "is_li_zhi": False}
        fields = {**usual, "li_zhi_type": 0, "li_zhi_operate": 0, **data}
        self.add(4, seat, action=action, card=card, user_id=self.maker.user(seat), **fields)


class _Maker:
    def __init__(self, batch: Batch, first_position: int) -> None:
        self.batch = batch
        self.players = int(batch.games.players[0])
        self.first = first_position
        self.clock, self.count = _BEGAN, 0

    def user(self, seat: int) -> int:
        return IDS[(seat + self.first) % self.players]

    def by_position(self) -> list[int]:
        """The seat of each position."""
        return [(position - self.first) % self.players for position in range(self.players)]


def record(batch: Batch, *, first_position: int = 1, **fields: Any) -> Record:
    """The record of the one game of a batch in its envelope; ``first_position`` deals first."""
    if not str(batch.games.seed[0]).startswith("mt19937ar"):
        raise WriteError("records are made of simulated games only")
    maker = _Maker(batch, first_position % int(batch.games.players[0]))
    players = maker.players
    walls = list(laid_walls(batch, majsoul.LAYOUTS[players]))
    hands = [_hand(maker, hand, walls[hand].tolist()) for hand in range(len(batch.hands))]
    if not batch.games.is_cut[0]:
        last = _Hand(maker, len(hands) - 1)
        scores, points = batch.games.final_scores[0], batch.games.final_points[0]
        order = sorted(range(players), key=lambda seat: -points[seat])
        table = [
            {"user_id": maker.user(s), "point_num": int(scores[s]), "score": round(10 * points[s]), "coin": 0}
            for s in order
        ]
        last.add(6, None, user_data=table, pai_pu_id="co22hduai0897qt1uod0")
        hands[-1]["handEventRecord"] += last.events
    data = {
        "keyValue": "co22hduai0897qt1uocg",
        "roomId": "co22hduai0897qt1uoc0",
        "playerCount": players,
        "initPoints": int(batch.hands.scores[0, 0]),
        "round": 2,
        "gamePlay": 1001,
        "isGeMu": False,
        "isKaiLiZhi": False,
        "fangFu": 0,
        "northOperateType": 0,
        **fields,
        "handRecord": hands,
    }
    return {"code": 0, "message": "ok", "data": data}


def _hand(maker: _Maker, number: int, wall: list[int]) -> Record:
    batch, players = maker.batch, maker.players
    hands, events = batch.hands, batch.events
    hand = _Hand(maker, number)
    names = "".join(tile_name(int(tile)) for tile in TILE_OF_ID_RED[wall])
    digest = hashlib.sha256(names.encode()).hexdigest()
    dealer, round_ = int(hands.dealer[number]), int(hands.round[number])
    begin, end = int(hands.event_begin[number]), int(hands.event_end[number])
    hand.racks = [hands.dealt[number, seat].tolist() for seat in range(players)]
    hand.racks[dealer].append(int(events.tile[begin]))
    start = {
        "dealer_pos": (dealer + maker.first) % players,
        "dices": [1, 3],
        "bao_pai_card": NUMBERS[int(hands.dora[number])],
        "quan_feng": WINDS[round_ // 4],
        "chang_ci": round_ % 4 + 1,
        "ben_chang_num": int(hands.honba[number]),
        "li_zhi_bang_num": int(hands.sticks[number]),
        "user_info_list": [
            {"user_id": maker.user(seat), "hand_points": int(hands.scores[number, seat])}
            for seat in maker.by_position()
        ],
        "hand_cards_sha_256": digest,
    }
    for seat in maker.by_position():
        hand.add(1, seat, hand_cards=[NUMBERS[tile] for tile in hand.racks[seat]], **start)
    hand.add(2, dealer, in_card=0, is_gang_incard=False)
    _moves(hand, range(begin + 1, end))
    return {
        "handPos": number + 1,
        "quanFeng": start["quan_feng"],
        "changCi": start["chang_ci"],
        "benChangNum": start["ben_chang_num"],
        "players": [
            {"userId": maker.user(seat), "nickname": str(batch.games.names[0, seat]), "position": position}
            for position, seat in enumerate(maker.by_position())
        ],
        "handCardEncode": names,
        "handCardsSHA256": digest,
        "handEventRecord": hand.events,
    }


def _moves(hand: _Hand, rows: range) -> None:  # noqa: C901  one branch for each kind of event
    """Put the events of a hand behind the deal; a riichi is paid behind the call of its tile."""
    events = hand.maker.batch.events
    kans: list[int] = []
    is_riichi, paid, is_supplement = False, -1, False
    for at in rows:
        kind, seat, tile = EventKind(events.kind[at]), int(events.seat[at]), int(events.tile[at])
        rack = hand.racks[seat] if seat < hand.maker.players else []
        own = [int(one) for one in events.own[at] if one != NO_TILE]
        if paid >= 0 and kind not in (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN):
            hand.add(8, paid, user_id=hand.maker.user(paid), is_auto_gang=False)
            paid = -1
        if kind == EventKind.DRAW:
            rack.append(tile)
            hand.add(2, seat, in_card=NUMBERS[tile], is_gang_incard=is_supplement)
            is_supplement = False
        elif kind == EventKind.RIICHI:
            is_riichi = True
        elif kind == EventKind.DISCARD:
            drawn = events.flags[at] & EventFlag.TSUMOGIRI
            place = len(rack) if drawn else rack.index(tile) + 1
            hand.move(seat, 11, NUMBERS[tile], move_cards_pos=[place], is_li_zhi=is_riichi)
            del rack[place - 1]
            is_riichi = False
        elif kind == EventKind.RIICHI_PAID:
            paid = seat
        elif kind in _CALLS or kind == EventKind.CHI:
            kinds = sorted([one % 34 if one < 34 else (4, 13, 22)[one - 34] for one in own])
            called = tile if tile < 34 else (4, 13, 22)[tile - 34]
            action = _CALLS.get(kind) or 2 + sum(one < called for one in kinds)
            hand.move(seat, action, NUMBERS[tile], group_cards=[NUMBERS[one] for one in own])
            for one in own:
                rack.remove(one)
            is_supplement = kind == EventKind.DAIMINKAN
            if kind != EventKind.DAIMINKAN:
                if paid >= 0:
                    hand.add(8, paid, user_id=hand.maker.user(paid), is_auto_gang=False)
                    paid = -1
                hand.add(2, seat, in_card=0, is_gang_incard=False)
        elif kind == EventKind.ANKAN:
            hand.move(seat, 8, NUMBERS[tile], group_cards=[NUMBERS[one] for one in own])
            for one in (tile, *own):
                rack.remove(one)
            is_supplement = True
        elif kind in (EventKind.KAKAN, EventKind.KITA):
            hand.move(seat, 9 if kind == EventKind.KAKAN else 13, NUMBERS[tile])
            rack.remove(tile)
            is_supplement = True
        elif kind == EventKind.DORA:
            kans.append(NUMBERS[tile])
            hand.add(7, None, cards=list(kans))
        elif kind in (EventKind.WIN, EventKind.HAND_DRAW):
            _end(hand, at)
            return


def _end(hand: _Hand, at: int) -> None:
    maker, number = hand.maker, hand.hand
    batch, players = maker.batch, maker.players
    hands, events, wins, draws = batch.hands, batch.events, batch.wins, batch.hand_draws
    won = [row for row in range(len(wins)) if wins.hand[row] == number]
    paid = [0] * 4
    for row in range(int(hands.event_begin[number]), at):
        if events.kind[row] == EventKind.RIICHI_PAID:
            paid[events.seat[row]] += 1000
    if won:
        deltas = sum(wins.deltas[row] for row in won)
        info = [_win(maker, row) for row in won]
        kind = int(wins.seat[won[0]] == wins.source[won[0]])
    else:
        (row,) = [row for row in range(len(draws)) if draws.hand[row] == number]
        deltas = draws.deltas[row]
        end = HandEnd(hands.end[number])
        kind = _ENDS[end]
        info = [
            {
                "user_id": maker.user(seat), "fang_info": None, "all_point": 0, "ting_card_list": [1],
                "user_cards": [NUMBERS[int(one)] for one in draws.shown[row, seat] if one != NO_TILE],
            }
            for seat in range(players)
            if draws.tenpai[row, seat] == 1
        ]  # fmt: skip
        if end == HandEnd.NAGASHI:
            king = max(range(players), key=lambda seat: deltas[seat])
            info.append({"user_id": maker.user(king), "fang_info": [{"fang_type": 30, "fang_num": 5}]})
        if end == HandEnd.KYUUSHU:
            seat = max(range(players), key=lambda seat: len(hand.racks[seat]))
            hand.move(seat, 12, 0, hand_cards=[NUMBERS[tile] for tile in hand.racks[seat]])
    profit = [
        {
            "user_id": maker.user(seat),
            "point_profit": int(deltas[seat]),
            "li_zhi_profit": -paid[seat],
            "is_bao_pai": False,
            "user_point": int(hands.scores[number, seat]) - paid[seat] + int(deltas[seat]),
        }
        for seat in maker.by_position()
    ]
    hand.add(5, None, end_type=kind, win_info=info, user_profit=profit)


def _win(maker: _Maker, row: int) -> Record:
    wins, hands = maker.batch.wins, maker.batch.hands
    seat, source, hand = int(wins.seat[row]), int(wins.source[row]), int(wins.hand[row])
    tiles = [int(one) for one in wins.tiles[row] if one != NO_TILE]
    if seat != source:
        tiles.remove(int(wins.tile[row]))
    winds = {
        10 + (seat - int(hands.dealer[hand])) % maker.players: SEAT_WIND,
        14 + int(hands.round[hand]) // 4: ROUND_WIND,
    }
    numbers = {yaku: number for number, yaku in YAKU.items()}
    info = [
        {"fang_type": numbers[winds[yaku]] if yaku in winds else _OF_YAKU[yaku], "fang_num": int(han)}
        for yaku, han in zip(wins.yaku[row].tolist(), wins.han[row], strict=True)
        if yaku != 255
    ]
    return {
        "user_id": maker.user(seat),
        "fang_info": info,
        "all_fang_num": sum(one["fang_num"] for one in info),
        "all_fu": int(wins.fu[row]),
        "all_point": int(wins.points[row]),
        "user_cards": [NUMBERS[one] for one in tiles],
        "li_bao_card": [NUMBERS[int(one)] for one in wins.ura[row] if one != NO_TILE] or None,
    }
