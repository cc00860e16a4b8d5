"""What a row of the review means in its place: its context, its message, and its evidence as plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any

from paifu.replay.findings.case import Case
from paifu.replay.findings.words import Pair
from paifu.replay.kernels import review_layout
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tiles import NO_TILE, format_tiles, tile_name
from paifu.replay.review.danger_rates import deal_in_percent
from paifu.replay.review.results import Alternative, Danger, Threat, alternatives, kinds_in
from paifu.replay.table.facts import Replay

Evidence = dict[str, Any]
"""Plain values: numbers, texts, None, and lists and dictionaries of these."""

FURITEN_NAMES = {
    review_layout.DISCARD_FURITEN: "discard",
    review_layout.TEMPORARY_FURITEN: "temporary",
    review_layout.RIICHI_FURITEN: "riichi",
}
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
class ReviewCase(Case):
    """A finding of the review and what surrounds it; ``row`` holds the columns of ReviewFindings."""

    row: dict[str, Any]

    @property
    def is_note(self) -> bool:
        """No mistake after all."""
        return bool(self.row["is_note"])

    @property
    def cost(self) -> int:
        """Points that the choice cost; 0 where no points can be named."""
        return int(self.row["cost"])

    def player(self, seat: int) -> str:
        """Name a player for people: the name in the log, else the seat."""
        return str(self.batch.games.names[self.game, seat]) or f"seat {seat}"

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
        """The own waits."""
        return format_tiles(kinds_in(int(self.row["waits"])))

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
        for (_, threat, _), danger in zip(self.threats, dangers, strict=True):
            safe *= 1 - self.percent(threat, danger) / 100
        return round(100 * (1 - safe), 1)

    def risk_of(self, one: Alternative) -> float:
        """Return how many of a hundred such discards deal in to any of the threats."""
        return self.risk(one.dangers[seat] for seat, _, _ in self.threats)

    @property
    def safest(self) -> Alternative | None:
        """The safest of the alternatives that were safer than the tile that dealt in, if there was one."""
        return next((one for one in self.alternatives if one.is_safer), None)

    def percent(self, threat: Threat, danger: Danger) -> float:
        """Of a hundred such tiles discarded against such a threat, how many dealt in to it in real games."""
        return deal_in_percent(int(self.batch.games.players[self.game]), threat, danger)


@dataclass(frozen=True)
class LossCase(Case):
    """A decision that cost points by the model; ``event`` is the move, or the discard that was on offer."""

    made: str
    """What was chosen, and below what was best, in words."""
    best: str
    loss: int
    why: str
    """What makes the best option worth more."""

    @property
    def cost(self) -> int:
        """Points that the choice cost."""
        return self.loss

    @property
    def shown(self) -> int:
        """How many events of the hand come before the choice: the tile on offer is one of them."""
        is_own = int(self.batch.events.seat[self.event]) == self.seat
        return (self.index or 0) + (not is_own)


def review_cases(replayed: Replay) -> Iterator[ReviewCase]:
    """Yield what the review found, each with its context, in order; nothing where none was asked for."""
    if replayed.review is None:
        return
    table = replayed.review.findings
    columns = {name: column.tolist() if column.ndim == 1 else column for name, column in table.arrays()}
    for number in range(len(table)):
        row = {name: column[number] for name, column in columns.items()}
        yield ReviewCase(
            replayed,
            row["code"],
            row["game"],
            row["hand"],
            row["event"],
            row["seat"],
            row["tile"],
            0,
            0,
            row,
        )


def of_review(function: Callable[[ReviewCase], Any]) -> Callable[[Case], Any]:
    """Let the table of findings, which knows cases of all kinds, call what needs one of the review."""

    @wraps(function)
    def called(case: Case) -> Any:
        assert isinstance(case, ReviewCase)  # noqa: S101  the codes of the review are of no use elsewhere
        return function(case)

    return called


# --- expected and actual -------------------------------------------------------------------------------


@of_review
def discards(case: ReviewCase) -> Pair:
    """The better discard, and the one made."""
    return case.better, case.tile_text


@of_review
def win_or_not(case: ReviewCase) -> Pair:
    """What the win would have brought, and nothing."""
    return case.cost, 0


@of_review
def safer_discard(case: ReviewCase) -> Pair:
    """The safest tile in hand if it is safer, and the one discarded."""
    safest = case.safest
    return None if safest is None else tile_name(safest.kind), case.tile_text


# --- messages ------------------------------------------------------------------------------------------


def _because(case: ReviewCase) -> str:
    """Say where a furiten comes from."""
    cause = case.cause
    if cause is None:
        return ""
    if cause.seat == case.seat:
        return f"{cause.tile} discarded in turn {cause.turn}"
    return f"{cause.tile} of {case.player(cause.seat)} let pass in turn {cause.turn}"


def _live(case: ReviewCase) -> str:
    return f"{case.row['live']} live"


@of_review
def riichi_in_furiten(case: ReviewCase) -> str:
    """F101."""
    text = f"riichi in furiten: waits for {case.waits} ({_live(case)}), {_because(case)}"
    if case.better is not None:
        text += f"; discarding {case.better} waits for {case.row['better_live']} live tiles without furiten"
    return text + (f"; a win of {case.cost} passed by" if case.cost else "")


@of_review
def into_furiten(case: ReviewCase) -> str:
    """F102."""
    return (
        f"discarding {case.tile_text} leaves a wait for {case.waits} ({_live(case)}) in furiten"
        f"{_if(_because(case), ': {}')}; discarding {case.better} keeps tenpai without it "
        f"({case.row['better_live']} live)" + (f"; a win of {case.cost} passed by" if case.cost else "")
    )


@of_review
def passed_in_furiten(case: ReviewCase) -> str:
    """F103, F104 and F105."""
    return (
        f"{case.tile_text} of {case.other} would have won {case.cost}, but for furiten: {_because(case)}"
        f" (waits for {case.waits})"
    )


@of_review
def furiten_tsumo(case: ReviewCase) -> str:
    """F106."""
    return f"tsumo on {case.tile_text} in furiten ({_because(case)})"


@of_review
def furiten_at_draw(case: ReviewCase) -> str:
    """F107."""
    return f"tenpai at the draw, but in furiten: waits for {case.waits}, {_because(case)}"


@of_review
def missed_ron(case: ReviewCase) -> str:
    """W101 and W103."""
    return f"no ron on {case.tile_text} of {case.other}: it would have won {case.cost}{_excuse(case)}"


@of_review
def missed_tsumo(case: ReviewCase) -> str:
    """W102."""
    return f"no tsumo on {case.tile_text}: it would have won {case.cost}{_excuse(case)}"


def _excuse(case: ReviewCase) -> str:
    row = case.row
    if row["place"]:
        taken, passed = int(row["place_taken"]) / 100, int(row["place_passed"]) / 100
        return (
            f"; in the last hand from place {row['place']}: place {taken:.3g} with the win, {passed:.2f} on "
            "average without"
        )
    return " (the player was away)" if case.is_note else ""


@of_review
def yakuless(case: ReviewCase) -> str:
    """W104."""
    return (
        f"{case.tile_text} of {case.other} completes the hand, but there is no yaku (waits for {case.waits})"
    )


def _if(text: str, template: str) -> str:
    return template.format(text) if text else ""


def _distance(shanten: int) -> str:
    return "in tenpai" if shanten <= 0 else f"{shanten} from tenpai"


def _about(percent: float) -> str:
    return f"{percent:.0f}%" if percent >= 1 else "0%" if percent == 0 else "under 1%"


@of_review
def dealt_in(case: ReviewCase) -> str:
    """All of family D."""
    seen = [
        f"{DANGER_NAMES[danger]} against {THREAT_NAMES[threat]} of {case.player(seat)} "
        f"({_about(case.percent(threat, danger))})"
        for seat, threat, danger in case.threats
    ]
    feared = {seat for seat, _, _ in case.threats}
    seen += [f"{case.player(seat)} showed nothing" for seat in case.winners if seat not in feared]
    names = " and ".join(map(case.player, case.winners))
    text = f"{case.tile_text} deals into {names} for {case.cost}, {_distance(int(case.row['shanten']))}: "
    text += ", ".join(seen)
    if sum(case.percent(threat, danger) > 0 for _, threat, danger in case.threats) > 1:
        text += f", {_about(case.risk(danger for _, _, danger in case.threats))} together"
    safest = case.safest
    worst = None if safest is None else case.worst(safest)
    if safest is not None and worst is not None:
        risk = case.risk_of(safest)
        text += f"; {tile_name(safest.kind)} was {DANGER_NAMES[worst]}" + (
            f" ({_about(risk)})" if risk else ""
        )
        text += f", at the cost of {safest.shanten_given_up} shanten" if safest.shanten_given_up else ""
    if case.cause is not None:
        text += f"; the fold began with {case.cause.tile} at turn {case.cause.turn}"
    return text


@of_review
def dead_wait(case: ReviewCase) -> str:
    """R101."""
    return f"riichi on {case.waits}, of which the player sees all tiles"


@of_review
def silent(case: ReviewCase) -> str:
    """R102."""
    return (
        f"closed tenpai without a yaku and without riichi for two turns: {case.waits} ({_live(case)}) "
        "cannot be won by ron"
    )


@of_review
def better_riichi(case: ReviewCase) -> str:
    """R103."""
    return (
        f"riichi with {case.tile_text} waits for {case.waits} ({_live(case)}); with {case.better} it would "
        f"have waited for {case.row['better_live']} live tiles, worth {_no_less(case)}"
    )


def _no_less(case: ReviewCase) -> str:
    own, better = int(case.row["value"]), int(case.row["better_value"])
    return f"{better} on average, not {own}" if better > own else f"no less ({better} on average)"


def lost(case: Case) -> str:
    """All that follows from a loss: families P, E, C, K and R2."""
    assert isinstance(case, LossCase)  # noqa: S101  as in of_review
    return f"{case.made}, but {case.why}"


def options(case: Case) -> Pair:
    """The best option, and the one chosen."""
    assert isinstance(case, LossCase)  # noqa: S101  as in of_review
    return case.best, case.made


# --- evidence ------------------------------------------------------------------------------------------


def evidence(case: ReviewCase) -> Evidence:
    """Return what a finding rests on, as plain values; which keys there are follows from the family."""
    family = case.code // 1000
    return {"cost": case.cost, **_EVIDENCE[family](case)}


def _furiten(case: ReviewCase) -> Evidence:
    cause, row = case.cause, case.row
    found: Evidence = {
        "furiten": [name for bit, name in FURITEN_NAMES.items() if int(row["furiten"]) & bit],
        "cause": None if cause is None else vars(cause),
        **_waits(case),
        "value": int(row["value"]),
        "offered_by": _seat(case),
    }
    if case.better is not None:
        found["better"] = {"discard": case.better, "live": int(row["better_live"])}
    return found


def _missed(case: ReviewCase) -> Evidence:
    row = case.row
    found = {**_waits(case), "value": int(row["value"]), "offered_by": _seat(case), "note": case.is_note}
    if row["place"]:
        found["places"] = {
            "now": int(row["place"]),
            "taken": int(row["place_taken"]) / 100,
            "passed": int(row["place_passed"]) / 100,
        }
    return found


def _deal_in(case: ReviewCase) -> Evidence:
    row = case.row
    return {
        "winner": _seat(case),
        "winner_waits": _names(int(row["winner_waits"][case.winners[0]])),
        "winners": [{"seat": seat, "waits": _names(int(row["winner_waits"][seat]))} for seat in case.winners],
        "threats": [
            {
                "seat": seat,
                "threat": THREAT_NAMES[threat],
                "class": DANGER_NAMES[danger],
                "level": danger.level(threat),
                "percent": case.percent(threat, danger),
            }
            for seat, threat, danger in case.threats
        ],
        "percent": case.risk(danger for _, _, danger in case.threats),
        "shanten": int(row["shanten"]),
        "fold": None if case.cause is None else vars(case.cause),
        **_waits(case),
        "accepted": int(row["accepted"]),
        "dora": int(row["dora"]),
        "alternatives": [
            {
                "tile": tile_name(one.kind),
                "class": None if (worst := case.worst(one)) is None else DANGER_NAMES[worst],
                "level": case.level(one),
                "percent": case.risk_of(one),
                "shanten_given_up": one.shanten_given_up,
                "safer": one.is_safer,
            }
            for one in case.alternatives
        ],
        "hindsight": {"would_have_dealt_in": [tile_name(a.kind) for a in case.alternatives if a.deals_in]},
    }


def _riichi(case: ReviewCase) -> Evidence:
    found = _waits(case)
    if case.better is not None:
        found["value"] = int(case.row["value"])
        found["better"] = {
            "discard": case.better,
            "live": int(case.row["better_live"]),
            "value": int(case.row["better_value"]),
        }
    return found


def _waits(case: ReviewCase) -> Evidence:
    return {"waits": _names(int(case.row["waits"])), "live": int(case.row["live"])}


def _names(mask: int) -> list[str]:
    return [tile_name(kind) for kind in kinds_in(mask)]


def _seat(case: ReviewCase) -> int | None:
    seat = int(case.row["other"])
    return None if seat == NO_SEAT else seat


_EVIDENCE: dict[int, Callable[[ReviewCase], Evidence]] = {1: _furiten, 2: _missed, 3: _deal_in, 4: _riichi}
