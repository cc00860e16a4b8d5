"""Every finding of the review: a row a code, as :mod:`paifu.replay.findings.kinds` has them for the log."""

from __future__ import annotations

from types import MappingProxyType

from paifu.replay.findings import review_sentences
from paifu.replay.findings.finding import Severity
from paifu.replay.findings.finding_sentences import either
from paifu.replay.findings.kinds import FindingKind, by_code
from paifu.replay.kernels import codes
from paifu.replay.language import N_

REVIEW_FAMILIES = MappingProxyType(
    {
        "F1": "furiten",
        "W1": "missed wins",
        "D1": "deal-ins",
        "R1": "riichi",
        "R2": "riichi or silence",
        "P1": "push and fold",
        "E1": "efficiency",
        "C1": "calls",
        "K1": "kans",
        "U1": "unusual moves",
    }
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
    "melds of a suit of which the player has discarded at most three kinds. Tiles are classed by genbutsu, suji and walls; `paifu danger` counts how often each class "
    "deals in."
)
_LEARN = (
    "Look at the safer tiles in the evidence and what they would have cost. Hindsight is listed separately and "
    "plays no part in the judgement."
)
_NO_DEAL_IN = (
    "Three rons that abort the hand are not a deal-in. Each discard that deals in gets exactly one finding of "
    "family D, the one that fits best, however many players win. It is a mistake if the discard, or the one at which "
    "the push began, is a P101 that is one, and a note otherwise."
)
_RIICHI = (
    "`riichi_points` and `riichi_wall` say whether riichi was allowed; live tiles are those the player "
    "cannot see."
)
_KAN = (
    "`riichi_kan` says which kans riichi allows; the value follows from the ruleset's yaku, fu and limits, and the mean "
    "goes over all tiles that the player does not see as new indicators (`kan_dora`, `kan_ura_dora`)."
)
_MODEL = (
    "No rule, but the model of decisions: the loss is what the best option was worth more, in points to the end "
    "of the hand, by what the player could see."
)
_UNSURE = "An estimate, and no more: a note, which is only listed if you ask for it with `--code`."
_HELD = (
    "A mistake if it is of a class that cost points when played out. Otherwise it is an estimate, and a note that is only "
    "listed if you ask for it with `--code`."
)
_SMALL = (
    "If the loss is below `--min-loss` or not above twice its standard error; if hardly anybody in the fitted games "
    "chose such an option."
)
_WOULD_HAVE_WON = "{tile} of {player} would have won {cost} if not for furiten: {cause} (waits for {waits})"
_MISTAKE, _NOTE = Severity.MISTAKE, Severity.NOTE
UNUSUAL = codes.UNUSUAL_MOVE
"""Number of moves that strong players hardly ever make."""

# fmt: off
_ROWS = (
    # --- F1: furiten -----------------------------------------------------------------------------------
    FindingKind(
        codes.RIICHI_IN_FURITEN, "riichi-in-furiten",
        "Riichi declared with one of the waits among the player's own discards: the hand can only win by tsumo.",
        review_sentences.riichi_in_furiten, review_sentences.discards, _FURITEN,
        "Before declaring riichi, look for each wait in your own river; tiles that others called count too.",
        "riichi in furiten: waits for 36s (7 live), 3s discarded in turn 1; a win of 12600 passed by",
        _NOTE,
        why="Most hands are won by ron. A furiten riichi can no longer change its wait, yet costs the full stick.",
        silent="If the tiles in the river are no longer waits after the discard; if the only furiten was temporary, "
        "which the discard ends.", title="Riichi in furiten"),
    FindingKind(
        codes.INTO_FURITEN, "into-furiten",
        "A discard that makes a tenpai hand furiten, though another discard would have kept tenpai without furiten.",
        review_sentences.into_furiten, review_sentences.discards, _FURITEN,
        "Compare the waits of every discard that keeps tenpai with your own river.",
        "discarding 7s leaves a wait for 36s (7 live) in furiten: 3s discarded in turn 1; discarding 4s "
        "keeps tenpai without it (4 live)", _NOTE,
        why="A wide wait in furiten often wins less than a narrow one that can win by ron.",
        silent="If the hand was already tenpai in furiten, if the player passed up a tsumo, if no other discard keeps "
        "tenpai with a live tile, and under riichi, which F101 covers.", title="Discard into furiten"),
    FindingKind(
        codes.PASSED_BY_DISCARD_FURITEN, "passed-by-discard-furiten",
        "A winning tile goes by because one of the waits is among the player's own discards.",
        _WOULD_HAVE_WON, review_sentences.win_or_not, _FURITEN,
        "Shows what the furiten cost; change the wait when that is cheap.",
        "6s of Ben would have won 2900 if not for furiten: 3s discarded in turn 1 (waits for 36s)", _NOTE,
        why="The win and its points are the price of the furiten.",
        silent="If the hand had no yaku on that tile; if another player had precedence (`head_bump`).", title="Win missed: discard furiten"),
    FindingKind(
        codes.PASSED_BY_TEMPORARY_FURITEN, "passed-by-temporary-furiten",
        "A winning tile goes by because another one went by since the player's last discard.",
        _WOULD_HAVE_WON, review_sentences.win_or_not, _FURITEN,
        "If you pass up a win, or have no yaku on it, you cannot win before your next discard.",
        "3s of Ben would have won 2900 if not for furiten: 6s of Ben let pass in turn 1 (waits for 36s)",
        _NOTE,
        why="The price of the tile passed up earlier, which the evidence names.",
        silent="After the player's next discard (or draw, depending on the rules); if one of the waits is in the "
        "player's river (F103), or the hand is in riichi (F105).", title="Win missed: temporary furiten"),
    FindingKind(
        codes.PASSED_BY_RIICHI_FURITEN, "passed-by-riichi-furiten",
        "A winning tile goes by because, under riichi, another one was passed up before.",
        _WOULD_HAVE_WON, review_sentences.win_or_not, _FURITEN,
        "Under riichi, passing up a win means furiten for the rest of the hand.",
        "6s of Ben would have won 12600 if not for furiten: 6s of Ben let pass in turn 1 (waits for 36s)",
        _NOTE,
        why="The price of the win passed up earlier, which the evidence names.",
        silent="If one of the waits is in the player's river (F103).", title="Win missed: riichi furiten"),
    FindingKind(
        codes.FURITEN_TSUMO, "furiten-tsumo", "A win by tsumo of a hand that could not have won by ron.",
        "tsumo on {tile} in furiten ({cause})", review_sentences.win_or_not, _FURITEN, "Well drawn.",
        "tsumo on 6s in furiten (3s discarded in turn 1)", _NOTE,
        why="Do not give up a hand because of furiten: tsumo is always allowed.",
        silent="If the furiten ended before the draw.", title="Tsumo in furiten"),
    FindingKind(
        codes.FURITEN_AT_DRAW, "furiten-at-draw", "Tenpai and furiten when the hand ends in an exhaustive draw.",
        "tenpai at the draw, but in furiten: waits for {waits}, {cause}", review_sentences.win_or_not, _FURITEN,
        "Such a hand is good for the tenpai payment; see whether the wait could have been changed.",
        "tenpai at the draw, but in furiten: waits for 36s, 3s discarded in turn 1", _NOTE,
        why="Such a hand could only win by tsumo, right to the end.",
        silent="If only the very last discard made it furiten; at an abortive draw.", title="Furiten at the draw"),
    # --- W1: missed wins -------------------------------------------------------------------------------
    FindingKind(
        codes.RON_PASSED, "ron-passed",
        "A legal ron was not taken. A note if the player was away, or if the win would not have bettered "
        "the final place enough.",
        review_sentences.missed_ron, review_sentences.win_or_not, _WIN, "Take it, unless you need a larger hand and can still make it.",
        "no ron on 6s of Ben: it would have won 2900; from place 1: place 2.26 with the win, 2.50 on average without", _MISTAKE,
        why="The points were there, and passing means furiten: until your next discard, or under riichi to the end.",
        silent="In furiten, without a yaku, and if a nearer player won (`head_bump`) or three rons aborted the hand. "
        "If two players could win and one does, the finding is about the other.", title="Ron not taken"),
    FindingKind(
        codes.TSUMO_PASSED, "tsumo-passed",
        "A legal tsumo was not taken. A note if the player was away, or if the win would not have bettered "
        "the final place enough.",
        review_sentences.missed_tsumo, review_sentences.win_or_not, _WIN, "Take it, unless you need a larger hand and can still make it.",
        "no tsumo on 6s: it would have won 3900; from place 1: place 2.18 with the win, 2.50 on average without", _MISTAKE,
        why="The points were there, and under riichi passing means furiten for the rest of the hand.",
        silent="If the drawn tile completes the hand without a yaku.", title="Tsumo not taken"),
    FindingKind(
        codes.ROBBING_PASSED, "robbing-passed",
        "The tile of another player's kan or kita could have been robbed and was not.",
        review_sentences.missed_ron, review_sentences.win_or_not,
        "An added kan may be robbed in all rulesets; `kokushi_ankan_ron`: a closed one by thirteen orphans; `kita`.",
        "Take it: robbing a kan is a yaku in itself, so you need no other.",
        "no ron on 4z of Ben: it would have won 10600; from place 3: place 1.67 with the win, 2.04 on average without", _MISTAKE,
        why="The chance is easy to overlook because nothing was discarded.",
        silent="In furiten; at a closed kan, unless the rules let thirteen orphans rob it; at a kita without another "
        "yaku, since robbing a kita is not a yaku.", title="Kan or kita not robbed"),
    FindingKind(
        codes.NO_YAKU, "no-yaku", "A tile completes the hand, but none of its waits gives a yaku.",
        "{tile} of {player} completes the hand, but there is no yaku (waits for {waits})", review_sentences.win_or_not, _WIN,
        "Riichi, or a wait with a yaku: this tenpai could win by a closed tsumo only, or not at all.",
        "5m of Ben completes the hand, but there is no yaku (waits for 5m)", _NOTE,
        why="Tenpai without a yaku cannot win by ron, and each tile that goes by means temporary furiten as well.",
        silent="If another of the waits gives a yaku; in furiten.", title="Tenpai without a yaku"),
    # --- D1: deal-ins ----------------------------------------------------------------------------------
    FindingKind(
        codes.AVOIDABLE_FAR, "avoidable-far",
        "A deal-in two or more tiles from tenpai, while holding a tile that was safer against every threat.",
        review_sentences.dealt_in, review_sentences.safer_discard, _DANGER, _LEARN,
        "6s deals into Ben for 12000, 6 from tenpai: no suji 4-6 against riichi of Ben (14%); 9m was genbutsu",
        _NOTE,
        why="A hand that far from tenpai rarely wins against a threat, yet pays as much as any other.",
        silent="With three dora (D103), after folding with a genbutsu in hand (D108), and, like all of family D, if a "
        "rarer case fits. " + _NO_DEAL_IN, title="Deal-in far from tenpai, with a safer tile"),
    FindingKind(
        codes.AVOIDABLE_NEAR, "avoidable-near",
        "A deal-in one tile from tenpai, while holding a safer tile, with a hand that was cheap (at most one "
        "dora) or badly shaped (at most 12 tiles make it tenpai).",
        review_sentences.dealt_in, review_sentences.safer_discard, _DANGER, _LEARN,
        "6s deals into Ben for 12000, 1 from tenpai: no suji 4-6 against riichi of Ben (14%); 9m was genbutsu",
        _NOTE,
        why="One from tenpai, pushing came out no worse than folding when it was played out. So such a deal-in is a mistake "
        "only if the push began further away.",
        silent="With three dora, or with two and more than 12 tiles that make it tenpai (D103). " + _NO_DEAL_IN, title="Deal-in near tenpai, with a safer tile"),
    FindingKind(
        codes.PUSHED, "pushed",
        "A deal-in by a discard that left the hand tenpai, or by a big hand (three dora, or two dora and a good "
        "shape one tile from tenpai).",
        review_sentences.dealt_in, review_sentences.safer_discard, _DANGER,
        "The price of attacking; compare it with what your hand was worth.",
        "6s deals into Ben for 12000, in tenpai: no suji 4-6 against riichi of Ben (14%)", _NOTE,
        why="Not attacking costs points too: such deal-ins are part of good play.",
        silent="If no tile was safer, unless the hand was tenpai (D104). " + _NO_DEAL_IN, title="Deal-in while attacking"),
    FindingKind(
        codes.NOTHING_SAFER, "nothing-safer", "A deal-in with no tile in hand that was safer against every threat.",
        review_sentences.dealt_in, review_sentences.safer_discard, _DANGER,
        "There was nothing to do at this point; perhaps earlier, by keeping a safe tile.",
        "5z deals into Ben for 8000, 3 from tenpai: honour 3 unseen against riichi of Ben (4%)", _NOTE,
        why="If this happens to you often, you keep too few safe tiles.",
        silent="Not silent if one tile was safer against one threat and another tile against the other: no tile was "
        "safer against both. " + _NO_DEAL_IN, title="Deal-in with nothing safer"),
    FindingKind(
        codes.NO_VISIBLE_THREAT, "no-visible-threat",
        "A deal-in to a hand that showed no threat: closed without riichi, or open and small.",
        review_sentences.dealt_in, review_sentences.safer_discard, _DANGER, "Part of the game.",
        "6s deals into Aki for 2900, 6 from tenpai: Aki showed nothing", _NOTE,
        why="How often this happens depends on how early others are tenpai, not on how well you play.",
        silent="Against riichi, and against open hands that show a threat. " + _NO_DEAL_IN, title="Deal-in to a hand that showed nothing"),
    FindingKind(
        codes.IN_RIICHI, "in-riichi", "A deal-in while in riichi, where the drawn tile has to be discarded.",
        review_sentences.dealt_in, review_sentences.safer_discard, "Under riichi only the drawn tile may be discarded.",
        "The price of the riichi.",
        "5z deals into Ben for 8000, in tenpai: honour 3 unseen against riichi of Ben (4%)", _NOTE,
        why="It counts when you weigh riichi against staying silent.",
        silent="For the tile that declares riichi: it was a choice. " + _NO_DEAL_IN, title="Deal-in under riichi"),
    FindingKind(
        codes.ALL_DEAL_IN, "all-deal-in",
        "A deal-in where, as the log shows, every other discard would have dealt in too.",
        review_sentences.dealt_in, review_sentences.safer_discard, "The hands of all players, known from the log only.", "Bad luck.",
        "8m deals into Ben for 32000, in tenpai: Ben showed nothing", _NOTE,
        why="The only finding based on hindsight: whatever the choice, it would have dealt in.",
        silent="In riichi, where there was no choice (D106). " + _NO_DEAL_IN, title="Deal-in whatever the discard"),
    FindingKind(
        codes.FOLDED_AND_DEALT_IN, "folded-and-dealt-in",
        "A deal-in to a riichi by a player who had already given up the hand and held a genbutsu against every "
        "threat.",
        review_sentences.dealt_in, review_sentences.safer_discard, _DANGER, "If you fold, fold completely: discard the genbutsu first.",
        "6s deals into Ben for 8000, 2 from tenpai: no suji 4-6 against riichi of Ben (14%); 9m was genbutsu; the fold "
        "began with 2m at turn 2", _NOTE,
        why="Folding halfway costs twice: the hand is gone, and so are the points.",
        silent="If no discard under threat had moved the hand away from tenpai, if the hand recovered or is tenpai "
        "after the discard, and if the tile was not genbutsu against another threat. "
        + _NO_DEAL_IN, title="Deal-in after folding, with a genbutsu"),
    # --- R1: riichi ------------------------------------------------------------------------------------
    FindingKind(
        codes.RIICHI_ON_NOTHING, "riichi-on-nothing", "Riichi on a wait whose tiles the player can all see.",
        "riichi on {waits}, of which the player sees all tiles", review_sentences.discards, _RIICHI, "Count the live tiles before declaring riichi.",
        "riichi on 5z, of which the player sees all tiles", _MISTAKE,
        why="The hand cannot win at all, and the stick is gone.",
        silent="If at least one tile is live; nobody can see whether it is in the dead wall.", title="Riichi without a live tile"),
    FindingKind(
        codes.NO_RIICHI_NO_YAKU, "no-riichi-no-yaku",
        "A closed tenpai without a yaku on any wait stays silent for two discards, though riichi was "
        "allowed, tiles were live, there was no furiten and nobody else in riichi.",
        "closed tenpai without a yaku and without riichi for two turns: {waits} ({live} live) cannot be won by ron",
        review_sentences.discards, _RIICHI, "Declare riichi, or change to a hand that has a yaku.",
        "closed tenpai without a yaku and without riichi for two turns: 5m (4 live) cannot be won by ron",
        _NOTE,
        why="Without riichi such a hand only wins by tsumo; riichi makes every wait good and the hand worth more.",
        silent="For the first such discard, which may be waiting for a better shape; if at least one wait gives a yaku; "
        "in furiten; against a riichi; with too few points or tiles left for riichi. Reported once in a row.", title="Silent tenpai without a yaku"),
    FindingKind(
        codes.BETTER_RIICHI, "better-riichi",
        "Another discard at riichi would have waited for more live tiles at no less value on average (ron, "
        "without ippatsu and ura dora) and without furiten.",
        either(lambda case: case.row["better_value"] > case.row["value"],
               N_("riichi with {tile} waits for {waits} ({live} live); with {better} it would have waited for "
                  "{better_live} live tiles, worth {better_value} on average, not {value}"),
               N_("riichi with {tile} waits for {waits} ({live} live); with {better} it would have waited for "
                  "{better_live} live tiles, worth no less ({better_value} on average)")),
        review_sentences.discards, _RIICHI, "Compare the discards that keep tenpai.",
        "riichi with 4s waits for 6s (4 live); with 7s it would have waited for 8 live tiles, worth 11600 "
        "on average, not 7700", _NOTE,
        why="More live tiles win more often, and here they cost nothing.",
        silent="If the wider wait is worth less on average, or is furiten; if it has only one live tile more; if the "
        "narrower one looks safe to others (an honour, or suji by the player's own discards) and the wider one does not.", title="Riichi on the narrower wait"),
    # --- K1: kans in riichi, where nothing has to be estimated -----------------------------------------
    FindingKind(
        codes.KAN_LOWERS, "kan-lowers",
        "A closed kan in riichi that lowers the value of some win and raises that of none, and that new dora do "
        "not make up for on average.",
        "closed kan {better} lowers the hand, which waits for {waits}: a ron is worth {value} on average over new dora, "
        "{better_value} without the kan", review_sentences.kan_values, _KAN,
        "Before a kan in riichi, see which yaku it breaks: discard the tile instead.",
        "closed kan 1m lowers the hand, which waits for 7s: a ron is worth 13179 on average over new dora, 18000 without "
        "the kan", _MISTAKE,
        why="The waits stay the same, so the same tiles win less.",
        silent="If it lowers one win and raises another. That a kan brings one more draw, and dora to the "
        "others, does not count. A kan that the rules forbid is V206.", title="Kan in riichi that lowers the hand"),
    FindingKind(
        codes.RAISING_KAN_PASSED, "raising-kan-passed",
        "In riichi, no closed kan of the tile drawn, though it would have raised some win and lowered none.",
        "{tile}, but closed kan {better} would have raised the hand, which waits for {waits}: a ron is worth {value} on "
        "average, {better_value} over new dora with the kan", review_sentences.kan_values, _KAN,
        "Such a kan is free for your own hand; the new dora is as likely to help a riichi of somebody else.",
        "5z, but closed kan 5z would have raised the hand, which waits for 69s: a ron is worth 7700 on average, 12653 over "
        "new dora with the kan", _NOTE,
        why="Nothing of the hand changes but its value.",
        silent="If the kan raises one win and lowers another, if the limit keeps every win as it is, and if the "
        "rules forbid the kan.", title="Kan in riichi not made that raises the hand"),
)

_LOSSES = (
    # --- R2: riichi or silence -------------------------------------------------------------------------
    FindingKind(
        codes.RIICHI_DECLARED, "riichi-declared", "A riichi, though staying silent was worth more by the model.",
        review_sentences.lost, review_sentences.options, _MODEL, "Compare the value of the hand without riichi.",
        "riichi 4s, but 4s was worth 640 more by estimate: winning +480, other ends +160", _NOTE,
        why=_UNSURE, silent=_SMALL, title="Riichi where silence was worth more"),
    FindingKind(
        codes.RIICHI_WITHHELD, "riichi-withheld", "A tenpai kept silent, though riichi was worth more by the model.",
        review_sentences.lost, review_sentences.options, _MODEL, "Compare what riichi would have won, and how often.",
        "4s, but riichi 4s was worth 640 more by estimate: winning +720, other ends -80", _NOTE,
        why=_HELD, silent=_SMALL, title="Silence where riichi was worth more"),
    # --- P1: push and fold -----------------------------------------------------------------------------
    FindingKind(
        codes.RISKY_DISCARD, "risky-discard",
        "A discard under threat that was more dangerous than the best one, and worth less.",
        review_sentences.lost, review_sentences.options, _MODEL,
        "Compare what the hand wins with what the tile risks.",
        "5p, but 6s was worth 1,280 more by estimate: risk of this tile +1,113, other ends +163, winning +11; deals in "
        "0.4%, 5p 25.7%; such a move costs 312 ± 156 points, found by playing out 514 such decisions", _NOTE,
        why="Whether it dealt in is luck; that it risked more than it could win is not. " + _HELD,
        silent=_SMALL + " A discard that dealt in has a finding of family D, too; the table for people lists only that.", title="Discard too dangerous"),
    FindingKind(
        codes.EARLY_FOLD, "early-fold",
        "A discard under threat that was safer than the best one, but worth less: it gave up too much of the hand.",
        review_sentences.lost, review_sentences.options, _MODEL,
        "Look at what the hand would have won, and how little the better tile risked.",
        "9m, but 2s was worth 760 more by estimate: winning +905, risk of this tile -145; deals in 2.4%, 9m 0.0%; such a "
        "move costs 519 ± 259 points, found by playing out 600 such decisions", _NOTE,
        why="Folding costs the hand. Against a cheap or distant threat, a good hand is worth the risk. " + _HELD,
        silent=_SMALL, title="Hand given up too early"),
    # --- E1: efficiency --------------------------------------------------------------------------------
    FindingKind(
        codes.LESSER_DISCARD, "lesser-discard", "A discard without a threat that was worth less than another one.",
        review_sentences.lost, review_sentences.options, _MODEL, "Compare shanten, accepted tiles and value of the options.",
        "1m, but 9p was worth 410 more by estimate: winning +350, other ends +60", _NOTE,
        why="Speed and value decide who wins the hand. " + _UNSURE, silent=_SMALL, title="Discard worth less than another"),
    # --- C1: calls -------------------------------------------------------------------------------------
    FindingKind(
        codes.POOR_CALL, "poor-call", "A call, though passing or another call was worth more by the model.",
        review_sentences.lost, review_sentences.options, _MODEL, "Ask what the call gains in speed and costs in value and safety.",
        "chi from 3s, but pass was worth 520 more by estimate: winning +300, later deal-ins +220", _NOTE,
        why=_UNSURE, silent=_SMALL + " Calls that bring the hand no nearer to tenpai are not judged.", title="Call worth less than passing"),
    FindingKind(
        codes.CALL_PASSED, "call-passed", "A tile let pass, though calling it was worth more by the model.",
        review_sentences.lost, review_sentences.options, _MODEL, "Ask what the call gains in speed and costs in value and safety.",
        "pass, but pon was worth 610 more by estimate: winning +700, later deal-ins -90", _NOTE,
        why=_UNSURE, silent=_SMALL + " If somebody else called or won the tile first, nobody knows what the player wanted.", title="Call not made"),
    # --- K1: kans --------------------------------------------------------------------------------------
    FindingKind(
        codes.POOR_KAN, "poor-kan", "A closed or added kan, although a discard or another kan was worth more by the model.",
        review_sentences.lost, review_sentences.options, _MODEL, "A kan shows the others a new dora; ask who needs it most.",
        "closed kan 3p, but 9s was worth 700 more by estimate: winning +450, later deal-ins +250", _NOTE,
        why=_UNSURE, silent=_SMALL + " Of kans in riichi, K103 and K104 say what can be said for certain.", title="Kan worth less than a discard"),
    FindingKind(
        codes.KAN_PASSED, "kan-passed", "No kan, though one was worth more by the model.",
        review_sentences.lost, review_sentences.options, _MODEL, "A kan brings a draw and a dora; ask who needs them most.",
        "9s, but closed kan 3p was worth 550 more by estimate: winning +650, later deal-ins -100", _NOTE,
        why=_UNSURE, silent=_SMALL + " Of kans in riichi, K103 and K104 say what can be said for certain.", title="Kan not made"),
)
# fmt: on
_UNUSUAL = FindingKind(
    UNUSUAL,
    "unusual-move",
    "A move that strong players make in fewer than 1% of such positions.",
    "{made}, but {why}",
    review_sentences.options,
    "No rule, but the policy: a network fitted to what strong players choose. It says how often they choose an "
    "option, not what the option is worth.",
    "Look at what strong players do instead, and find out why.",
    "7s, but strong players choose 9m in 65% of such positions, 7s in 0.6%: 9m deals in 0.2%, 7s 6.9%; 9m is "
    "genbutsu against the riichi of the player before; 9m has 29 tiles that help, 7s 31",
    _NOTE,
    why="It repeats from game to game, and falls with grade. A single unusual move may be right.",
    silent="Only the rarest of a game and player is listed. If the move is a mistake already; in "
    "games of three, for which there is no policy.",
    title="Unusual move",
)

REVIEW_KINDS = by_code(_ROWS)
"""Every kind of finding that the engine makes in a review by code, in order."""

LOSS_KINDS = by_code([*_LOSSES, _UNUSUAL])
"""Every kind of finding that follows from what the model says of a decision, in order."""

DEAL_INS = frozenset(kind.number for kind in _ROWS if kind.family == "D1") - {
    codes.IN_RIICHI,
    codes.ALL_DEAL_IN,
}
"""Numbers of the deal-ins that a choice led to: mistakes if it is of a class of ``DEALING_IN``."""

TITLES = MappingProxyType(
    {
        kind.code: kind.title
        for kind in sorted([*REVIEW_KINDS.values(), *LOSS_KINDS.values()], key=lambda kind: kind.number)
    }
)
"""Code -> what a finding is, in words for those who do not know the codes."""
