"""Private lobbies of Tenhou: their logs do not state uma and points at the start, but show them."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from pathlib import Path

import pytest

from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.replay.facts.tables import code_of
from paifu.replay.model.batch import Batch
from paifu.replay.table.engine import replay
from paifu.replay.table.rule_guess import guess_rules

HANCHAN = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"
SCORES = (21600, 23800, 49700, 4900)


@cache
def log() -> bytes:
    return gzip.decompress(HANCHAN.read_bytes())


def settled(uma: dict[int, float], *, lobby: str = "10011", raised: int = 0, digits: int = 1) -> Batch:
    """The game in a lobby with these points for places, by seat; all scores are ``raised`` by some."""
    points = [(score + raised - 30_000) / 1000 + uma[seat] for seat, score in enumerate(SCORES)]
    cells = [f"{(score + raised) // 100},{one:.{digits}f}" for score, one in zip(SCORES, points, strict=True)]
    text = re.sub(rb'owari="[^"]*"', f'owari="{",".join(cells)}"'.encode(), log())
    text = text.replace(b'lobby="0"', f'lobby="{lobby}"'.encode())

    def more(found: re.Match[bytes]) -> bytes:
        numbers = [int(number) for number in found[2].split(b",")]
        step = 2 if found[1] == b"sc" else 1
        shifted = [n + raised // 100 * (at % step == 0) for at, n in enumerate(numbers)]
        return b'%s="%s"' % (found[1], b",".join(b"%d" % n for n in shifted))

    parts = re.split(rb"(<AGARI[^>]*>)", text)  # the ``ten`` of a win is fu and points
    parts = [re.sub(rb'\b(sc)="([^"]*)"', more, p) if at % 2 else
             re.sub(rb'\b(ten|sc)="([^"]*)"', more, p) for at, p in enumerate(parts)]  # fmt: skip
    batch = read_unit([Document("lobby.mjlog", b"".join(parts), Format.MJLOG)])
    assert len(batch.faults) == 0
    return batch


def codes(batch: Batch) -> list[str]:
    return [code_of(code) for code in replay(batch).findings.code.tolist()]


PLAIN = {0: -10.0, 1: 10.0, 2: 40.0, 3: -20.0}
"""With the oka that 25,000 points for a return of 30,000 leave."""
LOBBY = {0: 0.0, 1: 20.0, 2: 70.0, 3: -70.0}
"""50, 20, 0 and -70, and the same oka."""


def test_the_uma_of_a_lobby_is_that_of_its_final_table() -> None:
    batch = settled(LOBBY)
    assert (codes(batch), json.loads(batch.games.overrides[0])) == ([], {"uma": [50000, 20000, 0, -70000]})


def test_so_are_the_points_at_the_start() -> None:
    batch = settled({**LOBBY, 2: 50.0}, raised=5000)
    assert batch.hands.scores[0].tolist() == [30000] * 4
    assert codes(batch) == []
    assert json.loads(batch.games.overrides[0]) == {"start_points": 30000, "uma": [50000, 20000, 0, -70000]}


def test_a_lobby_that_settles_as_ranked_rooms_do_has_their_rules() -> None:
    batch = settled(PLAIN)
    assert (codes(batch), batch.games.overrides[0]) == ([], "")


@pytest.mark.parametrize("lobby", ["0", "0000"])
def test_a_public_lobby_has_the_uma_of_all(lobby: str) -> None:
    batch = settled(LOBBY, lobby=lobby)
    assert (codes(batch), batch.games.overrides[0]) == (["V506"], "")


@pytest.mark.parametrize(
    "wrong",
    [{**LOBBY, 2: 60.0}, {**LOBBY, 0: 0.4, 3: -70.4}, {**LOBBY, 0: 40.0, 1: -20.0}],
    ids=["a sum", "no thousands", "a third place that gets more than the second"],
)
def test_a_table_that_no_uma_explains_is_a_finding(wrong: dict[int, float]) -> None:
    assert codes(settled(wrong)) == ["V506"]


def test_whole_points_of_older_games_are_read_as_rounded() -> None:
    rounded = {seat: round(SCORES[seat] / 1000) - SCORES[seat] / 1000 + uma for seat, uma in LOBBY.items()}
    rounded[2] -= sum(rounded.values()) - 20
    batch = settled(rounded, digits=0)
    assert codes(batch) == []
    assert json.loads(batch.games.overrides[0])["uma"] == [50000, 20000, 0, -70000]


def test_tenhou6_shows_it_as_well() -> None:
    batch = read_unit([Document("x.json", b"".join(Tenhou6GameWriter.games(settled(LOBBY))), Format.TENHOU6)])
    assert codes(batch) == []
    assert json.loads(batch.games.overrides[0])["uma"] == [50000, 20000, 0, -70000]


@pytest.mark.full
@pytest.mark.parametrize(
    ("points", "raised", "changes"),
    [
        (LOBBY, 0, {"uma": [50000, 20000, 0, -70000]}),
        ({**LOBBY, 2: 50.0}, 5000, {"start_points": 30000, "uma": [50000, 20000, 0, -70000]}),
    ],
)
def test_a_guess_changes_no_more_than_it_must(
    points: dict[int, float], raised: int, changes: dict[str, object]
) -> None:
    """Another return with another uma would explain the table, too."""
    found = guess_rules(settled(points, raised=raised, lobby="0"))
    assert (found.preset, found.changes, found.left) == ("", changes, {})
