"""Games to step through: their hands as plain data, the assets of a page that shows them, and such a page.

A page that embeds the stepper holds, once each, ``stepper_assets().css`` in a ``<style>``, ``.tiles`` (the
sheet of tile images) in its body, and ``.js`` in a ``<script>``; the script defines functions and does
nothing else:

    const stepper = mountStepper(element, data, options);
    stepper.show("E1.0", 17);  // a hand by label or by index in data.hands; an event, or null for the deal
    stepper.close();  // empties the element and stops listening to keys

``show`` returns whether there is such a hand. ``element`` is emptied and filled; ``data`` is what
:func:`game_data` returns, as JSON. All ``options`` are optional: ``seat`` (the seat at the bottom, default
0), ``open`` (whether to show the other hands, default true), ``keys`` (the element that listens for arrow
keys, default ``element``; pass ``document`` if nothing else on the page listens), ``pages`` (whether Page Up
and Page Down go from hand to hand, default true; ``k`` and ``j`` always do), and ``onMove`` (called
after each step with the label of the hand and an event or null). A page can hold several steppers.

Everything but the waits comes from the log. All text from a log is data: it goes through
:func:`paifu.reports.pages.page.embed` into a ``<script type="application/json">``, and from there into the
page as text only.

The data of a hand are the deal and the changes by each event, so that the page need not know any
rules. Tiles are MPSZ texts (``0m`` a red five, ``?`` hidden), seats are 0-3, and keys that do not apply are
left out:

- ``label`` ``E1.0``; ``said``: what people call it, if that is something else; ``title``; ``round``
  ``East 1``; ``honba``; ``sticks``; ``furiten``: whether the game has it;
  ``dealer`` (null: unknown); ``scores`` by seat (null: not stated); ``dora``: the first indicator;
  ``makes``: the dora that it indicates; ``dealt`` by seat; ``waits`` by seat; ``wall``: tiles to draw;
  ``result`` in a few words; ``events``; ``marks``; ``choices``; ``over``: whether the game ends with it.
- An event has ``k`` (the kind, as in :class:`~paifu.replay.model.events.EventKind`, in lower case), ``s``
  (seat), ``t`` (tile), ``f`` (the seat a tile came from); after it the seat's ``h`` (closed tiles, without
  the one drawn), ``d`` (the tile drawn, null for none), ``m`` (melds), ``n`` (norths set aside), ``b``
  (flowers and seasons set aside) and ``w`` (the waits), if they changed. ``g`` marks a tsumogiri, ``r`` the
  discard that a riichi turns sideways, ``o`` an open riichi, ``u`` an order that the log does not record,
  ``c`` the index of the called tile in the pond of ``f``; ``p`` are the scores afterwards, ``x`` the riichi
  sticks on the table,
  ``makes`` the dora of a new indicator, ``win`` and ``draw`` the end as the log states it.
- A meld is ``t`` (tiles from left to right), ``x`` (the number of tiles left of the sideways ones; left
  out for a closed kan), ``k`` (its kind).
- ``choices`` are decisions that the model judged: ``e`` (event: the move, or the discard on offer), ``s``
  (seat), ``l`` (points that the best option was worth more), ``x`` (whether that is a mistake), ``c`` and
  ``b`` (the option chosen and the best one, by place in ``o``), and ``o``, the options worth most and the one
  chosen: words, shanten, tiles that improve the hand, percentage that deals in, points (null: not judged).
- A mark is a finding: ``code``, ``name``, ``severity``, ``event`` (null: about the whole hand), ``seat``,
  ``text``.
- ``luck`` of a hand are its chance nodes that moved a seat by 1,000 points or more, each with ``e`` (event,
  null for the deal) and ``l`` (points by seat); left out where luck is not measured. So is ``luck`` of the
  game, for the chart below it:

  - ``chances``: before each hand and after the last, by seat: percentages of the 1st to the last place;
    ``places``: the mean place, likewise. Both are empty under rules without place chances.
  - ``luck``: points by hand and seat.
  - ``course``: by hand, ``e`` (events, null for the deal) and ``p`` (the mean places by seat after each).
  - ``turns``: the hands that changed a mean place most: ``h`` (position in ``hands``), ``s`` (whose place),
    ``e`` and ``w`` (event, null for the deal, and words of the moment of the largest swing), ``o`` (whom it
    moved), ``f`` and ``t`` (that seat's mean place before and after it).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, islice
from typing import TYPE_CHECKING, Any

from paifu.coach.luck.views import BySeat, GameLuck, HandOfLuck, mean_place
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.review_kinds import UNUSUAL
from paifu.replay.findings.review_sentences import spoken_option
from paifu.replay.foreign_text import display_name, printable
from paifu.replay.language import N_, _
from paifu.replay.model.events import EventFlag, EventKind
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import NO_TILE, is_red, sort_tiles
from paifu.replay.positions.tracker import CALLS, LaidMeld, SeatState, Tracker
from paifu.replay.shapes.shanten import may_wait
from paifu.replay.table.engine import engine_of
from paifu.replay.views.events import Event
from paifu.replay.views.games import Game, Hand
from paifu.replay.views.results import HandDraw, Win
from paifu.reports.hands.hand_in_words import (
    dora_of,
    draw_name,
    hand_title,
    is_riichi,
    own_score_words,
    round_name,
    value_words,
    winning_hand,
    worth,
)
from paifu.reports.pages.page import embed, filled, read_template, tile_sheet, words_script
from paifu.reports.terminal.game_lines import game_words, grade_name
from paifu.reports.wording import label_said

if TYPE_CHECKING:
    from paifu.coach.judgement.choices import JudgedChoice
    from paifu.coach.luck.views import GameLuck

Data = dict[str, Any]
"""Plain values: numbers, texts, None, and lists and dictionaries of these."""

_SHOWN_OPTIONS = 6
_TILES = {2: 136, 3: 108, 4: 136}


@dataclass(frozen=True, slots=True)
class Assets:
    """Assets that a page needs once, however many steppers it has."""

    css: str
    js: str
    """Defines the function ``mountStepper``."""
    tiles: str
    """An SVG element of zero size, for the body of the page."""


def stepper_assets() -> Assets:
    """Return style, script and tile images."""
    script = words_script() + read_template("tiles.js") + read_template("stepper.js")
    return Assets(read_template("stepper.css"), script, tile_sheet())


def show_page(games: Sequence[Data], seat: int | None = None, *, is_open: bool = False) -> str:
    """Return the page of at least one game, each as :func:`game_data` makes it.

    ``seat`` is the seat at the bottom; if given, the hands of the others are hidden at first, unless
    ``is_open``.
    """
    assets = stepper_assets()
    css = read_template("show.css") + assets.css + read_template("luck_chart.css")
    js = assets.js + read_template("luck_chart.js") + read_template("show.js")
    data = embed({"games": list(games), "seat": seat or 0, "open": is_open or seat is None})
    return filled("show", css, js, assets.tiles, title=games[0]["title"], data=data)


def game_data(
    game: Game,
    findings: Mapping[int, Sequence[Finding]] | None = None,
    hands: Iterable[int] | None = None,
    choices: Mapping[int, Sequence[JudgedChoice]] | None = None,
    luck: GameLuck | None = None,
) -> Data:
    """Return a game as data for the stepper.

    ``findings`` maps the index of a hand in the game (from 0) to its findings, ``choices`` to its decisions;
    ``hands`` holds the indices of the hands to include, None for all. ``luck`` is the game's; a
    chart of it needs all hands.
    """
    marks, decided = findings or {}, choices or {}
    is_over = not game.is_cut and None not in game.final_scores
    count = game.hand_end - game.hand_begin
    last = count - 1 if is_over else None
    names = player_names(game)
    shown = range(count) if hands is None else sorted(hands)
    return {
        "title": _title(game),
        "words": [display_name(words) for words in game_words(game)],
        "names": names,
        "grades": [grade_name(dan) for dan in game.dan],
        "final": list(game.final_scores),
        "points": [None if p is None or not math.isfinite(p) else p for p in game.final_points],
        "hands": [
            hand_data(game.hand(index), names, marks.get(index, ()), decided.get(index, ()))
            | {"over": index == last}
            | ({} if luck is None else {"luck": nodes_data(luck.hands[index])})
            for index in shown
        ],
        **({"luck": luck_data(luck, game.hands, names)} if luck is not None and len(shown) == count else {}),
    }


def _title(game: Game) -> str:
    """Return the game's id, or the name of its file: shared pages must not reveal folders."""
    return display_name(game.id or game.source.replace("\\", "/").rpartition("/")[2]) or _(
        "game without a name"
    )


def player_names(game: Game) -> list[str]:
    """Return the players' names by seat, printable; ``seat 2`` where the log has none."""
    return [display_name(name) or _("seat {seat}").format(seat=seat) for seat, name in enumerate(game.names)]


def hand_data(
    hand: Hand, names: Sequence[str], findings: Sequence[Finding] = (), choices: Sequence[JudgedChoice] = ()
) -> Data:
    """Return one hand as data for the stepper; ``names`` are printable."""
    return judged(_HandData(hand, names).data(), findings, choices, hand.event_begin)


def judged(hand: Data, findings: Sequence[Finding], choices: Sequence[JudgedChoice], begin: int) -> Data:
    """Return a hand, whose first event has the row ``begin``, with these findings and decisions."""
    marks, told = list(map(_mark, findings)), [_choice(choice, begin) for choice in choices]
    return hand | {"marks": marks, "choices": told}


class _HandData:
    """Writes one hand, event by event."""

    def __init__(self, hand: Hand, names: Sequence[str]) -> None:
        self._hand = hand
        self._names = names
        self._tracker = Tracker(hand)
        self._is_riichi = is_riichi(hand)
        self._events = hand.events
        self._rules = hand.rules
        self._shown = [_state(state) for state in self._tracker.seats]
        self._rested = [(seat, _held(state)) for seat, state in enumerate(self._tracker.seats)]
        """Hands between two draws, in the order of play: the waits of all are found at once, in the end."""
        self._wins = {win.event: win for win in hand.wins}
        self._draw = hand.draw

    def data(self) -> Data:
        """Return the hand."""
        hand = self._hand
        dealt = [format_tiles(state.closed) for state in self._tracker.seats]
        events = list(map(self._event, self._events))
        waits = self._write_waits(events)
        return {
            "index": hand.index,
            "label": hand.label,
            **({} if (said := label_said(hand.label)) == hand.label else {"said": said}),
            "title": hand_title(hand),
            "round": round_name(hand),
            "honba": hand.honba if self._is_riichi else 0,
            "furiten": self._is_riichi,
            "sticks": hand.sticks,
            "dealer": hand.dealer,
            "scores": list(hand.scores),
            "dora": _tile(hand.dora) if self._is_riichi else "",
            "makes": self._dora(hand.dora),
            "dealt": dealt,
            "waits": waits,
            "wall": hand.rules.live_wall,
            "result": self._result(),
            "events": events,
        }

    def _result(self) -> str:
        if self._wins:
            return _(", ").join(map(self._win_words, self._wins.values()))
        return _("unfinished") if self._draw is None else draw_name(self._draw)

    def _dora(self, indicator: int | None) -> str:
        return "" if indicator is None else _tile(dora_of(indicator, self._hand.players))

    def _write_waits(self, events: Sequence[Data]) -> list[str]:
        """Write waits into the events that change them; return those of the hands as dealt, by seat."""
        every = dict.fromkeys(held for _seat, held in self._rested)
        if self._is_riichi:  # few hands wait
            sizes = [(closed, len(melds)) for closed, melds in every]
            every = dict.fromkeys(compress(every, may_wait(sizes, sanma=self._rules.table.players == 3)))
        found = {held: self._found_waits(*held) for held in every}
        rested = ((seat, found.get(held, "")) for seat, held in self._rested)
        dealt = [waits for _seat, waits in islice(rested, len(self._shown))]
        before = dealt.copy()
        for event in events:
            if "w" in event:
                seat, event["w"] = next(rested)
                if event["w"] == before[seat]:
                    del event["w"]
                else:
                    before[seat] = event["w"]
        return dealt

    def _found_waits(self, closed: Tiles, melds: tuple[Tiles, ...]) -> str:
        try:
            return format_tiles(engine_of(self._rules).waits(self._rules, closed, melds))
        except ValueError:  # hidden tiles, an inconsistent log, or a player about to discard
            return ""

    def _name(self, seat: int | None) -> str:
        return self._names[seat] if seat is not None and seat < len(self._names) else _("a player")

    def _win_words(self, win: Win) -> str:
        if win.is_tsumo:
            return _("Tsumo: {player}").format(player=self._name(win.seat))
        return _("Ron: {player} from {other}").format(
            player=self._name(win.seat), other=self._name(win.source)
        )

    def _event(self, event: Event) -> Data:
        data: Data = {"k": _NAMES[event.kind]}
        if event.seat is not None:
            data["s"] = event.seat
        if event.tile is not None or event.kind in _WITH_TILE:
            data["t"] = _tile(event.tile)
        if event.source is not None and event.source != event.seat:
            data["f"] = event.source
        if event.foul is not None:
            data["foul"] = event.foul
        if event.flags and event.is_order_uncertain:
            data["u"] = 1
        self._tracker.apply(event)
        if event.kind == EventKind.DORA:
            data["makes"] = self._dora(event.tile)
        if event.seat is not None and event.seat < self._hand.players:
            data |= self._changes(event.kind, event.seat)
            if event.kind != EventKind.DRAW:
                data |= self._marks_of_turn(event, event.seat)
        return data | self._end(event) if event.kind in _ENDS else data

    def _changes(self, kind: EventKind, seat: int) -> Data:
        """Return what an event changed in a seat's state, and ``w`` where the waits are to be found."""
        if kind not in _MOVES:
            return {}
        state, before = self._tracker.seats[seat], self._shown[seat]
        parts = _HELD_PARTS if kind in _OF_CLOSED else _STATE
        changed = {key: now for key, write in parts.items() if (now := write(state)) != before[key]}
        before |= changed
        if state.drawn is not None:
            return changed
        self._rested.append((seat, _held(state)))
        return changed | {"w": ""}

    def _marks_of_turn(self, event: Event, seat: int) -> Data:
        table, data = self._tracker, Data()
        if event.kind == EventKind.RIICHI:
            data |= {"o": 1} if EventFlag.OPEN in event.flags else {}
        elif event.kind == EventKind.DISCARD:
            thrown = table.seats[seat].river[-1]
            data |= {"g": 1} if thrown.tsumogiri else {}
            data |= {"r": 1} if thrown.riichi else {}
        elif event.kind == EventKind.RIICHI_PAID:
            data |= {"p": list(table.scores), "x": table.sticks}
        elif event.source not in (None, seat) and event.kind in CALLS:
            source_river = table.seats[event.source].river if event.source < self._hand.players else []
            data |= {"c": len(source_river) - 1} if source_river else {}
        return data

    def _end(self, event: Event) -> Data:
        """Return the end of the hand as the log states it, at the event that ends it."""
        table = self._tracker
        win = self._wins.get(event.index) if event.kind == EventKind.WIN else None
        if win is not None:
            return {"win": self._win(win), "p": list(table.scores), "x": table.sticks}
        if event.kind == EventKind.HAND_DRAW and self._draw is not None:
            return {"draw": _draw(self._draw), "p": list(table.scores)}
        return {}

    def _win(self, win: Win) -> Data:
        closed, state = winning_hand(win, self._tracker.seats)
        data: Data = {
            "words": self._win_words(win),
            "hand": format_tiles(sort_tiles(closed)),
            "tile": _tile(win.tile),
            "melds": list(map(_meld, state.melds)),
            "kita": state.kita,
            "bonus": format_tiles(sort_tiles(state.bonus)),
            "worth": worth(win),
            "yaku": value_words(win, self._hand.rules) + own_score_words(win, self._names),
            "dora": format_tiles(win.dora),
            "ura": format_tiles(win.ura),
            "deltas": list(win.deltas),
        }
        return data if win.liable is None else data | {"liable": self._name(win.liable)}


_written = lru_cache(maxsize=10_000)(format_tiles)
"""For what is written again and again: a draw leaves the rest of the hand as it is."""


Tiles = tuple[int, ...]
Held = tuple[Tiles, tuple[Tiles, ...]]
"""Closed tiles, and melds."""


def _held(state: SeatState) -> Held:
    return tuple(state.closed), tuple(tuple(meld.tiles) for meld in state.melds)


_HELD_PARTS: dict[str, Callable[[SeatState], Any]] = {
    "h": lambda state: _written(tuple(state.closed)),
    "d": lambda state: None if state.drawn is None else _tile(state.drawn),
}
_STATE = _HELD_PARTS | {
    "m": lambda state: list(map(_meld, state.melds)),
    "n": lambda state: state.kita,
    "b": lambda state: format_tiles(sort_tiles(state.bonus)) if state.bonus else "",
}
"""Key -> what it says of a player, without the river and the waits."""


def _state(state: SeatState) -> Data:
    return {key: write(state) for key, write in _STATE.items()}


_NAMES = {kind: kind.name.lower() for kind in EventKind}
_ENDS = frozenset({EventKind.WIN, EventKind.HAND_DRAW})
_OF_CLOSED = frozenset({EventKind.DRAW, EventKind.DISCARD})
"""What changes closed tiles alone."""
_MOVES = _OF_CLOSED | {
    EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA,
    EventKind.BONUS,
}  # fmt: skip
"""What changes a player's tiles."""


_WITH_TILE = frozenset({EventKind.BONUS, EventKind.DRAW, EventKind.DISCARD, EventKind.DORA, EventKind.WIN})


def _tile(tile: int | None) -> str:
    return _written((NO_TILE if tile is None else tile,))


def _meld(meld: LaidMeld) -> Data:
    data: Data = {"t": format_tiles(meld.tiles), "k": meld.kind.name.lower()}
    if meld.kind != EventKind.ANKAN:
        return data | {"x": meld.sideways.start}
    # The outer two are turned over; a red five shows in the middle.
    tiles = sorted(meld.tiles, key=is_red)
    return data | {"t": format_tiles([tiles[0], *tiles[2:], tiles[1]] if len(tiles) > 3 else tiles)}


def _draw(draw: HandDraw) -> Data:
    return {
        "name": draw_name(draw),
        "tenpai": list(draw.tenpai),
        "shown": [format_tiles(sort_tiles(tiles)) for tiles in draw.shown],
        "deltas": list(draw.deltas),
    }


def _choice(choice: JudgedChoice, begin: int) -> Data:
    """Return a decision of a hand whose first event has the row ``begin``."""
    options = choice.options[:_SHOWN_OPTIONS]
    options += [one for one in choice.options[_SHOWN_OPTIONS:] if one["chosen"] or one["best"]]
    names = ("shanten", "accepted", "deal_in_percent", "total")
    return {
        "e": choice.event - begin,
        "s": choice.seat,
        "l": choice.loss,
        "x": choice.verdict.price if choice.verdict and choice.is_mistake else "",
        "c": next(place for place, one in enumerate(options) if one["chosen"]),
        "b": next(place for place, one in enumerate(options) if one["best"]),
        **({"u": 1} if choice.code == UNUSUAL else {}),
        "o": [[spoken_option(one["option"]), *(one[name] for name in names)] for one in options],
    }


def _mark(finding: Finding) -> Data:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "event": finding.event,
        "seat": finding.seat,
        "text": printable(finding.message),
    }


# --- luck ----------------------------------------------------------------------------------------------

_MOMENTS = {
    EventKind.DRAW: N_("{player} draws {tile}"),
    EventKind.DISCARD: N_("{player} discards {tile}"),
    EventKind.ANKAN: N_("{player} declares a closed kan of {tile}"),
    EventKind.KAKAN: N_("{player} adds {tile} to a pon for an added kan"),
    EventKind.DAIMINKAN: N_("{player} calls an open kan on {tile} from {other}"),
    EventKind.DORA: N_("New dora indicator: {tile}"),
    EventKind.WIN: N_("{player} wins by ron on {tile} from {other}"),
}
_TSUMO = N_("{player} wins by tsumo on {tile}")


def luck_data(luck: GameLuck, hands: Sequence[Hand], names: Sequence[str]) -> dict[str, Any]:
    """Return the luck of a whole game, whose ``hands`` are given; ``names`` are printable."""
    boundaries = [hand.places for hand in luck.hands] + [luck.hands[-1].places_after]
    known = [seats for seats in boundaries if seats is not None]
    return {
        "chances": [[[round(100 * chance) for chance in one] for one in seats] for seats in known],
        "places": [[round(mean_place(one), 3) for one in seats] for seats in known],
        "course": [_course(hand) for hand in luck.hands],
        "luck": [_points(hand.luck) for hand in luck.hands],
        "turns": [_turn(hand, hands[hand.number], names) for hand in luck.turning_points()],
    }


def _course(hand: HandOfLuck) -> dict[str, Any]:
    return {
        "e": [moment.event for moment in hand.moments],
        "p": [[round(mean_place(one), 2) for one in moment.places] for moment in hand.moments],
    }


def nodes_data(hand: HandOfLuck) -> list[dict[str, Any]]:
    """Return the chance nodes of a hand that are worth a word."""
    return [{"e": node.event, "l": _points(node.luck)} for node in hand.nodes if node.is_notable]


def _turn(hand: HandOfLuck, shown: Hand, names: Sequence[str]) -> dict[str, Any]:
    turn = hand.turn
    assert turn is not None  # noqa: S101  turning points have place chances
    moved = _largest(turn.swing)
    return {
        "h": hand.number,
        "s": _largest(hand.swing),
        "e": turn.event,
        "w": _words(None if turn.event is None else shown.events[turn.event], names),
        "o": moved,
        "f": round(mean_place(turn.places_before[moved]), 2),
        "t": round(mean_place(turn.places[moved]), 2),
    }


def _words(event: Event | None, names: Sequence[str]) -> str:
    if event is None:
        return _("deal")
    is_tsumo = event.kind == EventKind.WIN and event.source == event.seat
    text = _(_TSUMO if is_tsumo else _MOMENTS.get(event.kind, N_("The hand ends in a draw")))
    return text.format(
        player="" if event.seat is None else names[event.seat],
        other="" if event.source is None else names[event.source],
        tile="" if event.tile is None else tile_name(event.tile),
    )


def _largest(values: BySeat) -> int:
    return max(range(len(values)), key=lambda seat: abs(values[seat]))


def _points(luck: BySeat) -> list[int]:
    return list(map(round, luck))
