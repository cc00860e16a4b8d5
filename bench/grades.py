"""Count what players of each grade choose: ``python bench/grades.py PATH... [--held-out] [--write]``.

For each grade: decisions, how often what strong players choose most, the mean chance of what was chosen, and
unusual moves, by situation. Games that the policy was fitted on do not belong among PATHs; ``--held-out``
takes only those that every fit leaves out. The file names nobody. How much players differ is estimated over
players with enough decisions.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
from held_out import games_of_four, seats_in
from shipping import ship

from paifu.coach.judgement.judged import judgements
from paifu.coach.judgement.match import Match, match_of
from paifu.coach.judgement.policy import shares
from paifu.replay.rulesets.presets import rulesets_of

PROGRAM = "ⓝ"
"""What names of programs begin with."""
FIRST_DAN = 10
LEAST = 8_000
"""Decisions that a grade needs."""
ENOUGH = 250
"""Decisions of players over whom the spread is estimated."""


def main() -> None:
    """Count, and print or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--held-out", action="store_true", help="only games that every fit leaves out")
    parser.add_argument("--write", action="store_true", help="write the file that ships")
    options = parser.parse_args()
    by_grade: dict[str, Match] = defaultdict(Match)
    by_player: dict[str, Match] = defaultdict(Match)
    days: set[str] = set()
    for batch, wanted in games_of_four(options.paths, only_held_out=options.held_out):
        days |= {str(day)[:4] for day in batch.games.started[wanted]} - {""}
        rules, games = rulesets_of(batch), set()
        for judged in judgements(batch, only=seats_in(batch, wanted)):
            found = shares(batch, rules, judged, np.arange(len(judged)))
            rows = np.flatnonzero(~np.isnan(found[judged.chosen]))
            parts, made = match_of(judged, rows, found), judged.chosen[rows]
            played, seat = judged.table.game[made], judged.table.seat[made]
            for place in np.unique(played.astype(np.int64) * 4 + seat).tolist():
                at, who = divmod(place, 4)
                name, dan = str(batch.games.names[at, who]), int(batch.games.dan[at, who])
                own = Match(parts[(played == at) & (seat == who)].sum(axis=0), int(place not in games))
                games.add(place)
                if name.startswith(PROGRAM):
                    by_grade["programs"] += own
                elif dan >= FIRST_DAN:
                    by_grade[f"{dan - FIRST_DAN + 1}-dan"] += own
                    by_player[name] += own
    kept = {name: one for name, one in sorted(by_grade.items(), key=_order) if one.decisions() >= LEAST}
    mean, strength = spread(list(by_player.values()))
    games_said = sum(one.games for one in by_grade.values()) // 4
    about = {
        "games": games_said,
        "from": f"{games_said:,} games of four at Tenhou of {min(days)} to {max(days)}, which the policy was "
        "not fitted on",
        "mean": round(mean, 6),
        "strength": round(strength),
        "grades": list(kept),
    }
    arrays = {
        "sums": np.stack([one.sums.round(1) for one in kept.values()]),
        "games": np.array([one.games for one in kept.values()]),
    }
    for grade, one in kept.items():
        n = one.decisions()
        print(
            f"{grade:>9} {one.games:>6} {n:>8} {100 * one.first() / n:6.2f} {one.chance():6.2f} "
            f"{100 * one.unusual() / n:5.2f}"
        )
    print(about["from"], f"mean {mean:.4f}, strength {strength:.0f}")
    if options.write:
        ship("grades", 4, arrays, __file__, about)


def _order(item: tuple[str, Match]) -> tuple[bool, int]:
    name = item[0]
    return name == "programs", 0 if name == "programs" else int(name.removesuffix("-dan"))


def spread(players: list[Match]) -> tuple[float, float]:
    """Return the mean rate of unusual moves, and how many decisions say as much as knowing everybody."""
    n = np.array([one.sums[0, 0] for one in players if one.decisions() >= ENOUGH])
    k = np.array([one.sums[0, 3] for one in players if one.decisions() >= ENOUGH])
    mean = k.sum() / n.sum()
    chance = mean * (1 - mean)
    among = max(1e-9, float((n * (k / n - mean) ** 2).sum() - (len(n) - 1) * chance))
    among /= float(n.sum() - (n**2).sum() / n.sum())
    return float(mean), float(chance / among)


if __name__ == "__main__":
    main()
