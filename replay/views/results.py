"""How a hand ended, as the log claims: a win, or a draw, as views."""

from __future__ import annotations

from dataclasses import dataclass

from paifu.replay.model.batch import Batch
from paifu.replay.model.events import NO_SEAT, HandEnd
from paifu.replay.model.patterns import StatedPattern, parse_patterns
from paifu.replay.scoring.limits import Limit
from paifu.replay.views.cells import Points, fields_of, known, name_of, stated

_NOT_SHOWN = -2


@dataclass(frozen=True, slots=True, repr=False)
class Win:
    """One win, as the log claims it. A hand with several rons has several."""

    row: int
    """Row in the batch's ``wins``."""
    event: int
    """Index of the win among the hand's events."""
    seat: int | None
    source: int | None
    """Seat that discarded the tile, or the winner itself on tsumo."""
    liable: int | None
    """Seat that pays by liability (pao); None for nobody, and where the log does not say."""
    tile: int | None
    tile_id: int | None
    tiles: tuple[int, ...]
    """Closed tiles, the winning tile included; empty where not shown."""
    tiles_id: tuple[int, ...]
    melds: tuple[int, ...] | None
    """Tenhou's meld codes, the newest first; None where the format shows no melds here."""
    fu: int | None
    points: int | None
    """Value of the hand without honba and sticks."""
    limit: Limit | None
    honba: int | None
    sticks: int | None
    yaku: tuple[tuple[int, int], ...]
    """(yaku id, han) in the order listed, 13 han a yakuman; empty where not stated."""
    patterns: tuple[StatedPattern, ...] | None
    """In games other than riichi, patterns and their values in the order listed; None where not stated."""
    own_scores: Points
    """By seat, what each hand counts for itself where losers score."""
    scores: Points
    """By seat, before this win is paid."""
    deltas: Points
    """By seat; a riichi stick paid earlier in the hand is not in."""
    chips: Points
    dora: tuple[int, ...]
    """Dora indicators as listed with the win."""
    ura: tuple[int, ...]

    @property
    def is_tsumo(self) -> bool:
        """Won by self-draw."""
        return self.source == self.seat

    @property
    def han(self) -> int:
        """Sum of the han listed; 0 where no yaku are."""
        return sum(han for _, han in self.yaku)

    def __repr__(self) -> str:
        value = [f"{self.han} han"] if self.yaku else []
        value += [f"{self.fu} fu"] if self.fu else []
        parts = [win_words(self) + f" on {name_of(self.tile)}", " ".join(value)]
        parts += [f"{self.points} points"] if self.points is not None else []
        return f"<Win {', '.join(filter(None, parts))}>"


@dataclass(frozen=True, slots=True, repr=False)
class HandDraw:
    """The end of a hand without a winner, as the log claims it."""

    row: int
    """Row in the batch's ``hand_draws``."""
    event: int
    """Index of the draw among the hand's events."""
    kind: HandEnd
    honba: int | None
    sticks: int | None
    scores: Points
    deltas: Points
    chips: Points
    tenpai: tuple[bool | None, ...]
    """By seat; None where not stated."""
    shown: tuple[tuple[int, ...], ...]
    """Closed tiles that each seat showed; empty for a seat that did not."""
    offender: int | None
    """Whose foul ended the hand, if one did."""

    def __repr__(self) -> str:
        tenpai = [str(seat) for seat, is_tenpai in enumerate(self.tenpai) if is_tenpai]
        suffix = f", tenpai {' '.join(tenpai)}" if tenpai else ""
        return f"<HandDraw {END_WORDS[self.kind]}{suffix}>"


END_WORDS = {
    HandEnd.UNFINISHED: "unfinished",
    HandEnd.WIN: "won",
    HandEnd.EXHAUSTIVE: "exhaustive draw",
    HandEnd.NAGASHI: "nagashi mangan",
    HandEnd.KYUUSHU: "nine terminals",
    HandEnd.SUUFON: "four winds",
    HandEnd.SUUCHA: "four riichi",
    HandEnd.SANCHAHOU: "three rons",
    HandEnd.SUUKAIKAN: "four kans",
    HandEnd.UNKNOWN_DRAW: "draw",
    HandEnd.CHOMBO: "foul",
}


def win_words(win: Win) -> str:
    """Say who won, and from whom."""
    seat = "?" if win.seat is None else win.seat
    return f"tsumo {seat}" if win.is_tsumo else f"ron {seat} from {'?' if win.source is None else win.source}"


def win_of(batch: Batch, row: int, begin: int, players: int) -> Win:
    """Return the win in a row of the batch's ``wins``; ``begin`` is the first event of its hand."""
    table = batch.wins
    cells = fields_of(Win, table, row, players)
    melds = table.melds[row].tolist()
    return Win(
        row=row,
        **cells
        | {
            "event": cells["event"] - begin,
            "liable": cells["liable"] if cells["liable"] != NO_SEAT else None,
            "melds": None if melds[0] == _NOT_SHOWN else tuple(code for code in melds if code >= 0),
            "limit": None if cells["limit"] is None else Limit(cells["limit"]),
            "yaku": tuple(zip(cells["yaku"], table.han[row].tolist(), strict=False)),
            "patterns": parse_patterns(cells["patterns"]),
        },
    )


def draw_of(batch: Batch, row: int, begin: int, players: int) -> HandDraw:
    """Return the draw in a row of the batch's ``hand_draws``; ``begin`` is the first event of its hand."""
    table = batch.hand_draws
    cells = fields_of(HandDraw, table, row, players)
    return HandDraw(
        row=row,
        **cells
        | {
            "event": cells["event"] - begin,
            "kind": HandEnd(cells["kind"]),
            "tenpai": tuple(None if one is None else bool(one) for one in cells["tenpai"]),
            "shown": tuple(stated(tiles) for tiles in table.shown[row, :players]),
        },
        offender=known(int(batch.events.seat[table.event[row]]), NO_SEAT),
    )
