"""Conversion: games of any format written in another, with a list of what that cannot state, and proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from urllib.parse import quote

from paifu.api.game_files import GameFiles, Put, file_name
from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Done, Paths, Run, Unit, Watch, listed, unread
from paifu.api.proof import Proof, ProvedFact, prove
from paifu.parsers.conversion import LOST
from paifu.parsers.errors import WriteError, bug
from paifu.parsers.joining import joined
from paifu.parsers.physical import with_physical_tiles
from paifu.parsers.read import read_unit
from paifu.parsers.tenhou import find_game_id
from paifu.parsers.writers import WRITERS, refuse_others
from paifu.replay.comparison.comparing import FactDifference, stated_facts
from paifu.replay.comparison.derived import derived, with_settled_points
from paifu.replay.language import _
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Rounding
from paifu.replay.rulesets.presets import load_preset, ruleset_of

_LINK = "https://tenhou.net/6/#json="
_MOST_FAULTS = 100


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
    proof: Proof | None = None
    """If it was asked for: what became of each fact, by the result as it is read back."""

    def faults(self) -> list[ConversionFault]:
        """The places in which the result is not what the source says."""
        if self.proof is None:
            return []
        return [ConversionFault(self.source, one) for one in self.proof.faults]


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
    facts: dict[str, ProvedFact] = field(default_factory=dict)
    """With proof: what became of each fact, added up."""
    faults: list[ConversionFault] = field(default_factory=list)
    """With proof: the first places in which a result lacks, changes or invents something."""
    proved: int = 0
    """Games that came back without a fault."""

    def faulty(self) -> list[str]:
        """Facts that are missing though the format can state them, changed or invented."""
        return sorted(fact for fact, became in self.facts.items() if became.faults)


@dataclass(frozen=True, slots=True)
class ConversionFault:
    """One place in which what was written is not what its source says."""

    source: str
    difference: FactDifference


def converting(
    paths: Paths,
    target: str,
    *,
    prove: bool = False,
    join: bool = False,
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
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
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Conversion:
    """Write every game of ``paths`` in the format ``target``, a file each, into ``folder``.

    A file that holds the game already is left as it is, so an interrupted conversion can be repeated; one
    that may be among the sources is not replaced, which is an error of its game. With
    ``prove`` each result is read back and compared with its source; with ``join`` logs of single hands of
    one game are joined. ``only`` are the games that count. Raises PathNotFound, OutputError.
    """
    files = GameFiles(folder, listed(paths))
    total = Conversion()
    run = converting(paths, target, prove=prove, join=join, only=only, jobs=jobs, watch=watch)
    for part in run:
        for game in part:
            add(total, game)
            if game.text:
                put, path = files.put(game.name, WRITERS[target].suffix, game.text, game.source)
                total.there += put is Put.THERE
                total.written += put is Put.WRITTEN
                if put is Put.KEPT:
                    text = _(
                        "{log}: {file} exists and may be one of the logs to convert; name another folder"
                    )
                    total.errors.append(text.format(log=game.source, file=path))
    total.unreadable = len(run.faults)
    return total


def add(total: Conversion, game: Converted) -> None:
    """Add one game to what a conversion did."""
    total.games += 1
    if game.error:
        total.errors.append(game.error)
        return
    total.unstated.update(game.unstated)
    if game.proof is not None:
        for fact, became in game.proof.facts.items():
            total.facts[fact] = total.facts.get(fact, ProvedFact()) + became
        total.faults += game.faults()[: _MOST_FAULTS - len(total.faults)]
        total.proved += bool(game.proof)


def link(text: bytes) -> str:
    """The address at which Tenhou's viewer shows a game, given as tenhou.net/6 JSON."""
    return _LINK + quote(text.decode().strip(), safe="")


# --- a unit of input -----------------------------------------------------------------------------------


def _convert_unit(target: str, prove: bool, join: bool, only: Only, unit: Unit) -> Done[list[Converted]]:
    batch = read_unit(unit)
    batch, left_out = only.of_batch(joined(batch) if join else batch)
    games = [_converted(batch.take(game), target, prove) for game in range(len(batch))]
    return Done(games, len(batch), unread(batch.faults), left_out)


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
        return Converted(source, name, b"", f"{source} cannot be written as {target} because of {bug(error)}")


def _written(game: Batch, source: str, name: str, target: str, proves: bool) -> Converted:
    refuse_others(target, game, 0)
    text = b"".join(WRITERS[target].games(completed(game, target)))
    unstated = tuple(sorted(stated_facts(game, LOST[target].keys())))
    proof = prove(game, text, target, name) if proves else None
    return Converted(source, name, text, "", unstated, proof)


# --- what formats need and sources do not state --------------------------------------------------------


_NEEDY = frozenset({"mjlog", "tenhou6", "majiang", "majsoul-json"})
"""Formats whose programs do without hardly anything: what the source does not state is derived."""


_TENHOU = frozenset({"mjlog", "tenhou6"})
"""Formats that state final scores together with settled points."""


_SETTLING = frozenset({"majiang", "majsoul-json"})
"""Formats that state settled points, but not all rules by which they are."""
_SETTLEMENT = ("uma", "oka", "return_points", "rounding", "uma_by_below")


def completed(game: Batch, target: str) -> Batch:
    """Fill in what a format cannot leave out, as the engine has it; for mjlog physical tiles, too."""
    if target not in _NEEDY:
        return game
    game = derived(game)
    if target in _TENHOU or _settles_otherwise(game, target):
        game = with_settled_points(game)
    return _physical(game) if target == "mjlog" else game


def _settles_otherwise(game: Batch, target: str) -> bool:
    """Return whether settled points must say what a format has no other place for: uma, return, rounding.

    Of a game of Tenhou its id says when it was played, and so how it was settled.
    """
    if target not in _SETTLING or find_game_id(str(game.games.id[0])):
        return False
    final = ruleset_of(game, 0).final
    assumed = load_preset("tenhou").final if target == "majiang" else final.changed(rounding=Rounding.EXACT)
    return any(getattr(final, name) != getattr(assumed, name) for name in _SETTLEMENT)


def _physical(game: Batch) -> Batch:
    """Fill in Tenhou's type of game and which of four equal tiles each one is."""
    from paifu.api.simulated import go_type
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


def results(run: Run[list[Converted]]) -> Iterator[Converted]:
    """The games of a run, one after the other."""
    for part in run:
        yield from part
