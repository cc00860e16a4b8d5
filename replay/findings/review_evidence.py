"""What a finding of the review rests on, as plain values for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paifu.replay.arrays import bits_of
from paifu.replay.findings.review_sentences import DANGER_NAMES, THREAT_NAMES, ReviewCase
from paifu.replay.kernels import review_layout
from paifu.replay.model.events import NO_SEAT
from paifu.replay.model.tile_notation import tile_name

EvidenceFields = dict[str, Any]
"""Plain values: numbers, texts, None, and lists and dictionaries of these."""

FURITEN_NAMES = {
    review_layout.DISCARD_FURITEN: "discard",
    review_layout.TEMPORARY_FURITEN: "temporary",
    review_layout.RIICHI_FURITEN: "riichi",
}


def evidence(case: ReviewCase) -> EvidenceFields:
    """Return what a finding rests on, as plain values; which keys there are follows from the family.

    ``points`` passed by or were paid. ``cost`` is the price of the choice, which only play-outs can tell.
    """
    family = case.code // 1000
    return {"cost": 0, "points": case.points, **_EVIDENCE[family](case)}


def _furiten(case: ReviewCase) -> EvidenceFields:
    cause, row = case.cause, case.row
    found: EvidenceFields = {
        "furiten": [name for bit, name in FURITEN_NAMES.items() if int(row["furiten"]) & bit],
        "cause": None if cause is None else vars(cause),
        **_waits(case),
        "value": int(row["value"]),
        "offered_by": _seat(case),
    }
    if case.better is not None:
        found["better"] = {"discard": case.better, "live": int(row["better_live"])}
    return found


def _missed(case: ReviewCase) -> EvidenceFields:
    row = case.row
    found = {**_waits(case), "value": int(row["value"]), "offered_by": _seat(case), "note": case.is_note}
    if row["place"]:
        found["places"] = {
            "now": int(row["place"]),
            "taken": int(row["place_taken"]) / 100,
            "passed": int(row["place_passed"]) / 100,
        }
    return found


def _deal_in(case: ReviewCase) -> EvidenceFields:
    row = case.row
    return {
        "winner": _seat(case),
        "winner_waits": _names(int(row["winner_waits"][case.winners[0]])),
        "winners": [{"seat": seat, "waits": _names(int(row["winner_waits"][seat]))} for seat in case.winners],
        "threats": [
            {
                "seat": seat,
                "threat": THREAT_NAMES[threat],
                "class": DANGER_NAMES[danger],
                "level": danger.level(threat),
                "percent": case.percent(threat, danger),
            }
            for seat, threat, danger in case.threats
        ],
        "percent": case.threatened,
        "shanten": int(row["shanten"]),
        "fold": None if case.cause is None else vars(case.cause),
        **_waits(case),
        "accepted": int(row["accepted"]),
        "dora": int(row["dora"]),
        "alternatives": [
            {
                "tile": tile_name(one.kind),
                "class": None if (worst := case.worst(one)) is None else DANGER_NAMES[worst],
                "level": case.level(one),
                "percent": case.risk_of(one),
                "shanten_given_up": one.shanten_given_up,
                "safer": one.is_safer,
            }
            for one in case.alternatives
        ],
        "hindsight": _hindsight(case),
    }


def _hindsight(case: ReviewCase) -> EvidenceFields | None:
    if case.row["dealing"] == review_layout.UNKNOWN_DEALING:
        return None
    return {"would_have_dealt_in": [tile_name(one.kind) for one in case.alternatives if one.deals_in]}


def _riichi(case: ReviewCase) -> EvidenceFields:
    found = _waits(case)
    if case.better is not None:
        found["value"] = int(case.row["value"])
        found["better"] = {
            "discard": case.better,
            "live": int(case.row["better_live"]),
            "value": int(case.row["better_value"]),
        }
    return found


def _kan(case: ReviewCase) -> EvidenceFields:
    row = case.row
    return {**_waits(case), "kan": case.better, "value": int(row["value"]), "other": int(row["better_value"])}


def _waits(case: ReviewCase) -> EvidenceFields:
    return {"waits": _names(int(case.row["waits"])), "live": int(case.row["live"])}


def _names(mask: int) -> list[str]:
    return list(map(tile_name, bits_of(mask)))


def _seat(case: ReviewCase) -> int | None:
    seat = int(case.row["other"])
    return None if seat == NO_SEAT else seat


_EVIDENCE: dict[int, Callable[[ReviewCase], EvidenceFields]] = {
    1: _furiten,
    2: _missed,
    3: _deal_in,
    4: _riichi,
    8: _kan,
}
