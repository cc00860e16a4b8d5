"""Findings in words: rows of a replay, and faults of reading, as what a linter prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType

from paifu.replay.facts.tables import code_of
from paifu.replay.findings.context import FindingContext
from paifu.replay.findings.finding import Finding, FindingValue, Selection, UnknownCodeError
from paifu.replay.findings.finding_sentences import FIELDS, other_copy, said, said_of
from paifu.replay.findings.kinds import FAMILIES as LOG_FAMILIES
from paifu.replay.findings.kinds import KINDS as LOG_KINDS
from paifu.replay.findings.kinds import FindingKind, by_code
from paifu.replay.findings.review_kinds import LOSS_KINDS, REVIEW_FAMILIES, REVIEW_KINDS
from paifu.replay.findings.review_sentences import FIELDS as REVIEW_FIELDS
from paifu.replay.kernels.reasons import OTHER_COPY
from paifu.replay.language import _
from paifu.replay.model.batch import Faults
from paifu.replay.model.events import NO_SEAT
from paifu.replay.model.tile_notation import tile_name
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.table.replayed import Replay

KINDS = by_code([*LOG_KINDS.values(), *REVIEW_KINDS.values(), *LOSS_KINDS.values()])
"""Every kind of finding by code, in order: of the log, then of the players."""
FAMILIES = MappingProxyType({**LOG_FAMILIES, **REVIEW_FAMILIES})
"""Beginning of a code -> what the codes are about."""
_FIELDS = FIELDS | REVIEW_FIELDS


def kinds_of(prefix: str) -> list[FindingKind]:
    """Return the kinds whose code begins with ``prefix``: V, V3, V306.

    Raises UnknownCodeError if there is none.
    """
    found = [kind for kind in KINDS.values() if kind.code.startswith(prefix.upper())]
    if not found or not prefix:
        text = _("no finding's code begins with {prefix!r}; there are the families {families}")
        raise UnknownCodeError(text.format(prefix=prefix, families=", ".join(FAMILIES)))
    return found


def parse_selection(select: Iterable[str], ignore: Iterable[str]) -> Selection:
    """Read lists of codes, or of their beginnings, such as ``V2,V306``. Raises UnknownCodeError."""
    chosen = []
    for texts in (select, ignore):
        prefixes = tuple(part.strip().upper() for text in texts for part in text.split(",") if part.strip())
        for prefix in prefixes:
            kinds_of(prefix)
        chosen.append(prefixes)
    return Selection(*chosen)


def cases(replayed: Replay) -> Iterator[FindingContext]:
    """Yield the findings of a replay, each with its context, in order."""
    for row in zip(*(column.tolist() for _name, column in replayed.findings.arrays()), strict=True):
        yield FindingContext(replayed, *row)


class _MessageFields:
    """What the fields of a message's template stand for, worked out when the template names one."""

    def __init__(self, case: FindingContext, expected: FindingValue, actual: FindingValue) -> None:
        self.case = case
        self.values = {"expected": said(expected), "actual": said(actual)}

    def __getitem__(self, name: str) -> object:
        return self.values[name] if name in self.values else _FIELDS[name](self.case)


def _template(case: FindingContext, kind: FindingKind) -> str:
    """Return the message of a case, in the language, its fields not filled in."""
    if case.reason == OTHER_COPY:
        return other_copy(case)
    return said_of(case, kind.words if case.is_riichi else kind.words_of_others or kind.words)


def in_words(case: FindingContext) -> Finding:
    """Put one finding in words."""
    kind = KINDS[code_of(case.code)]
    expected, actual = kind.values(case)
    message = _template(case, kind).format_map(_MessageFields(case, expected, actual))
    games = case.batch.games
    player = str(games.names[case.game, case.seat]) if case.seat != NO_SEAT else None
    return Finding(
        code=kind.code,
        name=kind.name,
        severity=kind.severity,
        source=str(games.source[case.game]),
        game_id=str(games.id[case.game]),
        hand=case.label,
        event=case.index,
        turn=case.turn,
        seat=None if case.seat == NO_SEAT else case.seat,
        player=player or None,
        tile=None if case.tile == NO_TILE else tile_name(case.tile),
        message=message,
        expected=expected,
        actual=actual,
    )


def faults(table: Faults) -> Iterator[Finding]:
    """Yield what could not be read, as findings."""
    for source, place, code, reason, hint in zip(
        table.source, table.place, table.code, table.reason, table.hint, strict=True
    ):
        message = (f"{place}: {reason}" if place else str(reason)) + (f" ({hint})" if hint else "")
        yield Finding(
            code=str(code), name=KINDS[code].name, severity=KINDS[code].severity, source=str(source),
            game_id="", hand=None, event=None, turn=None, seat=None, player=None, tile=None,
            message=message, expected=None, actual=None,
        )  # fmt: skip
