"""Games of four players to majiang JSON, a game a line.

The format has no place for physical tiles, dice, the wall's seed, ranks, rules, a game's id and time, who
left, and the fu of a yakuman.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paifu.parsers.errors import ParseError
from paifu.parsers.majiang.notation import DOUBLES, LOG_ID, NAMES, STEPS, SUITS, call_word
from paifu.parsers.words import WORD_OF_DRAW
from paifu.parsers.written_game import HandBeingWritten, WrittenGame, is_yakuman, plain_number
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, UNSTATED_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import KIND_OF_TILE, NO_TILE, TILES, is_red
from paifu.replay.model.winning_tiles import winning_tiles
from paifu.replay.rules.fields import YAKUMAN_HAN

_PLAYERS = 4
_SIGN_OF_STEP = {step: sign for sign, step in STEPS.items()}
_DRAW_NAMES = {
    **WORD_OF_DRAW,
    HandEnd.EXHAUSTIVE: "荒牌平局",
    HandEnd.SANCHAHOU: "三家和",
    HandEnd.SUUKAIKAN: "四開槓",
}
_YAKU_NAMES = {
    18: "翻牌 白", 19: "翻牌 發", 20: "翻牌 中", 21: "ダブル立直", 41: "四暗刻単騎", 46: "純正九蓮宝燈",
    48: "国士無双十三面", **{10 + i: f"自風 {wind}" for i, wind in enumerate("東南西北")},
    **{14 + i: f"場風 {wind}" for i, wind in enumerate("東南西北")},
}  # fmt: skip
"""Where the format's names are not Tenhou's."""
_FED = (39, 49, 51)
"""Yakuman that somebody can be liable for."""
_KANS = (EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN)


def _order(tile: int) -> tuple[int, bool]:
    """Sort key: by kind, a red five after the plain ones."""
    return int(KIND_OF_TILE[tile]), is_red(tile)


def hand_text(tiles: Iterable[int]) -> str:
    """Tiles (0-36) as the format writes a hand: ``m123p0z1``."""
    text, suit = "", ""
    for name in (NAMES[tile] for tile in sorted(tiles, key=_order)):
        text += name[1:] if name[0] == suit else name
        suit = name[0]
    return text


class MajiangGameWriter(WrittenGame):
    """One game while it is written. Raises WriteError for one of three players, too."""

    target = "majiang"

    def __init__(self, batch: Batch, game: int) -> None:
        super().__init__(batch, game)
        if self.players != _PLAYERS:
            raise self.error("it is a game of three players")

    def document(self) -> dict[str, Any]:
        """The game as the format's object."""
        games, game = self.batch.games, self.game
        document: dict[str, Any] = {
            "title": games.title[game] or (games.id[game] if LOG_ID.fullmatch(games.id[game]) else ""),
            "player": games.names[game].tolist(),
            "qijia": 0,
            "log": [_MajiangHandWriter(self, hand).events_of_hand() for hand in self.hands],
        }
        scores, points = self.final()
        if scores is not None:
            order = sorted(range(_PLAYERS), key=lambda seat: -scores[seat])
            document["defen"] = scores
            document["rank"] = [order.index(seat) + 1 for seat in range(_PLAYERS)]
            if points is not None:
                document["point"] = [plain_number(point) for point in points]
        return document


class _MajiangHandWriter(HandBeingWritten):
    """One hand while it is written."""

    def __init__(self, game: MajiangGameWriter, hand: int) -> None:
        super().__init__(game, hand)
        self.game = game
        self.held: list[list[int]] = [list(tiles) for tiles in self.batch.hands.dealt[hand].tolist()]
        self.melds: list[list[str]] = [[] for _ in range(_PLAYERS)]
        self.is_riichi = [False] * _PLAYERS
        self.lines: list[dict[str, Any]] = []
        self.indicators: list[str] = []
        """Turned, and to be written after the next event."""

    def wind(self, seat: int) -> int:
        """A seat's wind: 0 is the dealer."""
        return (seat - self.dealer) % _PLAYERS

    def by_wind(self, values: Any) -> list[Any]:
        """Values by seat, put by wind."""
        cells: list[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
        return [*cells[self.dealer :], *cells[: self.dealer]]

    def name(self, tile: int) -> str:
        """A tile's name."""
        return NAMES[tile] if tile < TILES else "_"

    def events_of_hand(self) -> list[dict[str, Any]]:
        """The hand as the format's list of events."""
        hands, hand = self.batch.hands, self.hand
        scores = self.start_scores()
        deals = ["" if NO_TILE in tiles else hand_text(tiles) for tiles in self.held]
        self.lines.append(
            {
                "qipai": {
                    "zhuangfeng": int(hands.round[hand]) // 4,
                    "jushu": self.dealer,
                    "changbang": int(hands.honba[hand]),
                    "lizhibang": int(hands.sticks[hand]),
                    "defen": self.by_wind(scores),
                    "baopai": self.name(int(hands.dora[hand])),
                    "shoupai": self.by_wind(deals),
                }
            }
        )
        self._moves()
        for indicator in self.indicators:
            self.lines.append({"kaigang": {"baopai": indicator}})
        return self.lines

    def _add(self, kind: str, seat: int, **fields: Any) -> None:
        self.lines.append({kind: {"l": self.wind(seat), **fields}})
        turned, self.indicators = self.indicators, []
        self.lines += [{"kaigang": {"baopai": indicator}} for indicator in turned]

    # --- moves ----------------------------------------------------------------------------------------

    def _moves(self) -> None:
        events = self.batch.events
        riichi, kan_of = NO_SEAT, NO_SEAT
        for event, kind, seat, source, tile, is_drawn in self.game.events_of(self.hand):
            match kind:
                case EventKind.DRAW:
                    self.held[seat].append(tile)
                    self._add("gangzimo" if kan_of == seat else "zimo", seat, p=self.name(tile))
                    kan_of = NO_SEAT
                case EventKind.RIICHI:
                    riichi = seat
                case EventKind.DISCARD:
                    self._discard(seat, tile, is_drawn=is_drawn, is_riichi=riichi == seat)
                    riichi = NO_SEAT
                case EventKind.DORA:
                    self.indicators.append(self.name(tile))
                case EventKind.WIN | EventKind.HAND_DRAW:
                    self._result(event, kind)
                case EventKind.RIICHI_PAID | EventKind.LEAVE | EventKind.RETURN:
                    pass
                case _:
                    self._meld(kind, seat, source, tile, events.own[event].tolist())
                    kan_of = seat if kind in _KANS else NO_SEAT

    def _drop(self, seat: int, tiles: Iterable[int]) -> None:
        held = self.held[seat]
        for tile in tiles:
            if tile in held:
                held.remove(tile)
            elif NO_TILE in held:
                held.remove(NO_TILE)

    def _discard(self, seat: int, tile: int, *, is_drawn: bool, is_riichi: bool) -> None:
        self._drop(seat, [tile])
        self.is_riichi[seat] |= is_riichi
        self._add("dapai", seat, p=self.name(tile) + "_" * is_drawn + "*" * is_riichi)

    def _meld(self, kind: EventKind, seat: int, source: int, tile: int, own: list[int]) -> None:
        if kind == EventKind.KITA:
            raise self.game.error("a north is set aside")
        own = sorted((one for one in own if one != NO_TILE), key=_order)
        suit = NAMES[tile][0]
        sign = _SIGN_OF_STEP.get((source - seat) % _PLAYERS, "") if source != NO_SEAT else ""
        self._drop(seat, [tile] if kind == EventKind.KAKAN else own)
        match kind:
            case EventKind.CHI:
                names = [NAMES[one][1] + sign * (one == tile) for one in sorted([tile, *own], key=_order)]
                text = suit + "".join(names)
            case EventKind.KAKAN:
                text = self._added(seat, tile)
            case EventKind.ANKAN:
                self._drop(seat, [tile])
                text = suit + "".join(NAMES[one][1] for one in sorted([tile, *own], key=_order))
            case _:
                text = suit + "".join(NAMES[one][1] for one in [*own, tile]) + sign
        try:
            call_word(seat, text)
        except ParseError as error:
            raise self.game.error(f"{error.reason}; a call of tiles that do not make one") from error
        if kind != EventKind.KAKAN:
            self.melds[seat].append(text)
        self._add("gang" if kind in (EventKind.ANKAN, EventKind.KAKAN) else "fulou", seat, m=text)

    def _added(self, seat: int, tile: int) -> str:
        """The text of an added kan: that of the pon, and the tile."""
        kind = int(KIND_OF_TILE[tile])
        start = f"{SUITS[kind // 9]}{NAMES[kind][1]}"
        for at, meld in enumerate(self.melds[seat]):
            if len(meld) == 5 and meld.replace("0", "5").startswith(start):
                self.melds[seat][at] = meld + NAMES[tile][1]
                return self.melds[seat][at]
        raise self.error("adds a tile without a pon")

    # --- results --------------------------------------------------------------------------------------

    def _result(self, event: int, kind: EventKind) -> None:
        turned, self.indicators = self.indicators, []
        self.lines += [{"kaigang": {"baopai": indicator}} for indicator in turned]
        if kind == EventKind.WIN:
            self._win(int(self.batch.wins.event.searchsorted(event)))
            return
        draws = self.batch.hand_draws
        row = int(draws.event.searchsorted(event))
        shown = [
            hand_text(tile for tile in tiles if tile != NO_TILE) + "".join(f",{meld}" for meld in melds)
            if any(tile != NO_TILE for tile in tiles) else ""
            for tiles, melds in zip(draws.shown[row].tolist(), self.melds, strict=True)
        ]  # fmt: skip
        tenpai = draws.tenpai[row].tolist()
        for seat in range(_PLAYERS):  # who is known to be tenpai has a hand to show
            if tenpai[seat] == 1 and not shown[seat] and NO_TILE not in self.held[seat]:
                shown[seat] = self._hand_text(seat)
        name = _DRAW_NAMES[HandEnd(draws.kind[row])]
        deltas = self._deltas(draws.deltas[row], [0] * _PLAYERS)
        self.lines.append({"pingju": {"name": name, "shoupai": self.by_wind(shown), "fenpei": deltas}})

    def _hand_text(self, seat: int) -> str:
        mark = "*" * self.is_riichi[seat]
        return hand_text(self.held[seat]) + mark + "".join(f",{meld}" for meld in self.melds[seat])

    def _deltas(self, row: Any, absent: list[int] | None = None) -> list[int]:
        deltas = row.tolist()
        if UNKNOWN_POINTS in deltas:
            if absent is None:
                raise self.error("does not state how a win changes the scores")
            return absent
        return self.by_wind(deltas)

    def _win(self, row: int) -> None:
        wins = self.batch.wins
        seat, source, tile = int(wins.seat[row]), int(wins.source[row]), int(wins.tile[row])
        tiles = winning_tiles(self.batch, row)
        if tile not in tiles:
            raise self.error("does not state the winner's tiles")
        tiles.remove(tile)
        text = hand_text(tiles) + NAMES[tile] + "*" * self.is_riichi[seat]
        line: dict[str, Any] = {
            "l": self.wind(seat),
            "shoupai": text + "".join(f",{meld}" for meld in self.melds[seat]),
            "baojia": None if seat == source else self.wind(source),
            "fubaopai": self._ura(row, seat),
        }
        listed = self.game.listed(row, without_ura=True)
        yakuman = [number for number, han in listed if is_yakuman(number, han)]
        if yakuman:
            line["damanguan"] = sum(len(self._worth(number, YAKUMAN_HAN)) for number in yakuman)
        elif listed:
            line["fu"] = int(wins.fu[row]) if wins.fu[row] >= 0 else None
            line["fanshu"] = sum(han for _, han in listed)
        if wins.points[row] != UNKNOWN_POINTS:
            line["defen"] = int(wins.points[row])
        line["hupai"] = [
            {
                "name": _YAKU_NAMES.get(number) or self.game.yaku(number).japanese,
                "fanshu": self._worth(number, han),
            }
            for number, han in listed
        ]
        liable = int(wins.liable[row])
        if liable == seat:
            raise self.error("names the winner as liable for the win")
        if liable < UNSTATED_SEAT and line["hupai"]:
            fed = next((at for at, (number, _) in enumerate(listed) if number in _FED), 0)
            line["hupai"][fed]["baojia"] = _SIGN_OF_STEP[(liable - seat) % _PLAYERS]
        line["fenpei"] = self._deltas(wins.deltas[row])
        self.lines.append({"hule": line})

    def _worth(self, number: int, han: int) -> Any:
        if not is_yakuman(number, han):
            return han
        return "**" if number in DOUBLES and self.game.rules[DOUBLES[number]] else "*"

    def _ura(self, row: int, seat: int) -> list[str] | None:
        ura = [NAMES[tile] for tile in self.batch.wins.ura[row].tolist() if tile != NO_TILE]
        return ura if self.is_riichi[seat] else None
