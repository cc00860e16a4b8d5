"""Count how hands of real games end: the templates that chances of places are played on with.

    python bench/hand_templates.py [PATH...] [--write]

Reads games and counts the ends of their hands, for four and for three players. One game in five, by a hash of
the file's name, is kept for tests. ``--write`` puts the templates where they ship.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from place_games import CORPUS, PlayedGame, is_kept_from_fit, read_games

from paifu.coach.places.templates import SHIPPED, Templates

FOLDERS = CORPUS / "fitting", CORPUS / "logs"


def fitted(games: list[PlayedGame], players: int) -> Templates:
    """Return the templates of the east-south games that may be fitted on."""
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
    return Templates(players, counts, about)


def main() -> None:
    """Count, and write the templates if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=list(FOLDERS))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    games = list(read_games(options.paths))
    for players in (3, 4):
        templates = fitted(games, players)
        data = templates.saved()
        print(
            f"{players} players: {templates.provenance['games']:,} games, {templates.provenance['hands']:,}"
            f" hands, {len(templates.counts):,} templates, {len(data):,} bytes"
        )
        if options.write:
            SHIPPED.mkdir(exist_ok=True)
            (SHIPPED / f"{players}-players.npz").write_bytes(data)


if __name__ == "__main__":
    main()
