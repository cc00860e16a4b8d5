"""What the rules of some games might be instead: values to try, each a few rules that go together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import IntEnum
from itertools import product
from typing import Any

import numpy as np

from paifu.replay.course.settlement import exceeding
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.rules.choices import Rounding, Scheme
from paifu.replay.rules.fields import RuleField, RuleValue
from paifu.replay.rules.ruleset import Ruleset, fields_of
from paifu.replay.rulesets.presets import RuleError, load_preset, preset_names, with_overrides

RuleAlternative = Mapping[str, RuleValue]

_LENGTHS = ((1, 1), (1, 2), (2, 2), (2, 3), (4, 4))
_YAME = ("agari_yame", "tenpai_yame", "yame_leads", "yame_choice")
"""Rules on the end by a dealer who stays: what is not so by one of them is often not so by another, too."""
_STICKS = (0, 500, 1000, 2000)
_HONBA = (0, 100, 200, 300, 500, 1000)
_RETURNS = (25000, 30000, 35000, 40000)
_THOUSAND = 1000
_NOT_TRIED = frozenset(
    {"scheme", "players", "start_points_by_seat", "uma_by_below", "uma", "start_points", "max_wind_rounds",
     "noten_pay_2", "noten_pay_3", "riichi_stick", "honba_each", "return_points",
     "yakitori_points", "yakitori_to", "yakitori_again", "wareme", "count_points", "open_han",
     "rounding_of", "uma_border", "uma_at_border", "tobi_prize", "tobi_prize_else", "head_bump_farthest",
     "payment_unit", "wareme_factor", "dealer_wins_count", "dealer_wins_by", "dealer_wins_again",
     "dealer_wins_need_yaku", "dealer_wins_pass", "open_riichi_deal_in", "ippatsu_han", "ippatsu_settles",
     "pochi", "yaku_settled", "luck_settles", "limits", "yakuman_base", "sticks_need_riichi",
     "payment_by_shares", "dealer_factor", "draw_tenpai", "ceiling_prize", "abort_renchan_by",
     "north_yakuhai", "open_riichi_sticks", "rinshan_fed", "wareme_doublets", "dead_wall",
     "flowers_dora"}
)  # fmt: skip
"""Rules without alternatives of their own: they go with others, or no log says anything of them."""


def alternatives(rules: Ruleset, batch: Batch) -> Iterator[RuleAlternative]:
    """Yield what one rule, or a few that go together, could be instead of what ``rules`` have.

    Values of lists and numbers are those of the presets, and those that the games themselves show. What does
    not fit the other rules is left out.
    """
    for one in _tried(rules, batch):
        try:
            with_overrides(rules, one)
        except RuleError:
            continue
        yield one


def _tried(rules: Ruleset, batch: Batch) -> Iterator[RuleAlternative]:
    peers = [load_preset(name) for name in preset_names(Scheme.HAN_FU)]
    peers = [peer for peer in peers if peer.table.players == rules.table.players]
    for name, field in fields_of(Scheme.HAN_FU).items():
        is_tried = name not in _NOT_TRIED and field.section not in ("chips", "fouls")
        if is_tried and (name != "kita" or rules.table.players == 3):
            for value in _values(field, rules[name], [peer[name] for peer in peers]):
                yield {name: value}
    yield from _sums(rules, peers, batch)
    for flags in product((False, True), repeat=len(_YAME)):
        ends = dict(zip(_YAME, flags, strict=True))
        if sum(rules[name] != value for name, value in ends.items()) > 1:
            yield ends
    for first, last in _LENGTHS:
        if (first, last) != (rules.table.wind_rounds, rules.table.max_wind_rounds):
            yield {"wind_rounds": first, "max_wind_rounds": last}


def _values(field: RuleField, present: Any, of_peers: list[Any]) -> list[RuleValue]:
    if field.type is bool:
        return [not present]
    if isinstance(present, IntEnum):
        return [one.name.lower() for one in type(present) if one != present]
    numbers = {value for value in of_peers if isinstance(value, int)}
    if field.name.startswith("red_"):
        numbers |= {0, 1, 2}
    found: list[RuleValue] = [*sorted(numbers - {present})]
    return found


def _sums(rules: Ruleset, peers: list[Ruleset], batch: Batch) -> Iterator[RuleAlternative]:
    """Points: sticks, honba, noten payments, and what the game's end makes of the scores."""
    for stick in _STICKS:
        if stick != rules.riichi.riichi_stick:
            yield {"riichi_stick": stick}
    for honba in _HONBA:
        if honba != rules.payment.honba_each:
            yield {"honba_each": honba}
    payments = {
        (0, 0, 0),
        *((peer.payment.noten_pay_1, peer.payment.noten_pay_2, peer.payment.noten_pay_3) for peer in peers),
    }
    for one, two, three in sorted(
        payments - {(rules.payment.noten_pay_1, rules.payment.noten_pay_2, rules.payment.noten_pay_3)}
    ):
        yield {"noten_pay_1": one, "noten_pay_2": two, "noten_pay_3": three}
    for other in sorted({peer.final.uma for peer in peers} - {rules.final.uma}):
        yield {"uma": list(other)}
    start = _first_scores(batch, rules.table.players)
    starts: dict[str, RuleValue] = {"start_points": start} if start else {}
    # Return, rounding and uma say the same of an end in many ways; those of a preset are likelier.
    known = {peer.final.uma for peer in peers}
    ends = [
        (back, rounding, _uma(batch, rules, back, rounding))
        for back in sorted({rules.final.return_points, start, *_RETURNS} - {0})
        for rounding in Rounding
    ]
    for back, rounding, uma in sorted(ends, key=lambda end: end[2] is None or tuple(end[2]) not in known):
        changes: dict[str, RuleValue] = {**starts, "return_points": back}
        if rounding == rules.final.rounding:
            yield changes
        if uma:
            yield {**changes, "uma": list(uma), "rounding": rounding.name.lower()}


def _first_scores(batch: Batch, players: int) -> int:
    """The score that every player of every game begins with; 0 if there is no such."""
    first = batch.hands.scores[batch.games.hand_begin, :players]
    found = set(first.reshape(-1).tolist())
    return found.pop() if len(found) == 1 and UNKNOWN_POINTS not in found and min(found) > 0 else 0


def _uma(batch: Batch, rules: Ruleset, back: int, rounding: Rounding) -> list[int] | None:
    """The uma that most final points show, in thousands except for the first place, which takes the rest."""
    games, players = batch.games, rules.table.players
    final = rules.final.changed(return_points=back, rounding=rounding)
    seen: Counter[tuple[int, ...]] = Counter()
    for scores, points in zip(
        games.final_scores[:, :players].tolist(), games.final_points[:, :players].tolist(), strict=True
    ):
        if UNKNOWN_POINTS in scores or np.isnan(points).any() or len(set(scores)) < players:
            continue
        order = sorted(range(players), key=lambda seat: -scores[seat])
        rest = [points[seat] - exceeding(final, scores[seat]) / _THOUSAND for seat in order[1:]]
        seen[tuple(_THOUSAND * round(share) for share in rest)] += 1
    if not seen:
        return None
    others = list(seen.most_common(1)[0][0])
    return [-sum(others), *others]
