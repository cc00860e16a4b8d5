"""The pages of a site about players: what is kept of each game in one pass over all, and a page made of it.

To judge decisions and to measure luck takes nine tenths of a report's time, and serves all players of a game.
It is done once a game; the rest is done for each player, on the player's games alone.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from paifu.coach.judgement.choices import JudgedChoices
from paifu.replay.arrays import Mask
from paifu.replay.model.batch import Batch, Text
from paifu.replay.table.replayed import Replay
from paifu.reports.metrics.counters import counted_names
from paifu.reports.pages.report import report, wanted
from paifu.reports.pages.report_data import Known, gather, total
from paifu.reports.pages.report_games import Links
from paifu.reports.pages.report_hands import game_keys_of
from paifu.reports.pages.report_luck import MeasuredGame, measured_games


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
