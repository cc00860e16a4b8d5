"""The pages of a site: the first, with all players and all games, and one about each player."""

from __future__ import annotations

import hashlib
import pickle
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from paifu.coach.judgement.choices import JudgedChoices
from paifu.replay.arrays import Mask
from paifu.replay.model.batch import Batch, Text
from paifu.replay.table.replayed import Replay
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import counted_names
from paifu.reports.metrics.records import NO_POINTS, Records
from paifu.reports.metrics.rooms import room_said
from paifu.reports.pages.luck_and_changes import MeasuredGame, measured_games
from paifu.reports.pages.page import filled, player_name, points, read_template
from paifu.reports.pages.report import report, wanted
from paifu.reports.pages.report_data import Known, gather, total
from paifu.reports.pages.report_games import Links
from paifu.reports.pages.report_hands import Recorder, game_keys_of
from paifu.reports.pages.stepper import Data, show_page
from paifu.reports.wording import plural

GAMES, PLAYERS = "games", "players"
"""Folders of a site."""
_ASCII = re.compile(r"[^0-9A-Za-z]+")
_MOST_LETTERS = 60
"""Of a name, in the name of a page: file systems take 255 bytes."""
G = TypeVar("G")
K = TypeVar("K", str, tuple[str, str])


@dataclass(frozen=True, slots=True)
class SiteGame:
    """A game of a site."""

    page: str
    """Name of its page in the folder of games."""
    started: str
    room: str
    names: tuple[str, ...]
    """By seat, after aliases."""
    ranks: tuple[int, ...]
    """0 if the final result is unknown."""
    finals: tuple[int | None, ...]
    html: bytes = b""
    """Its page, deflated; empty if that is written already."""

    @property
    def by_place(self) -> list[tuple[int, int, str, int | None]]:
        """Place, seat, name and final points of each player, the first place first."""
        return sorted(zip(self.ranks, range(len(self.names)), self.names, self.finals, strict=True))


def game_page_name(game: str, started: str) -> str:
    """Return the name of the page of a game, by its id, or by its source if it has none.

    >>> game_page_name("2024010112gm-0009-0000-abcdef01", "2024-01-01T12")
    '2024-01-01-f745516258a1.html'
    """
    day = f"{started[:10]}-" if started else ""
    return f"{day}{hashlib.sha256(game.encode('utf-8', 'replace')).hexdigest()[:12]}.html"


def player_page_name(name: str) -> str:
    """Return the name of the page of a player: what is ASCII in the name, and what tells it from others.

    >>> player_page_name("Aoi <3")
    'Aoi-3-77209fdf.html'
    """
    plain = "-".join(filter(None, _ASCII.split(name)))[:_MOST_LETTERS].rstrip("-")
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain}-{digest}.html" if plain else f"{digest}.html"


def told_apart(names: Mapping[K, str]) -> dict[K, str]:
    """Return names of pages of which no two are equal: from the second on, by their keys, with a number.

    >>> told_apart({"b": "x.html", "a": "x.html", "c": "y.html"})
    {'a': 'x.html', 'b': 'x-2.html', 'c': 'y.html'}
    """
    found, had = {}, Counter[str]()
    for key in sorted(names):
        had[names[key]] += 1
        number = had[names[key]]
        found[key] = names[key] if number == 1 else f"{names[key].removesuffix('.html')}-{number}.html"
    return found


@dataclass(frozen=True, slots=True)
class SeenGame:
    """What a look at a game shows before it is replayed."""

    name: str
    """Name of its page, unless another game has the same."""
    digest: str
    """Another if anything in the game changes."""
    players: tuple[str, ...]
    """After aliases, each once."""


def seen_games(batch: Batch, aliases: Mapping[str, str]) -> list[SeenGame]:
    """Look at the games of a batch."""
    games, names = batch.games, counted_names(batch.games.names, aliases)
    return [
        SeenGame(
            game_page_name(str(games.id[row] or games.source[row]), str(games.started[row])),
            digest,
            tuple(dict.fromkeys(name for name in names[row].tolist() if name)),
        )
        for row, digest in enumerate(digests(batch))
    ]


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
    made: Records,
    recorder: Recorder,
    aliases: Mapping[str, str],
    pages: Sequence[str],
    known: Container[str],
) -> Iterator[tuple[SiteGame, Data | None]]:
    """Yield the games of a batch; ``pages`` are the names of their pages, of which ``known`` are made.

    With each that is not made comes the game for the stepper.
    """
    games = made.games
    for row, page in enumerate(pages):
        players = int(games.players[row])
        finals = games.final[row, :players].tolist()
        data = None if page in known else recorder.game(row).data
        game = SiteGame(
            page,
            str(games.started[row]),
            str(games.room[row]),
            tuple(aliases.get(one, one) for one in map(str, games.names[row, :players])),
            tuple(games.rank[row, :players].tolist()),
            tuple(None if one == NO_POINTS else one for one in finals),
            b"" if data is None else _page(data),
        )
        yield game, data


def _page(data: Data) -> bytes:
    return zlib.compress(show_page([data], is_open=True).encode("utf-8", "replace"), 1)


def games_of_players(games: Iterable[tuple[G, Iterable[str]]]) -> dict[str, list[G]]:
    """Return the games of each player from their players, those with most games first."""
    found: dict[str, list[G]] = defaultdict(list)
    for game, names in games:
        for name in dict.fromkeys(filter(None, names)):
            found[name].append(game)
    return dict(sorted(found.items(), key=lambda one: (-len(one[1]), one[0])))


def site_page(games: Sequence[SiteGame], pages: Mapping[str, str]) -> str:
    """Return the first page; ``pages`` are the addresses of players' pages by name."""
    css = read_template("report.css") + read_template("site.css")
    js = read_template("site.js")
    players = games_of_players((game, game.names) for game in games)
    count, last = len(games), max((game.started for game in games), default="")[:10]
    return filled(
        "site",
        css,
        js,
        subtitle=[
            plural(count, "game"),
            plural(len(players), "player"),
            *([last] if last else []),
        ],
        players=[
            (player_name(name), pages.get(name, ""), len(own), _mean_rank(name, own))
            for name, own in players.items()
        ],
        games=sorted(games, key=attrgetter("started", "page"))[::-1],
        folder=GAMES,
        player_name=player_name,
        points=points,
        room_said=room_said,
        rank=CATALOGUE["rank"].said,
        version=version("paifu"),
    )


def _mean_rank(name: str, games: Sequence[SiteGame]) -> str:
    ranks = [rank for game in games for own, rank in zip(game.names, game.ranks, strict=True) if own == name]
    known = [rank for rank in ranks if rank]
    return f"{sum(known) / len(known):.2f}" if known else ""


# --- pages about players -------------------------------------------------------------------------------
#
# To judge decisions and to measure luck takes nine tenths of a report's time, and serves all players of a
# game. It is done once a game; the rest is done for each player, on the player's games alone.


@dataclass(frozen=True, slots=True)
class SiteGamePart:
    """A game as the pages of its players need it."""

    batch: Batch
    """The game alone."""
    choices: JudgedChoices
    luck: MeasuredGame | None
    is_shortened: bool
    """It lost hands that were there before, so what is found from hand to hand says nothing of its log."""
    page: str
    """Name of its page in the folder of games."""
    data: bytes
    """The game for the stepper, kept; empty if its page was made before."""


def kept(value: object) -> bytes:
    """Return a value as few bytes, to be kept until all games have been seen."""
    return zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)


def unpacked(packed: bytes) -> Any:
    """Return what :func:`kept` made bytes of in this run; None for no bytes."""
    return pickle.loads(zlib.decompress(packed)) if packed else None  # noqa: S301  our own


def players_in(batch: Batch, players: frozenset[str], aliases: Mapping[str, str]) -> Text:
    """Return (games, 4) which of some players sit where; empty for all others."""
    names = counted_names(batch.games.names, aliases)
    own = [[name if name in players else "" for name in row] for row in names.tolist()]
    found: Text = np.array(own, object).reshape(-1, 4)
    return found


def game_parts(
    replayed: Replay,
    choices: JudgedChoices,
    needed: Mask,
    shortened: Mask,
    pages: Sequence[str],
    data: Sequence[bytes],
) -> Iterator[bytes]:
    """Yield a part, kept, for each game of a batch that is needed, and nothing for others.

    ``pages`` are the names of the pages of all games, ``data`` as in the parts.
    """
    batch = replayed.batch
    of_games = choices.of_games(batch)
    luck = iter(measured_games(batch.only(needed), *replayed.rules) if needed.any() else ())
    for game in range(len(batch)):
        if not needed[game]:
            yield b""
            continue
        is_shortened = bool(shortened[game]) if len(shortened) else False
        own = batch.take(game), of_games[game], next(luck), is_shortened, pages[game], data[game]
        yield kept(SiteGamePart(*own))


def player_page(
    name: str,
    replayed: Replay,
    parts: Sequence[SiteGamePart],
    aliases: Mapping[str, str],
    links: Links,
) -> str:
    """Return the page about a player, made of the player's games alone, of which ``parts`` has one each."""
    batch, asked = replayed.batch, wanted(name, aliases)
    choices, seats = JudgedChoices.joined([part.choices for part in parts], batch), asked.seats(batch)
    for part in (choices.drilled, choices.unusual):
        part[:] = [one for one in part if seats[one.game, one.seat]]
    known = Known(choices, [part.luck for part in parts], [unpacked(part.data) for part in parts])
    data = gather(replayed, asked, len(set(batch.games.source.tolist())), known=known)
    pages = dict(zip(game_keys_of(batch), (part.page for part in parts), strict=True))
    data.games = [replace(row, address=pages[row.key]) for row in data.games]
    return report(total([data], asked), name, links=links).html
