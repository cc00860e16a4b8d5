"""What ``paifu score`` does with options that cannot be, that the rules do not play, or that say nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result
from each_row import each_row
from hands import win_of
from rules.table_flips import Scene, _tiles

from paifu.cli.__main__ import cli
from paifu.replay.kernels import table_state as state
from paifu.replay.kernels import transitions
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import score
from paifu.replay.shapes.shanten import acceptance, waits

S = Situation
YAKUHAI = "456m456p234s99p777z"
DRAGONS = "9p123m(555z)(666z)(777z)9p"
"""Big three dragons, all of them called."""
WIND_KAN = "[2222z]345m345p678s99s --win 3m"
"""The own wind as a closed kan."""
FOUR_OWN_KANS = "[1111m][5555m][3333p][7777s]99p"
TENPAI = "456m456p23s99p777z"
TENHOU = load_preset("tenhou")


def run(text: str) -> Result:
    return CliRunner().invoke(cli, ["score", *text.split()])


def answer(text: str) -> dict[str, Any]:
    result = run(f"{text} --format json")
    assert result.exit_code == 0, result.stderr
    loaded: dict[str, Any] = json.loads(result.stdout)
    return loaded


NOT_PLAYED = [
    ("--open-riichi", "open riichi is not played under the ruleset tenhou (rule open_riichi_han)"),
    ("--renhou", "renhou is not played"),
    ("--wareme south", "wareme is not played under the ruleset tenhou (rule wareme)"),
    ("--kanburi", "kanburi is not played under the ruleset tenhou (rule kanburi_han)"),
    ("--tsubame", "tsubame is not played"),
    ("--pochi", "pochi is not played under the ruleset tenhou (rule pochi)"),
    ("--riichi --ippatsu --rules kwan-official", "ippatsu is not played under the ruleset kwan-official"),
    ("--dora 1m --set dora=false", "dora indicators do not count"),
    ("--dora 12m --set kan_dora=false", "the dora indicators of kans do not count"),
    ("--riichi --dora 1m --ura 2m --set ura_dora=false", "ura dora indicators do not count"),
    ("--riichi --ura 23m --set dora=false --set kan_dora=false", "the dora indicators of kans do not count"),
    ("--chiihou --payer east", "chiihou needs tsumo"),
    (
        "--riichi --dora 12m --ura 23m --set kan_ura_dora=false",
        "the ura dora indicators of kans do not count",
    ),
]


@each_row(("options", "message"), NOT_PLAYED)
def test_what_the_rules_do_not_play_is_refused(options: str, message: str) -> None:
    result = run(f"{YAKUHAI} {options}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


def test_a_logs_hand_can_leave_out_what_its_rules_do_not_play() -> None:
    hand = win_of(YAKUHAI, S.TSUBAME | S.KANBURI | S.RENHOU, dora="1m2m", marked=2, payer=0)
    bare = with_overrides(TENHOU, {"kan_dora": False})
    played = hand.as_played(bare)
    assert (played.situation, played.marked, played.dora_indicators) == (RON, None, (0,))
    with pytest.raises(HandError):
        score(hand, bare)
    assert score(played, bare) == score(win_of(YAKUHAI, dora="1m", payer=0), bare)
    assert played.as_played(bare) == played


IMPOSSIBLE = [
    # Robbing a kan: its four tiles are all in the kan.
    (f"{YAKUHAI} --chankan", "the robbed kan needs"),
    ("456m456p234s777z9p9p --chankan", "the robbed kan needs"),
    ("19m19p19s1234567z7z --chankan --rules majsoul", "the robbed kan needs"),
    ("456p234s99p777z45m6m --chankan --dora 6m", "the robbed kan needs"),
    ("456p234s99p777z45m6m --chankan --houtei", "chankan is not a win on a discard"),
    ("456p234s99p777z45m6m --chankan --kanburi --set kanburi_han=1", "chankan is not a win on a discard"),
    # The first turn.
    (f"{YAKUHAI} --tenhou --riichi --ippatsu --seat-wind east", "tenhou wins in the first turn"),
    (f"{YAKUHAI} --tenhou --haitei --seat-wind east", "tenhou wins in the first turn"),
    (f"{YAKUHAI} --chiihou --double-riichi", "chiihou wins in the first turn"),
    (f"{YAKUHAI} --renhou --riichi --rules ema", "renhou wins in the first turn"),
    (f"{YAKUHAI} --renhou --houtei --rules ema", "renhou wins in the first turn"),
    (f"{YAKUHAI} --renhou --payer west --rules ema", "this payer has not discarded yet"),
    (f"{YAKUHAI} --chiihou --ron --seat-wind west --payer south --rules kwan-official", "has not discarded"),
    (f"{YAKUHAI} --renhou --rules kwan-official", "this payer has not discarded yet"),
    (f"{YAKUHAI} --chiihou --ron --renhou --rules kwan-official", "chiihou does not go with renhou"),
    # The last tiles and riichi.
    (f"{YAKUHAI} --double-riichi --ippatsu --houtei", "with ippatsu is over long before the last tile"),
    (f"{YAKUHAI} --riichi --ippatsu --kanburi --set kanburi_han=1", "the kan ends it"),
    (f"{YAKUHAI} --tsubame --houtei --set tsubame_gaeshi_han=1", "riichi needs tiles in the wall"),
    (f"{YAKUHAI} --riichi --dora 1m --ura 2m3m", "there are more of them than dora indicators"),
    (f"{YAKUHAI} --riichi --ura 2m", "there are more of them than dora indicators"),
    # Seats and numbers.
    (f"{YAKUHAI} --tsumo --payer east", "nobody discards the tile of a tsumo"),
    (
        "456p456p234s99p777z --rules tenhou-sanma --wareme north --set wareme=true",
        "wareme 3: seats are 0 to 2",
    ),
    # Tiles.
    ("99m340678p222z67s(4z)(4z)(4z)(4z)(4z)8s --rules tenhou-sanma", "5 tiles 4z"),
    ("456m456p234s77z99p9p(4z)", "north cannot be set aside under the ruleset tenhou"),
    ("0m46m456p234s99p777z --win 5m", "the hand holds 0m: write --win 0m"),
    ("456m456p234s99p777z --win 0m", "the hand holds 5m: write --win 5m"),
    # Kans end the first turn, double riichi or ippatsu, and there are four of them.
    (f"{YAKUHAI} --tenhou --seat-wind east --dora 1m2m", "tenhou is over with the first kan"),
    (f"{YAKUHAI} --chiihou --dora 1m2m", "chiihou is over with the first kan"),
    (f"{YAKUHAI} --renhou --rules ema --dora 1m2m", "renhou is over with the first kan"),
    (f"{WIND_KAN} --double-riichi --ippatsu --dora 1m2m", "only if no kan was made"),
    (f"{WIND_KAN} --double-riichi --ippatsu", "only if no kan was made"),
    (f"{YAKUHAI} --double-riichi --ippatsu --dora 1m2m", "only if no kan was made"),
    ("456p456p234s99p777z(4z) --rules tenhou-sanma --double-riichi --ippatsu", "no north set aside"),
    ("456p234s99p777z45m6m --chankan --double-riichi --ippatsu", "the robbed kan adds to a pon"),
    ("456p234s99p777z45m6m --chankan --dora 1m1m1m1m9s", "four kans have been made"),
    (f"{FOUR_OWN_KANS} --kanburi --set kanburi_han=1", "the winner made all four"),
    (f"{WIND_KAN} --riichi --rinshan --set riichi_kan=forbidden", "there is none in riichi"),
    ("[1111m][5555m][3333p]78s99p --win 9s --dora 1z", "there are 4 at least when"),
    ("[4444z](2222p)55p234s67m8m --win 8m --seat-wind north --dora 1p", "there are 3 at least"),
    ("[4444z](2222p)55p234s67m8m --win 8m --seat-wind north --dora 1p9s", "there are 3 at least"),
    (f"{WIND_KAN} --dora 5m", "2 at least when this hand wins, and 1 given; give them all, or none"),
    ("[1111m]456p234s99p77z7z --rinshan --dora 1z", "there are 2 at least"),
    ("(1111m)456p234s99p77z7z --rinshan --dora 1z --rules ema", "there are 2 at least"),
    ("(1111m)(5555m)456p77z7z99p --rinshan --dora 1z", "there are 2 at least"),
    (f"{WIND_KAN} --tsumo --dora 1m1m1m1m9s", "end the hand before this win"),
    (f"{WIND_KAN} --dora 1m1m1m1m9s --rules kwan-official", "end the hand before this win"),
    # What is given twice.
    (f"{YAKUHAI} --tsumo --ron", "--tsumo/--ron was given 2 times; give it once"),
    (f"{YAKUHAI} --dora 1m --dora 2m", "--dora was given 2 times"),
    (f"{YAKUHAI} --seat-wind east --seat-wind south", "--seat-wind was given 2 times"),
    (f"{YAKUHAI} -w 7z --win 9p", "-w/--win was given 2 times"),
    # Four kans that win without a pair.
    ("[1111m][5555m][3333p][7777s]9p --ron --set suukantsu_needs_pair=false", "no ron on the lone tile"),
    ("[1111m][5555m][3333p][7777s]9p --rinshan --set suukantsu_needs_pair=false", "needs a pair"),
]


@each_row(("text", "message"), IMPOSSIBLE)
def test_a_win_that_cannot_be_is_refused(text: str, message: str) -> None:
    result = run(text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


POSSIBLE = [
    ("456p234s99p777z45m6m --chankan --riichi --ippatsu", 8000),
    ("19m19p19s123456z6z7z --chankan --rules majsoul", 32000),
    ("456p234s99p777z45m6m --chankan --dora 5m", 5200),
    (f"{YAKUHAI} --renhou --seat-wind west --payer south --rules ema", 8000),
    (f"{YAKUHAI} --chiihou --payer east --rules kwan-official", 32000),
    (f"{YAKUHAI} --renhou --tsubame --rules ema --set tsubame_gaeshi_han=1", 8000),
    (f"{YAKUHAI} --houtei --kanburi --set kanburi_han=1", 5200),
    (f"{YAKUHAI} --tsubame --houtei --set tsubame_gaeshi_han=1 --set riichi_wall=0", 5200),
    (f"{YAKUHAI} --riichi --ippatsu --houtei", 8000),
    (f"{YAKUHAI} --double-riichi --haitei", 8000),
    (f"{YAKUHAI} --riichi --dora 1z2z --ura 1z", 2600),
    # Kans that leave the rest as it is.
    (f"{WIND_KAN} --double-riichi --dora 1m2m", 8000),
    (f"{WIND_KAN} --riichi --ippatsu --dora 5m6m", 8000),
    (f"{WIND_KAN} --riichi --rinshan --dora 5m6m", 8000),
    ("[4444z](2222p)55p234s67m8m --win 8m --seat-wind north --dora 1p9s9s", 8000),
    ("(1111m)456p234s99p77z7z --rinshan --dora 1z", 3200),
    ("(1111m)(5555m)456p77z7z99p --rinshan --dora 1z1z", 4000),
    ("[1111m]456p234s99p77z7z --rinshan --dora 1z --set kan_dora_timing=all_after_discard", 8000),
    ("19m19p19s123456z6z7z --chankan --double-riichi --ippatsu --rules majsoul", 32000),
    ("456p234s99p777z45m6m --chankan --double-riichi", 8000),
    ("456p456p234s99p777z(4z) --rules tenhou-sanma --double-riichi", 8000),
    ("(1111m)(5555m)(7777p)78s99p9s --rinshan --dora 1z --set kan_dora_timing=after_discard", 7900),
    (f"{WIND_KAN} --dora 1p1p1p1p9s", 2300),
    (f"{WIND_KAN} --tsumo --dora 1p1p1p1p9s --set abort_suukaikan=false", 4000),
    (f"{YAKUHAI} --tsumo --dora 1m1m1m1m9s", 2000),
    (f"{YAKUHAI} --rules ema --rules tenhou", 1300),
    (f"{YAKUHAI} --tenhou --seat-wind east --dora 1m", 48000),
]


@each_row(("text", "points"), POSSIBLE)
def test_what_can_be_is_not_refused(text: str, points: int) -> None:
    assert answer(text)["points"] == points


def test_who_can_have_discarded_pays_when_nobody_is_named() -> None:
    assert answer(f"{YAKUHAI} --renhou --rules ema")["hand"]["payer"] == "east"
    assert answer(f"{YAKUHAI} --renhou --seat-wind west --rules kwan-official")["hand"]["payer"] == "south"
    assert answer(f"{YAKUHAI} --chiihou --ron --rules kwan-official")["hand"]["payer"] == "east"
    assert answer(YAKUHAI)["hand"]["payer"] == "west"


# Hands of 13 tiles

WAITING_REFUSED = [
    ("--riichi", "--riichi describes a win"),
    ("--tsumo", "--tsumo describes a win"),
    ("--ron", "--ron describes a win"),
    ("--open-riichi", "--open-riichi describes a win"),
    ("--honba 3", "--honba describes a win"),
    ("--sticks 1", "--sticks describes a win"),
    ("--payer east", "--payer describes a win"),
    ("--liable east", "--liable describes a win"),
    ("--wareme east", "--wareme describes a win"),
    ("--ura 1m", "--ura describes a win"),
    ("--dora xyz", "expected digits"),
    ("--dora 777z", "6 tiles 7z in hand and indicators"),
    ("--dora 1m --set dora=false", "dora indicators do not count"),
]


@each_row(("options", "message"), WAITING_REFUSED)
def test_what_says_nothing_about_13_tiles_is_refused(options: str, message: str) -> None:
    result = run(f"{TENPAI} {options}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


WAITING_IMPOSSIBLE = [
    ("00p46p23s99p777z(456m)", "2 red fives 0p; the ruleset tenhou has 1"),
    ("0p46p23s99p777z(456m) --set red_pin=0", "1 red fives 0p"),
    ("456p23s99p777z(456p) --rules tenhou-sanma", "chi cannot be called under the ruleset tenhou-sanma"),
    ("456m456p23s99p777z --rules tenhou-sanma", "4m is not in the set of three players"),
    ("456m456p23s99p777z(4z)", "north cannot be set aside under the ruleset tenhou"),
    ("456p456p23s99p777z(4z)(4z)(4z)(4z)(4z) --rules tenhou-sanma", "5 tiles 4z"),
    ("11111m456p789s22z", "5 tiles 1m"),
]


@each_row(("text", "message"), WAITING_IMPOSSIBLE)
def test_13_tiles_pass_the_checks_of_14(text: str, message: str) -> None:
    result = run(text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


@each_row(
    ("text", "kind", "tiles", "live"),
    [
        ("456p456p234s777z4z --rules tenhou-sanma", "waits", ["4z"], 3),
        ("456p456p234s777z4z(4z) --rules tenhou-sanma", "waits", ["4z"], 2),
        ("456p456p234s777z4z(4z)(4z) --rules tenhou-sanma", "waits", ["4z"], 1),
        ("456p456p234s777z4z(4z)(4z)(4z) --rules tenhou-sanma", "waits", [], 0),
        (TENPAI, "waits", ["1s", "4s"], 8),
        (f"{TENPAI} --dora 114s", "waits", ["1s", "4s"], 5),
        (f"{TENPAI} --seat-wind east --round-wind south", "waits", ["1s", "4s"], 8),
    ],
)
def test_norths_set_aside_and_indicators_are_no_live_tiles(
    text: str, kind: str, tiles: list[str], live: int
) -> None:
    found = answer(text)
    assert (found["kind"], found["tiles"], found["live"]) == (kind, tiles, live)
    assert f"({live} tile" in run(text).stdout


def test_norths_set_aside_count_in_the_library_too() -> None:
    hand = parse_tiles("456p456p234s777z4z")
    assert waits(hand, sanma=True, kita=2) == (30,)
    assert waits(hand, sanma=True, kita=3) == ()
    assert acceptance(hand, sanma=True, kita=2).live == 1
    for kita in (-1, 4, 5):
        with pytest.raises(ValueError, match=r"north|4z"):
            waits(hand, sanma=True, kita=kita)


# Liability

NOBODY_LIABLE = [
    ("9p123m555z666z777z9p --tsumo --liable east", "nobody is liable for daisangen here"),
    ("9p123m[5555z][6666z][7777z]9p --tsumo --liable east", "nobody is liable for daisangen here"),
    ("9p123m(555z)(666z)777z9p --tsumo --liable east", "3 melds on the table"),
    ("9p(111z)(222z)(333z)444z9p --tsumo --liable east", "nobody is liable for daisuushii here"),
    ("9p[1111m][5555m][3333p][7777s]9p --tsumo --liable east --rules mleague", "4 kans on the table"),
    ("34566m555s67p[2222p]8p --rinshan --liable east --rules mcgill-riichi", "makes anyone liable"),
    (f"{YAKUHAI} --liable east", "nothing in this hand makes anyone liable"),
]


@each_row(("text", "message"), NOBODY_LIABLE)
def test_liability_needs_the_melds_that_settle_the_yakuman(text: str, message: str) -> None:
    result = run(text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


LIABLE = [
    (f"{DRAGONS} --tsumo --liable east", {"east": -32000, "south": 32000, "west": 0, "north": 0}),
    (
        "9p123m(555z)[6666z](777z)9p --tsumo --liable east",
        {"east": -32000, "south": 32000, "west": 0, "north": 0},
    ),
    (
        "34566m555s67p(2222p)8p --rinshan --liable east --rules mcgill-riichi",
        {"east": -2600, "south": 2600, "west": 0, "north": 0},
    ),
    # M.League: only the yakuman that was fed.
    (
        "1z(555z)(666z)(777z)(222z)1z --tsumo --liable north --rules mleague",
        {"east": -16000, "south": 64000, "west": -8000, "north": -40000},
    ),
    # Three players: as much as a ron, or the sum of the shares.
    ("9p123p(555z)(666z)(777z)9p --tsumo --liable east --rules tenhou-sanma",
     {"east": -32000, "south": 32000, "west": 0}),
    ("9p123p(555z)(666z)(777z)9p --tsumo --liable west --rules tenhou-sanma --honba 2",
     {"east": 0, "south": 32400, "west": -32400}),
    ("9p123p(555z)(666z)(777z)9p --tsumo --liable west --rules tenhou-sanma --seat-wind east",
     {"east": 48000, "south": 0, "west": -48000}),
    ("9p123p(555z)(666z)(777z)9p --tsumo --liable west --rules tenhou-sanma --set pao_tsumo=shares",
     {"east": 0, "south": 24000, "west": -24000}),
    ("9p123p(555z)(666z)(777z)9p --tsumo --liable east --rules majsoul-sanma",
     {"east": -32000, "south": 32000, "west": 0}),
]  # fmt: skip


@each_row(("text", "payments"), LIABLE)
def test_who_is_liable_pays(text: str, payments: dict[str, int]) -> None:
    assert answer(text)["payments"] == payments


# Yakuman

FOUR_KANS = "suukantsu_needs_pair=false"


@each_row(
    ("text", "ids", "points"),
    [
        # Four kans win by themselves: nothing that asks for a finished hand counts beside them.
        (f"[1111m][5555m][3333p][7777s]9p --set {FOUR_KANS}", {51}, 32000),
        (f"(1111z)(2222z)(3333z)(4444z)9p --set {FOUR_KANS}", {51}, 32000),
        (f"[1111m][5555m][3333p][7777s]9p9p --tsumo --set {FOUR_KANS}", {41, 51}, 64000),
        # Without stacking only the yakuman that is paid is listed.
        ("1z(555z)(666z)(777z)(222z)1z --rules ema", {39}, 32000),
        ("7z(111z)(222z)(333z)(444z)7z --rules ema", {49}, 32000),
        ("33z111222666777z --tsumo --rules ema", {42}, 32000),
        ("7z(111z)(222z)(333z)(444z)7z --rules ema --set double_daisuushii=true", {49}, 64000),
        ("7z(111z)(222z)(333z)(444z)7z", {42, 49}, 64000),
        # Counted hands in M.League.
        ("1234567893455m2m --riichi --dora 14m --rules mleague", {1, 7, 24, 35, 52}, 24000),
    ],
)
def test_yakuman_that_are_listed_are_paid(text: str, ids: set[int], points: int) -> None:
    found = answer(text)
    assert found["points"] == points
    if found["yakuman"]:
        assert {row["id"] for row in found["yaku"]} == ids
        assert sum(row["han"] for row in found["yaku"]) == 13 * found["yakuman"]
        assert points == 32000 * found["yakuman"]
    else:
        assert found["limit"] == "sanbaiman"


def test_four_kans_without_a_pair_are_won_with_a_kan() -> None:
    text = f"[1111m][5555m][3333p][7777s]9p --set {FOUR_KANS}"
    assert (answer(text)["hand"]["win"], answer(text)["hand"]["tsumo"]) == (None, True)
    assert "wins with the fourth kan" in run(text).stdout


def test_without_stacking_the_yakuman_somebody_is_liable_for_is_the_one_that_counts() -> None:
    found = answer("1z(555z)(666z)(777z)(222z)1z --tsumo --liable north --rules ema")
    assert found["payments"] == {"east": 0, "south": 32000, "west": 0, "north": -32000}


# A closed kan under riichi


@pytest.mark.parametrize(
    ("hand", "tile", "same_waits", "same_shape"),
    [
        ("123m456m11p23p999s", 26, [], []),
        # 333m beside 12m could be 123m and the pair 33m: the waits stay, the groups change.
        ("34555m123p78999s", 4, [206], [206]),
        ("111222333m45p99s", 1, [], [206]),
        ("23777m456p45699s", 6, [], []),
    ],
)
def test_a_closed_kan_under_riichi(
    hand: str, tile: int, same_waits: list[int], same_shape: list[int]
) -> None:
    for value, expected in (("same_waits", same_waits), ("same_shape", same_shape)):
        scene = Scene(with_overrides(TENHOU, {"riichi_kan": value}), hand)
        table = scene.table
        before = table.counts[0].copy()
        table.riichi[0], table.drawn[0] = 2, tile
        state.take(table, 0, tile)
        own = _tiles(f"{tile % 9 + 1}" * 3 + "mps"[tile // 9])
        transitions.own_kan(table, state.ANKAN, 0, tile, own, scene.rules, scene.shapes, scene.notes)
        assert scene.codes() == expected, value
        before[tile] = 0
        assert table.counts[0].tolist() == before.tolist()


@each_row(
    ("options", "points", "payments"),
    [
        ("--nagashi", 8000, [-4000, 8000, -2000, -2000]),
        ("--nagashi --seat-wind east", 12000, [12000, -4000, -4000, -4000]),
        ("--nagashi --honba 2 --sticks 1", 8000, [-4000, 8000, -2000, -2000]),
        ("--nagashi --honba 2 --sticks 1 --rules kwan-official", 8000, [-4200, 9600, -2200, -2200]),
        ("(123m)55p --nagashi", 8000, [-4000, 8000, -2000, -2000]),
    ],
)
def test_a_nagashi_mangan_is_scored_without_tiles(options: str, points: int, payments: list[int]) -> None:
    found = answer(options)
    assert (found["kind"], found["points"]) == ("nagashi", points)
    assert list(found["payments"].values()) == payments
    assert run(options).stdout.startswith("nagashi mangan")


@each_row(
    ("options", "message"),
    [
        ("--nagashi --rules wrc", "nagashi mangan is not played under the ruleset wrc (rule nagashi)"),
        ("--nagashi --riichi", "--riichi describes a win"),
        ("--nagashi --ron", "describes a win"),
        ("(123m)55p --nagashi --rules kwan-official", "without calls and kans"),
        ("", "hand"),
    ],
)
def test_a_nagashi_mangan_that_cannot_be_is_refused(options: str, message: str) -> None:
    result = run(options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
