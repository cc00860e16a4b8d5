"""Made-up states of mjx: a simulated game as that simulator writes it."""

from __future__ import annotations

from typing import Any

import orjson
from laid_walls import laid_walls

from paifu.parsers.errors import WriteError
from paifu.parsers.mjlog.melds import LoggedMeld, encode_meld
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.walls import mjx

State = dict[str, Any]
_MELDS = {
    EventKind.CHI: "CHI", EventKind.PON: "PON", EventKind.DAIMINKAN: "OPEN_KAN",
    EventKind.ANKAN: "CLOSED_KAN", EventKind.KAKAN: "ADDED_KAN",
}  # fmt: skip
_ENDS = {
    HandEnd.EXHAUSTIVE: "EXHAUSTIVE_DRAW_NORMAL", HandEnd.NAGASHI: "EXHAUSTIVE_DRAW_NAGASHI_MANGAN",
    HandEnd.KYUUSHU: "ABORTIVE_DRAW_NINE_TERMINALS", HandEnd.SUUFON: "ABORTIVE_DRAW_FOUR_WINDS",
    HandEnd.SUUCHA: "ABORTIVE_DRAW_FOUR_RIICHIS", HandEnd.SANCHAHOU: "ABORTIVE_DRAW_THREE_RONS",
    HandEnd.SUUKAIKAN: "ABORTIVE_DRAW_FOUR_KANS",
}  # fmt: skip


def states(batch: Batch) -> list[State]:
    """The states of the one game of a batch, hand by hand."""
    if batch.games.players[0] != 4 or not str(batch.games.seed[0]).startswith("mt19937ar"):
        raise WriteError("mjx knows games of four, and here simulated ones")
    walls = list(laid_walls(batch, mjx.LAYOUT))
    made = [_state(batch, hand, walls[hand].tolist()) for hand in range(len(batch.hands))]
    if not batch.games.is_cut[0]:
        final = made[-1]["roundTerminal"]
        final["finalScore"]["tens"] = batch.games.final_scores[0].tolist()
        final["isGameOver"] = True
    return made


def lines(some: list[State]) -> bytes:
    """A file of states."""
    return b"".join(orjson.dumps(state, option=orjson.OPT_APPEND_NEWLINE) for state in some)


def _without_zeros(**fields: Any) -> State:
    """The fields that are written: zeros and empty lists are left out."""
    return {name: value for name, value in fields.items() if value or (name == "tens" and value is not None)}


def _state(batch: Batch, hand: int, wall: list[int]) -> State:
    hands, events = batch.hands, batch.events
    told: list[State] = []
    drawn: list[list[int]] = [[], [], [], []]
    dora = [int(hands.dora_id[hand])]
    for at in range(hands.event_begin[hand], hands.event_end[hand]):
        kind, seat, tile = EventKind(events.kind[at]), int(events.seat[at]), int(events.tile_id[at])
        name, fields = "", {"who": seat, "tile": tile}
        if kind == EventKind.DRAW:
            drawn[seat].append(tile)
            name, fields = "DRAW", {"who": seat}
        elif kind == EventKind.DISCARD:
            name = "TSUMOGIRI" if events.flags[at] & EventFlag.TSUMOGIRI else ""
        elif kind in _MELDS:
            own = tuple(int(one) for one in events.own_id[at] if one != NO_TILE)
            meld = LoggedMeld(kind, seat, int(events.source[at]), tile, own)
            name, fields = _MELDS[kind], {"who": seat, "open": encode_meld(meld)}
        elif kind == EventKind.RIICHI:
            name, fields = "RIICHI", {"who": seat}
        elif kind == EventKind.RIICHI_PAID:
            name, fields = "RIICHI_SCORE_CHANGE", {"who": seat}
        elif kind == EventKind.DORA:
            name, fields = "NEW_DORA", {"tile": tile}
            dora.append(tile)
        elif kind == EventKind.WIN:
            name = "TSUMO" if events.source[at] == seat else "RON"
        elif kind == EventKind.HAND_DRAW:
            name, fields = _ENDS[HandEnd(hands.end[hand])], {"who": 0 if seat == NO_SEAT else seat}
        told.append(_without_zeros(type=f"EVENT_TYPE_{name}" if name else "", **fields))
    start = _without_zeros(
        round=int(hands.round[hand]),
        honba=int(hands.honba[hand]),
        riichi=int(hands.sticks[hand]),
        tens=hands.scores[hand].tolist(),
    )
    names = [str(name) for name in batch.games.names[0]]
    return {
        "hiddenState": {"wall": wall, "uraDoraIndicators": [wall[at] for at in mjx.LAYOUT.ura]},
        "publicObservation": {
            "gameId": "made-up",
            "playerIds": names,
            "initScore": start,
            "doraIndicators": dora,
            "events": told,
        },
        "privateObservations": [
            _without_zeros(
                who=seat,
                initHand={"closedTiles": hands.dealt_id[hand, seat].tolist()},
                drawHistory=drawn[seat],
            )
            for seat in range(4)
        ],
        "roundTerminal": _terminal(batch, hand),
    }


def _terminal(batch: Batch, hand: int) -> State:
    hands, wins, draws = batch.hands, batch.wins, batch.hand_draws
    won = [row for row in range(len(wins)) if wins.hand[row] == hand]
    scores = hands.scores[hand].copy()
    begin, end = int(hands.event_begin[hand]), int(hands.event_end[hand])
    for at in range(begin, end):
        if batch.events.kind[at] == EventKind.RIICHI_PAID:
            scores[batch.events.seat[at]] -= 1000
    result: State = {"finalScore": {}}
    if won:
        scores += sum(wins.deltas[row] for row in won)
        result["wins"] = [_win(batch, row) for row in won]
    else:
        (row,) = [row for row in range(len(draws)) if draws.hand[row] == hand]
        scores += draws.deltas[row]
        result["noWinner"] = {
            "tenpais": [
                _without_zeros(who=seat, hand={"closedTiles": _known(draws.shown_id[row, seat])})
                for seat in range(4)
                if draws.tenpai[row, seat] == 1 or _known(draws.shown_id[row, seat])
            ],
            "tenChanges": draws.deltas[row].tolist(),
        }
    result["finalScore"] = {"tens": scores.tolist()}
    return result


def _win(batch: Batch, row: int) -> State:
    wins = batch.wins
    yaku = [int(one) for one in wins.yaku[row] if one != 255]
    han = [int(one) for one in wins.han[row][: len(yaku)]]
    is_yakuman = 13 in han
    assert wins.points[row] != UNKNOWN_POINTS
    return {
        **_without_zeros(who=int(wins.seat[row]), fromWho=int(wins.source[row])),
        "hand": _without_zeros(
            closedTiles=_known(wins.tiles_id[row]),
            opens=[int(code) for code in wins.melds[row][::-1] if code >= 0],
        ),
        **_without_zeros(
            winTile=int(wins.tile_id[row]),
            fu=0 if is_yakuman else int(wins.fu[row]),
            ten=int(wins.points[row]),
            yakus=[] if is_yakuman else yaku,
            yakumans=yaku if is_yakuman else [],
            uraDoraIndicators=_known(wins.ura_id[row]),
        ),
        "fans": [] if is_yakuman else han,
        "tenChanges": wins.deltas[row].tolist(),
    }


def _known(ids: Any) -> list[int]:
    return [int(one) for one in ids if one != NO_TILE]
