"""Positions to decide again: a player's mistakes in decisions, on the page and as cards for Anki.

Anki reads cards as text: a header, then a line for each card with fields between tabs. That needs no package,
and a card keeps its id, so that importing again updates cards instead of doubling them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from paifu.replay.findings.review_sentences import spoken_option
from paifu.replay.foreign_text import one_line
from paifu.replay.language import _
from paifu.replay.model.tiles import format_tiles
from paifu.reports.pages.numbers import typeset
from paifu.reports.pages.report_hands import LaidHand, ShownHand
from paifu.reports.wording import label_said, with_commas

_SHOWN = 4
"""How many options the answer shows, the one chosen aside."""
_HEADER = (
    "#separator:tab",
    "#html:true",
    "#notetype:Basic",
    "#deck:paifu::{}",
    "#guid column:1",
    "#tags column:4",
)


def exercise(hand: ShownHand) -> dict[str, Any]:
    """Return a position and its answer in words."""
    rows = list(hand.answer["options"])
    best = next(row for row in rows if row["best"])
    chosen = next(row for row in rows if row["chosen"])
    marks = {"chosen": _("chosen"), "best": _("best")}
    shown = rows[:_SHOWN] + ([chosen] if chosen not in rows[:_SHOWN] else [])
    return {
        "place": _("{hand}, turn {turn}").format(hand=label_said(hand.label), turn=hand.turn),
        "table": [one_line(text) for text in hand.table],
        "best": spoken_option(best["option"]),
        "chosen": spoken_option(chosen["option"]),
        "why": with_commas(one_line("; ".join(hand.words))),
        "options": [
            {
                "option": spoken_option(row["option"]),
                "shanten": row["shanten"],
                "accepted": row["accepted"],
                "deal_in": typeset(f"{row['deal_in_percent']:.1f}%"),
                "points": "" if row["total"] is None else typeset(f"{row['total']:,}"),
                "mark": _(", ").join(said for mark, said in marks.items() if row[mark]),
            }
            for row in shown
        ],
    }


def anki(hands: Iterable[ShownHand], player: str) -> str:
    """Return the positions as a text that Anki imports."""
    head = [line.format(one_line(player).replace("::", ":")) for line in _HEADER]
    return "\n".join([*head, *_cards(hands), ""])


def _cards(hands: Iterable[ShownHand]) -> Iterator[str]:
    for hand in hands:
        made = exercise(hand)
        key = f"{hand.game} {hand.label} {hand.event} {hand.seat}"
        front = [*map(escape, made["table"]), f"<b>{escape(_text(hand.held))}</b>", _("What do you discard?")]
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row.values()) + "</tr>"
            for row in made["options"]
        )
        head = "".join(
            f"<th>{text}</th>" for text in ("", _("shanten"), _("tiles"), _("deal-in"), _("estimate"), "")
        )
        back = [
            _("<b>{best}</b>, not {chosen}").format(best=escape(made["best"]), chosen=escape(made["chosen"])),
            f"{hand.code}: {escape(made['why'])}",
            f"<table><tr>{head}</tr>{rows}</table>",
        ]
        fields = (
            hashlib.sha256(key.encode()).hexdigest()[:20],
            "<br>".join(front),
            "<br>".join(back),
            "paifu",
        )
        yield "\t".join(" ".join(field.split()) for field in fields)


def _text(laid: LaidHand | None) -> str:
    if laid is None:
        return ""
    parts = [format_tiles(laid.closed), *(f"({format_tiles(tiles)})" for tiles, _ in laid.melds)]
    parts += [_("drew {tile}").format(tile=format_tiles([laid.last]))] if laid.last is not None else []
    return " ".join(filter(None, parts))
