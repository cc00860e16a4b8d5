"""Moves that no table allows, in logs written line by line: what is noted, and for whom."""

from __future__ import annotations

import json

from case_data import case_data
from each_row import each_row

from paifu.parsers.read import read_unit
from paifu.parsers.sources.detect import Format
from paifu.parsers.sources.documents import Document
from paifu.replay.facts.tables import code_of
from paifu.replay.table.engine import replay

DEALT = {
    "tenhou": ["147m147p147s1234z", "258m258p25s44455z", "369m369p3699s123z", "19m1199p19s67777z"],
    "tenhou-sanma": ["19m147p147s12344z", "19m258p258s4z5566z", "19m369p369s45677z"],
}


def noted(rules: str, *events: str, under: str = "") -> list[str]:
    """Code and seat of each finding in a hand of these moves, which breaks off after them.

    ``under`` names the rules in place of those of the log, whose reader knows what there is in a game.
    """
    start = {"round": "E1", "dealt": DEALT[rules], "scores": [25000] * len(DEALT[rules]), "dora": "8p"}
    log = {
        "paifu": 1,
        "game": {"ruleset": rules},
        "hands": [start | {"events": list(events)}],
        "result": {"cut": True},
    }
    batch = read_unit([Document("x.json", json.dumps(log).encode(), Format.PAIFU)])
    assert batch.faults.reason.tolist() == []
    batch.games.ruleset[:] = under or rules
    findings = replay(batch).findings
    return [
        f"{code_of(code)} {seat}" for code, seat in zip(findings.code, findings.seat.tolist(), strict=True)
    ]


TABLES: dict[str, dict[str, tuple[list[str], list[str]]]] = case_data("odd_moves")


@each_row("case", TABLES["riichi"])
def test_moves_of_riichi(case: str) -> None:
    events, expected = TABLES["riichi"][case]
    assert noted("tenhou", *events) == expected


@each_row("case", TABLES["three"])
def test_moves_of_three_players(case: str) -> None:
    events, expected = TABLES["three"][case]
    assert noted("tenhou-sanma", *events) == expected


@each_row("case", TABLES["others"])
def test_moves_that_other_games_do_not_have(case: str) -> None:
    events, expected = TABLES["others"][case]
    assert noted("tenhou", *events, under="hk-old-style") == expected
