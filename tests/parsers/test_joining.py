"""Logs of single hands, joined to the games that they are of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import call

from paifu.parsers.joining import joined
from paifu.parsers.read import read_batches
from paifu.replay.bounds import check_batch
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay

FORMATS = Path(__file__).parents[2] / "sample_logs" / "formats"
WHOLE: dict[str, Any] = json.loads((FORMATS / "hanchan.json").read_text("utf-8"))


def lines(game: dict[str, Any], **changes: Any) -> list[str]:
    """A line for each hand; only the last one has the final scores."""
    count = len(game["log"])
    return [
        json.dumps(
            {k: v for k, v in (game | changes).items() if k != "sc" or at == count - 1} | {"log": [hand]}
        )
        for at, hand in enumerate(game["log"])
    ]


def read(path: Path, *texts: str) -> Batch:
    path.write_text("\n".join(texts) + "\n")
    return Batch.concatenate(read_batches([path]))


def test_one_hand_a_line(tmp_path: Path) -> None:
    apart = read(tmp_path / "hands.jsonl", *lines(WHOLE))
    assert len(apart) == 14
    batch = joined(apart)
    check_batch(batch)
    assert (len(batch), len(batch.hands), batch.games.source[0]) == (1, 14, f"{tmp_path / 'hands.jsonl'}:1")
    (whole,) = read_batches([FORMATS / "hanchan.json"])
    assert not compare_games(whole, batch).differences
    facts = replay(batch)
    assert (len(facts.findings), facts.checked.carried, facts.checked.finals) == (0, 13, 1)


def test_several_games_follow_each_other(tmp_path: Path) -> None:
    other = lines(WHOLE, name=["a", "b", "c", "d"])
    batch = joined(read(tmp_path / "hands.jsonl", *lines(WHOLE), *other, *lines(WHOLE)[:3]))
    check_batch(batch)
    assert (batch.games.hand_end - batch.games.hand_begin).tolist() == [14, 14, 3]
    assert batch.wins.game.max() == 2
    assert replay(batch).findings.code.tolist() == []


def ended(text: str, **changes: Any) -> str:
    """The line of a hand with what else it says at its end."""
    return json.dumps(json.loads(text) | changes)


CUT = [[*WHOLE["log"][0][:-1], []]]
APART = {
    "games that are whole": [json.dumps(WHOLE)] * 2,
    "the same hand twice": lines(WHOLE)[:1] * 2,
    "a game that is over": [ended(lines(WHOLE)[0], sc=WHOLE["sc"]), lines(WHOLE)[1]],
    "a hand that is not finished": [ended(lines(WHOLE)[0], log=CUT), lines(WHOLE)[1]],
    "a hand before": lines(WHOLE)[3:1:-1],
    "other names": [lines(WHOLE)[0], lines(WHOLE, name=["a", "b", "c", "d"])[1]],
    "other rules": [lines(WHOLE)[0], lines(WHOLE, rule={"disp": "般南喰赤", "aka": 1})[1]],
}


@pytest.mark.parametrize("case", APART)
def test_what_is_not_joined(tmp_path: Path, case: str) -> None:
    apart = read(tmp_path / "x.jsonl", *APART[case])
    assert joined(apart) is apart
    assert len(apart) == 2


def test_files_are_not_joined(tmp_path: Path) -> None:
    for number, text in enumerate(lines(WHOLE)[:2]):
        (tmp_path / f"{number}.json").write_text(text)
    batch = Batch.concatenate(read_batches([tmp_path]))
    assert len(joined(batch)) == 2


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "hands.jsonl").write_text("\n".join(lines(WHOLE)))
    paths = [tmp_path / "hands.jsonl", "--to", "paifu", "--prove", "--jobs", 1]
    assert call("convert", *paths, "-o", tmp_path / "apart").talk[-1] == "14 games of 14 proved"
    assert call("convert", *paths, "-o", tmp_path / "joined", "--join").talk[-1] == "1 game of 1 proved"
    link = call("convert", tmp_path / "hands.jsonl", "--to", "tenhou6", "--link", "--join", "--jobs", 1)
    assert len(link.text.splitlines()) == 1
