"""Flips of the rules that games other than riichi have: each alone changes a hand's value or its payments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.flip import Flip
from scheme_hands import scored

from paifu.replay.course.settlement import (
    GameEnd,
    HandOutcome,
    HandStart,
    OutcomeKind,
    dealer_stays,
    endings,
    next_keeps,
)
from paifu.replay.general.table import GeneralTable
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import parse_kinds
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.card import CardScheme
from paifu.replay.schemes.hand import NO_WINNER, HeldTiles, Replacement, parse_held
from paifu.replay.schemes.shapes import Shapes
from paifu.replay.scoring.errors import HandError

ZJ, HK, CC, US = "zung-jung", "hk-old-style", "chinese-classical", "american-2013"
FIRST, DRAW = HandStart(0, 0, 0, 0), HandOutcome(OutcomeKind.EXHAUSTIVE)
GREEN_MELDS = "(222s)(333s)[4444s](888s)6z6z"
MEDIUM = "(111m)(555m)(333z)88m99m9m"
NO_JOKER = "4z11z333z2222z2p5z13p"


def value(text: str, **facts: Any) -> Callable[[Ruleset], int]:
    """The hand's value, 0 where it may not win."""

    def probe(rules: Ruleset) -> int:
        try:
            return scored(text, rules, **facts).value
        except HandError:
            return 0

    return probe


def paid(text: str, **facts: Any) -> Callable[[Ruleset], tuple[int, ...]]:
    return lambda rules: scored(text, rules, **facts).payments


def losers(rules: Ruleset) -> tuple[int, ...]:
    hands = {0: loser("(111z)[9999p]79m78s335p"), 1: loser("(2f)(666z)1112344678p")}
    return scored("(456m)(234s)55p666m77z7z", rules, seat_wind="W", losers=hands).payments


def great_loser(rules: Ruleset) -> int:
    hands = {0: loser("(1f)(2f)(3f)(4f)[1111z][5555z]79m78s33p5s")}
    return scored("(456m)(234s)55p666m77z7z", rules, seat_wind="W", losers=hands).losers[0].score


def loser(text: str) -> HeldTiles:
    return parse_held(text, wins=False)


def refused(text: str, **facts: Any) -> Callable[[Ruleset], bool]:
    def probe(rules: Ruleset) -> bool:
        try:
            scored(text, rules, **facts)
        except HandError:
            return True
        return False

    return probe


def table_of(rules: Ruleset, east: str) -> GeneralTable:
    """A table at which East holds these tiles."""
    notes: list[tuple[int, ...]] = []
    table = GeneralTable(rules, Shapes(rules), lambda *note: notes.append(note), dealer=0)
    others = ("1258m369p147s135z", "1447m258p369s246z", "2336m147p258s567z")
    table.deal([parse_kinds(text) for text in (east, *others)])
    return table


def may_gong_first(rules: Ruleset) -> bool:
    """East holds four equal tiles when the first bonus tiles are replaced."""
    return table_of(rules, "9999m2345p2345s1f").own_gong(EventKind.ANKAN, 0, 8, [8] * 3)


def may_gong_after_claim(rules: Ruleset) -> bool:
    """East claims a pung, and holds four equal tiles."""
    table = table_of(rules, "9999m11m234567p2s")
    table.draw(0, 30)
    table.discard(0, 30, tsumogiri=True)
    table.draw(1, 31)
    table.discard(1, 0, tsumogiri=False)
    table.claim(EventKind.PON, 0, 0, 1, [0, 0])
    return table.own_gong(EventKind.ANKAN, 0, 8, [8] * 3)


def bet(rules: Ruleset) -> int:
    try:
        return len(scored("4z11z33z1j2222z2s5z1s3s", rules, payer="N", bet=NO_WINNER).payments)
    except HandError:
        return 0


SCHEME_FLIPS = {
    "scheme": Flip("classical", value("(222m)(777s)(999p)33s55m5m"), 16, 40, HK),
    "round_wind": Flip(False, value("(222z)(333z)(444z)46m55p5m", seat_wind="S", round_wind=2, self_drawn=True),
                       16, 8, HK),
    "bonus_tiles": Flip("set_aside", lambda r: (len(r.tile_ids), r.live_wall), (136, 70), (144, 78), ZJ),
    "jokers": Flip(4, lambda r: len(r.tile_ids), 152, 148, US),
    "dead_wall": Flip(0, lambda r: r.live_wall, 70, 84, ZJ),
    "dealer_tiles": Flip(14, lambda r: r.live_wall, 70, 69, ZJ),
    "first_gongs": Flip(False, may_gong_first, True, False, CC),
    "gong_after_claim": Flip(False, may_gong_after_claim, True, False, ZJ),
    "concealed_gongs": Flip(False, refused("[1111s][2222s]333s555s7s7s", self_drawn=True), False, True, ZJ),
    "largest_exposure": Flip(3, refused("(333z)(22z11j)4z11z2m5z13m"), False, True, US),
    "concealed_gong_shows": Flip("two", refused(GREEN_MELDS, self_drawn=True, liable="N"), True, False, HK),
    "seven_pairs": Flip("identical", value("1199m1199p11999s9s", self_drawn=True), 0, 128, HK,
                        {"patterns": {"seven-pairs": 13}}),
    "thirteen_orphans": Flip(False, value("19m19p19s1234567z1z"), 160, 0, ZJ),
    "minimum": Flip(1, value("(222m)(777s)345p33s46m5m", self_drawn=True), 0, 8, HK,
                    {"faan_table": [[1, 8], [4, 16]]}),
    "patterns": Flip({"pure-one-suit": 100}, value("(123m)(456m)789m23m55m4m"), 125, 145, ZJ),
    "pattern": Flip({"nines": {"value": 10, "when": "any a in mps: triplet(9a)"}},
                    value("(999m)(456m)789p23p55m4p"), 1, 10, ZJ),
    "chicken_value": Flip(2, value("(234s)567s345m6699p6p"), 1, 2, ZJ),
    "sum_limit": Flip(400, value("[1111s][2222s]333s555s7s7s", self_drawn=True), 320, 360, ZJ),
    "listed_limit": Flip(160, value("19m19p19s1234567z1z", last_tile=True), 170, 160, ZJ),
    "immunity": Flip("off", paid(MEDIUM, payer="N", discards=((1, 26), (2, 8), (3, 8))), (-25, 210, -160, -25),
                     (-25, 210, -25, -160), ZJ),
    "faan_table": Flip([[3, 10], [4, 20]], value("(222m)(777s)(999p)33s55m5m"), 16, 20, HK),
    "limits_add": Flip(False, value("222m444p666p888s3z3z", seat_wind="N", self_drawn=True, first_turn=True),
                       256, 128, HK),
    "replacement_win": Flip("gong", value("(1f)(123m)456p678s66m78p9p", seat_wind="S", self_drawn=True,
                                          replacement=Replacement.BONUS), 8, 0, HK),
    "liability": Flip(False, refused("(555z)(666z)(777z)12m44p3m", self_drawn=True, liable="N"), False, True, HK),
    "fed_gong_pays": Flip(False, paid("(2222p)(345s)(678s)99m67m8m", seat_wind="E", self_drawn=True,
                                      replacement=Replacement.GONG, fed_gong="N"),
                          (16, 0, 0, -16), (24, -8, -8, -8), HK),
    "limit_hands": Flip(False, value("(345s)[2222m]678s99m46p5p", self_drawn=True, replacement=Replacement.GONG),
                        500, 50, CC),
    "limit": Flip(300, value("(345s)[2222m]678s99m46p5p", self_drawn=True, replacement=Replacement.GONG),
                  500, 300, CC),
    "discard_win": Flip("any", value("(444p)(123m)999s22z46m5m", seat_wind="W", round_wind=2), 0, 32, CC),
    "cap_losers": Flip(False, great_loser, 500, 80 << 7, CC),
    "losers_settle": Flip(False, losers, (208, 40, 224, -472), (-112, -56, 224, -56), CC),
    "card": Flip("practice", lambda r: len(CardScheme().lines(r)), 4, 9, US),
    "jokerless_factor": Flip(1, value(NO_JOKER), 50, 25, US),
    "bettor": Flip(True, bet, 0, 5, US),
    "pay_selfdraw": Flip(1, paid(NO_JOKER, self_drawn=True), (-100, 300, -100, -100), (-50, 150, -50, -50), US),
    "pay_discard_total": Flip(3, paid("(222m)(777s)(999p)33s55m5m"), (0, 32, -32, 0), (0, 48, -48, 0), HK),
    "pay_bystander": Flip("none", paid(MEDIUM, payer="N"), (-25, 210, -25, -160), (0, 210, 0, -210), ZJ),
    "par": Flip(30, paid(MEDIUM, payer="N"), (-25, 210, -25, -160), (-30, 210, -30, -150), ZJ),
    "dealer_factor": Flip(1, paid("123m456p789s34s99p5s", seat_wind="N", self_drawn=True), (-64, -32, -32, 128),
                          (-32, -32, -32, 96), CC),
    "hands": Flip(8, lambda r: endings(r, FIRST, DRAW, (0,) * 4, played=8)[0], None, GameEnd.LAST_HAND, ZJ),
    "draw_renchan": Flip(False, lambda r: dealer_stays(r, 0, DRAW), True, False, HK),
    "keeps_reset_by_draw": Flip(True, lambda r: next_keeps(r, 2, 0, DRAW), 3, 0, HK),
}  # fmt: skip
