"""Leagues: standings against a slow sum of their own, point rules of five leagues, season files, the page."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from browser import browser
from case_data import case_data
from command import call
from each_row import each_row
from made_leagues import made_season

from paifu.api.league import league, league_under
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import SticksLeft
from paifu.replay.rules.fields import RuleValue
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay
from paifu.replay.table.results import game_results
from paifu.reports.league import tables as league_tables
from paifu.reports.league.games import LeagueGame
from paifu.reports.league.season import Penalty, Round, Season, SeasonError, Stage, read_season
from paifu.reports.league.standings import Standing, Standings, shared
from paifu.reports.league.tables import TABLES, notes, shown_columns
from paifu.reports.pages.league import league_page
from paifu.reports.rulesets import toml_value

__all__ = ["browser"]  # a fixture

SAMPLES = Path(__file__).parents[2] / "sample_logs"
GAMES = SAMPLES / "games"
SHORT = sorted(GAMES.glob("tonpuu-4p-0[1-4]*"))
SOME = [*SHORT, *sorted(GAMES.glob("hanchan-4p-0[1-4]*"))]
NAMES = ["Aki", "Botan", "Chie", "Dai", "Emi", "Fumi"]


def game(number: int, names: Sequence[str], points: Sequence[int], **more: object) -> LeagueGame:
    """A game of which only what standings need is told; points in thousands, first to last anyhow."""
    order = sorted(points, reverse=True)
    values = {
        "id": f"g{number:03}", "source": f"{number:03}.mjlog", "started": f"2026-01-{number % 28 + 1:02}",
        "names": tuple(names), "scores": tuple(30000 + 1000 * point for point in points),
        "places": tuple(order.index(point) + 1 for point in points),
        "points": tuple(1000 * point for point in points),
        "stated": tuple(30000 + 1000 * point for point in points), "hands": 10,
        "wins": (3, 2, 1, 1), "deal_ins": (1, 1, 1, 2), "chips": (2, -1, -1, 0), "best": (), "codes": (),
    }  # fmt: skip
    return LeagueGame(**{**values, **more})  # type: ignore[arg-type]


def season_of_games(seed: int, number: int = 30) -> list[LeagueGame]:
    chance = random.Random(seed)  # noqa: S311  games
    games = []
    for one in range(number):
        cells = [chance.randint(-40, 40) for _ in range(3)]
        games.append(game(one, chance.sample(NAMES, 4), [*cells, -sum(cells)]))
    return games


@each_row("seed", range(20))
def test_standings_are_the_sums_of_their_games(seed: int) -> None:
    games = season_of_games(seed)
    penalties = (Penalty("Aki", -20000, "chombo"), Penalty("Botan", -7100, shared=True))
    season = Season(drop_worst=seed % 3, chip_points=500 * (seed % 2), penalties=penalties, least_games=3)
    random.Random(seed).shuffle(games)  # noqa: S311  games
    standings = Standings(games, season)
    others = sorted(standings.games, key=lambda one: one.started)
    assert [one.started for one in standings.games] == [one.started for one in others]
    for line in standings.players:
        mine = [(one.points[one.names.index(line.player)], one.chips[one.names.index(line.player)])
                for one in games if line.player in one.names]  # fmt: skip
        total = sum(point for point, _ in sorted(mine)[season.drop_worst :])
        assert line.points == total
        assert len(line.games) == len(mine)
        assert line.total == line.points + line.chips + line.penalties
        if not season.drop_worst:
            assert line.chips == season.chip_points * sum(chip for _, chip in mine)
    totals = [line.total for line in standings.players]
    assert totals == sorted(totals, reverse=True)
    for line in standings.players:
        assert line.place == 1 + sum(other > line.total for other in totals)
    assert standings.balance == sum(points for _, points in standings.imbalance)
    assert sum(line.penalties for line in standings.players) == -20000


def test_players_with_too_few_games_have_no_place() -> None:
    games = [game(number, NAMES[:4], [30, 10, -10, -30]) for number in range(3)]
    games.append(game(3, ["Emi", *NAMES[1:4]], [60, 0, -20, -40]))
    lines = Standings(games, Season(least_games=2)).players
    assert [(line.player, line.place) for line in lines] == [
        ("Aki", 1), ("Botan", 2), ("Chie", 3), ("Dai", 4), ("Emi", 0),
    ]  # fmt: skip


def test_equal_totals_share_a_place() -> None:
    lines = Standings([game(0, NAMES[:4], [20, 20, -10, -30])], Season()).players
    assert [line.place for line in lines] == [1, 1, 3, 4]


def test_the_last_game_left_is_never_dropped() -> None:
    lines = Standings([game(0, NAMES[:4], [30, 10, -10, -30])], Season(drop_worst=5)).players
    assert [line.points for line in lines] == [30000, 10000, -10000, -30000]


def test_pairs_are_the_other_side_of_each_other() -> None:
    standings = Standings(season_of_games(5), Season())
    pairs = {(pair.player, pair.other): pair for pair in standings.pairs()}
    assert len(pairs) == 30
    slow: dict[tuple[str, str], list[int]] = defaultdict(list)
    for one in standings.games:
        for player in one.names:
            for other in set(one.names) - {player}:
                seats = one.names.index(player), one.names.index(other)
                slow[player, other].append(one.points[seats[0]] - one.points[seats[1]])
    for key, pair in pairs.items():
        back = pairs[key[1], key[0]]
        assert (pair.games, pair.difference) == (len(slow[key]), sum(slow[key]))
        assert (back.games, back.difference) == (pair.games, -pair.difference)
        assert pair.ahead == sum(difference > 0 for difference in slow[key])


@pytest.mark.parametrize("points", [-20000, -5100, -100, 3000])
@pytest.mark.parametrize("players", [1, 2, 4, 7])
def test_shared_penalties_add_up_to_zero(points: int, players: int) -> None:
    names = [f"P{number}" for number in range(players)]
    sums = shared([Penalty("P0", points, shared=True)], names)
    assert sum(sums.values()) == (0 if players > 1 else points)
    assert all(value % 100 == 0 for value in sums.values())


def test_aliases_teams_and_rounds() -> None:
    season = Season(
        teams={"Reds": ("Aki", "Botan"), "Blues": ("Chie",)},
        rounds=(Round("First", ("g00[01]",)), Round("Second", ("*",))),
        aliases={"Akiko": "Aki"},
    )
    games = [game(0, NAMES[:4], [30, 10, -10, -30]), game(2, ["Akiko", *NAMES[1:4]], [-30, -10, 10, 30])]
    standings = Standings(games, season)
    assert [(team, total) for team, _, total in standings.teams] == [("Blues", 0), ("Reds", 0)]
    rows = [row for row in TABLES["rounds"](standings) if row["player"] == "Aki"]
    assert [(row["round"], row["points"]) for row in rows] == [("First", 30.0), ("Second", -30.0)]


def test_aliases_reach_penalties_and_teams() -> None:
    season = Season(
        teams={"Reds": ("Akiko",)},
        penalties=(Penalty("Akiko", -20000, shared=True),),
        aliases={"Akiko": "Aki"},
    )
    standings = Standings([game(0, NAMES[:4], [30, 10, -10, -30])], season)
    (aki,) = (line for line in standings.players if line.player == "Aki")
    assert (aki.penalties, aki.team, standings.balance) == (-20000, "Reds", 0)
    with pytest.raises(SeasonError, match="in two teams"):
        Standings([], replace(season, teams={"Reds": ("Akiko",), "Blues": ("Aki",)}))


def test_a_penalty_of_nobody_is_refused() -> None:
    def with_penalty(name: str) -> Season:
        return Season(teams={"Reds": ("Zoe",)}, penalties=(Penalty(name, -20000, shared=True),))

    with pytest.raises(SeasonError, match="no player is called Botann; did you mean Botan"):
        league(SHORT, season=with_penalty("Botann"))
    with pytest.raises(SeasonError, match="no player is called Xerxes; list players without games in a team"):
        league(SHORT, season=with_penalty("Xerxes"))
    standings = league(SHORT, season=with_penalty("Zoe")).standings
    assert "Zoe has a penalty, but no game" in notes(standings)
    assert {line.penalties for line in standings.players} == {0}


def test_a_pattern_that_fits_no_game_is_said() -> None:
    season = Season(rounds=(Round("One", ("week1*", "g00[01]")), Round("Two", ("*",))))
    games = [game(0, NAMES[:4], [30, 10, -10, -30])]
    said = "round One: no game fits 'week1*'; files are such as 000.mjlog"
    assert notes(Standings(games, season))[-1] == said


def test_other_rules_are_said_once_and_are_no_fault_of_each_game() -> None:
    point = {"codes": ("V506", "V506"), "stated": (1, 2, 3, 4)}
    games = [game(number, NAMES[:4], [30, 10, -10, -30], **point) for number in range(9)]
    games += [game(10, NAMES[:4], [1, 1, -1, -1], codes=("V101", "V506"))]
    standings = Standings(games, Season())
    assert [one.id for one in standings.faulty] == ["g010"]
    assert {row["errors"] for row in TABLES["games"](standings)} == {"", "V101"}
    lines = notes(standings)
    assert "10 of 10 logs contradict these rules in the same ways (V506)" in lines[1]
    assert lines[2] == "9 of 10 logs state another result than these rules give"
    assert not any("the log says" in line for line in lines)
    assert Standings(games[:2], Season()).faulty == games[:2], "two games say nothing"


FLOATING = {1: (12, -1, -3, -8), 2: (8, 4, -4, -8), 3: (8, 3, 1, -12)}
LEAGUES = {
    # start, return, uma by place (or by how many are above the start), who gets the sticks left
    "mleague": (25, 30, (30, 10, -10, -30), True),
    "jpml-a": (30, 30, FLOATING, False),
    "jpml-b": (30, 30, (15, 5, -5, -15), False),
    "ema": (30, 30, (15, 5, -5, -15), True),
    "wrc": (30, 30, (15, 5, -5, -15), False),
}
"""Point rules of five leagues, as they publish them."""


def settled(name: str, scores: Sequence[int]) -> list[Fraction]:
    """Points in thousands by the rules as published, in exact fractions; ties share."""
    start, back, uma, _ = LEAGUES[name]
    above = sum(score >= 1000 * start for score in scores)
    by_place = uma.get(above, (0, 0, 0, 0)) if isinstance(uma, dict) else uma
    bonus = [Fraction(cell) for cell in by_place]
    bonus[0] += 4 * (back - start)
    order = sorted(scores, reverse=True)
    points = []
    for score in scores:
        places = [place for place, other in enumerate(order) if other == score]
        points.append(Fraction(score, 1000) - back + sum(bonus[place] for place in places) / len(places))
    return points


@pytest.mark.parametrize("name", LEAGUES)
def test_point_rules_of_leagues(tmp_path: Path, name: str) -> None:
    assert (
        call("simulate", "--rules", name, "--games", "8", "--seed", "4", "-o", tmp_path / "logs").status == 0
    )
    standings = league(tmp_path / "logs", rules=name).standings
    assert len(standings.games) == 8
    for one in standings.games:
        due = settled(name, one.scores)
        assert (
            sum(abs(Fraction(points, 1000) - exact) for points, exact in zip(one.points, due, strict=True))
            < 1
        )
        if len(set(one.scores)) == 4:
            assert [Fraction(points, 1000) for points in one.points] == due
    assert not standings.wrong
    assert not standings.faulty


@pytest.mark.parametrize(
    ("name", "scores", "points"),
    [
        ("mleague", (42100, 31000, 18000, 8900), (62.1, 11.0, -22.0, -51.1)),
        ("jpml-a", (45000, 29000, 26000, 20000), (27.0, -2.0, -7.0, -18.0)),
        ("jpml-a", (35000, 31000, 30500, 23500), (13.0, 4.0, 1.5, -18.5)),
        ("ema", (41000, 33000, 27000, 19000), (26.0, 8.0, -8.0, -26.0)),
    ],
)
def test_published_examples(name: str, scores: tuple[int, ...], points: tuple[float, ...]) -> None:
    assert [float(one) for one in settled(name, scores)] == list(points)


def test_results_are_those_of_the_logs() -> None:
    batch = Batch.concatenate(read_batches([GAMES]))
    results = game_results(replay(batch))
    assert len(results) == len(batch) > 30
    for row, result in enumerate(results):
        assert result is not None
        players = len(result.scores)
        assert list(result.scores) == batch.games.final_scores[row, :players].tolist()
        told = [round(1000 * float(points)) for points in batch.games.final_points[row, :players]]
        assert list(result.points) == told


def test_a_game_without_an_end_has_no_result() -> None:
    batch = Batch.concatenate(read_batches(SHORT[:2]))
    batch.games.is_cut[0] = True
    first, second = game_results(replay(batch))
    assert first is None
    assert second is not None
    assert list(second.scores) == batch.games.final_scores[1].tolist()


def test_a_win_that_was_paid_wrongly_is_put_right() -> None:
    batch = Batch.concatenate(read_batches(SHORT[:1]))
    right = batch.games.final_scores[0].tolist()
    winner, other = int(batch.wins.seat[-1]), (int(batch.wins.seat[-1]) + 1) % 4
    assert batch.wins.hand[-1] == len(batch.hands) - 1, "the last hand was won"
    for seat, too_much in ((winner, 700), (other, -700)):
        batch.wins.deltas[-1, seat] += too_much
        batch.games.final_scores[0, seat] += too_much
    (result,) = game_results(replay(batch))
    assert result is not None
    assert list(result.scores) == right


@pytest.mark.corpus
def test_results_are_those_of_real_logs(shared: Path) -> None:
    games = wrong = 0
    for batch in read_batches([shared / "logs" / "mjlog", shared / "logs" / "majsoul"]):
        for row, result in enumerate(game_results(replay(batch))):
            if result is not None:
                games += 1
                players = len(result.scores)
                wrong += list(result.scores) != batch.games.final_scores[row, :players].tolist()
    assert games > 2000
    assert wrong == 0


def test_under_other_rules() -> None:
    rows = league_under(SOME, "mleague", rules="tenhou")
    assert rows[0].rule is None
    rules = {row.rule.rule: row for row in rows[1:] if row.rule}
    assert rules["uma"].shifted > 0
    assert "max_wind_rounds" not in rules  # the hands are as they were played
    shifts = [row.shifted for row in rows[1:]]
    assert shifts == sorted(shifts, reverse=True)
    four = [one for one in league(SOME, rules="tenhou").standings.games if len(one.names) == 4]
    extra = defaultdict(int)
    for one in four:
        for seat, place in enumerate(one.places):
            extra[one.names[seat]] += (10000, 0, 0, -10000)[place - 1]
    assert rules["uma"].shifted == sum(map(abs, extra.values())) // 2


HANCHAN = sorted(GAMES.glob("hanchan-4p-*"))


def points_of(game: LeagueGame, rules: Ruleset) -> list[int]:
    """Points of a game between four players, from its scores under the rules of the log, by hand."""
    moved = rules.table.start_points - 25000
    scores = [score + moved for score in game.scores]
    uma = list(rules.final.uma)
    uma[0] += 4 * (rules.final.return_points - rules.table.start_points) if rules.final.oka else 0
    return [
        score - rules.final.return_points + uma[place - 1]
        for score, place in zip(scores, game.places, strict=True)
    ]


STARTS: dict[str, dict[str, RuleValue]] = {
    "30000 to 30000, without oka": {"start_points": 30000},
    "30000 to 35000": {"start_points": 30000, "return_points": 35000},
    "30000 to 33000": {"start_points": 30000, "return_points": 33000},
    "20000": {"start_points": 20000},
    "25000 to 25000": {"return_points": 25000},
    "26000, uma 15-5": {"start_points": 26000, "uma": [15000, 5000, -5000, -15000]},
}


@each_row("case", STARTS)
def test_scores_begin_with_the_starting_points_of_the_rules(case: str) -> None:
    rules = with_overrides(load_preset("tenhou"), STARTS[case])
    own = league(HANCHAN, rules="tenhou").standings
    settings = [f"{rule}={value}" for rule, value in STARTS[case].items()]
    found = league(HANCHAN, rules="tenhou", settings=settings).standings
    assert [list(one.points) for one in found.games] == [points_of(one, rules) for one in own.games]
    assert found.balance == 0
    assert all(one.stated == one.scores for one in found.games), "no log contradicts its own points"


OTHERS = ("ema", "wrc", "jpml-a", "rmu-a", "mleague", "majsoul", "saikouisen")


@pytest.mark.every(4)
@pytest.mark.parametrize("name", OTHERS)
def test_totals_add_up_to_zero_under_each_rule(name: str) -> None:
    first, other = load_preset("tenhou"), load_preset(name)
    for row in league_under(HANCHAN[:6], name, rules="tenhou"):
        assert [game.missing for game in row.standings.games] == [0] * 6
        rules = row.rule.rule.split(", ") if row.rule else list(other.values())
        under = with_overrides(first, {rule: other.values()[rule] for rule in rules})
        excess = 0 if under.final.oka else sum(under.starts) - 4 * under.final.return_points
        sticks = row.standings.balance - 6 * excess
        assert sticks <= 0
        assert not sticks or under.final.sticks_left == SticksLeft.LOST


@pytest.mark.parametrize(
    ("base", "target", "rules"),
    [
        ("tenhou", {"start_points": 30000, "return_points": 33000}, ["start_points, return_points"]),
        ("tenhou", {"return_points": 25000, "oka": False}, ["return_points, oka"]),
        ("tenhou", {"red_man": 0, "red_pin": 0}, ["red_man, red_pin"]),
        ("tenhou", {"ura_dora": False, "kan_ura_dora": False}, ["ura_dora, kan_ura_dora"]),
        ("tenhou", {"red_sou": 0, "ippatsu": False}, ["red_sou", "ippatsu"]),
    ],
)
def test_coupled_rules_change_together(
    base: str, target: dict[str, RuleValue], rules: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "other.toml"
    values = "".join(f"{rule} = {toml_value(value)}\n" for rule, value in target.items())
    path.write_text(f'base = "{base}"\nsummary = "x"\n{values}')
    rows = league_under(HANCHAN, str(path), rules=base)
    assert sorted(row.rule.rule for row in rows if row.rule) == sorted(rules)
    if len(rules) == 1:
        assert rows[0].shifted == rows[1].shifted > 0


@pytest.mark.parametrize("settings", [["red_man=0"], ["red_man=0", "red_pin=0"]])
@pytest.mark.parametrize("rules", ["tenhou", None])
def test_red_fives_of_one_suit_are_plain(settings: list[str], rules: str | None) -> None:
    """A hand counts its red fives only in suits that have some, and nobody loses points that nobody gains."""
    found = league(HANCHAN, rules=rules, settings=settings).standings
    own = league(HANCHAN, rules=rules).standings
    none = league(HANCHAN, rules=rules, settings=["red_man=0", "red_pin=0", "red_sou=0"]).standings
    shifts = [
        sum(abs(a.total - b.total) for a, b in zip(by_name(one), by_name(own), strict=True))
        for one in (found, none)
    ]
    assert 0 < shifts[0] != shifts[1]
    assert found.balance == none.balance == 0
    han = [sum(best.han for game in one.games for best in game.best) for one in (own, found, none)]
    assert han[0] > han[1] > han[2]


def by_name(standings: Standings) -> list[Standing]:
    return sorted(standings.players, key=lambda line: line.player)


def test_rules_that_no_log_can_be_settled_under_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "four.toml"
    path.write_text('base = "tenhou"\nsummary = "four"\nred_pin = 2\n')
    logs = tmp_path / "logs"
    assert call("simulate", "--rules", path, "--games", "1", "--seed", "4", "-o", logs).status == 0
    result = call("league", logs, "--set", "red_pin=1")
    assert result.status == 2
    assert "red_pin = 1 cannot be settled: 2 fives are red in this log" in result.talk[-1]
    assert "all totals add up to 0.0" in call("league", logs, "--set", "red_pin=0").talk
    result = call("league", *SHORT, "--rules", "tenhou", "--under", path)
    assert "left out, because logs of tenhou cannot be settled anew under it: red_pin" in result.talk


def test_a_sheet_begins_with_the_points_of_the_other_rules(tmp_path: Path) -> None:
    sheet = tmp_path / "games.csv"
    sheet.write_text(
        "date,player_1,score_1,player_2,score_2,player_3,score_3,player_4,score_4\n"
        "2026-01-01,Aki,42100,Botan,31000,Chie,18000,Dai,8900\n"
    )
    (row, *_) = league_under(sheet, "ema", rules="mleague")
    assert {one.player: one.total for one in row.standings.players} == {
        "Aki": 32100, "Botan": 11000, "Chie": -12000, "Dai": -31100,
    }  # fmt: skip


SEASON = """
title = "Tuesday"
rules = "tenhou"
drop_worst = 1
least_games = 2
chip_points = 2
teams = { Reds = ["Aki", "Botan"], Blues = "Chie" }
aliases = { Aki = ["aki2"] }
[[rounds]]
title = "One"
games = "2026-01*"
[[penalties]]
player = "Aki"
points = -20.0
reason = "chombo"
shared = true
"""


def test_luck_is_that_of_the_command_and_only_where_it_is_measured() -> None:
    """Luck and the rest add up to the results; a player with one game that is not measured has neither."""
    document = json.loads(call("luck", GAMES, "--utility", "rules", "--format", "json").text)
    luck = {row["player"]: row["games"] * row["utility_luck"] for row in document["players"]}
    played = {row["player"]: row["games"] for row in document["players"]}
    rows = json.loads(call("league", GAMES, "--format", "json").text)["rows"]
    columns = ["luck", "luck_margin", "without_luck", "without_luck_margin"]
    assert [list(row)[-4:] for row in rows] == [columns] * len(rows)
    shown = {row["player"]: row for row in rows if row["luck"] is not None}
    assert set(shown) == {row["player"] for row in rows if row["games"] == played[row["player"]]}
    assert 0 < len(shown) < len(rows)
    for player, row in shown.items():
        assert row["luck"] == pytest.approx(luck[player], abs=0.3)
        assert row["luck"] + row["without_luck"] == pytest.approx(row["total"])
        games = next(one for one in document["players"] if one["player"] == player)
        for name in ("luck", "without_luck"):
            half = games[f"utility_{name}_high"] - games[f"utility_{name}"]
            assert row[f"{name}_margin"] == pytest.approx(half * games["games"], abs=0.3)
    three = json.loads(call("league", f"{GAMES}/*3p*", "--format", "json").text)
    assert not [row for row in three["rows"] if "luck" in row]
    assert not [line for line in three["notes"] if "luck" in line]


def test_a_season_is_read() -> None:
    season = read_season(SEASON)
    assert (season.title, season.rules, season.drop_worst, season.least_games) == ("Tuesday", "tenhou", 1, 2)
    assert season.chip_points == 2000
    assert dict(season.teams) == {"Reds": ("Aki", "Botan"), "Blues": ("Chie",)}
    assert season.rounds == (Round("One", ("2026-01*",)),)
    assert season.penalties == (Penalty("Aki", -20000, "chombo", shared=True),)
    assert dict(season.aliases) == {"aki2": "Aki"}
    assert season.team_of("Emi") == ""


@pytest.mark.parametrize(("text", "message"), case_data("refused_texts")["seasons"].items())
def test_what_a_season_cannot_say(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SeasonError, match=re.escape(message)):
        read_season(text)
    (tmp_path / "season.toml").write_text(text)
    done = call("league", GAMES, "--season", tmp_path / "season.toml")
    assert done.status == 2
    assert "season.toml" in done.talk[-1]
    assert message in done.talk[-1]


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season's file for the sample games."""
    path = tmp_path_factory.mktemp("season") / "season.toml"
    text = SEASON.replace('"Aki", "Botan"', '"Botan", "葵"').replace('"Chie"', '["チドリ"]')
    text = text.replace('"Aki"', '"Botan"').replace('"2026-01*"', '"*tonpuu*"')
    path.write_text(text + '[[stages]]\ntitle = "All"\ngames = "*"\n', "utf-8")
    return path


@pytest.mark.every(4)
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("fmt", ["table", "json", "jsonl", "csv"])
def test_every_table_in_every_form(season: Path, name: str, fmt: str) -> None:
    done = call("league", *SHORT, "--season", season, "--table", name, "--format", fmt)
    assert done.status == 0
    text = season.read_text("utf-8")
    made = league(SHORT, season=read_season(text), rules="tenhou", luck=name == "standings")
    rows = TABLES[name](made.standings)
    assert rows
    if fmt == "json":
        document = json.loads(done.text)
        assert document["rows"] == rows
        assert document["title"] == "Tuesday"
    elif fmt == "jsonl":
        assert [json.loads(line) for line in done.text.splitlines()] == rows
    elif fmt == "csv":
        cells = list(csv.DictReader(io.StringIO(done.text)))
        assert list(cells[0]) == list(rows[0])
        assert len(cells) == len(rows)
    else:
        assert all(head in done.text for head in list(rows[0])[:2])


def test_any_number_of_workers_and_any_order() -> None:
    one = call("league", GAMES, "--format", "csv", "--jobs", "1")
    two = call("league", *sorted(GAMES.iterdir(), reverse=True), "--format", "csv", "--jobs", "2")
    assert one.status == two.status == 0
    assert one.data == two.data


def test_a_wrong_result_is_named_and_costs_the_status(tmp_path: Path) -> None:
    text = next(
        path for path in sorted((SAMPLES / "scenarios").glob("*.mjlog")) if b"owari" in path.read_bytes()
    )
    data = text.read_bytes()
    scores = re.search(rb'owari="(-?\d+),', data)
    assert scores is not None
    wrong = data.replace(scores[0], b'owari="%d,' % (int(scores[1]) + 10))
    (tmp_path / "wrong.mjlog").write_bytes(wrong)
    (tmp_path / "right.mjlog").write_bytes(data)
    done = call("league", tmp_path / "right.mjlog")
    assert done.status == 0
    done = call("league", tmp_path / "wrong.mjlog")
    assert done.status == 1
    assert any("wrong.mjlog: the log says" in line for line in done.talk)


def test_errors_of_the_command_line(tmp_path: Path) -> None:
    for arguments, message in (
        (["-o", "x.html"], "-o is for pages"),
        (["--under", "mleague"], "name them with --rules"),
        (["--under", "mleagu", "--rules", "tenhou"], "mleague"),
        (["--season", tmp_path / "none.toml"], "none.toml"),
        (["--rules", "tenhou", "--under", "tenhou-sanma"], "rules of different games"),
    ):
        done = call("league", GAMES, *arguments)
        assert done.status == 2
        assert message in done.talk[-1]
    (tmp_path / "empty").mkdir()
    assert call("league", tmp_path / "empty").status == 2


def test_a_season_names_rules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('base = "tenhou"\numa = [90000, 0, 0, -90000]\n')
    (tmp_path / "season.toml").write_text('rules = "own.toml"\n')
    done = call("league", GAMES, "--season", tmp_path / "season.toml", "--table", "games", "--format", "json")
    four = [row for row in json.loads(done.text)["rows"] if row["player_4"]]
    assert len(four) == 20
    assert all(row["points_1"] > 90 for row in four)


def test_the_page_escapes_names_and_runs_no_script(season: Path) -> None:
    names = ["<script>alert(1)</script>", '"><img src=x>', "Chie", "Dai"]
    page = league_page(Standings([game(0, names, [30, 10, -10, -30])], Season(title="<b>")))
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;" in page
    assert "script-src &#39;none&#39;" in page
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.full
def test_the_page_has_what_the_season_has(season: Path, tmp_path: Path) -> None:
    target = tmp_path / "league.html"
    done = call("league", GAMES, "--season", season, "--under", "mleague", "--html", "-o", target)
    assert done.status in (0, 1)
    page = target.read_text("utf-8")
    for section in (
        "standings",
        "teams",
        "rounds",
        "under",
        "honours",
        "cross",
        "players",
        "games",
        "penalties",
    ):
        assert f'id="{section}"' in page
    for link in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{link}"' in page
    assert len(page) < 600_000


def test_ratings_tell_strong_players_from_weak_ones_and_equal_ones_from_nobody() -> None:
    """Of equal players hardly a pair differs; of unequal ones, ratings follow who is better."""
    from paifu.reports.league.ratings import league_ratings

    random = np.random.default_rng(2)
    equal = [league_ratings(Standings(made_season(12, 40, 0.0, random), Season())) for _ in range(6)]
    apart = [
        abs(one.rating - other.rating) > np.hypot(one.high - one.low, other.high - other.low) / 2
        for found in equal
        for number, one in enumerate(found.players)
        for other in found.players[:number]
    ]
    assert np.mean(apart) < 0.05
    assert all(found.games_needed for found in equal)
    games = made_season(12, 120, 12_000.0, random)
    found = league_ratings(Standings(games, Season()))
    assert found.games_needed is None
    points = {one.player: one.total for one in Standings(games, Season()).players}
    ratings = [one.rating for one in found.players]
    assert ratings == sorted(ratings, reverse=True)
    assert np.corrcoef(ratings, [points[one.player] for one in found.players])[0, 1] > 0.8
    assert sum(one.best for one in found.players) == pytest.approx(1)
    assert all(one.low < one.rating < one.high for one in found.players)


COLUMNS = ["place", "player", "games", "total", "first", "second", "third", "fourth"]
FULL = Season(
    title="Autumn",
    games_each=60,
    chip_points=500,
    drop_worst=2,
    teams={"Reds": ("Botan", "葵"), "Blues": ("dahlia 3", "チドリ")},
    penalties=(Penalty("Botan", -20000),),
    stages=(Stage("First", ("*",), advance=2, games_each=60), Stage("Last", ("last*",), games_each=4)),
)
"""A season with every column of the standings."""


@pytest.mark.full
def test_people_see_eight_columns_of_the_standings_and_what_is_not_there() -> None:
    done = call("league", GAMES)
    assert done.text.splitlines()[1].split() == COLUMNS
    assert (
        "not shown: average place, luck, luck margin, without luck, without luck margin; --columns all"
        in (" ".join(done.talk))
    )
    every = json.loads(call("league", GAMES, "--format", "json").text)["rows"][0]
    assert len(every) == 13
    done = call("league", GAMES, "--columns", "all")
    assert done.text.splitlines()[1].split() == list(every)
    assert "not shown" not in " ".join(done.talk)
    done = call("league", GAMES, "--columns", "player, luck", "--format", "csv")
    assert done.text.splitlines()[0] == "player,luck"
    done = call("league", GAMES, "--columns", "player,averge_place")
    assert (done.status, done.talk) == (
        2,
        ["Error: the table standings has no column 'averge_place'; did you mean average_place?"],
    )


def test_eight_columns_are_those_that_a_season_is_about() -> None:
    made = league(GAMES, season=FULL, luck=True).standings
    every = list(TABLES["standings"](made)[0])
    assert len(every) == 25
    assert shown_columns("standings", every) == [
        "place", "player", "team", "stage", "games", "total", "carried", "penalties",
    ]  # fmt: skip
    assert set(every) == {column for group in league_tables._FIRST for column in group}
    page = league_page(made)
    left_out = set(every) - set(shown_columns("standings", every))
    text = re.search(r"not shown: ([^;<]+);", page)
    assert text is not None
    assert set(text[1].split(", ")) == {column.replace("_", " ") for column in left_out}
    assert "not shown" not in league_page(made, columns=["all"])
