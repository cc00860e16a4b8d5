"""mjx: states of a simulator, one hand a line, into games.

A line is a state, which shows all hands, or an observation, which shows one player's. A hand belongs to the
game of the hand before it unless that game is over, its players are others, or its number does not follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple

from paifu.parsers.errors import ParseError
from paifu.parsers.json_games import json_games
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
        _read_game(states, document.location if alone else states[0][0], document.location, builder)


def _games(document: Document, text: bytes, builder: BatchBuilder) -> Iterator[_States]:
    """Yield the states of game after game; one that is no object ends a game."""
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


def _read_game(states: _States, location: str, document: str, builder: BatchBuilder) -> None:
    """Read a game; behind a hand that cannot be read, what follows is a game of its own."""
    game = MjxGame(location)
    fault: ParseError | None = None
    at = 0
    for at, (place, fields) in enumerate(states):  # noqa: B007  where it stopped
        try:
            game.hand(fields)
        except ParseError as error:
            where = place.removeprefix(document).replace(":", "line ").replace("#", "item ")
            error.place = f"{where} {error.place}".strip()
            error.hint = error.hint or "moves before this place were kept"
            fault = error
            break
    if game.draft.hands:
        builder.add(game.finish(is_whole=fault is None))
    elif fault is None:
        fault = ParseError("the log holds no hand", hint="nothing to do, or get it again")
    for one in [*game.faults, *([fault] if fault else [])]:
        builder.add_fault(*astuple(one.fault(location)))
    if states[at + 1 :]:
        _read_game_behind(states[at + 1 :], document, builder)


def _read_game_behind(states: _States, document: str, builder: BatchBuilder) -> None:
    _read_game(states, states[0][0], document, builder)
