"""Every number that a command takes has bounds, and a command works at both of them."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command import call

from paifu.cli import options
from paifu.cli.__main__ import COMMANDS, cli
from paifu.replay import bounds
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.scoring import winning_hand
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.hand_text import parse_hand
from paifu.replay.scoring.score import score
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.views.labels import parse_label

pytestmark = pytest.mark.every(20)

LOG = Path(__file__).parents[2] / "sample_logs" / "scenarios" / "menzen-tsumo.mjlog"
HAND = "123m456p789s11222z"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with the words that call it."""
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", found) for inner, found in command.commands.items())
        else:
            yield name, command


NUMBERS = [
    (name, option.opts[-1], option.type)
    for name, command in commands()
    for option in command.params
    if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
]


ODD = (2**31, 2**63 - 1, 2**63, -(2**63), 10**22, 10**5000, 1.5, "nan", "", "٣x")


def rest_of(name: str, option: str, folder: Path) -> list[str | Path]:
    """What a command needs besides the option."""
    others: dict[str, list[str | Path]] = {
        "score": [HAND],
        "discard": [LOG, "--at", "E1.0:1", "--seat", "0"] if option in ("--seat", "--game") else [HAND],
        "simulate": ["-o", folder / "games"],
        "import": ["-o", folder / "dataset", LOG],
        "report": ["-o", folder / "page.html", LOG],
        "site": ["-o", folder / "site", LOG],
        "convert": ["--to", "mjlog", "-o", folder / "converted", LOG],
        "reference": ["-o", folder / "club.json", LOG],
        "plot": ["places", "-o", folder / "plot.svg", LOG],
        "sql": [folder / "queried", "FROM wins"],
        "places": ["--scores", "35,29,19,17"],
        "compare": [LOG, LOG],
        "find": ["--where", "won", LOG],
    }
    return others.get(name, [LOG])


def test_the_numbers_were_found() -> None:
    assert len(NUMBERS) >= 18
    assert {name for name, *_ in NUMBERS} >= {
        "score",
        "simulate",
        "stats",
        "report",
        "review",
        "show",
        "verify",
    }


@pytest.mark.parametrize(("name", "option", "kind"), NUMBERS, ids=lambda value: str(value))
def test_every_number_has_bounds(tmp_path: Path, name: str, option: str, kind: click.ParamType) -> None:
    assert isinstance(kind, (click.IntRange, click.FloatRange))
    assert kind.min is not None
    assert kind.max is not None
    assert kind.max < 2**63
    for value in (kind.min - 1, kind.max + 1, *ODD):
        of_kind = (int, float) if isinstance(kind, click.FloatRange) else int
        if isinstance(value, of_kind) and kind.min <= value <= kind.max:
            continue
        text = f"1{'0' * 5000}" if value == 10**5000 else str(value)
        result = call(*name.split(), *rest_of(name, "", tmp_path), option, text)
        assert result.status == 2
        assert f"Invalid value for '{option}'" in result.talk[-1] or f"/ '{option}'" in result.talk[-1]


BOUND_TO = {"--jobs": 2, "--games": 2}
"""As many processes and games are not for a test."""


@pytest.mark.parametrize(("name", "option", "kind"), NUMBERS, ids=lambda value: str(value))
def test_commands_work_at_their_bounds(
    tmp_path: Path, name: str, option: str, kind: click.IntRange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    if name == "sql":
        assert call("import", LOG, "-o", tmp_path / "queried", "--jobs", "1").status == 0
    for value in (kind.min, BOUND_TO.get(option, kind.max)):
        result = call(*name.split(), *rest_of(name, option, tmp_path), option, str(value))
        assert result.status in (0, 1, 2)
        if result.status == 2:
            assert (name, option) in {
                *(("open", "--game"), ("open", "--seat"), ("show", "--game"), ("show", "--seat")),
                ("discard", "--game"),
                ("plot", "--jobs"),
                ("reference", "--jobs"),  # one game is too few
                ("score", "--honba"),
                ("score", "--han"),
                ("score", "--fu"),
                ("score", "--yakuman"),
                ("score", "--dealer-wins"),
            }
            assert result.talk[-1].startswith(("Error: ", "paifu: "))


@pytest.mark.parametrize(("honba", "sticks"), [(9999, 0), (0, 9999), (9999, 9999)])
def test_the_greatest_numbers_are_counted_exactly(honba: int, sticks: int) -> None:
    won = score(hand(seat_wind=1, honba=honba, sticks=sticks), load_preset("tenhou"))
    assert won.payments[1] == won.points + 300 * honba + 1000 * sticks


@pytest.mark.parametrize(
    "name", ["honba", "sticks", "seat_wind", "round_wind", "payer", "liable", "marked", "kita", "flowers"]
)
@pytest.mark.parametrize("number", [-1, 10_000, 2**31, 2**63 - 1, 2**63, 10**22])
def test_no_number_of_a_hand_is_without_bounds(name: str, number: int) -> None:
    with pytest.raises(HandError):
        score(hand(**{name: number}), load_preset("tenhou"))


def hand(**numbers: int) -> WinningHand:
    written = parse_hand(HAND)
    return WinningHand(**({"tiles": written.tiles, "win": written.tiles[-1]} | numbers))  # type: ignore[arg-type]


@pytest.mark.parametrize("label", ["E1.10000", "S3." + "9" * 5000, "E100", "E1.-1", "E1." + "٣" * 9])
def test_no_label_of_a_hand_is_without_bounds(label: str) -> None:
    with pytest.raises(ValueError, match="is not a hand"):
        parse_label(label)
    assert parse_label("N4.9999") == (15, 9999)


def test_counts_are_bounded_in_one_way() -> None:
    assert options.MAX_COUNT == winning_hand.MAX_COUNTERS == bounds.RANGES["hands"]["honba"][1]
    assert bounds.RANGES["hands"]["scores"][1] == options.MAX_POINTS
