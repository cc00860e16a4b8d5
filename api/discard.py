"""What to discard: a hand played on alone, and what the model of decisions says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from paifu.api.pipeline import SILENT, Watch
from paifu.api.positions import position_at
from paifu.api.rules import Rules, Settings, riichi_ruleset, ruleset, rulesets_for_replay
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.model.tile_notation import parse_tiles, tile_name
from paifu.replay.model.tiles import WINDS
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.hand_text import parse_hand
from paifu.reports.scores.discards import Discards, PositionInLog, Valued

if TYPE_CHECKING:
    from paifu.coach.judgement.judged import Judgement
    from paifu.coach.solving.position import NaniKiru
    from paifu.replay.arrays import F32
    from paifu.replay.model.batch import Batch
    from paifu.replay.rulesets.presets import Given

R = TypeVar("R")

TURN = 6


def discard(
    hand: str,
    *,
    rules: Rules = "tenhou",
    settings: Settings = (),
    seat_wind: str = "south",
    round_wind: str = "east",
    dora: str = "",
    turn: int = TURN,
    rivers: Mapping[str, str] | None = None,
    riichi: Iterable[str] = (),
    honba: int = 0,
    sticks: int = 0,
    scores: Iterable[int] = (),
) -> Discards:
    """Return what to discard from 14 tiles, and what each brings, alone and by the model of decisions.

    ``hand`` is written as for :func:`paifu.score`. ``turn`` is the number of the draw that brought the 14th
    tile; ``dora`` are indicators, ``rivers`` discards by wind, the player's own among them, ``riichi`` the
    winds of others in riichi, ``scores`` points from East on.

    Raises HandError for what cannot be, RuleError for the rules.

    ``recommended`` is the answer, ``reason`` says why.

    >>> found = discard("123456789m34677s")
    >>> found.recommended
    'riichi 6s'
    >>> best = found.candidates[0]
    >>> best.tile, best.live, round(100 * best.solo.win)
    (23, 8, 85)
    """
    from paifu.coach.solving.position import NaniKiru, wall_at

    chosen = riichi_ruleset(ruleset(rules, settings))
    written = _read(hand, parse_hand)
    own = WINDS.index(seat_wind)
    points = list(scores)
    if points and len(points) != chosen.table.players:
        raise ArgumentError(
            _("{count} scores for {players} players; give one for each, east first").format(
                count=len(points), players=chosen.table.players
            )
        )
    position = NaniKiru(
        rules=chosen,
        tiles=written.tiles,
        melds=written.melds,
        kita=written.kita,
        flowers=len(written.bonus),
        seat_wind=own,
        round_wind=WINDS.index(round_wind),
        indicators=_tiles(dora),
        rivers=tuple(_tiles((rivers or {}).get(wind, "")) for wind in WINDS),
        riichi=frozenset(map(WINDS.index, riichi)),
        honba=honba,
        sticks=sticks,
        points=points[own] if own < len(points) else None,
        wall=wall_at(turn, own, chosen),
    )
    position.check()
    return _answer(position, values=_values_of(position))


def discard_at(
    log: str,
    at: str,
    seat: int,
    *,
    game: int = 1,
    rules: Rules | None = None,
    settings: Settings = (),
    watch: Watch = SILENT,
) -> Discards:
    """Return what :func:`discard` does for a discard of a log, from what the player saw.

    ``at`` is a hand and the number of the seat's discard in it, from 1: ``E1.0:7``; or the event before which
    it discards, from 0: ``E1.0@53``. ``game`` counts the games
    of ``log`` from 1. ``rules`` replaces what the log names. Raises ArgumentError for a place that does not
    exist.

    >>> discard_at("sample_logs/formats/hanchan.mjlog.gz", "E1.0:7", seat=2).chosen
    '0m'
    """
    from paifu.reports.hands.positions import discarded_at

    moment = position_at(log, at, seat, game=game, rules=rules, settings=settings, watch=watch)
    riichi_ruleset(moment.rules)
    discarded = discarded_at(moment, seat)
    position = discarded.position
    position.check()
    made = f"{'riichi ' if discarded.declared else ''}{tile_name(discarded.event.tile or 0)}"
    given, batch = rulesets_for_replay(rules, settings), moment.hand.batch()
    values = _values_at(batch, given, discarded.event.row, seat) or _values_of(position)
    place = PositionInLog(moment.hand.label, discarded.turn, seat)
    return _answer(position, values=values, place=place, chosen=made)


def _answer(
    position: NaniKiru,
    *,
    values: list[Valued],
    place: PositionInLog | None = None,
    chosen: str = "",
) -> Discards:
    from paifu.coach.solving.solve import FAR, is_complete, solve, tiles_ahead

    rows = tiles_ahead(position)
    found = Discards(position, rows, None, 0, values, is_complete(position), place, chosen)
    far = max(0, rows[0].shanten)
    if far > FAR:
        return found
    solution = solve(position, far)
    if solution is None:
        return found
    return replace(found, candidates=solution.candidates, changes=solution.changes, hands=solution.hands)


def _tiles(text: str) -> tuple[int, ...]:
    return tuple(_read(text, parse_tiles))


def _read(text: str, read: Callable[[str], R]) -> R:
    """Read what somebody wrote; raises HandError for text that is not a tile."""
    try:
        return read(text)
    except ValueError as error:
        raise HandError(str(error)) from error


def _values_of(position: NaniKiru) -> list[Valued]:
    """What the model and the policy say of a position that somebody describes."""
    from paifu.coach.judgement.model import shipped_model
    from paifu.coach.solving.at_table import judged, shares

    model = shipped_model(position.rules.table.players)
    one = None if model is None else judged(position, model)
    return [] if one is None else _valued(one, 0, shares(position, one))


def _values_at(batch: Batch, given: Sequence[Given], event: int, seat: int) -> list[Valued]:
    """What both say of a decision of a log; nothing if the log does not show what was chosen."""
    from paifu.coach.judgement.judged import judgements
    from paifu.coach.judgement.policy import shares
    from paifu.replay.rulesets.presets import rulesets_of

    for one in judgements(batch, *given):
        here = (one.table.event[one.chosen] == event) & (one.table.seat[one.chosen] == seat)
        numbers = here.nonzero()[0]
        if len(numbers):
            number = int(numbers[0])
            return _valued(one, number, shares(batch, rulesets_of(batch, *given), one, numbers))
    return []


def _valued(one: Judgement, number: int, shares: F32 | None) -> list[Valued]:
    from paifu.coach.judgement.losses import WeighedOptions

    return [Valued(row.pop("option"), row) for row in WeighedOptions.of(one, number, shares).rows()]
