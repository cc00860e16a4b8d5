"""What games come to: final scores, places and points, as the rules have them."""

from __future__ import annotations

import numpy as np

from paifu.replay.course.chips import rows_of
from paifu.replay.course.settlement import FinalResult
from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.table.progress import Ends
from paifu.replay.table.replayed import Replay
from paifu.replay.table.stated import Ledger


def game_results(replayed: Replay) -> list[FinalResult | None]:
    """Return the result of each game under its ruleset, every win paid as the engine scores it.

    A win that the engine could not score, and a draw, count as the log has them. None for a game of which the
    log does not state the end. The course of the game is taken as it is: under another ruleset than that of
    the log it might have ended sooner, or later.
    """
    batch, scored = replayed.batch, replayed.scored_wins
    games, hands, wins = batch.games, batch.hands, batch.wins
    dealers = games.deals_first
    ends = Ends(batch, Ledger(batch, replayed.rulesets), rows_of(scored))
    is_scored = (scored.base > 0) & (wins.deltas != UNKNOWN_POINTS).all(axis=1)
    missed = np.zeros((len(hands), 4), np.int64)
    np.add.at(missed, wins.hand[is_scored], (scored.changes - wins.deltas)[is_scored].astype(np.int64))
    found: list[FinalResult | None] = []
    for game, rules in enumerate(replayed.rulesets):
        whole = range(int(games.hand_begin[game]), int(games.hand_end[game]))
        is_over = not games.is_cut[game] and games.final_scores[game, 0] != UNKNOWN_POINTS
        if not whole or not is_over or not ends.known[whole[-1]]:
            found.append(None)
            continue
        last = whole[-1]
        scores = ends.after[last] + missed[whole.start : whole.stop].sum(axis=0)
        sticks = int(ends.sticks[last])
        if ends.is_won(last, rules):
            sticks = ends.sticks_after(last, rules, ends.winners(last, rules))
        own = scores[: rules.table.players].tolist()
        result = ends.result(whole, rules, own, sticks, int(dealers[game]))
        missing = sum(rules.starts) - sum(own) - rules.riichi.riichi_stick * sticks
        found.append(result._replace(missing=missing))
    return found
