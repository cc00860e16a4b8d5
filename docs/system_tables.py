"""The table of ``docs/reference/systems.md``: optional patterns, from the code."""

from __future__ import annotations

from collections.abc import Iterator

from paifu.replay.rules.choices import Scheme
from paifu.replay.schemes.pattern import Pattern, PatternLimit
from paifu.replay.schemes.tables import SAME_AS, table

_SCHEMES = (Scheme.SERIES, Scheme.FAAN, Scheme.CLASSICAL)


def _worth(row: Pattern) -> str:
    limit = {PatternLimit.NONE: "", PatternLimit.HALF: "half limit", PatternLimit.FULL: "limit"}[row.limit]
    return " or ".join(filter(None, [str(row.value) if row.value else "", limit]))


def _optional() -> Iterator[str]:
    yield f"| Id | Name | Condition | {' | '.join(f'`{s.name.lower()}`' for s in _SCHEMES)} |"
    yield "|---" * (3 + len(_SCHEMES)) + "|"
    tables = {scheme: table(scheme) for scheme in _SCHEMES}
    ids = dict.fromkeys(row.id for rows in tables.values() for row in rows.values() if not row.played)
    for name in ids:
        found = {scheme: rows.get(name) for scheme, rows in tables.items()}
        row = next(row for row in found.values() if row is not None and not row.played)
        cells = [_optional_worth(scheme, name, other) for scheme, other in found.items()]
        yield f"| `{name}` | {row.name} {row.native} | {row.meaning} | {' | '.join(cells)} |".replace(
            "  |", " |"
        )


def _optional_worth(scheme: Scheme, name: str, row: Pattern | None) -> str:
    if row is None:
        return f"played, as `{SAME_AS[scheme, name]}`"
    return f"played: {_worth(row)}" if row.played else _worth(row)


def tables() -> str:
    """Return the generated part of the page."""
    return "\n".join(_optional())
