"""Moves that no table allows, in logs written line by line: what is noted, and for whom."""

from __future__ import annotations

import json

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


def noted(rules: str, *events: str, under: str = "") -> list[tuple[str, int]]:
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
    return [(code_of(code), seat) for code, seat in zip(findings.code, findings.seat.tolist(), strict=True)]


DRAWN = ["0 draw 6m", "0 discard 6m tsumogiri"]
RIICHI = {
    "a closed kan out of turn": ([*DRAWN, "1 ankan [4444z]"], [("V206", 1)]),
    "a closed kan of what another holds": ([*DRAWN, "1 draw 6m", "1 ankan [7777z]"], [("V206", 1)]),
    "a closed kan of three": (["0 draw 6m", "0 ankan [1111m]"], [("V206", 0)]),
    "an added kan without a pon": (["0 draw 6m", "0 kakan (1111m) from 2"], [("V206", 0)]),
    "a kita with four players": (["0 draw 6m", "0 kita (4z)"], [("V213", 0)]),
    "an indicator without a kan": (["0 draw 6m", "dora 2m"], [("V209", 255)]),
    "a pon of a tile that is not there": ([*DRAWN, "3 pon (111m) from 0"], [("V204", 3)]),
    "a chi across the table": ([*DRAWN, "3 chi (678m) from 0"], [("V204", 3)]),
    "two draws": (["0 draw 6m", "0 draw 7m"], [("V201", 0)]),
    "a discard after a discard": ([*DRAWN, "0 discard 1m"], [("V201", 0)]),
    "a riichi that is not ready": (["0 draw 6m", "0 riichi", "0 discard 6m tsumogiri"], [("V207", 0)]),
    "a stick that nobody owes": ([*DRAWN, "0 riichi paid"], [("V208", 0)]),
    "a stick before the tile passed": (["0 draw 6m", "0 riichi paid"], [("V208", 0)]),
    "a fifth copy": (["0 draw 6m", "0 discard 6m tsumogiri", "1 draw 7z"], [("V103", 255)]),
    "four winds that are not": ([*DRAWN, "suufon"], [("V212", 255)]),
    "nine kinds after a discard": ([*DRAWN, "1 draw 6m", "kyuushu"], [("V212", 255)]),
    "an exhaustive draw at once": ([*DRAWN, "exhaustive"], [("V212", 255)]),
    "a foul where there are none": (["0 draw 6m", "0 chombo"], [("V212", 255)]),
    "a move after the end": ([*DRAWN, "sanchahou", "1 draw 6m"], [("V212", 255), ("V211", 1)]),
}


@each_row("case", RIICHI)
def test_moves_of_riichi(case: str) -> None:
    events, expected = RIICHI[case]
    assert noted("tenhou", *events) == expected


THREE = {
    "a kita": (["0 draw 9p", "0 kita (4z)", "0 draw 9p"], []),
    "a kita out of turn": (["0 draw 9p", "0 discard 9p tsumogiri", "2 kita (4z)"], [("V213", 2)]),
    "a kita of another tile": (["0 draw 9p", "0 kita (3z)"], [("V213", 0)]),
    "a kita that is not held": (
        ["0 draw 9p", "0 kita (4z)", "0 draw 9p", "0 kita (4z)", "0 draw 9p", "0 kita (4z)"], [("V213", 0)],
    ),
    "a chi": (["0 draw 4p", "0 discard 4p tsumogiri", "1 chi (423p) from 0"], [("V204", 1)]),
    "a tile of the set of four": (["0 draw 5m"], [("V103", 255)]),
}  # fmt: skip


@each_row("case", THREE)
def test_moves_of_three_players(case: str) -> None:
    events, expected = THREE[case]
    assert noted("tenhou-sanma", *events) == expected


OTHERS = {
    "a riichi": (["0 draw 6m", "0 riichi"], [("V207", 0)]),
    "a stick": (["0 draw 6m", "0 riichi paid"], [("V208", 0)]),
    "an indicator": (["0 draw 6m", "dora 2m"], [("V209", 255)]),
    "a kita": (["0 draw 6m", "0 kita (4z)"], [("V213", 0)]),
    "a red five is a five": (["0 draw 0m", "0 discard 5m tsumogiri"], []),
    "a hidden tile": (["0 draw ?"], [("V103", 255)]),
    "a fifth copy": (["0 draw 7z", "0 discard 7z tsumogiri", "1 draw 7z"], [("V103", 255)]),
    "somebody leaves": (["0 leave", "0 draw 6m", "0 return", "0 discard 6m tsumogiri"], []),
    "a gong out of turn": ([*DRAWN, "3 ankan [7777z]"], [("V206", 3)]),
}


@each_row("case", OTHERS)
def test_moves_that_other_games_do_not_have(case: str) -> None:
    events, expected = OTHERS[case]
    assert noted("tenhou", *events, under="hk-old-style") == expected
