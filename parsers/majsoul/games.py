"""One game of Mahjong Soul while its records come in.

Seat 0 deals first, as in the model. Fields that are zero or empty may be absent: that is what they are then.
The dealer is dealt 14 tiles, of which the last is the one drawn. A list of indicators repeats all of them, so
a longer one than before says what was turned. A win states one sum of changes for all winners; what each of
them won of it follows, because every winner has a seat of his own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from paifu.parsers.drafting import DEALT, SHOWN, STICK, DraftedGame, ListedYaku, hands_shown
from paifu.parsers.errors import ParseError
from paifu.parsers.json_values import MAX_TEXT, Within, as_list, as_points, as_whole, wrong_value
from paifu.parsers.majsoul import names
from paifu.parsers.majsoul.containers import Fields, MajsoulRecord, Stored, plain
from paifu.parsers.majsoul.rules import majsoul_rules, unstated_rules
from paifu.parsers.majsoul.values import (
    as_fields,
    drawn_last,
    limit_of,
    names_and_sexes,
    shares_of_wins,
    stated_points,
    tile_code,
    tile_codes,
    wall_text,
    whole_number,
)
from paifu.parsers.packed_events import held, kind_of_code, red_fives, seat_of, tile_of
from paifu.parsers.tenhou import started_at
from paifu.replay.model.batch import MAX_COUNT, MAX_FU, MAX_HAN, MAX_INDICATORS, MAX_POINTS, UNKNOWN_POINTS
from paifu.replay.model.builder import DraftRow, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, NO_SEAT, EventKind, HandEnd, pack
from paifu.replay.model.tiles import FIVE_KINDS, NO_TILE, NORTH, RED_MAN
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rulesets.log_rules import RuleChoice, settled_in_thousands

_MOST_BELOW_LIMIT = (7700, 11600)
"""Points of the dearest hand below mangan, and of the dealer's."""
_LAST_SECOND = 253_402_300_799
"""The end of the year 9999."""
_CHI, _PON, _OPEN_KAN = range(3)
_CALLS = {_CHI: (EventKind.CHI, 3), _PON: (EventKind.PON, 3), _OPEN_KAN: (EventKind.DAIMINKAN, 4)}
_ADDED_KAN, _CLOSED_KAN = 2, 3


class MajsoulGame(DraftedGame):
    """One game: records go in, a draft comes out."""

    format = "majsoul"
    players = 0

    def __init__(self, store: Callable[[], Stored], location: str) -> None:
        super().__init__(location)
        self._store = store
        self.scores: list[int] = []
        self.doras: list[int] = []
        self._is_first = False
        """The dealer is yet to make the first move of the hand."""
        self._is_draw_known = False
        """The wall shows which of the dealer's 14 tiles was the one drawn."""
        self._last = NO_SEAT
        """Who showed a tile last."""
        self._away: set[int] = set()
        self._stated: set[str] = set()
        """Fields that are anywhere in the record. Re-encoded ones may lack some in the whole game."""
        self._declared = NO_SEAT
        """Who declared riichi with the last discard, where the record does not say whether it was paid."""
        self._sticks = 0
        """On the table."""

    def read(self) -> None:
        """Take all records; what follows a fault is passed over up to the next hand."""
        stored = self._store()
        self._stated = _stated_fields(stored.records)
        self._read_head(stored)
        is_lost = False
        for number, record in enumerate(stored.records):
            is_lost &= record.name != _NEW_HAND
            if is_lost and record.name not in _PRESENCE:
                continue
            begun = len(self.draft.hands) - (record.name != _NEW_HAND and bool(self.draft.hands))
            try:
                self.record(record)
            except ParseError as error:
                error.place = f"record {number} {record.name} {error.place}".strip()
                if record.name in names.EVENT_RECORDS:
                    raise
                self.faults.note_hand(error, self.draft, begun)
                is_lost = True

    # --- what stands around the hands -----------------------------------------------------------------

    def _read_head(self, stored: Stored) -> None:
        head, row = stored.head, self.draft.game
        row["version"] = str(stored.version)
        if isinstance(head.get("uuid"), str):
            row["id"] = head["uuid"][:MAX_TEXT]
            row["started"] = started_at(row["id"])  # of a game of Tenhou that was written as a record
        started = head.get("starttime")
        if isinstance(started, str) and started.isdecimal():
            started = int(started[:20])
        if isinstance(started, int) and 0 < started <= _LAST_SECOND:
            row["started"] = datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M")
        config = as_fields(head.get("config"))
        mode, meta = as_fields(config.get("mode")), as_fields(config.get("meta"))
        number = mode.get("mode")
        self.mode = number if isinstance(number, int) else 0
        self.rule = as_fields(mode.get("detailrule"))
        for name, what in names.EVENT_MODES.items():
            if self.rule.get(name):
                hint = "paifu reads riichi mahjong only"
                raise ParseError(f"the game was played in an event mode: {what}", code="V102", hint=hint)
        room = meta.get("modeid")
        row["rule"] = names.ROOMS.get(room, "") if isinstance(room, int) else ""
        place = next(
            (meta[key] for key in ("contestuid", "roomid", "modeid") if isinstance(meta.get(key), int)), ""
        )
        row["lobby"] = str(place)[:20]
        self.head = head

    def _final(self) -> None:
        """Scores and settled points, listed by place."""
        listed = as_fields(self.head.get("result")).get("players")
        cells = listed if isinstance(listed, list) else []
        scores, points = [UNKNOWN_POINTS] * 4, [float("nan")] * 4
        if "result" in self.head and not any("partpoint1" in as_fields(cell) for cell in cells):
            return
        is_settled = any("totalpoint" in as_fields(cell) for cell in cells)  # 0 may be left out, not all
        for cell in cells:
            fields = as_fields(cell)
            with Within("result"):
                seat = as_whole(fields.get("seat", 0), 0, self.players - 1, "seat")
                scores[seat] = whole_number(fields, "partpoint1", -MAX_POINTS, MAX_POINTS)
                if is_settled:
                    points[seat] = whole_number(fields, "totalpoint", -MAX_POINTS, MAX_POINTS) / STICK
        if UNKNOWN_POINTS not in scores[: self.players]:
            absent = 4 - self.players
            self.draft.game["final_scores"] = scores[: self.players] + [0] * absent
            self.draft.game["final_points"] = points[: self.players] + [0.0] * absent

    def finish(self, *, is_whole: bool) -> GameDraft:
        """Return the draft, once all records have been given."""
        people, sexes = names_and_sexes(self.head, self.players)
        self.draft.game |= {"names": people, "sex": sexes}
        try:
            self._final()
        except ParseError as error:
            self.faults.note(error)
        return super().finish(is_whole=is_whole)

    def rules(self) -> RuleChoice:
        """Choose the rules of the room, and what the game shows of those that it does not state."""
        return self.rules_or(self._rules, "majsoul-sanma" if self.players == 3 else "majsoul", "detail_rule")

    def _rules(self) -> RuleChoice:
        game = self.draft.game
        table = game.get("final_scores", ()), game.get("final_points", ())
        rule = {**self.rule}
        if not game["rule"]:  # a ranked room's are known
            rule |= unstated_rules(rule, self.players, red_fives(self.draft), *table)
        of_tenhou = settled_in_thousands(started_at(game.get("id", "")))
        return majsoul_rules(self.mode, rule, self.players, table[1], settles_whole=of_tenhou)

    # --- records --------------------------------------------------------------------------------------

    def record(self, record: MajsoulRecord) -> None:
        """Take one record. Raises ParseError where the game cannot be read on."""
        name, fields = record.name, record.fields
        begin = len(self.words)
        handler = _HANDLERS.get(name)
        if handler is None:
            if name in names.EVENT_RECORDS:
                hint = "paifu reads riichi mahjong only"
                raise ParseError(f"the record {name} belongs to an event mode", code="V102", hint=hint)
            self.note_unknown("record", name)
            return
        if not self.draft.hands and name not in ("NewRound", "Leave", "Return"):
            raise ParseError(f"the record {name} comes before the first deal", code="V102")
        handler(self, fields)
        if record.time >= 0:
            for at in range(begin, len(self.words)):
                self.draft.times[at] = record.time

    def _seat(self, fields: Fields) -> int:
        seat = fields.get("seat", 0)
        if type(seat) is int and 0 <= seat < self.players:
            return seat
        return as_whole(seat, 0, (self.players or 4) - 1, "seat")

    def _new_round(self, fields: Fields) -> None:
        hands = [tile_codes(fields.get(f"tiles{seat}") or [], SHOWN) for seat in range(4)]
        scores = as_list(fields.get("scores"), "scores")
        players = 4 if hands[3] or len(scores) == 4 and scores[3] else 3  # noqa: RUF021
        if self.players and players != self.players:
            raise ParseError(f"{players} players are dealt tiles; before it were {self.players}", code="V104")
        self.players = players
        dealer = whole_number(fields, "ju", 0, players - 1)
        doras = fields.get("doras") or ([fields["dora"]] if fields.get("dora") else [])
        self.doras = list(tile_codes(doras, MAX_INDICATORS))
        for seat, tiles in enumerate(hands[:players]):
            if len(tiles) != DEALT + (seat == dealer):
                raise ParseError(f"seat {seat} is dealt {len(tiles)} tiles", code="V104")
        self.scores = self._points(scores)
        self._declared = NO_SEAT
        row: DraftRow = {
            "round": 4 * whole_number(fields, "chang", 0, 15) + dealer,
            "honba": whole_number(fields, "ben", 0, MAX_COUNT),
            "sticks": whole_number(fields, "liqibang", 0, MAX_COUNT),
            "dealer": dealer,
            "scores": self.scores,
            "dora": self.doras[0] if self.doras else NO_TILE,
            "dealt": b"".join(tiles[:DEALT] for tiles in hands[:players]),
            "seed": wall_text(fields),
        }
        self._sticks = row["sticks"]
        self.begin_hand(row)
        self.put(EventKind.DRAW, dealer, hands[dealer][-1])
        self._last = dealer
        self._is_first = True
        drawn = drawn_last(fields.get("paishan"), players)
        self._is_draw_known = drawn in hands[dealer]
        if self._is_draw_known:
            self._choose_draw(drawn)

    def _choose_draw(self, code: int) -> None:
        """Let one of the dealer's 14 tiles be the one drawn: sorted hands do not show which it was."""
        row, words = self.hand, self.words
        first = DEALT * row["dealer"]
        dealt = bytearray(row["dealt"])
        at = dealt.find(code, first, first + DEALT)
        if at >= 0:
            dealt[at] = tile_of(words[self.begin])
            words[self.begin] = pack(EventKind.DRAW, row["dealer"], code)
            row["dealt"] = bytes(dealt)

    def _points(self, cells: list[Any]) -> list[int]:
        if len(cells) not in (self.players, 4):
            raise wrong_value(
                f"{len(cells)} players' points are stated; expected {self.players}", code="V105"
            )
        points = as_points(cells, "a number of points")
        return points[: self.players] + [0] * (4 - self.players)

    def _optional_points(self, fields: Fields, name: str) -> list[int] | None:
        return self._points(as_list(fields[name], name)) if fields.get(name) else None

    def _pay(self, fields: Fields) -> None:
        """Pay the riichi whose tile has passed."""
        if self._declared != NO_SEAT:
            self._pay_stick(self._declared, None)
            self._declared = NO_SEAT
        if not fields.get("liqi"):
            return
        liqi = plain(fields["liqi"])
        if liqi.get("failed"):
            return
        seat = self._seat(liqi)
        self._note_declared(seat)
        scores = None
        if "score" in liqi:
            self.scores = [*self.scores]
            self.scores[seat] = whole_number(liqi, "score", -MAX_POINTS, MAX_POINTS)
            scores = self.scores
        self._pay_stick(seat, scores)

    def _pay_stick(self, seat: int, scores: list[int] | None) -> None:
        self._sticks += 1
        self.pay(seat, scores)

    def _note_declared(self, seat: int) -> None:
        """Put in the riichi that is paid now, in a record that does not mark discards that declare one."""
        words = self.words
        is_marked = {"isliqi", "iswliqi"} & self._stated
        if is_marked or words[-1] & 31 != EventKind.DISCARD or seat_of(words[-1]) != seat:
            return
        words.insert(len(words) - 1, pack(EventKind.RIICHI, seat))
        at = len(words) - 2
        if at in self.draft.times:
            self.draft.times[at + 1] = self.draft.times[at]

    def _turn(self, fields: Fields) -> None:
        """Turn the indicators that a list has more than before."""
        listed = fields.get("doras")
        if not listed:
            return
        doras = list(tile_codes(listed, MAX_INDICATORS))
        self.words += [pack(EventKind.DORA, tile=code) for code in doras[len(self.doras) :]]
        if len(doras) > len(self.doras):
            self.doras = doras

    def _deal(self, fields: Fields) -> None:
        self._pay(fields)
        self._turn(fields)
        seat = self._seat(fields)
        self.put(EventKind.DRAW, seat, tile_code(fields.get("tile")))

    def _discard(self, fields: Fields) -> None:
        self._turn(fields)
        seat = self._seat(fields)
        code, is_drawn = tile_code(fields.get("tile")), bool(fields.get("moqie"))
        if self._is_first and is_drawn and not self._is_draw_known:
            self._choose_draw(code)
        # The platform marks the dealer's first discard as one from the hand, whichever tile it is.
        if not is_drawn and (self._is_first or "moqie" not in self._stated):
            is_drawn = self.must_be_drawn(seat, code)
        self._is_first = False
        is_riichi = bool(fields.get("isliqi") or fields.get("iswliqi"))
        if is_riichi:
            self._declared = NO_SEAT if "liqi" in self._stated else seat
        self.discard(seat, code, is_drawn=is_drawn, is_riichi=is_riichi)
        self._last = seat

    def _call(self, fields: Fields) -> None:
        self._pay(fields)
        seat = self._seat(fields)
        kind, count = _CALLS[whole_number(fields, "type", 0, 2)]
        tiles = tile_codes(fields.get("tiles"), 4)
        froms = as_list(fields.get("froms", []), "froms")
        if len(tiles) != count or len(froms) != count:
            raise wrong_value(
                f"{len(tiles)} tiles from {len(froms)} seats are not a {kind.name.lower()}", code="V105"
            )
        source = as_whole(froms[-1], 0, self.players - 1, "froms")
        own = sorted(tiles[:-1], key=lambda code: (kind_of_code(code), code))
        self.put(kind, seat, tiles[-1], source, own)

    def _kan(self, fields: Fields) -> None:
        self._is_first = False
        seat, code = self._seat(fields), tile_code(fields.get("tiles"))
        self._turn(fields)
        kind = whole_number(fields, "type", 0, 3)
        if kind == _ADDED_KAN:
            self.add_to_pon(seat, code)
        elif kind == _CLOSED_KAN:
            tile, *own = self._four(seat, code)
            self.put(EventKind.ANKAN, seat, tile, own=own)
        else:
            raise wrong_value(f"type {kind} is neither a closed nor an added kan", code="V105")
        self._last = seat

    def _four(self, seat: int, code: int) -> list[int]:
        """The four tiles of a closed kan, of which the record names one: what the player holds of them."""
        kind = kind_of_code(code)
        tiles = held(self.words, self.begin, self.hand["dealt"], seat)
        four = sorted(one for one, count in tiles.items() for _ in range(count) if kind_of_code(one) == kind)
        if len(four) != 4:
            four = [CODE_OF_TILE + kind] * 4
            if kind in FIVE_KINDS and code >= CODE_OF_TILE + RED_MAN:
                four[-1] = code
        return four

    def _north(self, fields: Fields) -> None:
        self._is_first = False
        self._turn(fields)
        seat = self._seat(fields)
        self.put(EventKind.KITA, seat, CODE_OF_TILE + NORTH)
        self._last = seat

    # --- results --------------------------------------------------------------------------------------

    def _win(self, fields: Fields) -> None:
        self._turn(fields)
        hules = as_list(fields.get("hules"), "hules")
        if not 1 <= len(hules) <= 3:
            raise wrong_value(f"hules lists {len(hules)} winners", code="V105")
        old = self._optional_points(fields, "oldscores")
        rows = [self._win_row(plain(hule), fields, f"hules[{at}]") for at, hule in enumerate(hules)]
        changes = self._optional_points(fields, "deltascores")
        honba = int(self.hand["honba"])
        parts = [None] * len(rows) if changes is None else shares_of_wins(rows, changes, self._sticks, honba)
        for row, part in zip(rows, parts, strict=True):
            if part is not None:
                row["deltas"] = part
            if old is not None:
                row["scores"] = old
                old = [a + b for a, b in zip(old, part, strict=True)] if part is not None else None
            self.win(row)

    def _win_row(self, hule: Fields, fields: Fields, place: str) -> DraftRow:
        with Within(place):
            seat = self._seat(hule)
            is_tsumo = bool(hule.get("zimo"))
            if "zimo" not in self._stated:
                last = self.words[-1]
                is_tsumo = last & 31 == EventKind.DRAW and seat_of(last) == seat
            tile = tile_code(hule.get("hutile"))
            held = tile_codes(hule.get("hand") or [], DEALT)
            tiles = bytes([*held, tile]) if held else b""  # which a record may leave out
            row: DraftRow = {
                "seat": seat,
                "source": seat if is_tsumo else self._last,
                "tile": tile,
                "tiles": tiles,
                "dora": tile_codes(hule.get("doras") or [], MAX_INDICATORS),
                "ura": tile_codes(hule.get("lidoras") or [], MAX_INDICATORS),
            }
            if not is_tsumo and self._last == seat:
                raise wrong_value("the winner wins by ron on a tile of his own", code="V105")
            liable = hule.get("baopai") or fields.get("baopai")
            row["liable"] = as_whole(liable, 1, self.players, "baopai") - 1 if liable else NO_SEAT
            if hule.get("fans"):
                self._yaku(hule, row)
            if "fu" in hule:
                row["fu"] = whole_number(hule, "fu", 0, MAX_FU)
            row["points"] = self._value(hule, is_tsumo=is_tsumo)
            most = _MOST_BELOW_LIMIT[seat == self.hand["dealer"]]
            is_small = UNKNOWN_POINTS < row["points"] <= most and (self.players == 4 or not is_tsumo)
            if {"title", "titleid"} & self._stated or is_small:
                row["limit"] = limit_of(hule)
        return row

    def _value(self, hule: Fields, *, is_tsumo: bool) -> int:
        """Points of a ron; of a tsumo, all that is paid for the hand."""
        if not is_tsumo:
            return stated_points(hule, "pointrong")
        small, large = stated_points(hule, "pointzimoxian"), stated_points(hule, "pointzimoqin")
        if hule.get("qinjia"):
            return small if small == UNKNOWN_POINTS else (self.players - 1) * small
        return UNKNOWN_POINTS if UNKNOWN_POINTS in (small, large) else large + (self.players - 2) * small

    def _yaku(self, hule: Fields, row: DraftRow) -> None:
        fans = as_list(hule["fans"], "fans")
        self.state_yaku(row, self._listed(fans, is_yakuman=bool(hule.get("yiman"))), "fans")
        if not any("val" in plain(fan) for fan in fans):  # 0 may be left out, but not everywhere
            row.pop("yaku", None)
            row.pop("han", None)

    def _listed(self, fans: list[Any], *, is_yakuman: bool) -> Iterator[ListedYaku]:
        for at, cell in enumerate(fans):
            with Within(f".fans[{at}]"):
                fan = plain(cell)
                name = str(fan.get("name", "")).replace(" ", "")
                number = whole_number(fan, "id", 0, 1 << 31) or names.NUMBERS.get(name, 0)
                han = whole_number(fan, "val", 0, MAX_HAN)
            worth = YAKUMAN_HAN if is_yakuman and number in names.YAKUMAN_YAKU else han
            yield ListedYaku(names.YAKU.get(number), worth, number or name)

    def _no_tile(self, fields: Fields) -> None:
        self._pay(fields)
        players = [plain(cell) for cell in as_list(fields.get("players", []), "players")]
        row: DraftRow = {"kind": HandEnd.NAGASHI if fields.get("liujumanguan") else HandEnd.EXHAUSTIVE}
        if len(players) >= self.players:
            hands = [tile_codes(player.get("hand") or [], SHOWN) for player in players[: self.players]]
            row["tenpai"] = bytes(bool(player.get("tingpai")) for player in players[: self.players]).ljust(
                4, b"\0"
            )
            row["shown"] = hands_shown(hands)
        deltas = [0] * 4
        for cell in as_list(fields.get("scores", []), "scores"):
            entry = plain(cell)
            change = self._optional_points(entry, "deltascores")
            deltas = [a + b for a, b in zip(deltas, change or [0] * 4, strict=True)]
            row.setdefault("scores", self._optional_points(entry, "oldscores"))
        if max(map(abs, deltas)) > MAX_POINTS:
            raise wrong_value("the changes add up to more than any game has", code="V105")
        ready = sum(row.get("tenpai", b""))
        if any(deltas) and "tingpai" not in self._stated:
            row.pop("tenpai", None)
        if any(deltas) or not 0 < ready < self.players or row["kind"] != HandEnd.EXHAUSTIVE:
            row["deltas"] = deltas
        self.end_without_win(row)

    def _abort(self, fields: Fields) -> None:
        self._pay(fields)
        kind = names.DRAWS.get(whole_number(fields, "type", 0, 1 << 31))
        if kind is None:
            self.note_unknown("kind of draw", fields.get("type"))
        row: DraftRow = {"kind": kind or HandEnd.UNKNOWN_DRAW}
        hands = [b""] * self.players
        if kind == HandEnd.KYUUSHU:
            hands[self._seat(fields)] = tile_codes(fields.get("tiles") or [], SHOWN)
        every = fields.get("allplayertiles")
        if (
            isinstance(every, list)
            and len(every) == self.players
            and all(isinstance(cell, str) for cell in every)
        ):
            hands = [tile_codes([tile for tile in cell.split("|") if tile], SHOWN) for cell in every]
        if any(hands):
            row["shown"] = hands_shown(hands)
        self.end_without_win(row)

    # --- who was there --------------------------------------------------------------------------------

    def _leave(self, fields: Fields) -> None:
        seat = whole_number(fields, "seat", 0, 3)
        if seat < (self.players or 4) and seat not in self._away:
            self._away.add(seat)
            self.put(EventKind.LEAVE, seat)

    def _return(self, fields: Fields) -> None:
        seat = whole_number(fields, "seat", 0, 3)
        if seat in self._away:
            self._away.remove(seat)
            self.put(EventKind.RETURN, seat)


_NEW_HAND, _PRESENCE = "NewRound", frozenset({"Leave", "Return"})
_LISTED = {"Hule": "hules", "NoTile": "players"}


def _stated_fields(records: Iterable[MajsoulRecord]) -> set[str]:
    """The names of all fields of records, and of the winners and players in them."""
    found: set[str] = set()
    for record in records:
        found.update(record.fields)
        cells = record.fields.get(_LISTED[record.name]) if record.name in _LISTED else None
        for cell in cells if isinstance(cells, list) else ():
            found |= as_fields(cell).keys() - {"liqi"}  # a winner's says something else
    return found


_HANDLERS: Mapping[str, Callable[[MajsoulGame, Fields], None]] = {
    "NewRound": MajsoulGame._new_round,
    "DealTile": MajsoulGame._deal,
    "DiscardTile": MajsoulGame._discard,
    "ChiPengGang": MajsoulGame._call,
    "AnGangAddGang": MajsoulGame._kan,
    "BaBei": MajsoulGame._north,
    "Hule": MajsoulGame._win,
    "NoTile": MajsoulGame._no_tile,
    "LiuJu": MajsoulGame._abort,
    "Leave": MajsoulGame._leave,
    "Return": MajsoulGame._return,
}
