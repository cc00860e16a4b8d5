"""The answer of ``paifu score``: plain data (the JSON contract) and its printing for people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from paifu.api.rulesets import ruleset
from paifu.cli.rows import print_rows
from paifu.cli.score_options import check_options
from paifu.replay.model.tiles import NORTH, format_tiles, parse_tiles, sort_tiles, tile_name
from paifu.replay.rules.presets import RuleError, preset_names
from paifu.replay.rules.ruleset import Ruleset, Scheme
from paifu.replay.scoring.hand_text import WrittenHand, parse_hand
from paifu.replay.scoring.readings import HandError
from paifu.replay.scoring.score import OtherReading, ScoredWin, nagashi_payments, score
from paifu.replay.scoring.winning_hand import WINDS, WinningHand
from paifu.replay.scoring.yaku import RON, Situation, Yaku
from paifu.replay.scoring.yaku_names import yaku_name
from paifu.replay.shapes import shanten as shapes
from paifu.reports.words import plural

SCHEMA = "paifu.score/1"
WIDTH = 80
WAITING_SIZE = 13
_FLAGS = {(flag.name or "").lower(): flag for flag in Situation if flag != Situation.TSUMO}
"""Option -> what it says of a win."""
_OF_A_WIN = (*_FLAGS, "tsumo", "payer", "liable", "wareme", "ura", "honba", "sticks")
"""Options that say nothing about 13 tiles."""
_IMPLY_TSUMO = Situation.RINSHAN | Situation.HAITEI | Situation.TENHOU | Situation.CHIIHOU
"""Without --tsumo or --ron these tell a tsumo; chiihou with a payer, which some rules play, does not."""


def report_on(text: str, options: Mapping[str, Any], given: Collection[str] = ()) -> dict[str, Any]:
    """Return what the hand ``text`` is worth, or waits for, as the JSON contract has it.

    ``options`` are the command's, ``given`` names those that were written out. Raises ValueError (HandError,
    RuleError) for what cannot be.
    """
    rules = _ruleset(options["rules"], options["players"], options["settings"])
    check_options(given, rules)
    head = {"schema": SCHEMA, "rules": {"name": rules.name, "set": list(options["settings"])}}
    if rules.scheme != Scheme.HAN_FU:
        from paifu.cli.scheme_report import scheme_report

        return head | scheme_report(text, options, rules, given)
    return head | _riichi_report(text, options, rules)


def _riichi_report(text: str, options: Mapping[str, Any], rules: Ruleset) -> dict[str, Any]:
    if options["nagashi"]:
        return _nagashi(text, options, rules)
    hand = parse_hand(text, options["win"])
    winning = _winning_hand(hand, options)
    if hand.size == WAITING_SIZE and (rules.suukantsu_needs_pair or not winning.unfinished):
        return _waiting(winning, rules, options)
    return _win(winning, score(winning, rules), rules)


def _nagashi(text: str, options: Mapping[str, Any], rules: Ruleset) -> dict[str, Any]:
    """A draw at which the player had discarded terminals and honours only; the tiles held do not matter."""
    for name in (*_FLAGS, "tsumo", "payer", "liable", "wareme", "win", "dora", "ura"):
        if options[name] not in (None, "", False) or (options[name] is False and name == "tsumo"):
            raise HandError(f"--{name.replace('_', '-')} describes a win; a nagashi mangan is paid at a draw")
    hand = parse_hand(text) if text else WrittenHand((), (), 0)
    if rules.nagashi_uncalled and hand.melds:
        raise HandError(
            f"nagashi mangan needs a hand without own calls and kans under the ruleset {rules.name} "
            "(rule nagashi_uncalled)"
        )
    seat = WINDS.index(options["seat_wind"])
    points, payments = nagashi_payments(seat, rules, honba=options["honba"], sticks=options["sticks"])
    return {
        "kind": "nagashi",
        "hand": {
            "tiles": format_tiles(sort_tiles(hand.tiles)),
            "melds": list(map(str, hand.melds)),
            "seat_wind": WINDS[seat],
            "honba": options["honba"],
            "sticks": options["sticks"],
        },
        "counts_as": rules.nagashi.name.lower(),
        "limit": "mangan",
        "points": points,
        "payments": dict(zip(WINDS, payments, strict=False)),
    }


def _ruleset(name: str, players: str | None, settings: Iterable[str]) -> Ruleset:
    rules = ruleset(name)
    if players and rules.players != int(players):
        other = f"{rules.name}-sanma" if players == "3" else rules.name.removesuffix("-sanma")
        if other not in preset_names():
            raise RuleError(f"the ruleset {rules.name} has no version for {players} players")
        name = other
    return ruleset(name, settings)


def _situation(options: Mapping[str, Any], *, unfinished: bool) -> Situation:
    flags = RON
    for name, flag in _FLAGS.items():
        if options[name]:
            flags |= flag
    tsumo = options["tsumo"]
    if tsumo is None:
        fed = Situation.CHIIHOU if options["payer"] else RON
        tsumo = unfinished or bool(flags & _IMPLY_TSUMO & ~fed)
    return flags | Situation.TSUMO if tsumo else flags


def _seat(wind: str | None) -> int | None:
    return None if wind is None else WINDS.index(wind)


def _winning_hand(hand: WrittenHand, options: Mapping[str, Any]) -> WinningHand:
    written = WinningHand(
        tiles=hand.tiles,
        win=hand.tiles[-1] if hand.tiles else 0,
        melds=hand.melds,
        seat_wind=WINDS.index(options["seat_wind"]),
        own_wind=_seat(options["own_wind"]),
        round_wind=WINDS.index(options["round_wind"]),
        dora_indicators=tuple(parse_tiles(options["dora"])),
        ura_indicators=tuple(parse_tiles(options["ura"])),
        kita=hand.kita,
        honba=options["honba"],
        sticks=options["sticks"],
        payer=_seat(options["payer"]),
        liable=_seat(options["liable"]),
        marked=_seat(options["wareme"]),
    )
    return replace(written, situation=_situation(options, unfinished=written.unfinished))


def _win(hand: WinningHand, won: ScoredWin, rules: Ruleset) -> dict[str, Any]:
    return {
        "kind": "win",
        "hand": {
            "tiles": format_tiles(sort_tiles(hand.tiles)),
            "melds": list(map(str, hand.melds)),
            "kita": hand.kita,
            "win": None if hand.unfinished else tile_name(hand.win),
            "tsumo": hand.tsumo,
            "seat_wind": WINDS[hand.seat_wind],
            "round_wind": WINDS[hand.round_wind],
            "payer": None if hand.tsumo else WINDS[hand.paying_seat(rules)],
            "honba": hand.honba,
            "sticks": hand.sticks,
        },
        "yaku": [_yaku(yaku, han) for yaku, han in won.yaku],
        "han": won.han,
        "fu": won.fu,
        "fu_rows": [{"fu": row.fu, "reason": row.reason, "tiles": row.tiles} for row in won.fu_rows],
        "limit": won.limit.name.lower(),
        "yakuman": won.yakuman,
        "base": won.base,
        "points": won.points,
        "payments": dict(zip(WINDS, won.payments, strict=False)),
        "reading": str(won.reading),
        "other_readings": list(map(_other, won.others)),
    }


def _yaku(yaku: Yaku, han: int) -> dict[str, Any]:
    names = {"name": yaku.romaji, "english": yaku.english, "japanese": yaku.japanese}
    return {"id": yaku.id, **names, "han": han}


def _other(other: OtherReading) -> dict[str, Any]:
    return {
        "reading": str(other.reading),
        "han": other.han,
        "fu": other.fu,
        "points": other.points,
        "why_not": other.why,
    }


def _waiting(hand: WinningHand, rules: Ruleset, options: Mapping[str, Any]) -> dict[str, Any]:
    """A hand of 13 tiles: its shanten and what brings it on; for a tenpai hand these are its waits.

    Dora indicators are tiles that the player sees. What describes a win is refused.
    """
    for name in _OF_A_WIN:
        if options[name] not in (None, "") and (options[name] or name == "tsumo"):
            option = "ron" if options[name] is False else name.replace("_", "-")
            raise HandError(
                f"--{option} describes a win, and 13 tiles have not won; name the 14th with --win"
            )
    hand.check_waiting(rules)
    found = shapes.acceptance(
        hand.tiles,
        [meld.tiles for meld in hand.melds],
        (*hand.all_tiles, *(NORTH,) * hand.kita, *hand.dora_indicators),
        sanma=rules.players == 3,
        identical_pairs=rules.chiitoitsu_identical_pairs,
        kita=hand.kita,
    )
    return {
        "kind": "waits" if found.shanten == 0 else "acceptance",
        "hand": {
            "tiles": format_tiles(sort_tiles(hand.tiles)),
            "melds": list(map(str, hand.melds)),
            "kita": hand.kita,
        },
        "shanten": found.shanten,
        "tiles": [tile_name(kind) for kind in found.kinds],
        "live": found.live,
    }


def print_report(report: Mapping[str, Any]) -> None:
    """Print a report for people: at most 80 columns, plain text when it is not a terminal's."""
    if "scheme" in report:
        from paifu.cli.scheme_report import print_scheme_report

        print_scheme_report(report)
        return
    from rich.console import Console

    console = Console(width=WIDTH, highlight=False, markup=False)
    hand = report["hand"]
    if report["kind"] == "nagashi":
        console.print(f"nagashi mangan\nseat {hand['seat_wind']}, rules {report['rules']['name']}")
        how = "counts as a win" if report["counts_as"] == "win" else "paid at the draw; honba and sticks stay"
        print_rows(console, "Points", [(f"{report['points']:,}", "mangan", how)])
        rows = [(f"{change:+,}", wind, "") for wind, change in report["payments"].items()]
        print_rows(console, "Payments", rows)
        return
    written = " ".join((hand["tiles"], *hand["melds"], *["(4z)"] * hand.get("kita", 0)))
    if report["kind"] == "win":
        how = (
            f"{'tsumo' if hand['tsumo'] else 'ron'} on {hand['win']}"
            if hand["win"]
            else "wins with the fourth kan"
        )
        seats = f"seat {hand['seat_wind']}, round {hand['round_wind']}, rules {report['rules']['name']}"
        console.print(f"{written}  {how}\n{seats}")
        for title, rows in _blocks(report).items():
            print_rows(console, title, rows)
    else:
        what = "tenpai, waits for" if report["kind"] == "waits" else f"{report['shanten']}-shanten, needs"
        tiles = " ".join(report["tiles"]) or "tiles that it holds all four of itself"
        console.print(f"{written}  {what} {tiles} ({plural(report['live'], 'tile')})")


def _blocks(report: Mapping[str, Any]) -> dict[str, list[tuple[str, str, str]]]:
    """Return the rows to print under each title."""
    hand = report["hand"]
    sum_of_fu = sum(row["fu"] for row in report["fu_rows"])
    rounded = f"rounded up to {report['fu']}" if sum_of_fu != report["fu"] else ""
    counters = [f"{hand['honba']} honba"] if hand["honba"] else []
    counters += [plural(hand["sticks"], "riichi stick")] if hand["sticks"] else []
    return {
        "Yaku": [(_han(y["han"]), *_names(y)) for y in report["yaku"]],
        "Fu": [(f"{row['fu']} fu", row["reason"], row["tiles"]) for row in report["fu_rows"]]
        + ([(f"{sum_of_fu} fu", "in all", rounded)] if report["fu_rows"] else []),
        "Points": [(f"{report['points']:,}", _worth(report), " and ".join(counters))],
        "Payments": [
            (f"{change:+,}", wind, {hand["seat_wind"]: "wins", hand["payer"]: "discards"}.get(wind, ""))
            for wind, change in report["payments"].items()
        ],
        "Read as": [("", report["reading"], "")],
        "Not as": [
            (f"{o['points']:,}" if o["points"] else "", o["reading"], o["why_not"])
            for o in report["other_readings"]
        ],
    }


def _names(yaku: Mapping[str, Any]) -> tuple[str, str]:
    """A yaku in the set of names that was chosen, and what it is in English, or in romaji."""
    name = yaku_name(yaku["id"])
    if name == yaku["japanese"]:
        return name, yaku["english"]
    is_usual = name == yaku["name"]
    return f"{name} {yaku['japanese']}", yaku["english"] if is_usual else yaku["name"]


def _han(han: int) -> str:
    if han >= 13:
        return "yakuman" if han < 26 else "double yakuman"
    return f"{han} han"


def _worth(report: Mapping[str, Any]) -> str:
    """Han, fu and the limit in words."""
    count = report["yakuman"]
    if count:
        return "yakuman" if count == 1 else f"{count} yakuman"
    limit = {"none": "", "yakuman": ", counted yakuman"}.get(report["limit"], f", {report['limit']}")
    return f"{report['han']} han {report['fu']} fu{limit}"
