"""One game of mjai while its events come in.

Seats in a file are those of its players; the model's seat 0 deals first. So all seats are turned by
the seat that deals the first hand. A dialect may leave nearly anything out of an event except who acts with
which tile: what follows from the events before is taken from there, the rest stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from operator import sub
from typing import Any

from paifu.parsers.drafting import DEALT, HIDDEN_DEAL, SHOWN, STICK, DraftedGame, ListedYaku, hands_shown
from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import Within, as_list, as_points, as_text, as_whole, shown, wrong_value
from paifu.parsers.mjai import names as mjai
from paifu.parsers.packed_events import (
    RARE_FORMS,
    ends_with_east,
    honba_after,
    kind_of_code,
    kind_of_draw,
    mark_first_discards,
    rare_form,
    recent,
    red_fives,
    scores_after,
    seat_of,
    sticks_after,
    tile_of,
    turned,
    winning_source,
    winning_tile,
)
from paifu.parsers.tenhou import find_game_id, is_east_only, started_at
from paifu.replay.bounds import MAX_COUNT, MAX_FU, MAX_HAN, MAX_POINTS
from paifu.replay.model.batch import MAX_INDICATORS
from paifu.replay.model.builder import DraftRow, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventKind, HandEnd, pack
from paifu.replay.model.liability import liable_seat
from paifu.replay.model.tiles import NO_TILE, NORTH
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rulesets.log_rules import RuleChoice, from_tiles
from paifu.replay.scoring.yaku import YAKU

_SUM_OF_FOUR = 100_000
"""Points on the table with four players; three have more."""
_WIND_ROUNDS = 4
_NOT_SAID = object()
_CODE_OF = dict(mjai.CODES).__getitem__
_EAST, _SOUTH = "tonpu", "tonnan"

_YAKU = {yaku.romaji: yaku.id for yaku in YAKU.values()} | dict(mjai.YAKU)
"""Our own names, for yaku that mjai has no word for, and those of mjai."""

KNOWN: dict[int, dict[bytes, int]] = {3: {}, 4: {}}
"""Players -> line -> word, of lines met in games whose seats are the model's, and whose event says all."""
_MAX_KNOWN = 200_000
_MAX_LINE = 120
"""Bytes of the longest line remembered there."""


class MjaiGame(DraftedGame):
    """One game: events go in, a draft comes out."""

    format = "mjai"
    players = 0
    """0 before the first hand."""
    is_over = False
    by_tiles = tuple(word.encode() for word, number in _YAKU.items() if number in (mjai.DRAGON, *RARE_FORMS))

    def __init__(self, location: str) -> None:
        name = location.rpartition("/")[2]
        game_id = "" if "#" in name else find_game_id(name)
        super().__init__(location, id=game_id, started=started_at(game_id))
        self.turn = 0
        """The file's seat that is the model's seat 0."""
        self.names: list[str] = []
        self.length = ""
        self.is_broken = False
        self.known: dict[bytes, int] = {}
        """Lines whose words may be taken as they are; empty where seats must be turned."""
        self._wants_scores = False

    # --- the front door -------------------------------------------------------------------------------

    def event(self, value: Any, line: bytes = b"") -> None:
        """Take one event; ``line`` is its whole text if it is on a line of its own.

        Raises ParseError for one that cannot be read.
        """
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            raise ParseError(f"an event is an object with a type, not {shown(value)}", code="V102")
        kind = value["type"]
        handler = _HANDLERS.get(kind)
        if handler is None:
            self.note_unknown("event", kind)
            return
        if kind not in _OUTSIDE and not self.draft.hands:
            raise ParseError(f"{kind} comes before the first start_kyoku", code="V102")
        words = self.words
        count = len(words)
        handler(self, value)
        if (
            kind in _SELF_CONTAINED
            and line
            and not self.turn
            and len(words) == count + 1
            and len(line) <= _MAX_LINE
            and len(self.known) < _MAX_KNOWN
            and ("tsumogiri" in value or kind != "dahai")
            and not value.get("scores")
        ):
            self.known[line] = words[-1]

    def place(self) -> str:
        """Empty: the reader knows the line."""
        return ""

    def finish(self, *, is_whole: bool) -> GameDraft:
        """Return the draft, once all events have been given."""
        mark_first_discards(self.draft)
        names = turned([*self.names, *[""] * 4], self.turn, self.players, "")
        self.draft.game |= {"names": names, "rule": self.length}
        return super().finish(is_whole=is_whole)

    def rules(self) -> RuleChoice:
        """Choose the rules by what the game shows."""
        draft = self.draft
        is_east = self.length == _EAST
        if not self.length:
            after = scores_after(draft) if self.is_over else None
            ends_so = after is not None and ends_with_east(draft, after, self.players)
            is_east = is_east_only(draft.game["id"], ends_so)
        return from_tiles(self.players, reds=red_fives(draft), is_east=is_east, date=draft.game["started"])

    # --- values, turned so that the first dealer is seat 0 --------------------------------------------

    def seat(self, value: dict[str, Any], name: str) -> int:
        """Read a seat."""
        seat = value.get(name)
        if type(seat) is not int or not 0 <= seat < self.players:
            seat = as_whole(seat, 0, self.players - 1, name)
        return (seat - self.turn) % self.players

    def tile(self, value: dict[str, Any], name: str = "pai", *, may_hide: bool = False) -> int:
        """Read a tile; raises ParseError for a hidden one, unless it may be."""
        text = value.get(name)
        code = mjai.CODES.get(text) if isinstance(text, str) else None
        if code is None:
            raise wrong_value(f"{name} is {shown(text)}, which is not a tile", code="V105")
        if code == NO_TILE and not may_hide:
            raise wrong_value(f"{name} is hidden; everybody sees it", code="V105")
        return code

    def tiles(self, value: Any, name: str, most: int, *, may_hide: bool = True) -> list[int]:
        """Read a list of tiles, at most ``most``."""
        cells = as_list(value, name)
        if len(cells) > most:
            raise wrong_value(f"{name} lists {len(cells)} tiles; at most {most} are possible", code="V105")
        try:
            codes = list(map(_CODE_OF, cells))
        except (KeyError, TypeError):  # tells which one
            return [self.tile({name: cell}, name, may_hide=may_hide) for cell in cells]
        if not may_hide and NO_TILE in codes:
            raise wrong_value(f"{name} is hidden; everybody sees it", code="V105")
        return codes

    def points(self, value: Any, name: str) -> list[int]:
        """Read points by seat."""
        cells = as_list(value, name)
        if len(cells) not in (self.players, 4):
            raise wrong_value(f"{name} does not state {self.players} players' points", code="V105")
        return turned(as_points(cells, name), self.turn, self.players, 0)

    # --- scores ---------------------------------------------------------------------------------------

    def _changes(self, value: dict[str, Any], row: DraftRow) -> None:
        """Score changes, and the scores before them."""
        deltas = value.get("deltas", value.get("delta"))
        if deltas is not None:
            row["deltas"] = self.points(deltas, "deltas")
        if value.get("scores") is None:
            return
        after = self.points(value["scores"], "scores")
        if "deltas" not in row and (now := scores_after(self.draft)) is not None:
            row["deltas"] = list(map(sub, after, now))
        if "deltas" in row:
            row["scores"] = list(map(sub, after, row["deltas"]))
            self._settle_start(row["scores"])

    def _settle_start(self, now: list[int]) -> None:
        """Take the scores at the hand's start from those stated later, where it stated none itself."""
        if self._wants_scores:
            start = list(now)
            for word in self.words[self.begin :]:
                if word & 31 == EventKind.RIICHI_PAID:
                    start[seat_of(word)] += STICK
            self.hand["scores"] = start
            self._wants_scores = False

    # --- a game and its hands -------------------------------------------------------------------------

    def _start_game(self, value: dict[str, Any]) -> None:
        names = value.get("names")
        if names is not None:
            try:
                with Within("names"):
                    cells = as_list(names, "it")[:4]
                    self.names = [as_text(name, "a name") for name in cells]
            except ParseError as error:
                self.faults.note(error)
        for name in ("gametype", "game_type"):
            if value.get(name) in (_EAST, _SOUTH):
                self.length = value[name]
        uri = value.get("uri", value.get("log_id"))
        if isinstance(uri, str) and find_game_id(uri):
            self.draft.game |= {"id": find_game_id(uri), "started": started_at(find_game_id(uri))}
        seed = value.get("seed")
        if isinstance(seed, list) and len(seed) == 2 and all(type(n) is int and n >> 64 == 0 for n in seed):
            self.draft.game["seed"] = f"mortal,{seed[0]},{seed[1]}"

    def _start_kyoku(self, value: dict[str, Any]) -> None:
        draft = self.draft
        players = self.players or self._count_players(value)
        dealer = as_whole(value.get("oya"), 0, players - 1, "oya")
        turn = (dealer - self.turn) % players if self.players else 0
        number = as_whole(value.get("kyoku", turn + 1), 1, players, "kyoku")
        wind = value["bakaze"] if "bakaze" in value else self._wind(number)
        if not isinstance(wind, str) or wind not in mjai.WINDS:
            raise wrong_value(f"bakaze is {shown(wind)}; expected one of E S W N", code="V105")
        if not self.players:
            self.players, self.turn = players, (dealer - number + 1) % players
            self.known = {} if self.turn else KNOWN[players]
        dealer = (dealer - self.turn) % players
        honba = value["honba"] if "honba" in value else honba_after(draft, dealer)
        sticks = value.get("kyotaku", value.get("kyoutaku", _NOT_SAID))
        if sticks is _NOT_SAID:
            sticks = sticks_after(draft) if draft.hands else 0
        row: DraftRow = {
            "round": _WIND_ROUNDS * mjai.WINDS.index(wind) + number - 1,
            "honba": as_whole(honba, 0, MAX_COUNT, "honba"),
            "sticks": as_whole(sticks, 0, MAX_COUNT, "kyotaku"),
            "dealer": dealer,
            "dora": self.tile(value, "dora_marker", may_hide=True),
            "dealt": self._deal(value.get("tehais")),
        }
        self._wants_scores = value.get("scores") is None
        if not self._wants_scores:
            row["scores"] = self.points(value["scores"], "scores")
        elif draft.hands and self.hand["end"] != HandEnd.UNFINISHED:
            row["scores"] = scores_after(draft)
        self.begin_hand(row)

    def _wind(self, number: int) -> str:
        """The round wind of a hand that states none: the next one where the dealers begin anew."""
        if not self.draft.hands:
            return mjai.WINDS[0]
        wind, last = divmod(int(self.hand["round"]), _WIND_ROUNDS)
        return mjai.WINDS[(wind + (number - 1 < last)) % len(mjai.WINDS)]

    def _count_players(self, value: dict[str, Any]) -> int:
        """Three where the fourth seat is dealt nothing, or only hidden tiles without a name or points."""
        hands, scores = value.get("tehais"), value.get("scores")
        lists = [cells for cells in (hands, scores, self.names or None) if isinstance(cells, list)]
        if any(len(cells) == 3 for cells in lists):
            return 3
        last = hands[3] if isinstance(hands, list) and len(hands) > 3 else None
        if last == []:
            return 3
        is_hidden = isinstance(last, list) and all(cell == mjai.HIDDEN for cell in last)
        is_shown = isinstance(hands, list) and all(
            isinstance(cells, list) and mjai.HIDDEN not in cells for cells in hands[:3]
        )
        has_name = len(self.names) < 4 or bool(self.names[3])
        points = scores if isinstance(scores, list) and len(scores) == 4 else [1]
        is_without_points = points[-1] == 0
        is_sanma_sum = sum(one for one in points if isinstance(one, int)) > _SUM_OF_FOUR
        return 3 if is_hidden and (not has_name or (is_without_points and (is_shown or is_sanma_sum))) else 4

    def _deal(self, value: Any) -> bytes:
        if value is None:
            return HIDDEN_DEAL * self.players
        hands = as_list(value, "tehais")
        if len(hands) not in (self.players, 4):
            raise wrong_value(f"tehais lists {len(hands)} hands; expected {self.players}", code="V104")
        hands = hands[self.turn : self.players] + hands[: self.turn]
        if {*map(type, hands)} == {list} and {*map(len, hands)} == {DEALT}:
            with suppress(KeyError, TypeError):  # something is not a tile: what, is told below
                return bytes(map(_CODE_OF, chain.from_iterable(hands)))
        return b"".join(map(self._dealt, hands))

    def _dealt(self, value: Any) -> bytes:
        tiles = self.tiles(value, "tehais", 52)
        if len(tiles) != DEALT:
            raise wrong_value(f"{len(tiles)} tiles are dealt, not {DEALT}", code="V104")
        return bytes(tiles)

    def _haipai(self, value: dict[str, Any]) -> None:
        seat = self.seat(value, "actor")
        row = self.hand
        dealt = bytearray(row["dealt"])
        dealt[DEALT * seat : DEALT * seat + DEALT] = self._dealt(value.get("pais"))
        row["dealt"] = bytes(dealt)

    def _end_game(self, value: dict[str, Any]) -> None:
        self.is_over = True
        if value.get("scores") is not None and self.players:
            self.draft.game["final_scores"] = self.points(value["scores"], "scores")

    def _error(self, value: dict[str, Any]) -> None:
        message = value.get("message")
        told = message[:200] if isinstance(message, str) else "no reason given"
        self.is_broken = True
        reason = f"the server stopped the game: {told}"
        self.faults.append(ParseError(reason, hint="nothing to do: the game ends here"))

    def _end_kyoku(self, _value: dict[str, Any]) -> None:
        """No event, but a place for one: so its line is looked up like others."""
        self.words.append(0)

    def _nothing(self, value: dict[str, Any]) -> None:
        """An event that says nothing about the game."""

    # --- moves ----------------------------------------------------------------------------------------

    def _tsumo(self, value: dict[str, Any]) -> None:
        code = self.tile(value, may_hide=True)
        self.put(EventKind.DRAW, self.seat(value, "actor"), code)

    def _dahai(self, value: dict[str, Any]) -> None:
        seat, code = self.seat(value, "actor"), self.tile(value)
        is_drawn = value.get("tsumogiri")
        if is_drawn is None:
            is_drawn = self.must_be_drawn(seat, code)
        self.discard(seat, code, is_drawn=is_drawn)

    def _call(self, value: dict[str, Any]) -> None:
        kind, count = mjai.CALLS[value["type"]]
        own = self._consumed(value, count)
        seat, source = self.seat(value, "actor"), self.seat(value, "target")
        self.put(kind, seat, self.tile(value), source, own)

    def _consumed(self, value: dict[str, Any], count: int) -> list[int]:
        own = self.tiles(value.get("consumed"), "consumed", 4, may_hide=False)
        if len(own) != count:
            raise wrong_value(f"consumed lists {len(own)} tiles; expected {count}", code="V105")
        return own

    def _ankan(self, value: dict[str, Any]) -> None:
        tile, *own = self._consumed(value, 4)
        self.put(EventKind.ANKAN, self.seat(value, "actor"), tile, own=own)

    def _kakan(self, value: dict[str, Any]) -> None:
        seat, code = self.seat(value, "actor"), self.tile(value)
        consumed = self.tiles(value.get("consumed", []), "consumed", 3, may_hide=False)
        self.add_to_pon(seat, code, consumed)

    def _kita(self, value: dict[str, Any]) -> None:
        code = self.tile(value, may_hide=True) if value.get("pai") is not None else mjai.CODES["N"]
        if kind_of_code(code) not in (NORTH, NO_TILE):
            raise wrong_value(f"pai is {shown(value['pai'])}; only a north is set aside", code="V105")
        self.put(EventKind.KITA, self.seat(value, "actor"), code)

    def _dora(self, value: dict[str, Any]) -> None:
        self.put(EventKind.DORA, tile=self.tile(value, "dora_marker"))

    def _reach(self, value: dict[str, Any]) -> None:
        self.put(EventKind.RIICHI, self.seat(value, "actor"))

    def _reach_accepted(self, value: dict[str, Any]) -> None:
        seat = self.seat(value, "actor")
        scores = self.points(value["scores"], "scores") if value.get("scores") is not None else None
        self.pay(seat, scores)
        if scores is not None:
            self._settle_start(scores)

    # --- results --------------------------------------------------------------------------------------

    def _hora(self, value: dict[str, Any]) -> None:
        words, begin = self.words, self.begin
        seat = self.seat(value, "actor")
        is_stated = value.get("target") is not None
        source = self.seat(value, "target") if is_stated else winning_source(words, begin, seat)
        row: DraftRow = {"seat": seat, "source": source}
        tile = self.tile(value, may_hide=True) if value.get("pai") is not None else NO_TILE
        row["tile"] = winning_tile(words, begin, seat, source) if tile == NO_TILE else tile
        self._changes(value, row)
        for name in ("ura_markers", "uradora_markers"):
            if value.get(name) is not None:
                row["ura"] = bytes(self.tiles(value[name], name, MAX_INDICATORS, may_hide=False))
        if value.get("hora_tehais") is not None:
            tiles = self.tiles(value["hora_tehais"], "hora_tehais", 14)
            if NO_TILE not in tiles:
                if len(tiles) % 3 == 1:
                    tiles.append(row["tile"])
                row["tiles"] = bytes(tiles)
        self._worth(value, row)
        if value.get("pao") is not None:
            liable = self.seat(value, "pao")
            row["liable"] = NO_SEAT if liable == seat else liable
        elif value.get("yakus") is not None:
            row["liable"] = NO_SEAT
        elif "deltas" in row:
            row["liable"] = liable_seat(seat, row["source"], row["deltas"])
        self.win(row)

    def _worth(self, value: dict[str, Any], row: DraftRow) -> None:
        """Fu, points and yaku, where a dialect states them."""
        if value.get("fu") is not None:
            row["fu"] = as_whole(value["fu"], 0, MAX_FU, "fu")
        if value.get("hora_points") is not None:
            row["points"] = as_whole(value["hora_points"], 0, MAX_POINTS, "hora_points")
        if value.get("yakus") is None:
            return
        stated = as_list(value["yakus"], "yakus")
        self.state_yaku(row, self._listed(stated, row), "yakus", stated)

    def _listed(self, pairs: list[Any], row: DraftRow) -> Iterator[ListedYaku]:
        dragons: list[int] | None = None
        for at, pair in enumerate(pairs):
            if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
                reason = f"it is {shown(pair)}; expected a yaku and its han"
                raise wrong_value(reason, f"yakus[{at}]", "V105")
            han = pair[1]
            if type(han) is not int or not 0 <= han <= MAX_HAN:
                han = as_whole(han, 0, 10 * mjai.YAKUMAN_HAN, "han", f"yakus[{at}]")
                han = YAKUMAN_HAN if han >= mjai.YAKUMAN_HAN else min(han, MAX_HAN)
            number = _YAKU.get(pair[0])
            if number is None:
                yield ListedYaku(None, han, pair[0])
            elif number != mjai.DRAGON:
                yield ListedYaku(rare_form(number, row.get("tiles", b""), row["tile"]), han, pair[0])
            else:
                dragons = self._dragons(row) if dragons is None else dragons
                count = min(max(han, 1), len(dragons))
                for dragon in dragons[:count]:
                    yield ListedYaku(dragon, 1, pair[0])
                del dragons[:count]

    def _dragons(self, row: DraftRow) -> list[int]:
        """Yaku of the dragons that the winner holds three of."""
        words, seat, closed = self.words, row["seat"], row.get("tiles", b"")
        melds = [words[at] for at in recent(words, self.begin) if words[at] & 31 in _TRIPLETS]
        melded = {kind_of_code(tile_of(word)) for word in melds if seat_of(word) == seat}
        return [
            number
            for kind, number in mjai.DRAGON_IDS.items()
            if kind in melded or closed.count(CODE_OF_TILE + kind) >= 3
        ]

    def _ryukyoku(self, value: dict[str, Any]) -> None:
        row: DraftRow = {}
        self._changes(value, row)
        reason = value.get("reason")
        kind = mjai.DRAWS.get(reason) if isinstance(reason, str) else None
        if kind is None:
            if reason is not None:
                self.note_unknown("reason of a draw", reason)
            kind = kind_of_draw(self.words, self.begin, row.get("deltas"), self.players)
        if kind == HandEnd.SUUCHA:
            self._pay_last_riichi()
        row["kind"] = kind
        tenpai = value.get("tenpais")
        if tenpai is not None:
            cells = as_list(tenpai, "tenpais")
            if len(cells) not in (self.players, 4) or not all(isinstance(cell, bool) for cell in cells):
                raise wrong_value("tenpais does not say true or false of each player", code="V105")
            row["tenpai"] = bytes(turned(cells, self.turn, self.players, False))
        elif kind == HandEnd.EXHAUSTIVE and any(row.get("deltas", ())):
            row["tenpai"] = bytes(delta > 0 for delta in row["deltas"])
        if value.get("tehais") is not None:
            hands = as_list(value["tehais"], "tehais")
            if len(hands) not in (self.players, 4):
                raise wrong_value(f"tehais lists {len(hands)} hands; expected {self.players}", code="V104")
            shown_hands = [bytes(self.tiles(tiles, "tehais", SHOWN)) for tiles in hands[: self.players]]
            shown_hands = [b"" if NO_TILE in tiles else tiles for tiles in shown_hands]
            row["shown"] = hands_shown([*shown_hands[self.turn :], *shown_hands[: self.turn]])
        self.end_without_win(row)

    def _pay_last_riichi(self) -> None:
        """Put in the payment of the fourth riichi, after whose discard some servers stop at once."""
        words = self.words
        if len(words) > self.begin + 1 and words[-1] & 31 == EventKind.DISCARD:
            seat = seat_of(words[-1])
            if words[-2] == pack(EventKind.RIICHI, seat):
                words.append(pack(EventKind.RIICHI_PAID, seat))


_TRIPLETS = frozenset({EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN})


_OUTSIDE = frozenset(
    {"start_game", "start_kyoku", "end_kyoku", "end_game", "none", "hello", "join", "error", "log", "text"}
)
"""Events that may be before a hand."""
_HANDLERS: Mapping[str, Callable[[MjaiGame, dict[str, Any]], None]] = {
    "start_game": MjaiGame._start_game,
    "start_kyoku": MjaiGame._start_kyoku,
    "haipai": MjaiGame._haipai,
    "tsumo": MjaiGame._tsumo,
    "dahai": MjaiGame._dahai,
    **dict.fromkeys(mjai.CALLS, MjaiGame._call),
    "ankan": MjaiGame._ankan,
    "kakan": MjaiGame._kakan,
    "kita": MjaiGame._kita,
    "nukidora": MjaiGame._kita,
    "dora": MjaiGame._dora,
    "reach": MjaiGame._reach,
    "reach_accepted": MjaiGame._reach_accepted,
    "hora": MjaiGame._hora,
    "ryukyoku": MjaiGame._ryukyoku,
    "end_kyoku": MjaiGame._end_kyoku,
    "end_game": MjaiGame._end_game,
    "error": MjaiGame._error,
    **dict.fromkeys(("none", "hello", "join", "log", "text"), MjaiGame._nothing),
}
_WITH_CONTEXT = frozenset({"haipai", "kakan", "hora", "ryukyoku"})
_SELF_CONTAINED = _HANDLERS.keys() - _OUTSIDE - _WITH_CONTEXT | {"end_kyoku"}
"""Events whose word follows from them alone."""
