"""The hands between which nothing remarkable happens, found in columns: nine of ten.

:mod:`~paifu.replay.table.progress` need not look at them one by one. What is not plainly as it should be, it
does look at; nothing is found here, only left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from paifu.replay.arrays import I64, Mask
from paifu.replay.course.settlement import HANDS_A_WIND
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.choices import MultiRonRenchan, Scheme
from paifu.replay.rules.ruleset import Ruleset


def plain_starts(batch: Batch, rulesets: Sequence[Ruleset]) -> Mask:
    """(games,) whether a game begins as most do: East 1, nothing on the table, all with equal points."""
    games, hands = batch.games, batch.hands
    has_hands = games.hand_end > games.hand_begin
    plain = np.zeros(len(games), np.bool_)
    first = games.hand_begin[has_hands]
    seats = _absent(games.players[has_hands])
    scores = hands.scores[first]
    dealer = games.deals_first[has_hands]
    plain[has_hands] = (
        (hands.round[first] == 0)
        & (hands.honba[first] == 0)
        & (hands.sticks[first] == 0)
        & (hands.dealer[first] == dealer)
        & ((scores == scores[:, :1]) | seats).all(axis=1)
    )
    plain &= _by_game(rulesets, lambda rules: bool(rules.table.start_points_by_seat)) == 0
    return plain


def plain_hands(
    batch: Batch,
    rulesets: Sequence[Ruleset],
    after: I64,
    sticks: I64,
    known: Mask,
    tenpai: I64,
    claimed: I64,
) -> Mask:
    """(hands,) whether a win or an exhaustive draw is followed by the hand that must follow, with its scores.

    Only where the game cannot end and there is one view of what happened. ``after`` are the scores after each
    hand, ``sticks`` those on the table then, where nobody won, ``known`` whether the scores are stated;
    ``tenpai`` and ``claimed`` are seats as bits, -1 where they are not known.
    """
    games, hands = batch.games, batch.hands
    if len(hands) < 2:
        return np.zeros(len(hands), np.bool_)
    game = hands.game[:-1]

    def rule(of: Callable[[Ruleset], int]) -> I64:
        return _by_game(rulesets, of)[game]  # (hands - 1,)

    players = games.players[game].astype(np.int64)
    before, following = slice(0, -1), slice(1, None)
    round_, dealer = hands.round[before].astype(np.int64), hands.dealer[before].astype(np.int64)
    wind, turn = round_ // HANDS_A_WIND, round_ % HANDS_A_WIND
    is_won, is_drawn = hands.end[before] == HandEnd.WIN, hands.end[before] == HandEnd.EXHAUSTIVE
    said, seen = claimed[before], tenpai[before]
    one_view = is_won | (is_drawn & (seen >= 0) & ((said < 0) | (said == seen)))
    stays = np.where(
        is_won,
        (_winners(batch)[before] >> dealer & 1) & rule(lambda rules: rules.progress.agari_renchan),
        rule(lambda rules: rules.progress.draw_renchan)
        | ((seen >> dealer & 1) & rule(lambda rules: rules.progress.tenpai_renchan)),
    ).astype(np.bool_)
    passed = np.where(turn + 1 == players, HANDS_A_WIND * (wind + 1), round_ + 1)
    absent = _absent(players)
    scores = after[before]
    last_wind = rule(lambda rules: rules.table.wind_rounds) - 1
    plain = np.zeros(len(hands), np.bool_)
    plain[before] = (
        (game == hands.game[following])
        & one_view
        & known[before]
        & ((wind < last_wind) | ((wind == last_wind) & (turn < players - 1)))
        & ((scores > 0) | absent).all(axis=1)
        & (hands.round[following] == np.where(stays, round_, passed))
        & (hands.dealer[following] == np.where(stays, dealer, (dealer + 1) % players))
        & (hands.honba[following] == np.where(stays | is_drawn, hands.honba[before].astype(np.int64) + 1, 0))
        & (hands.sticks[following] == np.where(is_won, 0, sticks[before]))
        & ((hands.scores[following] == scores) | absent).all(axis=1)
        & rule(_is_simple).astype(np.bool_)
    )
    return plain


def _is_simple(rules: Ruleset) -> bool:
    """Whether a game goes on before its last scheduled hand unless somebody is out of points."""
    return (
        rules.game.scheme == Scheme.HAN_FU
        and not rules.progress.hands
        and not rules.progress.ceiling_points
        and rules.progress.multi_ron_renchan == MultiRonRenchan.AMONG
        and not rules.payment.sticks_need_riichi
        and not rules.local.dealer_wins_pass
    )


def _by_game(rulesets: Sequence[Ruleset], of: Callable[[Ruleset], int]) -> npt.NDArray[np.int64]:
    """(games,) a number of each game's ruleset, of which there are few."""
    known: dict[int, int] = {}
    for rules in rulesets:
        if id(rules) not in known:
            known[id(rules)] = int(of(rules))
    return np.array([known[id(rules)] for rules in rulesets], np.int64)


def _winners(batch: Batch) -> I64:
    """(hands,) seats that won, as bits."""
    winners = np.zeros(len(batch.hands), np.int64)
    np.bitwise_or.at(winners, batch.wins.hand, 1 << batch.wins.seat.astype(np.int64))
    return winners


def _absent(players: npt.NDArray[np.integer]) -> Mask:
    """(n, 4) the seats that nobody takes."""
    return np.arange(4) >= players[:, None]
