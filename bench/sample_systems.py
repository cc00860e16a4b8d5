"""The sample logs of the games other than riichi: a hand for every pattern of every system, and whole games.

A pattern is one row of a table: the winning hand, and how it won. Rows that several systems share are in
``SHARED``; a row of a system's own goes first. Whatever a hand needs around it is made up (see
:mod:`sample_wins`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sample_files import Recipes, packed
from sample_wins import won_hand

from paifu.api.simulated import draft_of_other
from paifu.coach.simulate.games import PLAYERS
from paifu.coach.simulate.general_games import OtherGame, OtherHand, OtherSimulator
from paifu.parsers.paifu_log.writer import PaifuGameWriter
from paifu.replay.course.settlement import HandStart, next_hand
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.schemes.hand import Facts, Replacement, parse_held
from paifu.replay.schemes.tables import pattern_name, patterns_of, table

SYSTEMS = ("zung-jung", "wsom", "hk-old-style", "chinese-classical")
_WINDS = "ESWN"
_GAMES = 2
_FIRST = 7000


@dataclass(frozen=True, slots=True)
class Scene:
    """A winning hand, and how it won."""

    hand: str
    facts: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] = field(default_factory=dict)
    """Rules that differ from the preset's."""


def drawn(hand: str, seat: str = "S", *, rules: dict[str, Any] | None = None, **facts: Any) -> Scene:
    """Won by self-draw."""
    return Scene(hand, {"seat_wind": seat, "self_drawn": True, **facts}, rules or {})


def on(hand: str, payer: str, seat: str = "S", *, rules: dict[str, Any] | None = None, **facts: Any) -> Scene:
    """Won on the discard of ``payer``."""
    return Scene(hand, {"seat_wind": seat, "payer": payer, **facts}, rules or {})


GONG, BONUS = Replacement.GONG, Replacement.BONUS
_SIMPLE = "123m456p678s66m78p9p"
_CLOSED = "234567s345m456p8p8p"
_FLUSH = "(123m)(456m)22m78m9m"
_ROB = "456m(789p)66z777z13s2s"
_GONGS = "[1111s][3333m](7777p)(2222z)8p8p"
_PUNGS = "222m444p666p88s33z8s"
_PLUM = "(345s)[2222m]678s99m46p5p"
_TWO_GONGS = "(2222m)[3333p]456s78s55p9s"

SHARED: Mapping[str, Scene] = {
    "all-sequences": drawn("(123m)(456p)678s66m78p9p", "N"),
    "all-chows": drawn("(123m)(456p)(678s)66m78p9p", "N"),
    "concealed-hand": on(_CLOSED, "E", "W"),
    "no-terminals": drawn(_CLOSED, "W"),
    "mixed-one-suit": drawn("(111m)(555m)(333z)88m99m9m"),
    "half-flush": drawn("(111m)(555m)(333z)88m99m9m"),
    "pure-one-suit": drawn("(123m)(456m)789m23m55m4m"),
    "full-flush": drawn("(123m)(456m)789m23m55m4m"),
    "nine-gates": on("1112345678999s5s", "N", "W"),
    "value-honour": drawn("(777z)123m456p678s9s9s"),
    "pung-of-dragons": on("(1f)(666z)(123m)(456m)22m78m9m", "E", "N"),
    "pung-of-seat-wind": drawn("(222z)(123m)(456m)22m78m9m"),
    "pung-of-round-wind": drawn("(111z)(123m)(456m)22m78m9m"),
    "small-three-dragons": drawn("(555z)(666z)123m77z45p6p"),
    "little-three-dragons": drawn("(555z)(666z)(123m)77z45m6m"),
    "big-three-dragons": drawn("(555z)(666z)(777z)12m44p3m", liable="N"),
    "small-three-winds": drawn("(111z)(222z)123m33z45p6p"),
    "big-three-winds": drawn("(111z)(222z)(333z)12m44p3m"),
    "small-four-winds": drawn("(111z)(222z)(333z)44z12m3m"),
    "little-four-winds": drawn("(111z)(222z)(333z)44z12m3m"),
    "big-four-winds": drawn("(111z)(222z)(333z)44z55z4z"),
    "all-honours": drawn("(111z)(222z)(555z)66z77z6z"),
    "all-triplets": drawn("(111m)(555p)(777s)88p33m3m"),
    "all-pungs": drawn("(111m)(555p)(777s)88p33m3m"),
    "two-concealed-triplets": drawn("222m444p(678s)55s78m9m"),
    "three-concealed-triplets": drawn("222m444p666p(678s)5s5s"),
    "four-concealed-triplets": drawn("222m444p666p888s3z3z"),
    "four-concealed-pungs": drawn("222m444p666p888s3z3z"),
    "one-kong": drawn("[3333m]567m88p(789p)34s5s"),
    "two-kongs": drawn("[1111s][3333m](789p)88p34s5s"),
    "three-kongs": drawn("[1111s][3333m](7777p)88p34s5s"),
    "four-kongs": drawn(_GONGS),
    "four-gongs": drawn(_GONGS),
    "two-identical-sequences": drawn("(123m)(123m)456p55z78s9s"),
    "two-identical-sequences-twice": drawn("223344m667788p5s5s"),
    "three-identical-sequences": drawn("(123m)(123m)(123m)55z78s9s"),
    "four-identical-sequences": drawn("(123m)(123m)(123m)12m55p3m"),
    "three-similar-sequences": drawn("(123m)(123p)(123s)55z78s9s"),
    "small-three-similar-triplets": drawn("(444m)(444p)44s567s22p2p"),
    "three-similar-triplets": drawn("(444m)(444p)(444s)55z78s9s"),
    "nine-tile-straight": drawn("(123m)(456m)789m55z11p1p"),
    "three-consecutive-triplets": drawn("(222m)(333m)(444m)55z78s9s"),
    "four-consecutive-triplets": drawn("(222m)(333m)(444m)55m66z5m"),
    "mixed-lesser-terminals": drawn("(123m)(789p)(111z)78s99m9s"),
    "pure-lesser-terminals": drawn("(123m)(789p)(111s)78s99m9s"),
    "mixed-greater-terminals": drawn("(111m)(999p)(333z)66z11p6z"),
    "pure-greater-terminals": drawn("(111m)(999m)(999p)11s99s9s"),
    "all-terminals": drawn("(111m)(999m)(999p)11s99s9s"),
    "final-draw": drawn(_CLOSED, "W", last_tile=True),
    "final-discard": on(_CLOSED, "E", "W", last_tile=True),
    "last-tile-win": on(f"(4g){_SIMPLE}", "S", "E", last_tile=True),
    "win-on-kong": drawn("[3333m]567m88p(789p)34s5s", "W", replacement=GONG),
    "replacement-tile": drawn("(2222p)(345s)(678s)99m67m8m", "E", replacement=GONG, fed_gong="N"),
    "gong-on-gong": drawn(_TWO_GONGS, "E", replacement=GONG, gongs_in_turn=2),
    "robbing-a-kong": on(_ROB, "E", "N", robbing=True),
    "rob-a-gong": on(_ROB, "E", "N", robbing=True),
    "blessing-of-heaven": drawn(_CLOSED, "E", first_turn=True),
    "gift-of-heaven": drawn(_CLOSED, "E", first_turn=True),
    "gift-of-earth": drawn(_CLOSED, first_turn=True),
    "gift-of-man": on(_CLOSED, "S", "W", first_turn=True),
    "blessing-of-earth": on(_CLOSED, "E", dealers_first_discard=True),
    "original-gift-of-earth": on(_CLOSED, "E", dealers_first_discard=True),
    "dealers-first-discard": on(_PUNGS, "E", "N", dealers_first_discard=True),
    "thirteen-terminals": on("19m19p19s1234567z1z", "N", "W"),
    "thirteen-orphans": on("19m19p19s1234567z1z", "N", "W"),
    "seven-pairs": drawn("1122m3344p5566s7z7z"),
    "no-bonus-tiles": drawn(_SIMPLE, "N"),
    "own-bonus-tile": on("(2f)(666z)(123m)(456m)22m78m9m", "E"),
    "all-flowers": drawn(f"(1f)(2f)(3f)(4f)(666z){_FLUSH}"),
    "all-seasons": drawn(f"(1g)(2g)(3g)(4g)(666z){_FLUSH}"),
    "six-bonus-tiles": drawn(f"(1f)(2f)(3f)(1g)(2g)(3g)(666z){_FLUSH}"),
    "seven-bonus-tiles": drawn("(1f)(2f)(3f)(4f)(1g)(2g)(3g)1258m1477p369s135z", declares_bonus=True),
    "eight-bonus-tiles": drawn("(1f)(2f)(3f)(4f)(1g)(2g)(3g)(4g)1258m1477p369s135z", declares_bonus=True),
    "self-pick": drawn(f"(3f){_SIMPLE}", "E"),
    "perfect-green": drawn("(222s)(333s)(444s)66z88s8s"),
    "ruby-dragon": drawn("(777z)(111m)(333m)55m99m9m"),
    "pearl-dragon": drawn("(555z)(111p)(333p)55p99p9p"),
    "jade-dragon": drawn("(666z)(111s)(333s)55s99s9s"),
    "great-chariot": drawn("2233445566778p8p"),
    "eight-dealer-keeps": drawn(f"(3f){_SIMPLE}", "E", keeps=8),
    "plum-blossom": drawn(_PLUM, replacement=GONG),
    "moon-from-the-sea": drawn("123m456p789s66m23p1p", "W", last_tile=True),
    "carrying-pole": on(_ROB, "E", "N", robbing=True),
    "twofold-fortune": drawn(_TWO_GONGS, "E", replacement=GONG, gongs_in_turn=2, gong_from_replacement=True),
    "concealed-purity": drawn("123345678m99m55m5m", "W"),
    "concealed-purity-pairs": on("1122334455668p8p", "S", "W"),
    "wriggling-snake": on("(111m)(999m)345m6722m8m", "E", "W"),
    "wriggling-snake-winds": on("123456789m1234z4z", "E", "W"),
    "knitted-pairs": on("1234567m123456p7p", "W"),
    "thirteen-dealer-wins": drawn(f"(3f){_SIMPLE}", "E"),
    "golden-chicken": drawn("(123m)(456p)(777z)(345s)1s1s"),
    "triple-guest-winds": drawn("(222z)(333z)(444z)46m55p5m", "E"),
    "sudden-reversal": on("(777z)(123m)(456m)22m78m9m", "W", after_replacement=True),
}  # fmt: skip
OWN: Mapping[tuple[str, str], Scene] = {
    ("zung-jung", "thirteen-dealer-wins"): drawn(_CLOSED, "E"),
    ("hk-old-style", "concealed-hand"): on(f"(4g){_SIMPLE}", "S", "E", last_tile=True),
    ("chinese-classical", "pung-of-dragons"): drawn("(666z)(123m)(456p)22m78m9m"),
    ("chinese-classical", "own-bonus-tile"): drawn("(2f)(123m)(456p)789s22m78m9m"),
    ("chinese-classical", "all-flowers"): drawn(f"(1f)(2f)(3f)(4f)(666z){_FLUSH}"),
    ("chinese-classical", "carrying-pole"): on(_ROB, "E", "N", robbing=True, rules={"discard_win": "any"}),
    ("chinese-classical", "wriggling-snake"): drawn("(111m)(999m)345m6722m8m", "W"),
    ("chinese-classical", "concealed-purity-pairs"): on("1122334455668p8p", "S", "W"),
    ("chinese-classical", "sudden-reversal"): on("(777z)(123m)(456m)22m99m9m", "W", after_replacement=True),
    ("chinese-classical", "thirteen-dealer-wins"): drawn(_SIMPLE, "E"),
}  # fmt: skip
_KEPT = {"agari_renchan": True, "hands": 0}
"""Without the deal staying with the winner nobody wins thirteen times in a row as dealer."""


def scene_of(system: str, pattern: str) -> Scene:
    """Return the row that shows a pattern of a system."""
    own = OWN.get((system, pattern)) or OWN.get((system.replace("wsom", "zung-jung"), pattern))
    return own or SHARED[pattern]


def shown_patterns(system: str) -> list[str]:
    """Return the patterns that can occur in a system: its own, and those that it may switch on."""
    rules = load_preset(system)
    never = {"triple-guest-winds"} if not rules.table.round_wind else set()
    return [name for name in table(rules.game.scheme) if name not in never]


def rules_of(system: str, pattern: str) -> Ruleset:
    """Return the rules under which a pattern is shown: the system's, with the pattern switched on."""
    rules = load_preset(system)
    changes = dict(scene_of(system, pattern).rules)
    if pattern not in patterns_of(rules):
        changes |= {"patterns": {pattern: True}}
    if pattern == "thirteen-dealer-wins" and not rules.progress.agari_renchan:
        changes |= _KEPT
    return with_overrides(rules, changes)


def hands_of(system: str, pattern: str) -> tuple[Ruleset, list[OtherHand]]:
    """Return the rules and the hands that show a pattern; most take one hand."""
    scene, rules = scene_of(system, pattern), rules_of(system, pattern)
    named: dict[str, Any] = {
        name: _WINDS.index(value) if isinstance(value, str) else value for name, value in scene.facts.items()
    }
    facts = Facts(**named)
    hand = parse_held(scene.hand, wins=False if facts.declares_bonus else None)
    if pattern != "thirteen-dealer-wins":
        return rules, [won_hand(rules, hand, facts)]
    hands: list[OtherHand] = []
    start = HandStart(0, 0, 0, 0)
    scores: tuple[int, ...] = (0, 0, 0, 0)
    for won in range(13):
        at = replace(facts, keeps=start.honba)
        hands.append(won_hand(rules, hand, at, start=start, scores=scores, dealer_wins=won))
        scores = hands[-1].scores_after()
        start = next_hand(rules, start, hands[-1].outcome())
    return rules, hands


def scenario(system: str, pattern: str) -> GameDraft:
    """Return the game that shows a pattern."""
    rules, hands = hands_of(system, pattern)
    draft = draft_of_other(OtherGame(rules, tuple(hands), None), "")
    draft.game |= {"id": f"{system}-{pattern}", "title": pattern_name(pattern)}
    return draft


def _batch(drafts: Iterator[GameDraft]) -> Batch:
    builder = BatchBuilder()
    for draft in drafts:
        builder.add(draft)
    return builder.finish()


def systems() -> Recipes:
    """For each system how a file with a hand for each pattern is made, and one with whole games."""
    made: Recipes = {}
    for number, system in enumerate(SYSTEMS):
        made[f"{system}-patterns.jsonl.gz"] = partial(_patterns, system)
        made[f"{system}-games.jsonl.gz"] = partial(_games, system, _FIRST + 10 * number)
    return made


def _patterns(system: str) -> bytes:
    scenes = _batch(scenario(system, pattern) for pattern in shown_patterns(system))
    return packed(b"".join(PaifuGameWriter.games(scenes)))


def _games(system: str, first: int) -> bytes:
    kinds = [PLAYERS[kind] for kind in ("balanced", "caller", "tile-efficient", "wild")]
    played = OtherSimulator(load_preset(system), kinds)
    games = _batch(draft_of_other(played.game(first + game), "") for game in range(_GAMES))
    return packed(b"".join(PaifuGameWriter.games(games)))


def described() -> Iterator[tuple[str, str]]:
    """Yield each file and what it shows."""
    for system in SYSTEMS:
        count = len(shown_patterns(system))
        yield f"{system}-patterns.jsonl.gz", f"{count} patterns, one hand each"
        yield f"{system}-games.jsonl.gz", f"{_GAMES} games"
