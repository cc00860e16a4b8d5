"""Scoring of single hands: what one is worth, or what it waits for, under any ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack, get_type_hints

from paifu.api.rules import Rules, Settings, riichi_ruleset, ruleset
from paifu.api.score_options import check_options, refuse, refuse_win_options, seat_of
from paifu.replay.arrays import Array
from paifu.replay.course.dealer_wins import has_won_in_a_row
from paifu.replay.language import N_, _
from paifu.replay.model.tile_notation import parse_tiles
from paifu.replay.model.tiles import WINDS
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.card import CardWaits
from paifu.replay.schemes.hand import Facts, HeldTiles
from paifu.replay.schemes.scheme import Won
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.han_fu import ScoredHanFu, score_han_fu
from paifu.replay.scoring.hand_text import CARD, OTHER_GAMES, WrittenHand, parse_hand
from paifu.replay.scoring.many import HandColumn, HandColumns, ScoredHands
from paifu.replay.scoring.many import score_many as score_columns
from paifu.replay.scoring.score import ScoredNagashi, ScoredWin, score_nagashi
from paifu.replay.scoring.score import score as score_win
from paifu.replay.scoring.winning_hand import WinningHand, missing_indicators
from paifu.replay.shapes.shanten import Acceptance

_WAITING_SIZE = 13
_ASKED_OTHERWISE = Situation.TSUMO | Situation.THIRTEENTH | Situation.FED_RIICHI
_FLAGS = {(flag.name or "").lower(): int(flag) for flag in Situation if flag not in _ASKED_OTHERWISE}
"""Option -> what it says of a win."""
_IMPLY_TSUMO = int(
    Situation.RINSHAN
    | Situation.FED_KAN
    | Situation.TWOFOLD
    | Situation.HAITEI
    | Situation.TENHOU
    | Situation.CHIIHOU
    | Situation.POCHI
)
"""Wins on a drawn tile, whether or not ``tsumo`` says so; chiihou with a payer is not one."""
_OF_NAGASHI = frozenset({"nagashi", "seat_wind", "round_wind", "own_wind", "honba", "sticks"})
"""Options that say something of a nagashi mangan."""
_HAN_FU = frozenset({"han", "fu", "yakuman"})
_OF_HAN_FU = _HAN_FU | frozenset({"tsumo", "seat_wind", "payer", "wareme", "honba", "sticks"})
"""Options that say what a hand is worth instead of its tiles, and those that go with them."""


class HandOptions(TypedDict, total=False):
    """What can be said of a hand and its win besides the tiles; winds are ``"east"`` to ``"north"``.

    Options that the ruleset does not know are errors. Those below ``sticks`` belong to games other than
    riichi, and to riichi where an outdated yaku asks for them; riichi's words for ways to win mean the
    same in all games.
    """

    tsumo: bool | None
    seat_wind: str
    own_wind: str | None
    """The winner's wind, where winds stay with their seats."""
    round_wind: str
    payer: str | None
    liable: str | None
    wareme: str | None
    riichi: bool
    double_riichi: bool
    open_riichi: bool
    ippatsu: bool
    rinshan: bool
    """Won on a supplement tile; in other games, on that of a gong."""
    chankan: bool
    haitei: bool
    houtei: bool
    tenhou: bool
    chiihou: bool
    renhou: bool
    kanburi: bool
    """Won on the discard after a kan; in other games, after any replacement draw."""
    tsubame: bool
    pochi: bool
    """Won on the white pochi, 5z, which counts as the tile that makes the hand worth most."""
    fed_kan: bool
    """Rinshan on an open kan; in other games, one that ``liable`` fed."""
    payer_riichi: bool
    """The discarder is in riichi, or could discard nothing else where that counts."""
    nagashi: bool
    """No win, but a nagashi mangan at a draw; the hand may be empty."""
    han: int
    """What the hand is worth, dora included; the hand is left empty. ``fu`` goes with it."""
    fu: int | None
    yakuman: int
    """How many yakuman the hand is, in place of ``han``."""
    dora: str
    """Indicators, such as ``"3m7z"``."""
    ura: str
    honba: int
    """Honba; in other games, how often the dealer kept the deal."""
    sticks: int

    twofold: bool
    gong_on_gong: bool
    bonus_replacement: bool
    dealers_first_discard: bool
    declare_bonus: bool
    dealer_wins: int
    discards: str
    loser: Sequence[str]
    card: str | Path | None
    bet: str | None


_EMPTY = {bool: False, int: 0, str: ""}
_DEFAULTS: dict[str, Any] = {
    **{name: _EMPTY.get(kind) for name, kind in get_type_hints(HandOptions).items()},
    "seat_wind": "south",
    "round_wind": "east",
    "loser": (),
}


class ScoreAnswer(NamedTuple):
    """A hand that was asked about, and what came out."""

    rules: Ruleset
    hand: WinningHand | HeldTiles
    result: ScoredWin | ScoredNagashi | ScoredHanFu | Won | Acceptance | CardWaits
    """A win, a nagashi mangan, han and fu, or what 13 tiles wait for or need."""
    facts: Facts | None = None
    """How a hand of another game than riichi won."""


def score(
    hand: str,
    *,
    win: str | None = None,
    rules: Rules = "tenhou",
    settings: Settings = (),
    **options: Unpack[HandOptions],
) -> ScoredWin | ScoredNagashi | ScoredHanFu | Won:
    """Return what a winning hand is worth: yaku or patterns, points, and the payments by seat wind.

    ``hand`` is written as for ``paifu score``: tiles in MPSZ, melds in brackets. ``win`` names the winning
    tile, the last concealed one by default. ``rules`` is a preset, a TOML file or a :class:`Ruleset`;
    ``settings`` changes single rules of it. For the other ``options`` see :class:`HandOptions`. The first
    call compiles the scoring kernels unless they are cached.

    Raises HandError if the hand does not win or cannot be, RuleError for the rules.

    >>> won = score("234m55p345678s(555z)", win="3s", dora="4m")
    >>> won.points, won.han, won.fu, [yaku.romaji for yaku, _han in won.yaku]
    (1000, 1, 30, ['haku'])
    >>> won.payments
    (0, 1000, -1000, 0)
    >>> score("", han=3, fu=40, seat_wind="east").points
    7700
    """
    found = answer(hand, win=win, rules=rules, settings=settings, **options).result
    if isinstance(found, (ScoredWin, ScoredNagashi, ScoredHanFu, Won)):
        return found
    raise HandError(
        _("{hand} has 13 tiles and has not won; name the 14th with win=, or ask paifu.waits").format(
            hand=hand
        )
    )


def waits(
    hand: str, *, rules: Rules = "tenhou", settings: Settings = (), dora: str = ""
) -> Acceptance | CardWaits:
    """Return what 13 tiles wait for, or their shanten and the tiles that improve them.

    Tiles in ``dora``, the indicators, count as seen. With a card (American mahjong) the result holds the
    distance to every line. Raises HandError for another number of tiles.

    >>> found = waits("1112345678999m")
    >>> found.shanten, found.live
    (0, 23)
    """
    seen: HandOptions = {"dora": dora} if dora else {}
    found = answer(hand, rules=rules, settings=settings, **seen).result
    if isinstance(found, (ScoredWin, ScoredNagashi, ScoredHanFu, Won)):
        raise HandError(_("{hand} has 14 tiles; leave one out to ask for waits").format(hand=hand))
    return found


def score_many(
    hands: Array,
    win: HandColumn,
    *,
    rules: Rules = "tenhou",
    settings: Settings = (),
    **columns: Unpack[HandColumns],
) -> ScoredHands:
    """Return what many winning hands of riichi are worth, as :func:`score` does, in arrays.

    ``hands``: (n, 34) counts of the concealed tiles by kind, the winning tile among them. ``win``: (n,) its
    kind. Kinds are 0-33: man, pin and sou 1-9, then east, south, west, north, haku, hatsu, chun. For the
    other ``columns`` see :class:`~paifu.replay.scoring.many.HandColumns`; each is an array, or one number for
    all hands. Unlike :func:`score` it does not ask whether what is said of a win goes together, such as
    ippatsu and riichi.

    Raises HandError for the first row that no hand can be, and for what the rules do not play; a hand that
    does not win is a row that is worth nothing.

    >>> import numpy as np
    >>> hands = np.zeros((2, 34), np.uint8)
    >>> hands[:, [0, 1, 2, 12, 13, 14, 18, 19, 20, 24, 25, 26]] = 1
    >>> hands[0, 31] = hands[1, 5] = 2
    >>> found = score_many(hands, win=[31, 26], situation=[2, 0], dora=np.array([[255], [4]]))
    >>> found.base.tolist(), found.han.tolist(), found.points.tolist()
    ([320, 960], [1, 3], [1300, 3900])
    >>> [yaku.romaji for yaku in found.yaku(1, ruleset("tenhou"))]
    ['pinfu']
    """
    return score_columns(hands, win, riichi_ruleset(rules, settings), **columns)


def answer(
    hand: str,
    *,
    win: str | None = None,
    rules: Rules = "tenhou",
    settings: Settings = (),
    **options: Unpack[HandOptions],
) -> ScoreAnswer:
    """Return what :func:`score` or :func:`waits` returns, whichever fits, with the hand as it was read."""
    chosen, given = ruleset(rules, settings), dict(options)
    check_options(given, chosen)
    if chosen.game.scheme != Scheme.HAN_FU:
        return _scheme_answer(hand, win, chosen, {**_DEFAULTS, **given}, given)
    if given.get("nagashi"):
        return _nagashi_answer(hand, win, chosen, given)
    if not _HAN_FU.isdisjoint(given):
        return _han_fu_answer(hand, win, chosen, given)
    return _riichi_answer(parse_hand(hand, win), chosen, given)


def _riichi_answer(written: WrittenHand, rules: Ruleset, given: Mapping[str, Any]) -> ScoreAnswer:
    hand = _winning_hand(written, given, rules)
    if written.size != _WAITING_SIZE or (written.unfinished and not rules.yakuman.suukantsu_needs_pair):
        won = score_win(hand, rules)
        if problem := missing_indicators(hand, rules):
            raise HandError(problem)
        return ScoreAnswer(rules, hand, won)
    refuse_win_options(given)
    return ScoreAnswer(rules, hand, hand.acceptance(rules))


def _nagashi_answer(text: str, win: str | None, rules: Ruleset, given: Mapping[str, Any]) -> ScoreAnswer:
    others = sorted(set(given) - _OF_NAGASHI | ({"win"} if win else set()))
    refuse(others, N_("--{option} describes a win; a nagashi mangan is paid at a draw"))
    hand = _winning_hand(parse_hand(text), given, rules)
    return ScoreAnswer(rules, hand, score_nagashi(hand, rules))


def _han_fu_answer(text: str, win: str | None, rules: Ruleset, given: Mapping[str, Any]) -> ScoreAnswer:
    if text:
        raise HandError(_("the tiles of a hand tell its han and fu; leave out the hand, or --han and --fu"))
    others = sorted(set(given) - _OF_HAN_FU | ({"win"} if win else set()))
    refuse(others, N_("--{option} describes a hand; --han counts it already"))
    hand = _winning_hand(parse_hand(""), given, rules)
    worth = {name: {**_DEFAULTS, **given}[name] for name in _HAN_FU}
    return ScoreAnswer(rules, hand, score_han_fu(hand, rules, **worth))


def _winning_hand(written: WrittenHand, given: Mapping[str, Any], rules: Ruleset) -> WinningHand:
    said, tiles = dict(given), written.tiles
    dora, ura = _indicators(said.pop("dora", "")), _indicators(said.pop("ura", ""))
    won = _how_it_won(rules, unfinished=written.unfinished, **said)
    win = tiles[-1] if tiles else 0
    return won.with_tiles((tiles, win, written.melds, dora, ura, written.kita, len(written.bonus)))


@lru_cache(maxsize=1024)
def _indicators(text: str) -> tuple[int, ...]:
    return tuple(parse_tiles(text))


@lru_cache(maxsize=4096, typed=True)
def _how_it_won(rules: Ruleset, *, unfinished: bool, **given: Any) -> WinningHand:
    """Return what options say of a win, without tiles and indicators; many hands win in the same way."""
    options = {**_DEFAULTS, **given}
    return WinningHand(
        tiles=(),
        win=0,
        situation=_situation(options, given, rules, unfinished=unfinished),
        seat_wind=WINDS.index(options["seat_wind"]),
        own_wind=seat_of(options["own_wind"]),
        round_wind=WINDS.index(options["round_wind"]),
        honba=options["honba"],
        sticks=options["sticks"],
        payer=seat_of(options["payer"]),
        liable=seat_of(options["liable"]),
        marked=seat_of(options["wareme"]),
        payer_in_riichi=options["payer_riichi"],
    )


def _situation(
    options: Mapping[str, Any], given: Mapping[str, Any], rules: Ruleset, *, unfinished: bool
) -> Situation:
    flags = sum([_FLAGS.get(name, 0) for name, value in given.items() if value])
    if has_won_in_a_row(rules, options["dealer_wins"], options["honba"], options["seat_wind"] == WINDS[0]):
        flags |= Situation.THIRTEENTH
    if options["fed_kan"]:
        flags |= Situation.RINSHAN
    tsumo = options["tsumo"]
    if tsumo is None:
        tsumo = unfinished or flags & _IMPLY_TSUMO & ~(Situation.CHIIHOU if options["payer"] else 0)
    return Situation(flags | Situation.TSUMO if tsumo else flags)


def _scheme_answer(
    text: str, win: str | None, rules: Ruleset, options: Mapping[str, Any], given: Mapping[str, Any]
) -> ScoreAnswer:
    from paifu.api.scheme_hands import card_of, declares_bonus, facts_of
    from paifu.replay.schemes.card import card_waits
    from paifu.replay.schemes.hand import parse_held
    from paifu.replay.schemes.registry import scheme_of
    from paifu.replay.schemes.scheme import CompleteHand
    from paifu.replay.schemes.shapes import Shapes

    of_card = rules.game.scheme == Scheme.CARD
    hand = parse_held(text, win, notation=CARD if of_card else OTHER_GAMES)
    card = card_of(options["card"])
    size = len(hand.kinds) if of_card else hand.size
    if size == _WAITING_SIZE and (of_card or not declares_bonus(hand, options)):
        refuse_win_options(given)
        found = card_waits(hand, rules, card) if of_card else Shapes(rules).waiting(hand)
        return ScoreAnswer(rules, hand, found)
    facts = facts_of(hand, options)
    return ScoreAnswer(rules, hand, scheme_of(rules, card).score(CompleteHand(hand, facts), rules), facts)
