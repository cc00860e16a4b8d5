"""What the tables hold: each column's name, type, unit and meaning, declared once.

``paifu import`` stores them under ``tables/`` of a dataset, :mod:`paifu.reports.tables.making` makes them,
and the data dictionary of the documentation is generated from here.

``game`` and ``hand`` are whole numbers that no two games and hands of a dataset share; they fit into the
numbers of any program (below 2**53). ``key`` is the same in every dataset
(:mod:`paifu.replay.model.identity`). What is not known, or has no meaning in a row, is null.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

GAME, HAND = "game", "hand"
KEYS = (GAME, HAND)
SHARD_BITS = 24
"""Bits of a number that count the hands, or the games, of one shard; the bits above number the shard."""

KEY, WHOLE, POINTS, REAL, TEXT, WORD, TRUTH, WORDS, TIME = (
    "int64", "int16", "int32", "float64", "text", "word", "bool", "list of words", "timestamp",
)  # fmt: skip
"""Types: a word is one of few texts, stored as a dictionary."""


@dataclass(frozen=True, slots=True)
class TableColumn:
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
    index: tuple[str, ...]
    """The columns that tell rows apart; of findings, several may share them."""
    columns: tuple[TableColumn, ...]


_GAME = TableColumn(GAME, KEY, "The game's number in this dataset.")
_HAND = TableColumn(HAND, KEY, "The hand's number in this dataset.")
_SEAT = TableColumn("seat", WHOLE, "Absolute seat, 0 to 3; seat 0 deals first.")
_PLAYER = TableColumn("player", WORD, "The name in the log.")

GAMES = TableOf(
    "games",
    "a game",
    ("game",),
    (
        _GAME,
        TableColumn("key", KEY, "The game's key: the same in every dataset; copies of a game share it."),
        TableColumn("id", TEXT, "The platform's id of the game."),
        TableColumn("source", TEXT, "File, archive member or database row that it was read from."),
        TableColumn("link", TEXT, "Address at which the platform shows the game; null where it has none."),
        TableColumn("format", WORD, "Format of the log."),
        TableColumn(
            "started", TIME, "When the game began, in the platform's local time, as far as it is known."
        ),
        TableColumn("room", WORD, "Room of the platform, or `lobby N`; null if unknown."),
        TableColumn("ruleset", WORD, "Preset that the log names."),
        TableColumn("scheme", WORD, "System of scoring: `han-fu` is riichi."),
        TableColumn("length", WORD, "`east`, `south`, or the number of scheduled winds."),
        TableColumn("players", WHOLE, "Three or four."),
        TableColumn("hands", POINTS, "Hands that were played."),
        TableColumn("is_cut", TRUTH, "The log stops before the end, or could be read only so far."),
    ),
)
GAME_PLAYERS = TableOf(
    "game_players",
    "a player in a game",
    ("game", "seat"),
    (
        _GAME, _SEAT, _PLAYER,
        TableColumn("dan", WHOLE, "Tenhou's grade: 0 newcomer, 1 to 9 for 9 to 1 kyu, 10 to 19 for 1 to 10 dan, 20 tenhoui."),
        TableColumn("rating", REAL, "Rating before the game."),
        TableColumn("start", POINTS, "At the start of the first hand.", "points"),
        TableColumn("final", POINTS, "At the end of the game.", "points"),
        TableColumn("result", REAL, "With uma and oka, in thousands, as the log states.", "1,000 points"),
        TableColumn("rank", WHOLE, "1 is first; equal points are ranked by seat."),
    ),
)  # fmt: skip
HANDS = TableOf(
    "hands",
    "a hand, repeats included",
    ("hand",),
    (
        _HAND, _GAME,
        TableColumn("key", KEY, "The hand's key: that of its game, and the number of the hand in it from 0."),
        TableColumn("place", TEXT, "Round, number and honba, as `--hand` takes it: `E1.0`."),
        TableColumn("wind", WORD, "Round wind."),
        TableColumn("number", WHOLE, "Number of the hand within the wind, from 1."),
        TableColumn("honba", WHOLE, "Repeats so far."),
        TableColumn("sticks", WHOLE, "Riichi sticks on the table at the start."),
        TableColumn("dealer", WHOLE, "Seat of the dealer."),
        TableColumn("end", WORD, "How it ended."),
        TableColumn("riichis", WHOLE, "Riichi that were declared."),
        TableColumn("winners", WHOLE, "Players who won it."),
        TableColumn("is_counted", TRUTH, "The hand counts in statistics, and has rows in the tables below: the engine can follow it to a result that it can score, or that is paid to a hidden hand."),
    ),
)  # fmt: skip
PLAYER_HANDS = TableOf(
    "player_hands",
    "a player whose tiles are known, in a hand that counts",
    ("hand", "seat"),
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        TableColumn("is_dealer", TRUTH, "The player deals."),
        TableColumn("score", POINTS, "Before the hand.", "points"),
        TableColumn("result", WORD, "What the end of the hand is to the player."),
        TableColumn("won", TRUTH, "By ron or tsumo."),
        TableColumn("change", POINTS, "Gained or lost in the hand, the player's riichi stick included.", "points"),
        TableColumn("points", POINTS, "Value of the player's win, without honba and sticks; null without a win.", "points"),
        TableColumn("yakuman", WHOLE, "Yakuman of the win, a double one counted twice; 0 for a counted yakuman."),
        TableColumn("deal_ins", WHOLE, "Winners that the player dealt into."),
        TableColumn("dealt_in_points", POINTS, "Value of their hands, without honba and sticks; null without a deal-in.", "points"),
        TableColumn("tsumo_paid", POINTS, "Paid for another player's tsumo, honba included; null without one.", "points"),
        TableColumn("turns", WHOLE, "The player's discards."),
        TableColumn("start_shanten", WHOLE, "Shanten of the 13 tiles dealt."),
        TableColumn("shanten", WHOLE, "Shanten after the last own move; -1 for a hand won by tsumo."),
        TableColumn("tenpai_turn", WHOLE, "Own discards when the hand was first tenpai; null if never."),
        TableColumn("tenpai_at_draw", TRUTH, "Tenpai at an exhaustive draw."),
        TableColumn("wait", WORD, "Shape of the wait after the last discard: `ryanmen`, `kanchan`, `penchan`, `shanpon`, `tanki` or `multi-sided`; null without one."),
        TableColumn("riichi", WORD, "`none`, `riichi` or `double riichi`; declared, whether or not the tile was won."),
        TableColumn("riichi_turn", WHOLE, "Own discards, that of the riichi included; null without riichi."),
        TableColumn("riichi_order", WHOLE, "1 for the first riichi of the hand; null without riichi."),
        TableColumn("riichi_kinds", WHOLE, "Kinds of tiles waited for at riichi; null without riichi."),
        TableColumn("riichi_tiles", WHOLE, "Tiles of these that the player did not see; null without riichi."),
        TableColumn("riichi_furiten", TRUTH, "Declared in furiten; null without riichi."),
        TableColumn("furiten", WORDS, "Kinds of furiten that the player was in: `discard`, `temporary`, `riichi`."),
        TableColumn("calls", WHOLE, "Chi, pon and open kans."),
        TableColumn("first_call_turn", WHOLE, "Own discards before the first of them; null without calls."),
        TableColumn("closed_kans", WHOLE, "Closed kans."),
        TableColumn("added_kans", WHOLE, "Kans made of a pon."),
        TableColumn("open_kans", WHOLE, "Kans made of another player's discard."),
        TableColumn("kita", WHOLE, "Norths set aside, with three players."),
        TableColumn("draws", WHOLE, "Own draws, without those after riichi."),
        TableColumn("useful_draws", WHOLE, "Draws, of these, that brought the hand nearer to tenpai, or completed it."),
        TableColumn("losing_discards", WHOLE, "Discards that led away from tenpai."),
    ),
)  # fmt: skip
WINS = TableOf(
    "wins",
    "a win of a player whose tiles are known, in a hand that counts",
    ("hand", "seat"),
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        TableColumn("from_seat", WHOLE, "Who dealt in; null for tsumo."),
        TableColumn("from_player", WORD, "Name of who dealt in; null for tsumo."),
        TableColumn("is_tsumo", TRUTH, "Won with a drawn tile."),
        TableColumn("is_dealer", TRUTH, "The winner deals."),
        TableColumn("tile", WORD, "The winning tile, `0m` for a red five."),
        TableColumn("turn", WHOLE, "Own discards before the win."),
        TableColumn("points", POINTS, "Without honba and sticks.", "points"),
        TableColumn("han", WHOLE, "Dora included; null outside riichi."),
        TableColumn("fu", WHOLE, "Null outside riichi."),
        TableColumn("yakuman", WHOLE, "How many, doubles counted twice; 0 for a counted yakuman."),
        TableColumn("limit", WORD, "`none`, `mangan`, `haneman`, `baiman`, `sanbaiman` or `yakuman`."),
        TableColumn("yaku", WORDS, "Yaku in romaji, without dora; in other games, the patterns."),
        TableColumn("dora", WHOLE, "Dora by indicators."),
        TableColumn("ura", WHOLE, "Ura dora."),
        TableColumn("red", WHOLE, "Red fives."),
        TableColumn("kita", WHOLE, "Norths or flowers set aside."),
        TableColumn("wait", WORD, "Shape of the wait that the tile completed, as it scores; null for a yakuman."),
        TableColumn("riichi", WORD, "The winner's: `none`, `riichi` or `double riichi`."),
        TableColumn("is_open", TRUTH, "With at least one open call."),
        TableColumn("honba", WHOLE, "Honba that this winner is paid."),
        TableColumn("sticks", WHOLE, "Riichi sticks that this winner takes."),
    ),
)  # fmt: skip
DEAL_INS = TableOf(
    "deal_ins",
    "a winner dealt into, so that a double ron has two",
    ("hand", "seat", "to_seat"),
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        TableColumn("to_seat", WHOLE, "Who won."),
        TableColumn("to_player", WORD, "Name of who won."),
        TableColumn("tile", WORD, "The tile, `0m` for a red five."),
        TableColumn("turn", WHOLE, "Own discards, this one included."),
        TableColumn("points", POINTS, "Value of the winner's hand, without honba and sticks.", "points"),
        TableColumn("shanten", WHOLE, "Shanten of who dealt in, after the discard."),
        TableColumn("riichi", WORD, "State of who dealt in: `none`, `riichi` or `double riichi`."),
        TableColumn("calls", WHOLE, "Open calls of who dealt in."),
        TableColumn("is_dealer", TRUTH, "The dealer dealt in."),
        TableColumn("to_riichi", WORD, "The winner's: `none`, `riichi` or `double riichi`."),
        TableColumn("to_open", TRUTH, "The winner's hand was open."),
        TableColumn("to_dealer", TRUTH, "The winner deals."),
    ),
)  # fmt: skip
DISCARDS = TableOf(
    "discards",
    "a discard in a hand that counts",
    ("hand", "order"),
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        TableColumn("order", WHOLE, "Place among all discards of the hand, from 1."),
        TableColumn("turn", WHOLE, "Own discards, this one included."),
        TableColumn("tile", WORD, "The tile, `0m` for a red five."),
        TableColumn("shanten", WHOLE, "Of the hand that is left; 0 is tenpai. Null after the 18th discard."),
        TableColumn("is_drawn", TRUTH, "The tile just drawn (tsumogiri)."),
        TableColumn("is_riichi", TRUTH, "Declares riichi."),
        TableColumn("in_riichi", TRUTH, "The player was in riichi before."),
        TableColumn("riichis", WHOLE, "Others in riichi at this moment."),
        TableColumn("calls", WHOLE, "Own open calls so far."),
        TableColumn("is_called", TRUTH, "Another player took it for a chi, pon or open kan."),
        TableColumn("deals_in", TRUTH, "Another player won it."),
        *(
            TableColumn(f"danger_{place}", WORD, f"Class of the tile against the player {which}, as `paifu danger` has it: `suji 1/9` if that player is in riichi, `open hand: suji 1/9` if the open hand is to be feared; null for no threat.")
            for place, which in (("next", "next in turn"), ("across", "opposite, with four players"), ("before", "before in turn"))
        ),
        TableColumn("best", WORD, "Tile of the option that the model rates highest, which need not be a discard. As the next two: only after an import with `--decisions`; null without a choice or a verdict."),
        TableColumn("loss", POINTS, "Points that it rates this option higher, an estimate: places are not in it.", "points"),
        TableColumn("loss_error", POINTS, "Standard error of `loss`.", "points"),
    ),
)  # fmt: skip
FINDINGS = TableOf(
    "findings",
    "a finding of the review in a hand that counts",
    ("hand", "seat"),
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        TableColumn("code", WORD, "`paifu explain` says what it means."),
        TableColumn("cost", POINTS, "What the choice cost: the win not taken, or what was paid.", "points"),
        TableColumn("is_note", TRUTH, "No mistake, as all deal-ins here: which of them are, `paifu review` says."),
    ),
)  # fmt: skip
_CHANCES = tuple(
    TableColumn(f"place_{place}", REAL, f"Chance of the {which} place in the game.")
    for place, which in enumerate(("1st", "2nd", "3rd", "4th"), 1)
)
LUCK = TableOf(
    "luck",
    "a player in a hand whose luck is measured; only after an import with `--luck`",
    ("hand", "seat"),
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        TableColumn("result", POINTS, "Gained or lost, sticks included; in the last hand also sticks that the rules hand out.", "points"),
        TableColumn("luck", REAL, "What chance brought, against its mean: the sum of the next four.", "points"),
        TableColumn("luck_deal", REAL, "Of it the deal and the first indicator.", "points"),
        TableColumn("luck_draws", REAL, "Own draws.", "points"),
        TableColumn("luck_others", REAL, "Draws of the others.", "points"),
        TableColumn("luck_ura", REAL, "Ura and kan dora.", "points"),
        *_CHANCES,
        TableColumn("worth", REAL, "Expected result of the game, with uma and oka, before the hand; as the chances.", "1,000 points"),
        TableColumn("luck_worth", REAL, "What the luck of the hand is worth in that.", "1,000 points"),
        TableColumn("leverage", REAL, "How much the hand can move it: standard deviation over its ends.", "1,000 points"),
    ),
)  # fmt: skip
MOMENTS = TableOf(
    "moments",
    "a player after an event of such a hand: the deal, each draw, and the last event before the next draw or the end; only after an import with `--luck`",
    ("hand", "seat", "event"),
    (
        _HAND, _GAME, _SEAT, _PLAYER,
        TableColumn("event", WHOLE, "Number of the event in the hand, from 0; null for the deal."),
        *_CHANCES,
        TableColumn("worth", REAL, "Expected result of the game, with uma and oka.", "1,000 points"),
        TableColumn("swing", REAL, "What the event changed of it.", "1,000 points"),
    ),
)  # fmt: skip

TABLES = MappingProxyType(
    {
        table.name: table
        for table in (
            GAMES,
            GAME_PLAYERS,
            HANDS,
            PLAYER_HANDS,
            WINS,
            DEAL_INS,
            DISCARDS,
            FINDINGS,
            LUCK,
            MOMENTS,
        )
    }
)
"""By name."""
