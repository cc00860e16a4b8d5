"""Games to Tenhou's own log format, mjlog XML, spelt as Tenhou spells it.

What is read from such a log comes back the same: a test writes and reads every real log again. Lost is only
what the replay model does not hold (attributes that say nothing on the game, such as a replay's reference).

The format names each physical tile and states points in hundreds. A game that does not state them cannot be
written: :class:`~paifu.parsers.errors.WriteError`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape

import numpy as np

from paifu.parsers.mjlog.melds import LoggedMeld, encode_meld
from paifu.parsers.mjlog.values import DRAW_ENDS
from paifu.parsers.written_game import WrittenGame
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.model.events import NO_SEAT, UNSTATED_SEAT, EventKind, HandEnd
from paifu.replay.model.tiles import IDS, NO_TILE
from paifu.replay.rules.fields import YAKUMAN_HAN

_VERSION = "2.3"
_LETTERS: dict[int, str] = {EventKind.DRAW: "TUVW", EventKind.DISCARD: "DEFG"}
"""Kind of event -> the letter of its element by seat."""
_MOVES = {
    kind << 16 | seat << 8 | tile: f"<{letter}{tile}/>"
    for kind, letters in _LETTERS.items()
    for seat, letter in enumerate(letters)
    for tile in range(IDS)
}
"""Kind, seat and physical tile of an event -> its element: all but a few of a game's."""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPECIAL = re.compile("[&<>\"']")
_DRAW_TYPES = {kind: word.decode() for word, kind in DRAW_ENDS.items()}
_UNKNOWN_DIE = 255

WrittenAttributes = Iterable[tuple[str, str | None]]
"""Names and values in the order written; a value of None leaves the attribute out."""


def _element(name: str, attributes: WrittenAttributes, end: str = "/>") -> str:
    """Spell an element; those of the live protocol end in a blank and ``/>``."""
    written = "".join([f' {key}="{_escaped(value)}"' for key, value in attributes if value is not None])
    return f"<{name}{written}{end}"


def _escaped(value: str) -> str:
    return escape(value) if _SPECIAL.search(value) else value


_LIVE = " />"


def _joined(values: Iterable[object]) -> str:
    return ",".join(map(str, values))


def _percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _known(ids: Iterable[int]) -> list[int]:
    return [tile for tile in ids if tile != NO_TILE]


class MjlogGameWriter(WrittenGame):
    """One game while it is written."""

    target = "mjlog"

    def __init__(self, batch: Batch, game: int) -> None:
        super().__init__(batch, game)
        self.parts: list[str] = []
        numbers = [*batch.games.rate[game].tolist(), *batch.games.final_points[game].tolist()]
        self.is_old = all(number.is_integer() for number in numbers)
        """Until about 2010 rates and results were whole numbers and written as such."""

    def text(self) -> bytes:
        """The game as a root of its own."""
        games, hands = self.batch.games, self.batch.hands
        begin, end = int(games.event_begin[self.game]), int(games.event_end[self.game])
        version = games.version[self.game] or _VERSION
        self.parts = [f'<mjloggm ver="{escape(version)}">', *self._opening()]
        at = begin
        for hand in self.hands:
            self._write(at, int(hands.event_begin[hand]))
            self.parts.append(self._init(hand))
            at = int(hands.event_begin[hand])
        self._write(at, end)
        text = "".join([*self.parts, "</mjloggm>"])
        if _NOT_XML.search(text):
            raise self.error("it holds a character that XML cannot state")
        return text.encode()

    # --- before the first hand ------------------------------------------------------------------------

    def _opening(self) -> Iterable[str]:
        games, game = self.batch.games, self.game
        if games.seed[game]:
            yield _element("SHUFFLE", [("seed", games.seed[game]), ("ref", "")])
        if games.go_type[game] < 0:
            raise self.error("it does not state Tenhou's type of game")
        yield _element(
            "GO",
            [
                ("type", str(games.go_type[game])),
                ("lobby", games.lobby[game] or None),
                ("title", _percent(games.title[game]) or None),
                ("csrule", games.rule[game] or None),
            ],
        )
        names = [(f"n{seat}", _percent(name)) for seat, name in enumerate(games.names[game])]
        dan, sex = games.dan[game].tolist(), games.sex[game].tolist()
        yield _element(
            "UN",
            [
                *names,
                ("dan", _joined(dan) if min(dan) >= 0 else None),
                ("rate", self._rates()),
                ("sx", _joined(sex) if any(sex) else None),
            ],
        )
        if games.first_dealer[game] != NO_SEAT:
            yield _element("TAIKYOKU", [("oya", str(games.first_dealer[game]))])

    def _rates(self) -> str | None:
        rates = self.batch.games.rate[self.game].tolist()
        if any(map(math.isnan, rates)):
            return None
        return _joined(f"{rate:.0f}" if self.is_old else f"{rate:.2f}" for rate in rates)

    # --- hands ----------------------------------------------------------------------------------------

    def _init(self, hand: int) -> str:
        hands = self.batch.hands
        dice = ["" if eyes == _UNKNOWN_DIE else eyes for eyes in hands.dice[hand].tolist()]
        dealt = hands.dealt_id[hand].tolist()
        for seat in range(self.players):
            if NO_TILE in dealt[seat]:
                raise self.error(f"hand {hand} does not state which physical tiles seat {seat} was dealt")
        chips = hands.chips[hand].tolist()
        start = [hands.round[hand], hands.honba[hand], hands.sticks[hand], *dice]
        return _element(
            "INIT",
            [
                ("seed", _joined([*start, self._tile(hands.dora_id[hand], "the dora indicator")])),
                ("ten", self._hundreds(hands.scores[hand])),
                ("chip", None if UNKNOWN_POINTS in chips else _joined(chips)),
                ("oya", str(hands.dealer[hand])),
                *((f"hai{seat}", _joined(_known(dealt[seat]))) for seat in range(4)),
                ("shuffle", hands.seed[hand] or None),
            ],
        )

    def _tile(self, tile: int, what: str) -> int:
        if tile == NO_TILE:
            raise self.error(f"it does not state the physical tile of {what}")
        return int(tile)

    def _hundreds(self, points: Sequence[int]) -> str:
        """Points as mjlog states them; raises WriteError where they are unknown or no whole hundreds."""
        values = np.asarray(points).tolist()
        if UNKNOWN_POINTS in values or any(value % 100 for value in values):
            raise self.error(f"points of {values}; the format needs whole hundreds")
        return _joined(value // 100 for value in values)

    # --- events ---------------------------------------------------------------------------------------

    def _write(self, begin: int, end: int) -> None:
        events = self.batch.events
        kinds, seats, tiles = (
            column[begin:end].astype(np.int64) for column in (events.kind, events.seat, events.tile_id)
        )
        words = list(map(_MOVES.get, (kinds << 16 | seats << 8 | tiles).tolist()))
        self.parts += [word or self._other(event) for event, word in enumerate(words, begin)]

    def _other(self, event: int) -> str:
        kind = int(self.batch.events.kind[event])
        if kind in _LETTERS:
            raise self.error(f"it does not state the physical tile of event {event}")
        return _EVENTS[kind](self, event)

    def _who(self, event: int) -> str:
        return str(self.batch.events.seat[event])

    def _meld(self, event: int) -> str:
        events = self.batch.events
        meld = LoggedMeld(
            EventKind(events.kind[event]),
            int(events.seat[event]),
            int(events.source[event]),
            self._tile(events.tile_id[event], f"event {event}"),
            tuple(_known(events.own_id[event].tolist())),
        )
        try:
            code = encode_meld(meld)
        except ValueError as error:
            raise self.error(f"event {event}: {error}") from error
        return _element("N", [("who", self._who(event)), ("m", str(code))], _LIVE)

    def _riichi(self, event: int) -> str:
        return _element("REACH", [("who", self._who(event)), ("step", "1")])

    def _riichi_paid(self, event: int) -> str:
        table = self.batch.riichi_scores
        row = int(table.event.searchsorted(event))
        is_stated = row < len(table) and table.event[row] == event
        ten = self._hundreds(table.scores[row]) if is_stated else None
        return _element("REACH", [("who", self._who(event)), ("ten", ten), ("step", "2")])

    def _dora(self, event: int) -> str:
        tile = self._tile(self.batch.events.tile_id[event], f"event {event}")
        return _element("DORA", [("hai", str(tile))], _LIVE)

    def _leave(self, event: int) -> str:
        return _element("BYE", [("who", self._who(event))], _LIVE)

    def _return(self, event: int) -> str:
        seat = int(self.batch.events.seat[event])
        name = self.batch.games.names[self.game][seat]
        return _element("UN", [(f"n{seat}", _percent(name))], _LIVE)

    def _win(self, event: int) -> str:
        wins = self.batch.wins
        row = int(wins.event.searchsorted(event))
        what = f"event {event}, a win"
        if wins.points[row] == UNKNOWN_POINTS or wins.fu[row] < 0:
            raise self.error(f"{what}, does not state fu and points")
        tiles = _known(wins.tiles_id[row].tolist())
        if not tiles:
            raise self.error(f"{what}, does not show the hand's physical tiles")
        listed = self.listed(row)
        yakuman = [yaku for yaku, han in listed if han >= YAKUMAN_HAN]
        yaku = [number for pair in listed if pair[1] < YAKUMAN_HAN for number in pair]
        liable = int(wins.liable[row])
        return _element(
            "AGARI",
            [
                ("ba", f"{wins.honba[row]},{wins.sticks[row]}"),
                ("hai", _joined(tiles)),
                ("m", _joined([code for code in wins.melds[row].tolist() if code >= 0]) or None),
                ("machi", str(self._tile(wins.tile_id[row], what))),
                ("ten", f"{wins.fu[row]},{wins.points[row]},{wins.limit[row]}"),
                ("yaku", _joined(yaku) or None),
                ("yakuman", _joined(yakuman) or None),
                ("doraHai", _joined(_known(wins.dora_id[row].tolist()))),
                ("doraHaiUra", _joined(_known(wins.ura_id[row].tolist())) or None),
                ("who", self._who(event)),
                ("fromWho", str(wins.source[row])),
                ("paoWho", str(liable) if liable < UNSTATED_SEAT else None),
                ("sc", self._changes(wins.scores[row], wins.deltas[row], wins.chips[row], wins.hand[row])),
                ("owari", self._result(event)),
            ],
            _LIVE,
        )

    def _hand_draw(self, event: int) -> str:
        draws = self.batch.hand_draws
        row = int(draws.event.searchsorted(event))
        kind = HandEnd(draws.kind[row])
        if kind not in _DRAW_TYPES:
            raise self.error(f"event {event} is a draw of a kind that it does not state")
        tenpai = draws.tenpai[row].tolist()
        shown = [_known(tiles) for tiles in draws.shown_id[row].tolist()]
        return _element(
            "RYUUKYOKU",
            [
                ("type", _DRAW_TYPES[kind] or None),
                ("ba", f"{draws.honba[row]},{draws.sticks[row]}"),
                (
                    "sc",
                    self._changes(draws.scores[row], draws.deltas[row], draws.chips[row], draws.hand[row]),
                ),
                *(
                    (f"hai{seat}", _joined(tiles) if tiles or ready == 1 else None)
                    for seat, (tiles, ready) in enumerate(zip(shown, tenpai, strict=True))
                ),
                ("owari", self._result(event)),
            ],
            _LIVE,
        )

    def _changes(self, scores: Sequence[int], deltas: Sequence[int], chips: Sequence[int], hand: int) -> str:
        """Each seat's points and their change, and the same of chips where the game has them."""
        before, change = self._hundreds(scores).split(","), self._hundreds(deltas).split(",")
        numbers = [number for pair in zip(before, change, strict=True) for number in pair]
        gained = [int(chip) for chip in chips]
        if UNKNOWN_POINTS not in gained:
            held = self.batch.hands.chips[hand].tolist()
            numbers += [str(number) for pair in zip(held, gained, strict=True) for number in pair]
        return _joined(numbers)

    def _result(self, event: int) -> str | None:
        """The game's final result, which is in its last element; None in any other."""
        games, game = self.batch.games, self.game
        if UNKNOWN_POINTS in games.final_scores[game] or event != self._last_result():
            return None
        scores = self._hundreds(games.final_scores[game]).split(",")
        points = [f"{value:.{0 if self.is_old else 1}f}" for value in games.final_points[game].tolist()]
        if "nan" in points:
            raise self.error("it states final scores but no final points")
        cells = [cell for pair in zip(scores, points, strict=True) for cell in pair]
        chips = games.final_chips[game].tolist()
        if UNKNOWN_POINTS not in chips:
            cells += [str(cell) for chip in chips for cell in (chip, chip)]
        return _joined(cells)

    def _last_result(self) -> int:
        """The last event of the game that ends a hand."""
        batch = self.batch
        last = int(batch.games.event_end[self.game])
        rows = [table.event[: table.event.searchsorted(last)] for table in (batch.wins, batch.hand_draws)]
        return max(int(events[-1]) for events in rows if len(events))


_EVENTS: dict[int, Callable[[MjlogGameWriter, int], str]] = {
    EventKind.CHI: MjlogGameWriter._meld,
    EventKind.PON: MjlogGameWriter._meld,
    EventKind.DAIMINKAN: MjlogGameWriter._meld,
    EventKind.ANKAN: MjlogGameWriter._meld,
    EventKind.KAKAN: MjlogGameWriter._meld,
    EventKind.KITA: MjlogGameWriter._meld,
    EventKind.RIICHI: MjlogGameWriter._riichi,
    EventKind.RIICHI_PAID: MjlogGameWriter._riichi_paid,
    EventKind.DORA: MjlogGameWriter._dora,
    EventKind.WIN: MjlogGameWriter._win,
    EventKind.HAND_DRAW: MjlogGameWriter._hand_draw,
    EventKind.LEAVE: MjlogGameWriter._leave,
    EventKind.RETURN: MjlogGameWriter._return,
}
"""How each event is spelt, except plain draws and discards."""
