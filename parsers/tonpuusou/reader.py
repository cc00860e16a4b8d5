"""Texts of Tonpuusou (``mjscore.txt``), a platform of 1998 to 2009, and of programs like it.

A game is a head, the players, for each hand a line with the changes of points, what the hand was worth, the
deals, dora and moves, and at last the places. Changes include the riichi stick that a player put down. Dora
are named, not their indicators; ``ドラ`` of a win counts those under the others, too. The text does not say
when an indicator was turned: at once after a closed kan, otherwise before the next discard.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from itertools import pairwise

from paifu.parsers.drafting import DEALT, HIDDEN_DEAL, STICK, DraftedGame, ListedYaku
from paifu.parsers.errors import ParseError
from paifu.parsers.packed_events import (
    kind_of_code,
    red_fives,
    seat_of,
    sticks_after,
    tile_of,
    turned,
)
from paifu.parsers.sources.documents import Document
from paifu.parsers.sources.surroundings import decoded
from paifu.parsers.tenhou import bounded
from paifu.parsers.tonpuusou.moves import Moves, indicator_of, tiles_of
from paifu.parsers.words import DRAW_WORDS, LIMIT_OF_WORD, yaku_of_name
from paifu.replay.model.batch import MAX_COUNT, MAX_FU, MAX_INDICATORS
from paifu.replay.model.builder import BatchBuilder, DraftRow, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, EventKind, HandEnd
from paifu.replay.model.tiles import FIVE_KINDS, NO_TILE, RED_MAN
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rulesets.log_rules import RuleChoice
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.rulesets.shown_rules import from_tiles
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.yaku import YAKU

_COPIES, _RETURN = 4, 30000
_WINDS = "東南西北"
_HEAD = re.compile(r"\s*={5}([^\n開]{0,200})開始\s*(\d{4})/(\d\d?)/(\d\d?)(?: (\d\d?):(\d\d))?")
_PLAYERS = re.compile(r"持点(\d{1,6})")
_PLAYER = re.compile(r"\[([1-4])\]((?:(?! R-?\d{1,6}(?:\s|$)).)*) R-?\d{1,6}(?=\s|$)")
_HAND = re.compile(r"\s*([東南西北])([1-4])局 *(\d{1,3})本場 *\(リーチ(\d{1,3})\)(.*)")
_DEAL = re.compile(r"\s*\[([1-4])([東南西北])\](\S*)")
_DORA = re.compile(r"\s*\[表ドラ\](\S*)\s*(?:\[裏ドラ\](\S*))?")
_RED = re.compile(r"5[MPS]")
_PLACE = re.compile(r"\s*\d位\s(.*)\s([+-]?\d{1,6})\s*$")
_WORTH = re.compile(r"(?:(\d{1,3})符)?\s*([^\sロツ]*)(ロン|ツモ)(?:\s+(.*))?")
_COUNTED = re.compile(r"(赤?ドラ)(\d{1,2})")
_DORA_ID, _URA_ID, _RED_ID, _A_WIND = 52, 53, 54, 10
_ENDS = DRAW_WORDS | {
    "三家リーチ": HandEnd.SUUCHA,
    "四家リーチ": HandEnd.SUUCHA,
    "二家和": HandEnd.SANCHAHOU,
    "四風子連打": HandEnd.SUUFON,
    "四開槓": HandEnd.SUUKAIKAN,
}
"""How a hand ended without a winner; with three players, all riichi and all others' ron are three and two."""


def read_tonpuusou(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder and costs its hand.
    """
    plain = decoded(text, "")
    if not plain:
        error = ParseError("the text is in no encoding that paifu knows", hint="save it as UTF-8")
        builder.add_fault(*astuple(error.fault(document.location)))
        return
    lines = plain.removeprefix("\ufeff").splitlines()
    begins = [at for at, line in enumerate(lines) if _HEAD.match(line)]
    for index, (begin, end) in enumerate(pairwise([*begins, len(lines)])):
        location = document.game_location(index, count=len(begins))
        _Game(location, lines[begin:end], begin + 1).add_to(builder)


@dataclass(slots=True)
class _Block:
    """The lines of one hand, told apart."""

    line: int
    row: DraftRow
    changes: list[int] | None
    worth: list[str] = field(default_factory=list)
    deals: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Number of a player -> wind and tiles."""
    dora: str = ""
    ura: str = ""
    moves: list[str] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Take a line after that which begins the hand."""
        if found := _DEAL.match(line):
            self.deals[int(found[1])] = found[2], found[3]
        elif found := _DORA.match(line):
            self.dora, self.ura = found[1], found[2] or ""
        elif line.lstrip().startswith("*"):
            self.moves += line.replace("*", " ").split()
        elif not self.deals and line.strip():
            self.worth.append(line.strip())


class _Game(DraftedGame):
    """One game while its lines are read."""

    format = "tonpuusou"

    def __init__(self, location: str, lines: Sequence[str], first: int) -> None:
        found = _HEAD.match(lines[0])
        table, year, month, day, hour, minute = found.groups() if found else ("",) * 6
        table = table.strip()
        super().__init__(location, rule=table[:200])
        self.lines, self.first = lines, first
        """The lines of the game, and the number of the first in the text."""
        if year:
            time = f"T{int(hour):02}:{minute}" if hour else ""
            self.draft.game["started"] = f"{year}-{int(month):02}-{int(day):02}{time}"
        self.is_east = not table.startswith("東南戦")
        self.names: list[str] = []
        self.turn = 0
        """The text's player, from 0, who deals first."""
        self.scores: list[int] | None = None
        """Points by seat before the next hand, as long as they are known."""
        self.start = self._line = 0
        self.points: dict[str, int] = {}
        self.has_reds = False

    # --- lines ----------------------------------------------------------------------------------------

    def read(self) -> None:
        """Take all lines."""
        self.has_reds = any(_RED.search(line) for line in self.lines)
        self.each_hand(self._blocks(), self._take_hand)

    def place(self) -> str:
        """The line after that which begins the hand."""
        return f"line {self._line + 1}"

    def _blocks(self) -> Iterator[_Block]:
        block: _Block | None = None
        for at, line in enumerate(self.lines, start=self.first):
            if found := _HAND.match(line):
                if block:
                    yield block
                block = self._begin(found, at)
            elif found := _PLACE.match(line):
                self.points[found[1].strip()] = int(found[2])
            elif block:
                block.take(line)
            elif found := _PLAYERS.search(line):
                self._seat_players(int(found[1]), line, at)
        if block:
            yield block

    def _seat_players(self, start: int, line: str, at: int) -> None:
        self.start = start
        self.names = [name.strip() for _, name in _PLAYER.findall(line)][:4]
        self.players = len(self.names)
        if self.players not in (3, 4):
            raise ParseError(f"{self.players} players are named", place=f"line {at}", code="V104")

    def _begin(self, found: re.Match[str], line: int) -> _Block:
        """Read the line that begins a hand, changes of points by the text's order of players."""
        if not self.names:
            raise ParseError("no players are named before the first hand", place=f"line {line}", code="V102")
        wind, number, honba, sticks, rest = found.groups()
        row: DraftRow = {
            "round": 4 * _WINDS.index(wind) + int(number) - 1,
            "honba": bounded(honba, 0, MAX_COUNT, "honba"),
            "sticks": bounded(sticks, 0, MAX_COUNT, "the number of sticks"),
            "dealer": int(number) - 1,
        }
        by_length = sorted({*self.names}, key=len, reverse=True)
        pattern = rf"\s+({'|'.join(map(re.escape, by_length))}) ([+-]?\d{{1,7}})(?=\s|$)"
        listed = re.findall(pattern, rest)
        changes: list[int] | None = [0] * 4
        if len({*self.names} - {""}) < self.players or re.sub(pattern, "", rest).strip():
            changes = None
        else:
            for name, change in listed:
                changes[self.names.index(name)] += int(change)  # type: ignore[index]
        return _Block(line, row, changes)

    # --- a hand ---------------------------------------------------------------------------------------

    def seat(self, number: int) -> int:
        """The seat of a player of the text, from 1."""
        if number > self.players:
            raise ParseError(f"player {number} of {self.players} moves", code="V105")
        return (number - 1 - self.turn) % self.players

    def _take_hand(self, _number: int, block: _Block) -> None:
        self._line = block.line
        try:
            self._hand(block)
        except ParseError as error:
            error.place = f"line {block.line}"
            raise

    def _hand(self, block: _Block) -> None:
        draft, row = self.draft, block.row
        if row["dealer"] >= self.players:
            raise ParseError(f"hand {row['dealer'] + 1} of a round with {self.players} players", code="V105")
        if not draft.hands:
            if not block.deals:
                hint = "have the program write whole records"
                raise ParseError("the text has results only, no tiles", code="V104", hint=hint)
            east = next((number for number, (wind, _) in block.deals.items() if wind == "東"), 1)
            self.turn = (east - 1 - row["dealer"]) % self.players
            self.scores = [self.start] * self.players + [0] * (4 - self.players)
        row["dealt"] = HIDDEN_DEAL * self.players
        if self.scores is not None:
            row["scores"] = self.scores
        self.begin_hand(row)
        change = None if block.changes is None else turned(block.changes, self.turn, self.players, 0)
        if change is None or self.scores is None:
            self.scores = None
        else:
            self.scores = [score + part for score, part in zip(self.scores, change, strict=True)]
        row["dealt"] = self._dealt(block)
        dora, ura = self._indicators(block)
        row["dora"] = dora[0] if dora else NO_TILE
        winners = Moves(self, self.seat, dora[1:]).play(block.moves)
        for word in self.words[self.begin :]:
            if change is not None and word & 31 == EventKind.RIICHI_PAID:
                change[seat_of(word)] += STICK
        self._end(block, winners, change, dora, ura)

    def _indicators(self, block: _Block) -> tuple[list[int], list[int]]:
        """Indicators of all dora; a five is the red one if the others of its kind are elsewhere."""
        seen = Counter(code for _, tiles in block.deals.values() for code in tiles_of(tiles))
        seen.update(code for move in block.moves if move[1:2] == "G" for code in tiles_of(move[2:]))
        found: list[list[int]] = []
        for text in (block.dora, block.ura):
            found.append([])
            for dora in tiles_of(text)[:MAX_INDICATORS]:
                code = indicator_of(dora, self.players)
                kind = kind_of_code(code)
                if self.has_reds and kind in FIVE_KINDS and seen[code] >= _COPIES - 1:
                    code = CODE_OF_TILE + RED_MAN + FIVE_KINDS.index(kind)
                seen[code] += 1
                found[-1].append(code)
        return found[0], found[1]

    def _dealt(self, block: _Block) -> bytes:
        dealt = {self.seat(number): tiles_of(tiles) for number, (_, tiles) in block.deals.items()}
        for seat in range(self.players):
            if len(dealt.get(seat, ())) != DEALT:
                count = len(dealt.get(seat, ()))
                raise ParseError(f"player {seat + 1} is dealt {count} tiles, not {DEALT}", code="V104")
        return b"".join(bytes(dealt[seat]) for seat in range(self.players))

    def _end(
        self,
        block: _Block,
        winners: list[tuple[int, int, int]],
        change: list[int] | None,
        dora: list[int],
        ura: list[int],
    ) -> None:
        """Put the result: of each winner seat, source and tile; or how the hand ended without one."""
        text = block.worth[0] if block.worth else ""
        if not winners and (not text or _WORTH.fullmatch(text)):
            return  # the text breaks off within the moves
        if not winners:
            end = _ENDS.get(text, HandEnd.UNKNOWN_DRAW)
            if end == HandEnd.UNKNOWN_DRAW:
                self.note_unknown("end of a hand", text)
            row: DraftRow = {"kind": end}
            if change is not None:
                row["deltas"] = change
                if end == HandEnd.EXHAUSTIVE and any(change):
                    row["tenpai"] = bytes(part > 0 for part in change)
            self.end_without_win(row)
            return
        riichi = {seat_of(word) for word in self.words[self.begin :] if word & 31 == EventKind.RIICHI}
        for at, (seat, source, tile) in enumerate(winners):
            row = {"seat": seat, "source": source, "tile": tile, "dora": bytes(dora)}
            if seat in riichi:
                row["ura"] = bytes(ura)
            if change is not None and len(winners) == 1:
                row["deltas"] = change
            if at < len(block.worth):
                self._worth(block.worth[at], row)
            self.win(row)

    def _worth(self, text: str, row: DraftRow) -> None:
        """Read what a hand is worth: ``30符 二飜ロン 白 ドラ1``."""
        found = _WORTH.fullmatch(text)
        if not found:
            self.note_unknown("value of a hand", text)
            return
        fu, limit, _, names = found.groups()
        if fu:
            row["fu"] = bounded(fu, 0, MAX_FU, "fu")
        row["limit"] = LIMIT_OF_WORD.get(limit, Limit.NONE)
        self.state_yaku(row, self._listed(names or "", row))

    def _listed(self, names: str, row: DraftRow) -> Iterator[ListedYaku]:
        under = self._under(row)
        is_open = any(
            word & 31 in (EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN) and seat_of(word) == row["seat"]
            for word in self.words[self.begin :]
        )
        rules = load_preset("tenhou")
        for name in names.split():
            if counted := _COUNTED.fullmatch(name):
                for dora, han in _counted(counted[1], int(counted[2]), under):
                    yield ListedYaku(dora, han, name)
            elif (number := yaku_of_name(name)) is None:
                yield ListedYaku(None, 0, name)
            else:
                usual = YAKU[number if number >= 0 else _A_WIND].han_under(rules)
                yield ListedYaku(number, usual[is_open], name)

    def _under(self, row: DraftRow) -> int:
        """How many of a winner's tiles are dora by the indicators under the others."""
        first = DEALT * row["seat"]
        tiles = Counter(map(kind_of_code, self.hand["dealt"][first : first + DEALT]))
        for word in self.words[self.begin :]:
            if seat_of(word) == row["seat"]:
                kind = word & 31
                taken = kind in (EventKind.DRAW, EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN)
                tiles[kind_of_code(tile_of(word))] += taken - (kind == EventKind.DISCARD)
        tiles[kind_of_code(row["tile"])] += row["seat"] != row["source"]
        wanted = [kind_of_code(code) for code in row.get("ura", b"")]
        return sum(
            copies * wanted.count(kind_of_code(indicator_of(CODE_OF_TILE + kind, self.players)))
            for kind, copies in tiles.items()
            if copies > 0 and kind != NO_TILE
        )

    # --- the end --------------------------------------------------------------------------------------

    def finish(self, *, is_whole: bool) -> GameDraft:
        """Return the draft, once all lines have been given."""
        self.draft.game["names"] = turned(self.names, self.turn, self.players, "")
        self.is_over = bool(self.points)
        return super().finish(is_whole=is_whole)

    def rules(self) -> RuleChoice:
        """Choose the rules by what the game, and its final table, show."""
        draft = self.draft
        names = draft.game["names"]
        others: dict[str, RuleValue] = {"start_points": self.start} if self.start else {}
        points = [self.points.get(name) for name in names[: self.players]]
        if self.scores is not None and None not in points and not draft.game["is_cut"]:
            settled = [point or 0 for point in points]
            self.scores = [*self.scores]
            self.scores[settled.index(max(settled))] += STICK * sticks_after(draft)
            draft.game["final_scores"] = self.scores
            others |= self._settled(settled)
        reds = red_fives(draft) or (0, 0, 0)
        return from_tiles(self.players, reds=reds, is_east=self.is_east, date="", others=others)

    def _settled(self, points: list[int]) -> dict[str, RuleValue]:
        """The bonus of each place, and the rounding, if the final table shows them: both are even."""
        scores = (self.scores or [])[: self.players]
        ranked = sorted(range(self.players), key=lambda seat: -scores[seat])
        for rounded, rules in _ROUNDINGS:
            uma = [points[seat] - rounded(scores[seat]) for seat in ranked[1:]]
            uma = [-sum(uma), *uma]
            if uma == [-part for part in reversed(uma)]:
                self.draft.game["final_points"] = [float(point) for point in points] + [0.0] * (
                    4 - self.players
                )
                return {**rules, "uma": [1000 * part for part in uma]}
        return {}


def _to_nearest(points: int) -> int:
    return int((points + (500 if points >= 0 else -500)) / STICK)


_ROUNDINGS: tuple[tuple[Callable[[int], int], dict[str, RuleValue]], ...] = (
    (lambda score: int((score - _RETURN) / STICK), {"rounding": "down", "rounding_of": "difference"}),
    (lambda score: _to_nearest(score) - _RETURN // STICK, {"rounding": "nearest"}),
)
"""How the platform rounds final points, and how the programs that write alike do; and the rules for it."""


def _counted(name: str, count: int, under: int) -> list[tuple[int, int]]:
    """Tell the dora of a win from the ``under`` under them, which the text counts as one."""
    if name != "ドラ":
        return [(_RED_ID, count)]
    return [(_DORA_ID, count - under), (_URA_ID, under)] if under < count else [(_URA_ID, count)]
