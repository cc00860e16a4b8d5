"""Yaku that a ruleset brings along: conditions as text, their worth, and everything that must know them."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from case_data import case_data
from click.testing import CliRunner
from each_row import each_row
from hands import win_of
from hypothesis import given
from hypothesis import strategies as st
from random_wins import random_win
from rules.local_yaku_cases import LOCAL_CASES
from scheme_hands import EXAMPLES, Example
from scheme_hands import scored as scored_hand

from paifu.api.rules import check_ruleset, ruleset
from paifu.api.simulated import batch_of
from paifu.api.stats import stats
from paifu.cli.__main__ import cli
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.replay.facts.tables import code_of
from paifu.replay.rules.hand_facts import RON, Situation, YakuCondition
from paifu.replay.rules.local_yaku import LOCAL_YAKU, OWN_IDS
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rules.written_conditions import FACTS, WrittenConditionError, read_condition, tiles_of
from paifu.replay.rulesets.presets import RuleError, dump_overrides, load_preset, resolve, with_overrides
from paifu.replay.rulesets.written_rules import parse_ruleset
from paifu.replay.schemes.tables import table
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import ScoredWin, score
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.scoring.yaku import yaku_of
from paifu.replay.table.engine import replay
from paifu.reports.rulesets import to_toml

TABLES = case_data("own_yaku")
TENHOU = load_preset("tenhou")
SNAKE = "pair(2a) & run(3a) & run(6a) | pair(5a) & run(2a) & run(6a) | pair(8a) & run(2a) & run(5a)"
GUESTS = " | ".join(
    f"seat_{name} & round_{name} & "
    + " & ".join(f"triplet({other}z)" for other in range(1, 5) if other != wind)
    for wind, name in enumerate(("east", "south", "west", "north"), 1)
)
AS_DATA: dict[int, dict[str, Any]] = {
    66: {"when": "run_thrice", "replaces": ["iipeikou"]},
    67: {"when": "run_four_times", "replaces": ["ryanpeikou", "own_66"]},
    68: {"when": "any x in 1-7, a in mps: triplet(xa) & triplet(x+1a) & triplet(x+2a)"},
    69: {"when": "any x in 1-6, a in mps: triplet(xa) & triplet(x+1a) & triplet(x+2a) & triplet(x+3a)",
         "replaces": ["own_68"]},
    70: {"when": "seven_pairs & all x in 2-8: pair(xp)", "closed": True},
    71: {"when": "kanburi"},
    72: {"when": "tsubame"},
    74: {"when": "rinshan & any_kan & won_on(5p)"},
    75: {"when": "haitei & won_on(1p)"},
    76: {"when": "chankan & won_on(2s)"},
    77: {"when": "twofold"},
    78: {"when": "one_suit & closed & tsumo"},
    79: {"when": "seven_pairs & one_suit"},
    80: {"when": f"one_suit & any a in mps: triplet(1a) & triplet(9a) & ({SNAKE})"},
    83: {"when": "dealer_streak"},
    84: {"when": "four_open & won_on(1s)", "limit": "mangan"},
    85: {"when": GUESTS},
}  # fmt: skip
"""Id of a shipped local yaku -> the same as data."""
SHIPPED = {yaku.id: yaku for yaku in LOCAL_YAKU if yaku.id in AS_DATA}


def own(number: int) -> dict[str, dict[str, Any]]:
    """The yaku as data, worth what its case says."""
    row = dict(AS_DATA[number])
    han: Any = LOCAL_CASES[number].han
    if row.pop("closed", False):
        han = {"closed": han}
    return {f"own_{number}": row if "limit" in row else row | {"han": han}}


def with_own(**tables: dict[str, Any]) -> Ruleset:
    return with_overrides(TENHOU, {"yaku": tables})


SOME = [66, 67, 68, 69, 70, 74, 75, 76, 78, 79, 80, 84, 85]
"""As many as a ruleset can hold, with those that tiles show."""
ALL_OWN = with_overrides(TENHOU, {"yaku": {k: v for number in SOME for k, v in own(number).items()}})
SHIPPED_SOME = with_overrides(TENHOU, {SHIPPED[number].rule: LOCAL_CASES[number].han for number in SOME})


def won(hand: WinningHand, rules: Ruleset) -> ScoredWin | None:
    try:
        return score(hand, rules)
    except HandError:
        return None


def points(text: str, rules: Ruleset, situation: Situation = RON, **known: Any) -> int | None:
    found = won(win_of(text, situation, **known), rules)
    return found.points if found else None


@each_row("number", AS_DATA)
def test_a_shipped_yaku_as_data_scores_its_case(number: int) -> None:
    case = LOCAL_CASES[number]
    lesser = {k: v for other in (66, 68) for k, v in own(other).items() if number == other + 1}
    rules = with_overrides(TENHOU, {"yaku": own(number) | {k: v | {"han": 0} for k, v in lesser.items()}})
    assert points(case.hand, rules, case.situation, seat_wind=case.seat_wind) == case.after
    assert points(case.hand, TENHOU, case.situation, seat_wind=case.seat_wind) == case.before
    miss = won(win_of(case.near_miss, RON, seat_wind=case.seat_wind), rules)
    assert miss is None or not any(yaku.own for yaku, _ in miss.yaku)


def names(found: ScoredWin | None) -> Any:
    """What was counted, with shipped yaku under the names that they have as data."""
    if found is None:
        return None
    listed = [(f"own {yaku.id}" if yaku.id in SHIPPED else yaku.romaji, han) for yaku, han in found.yaku]
    return sorted(listed), found.han, found.fu, found.limit, found.payments, str(found.reading)


def test_shipped_yaku_as_data_score_random_hands_the_same() -> None:
    chance, found = random.Random(5), set()  # noqa: S311
    for _ in range(300):
        hand = random_win(chance).hand
        as_data = won(hand, ALL_OWN)
        assert names(won(hand, SHIPPED_SOME)) == names(as_data)
        found |= {yaku.id for yaku, _ in as_data.yaku if yaku.own} if as_data else set()
    assert len(found) >= 4


def test_games_under_yaku_of_ones_own_are_verified_and_scored_as_under_shipped_ones() -> None:
    tables = own(68) | own(71) | own(72) | {"seven": {"han": 1, "when": "any a in mps: won_on(7a)"}}
    shipped = {SHIPPED[number].rule: LOCAL_CASES[number].han for number in (68, 71, 72)}
    rules = with_overrides(TENHOU, {"yaku": tables})
    mixed = with_overrides(TENHOU, {"yaku": {"seven": tables["seven"]}, **shipped})
    simulator = Simulator(rules, [PLAYERS[kind] for kind in ("caller", "wild", "caller", "balanced")])
    batch = batch_of([simulator.game(seed) for seed in range(20)], "paifu")
    facts, other = replay(batch, rules), replay(batch, mixed)
    assert set(map(code_of, facts.findings.code.tolist())) == set()
    assert len(facts.scored_wins) > 80
    for column in ("base", "han", "fu", "points"):
        assert getattr(facts.scored_wins, column).tolist() == getattr(other.scored_wins, column).tolist()
    counted = facts.scored_wins.local
    ids = dict(zip(sorted(tables), OWN_IDS, strict=False))
    for number in (71, 72):
        mine = counted >> ids[f"own_{number}"] - 64 & 1
        assert mine.tolist() == (other.scored_wins.local >> number - 64 & 1).tolist()
    assert (counted >> ids["seven"] - 64 & 1).sum() > 5


# --- the language ---------------------------------------------------------------------------------------

TILES = ("triplet(5m)", "pair(1z)", "run(3s)", "held(9p)", "won_on(2p)", "only(123m7z)")
FACT = st.sampled_from([*FACTS, *TILES])
ALONE = st.sampled_from(["tsumo", "closed", "seven_pairs", "has_man", "triplet(5m)", "won_on(2p)"])
TREES = st.recursive(
    FACT | ALONE.map(lambda name: f"~{name}"),
    lambda inner: st.tuples(st.sampled_from("&|"), inner, inner),
    max_leaves=5,
)


def written(tree: Any) -> str:
    if isinstance(tree, str):
        return tree
    sign, one, other = tree
    return f"({written(one)}) {sign} ({written(other)})"


def tried(text: str) -> YakuCondition | WrittenConditionError:
    try:
        return read_condition(text)
    except WrittenConditionError as error:
        return error


def holds(tree: Any, words: list[int]) -> bool:
    """The obvious way: facts by themselves, then the words of Python."""
    if isinstance(tree, str):
        found = read_condition(tree.removeprefix("~")).holds(words)
        return not found if tree[0] == "~" else found
    sign, one, other = tree
    return (all if sign == "&" else any)(holds(part, words) for part in (one, other))


@given(TREES, st.randoms(use_true_random=False))
def test_conditions_hold_where_their_facts_say_so(tree: Any, chance: random.Random) -> None:
    condition = tried(written(tree))
    if isinstance(condition, WrittenConditionError):
        assert re.search("never|more than", str(condition))
        return
    for _ in range(10):
        words = [chance.getrandbits(63) for _ in range(5)]
        assert condition.holds(words) == holds(tree, words)


WORDS = "any all at_least 3 x a w in : , 1-7 mps winds & | ~ ( ) closed pair(xa) 5"


@given(st.lists(st.sampled_from(WORDS.split())))
def test_whatever_is_written_is_a_condition_or_an_error_with_a_place(parts: list[str]) -> None:
    text = " ".join(parts)
    found = tried(text)
    if isinstance(found, WrittenConditionError):
        assert 1 <= found.at <= len(text) + 1
    else:
        assert found.alternatives


@each_row(("text", "same"), TABLES["same"]["rows"])
def test_quantifiers_spell_out_what_they_say(text: str, same: str) -> None:
    found, expected = read_condition(text).alternatives, read_condition(same).alternatives
    assert set(found) == set(expected)


@each_row(("text", "at", "why"), TABLES["mistakes"]["rows"])
def test_mistakes_in_conditions_have_a_place(text: str, at: int, why: str) -> None:
    with pytest.raises(WrittenConditionError, match=None) as caught:
        read_condition(text)
    assert why in str(caught.value)
    assert caught.value.at == at


def test_a_condition_may_be_so_long() -> None:
    with pytest.raises(WrittenConditionError, match="at most 2000 characters") as caught:
        read_condition("closed & " * 300 + "closed")
    assert caught.value.at == 2001


def test_lists_of_tiles() -> None:
    assert tiles_of("19m7z") == (0, 8, 33)
    assert [tiles_of(text) for text in ("", "m", "0m", "19", "9z")] == [()] * 5


# --- rulesets -------------------------------------------------------------------------------------------

FILE = """base = "tenhou"
summary = "A club"

[yaku.red_and_green]
name = "Red and green"
ja = "紅緑"
meaning = "Triplets of red and green dragons"
han = { closed = 3, open = 2 }
when = "triplet(7z) & triplet(6z)"
replaces = ["hatsu", "chun"]

[yaku.seven_stars]
han = "double_yakuman"
when = "seven_pairs & all w in honours: pair(w)"
"""
CLUB = parse_ruleset(FILE, "club")


def test_a_yaku_has_its_han_closed_and_open_and_replaces_others() -> None:
    closed = score(win_of("456m23p99s666777z1p"), CLUB)
    opened = score(win_of("456m23p99s(666z)(777z)1p"), CLUB)
    assert [(yaku.romaji, han) for yaku, han in closed.yaku] == [("red and green", 3)]
    assert [(yaku.romaji, han) for yaku, han in opened.yaku] == [("red and green", 2)]
    stars = score(win_of("1122334455667z7z"), CLUB)
    assert (stars.yakuman, stars.points) == (3, 96000)


@pytest.mark.parametrize(
    ("limit", "expected"), [("mangan", 8000), ("haneman", 12000), (2500, 10000), ("sanbaiman", 24000)]
)
def test_a_limit_counts_by_itself_where_the_hand_is_worth_less(limit: Any, expected: int) -> None:
    rules = with_own(red={"limit": limit, "when": "triplet(7z)"})
    won = score(win_of("456m456p234s99p777z"), rules)
    assert (won.points, [yaku.romaji for yaku, _ in won.yaku]) == (expected, ["red"])
    rich = score(win_of("111222333444m7z7z", Situation.TSUMO), rules)
    assert rich.yakuman == 1


def test_what_a_yaku_of_ones_own_replaces_may_be_one_of_ones_own() -> None:
    rows = {"a": {"han": 2, "when": "tsumo", "replaces": ["b"]}, "b": {"han": 1, "when": "tsumo"}}
    for names_ in (rows, {"b": rows["a"] | {"replaces": ["a"]}, "a": rows["b"]}):
        won = score(win_of("456m456p234s99p777z", Situation.TSUMO), with_own(**names_))
        assert sum(bool(yaku.own) for yaku, _ in won.yaku) == 1
        assert sum(han for yaku, han in won.yaku if yaku.own) == 2


def test_files_build_on_each_other() -> None:
    rules = with_overrides(CLUB, {"yaku": {"late": {"limit": "mangan", "when": "haitei"}}})
    assert [yaku.key for yaku in rules.local.yaku] == ["late", "red_and_green", "seven_stars"]
    assert with_overrides(CLUB, {"yaku.late": {"limit": "mangan", "when": "haitei"}}) == rules
    off = with_overrides(CLUB, {"yaku": {"seven_stars": {"han": 0, "when": "tsumo"}}})
    assert score(win_of("1122334455667z7z"), off).yakuman == 1
    nested = parse_ruleset(FILE.replace("[yaku.", "[local.yaku."), "nested")
    assert nested == CLUB


def test_rulesets_with_yaku_travel_as_toml_and_as_overrides() -> None:
    for text in (to_toml(CLUB), to_toml(CLUB, "tenhou", {"yaku"})):
        again = parse_ruleset(text, "again")
        assert again == CLUB
        assert again.local.yaku[0].ja == "紅緑"
    overrides = dump_overrides({"yaku": CLUB.values()["yaku"]})
    assert resolve("tenhou", overrides) == CLUB
    assert TENHOU != CLUB
    assert to_toml(TENHOU).count("yaku.") == 0


@each_row(("entries", "why"), TABLES["entries"]["rows"])
def test_mistakes_in_tables_say_what_is_wrong(entries: str, why: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_ruleset(f'base = "tenhou"\n[yaku.mine]\nwhen = "tsumo"\n{entries}\n', "club")
    assert why in str(caught.value)
    assert "yaku.mine" in str(caught.value)


@each_row(("table", "why"), TABLES["tables"]["rows"])
def test_other_mistakes(table: str, why: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_ruleset(f'base = "tenhou"\n{table}\n', "club")
    assert why in str(caught.value)


def test_a_ruleset_has_only_so_many() -> None:
    tables = {f"own_{n}": {"han": 1, "when": "tsumo"} for n in range(len(OWN_IDS) + 1)}
    with pytest.raises(RuleError, match="16 yaku of its own at most, not 17"):
        with_own(**tables)
    del tables["own_0"]
    assert len(yaku_of(with_own(**tables))) == len(yaku_of(TENHOU)) + len(OWN_IDS)


def test_rules_check_points_at_line_and_character(tmp_path: Path) -> None:
    text = FILE.replace("triplet(7z) &", "tripelt(7z) &").replace("w in honours", "w in honors")
    (tmp_path / "club.toml").write_text(text, "utf-8")
    checked = check_ruleset(tmp_path / "club.toml")
    assert checked.problems == (
        "line 9: yaku.red_and_green.when, character 1: there is no fact 'tripelt'; did you mean 'triplet'?",
        "line 14: yaku.seven_stars.when, character 24: honours are winds, dragons or honours",
    )


# --- patterns of other games ----------------------------------------------------------------------------

NINES = {"value": 2, "when": "any a in mps: triplet(9a)", "name": "Pung of nines", "ja": "九刻"}
SHIPPED_PATTERNS = {
    "plum-blossom": "rinshan & any_kan & won_on(5p)",
    "carrying-pole": "chankan & won_on(2s)",
    "concealed-purity": "one_suit & closed & tsumo",
    "golden-chicken": "four_open & won_on(1s)",
    "sudden-reversal": "kanburi",
    "moon-from-the-sea": "haitei & won_on(1p)",
    "wriggling-snake": f"one_suit & any a in mps: triplet(1a) & triplet(9a) & ({SNAKE})",
    "all-pungs": "all_triplets",
    "half-flush": "half_flush",
    "nine-tile-straight": "straight",
}
"""Pattern -> its condition as data."""


def with_patterns(preset: str, **tables: dict[str, Any]) -> Ruleset:
    named = {key.replace("_", "-"): table for key, table in tables.items()}
    return with_overrides(load_preset(preset), {"pattern": named})


def worth(example: Example, changes: dict[str, Any], preset: str) -> Any:
    """Value, payments and patterns of a worked hand under changed rules; None where it may not win."""
    rules = with_overrides(load_preset(preset), example.settings)
    try:
        found = scored_hand(example.hand, with_overrides(rules, changes), **example.facts)
    except HandError:
        return None
    names = sorted(row.id.removesuffix("-as-data") for row in found.patterns)
    return found.value, found.payments, names


@each_row("name", SHIPPED_PATTERNS)
def test_a_shipped_pattern_as_data_scores_worked_hands_the_same(name: str) -> None:
    found = 0
    for example in EXAMPLES:
        scheme = load_preset(example.rules).game.scheme
        row = table(scheme).get(name)
        if row is None or row.series:
            continue
        value: Any = row.limit.value if row.limit.value != "none" else row.value
        as_data = {"value": value, "when": SHIPPED_PATTERNS[name], "replaces": list(row.replaces)}
        off, on = {f"patterns.{name}": 0}, {f"patterns.{name}": True}
        mine = worth(example, off | {"pattern": {f"{name}-as-data": as_data}}, example.rules)
        assert mine == worth(example, on, example.rules), example.id
        found += mine is not None and name in mine[2]
    assert found or name in ("nine-tile-straight", "sudden-reversal", "moon-from-the-sea")


def test_a_pattern_is_worth_a_number_or_a_limit_and_replaces_others() -> None:
    hand = "(999m)(777s)123p33s55m5m"
    facts = {"seat_wind": "S", "payer": "W"}
    two = scored_hand(hand, with_patterns("hk-old-style", nines=NINES), **facts)
    assert [(row.id, row.value) for row in two.patterns] == [("no-bonus-tiles", 1), ("nines", 2)]
    half = scored_hand(hand, with_patterns("hk-old-style", nines=NINES | {"value": "half_limit"}), **facts)
    assert half.value == 64
    alone = NINES | {"value": 3, "replaces": ["no-bonus-tiles"]}
    assert [
        row.id for row in scored_hand(hand, with_patterns("hk-old-style", nines=alone), **facts).patterns
    ] == ["nines"]
    with pytest.raises(HandError):
        scored_hand(hand, with_patterns("hk-old-style", nines=NINES | {"value": 0}), **facts)


@each_row(("key", "change", "why"), TABLES["patterns"]["rows"])
def test_mistakes_in_patterns(key: str, change: dict[str, Any], why: str) -> None:
    with pytest.raises(RuleError) as caught:
        with_overrides(load_preset("hk-old-style"), {"pattern": {key: NINES | change}})
    assert why in str(caught.value)


def test_riichi_has_yaku_and_other_games_have_patterns() -> None:
    with pytest.raises(RuleError, match="pattern is a rule of the scheme series and faan and classical"):
        with_overrides(TENHOU, {"pattern": {"nines": NINES}})
    with pytest.raises(RuleError, match="yaku is a rule of the scheme han_fu"):
        with_overrides(load_preset("zung-jung"), {"yaku": {"nines": {"han": 1, "when": "tsumo"}}})
    many = {f"nines-{n}": NINES for n in range(5)}
    with pytest.raises(RuleError, match="4 patterns of its own at most, not 5"):
        with_overrides(load_preset("zung-jung"), {"pattern": many})


@pytest.mark.full
def test_games_of_other_systems_keep_and_count_them(tmp_path: Path) -> None:
    path, logs, data = tmp_path / "hk.toml", str(tmp_path / "logs"), str(tmp_path / "data")
    rules = with_patterns("hk-old-style", pung_of_nines=NINES, mirror={"value": 1, "when": "has_run"})
    path.write_text(to_toml(rules, "hk-old-style", {"pattern"}), "utf-8")
    assert ruleset(path) == rules
    run("simulate", "--rules", str(path), "--games", "1", "-o", logs, "-j", "1")
    run("verify", logs, "-j", "1")
    run("import", logs, "-o", data, "-j", "1")
    run("verify", data, "-j", "1")
    name = "own_pattern_mirror"
    frames = [
        stats(logs, metrics=[name]),
        stats(data, metrics=[name]),
        stats(logs, metrics=[name], rules=path),
    ]
    assert len({float(frame["value"][name]) for frame in frames}) == 1
    assert 0 < float(frames[0]["value"][name]) < 1
    assert "own_pattern_pung_of_nines" in stats(logs, metrics=["patterns"], rules=path).index
    assert "mirror" in run("sql", data, "select distinct unnest(yaku) from wins", "-f", "csv")


# --- commands -------------------------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path) -> Path:
    path = tmp_path / "club.toml"
    named = '[yaku.lucky_seven]\nname = "Lucky seven"\nja = "七"\n'
    path.write_text(f'{FILE}{named}han = 1\nwhen = "any a in mps: won_on(7a)"\n', "utf-8")
    return path


def run(*words: str) -> str:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_commands_name_and_score_them(club: Path) -> None:
    assert "lucky seven 七" in run("score", "456m456p99s777z56s7s", "--rules", str(club))
    listed = run("yaku", "--rules", str(club))
    assert "Lucky seven" in listed
    assert "Lucky seven" not in run("yaku")
    assert "Triplets of red and green dragons." in run("yaku", "red", "and", "green", "--rules", str(club))
    shown = run("rules", "show", str(club), "--changed-from", "tenhou")
    assert "any a in mps: won_on(7a)" in shown
    assert "double_yakuman" in shown
    data = json.loads(run("yaku", "lucky seven", "--rules", str(club), "-f", "json"))["yaku"]
    assert [(row["han_closed"], row["names"]["japanese"]) for row in data] == [(1, "七")]


@pytest.mark.full
def test_games_keep_and_count_them(club: Path, tmp_path: Path) -> None:
    logs, data = str(tmp_path / "logs"), str(tmp_path / "data")
    run("simulate", "--rules", str(club), "--games", "4", "-f", "paifu", "-o", logs, "-j", "1")
    run("verify", logs, "-j", "1")
    assert any('"yaku.lucky_seven"' in path.read_text("utf-8") for path in Path(logs).iterdir())
    run("import", logs, "-o", data, "-j", "1")
    run("verify", data, "-j", "1")
    frames = [
        stats(logs, metrics=["own_yaku_lucky_seven"]),
        stats(data, metrics=["own_yaku_lucky_seven"]),
        stats(logs, metrics=["own_yaku_lucky_seven"], rules=club),
    ]
    shares = {float(frame["value"]["own_yaku_lucky_seven"]) for frame in frames}
    assert len(shares) == 1
    assert 0 < shares.pop() < 1
    family = stats(logs, metrics=["yaku"], rules=club)
    assert "own_yaku_seven_stars" in family.index
    assert "lucky seven" in run("sql", data, "select distinct unnest(yaku) from wins", "-f", "csv")
    shown = "".join(run("show", str(path)) for path in Path(logs).iterdir())
    assert "lucky seven 1" in shown
    assert ruleset(club).local.yaku


def test_a_situation_may_be_stated_where_a_yaku_asks_for_it(club: Path) -> None:
    text = '[yaku.after_kan]\nhan = 1\nwhen = "kanburi"\n[yaku.streak]\nhan = 1\nwhen = "dealer_streak"\n'
    club.write_text(FILE + text, "utf-8")
    hand = ("score", "456m456p678s9923p1p", "--rules", str(club))
    assert "after kan" in run(*hand, "--kanburi")
    assert "streak" in run(*hand, "--seat-wind", "east", "--dealer-wins", "13")
    assert "kanburi is not played" in CliRunner().invoke(cli, ["score", hand[1], "--kanburi"]).output


def test_logs_that_cannot_state_rules_are_read_with_them(club: Path, tmp_path: Path) -> None:
    logs = str(tmp_path / "logs")
    run("simulate", "--rules", str(club), "--games", "3", "-f", "mjlog", "-o", logs, "-j", "1")
    run("verify", logs, "-j", "1", "--rules", str(club))


def test_a_yaku_that_is_added_later_changes_no_other() -> None:
    """Numbers follow the order of the keys, and logs are read with those of their own rules."""
    last = {"han": 1, "when": "tsumo"}
    one, two, other = (
        with_overrides(load_preset("tenhou"), {"yaku": yaku})
        for yaku in (
            {"last": last},
            {"first": {"han": 1, "when": "tenhou & ~tsumo"}, "last": last},
            {"same": last},
        )
    )
    batch = batch_of([Simulator(one, [PLAYERS["caller"]] * 4).game(3)], "paifu")
    assert OWN_IDS[0] in batch.wins.yaku
    assert replay(batch).findings.code.tolist() == replay(batch, two).findings.code.tolist() == []
    assert set(map(code_of, replay(batch, other).findings.code.tolist())) == {"V304"}
