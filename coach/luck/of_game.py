"""What :mod:`paifu.coach.luck.views` shows of one game, measured."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from paifu.coach.kernels import luck_layout
from paifu.coach.luck.course import course
from paifu.coach.luck.hand_ends import SEATS
from paifu.coach.luck.ledger import LuckLedger, luck_ledger
from paifu.coach.luck.measuring import ChanceNodes, chance_nodes, is_measured, node_luck
from paifu.coach.luck.moments import Moments, moments
from paifu.coach.luck.views import BySeat, GameLuck, HandOfLuck, Moment, Node, NodeKind
from paifu.coach.places.utilities import RULES
from paifu.replay.arrays import F64, I64
from paifu.replay.errors import ArgumentError
from paifu.replay.language import _
from paifu.replay.model.batch import Batch
from paifu.replay.model.tiles import KINDS, NO_TILE
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import Given, rulesets_of
from paifu.replay.views.games import Game

_KINDS = {
    luck_layout.DEALT: NodeKind.DEAL,
    luck_layout.DRAWN: NodeKind.DRAW,
    luck_layout.DORA: NodeKind.DORA,
    luck_layout.URA: NodeKind.URA,
}


def luck_of_game(game: Game, *rules: Given, worth: str = RULES) -> GameLuck:
    """Return the luck of a game, under its log's rules or the given ones; ``worth`` names a utility.

    Raises ArgumentError with the reason if it is not measured.
    """
    batch = game.batch()
    found = list(chance_nodes(batch, *rules, keep=True))
    ledger = luck_ledger(batch, *rules, worth=worth, outlook=True, nodes=found)
    if not len(ledger.games):
        raise ArgumentError(_why_not(batch, *rules))
    nodes = _nodes(batch, found)
    every = moments(batch, ledger, course(batch, found, worth))
    return GameLuck(tuple(_hand(ledger, row, nodes, every) for row in range(len(ledger.hand))), worth)


def _hand(ledger: LuckLedger, row: int, nodes: dict[int, list[Node]], every: Moments) -> HandOfLuck:
    is_last = row + 1 == len(ledger.hand)
    places = _places(ledger.chances[row])
    found = HandOfLuck(
        int(ledger.number[row]),
        places,
        _places(ledger.final[0] if is_last else ledger.chances[row + 1]),
        tuple(ledger.result[row].tolist()),
        tuple(ledger.luck[row].tolist()),
        tuple(nodes[int(ledger.hand[row])]),
    )
    if places is None:
        return found
    return replace(
        found,
        worth=tuple(ledger.expected[row].tolist()),
        leverage=tuple(ledger.leverage[row].tolist()),
        moments=tuple(_moment(every, at) for at in np.flatnonzero(every.row == row).tolist()),
    )


def _moment(every: Moments, at: int) -> Moment:
    event = int(every.event[at])
    return Moment(
        None if event < 0 else event,
        tuple(map(tuple, every.before[at].tolist())),
        tuple(map(tuple, every.places[at].tolist())),
        tuple(every.worth[at].tolist()),
        tuple((every.worth[at] - every.worth_before[at]).tolist()),
    )


def _places(chances: F64) -> tuple[BySeat, ...] | None:
    return None if np.isnan(chances).any() else tuple(map(tuple, chances.tolist()))


def _nodes(batch: Batch, parts: Iterable[ChanceNodes]) -> dict[int, list[Node]]:
    """Return the nodes of each hand."""
    found: dict[int, list[Node]] = {}
    for part in parts:
        cells: I64 = part.cells.astype(np.int64)
        for cell, luck in zip(cells.tolist(), node_luck(part).tolist(), strict=True):
            hand, event = cell[luck_layout.N_HAND], cell[luck_layout.N_EVENT]
            seat, tile = cell[luck_layout.N_SEAT], cell[luck_layout.N_TILE]
            kind = _KINDS[cell[luck_layout.N_SORT]]
            found.setdefault(hand, []).append(
                Node(
                    kind,
                    None if event < 0 else event - int(batch.hands.event_begin[hand]),
                    seat if seat < SEATS else None,
                    None if tile == NO_TILE or kind == NodeKind.URA else tile,
                    tuple(luck),
                )
            )
    return found


def _why_not(batch: Batch, *rules: Given) -> str:
    """Return why the luck of a batch of one game is not measured."""
    ruleset, hands, players = rulesets_of(batch, *rules)[0], batch.hands, int(batch.games.players[0])
    if ruleset.game.scheme != Scheme.HAN_FU:
        return _("luck is not measured: the game is not riichi")
    if not is_measured(ruleset):
        text = _("luck is not measured in games with {players} players: too few are known to test it on")
        return text.format(players=players)
    if batch.games.is_cut[0] or not len(hands):
        return _("luck is not measured: the log of the game is not whole")
    if (hands.dealt[:, :players] >= KINDS + 3).any():
        return _("luck is not measured: tiles are hidden")
    return _("luck is not measured: points are missing, or a hand breaks the rules")
