"""Count the population that players are compared with: ``python bench/population.py PATH... [-o FILE]``.

FILE is the table that ships (``reports/statistics/shipped/population.json``): sums of each statistic by
number of players, room and length, and how much players with enough hands differ. A game that occurs twice
counts once, and only whole games of a ranked room count. Nobody is named, and strata with few games are left
out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from dataclasses import astuple
from pathlib import Path
from typing import Any

from paifu.parsers.read import read_batches
from paifu.replay.table.engine import replay
from paifu.reports.judgement.choices import choices
from paifu.reports.judgement.sums import MIN_LOSS, PlayerLosses
from paifu.reports.metrics.catalogue import CATALOGUE, choose
from paifu.reports.metrics.counters import HANDS, Chosen, Counters, D, count
from paifu.reports.metrics.recording import records
from paifu.reports.pages.report_sections import IN_FIGURES, IN_TABLES
from paifu.reports.statistics.reference import SCHEMA, SHIPPED, Stratum
from paifu.reports.statistics.values import spreads_of

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "logs"
FOLDERS = ("mjlog", "tenhou6", "mjai")
LEAST_GAMES, LEAST_HANDS = 100, 20
BY = ("players", "room", "length", "player")
METRICS = tuple(dict.fromkeys(name for name in (*IN_TABLES, *IN_FIGURES) if CATALOGUE[name].is_rate))


def main() -> None:
    """Count, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[CORPUS / name for name in FOLDERS])
    parser.add_argument("-o", "--output", type=Path, default=SHIPPED)
    options = parser.parse_args()
    metrics = choose(METRICS)
    parts: list[Counters] = []
    losses: dict[Stratum, PlayerLosses] = defaultdict(PlayerLosses)
    games: Counter[Stratum] = Counter()
    years: dict[Stratum, set[str]] = defaultdict(set)
    seen: set[str] = set()
    for batch in read_batches(options.paths):
        table = records(replay(batch)).games
        for number in range(len(batch)):
            name = str(table.id[number])
            is_whole = table.rank[number].any() and not batch.games.is_cut[number]
            room = str(table.room[number])
            if not name or name in seen or not is_whole or not room or room.startswith("lobby"):
                continue
            seen.add(name)
            stratum = int(table.players[number]), room, str(table.length[number])
            games[stratum] += 1
            years[stratum].add(str(table.started[number])[:4])
            one = batch.take(number)
            parts.append(count(records(replay(one, review=True)), metrics, Chosen(BY)))
            for own in choices(one, min_loss=MIN_LOSS).players.values():
                losses[stratum] += own
    total = Counters.total(parts, BY, METRICS)
    strata = []
    for stratum in sorted(games):
        row = _row(stratum, total)
        print(f"{stratum}: {games[stratum]:,} games, {row['players']:,} players with enough hands")
        if games[stratum] >= LEAST_GAMES:
            known = sorted(filter(None, years[stratum]))
            lost = losses[stratum]
            row |= {
                "games": games[stratum],
                "years": known[0] if known[0] == known[-1] else f"{known[0]} to {known[-1]}",
                "losses": {
                    "hands": lost.hands,
                    "decisions": lost.decisions,
                    "total": {kind: round(value) for kind, value in lost.total.items()},
                    "squares": {kind: round(value) for kind, value in lost.squares.items()},
                },
            }
            strata.append(row)
    _write(options.output, strata)


def _row(stratum: Stratum, total: Counters) -> dict[str, Any]:
    fields = tuple(map(str, stratum))
    rows = [row for row, key in enumerate(total.keys) if key[:3] == fields]
    sums = total.sums[rows].sum(axis=0)
    keys = [(total.keys[row][3],) for row in rows]
    own = Counters.of_groups(("player",), total.metrics, keys, total.sums[rows], total.sizes[rows])
    spreads = spreads_of(own, LEAST_HANDS)
    return {
        "seats": stratum[0],
        "room": stratum[1],
        "length": stratum[2],
        "hands": int(total.sizes[rows, HANDS].sum()),
        "players": int((total.sizes[rows, HANDS] >= LEAST_HANDS).sum()),
        "least_hands": LEAST_HANDS,
        "sums": {name: line for name, line in zip(total.metrics, sums.tolist(), strict=True) if line[D]},
        "spreads": {
            name: [*(float(f"{value:.5g}") for value in astuple(among)[:-1]), among.players]
            for name, among in spreads.items()
            if name in IN_TABLES
        },
    }


def _write(path: Path, strata: list[dict[str, Any]]) -> None:
    """Write a line for each statistic."""
    text = json.dumps({"schema": SCHEMA, "strata": strata}, indent=1)
    lines: list[str] = []
    for line in text.splitlines():
        last = lines[-1] if lines else ""
        if "[" in last and "strata" not in last and not last.rstrip(",").endswith("]"):
            lines[-1] += line.strip()
        else:
            lines.append(line)
    path.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
