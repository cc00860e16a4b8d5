"""Every finding that paifu knows: a row a code. To add a finding is to add a row here.

``paifu explain`` prints these texts; the examples are lines that the tests make.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from paifu.replay.facts.tables import code_of
from paifu.replay.findings import finding_sentences, values
from paifu.replay.findings.finding import Severity
from paifu.replay.findings.finding_sentences import Wording, either
from paifu.replay.findings.values import ValuePair
from paifu.replay.kernels import codes
from paifu.replay.kernels import reasons as why
from paifu.replay.language import N_
from paifu.replay.model.events import NO_SEAT, EventFlag, EventKind
from paifu.replay.model.tiles import ALL_TILES, BONUS_TILES, NO_TILE
from paifu.replay.rules.choices import RiichiKan

FAMILIES = MappingProxyType(
    {
        "V1": "the file and the deal",
        "V2": "legality of each action",
        "V3": "wins",
        "V4": "payments",
        "V5": "from hand to hand, and the end of the game",
        "V6": "the wall",
    }
)
"""Beginning of a code -> what the codes are about."""


@dataclass(frozen=True, slots=True)
class FindingKind:
    """What a code means."""

    number: int
    """The code as the tables of findings have it; :mod:`paifu.replay.kernels.codes` names it."""
    name: str
    """Short, lower case, never changed."""
    meaning: str
    words: Wording
    """The message as a template, whose fields are those of ``FIELDS`` of the sentences: one, or one for each
    reason, or what chooses one for a case."""
    values: Callable[[Any], ValuePair]
    """What is expected, and what the log says, for people and programs."""
    basis: str
    """Where the rule comes from."""
    advice: str
    example: str
    severity: Severity = Severity.ERROR
    why: str = ""
    """Why it matters, unless that is obvious."""
    silent: str = ""
    """When it is not reported, though you might expect it."""
    others: str = ""
    """What it means in games other than riichi; empty where that is the same, or the code does not occur."""
    title: str = ""
    """In words for those who do not know the codes; findings of the review have one."""
    words_of_others: Wording = ""
    """The same in these games, where it is another one."""

    @property
    def code(self) -> str:
        """A letter and three digits, such as ``V306``."""
        return code_of(self.number)

    @property
    def family(self) -> str:
        """Letter and first digit."""
        return self.code[:2]


_FILE = "The format: the platform writes no such file."
_TABLE = "The order of play, the same in all rulesets."
_LOG_WRONG = (
    "If the log was edited or converted, the tool lost or changed an event here: compare with the original. "
    "The rest of the hand is not checked."
)
_RULES_OR_LOG = (
    "Check whether the game was played under other rules than the log names: try `--rules` and `--set`. If not, "
    "the log is wrong."
)
_REPORT = (
    "`--explain` shows the hand and how it is scored. If the log comes unchanged from the platform, paifu is "
    "wrong: please report it with the log."
)

# fmt: off
_ROWS = (
    # --- V1: the file and the deal ---------------------------------------------------------------------
    FindingKind(
        codes.UNREADABLE, "unreadable",
        "The input, or part of it, cannot be read: it is not a log, is damaged, or was cut off.",
        "the hand has no end, but the game goes on", values.nothing, _FILE,
        "Fetch the log again. What came before the damage has been read and checked.",
        "the hand has no end, but the game goes on"),
    FindingKind(
        codes.UNKNOWN, "unknown",
        "An element, event or version that paifu does not know; the message says whether the rest was read.",
        "", values.nothing, _FILE,
        "If the platform wrote it, paifu is out of date: please report the element with the log.", "element 8 <SURPRISE>: unknown element <SURPRISE> (it was skipped and the rest of the game read)"),
    FindingKind(
        codes.TOO_MANY_COPIES, "too-many-copies",
        "A tile appears more often than in the set, or the same physical tile appears twice.",
        either(lambda case: case.tile >= ALL_TILES, N_("a tile is hidden, so the hand cannot be followed"),
               either(lambda case: case.expected, N_("{tile} for the {ordinal} time; the set holds {expected}"),
                      N_("{tile} is not in the set of this game"))), values.count_of_tile,
        "The set: four of a kind, of the fives as many red ones as `red_man`, `red_pin`, `red_sou` say; with 3 "
        "`players` no 2m to 8m.", _LOG_WRONG, "6m (id 20) comes into play a second time"),
    FindingKind(
        codes.WRONG_DEAL, "wrong-deal", "A player is dealt more or fewer than 13 tiles.", "", values.nothing, _FILE,
        "Fetch the log again; the hand cannot be replayed.", "element 5 <INIT>: seat 0 is not dealt 13 tiles (hands before this place were kept)"),
    FindingKind(
        codes.OUT_OF_RANGE, "out-of-range", "A number that is not a valid seat, tile or amount of points.", "", values.nothing,
        _FILE, "Fetch the log again; the rest of the game is not read.", "element 6 <T136>: tile 136; ids are 0-135 (hands before this place were kept)"),
    # --- V2: legality of each action -------------------------------------------------------------------
    FindingKind(
        codes.OUT_OF_TURN, "out-of-turn", "A draw, discard or riichi out of turn, or in the wrong order.",
        either(lambda case: case.expected != case.actual, N_("a {move} out of turn: seat {due} is to move"),
               N_("a {move} where another move is due, or none is possible any more")), values.seat, _TABLE, _LOG_WRONG, "a draw out of turn: seat 3 is to move"),
    FindingKind(
        codes.TILE_NOT_HELD, "tile-not-held", "A discard of a tile that is not in the hand.", "{tile} is discarded, but it is not in the hand", values.nothing, _TABLE,
        _LOG_WRONG, "1m is discarded, but it is not in the hand"),
    FindingKind(
        codes.TSUMOGIRI_FLAG, "tsumogiri-flag", "The mark of a tsumogiri contradicts the tile that was drawn.",
        either(lambda case: not case.batch.events.flags[case.event] & EventFlag.TSUMOGIRI,
               N_("{tile} is said to come from the hand, but the only one is the tile just drawn"),
               either(lambda case: case.expected == NO_TILE,
                      N_("{tile} is said to be the tile just drawn, but that was nothing"),
                      N_("{tile} is said to be the tile just drawn, but that was {expected}"))), values.tile, _TABLE,
        "Harmless for the result, but statistics that count tsumogiri are off by one.", "6z is said to be the tile just drawn, but that was 0p"),
    FindingKind(
        codes.ILLEGAL_CALL, "illegal-call", "A chi, pon or open kan not allowed by the tiles, the source, the turn or a riichi.",
        either(lambda case: case.reason == why.NOT_HELD, N_("{move} with {tile}, which is not in the hand"),
               either(lambda case: case.expected == case.actual,
                      N_("{move} of {tile}, which these tiles, this seat or this moment do not allow"),
                      either(lambda case: case.expected == NO_TILE,
                             N_("{move} of {tile}, but nothing was just discarded"),
                             N_("{move} of {tile}, but {expected} was just discarded")))), values.tile, "`chi` and `players`; otherwise the same in all rulesets.", _LOG_WRONG, "pon of 5z, which these tiles, this seat or this moment do not allow"),
    FindingKind(
        codes.KUIKAE, "kuikae",
        "After a call, the same tile, or the one at the other end of the run, is discarded; or a tile that would be "
        "taken back because an open riichi waits for it.",
        {why.PLAIN: "{tile} may not be discarded after this call (kuikae)",
         why.WAITED_FOR: "{tile} may not be discarded: an open riichi waits for it"}, values.nothing, "`kuikae` and `open_riichi_deal_in`.", _RULES_OR_LOG,
        "6s may not be discarded after this call (kuikae)"),
    FindingKind(
        codes.ILLEGAL_KAN, "illegal-kan",
        "A closed or added kan at the wrong time, without the tiles, or one that changes the waits of a riichi "
        "(or, under some rules, its groups).",
        {why.NOT_NOW: "{move} of {tile} at another's turn, before a draw, or with no tile left to draw",
         why.NOT_HELD: "{move} of {tile} without the tiles for it",
         why.OTHER_SOURCE: "{move} of {tile} to a pon from seat {stated}, who did not feed it",
         why.OTHER_GROUPS: "{move} of {tile} under riichi takes tiles that another group could need",
         why.PLAIN: either(
             lambda case: case.expected != case.actual,
             N_("{move} of {tile} under riichi changes the waits from {expected} to {actual}"),
             either(lambda case: case.rules.riichi.riichi_kan == RiichiKan.FORBIDDEN,
                    N_("{move} of {tile} under riichi, which the rules do not allow"),
                    N_("{move} of {tile} under riichi, which the rules allow with the tile just drawn only")))},
        values.of_kan, "`riichi_kan` for a kan under riichi; otherwise the same in all rulesets.",
        _RULES_OR_LOG, "ankan of 7s without the tiles for it"),
    FindingKind(
        codes.ILLEGAL_RIICHI, "illegal-riichi",
        "A riichi with an open or unready hand, too few points or too few tiles left, or another tile than the "
        "one drawn discarded under it.",
        {why.NOT_TENPAI: "riichi without tenpai: discarding {tile} leaves no wait",
         why.DECLARED_LATE: "riichi is stated after its discard, {tile}",
         why.NOT_PLAYED: "riichi with the hand shown, which these rules do not know",
         why.OPEN_HAND: "riichi with an open hand",
         why.SECOND_RIICHI: "a second riichi",
         why.IN_RIICHI: either(lambda case: case.expected == NO_TILE,
                                   N_("{tile} is discarded under riichi, but nothing was drawn"),
                                   N_("{tile} is discarded under riichi, but {expected} was drawn")),
         why.SHORT_WALL: "riichi with {actual} tiles left to draw, it takes {expected}",
         why.FEW_POINTS: "riichi with {actual} points, it takes {expected}",
         why.FOUL_SHOWN: "a win that shows that its riichi, or a kan under it, was a foul"}, values.of_riichi, "`riichi_points`, `riichi_wall` and `open_riichi_han`.", _RULES_OR_LOG, "riichi with 900 points, it takes 1000",
        words_of_others="riichi in a game that has none"),
    FindingKind(
        codes.RIICHI_STICK, "riichi-stick",
        "A riichi stick is not paid when its tile passed, paid when none is due, or leaves another score.",
        {why.PLAIN: "score after the riichi differs: engine {due}, log {stated}",
         why.NOT_DUE: "a riichi stick is paid that is not due",
         why.TILE_WON: "a riichi stick is paid although the tile was won",
         why.UNPAID: "riichi passed, but its stick is not paid"}, values.nothing, "`riichi_stick`.", _LOG_WRONG, "riichi passed, but its stick is not paid",
        words_of_others="a riichi stick in a game that has none"),
    FindingKind(
        codes.KAN_DORA, "kan-dora", "After a kan the new indicator is missing, early, late, or one too many.",
        "indicators turned: {expected} due, {actual} in the log", values.number, "`kan_dora` and `kan_dora_timing`.", _RULES_OR_LOG, "indicators turned: 2 due, 1 in the log",
        silent="An indicator that comes late is reported where it was due, and not again where it comes; one that comes "
        "early is reported there.",
        words_of_others="a dora indicator in a game that has none"),
    FindingKind(
        codes.FIFTH_KAN, "fifth-kan", "More than four kans in a hand.", "a fifth kan", values.nothing,
        "Four supplement tiles, the same in all rulesets.", _LOG_WRONG, "a fifth kan"),
    FindingKind(
        codes.AFTER_END, "after-end", "An action after the hand has ended.", "a {move} after the end of the hand", values.nothing, _TABLE, _LOG_WRONG,
        "a draw after the end of the hand", silent="What comes after the first such action."),
    FindingKind(
        codes.ILLEGAL_DRAW, "illegal-draw",
        "The hand ends in a draw whose conditions are not met, or continues when it should have ended in one.",
        either(lambda case: case.expected, N_("the hand goes on, but had to end by {end}"),
               N_("the hand may not end here by {end}")), values.hand_end,
        "`abort_kyuushu`, `abort_suufon`, `abort_suucha`, `abort_suukaikan`, `abort_sanchahou`, `suukaikan_at_once`, `kyuushu_counts`, `foul_false_win`, `foul_noten_riichi` and their like; an exhaustive "
        "draw needs an empty wall.", _RULES_OR_LOG, "the hand may not end here by four winds",
        silent="A hand that goes on is reported once."),
    FindingKind(
        codes.ILLEGAL_KITA, "illegal-kita", "A north or a flower is set aside when that is not allowed.",
        either(lambda case: case.kind == EventKind.BONUS,
               {why.NOT_PLAYED: N_("{tile} is set aside in a game without flowers"),
                why.OTHER_TILE: N_("{tile} is set aside; the flowers are 1f to 4f"),
                why.NOT_NOW: N_("{tile} is set aside out of turn")},
               {why.NOT_PLAYED: N_("kita in a game that has none"),
                why.OTHER_TILE: N_("kita of {tile}; only north is set aside"),
                why.NOT_HELD: N_("kita without a north in the hand"),
                why.IN_RIICHI: N_("kita under riichi of a north that was not just drawn"),
                why.NOT_NOW: N_("kita at another's turn, before a draw, after declaring riichi, or with no tile left to "
                                    "draw")}), values.nothing, "`kita` and `flowers_dora`.",
        _RULES_OR_LOG, "kita of 1z; only north is set aside",
        others="A flower or a season is set aside out of turn or without being in the hand, or a player goes on "
        "with one in hand: `bonus_tiles`.",
        words_of_others=either(
            lambda case: case.kind == EventKind.KITA, N_("kita in a game that has none"),
            either(lambda case: case.kind != EventKind.BONUS, N_("seat {seat} has not set {tile} aside"),
                   either(lambda case: case.tile not in BONUS_TILES or case.reason == why.NOT_HELD,
                          N_("{tile} is set aside, but is not in the hand"),
                          N_("{tile} is set aside out of turn"))))),
    FindingKind(
        codes.FOUL_NOT_STATED, "foul-not-stated",
        "The events show a foul that the log does not state, so that it had no consequence.",
        "a foul of seat {seat} is not stated: {foul}", values.foul, "`foul_kuikae`, `foul_noten_riichi`, `foul_riichi_kan`, `foul_dead_acts`, `noten_riichi_found` and "
        "`riichi_kan_found`.", "If the players noticed it, write it down: `2 foul kuikae`. If they did not, the finding stands, and nothing follows.",
        "a foul of seat 2 is not stated: kuikae",
        why="A foul that nobody notices changes who could win and who is paid.",
        silent="Acts that the rules refuse are findings of their own (V205, V206, V207). A foul in riichi that somebody's win made void."),
    FindingKind(
        codes.FOUL_WITHOUT_CAUSE, "foul-without-cause",
        "The log states a foul that the events do not show, or that the rules do not have.",
        {why.PLAIN: "seat {seat} is said to commit a foul, but the events do not show it: {foul}",
         why.NOT_IN_RULES: "seat {seat} is said to commit a foul that the rules do not have: {foul}"}, values.foul, "The rules `foul_*` say which fouls there are.",
        "Check who committed it, and when. If the table ruled otherwise than its rules, write the ruling: `2 foul wall chombo`.",
        "seat 3 is said to commit a foul, but the events do not show it: kuikae",
        silent="What no event can show: tiles that were shown, wrong melds, numbers of tiles."),
    FindingKind(
        codes.DEAD_HAND, "dead-hand",
        "A dead hand calls, declares riichi or a kan, or wins.",
        either(lambda case: case.kind == EventKind.WIN, N_("a win by a dead hand"), N_("a {move} by a dead hand")),
        values.nothing, "`foul_dead_acts`: where it costs something, only a win is a finding.",
        "Check when the hand became dead: a foul counts from its line on.", "a win by a dead hand"),
    # --- V3: wins --------------------------------------------------------------------------------------
    FindingKind(
        codes.NO_WINNING_HAND, "no-winning-hand", "A win with an incomplete hand, or on a tile that could not be won.",
        {why.PLAIN: "the hand is not complete with {tile}",
         why.NOT_OFFERED: "{tile} could not be won: it was neither drawn nor discarded just before",
         why.ROBS_ANKAN: "{tile} of a closed kan could not be won: only thirteen orphans may rob one, if anybody",
         why.ORPHANS_ROB_ANKAN: "{tile} of a closed kan could not be won: these rules do not let thirteen orphans rob one "
         "(kokushi_ankan_ron)",
         why.OTHER_TILES: "the tiles or melds shown with the win are not those of the hand"}, values.nothing, "`chiitoitsu_identical_pairs` and `suukantsu_needs_pair`; otherwise the same in all "
        "rulesets.", _REPORT, "1s could not be won: it was neither drawn nor discarded just before"),
    FindingKind(
        codes.WIN_WITHOUT_YAKU, "win-without-yaku", "A win without a yaku, or with fewer han than the rules require.",
        "a win on {tile} without a yaku, or with fewer han than the rules ask for", values.nothing, "`min_han`, `two_han_from_honba`, `kuitan`.", _RULES_OR_LOG, "a win on 9p without a yaku, or with fewer han than the rules ask for",
        others="A win that is worth less than the `minimum`, or on a discard that completes something else than "
        "`discard_win` asks for.",
        words_of_others="a win on {tile} that is worth too little, or does not complete what it must"),
    FindingKind(
        codes.FURITEN_RON, "furiten-ron", "A ron by a player who was furiten.", "ron on {tile} while furiten", values.nothing,
        "`temporary_furiten`; otherwise the same in all rulesets.", _REPORT, "ron on 5s while furiten"),
    FindingKind(
        codes.YAKU, "yaku", "The yaku in the log are not those of the hand.", finding_sentences.yaku_differ, values.yaku,
        "The yaku table and the han that the ruleset gives each; `paifu rules show` lists them.", _REPORT, "yaku differ; not in the log: riichi; only in the log: ittsuu",
        others="The patterns in the log are not those of the hand: see `patterns`."),
    FindingKind(
        codes.HAN, "han", "The yaku agree, but their han in the log add up to something else.",
        "han differ: engine {expected}, log {actual}", values.number,
        "The han of each yaku, closed and open.", _REPORT, "han differ: engine 1, log 2",
        others="The patterns agree, but their values differ; both are added up, except limits.",
        words_of_others="values of the patterns differ: engine {expected}, log {actual}"),
    FindingKind(
        codes.FU, "fu", "The fu in the log are not those of the hand.",
        "fu differ: engine {expected}, log {actual}", values.number,
        "`double_wind_pair_fu`, `rinshan_tsumo_fu`, `pinfu_tsumo`, `chiitoitsu_fu`; the rest is the same in all "
        "rulesets.", _REPORT, "fu differ: engine 40, log 50"),
    FindingKind(
        codes.POINTS, "points", "The points or the limit in the log do not follow from han and fu.",
        finding_sentences.wrong_points, values.points_or_limit,
        "`kiriage`, `kazoe`, `yakuman_stacking`, the `double_daisuushii` family, `sanma_tsumo`.", _REPORT, "points differ: engine 1300, log 1400",
        silent="If they follow from yaku, dora or fu that are a finding.",
        others="The value of the hand, in which payments are counted, differs: `sum_limit`, `listed_limit`, "
        "`faan_table`, `limit` and the values of the patterns."),
    FindingKind(
        codes.DORA, "dora", "The number of dora, or the indicators listed with a win, differ.",
        either(lambda case: case.reason == why.INDICATOR,
               N_("indicators differ: the wall has {expected}, the log lists {actual}"),
               either(lambda case: case.reason != why.URA_INDICATORS,
                      N_("dora differ: engine {expected}, log {actual}"),
                      either(lambda case: case.actual < case.expected,
                             N_("ura indicators differ: {due} due, {stated} shown"),
                             N_("ura indicators differ: {due} due, more shown")))), values.dora, "`dora`, `kan_dora`, `ura_dora`, `kan_ura_dora`, `kita` and the red fives.",
        _REPORT, "dora differ: engine 3 dora, log 4 dora"),
    FindingKind(
        codes.SEVERAL_WINS, "several-wins", "More players win on one tile than the rules allow, or they are not in turn order.",
        {why.PLAIN: "{stated} wins on one tile, not in the order of turns",
         why.TOO_MANY_WINS: "{stated} wins on one tile; the rules allow {due}"}, values.nothing, "`head_bump` and `abort_sanchahou`.", _RULES_OR_LOG, "2 wins on one tile; the rules allow 1"),
    # --- V4: payments ----------------------------------------------------------------------------------
    FindingKind(
        codes.PAYMENT, "payment", "What a player gains or loses by a win or an abortive draw differs.",
        "payment differs: engine {expected:+}, log {actual:+}", values.number,
        "Points, `honba_each`, riichi sticks, `multi_ron_sticks`, `multi_ron_honba`, liability.", _REPORT, "payment differs: engine +3300, log +4300",
        silent="If it follows from yaku, dora, fu, points, honba, sticks or liability that are a finding.",
        others="Payments follow from the value by `pay_selfdraw`, `pay_discard_total`, `pay_bystander`, `par` and "
        "`dealer_factor`; with `losers_settle` the losers pay each other, too."),
    FindingKind(
        codes.STATED_HONBA, "stated-honba", "The honba stated with a win or a draw differ.",
        "honba of the result differ: engine {expected}, log {actual}", values.number, "`multi_ron_honba`.",
        _RULES_OR_LOG, "honba of the result differ: engine 0, log 1"),
    FindingKind(
        codes.STATED_STICKS, "stated-sticks", "The riichi sticks that a winner takes, or that a draw leaves, differ.",
        "riichi sticks of the result differ: engine {expected}, log {actual}", values.number, "`multi_ron_sticks`.",
        _RULES_OR_LOG, "riichi sticks of the result differ: engine 2, log 3"),
    FindingKind(
        codes.LIABILITY, "liability", "The player who pays for having fed a yakuman (pao) differs.",
        finding_sentences.wrong_liable, values.liable,
        "`pao_daisangen`, `pao_daisuushii`, `pao_suukantsu` and their like, `pao_rinshan`.", _RULES_OR_LOG, "liable player differs: engine nobody, log seat 3",
        others="The seat that answers beside the discarder or in their place: by `liability`, `fed_gong_pays` or "
        "`immunity`."),
    FindingKind(
        codes.NOTEN_PAYMENT, "noten-payment", "The payments of an exhaustive draw differ.",
        "noten payment differs: engine {expected:+}, log {actual:+}", values.number,
        "`noten_pay_1`, `noten_pay_2`, `noten_pay_3`.", _RULES_OR_LOG, "noten payment differs: engine +1500, log +0",
        silent="If it follows from a V406.",
        others="Nobody pays at a draw."),
    FindingKind(
        codes.TENPAI, "tenpai",
        "A player is recorded as tenpai who is not, or the reverse, or other tiles are shown.",
        either(lambda case: case.reason == why.OTHER_TILES, N_("the tiles shown are not those of the hand"),
               either(values.is_aborted, N_("hand differs: engine {expected}, log {actual}"),
                      N_("tenpai differs: engine {expected}, log {actual}"))), values.tenpai,
        "`own_four_wait`: whether a wait on tiles that the player holds all four of counts.", _RULES_OR_LOG, "tenpai differs: engine tenpai, log noten"),
    FindingKind(
        codes.NAGASHI, "nagashi", "A nagashi mangan that was not one, one that was overlooked, or wrong payments for one.",
        either(lambda case: case.seat != NO_SEAT, N_("nagashi payments differ: engine {expected:+}, log {actual:+}"),
               either(lambda case: case.actual, N_("nagashi mangan, but nobody's discards allow it"),
                      N_("no nagashi mangan in the log, but the discards of seat {seats} are one"))), values.of_nagashi, "`nagashi`.", _RULES_OR_LOG, "nagashi mangan, but nobody's discards allow it"),
    FindingKind(
        codes.OWN_SCORE, "own-score",
        "What a hand counts for itself differs. It occurs only in games in which losers are paid for their hands.",
        "score of the hand differs: engine {expected}, log {actual}", values.number,
        "`losers_settle`, `cap_losers`, `limit`.", _REPORT, "score of the hand differs: engine 16, log 32"),
    # --- V5: from hand to hand -------------------------------------------------------------------------
    FindingKind(
        codes.CARRIED_SCORE, "carried-score",
        "A hand does not start with the scores the previous hand ended with, or states others later.",
        either(lambda case: case.event < 0, N_("score at the start differs: engine {expected}, log {actual}"),
               N_("score before the payment differs: engine {expected}, log {actual}")), values.number,
        "Points neither appear nor vanish between hands.",
        "A hand is missing before this one, or its result is wrong: see the findings of the previous hand.",
        "score at the start differs: engine 23700, log 23800",
        silent="If another hand than the one that is due begins (V502, V503), if the score follows from what was due where "
        "the log states something else (V208, V401), and if a stick is the difference (V504)."),
    FindingKind(
        codes.ROUND_OR_DEALER, "round-or-dealer", "The round or the dealer does not follow from the previous hand.",
        finding_sentences.wrong_round, values.round_or_dealer, "`agari_renchan`, `tenpai_renchan`, `draw_renchan`, `last_draw_renchan`, `abort_renchan`, `abort_renchan_by`, `multi_ron_renchan`.", _RULES_OR_LOG,
        "round differs: engine E3, log E4",
        silent="The dealer, honba, sticks and scores of a hand with another round are not compared, except for a dealer that "
        "does not fit the round. The first hand of a record that begins late is V507."),
    FindingKind(
        codes.HONBA, "honba", "The honba count does not follow from the previous hand.",
        "honba differ: engine {expected}, log {actual}", values.number,
        "`agari_renchan`, `tenpai_renchan`, `draw_renchan`, `last_draw_renchan`, `abort_renchan`, `abort_renchan_by`, `multi_ron_renchan`.", _RULES_OR_LOG, "honba differ: engine 0, log 1",
        others="The count is that of the hands that the dealer has dealt in a row before this one: "
        "`agari_renchan`, `draw_renchan`, `keeps_reset_by_draw`.",
        words_of_others="hands dealt in a row before differ: engine {expected}, log {actual}"),
    FindingKind(
        codes.STICKS, "sticks", "The riichi sticks on the table do not follow from the previous hand.",
        either(lambda case: case.seat == NO_SEAT, N_("riichi sticks differ: engine {expected}, log {actual}"),
               N_("riichi sticks differ: engine {expected}, log {actual}; seat {seat} has the difference")), values.number,
        "Sticks stay on the table until somebody wins.", _RULES_OR_LOG, "riichi sticks differ: engine 0, log 1",
        silent="If another hand than the one that is due begins (V502, V503)."),
    FindingKind(
        codes.GAME_END, "game-end", "The game ends too early, or continues after its end.",
        either(lambda case: case.expected, N_("the game goes on though it is over"),
               N_("the game ends though it is not over")), values.nothing,
        "`wind_rounds`, `max_wind_rounds`, `target_points`, `sudden_death`, `sudden_death_over_renchan`, `agari_yame`, `tenpai_yame`, `yame_leads`, `yame_choice`, `last_noten`, `tobi`, "
        "`ceiling_points`.",
        "One cause is a log that holds only some hands of a game; otherwise check the rules: try `--rules` and "
        "`--set`.", "the game ends though it is not over",
        silent="A game that goes on after its end is reported once."),
    FindingKind(
        codes.FINAL_RESULT, "final-result", "The final scores or points differ.", finding_sentences.final_result, values.number,
        "`uma`, `uma_by_below`, `uma_border`, `return_points`, `oka`, `count_points`, `rounding`, `rounding_of`, `sticks_left`, `tie_break`, `yakitori_points`, `yakitori_to`, `yakitori_again`.",
        "Private lobbies may use an uma that the log does not state: try `--set uma=[...]`.", "final points differ: engine -18.4, log -17.4"),
    FindingKind(
        codes.LATE_START, "late-start", "The record begins with a later hand than the first of its game.",
        "the record begins at {hand}; the hands before it are missing", values.nothing, "A game begins with East 1, without honba and sticks, and all have the points of the rules.",
        "No error: what the record holds is checked. Where it matters, fetch the whole record.", "the record begins at E2.0; the hands before it are missing",
        severity=Severity.NOTE,
        silent="A record that does not state the end of its game may be any part of one."),
    # --- V6: the wall ----------------------------------------------------------------------------------
    FindingKind(
        codes.WALL_DEAL, "wall-deal", "The tiles dealt do not match the wall that the log states, or that follows from its seed.",
        {why.PLAIN: "the wall gives {expected}, which is not among the tiles dealt",
         why.ANOTHER_WALL: "the wall of this seed is another one: {actual} of {expected} tiles dealt agree"}, values.of_deal, "The platform publishes how a seed becomes a wall.",
        "The seed or the tiles were changed, or the hands are not numbered from the first of the game.", "the wall gives 3z (id 118), which is not among the tiles dealt",
        silent="Where less than half of the deal agrees, it is another wall: that is reported for the first of the hands that "
        "follow each other with one seed, and nothing else of them is compared with the wall."),
    FindingKind(
        codes.WALL_DRAW, "wall-draw", "A drawn tile is not the next one in the wall that the log states, or that follows from its seed.",
        "draw differs: wall {expected}, log {actual}", values.physical,
        "The platform publishes how a seed becomes a wall.", "The draw was changed, or one is missing.", "draw differs: wall 0p (id 52), log 5p (id 53)",
        silent="Draws that differ one after the other are reported once."),
    FindingKind(
        codes.WALL_INDICATOR, "wall-indicator", "A dora indicator does not match the wall that the log states, or that follows from its seed.",
        "indicator differs: wall {expected}, log {actual}", values.physical,
        "The platform publishes how a seed becomes a wall.", "The indicator was changed.", "indicator differs: wall 6m (id 20), log 6m (id 21)"),
    FindingKind(
        codes.DICE, "dice", "The dice do not match those generated from the log's seed.",
        "dice differ: wall {expected}, log {actual}", values.eyes,
        "The platform publishes how a seed becomes the dice.", "Harmless for the result; the log was changed.",
        "dice differ: wall 6, log 1"),
    FindingKind(
        codes.WALL_HASH, "wall-hash", "The hash that was shown before the hand is not that of the wall that the record states.",
        either(lambda case: case.expected, N_("the published hash of the salt does not fit"),
               N_("the published hash of the wall does not fit")), values.nothing,
        "Mahjong Soul shows a hash of the wall before play: MD5 until May 2023, since then SHA-256 of the wall and a salt, with the SHA-256 of the salt.",
        "The wall, the salt or the hash was changed, or the record was made by an editor.",
        "the published hash of the wall does not fit"),
    FindingKind(
        codes.WALL_SET, "wall-set", "The wall that the record states, with the deal, is not the set of tiles of the game.",
        either(lambda case: case.tile == NO_TILE,
               N_("the wall is of {actual} tiles; expected {expected}, or those after the deal"),
               N_("wall and deal hold {actual} of {tile}; the set holds {expected}")), values.number,
        "The set of tiles of the ruleset: four of each, with its red fives.",
        "The record was made by an editor, or the game was played with other red fives: try `--set red_man=0` and the like.",
        "wall and deal hold 3 of 9s; the set holds 4"),
    FindingKind(
        codes.WALL_AGAIN, "wall-again", "A hand deals and draws the tiles of another hand of its game, in the same order.",
        "the tiles dealt and drawn are those of {actual}", values.earlier_hand, "Each hand of a game has a wall of its own, the same in all rulesets.",
        "The hand was copied within the log, or its tiles were made up. Get the log again.",
        "the tiles dealt and drawn are those of E1.0",
        silent="Hands of which tiles are hidden."),
)
# fmt: on


def by_code(kinds: Iterable[FindingKind]) -> MappingProxyType[str, FindingKind]:
    """Return kinds of findings by code, in order; raises ValueError where two have one number or one name."""
    found: dict[str, FindingKind] = {}
    for kind in kinds:
        same = next((other for other in found.values() if kind.name == other.name), found.get(kind.code))
        if same is not None:
            raise ValueError(f"{kind.code} {kind.name} and {same.code} {same.name}: two kinds of findings")
        found[kind.code] = kind
    return MappingProxyType(found)


KINDS = by_code(_ROWS)
"""Every kind of finding by code, in order."""
