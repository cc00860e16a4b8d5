"""What the tables hold: each column's name, type, unit and meaning, declared once.

``paifu import`` stores them under ``tables/`` of a dataset, :mod:`paifu.reports.tables.making` makes them,
and the data dictionary of the documentation is generated from here. A change of a name, a type or a meaning
raises VERSION.

``game`` and ``hand`` are whole numbers that no two games and hands of a dataset share; they fit into the
numbers of any program (below 2**53). What is not known, or has no meaning in a row, is null.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

VERSION = 2
GAME, HAND = "game", "hand"
KEYS = (GAME, HAND)
SHARD_BITS = 24
"""Bits of a key that number the hands, or the games, of one shard; the bits above number the shard."""

WHOLE, REAL, TEXT, WORD, TRUTH, WORDS, TIME = (
    "int64", "float64", "text", "word", "bool", "list of words", "timestamp",
)  # fmt: skip
"""Types: a word is one of few texts, stored as a dictionary."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    type: str
    meaning: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class TableOf:
    """A table: what a row is, and its columns."""

    name: str
    row: str
    columns: tuple[Column, ...]


_GAME = Column(GAME, WHOLE, "The game's key.")
_HAND = Column(HAND, WHOLE, "The hand's key.")
_SEAT = Column("seat", WHOLE, "Absolute seat, 0 to 3; seat 0 deals first.")
_PLAYER = Column("player", WORD, "The name in the log.")

GAMES = TableOf(
    "games",
    "a game",
    (
        _GAME,
        Column("id", TEXT, "The platform's id of the game."),
        Column("source", TEXT, "File, archive member or database row that it was read from."),
        Column("link", TEXT, "Address at which the platform shows the game; null where it has none."),
        Column("format", WORD, "Format of the log."),
        Column("started", TIME, "When the game began, in the platform's local time, as far as it is known."),
        Column("room", WORD, "Room of the platform, or `lobby N`; null if unknown."),
        Column("ruleset", WORD, "Preset that the log names."),
        Column("scheme", WORD, "System of scoring: `han-fu` is riichi."),
        Column("length", WORD, "`east`, `south`, or the number of scheduled winds."),
        Column("players", WHOLE, "Three or four."),
        Column("hands", WHOLE, "Hands that were played."),
        Column("is_cut", TRUTH, "The log stops before the end, or could be read only so far."),
    ),
)
GAME_PLAYERS = TableOf(
    "game_players",
    "a player in a game",
    (
        _GAME, _SEAT, _PLAYER,
        Column("dan", WHOLE, "Tenhou's grade: 0 newcomer, 1 to 9 for 9 to 1 kyu, 10 to 19 for 1 to 10 dan, 20 tenhoui."),
        Column("rating", REAL, "Rating before the game."),
        Column("start", WHOLE, "At the start of the first hand.", "points"),
        Column("final", WHOLE, "At the end of the game.", "points"),
        Column("result", REAL, "With uma and oka, in thousands, as the log states.", "1,000 points"),
        Column("rank", WHOLE, "1 is first; equal points are ranked by seat."),
    ),
)  # fmt: skip
HANDS = TableOf(
    "hands",
    "a hand, repeats included",
    (
        _HAND, _GAME,
        Column("place", TEXT, "Round, number and honba, as `--hand` takes it: `E1.0`."),
        Column("wind", WORD, "Round wind."),
        Column("number", WHOLE, "Number of the hand within the wind, from 1."),
        Column("honba", WHOLE, "Repeats so far."),
        Column("sticks", WHOLE, "Riichi sticks on the table at the start."),
        Column("dealer", WHOLE, "Seat of the dealer."),
        Column("end", WORD, "How it ended."),
        Column("riichis", WHOLE, "Riichi that were declared."),
        Column("winners", WHOLE, "Players who won it."),
        Column("is_counted", TRUTH, "The hand counts in statistics, and has rows in the tables below: all tiles are known, and the engine can follow it to a result that it can score."),
    ),
)  # fmt: skip
PLAYER_HANDS = TableOf(
    "player_hands",
    "a player in a hand that counts",
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        Column("is_dealer", TRUTH, "The player deals."),
        Column("score", WHOLE, "Before the hand.", "points"),
        Column("result", WORD, "What the end of the hand is to the player."),
        Column("won", TRUTH, "By ron or tsumo."),
        Column("change", WHOLE, "Gained or lost in the hand, the player's riichi stick included.", "points"),
        Column("points", WHOLE, "Value of the player's win, without honba and sticks; null without a win.", "points"),
        Column("yakuman", WHOLE, "Yakuman of the win, a double one counted twice; 0 for a counted yakuman."),
        Column("deal_ins", WHOLE, "Winners that the player dealt into."),
        Column("dealt_in_points", WHOLE, "Value of their hands, without honba and sticks; null without a deal-in.", "points"),
        Column("tsumo_paid", WHOLE, "Paid for another player's tsumo, honba included; null without one.", "points"),
        Column("turns", WHOLE, "The player's discards."),
        Column("start_shanten", WHOLE, "Shanten of the 13 tiles dealt."),
        Column("shanten", WHOLE, "Shanten after the last own move; -1 for a hand won by tsumo."),
        Column("tenpai_turn", WHOLE, "Own discards when the hand was first tenpai; null if never."),
        Column("tenpai_at_draw", TRUTH, "Tenpai at an exhaustive draw."),
        Column("wait", WORD, "Shape of the wait after the last discard: `ryanmen`, `kanchan`, `penchan`, `shanpon`, `tanki` or `multi-sided`; null without one."),
        Column("riichi", WORD, "`none`, `riichi` or `double riichi`; declared, whether or not the tile was won."),
        Column("riichi_turn", WHOLE, "Own discards, that of the riichi included; null without riichi."),
        Column("riichi_order", WHOLE, "1 for the first riichi of the hand; null without riichi."),
        Column("riichi_kinds", WHOLE, "Kinds of tiles waited for at riichi; null without riichi."),
        Column("riichi_tiles", WHOLE, "Tiles of these that the player did not see; null without riichi."),
        Column("riichi_furiten", TRUTH, "Declared in furiten; null without riichi."),
        Column("furiten", WORDS, "Kinds of furiten that the player was in: `discard`, `temporary`, `riichi`."),
        Column("calls", WHOLE, "Chi, pon and open kans."),
        Column("first_call_turn", WHOLE, "Own discards before the first of them; null without calls."),
        Column("closed_kans", WHOLE, "Closed kans."),
        Column("added_kans", WHOLE, "Kans made of a pon."),
        Column("open_kans", WHOLE, "Kans made of another player's discard."),
        Column("kita", WHOLE, "Norths set aside, with three players."),
        Column("draws", WHOLE, "Own draws, those after riichi apart."),
        Column("useful_draws", WHOLE, "Draws, of these, that brought the hand nearer to tenpai, or completed it."),
        Column("losing_discards", WHOLE, "Discards that led away from tenpai."),
    ),
)  # fmt: skip
WINS = TableOf(
    "wins",
    "a win in a hand that counts",
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        Column("from_seat", WHOLE, "Who dealt in; null for tsumo."),
        Column("from_player", WORD, "Name of who dealt in; null for tsumo."),
        Column("is_tsumo", TRUTH, "Won with a drawn tile."),
        Column("is_dealer", TRUTH, "The winner deals."),
        Column("tile", WORD, "The winning tile, `0m` for a red five."),
        Column("turn", WHOLE, "Own discards before the win."),
        Column("points", WHOLE, "Without honba and sticks.", "points"),
        Column("han", WHOLE, "Dora included; null outside riichi."),
        Column("fu", WHOLE, "Null outside riichi."),
        Column("yakuman", WHOLE, "How many, doubles counted twice; 0 for a counted yakuman."),
        Column("limit", WORD, "`none`, `mangan`, `haneman`, `baiman`, `sanbaiman` or `yakuman`."),
        Column("yaku", WORDS, "Yaku in romaji, without dora; in other games, the patterns."),
        Column("dora", WHOLE, "Dora by indicators."),
        Column("ura", WHOLE, "Ura dora."),
        Column("red", WHOLE, "Red fives."),
        Column("kita", WHOLE, "Norths set aside."),
        Column("wait", WORD, "Shape of the wait that the tile completed, as it scores; null for a yakuman."),
        Column("riichi", WORD, "The winner's: `none`, `riichi` or `double riichi`."),
        Column("is_open", TRUTH, "With at least one open call."),
        Column("honba", WHOLE, "Honba that this winner is paid."),
        Column("sticks", WHOLE, "Riichi sticks that this winner takes."),
    ),
)  # fmt: skip
DEAL_INS = TableOf(
    "deal_ins",
    "a winner dealt into, so that a double ron has two",
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        Column("to_seat", WHOLE, "Who won."),
        Column("to_player", WORD, "Name of who won."),
        Column("tile", WORD, "The tile, `0m` for a red five."),
        Column("turn", WHOLE, "Own discards, this one included."),
        Column("points", WHOLE, "Value of the winner's hand, without honba and sticks.", "points"),
        Column("shanten", WHOLE, "Shanten of who dealt in, after the discard."),
        Column("riichi", WORD, "State of who dealt in: `none`, `riichi` or `double riichi`."),
        Column("calls", WHOLE, "Open calls of who dealt in."),
        Column("is_dealer", TRUTH, "The dealer dealt in."),
        Column("to_riichi", WORD, "The winner's: `none`, `riichi` or `double riichi`."),
        Column("to_open", TRUTH, "The winner's hand was open."),
        Column("to_dealer", TRUTH, "The winner deals."),
    ),
)  # fmt: skip
DISCARDS = TableOf(
    "discards",
    "a discard in a hand that counts",
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        Column("turn", WHOLE, "Own discards, this one included."),
        Column("tile", WORD, "The tile, `0m` for a red five."),
        Column("is_drawn", TRUTH, "The tile just drawn (tsumogiri)."),
        Column("is_riichi", TRUTH, "Declares riichi."),
        Column("in_riichi", TRUTH, "The player was in riichi before."),
        Column("riichis", WHOLE, "Others in riichi at this moment."),
        Column("calls", WHOLE, "Own open calls so far."),
        Column("is_called", TRUTH, "Another player took it for a chi, pon or open kan."),
        Column("deals_in", TRUTH, "Another player won it."),
    ),
)  # fmt: skip
FINDINGS = TableOf(
    "findings",
    "a finding of the review in a hand that counts",
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        Column("code", WORD, "`paifu explain` says what it means."),
        Column("cost", WHOLE, "What the choice cost: the win not taken, or what was paid.", "points"),
        Column("is_note", TRUTH, "No mistake, as all deal-ins here: which of them are, `paifu review` says."),
    ),
)  # fmt: skip

TABLES = MappingProxyType(
    {
        table.name: table
        for table in (GAMES, GAME_PLAYERS, HANDS, PLAYER_HANDS, WINS, DEAL_INS, DISCARDS, FINDINGS)
    }
)
"""By name."""
