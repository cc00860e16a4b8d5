"""mjx: states of a simulator, one hand a line, into games.

A line is a state, which shows all hands, or an observation, which shows one player's. A hand belongs to the
game of the hand before it unless that game is over, its players are others, or its number does not follow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import astuple

from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import json_games
from paifu.parsers.mjx.games import MjxGame, MjxStates
from paifu.parsers.mjx.state_values import as_fields, follows
from paifu.parsers.sources.documents import Document
from paifu.replay.model.builder import BatchBuilder


def read_mjx(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder. Hands before it are kept, their game is marked as cut,
    and the hands after it are a game of their own.
    """
    games = list(_games(document, text, builder))
    alone = document.whole and len(games) == 1
    for states in games:
        while states:
            location = document.location if alone else states[0][0]
            MjxGame(states, location).add_to(builder)
            alone = False


def _games(document: Document, text: bytes, builder: BatchBuilder) -> Iterator[MjxStates]:
    """Yield the states of game after game; one that is not an object ends a game."""
    states: MjxStates = deque()
    faults = builder.faults
    for location, value in json_games(document, text, builder):
        is_state = isinstance(value, dict)
        if not is_state:
            error = ParseError("a state of mjx is an object", code="V102", hint="it was left out")
            builder.add_fault(*astuple(error.fault(location)))
        fields = as_fields(value)
        if states and (builder.faults > faults or not follows(states[-1][2], fields)):
            yield states
            states = deque()
        faults = builder.faults
        if is_state:
            place = location.removeprefix(document.location).replace(":", "line ").replace("#", "item ")
            states.append((location, place, fields))
    if states:
        yield states
