"""Positions: one moment of a hand of a log."""

from __future__ import annotations

import os

from paifu.api.pipeline import SILENT, Watch, reading
from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.positions.position import Position
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.views.games import Game, Hand, games
from paifu.replay.views.labels import parse_label

_MOST_TURNS = 99
_MOST_EVENTS = 999


def position(
    log: str | os.PathLike[str] | Game,
    hand: str | int,
    event: int = 0,
    *,
    game: int = 1,
    rules: Rules | None = None,
    settings: Settings = (),
    watch: Watch = SILENT,
) -> Position:
    """Return a hand of a log as it is before an event: the table, and what each seat may do.

    ``log`` is a path or a :class:`Game`; ``game`` counts the games of a path from 1. ``hand`` is a label such
    as ``E1.0``, or the number of the hand in its game, from 0. ``event`` counts the events of the hand from
    0, as ``Event.index`` and the column ``event`` of findings do: 0 is the deal. ``rules`` and ``settings``
    are what moves are judged by, by default what the log names. Raises ArgumentError for a game, a hand or an
    event that there is not, PathNotFound, and RuleError.

    >>> table = position("sample_logs/formats/hanchan.mjlog.gz", "E1.0", 48)
    >>> print(table.last, table.movers)
    <Event 47 seat 3 discards 7p tsumogiri> (0,)
    >>> for move in table.legal(0):
    ...     print(move)
    chi 7p with 06p
    chi 7p with 56p
    """
    found = log if isinstance(log, Game) else game_of(os.fspath(log), game, watch)
    batch = found.batch()
    chosen = rulesets_of(batch, *rulesets_for_replay(rules, settings))[0]
    alone = next(games(batch))
    return Position(_numbered(alone, hand) if isinstance(hand, int) else hand_of(alone, hand), event, chosen)


def position_at(
    log: str | os.PathLike[str] | Game,
    at: str,
    seat: int | None = None,
    *,
    game: int = 1,
    rules: Rules | None = None,
    settings: Settings = (),
    watch: Watch = SILENT,
) -> Position:
    """Return a position by the text that names it: ``E1.0@17``, or ``E1.0:7`` and a seat.

    ``@17`` is the moment before event 17, as for :func:`position`; ``:7`` that before the seat's 7th discard
    (or the riichi that it declares). Raises what :func:`position` does.

    >>> position_at("sample_logs/formats/hanchan.mjlog.gz", "E1.0:7", 2).next
    <Event 53 seat 2 discards 0m>
    """
    label, mark, number = parse_place(at)
    found = position(log, label, game=game, rules=rules, settings=settings, watch=watch)
    if mark == "@":
        return found.go_to(number)
    if seat is None:
        raise ArgumentError(_("whose turn {number}? Name a seat, or an event: {label}@17").format(
            number=number, label=label
        ))  # fmt: skip
    return found.go_to_turn(seat, number)


def parse_place(at: str) -> tuple[str, str, int]:
    """Return the label, the mark and the number of ``E1.0:7`` or ``E1.0@17``."""
    for mark, least, most in ((":", 1, _MOST_TURNS), ("@", 0, _MOST_EVENTS)):
        label, found, number = at.rpartition(mark)
        is_number = number.isascii() and number.isdigit() and len(number) < 4
        if found and is_number and least <= int(number) <= most:
            return label, mark, int(number)
    raise ArgumentError(
        _(
            "{at!r} is not a place; write a hand and a turn from 1, such as E1.0:7, or an event: E1.0@17"
        ).format(at=at)
    )


def game_of(log: str, number: int, watch: Watch = SILENT) -> Game:
    """Return the ``number``-th game of a log, from 1, in a batch of its own."""
    count = 0
    run = reading(log, watch=watch)
    for batch in run:
        for game in games(batch):
            count += 1
            if count == number:
                return next(games(game.batch()))
    if run.faults and not count:
        raise ArgumentError(_("{log}: {message}").format(log=log, message=run.faults[0].message))
    raise ArgumentError(
        _("{log} holds {count} games; there is no game {number}").format(log=log, count=count, number=number)
    )


def hand_of(game: Game, label: str) -> Hand:
    """Return the hand of a game that a label names; it must be the only one."""
    try:
        round_, honba = parse_label(label)
    except ValueError as error:
        raise ArgumentError(str(error)) from error
    hands = [hand for hand in game.hands if hand.round == round_ and honba in (None, hand.honba)]
    if not hands:
        raise ArgumentError(
            _("there is no such hand; there are {hands}").format(
                hands=", ".join(hand.label for hand in game.hands)
            )
        )
    if len(hands) > 1:
        raise ArgumentError(
            _("there are {hands}; say which").format(hands=", ".join(hand.label for hand in hands))
        )
    return hands[0]


def _numbered(game: Game, number: int) -> Hand:
    hands = game.hands
    if not 0 <= number < len(hands):
        text = _("the game has {count} hands; count them from 0, not {number}")
        raise ArgumentError(text.format(count=len(hands), number=number))
    return hands[number]
