"""The tables of ``docs/reference/systems.md``: the patterns of every scheme, from the code."""

from __future__ import annotations

from collections.abc import Iterator

from paifu.replay.rules.choices import Scheme
from paifu.replay.schemes.pattern import Pattern, PatternLimit
from paifu.replay.schemes.tables import SAME_AS, table

_TITLES = {
    Scheme.SERIES: "Zung Jung and World Series (scheme `series`)",
    Scheme.FAAN: "Hong Kong Old Style (scheme `faan`)",
    Scheme.CLASSICAL: "Chinese Classical (scheme `classical`)",
}
_UNITS = {Scheme.SERIES: "Points", Scheme.FAAN: "Faan", Scheme.CLASSICAL: "Doubles"}


def _worth(row: Pattern) -> str:
    limit = {PatternLimit.NONE: "", PatternLimit.HALF: "half limit", PatternLimit.FULL: "limit"}[row.limit]
    return " or ".join(filter(None, [str(row.value) if row.value else "", limit]))


def _own(scheme: Scheme) -> Iterator[str]:
    rows = [row for row in table(scheme).values() if row.played]
    series = scheme == Scheme.SERIES
    yield from (f"### {_TITLES[scheme]}", "")
    head = f"| Id | Name | {_UNITS[scheme]} | Condition | Source |"
    yield f"| Series {head}" if series else head
    yield "|---" * (6 if series else 5) + "|"
    for row in rows:
        name = f"{row.name} {row.native}".strip()
        cells = f"| `{row.id}` | {name} | {_worth(row)} | {row.meaning} | {row.source} |"
        yield f"| {row.series} {cells}" if series else cells
    yield ""


def _optional() -> Iterator[str]:
    yield from ("### Optional patterns", "")
    yield f"| Id | Name | Condition | {' | '.join(f'`{s.name.lower()}`' for s in _TITLES)} |"
    yield "|---" * (3 + len(_TITLES)) + "|"
    tables = {scheme: table(scheme) for scheme in _TITLES}
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
    return "\n".join([*(line for scheme in _TITLES for line in _own(scheme)), *_optional()])
