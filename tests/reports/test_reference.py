"""The reference that ships, and what stands out against a reference."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import call
from each_row import each_row

from paifu.api import reference
from paifu.api.reference import METRICS, count_reference
from paifu.replay.errors import ArgumentError
from paifu.reports.inference.chances import deviates
from paifu.reports.inference.intervals import Nature
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.pages.report_sections import BUDGET, BUDGET_TOTAL
from paifu.reports.statistics.reference import (
    SCHEMA,
    SHIPPED,
    Population,
    Reference,
    read_reference,
    shipped,
    shipped_reference,
)
from paifu.reports.statistics.standouts import NEEDED, PRICES, TESTED, standouts
from paifu.reports.statistics.text import FEW, needed_words, place_words
from paifu.reports.statistics.values import Estimate, GroupStatistics

HANCHAN = (4, "houou", "south")


def of(stratum: tuple[int, str, str] = HANCHAN) -> Population:
    found = shipped(Counter({stratum: 100}))
    assert found is not None
    return found


def test_what_ships_is_small_and_names_nobody() -> None:
    text = SHIPPED.read_text("utf-8")
    assert len(text) < 150_000
    stored = json.loads(text)
    assert stored["schema"] == SCHEMA
    assert stored["about"]["made_by"] == "bench/reference.py"
    assert "held_out" in stored["about"]
    for row in stored["strata"]:
        assert set(row["sums"]) | set(row["spreads"]) <= set(CATALOGUE)
        assert all(len(sums) == 5 for sums in row["sums"].values())
        assert row["players"] >= 100


@pytest.mark.parametrize("stratum", sorted(shipped_reference().strata), ids=str)
def test_what_ships_agrees_with_itself(stratum: tuple[int, str, str]) -> None:
    found = of(stratum)
    value = {name: found.estimate(name).value or 0 for name in found.stats.stats}
    assert sum(value[name] for name in BUDGET) == pytest.approx(value[BUDGET_TOTAL], abs=0.1)
    # Who plays seldom finishes a little lower, and so do people at a table with a program.
    assert value["rank"] == pytest.approx((1 + stratum[0]) / 2, abs=0.06)
    shares = sum(
        value[f"{word}_rate"] for word in ("first", "second", "third", "fourth") if f"{word}_rate" in value
    )
    assert shares == pytest.approx(1, abs=1e-3)
    assert {name for name in NEEDED if not found.estimate(name).d} == set()


def test_the_stratum_most_played_is_chosen() -> None:
    assert of((4, "houou", "east")).stats.games == of((4, "", "east")).stats.games
    most = shipped(Counter({HANCHAN: 10, (3, "houou", "south"): 11}))
    assert most is not None
    assert most.words == of((3, "houou", "south")).words
    assert "Nothing was counted for the room gold" in of((4, "gold", "south")).stands_in
    assert not of().stands_in
    assert shipped(Counter({(2, "", "south"): 9})) is None
    assert shipped(Counter()) is None


@each_row(
    ("rooms", "own", "taken"),
    [
        ({"houou": 900, "tokujou": 300}, "tokujou", "tokujou"),
        ({"houou": 900, "tokujou": 300}, "joukyuu", "tokujou"),
        ({"houou": 900, "tokujou": 300}, "ippan", "tokujou"),
        ({"houou": 300, "ippan": 900}, "tokujou", "houou"),
        ({"houou": 300, "ippan": 900}, "gold", "ippan"),
        ({"houou": 300, "ippan": 900}, "", "ippan"),
        ({"houou": 300, "gold": 200}, "gold", "gold"),
        ({"lobby 1234": 200, "": 300}, "lobby 1234", "lobby 1234"),
        ({"lobby 1234": 200, "": 300}, "houou", "reference"),
    ],
)
def test_the_nearest_room_stands_in(rooms: dict[str, int], own: str, taken: str) -> None:
    one = shipped_reference().strata[HANCHAN]
    known = Reference(
        {(4, room, "south"): replace(one, room=room, games=games) for room, games in rooms.items()}
    )
    found = known.of(Counter({(4, own, "south"): 10}))
    assert found is not None
    assert found.name == taken
    assert ("Nothing was counted" in found.stands_in) == (own not in rooms)


@each_row(
    ("own", "words"),
    [
        ("joukyuu", "compared with houou players, the nearest room, where players are stronger"),
        ("ippan", "compared with houou players, the nearest room, where players are stronger"),
        ("gold", "compared with houou players: what differs may be the room, not you"),
        ("", "games without a room"),
        ("houou", ""),
    ],
)
def test_a_room_that_stands_in_is_said_plainly(own: str, words: str) -> None:
    known = Reference({HANCHAN: shipped_reference().strata[HANCHAN]})
    found = known.of(Counter({(4, own, "south"): 10}))
    assert found is not None
    assert words in found.stands_in
    assert bool(words) == bool(found.stands_in)


SAMPLES = Path(__file__).parents[2] / "sample_logs"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is counted of the sample games."""
    file = tmp_path_factory.mktemp("reference") / "club.json"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reference, "LEAST_GAMES", 2)
        patched.setattr(reference, "LEAST_HANDS", 1)
        result = call("reference", SAMPLES / "games", "-o", file)
    assert result.status == 0
    assert (
        "tokujou, 4 players, East and South: 3 games, 4 players with at least 1 hand\n"
        in result.data.decode()
    )
    assert any("1 game; left out, fewer than 2" in line for line in result.talk)
    return file


def test_kinds_of_few_games_are_refused(tmp_path: Path) -> None:
    result = call("reference", SAMPLES / "games", "-o", tmp_path / "club.json", "-j", 1)
    assert result.status == 2
    assert "no kind of game has 100 games" in result.talk[-1]
    assert not list(tmp_path.iterdir())


def test_a_reference_counts_what_stats_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "LEAST_GAMES", 1)
    counted: defaultdict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for one in count_reference([SAMPLES / "games"]).strata:
        for name, (n, d, *_) in one["sums"].items():
            both = counted[one["room"], one["length"], name]
            both[0], both[1] = both[0] + n, both[1] + d
    found = json.loads(call("stats", SAMPLES / "games", "--all", "--by", "room,length", "-f", "json").data)
    stated = {
        (group["key"]["room"], group["key"]["length"], name): [one["n"], one["d"]]
        for group in found["groups"]
        for name, one in group["stats"].items()
        if one["d"] and name in METRICS
    }
    assert len(stated) > 500
    assert counted.keys() == stated.keys()
    differ = {name for *_, name in (place for place in stated if counted[place] != stated[place])}
    assert differ <= {name for name in METRICS if CATALOGUE[name].is_shared}, "counted for each player"


@pytest.mark.full
def test_a_page_says_which_games_of_a_file_it_took(club: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    command = ("report", SAMPLES / "games", "--player", "Botan", "-o", page)
    assert call(*command, "--reference", club).status == 0
    assert f"games in {club}: " in page.read_text("utf-8")
    stored = json.loads(club.read_text("utf-8"))
    stored["strata"] = [row for row in stored["strata"] if row["seats"] == 3]
    club_of_three = tmp_path / "three.json"
    club_of_three.write_text(json.dumps(stored), "utf-8")
    result = call(*command, "--reference", club_of_three)
    assert result.status == 2
    assert "no games like those of the player" in result.talk[-1]


def test_stats_compare_with_a_file(club: Path) -> None:
    command = ("stats", SAMPLES / "games", "--player", "Botan")
    found = json.loads(call(*command, "-f", "json", "--reference", club).data)
    [group] = found["groups"]
    assert str(club) in group["stands_out"]["reference"]["description"]
    result = call(*command, "--reference", club)
    assert result.status == 2
    assert "--reference needs --player and --format json" in result.talk[-1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not a reference"),
        ("[]", "not a reference"),
        ("{}", "not a reference"),
        ('{"schema": "paifu.population/1"}', "another version"),
        (json.dumps({"schema": SCHEMA}), "not a reference"),
        (json.dumps({"schema": SCHEMA, "strata": [{"seats": 4}]}), "not a reference"),
        (
            json.dumps({"schema": SCHEMA, "strata": [{"losses": {}, "spreads": {"rank": 1}}]}),
            "not a reference",
        ),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "club.json"
    file.write_text(text, "utf-8")
    with pytest.raises(ArgumentError, match=words) as error:
        read_reference(file)
    assert str(file) in str(error.value)


def altered(change: Callable[[dict[str, Any]], None]) -> str:
    """What ships, with something changed in its first row."""
    stored = json.loads(SHIPPED.read_text("utf-8"))
    change(stored["strata"][0])
    return json.dumps(stored)


ALTERED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a statistic that nobody knows": lambda row: row["sums"].update(luckiness=[1] * 5),
    "a spread that nobody knows": lambda row: row["spreads"].update(luckiness=[1] * 6),
    "a sum that is short": lambda row: row["sums"].update(rank=[1]),
    "a sum that is a text": lambda row: row["sums"].update(rank="12345"),
    "a sum without end": lambda row: row["sums"].update(rank=[10**40] * 5),
    "a spread that is not a number": lambda row: row["spreads"].update(rank=[float("nan")] * 6),
    "no limit": lambda row: row["farthest"]["limits"].update(headline=[]),
    "a limit of nothing": lambda row: row["farthest"]["limits"].update(headline=[0] * 7),
    "games that do not rise": lambda row: row["farthest"].update(games=[10] * 7),
    "hands that are true": lambda row: row.update(hands=True),
    "hands below none": lambda row: row.update(hands=-1),
    "seats that are a text": lambda row: row.update(seats="4"),
    "a room that is a list": lambda row: row.update(room=[]),
    "no years": lambda row: row.pop("years"),
    "another field": lambda row: row.update(other=1),
}


@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_file_is_named(tmp_path: Path, name: str) -> None:
    file = tmp_path / "club.json"
    file.write_text(altered(ALTERED[name]), "utf-8")
    with pytest.raises(ArgumentError, match="not a reference of 'paifu reference', or damaged"):
        read_reference(file)


@pytest.mark.parametrize("text", [b"[" * 100_000, b"\xff", b"1" * 5000, b" " * (33 << 20), b""])
def test_what_is_not_json_is_named(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "club.json"
    file.write_bytes(text)
    with pytest.raises(ArgumentError, match="not a reference"):
        read_reference(file)


@each_row(
    ("name", "lower", "words"),
    [
        ("deal_in_rate", 80.0, "better than 20%"),
        ("win_rate", 80.0, "better than 80%"),
        ("riichi_rate", 80.0, "higher than 80%"),
        ("rank", None, ""),
        ("deal_in_rate", 100.0, "worse than 100%"),
        ("deal_in_rate", 99.7, "worse than 99%"),
        ("deal_in_rate", 0.3, "better than 99%"),
        ("deal_in_rate", 0.0, "better than 100%"),
        ("riichi_rate", 0.0, "lower than 100%"),
        ("riichi_rate", 0.4, "lower than 99%"),
        ("riichi_rate", 0.6, "higher than 1%"),
        ("win_rate", 0.0, "worse than 100%"),
    ],
)
def test_places_say_which_direction_is_good(name: str, lower: float | None, words: str) -> None:
    assert place_words(CATALOGUE[name], lower) == words


def test_a_place_is_that_of_the_true_value() -> None:
    """Drawn toward the middle with few hands; none where players cannot be told apart."""
    found = of()
    for many, few in (("call_rate", 0.4), ("riichi_rate", 0.1)):
        estimates = [player(found, hands, **{many: few}).stats[many] for hands in (50, 500, 50_000)]
        near, far, sure = (found.lower(many, one) or 0 for one in estimates)
        assert (near < far < sure) if few > 0.3 else (near > far > sure)
        assert found.lower(many, player(found, 500).stats[many]) == pytest.approx(50, abs=2)
    assert not found.spreads["win_rate"].is_known
    assert found.lower("win_rate", player(found, 500, win_rate=0.9).stats["win_rate"]) is None
    assert needed_words(found.spreads["rank"]).startswith("needs ")
    assert needed_words(found.spreads["win_rate"]).startswith("needs ")
    assert needed_words(found.spreads["call_rate"]) == ""


def test_no_place_among_few_players() -> None:
    found = of()
    own = player(found, 500).stats["call_rate"]
    assert found.lower("call_rate", own) is not None
    assert replace(found, players=9).lower("call_rate", own) is None
    assert found.lower("call_rate", Estimate(0, 0, None)) is None


# --- what stands out -----------------------------------------------------------------------------------


def player(found: Population, hands: int, **changed: float) -> GroupStatistics:
    """A player with the reference's values, some of them changed, and its spread between games."""
    stats = {}
    games, rows = hands / 10, found.estimate("win_rate").d
    for name, one in found.stats.stats.items():
        if one.value is None or name not in found.spreads:
            continue
        metric = CATALOGUE[name]
        number = max(1, round(one.d * hands / rows))
        value = changed.get(name, one.value)
        ratio, of_row = (value - metric.offset) / metric.scale, found.spreads[name].of_row
        dd = number * number / games  # all games have as many rows
        nn = ratio * ratio * dd + of_row * number
        squares = round(nn), round(ratio * dd), round(dd)
        stats[name] = Estimate(round(ratio * number), number, value, squares=squares)
    return GroupStatistics({"player": "Botan"}, round(games), hands, stats)


@pytest.mark.every(7)
@pytest.mark.parametrize("stratum", sorted(shipped_reference().strata), ids=str)
@pytest.mark.parametrize("name", PRICES)
def test_prices_have_the_sign_of_what_is_good(stratum: tuple[int, str, str], name: str) -> None:
    found = of(stratum)
    value = found.estimate(name).value
    assert value is not None
    step = 0.3 * value if CATALOGUE[name].unit == "%" else 1000
    more = player(found, 10**7, **{name: value + step})
    [one] = standouts(more, found).results
    assert one.metric == name
    assert one.points is not None
    assert one.low is not None
    assert one.high is not None
    assert one.is_good == (CATALOGUE[name].sign > 0)
    assert one.low < one.points < one.high
    assert 10 < abs(one.points) < 100_000


def test_prices_add_up_to_the_budget() -> None:
    """A rate and a size that make up a part of the budget: their effects are those of the product."""
    found = of()
    for part, rate in (
        ("budget_wins", "win_rate"),
        ("budget_deal_ins", "deal_in_rate"),
        ("budget_tsumo", "hit_rate"),
    ):
        value, whole = found.estimate(rate).value, found.estimate(part).value
        assert value is not None
        assert whole is not None
        [one] = standouts(player(found, 10**7, **{rate: 1.1 * value}), found).results
        assert one.points == pytest.approx(0.1 * whole)


def test_nothing_stands_out_of_the_reference_itself() -> None:
    found = of()
    made = standouts(player(found, 10_000), found)
    assert (made.style, made.results) == ((), ())
    own = player(found, 10_000).stats
    assert made.tested > 0.9 * len([name for name in TESTED if own[name].d >= FEW])


@pytest.mark.parametrize("change", [0.6, 1.6])
def test_style_stands_out_in_both_directions(change: float) -> None:
    found = of()
    value = found.estimate("call_rate").value
    assert value is not None
    made = standouts(player(found, 3000, call_rate=change * value), found)
    assert made.results == ()
    [one] = made.style
    assert (one.metric, one.points, one.is_style) == ("call_rate", None, True)
    assert one.lower is not None
    assert one.lower > 99 if change > 1 else one.lower < 1
    assert one.summary()["direction"] == ("higher" if change > 1 else "lower")
    assert one.summary()["good"] is None


def test_what_is_tested_is_either_style_or_good_or_bad() -> None:
    for name in TESTED:
        metric = CATALOGUE[name]
        assert metric.is_rate, name
        assert metric.is_style != bool(metric.sign), name
    assert set(PRICES) <= set(TESTED)
    assert len(set(TESTED)) == len(TESTED)


def test_intervals_are_wider_the_more_was_looked_at() -> None:
    found = of()
    made = standouts(player(found, 10_000, win_rate=0.30, deal_in_rate=0.08), found)
    assert [one.metric for one in made.results] == ["deal_in_rate", "win_rate"]
    one = made.results[0]
    assert one.points is not None
    assert one.low is not None
    assert one.high is not None
    own, other = (
        player(found, 10_000, deal_in_rate=0.08).stats["deal_in_rate"],
        found.estimate("deal_in_rate"),
    )
    far = float(deviates(own.sums, Nature.SHARE, other.n / other.d))
    assert one.high - one.low > 2 * 1.96 * abs(one.points / far)
