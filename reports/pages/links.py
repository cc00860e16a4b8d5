"""Addresses of other pages, as seen from a page about players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from paifu.reports.pages.report_games import GameRow


def numbered(number: int, _row: GameRow) -> str:
    """Return the name of the page of a game by its place in a player's list, from 0."""
    return f"game-{number + 1:04}.html"


@dataclass(frozen=True, slots=True)
class Links:
    """Where other pages are; empty for those that are not there."""

    games: str = ""
    """The folder with the pages of the player's games."""
    home: str = ""
    """The page that lists all players and games."""
    players: Mapping[str, str] = field(default_factory=dict)
    """Player -> the page about that player."""

    def of(self, games: Sequence[GameRow]) -> Iterator[tuple[GameRow, str]]:
        """Yield the player's games that have pages, each with its address."""
        for number, row in enumerate(games if self.games else ()):
            yield row, f"{self.games}/{row.address or numbered(number, row)}"


NO_LINKS = Links()
