"""Stages of a season, and the chances of its games that are left."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from each_row import each_row
from made_leagues import foretold, made_season
from test_league import NAMES, game, season_of_games

from paifu.reports.league.chances import chances
from paifu.reports.league.season import Penalty, Season, SeasonError, Stage, read_season
from paifu.reports.league.standings import Standings
from paifu.reports.league.tables import TABLES, notes
from paifu.reports.pages.league import league_page

FIRST = Stage("First", ("g00*",), advance=3)
FINAL = Stage("Final", ("g01*",), carry=0.5, games_each=4)
GAMES = [
    *(game(number, NAMES[:4], [30, 10, -10, -30]) for number in range(2)),
    *(game(number, NAMES[1:5], [30, 10, -10, -30]) for number in range(2, 4)),
    *(game(number, ["Aki", "Botan", "Chie", "Emi"], [-30, 30, 10, -10]) for number in range(10, 12)),
]
"""First: Aki 60, Botan 80, Chie 0, Dai -80, Emi -60."""


def test_part_of_the_points_goes_on_and_the_others_end() -> None:
    standings = Standings(GAMES, Season(stages=(FIRST, FINAL)))
    first, final = standings.stages
    assert [line.player for line in first.lines] == ["Botan", "Aki", "Chie", "Emi", "Dai"]
    assert first.advanced == {"Botan", "Aki", "Chie"}
    lines = [(line.place, line.player, line.stage, line.carried, line.total) for line in standings.players]
    assert lines == [
        (1, "Botan", "Final", 40000, 100000),
        (2, "Chie", "Final", 0, 20000),
        (3, "Emi", "Final", 0, -20000),
        (4, "Aki", "Final", 30000, -30000),
        (5, "Dai", "First", 0, -80000),
    ]
    assert [len(line.games) for line in standings.players] == [6, 6, 4, 4, 4]
    assert standings.balance == sum(points for _reason, points in standings.imbalance)
    assert "Final: Emi did not come so far, and bring no points with them" in notes(standings)
    rows = {(row["stage"], row["player"]): row["advances"] for row in TABLES["stages"](standings)}
    assert rows["First", "Chie"]
    assert not rows["First", "Emi"]
    assert 'id="stages"' in league_page(standings)
    assert final.advanced == set()


def test_a_stage_whose_pattern_fits_no_game_is_said() -> None:
    last = Stage("Last", ("final*",))
    said = notes(Standings(GAMES, Season(stages=(FIRST, FINAL, last))))
    assert "stage Last: no game fits 'final*'; files are such as 000.mjlog" in said
    assert not any("no game fits 'g0" in line for line in said)


def test_a_stage_that_has_not_begun_changes_nothing() -> None:
    season = Season(stages=(FIRST, FINAL))
    lines = Standings(GAMES[:4], season).players
    assert [line.total for line in lines] == [80000, 60000, 0, -60000, -80000]
    assert {line.stage for line in lines} == {"First"}


def test_games_of_no_stage_do_not_count() -> None:
    standings = Standings([*GAMES, game(99, NAMES[:4], [40, 0, 0, -40])], Season(stages=(FIRST, FINAL)))
    assert len(standings.games) == 6
    assert "1 game belongs to no stage and does not count" in notes(standings)


def test_those_who_go_on_are_listed_before_they_play() -> None:
    games = [*GAMES[:4], game(10, ["Aki", "Botan", "Dai", "Emi"], [30, 10, -10, -30])]
    (chie,) = (line for line in Standings(games, Season(stages=(FIRST, FINAL))).stages[1].lines
               if line.player == "Chie")  # fmt: skip
    assert (chie.games, chie.total, chie.average_place) == ((), 0, 0)


def test_penalties_belong_to_a_stage() -> None:
    for stage, total in (("", 90000), ("First", 90000), ("Final", 80000)):
        season = Season(stages=(FIRST, FINAL), penalties=(Penalty("Botan", -20000, stage=stage),))
        (line,) = (line for line in Standings(GAMES, season).players if line.player == "Botan")
        assert line.total == total, stage


def test_teams_go_on_together() -> None:
    """Botan alone is the best, but her team is not."""
    teams = {"Reds": ("Botan", "Dai"), "Blues": ("Aki", "Chie")}
    stage = replace(FIRST, advance=1, teams=True)
    standings = Standings(GAMES, Season(teams=teams, stages=(stage, FINAL)))
    assert standings.stages[0].advanced == {"Aki", "Chie"}
    before = Standings(GAMES[:4], Season(teams=teams, stages=(stage, FINAL)))
    assert [(team, total) for team, _, total in before.teams] == [("Blues", 60000), ("Reds", 0)]


def test_equals_go_on_together() -> None:
    games = [game(0, NAMES[:4], [20, 0, 0, -20])]
    stage = replace(FIRST, advance=2)
    assert Standings(games, Season(stages=(stage, FINAL))).stages[0].advanced == {"Aki", "Botan", "Chie"}


STAGES = """
[[stages]]
title = "First"
games = "2026-01*"
advance = 3
games_each = 10
[[stages]]
title = "Final"
games = ["2026-02*"]
carry = 0.5
"""


def test_stages_are_read() -> None:
    season = read_season(STAGES)
    assert season.stages == (
        Stage("First", ("2026-01*",), advance=3, games_each=10), Stage("Final", ("2026-02*",), carry=0.5),
    )  # fmt: skip


@each_row(
    ("text", "message"),
    [
        (STAGES.replace("0.5", "50"), "carry of stages 2 should be a part from 0 to 1, such as 0.5, not 50"),
        (STAGES.replace("0.5", "nan"), "carry of stages 2 should be a part from 0 to 1"),
        (STAGES.replace("Final", "First"), "two stages have the title 'First'"),
        (STAGES.replace("advance", "advances"), "there is no 'advances' in stages 1; did you mean advance?"),
        (STAGES.replace("advance = 3", "teams = true"), "the season has no teams"),
        ("games_each = 3\n" + STAGES, "a season with stages states games_each in each stage"),
        (STAGES + "[[penalties]]\nplayer='x'\npoints=1\nstage='Finale'", "no stage 'Finale'; did you mean"),
    ],
)  # fmt: skip
def test_what_stages_cannot_say(text: str, message: str) -> None:
    with pytest.raises(SeasonError, match=re.escape(message)):
        read_season(text)


# Chances


@pytest.mark.full
def test_chances_come_true() -> None:
    """In leagues of equal and of unequal players: those said to win with 3 in 10 do so about as often."""
    for spread in (0, 5000):
        found = list(foretold(120, 8, 16, spread, seed=5))
        said, came = (
            np.array([getattr(one, name) for one in found], float) for name in ("chance", "was_first")
        )
        assert abs(said.sum() - 120) < 1e-9
        for of in (said < 0.1, (said >= 0.1) & (said < 0.4), said >= 0.4):
            error = np.sqrt((said[of] * (1 - said[of])).sum()) / of.sum()
            assert abs(came[of].mean() - said[of].mean()) < 3 * error + 0.01
        alike = np.array([one.plain for one in found])
        assert ((said - came) ** 2).mean() < 0.9 * ((alike - came) ** 2).mean()
        assert 0.9 < np.mean([one.is_inside for one in found]) < 0.99


def test_the_better_player_has_the_better_chance_at_equal_points() -> None:
    """A penalty takes what Aki has more; what the games say of Aki stays."""
    often, seldom = [40, 0, -10, -30], [-10, 40, 0, -30]
    games = [game(number, NAMES[:4], often if number % 4 else seldom) for number in range(40)]
    ahead = {line.player: line.total for line in Standings(games, Season()).players}
    penalty = Penalty("Aki", ahead["Botan"] - ahead["Aki"])
    now = chances(Standings(games, Season(games_each=80, penalties=(penalty,))), 2000)
    assert now is not None
    assert now.players["Aki"].first > now.players["Botan"].first + 0.2


def test_what_is_left_is_played() -> None:
    games = season_of_games(3)
    standings = Standings(games, Season(games_each=25))
    now = chances(standings, 500)
    assert now is not None
    assert {line.player: now.players[line.player].games_left for line in standings.players} == {
        line.player: max(0, 25 - len(line.games)) for line in standings.players
    }
    assert abs(sum(one.first for one in now.players.values()) - 1) < 1e-9
    assert chances(Standings(games, Season(games_each=25)), 500) == now, "the same games, the same chances"


def test_who_is_too_far_ahead_is_first() -> None:
    games = [game(number, NAMES[:4], [30, 10, -10, -30]) for number in range(30)]
    season = Season(games_each=31)
    rows = TABLES["standings"](Standings(games, season))
    assert [row["chance_first"] for row in rows] == [100, 0, 0, 0]
    assert {row["games_left"] for row in rows} == {1}
    assert any("1 game left, simulated" in line for line in notes(Standings(games, season)))


def test_dropped_games_are_dropped_in_simulations_too() -> None:
    """With all games but one dropped, the best game of each decides."""
    games = season_of_games(4, 24)
    standings = Standings(games, Season(games_each=24, drop_worst=30))
    now = chances(standings, 300)
    assert now is not None
    best = {line.player: max(one.points for one in line.games) for line in standings.players}
    assert all(now.players[name].low >= points - 1 for name, points in best.items())
    assert all(now.players[name].high < 150_000 for name in best)


def test_no_chances_without_the_number_of_games_or_with_too_few() -> None:
    games = season_of_games(3)
    assert chances(Standings(games, Season()), 100) is None
    assert "chance_first" not in TABLES["standings"](Standings(games, Season()))[0]
    few = Standings(games[:9], Season(games_each=30))
    assert chances(few, 100) is None
    assert "no chances yet: they need 10 games" in notes(few)
    assert chances(Standings(games, Season(games_each=1)), 100) is None


def test_chances_to_go_on() -> None:
    games = made_season(8, 10, 5000, np.random.default_rng(1))
    stages = (Stage("First", ("*",), advance=4, games_each=20), Stage("Final", ("final*",), games_each=10))
    rows = TABLES["standings"](Standings(games, Season(stages=stages)))
    assert abs(sum(row["chance_advance"] for row in rows) - 400) < 1
    assert all(row["chance_advance"] >= row["chance_first"] for row in rows)
    teams = {"A": ("P0", "P1"), "B": ("P2", "P3"), "C": ("P4", "P5"), "D": ("P6", "P7")}
    stages = (replace(stages[0], advance=2, teams=True), stages[1])
    rows = TABLES["teams"](Standings(games, Season(stages=stages, teams=teams)))
    assert abs(sum(row["chance_advance"] for row in rows) - 200) < 1
    assert abs(sum(row["chance_first"] for row in rows) - 100) < 1


def test_only_those_who_came_so_far_play_on() -> None:
    games = made_season(8, 10, 5000, np.random.default_rng(1))
    stages = (Stage("First", ("g0000*",), advance=4), Stage("Final", ("*",), games_each=30))
    standings = Standings(games, Season(stages=stages))
    now = chances(standings, 100)
    assert now is not None
    assert {name for name, one in now.players.items() if one.games_left} == standings.stages[0].advanced
