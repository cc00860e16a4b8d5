"""Yaku for people who look one up: a list, one in full, or plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich.cells import cell_len

from paifu.replay.language import N_, _, language
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.yaku import Yaku, YakuKind
from paifu.replay.scoring.yaku_names import DOCUMENT_SETS, all_names, chosen_set

_TITLES = {
    "european": N_("European"), "american": N_("American"), "yakuza2": "Yakuza 2", "kwan": "Kwan",
    "mcgill": "McGill",
}  # fmt: skip


def _worth(han: int) -> str:
    if not han:
        return "-"
    if han < YAKUMAN_HAN:
        return str(han)
    return {1: _("yakuman"), 2: _("double")}.get(han // YAKUMAN_HAN, _("triple"))


def described(yaku: Yaku, rules: Ruleset) -> dict[str, Any]:
    """Return all that is known of a yaku under a ruleset as plain data."""
    closed, open_ = yaku.han_under(rules)
    return {
        "id": yaku.id,
        "names": all_names(yaku),
        "other_names": list(yaku.others),
        "han_closed": closed,
        "han_open": open_,
        "condition": yaku.meaning,
        "example": yaku.example,
    }


def listed(yaku: Iterable[Yaku], rules: Ruleset) -> Iterator[str]:
    """Yield a line for each yaku: name, Japanese, han, English."""
    which = chosen_set()
    second = "english" if which in ("romaji", "japanese") else "romaji"
    beside = "romaji" if which == "japanese" and language() != "en" else "japanese"
    rows = [(_("yaku"), "", _("closed"), _("open"), "")]
    for one in yaku:
        names = all_names(one)
        closed, open_ = one.han_under(rules)
        rows.append((names[which], names[beside], _worth(closed), _worth(open_), names[second]))
    widths = [max(cell_len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        cells = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row[:4], widths, strict=True))
        yield "  ".join((*cells, row[4])).rstrip()


def printed(yaku: Yaku, rules: Ruleset) -> str:
    """Return a yaku in full."""
    names = all_names(yaku)
    titles = (names["romaji"], yaku.japanese)
    if language() != "en":
        titles = titles[::-1]
    sentence = _("{condition}.").format(condition=_(yaku.meaning))
    closed, open_ = (_worth(han) for han in yaku.han_under(rules))
    lines = [f"{' '.join(dict.fromkeys(titles))}: {yaku.english}", f"  {sentence}"]
    worth = _("han: closed {closed}, open {open} (rules {rules})")
    if yaku.kind is YakuKind.DORA:
        worth = _("han each: closed {closed}, open {open} (rules {rules})")
    lines.append(f"  {worth.format(closed=closed, open=open_, rules=rules.name)}")
    known: dict[str, list[str]] = {}
    for which in DOCUMENT_SETS:
        known.setdefault(names[which], []).append(_(_TITLES[which]))
    lines += [f"  {name} ({', '.join(whose)})" for name, whose in known.items() if name != yaku.english]
    if yaku.others:
        lines.append("  " + _("also: {names}").format(names=", ".join(yaku.others)))
    if yaku.example:
        hand, blank, given = yaku.example.partition(" ")
        command = f"paifu score '{hand}'{blank}{given}"
        lines.append("  " + _("example: {command}").format(command=command))
    return "\n".join(lines)
