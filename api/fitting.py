"""Fit: the model that judges decisions, from games."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from paifu.api.only import EVERY_GAME, Only, faults_of
from paifu.api.pipeline import SILENT, Done, Paths, Run, Unit, Watch
from paifu.parsers.dataset.shards import FACTS, Shard, as_damage, has_facts, read_facts
from paifu.parsers.read import read_unit
from paifu.parsers.workers import Jobs
from paifu.replay.bounds import demand
from paifu.replay.facts.decisions import Decisions, Options
from paifu.replay.findings.finding import faults
from paifu.replay.language import _
from paifu.replay.model.batch import UNKNOWN_POINTS, Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import rulesets_of
from paifu.reports.judgement.library import FitError
from paifu.reports.judgement.stored import decisions_key
from paifu.reports.metrics.rooms import room_of

if TYPE_CHECKING:
    from paifu.replay.judgement.model import Model
    from paifu.reports.judgement.fitting import ChosenOptions, ModelCheck

HELD_OUT = 5
"""One game in this many is kept away from fitting."""


@dataclass(frozen=True, slots=True)
class FittingData:
    """The choices of some games, and what is known of the games."""

    choices: ChosenOptions
    names: list[bytes]
    """A hash for each game that counts, by which a game that comes twice is known."""
    games: list[int]
    """Their numbers in ``choices``."""
    rooms: list[str]
    months: list[str]
    formats: list[str]


@dataclass(slots=True)
class Sample:
    """All choices that a model is fitted to, or checked with."""

    parts: list[ChosenOptions] = field(default_factory=list)
    seen: set[bytes] = field(default_factory=set)
    rooms: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    months: set[str] = field(default_factory=set)
    held_out: int = 0
    repeated: int = 0

    def add(self, part: FittingData) -> None:
        """Add the games of a unit that are not there yet."""
        fresh = []
        for game, name, room, month, form in zip(
            part.games, part.names, part.rooms, part.months, part.formats, strict=True
        ):
            if name in self.seen:
                self.repeated += 1
                continue
            self.seen.add(name)
            fresh.append(game)
            self.held_out += is_held_out(name)
            self.rooms[room or "other"] += 1
            self.formats[form] += 1
            if month:
                self.months.add(month)
        keep = np.isin(part.choices.table.game, fresh)
        if len(keep):
            self.parts.append(part.choices.taken(keep))

    def provenance(self, players: int) -> dict[str, Any]:
        """Return what the model says of where it comes from."""
        months = sorted(self.months)
        return {
            "players": players,
            "games": len(self.seen),
            "held_out_games": self.held_out,
            "rooms": dict(self.rooms.most_common()),
            "formats": dict(self.formats.most_common()),
            "played": [months[0], months[-1]] if months else [],
        }


def is_held_out(name: bytes) -> bool:
    """Return whether a game is kept away from fitting: always the same ones."""
    return name[0] % HELD_OUT == 0


def gathering(
    paths: Paths, players: int, *, only: Only = EVERY_GAME, jobs: Jobs = 1, watch: Watch = SILENT
) -> Run[FittingData]:
    """Return a run that gathers the choices made in games of riichi with this number of players."""
    return Run(paths, partial(_gathered, players, only), jobs=jobs, watch=watch)


def fit_model(
    sample: Sample, players: int, *, tell: Callable[[str], None] = lambda _: None
) -> tuple[Model, ModelCheck]:
    """Fit a model, and check it with the games that were kept away. Raises FitError."""
    from paifu.reports.judgement.fitting import LEAST_GAMES, ChosenOptions, check, fit, numbered

    if len(sample.seen) - sample.held_out < LEAST_GAMES or not sample.held_out:
        raise FitError(
            _(
                "a model for {players} players needs at least {least_games} games besides those kept "
                "for the check, and there are {count}; add logs"
            ).format(players=players, least_games=LEAST_GAMES, count=len(sample.seen) - sample.held_out)
        )
    choices = ChosenOptions.joined(list(numbered(sample.parts)))
    sample.parts.clear()
    model = fit(choices, sample.provenance(players), tell)
    tell("checking")
    found = check(model, choices)
    model.provenance["decisions"] = len(choices)
    model.provenance["check"] = found.summary()
    return model, found


def _known(unit: Unit) -> bool:
    return all(isinstance(item, Shard) and has_facts(item, (Decisions,), decisions_key()) for item in unit)


def _gathered(players: int, only: Only, unit: Unit) -> Done[FittingData]:
    """Read (or replay) a unit; the work of one process."""
    known = _known(unit)
    batch = read_unit(unit)
    rooms = [room_of(batch, game) for game in range(len(batch))]
    keep, left_out = only.choose(batch.games.started, rooms)
    wanted = [
        game
        for game, rules in enumerate(rulesets_of(batch))
        if rules.game.scheme == Scheme.HAN_FU and batch.games.players[game] == players and keep[game]
    ]
    names = {game: game_hash(batch, game) for game in wanted}
    parts = list(_stored(unit, batch) if known else _derived(batch))
    from paifu.reports.judgement.fitting import ChosenOptions

    held = np.zeros(len(batch) + 1, bool)
    held[[game for game in wanted if is_held_out(names[game])]] = True
    choices = ChosenOptions.joined(
        [
            ChosenOptions(table, where, held[table.game]).taken(
                np.isin(table.game, wanted) & (table.points != UNKNOWN_POINTS)
            )
            for table, where in parts
        ]
    )
    games = batch.games
    gathered = FittingData(
        choices,
        [names[game] for game in wanted],
        wanted,
        [rooms[game] for game in wanted],
        [str(games.started[game])[:7] for game in wanted],
        [str(games.format[game]) for game in wanted],
    )
    told = batch.faults.rows(faults_of(keep, games.source, batch.faults))
    return Done(gathered, int(keep.sum()), tuple(faults(told)), left_out)


def game_hash(batch: Batch, game: int) -> bytes:
    """Return a hash that tells a game from others: of its id, or of where it was read."""
    text = str(batch.games.id[game]) or str(batch.games.source[game])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()


def _derived(batch: Batch) -> Iterator[tuple[Options, Any]]:
    """Yield the chosen options of a batch, and their neighbourhoods."""
    from paifu.replay.judgement.deciding import options
    from paifu.replay.judgement.model import neighbourhood

    for table in options(batch):
        keep = table.chosen == 1
        yield table.rows(keep), neighbourhood(table)[keep]


def _stored(unit: Unit, batch: Batch) -> Iterator[tuple[Options, Any]]:
    """Yield what shards store, their games and hands numbered as in the batch of all of them."""
    names = [one.name for one in Options.columns()]
    games = hands = 0
    for shard in (item for item in unit if isinstance(item, Shard)):
        entry = shard.entry
        table = read_facts(shard, (Decisions,), {Decisions.NAME: (0, 4 * entry.events)})[Decisions.NAME]
        assert isinstance(table, Decisions)  # noqa: S101
        from paifu.replay.judgement.model import NEIGHBOURHOODS

        with as_damage(shard, FACTS):
            for column, most in (
                ("game", entry.games),
                ("hand", entry.hands),
                ("neighbourhood", NEIGHBOURHOODS),
            ):
                values = getattr(table, column)
                demand(table, column, (values >= 0) & (values < most))
        columns = {name: getattr(table, name) for name in names}
        columns["game"], columns["hand"] = columns["game"] + games, columns["hand"] + hands
        yield Options(**columns), table.neighbourhood.astype(np.int64)
        games, hands = games + entry.games, hands + entry.hands
    assert games == len(batch)  # noqa: S101
