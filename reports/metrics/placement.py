"""Placement: ranks, points, ratings, and what became of the last hand."""

from __future__ import annotations

import numpy as np

from paifu.reports.metrics.frames import Games
from paifu.reports.metrics.metric import Column, Counted, Family
from paifu.reports.metrics.records import NO_POINTS

family = Family("placement", "Placement")

_WORDS = {1: "first", 2: "second", 3: "third", 4: "fourth"}


@family.mean("rank", "average rank", "ranks added", base="games", unit="", heading="rank")
def rank(games: Games) -> Counted:
    """Mean of the ranks, 1 for the first. Equal points are ranked by seat, the first dealer first."""
    return games.rank


for _rank, _word in _WORDS.items():

    def _ranked(games: Games, wanted: int = _rank) -> Counted:
        return games.rank == wanted

    family.share(
        f"{_word}_rate",
        f"{_word}",
        f"games finished {_word}",
        base="games",
        heading=f"{_rank}.",
        definition=f"Games finished {_word}, by the order that the rank uses.",
    )(_ranked)


@family.share("last_rate", "last", "games finished last", base="games", heading="last")
def last_rate(games: Games) -> Counted:
    """Games finished last: fourth of four, third of three."""
    return games.is_last


@family.share("top_two_rate", "first or second", "games finished first or second", base="games")
def top_two_rate(games: Games) -> Counted:
    """Games finished first or second."""
    return games.rank <= 2


@family.share("bust_rate", "bust", "games finished below zero", base="games", heading="bust")
def bust_rate(games: Games) -> Counted:
    """Games finished with fewer than 0 points."""
    return games.final < 0


@family.mean(
    "score_change_game",
    "points gained per game",
    "final minus first points",
    base="games",
    unit="points",
    decimals=0,
)
def score_change_game(games: Games) -> Counted:
    """Points at the end of the game minus those at its start, without uma and oka."""
    return games.gain


@family.mean("final_score", "final points", "final points", base="games", unit="points", decimals=0)
def final_score(games: Games) -> Counted:
    """Points on the table at the game's end, without uma and oka."""
    return games.final


@family.mean(
    "game_points",
    "settled points per game",
    "settled points",
    base="games",
    unit="pt",
    scale=0.1,
    denominator="games with settled points",
)
def game_points(games: Games) -> Counted:
    """Result of a game as the log settles it, uma and oka in, such as +43.5."""
    known = games.points != NO_POINTS
    return np.where(known, games.points, 0), known


@family.count(
    "game_points_total", "settled points in all", "settled points", base="games", unit="pt", scale=0.1
)
def game_points_total(games: Games) -> Counted:
    """All settled results added up."""
    return np.where(games.points != NO_POINTS, games.points, 0)


_FIXED = np.array([0, 90, 45, 0, -135])


@family.mean(
    "rank_points",
    "points by rank 90/45/0/-135",
    "points by rank",
    base="games",
    unit="pt",
    denominator="games of four with a known result",
)
def rank_points(games: Games) -> Counted:
    """Four players only: 90, 45, 0 and -135 points for the ranks, as for a 7 dan in Tenhou's Phoenix room."""
    return _FIXED[games.rank], games.players == 4


_PLACE = np.array([0, 15, 5, -5, -15])


@family.mean(
    "room_points",
    "expected points, uma 15/5/-5/-15",
    "rounded points with uma",
    base="games",
    unit="pt",
    denominator="games with a known result",
)
def room_points(games: Games) -> Counted:
    """Points gained, in thousands rounded up, and the uma; what a room adds by rank is not in.

    The uma is 15/5/-5/-15, of three players 15/0/-15.
    """
    uma = np.where(games.players == 4, _PLACE[games.rank], (2 - games.rank.astype(np.int64)) * 15)
    return -(-games.gain // 1000) + uma


_BONUS = np.array([0, 30, 10, -10, -30])


def _bonus(games: Games) -> Column:
    return np.where(games.players == 4, _BONUS[games.rank], (2 - games.rank.astype(np.int64)) * 30)


@family.mean(
    "table_rating",
    "mean rating of the table",
    "mean ratings",
    base="games",
    unit="R",
    scale=0.01,
    decimals=0,
    denominator="games with all ratings",
)
def table_rating(games: Games) -> Counted:
    """Mean rating of all players at the table, before the game."""
    return games.table_rating, games.table_rating > 0


@family.mean(
    "stable_rating",
    "stable rating",
    "mean rating of the table and 40 times the bonus by rank",
    base="games",
    unit="R",
    scale=0.01,
    decimals=0,
    denominator="games with all ratings",
)
def stable_rating(games: Games) -> Counted:
    """The rating at which the mean change would be nothing.

    The mean of the table's rating and 40 times the bonus by rank: 30/10/-10/-30, of three players 30/0/-30.
    """
    known = games.table_rating > 0
    return np.where(known, games.table_rating + 4000 * _bonus(games), 0), known


@family.mean(
    "rating_change",
    "expected rating change per game",
    "changes of the rating",
    base="games",
    unit="R",
    scale=0.00005,
    denominator="games with all ratings",
)
def rating_change(games: Games) -> Counted:
    """The change of the rating as it is after 400 games: 0.2 (bonus + (table's rating - own rating) / 40).

    The bonus is 30/10/-10/-30 by rank, of three players 30/0/-30.
    """
    known = (games.table_rating > 0) & (games.rating > 0)
    change = 4000 * _bonus(games) + games.table_rating - games.rating
    return np.where(known, change, 0), known


def _stable(room: str, length: str, first: int, second: int, step: int, words: str) -> None:
    """Declare the grade at which the loss by last ranks equals the gain by first and second ones."""

    def measure(games: Games) -> Counted:
        here = (games.players == 4) & (games.room == room) & (games.length == length)
        gain = np.where(games.rank == 1, first // step, np.where(games.rank == 2, second // step, 0))
        return np.where(here, gain, 0), here & (games.rank == 4)

    family.ratio(
        f"stable_dan_{room}_{length}",
        f"stable dan, {words}",
        f"{first // step} a first rank, {second // step} a second",
        base="games",
        unit="dan",
        denominator="last ranks there",
        offset=-2.0,
        definition=f"Tenhou's grade at which points by rank would balance in {words} games: {first} for a "
        f"first rank, {second} for a second, and {step} (grade + 2) lost for a fourth.",
    )(measure)


_stable("houou", "south", 90, 45, 15, "Phoenix room, south")
_stable("houou", "east", 60, 30, 10, "Phoenix room, east")
_stable("tokujou", "south", 75, 30, 15, "expert room, south")
_stable("tokujou", "east", 50, 20, 10, "expert room, east")


@family.share(
    "last_hand_hold_rate",
    "first before the last hand, and at the end",
    "finished first",
    base="games",
    denominator="games led at the last hand",
)
def last_hand_hold_rate(games: Games) -> Counted:
    """Of games in which the player led when the last scheduled hand began: those finished first."""
    return games.rank == 1, games.last_hand_rank == 1


@family.share(
    "last_hand_overtake_rate",
    "behind before the last hand, first at the end",
    "finished first",
    base="games",
    denominator="games behind at the last hand",
)
def last_hand_overtake_rate(games: Games) -> Counted:
    """Of games in which the player did not lead when the last scheduled hand began: those finished first."""
    return games.rank == 1, games.last_hand_rank > 1


@family.share(
    "last_hand_escape_rate",
    "last before the last hand, not at the end",
    "finished better than last",
    base="games",
    denominator="games last at the last hand",
)
def last_hand_escape_rate(games: Games) -> Counted:
    """Of games in which the player was last when the last scheduled hand began: those not finished last."""
    return ~games.is_last, games.last_hand_rank == games.players


for _place, _before in _WORDS.items():
    for _rank, _word in _WORDS.items():

        def _from_to(games: Games, place: int = _place, wanted: int = _rank) -> Counted:
            return games.rank == wanted, games.last_hand_rank == place

        family.share(
            f"last_hand_{_before}_to_{_word}_rate",
            f"{_before} before the last hand, {_word} at the end",
            f"finished {_word}",
            base="games",
            denominator=f"games {_before} at the last hand",
            definition=f"Of games in which the player was {_before} when the last scheduled hand began: "
            f"those finished {_word}.",
        )(_from_to)


@family.share(
    "last_hand_repeated_rate", "more than one last hand", "games with a repeated last hand", base="games"
)
def last_hand_repeated_rate(games: Games) -> Counted:
    """Games with more than one hand from the last scheduled one on: repeats and overtime."""
    return games.last_hands > 1


@family.mean("hands_per_game", "hands per game", "hands", base="games", unit="hands")
def hands_per_game(games: Games) -> Counted:
    """Hands of a game that are counted, repeats included."""
    return games.hands


for _seat in range(4):
    for _rank, _word in _WORDS.items():

        def _ranked_from(games: Games, seat: int = _seat, wanted: int = _rank) -> Counted:
            return games.rank == wanted, games.seat == seat

        family.share(
            f"seat_{_seat + 1}_{_word}_rate",
            f"{_word} from seat {_seat + 1}",
            f"games finished {_word}",
            base="games",
            denominator=f"games begun on seat {_seat + 1}",
            definition=f"Games finished {_word} of those begun on seat {_seat + 1}; seat 1 deals first.",
        )(_ranked_from)


@family.extreme("most_points", "most points at the end", "final points", base="games", unit="points")
def most_points(games: Games) -> Counted:
    """The most points that a game was finished with."""
    return games.final


@family.extreme("most_hands", "most hands in a game", "hands", base="games", unit="hands")
def most_hands(games: Games) -> Counted:
    """The most hands of one game, repeats included."""
    return games.hands
