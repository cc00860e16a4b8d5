"""One hand as lines for the terminal: head, dealt hands, moves, result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.text import Text

from paifu.coach.luck.views import HandOfLuck, Moment, Node, NodeKind
from paifu.replay.findings.finding import Finding
from paifu.replay.foreign_text import one_line
from paifu.replay.language import _
from paifu.replay.language import lines as breaking
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE, sort_tiles
from paifu.replay.positions.tracker import SeatState
from paifu.replay.views.cells import Points
from paifu.replay.views.games import Hand
from paifu.replay.views.results import HandDraw, Win
from paifu.reports.hands.hand_in_words import (
    COMING_AND_GOING,
    dora_of,
    draw_name,
    foul_text,
    hand_title,
    own_score_words,
    value_words,
    winning_hand,
    worth,
)
from paifu.reports.hands.preferences import PREFERENCE
from paifu.reports.terminal.move_table import GUTTER, WIDTH, MoveTable, SeatColumns, wrap
from paifu.reports.terminal.text import (
    DIM,
    FINDING,
    NOTE,
    RIICHI,
    TITLE,
    WIN,
    fit,
    hand_texts,
    meld_text,
    pad,
    tile_text,
    tiles_text,
)

_NAME_WIDTH = 16


class HandWriter:
    """Writes one hand.

    ``names`` are the players', by seat, as the log has them; ``viewer`` is the seat from which the hand is
    seen, None to see all tiles. ``marks`` are findings to show where they were made; ``losses`` are points to
    show beside a move, by event; ``luck`` is the luck of the hand, with place chances, None not to show any.
    """

    def __init__(
        self,
        hand: Hand,
        names: Sequence[str],
        viewer: int | None = None,
        marks: Iterable[Finding] = (),
        losses: Mapping[int, int] | None = None,
        luck: HandOfLuck | None = None,
    ) -> None:
        self._hand = hand
        self._names = [
            fit(name, _NAME_WIDTH) or _("seat {seat}").format(seat=seat) for seat, name in enumerate(names)
        ]
        self._viewer = viewer
        self._losses = losses or {}
        self._luck = luck
        self._nodes: dict[int | None, list[Node]] = {}
        for node in luck.nodes if luck is not None else ():
            if node.is_notable and (viewer is None or node.kind != NodeKind.DRAW or node.seat == viewer):
                self._nodes.setdefault(node.event, []).append(node)
        self._moments: dict[int | None, Moment] = {}
        """Events that changed place chances much; what follows the last of them is the next hand's."""
        for moment in luck.moments[:-1] if luck is not None else ():
            seat = None if moment.event is None else hand.events[moment.event].seat
            if moment.is_notable and viewer in (None, seat):
                self._moments[moment.event] = moment
        self._marks: dict[int | None, list[Finding]] = {}
        for finding in marks:
            self._marks.setdefault(finding.event, []).append(finding)
        players = hand.players
        first = hand.dealer or 0
        if viewer is None:
            self._columns = SeatColumns.of_all(first, players)
        else:
            self._columns = SeatColumns.seen_by(viewer, players)
        self._indent = " " * GUTTER
        self._running: Points = ()

    def lines(self) -> Iterator[Text]:
        """Yield the lines, none wider than 80 cells."""
        self._running = self._hand.scores
        yield self._title()
        yield from self._heads()
        yield from self._chances(None)
        yield from self._marked(None)
        table = MoveTable(self._hand, self._columns)
        for event in self._hand.events:
            if event.kind == EventKind.DORA:
                table.note(self._note(_("new "), self._dora(event.tile)))
            elif event.kind in COMING_AND_GOING:
                table.note(self._note(f"{self._name(event.seat)} {_(COMING_AND_GOING[event.kind])}"))
            elif event.foul is not None:
                table.note(self._note(foul_text(self._name(event.seat), event)))
            table.apply(event)
            if event.index in self._losses:
                table.remark(Text(f"-{self._losses[event.index]:,}", FINDING))
            for line in (*self._chances(event.index), *self._marked(event.index)):
                table.note(line)
        yield from table.finish()
        yield Text()
        yield from self._result(table.tracker.seats)

    def _name(self, seat: int | None) -> str:
        return self._names[seat] if seat is not None and seat < len(self._names) else _("somebody")

    def _marked(self, event: int | None) -> Iterator[Text]:
        """Yield the findings at an event, or with None those about the whole hand."""
        for finding in self._marks.get(event, ()):
            who = "" if finding.seat is None else f"{self._name(finding.seat)}: "
            text = f"{finding.code} {who}{finding.message}"
            style = NOTE if finding.name == PREFERENCE else FINDING
            for line in breaking.wrap(one_line(text), WIDTH - GUTTER):
                yield Text.assemble(self._indent, (line, style))

    def _note(self, *parts: str | Text) -> Text:
        return Text.assemble(self._indent, *((p, NOTE) if isinstance(p, str) else p for p in parts))

    # --- head ------------------------------------------------------------------------------------------

    def _title(self) -> Text:
        hand = self._hand
        title = Text.assemble("── ", (hand_title(hand), TITLE), " ")
        if hand.dora is not None:
            title.append("── ").append_text(self._dora(hand.dora)).append(" ")
        end = f" {hand.label} ──"
        title.append("─" * (WIDTH - title.cell_len - len(end))).append(end)
        title.truncate(WIDTH)
        return title

    def _dora(self, indicator: int | None) -> Text:
        """Name the dora that an indicator points to."""
        if indicator is None:
            return Text(_("dora ??"))
        dora = tile_text(dora_of(indicator, self._hand.players), TITLE)
        return Text.assemble(_("dora "), dora, (_(" (indicator "), DIM), tile_text(indicator), (")", DIM))

    def _heads(self) -> Iterator[Text]:
        """Yield the head of the columns: name, score and starting hand."""
        hand, columns = self._hand, self._columns
        names, scores, dealt = [], [], []
        for seat, width in zip(columns.seats, columns.widths, strict=True):
            wind = "?" if hand.dealer is None else _("ESWN")[(seat - hand.dealer) % hand.players]
            room = width - 1 - breaking.cells(wind)
            names.append(Text.assemble((wind, DIM), " ", (fit(self._names[seat], room), TITLE)))
            points = hand.scores[seat]
            scores.append(Text("" if points is None else str(points), style=DIM))
            tiles = sort_tiles(NO_TILE if tile is None else tile for tile in hand.dealt[seat])
            dealt.append(hand_texts(tiles, width) if self._viewer in (None, seat) else [])
        yield columns.line(names)
        if any(scores):
            yield columns.line(scores)
        if self._luck is not None and self._luck.places is not None:
            chances = [self._luck.places[seat] for seat in columns.seats]
            yield from columns.lines([_percents(places) for places in chances])
        if self._viewer is None:
            yield from columns.lines(dealt)

    # --- luck ------------------------------------------------------------------------------------------

    def _chances(self, event: int | None) -> Iterator[Text]:
        """Yield luck and place chances at an event, or with None those of the deal, below the seats."""
        for node in self._nodes.get(event, ()):
            yield from self._columns.lines([self._luck_of(node, seat) for seat in self._columns.seats])
        if event in self._moments:
            places = self._moments[event].places
            yield from self._columns.lines([_percents(places[seat]) for seat in self._columns.seats])

    def _luck_of(self, node: Node, seat: int) -> list[Text]:
        points = _luck_words(node.luck[seat])
        if node.kind == NodeKind.DEAL:
            return [Text(_("deal"), NOTE), points]
        if node.seat != seat:
            return [points]
        if node.kind == NodeKind.DRAW:
            return [tile_text(node.tile), points]
        return [Text(_("ura") if node.kind == NodeKind.URA else _("kan dora"), NOTE), points]

    # --- result ----------------------------------------------------------------------------------------

    def _result(self, seats: Sequence[SeatState]) -> Iterator[Text]:
        wins, draw = self._hand.wins, self._hand.draw
        for win in wins:
            yield from self._win(win, seats)
        if draw is not None:
            yield from self._draw(draw, seats)
        if not wins and draw is None:
            yield self._note(_("The log stops inside this hand."))
        if self._luck is not None:
            luck = self._luck.luck
            yield self._columns.line([_luck_words(luck[seat]) for seat in self._columns.seats])
        yield Text()

    def _win(self, win: Win, seats: Sequence[SeatState]) -> Iterator[Text]:
        how = _("Tsumo: {winner}") if win.is_tsumo else _("Ron: {winner} from {loser}")
        how = how.format(winner=self._name(win.seat), loser=self._name(win.source))
        yield from self._block([Text(how, style=WIN), *map(Text, worth(win))], gap=" · ")
        indicators = self._indicators(_("dora indicators "), win.dora) + self._indicators(_("ura "), win.ura)
        hand = [*self._shown(*winning_hand(win, seats)), tile_text(win.tile, WIN)]
        yield from self._block([*hand, *indicators], gap="   ")
        yield from self._block(list(map(Text, value_words(win, self._hand.rules))), gap=" · ")
        yield from self._block(list(map(Text, own_score_words(win, self._names))), gap=" · ")
        if win.liable is not None:
            yield self._note(_("{name} is liable").format(name=self._name(win.liable)))
        yield from self._scores(win.scores, win.deltas)

    def _shown(self, closed: Sequence[int], state: SeatState) -> list[Text]:
        """A hand laid open: closed tiles, melds, norths set aside; one piece unless it is very long."""
        width = WIDTH - GUTTER - _NAME_WIDTH - 1
        pieces = hand_texts(sort_tiles(closed), width)
        pieces += map(meld_text, state.melds)
        pieces += [Text(_(" kita x{count}").format(count=state.kita))] if state.kita else []
        pieces += [Text.assemble(" ", tiles_text(sort_tiles(state.bonus)))] if state.bonus else []
        return wrap(pieces, width, gap="")

    def _indicators(self, title: str, tiles: Sequence[int]) -> list[Text]:
        return [Text.assemble((title, DIM), Text(" ").join(map(tile_text, tiles)))] if tiles else []

    def _draw(self, draw: HandDraw, seats: Sequence[SeatState]) -> Iterator[Text]:
        words = [draw_name(draw)]
        if any(is_tenpai is not None for is_tenpai in draw.tenpai):
            tenpai = [name for name, is_tenpai in zip(self._names, draw.tenpai, strict=True) if is_tenpai]
            words += [_("· tenpai:"), *(f"{name}," for name in tenpai[:-1]), *(tenpai[-1:] or [_("nobody")])]
        yield from self._block([Text(word, style=TITLE) for word in words])
        for seat, tiles in enumerate(draw.shown):
            if tiles:
                name = pad(Text(self._names[seat]), _NAME_WIDTH)
                yield from self._block([name, *self._shown(tiles, seats[seat])])
        yield from self._scores(draw.scores, draw.deltas)

    def _scores(self, before: Points, deltas: Points) -> Iterator[Text]:
        """Yield each seat's score afterwards and its change, below the seat's column.

        What a seat has paid before (the stick of its riichi) stands apart.
        """
        cells: list[list[Text]] = []
        after = tuple(b if b is None else b + (d or 0) for b, d in zip(before, deltas, strict=True))
        for seat in self._columns.seats:
            score, earlier, now = after[seat], self._running[seat], before[seat]
            pieces = [] if score is None else [Text(str(score))]
            pieces += _change(deltas[seat], "red")
            pieces += _change(None if earlier is None or now is None else now - earlier, RIICHI)
            cells.append(pieces)
        self._running = after
        if any(cells):
            yield from self._columns.lines(cells)

    def _block(self, pieces: Sequence[Text], gap: str = " ") -> Iterator[Text]:
        for line in wrap(pieces, WIDTH - GUTTER, gap):
            yield Text.assemble(self._indent, line)


def _change(points: int | None, loss: str) -> list[Text]:
    """Format a score change, a loss in the colour ``loss``; empty if there is none."""
    return [Text(f"{points:+}", style="green" if points > 0 else loss)] if points else []


def _luck_words(points: float) -> Text:
    return Text(_("luck {points}").format(points=f"{round(points):+}"), NOTE)


def _percents(chances: Iterable[float]) -> list[Text]:
    """Format the chances of the 1st to the last place."""
    numbers = [f"{100 * chance:.0f}" for chance in chances]
    return [Text(number, DIM) for number in (*numbers[:-1], f"{numbers[-1]}%")]
