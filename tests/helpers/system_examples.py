"""Worked hands of the games other than riichi: who won how, the patterns, the value and each seat's payment.

Hands are named as the description of these rules has them; those that a source prints say so in ``source``,
the others were followed by hand. Payments are in the order E S W N.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from paifu.replay.schemes.hand import NO_WINNER, Replacement

GONG, BONUS = Replacement.GONG, Replacement.BONUS


@dataclass(frozen=True)
class Example:
    """``patterns`` are ids and values, 0 for a limit; ``payments`` None: the hand may not win."""

    id: str
    rules: str
    hand: str
    facts: dict[str, Any]
    patterns: dict[str, int]
    value: int
    payments: tuple[int, ...] | None
    source: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    why: str = ""


def drawn(seat: str, **more: Any) -> dict[str, Any]:
    return {"seat_wind": seat, "self_drawn": True, **more}


def on(seat: str, payer: str, **more: Any) -> dict[str, Any]:
    return {"seat_wind": seat, "payer": payer, **more}


ZJ, WS, HK, CC, US = "zung-jung", "wsom", "hk-old-style", "chinese-classical", "american-2013"
ANY = {"discard_win": "any"}
C19 = "(345s)[2222m]678s99m46p5p"
KNITTED = "1234567m123456p7p"

# fmt: off
ZUNG_JUNG = (
    Example("Z1", ZJ, "(234s)567s345m6699p6p", on("S", "W"), {}, 1, (-1, 3, -1, -1), "zjmj tests"),
    Example("Z2", ZJ, "234567s345m456p8p8p", on("W", "E"), {"no-terminals": 5, "all-sequences": 5, "concealed-hand": 5},
            15, (-15, -15, 45, -15)),
    Example("Z4", ZJ, "(111m)(555p)(777s)88p33m3m", on("E", "S"), {"all-triplets": 30}, 30, (90, -40, -25, -25)),
    Example("Z5", ZJ, "(111m)(555m)(333z)88m99m9m", on("S", "N"), {"mixed-one-suit": 40, "all-triplets": 30}, 70,
            (-25, 210, -25, -160), "rules text"),
    Example("Z7", ZJ, "(777z)99m11122233p3p", drawn("S"),
            {"value-honour": 10, "three-identical-sequences": 120, "mixed-lesser-terminals": 40}, 170,
            (-170, 510, -170, -170), "FAQ, with older values"),
    Example("Z8", ZJ, "222m444p666p888s3z3z", drawn("E"),
            {"concealed-hand": 5, "all-triplets": 30, "four-concealed-triplets": 125}, 160, (480, -160, -160, -160),
            "rules text"),
    Example("Z10", ZJ, "(111z)(222z)(333z)44z55z4z", on("W", "N"), {"big-four-winds": 400}, 400,
            (-25, -25, 1200, -1150), "blog"),
    Example("Z11", ZJ, "[1111s][2222s]333s555s7s7s", drawn("N"),
            {"pure-one-suit": 80, "concealed-hand": 5, "all-triplets": 30, "four-concealed-triplets": 125,
             "two-kongs": 20, "three-consecutive-triplets": 100}, 320, (-320, -320, -320, 960), "zjmj tests"),
    Example("Z13", ZJ, "223344m667788p5s5s", drawn("S"),
            {"no-terminals": 5, "all-sequences": 5, "concealed-hand": 5, "two-identical-sequences-twice": 60}, 75,
            (-75, 225, -75, -75)),
    Example("Z14", ZJ, "1112345678999s5s", on("W", "S"), {"nine-gates": 480}, 480, (-25, -1390, 1440, -25)),
    Example("Z16", ZJ, "234567s345m456p8p8p", drawn("E", first_turn=True),
            {"no-terminals": 5, "all-sequences": 5, "concealed-hand": 5, "blessing-of-heaven": 155}, 170,
            (510, -170, -170, -170)),
    Example("Z17", ZJ, "[3333m]567m88p(789p)34s5s", drawn("W", replacement=GONG, last_tile=True),
            {"one-kong": 5, "final-draw": 10, "win-on-kong": 10}, 25, (-25, -25, 75, -25)),
)
WSOM = (
    Example("W1", WS, "(234s)567s345m6699p6p", on("S", "W"), {}, 1, None, why="chicken hand"),
    Example("W2", WS, "(234s)567s345m[6666p]9p9p", on("S", "W"), {"one-kong": 5}, 5, (-5, 15, -5, -5)),
    Example("W4", WS, "(234s)567s345m(678p)9p9p", on("S", "W"), {"all-sequences": 5}, 5, (-5, 15, -5, -5)),
    Example("W5", WS, "234s567s345m666p9p9p", drawn("W"), {"concealed-hand": 5}, 5, (-5, -5, 15, -5)),
    Example("W7", WS, "(222z)123m456p789s4z4z", on("N", "E"), {}, 1, None, why="chicken hand"),
    Example("W8", WS, "(123m)(456m)789m55z11p1p", on("E", "N"), {"nine-tile-straight": 40}, 40, (120, -25, -25, -70)),
    Example("W9", WS, "(123m)(123p)123s999m7z7z", drawn("S"),
            {"three-similar-sequences": 35, "mixed-lesser-terminals": 40}, 75, (-75, 225, -75, -75)),
    Example("W10", WS, "(444m)(444p)44s567s22p2p", on("W", "S"), {"no-terminals": 5, "small-three-similar-triplets": 30},
            35, (-25, -55, 105, -25)),
    Example("W11", WS, "(111m)(999p)(333z)666z1p1p", on("N", "W"),
            {"value-honour": 10, "all-triplets": 30, "mixed-greater-terminals": 100}, 140, (-25, -25, -370, 420)),
    Example("W12", WS, "1199m1199p11999s9s", drawn("E"), {"pure-greater-terminals": 400}, 400,
            (1200, -400, -400, -400)),
)
HK_OLD_STYLE = (
    Example("H1", HK, "(123m)(456p)(678s)66m78p9p", drawn("N"),
            {"all-chows": 1, "no-bonus-tiles": 1, "self-pick": 1}, 8, (-8, -8, -8, 24)),
    Example("H2", HK, "(3f)123m456p678s66m78p9p", drawn("E"), {"all-chows": 1, "self-pick": 1, "concealed-hand": 1}, 8,
            (24, -8, -8, -8), "blog"),
    Example("H4", HK, "(222m)(777s)(999p)33s55m5m", on("S", "W"), {"all-pungs": 3, "no-bonus-tiles": 1}, 16,
            (0, 32, -32, 0)),
    Example("H5", HK, "(1f)(666z)(123m)(456m)22m78m9m", on("N", "E", round_wind="S"),
            {"pung-of-dragons": 1, "half-flush": 3}, 16, (-32, 0, 0, 32)),
    Example("H7", HK, "(1f)(1g)(2f)(3f)(4f)(2g)(3g)(111z)[2222m][5555z]666z7z7z",
            drawn("E", replacement=GONG, gongs_in_turn=2),
            {"pung-of-dragons": 2, "pung-of-seat-wind": 1, "pung-of-round-wind": 1, "little-three-dragons": 2,
             "all-pungs": 3, "half-flush": 3, "own-bonus-tile": 2, "all-flowers": 1, "seven-bonus-tiles": 3,
             "self-pick": 1, "gong-on-gong": 2}, 128, (384, -128, -128, -128), "blog"),
    Example("H8", HK, "[1111z][2222z][3333z][4444z]5z5z", drawn("E", round_wind="N", keeps=8),
            {"all-honours": 0, "big-four-winds": 0, "four-concealed-pungs": 0, "four-gongs": 0,
             "eight-dealer-keeps": 0}, 640, (1920, -640, -640, -640), "blog"),
    Example("H10", HK, "(555z)(666z)(777z)12m44p3m", drawn("S", liable="N"), {"big-three-dragons": 0}, 128,
            (0, 384, 0, -384), "blog"),
    Example("H11", HK, "(555z)(666z)(777z)12m44p3m", on("S", "W", liable="N"), {"big-three-dragons": 0}, 128,
            (0, 256, -128, -128), "blog"),
    Example("H13", HK, "(4f)(123s)(456s)(789s)(555s)6z6z", drawn("W", liable="S"), {"half-flush": 3, "self-pick": 1},
            16, (-16, -16, 48, -16)),
    Example("H14", HK, "(2222p)(345s)(678s)99m67m8m", drawn("E", replacement=GONG, gongs_in_turn=1, fed_gong="N"),
            {"no-bonus-tiles": 1, "self-pick": 1, "replacement-tile": 1}, 8, (16, 0, 0, -16), "blog"),
    Example("H16", HK, "(4g)123m456p678s66m78p9p", on("E", "S", last_tile=True),
            {"all-chows": 1, "concealed-hand": 1, "last-tile-win": 1}, 8, (16, -16, 0, 0)),
    Example("H17", HK, "19m19p19s1234567z1z", on("W", "E"), {"thirteen-orphans": 0}, 128, (-256, 0, 256, 0)),
    Example("H19", HK, "222m444p666p88s33z8s", on("N", "E"),
            {"all-pungs": 3, "no-bonus-tiles": 1, "concealed-hand": 1}, 16, (-32, 0, 0, 32)),
    Example("H20", HK, "222m444p666p888s3z3z", drawn("N", first_turn=True),
            {"four-concealed-pungs": 0, "gift-of-earth": 0}, 256, (-256, -256, -256, 768)),
    Example("H22", HK, "(777z)(111m)(333m)(999m)5m5m", on("W", "S"), {"ruby-dragon": 0}, 128, (0, -256, 256, 0)),
    Example("H23", HK, "(222s)(333s)(444s)(888s)6z6z", on("E", "N"), {"perfect-green": 0}, 128, (256, 0, 0, -256)),
    Example("H25", HK, "(1f)(2f)(3f)(4f)(1g)(2g)(3g)12345m789p1122z6s", drawn("E", declares_bonus=True),
            {"seven-bonus-tiles": 3}, 8, (24, -8, -8, -8)),
    Example("H26", HK, "(1f)(2f)(3f)(4f)(1g)(2g)(3g)(4g)12345m789p1122z6s", drawn("N"), {"eight-bonus-tiles": 0}, 128,
            (-128, -128, -128, 384)),
)
CHINESE_CLASSICAL = (
    Example("C1", CC, "(444p)(123m)999s22z46m5m", on("W", "N", round_wind="W"), {}, 32, (-64, -32, 128, -32),
            "Babcock, fig. 16", ANY),
    Example("C2", CC, "(444p)(123m)999s22z46m5m", on("W", "N", round_wind="W"), {}, 32, None,
            why="5m completes a chow"),
    Example("C3", CC, "(111p)(333z)777m22m56s4s", on("S", "N", round_wind="S"), {}, 32, (-64, 128, -32, -32),
            "Babcock, fig. 17", ANY),
    Example("C4", CC, "(111p)(333z)777m456s2m2m", drawn("S", round_wind="S"), {}, 36, (-72, 144, -36, -36),
            "Babcock, fig. 17"),
    Example("C5", CC, "(111p)(333z)777m456s2m2m", drawn("W", round_wind="S"), {"pung-of-seat-wind": 1}, 72,
            (-144, -72, 288, -72), "Babcock, fig. 17"),
    Example("C6", CC, "(8888p)(567s)111z55z66z6z", on("S", "N", round_wind="S"), {"pung-of-dragons": 1}, 84,
            (-168, 336, -84, -84), "Babcock, fig. 18"),
    Example("C7", CC, "(8888p)(567s)111z55z66z6z", on("E", "N", round_wind="S"),
            {"pung-of-dragons": 1, "pung-of-seat-wind": 1}, 168, (1008, -336, -336, -336), "Babcock, fig. 18"),
    Example("C8", CC, "123m456p789s34s99p5s", drawn("N"), {}, 32, (-64, -32, -32, 128),
            settings={"minimum": 32}),
    Example("C8 below a minimum", CC, "123m456p789s34s99p5s", drawn("N"), {}, 32, None,
            settings={"minimum": 33}, why="is worth 32; a win needs 33"),
    Example("C10", CC, "(222m)(777s)(999p)33s55m5m", on("E", "S"), {}, 40, (240, -80, -80, -80)),
    Example("C11", CC, "(1f)(2f)(3f)(4f)(234m)678p345s77s55s5s", on("S", "N"), {"own-bonus-tile": 1, "all-flowers": 3},
            500, (-1000, 2000, -500, -500)),
    Example("C13", CC, "234567s678s22s99s9s", on("W", "N"), {"full-flush": 3}, 192, (-384, -192, 768, -192)),
    Example("C14", CC, "(555z)(666z)(777z)12m44p3m", drawn("S"), {"big-three-dragons": 0}, 500,
            (-1000, 2000, -500, -500)),
    Example("C14 on a discard", CC, "(555z)(666z)(777z)12m44p3m", on("S", "N"), {}, 500, None,
            why="3m completes a chow"),
    Example("C16", CC, "1112345678899s9s", on("W", "N"), {"full-flush": 3}, 256, (-512, -256, 1024, -256)),
    Example("C17", CC, "1123456789999s1s", on("W", "N"), {}, 0, None, why="1s completes a"),
    Example("C19", CC, C19, drawn("S", replacement=GONG), {"plum-blossom": 0}, 500, (-1000, 2000, -500, -500)),
    Example("C20", CC, "(345s)[2222m]678s99m46s5s", drawn("S", replacement=GONG), {}, 50, (-100, 200, -50, -50)),
    Example("C22", CC, "222m444p666p88s33z8s", on("N", "S"), {}, 44, (-88, -44, -44, 176)),
    Example("C23", CC, "222m444p666p88s33z8s", drawn("N"), {"four-concealed-pungs": 0}, 500,
            (-1000, -500, -500, 2000)),
    Example("C25", CC, C19, drawn("S", replacement=GONG), {}, 50, (-100, 200, -50, -50),
            settings={"limit_hands": False}),
)
POINTS: dict[str, list[int]] = {
    "C1": [2, 8, 20, 2],
    "C3": [4, 4, 4, 20],
    "C4": [4, 4, 4, 20, 2, 2],
    "C5": [4, 4, 4, 20, 2, 2],
    "C6": [8, 8, 4, 20, 2],
    "C8": [20, 2, 10],
    "C10": [2, 2, 4, 2, 20, 10],
    "C11": [4, 4, 4, 4, 2, 20],
    "C13": [4, 20],
    "C14": [4, 4, 4, 20, 2, 2],
    "C16": [8, 4, 20],
    "C19": [16, 20, 2, 2, 10],
    "C22": [4, 4, 4, 2, 20, 10],
    "C23": [4, 4, 4, 4, 20, 2, 10],
}
"""Own points of some of these hands, whatever their order."""
A1, A2 = "4z11z333z2222z2p5z13p", "4z11z33z1j2222z2s5z1s3s"
A11, A14 = "12f11j2222m5555z13m", "1234f777z2p5z13p666z"
A19, A29 = "1111j777z2p5z13p666z", "1f2f1133557799s66z"
PRACTICE = {"card": "practice"}
BETTOR = {"bettor": True}
NO_LINE = "the hand is not a line"
AMERICAN = (
    Example("A1", US, A1, drawn("E"), {"2013-1": 25}, 50, (300, -100, -100, -100)),
    Example("A2", US, A2, drawn("E"), {"2013-1": 25}, 25, (150, -50, -50, -50)),
    Example("A4", US, "4z11z333z2222z2s5z1s3p", drawn("E"), {}, 0, None, why=NO_LINE),
    Example("A5", US, "(333z)(22z11j)4z11z2m5z13m", drawn("E"), {"2013-1": 25}, 25, (150, -50, -50, -50)),
    Example("A7", US, "1f3f2m5z1m3m111m1j3333s", drawn("E"), {}, 0, None, why=NO_LINE),
    Example("A8", US, "1f3f2m5z1m3m1111p3333p", drawn("E"), {}, 0, None, why=NO_LINE),
    Example("A10", US, "1f2f2s5z1s1j1111p3333m", drawn("E"), {}, 0, None, why="2013-2 lacks 1: 3s"),
    Example("A11", US, A11, drawn("E"), {"2013-3": 30}, 30, (180, -60, -60, -60)),
    Example("A13", US, "(12f11j)2222s55z11j1s3s", drawn("E"), {"2013-3": 30}, 30, (180, -60, -60, -60)),
    Example("A14", US, A14, drawn("E"), {"2013-4": 35}, 70, (420, -140, -140, -140)),
    Example("A16", US, "1234f777z2p5z13p777z", drawn("E"), {}, 0, None, why="6 tiles 7z; there are 4"),
    Example("A17", US, "(1234f)777z2p5z13p666z", drawn("E"), {}, 0, None, why="not a line"),
    Example("A19", US, A19, drawn("E"), {"2013-4": 35}, 35, (210, -70, -70, -70)),
    Example("A20", US, "(3z11j)4z11z2222z2s5z13s", drawn("E"), {"2013-1": 25}, 25, (150, -50, -50, -50)),
    Example("A22", US, "12f4444m5555p9999s", drawn("E"), {"pr-sum": 25}, 50, (300, -100, -100, -100),
            settings=PRACTICE),
    Example("A23", US, "12f4444m5555p8888s", drawn("E"), {}, 0, None, settings=PRACTICE, why=NO_LINE),
    Example("A25", US, "(333s)44s1j555m666m1f1f", drawn("E"), {}, 0, None, settings=PRACTICE,
            why="2 tiles 1f; there is one"),
    Example("A26", US, "(333s)44s1j555m666m1f2g", drawn("E"), {"pr-run": 25}, 25, (150, -50, -50, -50),
            settings=PRACTICE),
    Example("A28", US, "1111z55z1j(777z)1234f", drawn("E"), {"pr-wind": 25}, 25, (150, -50, -50, -50),
            settings=PRACTICE),
    Example("A29", US, A29, drawn("E"), {"pr-pairs": 50}, 50, (300, -100, -100, -100), settings=PRACTICE),
    Example("B1", US, A2, on("S", "N"), {"2013-1": 25}, 25, (-25, 100, -25, -50), "blog"),
    Example("B2", US, A1, on("S", "N"), {"2013-1": 25}, 50, (-50, 200, -50, -100)),
    Example("B3", US, A2, drawn("E"), {"2013-1": 25}, 25, (150, -50, -50, -50)),
    Example("B5", US, A11, on("W", "E"), {"2013-3": 30}, 30, (-60, -30, 120, -30)),
    Example("B6", US, "(1234f)2222m5555z13m", drawn("W"), {"2013-3": 30}, 60, (-120, -120, 360, -120)),
    Example("B7", US, A14, drawn("N"), {"2013-4": 35}, 70, (-140, -140, -140, 420)),
    Example("B8", US, A19, on("N", "W"), {"2013-4": 35}, 35, (-35, -35, -70, 140)),
    Example("B10", US, A29, on("S", "W"), {"pr-pairs": 50}, 50, (-50, 200, -100, -50), settings=PRACTICE),
    Example("B11", US, A2, on("N", "W"), {"2013-1": 25}, 25, (-25, -25, -50, 100)),
    Example("P1", US, A2, on("S", "N", bet="S"), {"2013-1": 25}, 25, (-50, 100, -50, -100, 100), settings=BETTOR),
    Example("P2", US, A2, on("S", "N", bet="E"), {"2013-1": 25}, 25, (-25, 125, -25, -50, -25), "blog",
            settings=BETTOR),
    Example("P3", US, A1, drawn("E", bet="W"), {"2013-1": 25}, 50, (400, -100, -100, -100, -100), settings=BETTOR),
    Example("a bet on a draw", US, A2, on("S", "N", bet=NO_WINNER), {"2013-1": 25}, 25, (-25, 125, -25, -50, -25),
            settings=BETTOR),
)


def _with(*names: str, **values: Any) -> dict[str, Any]:
    return {"patterns": {**dict.fromkeys(names, True), **values}}


OUTDATED = (
    Example("O1", ZJ, C19, drawn("S", replacement=GONG), {"plum-blossom": 320}, 320, (-320, 960, -320, -320),
            settings=_with("plum-blossom")),
    Example("O1 without", ZJ, C19, drawn("S", replacement=GONG), {"one-kong": 5, "win-on-kong": 10}, 15,
            (-15, 45, -15, -15)),
    Example("O2", HK, C19, drawn("S", replacement=GONG), {"plum-blossom": 0}, 128, (-128, 384, -128, -128),
            settings=_with("plum-blossom")),
    Example("O2 without", HK, C19, drawn("S", replacement=GONG),
            {"no-bonus-tiles": 1, "self-pick": 1, "replacement-tile": 1}, 8, (-8, 24, -8, -8)),
    Example("O4", HK, "456m(789p)66z777z13s2s", on("N", "E", robbing=True), {"carrying-pole": 0}, 128,
            (-256, 0, 0, 256), settings=_with("carrying-pole")),
    Example("O4 without", HK, "456m(789p)66z777z13s2s", on("N", "E", robbing=True),
            {"pung-of-dragons": 1, "no-bonus-tiles": 1, "rob-a-gong": 1}, 8, (-16, 0, 0, 16)),
    Example("O5", HK, "(2222m)[3333p]456s78s55p9s",
            drawn("E", replacement=GONG, gongs_in_turn=2, gong_from_replacement=True), {"twofold-fortune": 0}, 128,
            (384, -128, -128, -128), settings=_with("twofold-fortune")),
    Example("O7", HK, "(1f)1122334455668p8p", on("W", "S"), {"concealed-purity-pairs": 0}, 128, (0, -256, 256, 0),
            settings=_with("concealed-purity-pairs")),
    Example("O7 without", HK, "(1f)1122334455668p8p", on("W", "S"),
            {"seven-pairs": 3, "full-flush": 6, "concealed-hand": 1}, 64, (0, -128, 128, 0)),
    Example("O8", HK, "(1f)(111m)(999m)345m6722m8m", on("W", "E"), {"wriggling-snake": 0}, 128, (-256, 0, 256, 0),
            settings=_with("wriggling-snake")),
    Example("O8 without", HK, "(1f)(111m)(999m)345m6722m8m", on("W", "E"), {"full-flush": 6}, 16, (-32, 0, 32, 0)),
    Example("O10", HK, KNITTED, on("S", "W"), {"knitted-pairs": 0}, 128, (0, 256, -256, 0),
            settings=_with("knitted-pairs")),
    Example("O10 without", HK, KNITTED, on("S", "W"), {}, 0, None, why="does not win"),
    Example("O11", ZJ, KNITTED, on("S", "W"), {"knitted-pairs": 320}, 320, (-25, 960, -910, -25),
            settings=_with("knitted-pairs")),
    Example("O13", HK, "(123m)(456p)(777z)(345s)1s1s", on("S", "W"), {"golden-chicken": 0}, 64, (0, 128, -128, 0),
            settings=_with("golden-chicken")),
    Example("O13 without", HK, "(123m)(456p)(777z)(345s)1s1s", on("S", "W"), {}, 0, None, why="only 2 faan"),
    Example("O14", HK, "(222z)(333z)(444z)46m55p5m", on("E", "N"), {"no-bonus-tiles": 1, "triple-guest-winds": 3}, 16,
            (32, 0, 0, -32), settings=_with("triple-guest-winds")),
    Example("O14 without", HK, "(222z)(333z)(444z)46m55p5m", on("E", "N"), {}, 0, None, why="only 1 faan"),
    Example("O16", CC, "123345678m99m55m5m", drawn("W"), {"concealed-purity": 0}, 500, (-1000, -500, 2000, -500),
            settings=_with("concealed-purity")),
    Example("O16 without", CC, "123345678m99m55m5m", drawn("W"), {"full-flush": 3}, 208, (-416, -208, 832, -208)),
    Example("O19", HK, "(3f)123m456p678s66m78p9p", drawn("E", keeps=13, dealer_wins=13),
            {"eight-dealer-keeps": 0, "thirteen-dealer-wins": 0}, 256, (768, -256, -256, -256),
            settings=_with("thirteen-dealer-wins")),
    Example("O19 without", HK, "(3f)123m456p678s66m78p9p", drawn("E", keeps=13, dealer_wins=13),
            {"eight-dealer-keeps": 0}, 128, (384, -128, -128, -128)),
    Example("O19 plain", HK, "(3f)123m456p678s66m78p9p", drawn("E", keeps=13, dealer_wins=13),
            {"all-chows": 1, "self-pick": 1, "concealed-hand": 1}, 8, (24, -8, -8, -8),
            settings=_with(**{"eight-dealer-keeps": 0})),
    Example("O20", HK, "(2222m)[3333p]456s78s55p9s", drawn("E", replacement=GONG, gongs_in_turn=2),
            {"no-bonus-tiles": 1, "self-pick": 1, "gong-on-gong": 2}, 16, (48, -16, -16, -16),
            settings=_with("twofold-fortune")),
)
# fmt: on
EXAMPLES = (*ZUNG_JUNG, *WSOM, *HK_OLD_STYLE, *CHINESE_CLASSICAL, *AMERICAN, *OUTDATED)
