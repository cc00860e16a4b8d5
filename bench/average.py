"""What is said of average players, and of players who differ: ``python bench/average.py [PATH...]``.

A made-up player has one random seat, of those of people, in each of some games, so he is average by
construction. Whatever is said of a difference between him and others is false. Three experiments, for each
number of games:

* ``held out``: games that no fit has seen, against the reference that ships;
* ``halves``: against a reference made of a random half of all games, with players of the other half, which
  has enough games for players of a thousand;
* ``pages``: logs in which the seats are renamed to one name; ``paifu report`` and ``paifu stats`` read them,
  and the words are searched for in what they print.

Then the power: players whose seats are drawn with a bias, so that one statistic differs by a known amount.
The games are held out, and the reference is the one that ships.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path

import numpy as np
from held_out import game_hash, is_held_out
from place_games import CORPUS
from seats import F64, I64, Mask, options

from paifu.api.reference import LEAST_HANDS, METRICS
from paifu.parsers.read import read_batches
from paifu.replay.table.engine import replay
from paifu.reports.inference.sums import game_parts
from paifu.reports.metrics.catalogue import CATALOGUE, choose
from paifu.reports.metrics.counters import BY_KIND, GAMES, HANDS, SIZES, Counters, is_program, seat_sums
from paifu.reports.metrics.recording import records
from paifu.reports.pages.first_screen import budget, style
from paifu.reports.pages.report_sections import IN_TABLES
from paifu.reports.statistics.populations import PopulationSums, SeatSums, stored_stratum, text_of
from paifu.reports.statistics.reference import (
    Population,
    Reference,
    Stratum,
    read_reference,
    shipped_reference,
)
from paifu.reports.statistics.standouts import HEADLINE, TESTED, standouts
from paifu.reports.statistics.values import Estimate, GroupStatistics

SIZES_TRIED = (25, 100, 400, 1000)
NAME = "Heikin"
"""The name of made-up players."""
KINDS: tuple[Stratum, ...] = ((4, "houou", "south"), (4, "tokujou", "south"))
PLANTED = (("call_rate", 0.04), ("deal_in_rate", 0.036), ("score_change_game", 3770.0))
"""Statistic, and by how much a player differs in it."""


@dataclass(frozen=True, slots=True)
class Games:
    """Sums of every seat of some games of one kind."""

    kind: Stratum
    sums: F64
    """(games, seats, METRICS, 2): numerators and denominators."""
    names: Sequence[Sequence[str]]
    """(games, seats)."""
    is_held_out: Mask
    sources: Sequence[str]

    def only(self, chosen: I64) -> Games:
        """Return some of the games."""
        return replace(
            self,
            sums=self.sums[chosen],
            names=[self.names[game] for game in chosen],
            is_held_out=self.is_held_out[chosen],
            sources=[self.sources[game] for game in chosen],
        )

    @property
    def people(self) -> Mask:
        """(games, seats): who is a person."""
        programs = shipped_reference().programs
        return np.array([[not is_program(name, programs) for name in row] for row in self.names], bool)

    def players(self, random: np.random.Generator, size: int, number: int) -> Iterator[tuple[I64, I64]]:
        """Yield made-up players: one random seat of people in each of ``size`` games, no game twice."""
        people, found = self.people, 0
        while found < number:
            order = random.permutation(len(self.names))
            for begin in range(0, len(order) - size + 1, size):
                games = order[begin : begin + size]
                lot = np.where(people[games], random.random((size, people.shape[1])), -1)
                if found < number:
                    yield games, lot.argmax(axis=1)
                found += 1


def read(paths: Sequence[Path], kinds: Sequence[Stratum] = KINDS) -> list[Games]:
    """Count the seats of the whole games of some kinds."""
    metrics, seen = choose(METRICS), set[str]()
    parts: dict[Stratum, list[tuple[F64, list[str], bool, str]]] = {kind: [] for kind in kinds}
    for batch in read_batches(paths):
        made = records(replay(batch, review=True))
        table, sums = made.games, seat_sums(made, metrics)
        for row in range(len(batch)):
            name = str(table.id[row] or table.source[row])
            kind = int(table.players[row]), str(table.room[row]), str(table.length[row])
            if name in seen or kind not in parts or not table.rank[row].any() or batch.games.is_cut[row]:
                continue
            seen.add(name)
            names = [str(one) for one in table.names[row, : kind[0]]]
            is_out, source = is_held_out(game_hash(batch, row)), str(table.source[row])
            parts[kind].append((sums[row, : kind[0]], names, is_out, source))
    return [_games(kind, part) for kind, part in parts.items() if part]


def _games(kind: Stratum, part: Sequence[tuple[F64, list[str], bool, str]]) -> Games:
    sums, names, is_out, sources = zip(*part, strict=True)
    return Games(kind, np.stack(sums), names, np.array(is_out, bool), sources)


def own_of(seats: F64) -> GroupStatistics:
    """Return the statistics of a player, without intervals, from (games, METRICS, 2)."""
    stats = {}
    for name, (n, d, *squares) in zip(METRICS, _parts(seats).tolist(), strict=True):
        metric = CATALOGUE[name]
        value = metric.scale * n / d + metric.offset if d else None
        stats[name] = Estimate(n, d, value, squares=(squares[0], squares[1], squares[2]))
    return GroupStatistics({"player": NAME}, len(seats), stats["win_rate"].d, stats)


def _parts(seats: F64) -> I64:
    """Return (METRICS, 5): what is summed up over games."""
    parts = game_parts(seats[..., 0], seats[..., 1])
    return np.stack([part.sum(axis=0) for part in parts], axis=-1).round().astype(np.int64)


def _counters(keys: list[tuple[str, ...]], seats: Sequence[F64], by: tuple[str, ...]) -> Counters:
    sizes, hands = np.zeros((len(keys), SIZES), np.int64), METRICS.index("win_rate")
    sizes[:, GAMES] = [len(one) for one in seats]
    sizes[:, HANDS] = sizes[:, HANDS + 1] = [one[:, hands, 1].sum() for one in seats]
    return Counters.of_groups(by, METRICS, keys, np.stack(list(map(_parts, seats))), sizes)


def reference_of(games: Games, made: int) -> Population:
    """Return what ``paifu reference`` would count of some games."""
    people = games.people
    names = np.array([[str(one) for one in row] for row in games.names], object)[people]
    seats = games.sums[people]
    order = np.argsort(names, kind="stable")
    each, begins = np.unique(names[order], return_index=True)
    keys = [(*map(str, games.kind), str(name)) for name in each]
    total = PopulationSums(_counters(keys, np.split(seats[order], begins[1:]), BY_KIND))
    total.games[games.kind] = len(games.names)
    columns = [METRICS.index(name) for name in TESTED]
    mixed = np.random.default_rng(0).permutation(len(names))
    total.seats[games.kind] = SeatSums() + SeatSums(tuple(names[mixed]), seats[mixed][:, columns])
    spread = [name for name in METRICS if name in IN_TABLES]
    row = stored_stratum(total, games.kind, LEAST_HANDS, spread, made=made)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        Path(file.name).write_text(text_of([row]), "utf-8")
        return _like(read_reference(Path(file.name)), games)


def _like(known: Reference, games: Games) -> Population:
    found = known.of(Counter({games.kind: 1}))
    if found is None:
        raise SystemExit(f"no reference for {games.kind}")
    return found


# --- what is said ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Said:
    """What is said of players."""

    players: int = 0
    by_place: Counter[str] = field(default_factory=Counter)
    """Players of whom a difference is said, by where it is said."""
    places: list[float] = field(default_factory=list)

    def add(self, where: frozenset[str], places: Sequence[float]) -> None:
        """Add a player: where a difference is said, and his places."""
        self.players += 1
        self.by_place.update(where | ({"any"} if where else set()))
        self.places += places

    def line(self) -> str:
        """Say it in one line."""
        counts = ", ".join(
            f"{name} {self.by_place[name]} ({100 * self.by_place[name] / max(1, self.players):.1f} %)"
            for name in ("any", "headline", "rest", "style", "budget", "page", "json")
            if name in self.by_place or name == "any"
        )
        far = np.percentile(self.places, [2.5, 97.5]) if self.places else (0, 0)
        mean = np.mean(self.places) if self.places else 0
        return (
            f"{self.players:,} players; a difference is said of: {counts}; places {mean:.1f} on average, "
            f"95 % of them {far[0]:.0f} to {far[1]:.0f}"
        )


def said_of(own: GroupStatistics, reference: Population) -> tuple[frozenset[str], list[float]]:
    """Return where a difference is said of a player, and the places."""
    made = standouts(own, reference)
    different = {one.metric: one.own > one.other for one in (*made.style, *made.results)}
    where = {"headline" if name in HEADLINE else "rest" for name in made.names}
    traits = style(own, reference, different)
    if traits and traits["said"]:
        where.add("style")
    sentences = budget(own, reference, made.names)["sentences"]
    if any("may" not in sentence for sentence in sentences):
        where.add("budget")
    places = [reference.lower(name, own.stats[name]) for name in IN_TABLES if name in own.stats]
    return frozenset(where), [one for one in places if one is not None]


def average(games: Games, reference: Population, size: int, number: int, random: np.random.Generator) -> Said:
    """Say what is said of average players."""
    found = Said()
    for chosen, seat in games.players(random, size, number):
        found.add(*said_of(own_of(games.sums[chosen, seat]), reference))
    return found


def halves(
    games: Games, sizes: Sequence[int], number: int, rounds: int, seed: int, made: int
) -> dict[int, Said]:
    """Say what is said of average players of one half of the games, against the other half."""
    random, found = np.random.default_rng(seed), {size: Said() for size in sizes}
    for _ in range(rounds):
        order = random.permutation(len(games.names))
        middle = len(order) // 2
        reference, rest = reference_of(games.only(order[:middle]), made), games.only(order[middle:])
        for size, said in found.items():
            for chosen, seat in rest.players(random, size, -(-number // rounds)):
                said.add(*said_of(own_of(rest.sums[chosen, seat]), reference))
    return found


# --- power ----------------------------------------------------------------------------------------------


def bias_for(n: F64, d: F64, difference: float) -> F64:
    """Return the chances to draw seats with which their ratio is higher by a difference."""
    value = np.where(d > 0, n / np.maximum(d, 1), np.nan)
    far = np.nan_to_num((value - np.nanmean(value)) / np.nanstd(value))
    low, high, wanted = 0.0, 4.0, n.sum() / d.sum() + difference
    for _ in range(60):
        middle = (low + high) / 2
        chance = np.exp(middle * far)
        low, high = (middle, high) if chance @ n / (chance @ d) < wanted else (low, middle)
    found: F64 = chance / chance.sum()
    return found


def power(games: Games, reference: Population, size: int, number: int, seed: int) -> Iterator[str]:
    """Yield how often planted differences are found, and how often that was foretold."""
    random, flat = np.random.default_rng(seed), games.sums[games.people]
    for name, difference in PLANTED:
        metric = CATALOGUE[name]
        n, d = flat[:, METRICS.index(name)].T
        chance = bias_for(n, d, difference / metric.scale)
        true, mean = metric.scale * (chance @ n) / (chance @ d), metric.scale * n.sum() / d.sum()
        other = reference.estimate(name).value or 0.0
        named = any_ = 0
        for _ in range(number):
            made = standouts(own_of(flat[random.choice(len(flat), size, p=chance)]), reference)
            named += name in made.names
            any_ += bool(made.names)
        yield (
            f"{name} {true:.4g} (mean {mean:.4g}, reference {other:.4g}): it is found in {named} of {number} "
            f"({100 * named / number:.0f} %), anything in {any_} ({100 * any_ / number:.0f} %)"
        )


# --- from logs to words ---------------------------------------------------------------------------------


def renamed(source: Path, seat: int) -> bytes:
    """Return a log of Tenhou in which a seat has another name, and nobody else has that name."""
    data = source.read_bytes()
    text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    return re.sub(rb'( n%d=)"[^"]*"' % seat, rb'\1"%s"' % NAME.encode(), text)


def words_on(page: str) -> frozenset[str]:
    """Return where a page says of the player that he differs from others."""
    text = unescape(page)
    found = {"page"} if '<li class="standout' in text else set()
    for section, of_no_difference in (("style", r"^Nothing sets"), ("budget", r"may (be|still be) chance")):
        (part,) = re.findall(rf'<section id="{section}">(.*?)<div class="statistics">', text, re.DOTALL)
        sentences = re.findall(r"<p>(.*?)</p>", part, re.DOTALL)
        if any(not re.search(of_no_difference, sentence) for sentence in sentences):
            found.add(section)
    return frozenset(found)


def from_logs(games: Games, roots: Sequence[Path], size: int, number: int, seed: int) -> Said:
    """Say what ``paifu report`` and ``paifu stats`` say of average players, from logs on."""
    random, found = np.random.default_rng(seed), Said()
    files = {path.name: path for root in roots for path in root.rglob("*") if path.is_file()}
    usable = np.array([_file_of(source) in files for source in games.sources], bool)
    usable &= games.is_held_out
    for chosen, seats in games.only(np.flatnonzero(usable)).players(random, size, number):
        rest = games.only(np.flatnonzero(usable))
        with tempfile.TemporaryDirectory() as folder:
            logs, page = Path(folder) / "logs", Path(folder) / "page.html"
            logs.mkdir()
            for game, seat in zip(chosen.tolist(), seats.tolist(), strict=True):
                (logs / f"{game}.mjlog").write_bytes(renamed(files[_file_of(rest.sources[game])], seat))
            command = [sys.executable, "-m", "paifu"]
            subprocess.run(
                [*command, "report", logs, "--player", NAME, "-o", page], check=False, capture_output=True
            )
            where = set(words_on(page.read_text("utf-8")))
            made = subprocess.run(
                [*command, "stats", logs, "--player", NAME, "-f", "json"], check=False, capture_output=True
            )
            [group] = json.loads(made.stdout)["groups"]
            if group["stands_out"]["style"] or group["stands_out"]["results"]:
                where.add("json")
            places = [one["percentile"] for one in group["stats"].values() if "percentile" in one]
            found.add(frozenset(where), places)
    return found


def _file_of(source: str) -> str:
    return Path(source).name


def main() -> None:
    """Print what is found."""
    parser = options(__doc__)
    parser.set_defaults(paths=[CORPUS / "logs", CORPUS / "fitting"])
    parser.add_argument("--games", default=",".join(map(str, SIZES_TRIED)))
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=0, help="players whose pages are made")
    parser.add_argument("--rounds", type=int, default=10, help="random halves")
    parser.add_argument("--made", type=int, default=2000, help="made-up players of a half's reference")
    given = parser.parse_args()
    sizes = [int(one) for one in given.games.split(",")]
    for games in read(given.paths):
        random = np.random.default_rng(given.seed)
        held = games.only(np.flatnonzero(games.is_held_out))
        reference = _like(shipped_reference(), games)
        print(f"\n{games.kind}: {len(games.names):,} games, {len(held.names):,} held out")
        for size in sizes:
            if size <= len(held.names):
                said = average(held, reference, size, given.players, random)
                print(f"  held out, {size} games: {said.line()}")
        possible = [size for size in sizes if size <= len(games.names) // 2]
        of_halves = halves(games, possible, given.players, given.rounds, given.seed, given.made)
        for size, said in of_halves.items():
            print(f"  halves, {size} games: {said.line()}")
        for size in sizes:
            for line in power(held, reference, size, given.players, given.seed):
                print(f"  power, {size} games: {line}")
        for size in sizes:
            if given.pages and size <= len(held.names):
                said = from_logs(games, given.paths, size, given.pages, given.seed)
                print(f"  pages, {size} games: {said.line()}")


if __name__ == "__main__":
    main()
