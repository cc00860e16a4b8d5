"""Faan: patterns add up and a table turns them into points; limit hands count by themselves, and add up.

Who feeds the meld that decides a great hand is liable for it, while all other melds it needs lie open; who
feeds a gong may pay for the win on its replacement tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from paifu.replay.language import _, ngettext, pgettext
from paifu.replay.model.tiles import CHUN, HAKU, HATSU, WINDS
from paifu.replay.rules import hand_facts as f
from paifu.replay.rules.choices import GongShows
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.schemes.case import Case
from paifu.replay.schemes.hand import Facts, HeldTiles
from paifu.replay.schemes.pattern import FoundPattern, by_limit
from paifu.replay.schemes.payments import paid, win_shares
from paifu.replay.schemes.scheme import CompleteHand
from paifu.replay.schemes.table_scheme import Paid, TableScheme, Value, plain_roles
from paifu.replay.schemes.tables import spoken_pattern
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.readings import Form, Meld, MeldKind, Reading

SEVEN, EIGHT = 7, 8
"""Bonus tiles that can be declared as a win, and that win at once."""


class FaanScheme(TableScheme):
    """The scheme ``faan``."""

    unit = "faan"

    def readings(self, win: CompleteHand, rules: Ruleset) -> list[Reading]:
        """Return every reading; seven bonus tiles that are declared, or eight, win whatever the hand."""
        bonus = [Reading(Form.BONUS)] if win.facts.declares_bonus or len(win.hand.bonus) == EIGHT else []
        if win.facts.declares_bonus or win.hand.size != 14:
            return bonus
        return super().readings(win, rules) + bonus

    def check_size(self, win: CompleteHand) -> None:
        """Bonus tiles are declared with thirteen or fourteen tiles in hand."""
        bonus = len(win.hand.bonus)
        if win.facts.declares_bonus and bonus < SEVEN:
            text = _("{count} bonus tiles; seven can be declared as a win, eight win at once")
            raise HandError(text.format(count=bonus))
        if (win.facts.declares_bonus or bonus == EIGHT) and win.hand.size in (13, 14):
            if not win.facts.self_drawn:
                raise HandError(_("bonus tiles win on your own turn, as a self-drawn win"))
            return
        super().check_size(win)

    def value(self, case: Case, found: list[FoundPattern]) -> Value:
        """Return the limits, or what the table makes of the faan; half a limit if that is more."""
        rules = case.rules
        if case.form == Form.BONUS and not found:
            return _refused(case, found, _("bonus tiles do not win by themselves under this ruleset"))
        limits, halves, plain = by_limit(found)
        if limits:
            number = sum(finding.times for finding in limits) if rules.faan.limits_add else 1
            below = tuple((one, _("a limit hand counts alone")) for one in (*plain, *halves))
            worth = ngettext("{count} limit", "{count} limits", number).format(count=number)
            return Value(
                case=case,
                amount=number * rules.limits.limit,
                worth=worth,
                counted=tuple(limits),
                dropped=below,
            )
        faan = sum(finding.value for finding in plain)
        base = max((points for least, points in rules.faan.faan_table if faan >= least), default=0)
        base = base if faan >= rules.hand.minimum else 0
        if halves and rules.limits.limit // 2 >= base:
            below = tuple((one, _("half a limit is worth more")) for one in plain)
            worth = _("half a limit")
            return Value(
                case=case, amount=rules.limits.limit // 2, worth=worth, counted=tuple(halves), dropped=below
            )
        if not base:
            least = max(rules.hand.minimum, rules.faan.faan_table[0][0])
            if faan:
                text = _("the hand is complete but has only {faan} faan; a win needs {least} under {rules}")
            else:
                text = _("the hand is complete but has no faan; a win needs {least} under {rules}")
            return _refused(case, plain, text.format(faan=faan, least=least, rules=rules.name))
        return Value(
            case=case,
            amount=base,
            worth=_("{number} faan").format(number=faan),
            counted=tuple(plain),
            dropped=tuple((one, _("the faan are worth more")) for one in halves),
        )

    def pay(self, best: Value) -> Paid:
        """The discarder alone pays for a discard; liable players and who fed a gong as the rules have it."""
        case = best.case
        facts, rules = case.facts, case.rules
        winner, discarder = facts.seat_wind, facts.discarder
        roles = plain_roles(facts, discarder)
        liable = _liable(case, {finding.pattern.id for finding in best.counted}, roles)
        fed = facts.fed_gong if rules.faan.fed_gong_pays else None
        if fed is not None:
            roles[fed] = _("fed the gong")
            discarder = fed
        if liable is not None and discarder not in (None, liable):
            share = win_shares(rules, best.amount, winner, discarder)[discarder or 0]
            return Paid(paid({liable: share - share // 2, discarder or 0: share // 2}, winner), roles, liable)
        shares = win_shares(rules, best.amount, winner, discarder)
        if liable is not None and discarder is None:
            shares = {liable: sum(shares.values())}
        return Paid(paid(shares, winner), roles, fed if liable is None else liable)


def _refused(case: Case, found: list[FoundPattern], why: str) -> Value:
    return Value(case=case, amount=0, worth="", counted=tuple(found), refused=why)


@dataclass(frozen=True, slots=True)
class Deciding:
    """Open melds that settle a great hand: who feeds the last of them is liable."""

    pattern: str
    number: int
    fits: Callable[[Meld], bool]


def _of(kinds: Iterable[int]) -> Callable[[Meld], bool]:
    allowed = frozenset(kinds)
    return lambda meld: allowed.issuperset(meld.kinds)


def _suit_and(suit: int, dragon: int) -> Callable[[Meld], bool]:
    fits = _of((*f.kinds_of_suit(suit), dragon))
    return lambda meld: meld.kind != MeldKind.CHI and fits(meld)


LIABILITY = (
    Deciding("big-four-winds", 4, _of(f.WIND_KINDS)),
    Deciding("big-three-dragons", 3, _of(f.DRAGON_KINDS)),
    Deciding("all-honours", 4, _of(f.HONOUR_KINDS)),
    Deciding("all-terminals", 4, _of(f.TERMINAL_KINDS)),
    Deciding("perfect-green", 4, _of(f.GREEN_KINDS)),
    *(Deciding("full-flush", 4, _of(f.kinds_of_suit(suit))) for suit in f.SUITS),
    Deciding("ruby-dragon", 4, _suit_and(0, CHUN)),
    Deciding("pearl-dragon", 4, _suit_and(1, HAKU)),
    Deciding("jade-dragon", 4, _suit_and(2, HATSU)),
    Deciding("four-gongs", 4, lambda meld: meld.is_kan),
)
"""Hands that somebody can be liable for, and their visible melds."""


def could_be_fed(hand: HeldTiles, rules: Ruleset) -> frozenset[str]:
    """Return the patterns whose deciding meld somebody can have fed, by the melds that the others see."""
    seen = [
        meld
        for meld in hand.melds
        if not meld.concealed or rules.calls.concealed_gong_shows != GongShows.NOTHING
    ]
    return frozenset(
        row.pattern
        for row in LIABILITY
        for fitting in [[meld for meld in seen if row.fits(meld)]]
        if len(fitting) >= row.number and any(not meld.concealed for meld in fitting)
    )


def _liable(case: Case, won: set[str], roles: dict[int, str]) -> int | None:
    """Return who is liable for the hand as it won, if anybody, and say so in ``roles``."""
    facts: Facts = case.facts
    if facts.liable is None:
        return None
    if not case.rules.faan.liability:
        raise HandError(_("nobody is liable under the ruleset {rules}").format(rules=case.rules.name))
    fed = could_be_fed(case.hand, case.rules)
    if not fed:
        text = _("the open melds decide no great hand, so {wind} cannot be liable")
        raise HandError(text.format(wind=pgettext("wind", WINDS[facts.liable])))
    if fed & won:
        roles[facts.liable] = _("liable for {patterns}").format(patterns=_listed(fed & won))
        return facts.liable
    text = _("not liable: the hand is not {patterns}")
    roles[facts.liable] = text.format(patterns=_listed(fed))
    return None


def _listed(patterns: Iterable[str]) -> str:
    return _(", ").join(map(spoken_pattern, sorted(patterns)))


FAAN = FaanScheme()
