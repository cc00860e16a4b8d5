"""Placement: ranks, points, ratings, and the effect of the last hand."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from paifu.replay.arrays import Array
from paifu.replay.rulesets.ladders import KYU, LADDERS, TENHOU
from paifu.reports.metrics.frames import GameRows
from paifu.reports.metrics.metric import Counted, Family
from paifu.reports.metrics.records import NO_POINTS

family = Family(
    "placement",
    "Placement",
    base="games",
    of_riichi=r"^bust_rate|game_points|rating|stable_",
    higher=r"first_rate|top_two_rate|score_change_game|final_score|game_points(_total)?"
    r"|stable_\w+|rating_change|last_hand_(hold|overtake|escape)_rate|last_hand_\w+_to_first_rate"
    r"|seat_\d_first_rate",
    signed=r"(?!rank$|hands_per_game$|table_rating$)\w+",
    fixed=r"rank|(first|second|third|fourth|last|top_two)_rate|score_change_game|final_score|game_points",
    lower=r"rank|fourth_rate|last_rate|bust_rate|last_hand_\w+_to_fourth_rate|seat_\d_fourth_rate",
    shared=r"table_rating|last_hand_repeated_rate|hands_per_game|most_hands",
)

_WORDS = {1: "first", 2: "second", 3: "third", 4: "fourth"}
_HEADINGS = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th"}


@family.mean("average rank", "sum of ranks", unit="", heading="rank")
def rank(games: GameRows) -> Counted:
    """Average final rank, 1 being first. Equal points are ranked by seat, the first dealer first."""
    return games.rank


for _rank, _word in _WORDS.items():
    family.share(
        f"{_word}-place rate",
        f"games finished {_word}",
        name=f"{_word}_rate",
        heading=_HEADINGS[_rank],
        definition=f"Share of games finished {_word}; equal points are ranked by seat.",
    )(partial(lambda wanted, games: games.rank == wanted, _rank))


@family.share("last-place rate", "games finished last", heading="last")
def last_rate(games: GameRows) -> Counted:
    """Share of games finished last: fourth of four players, or third of three."""
    return games.is_last


@family.share("first or second place rate", "games finished first or second")
def top_two_rate(games: GameRows) -> Counted:
    """Share of games finished first or second."""
    return games.rank <= 2


@family.share("bust rate", "games finished below zero", heading="bust")
def bust_rate(games: GameRows) -> Counted:
    """Share of games finished with fewer than 0 points."""
    return games.final < 0


@family.points("average points gained per game", "final points minus starting points")
def score_change_game(games: GameRows) -> Counted:
    """Average of final points minus starting points, without uma and oka."""
    return games.gain, games.has_gain


@family.points("average final points", "final points")
def final_score(games: GameRows) -> Counted:
    """Average points at the end of the game, without uma and oka."""
    return games.final


@family.mean(
    "average result with uma and oka",
    "results with uma and oka",
    unit="pt",
    scale=0.1,
    denominator="games with such a result",
)
def game_points(games: GameRows) -> Counted:
    """Average result of a game as the log states it, with uma and oka, such as +43.5."""
    known = games.points != NO_POINTS
    return np.where(known, games.points, 0), known


@family.count("total result with uma and oka", "results with uma and oka", unit="pt", scale=0.1)
def game_points_total(games: GameRows) -> Counted:
    """Sum of the results that logs state, with uma and oka."""
    return np.where(games.points != NO_POINTS, games.points, 0)


_FIXED = np.array([0, 90, 45, 0, -135])


@family.mean(
    "average rank points (90/45/0/-135)",
    "rank points",
    unit="pt",
    denominator="four-player games with a known result",
)
def rank_points(games: GameRows) -> Counted:
    """Average of 90/45/0/-135 points by rank in four-player games, as for 7 dan in Tenhou's Phoenix room."""
    return _FIXED[games.rank], games.players == 4


_PLACE = np.array([0, 15, 5, -5, -15])


@family.mean(
    "average points with uma 15/5/-5/-15",
    "rounded points with uma",
    unit="pt",
    denominator="games with a known result",
)
def room_points(games: GameRows) -> Counted:
    """Points gained, in thousands rounded up, plus uma: 15/5/-5/-15, or 15/0/-15 with three players.

    Rank points that a room adds on top are not included.
    """
    uma = np.where(games.players == 4, _PLACE[games.rank], (2 - games.rank.astype(np.int64)) * 15)
    return np.where(games.has_gain, -(-games.gain // 1000) + uma, 0), games.has_gain


_BONUS = np.array([0, 30, 10, -10, -30])


def _bonus(games: GameRows) -> Array:
    return np.where(games.players == 4, _BONUS[games.rank], (2 - games.rank.astype(np.int64)) * 30)


_RATED: dict[str, Any] = {"unit": "R", "denominator": "games with all ratings"}


@family.mean("average table rating", "mean ratings of the table", scale=0.01, decimals=0, **_RATED)
def table_rating(games: GameRows) -> Counted:
    """Average rating of all players at the table, before the game."""
    return games.table_rating, games.table_rating > 0


@family.mean(
    "stable rating",
    "mean rating of the table plus 40 times the rank bonus",
    scale=0.01,
    decimals=0,
    **_RATED,
)
def stable_rating(games: GameRows) -> Counted:
    """The rating at which the average rating change would be zero.

    It is the average of the table's mean rating plus 40 times the rank bonus: 30/10/-10/-30, or 30/0/-30 with
    three players.
    """
    known = games.table_rating > 0
    return np.where(known, games.table_rating + 4000 * _bonus(games), 0), known


@family.mean("expected rating change per game", "expected rating changes", scale=0.00005, **_RATED)
def rating_change(games: GameRows) -> Counted:
    """Average rating change by the formula that applies from 400 games on.

    The formula is 0.2 * (bonus + (mean rating of the table - the player's rating) / 40). The rank bonus is
    30/10/-10/-30, or 30/0/-30 with three players.
    """
    known = (games.table_rating > 0) & (games.rating > 0)
    change = 4000 * _bonus(games) + games.table_rating - games.rating
    return np.where(known, change, 0), known


def _stable(room: str, length: str, words: str) -> None:
    """Declare the dan at which fourth places lose as many points as first and second places gain."""
    tenhou, kind = LADDERS[TENHOU], (4, length)
    first, second, *_rest = tenhou.rooms[room].gains[kind]
    step = tenhou.ranks[KYU + 1].losses[kind] - tenhou.ranks[KYU].losses[kind]

    def measure(games: GameRows) -> Counted:
        here = (games.players == 4) & (games.room == room) & (games.length == length)
        gain = np.where(games.rank == 1, first // step, np.where(games.rank == 2, second // step, 0))
        return np.where(here, gain, 0), here & (games.rank == 4)

    family.ratio(
        f"stable dan, {words}",
        f"{first // step} per first place and {second // step} per second place",
        name=f"stable_dan_{room}_{length}",
        unit="dan",
        denominator="fourth places there",
        offset=-2.0,
        definition=f"The Tenhou dan at which rank points would balance out in {words}: {first} gained for "
        f"first place, {second} for second, and {step} * (dan + 2) lost for fourth.",
    )(measure)


_stable("houou", "south", "Phoenix room hanchan")
_stable("houou", "east", "Phoenix room tonpuusen")
_stable("tokujou", "south", "expert room hanchan")
_stable("tokujou", "east", "expert room tonpuusen")


@family.share(
    "leads kept through the last hand", "games finished first", denominator="games led before the last hand"
)
def last_hand_hold_rate(games: GameRows) -> Counted:
    """Share of games finished first, among those in which the player led before the last hand.

    The last hand is the last scheduled one, the first time it is played.
    """
    return games.rank == 1, games.last_hand_rank == 1


@family.share(
    "comebacks to first in the last hand",
    "games finished first",
    denominator="games not led before the last hand",
)
def last_hand_overtake_rate(games: GameRows) -> Counted:
    """Share of games finished first, among those in which the player did not lead before the last hand.

    The last hand is the last scheduled one, the first time it is played.
    """
    return games.rank == 1, games.last_hand_rank > 1


@family.share(
    "escapes from last place in the last hand",
    "games finished better than last",
    denominator="games last before the last hand",
)
def last_hand_escape_rate(games: GameRows) -> Counted:
    """Share of games not finished last, among those in which the player was last before the last hand.

    The last hand is the last scheduled one, the first time it is played.
    """
    return ~games.is_last, games.last_hand_rank == games.players


for _place, _before in _WORDS.items():
    for _rank, _word in _WORDS.items():
        family.share(
            f"{_word} place from {_before} before the last hand",
            f"games finished {_word}",
            name=f"last_hand_{_before}_to_{_word}_rate",
            denominator=f"games {_before} before the last hand",
            definition=f"Share of games finished {_word}, among those in which the player was {_before} when "
            "the last scheduled hand began.",
        )(
            partial(
                lambda place, wanted, games: (games.rank == wanted, games.last_hand_rank == place),
                _place,
                _rank,
            )
        )


@family.share("games beyond the last hand", "games with repeats or extra rounds")
def last_hand_repeated_rate(games: GameRows) -> Counted:
    """Share of games with more than one hand from the last scheduled one on: repeats or extra rounds."""
    return games.last_hands > 1


@family.mean("hands per game", "hands", unit="hands")
def hands_per_game(games: GameRows) -> Counted:
    """Average number of hands in a game that count, repeats included."""
    return games.hands


for _seat in range(4):
    for _rank, _word in _WORDS.items():
        family.share(
            f"{_word}-place rate from seat {_seat + 1}",
            f"games finished {_word}",
            name=f"seat_{_seat + 1}_{_word}_rate",
            denominator=f"games started in seat {_seat + 1}",
            definition=f"Share of games finished {_word}, among those started in seat {_seat + 1}; seat 1 "
            "deals first.",
        )(partial(lambda seat, wanted, games: (games.rank == wanted, games.seat == seat), _seat, _rank))


@family.extreme("highest final points", "final points", unit="points")
def most_points(games: GameRows) -> Counted:
    """The most points at the end of a game."""
    return games.final


@family.extreme("most hands in a game", "hands", unit="hands")
def most_hands(games: GameRows) -> Counted:
    """The most hands in one game, repeats included."""
    return games.hands
