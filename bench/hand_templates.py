"""Count how hands of real games end: the templates that chances of places are played on with.

    python bench/hand_templates.py [PATH...] [--write]

Reads games and counts the ends of their hands, for four and for three players. One game in five, by a hash of
the file's name, is kept for tests. ``--write`` puts the templates where they ship.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from place_games import CORPUS, PlayedGame, is_kept_from_fit, read_games
from shipping import ship

from paifu.coach.places.templates import Template

FOLDERS = CORPUS / "fitting", CORPUS / "logs"


def fitted(games: list[PlayedGame], players: int) -> tuple[Counter[Template], dict[str, Any]]:
    """Return how often the east-south games that may be fitted on ended in each way, and what they are."""
    used = [
        game
        for game in games
        if game.rules.table.players == players
        and game.rules.table.wind_rounds > 1
        and not is_kept_from_fit(game.source)
    ]
    counts = Counter(hand.template for game in used for hand in game.hands if hand.template is not None)
    about = {
        "games": len(used),
        "hands": counts.total(),
        "from": "Tenhou east-south games of 2008 to 2023, four in five by a hash of the file's name",
    }
    return counts, about


def main() -> None:
    """Count, and write the templates if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    games = list(read_games(options.paths))
    for players in (3, 4):
        counts, about = fitted(games, players)
        print(f"{players} players: {about['games']:,} games, {about['hands']:,} hands, {len(counts):,} ways")
        if options.write:
            rows = sorted(written(template, count) for template, count in counts.items())
            ship("places", players, {"templates": np.array(rows).T.astype(np.int16)}, __file__, about)


def written(template: Template, count: int) -> list[int]:
    """Return a template as a row of the file; points in hundreds."""
    winners = [*template.winners, *[-1] * (3 - len(template.winners))]
    changes = [change // 100 for change in template.changes]
    return [
        template.kind, template.way, template.source, *winners, template.riichi, template.tenpai,
        len(changes), *changes, *[0] * (4 - len(changes)), count,
    ]  # fmt: skip


if __name__ == "__main__":
    main()
