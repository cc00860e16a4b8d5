"""Sheets of results: leagues of games without logs, alone and beside logs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from case_data import case_data
from command import call

from paifu.api.league import league, league_under
from paifu.api.only import Only
from paifu.parsers.errors import PathNotFound
from paifu.reports.league.season import Penalty, Season
from paifu.reports.league.sheets import SheetError, read_sheet
from paifu.reports.league.tables import TABLES

GAMES = Path(__file__).parents[2] / "sample_logs" / "games"
HEAD = "date,player_1,score_1,player_2,score_2,player_3,score_3,player_4,score_4\n"
NIGHT = HEAD + "2026-05-31,Aki,42100,Botan,31000,Chie,18000,Dai,8900\n"


def made(tmp_path: Path, text: str, name: str = "night.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_a_night_is_settled_by_the_rules_of_the_league(tmp_path: Path) -> None:
    """The published example of M.League's rules."""
    (game,) = league(made(tmp_path, NIGHT), rules="mleague").standings.games
    assert game.points == (62100, 11000, -22000, -51100)
    assert game.places == (1, 2, 3, 4)
    assert game.started == "2026-05-31"


def test_the_table_of_games_is_a_sheet(tmp_path: Path) -> None:
    """The standings of logs, and those of the results that were printed of them, are the same but luck."""
    printed = call("league", GAMES, "--rules", "tenhou", "--table", "games", "--format", "csv")
    sheet = made(tmp_path, printed.text)
    logs = call("league", GAMES, "--rules", "tenhou", "--format", "csv")
    again = call("league", sheet, "--rules", "tenhou", "--format", "csv")
    assert again.status == 0
    rows = list(csv.reader(io.StringIO(again.text)))
    assert rows == [row[:-4] for row in csv.reader(io.StringIO(logs.text))]
    assert len(rows) == 5


def test_sheets_and_logs_are_one_league(tmp_path: Path) -> None:
    sheet = made(tmp_path, NIGHT.replace("Aki", "botan2").replace("Botan", "Aki"))
    season = Season(aliases={"botan2": "Botan"}, penalties=(Penalty("botan2", -20000),))
    logs = league(GAMES, rules="tenhou", season=Season()).standings
    both = league([GAMES, sheet], rules="tenhou", season=season).standings
    before, after = (
        {line.player: line for line in one.players}["Botan"] for one in (logs, both)
    )  # fmt: skip
    assert len(after.games) == len(before.games) + 1
    assert after.total == before.total + 52100 - 20000
    assert after.games[-1].points == 52100


def test_honours_of_hands_need_hands(tmp_path: Path) -> None:
    rows = TABLES["honours"](league(made(tmp_path, NIGHT), rules="mleague").standings)
    assert [row["honour"] for row in rows] == ["highest score"]
    done = call("league", tmp_path / "night.csv", "--rules", "mleague", "--html", "-o", tmp_path / "l.html")
    assert done.status == 0


def test_three_players_and_other_delimiters(tmp_path: Path) -> None:
    text = "\ufeffPlayer 1;Score 1;Player 2;Score 2;Player 3;Score 3\nAki;50,000;Botan;35000;Chie;20000\n"
    (game,) = league(made(tmp_path, text), rules="tenhou").standings.games
    assert game.scores == (50000, 35000, 20000)
    assert sum(game.points) == 0


def test_sticks_that_are_nobodys_may_lack(tmp_path: Path) -> None:
    sheet = made(tmp_path, HEAD + ",Aki,40000,Botan,35000,Chie,25000,Dai,18000\n")
    assert not league(sheet, rules="jpml-b").faults
    (fault,) = league(sheet, rules="ema").faults
    assert fault.message == ("line 2: the scores add up to 118,000, and ema begins with 120,000; 4 players")


@pytest.mark.parametrize(("row", "reason"), case_data("refused_texts")["sheet_rows"].items())
def test_a_bad_row_is_named_and_the_others_count(tmp_path: Path, row: str, reason: str) -> None:
    done = call("league", made(tmp_path, NIGHT + row + "\n"), "--rules", "mleague", "--format", "jsonl")
    assert done.status == 1
    assert len(done.text.splitlines()) == 4
    (line,) = [line for line in done.talk if "night.csv" in line]
    assert "line 3: " + reason in line


def test_a_game_that_stands_twice_counts_once(tmp_path: Path) -> None:
    text = "game," + NIGHT.replace("\n2026", "\nA1,2026")
    made_of = league(made(tmp_path, text + text.splitlines()[1] + "\n"), rules="mleague")
    assert len(made_of.standings.games) == 1
    assert made_of.faults[0].message == "line 3: the game A1 is in line 2, too"


def test_results_that_a_sheet_states_otherwise_are_named(tmp_path: Path) -> None:
    text = HEAD.replace("score_1", "score_1,points_1") + NIGHT.splitlines()[1].replace("42100", "42100,60.1")
    done = league(made(tmp_path, text + "\n"), rules="mleague")
    assert done.faults[0].message == ("line 2: Aki has +60.1 by the sheet; +62.1 by the rules, which count")
    assert done.standings.games[0].points[0] == 62100


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the column player_1 is missing"),
        (HEAD.replace("score_3", "scor_3"), "no column 'scor_3' in a sheet of results; did you mean score_"),
        (HEAD.replace("date", "weather"), "no column 'weather'"),
        (HEAD.replace("date", "player_1"), "two columns are called player_1"),
        (HEAD + '"x', "line 2"),
    ],
)  # fmt: skip
def test_what_is_no_sheet(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(SheetError) as error:
        read_sheet(text, "night.csv")
    assert reason in str(error.value)
    done = call("league", made(tmp_path, text), GAMES, "--rules", "mleague")
    assert done.status == 2
    assert reason in done.talk[-1]


def test_a_sheet_needs_rules(tmp_path: Path) -> None:
    with pytest.raises(SheetError, match="a sheet does not name its rules"):
        league(made(tmp_path, NIGHT))
    with pytest.raises(PathNotFound):
        league(tmp_path / "other.csv", rules="mleague")
    assert len(league(str(tmp_path / "*.csv"), rules="mleague").standings.games) == 1


def test_only_some_days(tmp_path: Path) -> None:
    sheet = made(tmp_path, NIGHT + NIGHT.splitlines()[1].replace("05-31", "06-07") + "\n")
    games = league(sheet, rules="mleague", only=Only(since="2026-06")).standings.games
    assert [game.started for game in games] == ["2026-06-07"]


def test_sheets_under_other_rules(tmp_path: Path) -> None:
    """The scores stay as they are; what places are worth changes."""
    sheet = made(tmp_path, NIGHT)
    rows = league_under(sheet, "tenhou", rules="mleague")
    uma = next(row for row in rows if row.rule and row.rule.rule == "uma")
    assert uma.shifted == 10000
    assert rows[0].standings.games[0].points == (52100, 11000, -22000, -41100)
