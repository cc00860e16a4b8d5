"""The answer of ``paifu score`` for all games but riichi: plain data (the JSON contract) and its printing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from paifu.cli.rows import print_rows
from paifu.cli.score_options import OF_A_WIN
from paifu.parsers.small_files import read_small_text
from paifu.replay.model.tiles import format_kinds, kind_name, parse_kinds
from paifu.replay.rules.ruleset import Ruleset, Scheme
from paifu.replay.schemes.card import CardScheme, Distance, check_hand, missing_text
from paifu.replay.schemes.cards import WrittenCard, parse_card
from paifu.replay.schemes.check import check_tiles
from paifu.replay.schemes.hand import NO_WINNER, WINDS, Facts, Hand, Replacement
from paifu.replay.schemes.hand_text import parse_scheme_hand
from paifu.replay.schemes.registry import scheme_of
from paifu.replay.schemes.scheme import Row, Win, Won
from paifu.replay.scoring.errors import HandError
from paifu.reports.words import plural

WAITING_SIZE = 13
WIDTH = 80
MAX_LOSERS = 3
_SEATS = (*WINDS, "bettor")


def scheme_report(
    text: str, options: Mapping[str, Any], rules: Ruleset, given: Collection[str]
) -> dict[str, Any]:
    """Return what the hand ``text`` is worth, or waits for, without the head that all answers share.

    Raises ValueError (HandError, CardError) for what cannot be.
    """
    of_card = rules.scheme == Scheme.CARD
    hand = parse_scheme_hand(text, options["win"], gongs_are_sets=not of_card)
    size = len(hand.kinds) if of_card else hand.size
    declares = bool(options["declare_bonus"]) or (not of_card and len(hand.bonus) == 8)
    if size == WAITING_SIZE and not declares:
        _refuse_win_options(given)
        return _waiting_for_line(hand, rules, _card(options)) if of_card else _waiting(hand, rules)
    facts = _facts(hand, options)
    won = scheme_of(rules, _card(options)).score(Win(hand, facts), rules)
    return _win(hand, facts, won, rules)


def _refuse_win_options(given: Collection[str]) -> None:
    for name in sorted(OF_A_WIN & set(given)):
        raise HandError(
            f"--{name.replace('_', '-')} describes a win, and 13 tiles have not won; name the 14th with --win"
        )


def _card(options: Mapping[str, Any]) -> WrittenCard | None:
    if options["card"] is None:
        return None
    path = Path(options["card"])
    return parse_card(read_small_text(path, "card"), path.stem)


def _seat(wind: str | None) -> int | None:
    return None if wind is None else WINDS.index(wind)


def _facts(hand: Hand, options: Mapping[str, Any]) -> Facts:
    """Read the options into facts; what can only be self-drawn is so without ``--tsumo``."""
    gongs = bool(options["gong_on_gong"] or options["twofold"])
    replacement = Replacement(options["replacement"] or ("gong" if gongs else "none"))
    declares = bool(options["declare_bonus"])
    own = replacement != Replacement.NONE or declares or len(hand.bonus) == 8
    self_drawn = own if options["tsumo"] is None else options["tsumo"]
    bet = options["bet"]
    return Facts(
        seat_wind=WINDS.index(options["seat_wind"]),
        round_wind=WINDS.index(options["round_wind"]),
        self_drawn=self_drawn,
        payer=_seat(options["payer"]),
        last_tile=options["last_tile"],
        replacement=replacement,
        gongs_in_turn=2 if gongs else int(replacement == Replacement.GONG),
        gong_from_replacement=options["twofold"],
        robbing=options["robbing"],
        first_turn=options["first_turn"],
        dealers_first_discard=options["dealers_first_discard"],
        after_replacement=options["after_replacement"],
        keeps=options["keeps"],
        dealer_wins=options["dealer_wins"],
        declares_bonus=declares,
        liable=_seat(options["liable"]),
        fed_gong=_seat(options["fed_gong"]),
        discards=_discards(options["discards"]),
        losers=_losers(options["loser"]),
        bet=None if bet is None else NO_WINNER if bet == "draw" else WINDS.index(bet),
    )


def _discards(text: str) -> tuple[tuple[int, int], ...]:
    """Read ``south:2z west:1z`` into seats and kinds."""
    found = []
    for part in text.replace(",", " ").split():
        wind, colon, tile = part.partition(":")
        if wind not in WINDS or not colon:
            raise HandError(f"{part!r}: discards are written wind:tile, such as 'south:2z west:1z'")
        kinds = parse_kinds(tile)
        found += [(WINDS.index(wind), kind) for kind in kinds]
    return tuple(found)


def _losers(texts: Sequence[str]) -> dict[int, Hand]:
    """Read ``east=HAND`` texts into hands by seat."""
    losers: dict[int, Hand] = {}
    for text in texts:
        wind, equals, hand = text.partition("=")
        if wind not in WINDS or not equals:
            raise HandError(
                f"{text!r}: a loser's hand is written wind=hand, such as 'east=(111z)79m78s335p...'"
            )
        if WINDS.index(wind) in losers:
            raise HandError(f"{wind} has two hands")
        losers[WINDS.index(wind)] = parse_scheme_hand(hand, wins=False)
    if len(losers) > MAX_LOSERS:
        raise HandError("one of four players wins; there are three losers")
    return losers


# What the answer holds


def _hand(hand: Hand) -> dict[str, Any]:
    return {
        "tiles": format_kinds(sorted(hand.tiles)),
        "melds": list(map(str, hand.melds)),
        "bonus": [kind_name(kind) for kind in hand.bonus],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "native": row.native,
        "value": row.value,
        "times": row.times,
        "worth": row.worth,
        "reason": row.reason,
        "tiles": row.tiles,
    }


def _win(hand: Hand, facts: Facts, won: Won, rules: Ruleset) -> dict[str, Any]:
    has_round = rules.scheme != Scheme.CARD and rules.round_wind
    return {
        "scheme": rules.scheme.name.lower(),
        "kind": "win",
        "hand": {
            **_hand(hand),
            "win": None if hand.win is None else kind_name(hand.win),
            "tsumo": facts.self_drawn,
            "seat_wind": WINDS[facts.seat_wind],
            "round_wind": WINDS[facts.round_wind] if has_round else None,
            "payer": None if facts.discarder is None else WINDS[facts.discarder],
        },
        "patterns": list(map(_row, won.patterns)),
        "not_counted": list(map(_row, won.dropped)),
        "points": [{"points": row.points, "reason": row.reason} for row in won.points],
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
                "points": [{"points": row.points, "reason": row.reason} for row in own.points],
                "doubles": list(map(_row, own.doubles)),
                "score": own.score,
            }
            for own in won.losers
        },
    }


def _waiting(hand: Hand, rules: Ruleset) -> dict[str, Any]:
    """Thirteen tiles: what they wait for, or need."""
    from paifu.replay.schemes.distance import waiting

    check_tiles(hand, rules)
    found = waiting(hand, rules)
    return {
        "scheme": rules.scheme.name.lower(),
        "kind": "waits" if found.away == 0 else "acceptance",
        "hand": _hand(hand),
        "shanten": found.away,
        "tiles": [kind_name(kind) for kind in found.kinds],
        "live": found.live,
    }


def _waiting_for_line(hand: Hand, rules: Ruleset, card: WrittenCard | None) -> dict[str, Any]:
    """Thirteen tiles: the distance to every line of the card, and the tiles that win."""
    check_hand(hand, rules)
    scheme = CardScheme(card)
    near = scheme.distances(hand, rules)
    return {
        "scheme": "card",
        "kind": "waits" if near and near[0].away == 1 else "acceptance",
        "hand": _hand(hand),
        "tiles": [kind_name(kind) for kind in scheme.waits(hand, rules)],
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


# Printing


def print_scheme_report(report: Mapping[str, Any]) -> None:
    """Print a report for people: at most 80 columns, plain text when it is not a terminal's."""
    from rich.console import Console

    console = Console(width=WIDTH, highlight=False, markup=False)
    hand = report["hand"]
    aside = [f"({tile})" for tile in hand["bonus"]]
    written = " ".join((*aside, *hand["melds"], hand["tiles"]))
    if report["kind"] == "win":
        how = "self-drawn" if hand["tsumo"] else f"on {hand['payer']}'s discard"
        win = f", {hand['win']}" if hand["win"] else ""
        round_wind = f", round {hand['round_wind']}" if hand["round_wind"] else ""
        console.print(f"{written}  {how}{win}")
        console.print(f"seat {hand['seat_wind']}{round_wind}, rules {report['rules']['name']}")
        for title, rows in _blocks(report):
            print_rows(console, title, rows)
    elif "lines" in report:
        tiles = " ".join(report["tiles"])
        console.print(f"{written}  {f'waits for {tiles}' if tiles else 'waits for no tile yet'}")
        print_rows(console, "Lines", [_line_row(line) for line in report["lines"]])
    else:
        waits = report["kind"] == "waits"
        what = "waits for" if waits else f"{report['shanten']}-shanten, needs"
        tiles = " ".join(report["tiles"]) or "tiles that it holds all four of itself"
        console.print(f"{written}  {what} {tiles} ({plural(report['live'], 'tile')})")


def _line_row(line: Mapping[str, Any]) -> tuple[str, str, str]:
    if line["away"] is None:
        return "-", line["id"], line["why_not"]
    choice = f" ({line['choice']})" if line["choice"] else ""
    return f"{line['away']} away", line["id"], f"{line['pattern']}{choice}, lacks {line['missing']}"


def _blocks(report: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Yield a title and the rows to print under it."""
    yield "Patterns", [_pattern_row(row) for row in report["patterns"]] or [("", "none", "")]
    yield "Points", [(str(row["points"]), row["reason"], "") for row in report["points"]]
    yield "Value", [(f"{report['value']:,}", report["worth"], "")]
    for wind, own in report["losers"].items():
        rows = [(str(row["points"]), row["reason"], "") for row in own["points"]]
        rows += [_pattern_row(row) for row in own["doubles"]]
        yield wind.title(), [*rows, (f"{own['score']:,}", "in all", "")]
    roles = report["roles"]
    yield (
        "Payments",
        [(f"{change:+,}", seat, roles.get(seat, "")) for seat, change in report["payments"].items()],
    )
    yield "Not added", [_pattern_row(row) for row in report["not_counted"]]
    yield "Read as", [("", report["reading"], "")]
    yield (
        "Not as",
        [
            (f"{o['value']:,}" if o["value"] else "", o["reading"], o["why_not"])
            for o in report["other_readings"]
        ],
    )


def _pattern_row(row: Mapping[str, Any]) -> tuple[str, str, str]:
    tiles = f" {row['tiles']}" if row["tiles"] else ""
    return row["worth"], f"{row['name']} {row['native']}".strip(), f"{row['reason']}{tiles}"
