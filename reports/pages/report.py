"""The report: a self-contained page about one player beside everybody, or about all players.

Gathered data (:mod:`paifu.reports.pages.report_data`) become plain texts and numbers here, and a page in
``templates/report.html``, which escapes everything. Every number comes from the catalogue, and the page shows
its numerator, denominator, interval and definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

from markupsafe import Markup

from paifu.coach.judgement.losses import share_said
from paifu.replay.findings.finding import Severity
from paifu.replay.findings.review_kinds import REVIEW_KINDS, TITLES
from paifu.replay.findings.spoken import KINDS
from paifu.replay.foreign_text import display_name, one_line
from paifu.replay.language import _, ngettext, pgettext
from paifu.replay.model.tile_notation import format_tiles
from paifu.reports.figures import style as look
from paifu.reports.figures.catalogue import FIGURES
from paifu.reports.figures.inline import inline
from paifu.reports.figures.parts import EVERYBODY, FigureData
from paifu.reports.findings.output import message, where
from paifu.reports.judged import mistakes_said
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.counters import HANDS
from paifu.reports.metrics.metric import Metric, MetricKind
from paifu.reports.metrics.rooms import room_said
from paifu.reports.pages import report_sections
from paifu.reports.pages.first_screen import budget, compared, places_said, style, verdict
from paifu.reports.pages.luck_and_changes import (
    FOLLOWED,
    change_definition,
    changes_said,
    luck_definition,
    luck_said,
    small_multiples,
)
from paifu.reports.pages.page import filled, packed, player_name, points, read_template, symbol_of
from paifu.reports.pages.report_data import ReportData, Wanted
from paifu.reports.pages.report_games import (
    FILTERED,
    NO_LINKS,
    PAIR_CELLS,
    Links,
    choices_in,
    filter_data,
    fitting,
    opponents,
    pairs,
)
from paifu.reports.pages.report_hands import (
    DEAL_INS,
    IN_MILLION,
    LUCKIEST,
    MISTAKES,
    UNLUCKIEST,
    UNUSUAL,
    WINS,
    YAKUMAN,
    LaidHand,
    ShownHand,
)
from paifu.reports.pages.report_sections import (
    IN_FIGURES,
    IN_TABLES,
    difference_said,
    interval_said,
    value_said,
)
from paifu.reports.pages.trainer import POSITIONS, trainer_data
from paifu.reports.ratings.player import PlayerRatings, player_ratings
from paifu.reports.statistics.definitions import CHOICES, formula
from paifu.reports.statistics.reference import Population, of_counters, shipped, shipped_reference
from paifu.reports.statistics.standouts import Compared, standouts
from paifu.reports.statistics.text import (
    FEW,
    MARK,
    estimate_text,
    heading,
    needed_words,
    place_words,
    share_beaten,
)
from paifu.reports.statistics.values import (
    ENOUGH_PLAYERS,
    GroupStatistics,
    Statistics,
    statistics,
)
from paifu.reports.units import typeset
from paifu.reports.wording import NobodyError, label_said, no_player, plural, with_commas


def wanted(player: str = "", aliases: Mapping[str, str] | None = None, hands: int = 10) -> Wanted:
    """Return what to gather for a report on one player beside everybody, or (empty) on all players."""
    names = aliases or {}
    if player:
        return Wanted(IN_TABLES, IN_FIGURES, player, names, hands, luck=True, over_time=FOLLOWED)
    every = tuple(dict.fromkeys((*IN_TABLES, *IN_FIGURES)))
    return Wanted(report_sections.LEAGUE, every, "", names, hands)


@dataclass(frozen=True, slots=True)
class Report:
    """A page and its headline."""

    html: str
    headline: tuple[tuple[str, str], ...]
    """Titles and values."""


def report(
    gathered: ReportData,
    player: str = "",
    *,
    reference: Population | None = None,
    links: Links = NO_LINKS,
    left_out: Sequence[str] = (),
    by: str = "",
) -> Report:
    """Make the page about one player, or about all, from data gathered as :func:`wanted` says.

    A player is compared with ``reference``; without one, with the shipped games most like the player's, or
    where none are like them, with the other players in the logs. ``links`` are the addresses of other pages.
    ``left_out`` says which games of the logs do not count. ``by`` adds charts by period: month, year or a
    number of games. Raises NobodyError.
    """
    names = frozenset([player] if player else _most_hands(gathered))
    found = statistics(
        gathered.compared,
        players=names,
        programs=shipped_reference().programs,
    )
    if player and not found.groups:
        raise NobodyError(no_player(player, (key[0] for key in gathered.compared.keys)))
    others = statistics(gathered.others, players=names)
    meaningless = found.meaningless | others.meaningless
    found = replace(found, meaningless=meaningless)
    own = _joined(found.groups[0], others.groups[0]) if player else None
    if own:
        reference = reference or shipped(gathered.strata) or other_players(gathered, player)
    shown = own or _joined(found.population, others.population)
    page = _Page(gathered, found, own, shown, reference, links, left_out, by)
    stats = shown.stats
    headline = tuple(
        (CATALOGUE[n].said, value_said(CATALOGUE[n], stats[n]))
        for n in (report_sections.HEADLINE if own else report_sections.HEADLINE_OF_ALL)
        if n not in meaningless
    )
    return Report(page.html(), headline)


def other_players(gathered: ReportData, player: str) -> Population:
    """Return the other players in some logs as a reference."""
    counters = gathered.compared.without(player)
    rest = gathered.others.without(player)
    found = of_counters(_("others"), _("the others"), _("the other players in these logs"), counters)
    return replace(found, stats=_joined(found.stats, of_counters("", "", "", rest).stats))


def dataset_reference(gathered: ReportData, player: str, name: str) -> Population:
    """Return the players of a dataset, except one, as a reference."""
    found = other_players(gathered, player)
    count = gathered.tally.games
    words = ngettext(
        "{count:,} game in {name}, without the player", "{count:,} games in {name}, without the player", count
    )
    return replace(
        found,
        name=_("reference"),
        who=_("players of the reference"),
        words=words.format(count=count, name=one_line(name)),
    )


def _to_compare(shown: GroupStatistics, reference: Population | None) -> GroupStatistics:
    """Return the statistics to compare with: those of the reference, as far as it has them."""
    if reference is None:
        return shown
    return replace(reference.stats, stats={name: reference.estimate(name) for name in shown.stats})


def _joined(one: GroupStatistics, two: GroupStatistics) -> GroupStatistics:
    return replace(one, stats={**two.stats, **one.stats})


def _most_hands(gathered: ReportData) -> list[str]:
    """Return the players to list, those with the most hands."""
    counters = gathered.compared
    hands = counters.sizes[:, HANDS].tolist()
    order = sorted(range(len(hands)), key=lambda row: (-hands[row], counters.keys[row]))
    return [counters.keys[row][0] for row in order[: report_sections.MOST_PLAYERS]]


def _place_cell(metric: Metric, lower: float | None) -> str:
    """Return a place as a cell of a table: in brackets where neither direction is good."""
    if lower is None:
        return ""
    percent = typeset(f"{share_beaten(metric, lower):.0f}%")
    return percent if metric.sign else f"({percent})"


@dataclass
class _Page:
    """Computes the values for the template."""

    gathered: ReportData
    found: Statistics
    own: GroupStatistics | None
    shown: GroupStatistics
    reference: Population | None
    links: Links
    games_left_out: Sequence[str]
    by: str

    def __post_init__(self) -> None:
        reference = self.reference
        self._all = _to_compare(self.shown, reference)
        """Everybody to compare with."""
        self._all_name = reference.name if reference else _(EVERYBODY)
        self._standouts = standouts(self.own, reference) if self.own and reference else Compared((), (), 0)
        self._is_compared = reference is not None and reference.players >= ENOUGH_PLAYERS
        self._used: dict[str, Metric] = {}
        """Statistics on the page, which are defined at its end."""
        self._replays: dict[tuple[str, int], int] = {}
        self._data: list[dict[str, Any]] = []
        self._whole: dict[tuple[str, int], int] = {}
        """Game and seat -> the replay of the game with all hands."""
        for game, data in fitting(self.gathered.whole):
            self._whole[game.key, game.order[3]] = len(self._data)
            self._data.append(data)
        games = self.links.of(self.gathered.games)
        self._pages = {(row.key, row.played.seat): address for row, address in games}

    def html(self) -> str:
        """Fill the template."""
        from paifu.reports.pages.stepper import stepper_assets

        assets = stepper_assets()
        css = assets.css + read_template("report.css")
        js = assets.js + read_template("trainer.js") + read_template("report.js")
        name = player_name(self.own.key["player"]) if self.own else ""
        beside, luck = self._pairs(), self._luck()
        measured = {game.key: game.values for game in self.gathered.luck}
        ratings = player_ratings(self.gathered.course, measured)
        values: dict[str, Any] = {
            "name": name,
            "subtitle": list(self._subtitle()),
            "all_name": self._all_name,
            "who": self.reference.who if self.reference else _(EVERYBODY),
            "stands_in": self.reference.stands_in if self.reference and self.own else "",
            "verdict": self._verdict(luck, ratings),
            "luck": luck,
            "ratings": self._ratings(ratings),
            "style": self._style(),
            "first": self._first_screen(name),
            "over_time": self._over_time(),
            "games": self._games(),
            "trainer": trainer_data(self.gathered.lists.get(POSITIONS, ()), name) if self.own else None,
            "pairs": beside,
            "cards": [self._card(CATALOGUE[metric]) for metric in self._of_meaning(report_sections.CARDS)],
            "sections": [
                made
                for made in (self._section(section, name) for section in report_sections.SECTIONS)
                if made
            ],
            "review": list(self._review()),
            "habits": [with_commas(text) for text in mistakes_said(self.gathered.mistakes)],
            "league": None if self.own else self._league(),
            "lists": [one for one in map(self._list, report_sections.LISTS) if one["hands"]],
            "checked": [*self.gathered.tally.lines(), self.gathered.tally.verdict(), *self._notes()],
            "errors": [f"{where(error)}: {error.code} {message(error)}" for error in self.gathered.errors],
            "choices": list(map(_, CHOICES)),
            "few": FEW,
            "has_places": self._is_compared,
            "home": self.links.home,
            "points": points,
            "room_said": room_said,
            "version": version("paifu"),
        }
        values["definitions"] = [
            {
                "id": metric.name,
                "title": metric.said,
                "text": _(metric.definition),
                "formula": formula(metric),
            }
            for metric in self._used.values()
        ]
        if values["luck"]:
            values["definitions"].append(luck_definition())
        if values["over_time"]:
            values["definitions"].append(change_definition())
        return filled(
            "report",
            css,
            js,
            assets.tiles,
            **values,
            data=packed(self._data),
            sums=packed(filter_data(self.gathered.games)) if self.own else "",
            beside=packed([one["data"] for one in beside]),
        )

    def _subtitle(self) -> Iterator[str]:
        first, last = self.gathered.days
        if self.own:
            games = self.gathered.course
            days = [game.started[:10] for game in games if game.started]
            first, last = (min(days), max(days)) if days else ("", "")
        count = self.gathered.tally.games if self.own is None else self.shown.games
        hands = self.shown.hands
        yield plural(count, "game")
        yield plural(hands, "hand")
        if first:
            yield first if first == last else _("{first} to {last}").format(first=first, last=last)
        if self.reference:
            yield _("compared with {words}").format(words=self.reference.words)
            if self._is_compared:
                count = self.reference.players
                yield ngettext(
                    "places among {count:,} player with {enough} or more hands",
                    "places among {count:,} players with {enough} or more hands",
                    count,
                ).format(count=count, enough=self.reference.enough)

    def _notes(self) -> Iterator[str]:
        yield from self.games_left_out
        if self.gathered.left_out:
            count = self.gathered.left_out
            words = ngettext(
                "left out of the statistics: {count:,} hand (unfinished, hidden tiles, or against the rules)",
                "left out of the statistics: {count:,} hands "
                "(unfinished, hidden tiles, or against the rules)",
                count,
            )
            yield words.format(count=count)
        if self.own and not self.gathered.luck and self.gathered.luck_left_out:
            yield _(
                "Luck is not shown: it is measured in whole games of riichi with four players and known "
                "tiles."
            )

    # --- the first screen ------------------------------------------------------------------------------

    def _verdict(self, luck: dict[str, Any] | None, ratings: PlayerRatings) -> dict[str, Any] | None:
        """Return what the page says first."""
        if self.own is None:
            return None
        gathered, stats = self.gathered, self.shown.stats
        cells = {name: self._card(CATALOGUE[name]) for name in self._of_meaning(report_sections.VERDICT)}
        places = [stats[name].value for name in self._of_meaning(report_sections.PLACES)]
        for row in cells.values():
            row["more"] = row["interval"]
        if "rank" in cells:
            cells["rank"]["more"] = places_said([share for share in places if share is not None])
        who = self.reference.who if self.reference else _(EVERYBODY)
        said = verdict(gathered, self._standouts, self.own.games, who, ratings.stable(), luck)
        return {"cells": list(cells.values())} | said

    def _luck(self) -> dict[str, Any] | None:
        """Return how much of the results was luck, and the hands with the most of it."""
        said = luck_said(self.gathered.luck, self.gathered.luck_left_out)
        if said is None:
            return None
        lists = {LUCKIEST: _("The luckiest hands: "), UNLUCKIEST: _("The unluckiest hands: ")}
        said["lists"] = [
            (
                title,
                [
                    self._link(name, hand) | {"luck": points(hand.points)}
                    for hand in self.gathered.lists.get(name, ())
                ],
            )
            for name, title in lists.items()
        ]
        return said

    @staticmethod
    def _ratings(found: PlayerRatings) -> dict[str, Any] | None:
        """Return the ratings of the player, if there are any."""
        rows = [(row.title, *map(typeset, (row.value, row.interval, row.games))) for row in found.rows()]
        return {"rows": rows, "notes": list(found.notes())} if rows else None

    def _first_screen(self, name: str) -> dict[str, Any] | None:
        """Return the points budget, what stands out, and the costliest decisions."""
        if self.own is None or self.reference is None:
            return None
        lists = self.gathered.lists
        made = compared(self._standouts, lists)
        for row in (row for group in made["groups"] for row in group["rows"]):
            row["hands"] = [self._link(row["list"], hand) for hand in row["hands"]]
            row["term"] = self._term(CATALOGUE[row["metric"]])
        found = budget(self.own, self.reference, self._standouts.names)
        for part in found["rows"]:
            part["term"] = self._term(CATALOGUE[part["metric"]]) | {"title": part["title"]}
        return {
            "budget": found,
            "figure": next(self._figures(("budget",), name), None),
            "standouts": made,
            "decisions": [
                self._hand(MISTAKES, hand)
                for hand in lists.get(MISTAKES, ())[: report_sections.FIRST_DECISIONS]
            ],
        }

    def _style(self) -> dict[str, Any] | None:
        """Return how the player plays among the players of the room."""
        found = (*self._standouts.style, *self._standouts.results)
        different = {one.metric: one.own > one.other for one in found}
        made = style(self.own, self.reference, different) if self.own else None
        for row in made["traits"] if made else ():
            row["term"] = self._term(CATALOGUE[row["metric"]])
        return made

    def _over_time(self) -> dict[str, Any] | None:
        """Return what changed, and charts by period if they were asked for."""
        series = self.gathered.series
        if self.own is None or series is None:
            return None
        changes = changes_said(series)
        metrics = tuple(self._of_meaning(report_sections.CARDS))
        periods = small_multiples(series, self.by, metrics) if self.by else None
        for row in (*changes["rows"], *changes["more"], *(periods["charts"] if periods else ())):
            row["term"] = self._term(CATALOGUE[row["metric"]])
        if periods:
            periods["terms"] = [self._term(CATALOGUE[name]) for name in periods["metrics"]]
        return {"changes": changes, "periods": periods, "is_asked": bool(self.by)}

    def _games(self) -> dict[str, Any] | None:
        """Return the list of the player's games, and what they can be filtered by."""
        rows = self.gathered.games
        if self.own is None or not rows:
            return None
        metrics, choices = [CATALOGUE[name] for name in FILTERED], choices_in(rows)
        return {
            **choices,
            "rooms": list(map(room_said, choices["rooms"])),
            "metrics": [{"term": self._term(one), "all": self._row(one)} for one in metrics],
            "whole": self._words_of_replays(),
            "rows": [
                (row.played, row.others, self._pages.get(place, ""), self._whole.get(place))
                for row in rows
                for place in [(row.key, row.played.seat)]
            ],
        }

    def _words_of_replays(self) -> str:
        """Say which games can be stepped through, and where the others are."""
        if self._pages:
            return _("Each game has a page of its own, with all hands.")
        if not self._whole:
            return ""
        number = len(self._whole)
        return ngettext(
            "The last game is on this page with all hands. With --games DIR, paifu report writes a page for "
            "each game.",
            "The last {count} games are on this page with all hands. With --games DIR, paifu report writes a "
            "page for each game.",
            number,
        ).format(count=number)

    def _pairs(self) -> list[dict[str, Any]]:
        """Return the player beside others: a table to show, and for the script what of it changes."""
        if self.own is None or self.reference is None:
            return []
        player, counters, games = self.own.key["player"], self.gathered.compared, self.gathered.games
        made = pairs(self.own, counters, games, opponents(counters, games, player))
        for one in made:
            one["data"] = {
                "name": one["name"],
                "said": one["said"],
                "rows": [[row[key] for key in PAIR_CELLS] for row in one["rows"]],
            }
        for row in made[0]["rows"] if made else ():
            row["term"] = self._term(CATALOGUE[row["metric"]])
        return made

    def _link(self, key: str, hand: ShownHand) -> dict[str, Any]:
        """Return a link to a hand, at the decision shown."""
        shown = self._hand(key, hand)
        return {key: shown[key] for key in ("data", "hand", "whole", "event", "seat", "place", "points")}

    # --- numbers ---------------------------------------------------------------------------------------

    def _term(self, metric: Metric) -> dict[str, str]:
        """Return a statistic's title and its sums on this page."""
        self._used.setdefault(metric.name, metric)
        parts = [self._sums(metric, self.shown, _("here"))]
        if self.own:
            parts.append(self._sums(metric, self._all, self._all_name))
        return {"id": metric.name, "title": metric.said, "here": "; ".join(filter(None, parts))}

    def _sums(self, metric: Metric, group: GroupStatistics, who: str) -> str:
        estimate = group.stats[metric.name]
        if metric.kind is MetricKind.EXTREME:
            return f"{who}: {display_name(estimate.where)}" if estimate.where and group is self.shown else ""
        if metric.kind is MetricKind.COUNT:
            return ""
        interval = interval_said(metric, estimate)
        words = _("{who}: {n:,} / {d:,}, 95 %: {interval}") if interval else _("{who}: {n:,} / {d:,}")
        return words.format(who=who, n=estimate.n, d=estimate.d, interval=interval)

    def _row(self, metric: Metric) -> dict[str, Any]:
        own, all_ = self.shown.stats[metric.name], self._all.stats[metric.name]
        lower = self.reference.lower(metric.name, own) if self.reference else None
        among = self.reference.spreads.get(metric.name) if self.reference else None
        return {
            "term": self._term(metric),
            "value": value_said(metric, own),
            "unit": "" if metric.unit == "%" else metric.unit and pgettext("unit", metric.unit),
            "interval": interval_said(metric, own),
            "n": f"{own.d:,}",
            "all": value_said(metric, all_).rstrip(MARK),
            "place": typeset(place_words(metric, lower)),
            "share": _place_cell(metric, lower) or (needed_words(among) if self._is_compared else ""),
            "better": None if lower is None else round(share_beaten(metric, lower)),
        }

    def _card(self, metric: Metric) -> dict[str, Any]:
        row = self._row(metric)
        own, all_ = self.shown.stats[metric.name], self._all.stats[metric.name]
        if self.own and own.value is not None and all_.value is not None:
            row["difference"] = difference_said(metric, own.value - all_.value)
        return row

    def _of_meaning(self, metrics: Iterable[str]) -> list[str]:
        """Leave out the metrics that have no meaning in these games."""
        return [name for name in metrics if name not in self.found.meaningless]

    def _section(self, section: report_sections.Section, name: str) -> dict[str, Any]:
        """Return a section; empty where it has no meaning in these games."""
        names = self._of_meaning(section.metrics)
        if not names:
            return {}
        rows = [self._row(CATALOGUE[m]) for m in names if self.shown.stats[m].d]
        return {
            "id": section.id,
            "title": _(section.title),
            "short": _(section.short),
            "rows": rows,
            "figures": list(self._figures(section.figures, name)),
        }

    def _figures(self, names: Iterable[str], player: str) -> Iterator[dict[str, Any]]:
        data = FigureData(
            self._all,
            self.own,
            _("this player"),
            self.gathered.course,
            self.gathered.pushes,
            everybody_name=self._all_name,
        )
        for name in names:
            kind = FIGURES[name]
            with look.on_page():
                chart = kind.describe(data)
            if chart is not None:
                words = _("{figure}: {player}. {text}") if player else _("{figure}. {text}")
                title, text = _(kind.title), _(kind.description)
                label = words.format(figure=title, player=player, text=text)
                svg = Markup(inline(chart, name, label))  # noqa: S704  it escapes its texts
                yield {"name": name, "title": title, "text": text, "svg": svg}

    def _review(self) -> Iterator[dict[str, Any]]:
        """Yield one row per code: count, rate, and rate of all players."""
        for code in REVIEW_KINDS:
            title, metric = _(TITLES[code]), CATALOGUE[f"review_{code.lower()}"]
            own, everybody = self.shown.stats[metric.name], self._all.stats[metric.name]
            if own.n or everybody.n:
                yield {
                    "code": code,
                    "title": title,
                    "is_mistake": KINDS[code].severity == Severity.MISTAKE and code[0] != "D",
                    "term": self._term(metric),
                    "number": f"{own.n:,}",
                    "rate": value_said(metric, own).rstrip(MARK),
                    "all": value_said(metric, everybody).rstrip(MARK),
                }

    # --- players ---------------------------------------------------------------------------------------

    def _league(self) -> dict[str, Any]:
        """Return the table of players, those with the most hands first."""
        groups = sorted(self.found.groups, key=lambda group: (-group.hands, group.key["player"]))
        metrics = [CATALOGUE[name] for name in self._of_meaning(report_sections.LEAGUE)]
        return {
            "heads": [
                {
                    "term": self._term(m),
                    "title": pgettext("heading", report_sections.HEADS[m.name])
                    if m.name in report_sections.HEADS
                    else heading(m),
                    "unit": m.unit,
                }
                for m in metrics
            ],
            "rows": [self._player(group, metrics) for group in (*groups, self.shown)],
            "hidden": len(self.gathered.compared.keys) - len(groups),
        }

    def _player(self, group: GroupStatistics, metrics: Sequence[Metric]) -> dict[str, Any]:
        cells = []
        for metric in metrics:
            estimate = group.stats[metric.name]
            cells.append(
                {
                    "sort": "" if estimate.value is None else repr(round(estimate.value, 6)),
                    "text": typeset(estimate_text(metric, estimate, narrow=True).rstrip(MARK)),
                    "few": 0 < estimate.d < FEW,
                }
            )
        name = player_name(group.key["player"]) if group.key else _("all players")
        address = self.links.players.get(group.key["player"], "") if group.key else ""
        return {
            "name": name, "address": address, "is_all": not group.key, "games": group.games,
            "hands": group.hands, "cells": cells,
        }  # fmt: skip

    # --- hands -----------------------------------------------------------------------------------------

    def _list(self, one: report_sections.HandList) -> dict[str, Any]:
        shown = self.gathered.lists.get(one.hands, ())
        text = _(one.text if self.own else one.of_all)
        if one.hands == YAKUMAN:
            number = self.shown.stats["yakuman_win_share"].n
            words = (
                _("{text}: {number:,}, of which {shown} are shown here.")
                if len(shown) < number
                else _("{text}: {number:,}.")
            )
            text = words.format(text=text, number=number, shown=len(shown))
        return {
            "id": one.id,
            "title": _(one.title),
            "text": text,
            "hands": [self._hand(one.hands, hand) for hand in shown],
        }

    def _hand(self, key: str, hand: ShownHand) -> dict[str, Any]:
        game = hand.key, hand.seat
        number, index = self._whole.get(game), hand.index if game in self._whole else None
        if number is None:
            number = self._replays.setdefault(hand.place, len(self._data))
            if number == len(self._data):
                self._data.append(hand.replay)
        is_finding = key in (MISTAKES, UNUSUAL)
        size = typeset(share_said(hand.points / IN_MILLION)) if key == UNUSUAL else f"{hand.points:,}"
        judged = _judged(hand) if key == DEAL_INS else None
        return {
            "points": size,
            "is_mistake": key == MISTAKES,
            "paid": _paid(key, hand),
            "code": hand.code,
            "finding": _(TITLES.get(hand.code, "")),
            "judged": judged,
            "player": "" if self.own else player_name(hand.player),
            "other": player_name(hand.other) if hand.other else "",
            "verb": "" if is_finding else "to" if key == DEAL_INS else "from" if hand.other else "tsumo",
            "place": _("{hand}, turn {turn}").format(hand=label_said(hand.label), turn=hand.turn)
            if hand.turn
            else label_said(hand.label),
            "day": hand.started[:10],
            "game": display_name(hand.game).rpartition("/")[2],
            "words": [with_commas(one_line(words)) for words in hand.words if words],
            "winner": _tiles(hand.winner, hand.tile),
            "held": _tiles(hand.held, hand.tile),
            "question": _tiles(hand.held, None),
            "data": number,
            "hand": index,
            "whole": self._page_of(game, hand),
            "label": hand.label,
            "event": _before(hand) if key in (MISTAKES, UNUSUAL, DEAL_INS) else hand.event,
            "seat": hand.seat,
        }

    def _page_of(self, game: tuple[str, int], hand: ShownHand) -> str:
        """Return the address of a hand on the page of its game, if there is one."""
        if game not in self._pages:
            return ""
        event = _before(hand) if hand.code else hand.event
        return f"{self._pages[game]}#{hand.label}" + (f":{event}" if event != "" else "")


def game_pages(gathered: ReportData) -> Iterator[tuple[str, str]]:
    """Yield the name and the content of the page of each game, as far as they were asked for."""
    for number, row in enumerate(gathered.games):
        if row.page:
            yield row.page_name(number), row.html()


def _paid(key: str, hand: ShownHand) -> str:
    """Return what was won or paid, if that is not the value of the hand."""
    paid = abs(hand.changes[hand.seat]) if key in (WINS, DEAL_INS, YAKUMAN) and hand.changes else hand.points
    return "" if paid == hand.points else f"{paid:,}"


def _before(hand: ShownHand) -> int | str:
    """Return the event after which the player had the decision shown to make; empty for the deal."""
    events = hand.replay["hands"][0]["events"]
    at = hand.event
    while (
        at
        and events[at - 1]["k"] in ("riichi", "dora", "kita")
        and events[at - 1].get("s") in (None, hand.seat)
    ):
        at -= 1
    return at - 1 if at else ""


def _judged(hand: ShownHand) -> dict[str, Any] | None:
    """Return the review's judgement of a deal-in, one of the marks that the stepper shows."""
    for mark in hand.replay["hands"][0]["marks"]:
        if mark["code"].startswith("D") and (mark["seat"], mark["event"]) == (hand.seat, hand.event):
            is_mistake = mark["severity"] == str(Severity.MISTAKE)
            title = TITLES[mark["code"]]
            return {
                "code": mark["code"],
                "is_mistake": is_mistake,
                "title": _(title),
                "text": with_commas(mark["text"]),
            }
    return None


def _tiles(hand: LaidHand | None, marked: int | None) -> dict[str, Any] | None:
    """Return the symbols of a hand's tiles, with one marked, preferably the tile set apart."""
    if hand is None:
        return None
    is_last = hand.last is not None and hand.last == marked
    at = hand.closed.index(marked) if marked in hand.closed and not is_last else None
    words = [format_tiles(hand.closed), *(format_tiles(tiles) for tiles, _ in hand.melds)]
    words += ["" if hand.last is None else format_tiles([hand.last]), format_tiles(hand.aside)]
    return {
        "text": " ".join(filter(None, words)),
        "closed": [(symbol_of(tile), number == at) for number, tile in enumerate(hand.closed)],
        "last": None if hand.last is None else symbol_of(hand.last),
        "is_last": is_last,
        "melds": [
            [(symbol_of(tile), number in sideways) for number, tile in enumerate(tiles)]
            for tiles, sideways in hand.melds
        ],
        "aside": [symbol_of(tile) for tile in hand.aside],
    }
