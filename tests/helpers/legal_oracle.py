"""The legal moves of a seat, worked out slowly and plainly from the history of a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scratch_state import TERMINALS_AND_HONOURS, K, Scratch, complete, kind_of

from paifu.replay.rules.choices import OwnFourWait, RiichiKan

NINE, NORTH = 9, 30
Move = tuple[str, int]
"""What is done, and with which tile or kind; of a chi, the lowest kind."""


def is_tenpai(closed: Sequence[int], melded: Sequence[int], state: Scratch) -> bool:
    """Return whether kinds (3n + 1) wait for anything, however hopeless, as far as the rules let it count."""
    four = {OwnFourWait.TENPAI: (), OwnFourWait.NOTEN_IN_HAND: closed, OwnFourWait.NOTEN: (*closed, *melded)}
    held = list(four[state.rules.win.own_four_wait])
    return any(complete(tuple(sorted((*closed, kind)))) for kind in state.kinds if held.count(kind) < 4)


def without(tiles: Sequence[int], *gone: int) -> list[int]:
    """Return tiles with some taken away."""
    rest = list(tiles)
    for tile in gone:
        rest.remove(tile)
    return rest


def keeps_tenpai(state: Scratch, seat: int, tile: int) -> bool:
    """Return whether a hand is tenpai after a discard."""
    player = state.players[seat]
    closed = [kind_of(one) for one in without(player.hand, tile)]
    return is_tenpai(closed, state.kinds_of(seat)[1], state)


def last_event(state: Scratch) -> tuple[K, int]:
    """Return the last event, indicators and payments apart, and its seat."""
    quiet = (K.DORA, K.RIICHI_PAID)
    return next(
        ((kind, seat) for kind, seat, _ in reversed(state.history) if kind not in quiet), (K.DORA, -1)
    )


def turn_moves(state: Scratch, seat: int) -> Iterator[Move]:
    """Yield the moves of the seat that is to discard."""
    player, rules, event = state.players[seat], state.rules, last_event(state)[0]
    declaring, hand = event == K.RIICHI, sorted(set(player.hand))
    for tile in hand:
        is_locked = player.riichi and tile != player.drawn
        is_wrong = declaring and not rules["foul_noten_riichi"] and not keeps_tenpai(state, seat, tile)
        if not is_locked and kind_of(tile) not in state.forbidden() and not is_wrong:
            yield "discard", tile
    if event != K.DRAW:
        return
    terminals = [kind_of(tile) for tile in player.hand if kind_of(tile) in TERMINALS_AND_HONOURS]
    number = len(terminals) if rules.draw.kyuushu_counts else len(set(terminals))
    if rules.draw.abort_kyuushu and state.untouched() and not player.river and number >= NINE:
        yield "nine", 0
    may_stake = player.score >= rules.riichi.riichi_points and state.live >= rules.riichi.riichi_wall
    if not player.riichi and not state.is_open(seat) and may_stake:
        for tile in hand:
            if rules["foul_noten_riichi"] or keeps_tenpai(state, seat, tile):
                yield "riichi", tile
    if state.live:
        yield from own_kans_and_kita(state, seat)


def own_kans_and_kita(state: Scratch, seat: int) -> Iterator[Move]:
    """Yield what a seat that drew may lay down or set aside."""
    player, rules = state.players[seat], state.rules
    kinds = [kind_of(tile) for tile in player.hand]
    if rules.calls.kita and NORTH in kinds and (not player.riichi or player.drawn == NORTH):
        yield "kita", NORTH
    if state.kans >= 4 + rules.draw.abort_fifth_kan:
        return
    for meld in player.melds:
        if meld.event == K.PON and meld.low in kinds:
            yield "kakan", meld.low
    for kind in set(kinds):
        if kinds.count(kind) == 4 and (not player.riichi or may_kan_in_riichi(state, seat, kind)):
            yield "ankan", kind


def may_kan_in_riichi(state: Scratch, seat: int, kind: int) -> bool:
    """Return whether a closed kan leaves a hand in riichi what it is."""
    player, rules = state.players[seat], state.rules
    assert player.drawn is not None
    before = sorted(map(kind_of, without(player.hand, player.drawn)))
    after = without(before, *(kind,) * min(3, before.count(kind)))
    melded = state.kinds_of(seat)[1]
    wants = {one for one in state.kinds if [*before, *melded].count(one) < 4}
    waits = {one for one in wants if complete(tuple(sorted((*before, one))))}
    wants -= {kind}
    if rules["foul_riichi_kan"]:
        return True
    if rules.riichi.riichi_kan == RiichiKan.FORBIDDEN or kind_of(player.drawn) != kind:
        return False
    if waits != {one for one in wants if complete(tuple(sorted((*after, one))))}:
        return False
    readings = [one for wait in waits for one in readings_of(sorted((*before, wait)))]
    return rules.riichi.riichi_kan != RiichiKan.SAME_SHAPE or all((kind,) * 3 in one for one in readings)


def readings_of(kinds: Sequence[int], *, paired: bool = False) -> Iterator[list[tuple[int, ...]]]:
    """Yield every way to split sorted kinds into groups, one of which is a pair."""
    if not kinds:
        yield []
        return
    low = kinds[0]
    groups = [(low,) * 3, (low, low + 1, low + 2)] if low < 27 and low % 9 <= 6 else [(low,) * 3]
    for group in groups if paired else [*groups, (low, low)]:
        if all(kinds.count(kind) >= group.count(kind) for kind in group):
            for rest in readings_of(without(kinds, *group), paired=paired or len(group) == 2):
                yield [group, *rest]


def offered_moves(state: Scratch, seat: int, furiten: bool) -> Iterator[Move]:
    """Yield what a seat may do with the tile on offer; whether it was ``furiten`` before is given."""
    event, source, tile = next(
        one for one in reversed(state.history) if one[0] not in (K.DORA, K.RIICHI_PAID)
    )
    player, rules, kind = state.players[seat], state.rules, kind_of(tile)
    closed = state.kinds_of(seat)[0]
    is_orphans = len(set(closed) & set(TERMINALS_AND_HONOURS)) >= 12
    is_open = event != K.ANKAN or (rules.win.kokushi_ankan_ron and is_orphans)
    if kind in state.waits(seat) and not furiten and is_open:
        yield "ron", kind
    if event != K.DISCARD or player.riichi or not state.live:
        return
    if closed.count(kind) >= 2:
        yield "pon", kind
    if closed.count(kind) >= 3 and state.kans < 4 + rules.draw.abort_fifth_kan:
        yield "kan", kind
    if not rules.calls.chi or seat != (source + 1) % rules.table.players or kind >= 27:
        return
    for low in range(kind - 2, kind + 1):
        run = [low, low + 1, low + 2]
        own = without(run, kind)
        if low // 9 != (low + 2) // 9 or low < 0 or not set(own) <= set(closed):
            continue
        barred = {kind} if rules.calls.kuikae else set()
        if rules.calls.kuikae == 2 and kind != low + 1:
            barred |= {kind + 3 if kind == low else kind - 3}
            barred = {one for one in barred if one // 9 == kind // 9}
        if set(without(closed, *own)) - barred:
            yield "chi", low
