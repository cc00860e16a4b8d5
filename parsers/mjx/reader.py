"""mjx: states of a simulator, one hand a line, into games.

A line is a state, which shows all hands, or an observation, which shows one player's. A hand belongs to the
game of the hand before it unless that game is over, its players are others, or its number does not follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple

from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import json_games
from paifu.parsers.kept_faults import add_game
from paifu.parsers.mjx.games import MjxGame
from paifu.parsers.mjx.state_values import StateFields, as_fields, follows
from paifu.parsers.sources.documents import Document
from paifu.replay.model.builder import BatchBuilder

_States = list[tuple[str, StateFields]]
"""Location and fields of each hand of a game."""


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
            states, alone = _read_game(states, location, document.location, builder), False


def _games(document: Document, text: bytes, builder: BatchBuilder) -> Iterator[_States]:
    """Yield the states of game after game; one that is not an object ends a game."""
    states: _States = []
    faults = builder.faults
    for location, value in json_games(document, text, builder):
        is_state = isinstance(value, dict)
        if not is_state:
            error = ParseError("a state of mjx is an object", code="V102", hint="it was left out")
            builder.add_fault(*astuple(error.fault(location)))
        fields = as_fields(value)
        if states and (builder.faults > faults or not follows(states[-1][1], fields)):
            yield states
            states = []
        faults = builder.faults
        if is_state:
            states.append((location, fields))
    if states:
        yield states


def _read_game(states: _States, location: str, document: str, builder: BatchBuilder) -> _States:
    """Read a game; returns the states after a hand that cannot be read."""
    game = MjxGame(location)
    for at, (place, fields) in enumerate(states):
        try:
            game.hand(fields)
        except ParseError as error:
            where = place.removeprefix(document).replace(":", "line ").replace("#", "item ")
            error.place = f"{where} {error.place}".strip()
            error.hint = error.hint or "moves before this place were kept"
            add_game(builder, location, game, error)
            return states[at + 1 :]
    add_game(builder, location, game)
    return []
