"""What a row of the review means in its place: its context and its message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import bits_of
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.values import ValuePair
from paifu.replay.language import N_, _, pgettext
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.review.danger_rates import deal_in_percent
from paifu.replay.review.results import Alternative, Danger, Threat, alternatives
from paifu.replay.table.replayed import Replay

DANGER_NAMES = {
    Danger.GENBUTSU: "genbutsu",
    Danger.HONOUR_0: "honour 0 unseen",
    Danger.HONOUR_1: "honour 1 unseen",
    Danger.HONOUR_2: "honour 2 unseen",
    Danger.HONOUR_3: "honour 3 unseen",
    Danger.TERMINAL_0: "terminal 0 unseen",
    Danger.TERMINAL_1: "terminal 1 unseen",
    Danger.TERMINAL_2: "terminal 2 unseen",
    Danger.TERMINAL_3: "terminal 3 unseen",
    Danger.SUJI_19: "suji 1/9",
    Danger.SUJI_28: "suji 2/8",
    Danger.SUJI_37: "suji 3/7",
    Danger.SUJI_456: "suji 4-6",
    Danger.NO_CHANCE: "no chance",
    Danger.ONE_CHANCE: "one chance",
    Danger.HALF_SUJI: "half suji",
    Danger.NO_SUJI_19: "no suji 1/9",
    Danger.NO_SUJI_28: "no suji 2/8",
    Danger.NO_SUJI_37: "no suji 3/7",
    Danger.NO_SUJI_456: "no suji 4-6",
}
THREAT_NAMES = {Threat.RIICHI: "riichi", Threat.OPEN: "open hand"}


@dataclass(frozen=True)
class Cause:
    """Where a furiten comes from."""

    event: int
    """Position among the hand's events, from 0."""
    seat: int
    tile: str
    turn: int
    """Discards of that seat so far, this one included."""


@dataclass(frozen=True)
class ReviewCase(FindingContext):
    """A finding of the review and what surrounds it; ``row`` holds the columns of ReviewFindings."""

    row: dict[str, Any]
    is_weighed: bool = False
    """What a deal-in risked is said by a model: that of classes of tiles would be another number for it."""

    @property
    def is_note(self) -> bool:
        """No mistake after all."""
        return bool(self.row["is_note"])

    @property
    def points(self) -> int:
        """Points that passed by or were paid; 0 where there are none. They are not a price of a choice."""
        return int(self.row["cost"])

    def player(self, seat: int) -> str:
        """Name a player for people: the name in the log, else the seat."""
        return str(self.batch.games.names[self.game, seat]) or _("seat {seat}").format(seat=seat)

    @property
    def other(self) -> str:
        """Name the other player concerned."""
        return self.player(int(self.row["other"]))

    @property
    def shown(self) -> int:
        """How many events of the hand come before the choice: the draw that could have won is one of them."""
        return (self.index or 0) + (self.kind == EventKind.DRAW)

    @property
    def winners(self) -> list[int]:
        """Seats that won the tile dealt in, in the order of turns."""
        players, bits = int(self.batch.games.players[self.game]), int(self.row["winners"])
        seats = [(self.seat + step) % players for step in range(1, players)]
        return [seat for seat in seats if bits >> seat & 1]

    @cached_property
    def waits(self) -> str:
        """The player's waits."""
        return format_tiles(bits_of(int(self.row["waits"])))

    @property
    def better(self) -> str | None:
        """The better discard, if there is one."""
        return None if self.row["better"] == NO_TILE else tile_name(int(self.row["better"]))

    @cached_property
    def cause(self) -> Cause | None:
        """Where the furiten comes from."""
        event = int(self.row["cause"])
        if event < 0:
            return None
        events, begin = self.batch.events, int(self.batch.hands.event_begin[self.hand])
        seat = int(events.seat[event])
        before = slice(begin, event + 1)
        turn = int(((events.kind[before] == EventKind.DISCARD) & (events.seat[before] == seat)).sum())
        return Cause(event - begin, seat, tile_name(int(events.tile[event])), turn)

    @cached_property
    def threats(self) -> list[tuple[int, Threat, Danger]]:
        """Seat, reason and the tile's class of each threat."""
        packed, classes = int(self.row["threats"]), int(self.row["classes"])
        return [
            (seat, Threat(packed >> 2 * seat & 3), Danger(classes >> 8 * seat & 255))
            for seat in range(4)
            if packed >> 2 * seat & 3
        ]

    @cached_property
    def alternatives(self) -> list[Alternative]:
        """What else could have been discarded, the safest first, then what costs the least shanten."""
        found = alternatives(self.row["alternatives"], int(self.row["choices"]))
        return sorted(found, key=lambda one: (self.level(one), one.shanten_given_up, one.kind))

    def level(self, one: Alternative) -> int:
        """Return the level of a discard against the threat for which it is highest."""
        return max((one.dangers[seat].level(threat) for seat, threat, _ in self.threats), default=0)

    def worst(self, one: Alternative) -> Danger | None:
        """Return the class of a discard against the threat to which it deals in most often; None without."""
        found = (
            (self.percent(threat, one.dangers[seat]), one.dangers[seat]) for seat, threat, _ in self.threats
        )
        return max(found, default=(0.0, None))[1]

    def risk(self, dangers: Iterable[Danger]) -> float:
        """Return how many of a hundred discards deal in with these classes against the threats, in order."""
        safe = 1.0
        for (_seat, threat, _danger), danger in zip(self.threats, dangers, strict=True):
            safe *= 1 - self.percent(threat, danger) / 100
        return round(100 * (1 - safe), 1)

    @property
    def threatened(self) -> float:
        """How many of a hundred discards of this tile deal in to any of the threats."""
        return self.risk(danger for _, _, danger in self.threats)

    def risk_of(self, one: Alternative) -> float:
        """Return how many of a hundred such discards deal in to any of the threats."""
        return self.risk(one.dangers[seat] for seat, _, _ in self.threats)

    @property
    def safest(self) -> Alternative | None:
        """The safest of the alternatives that were safer than the tile that dealt in, if there was one."""
        return next((one for one in self.alternatives if one.is_safer), None)

    def percent(self, threat: Threat, danger: Danger) -> float:
        """How many in a hundred such tiles, discarded against such a threat, dealt in to it in real games."""
        return deal_in_percent(int(self.batch.games.players[self.game]), threat, danger)


class Weighed(Protocol):
    """A decision in words."""

    @property
    def made(self) -> str:
        """What was chosen."""

    @property
    def best(self) -> str:
        """What was best."""

    @property
    def why(self) -> str:
        """What makes the best option worth more."""

    @property
    def cost(self) -> int:
        """Points that such a decision costs; 0 where there is no more than an estimate."""

    @property
    def price(self) -> str:
        """That in words, and how it is known; empty where it is not."""


@dataclass(frozen=True)
class LossCase(FindingContext):
    """A decision that lost points by the model; ``event`` is the move, or the discard that was on offer."""

    loss: int
    """By the model."""
    decision: Weighed

    @property
    def points(self) -> int:
        """Price of such a choice; 0 where there is no more than an estimate."""
        return self.decision.cost

    @property
    def shown(self) -> int:
        """How many events of the hand come before the choice: the tile on offer is one of them."""
        is_own = int(self.batch.events.seat[self.event]) == self.seat
        return (self.index or 0) + (not is_own)


def review_cases(replayed: Replay, seats: npt.NDArray[np.bool_] | None = None) -> Iterator[ReviewCase]:
    """Yield what the review found, each with its context, in order; nothing where none was asked for.

    ``seats`` (hands, 4) says of which seats; of all, if not given.
    """
    if replayed.review is None:
        return
    table = replayed.review.findings
    if seats is not None:
        table = table.rows(seats[table.hand, table.seat])
    columns = {name: column.tolist() if column.ndim == 1 else column for name, column in table.arrays()}
    for number in range(len(table)):
        row = {name: column[number] for name, column in columns.items()}
        own = {name: row[name] for name in ("code", "game", "hand", "event", "seat", "tile")}
        yield ReviewCase(replayed, **own, expected=0, actual=0, reason=0, row=row)


# --- expected and actual -------------------------------------------------------------------------------


def discards(case: ReviewCase) -> ValuePair:
    """The better discard, and the one made."""
    return case.better, case.tile_text


def win_or_not(case: ReviewCase) -> ValuePair:
    """What the win would have brought, and nothing."""
    return case.points, 0


def safer_discard(case: ReviewCase) -> ValuePair:
    """The safest tile in hand if it is safer, and the one discarded."""
    safest = case.safest
    return None if safest is None else tile_name(safest.kind), case.tile_text


def kan_values(case: ReviewCase) -> ValuePair:
    """Mean values of a ron with the other choice and with the one made."""
    return int(case.row["better_value"]), int(case.row["value"])


def options(case: LossCase) -> ValuePair:
    """The best option, and the one chosen."""
    return case.decision.best, case.decision.made


# --- messages ------------------------------------------------------------------------------------------


def _clauses(*texts: str) -> str:
    """Join what a message says in several clauses; empty ones are left out."""
    return _("; ").join(filter(None, texts))


def _because(case: ReviewCase) -> str:
    """Say where a furiten comes from."""
    cause = case.cause
    if cause is None:
        return ""
    if cause.seat == case.seat:
        return _("{tile} discarded in turn {turn}").format(tile=cause.tile, turn=cause.turn)
    text = _("{tile} of {player} let pass in turn {turn}")
    return text.format(tile=cause.tile, player=case.player(cause.seat), turn=cause.turn)


def _about(percent: float) -> str:
    return f"{percent:.0f}%" if percent >= 1 else "0%" if percent == 0 else _("under 1%")


def _threats(case: ReviewCase) -> str:
    """Say what a tile that dealt in was against each threat, and who won it without having shown one."""
    against = _("{danger} against {threat} of {player}")
    if len(case.threats) == 1 and not case.is_weighed:  # else the risk is said once, after all threats
        against = _("{danger} against {threat} of {player} ({percent})")
    seen = [
        against.format(
            danger=_(DANGER_NAMES[danger]),
            threat=_(THREAT_NAMES[threat]),
            player=case.player(seat),
            percent=_about(case.percent(threat, danger)),
        )
        for seat, threat, danger in case.threats
    ]
    feared = {seat for seat, *_rest in case.threats}
    nothing = _("{player} showed nothing")
    seen += [nothing.format(player=case.player(seat)) for seat in case.winners if seat not in feared]
    if len(case.threats) > 1 and not case.is_weighed:
        seen.append(_("{percent} together").format(percent=_about(case.threatened)))
    return _(", ").join(seen)


def _what_was_safer(case: ReviewCase) -> str:
    safest = case.safest
    worst = None if safest is None else case.worst(safest)
    if safest is None or worst is None:
        return ""
    risk, cost = 0 if case.is_weighed else case.risk_of(safest), safest.shanten_given_up
    if risk and cost:
        text = _("{tile} was {danger} ({percent}), at the cost of {shanten} shanten")
    elif risk:
        text = _("{tile} was {danger} ({percent})")
    elif cost:
        text = _("{tile} was {danger}, at the cost of {shanten} shanten")
    else:
        text = _("{tile} was {danger}")
    return text.format(
        tile=tile_name(safest.kind), danger=_(DANGER_NAMES[worst]), percent=_about(risk), shanten=cost
    )


def _cell(column: str) -> Callable[[ReviewCase], object]:
    return lambda case: case.row[column]


FIELDS: dict[str, Callable[[Any], object]] = {
    "waits": lambda case: case.waits,
    "cause": _because,
    "better": lambda case: case.better,
    "player": lambda case: case.other,
    "cost": lambda case: case.points,
    "players": lambda case: _(" and ").join(map(case.player, case.winners)),
    "threats": _threats,
    "taken": lambda case: int(case.row["place_taken"]) / 100,
    "passed": lambda case: int(case.row["place_passed"]) / 100,
    "fold": lambda case: case.cause.tile,
    "turn": lambda case: case.cause.turn,
    "made": lambda case: spoken_option(case.decision.made),
    "why": lambda case: case.decision.why,
    **{name: _cell(name) for name in ("live", "better_live", "value", "better_value", "place", "shanten")},
}
"""What templates of the review may name besides the fields of all findings."""


def _passed_by(case: ReviewCase) -> str:
    return _("a win of {cost} passed by") if case.points else ""


def riichi_in_furiten(case: ReviewCase) -> str:
    """F101."""
    better = _("discarding {better} waits for {better_live} live tiles without furiten")
    text = _("riichi in furiten: waits for {waits} ({live} live), {cause}")
    return _clauses(text, better if case.better is not None else "", _passed_by(case))


def into_furiten(case: ReviewCase) -> str:
    """F102."""
    text = _("discarding {tile} leaves a wait for {waits} ({live} live) in furiten")
    if case.cause is not None:
        text = _("discarding {tile} leaves a wait for {waits} ({live} live) in furiten: {cause}")
    better = _("discarding {better} keeps tenpai without it ({better_live} live)")
    return _clauses(text, better, _passed_by(case))


def _missed(text: str, away: str) -> Callable[[ReviewCase], str]:
    """Return what says that a win was passed up; ``away`` is for a player who was not at the table."""
    return lambda case: _clauses(_(away if case.is_note and not case.row["place"] else text), _places(case))


missed_ron = _missed(
    N_("no ron on {tile} of {player}: it would have won {cost}"),
    N_("no ron on {tile} of {player}: it would have won {cost} (the player was away)"),
)
"""W101 and W103."""
missed_tsumo = _missed(
    N_("no tsumo on {tile}: it would have won {cost}"),
    N_("no tsumo on {tile}: it would have won {cost} (the player was away)"),
)
"""W102."""


def _places(case: ReviewCase) -> str:
    """Say what a win passed up means for the final place."""
    text = _("from place {place}: place {taken:.3g} with the win, {passed:.2f} on average without")
    return text if case.row["place"] else ""


def dealt_in(case: ReviewCase) -> str:
    """All of family D."""
    text = _("{tile} deals into {players} for {cost}, {shanten} from tenpai: {threats}")
    if int(case.row["shanten"]) <= 0:
        text = _("{tile} deals into {players} for {cost}, in tenpai: {threats}")
    fold = _("the fold began with {fold} at turn {turn}") if case.cause is not None else ""
    return _clauses(text, _what_was_safer(case), fold)


def lost(case: LossCase) -> str:
    """All that follows from a loss: families P, E, C, K and R2."""
    return _clauses(_("{made}, but {why}"), case.decision.price)


OPTIONS = (
    "pass", "pon", "open kan", "riichi {}", "chi from {}", "closed kan {}", "added kan {}",
)  # fmt: skip
"""What options of a decision are called, beside discards, which are called by their tile."""


def spoken_option(option: str) -> str:
    """Write an option of a decision as people read it: ``riichi 4s``, ``pon``; a tile stays a tile."""
    if option in OPTIONS:
        return pgettext("option", option)
    what, blank, tile = option.rpartition(" ")
    return pgettext("option", f"{what} {{}}").format(tile) if blank else option
