"""A folder of pages: an index, a page about everybody, one of each player, and one of each game."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from paifu.api.once import without_course
from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Done, Once, Paths, Run, Unit, Watch, listed, replaying
from paifu.parsers.output_files import HeldError, OutputError, held, make_folder, write_file
from paifu.parsers.read import Inputs
from paifu.parsers.sources.paths import STDIN, folder_files, is_dataset, resolve
from paifu.parsers.spreading import run as spread
from paifu.replay.errors import ArgumentError
from paifu.replay.findings.finding import Finding
from paifu.replay.language import _, language
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import Given
from paifu.replay.table.replayed import Replay

if TYPE_CHECKING:
    from paifu.reports.pages.report_data import ReportData
    from paifu.reports.pages.site import SeenGame, SiteGame

INDEX, EVERYBODY, MANIFEST = "index.html", "everybody.html", "paifu-site.json"
MIN_GAMES = 10
"""The fewest games for which a player gets a page."""
_PAGE = re.compile(r"(?:(?:games|players)/[0-9A-Za-z-]+|index|everybody)\.html")
"""The pages that a manifest may name."""
_MOST_MANIFEST = 256 << 20
"""Bytes of the largest manifest: a page takes some hundred."""


@dataclass(slots=True)
class Site:
    """What was written, and what there was to say."""

    games: int = 0
    players: int = 0
    """With a page."""
    written: list[str] = field(default_factory=list)
    """Pages, from the folder."""
    kept: int = 0
    """Pages that are as they were."""
    removed: list[str] = field(default_factory=list)
    is_as_it_was: bool = False
    """No log has changed since the last run, so none was read."""
    faults: list[Finding] = field(default_factory=list)
    errors: int = 0
    """Of the verification."""


@dataclass(frozen=True, slots=True)
class _Input:
    """What pages are made of, and how."""

    paths: tuple[str, ...]
    aliases: Mapping[str, str]
    rules: tuple[Given, ...]
    only: Only
    jobs: int | None
    watch: Watch
    stdin: BinaryIO | None
    """What ``-`` stands for: it is read twice."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be written, as a look at all games shows."""

    games: Mapping[str, str]
    """Digest of a game -> name of its page."""
    players: Mapping[str, str]
    """Player -> page, from the folder."""
    keys: Mapping[str, str]
    """Page, from the folder -> another text if anything in it may change."""

    def due(self, known: Mapping[str, str]) -> set[str]:
        """Return the pages to write where ``known`` are there, each with its key."""
        return {page for page, key in self.keys.items() if known.get(page) != key}


def write_site(
    paths: Paths,
    folder: str | Path,
    *,
    aliases: Mapping[str, str] | None = None,
    rules: tuple[Given, ...] = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
    watch: Watch = SILENT,
) -> Site:
    """Write pages of all games, and of all players with at least ``MIN_GAMES`` of them, into a folder.

    A page is written again only if its games have changed, or paifu. Pages of games and players that are
    no longer there are removed. If all logs have the sizes and times that they had at the last run, and that
    found no errors, none is read. Raises ArgumentError, OutputError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     site = write_site("sample_logs/platforms", folder)
    ...     site.games, site.players, len(site.written)
    (7, 0, 9)
    """
    from paifu.reports.metrics.records import records_key
    from paifu.reports.pages.site import GAMES, PLAYERS

    root, sources = Path(folder), tuple(map(str, listed(paths)))
    made_by = _hash([
        version("paifu"), records_key(), language(), aliases or {}, repr(rules), only.spelt(),
    ])  # fmt: skip
    logs = _state_of(sources)
    manifest = _manifest(root)
    known = manifest["pages"]
    if known and logs and manifest["made_by"] == made_by and manifest["logs"] == logs:
        games, players = (sum(page.startswith(f"{part}/") for page in known) for part in (GAMES, PLAYERS))
        return Site(games, players, kept=len(known), is_as_it_was=True)
    with ExitStack() as stack:
        stdin = stack.enter_context(tempfile.TemporaryFile()) if STDIN in sources else None
        if stdin is not None:
            shutil.copyfileobj(sys.stdin.buffer, stdin)
        given = _Input(sources, aliases or {}, rules, only, jobs, watch, stdin)
        plan = _planned(given)
        make_folder(root)
        try:
            stack.enter_context(held(root))
        except HeldError:
            text = _("{folder}: another run writes this site; run it again when that one is done")
            raise ArgumentError(text.format(folder=root)) from None
        except OSError as error:
            raise OutputError.of(root, error) from error
        return _written(root, given, plan, made_by, logs)


def _planned(given: _Input) -> _Plan:
    """Look at all games. Raises ArgumentError if there are none."""
    from paifu.reports.pages.site import (
        GAMES,
        PLAYERS,
        games_of_players,
        player_page_name,
        told_apart,
    )

    work = partial(_seen, given.aliases, given.only)
    run = Run(given.paths, work, jobs=given.jobs, once=Once.HANDS, stdin=_rewound(given.stdin))
    seen = [game for part in run for game in part]
    if not seen:
        raise ArgumentError(_("no game could be read: there is nothing to report"))
    games = told_apart({(game.name, game.digest): game.name for game in seen})
    pages = {digest: page for (_name, digest), page in games.items()}
    by_player = games_of_players((game.digest, game.players) for game in seen)
    listed_players = {name: own for name, own in by_player.items() if len(own) >= MIN_GAMES}
    names = told_apart({name: player_page_name(name) for name in listed_players})
    players = {name: f"{PLAYERS}/{names[name]}" for name in listed_players}
    keys = {f"{GAMES}/{page}": digest for digest, page in pages.items()}
    keys |= {
        players[name]: _hash(sorted((digest, pages[digest]) for digest in own))
        for name, own in listed_players.items()
    }
    every = _hash(sorted(keys.items()))
    return _Plan(pages, players, keys | {EVERYBODY: every, INDEX: every})


def _seen(aliases: Mapping[str, str], only: Only, unit: Unit) -> Done[list[SeenGame]]:
    """Look at the games of a unit; the work of one process."""
    from paifu.reports.pages.site import seen_games

    batch, _inputs, _left_out = only.read(unit)
    return Done(seen_games(batch, aliases), len(batch))


def _rewound(file: BinaryIO | None) -> BinaryIO | None:
    if file is not None:
        file.seek(0)
    return file


def _written(root: Path, given: _Input, plan: _Plan, made_by: str, logs: str) -> Site:
    """Write the pages that are due. The manifest always names all pages that there may be."""
    from paifu.reports.pages.site import GAMES, site_page

    _check_files(root, plan.keys)
    manifest = _manifest(root)
    before = manifest["pages"]
    known = before if manifest["made_by"] == made_by else {}
    due, site = plan.due(known), Site()
    _note(root, made_by, "", {page: plan.keys[page] if page in plan.keys and page not in due else ""
                              for page in (*before, *plan.keys)})  # fmt: skip
    changed = [name for name, page in plan.players.items() if page in due]
    parts: dict[str, list[bytes]] = {name: [] for name in changed}
    made_games = frozenset(page.removeprefix(f"{GAMES}/") for page in plan.keys if page not in due)
    work = partial(_gathered, given.aliases, plan.games, made_games, frozenset(changed))
    data, games = _everybody(root, given, work, parts, site)
    items = ((name, parts.pop(name)) for name in changed)
    for name, text in zip(
        changed,
        spread(items, partial(_player_page, given.aliases, given.rules), jobs=given.jobs),
        strict=True,
    ):
        _write(root, plan.players[name], text, site)
    if {INDEX, EVERYBODY} & due:
        _write(root, EVERYBODY, _everybody_page(data, plan.players), site)
        _write(root, INDEX, site_page(games, plan.players), site)
    for page in sorted(set(before) - set(plan.keys)):
        (root / page).unlink(missing_ok=True)
        site.removed.append(page)
    _note(root, made_by, "" if site.faults or site.errors else logs, plan.keys)
    site.games, site.players = len(games), len(plan.players)
    site.kept = len(plan.keys) - len(site.written)
    return site


def _note(root: Path, made_by: str, logs: str, pages: Mapping[str, str]) -> None:
    """Write the manifest."""
    noted = {"made_by": made_by, "logs": logs, "pages": dict(pages)}
    write_file(root / MANIFEST, json.dumps(noted, indent=1).encode(), through_links=False)


def _manifest(root: Path) -> dict[str, Any]:
    """Return what the folder holds; nothing of a new one. Raises ArgumentError for another's.

    Pages without a key may be there, but are not known: a run was interrupted.
    """
    empty: dict[str, Any] = {"made_by": "", "logs": "", "pages": {}}
    _check_files(root, (MANIFEST,))
    try:
        with (root / MANIFEST).open("rb") as file:
            found = json.loads(file.read(_MOST_MANIFEST))
        pages, made_by, logs = found["pages"].items(), found["made_by"], found.get("logs", "")
        is_sound = isinstance(made_by, str) and isinstance(logs, str)
        if is_sound and all(isinstance(key, str) and _is_ours(root, page) for page, key in pages):
            there = {page: key for page, key in pages if (root / page).is_file()}
            return {"made_by": made_by, "logs": logs if len(there) == len(pages) else "", "pages": there}
    except FileNotFoundError:
        if not (root / INDEX).exists():
            return empty
    except OSError as error:
        raise OutputError.of(root / MANIFEST, error) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    text = _(
        "{folder} holds other pages, or a site whose {manifest} is damaged; name another folder, or empty it"
    )
    raise ArgumentError(text.format(folder=root, manifest=MANIFEST))


def _is_ours(root: Path, page: str) -> bool:
    """Return whether a page is one that a site may have, within its folder."""
    return _PAGE.fullmatch(page) is not None and (root / page).parent.resolve().is_relative_to(root.resolve())


def _check_files(root: Path, names: Iterable[str]) -> None:
    """Make sure that what is there under these names is a file: a pipe would be written to, and wait."""
    for name in names:
        try:
            mode = (root / name).lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise OutputError.of(root / name, error) from error
        if not stat.S_ISREG(mode):
            text = _("{path} is not a file, and a site needs its place; remove it, or name another folder")
            raise ArgumentError(text.format(path=root / name))


def _state_of(paths: Iterable[str]) -> str:
    """Return another text if any file of logs may have changed; an empty one where that cannot be known."""
    state = []
    try:
        for name in (name for path in paths for name in resolve(path)):
            if name == STDIN:
                return ""
            files = Path(name).rglob("*") if is_dataset(name) else folder_files(name)
            for file in (*map(str, files), name, f"{name}-wal"):  # a database may write beside itself
                if Path(file).exists():
                    status = Path(file).stat()
                    # Copies, archives and clocks put times back; when a file was changed, the system says.
                    times = (status.st_mtime_ns, status.st_ctime_ns)
                    state.append((file, status.st_ino, status.st_size, *times))
    except (OSError, ValueError):
        return ""
    return _hash(sorted(state))


def _everybody(
    root: Path,
    given: _Input,
    work: Callable[[Replay, Inputs], tuple[ReportData, list[SiteGame], list[bytes]]],
    parts: Mapping[str, list[bytes]],
    site: Site,
) -> tuple[ReportData, list[SiteGame]]:
    """Replay everything; return what is about everybody, and all games.

    Pages of games are written. ``parts`` gets what the pages of players need, by player.
    """
    from paifu.reports.pages.report import wanted
    from paifu.reports.pages.report_data import total
    from paifu.reports.pages.site import GAMES

    run = replaying(
        given.paths, work, rules=given.rules, review=True, watched=frozenset(), only=given.only,
        jobs=given.jobs, once=Once.HANDS, watch=given.watch, stdin=_rewound(given.stdin),
    )  # fmt: skip
    games: list[SiteGame] = []

    def datas() -> Iterator[ReportData]:
        for data, found, packed in run:
            for game, part in zip(found, packed, strict=True):
                if game.html:
                    _write(root, f"{GAMES}/{game.page}", zlib.decompress(game.html).decode(), site)
                games.append(replace(game, html=b""))
                for name in {*game.names} & parts.keys() if part else ():
                    parts[name].append(part)
            yield data

    data = total(datas(), wanted("", given.aliases))
    site.faults, site.errors = run.faults, data.tally.errors
    return data, games


def _gathered(
    aliases: Mapping[str, str],
    pages: Mapping[str, str],
    made_games: frozenset[str],
    players: frozenset[str],
    replayed: Replay,
    inputs: Inputs,
) -> tuple[ReportData, list[SiteGame], list[bytes]]:
    """Gather what is about everybody, the games, and a part of each game that one of the players needs."""
    from paifu.reports.findings.review import Asked, asked_cases, choices_of
    from paifu.reports.pages.report import wanted
    from paifu.reports.pages.report_data import UNUSUAL_OF_GAME, Known, gather
    from paifu.reports.pages.site import digests, game_parts, kept, players_in, site_games

    batch = replayed.batch
    try:
        names = [pages[digest] for digest in digests(batch)]
    except KeyError:
        raise ArgumentError(_("a log has changed while the site was made; run it again")) from None
    seats = players_in(batch, players, aliases)
    asked = Asked(unusual=UNUSUAL_OF_GAME)
    choices = choices_of(replayed, asked, asked_cases(replayed, asked), drilled=seats)
    needed = np.logical_or.reduce(seats != "", axis=1)
    found: list[SiteGame] = []
    shown: list[bytes] = []

    def also(made: Any, recorder: Any) -> None:
        for row, (game, whole) in enumerate(site_games(made, recorder, aliases, names, made_games)):
            found.append(game)
            shown.append(kept(whole) if whole is not None and needed[row] else b"")

    everybody = Known(replace(choices, drilled=[], unusual=[]))
    data = gather(replayed, wanted("", aliases), inputs.files, also, everybody)
    return data, found, list(game_parts(replayed, choices, needed, inputs.shortened, names, shown))


def _player_page(aliases: Mapping[str, str], rules: tuple[Given, ...], item: tuple[str, list[bytes]]) -> str:
    """Return the page about a player, made of the player's games alone; the work of one process."""
    from paifu.replay.table.engine import replay
    from paifu.reports.pages.report import wanted
    from paifu.reports.pages.report_games import Links
    from paifu.reports.pages.site import GAMES, player_page, unpacked

    name, packed = item
    parts = list(map(unpacked, packed))
    batch = Batch.concatenate(part.batch for part in parts)
    replayed = replay(batch, *rules, review=True, watched=wanted(name, aliases).names)
    shortened = np.array([part.is_shortened for part in parts], np.bool_)
    replayed = replace(replayed, findings=without_course(replayed.findings, shortened))
    return player_page(name, replayed, parts, aliases, Links(games=f"../{GAMES}", home=f"../{INDEX}"))


def _everybody_page(data: ReportData, pages: Mapping[str, str]) -> str:
    from paifu.reports.pages.report import report
    from paifu.reports.pages.report_games import Links

    return report(data, links=Links(home=INDEX, players=pages)).html


def _write(root: Path, page: str, text: str, site: Site) -> None:
    write_file(root / page, text.encode("utf-8", "replace"), through_links=False)
    site.written.append(page)


def _hash(parts: object) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:16]
