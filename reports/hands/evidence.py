"""Evidence for a finding: the player's hand at that moment, and how a win is scored, fu by fu."""

from __future__ import annotations

from collections.abc import Iterator

from paifu.replay.course.settlement import own_wind
from paifu.replay.findings.context import FindingContext
from paifu.replay.general.engine import table_before
from paifu.replay.general.wins import score_win
from paifu.replay.language import _, pgettext
from paifu.replay.language.lines import ljust
from paifu.replay.model.events import NO_SEAT, EventKind
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import NO_TILE, kind_of, sort_tiles
from paifu.replay.positions.tracker import SeatState, Tracker
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.schemes.scheme import said_worth
from paifu.replay.schemes.tables import said_name
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import ScoredWin, score
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.scoring.yaku_names import named
from paifu.replay.views.games import Hand
from paifu.reports.hands.hand_in_words import called_meld


def evidence(case: FindingContext) -> Iterator[str]:
    """Yield lines that show a finding's hand; none if no hand is concerned."""
    if case.event < 0:
        return
    hand = Hand.of(case.batch, case.hand)
    tracker = Tracker(hand)
    for event in hand.events[: case.shown]:
        tracker.apply(event)
    if case.win is not None:
        yield from _win(case, hand, tracker)
    elif case.seat < len(tracker.seats):
        yield _line(pgettext("evidence", "hand"), _laid(tracker.seats[case.seat]))


def _line(title: str, text: str) -> str:
    """Return a line of the evidence; titles take up the same room."""
    return ljust(title, 7) + text


def _laid(state: SeatState) -> str:
    """Write closed tiles, the tile drawn, melds and norths."""
    parts = [format_tiles(state.closed), *map(str, map(called_meld, state.melds))]
    parts += [_("kita x{count}").format(count=state.kita)] if state.kita else []
    parts += [format_tiles(sort_tiles(state.bonus))] if state.bonus else []
    parts += [_("drew {tile}").format(tile=tile_name(state.drawn))] if state.drawn is not None else []
    return "  ".join(filter(None, parts))


def _win(case: FindingContext, hand: Hand, tracker: Tracker) -> Iterator[str]:
    claims, row = case.batch.wins, case.win
    assert row is not None  # noqa: S101  the caller asked
    winner, source = int(claims.seat[row]), int(claims.source[row])
    if winner >= len(tracker.seats):
        return
    state = tracker.seats[winner]
    tile = int(claims.tile[row])
    tsumo = winner == source
    text = _("{hand}, tsumo on {tile}") if tsumo else _("{hand}, ron on {tile}")
    yield _line(pgettext("evidence", "hand"), text.format(hand=_laid(state), tile=tile_name(tile)))
    if not case.is_riichi:
        yield from _scored_otherwise(case, winner, source, tile)
        return
    try:
        won = score(_winning_hand(case, hand, state).as_played(case.rules), case.rules)
    except HandError as error:
        yield f"       {error}"
        return
    yield from _scored(won)


def _winning_hand(case: FindingContext, hand: Hand, state: SeatState) -> WinningHand:
    """Return the hand of a win as the replay saw it."""
    claims, scored, row = case.batch.wins, case.scored, case.win
    winner, source, tile = int(claims.seat[row]), int(claims.source[row]), int(claims.tile[row])
    dealer = hand.dealer or 0
    tsumo = winner == source
    turned = [event.tile for event in hand.events[: case.index] if event.kind == EventKind.DORA]
    return WinningHand(
        tiles=tuple(sort_tiles(state.all_closed() + ([] if tsumo else [tile]))),
        win=tile,
        melds=tuple(map(called_meld, state.melds)),
        situation=Situation(int(scored.situation[row])) | (Situation.TSUMO if tsumo else Situation(0)),
        seat_wind=(winner - dealer) % hand.players,
        own_wind=own_wind(case.rules, winner, dealer, hand.round),
        round_wind=min(hand.round // 4, 3),
        dora_indicators=tuple(t for t in (hand.dora, *turned) if t is not None),
        ura_indicators=tuple(t for t in claims.ura[row].tolist() if t != NO_TILE),
        kita=state.kita,
        flowers=len(state.bonus),
        honba=hand.honba,
        payer=None if tsumo or source == NO_SEAT else (source - dealer) % hand.players,
    )


def _scored_otherwise(case: FindingContext, winner: int, source: int, tile: int) -> Iterator[str]:
    """Yield how a win in another game is scored."""
    table = table_before(case.batch, case.hand, case.event, case.rules)
    try:
        scored = score_win(table, winner, source, kind_of(tile))
    except HandError as error:
        yield f"       {error}"
        return
    won = scored.won
    if won.patterns:
        counted = (f"{said_name(row.name, row.native)} {said_worth(row.worth)}" for row in won.patterns)
        yield _line(pgettext("evidence", "for"), _(", ").join(counted))
    if won.points:
        yield _line(
            pgettext("evidence", "points"), _(", ").join(f"{row.points} {row.reason}" for row in won.points)
        )
    yield _line(pgettext("evidence", "worth"), f"{won.worth}: {won.value}")


def _scored(won: ScoredWin) -> Iterator[str]:
    text = _("{yaku} {han}")
    yaku = _(", ").join(text.format(yaku=named(yaku), han=han) for yaku, han in won.yaku)
    yield _line(pgettext("evidence", "yaku"), yaku)
    if not won.yakuman:
        total = sum(row.fu for row in won.fu_rows)
        text = _("{rows}: {total}, rounded up to {fu}") if total != won.fu else _("{rows}: {total}")
        rows = _(", ").join(
            f"{row.fu} {pgettext('fu', row.reason)} {row.tiles}".rstrip() for row in won.fu_rows
        )
        yield _line(pgettext("evidence", "fu"), text.format(rows=rows, total=total, fu=won.fu))
    text = (
        _("{han} han {fu} fu {limit}, {points} points")
        if won.limit
        else _("{han} han {fu} fu, {points} points")
    )
    limit = _(won.limit.name.lower())
    yield _line(
        pgettext("evidence", "worth"), text.format(han=won.han, fu=won.fu, limit=limit, points=won.points)
    )
