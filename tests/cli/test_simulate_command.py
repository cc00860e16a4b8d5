"""``paifu simulate``: files that follow from the options alone, whatever the number of workers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import call

from paifu.coach.simulate.games import PLAYERS
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def read(folder: Path) -> Batch:
    return Batch.concatenate(read_batches([folder]))


@pytest.mark.parametrize(
    ("rules", "fmt", "suffix"),
    [
        ("tenhou", "tenhou6", ".json"),
        ("mleague", "mjlog", ".mjlog"),
        ("majsoul-sanma", "mjlog", ".mjlog"),
        ("mleague", "paifu", ".jsonl"),
        ("majsoul-sanma", "paifu-events", ".jsonl"),
    ],
)
def test_games_are_written_and_clean(tmp_path: Path, rules: str, fmt: str, suffix: str) -> None:
    done = call("simulate", "--games", "3", "--rules", rules, "--format", fmt, "-o", tmp_path / "out")
    assert done.status == 0
    assert done.data == b""
    assert f"3 games of {len(read(tmp_path / 'out').hands)} hands under {rules}" in done.talk[-1]
    assert sorted(files(tmp_path / "out")) == [f"{rules}-0-00000{n}{suffix}" for n in (1, 2, 3)]
    batch = read(tmp_path / "out")
    assert batch.faults.reason.tolist() == []
    facts = replay(batch, load_preset(rules))
    assert facts.findings.code.tolist() == []
    assert facts.checked.finals == 3


def test_paifu_logs_name_their_rules(tmp_path: Path) -> None:
    options = ("--rules", "mleague", "--set", "red_pin=2", "--format", "paifu")
    assert call("simulate", *options, "-o", tmp_path / "out").status == 0
    assert call("verify", tmp_path / "out").status == 0
    batch = read(tmp_path / "out")
    assert (batch.games.ruleset[0], batch.games.overrides[0]) == ("mleague", '{"red_pin":2}')
    assert batch.games.go_type[0] == -1


@pytest.mark.full
def test_any_number_of_workers_writes_the_same(tmp_path: Path) -> None:
    options = ("--games", "205", "--rules", "tenhou-sanma", "--seed", "3", "--set", "wind_rounds=1")
    for jobs in ("1", "2"):
        assert call("simulate", *options, "--jobs", jobs, "-o", tmp_path / jobs).status == 0
    assert len(files(tmp_path / "1")) == 205
    assert files(tmp_path / "1") == files(tmp_path / "2")


def test_seed_players_and_rules_decide(tmp_path: Path) -> None:
    variants = {
        "same": (),
        "seed": ("--seed", "1"),
        "players": ("--players", "wild,caller"),
        "rules": ("--set", "start_points=20000"),
    }
    made = {}
    for name, options in {"first": (), **variants}.items():
        assert call("simulate", *options, "-o", tmp_path / name).status == 0
        (made[name],) = files(tmp_path / name).values()
    assert made["same"] == made["first"]
    assert len(set(made.values())) == len(variants)


@pytest.mark.parametrize(
    "options", [("--rules", "saki"), ("--rules", "riichi-encyclopedia", "--set", "players=3")], ids=" ".join
)
def test_what_tenhou_cannot_state_is_written_as_a_paifu_log(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert call("simulate", *options, "--games", "2", "-o", tmp_path / "out").status == 0
    assert all(name.endswith(".jsonl") for name in files(tmp_path / "out"))
    done = call("verify", tmp_path / "out", "-j", "1")
    assert done.status == 0
    assert "2 games" in " ".join(done.talk)


def test_the_page_tells_of_every_kind_of_player() -> None:
    page = (Path(__file__).parents[2] / "docs" / "commands" / "simulate.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([a-z-]+)` \| [a-z]", page, re.MULTILINE)) == set(PLAYERS)


def test_who_wins_no_hand_pays_yakitori(tmp_path: Path) -> None:
    """Simulated games pay it, and a verification under the same rules wants it."""
    east, yakitori = ("--set", "wind_rounds=1"), ("--set", "yakitori_points=10000")
    for name, options in (("plain", east), ("paid", (*east, *yakitori))):
        assert call("simulate", "--games", "4", *options, "-o", tmp_path / name).status == 0
    plain, paid = read(tmp_path / "plain"), read(tmp_path / "paid")
    wins = {(int(game), int(seat)) for game, seat in zip(plain.wins.game, plain.wins.seat, strict=True)}
    changed = 0
    for game in range(4):
        winners = [seat for seat in range(4) if (game, seat) in wins]
        losers = [seat for seat in range(4) if seat not in winners]
        changed += bool(losers)
        for seat in range(4):
            change = -10 * len(winners) if seat in losers else 10 * len(losers)
            assert paid.games.final_points[game, seat] == plain.games.final_points[game, seat] + change
    assert changed
    verify = ("verify", tmp_path / "paid", "-j", "1", "--rules", "tenhou", *east)
    assert call(*verify, *yakitori).status == 0
    found = call(*verify)
    assert found.status == 1
    assert found.text.count("V506") >= changed
