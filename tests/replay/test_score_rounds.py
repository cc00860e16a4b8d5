"""Thousands of command lines of ``paifu score``: an answer that another library confirms, or a refusal."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

from click.testing import CliRunner, Result
from jansou.analysis.shanten import shanten
from jansou.analysis.waits import waits
from score_asks import Ask, random_ask
from score_oracles import JANSOU_RULES, Verdict, as_jansou, by_jansou, jansou_hand

from paifu.cli.__main__ import cli
from paifu.replay.model.tiles import parse_tile
from paifu.replay.scoring.score import score as _compiled  # noqa: F401  kernels are compiled before the command runs
from paifu.replay.scoring.yaku import KITA_ID

DORA_IDS = {52, 53, 54, KITA_ID}


def _check_answer(ask: Ask, report: dict[str, Any]) -> str:
    """Compare an answer with what must hold and with ``jansou``; returns what could be compared."""
    if report["kind"] != "win":
        return _check_waits(ask, report)
    payments = list(report["payments"].values())
    assert sum(payments) == 1000 * report["hand"]["sticks"]
    plain = not ask.settings and not ask.others.keys() & {"liable", "wareme", "win", "players"}
    if ask.preset not in JANSOU_RULES or not plain:
        return "alone"
    theirs, changes = by_jansou(ask.hand(tsumo=report["hand"]["tsumo"]), ask.preset)
    yakuman = report["yakuman"] > 0
    ids = frozenset(row["id"] for row in report["yaku"]) - DORA_IDS
    mine = as_jansou(Verdict(ids, report["han"], 0 if yakuman else report["fu"], ()))
    assert theirs is not None
    assert (mine.yaku, mine.han, mine.fu) == (theirs.yaku, theirs.han, theirs.fu)
    assert payments == list(changes)
    return "yakuman" if yakuman else "win"


def _check_waits(ask: Ask, report: dict[str, Any]) -> str:
    assert report["live"] == 0 or report["tiles"]
    if ask.kita or ask.settings or ask.others.keys() & {"win", "players"}:
        return "13 tiles alone"
    players = 3 if ask.preset.endswith("-sanma") else 4
    hand = jansou_hand(ask.tiles, ask.melds)
    theirs = shanten(hand)
    if theirs != report["shanten"]:
        # It counts on tiles that there are not: a fifth of a kind, 2m to 8m among three players.
        assert theirs < report["shanten"]
        return "13 tiles, one too few"
    if theirs == 0:
        assert {parse_tile(name) for name in report["tiles"]} == set(waits(hand, player_count=players))
        return "tenpai"
    return "13 tiles"


def _invoke(arguments: list[str]) -> Result:
    return CliRunner().invoke(cli, ["score", *arguments])


def _round(number: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    seen: Counter[str] = Counter()
    for _ in range(number):
        ask = random_ask(rng)
        arguments = ask.arguments()
        result = _invoke(arguments)
        said = " ".join(arguments)
        assert result.exit_code in (0, 2), (said, result.exception)
        assert result.exception is None or isinstance(result.exception, SystemExit), (said, result.exception)
        if result.exit_code == 0:
            try:
                seen[_check_answer(ask, json.loads(result.stdout))] += 1
            except AssertionError as error:
                raise AssertionError(said) from error
        else:
            assert not result.stdout, said
            assert "Error: " in result.stderr, said
            seen["refused"] += 1
            if not ask.slips and ask.preset in JANSOU_RULES:
                assert by_jansou(ask.hand(tsumo=bool(ask.tsumo)), ask.preset)[0] is None, said
                seen["no yaku, as jansou says"] += 1
        seen.update(f"slip: {slip}" for slip in ask.slips)
    return seen


def test_random_command_lines_are_answered_rightly_or_refused() -> None:
    seen = _round(600, seed=4)
    assert seen["win"] > 100
    assert seen["refused"] > 100
    assert seen["13 tiles"] + seen["tenpai"] > 10
