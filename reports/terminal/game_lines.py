"""The head of a game on the terminal: id and date, rules in words, players and final result."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.text import Text

from paifu.replay.foreign_text import display_name, escaped
from paifu.replay.language import N_, _, pgettext
from paifu.replay.language import lines as breaking
from paifu.replay.rules.choices import BonusTiles, Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.ladders import LADDERS, TENHOU
from paifu.replay.rulesets.log_rules import PUBLIC_LOBBIES
from paifu.replay.rulesets.presets import RuleError, parse_overrides, resolve
from paifu.replay.views.games import Game
from paifu.reports.terminal.move_table import WIDTH, wrap
from paifu.reports.terminal.text import DIM, NOTE, TITLE, fit, pad
from paifu.reports.units import league_points
from paifu.reports.wording import plural

_ROOM_BITS = 0x20 | 0x80
_ROOMS = {
    0x00: N_("ippan room"), 0x80: N_("joukyuu room"), 0x20: N_("tokujou room"), 0xA0: N_("houou room"),
}  # fmt: skip
"""Tenhou's ranked rooms by the bits of the game type, from lowest to highest."""
_FAST = 0x40
_LENGTHS = {1: N_("east only"), 2: N_("east-south"), 4: N_("all four winds")}
_SHOWN = frozenset(
    {"players", "wind_rounds", "max_wind_rounds", "kuitan", "red_man", "red_pin", "red_sou", "rounding"}
)
"""Rules that the head shows in words, and the rounding of final points, which no player asks for."""
COLUMNS = (
    ("seat", 5, "<"), ("player", 26, "<"), ("grade", 9, "<"), ("rate", 6, ">"),
    ("score", 9, ">"), ("points", 9, ">"), ("place", 7, ">"),
)  # fmt: skip
"""Heads, cells and alignment of the columns of the final result."""


def grade_name(dan: int | None) -> str:
    """Name Tenhou's grade: newcomer, 9 kyu to 1 kyu, 1 dan to 10 dan, tenhoui; empty when unknown."""
    ranks = LADDERS[TENHOU].ranks
    return ranks[dan].said if dan is not None and dan < len(ranks) else ""


def game_lines(game: Game) -> Iterator[Text]:
    """Yield the head of a game, as lines of at most 80 cells, or as many as a name takes."""
    name = display_name(game.id) or escaped(game.source) or _("game without a name")
    date = display_name(_date(game.started))
    title = Text.assemble("══ ", (name, TITLE), " ")
    end = f" {date} ══" if date else ""
    yield title.append("═" * max(2, WIDTH - title.cell_len - len(end))).append(end)
    if game.title:
        yield Text(display_name(game.title))
    yield from wrap([Text(display_name(words)) for words in game_words(game)], WIDTH, " · ")
    yield Text()
    yield _row([pgettext("result", title) for title, _width, _align in COLUMNS], DIM)
    for seat in range(game.players):
        yield _row(_player(game, seat))
    if game.is_cut:
        yield Text(_("This log is cut off or could be read only in part."), style=NOTE)
    yield Text()


def note_lines(text: str) -> Iterator[Text]:
    """Yield a note on the whole game, below its head."""
    yield from (Text(line, style=NOTE) for line in breaking.wrap(text, WIDTH))
    yield Text()


def _row(cells: list[str], style: str = "") -> Text:
    line = Text(style=style)
    for text, (title, width, align) in zip(cells, COLUMNS, strict=True):
        cell = Text(display_name(text) if title == "player" else fit(text, width - 1))
        line.append_text(pad(cell, width) if align == "<" else Text(" " * (width - cell.cell_len)) + cell)
    line.rstrip()
    return line


def _player(game: Game, seat: int) -> list[str]:
    rate, score, points = game.rate[seat], game.final_scores[seat], game.final_points[seat]
    ranking = game.final_scores if None in game.final_points else game.final_points
    place = "" if None in ranking else str(1 + sum(other > ranking[seat] for other in ranking))  # type: ignore[operator]
    return [
        str(seat),
        game.names[seat],
        grade_name(game.dan[seat]),
        "" if rate is None else f"{rate:.0f}",
        "" if score is None else str(score),
        "" if points is None else league_points(points),
        place,
    ]


def _date(started: str) -> str:
    day, _t, time = started.partition("T")
    if time.isdigit():
        return _("{day} {hour}h").format(day=day, hour=time)
    return f"{day} {time}".strip()


def game_words(game: Game) -> Iterator[str]:
    """Yield where a game was played and under which rules; logs may contain anything here."""
    yield from _where(game)
    yield from _rules(game)


def _where(game: Game) -> Iterator[str]:
    """Yield the room or lobby, in words."""
    if game.lobby not in PUBLIC_LOBBIES:
        yield _("lobby {number}").format(number=game.lobby)
    elif game.go_type is not None:
        yield _(_ROOMS[game.go_type & _ROOM_BITS])
    if game.go_type is not None and game.go_type & _FAST:
        yield _("fast")


def _rules(game: Game) -> Iterator[str]:
    """Yield the rules in words; unusual ones as ``name=value``."""
    if game.ruleset:
        yield _("rules {name}").format(name=game.ruleset)
    yield plural(game.players, "player")
    try:
        rules = resolve(game.ruleset, game.overrides)
        others = parse_overrides(game.overrides)
    except RuleError:
        return
    yield from _rule_words(rules)
    for name, value in others.items():
        if name not in _SHOWN:
            yield f"{name}={value if isinstance(value, str) else json.dumps(value)}"


def _rule_words(rules: Ruleset) -> Iterator[str]:
    if rules.game.scheme != Scheme.HAN_FU:
        yield plural(rules.progress.hands, "hand") if rules.progress.hands else _length(rules)
        yield _("no flowers") if rules.tiles.bonus_tiles == BonusTiles.NONE else _("flowers and seasons")
        return
    reds = rules.table.red_man + rules.table.red_pin + rules.table.red_sou
    yield _length(rules)
    yield _("open tanyao") if rules.win.kuitan else _("no open tanyao")
    yield plural(reds, "red five") if reds else _("no red fives")


def _length(rules: Ruleset) -> str:
    if rules.table.wind_rounds in _LENGTHS:
        return _(_LENGTHS[rules.table.wind_rounds])
    return plural(rules.table.wind_rounds, "wind round")
