"""Games to tenhou.net/6 JSON, in the words Tenhou itself uses, one game a line.

The format names tiles, not physical copies, keeps only each player's own order of moves, and states the
value of a hand in words. Dice, the wall's seed and the tiles shown at a draw have no place in it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from paifu.parsers.tenhou6.names import DAN_NUMBERS, TENPAI_OF_WORD
from paifu.parsers.words import WORD_OF_DRAW
from paifu.parsers.written_game import HandBeingWritten, WrittenGame, is_yakuman, plain_number
from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.model.events import NO_SEAT, UNSTATED_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import NO_TILE, RED_MAN, TILES
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rulesets.shown_rules import from_tenhou_json
from paifu.replay.scoring.limits import hundreds

_LOBBY = re.compile("[0-9]{1,9}")
_TSUMOGIRI = 60
_OPEN_KAN_GIVES = 0
_PLACE_OF_STEP = {3: 0, 2: 1, 1: 2}
"""How many seats on from the caller the discarder sits -> the tile that the letter precedes."""
_LETTERS = {EventKind.PON: "p", EventKind.DAIMINKAN: "m", EventKind.KAKAN: "k"}
_LAST_OF_OPEN_KAN = 3
_LIMIT_WORDS = {1: "満貫", 2: "跳満", 3: "倍満", 4: "三倍満", 5: "役満"}
_LIMIT_BASES = {1: 2000, 2: 3000, 3: 4000, 4: 6000, 5: 8000}
_COUNTED_YAKUMAN = "数え役満"
_ROOMS = {0: "般", 0x80: "上", 0x20: "特", 0xA0: "鳳"}
_NAME_OF_DAN = {number: name for name, number in DAN_NUMBERS.items()}
_CONNECTIONS = (EventKind.LEAVE, EventKind.RETURN)
"""By the number the format has for each."""


def _numbers_of_tiles() -> list[int]:
    plain = [10 * (kind // 9 + 1) + kind % 9 + 1 for kind in range(RED_MAN)]
    return [*plain, *(51 + i for i in range(TILES - RED_MAN))]


_NUMBERS = _numbers_of_tiles()
"""Tile -> the format's number."""


def _yaku_name(number: int, game: WrittenGame) -> str:
    name = game.yaku(number).japanese
    if 10 <= number < 18:
        return f"{name[:2]} {name[2:]}"
    return f"役牌 {name}" if 18 <= number < 21 else name


class Tenhou6GameWriter(WrittenGame):
    """One game while it is written; it has no hidden tiles, and its wins state how they change the scores."""

    target = "tenhou6"

    def document(self) -> dict[str, Any]:
        """The game as the format's object."""
        games, game = self.batch.games, self.game
        document: dict[str, Any] = {
            "ver": 2.3,
            "ref": games.id[game],
            "log": [_Tenhou6HandWriter(self, hand).round() for hand in self.hands],
        }
        if connection := self._connection():
            document["connection"] = connection
        document |= {"ratingc": f"PF{self.players}", "rule": self._rule()}
        if _LOBBY.fullmatch(games.lobby[game]):
            document["lobby"] = int(games.lobby[game])
        dan, rate, sex = games.dan[game].tolist(), games.rate[game].tolist(), games.sex[game].tolist()
        if min(dan) >= 0:
            document["dan"] = [_NAME_OF_DAN.get(number, "") for number in dan]
        if not any(map(math.isnan, rate)):
            document["rate"] = rate
        if any(sex):
            document["sx"] = sex
        scores, points = self.final()
        if scores is not None and points is not None:
            pairs = zip(scores, map(plain_number, points), strict=True)
            document["sc"] = [number for pair in pairs for number in pair]
        document["name"] = games.names[game].tolist()
        if games.title[game]:
            document["title"] = [games.title[game], ""]
        return document

    def _connection(self) -> list[dict[str, int]]:
        """Who left and came back: in which hand (-1 before the first), after how many moves in it."""
        games, hands = self.batch.games, self.batch.hands
        first, last = self.hands.start, self.hands.stop
        found = []
        hand, step = -1, 0
        for event in self.events(int(games.event_begin[self.game]), int(games.event_end[self.game])):
            while first + hand + 1 < last and hands.event_begin[first + hand + 1] <= event.row:
                hand, step = hand + 1, 0
            if event.kind in _CONNECTIONS:
                what = _CONNECTIONS.index(event.kind)
                found.append({"what": what, "log": hand, "who": event.seat, "step": step})
            step += EventKind.DRAW <= event.kind <= EventKind.KITA
        return found

    def _rule(self) -> dict[str, Any]:
        rules = self.rules
        go_type = int(self.batch.games.go_type[self.game])
        reds = (rules.table.red_sou, rules.table.red_pin, rules.table.red_man)
        shown = str(self.batch.games.rule[self.game])
        if go_type >= 0 or not shown or shown[0] in "{[" or not self._is_said_by(shown):
            shown = "三" if self.players == 3 else ""
            shown += _ROOMS[go_type & 0xA0] if go_type >= 0 else ""
            shown += "東" if rules.table.wind_rounds == 1 else "南"
            shown += "喰" if rules.win.kuitan else ""
            shown += "赤" if any(reds) else ""
        return {"disp": shown, **dict(zip(("aka53", "aka52", "aka51"), reds, strict=True))}

    def _is_said_by(self, shown: str) -> bool:
        """Return whether another format's words say how long the game is, and whether tanyao may be open."""
        said = from_tenhou_json({"disp": shown}, self.players).ruleset()
        return (
            said.table.wind_rounds == self.rules.table.wind_rounds
            and said.win.kuitan == self.rules.win.kuitan
        )


class _Tenhou6HandWriter(HandBeingWritten):
    """One hand while it is written."""

    def __init__(self, game: Tenhou6GameWriter, hand: int) -> None:
        super().__init__(game, hand)
        self.game = game
        self.events = range(self.batch.hands.event_begin[hand], self.batch.hands.event_end[hand])
        self.taken: list[list[int | str]] = [[] for _ in range(4)]
        self.given: list[list[int | str]] = [[] for _ in range(4)]
        self.indicators: list[int] = []

    def round(self) -> list[Any]:
        """The hand as the format's list."""
        hands, hand = self.batch.hands, self.hand
        start = (hands.round[hand], hands.honba[hand], hands.sticks[hand])
        self.indicators = [self.number(hands.dora[hand])]
        self._moves()
        wins = self._rows(self.batch.wins.event)
        ura = max((self._tiles(self.batch.wins.ura[row]) for row in wins), key=len, default=[])
        lists: list[list[int | str]] = []
        for seat in range(4):
            dealt = hands.dealt[hand, seat].tolist() if seat < self.game.players else []
            numbers = [self.number(tile) for tile in dealt]
            lists += [[*sorted(numbers, key=_order_in_hand)], self.taken[seat], self.given[seat]]
        return [
            _whole(start),
            self.start_scores("its scores"),
            self.indicators,
            ura,
            *lists,
            self._win(wins) if wins else self._draw(),
        ]

    def number(self, tile: int) -> int:
        """The format's number of a tile."""
        if tile == NO_TILE:
            raise self.error("has hidden tiles")
        return _NUMBERS[tile]

    def _tiles(self, tiles: Iterable[int]) -> list[int]:
        return [self.number(tile) for tile in tiles if tile != NO_TILE]

    def _rows(self, events: Any) -> range:
        """Rows of a table whose events are in this hand."""
        begin, end = events.searchsorted((self.events.start, self.events.stop)).tolist()
        return range(begin, end)

    # --- moves ----------------------------------------------------------------------------------------

    def _moves(self) -> None:
        is_riichi = False
        for event, kind, seat, _source, tile, is_drawn in self.game.events_of(self.hand):
            match kind:
                case EventKind.DRAW:
                    self.taken[seat].append(self.number(tile))
                case EventKind.RIICHI:
                    is_riichi = True
                case EventKind.DISCARD:
                    number = _TSUMOGIRI if is_drawn else self.number(tile)
                    self.given[seat].append(f"r{number}" if is_riichi else number)
                    is_riichi = False
                case EventKind.DORA:
                    self.indicators.append(self.number(tile))
                case EventKind.CHI | EventKind.PON | EventKind.DAIMINKAN:
                    self.taken[seat].append(self._call(event))
                    if kind == EventKind.DAIMINKAN:
                        self.given[seat].append(_OPEN_KAN_GIVES)
                case EventKind.KAKAN:
                    self.given[seat].append(self._call(event))
                case EventKind.ANKAN:
                    *three, last = sorted([self.number(tile), *self._own(event)])
                    self.given[seat].append("".join(map(str, three)) + f"a{last}")
                case EventKind.KITA:
                    self.given[seat].append(f"f{self.number(tile)}")

    def _own(self, event: int) -> list[int]:
        return self._tiles(self.batch.events.own[event])

    def _call(self, event: int) -> str:
        events = self.batch.events
        kind, own = EventKind(events.kind[event]), self._own(event)
        marked = str(self.number(int(events.tile[event])))
        if kind == EventKind.CHI:
            return f"c{marked}" + "".join(map(str, own))
        source, seat = int(events.source[event]), int(events.seat[event])
        if source in (seat, NO_SEAT):
            raise self.error("has a call that does not name another seat")
        place = _PLACE_OF_STEP[(source - seat) & 3]
        if kind == EventKind.KAKAN:
            marked += str(own.pop(0))
        elif kind == EventKind.DAIMINKAN and place == _PLACE_OF_STEP[1]:
            place = _LAST_OF_OPEN_KAN
        texts = [str(number) for number in sorted(own)]  # red fives last, as Tenhou writes them
        return "".join([*texts[:place], _LETTERS[kind], marked, *texts[place:]])

    # --- results --------------------------------------------------------------------------------------

    def _draw(self) -> list[Any]:
        draws = self.batch.hand_draws
        rows = self._rows(draws.event)
        if not rows:
            return [WORD_OF_DRAW[HandEnd.UNFINISHED]]
        row = rows[0]
        kind = HandEnd(draws.kind[row])
        if kind not in WORD_OF_DRAW:
            raise self.error("ends in a way that it does not state")
        deltas = _whole(draws.deltas[row])
        if UNKNOWN_POINTS not in deltas and any(deltas):
            return [WORD_OF_DRAW[kind], deltas]
        stated = set(draws.tenpai[row][: self.game.players].tolist())
        of_all = [word for word, tenpai in TENPAI_OF_WORD.items() if stated == {tenpai}]
        return of_all if kind == HandEnd.EXHAUSTIVE and of_all else [WORD_OF_DRAW[kind]]

    def _win(self, rows: range) -> list[Any]:
        wins = self.batch.wins
        result: list[Any] = ["和了"]
        for row in rows:
            seat, source, liable = int(wins.seat[row]), int(wins.source[row]), int(wins.liable[row])
            words: list[int | str] = [seat, source, liable if liable < UNSTATED_SEAT else seat]
            if wins.points[row] != UNKNOWN_POINTS:
                words += self._value_and_yaku(row)
            deltas = _whole(wins.deltas[row])
            if UNKNOWN_POINTS in deltas:
                raise self.error("does not state how a win changes the scores")
            result += [deltas, words]
        return result

    def _value_and_yaku(self, row: int) -> list[str]:
        yaku = self.game.listed(row, without_ura=True)
        listed = [
            f"{_yaku_name(number, self.game)}({'役満' if han == YAKUMAN_HAN else f'{han}飜'})"
            for number, han in yaku
        ]
        return [self._value(row, yaku), *listed]

    def _value(self, row: int, yaku: Sequence[tuple[int, int]]) -> str:
        """What the hand is worth, as ``30符3飜1000-2000点`` or ``満貫4000点∀``."""
        wins = self.batch.wins
        limit, fu, points = int(wins.limit[row]), int(wins.fu[row]), int(wins.points[row])
        yakuman = sum(is_yakuman(number, han) for number, han in yaku)
        han = sum(han for _, han in yaku)
        words = f"{fu}符{han}飜"
        if limit in _LIMIT_WORDS:
            words = _LIMIT_WORDS[limit] if yakuman or limit < max(_LIMIT_WORDS) else _COUNTED_YAKUMAN
        seat, dealer = int(wins.seat[row]), self.dealer
        if wins.source[row] != seat:
            return f"{words}{points}点"
        base = _LIMIT_BASES[limit] * max(yakuman, 1) if limit in _LIMIT_BASES else fu << 2 + han
        small, large = hundreds(base), hundreds(2 * base)
        others = self.game.players - 1
        if points >= 0 and points != (others * large if seat == dealer else (others - 1) * small + large):
            # Rules by which others pay differently: the reader adds the payments up.
            small = points // (others + 1)
            large = points // others if seat == dealer else points - (others - 1) * small
        return f"{words}{large}点∀" if seat == dealer else f"{words}{small}-{large}点"


def _whole(points: Iterable[int]) -> list[int]:
    return [int(value) for value in points]


def _order_in_hand(number: int) -> int:
    """Sort key: by suit and number, a red five after the plain ones."""
    return 100 * (number - 50) + 51 if number > 50 else 10 * number
