"""Scored hands of games other than riichi: plain data (the JSON contract), and drawn for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from paifu.replay.language import _, language
from paifu.replay.model.tile_notation import format_kinds, kind_name
from paifu.replay.model.tiles import WINDS
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.card import CardWaits, Distance, missing_text
from paifu.replay.schemes.hand import Facts, HeldTiles
from paifu.replay.schemes.scheme import Won, said_worth
from paifu.replay.schemes.tables import said_name
from paifu.replay.shapes.shanten import Acceptance
from paifu.reports.scores.riichi import needed, said_why, said_wind
from paifu.reports.terminal.tables import blocks

_SEATS = (*WINDS, "bettor")


def _hand(hand: HeldTiles) -> dict[str, Any]:
    return {
        "tiles": format_kinds(sorted(hand.tiles)),
        "melds": list(map(str, hand.melds)),
        "bonus": [kind_name(kind) for kind in hand.bonus],
    }


def win_report(hand: HeldTiles, facts: Facts, won: Won, rules: Ruleset) -> dict[str, Any]:
    """Return a scored win as the JSON contract has it."""
    has_round = rules.game.scheme != Scheme.CARD and rules.table.round_wind
    return {
        "scheme": rules.game.scheme.name.lower(),
        "kind": "win",
        "hand": {
            **_hand(hand),
            "win": None if hand.win is None else kind_name(hand.win),
            "tsumo": facts.self_drawn,
            "seat_wind": WINDS[facts.seat_wind],
            "round_wind": WINDS[facts.round_wind] if has_round else None,
            "payer": None if facts.discarder is None else WINDS[facts.discarder],
        },
        "patterns": list(map(asdict, won.patterns)),
        "not_counted": list(map(asdict, won.dropped)),
        "points": list(map(asdict, won.points)),
        "worth": won.worth,
        "value": won.value,
        "payments": dict(zip(_SEATS, won.payments, strict=False)),
        "roles": {_SEATS[seat]: role for seat, role in sorted(won.roles.items())},
        "reading": won.reading,
        "other_readings": [
            {"reading": other.reading, "value": other.value, "why_not": other.why} for other in won.others
        ],
        "losers": {
            WINDS[own.seat]: {
                "points": list(map(asdict, own.points)),
                "doubles": list(map(asdict, own.doubles)),
                "score": own.score,
            }
            for own in won.losers
        },
    }


def waits_report(hand: HeldTiles, found: Acceptance, rules: Ruleset) -> dict[str, Any]:
    """Return what 13 tiles wait for or need as the JSON contract has it."""
    return {
        "scheme": rules.game.scheme.name.lower(),
        "kind": "waits" if found.shanten == 0 else "acceptance",
        "hand": _hand(hand),
        "shanten": found.shanten,
        "tiles": [kind_name(kind) for kind in found.kinds],
        "live": found.live,
    }


def card_report(hand: HeldTiles, found: CardWaits) -> dict[str, Any]:
    """Return how far 13 tiles are from each line of a card as the JSON contract has it."""
    near = found.lines
    return {
        "scheme": "card",
        "kind": "waits" if near and near[0].away == 1 else "acceptance",
        "hand": _hand(hand),
        "tiles": [kind_name(kind) for kind in found.kinds],
        "lines": list(map(_line, near)),
    }


def _line(found: Distance) -> dict[str, Any]:
    return {
        "id": found.line.id,
        "pattern": found.line.pattern,
        "choice": found.choice,
        "away": found.away,
        "missing": missing_text(found),
        "why_not": found.why,
    }


def drawn(report: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Yield a report drawn for people, to print at a width of 80."""
    hand = report["hand"]
    aside = [f"({tile})" for tile in hand["bonus"]]
    written = " ".join((*aside, *hand["melds"], hand["tiles"]))
    if report["kind"] == "win":
        how = _("self-drawn")
        if not hand["tsumo"]:
            how = _("on {player}'s discard").format(player=said_wind(hand["payer"]))
        win = _(", ") + hand["win"] if hand["win"] else ""
        text = _("seat {seat}, rules {rules}")
        if hand["round_wind"]:
            text = _("seat {seat}, round {round}, rules {rules}")
        yield Text(f"{written}  {how}{win}")
        yield Text(
            text.format(
                seat=said_wind(hand["seat_wind"]),
                round=said_wind(hand["round_wind"] or "east"),
                rules=report["rules"]["name"],
            )
        )
        yield from blocks(_blocks(report))
    elif "lines" in report:
        waits = _("waits for {tiles}") if report["tiles"] else _("waits for no tile yet")
        yield Text(f"{written}  {waits.format(tiles=' '.join(report['tiles']))}")
        yield from blocks([(_("Lines"), [_line_row(line) for line in report["lines"]])])
    else:
        text = _("waits for {tiles} ({live})")
        if report["kind"] != "waits":
            text = _("{shanten}-shanten, needs {tiles} ({live})")
        yield Text(f"{written}  {needed(text, report)}")


def _line_row(line: Mapping[str, Any]) -> tuple[str, str, str]:
    if line["away"] is None:
        return "-", line["id"], said_why(line)
    choice = f" ({line['choice']})" if line["choice"] else ""
    lacks = _("{line}, lacks {tiles}").format(line=f"{line['pattern']}{choice}", tiles=line["missing"])
    return _("{count} away").format(count=line["away"]), line["id"], lacks


def _blocks(report: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Yield a title and the rows to print under it."""
    yield _("Patterns"), [_pattern_row(row) for row in report["patterns"]] or [("", _("none"), "")]
    yield _("Points"), [(str(row["points"]), row["reason"], "") for row in report["points"]]
    yield _("Value"), [(f"{report['value']:,}", report["worth"], "")]
    for wind, own in report["losers"].items():
        rows = [(str(row["points"]), row["reason"], "") for row in own["points"]]
        rows += [_pattern_row(row) for row in own["doubles"]]
        yield said_wind(wind).title(), [*rows, (f"{own['score']:,}", _("in all"), "")]
    roles = report["roles"]
    yield (
        _("Payments"),
        [
            (f"{change:+,}", said_wind(seat), roles.get(seat, ""))
            for seat, change in report["payments"].items()
        ],
    )
    yield _("Not added"), [_pattern_row(row) for row in report["not_counted"]]
    yield _("Read as"), [("", report["reading"], "")]
    yield (
        _("Not as"),
        [
            (f"{o['value']:,}" if o["value"] else "", o["reading"], o["why_not"])
            for o in report["other_readings"]
        ],
    )


def _pattern_row(row: Mapping[str, Any]) -> tuple[str, str, str]:
    tiles = f" {row['tiles']}" if row["tiles"] else ""
    name = f"{row['name']} {row['native']}".strip()
    if language() != "en":
        name = said_name(row["name"], row["native"])
    return said_worth(row["worth"]), name, f"{row['reason']}{tiles}"
