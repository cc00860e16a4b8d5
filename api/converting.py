"""Conversion: games of any format written in another, with a list of what that cannot state, and proof."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from traceback import extract_tb
from urllib.parse import quote

import numpy as np

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Done, Paths, Run, Unit, Watch, listed
from paifu.parsers.conversion import LOST, LostFact, compare, stated
from paifu.parsers.errors import WriteError
from paifu.parsers.joining import joined
from paifu.parsers.liability import liable_seat
from paifu.parsers.output_files import make_folder, write_file
from paifu.parsers.physical import with_physical_tiles
from paifu.parsers.read import read_unit
from paifu.parsers.sources.documents import Document
from paifu.parsers.workers import Jobs
from paifu.parsers.writers import WRITERS, refuse_others
from paifu.replay.findings.finding import faults
from paifu.replay.language import _
from paifu.replay.model.batch import NO_YAKU, UNKNOWN_LIMIT, UNKNOWN_POINTS, Batch
from paifu.replay.model.events import UNSTATED_SEAT

_LINK = "https://tenhou.net/6/#json="
_UNSAFE = re.compile(r"[^\w.-]+")
_MAX_NAME = 80
BUG = "a bug in paifu, which you can report with the log"
_SUFFIXES = re.compile(r"(?:\.(?:gz|bz2|xz|zip|tar|mjlog|xml|json|jsonl|mjson|txt|pb|log))+(?=$|[#:])")


@dataclass(frozen=True, slots=True)
class Converted:
    """One game, written in another format."""

    source: str
    name: str
    """A name for its file, without the suffix; the same for the same source."""
    text: bytes
    """Empty if the game could not be written."""
    error: str = ""
    unstated: tuple[str, ...] = ()
    """Facts that the source states and the format has no place for."""
    differences: tuple[LostFact, ...] = ()
    """With proof: what the result, read back, does not say as the source does."""


@dataclass(slots=True)
class Conversion:
    """What a conversion did, added up over games."""

    games: int = 0
    written: int = 0
    there: int = 0
    """Files that were there already, with this content."""
    unreadable: int = 0
    """What could not be read."""
    errors: list[str] = field(default_factory=list)
    """Games that could not be written, or not read back."""
    unstated: Counter[str] = field(default_factory=Counter)
    """Fact that the format has no place for -> number of games that state it."""
    lost: Counter[str] = field(default_factory=Counter)
    """With proof: fact -> rows in which the result does not state it."""
    changed: Counter[str] = field(default_factory=Counter)
    """With proof: fact -> rows in which the result states something else."""
    proved: int = 0
    """Games that came back with nothing lost but what the format must lose."""

    def more_than_due(self, target: str) -> list[str]:
        """Facts that were lost or changed though the format can state them."""
        return sorted((self.lost.keys() | self.changed.keys()) - LOST[target])


def converting(
    paths: Paths,
    target: str,
    *,
    prove: bool = False,
    join: bool = False,
    only: Only = EVERY_GAME,
    jobs: Jobs = 1,
    watch: Watch = SILENT,
) -> Run[list[Converted]]:
    """Return a run that converts: iterate over it for the games of each unit of input.

    ``target`` is a key of :data:`~paifu.parsers.writers.WRITERS`; ``join`` joins logs of single hands of one
    game. Raises PathNotFound.
    """
    return Run(paths, partial(_convert_unit, target, prove, join, only), jobs=jobs, watch=watch)


def convert(
    paths: Paths,
    folder: str | Path,
    target: str,
    *,
    prove: bool = False,
    join: bool = False,
    only: Only = EVERY_GAME,
    jobs: Jobs = 1,
    watch: Watch = SILENT,
) -> Conversion:
    """Write every game of ``paths`` in the format ``target``, a file each, into ``folder``.

    A file that holds the game already is left as it is, so an interrupted conversion can be repeated; one
    that may be among the sources is not replaced, which is an error of its game. With
    ``prove`` each result is read back and compared with its source; with ``join`` logs of single hands of
    one game are joined. ``only`` are the games that count. Raises PathNotFound, OutputError.
    """
    make_folder(folder)
    read = [os.path.realpath(path) for path in listed(paths)]
    total = Conversion()
    names: Counter[str] = Counter()
    run = converting(paths, target, prove=prove, join=join, only=only, jobs=jobs, watch=watch)
    for part in run:
        for game in part:
            add(total, game, target)
            if game.text:
                names[game.name] += 1
                number = names[game.name]
                name = game.name if number == 1 else f"{game.name}-{number}"
                path = Path(folder) / f"{name}{WRITERS[target].suffix}"
                if path.is_file() and path.read_bytes() == game.text:
                    total.there += 1
                elif path.exists() and _is_read(path, game.source, read):
                    text = _(
                        "{log}: {file} exists and may be one of the logs to convert; name another folder"
                    )
                    total.errors.append(text.format(log=game.source, file=path))
                else:
                    write_file(path, game.text, through_links=False)
                    total.written += 1
    total.unreadable = len(run.faults)
    return total


def _is_read(path: Path, source: str, read: Sequence[str]) -> bool:
    """Return whether a file is a source of this conversion, or lies among its sources."""
    real = os.path.realpath(path)
    return real == os.path.realpath(source) or any(
        real == one or real.startswith(one + os.sep) for one in read
    )


def add(total: Conversion, game: Converted, target: str) -> None:
    """Add one game to what a conversion did."""
    total.games += 1
    if game.error:
        total.errors.append(game.error)
        return
    total.unstated.update(game.unstated)
    for one in game.differences:
        total.lost[one.fact] += one.lost
        total.changed[one.fact] += one.changed
    total.lost += Counter()
    total.changed += Counter()
    total.proved += all(one.fact in LOST[target] for one in game.differences)


def link(text: bytes) -> str:
    """The address at which Tenhou's viewer shows a game, given as tenhou.net/6 JSON."""
    return _LINK + quote(text.decode().strip(), safe="")


# --- a unit of input -----------------------------------------------------------------------------------


def _convert_unit(target: str, prove: bool, join: bool, only: Only, unit: Unit) -> Done[list[Converted]]:
    batch = read_unit(unit)
    batch, left_out = only.of_batch(joined(batch) if join else batch)
    games = [_converted(batch.take(game), target, prove) for game in range(len(batch))]
    return Done(games, len(batch), tuple(faults(batch.faults)), left_out)


_BUGS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What no game may make a writer raise. If one does, the others of the batch are written all the same."""


def _converted(game: Batch, target: str, prove: bool) -> Converted:
    source = str(game.games.source[0])
    name = file_name(source, str(game.games.id[0]))
    try:
        return _written(game, source, name, target, prove)
    except WriteError as error:
        return Converted(source, name, b"", str(error))
    except _BUGS as error:
        place = extract_tb(error.__traceback__)[-1]
        at = f"{Path(place.filename).name}:{place.lineno}"
        what = (
            f"{source} cannot be written as {target} because of {BUG}: {type(error).__name__}: {error} ({at})"
        )
        return Converted(source, name, b"", what)


def _written(game: Batch, source: str, name: str, target: str, prove: bool) -> Converted:
    refuse_others(target, game, 0)
    complete = _completed(game, target)
    text = b"".join(WRITERS[target].games(complete))
    unstated = tuple(sorted(stated(game) & LOST[target]))
    differences: tuple[LostFact, ...] = ()
    if prove:
        again = read_unit([Document(f"{name}{WRITERS[target].suffix}", text, WRITERS[target].format)])
        if len(again) != 1 or len(again.faults):
            reason = str(again.faults.reason[0]) if len(again.faults) else "it holds no game"
            return Converted(source, name, text, f"{source}: what was written cannot be read back: {reason}")
        differences = tuple(compare(game, again))
    return Converted(source, name, text, "", unstated, differences)


def file_name(source: str, game_id: str) -> str:
    """A name for a game's file: its id, or what its source is called, and which game of several it is."""
    place = source.replace("\\", "/").rpartition("/")[2]
    plain = _UNSAFE.sub("-", _SUFFIXES.sub("", place)).strip("-.") or "game"
    if game_id and game_id not in plain:
        plain = _UNSAFE.sub("-", game_id)
    if len(plain) > _MAX_NAME:
        plain = f"{plain[:_MAX_NAME]}-{hashlib.blake2b(plain.encode(), digest_size=4).hexdigest()}"
    return plain


# --- what mjlog needs and other formats do not state ----------------------------------------------------


def _completed(game: Batch, target: str) -> Batch:
    """Fill in what Tenhou's formats cannot leave out: what wins are worth, settled points, physical tiles.

    What the log does not state of a win is taken from the replay.
    """
    if target not in ("mjlog", "tenhou6"):
        return game
    game = _liable_known(_worth_known(_settled(game), target))
    return _physical(game) if target == "mjlog" else game


def _physical(game: Batch) -> Batch:
    """Fill in Tenhou's type of game and which of four equal tiles each one is."""
    from paifu.parsers.simulated import go_type
    from paifu.replay.rulesets.presets import resolve

    games = game.games
    if games.go_type[0] < 0:
        try:
            bits = go_type(resolve(games.ruleset[0], games.overrides[0]))
        except ValueError as error:
            raise WriteError(
                _("{source} cannot be written as mjlog: {error}").format(source=games.source[0], error=error)
            ) from error
        numbers = games.go_type.copy()
        numbers[0] = bits
        empty = games.rule.copy()
        empty[0] = ""  # another format's words are not custom rules of Tenhou
        game = replace(game, games=replace(games, go_type=numbers, rule=empty))
    return with_physical_tiles(game)


def _settled(game: Batch) -> Batch:
    """Fill in the settled points of a game that states its final scores only."""
    from paifu.replay.course.settlement import final_result
    from paifu.replay.rulesets.presets import resolve

    games = game.games
    scores = games.final_scores[0].tolist()
    if UNKNOWN_POINTS in scores or not np.isnan(games.final_points[0]).any():
        return game
    rules = resolve(games.ruleset[0], games.overrides[0])
    result = final_result(rules, scores[: rules.table.players], game.wins.seat.tolist())
    points = games.final_points.copy()
    points[0] = [*(number / 1000 for number in result.points), *[0.0] * (4 - rules.table.players)]
    return replace(game, games=replace(games, final_points=points))


def _worth_known(game: Batch, target: str) -> Batch:
    """Fill in what wins are worth, for formats that must state it; tenhou6 has fu only below mangan."""
    wins = game.wins
    lacks = (wins.points == UNKNOWN_POINTS) | (wins.limit == UNKNOWN_LIMIT) | (wins.yaku[:, 0] == NO_YAKU)
    if target == "mjlog":
        lacks |= wins.fu < 0
    elif target == "tenhou6":
        lacks |= (wins.fu < 0) & (wins.limit == 0)
    return _scored(game) if lacks.any() else game


def _liable_known(game: Batch) -> Batch:
    """Fill in who is liable for a win: who pays besides the discarder, or alone for a tsumo; else nobody."""
    wins = game.wins
    liable = wins.liable.copy()
    for row in np.flatnonzero(liable == UNSTATED_SEAT).tolist():
        liable[row] = liable_seat(int(wins.seat[row]), int(wins.source[row]), wins.deltas[row].tolist())
    return replace(game, wins=replace(wins, liable=liable))


def _scored(game: Batch) -> Batch:
    from paifu.replay.rulesets.presets import resolve
    from paifu.replay.table.engine import replay
    from paifu.replay.table.listed_yaku import listed_yaku

    rules = resolve(game.games.ruleset[0], game.games.overrides[0])
    facts = replay(game, player_hands=False).scored_wins
    wins = game.wins
    columns = {
        name: getattr(wins, name).copy()
        for name in ("fu", "points", "limit", "yaku", "han", "deltas", "honba", "sticks")
    }
    for row in range(len(wins)):
        if not facts.base[row]:
            raise WriteError(
                _("{source} cannot be written: a win cannot be scored").format(source=game.games.source[0])
            )
        if wins.fu[row] < 0:
            columns["fu"][row] = facts.fu[row]
        if wins.limit[row] == UNKNOWN_LIMIT:
            columns["limit"][row] = facts.limit[row]
        if wins.points[row] == UNKNOWN_POINTS:
            columns["points"][row] = facts.points[row]
        if UNKNOWN_POINTS in wins.deltas[row]:
            columns["deltas"][row] = facts.changes[row]
        if wins.yaku[row, 0] == NO_YAKU:
            pairs = listed_yaku(facts, row, rules)
            columns["yaku"][row, : len(pairs)] = [number for number, _ in pairs]
            columns["han"][row, : len(pairs)] = [han for _, han in pairs]
    return replace(game, wins=replace(wins, **columns))


def results(run: Run[list[Converted]]) -> Iterator[Converted]:
    """The games of a run, one after the other."""
    for part in run:
        yield from part
