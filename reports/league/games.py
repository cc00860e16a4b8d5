"""What a league keeps of each game: the result under its rules, what was won, and what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.coach.luck.ledger import luck_ledger
from paifu.coach.places.utilities import RULES
from paifu.replay.arrays import I32
from paifu.replay.course.settlement import starting_scores
from paifu.replay.errors import ArgumentError
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.finding import Severity
from paifu.replay.findings.kinds import KINDS
from paifu.replay.foreign_text import one_line
from paifu.replay.language import _
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch, Events, HandDraws, Hands, Wins
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import FIVE_KINDS, RED_MAN, RED_PIN, RED_SOU
from paifu.replay.rules.choices import Consequence, Scheme, WarningsOver
from paifu.replay.rulesets.presets import Given, rulesets_of
from paifu.replay.table.replayed import Replay
from paifu.replay.table.results import game_results
from paifu.replay.table.stated import foul_at
from paifu.replay.views.labels import format_label
from paifu.reports.luck import VALUES, game_values
from paifu.reports.metrics.recording import own_keys

_ILLEGAL = "V2"
"""Beginning of the codes of illegal moves."""
RED_RULES = ("red_man", "red_pin", "red_sou")


@dataclass(frozen=True, slots=True)
class BestWin:
    """A player's most valuable win of a game."""

    seat: int
    points: int
    """Without honba and sticks."""
    han: int
    yakuman: int
    """How many yakuman, doubles counted twice."""
    yaku: tuple[str, ...]
    hand: str
    """Label such as ``E1.0``."""
    source: int
    """The discarder, or the winner itself on tsumo."""


@dataclass(frozen=True, slots=True)
class LeagueGame:
    """One game; tuples are by seat."""

    id: str
    source: str
    """Where the log was read."""
    started: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    """Final scores, each win paid as the rules have it."""
    places: tuple[int, ...]
    """From 1; players who share a place have the same."""
    points: tuple[int, ...]
    """Result with uma, oka and fouls in plain points: 52300 is 52.3."""
    stated: tuple[int, ...]
    """Final scores as the log has them."""
    hands: int
    wins: tuple[int, ...]
    deal_ins: tuple[int, ...]
    chips: tuple[int, ...]
    """Chips gained."""
    best: tuple[BestWin, ...]
    """The best win of each player who won."""
    codes: tuple[str, ...]
    """Codes of what verification found wrong, each once for each place."""
    luck: tuple[int, ...] = ()
    """What of ``points`` was luck; empty where it is not measured."""
    warnings: tuple[int, ...] = ()
    """Warnings, where those of a day add up; else empty."""
    warning_cost: tuple[int, int] = (1, 0)
    """How many of them cost points together, and how many points."""
    missing: int = 0
    """Points that players began with and nobody has at the end, sticks left over counted; not 0 where a log,
    or paifu, is wrong."""

    @property
    def by_place(self) -> list[int]:
        """The seats, the first place first."""
        return sorted(range(len(self.names)), key=lambda seat: (self.places[seat], seat))

    @property
    def illegal(self) -> int:
        """How many moves the rules forbid."""
        return sum(code.startswith(_ILLEGAL) for code in self.codes)


@dataclass(frozen=True, slots=True)
class LeagueGames:
    """Games of some input, and how many of its games came to no result; parts add up."""

    games: list[LeagueGame]
    unfinished: int


def adapted(rules: tuple[Given, ...], batch: Batch) -> Batch:
    """Return a batch as if it had been played with the tiles and the starting points of some rules.

    A league settles hands under its rules that were played under others. Red fives of a suit that has none
    under the rules are plain. Players who all began with the same points begin with those of the rules, and
    all scores of the game with them. Raises ArgumentError where fewer fives of a suit would be red than are,
    but some: nobody knows which.
    """
    if not len(batch.hands):
        return batch
    return _with_starts_of(rules, _with_fives_of(rules, batch))


def _with_starts_of(rules: tuple[Given, ...], batch: Batch) -> Batch:
    """Return a batch in which scores begin with the starting points of some rules."""
    games, hands = batch.games, batch.hands
    shift = np.zeros((len(games), 4), np.int64)
    dealers = games.deals_first
    for game, one in enumerate(rulesets_of(batch, *rules)):
        if games.hand_begin[game] == games.hand_end[game]:
            continue
        begun = hands.scores[games.hand_begin[game], : one.table.players].astype(np.int64)
        if len(set(begun.tolist())) == 1:
            shift[game, : one.table.players] = np.array(starting_scores(one, int(dealers[game]))) - begun
    if not shift.any():
        return batch

    def moved(scores: I32, of_games: npt.NDArray[Any]) -> I32:
        return np.where(scores == UNKNOWN_POINTS, scores, scores + shift[of_games]).astype(np.int32)

    of_riichi = hands.game[batch.hands_of(batch.riichi_scores.event)]
    return replace(
        batch,
        games=replace(games, final_scores=moved(games.final_scores, np.arange(len(games)))),
        hands=replace(hands, scores=moved(hands.scores, hands.game)),
        wins=replace(batch.wins, scores=moved(batch.wins.scores, hands.game[batch.wins.hand])),
        hand_draws=replace(
            batch.hand_draws, scores=moved(batch.hand_draws.scores, hands.game[batch.hand_draws.hand])
        ),
        riichi_scores=replace(batch.riichi_scores, scores=moved(batch.riichi_scores.scores, of_riichi)),
    )


def _plain_fives(rules: tuple[Given, ...], batch: Batch) -> npt.NDArray[np.uint8]:
    """Return (games, 256) what each tile code counts as."""
    plain = np.tile(np.arange(256, dtype=np.uint8), (len(batch.games), 1))
    pairs = zip(rulesets_of(batch), rulesets_of(batch, *rules), strict=True)
    for game, (own, other) in enumerate(pairs):
        if other.game.scheme != Scheme.HAN_FU:
            continue
        for name, red, five in zip(RED_RULES, (RED_MAN, RED_PIN, RED_SOU), FIVE_KINDS, strict=True):
            if other[name] == 0:
                plain[game, red] = five
            elif other[name] < own[name]:
                text = _(
                    "{file}: {rule} = {count} cannot be settled: {own} fives are red in this log, and nobody "
                    "knows which of them would be; 0 makes all of them plain"
                )
                source = one_line(str(batch.games.source[game]))
                raise ArgumentError(text.format(file=source, rule=name, count=other[name], own=own[name]))
    return plain


def _with_fives_of(rules: tuple[Given, ...], batch: Batch) -> Batch:
    """Return a batch in which red fives are plain where they are not played with under some rules."""
    plain = _plain_fives(rules, batch)
    if (plain == np.arange(256)).all():
        return batch
    games_of = {
        Hands.NAME: batch.hands.game,
        Events.NAME: batch.hands.game[batch.hands_of(np.arange(len(batch.events)))],
        Wins.NAME: batch.hands.game[batch.wins.hand],
        HandDraws.NAME: batch.hands.game[batch.hand_draws.hand],
    }
    changed = {}
    for name, games in games_of.items():
        table = getattr(batch, name)
        columns = {
            column.name: plain[games.reshape(-1, *[1] * len(column.width)), getattr(table, column.name)]
            for column in table.columns()
            if column.is_code
        }
        changed[name] = replace(table, **columns)
    return replace(batch, **changed)


def league_games(replayed: Replay, _inputs: object, *, luck: bool = False) -> LeagueGames:
    """Return the games of a replay that have a result, with luck if it is asked for."""
    batch = replayed.batch
    lucky = _luck(replayed) if luck else {}
    found = replayed.findings
    errors = list(zip(found.game.tolist(), map(_error, found.code.tolist()), strict=True))
    games = []
    for row, result in enumerate(game_results(replayed)):
        if result is None:
            continue
        players = len(result.scores)
        whole = slice(int(batch.games.hand_begin[row]), int(batch.games.hand_end[row]))
        wins = np.flatnonzero((batch.wins.hand >= whole.start) & (batch.wins.hand < whole.stop))
        winners, sources = batch.wins.seat[wins], batch.wins.source[wins]
        chips = batch.wins.chips[wins][(batch.wins.chips[wins] != UNKNOWN_POINTS).all(axis=1)]
        games.append(
            LeagueGame(
                id=str(batch.games.id[row]),
                source=str(batch.games.source[row]),
                started=str(batch.games.started[row]),
                names=tuple(map(str, batch.games.names[row][:players])),
                scores=result.scores,
                places=result.places,
                points=result.points,
                stated=tuple(batch.games.final_scores[row, :players].tolist()),
                hands=whole.stop - whole.start,
                wins=tuple(np.bincount(winners, minlength=4)[:players].tolist()),
                deal_ins=tuple(np.bincount(sources[sources != winners], minlength=4)[:players].tolist()),
                chips=tuple(chips.sum(axis=0)[:players].astype(int).tolist()),
                best=tuple(_best(replayed, wins)),
                codes=tuple(code for game, code in errors if game == row and code),
                luck=lucky.get(row, ())[:players],
                missing=result.missing,
                **_warnings(replayed, row),
            )
        )
    return LeagueGames(games, len(batch) - len(games))


def _warnings(replayed: Replay, game: int) -> dict[str, Any]:
    """Return what is to know of a game's warnings where those of a day add up."""
    rules, batch = replayed.rulesets[game], replayed.batch
    if rules.fouls.warnings_over != WarningsOver.DAY:
        return {}
    first, last = int(batch.games.event_begin[game]), int(batch.games.event_end[game])
    at = first + np.flatnonzero(batch.events.kind[first:last] == EventKind.FOUL)
    fouls = [foul_at(batch, event) for event in at.tolist()]
    warned = [foul.seat for foul in fouls if foul.cost(rules) == Consequence.WARNING]
    return {
        "warnings": tuple(map(warned.count, range(rules.table.players))),
        "warning_cost": (rules.fouls.warning_count, rules.fouls.warning_points),
    }


def _luck(replayed: Replay) -> dict[int, tuple[int, ...]]:
    """Return what of the results of each game was luck, by seat in plain points, where it is measured."""
    ledger = luck_ledger(replayed.batch, *replayed.rules, worth=RULES)
    values = 1000 * game_values(ledger)[:, :, VALUES.index("utility_luck")]
    return {
        game: tuple(row.round().astype(int).tolist())
        for game, row in zip(ledger.games.tolist(), values, strict=True)
        if not np.isnan(row).any()
    }


def _error(code: int) -> str:
    kind = KINDS.get(code_of(code))
    return kind.code if kind and kind.severity == Severity.ERROR else ""


def _best(replayed: Replay, wins: np.typing.NDArray[np.int64]) -> list[BestWin]:
    """Return the best win of each winner of a game, in the order of the seats."""
    from paifu.reports.tables.making import yaku_words

    scored, hands = replayed.scored_wins, replayed.batch.hands
    best: dict[int, int] = {}
    for row in wins[scored.base[wins] > 0].tolist():
        seat = int(scored.seat[row])
        if seat not in best or scored.points[row] > scored.points[best[seat]]:
            best[seat] = row
    found = []
    for seat, row in sorted(best.items()):
        hand = int(scored.hand[row])
        rules = replayed.rulesets[int(hands.game[hand])]
        masks = (int(scored.yaku[row]), int(scored.local[row]), int(scored.patterns[row]))
        found.append(
            BestWin(
                seat=seat,
                points=int(scored.points[row]),
                han=int(scored.han[row]),
                yakuman=int(scored.yakuman[row]),
                yaku=tuple(yaku_words(rules.game.scheme, *masks, own_keys(rules))),
                hand=format_label(int(hands.round[hand]), int(hands.honba[hand])),
                source=int(scored.source[row]),
            )
        )
    return found
