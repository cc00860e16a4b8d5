"""Findings of the review per 100 hands: furiten, missed wins, deal-ins by class, riichi."""

from __future__ import annotations

from functools import partial

from paifu.replay.facts.tables import code_of
from paifu.replay.findings.finding import Severity
from paifu.replay.findings.review_kinds import REVIEW_KINDS, TITLES
from paifu.replay.kernels import codes
from paifu.reports.metrics.metric import RIICHI, Family

family = Family("review", "Review", RIICHI, base="reviewed", lower=r"review_\w+")

for _code, _kind in REVIEW_KINDS.items():
    _words = _kind.name.replace("-", " ")
    family.mean(
        f"{_code} {_words} per 100 hands",
        f"{_code} findings",
        name=f"review_{_code.lower()}",
        unit="per 100 hands",
        scale=100,
        definition=f"{TITLES[_code]}."
        + (" Bad luck counts as well as mistakes." if _code.startswith("D") else "")
        + (" Notes do not count." if _kind.severity == Severity.MISTAKE else ""),
    )(partial(lambda kind, hands: hands.found(kind.number, notes=kind.severity == Severity.NOTE), _kind))

_GROUPS = {
    "missed_wins": (
        "missed wins",
        (codes.RON_PASSED, codes.TSUMO_PASSED, codes.ROBBING_PASSED),
        False,
        "Winning tiles that the player passed up",
    ),
    "avoidable": (
        "deal-ins with a safer tile",
        (codes.AVOIDABLE_FAR, codes.AVOIDABLE_NEAR, codes.FOLDED_AND_DEALT_IN),
        True,
        "Deal-ins far from or near tenpai, or after a fold, with a safer tile in hand",
    ),
}

for _name, (_words, _numbers, _notes, _long) in _GROUPS.items():
    _codes = tuple(map(code_of, _numbers))

    family.mean(
        f"{_words} per 100 hands",
        f"{', '.join(_codes)} findings",
        name=f"review_{_name}",
        unit="per 100 hands",
        scale=100,
        definition=f"{_long} per 100 hands: review findings {', '.join(_codes)}.",
    )(partial(lambda numbers, notes, hands: hands.found(*numbers, notes=notes), _numbers, _notes))
