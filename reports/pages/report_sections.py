"""What the report shows, and in which order: statistics, figures and lists by section."""

from __future__ import annotations

from dataclasses import dataclass

from paifu.replay.language import N_
from paifu.reports import units
from paifu.reports.figures.catalogue import FIGURES
from paifu.reports.metrics.budget import BUDGET_PARTS
from paifu.reports.metrics.catalogue import CATALOGUE
from paifu.reports.metrics.metric import Metric
from paifu.reports.pages.report_hands import DEAL_INS, HITS, MISTAKES, UNUSUAL, WINS, YAKUMAN
from paifu.reports.statistics.standouts import NEEDED
from paifu.reports.statistics.text import NOTHING, estimate_text, interval_text
from paifu.reports.statistics.values import Estimate
from paifu.reports.units import typeset

MOST_PLAYERS = 500
"""Maximum number of rows in the table of players, which lists those with the most hands."""
CARDS = (
    "rank", "win_rate", "deal_in_rate", "net_efficiency", "riichi_rate", "call_rate", "win_value",
    "deal_in_value",
)  # fmt: skip
VERDICT = ("rank", "win_rate", "deal_in_rate")
"""Statistics that the page says first ..."""
PLACES = ("first_rate", "second_rate", "third_rate", "fourth_rate")
"""... the mean rank with these."""
BUDGET = tuple(BUDGET_PARTS)[:-1]
"""Parts of the points budget ..."""
BUDGET_TOTAL = "budget_total"
"""... and their sum."""
FIRST_DECISIONS = 3
"""How many of the costliest decisions the top of the page shows."""
HEADLINE = ("rank", "win_rate", "deal_in_rate", "riichi_rate", "call_rate")
"""Statistics that the command prints at its end, for a player ..."""
HEADLINE_OF_ALL = ("win_rate", "deal_in_rate", "riichi_rate", "call_rate", "win_value")
"""... and for everybody."""
LEAGUE = (
    "rank", "first_rate", "last_rate", "score_change_game", "win_rate", "deal_in_rate", "riichi_rate",
    "call_rate", "win_value", "deal_in_value", "net_efficiency",
)  # fmt: skip
"""Columns of the table of players."""
HEADS = {
    "first_rate": "first",
    "score_change_game": "± per game",
    "net_efficiency": "net per hand",
}
"""Short headings that the catalogue lacks."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: figures, and a table of statistics."""

    id: str
    title: str
    figures: tuple[str, ...]
    metrics: tuple[str, ...]

    @property
    def short(self) -> str:
        """The title in the list of sections."""
        return self.title.split(",")[0]


@dataclass(frozen=True, slots=True)
class HandList:
    """A list of hands."""

    hands: str
    """The list that was gathered (:data:`~paifu.reports.pages.report_hands.LISTS`)."""
    id: str
    title: str
    text: str

    @property
    def of_all(self) -> str:
        """The text where the list is about all players."""
        return self.text.replace("by the player, ", "")


SECTIONS = (
    Section(
        "placement",
        N_("Placement"),
        ("placement", "course"),
        (
            "rank", "first_rate", "second_rate", "third_rate", "fourth_rate", "bust_rate",
            "score_change_game", "game_points", "stable_rating", "last_hand_hold_rate",
            "last_hand_overtake_rate",
            "last_hand_escape_rate", "hands_per_game",
        ),
    ),
    Section(
        "hands",
        N_("Hands"),
        ("endings", "outcomes-by-turn", "tenpai-by-turn", "shanten-by-turn"),
        (
            "score_change_hand", "draw_rate", "draw_tenpai_rate", "aside_rate", "start_shanten",
            "tenpai_rate", "tenpai_turn", "tenpai_win_rate", "useful_draw_share", "losing_discards",
        ),
    ),
    Section(
        "wins",
        N_("Wins"),
        ("win-kinds", "win-points", "yaku"),
        (
            "win_rate", "win_value", "win_turn", "win_efficiency", "tsumo_share", "riichi_win_share",
            "riichi_win_value", "open_win_share", "open_win_value", "dama_win_share", "dama_win_value",
            "dealer_win_rate", "mangan_or_more_share", "all_dora_per_win", "ura_rate", "ippatsu_rate",
            "dearest_win",
        ),
    ),
    Section(
        "losses",
        N_("Losses"),
        ("deal-in-kinds", "deal-in-points"),
        (
            "deal_in_rate", "deal_in_value", "deal_in_turn", "deal_in_loss", "net_efficiency",
            "deal_in_to_riichi_share", "deal_in_to_open_share", "deal_in_to_dama_share",
            "deal_in_in_riichi_share", "deal_in_while_open_share", "deal_in_tenpai_share",
            "deal_in_7700_share", "hit_rate", "hit_loss",
        ),
    ),
    Section(
        "riichi",
        N_("Riichi"),
        ("riichi-turns", "riichi-outcomes"),
        (
            "riichi_rate", "riichi_turn", "riichi_win_rate", "riichi_deal_in_rate", "riichi_draw_rate",
            "riichi_income", "riichi_cost", "riichi_balance", "riichi_first_share", "riichi_chase_share",
            "riichi_good_share", "riichi_furiten_share", "riichi_tile_deal_in_rate",
        ),
    ),
    Section(
        "calls",
        N_("Calls"),
        ("call-outcomes",),
        (
            "call_rate", "calls_per_open_hand", "calls_1_turn", "calls_1_win_rate", "calls_1_win_value",
            "calls_1_deal_in_rate", "calls_1_balance", "calls_2_rate", "calls_3_rate", "ankan_per_hand",
            "kakan_per_hand", "daiminkan_per_hand",
        ),
    ),
    Section(
        "review",
        N_("Furiten, danger, missed chances"),
        ("review", "danger"),
        ("furiten_discard_rate", "furiten_temporary_rate", "furiten_riichi_rate"),
    ),
)  # fmt: skip
COMPARED = tuple(
    dict.fromkeys(
        (
            *CARDS,
            *BUDGET,
            BUDGET_TOTAL,
            *(m for s in SECTIONS for m in s.metrics if CATALOGUE[m].is_rate),
        )
    )
)
"""Statistics of two players side by side."""
LISTS = (
    HandList(
        WINS,
        "best-wins",
        N_("Best wins"),
        N_("Won by the player, sorted by the value of the hand without honba and riichi sticks."),
    ),
    HandList(
        DEAL_INS,
        "deal-ins",
        N_("Most expensive deal-ins"),
        N_("Sorted by the value of the winner's hand, without honba and riichi sticks."),
    ),
    HandList(
        MISTAKES,
        "mistakes",
        N_("Worst mistakes"),
        N_(
            "Mistakes found by the review, which judges by what the player could see. Points are the price "
            "of such a move, found by playing out decisions like it."
        ),
    ),
    HandList(
        UNUSUAL,
        "unusual",
        N_("Most unusual moves"),
        N_(
            "Moves that strong players make in fewer than one of 100 such positions, the rarest first, at "
            "most three of a game. They may be right: what they cost is not known."
        ),
    ),
    HandList(
        HITS,
        "tsumo-losses",
        N_("Most expensive tsumo losses"),
        N_("Others' tsumo, sorted by what the player paid, with honba."),
    ),
    HandList(YAKUMAN, "yakuman", N_("Yakuman"), N_("Hands won with a yakuman, counted yakuman included")),
)

IN_TABLES = tuple(
    dict.fromkeys(
        (
            *CARDS,
            *HEADLINE_OF_ALL,
            *BUDGET,
            BUDGET_TOTAL,
            *NEEDED,
            *(m for s in SECTIONS for m in s.metrics),
            "yakuman_win_share",
        )
    )
)
IN_FIGURES = tuple(dict.fromkeys(name for kind in FIGURES.values() for name in kind.metrics))


# --- values of statistics, as other outputs write them, typeset ----------------------------------------


def value_said(metric: Metric, estimate: Estimate) -> str:
    """Write the value of a statistic: ``21.4 %``, ``−1,200``."""
    return NOTHING if estimate.value is None else typeset(estimate_text(metric, estimate))


def interval_said(metric: Metric, estimate: Estimate) -> str:
    """Write the interval of a statistic; empty if it has none."""
    return typeset(interval_text(metric, estimate))


def difference_said(metric: Metric, amount: float | None) -> str:
    """Write by how much two values of a statistic differ, rates in points of percent; empty for None."""
    if amount is None:
        return ""
    scale, decimals = (100, 2) if metric.unit == "%" else (1, metric.decimals)
    return typeset(units.number(scale * amount, decimals, signed=True))
