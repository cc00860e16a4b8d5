"""Built situations: one hand, written down move by move, as a batch without claims.

``moves`` are lines. A seat's turn is ``0 3m`` (draws 3m and discards it), ``0 3m 9s`` (discards 9s) or
``0 3m r9s`` (declares riichi with 9s). ``2 pon 9s 1z`` calls the 9s just discarded and discards 1z; ``2
chi 9s 78s 1z`` names the own tiles. ``0 3m kakan 3m``, ``0 3m ankan 1z`` and ``0 4z kita`` are followed
by the turn on the supplement. ``ron 2``, ``tsumo 0``, ``leave 2``, ``abort``; ``fill 3`` draws and
discards what is left, from seat 3 on, until the wall is empty; ``draw`` then ends the hand. Tiles that
nobody names are dealt so that those who hold them are far from tenpai.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_evidence import evidence
from paifu.replay.findings.review_sentences import ReviewCase, review_cases
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.events import CODE_OF_TILE, EventFlag, EventKind, HandEnd, pack
from paifu.replay.model.tile_notation import parse_tile, parse_tiles
from paifu.replay.model.tiles import NORTH, kind_of
from paifu.replay.rules.fields import RuleValue
from paifu.replay.table.engine import replay
from paifu.replay.table.replayed import Replay

_SCATTERED = [*range(0, 27, 3), *range(27, 34), *range(1, 27, 3), *range(2, 27, 3)]
"""Kinds in an order of which any thirteen make a bad hand."""


@dataclass
class Situation:
    """One hand: who holds what, what happens, and under which rules."""

    moves: str
    hands: dict[int, str] = field(default_factory=dict)
    players: int = 4
    dora: str = "9p"
    """The indicator."""
    round: int = 0
    honba: int = 0
    scores: Sequence[int] = (25000, 25000, 25000, 25000)
    rules: dict[str, RuleValue] = field(default_factory=dict)
    avoid: str = ""
    """Kinds that ``fill`` leaves in the dead wall."""

    def batch(self) -> Batch:
        """The batch of this one hand, cut off after it."""
        return _Builder(self).batch()

    def replayed(self) -> Replay:
        """What the engine makes of it; the moves must be legal."""
        replayed = replay(self.batch(), review=True)
        illegal = [code_of(code) for code in replayed.findings.code.tolist()]
        assert illegal == [], f"the situation itself is at fault: {illegal}"
        return replayed

    def cases(self) -> list[ReviewCase]:
        """What the review finds."""
        return list(review_cases(self.replayed()))

    def codes(self) -> list[tuple[str, int]]:
        """Code and seat of each finding."""
        return [(code_of(case.code), case.seat) for case in self.cases()]

    def found(self, code: str) -> tuple[ReviewCase, dict[str, Any]]:
        """The one finding of a code, and its evidence."""
        (case,) = [case for case in self.cases() if code_of(case.code) == code]
        return case, evidence(case)


class _Builder:
    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        sanma = situation.players == 3
        absent = range(1, 8) if sanma else range(0)
        self.left = Counter({tile: 4 for tile in range(34) if tile not in absent})
        for red, five in ((34, 4), (35, 13), (36, 22)):
            if five in self.left:
                self.left[five], self.left[red] = 3, 1
        overrides = json.dumps(situation.rules) if situation.rules else ""
        self.draft = GameDraft(
            {
                "id": "built", "source": "built", "ruleset": "tenhou-sanma" if sanma else "tenhou",
                "overrides": overrides, "players": situation.players, "is_cut": True,
                "names": ["Aki", "Ben", "Chie", "Dan"][: situation.players] + [""] * sanma,
            },
            (52, 88) if sanma else (16, 52, 88),
        )  # fmt: skip
        self.last = (0, 0)
        self.drawn: int | None = None
        self.unpaid = False
        self.wall = 55 if sanma else 70
        self.kakan = False
        self.pons: dict[tuple[int, int], int] = {}
        """Seat and kind of a pon, and whom it was called from."""

    def take(self, tile: int) -> int:
        """Take a tile out of the set."""
        assert self.left[tile] > 0, f"no more {tile} in the set"
        self.left[tile] -= 1
        return tile

    def say(
        self,
        kind: EventKind,
        *,
        seat: int = 255,
        tile: int = 255,
        source: int = 255,
        own: Iterable[int] = (),
        flags: int = 0,
    ) -> None:
        """Add an event; tiles are 0-36."""
        code = 255 if tile == 255 else CODE_OF_TILE + tile
        codes = tuple(CODE_OF_TILE + part for part in own)
        self.draft.words.append(pack(kind, seat, code, source, codes, flags))

    def batch(self) -> Batch:
        """Deal, then carry the moves out."""
        situation = self.situation
        lines = [line.split() for line in situation.moves.strip().splitlines()]
        hands = {seat: [self.take(t) for t in parse_tiles(text)] for seat, text in situation.hands.items()}
        drawn = {number: self.take(parse_tile(line[1])) for number, line in enumerate(lines) if _draws(line)}
        indicator = self.take(parse_tile(situation.dora))
        for kind in situation.avoid.split():
            self.left[parse_tile(kind)] = 0
        for seat in range(situation.players):
            if seat not in hands:
                hands[seat] = self.scattered()
            assert len(hands[seat]) == 13, f"seat {seat} has {len(hands[seat])} tiles"
        dealt = [CODE_OF_TILE + tile for seat in range(situation.players) for tile in hands[seat]]
        self.draft.begin_hand(
            0,
            {
                "round": situation.round, "honba": situation.honba, "sticks": 0,
                "dealer": situation.round % 4, "scores": [*situation.scores],
                "dealt": bytes(dealt), "dora": CODE_OF_TILE + indicator,
            },
        )  # fmt: skip
        for number, line in enumerate(lines):
            self.move(line, drawn.get(number))
        builder = BatchBuilder()
        builder.add(self.draft)
        return builder.finish()

    def scattered(self) -> list[int]:
        """Thirteen tiles that do not go together."""
        found = [kind for kind in _SCATTERED if self.left[kind] > 0][:13]
        return [self.take(kind) for kind in found]

    def move(self, line: list[str], drawn: int | None) -> None:
        """Carry one line out."""
        word = line[0]
        if word == "ron":
            self.win(int(line[1]), self.last[0])
        elif word == "tsumo":
            self.win(int(line[1]), int(line[1]))
        elif word in ("leave", "return"):
            self.say(EventKind.LEAVE if word == "leave" else EventKind.RETURN, seat=int(line[1]))
        elif word == "fill":
            self.fill(int(line[1]))
        elif word in ("draw", "abort"):
            kind = HandEnd.EXHAUSTIVE if word == "draw" else HandEnd.SANCHAHOU
            self.say(EventKind.HAND_DRAW)
            self.draft.hand_draw(len(self.draft.words) - 1, {"kind": int(kind)})
        elif drawn is None:
            self.call(int(word), *line[1:])
        else:
            self.turn(int(word), drawn, line[2:])

    def turn(self, seat: int, drawn: int, then: list[str]) -> None:
        """A draw and what follows it; nothing does where the win is told by the next line (``-``)."""
        self.pay()
        self.say(EventKind.DRAW, seat=seat, tile=drawn)
        self.last, self.drawn = (seat, drawn), drawn
        self.wall -= 1
        if self.kakan:
            self.turn_dora()
            self.kakan = False
        if not then:
            self.discard(seat, drawn)
        elif then[0] == "-":
            pass
        elif then[0] == "kita":
            self.say(EventKind.KITA, seat=seat, tile=NORTH)
            self.last = (seat, NORTH)
        elif then[0] == "kakan":
            tile = parse_tile(then[1])
            self.say(
                EventKind.KAKAN,
                seat=seat,
                tile=tile,
                source=self.pons[seat, kind_of(tile)],
                own=(kind_of(tile),) * 3,
            )
            self.last, self.kakan = (seat, tile), True
        elif then[0] == "ankan":
            tile = parse_tile(then[1])
            self.say(EventKind.ANKAN, seat=seat, tile=tile, own=(tile,) * 3)
            self.last = (seat, tile)
            self.turn_dora()
        elif then[0].startswith("r"):
            self.say(EventKind.RIICHI, seat=seat)
            self.discard(seat, parse_tile(then[0][1:]))
            self.unpaid = True
        else:
            self.discard(seat, parse_tile(then[0]))

    def turn_dora(self) -> None:
        """Turn an indicator that makes no dora of what anybody named."""
        kind = next(kind for kind in (33, 32, 31, 30, 29, 28, 27, 8, 17, 26) if self.left[kind] > 0)
        self.say(EventKind.DORA, tile=self.take(kind))

    def call(self, seat: int, word: str, tile: str, *others: str) -> None:
        """A call of the tile just discarded, and the discard after it."""
        self.pay()
        called = parse_tile(tile)
        self.drawn = None
        own = parse_tiles(others[0]) if word == "chi" else [kind_of(called)] * 2
        kind = EventKind.CHI if word == "chi" else EventKind.PON
        self.say(kind, seat=seat, tile=called, source=self.last[0], own=own)
        self.pons[seat, kind_of(called)] = self.last[0]
        self.discard(seat, parse_tile(others[-1]))

    def discard(self, seat: int, tile: int) -> None:
        """A discard; the flag of a tsumogiri is set where a draw of that tile comes before."""
        flags = EventFlag.TSUMOGIRI if self.drawn == tile else 0
        self.say(EventKind.DISCARD, seat=seat, tile=tile, flags=flags)
        self.last, self.drawn = (seat, tile), None

    def pay(self) -> None:
        """Pay the stick of a riichi that was not won."""
        if self.unpaid:
            self.draft.words.append(pack(EventKind.RIICHI_PAID, self.last[0]))
        self.unpaid = False

    def win(self, seat: int, source: int) -> None:
        """A win of which the log claims nothing."""
        self.say(EventKind.WIN, seat=seat, tile=self.last[1], source=source)
        row = {"seat": seat, "source": source, "tile": CODE_OF_TILE + self.last[1]}
        self.draft.win(len(self.draft.words) - 1, row)

    def fill(self, seat: int) -> None:
        """Draw and discard at once, from ``seat`` on, until the wall is empty."""
        self.pay()
        while self.wall:
            tile = next(tile for tile in (*_SCATTERED, 34, 35, 36) if self.left[tile] > 0)
            self.turn(seat, self.take(tile), [])
            seat = (seat + 1) % self.situation.players


def _draws(line: list[str]) -> bool:
    return line[0].isdigit() and line[1] not in ("pon", "chi")
