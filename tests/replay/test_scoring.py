"""Scoring against outside authorities: real Tenhou wins, a published set, two libraries; and its own laws."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from each_row import each_row
from hands import win_of
from hypothesis import given
from hypothesis import strategies as st
from random_wins import RandomWin, columns_of, random_win
from score_oracles import (
    DORA_IDS,
    Verdict,
    as_jansou,
    as_riichienv,
    by_jansou,
    by_mahjong,
    by_riichienv,
    ours,
)

from paifu.replay.kernels import scoring_layout as layout
from paifu.replay.kernels.scoring import fitting
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.model.tiles import KINDS, counts_of
from paifu.replay.rules.hand_facts import (
    RON,
    ROUND_WIND,
    SEAT_WIND,
    WIND_KINDS,
    Situation,
    all_of,
    any_of,
    triplet,
)
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.limits import Limit
from paifu.replay.scoring.many import score_many
from paifu.replay.scoring.readings import Meld
from paifu.replay.scoring.score import ScoredWin, score
from paifu.replay.scoring.tables import scoring_tables
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.scoring.yaku import DORA_ID, KITA_ID, RED_DORA_ID, URA_DORA_ID, YAKU, Yaku, YakuKind

HELPERS = str(Path(__file__).parents[1] / "helpers")


def _rounded_fu(won: ScoredWin) -> int:
    total = sum(row.fu for row in won.fu_rows)
    return total if total == 25 else -(-total // 10) * 10


# The published set of majiang-core

_MAJIANG_YAKU = {
    "門前清自摸和": 0, "立直": 1, "一発": 2, "嶺上開花": 4, "海底摸月": 5, "河底撈魚": 6, "平和": 7,
    "断幺九": 8, "一盃口": 9, "自風 東": 10, "自風 南": 11, "自風 西": 12, "自風 北": 13, "場風 東": 14,
    "場風 南": 15, "場風 西": 16, "翻牌 白": 18, "翻牌 發": 19, "翻牌 中": 20, "ダブル立直": 21, "七対子": 22,
    "混全帯幺九": 23, "一気通貫": 24, "三色同順": 25, "三色同刻": 26, "対々和": 28, "三暗刻": 29,
    "小三元": 30, "混老頭": 31, "二盃口": 32, "純全帯幺九": 33, "混一色": 34, "清一色": 35, "四暗刻": 40,
    "国士無双": 47, "ドラ": 52, "裏ドラ": 53, "赤ドラ": 54,
}  # fmt: skip


def _majiang_tiles(text: str) -> list[int]:
    """Read ``m340p1``: the suit is before the digits."""
    groups = re.findall(r"([mpsz])(\d+)", text)
    return [tile for suit, digits in groups for tile in parse_tiles(digits + suit)]


def _majiang_meld(text: str) -> Meld:
    tiles = tuple(_majiang_tiles(re.sub(r"[-+=]", "", text)))
    called = re.search(r"[-+=]", text)
    # The mark is after the fourth tile where it was called, after the third where it was added.
    return Meld.of(tiles, closed=len(tiles) == 4 and not called)


def _majiang_hand(case: dict[str, Any]) -> WinningHand:
    concealed, *melds = case["shoupai"].split(",")
    tiles, param = _majiang_tiles(concealed), case["param"]
    ron = case.get("rongpai")
    seat = param["menfeng"]
    flags = param["hupai"]
    situation = RON if ron else Situation.TSUMO
    situation |= (RON, Situation.RIICHI, Situation.DOUBLE_RIICHI)[flags.get("lizhi", 0)]
    situation |= (RON, Situation.HAITEI, Situation.HOUTEI)[flags.get("haidi", 0)]
    situation |= Situation.IPPATSU if flags.get("yifa") else RON
    situation |= Situation.RINSHAN if flags.get("lingshang") else RON
    if ron:
        tiles += _majiang_tiles(ron)
    return WinningHand(
        tiles=tuple(tiles),
        win=tiles[-1],
        melds=tuple(map(_majiang_meld, melds)),
        situation=situation,
        seat_wind=seat,
        round_wind=param["zhuangfeng"],
        dora_indicators=tuple(t for text in param["baopai"] for t in _majiang_tiles(text)),
        ura_indicators=tuple(t for text in param["fubaopai"] or () for t in _majiang_tiles(text)),
        honba=param["jicun"]["changbang"],
        sticks=param["jicun"]["lizhibang"],
        # "+" is the next player, "=" the one opposite, "-" the one before.
        payer=(seat + "?+=-".index(ron[-1])) % 4 if ron else None,
    )


@pytest.mark.corpus
def test_the_published_hands_of_majiang_core_score_as_published(shared: Path) -> None:
    rows = json.loads((shared / "testsets" / "kobalab-majiang-core" / "hule.json").read_text("utf-8"))
    wrong = []
    for number, row in enumerate(rows):
        won, out = score(_majiang_hand(row["in"]), load_preset("majsoul")), row["out"]
        expected = {_MAJIANG_YAKU[h["name"]]: 13 if h["fanshu"] == "*" else h["fanshu"] for h in out["hupai"]}
        mine = {yaku.id: han for yaku, han in won.yaku}
        pairs = [
            (mine, expected),
            (won.points, out["defen"]),
            (list(won.payments), out["fenpei"]),
            (won.yakuman, out["damanguan"] or 0),
        ]
        if not won.yakuman:
            pairs += [(won.fu, out["fu"]), (won.han, out["fanshu"])]
        wrong += [(number, a, b) for a, b in pairs if a != b]
    assert len(rows) == 5000
    assert not wrong, f"{len(wrong)} differences, first of all {wrong[:5]}"


# Two libraries, on random hands


def _score_or_none(win: RandomWin, rules: Ruleset) -> ScoredWin | None:
    try:
        return score(win.hand, rules)
    except HandError as error:
        if "no yaku" not in str(error):
            raise
        return None


def _why_riichienv_differs(theirs: Verdict, mine: Verdict) -> str:
    """Name the two known ways in which ``riichienv`` judges otherwise, or nothing."""
    if theirs.han >= 13 and mine.paid == theirs.paid and _has_yakuman(mine) and not _has_yakuman(theirs):
        # It prefers more han to a real yakuman where both are paid as one. The points are the same; a
        # yakuman is what players (and the library mahjong) call such a hand.
        return "counted yakuman"
    if {37, 48} <= theirs.yaku and {37, 47} <= mine.yaku:
        # It takes every thirteen orphans dealt complete for a thirteen-tile wait. We go by the tile named
        # as the winning one, as for any hand; a log names it for tenhou too.
        return "tenhou with thirteen orphans"
    return ""


def _has_yakuman(verdict: Verdict) -> bool:
    return any(YAKU[i].kind == YakuKind.YAKUMAN for i in verdict.yaku)


def _compare_with_libraries(number: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    seen: Counter[str] = Counter()
    for i in range(number):
        players = 3 if i % 4 == 3 else 4
        suffix = "-sanma" if players == 3 else ""
        win = random_win(rng, players=players)
        single, double = (_score_or_none(win, load_preset(name + suffix)) for name in ("tenhou", "majsoul"))
        mine = ours(single, win) if single else None
        assert mine == by_mahjong(win, players), win
        assert (single is None) == (double is None), win
        if single:
            assert single.yakuman or _rounded_fu(single) == single.fu
        preset = ("tenhou", "majsoul", "mleague")[i % 3]
        with_three = {"mleague": "tenhou"}.get(preset, preset) + suffix if suffix else preset
        _compare_with_jansou(win, with_three)
        doubled = as_riichienv(ours(double, win)) if double else None
        theirs = by_riichienv(win, players)
        if doubled != theirs:
            assert doubled, win
            assert theirs, win
            why = _why_riichienv_differs(theirs, doubled)
            assert why, (win, doubled, theirs)
            seen[why] += 1
        seen["no yaku" if doubled is None else "yakuman" if _has_yakuman(doubled) else "common"] += 1
        seen[with_three] += 1
        seen.update(f"yaku {i}" for i in (mine.yaku if mine else ()))
    return seen


def _compare_with_jansou(win: RandomWin, preset: str) -> None:
    won = _score_or_none(win, load_preset(preset))
    theirs, changes = by_jansou(win.hand, preset)
    assert (as_jansou(ours(won, win)) if won else None) == theirs, (win, preset)
    assert changes == (won.payments if won else ()), (win, preset)


def test_random_hands_score_as_three_libraries_score_them() -> None:
    seen = _compare_with_libraries(1_200, seed=1)
    assert seen["no yaku"] > 20
    assert seen["common"] > 600
    assert seen["yakuman"] > 70
    assert seen["mleague"] > 180


# Many at once

TENHOU = load_preset("tenhou")


def _compare_many(number: int, seed: int, players: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    rules = load_preset("tenhou" if players == 4 else "tenhou-sanma")
    counters = [(rng.randrange(4), rng.randrange(4)) for _ in range(number)]
    hands = [
        random_win(rng, players=players).hand._replace(honba=honba, sticks=sticks)
        for honba, sticks in counters
    ]
    counts, win, columns = columns_of(hands)
    found = score_many(counts, win, rules, **columns)
    for row, hand in enumerate(hands):
        try:
            won = score(hand, rules)
        except HandError:
            assert found.base[row] == 0, hand
            continue
        assert [yaku.id for yaku in found.yaku(row, rules)] == [
            yaku.id for yaku, _ in won.yaku if yaku.kind != YakuKind.DORA
        ]
        assert tuple(found.payments[row].tolist()) == won.payments
        mine = found.base[row], found.han[row], found.fu[row], found.yakuman[row], found.points[row]
        assert mine == (won.base, won.han, won.fu, won.yakuman, won.points)


@pytest.mark.parametrize("players", [3, 4])
def test_many_hands_are_worth_what_each_is(players: int) -> None:
    _compare_many(1_000, 1, players)


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_20000_hands_are_worth_what_each_is(players: int) -> None:
    _compare_many(20_000, 2, players)


@pytest.mark.parametrize(
    ("hand", "changed", "message"),
    [
        ("123m456p789s11122z", {"win": 5}, "row 0: a hand has 14 tiles"),
        ("123m456p789s1112z", {}, "row 1: a hand has 14 tiles"),
        ("123m456p789s11122z", {"dora": np.array([[27], [27]])}, ""),
        ("123m456p789s11122z", {"dora": np.array([[27], [34]])}, "row 1: a hand has 14 tiles"),
        ("123m456p789s11122z", {"dora": np.array([27, 27])}, "dora: expected 2 rows of 5 cells"),
        ("123m456p789s11122z", {"seat_wind": 4}, "row 0: a hand has 14 tiles"),
        ("123m456p789s11122z", {"situation": Situation.RENHOU}, "renhou is not played"),
        ("123m456p789s11122z", {"kita": 1}, "north cannot be set aside"),
        ("123m456p789s11122z", {"honba": -1}, "honba and riichi sticks are 0 or more"),
    ],
)
def test_what_no_hand_can_be_is_refused_among_many(hand: str, changed: dict[str, Any], message: str) -> None:
    sound = counts_of(parse_tiles("123m456p789s11122z"))
    hands = np.array([sound, counts_of(parse_tiles(hand))])
    given = {"win": 0, "situation": Situation.RIICHI} | changed
    if message:
        with pytest.raises(HandError, match=message):
            score_many(hands, given.pop("win"), TENHOU, **given)
    else:
        assert score_many(hands, given.pop("win"), TENHOU, **given).han.tolist() == [4, 4]


# What the result says


def test_fu_come_with_their_reasons() -> None:
    won = score(win_of("99s13m(777z)[2222s]555p2m"), TENHOU)
    assert [(row.fu, row.reason, row.tiles) for row in won.fu_rows] == [
        (20, "winning", ""),
        (2, "closed wait (kanchan)", ""),
        (4, "concealed triplet of simples", "555p"),
        (4, "open triplet of terminals or honours", "(777z)"),
        (16, "concealed kan of simples", "[2222s]"),
    ]
    assert (won.fu, won.han, won.points) == (50, 1, 1600)


def test_other_readings_say_why_they_lost() -> None:
    won = score(win_of("2233445566778p8p", Situation.TSUMO), TENHOU)
    assert str(won.reading) == "345p 345p 678p 678p 22p, ryanmen"
    assert [(str(other.reading), other.why, other.points) for other in won.others] == [
        ("234p 234p 678p 678p 55p, ryanmen", "worth the same", 24000),
        ("234p 234p 567p 567p 88p, tanki", "fewer han", 24000),
        ("22p 33p 44p 55p 66p 77p 88p, tanki", "fewer points", 16000),
    ]


def test_the_dearest_reading_is_scored_not_the_first() -> None:
    # 111222333m is three triplets (sanankou, 2 han) or three equal runs (iipeikou, pinfu: cheaper here).
    won = score(win_of("11122233m456p99s3m", Situation.TSUMO), TENHOU)
    assert {yaku.id for yaku, _ in won.yaku} == {0, 29}
    assert {other.why for other in won.others} == {"fewer points"}


def test_at_equal_points_a_yakuman_goes_before_a_counted_one() -> None:
    # 333444555s are three triplets, or three equal runs in a hand of 13 han with its three dora.
    hand = win_of("3334455588822s4s", Situation.TSUMO | Situation.RIICHI, dora_indicators=(24,))
    won = score(hand, TENHOU)
    assert won.others[0].han == 13
    assert [yaku.id for yaku, _ in won.yaku] == [40]
    assert won.yakuman == 1


def test_dora_of_every_sort_are_told_apart() -> None:
    hand = win_of(
        "99m340678p222z67s(4z)8s",
        Situation.RIICHI,
        dora_indicators=tuple(parse_tiles("3z2p")),
        ura_indicators=tuple(parse_tiles("1m3z")),
    )
    won = score(hand, load_preset("tenhou-sanma"))
    # 3z points to north: the one set aside counts as kita and as dora. In a set without 2-8 man the
    # indicator 1m points to 9m.
    dora = {yaku.id: han for yaku, han in won.yaku if yaku.id in DORA_IDS}
    assert dora == {DORA_ID: 1 + 1, URA_DORA_ID: 2 + 1, RED_DORA_ID: 1, KITA_ID: 1}


def test_three_players_have_no_middle_characters_and_no_chi() -> None:
    sanma = load_preset("tenhou-sanma")
    with pytest.raises(HandError, match="2m is not in the set of three players"):
        score(win_of("123m456p789s11777z"), sanma)
    with pytest.raises(HandError, match="chi cannot be called"):
        score(win_of("123p789s11777z(456p)"), sanma)


@each_row(
    ("base", "limit"),
    [
        (1920, Limit.NONE), (2000, Limit.MANGAN), (3000, Limit.HANEMAN), (4000, Limit.BAIMAN),
        (6000, Limit.SANBAIMAN), (8000, Limit.YAKUMAN), (24000, Limit.YAKUMAN),
    ],
)  # fmt: skip
def test_limits_go_by_base_points(base: int, limit: Limit) -> None:
    assert Limit.of_base(base) == limit


def test_a_yaku_takes_one_row_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row added to the table counts at once, whatever its id, as han or as a limit by itself."""
    guests = any_of(
        all_of(triplet(kind) for kind in WIND_KINDS if kind != left_out) for left_out in WIND_KINDS
    ) & ~any_of((SEAT_WIND[wind] | ROUND_WIND[wind]) & triplet(27 + wind) for wind in range(4))
    plain = Yaku(
        80, "otakaze sankou", "three guest winds", "客風三刻", YakuKind.LOCAL, (2, 2), guests,
        meaning="Three guest winds",
    )  # fmt: skip
    rules = with_overrides(TENHOU, {"honba_each": 101})  # its own tables, made while the row is there
    limited = with_overrides(TENHOU, {"honba_each": 102})
    hand, other = (
        win_of("(222z)(333z)444z456m9p9p", seat_wind=0),
        win_of("(222z)(333z)444z456m9p9p", seat_wind=1),
    )
    monkeypatch.setattr("paifu.replay.scoring.yaku.YAKU", {**YAKU, 80: plain})
    assert [(yaku.id, han) for yaku, han in score(hand, rules).yaku] == [(80, 2)]
    assert [yaku.id for yaku, _ in score(other, rules).yaku] == [11]
    monkeypatch.setattr("paifu.replay.scoring.yaku.YAKU", {**YAKU, 80: replace(plain, limit=lambda _: 4000)})
    won = score(hand, limited)
    assert ([yaku.id for yaku, _ in won.yaku], won.limit) == ([80], Limit.BAIMAN)


def _digest(number: int) -> str:
    """Everything the score says of some random hands, in short."""
    rng = random.Random(9)  # noqa: S311 - not for secrets
    said: list[object] = []
    for i in range(number):
        win = random_win(rng, players=3 + i % 2)
        won = _score_or_none(win, load_preset(("tenhou-sanma", "tenhou")[i % 2]))
        said.append(won and (ours(won, win), won.fu_rows, won.payments, won.limit, won.reading, won.others))
    return hashlib.sha256(re.sub(r"frozenset\(.*?\)", _in_order, repr(said)).encode()).hexdigest()


def _in_order(found: re.Match[str]) -> str:
    return " ".join(sorted(re.findall(r"\d+", found[0])))


@pytest.mark.full
def test_interpreted_kernels_say_the_same() -> None:
    code = (
        "from paifu.replay.kernels.running import way; import test_scoring; assert way() == 'python';"
        "print(test_scoring._digest(400))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=Path(__file__).parent,
        env={**os.environ, "PAIFU_KERNELS": "python", "PYTHONPATH": HELPERS},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout.strip() == _digest(400), done.stderr


# Laws that hold for every hand

SEEDS = st.integers(0, 10**9)


def _random_scored(seed: int, players: int = 4) -> tuple[RandomWin, ScoredWin | None]:
    win = random_win(random.Random(seed), players=players)  # noqa: S311 - not for secrets
    rules = load_preset("tenhou" if players == 4 else "tenhou-sanma")
    return win, _score_or_none(win, rules)


@given(SEEDS, st.sampled_from([3, 4]), st.integers(0, 5), st.integers(0, 4), st.integers(0, 3))
def test_payments_sum_to_the_sticks(seed: int, players: int, honba: int, sticks: int, marked: int) -> None:
    win, won = _random_scored(seed, players)
    rules = load_preset("tenhou" if players == 4 else "tenhou-sanma")
    if won is None:
        return
    rules = with_overrides(rules, {"wareme": True})
    richer = score(win.hand._replace(honba=honba, sticks=sticks, marked=marked % players), rules)
    assert sum(richer.payments) == sticks * rules.riichi.riichi_stick
    assert richer.payments[win.hand.seat_wind] >= won.points + sticks * rules.riichi.riichi_stick
    assert richer.points == won.points


@given(SEEDS, st.permutations(range(3)))
def test_the_suits_are_alike_but_for_all_green(seed: int, order: list[int]) -> None:
    win, won = _random_scored(seed)
    if won is None or 43 in {yaku.id for yaku, _ in won.yaku}:
        return

    def moved(tiles: tuple[int, ...]) -> tuple[int, ...]:
        new = [
            order[t // 9] * 9 + t % 9 if t < 27 else t if t < KINDS else KINDS + order[t - KINDS]
            for t in tiles
        ]
        return tuple(new)

    hand = win.hand._replace(
        tiles=moved(win.hand.tiles),
        win=moved((win.hand.win,))[0],
        melds=tuple(Meld(meld.kind, moved(meld.tiles)) for meld in win.hand.melds),
        dora_indicators=moved(win.hand.dora_indicators),
        ura_indicators=moved(win.hand.ura_indicators),
    )
    other = score(hand, TENHOU)
    if 43 in {yaku.id for yaku, _ in other.yaku}:
        return
    assert (other.yaku, other.han, other.fu, other.payments) == (won.yaku, won.han, won.fu, won.payments)


@given(SEEDS, st.integers(0, KINDS - 1))
def test_one_more_dora_never_lowers_the_points(seed: int, indicator: int) -> None:
    win, won = _random_scored(seed)
    shown = (*win.hand.dora_indicators, indicator)
    if won is None or len(shown) > 5:
        return
    try:
        more = score(win.hand._replace(dora_indicators=shown), TENHOU)
    except HandError:
        return  # the indicator is a fifth tile of its kind
    assert more.points >= won.points
    assert more.han >= won.han


@given(SEEDS)
def test_tables_are_made_once_for_equal_rulesets(seed: int) -> None:
    rules = with_overrides(TENHOU, {"honba_each": seed % 1000})
    assert scoring_tables(rules) is scoring_tables(with_overrides(TENHOU, {"honba_each": seed % 1000}))


@given(st.sampled_from(["tenhou", "kwan-house"]), SEEDS)
def test_words_fit_the_patterns_whose_bits_they_have(name: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    rows, fits = scoring_tables(load_preset(name)).patterns
    one = rng.choice(rows).tolist()  # a word of random bits fits hardly any pattern
    sizes = [layout.PIECE * pieces for pieces in layout.PIECES_OF]
    bits = [rng.getrandbits(size) & rng.getrandbits(size) for size in sizes]
    words = [(bits[i] | one[2 * i]) & ~one[2 * i + 1] for i in range(layout.WORDS)]
    found = [
        reduce(int.__and__, (int(fitting(word, i, cell)) for i, word in enumerate(words))) for cell in fits
    ]
    for i, row in enumerate(rows.tolist()):
        holds = all(
            word & need == need and not word & never
            for word, need, never in zip(words, row[0:10:2], row[1:10:2], strict=True)
        )
        assert holds == found[i // layout.PATTERNS_A_CELL] >> i % layout.PATTERNS_A_CELL & 1, i
