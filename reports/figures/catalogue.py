"""The table of figures: each is a function from statistics to a chart; nothing is drawn here.

A figure shows one player beside everybody, or everybody alone, and states its number of cases. All numbers
come from the catalogue (:mod:`paifu.reports.metrics.catalogue`); intervals are 95% intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from paifu.replay.arrays import F64
from paifu.replay.findings.review_kinds import REVIEW_KINDS, TITLES
from paifu.replay.findings.review_sentences import DANGER_NAMES
from paifu.replay.language import N_
from paifu.replay.language.lines import cells
from paifu.replay.review.results import Danger, Threat
from paifu.replay.scoring.yaku import YAKU
from paifu.reports import units
from paifu.reports.figures import parts
from paifu.reports.figures import style as look
from paifu.reports.figures.chart import DASHED, Band, Bars, Chart, Curve, Dots, Errors, Panel, Rule
from paifu.reports.figures.parts import OTHER_PLAYERS, FigureData, Part
from paifu.reports.figures.style import ALL, BAD, FIFTH, FOURTH, GOOD, OWN, THIRD
from paifu.reports.figures.style import said as _
from paifu.reports.figures.style import said_of as ngettext
from paifu.reports.figures.style import said_there as pgettext
from paifu.reports.inference.intervals import Nature, interval, of_shares
from paifu.reports.inference.sums import GameSums, game_parts
from paifu.reports.metrics.budget import BUDGET_PARTS
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.units import typeset

Describe = Callable[[FigureData], Chart | None]


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One kind of figure."""

    name: str
    title: str
    description: str
    describe: Describe
    """Returns None if there is nothing to show."""
    metrics: tuple[str, ...] = ()
    """The statistics that it needs."""
    needs: frozenset[str] = field(default_factory=frozenset)
    """Other needs: ``review``, ``player``; ``everybody`` if it cannot show a single player."""


FIGURES: dict[str, FigureKind] = {}
"""Every figure by name, in the order of display."""


def _figure(
    name: str, title: str, description: str, metrics: Iterable[str] = (), *needs: str
) -> Callable[[Describe], Describe]:
    def add(describe: Describe) -> Describe:
        names = tuple(metrics)
        FIGURES[name] = FigureKind(name, title, description, describe, names, frozenset(needs))
        return describe

    return add


def _series(*names: str) -> list[str]:
    return [metric.name for metric in CATALOGUE.values() if metric.series in names]


# --- placement -----------------------------------------------------------------------------------------

PLACES = (N_("1st"), N_("2nd"), N_("3rd"), N_("4th"))
_PLACES = ("first_rate", "second_rate", "third_rate", "fourth_rate")


@_figure("placement", N_("Placement"), N_("Share of games finished in each place."), _PLACES)
def _placement(data: FigureData) -> Chart | None:
    has_fourth = any(group.stats["fourth_rate"].n for group, _, _ in data.groups)
    count = 4 if has_fourth else 3
    chart = parts.columns(data, _PLACES[:count], list(map(_, PLACES[:count])), "game", fixed=True)
    if chart:
        chart.panels[0].x.label, chart.panels[0].y.label = _("place"), _("share of games")
    return chart


def _signed(points: float) -> str:
    return typeset(units.points(points))


@_figure(
    "budget",
    N_("Points budget"),
    N_("Points per 100 hands by how hands ended, less those of the players compared with."),
    BUDGET_PARTS,
)
def _budget(data: FigureData) -> Chart | None:
    if not data.shown.hands:
        return None
    chart, [panel] = Chart.of(height=3.1)
    at = np.arange(len(BUDGET_PARTS))[::-1]
    own = [data.shown.stats[name] for name in BUDGET_PARTS]
    base = [data.everybody.stats[name].value or 0.0 if data.own else 0.0 for name in BUDGET_PARTS]
    heights = np.array(parts.values(own)) - base
    colours = [GOOD if height >= 0 else BAD for height in heights]
    panel.add(
        Bars(at, heights, 0.62, colours, lying=True),
        Errors(heights, at, parts.error(own), lying=True),
        Rule(0, lying=False),
        Rule(0.5, width=0.7),
    )
    titles = [pgettext("budget", title) for title in BUDGET_PARTS.values()]
    panel.y.named(at, titles)
    panel.y.has_grid, panel.y.tick_length = False, 0
    longest = max(len(_signed(edge)) for edge in panel.limits(lying=True))
    panel.x.most, panel.x.says = look.most_ticks(longest, beside=max(map(cells, titles))), _signed
    words = _("points per 100 hands against {players}") if data.own else _("points per 100 hands")
    panel.x.label = words.format(players=data.everybody_name)
    chart.head(parts.cases(data, "budget_total", "hand"))
    return chart


_ENOUGH_GAMES = 3
_MOST_POINTS = 600


@_figure(
    "course",
    N_("Results over time"),
    N_(
        "The player's mean place over the last games at each time, with its 95% interval; dashed, that of "
        "all games. Below it is the rating before each game, if the logs state it."
    ),
    (),
    "player",
)
def _course(data: FigureData) -> Chart | None:
    games = [game for game in data.course if game.rank]
    if len(games) < _ENOUGH_GAMES:
        return None
    number = np.arange(1, len(games) + 1)
    step = max(1, len(games) // _MOST_POINTS)
    rated = [(at, game.rating) for at, game in zip(number.tolist(), games, strict=True) if game.rating]
    has_rating = len(rated) >= _ENOUGH_GAMES
    chart, panels = Chart.of(2 if has_rating else 1, height=look.HEIGHT * (1.35 if has_rating else 1))
    most = max(game.players for game in games)
    places = np.array([[[game.rank, 1]] for game in games], float)
    if len(games) <= 150:
        panels[0].add(Dots(number, places[:, 0, 0], ALL, ".", 4, label=_("place")))
    if len(games) >= _FEWEST:
        _windows([panels[0]], places, Nature.SIGNED)
    panels[0].y.bound(most + 0.15, 0.85)
    panels[0].y.named(range(1, most + 1))
    panels[0].y.label = _("place")
    if has_rating:
        at, ratings = zip(*rated[::step], strict=True)
        panels[1].add(Curve(at, ratings, BAD))
        panels[1].y.label = _("rating (R)")
    _games_below(panels[-1], 0.5, len(games) + 0.5)
    chart.head([parts.CASES["game"](len(games)).format(count=len(games))])
    return chart


def _games_below(panel: Panel, low: float, high: float) -> None:
    panel.x.label = _("game, in the order of play")
    panel.x.most, panel.x.whole = 6, True
    panel.x.bound(low, high)


_FEWEST, _WINDOWS = 20, 8
"""Games of a running value at least, and how many such windows a course has, if it is long enough."""


@_figure(
    "running",
    N_("Running rates"),
    N_(
        "Rates over the last games at each time, with their 95% intervals; dashed, the rate of all games "
        "of the player. Where the whole band leaves the dashed line, the rate may have changed."
    ),
    (),
    "player",
)
def _running(data: FigureData) -> Chart | None:
    if data.running is None or len(data.running) < 2 * _FEWEST:
        return None
    games = len(data.running)
    chart, panels = Chart.of(len(parts.RUNNING), height=2 * look.HEIGHT)
    _windows(panels, data.running, Nature.SHARE)
    for name, panel in zip(parts.RUNNING, panels, strict=True):
        panel.y.label = _(CATALOGUE[name].title)
        parts.percent(panel.y, most=4)
        panel.y.steps = None
    _games_below(panels[-1], 1, games)
    chart.head([parts.CASES["game"](games).format(count=games)])
    return chart


def _windows(panels: Sequence[Panel], games: F64, nature: Nature) -> None:
    """Draw ratios of the last games at each time into panels, from (games, panels, 2), with their bands."""
    window = max(_FEWEST, len(games) // _WINDOWS)
    ends = np.unique(np.linspace(window, len(games), min(_MOST_POINTS, len(games) - window + 1)).astype(int))
    n, d = np.moveaxis(games, -1, 0)
    up_to = np.cumsum(np.stack(game_parts(n, d), axis=-1), axis=0)
    up_to = np.concatenate([np.zeros_like(up_to[:1]), up_to])
    sums = GameSums.of(up_to[ends] - up_to[ends - window])
    low, high = interval(sums, nature)
    for column, panel in enumerate(panels):
        mean = n[:, column].sum() / max(1, d[:, column].sum())
        last = _("last {count} games").format(count=window)
        panel.add(
            Band(ends, low[:, column], high[:, column], OWN),
            Curve(ends, sums.ratio[:, column], OWN, label=last),
            Rule(mean, width=1.1, dashes=DASHED, label=_("all games")),
        )


def _first(words: Iterable[Part]) -> list[str]:
    return [metric for metric, _, _ in words]


# --- hands ---------------------------------------------------------------------------------------------

_ENDINGS = (
    ("win_rate", "win", GOOD),
    ("draw_rate", "draw", ALL),
    ("aside_rate", "others' ron", FOURTH),
    ("hit_rate", "tsumo loss", THIRD),
    ("deal_in_rate", "deal-in", BAD),
)


_figure(
    "endings",
    N_("How hands end"),
    N_(
        "Share of hands by outcome: win, exhaustive draw, ron between other players, another player's tsumo, "
        "and deal-in. The rest are abortive draws and nagashi mangan."
    ),
    _first(_ENDINGS),
)(lambda data: parts.stacks(data, _ENDINGS, "hand"))


_WON_BY = (
    ("riichi_win_share", "riichi", OWN),
    ("open_win_share", "open", THIRD),
    ("dama_win_share", "closed, no riichi", FIFTH),
)


_figure(
    "win-kinds",
    N_("Kinds of wins"),
    N_("Share of wins after riichi, with an open hand, and with a closed hand without riichi."),
    _first(_WON_BY),
)(lambda data: parts.stacks(data, _WON_BY, "win"))


_DEALT_TO = (
    ("deal_in_to_riichi_share", "to a riichi", OWN),
    ("deal_in_to_open_share", "to an open hand", THIRD),
    ("deal_in_to_dama_share", "to a dama hand", FIFTH),
)


_figure(
    "deal-in-kinds",
    N_("Kinds of deal-ins"),
    N_("Share of deal-ins to a riichi, to an open hand, and to a closed hand without riichi."),
    _first(_DEALT_TO),
)(lambda data: parts.stacks(data, _DEALT_TO, "deal-in"))


_figure(
    "outcomes-by-turn",
    N_("Wins and deal-ins by turn"),
    N_("Share of hands won and dealt in by each turn."),
    _series("won_by_turn", "dealt_in_by_turn"),
)(
    lambda data: parts.curves(
        data, (("won_by_turn", _("won"), GOOD), ("dealt_in_by_turn", _("dealt in"), BAD)), _("share of hands")
    )
)


@_figure(
    "tenpai-by-turn",
    N_("Tenpai by turn"),
    N_("Share of hands with tenpai, riichi and an open call by each turn."),
    _series("tenpai_by_turn", "riichi_by_turn", "called_by_turn"),
)
def _tenpai(data: FigureData) -> Chart | None:
    series = (
        ("tenpai_by_turn", _("tenpai"), OWN),
        ("riichi_by_turn", _("riichi"), BAD),
        ("called_by_turn", _("open call"), THIRD),
    )
    return parts.curves(data, series, _("share of hands"))


@_figure(
    "shanten-by-turn",
    N_("Shanten by turn"),
    N_("Average shanten after each discard, of hands that lasted that long; tenpai is 0."),
    _series("shanten_at_turn"),
)
def _shanten(data: FigureData) -> Chart | None:
    name = data.own_name if data.own else data.everybody_name
    return parts.curves(data, (("shanten_at_turn", name, OWN),), _("average shanten"))


# --- points --------------------------------------------------------------------------------------------


def _bands(data: FigureData, series: str, noun: str) -> Chart | None:
    names = _series(series)
    edges = [CATALOGUE[name].at for name in names]
    chart = parts.columns(data, names, [""] * len(names), noun)
    if chart:
        [panel] = chart.panels
        panel.x.named(np.arange(len(edges)) - 0.5, [f"{edge / 1000:g}" for edge in edges])
        panel.x.tick_length = 3
        panel.x.bound(-0.5, len(edges) - 0.5)
        panel.x.label = _("thousands of points (last band: 32 or more)")
        panel.y.label = _(parts.SHARES[noun])
    return chart


_figure(
    "win-points",
    N_("Value of wins"),
    N_("Share of wins by value, without honba and riichi sticks."),
    _series("win_points"),
)(lambda data: _bands(data, "win_points", "win"))


_figure(
    "deal-in-points",
    N_("Value of deal-ins"),
    N_("Share of deal-ins by value, without honba and riichi sticks."),
    _series("deal_in_points"),
)(lambda data: _bands(data, "deal_in_points", "deal-in"))


# --- yaku ----------------------------------------------------------------------------------------------

_EACH_YAKUHAI = frozenset(YAKU[number].romaji for number in range(10, 21))
"""Shown as one bar."""
_YAKU_SHARES = tuple(
    metric.name
    for metric in CATALOGUE.values()
    if metric.family == "yaku"
    and metric.unit == "%"
    and not metric.name.endswith(("_open", "_closed"))
    and metric.title not in _EACH_YAKUHAI
)
_MOST_YAKU = 16


@_figure("yaku", N_("Yaku"), N_("Share of wins with each of the 16 most frequent yaku."), _YAKU_SHARES)
def _yaku(data: FigureData) -> Chart | None:
    everybody = data.everybody.stats
    often = sorted(_YAKU_SHARES, key=lambda name: -(everybody[name].value or 0))[:_MOST_YAKU]
    often = [name for name in often if everybody[name].n]
    if not often or not data.shown.stats[often[0]].d:
        return None
    chart, [panel] = Chart.of(height=1.1 + 0.235 * len(often))
    _beside(data, panel, often)
    panel.y.named(np.arange(len(often))[::-1], [pgettext("title", CATALOGUE[name].title) for name in often])
    panel.x.label = _("share of wins")
    parts.percent(panel.x, most=None)
    chart.head(parts.cases(data, often[0], "win"))
    return chart


def _beside(data: FigureData, panel: Panel, names: Sequence[str]) -> None:
    """Draw statistics as lying bars, one below the other, with those of everybody as marks beside."""
    at = np.arange(len(names))[::-1]
    own = [data.shown.stats[name] for name in names]
    label = data.own_name if data.own else data.everybody_name
    panel.add(
        Bars(at, parts.values(own), 0.68, [OWN], label, lying=True),
        Errors(parts.values(own), at, parts.error(own), lying=True),
    )
    if data.own:
        everybody = parts.values(data.everybody.stats[name] for name in names)
        panel.add(Dots(everybody, at, THIRD, "D", 5, look.PAPER, 0.6, label=data.everybody_name))
    panel.y.has_grid, panel.y.tick_length = False, 0
    panel.y.bound(-0.6, len(names) - 0.4)
    panel.x.bound(low=0)


# --- riichi and calls ----------------------------------------------------------------------------------

_OUTCOMES = (("win", GOOD, "o"), ("deal-in", BAD, "s"))


@_figure(
    "riichi-turns",
    N_("Turn of riichi"),
    N_("Share of riichi declared on each turn, including the declaration tile."),
    _series("riichi_by_turn"),
)
def _riichi_turns(data: FigureData) -> Chart | None:
    names = _series("riichi_by_turn")
    totals = [group.stats[names[-1]].n for group, _, _ in data.groups]
    if not totals[0]:
        return None
    chart, [panel] = Chart.of(height=look.HEIGHT)
    turns = np.arange(1, len(names) + 1)
    for (group, name, colour), total in zip(data.groups, totals, strict=True):
        counts = np.diff([0, *(group.stats[metric].n for metric in names)])
        if group is data.shown:
            low, high = of_shares(counts, total)
            far = np.maximum([counts / total - low, high - counts / total], 0)
            panel.add(
                Bars(turns, counts / total, 0.8, [colour], name),
                Errors(turns, counts / total, far, width=0.8),
            )
        else:
            panel.add(Curve(turns, counts / total, BAD, 1.3, mark=".", label=name))
    panel.x.named([1, 3, 6, 9, 12, 15, 18])
    panel.x.has_grid = False
    panel.x.label, panel.y.label = _("turn (player's discards)"), _("share of riichi")
    panel.y.bound(low=0)
    parts.percent(panel.y)
    note = [_("n = {count:,} riichi").format(count=totals[0])] + [
        f"{data.everybody_name} {total:,}" for total in totals[1:]
    ]
    chart.head(note)
    return chart


_RIICHI = (
    ("all", ("riichi_win_rate", "riichi_deal_in_rate")),
    *(
        (words, (f"riichi_{kind}_win_rate", f"riichi_{kind}_deal_in_rate"))
        for kind, words in {
            "first": "first of the hand", "chase": "chasing riichi", "good": "6+ live tiles",
            "bad": "5 or fewer live tiles", "furiten": "furiten",
        }.items()
    ),
)  # fmt: skip


def _names(rows: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    return [name for _, names in rows for name in names]


_figure(
    "riichi-outcomes",
    N_("Outcomes of riichi"),
    N_("Win and deal-in rates of riichi, by order and by number of live tiles."),
    _names(_RIICHI),
)(lambda data: parts.rows(data, _RIICHI, _OUTCOMES, "riichi", _("share of riichi")))


_CALLS = tuple(
    (
        words,
        (f"calls_{n}_win_rate", f"calls_{n}_deal_in_rate"),
    )
    for n, words in enumerate(("1+ calls", "2+ calls", "3+ calls", "4 calls"), start=1)
)
_CLOSED = ("all hands", ("win_rate", "deal_in_rate"))


_figure(
    "call-outcomes",
    N_("Outcomes of calls"),
    N_("Win and deal-in rates of all hands, and by number of open calls."),
    _names((_CLOSED, *_CALLS)),
)(lambda data: parts.rows(data, (_CLOSED, *_CALLS), _OUTCOMES, "hands", _("share of hands")))


LABELS = (
    *(words for _metric, words, _color in (*_ENDINGS, *_WON_BY, *_DEALT_TO)),
    *(words for words, *_more in (*_OUTCOMES, *_RIICHI, *_CALLS, _CLOSED)),
)
"""What parts and rows are called, to be translated as they are drawn."""


# --- review --------------------------------------------------------------------------------------------


@_figure(
    "danger",
    N_("Danger of tiles against riichi"),
    N_(
        "Share of discards against another player's riichi that dealt in, by danger class from the "
        "discarder's point of view."
    ),
    (),
    "review",
)
def _danger(data: FigureData) -> Chart | None:
    if data.pushes is None or not data.pushes.any():
        return None
    players = 4 if data.pushes[1].any() else 3
    others, own = data.pushes[players - 3, :, Threat.RIICHI - 1, :, :, :2].sum(axis=2)
    everybody = others + own
    kinds = [kind for kind in Danger if everybody[kind, 0]]
    if not kinds or (data.own and not own.any()):
        return None
    kinds.sort(key=lambda kind: everybody[kind, 1] / everybody[kind, 0])
    series = [(everybody, data.everybody_name, BAD, "s")]
    if data.own:
        series = [(others, _(OTHER_PLAYERS), ALL, "s"), (own, data.own_name, OWN, "o")]
    chart, [panel] = Chart.of(height=1.1 + (0.12 + 0.12 * len(series)) * len(kinds))
    for number, (table, name, colour, mark) in enumerate(series):
        at = np.flatnonzero([table[kind, 0] > 0 for kind in kinds])
        discards, hits = table[[kinds[place] for place in at]].T
        share, (low, high) = hits / discards, of_shares(hits, discards)
        shift = 0.3 * number - 0.15 * (len(series) - 1)
        far = np.maximum([share - low, high - share], 0)
        panel.add(Errors(share, at - shift, far, colour, 1.4, lying=True, mark=mark, label=name))
    shown = series[-1][0]
    panel.y.named(range(len(kinds)), [f"{_(DANGER_NAMES[kind])} ({shown[kind, 0]:,})" for kind in kinds])
    panel.y.tick_length = 0
    panel.y.bound(-0.7, len(kinds) - 0.3)
    panel.x.bound(low=-0.004)
    panel.x.label = _("share that dealt in, with {players} players").format(players=players)
    parts.percent(panel.x, most=None)
    number = int(shown[:, 0].sum())
    note = ngettext(
        "n = {count:,} discard of {player}; n per class in brackets",
        "n = {count:,} discards of {player}; n per class in brackets",
        number,
    )
    chart.head([note.format(count=number, player=series[-1][1])])
    return chart


_REVIEW = tuple(f"review_{code.lower()}" for code in REVIEW_KINDS)


@_figure("review", N_("Review findings"), N_("Findings per 100 hands, by code."), _REVIEW, "review")
def _review(data: FigureData) -> Chart | None:
    found = [name for name in _REVIEW if any(g.stats[name].n for g, _, _ in data.groups)]
    if not found:
        return None
    chart, [panel] = Chart.of(height=1.1 + 0.26 * len(found))
    _beside(data, panel, found)
    codes = [code for code in REVIEW_KINDS if f"review_{code.lower()}" in found]
    # In a page, what codes mean is in the table beside the figure.
    names = codes if look.is_for_page() else [f"{code} {_(TITLES[code])}" for code in codes]
    panel.y.named(np.arange(len(found))[::-1], names)
    panel.x.label, panel.x.at_end = _("findings per 100 hands"), True
    panel.x.says = lambda value: f"{value:g}"
    chart.head(parts.cases(data, found[0], "hand"))
    return chart
