"""A folder of pages: an index, a page about everybody, one of each player, and one of each game."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import SILENT, Once, Paths, Watch, listed, replaying
from paifu.parsers.output_files import write_file
from paifu.parsers.read import Inputs
from paifu.parsers.sources.paths import STDIN, folder_files, is_dataset, resolve
from paifu.parsers.spreading import run as spread
from paifu.parsers.stores import is_store
from paifu.parsers.workers import Cluster, Jobs
from paifu.replay.errors import ArgumentError
from paifu.replay.findings.finding import Finding
from paifu.replay.language import _, language
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import Given
from paifu.replay.table.replayed import Replay

if TYPE_CHECKING:
    from paifu.reports.pages.report_data import ReportData, Wanted
    from paifu.reports.pages.site import SiteGame

INDEX, EVERYBODY, MANIFEST = "index.html", "everybody.html", "paifu-site.json"
MIN_GAMES = 10


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


def write_site(
    paths: Paths,
    folder: str | Path,
    *,
    min_games: int = MIN_GAMES,
    aliases: Mapping[str, str] | None = None,
    rules: tuple[Given, ...] = (),
    only: Only = EVERY_GAME,
    jobs: Jobs = 1,
    watch: Watch = SILENT,
) -> Site:
    """Write pages of all games, and of all players with at least ``min_games`` of them, into a folder.

    A page is written again only if its games have changed, or paifu. Pages of games and players that are
    no longer there are removed. If all logs have the sizes and times that they had at the last run, and that
    found no errors, none is read. Raises ArgumentError, OutputError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     site = write_site("sample_logs/games", folder, min_games=40)
    ...     site.games, site.players, len(site.written)
    (32, 0, 34)
    """
    from paifu.reports.metrics.records import records_key
    from paifu.reports.pages.site import GAMES, PLAYERS, games_of_players, player_page_name, site_page

    root = Path(folder)
    manifest = _manifest(root)
    given = _Input(tuple(map(str, listed(paths))), aliases or {}, rules, only)
    made_by = _hash([
        version("paifu"), records_key(), language(), min_games, given.aliases, repr(rules), only.spelt(),
    ])  # fmt: skip
    known = dict(manifest["pages"]) if manifest["made_by"] == made_by else {}
    logs = _state_of(given.paths)
    if known and logs and manifest["logs"] == logs:
        games, players = (sum(page.startswith(f"{part}/") for page in known) for part in (GAMES, PLAYERS))
        return Site(games, players, kept=len(known), is_as_it_was=True)
    site = Site()

    data, games = _everybody(given, known, site, jobs, watch)
    due: dict[str, str] = {f"{GAMES}/{game.page}": game.digest for game in games}
    for game in games:
        if game.html:
            _write(root, f"{GAMES}/{game.page}", zlib.decompress(game.html).decode(), site)
    listed_players = {name: own for name, own in games_of_players(games).items() if len(own) >= min_games}
    pages = {name: f"{PLAYERS}/{player_page_name(name)}" for name in listed_players}
    keys = {name: _hash(sorted(game.digest for game in own)) for name, own in listed_players.items()}
    changed = [name for name in listed_players if known.get(pages[name]) != keys[name]]
    work = partial(_player_page, given)
    here = None if isinstance(jobs, Cluster) else jobs  # where the paths are
    for name, text in zip(changed, spread(changed, work, jobs=here), strict=True):
        _write(root, pages[name], text, site)
    due |= {pages[name]: keys[name] for name in listed_players}
    every = _hash(sorted(due.values()))
    if {known.get(INDEX), known.get(EVERYBODY)} != {every}:
        _write(root, EVERYBODY, _everybody_page(data, pages), site)
        _write(root, INDEX, site_page(games, pages), site)
    due |= {EVERYBODY: every, INDEX: every}
    for page in sorted(set(manifest["pages"]) - set(due)):
        (root / page).unlink(missing_ok=True)
        site.removed.append(page)
    noted = {"made_by": made_by, "logs": "" if site.faults or site.errors else logs, "pages": due}
    write_file(root / MANIFEST, json.dumps(noted, indent=1).encode())
    site.games, site.players, site.kept = len(games), len(pages), len(due) - len(site.written)
    return site


def _manifest(root: Path) -> dict[str, Any]:
    """Return what the folder holds; nothing of a new one. Raises ArgumentError for another's."""
    empty: dict[str, Any] = {"made_by": "", "logs": "", "pages": {}}
    try:
        found = json.loads((root / MANIFEST).read_bytes())
        pages = found["pages"].items()
        safe = all(
            isinstance(key, str) and (root / page).resolve().is_relative_to(root.resolve())
            for page, key in pages
        )
        if isinstance(found["made_by"], str) and safe:
            there = {page: key for page, key in pages if (root / page).exists()}
            logs = found.get("logs", "") if len(there) == len(pages) else ""
            return {"made_by": found["made_by"], "logs": logs, "pages": there}
    except FileNotFoundError:
        if not (root / INDEX).exists():
            return empty
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    text = _(
        "{folder} holds other pages, or a site whose {manifest} is damaged; name another folder, or empty it"
    )
    raise ArgumentError(text.format(folder=root, manifest=MANIFEST))


def _state_of(paths: Iterable[str]) -> str:
    """Return another text if any file of logs may have changed; an empty one where that cannot be known."""
    state = []
    try:
        for name in (name for path in paths for name in resolve(path)):
            if name == STDIN or is_store(name):
                return ""
            files = Path(name).rglob("*") if is_dataset(name) else folder_files(name)
            for file in (*map(str, files), name, f"{name}-wal"):  # a database may write beside itself
                if Path(file).exists():
                    status = Path(file).stat()
                    state.append((file, status.st_size, status.st_mtime_ns))
    except (OSError, ValueError):
        return ""
    return _hash(sorted(state))


def _everybody(
    given: _Input, known: Mapping[str, str], site: Site, jobs: Jobs, watch: Watch
) -> tuple[ReportData, list[SiteGame]]:
    """Replay everything; return what is about everybody, and all games."""
    from paifu.reports.pages.report import wanted
    from paifu.reports.pages.report_data import total

    asked = wanted("", given.aliases)
    run = replaying(
        given.paths, partial(_gathered, asked, known), rules=given.rules, review=True, watched=asked.names,
        only=given.only, jobs=jobs, once=Once.HANDS, watch=watch,
    )  # fmt: skip
    games: list[SiteGame] = []

    def parts() -> Iterator[ReportData]:
        for data, found in run:
            games.extend(found)
            yield data

    data = total(parts(), asked)
    if not games:
        raise ArgumentError(_("no game could be read: there is nothing to report"))
    site.faults, site.errors = run.faults, data.tally.errors
    return data, games


def _gathered(
    asked: Wanted, known: Mapping[str, str], replayed: Replay, inputs: Inputs
) -> tuple[ReportData, list[SiteGame]]:
    from paifu.reports.pages.report_data import gather
    from paifu.reports.pages.site import site_games

    found: list[SiteGame] = []

    def also(made: Any, recorder: Any) -> None:
        found.extend(site_games(replayed.batch, made, recorder, asked.aliases, known))

    return gather(replayed, asked, inputs.files, also), found


def _player_page(given: _Input, name: str) -> str:
    """Return the page about a player, made of the player's games alone; the work of one process."""
    from paifu.reports.pages.links import Links
    from paifu.reports.pages.report import report, wanted
    from paifu.reports.pages.report_data import total
    from paifu.reports.pages.site import GAMES, page_of_row

    asked = wanted(name, given.aliases)
    run = replaying(
        given.paths, partial(_gathered_of_player, asked), rules=given.rules, review=True, watched=asked.names,
        adapt=partial(_games_of, asked), only=given.only, once=Once.HANDS,
    )  # fmt: skip
    links = Links(games=f"../{GAMES}", page_of=page_of_row, home=f"../{INDEX}")
    return report(total(run, asked), name, links=links).html


def _games_of(asked: Wanted, batch: Batch) -> Batch:
    """Return the games of a player, without what could not be read."""
    own = batch.only(np.logical_or.reduce(asked.seats(batch), axis=1))
    return replace(own, faults=own.faults.rows(np.zeros(len(own.faults), bool)))


def _gathered_of_player(asked: Wanted, replayed: Replay, _inputs: Inputs) -> ReportData:
    from paifu.reports.pages.report_data import gather

    return gather(replayed, asked, len(set(replayed.batch.games.source.tolist())))


def _everybody_page(data: ReportData, pages: Mapping[str, str]) -> str:
    from paifu.reports.pages.links import Links
    from paifu.reports.pages.report import report

    return report(data, links=Links(home=INDEX, players=pages)).html


def _write(root: Path, page: str, text: str, site: Site) -> None:
    write_file(root / page, text.encode("utf-8", "replace"))
    site.written.append(page)


def _hash(parts: object) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:16]
