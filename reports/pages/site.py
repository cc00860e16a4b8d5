"""The first page of a folder of pages: all players and all games, with a search over names."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from markupsafe import Markup

from paifu.replay.language import ngettext
from paifu.replay.model.batch import Batch
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.records import NO_POINTS, Records
from paifu.reports.metrics.rooms import room_said
from paifu.reports.pages import numbers
from paifu.reports.pages.page import content_security_policy, environment, read_template
from paifu.reports.pages.recorded import Recorder
from paifu.reports.pages.report_games import GameRow
from paifu.reports.pages.show import show_page

GAMES, PLAYERS = "games", "players"
"""Folders of a site."""
_ASCII = re.compile(r"[^0-9A-Za-z]+")


@dataclass(frozen=True, slots=True)
class SiteGame:
    """A game of a site."""

    page: str
    """Name of its page in the folder of games."""
    digest: str
    """Another if anything in the game changes."""
    started: str
    room: str
    names: tuple[str, ...]
    """By seat, after aliases."""
    ranks: tuple[int, ...]
    """0 if the final result is unknown."""
    finals: tuple[int | None, ...]
    html: bytes = b""
    """Its page, deflated; empty if that is written already."""


def game_page_name(game: str, started: str) -> str:
    """Return the name of the page of a game, by its id, or by its source if it has none.

    >>> game_page_name("2024010112gm-0009-0000-abcdef01", "2024-01-01T12")
    '2024-01-01-f745516258a1.html'
    """
    day = f"{started[:10]}-" if started else ""
    return f"{day}{hashlib.sha256(game.encode('utf-8', 'replace')).hexdigest()[:12]}.html"


def page_of_row(_number: int, row: GameRow) -> str:
    """Return the name of the page of a game in a player's list."""
    return game_page_name(row.id or row.source, row.started)


def player_page_name(name: str) -> str:
    """Return the name of the page of a player: what is ASCII in the name, and what tells it from others.

    >>> player_page_name("Aoi <3")
    'Aoi-3-77209fdf.html'
    """
    plain = "-".join(filter(None, (*_ASCII.split(name), hashlib.sha256(name.encode()).hexdigest()[:8])))
    return f"{plain}.html"


def digests(batch: Batch) -> list[str]:
    """Return what tells each game of a batch from itself after any change."""
    return [_digest(batch.take(game)) for game in range(len(batch))]


def _digest(game: Batch) -> str:
    found = hashlib.sha256()
    for table in game.tables():
        for _name, column in table.arrays():
            is_text = column.dtype == object
            found.update(repr(column.tolist()).encode("utf-8", "replace") if is_text else column.tobytes())
    return found.hexdigest()[:16]


def site_games(
    batch: Batch, made: Records, recorder: Recorder, aliases: Mapping[str, str], known: Mapping[str, str]
) -> Iterator[SiteGame]:
    """Yield the games of a batch, with pages except for those ``known``: page -> digest."""
    games = made.games
    for row, digest in enumerate(digests(batch)):
        players, started = int(games.players[row]), str(games.started[row])
        name = game_page_name(str(games.id[row] or games.source[row]), started)
        finals = games.final[row, :players].tolist()
        yield SiteGame(
            name,
            digest,
            started,
            str(games.room[row]),
            tuple(aliases.get(one, one) for one in map(str, games.names[row, :players])),
            tuple(games.rank[row, :players].tolist()),
            tuple(None if one == NO_POINTS else one for one in finals),
            b"" if known.get(f"{GAMES}/{name}") == digest else _page(recorder, row),
        )


def _page(recorder: Recorder, row: int) -> bytes:
    return zlib.compress(show_page([recorder.game(row).data], is_open=True).encode("utf-8", "replace"))


def games_of_players(games: Iterable[SiteGame]) -> dict[str, list[SiteGame]]:
    """Return the games of each player, those with most games first."""
    found: dict[str, list[SiteGame]] = defaultdict(list)
    for game in games:
        for name in dict.fromkeys(filter(None, game.names)):
            found[name].append(game)
    return dict(sorted(found.items(), key=lambda one: (-len(one[1]), one[0])))


def site_page(games: Sequence[SiteGame], pages: Mapping[str, str]) -> str:
    """Return the first page; ``pages`` are the addresses of players' pages by name."""
    css = read_template("report.css") + read_template("site.css")
    js = read_template("site.js")
    players = games_of_players(games)
    count, last = len(games), max((game.started for game in games), default="")[:10]
    return (
        environment()
        .get_template("site.html")
        .render(
            css=Markup(css),  # noqa: S704  ours
            js=Markup(js),  # noqa: S704  ours
            policy=content_security_policy([js], [css]),
            subtitle=[
                ngettext("{count:,} game", "{count:,} games", count).format(count=count),
                ngettext("{count:,} player", "{count:,} players", len(players)).format(count=len(players)),
                *([last] if last else []),
            ],
            players=[_player(name, own, pages.get(name, "")) for name, own in players.items()],
            games=[_game(game) for game in sorted(games, key=_latest)[::-1]],
            rank=CATALOGUE["rank"].said,
            version=version("paifu"),
        )
    )


def _latest(game: SiteGame) -> tuple[str, str]:
    return game.started, game.page


def _player(name: str, games: Sequence[SiteGame], address: str) -> dict[str, Any]:
    ranks = [rank for game in games for own, rank in zip(game.names, game.ranks, strict=True) if own == name]
    known = [rank for rank in ranks if rank]
    return {
        "name": numbers.player_name(name),
        "address": address,
        "games": len(games),
        "rank": f"{sum(known) / len(known):.2f}" if known else "",
    }


def _game(game: SiteGame) -> dict[str, Any]:
    seats = sorted(zip(game.ranks, range(len(game.names)), game.names, game.finals, strict=True))
    return {
        "address": f"{GAMES}/{game.page}",
        "day": game.started[:10],
        "room": room_said(game.room),
        "players": [
            {
                "name": numbers.player_name(name),
                "final": "" if final is None else numbers.points(final, signed=False),
            }
            for _rank, _seat, name, final in seats
        ],
    }
