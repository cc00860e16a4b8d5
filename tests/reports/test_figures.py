"""Figures: what they draw is what statistics say; they are whole, readable, and the same every time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import lxml.etree
import numpy as np
import pytest
from command import call
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.patches import Rectangle

from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay
from paifu.reports.figures import style as look
from paifu.reports.figures.catalogue import FIGURES
from paifu.reports.figures.chart import Chart
from paifu.reports.figures.files import NothingToDrawError, drawn, figure_of, saved
from paifu.reports.figures.inline import inline, width
from paifu.reports.figures.parts import FigureData
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.report_data import ReportData, Wanted, gather, total
from paifu.reports.pages.report_games import running_sums
from paifu.reports.pages.report_sections import IN_FIGURES
from paifu.reports.statistics.values import GroupStatistics, statistics

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
PLAYER = "Botan"
NAMES = pytest.mark.parametrize("name", FIGURES)


def gathered(batch: Batch, player: str) -> ReportData:
    wanted = Wanted((), IN_FIGURES, player)
    return total([gather(replay(batch, review=True, watched=wanted.names), wanted, 1)], wanted)


@pytest.fixture(scope="module")
def found() -> ReportData:
    return gathered(Batch.concatenate(list(read_batches([SAMPLES]))), PLAYER)


def data_of(found: ReportData, player: str = PLAYER, label: str = PLAYER) -> FigureData:
    result = statistics(found.others, players=frozenset([player] if player else []))
    own = result.groups[0] if player else None
    return FigureData(
        result.population, own, label, found.course, found.pushes, running_sums(found.games * 3)
    )


@pytest.fixture(scope="module")
def data(found: ReportData) -> FigureData:
    return data_of(found)


def chart_of(name: str, data: FigureData) -> Chart:
    chart = FIGURES[name].describe(data)
    assert chart is not None
    return chart


def drawing(name: str, data: FigureData) -> Figure:
    return figure_of(chart_of(name, data))


def texts(figure: Figure) -> Iterator[str]:
    """Yield what is in the heading of a figure."""
    for legend in figure.findobj(Legend):
        yield legend.get_title().get_text()
        yield from (text.get_text() for text in legend.get_texts())


def seen_texts(figure: Figure) -> Iterator[Any]:
    """Yield labels of axes, of ticks in view, and of legends."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            yield axis.label
            low, high = sorted(axis.get_view_interval())
            yield from (tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high)
    for legend in figure.findobj(Legend):
        yield from (legend.get_title(), *legend.get_texts())


@pytest.mark.every(4)
@NAMES
def test_axes_are_labelled_and_cases_counted(name: str, data: FigureData) -> None:
    figure = drawing(name, data)
    axes = figure.axes
    assert axes[-1].get_xlabel()
    for one in axes:
        labels = [tick.get_text() for tick in one.get_yticklabels() if not tick.get_text().isdigit()]
        assert one.get_ylabel() or any(labels)
    heading = " ".join(texts(figure))
    assert re.search(r"\bn (=|of)", heading), heading
    if "player" not in FIGURES[name].needs:
        compared = "other players" if name == "danger" else "all players"
        assert compared in heading + " ".join(t.get_text() for t in axes[0].get_yticklabels())


@pytest.mark.every(4)
@NAMES
def test_no_text_is_small_or_cut_off(name: str, data: FigureData) -> None:
    with look.styled():
        figure = drawing(name, data)
        FigureCanvasAgg(figure).draw()  # which lays it out
        whole = figure.bbox
        for text in seen_texts(figure):
            assert text.get_fontsize() >= 9
            box = text.get_window_extent()
            assert box.x0 >= whole.x0 - 3, text.get_text()
            assert box.x1 <= whole.x1 + 3, text.get_text()
        for axes in figure.axes:
            low, high = sorted(axes.xaxis.get_view_interval())
            ticks = sorted(axes.get_xaxis().get_major_ticks(), key=lambda tick: tick.get_loc())
            labels = [tick.label1 for tick in ticks if low <= tick.get_loc() <= high]
            boxes = [label.get_window_extent() for label in labels if label.get_visible()]
            assert all(one.x1 <= other.x0 for one, other in pairwise(boxes)), "labels overlap"


@pytest.mark.every(4)
@pytest.mark.parametrize("for_page", [False, True])
@pytest.mark.parametrize("factor", [0.0014, 0.017, 0.056, 0.14, 0.28, 0.69, 0.8, 3.0])
def test_labels_of_points_stay_apart(data: FigureData, factor: float, for_page: bool) -> None:
    def scaled(group: GroupStatistics) -> GroupStatistics:
        bounds = ("value", "low", "high")
        stats = {
            name: replace(
                one, **{part: getattr(one, part) and factor * getattr(one, part) for part in bounds}
            )
            for name, one in group.stats.items()
            if name in FIGURES["budget"].metrics
        }
        return replace(group, stats=stats)

    assert data.own is not None
    scaled_data = replace(data, everybody=scaled(data.everybody), own=scaled(data.own))
    if for_page:
        labels_on_page_stay_apart(scaled_data)
        return
    figure = drawing("budget", scaled_data)
    FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    low, high = axes.get_xlim()
    labels = [tick.label1 for tick in axes.xaxis.get_major_ticks() if low <= tick.get_loc() <= high]
    boxes = [label.get_window_extent() for label in labels]
    assert len(boxes) >= 2
    assert all(one.x1 + 5 <= other.x0 for one, other in pairwise(boxes)), [one.get_text() for one in labels]


def labels_on_page_stay_apart(data: FigureData) -> None:
    texts = svg_of("budget", data).xpath("//text[@text-anchor='middle' and not(@transform)]")
    ends = [(float(text.get("x")), width(text.text)) for text in texts]
    assert len(ends) >= 2
    assert all(x + wide / 2 + 5 <= y - other / 2 for (x, wide), (y, other) in pairwise(ends)), ends


def svg_of(name: str, data: FigureData) -> Any:
    with look.on_page():
        return lxml.etree.fromstring(inline(chart_of(name, data), name, "label"))


def as_file(found: ReportData, name: str, player: str, fmt: str) -> bytes:
    return drawn(
        found.others,
        found.course,
        found.pushes,
        running_sums(found.games * 3),
        name,
        player,
        fmt,
        with_title=True,
    )


@pytest.mark.every(20)
@NAMES
@pytest.mark.parametrize("player", [PLAYER, ""])
def test_every_figure_becomes_a_file(name: str, player: str, found: ReportData) -> None:
    if "player" in FIGURES[name].needs and not player:
        return
    content = as_file(found, name, player, "svg")
    assert content == as_file(found, name, player, "svg")
    assert lxml.etree.fromstring(content).tag.endswith("svg")
    assert b"dc:date" not in content


@pytest.mark.every(3)
@pytest.mark.parametrize(("fmt", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_files_are_the_same_every_time(fmt: str, begins: bytes, found: ReportData) -> None:
    contents = {as_file(found, "endings", PLAYER, fmt) for _ in range(2)}
    assert len(contents) == 1
    [content] = contents
    assert content.startswith(begins)
    assert b"CreationDate" not in content


def heights_of(axes: Axes) -> list[float]:
    return [bar.get_height() for bar in axes.patches if isinstance(bar, Rectangle)]


def test_bars_are_the_statistics(data: FigureData) -> None:
    [axes] = drawing("placement", data).axes
    heights = heights_of(axes)
    names = ("first_rate", "second_rate", "third_rate", "fourth_rate")
    assert data.own is not None
    expected = [group.stats[name].value for group in (data.own, data.everybody) for name in names]
    assert heights == pytest.approx(expected)


def test_bands_add_up_to_everything(data: FigureData) -> None:
    for name in ("win-points", "deal-in-points"):
        [axes] = drawing(name, data).axes
        heights = heights_of(axes)
        assert sum(heights[:8]) == pytest.approx(1)
        assert sum(heights[8:]) == pytest.approx(1)


def test_curves_are_the_statistics(data: FigureData) -> None:
    [axes] = drawing("tenpai-by-turn", data).axes
    own, everybody = (line.get_ydata() for line in axes.lines[:2])
    names = [metric.name for metric in CATALOGUE.values() if metric.series == "tenpai_by_turn"]
    assert data.own is not None
    assert list(own) == pytest.approx([data.own.stats[name].value for name in names])
    assert list(everybody) == pytest.approx([data.everybody.stats[name].value for name in names])


def test_riichi_of_all_turns_are_all_riichi(data: FigureData) -> None:
    [axes] = drawing("riichi-turns", data).axes
    assert sum(heights_of(axes)) == pytest.approx(1)


def test_the_course_ends_with_the_last_game(data: FigureData) -> None:
    figure = drawing("course", data)
    dots = figure.axes[0].lines[0].get_ydata()
    assert list(dots) == [game.rank for game in data.course if game.rank]
    assert figure.axes[0].yaxis_inverted()


@pytest.mark.every(4)
@NAMES
def test_without_a_case_there_is_nothing_to_draw(name: str) -> None:
    nothing = gathered(Batch.empty(), "")
    assert FIGURES[name].describe(data_of(nothing, "")) is None
    with pytest.raises(NothingToDrawError):
        as_file(nothing, name, "", "svg")


# --- names ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", [r"$\frac{1}{0}$", "$", "<b>&amp;", "_^%#"])
def test_a_name_is_no_mathematics(label: str, found: ReportData) -> None:
    figure = drawing("placement", data_of(found, label=look.drawable(label) or ""))
    content = saved(figure, "svg")
    assert lxml.etree.fromstring(content) is not None
    assert label in {text.strip() for text in texts(figure)}


def test_names_that_cannot_be_drawn() -> None:
    assert look.drawable("Botan") == "Botan"
    assert look.drawable("\x1b[31m Bo\ntan") == "[31m Bo tan"
    assert look.drawable("x" * 100) == "x" * 23 + "…"
    assert look.drawable("\U0010fffd") is None
    assert look.drawable("") is None
    assert look.drawable("\ufdd0") is None


def test_any_name_can_be_asked_for(found: ReportData, tmp_path: Path) -> None:
    """Of a player whose name no font may have, without a warning."""
    result = call("plot", "placement", SAMPLES, "--player", "葵", "-o", tmp_path / "figure.svg")
    assert result.status == 0
    assert (tmp_path / "figure.svg").exists()


# --- in a page -----------------------------------------------------------------------------------------


@pytest.mark.every(4)
@NAMES
def test_in_a_page_a_figure_has_no_style_of_its_own(name: str, data: FigureData) -> None:
    with look.on_page():
        text = inline(chart_of(name, data), name, "label")
    element = lxml.etree.fromstring(text)
    assert "style" not in text
    assert not re.search(r"#[0-9a-fA-F]{6}\b", text)
    assert set(re.findall(r"var\(--fig-(\w+)\)", text)) <= set(look.VARIABLES.values())
    ids = element.xpath("//@id")
    assert len(ids) == len(set(ids))
    used = set(re.findall(r"url\(#(\w+)\)", text)) | set(re.findall(r'href="#(\w+)"', text))
    assert used <= set(ids)
    assert len(text) < 20_000
    assert "<g>" not in text
    assert "<text" in text


@pytest.mark.every(6)
@NAMES
@pytest.mark.parametrize("player", [PLAYER, ""])
def test_axes_of_pages_are_those_of_matplotlib(name: str, player: str, found: ReportData) -> None:
    """Both read one description, but each finds where axes without bounds begin and end."""
    if "player" in FIGURES[name].needs and not player:
        return
    chart = chart_of(name, data_of(found, player))
    for panel, axes in zip(chart.panels, figure_of(chart).axes, strict=True):
        assert panel.limits(lying=False) == pytest.approx(axes.get_ylim())
    # All panels have the x-axis of the last.
    assert panel.limits(lying=True) == pytest.approx(axes.get_xlim())


@NAMES
def test_texts_on_a_page_stay_within_the_figure(name: str, data: FigureData) -> None:
    element = svg_of(name, data)
    _left, _top, wide, high = map(float, element.get("viewBox").split())
    for text in element.xpath("//text[not(@transform)]"):
        long = width(text.text)
        begin = float(text.get("x")) - long * {"end": 1, "middle": 0.5}.get(text.get("text-anchor"), 0)
        assert begin > -1, text.text
        assert begin + long < wide + 1, text.text
        assert 0 < float(text.get("y")) < high


def test_bars_on_a_page_are_the_statistics(data: FigureData) -> None:
    names = ("first_rate", "second_rate", "third_rate", "fourth_rate")
    element = svg_of("placement", data)
    for group, colour in ((data.own, "own"), (data.everybody, "all")):
        (path,) = element.xpath(f"//g[@clip-path]/path[@fill='var(--fig-{colour})']/@d")
        bars = re.findall(r"M[\d.]+ ([\d.]+)H[\d.]+V([\d.]+)H", path)
        heights = np.array([float(base) - float(top) for base, top in bars])
        assert group is not None
        expected = np.array([group.stats[name].value for name in names])
        assert heights / heights.sum() == pytest.approx(expected / expected.sum(), abs=1e-3)


# --- colours -------------------------------------------------------------------------------------------

_DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)
_PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)
_TRITANOPIA = np.array(
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
)
"""How linear colours look to those who lack a cone (Machado, Oliveira, Fernandes 2009)."""
TOGETHER = (
    (look.OWN, look.ALL),
    (look.GOOD, look.BAD),
    (look.OWN, look.THIRD, look.FIFTH),
    (look.OWN, look.BAD, look.THIRD),
    (look.GOOD, look.ALL, look.FOURTH, look.THIRD, look.BAD),
)


def seen(color: str, matrix: np.ndarray) -> np.ndarray:
    """Return a colour as CIELAB, as somebody sees it."""
    share = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    linear = np.clip(matrix @ linear, 0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(np.maximum(to_xyz @ linear / np.array([0.9505, 1, 1.089]), 1e-4))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("colors", TOGETHER)
@pytest.mark.parametrize("matrix", [np.eye(3), _DEUTERANOPIA, _PROTANOPIA, _TRITANOPIA])
def test_colours_are_told_apart(colors: tuple[str, ...], matrix: np.ndarray) -> None:
    for one, two in combinations(colors, 2):
        assert np.linalg.norm(seen(one, matrix) - seen(two, matrix)) > 15, (one, two)


def test_a_file_compares_a_player_with_the_others(found: ReportData, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[FigureData] = []
    kind = replace(FIGURES["budget"], describe=lambda data: shown.append(data))
    monkeypatch.setitem(FIGURES, "budget", kind)
    for player in (PLAYER, ""):
        with pytest.raises(NothingToDrawError):
            as_file(found, "budget", player, "svg")
    beside, alone = shown
    assert (beside.everybody_name, alone.everybody_name) == ("other players", "all players")
    assert beside.own is not None
    assert beside.everybody.hands == alone.everybody.hands, "each hand is one of others, too"
    wins = [one.stats["win_rate"].n for one in (beside.own, beside.everybody, alone.everybody)]
    assert wins[0] + wins[1] == wins[2]
    assert wins[0] > 0


# --- the command ---------------------------------------------------------------------------------------


def test_danger_shows_the_player_beside_everybody() -> None:
    """The player's squares are the player's discards, under any of the player's names."""
    path = SAMPLES / "hanchan.mjlog.gz"  # no copy of its game is counted twice
    found = gathered(Batch.concatenate(list(read_batches([path]))), PLAYER)
    figure = drawing("danger", data_of(found))
    said, *names = texts(figure)
    assert names == ["other players", PLAYER]
    (number,) = re.findall(r"n = ([0-9,]+) discards of Botan", said)
    counted = call("danger", path, "--player", PLAYER, "--format", "json")
    rows = json.loads(counted.text)["rows"]
    sums = [row["n"] for row in rows if (row["players"], row["threat"], row["hand"], row["class"])
            == (4, "riichi", "all", "all")]  # fmt: skip
    assert [int(number.replace(",", ""))] == sums
    batch = Batch.concatenate(list(read_batches([path])))
    wanted = Wanted((), IN_FIGURES, "Bo", {PLAYER: "Bo"})
    again = gather(replay(batch, review=True, watched=wanted.names), wanted, 1)
    assert again.pushes is not None
    assert found.pushes is not None
    assert (again.pushes == found.pushes).all()
