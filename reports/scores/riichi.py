"""Scored riichi hands: plain data (the JSON contract), and drawn for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from paifu.replay.language import N_, _, language, pgettext
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.model.tiles import WINDS, sort_tiles
from paifu.replay.rules.local_yaku import OWN_IDS
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.han_fu import ScoredHanFu
from paifu.replay.scoring.hand_text import set_aside
from paifu.replay.scoring.score import OtherReading, ScoredNagashi, ScoredWin
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.scoring.yaku import Yaku
from paifu.replay.scoring.yaku_names import chosen_set, yaku_name
from paifu.replay.shapes.shanten import Acceptance
from paifu.reports.terminal.tables import blocks
from paifu.reports.wording import plural

NO_TILES = N_("tiles that it holds all four of itself")


def win_report(hand: WinningHand, won: ScoredWin, rules: Ruleset) -> dict[str, Any]:
    """Return a scored win as the JSON contract has it."""
    return {
        "kind": "win",
        "hand": {
            "tiles": format_tiles(sort_tiles(hand.tiles)),
            "melds": list(map(str, hand.melds)),
            "kita": hand.kita,
            "flowers": hand.flowers,
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
        "fu_rows": list(map(asdict, won.fu_rows)),
        "limit": won.limit.name.lower(),
        "yakuman": won.yakuman,
        "base": won.base,
        "points": won.points,
        "payments": dict(zip(WINDS, won.payments, strict=False)),
        "reading": str(won.reading),
        "other_readings": list(map(_other, won.others)),
    }


def nagashi_report(hand: WinningHand, won: ScoredNagashi) -> dict[str, Any]:
    """Return a nagashi mangan as the JSON contract has it."""
    return {
        "kind": "nagashi",
        "hand": {
            "tiles": format_tiles(sort_tiles(hand.tiles)),
            "melds": list(map(str, hand.melds)),
            "seat_wind": WINDS[hand.seat_wind],
            "honba": hand.honba,
            "sticks": hand.sticks,
        },
        "counts_as": "win" if won.is_win else "draw",
        "limit": won.limit.name.lower(),
        "points": won.points,
        "payments": dict(zip(WINDS, won.payments, strict=False)),
    }


def han_fu_report(hand: WinningHand, won: ScoredHanFu, rules: Ruleset) -> dict[str, Any]:
    """Return what han and fu are worth as the JSON contract has it."""
    return {
        "kind": "han_fu",
        "hand": {
            "tsumo": hand.tsumo,
            "seat_wind": WINDS[hand.seat_wind],
            "payer": None if hand.tsumo else WINDS[hand.paying_seat(rules)],
            "honba": hand.honba,
            "sticks": hand.sticks,
        },
        "han": won.han,
        "fu": won.fu,
        "limit": won.limit.name.lower(),
        "yakuman": won.yakuman,
        "base": won.base,
        "points": won.points,
        "payments": dict(zip(WINDS, won.payments, strict=False)),
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


def waits_report(hand: WinningHand, found: Acceptance) -> dict[str, Any]:
    """Return what 13 tiles wait for as the JSON contract has it."""
    return {
        "kind": "waits" if found.shanten == 0 else "acceptance",
        "hand": {
            "tiles": format_tiles(sort_tiles(hand.tiles)),
            "melds": list(map(str, hand.melds)),
            "kita": hand.kita,
            "flowers": hand.flowers,
        },
        "shanten": found.shanten,
        "tiles": [tile_name(kind) for kind in found.kinds],
        "live": found.live,
    }


def drawn(report: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Yield a report drawn for people, to print at a width of 80."""
    hand = report["hand"]
    if report["kind"] == "nagashi":
        where = _("seat {seat}, rules {rules}").format(
            seat=said_wind(hand["seat_wind"]), rules=report["rules"]["name"]
        )
        title = _("nagashi mangan")
        yield Text(f"{title}\n{where}")
        how = _("paid at the draw; honba and sticks stay")
        if report["counts_as"] == "win":
            how = _("counts as a win")
        payments = [(f"{change:+,}", said_wind(wind), "") for wind, change in report["payments"].items()]
        shown = {_("Points"): [(f"{report['points']:,}", _(report["limit"]), how)], _("Payments"): payments}
        yield from blocks(shown.items())
        return
    if report["kind"] == "han_fu":
        where = _("seat {seat}, rules {rules}").format(
            seat=said_wind(hand["seat_wind"]), rules=report["rules"]["name"]
        )
        how = _("tsumo") if hand["tsumo"] else _("ron")
        yield Text(f"{how}\n{where}")
        yield from blocks(_priced(report).items())
        return
    written = " ".join(
        (hand["tiles"], *hand["melds"], *set_aside(hand.get("kita", 0), hand.get("flowers", 0)))
    )
    if report["kind"] == "win":
        how = _("wins with the fourth kan")
        if hand["win"]:
            how = (_("tsumo on {tile}") if hand["tsumo"] else _("ron on {tile}")).format(tile=hand["win"])
        seats = _("seat {seat}, round {round}, rules {rules}").format(
            seat=said_wind(hand["seat_wind"]),
            round=said_wind(hand["round_wind"]),
            rules=report["rules"]["name"],
        )
        yield Text(f"{written}  {how}\n{seats}")
        yield from blocks(_blocks(report).items())
    else:
        text = _("tenpai, waits for {tiles} ({live})")
        if report["kind"] != "waits":
            text = _("{shanten}-shanten, needs {tiles} ({live})")
        yield Text(f"{written}  {needed(text, report)}")


def needed(text: str, report: Mapping[str, Any]) -> str:
    """Say what 13 tiles lack: a text with the shanten, the tiles and how many of these are live."""
    live = plural(report["live"], "tile")
    tiles = " ".join(report["tiles"]) or _(NO_TILES)
    return text.format(shanten=report["shanten"], tiles=tiles, live=live)


def said_why(row: Mapping[str, Any]) -> str:
    """Return why a reading or a line did not count, for people."""
    return _(row["why_not"])


def said_wind(wind: str) -> str:
    """Return a wind, or another role at the table, for people."""
    return pgettext("wind", wind)


def _blocks(report: Mapping[str, Any]) -> dict[str, list[tuple[str, str, str]]]:
    """Return the rows to print under each title."""
    sum_of_fu = sum(row["fu"] for row in report["fu_rows"])
    rounded = _("rounded up to {fu}").format(fu=report["fu"]) if sum_of_fu != report["fu"] else ""
    fu = _("{fu} fu")
    fu_rows = [
        (fu.format(fu=row["fu"]), pgettext("fu", row["reason"]), row["tiles"]) for row in report["fu_rows"]
    ]
    if fu_rows:
        fu_rows.append((fu.format(fu=sum_of_fu), _("in all"), rounded))
    return {
        _("Yaku"): [(_han(y["han"]), *_names(y)) for y in report["yaku"]],
        _("Fu"): fu_rows,
        **_priced(report),
        _("Read as"): [("", report["reading"], "")],
        _("Not as"): [
            (f"{o['points']:,}" if o["points"] else "", o["reading"], said_why(o))
            for o in report["other_readings"]
        ],
    }


def _priced(report: Mapping[str, Any]) -> dict[str, list[tuple[str, str, str]]]:
    """Return the rows that say what is paid, under each title."""
    hand = report["hand"]
    counters = [_("{count} honba").format(count=hand["honba"])] if hand["honba"] else []
    if hand["sticks"]:
        counters.append(plural(hand["sticks"], "riichi stick"))
    roles = {hand["seat_wind"]: pgettext("role", "wins"), hand["payer"]: pgettext("role", "discards")}
    return {
        _("Points"): [(f"{report['points']:,}", worth(report), _(" and ").join(counters))],
        _("Payments"): [
            (f"{change:+,}", said_wind(wind), roles.get(wind, ""))
            for wind, change in report["payments"].items()
        ],
    }


def _names(yaku: Mapping[str, Any]) -> tuple[str, str]:
    """A yaku in the set of names that was chosen, and what it is in English, or in romaji."""
    native = yaku["japanese"]
    if yaku["id"] in OWN_IDS:
        name = {"romaji": yaku["name"], "japanese": native}.get(chosen_set(), yaku["english"])
    else:
        name = yaku_name(yaku["id"], None)
    other = yaku["english"] if name in (native, yaku["name"]) else yaku["name"]
    if language() == "ja":
        other = ""
    shown = name if native in (name, yaku["english"]) else f"{name} {native}"
    return shown, other if other != name else ""


def _han(han: int) -> str:
    if han >= 13:
        return _("yakuman") if han < 26 else _("double yakuman")
    return _("{han} han").format(han=han)


def worth(report: Mapping[str, Any]) -> str:
    """Return han, fu and the limit in words."""
    count = report["yakuman"]
    if count:
        return _("yakuman") if count == 1 else _("{count} yakuman").format(count=count)
    if report["fu"] is None:
        text = _("{han} han, counted yakuman") if report["limit"] == "yakuman" else _("{han} han, {limit}")
    elif report["limit"] == "none":
        text = _("{han} han {fu} fu")
    elif report["limit"] == "yakuman":
        text = _("{han} han {fu} fu, counted yakuman")
    else:
        text = _("{han} han {fu} fu, {limit}")
    return text.format(han=report["han"], fu=report["fu"], limit=_(report["limit"]))
