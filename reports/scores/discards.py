"""What each discard brings: plain data (the JSON contract), and words for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from paifu.replay.findings.review_sentences import spoken_option
from paifu.replay.language import _, ngettext, pgettext
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import WINDS, sort_tiles
from paifu.replay.scoring.hand_text import set_aside
from paifu.reports.terminal.tables import TerminalColumn
from paifu.reports.wording import plural

if TYPE_CHECKING:
    from paifu.coach.solving.position import NaniKiru
    from paifu.coach.solving.solve import Candidate, Play, Solo

SCHEMA = "paifu.discard/1"
LEAN = 4.0
"""How much it counts what a discard brings alone, beside the logarithm of how many strong players choose it,
where nothing is known of others."""
COLUMNS = (
    "tile", "riichi", "shanten", "accepts", "accepted", "tenpai_percent", "win_percent", "points",
    "silent_win_percent", "silent_points", "riichi_win_percent", "riichi_points",
    "value", "value_risk", "value_winning", "value_later", "value_otherwise", "value_deal_in_percent",
    "value_win_percent", "value_riichi", "strong_players_percent", "strong_players_riichi_percent", "chosen",
)  # fmt: skip
_PARTS = ("risk", "winning", "later", "otherwise", "deal_in_percent", "win_percent")
DiscardRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Valued:
    """What the model of decisions says of an option."""

    option: str
    """As the review writes it: ``6s``, ``riichi 6s``, ``closed kan 1p``."""
    parts: dict[str, Any]
    """Total, its parts, and chances; see ``paifu review --format json``."""


@dataclass(frozen=True, slots=True)
class PositionInLog:
    """Where in a game a position is."""

    hand: str
    """Its label, such as ``E1.0``."""
    turn: int
    seat: int

    def __str__(self) -> str:
        return f"{self.hand} turn {self.turn}, seat {self.seat}"


@dataclass(frozen=True)
class Discards:
    """What there is to say about a position."""

    position: NaniKiru
    candidates: list[Candidate]
    """The tiles that may be discarded, the best first; see :class:`~paifu.coach.solving.solve.Candidate`."""
    changes: int | None
    """Draws that could be spent on keeping shanten; None if the hand is too far from tenpai to be solved."""
    hands: int
    """Hands that were looked at."""
    values: list[Valued]
    """What the model says of each option, the best first; empty where there is no model, or no choice."""
    is_complete: bool = False
    """The 14 tiles have the form of a win."""
    place: PositionInLog | None = None
    """Where the position is in its log."""
    chosen: str = ""
    """What the player did in the log."""

    @cached_property
    def recommended(self) -> str:
        """What to do, as the review writes it: ``6s``, ``riichi 6s``, ``closed kan 1p``.

        It is what strong players choose most often. If nothing is known of the others at the table, what the
        hand brings alone counts as well. Without a policy, that decides.
        """
        shares = {one.option: one.parts["strong_players_percent"] for one in self.values}
        if None in shares.values() or not shares:
            return self.alone
        if self.place or self.position.is_context:
            return max(shares, key=shares.__getitem__)
        points = {name: one.solo.points for one in self.candidates if one.solo for name in _names(one)}
        most = max(points.values(), default=0.0)
        return max(
            shares,
            key=lambda name: math.log(max(shares[name], 0.1)) + LEAN * points.get(name, 0.0) / max(1.0, most),
        )

    @property
    def alone(self) -> str:
        """What is worth most to a player who plays on alone."""
        best = self.candidates[0]
        name = tile_name(best.tile)
        return f"riichi {name}" if best.solo and best.solo.declares else name

    @property
    def reason(self) -> str:
        """Why, in a sentence or two."""
        return " ".join(_reasons(self))


def _names(one: Candidate) -> tuple[str, str]:
    name = tile_name(one.tile)
    return name, f"riichi {name}"


def _reasons(found: Discards) -> Iterator[str]:
    """Yield sentences that say why the option is recommended."""
    option = found.recommended
    values = {one.option: one.parts for one in found.values}
    parts, rows = values.get(option, {}), {name: one for one in found.candidates for name in _names(one)}
    own, best = rows.get(option), found.candidates[0]
    yield _("Recommended: {option}.").format(option=spoken_option(option))
    if own is not None and own.live:
        text = (
            _("It accepts {tiles}, {count} left.")
            if own.shanten
            else _("It waits for {tiles}, {count} left.")
        )
        yield text.format(tiles=format_tiles(own.accepted), count=own.live)
    if parts.get("deal_in_percent"):
        yield _("It deals in {percent:.1f}% of the time.").format(percent=parts["deal_in_percent"])
    if parts.get("strong_players_percent") is not None:
        text = _("Strong players choose it in {percent:.0f}% of such positions.")
        yield text.format(percent=parts["strong_players_percent"])
    if best.solo is not None and (own is None or own.tile != best.tile or found.alone != option):
        values_alone = {"best": spoken_option(found.alone), "most": best.solo.points}
        if own is None or own.tile == best.tile or own.solo is None:
            yield _("Alone, {best} brings most: {most:,.0f} points.").format(**values_alone)
        elif round(own.solo.points) < round(best.solo.points):
            text = _("Alone, {best} brings more: {most:,.0f} points, {option} {points:,.0f}.")
            yield text.format(**values_alone, option=spoken_option(option), points=own.solo.points)
    valued = next((one for one in found.values if one.parts.get("total") is not None), None)
    if valued is not None and valued.option != option:
        text = _("By value, {option} is best ({points:+,}).")
        yield text.format(option=spoken_option(valued.option), points=valued.parts["total"])


def document(found: Discards, settings: Sequence[str]) -> dict[str, Any]:
    """Return everything but the discards themselves."""
    position = found.position
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "rules": {"name": position.rules.name, "set": list(settings)},
        "hand": hand_words(position),
        "seat_wind": WINDS[position.seat_wind],
        "round_wind": WINDS[position.round_wind],
        "dora": format_tiles(position.indicators),
        "riichi": [WINDS[wind] for wind in sorted(position.riichi)],
        "wall": position.wall,
        "draws": position.draws,
        "changes": found.changes,
        "hands": found.hands,
        "complete": found.is_complete,
        "recommended": found.recommended,
        "reason": found.reason,
    }
    if found.place:
        head |= {"place": str(found.place), "chosen": found.chosen}
    names = {tile_name(row.tile) for row in found.candidates}
    names |= {f"riichi {name}" for name in names}
    of_log = ("chosen", "best")  # only a decision of a log has them
    others = [{"option": one.option, **one.parts} for one in found.values if one.option not in names]
    told = [{name: value for name, value in row.items() if name not in of_log} for row in others]
    return head | {"other_options": told}


def rows(found: Discards) -> list[DiscardRow]:
    """Return a row for each discard, the best first, with the cells ``COLUMNS``."""
    values = {one.option: one.parts for one in found.values}
    return [_row(one, values, found.chosen) for one in found.candidates]


def _row(one: Candidate, values: Mapping[str, Mapping[str, Any]], chosen: str) -> DiscardRow:
    name, solo = tile_name(one.tile), one.solo
    silent, riichi = (solo.silent, solo.riichi) if solo else (None, None)
    declared = values.get(f"riichi {name}", {})
    value = values.get(name, {})
    row: DiscardRow = {
        "tile": name,
        "riichi": solo.declares if solo else None,
        "shanten": one.shanten,
        "accepts": format_tiles(one.accepted),
        "accepted": one.live,
        "tenpai_percent": _percent(solo.tenpai) if solo else None,
    }
    for prefix, brings in (("", solo), ("silent_", silent), ("riichi_", riichi)):
        row[f"{prefix}win_percent"], row[f"{prefix}points"] = _brings(brings)
    row["value"] = value.get("total")
    row |= {f"value_{part}": value.get(part) for part in _PARTS}
    row["value_riichi"] = declared.get("total")
    row["strong_players_percent"] = value.get("strong_players_percent")
    row["strong_players_riichi_percent"] = declared.get("strong_players_percent")
    return row | {"chosen": chosen in (name, f"riichi {name}")}


def _brings(one: Solo | Play | None) -> tuple[float | None, float | None]:
    """Return the chance of a win in percent, and points."""
    return (None, None) if one is None else (_percent(one.win), round(one.points, 1))


def _percent(share: float) -> float:
    return round(100 * share, 2)


def hand_words(position: NaniKiru) -> str:
    """Write the hand as it is written on the command line."""
    aside = set_aside(position.kita, position.flowers)
    return format_tiles(sort_tiles(position.tiles)) + "".join((*map(str, position.melds), *aside))


def heading(found: Discards) -> Iterator[str]:
    """Yield what the figures rest on, in lines."""
    from paifu.coach.solving.solve import RON_SHARE  # loads kernels

    position = found.position
    text = _("{hand} turn {turn}, seat {seat}: {tiles}") if found.place else "{tiles}"
    place = found.place or PositionInLog("", 0, 0)
    yield text.format(hand=place.hand, turn=place.turn, seat=place.seat, tiles=hand_words(position))
    words = [
        _("seat {wind}").format(wind=_wind(position.seat_wind)),
        _("round {wind}").format(wind=_wind(position.round_wind)),
    ]
    if position.indicators:
        words.append(_("dora indicator {tiles}").format(tiles=format_tiles(position.indicators)))
    words += [_("{wind} in riichi").format(wind=_wind(wind)) for wind in sorted(position.riichi)]
    yield _(", ").join([*words, _("rules {name}").format(name=position.rules.name)])
    if found.changes is None:
        yield _("too far from tenpai to be played on alone: shanten and acceptance only")
        return
    ron = _("{share:g}% of wins by ron").format(share=100 * RON_SHARE)
    changes = ngettext(
        "{count} draw without progress", "{count} draws without progress", found.changes
    ).format(count=found.changes)
    yield _("alone: {draws}, {ron}, up to {changes}").format(
        draws=plural(position.draws, "more draw"),
        ron=ron,
        changes=changes,
    )


def _wind(wind: int) -> str:
    return pgettext("wind", WINDS[wind])


def table(found: Discards) -> tuple[list[TerminalColumn], list[list[str]]]:
    """Return the table that people see: its columns, and the cells of each line."""
    columns = [
        TerminalColumn(_("discard")),
        TerminalColumn(_("shanten"), is_number=True),
        TerminalColumn(_("accepts")),
        TerminalColumn(_("tiles"), is_number=True),
    ]
    heads: list[str] = []
    if found.changes is not None:
        heads += (_("tenpai"), _("win"), _("points"))
    if has_shares(found):
        heads.append(pgettext("discard", "players"))
    if found.values:
        heads += (_("value"), _("winning"), _("this tile"), _("later"), _("other"))
    columns += [TerminalColumn(head, is_number=True) for head in heads]
    return columns, list(map(partial(_cells, found), rows(found)))


def _cells(found: Discards, row: DiscardRow) -> list[str]:
    name = f"riichi {row['tile']}" if row["riichi"] else row["tile"]
    parts = next((one.parts for one in found.values if one.option == name), {})
    played = " <" if row["chosen"] else ""
    line = [f"{spoken_option(name)}{played}", str(row["shanten"]), row["accepts"], str(row["accepted"])]
    if found.changes is not None:
        line += [f"{row['tenpai_percent']:.1f}%", f"{row['win_percent']:.1f}%", f"{row['points']:,.0f}"]
    if has_shares(found):
        share = parts.get("strong_players_percent")
        line.append("" if share is None else f"{share:.1f}%")
    if found.values:
        values = [parts.get(part) for part in ("total", "winning", "risk", "later", "otherwise")]
        line += ["" if points is None else f"{points:+,}" for points in values]
    return line


def has_shares(found: Discards) -> bool:
    """Return whether it is known what strong players choose."""
    return any(one.parts.get("strong_players_percent") is not None for one in found.values)


def footing(found: Discards) -> Iterator[str]:
    """Yield what else there is to say, in lines."""
    if found.is_complete:
        yield _("the hand is complete: `paifu score` with --tsumo says what it wins")
    if found.values:
        if all(one.parts.get("total") is None for one in found.values):
            yield _("the model of decisions has seen too few such hands to give a value")
    else:
        yield _("the model of decisions has nothing to say about this position")
    if found.chosen:
        yield _("< was discarded: {option}").format(option=spoken_option(found.chosen))
