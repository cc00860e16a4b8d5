"""Every finding of the review: a row a code, as :mod:`paifu.replay.findings.kinds` has them for the log."""

from __future__ import annotations

from types import MappingProxyType

from paifu.replay.findings.kinds import FindingKind, Severity
from paifu.replay.kernels import codes
from paifu.replay.review import words as w

REVIEW_FAMILIES = MappingProxyType(
    {"F1": "furiten", "W1": "missed wins", "D1": "deal-ins", "R1": "riichi"},
)
"""Beginning of a code -> what the codes are about."""

_FURITEN = (
    "`temporary_furiten` says when the temporary kind ends; otherwise furiten is the same in all rulesets."
)
_WIN = (
    "The yaku of the ruleset, `min_han`, `two_han_from_honba`; `head_bump`, where only the nearest player may win; "
    "`abort_sanchahou`, where three rons abort the hand; `temporary_furiten`."
)
_DANGER = (
    "No rule, but what the player could see: riichi, and open hands with three melds, two visible dora, or two "
    "melds of one suit. Tiles are classed by genbutsu, suji and walls; `paifu danger` counts how often each class "
    "deals in."
)
_LEARN = (
    "Look at the safer tiles in the evidence, and what they cost; hindsight stands apart and is no part of the "
    "judgement."
)
_NO_DEAL_IN = (
    "Three rons that abort the hand are no deal-in. Each discard that deals in has exactly one finding of family D, "
    "the one that fits best, however many players win it."
)
_RIICHI = (
    "`riichi_points` and `riichi_wall` say whether riichi was allowed; live tiles are those that the player does "
    "not see."
)
_MISTAKE, _NOTE = Severity.MISTAKE, Severity.NOTE

# fmt: off
_ROWS = (
    # --- F1: furiten -----------------------------------------------------------------------------------
    FindingKind(
        codes.RIICHI_IN_FURITEN, "riichi-in-furiten",
        "Riichi is declared while one of the waits lies among the own discards: the hand can only win by tsumo.",
        w.riichi_in_furiten, w.discards, _FURITEN,
        "Before riichi, look for each wait in the own river; tiles that others called away count, too.",
        "riichi in furiten: waits for 36s (7 live), 3s discarded in turn 1; a win of 12600 passed by",
        _MISTAKE,
        why="Most hands are won by ron. A furiten riichi cannot change its wait any more and is paid for in full.",
        silent="Where the waits that lie in the river are not waits any more after the discard; where the only "
        "furiten was temporary, for the own discard ends it."),
    FindingKind(
        codes.INTO_FURITEN, "into-furiten",
        "A discard makes the own tenpai furiten although another one would have kept tenpai without it.",
        w.into_furiten, w.discards, _FURITEN,
        "Compare the waits of all discards that keep tenpai with the own river.",
        "discarding 7s leaves a wait for 36s (7 live) in furiten: 3s discarded in turn 1; discarding 4s "
        "keeps tenpai without it (4 live)", _MISTAKE,
        why="A wider wait in furiten often wins less than a narrower one that may be won by ron.",
        silent="Where the hand was tenpai in furiten before, where the player let a tsumo go, where no other discard "
        "keeps tenpai with a live tile, and under riichi, which F101 looks at."),
    FindingKind(
        codes.PASSED_BY_DISCARD_FURITEN, "passed-by-discard-furiten",
        "A tile that would have won passes because one of the waits lies among the own discards.",
        w.passed_in_furiten, w.win_or_not, _FURITEN,
        "A chance to see what the furiten cost; change the wait where that is cheap.",
        "6s of Ben would have won 2900, but for furiten: 3s discarded in turn 1 (waits for 36s)", _NOTE,
        why="It is what the furiten cost: the win and its points.",
        silent="Where the hand had no yaku on that tile; where another player was first to it (`head_bump`)."),
    FindingKind(
        codes.PASSED_BY_TEMPORARY_FURITEN, "passed-by-temporary-furiten",
        "A tile that would have won passes because another one passed since the own last discard.",
        w.passed_in_furiten, w.win_or_not, _FURITEN,
        "Who lets a win pass, or has no yaku on it, cannot win before the own next discard.",
        "3s of Ben would have won 2900, but for furiten: 6s of Ben let pass in turn 1 (waits for 36s)",
        _NOTE,
        why="The price of the tile let pass before: the evidence names it.",
        silent="After the own next discard (or draw, as the rules say); where one of the waits is in the own river, "
        "which F103 tells, or the hand is in riichi, which F105 tells."),
    FindingKind(
        codes.PASSED_BY_RIICHI_FURITEN, "passed-by-riichi-furiten",
        "A tile that would have won passes because, under riichi, another one was let pass before.",
        w.passed_in_furiten, w.win_or_not, _FURITEN,
        "Under riichi a win once let pass is furiten until the hand's end.",
        "6s of Ben would have won 12600, but for furiten: 6s of Ben let pass in turn 1 (waits for 36s)",
        _NOTE,
        why="The price of the win let pass before: the evidence names it.",
        silent="Where one of the waits is in the own river, which F103 tells."),
    FindingKind(
        codes.FURITEN_TSUMO, "furiten-tsumo", "A win by tsumo of a hand that could not have won by ron.",
        w.furiten_tsumo, w.win_or_not, _FURITEN, "Well drawn.",
        "tsumo on 6s in furiten (3s discarded in turn 1)", _NOTE,
        why="Furiten is no reason to give a hand up: tsumo is always allowed.",
        silent="Where the furiten ended before the draw."),
    FindingKind(
        codes.FURITEN_AT_DRAW, "furiten-at-draw", "Tenpai and furiten when the hand ends in an exhaustive draw.",
        w.furiten_at_draw, w.win_or_not, _FURITEN,
        "The tenpai payment is what such a hand is good for; see whether the wait could have been changed.",
        "tenpai at the draw, but in furiten: waits for 36s, 3s discarded in turn 1", _NOTE,
        why="Such a hand could win by its own draws only, to the end.",
        silent="Where only the very last discard made it furiten; at an abortive draw."),
    # --- W1: missed wins -------------------------------------------------------------------------------
    FindingKind(
        codes.RON_PASSED, "ron-passed",
        "A legal ron was not taken. A note if the player was away or would have stayed last in the last "
        "hand.",
        w.missed_ron, w.win_or_not, _WIN, "Take it, unless a larger hand is needed and can still come.",
        "no ron on 6s of Ben: it would have won 2900", _MISTAKE,
        why="The points were there. Besides, a pass is furiten: until the own next discard, under riichi to the end.",
        silent="In furiten, without a yaku, and where a nearer player won (`head_bump`) or three rons aborted the "
        "hand. Of two players who could win, the one who does not is told."),
    FindingKind(
        codes.TSUMO_PASSED, "tsumo-passed",
        "A legal tsumo was not taken. A note if the player was away or would have stayed last in the last "
        "hand.",
        w.missed_tsumo, w.win_or_not, _WIN, "Take it, unless a larger hand is needed and can still come.",
        "no tsumo on 6s: it would have won 3900", _MISTAKE,
        why="The points were there; under riichi the pass is furiten for the rest of the hand, too.",
        silent="Where the drawn tile completes the hand, but there is no yaku."),
    FindingKind(
        codes.ROBBING_PASSED, "robbing-passed",
        "The tile of another player's kan or kita could have been won and was not.",
        w.missed_ron, w.win_or_not,
        "An added kan may be robbed in all rulesets; `kokushi_ankan_ron`: a closed one by thirteen orphans; `kita`.",
        "Take it: robbing a kan is a yaku of its own, so no other is needed.",
        "no ron on 4z of Ben: it would have won 10600", _MISTAKE,
        why="The chance is easily overlooked, for nothing was discarded.",
        silent="In furiten; at a closed kan, unless the rules let thirteen orphans rob it; at a kita without another "
        "yaku, for robbing it is none."),
    FindingKind(
        codes.NO_YAKU, "no-yaku", "A tile completes the hand, but on none of its waits is there a yaku.",
        w.yakuless, w.win_or_not, _WIN,
        "Riichi, or a wait with a yaku: this tenpai could win by a closed tsumo only, or not at all.",
        "5m of Ben completes the hand, but there is no yaku (waits for 5m)", _NOTE,
        why="Tenpai without a yaku cannot win by ron, and passing the tile is temporary furiten besides.",
        silent="Where another of the waits has a yaku; in furiten."),
    # --- D1: deal-ins ----------------------------------------------------------------------------------
    FindingKind(
        codes.AVOIDABLE_FAR, "avoidable-far",
        "A deal-in with a tile safer against every threat in hand, by a hand that was two or more from "
        "tenpai.",
        w.dealt_in, w.safer_discard, _DANGER, _LEARN,
        "6s deals into Ben for 12000, 6 from tenpai: no suji 4-6 against riichi of Ben (14%); 9m was genbutsu",
        _MISTAKE,
        why="A hand so far away rarely wins against a threat, and pays as much as any other.",
        silent="With three dora (D103), after folding with a genbutsu in hand (D108), and as all of family D where a "
        "rarer case fits. " + _NO_DEAL_IN),
    FindingKind(
        codes.AVOIDABLE_NEAR, "avoidable-near",
        "A deal-in with a safer tile in hand, by a hand one from tenpai that was cheap (one dora at most) or "
        "badly shaped (12 tiles at most make it tenpai).",
        w.dealt_in, w.safer_discard, _DANGER, _LEARN,
        "6s deals into Ben for 12000, 1 from tenpai: no suji 4-6 against riichi of Ben (14%); 9m was genbutsu",
        _MISTAKE,
        why="Such a hand wins too little, or too rarely, for the risk.",
        silent="With three dora, or with two and more than 12 tiles that make it tenpai (D103). " + _NO_DEAL_IN),
    FindingKind(
        codes.PUSHED, "pushed",
        "A deal-in that left the hand tenpai, or that a big hand (three dora, or two and a good shape one from "
        "tenpai) took upon itself.",
        w.dealt_in, w.safer_discard, _DANGER,
        "The price of attacking; compare with what the own hand was worth.",
        "6s deals into Ben for 12000, in tenpai: no suji 4-6 against riichi of Ben (14%)", _NOTE,
        why="Not to attack costs points, too: such deal-ins are part of good play.",
        silent="With no tile that was safer, unless the hand was tenpai (D104). " + _NO_DEAL_IN),
    FindingKind(
        codes.NOTHING_SAFER, "nothing-safer", "A deal-in with no tile in hand that was safer against every threat.",
        w.dealt_in, w.safer_discard, _DANGER,
        "Nothing to be done now; perhaps earlier, by keeping a safe tile in hand.",
        "5z deals into Ben for 8000, 3 from tenpai: honour 3 unseen against riichi of Ben (4%)", _NOTE,
        why="Whoever has no safe tile left in such moments often enough keeps too few.",
        silent="Where one tile was safer against one threat and another against the other, this is still said: no "
        "tile was safer against both. " + _NO_DEAL_IN),
    FindingKind(
        codes.NO_VISIBLE_THREAT, "no-visible-threat",
        "A deal-in to a hand that showed nothing: closed without riichi, or open and small.",
        w.dealt_in, w.safer_discard, _DANGER, "Part of the game.",
        "6s deals into Aki for 2900, 6 from tenpai: Aki showed nothing", _NOTE,
        why="How often this happens tells how early others are tenpai, not how well one plays.",
        silent="To riichi, and to open hands that show a threat. " + _NO_DEAL_IN),
    FindingKind(
        codes.IN_RIICHI, "in-riichi", "A deal-in under the own riichi: the tile drawn has to be discarded.",
        w.dealt_in, w.safer_discard, "Under riichi only the drawn tile may be discarded.",
        "The price of the riichi.",
        "5z deals into Ben for 8000, in tenpai: honour 3 unseen against riichi of Ben (4%)", _NOTE,
        why="It counts when one weighs riichi against staying silent.",
        silent="Of the tile that declares riichi: it was chosen. " + _NO_DEAL_IN),
    FindingKind(
        codes.ALL_DEAL_IN, "all-deal-in",
        "A deal-in where every other discard would have been won, too, as the log shows.",
        w.dealt_in, w.safer_discard, "The hands of all players, known from the log only.", "Bad luck.",
        "8m deals into Ben for 32000, in tenpai: Ben showed nothing", _NOTE,
        why="The one finding that rests on hindsight: whatever the choice, it would have dealt in.",
        silent="Under riichi, where there was no choice (D106). " + _NO_DEAL_IN),
    FindingKind(
        codes.FOLDED_AND_DEALT_IN, "folded-and-dealt-in",
        "A deal-in to a riichi by a player who had given up the hand before and held a genbutsu against every "
        "threat.",
        w.dealt_in, w.safer_discard, _DANGER, "Who folds, folds: the genbutsu first.",
        "6s deals into Ben for 8000, 2 from tenpai: no suji 4-6 against riichi of Ben (14%); 9m was genbutsu",
        _MISTAKE,
        why="Half a fold pays twice: the hand is gone, and the points, too.",
        silent="Where no discard under threat had given up shanten, where the hand had it back or is tenpai after "
        "the discard, and where the genbutsu was none against another threat. "
        + _NO_DEAL_IN),
    # --- R1: riichi ------------------------------------------------------------------------------------
    FindingKind(
        codes.RIICHI_ON_NOTHING, "riichi-on-nothing", "Riichi on waits of which the player sees all tiles.",
        w.dead_wait, w.discards, _RIICHI, "Count the live tiles before riichi.",
        "riichi on 5z, of which the player sees all tiles", _MISTAKE,
        why="The hand cannot win at all, and the stick is gone.",
        silent="Where one tile at least is live; whether it lies in the dead wall nobody can see."),
    FindingKind(
        codes.NO_RIICHI_NO_YAKU, "no-riichi-no-yaku",
        "A closed tenpai without a yaku on any wait stays silent for two discards, though riichi was "
        "allowed, tiles were live, there was no furiten and nobody else in riichi.",
        w.silent, w.discards, _RIICHI, "Declare riichi, or change to a hand that has a yaku.",
        "closed tenpai without a yaku and without riichi for two turns: 5m (4 live) cannot be won by ron",
        _MISTAKE,
        why="Without riichi such a hand wins by tsumo only; riichi makes every wait good and the hand dearer.",
        silent="For the first such discard, for it may wait for a better shape; with a yaku on one wait at least; in "
        "furiten; against a riichi; with too few points or tiles left for riichi. It is said once in a row."),
    FindingKind(
        codes.BETTER_RIICHI, "better-riichi",
        "Another discard at riichi would have waited for more live tiles at no less value on average (ron, "
        "without ippatsu and ura dora) and without furiten.",
        w.better_riichi, w.discards, _RIICHI, "Compare the discards that keep tenpai.",
        "riichi with 4s waits for 6s (4 live); with 7s it would have waited for 8 live tiles, worth 11600 "
        "on average, not 7700", _MISTAKE,
        why="More live tiles win more often, and here they cost nothing.",
        silent="Where the wider wait is worth less on average, or in furiten."),
)
# fmt: on

REVIEW_KINDS = MappingProxyType({kind.code: kind for kind in _ROWS})
"""Every kind of finding of the review by code, in order."""

TITLES = MappingProxyType(
    {
        "F101": "Riichi in furiten",
        "F102": "Discard into furiten",
        "F103": "Win missed: furiten by an own discard",
        "F104": "Win missed: temporary furiten",
        "F105": "Win missed: furiten under riichi",
        "F106": "Tsumo in furiten",
        "F107": "Furiten at the draw",
        "W101": "Ron not taken",
        "W102": "Tsumo not taken",
        "W103": "Kan or kita not robbed",
        "W104": "Tenpai without a yaku",
        "D101": "Deal-in far from tenpai, with a safer tile",
        "D102": "Deal-in near tenpai, with a safer tile",
        "D103": "Deal-in while attacking",
        "D104": "Deal-in with nothing safer",
        "D105": "Deal-in to a hand that showed nothing",
        "D106": "Deal-in under riichi",
        "D107": "Deal-in whatever the discard",
        "D108": "Deal-in after folding, with a genbutsu",
        "R101": "Riichi without a live tile",
        "R102": "Silent tenpai without a yaku",
        "R103": "Riichi on the narrower wait",
    }
)
"""What a finding is, in words for those who do not know the codes."""
