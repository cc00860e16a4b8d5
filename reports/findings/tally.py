"""What a verification checked, what it could not check, and what its findings may have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from paifu.replay.findings.finding import Finding
from paifu.replay.language import _
from paifu.replay.model.batch import NO_YAKU, NOT_STATED, UNKNOWN_POINTS
from paifu.replay.model.counts import Counts
from paifu.replay.model.events import EventFlag, EventKind, HandEnd
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.replayed import Replay
from paifu.replay.table.unstated import UNTIMED, without_ura
from paifu.reports.wording import plural


class Answer(StrEnum):
    """What a verification can say of its input."""

    SOUND = "sound"
    """No error in what was checked."""
    WRONG = "wrong"
    NOTHING = "nothing"
    """Nothing could be checked."""


@dataclass(frozen=True, slots=True)
class Tally(Counts):
    """Counts of the input, of what was checked in it, and of what was found."""

    files: int = 0
    """Documents: files, members of archives, rows of databases."""
    games: int = 0
    hands: int = 0
    wins: int = 0
    draws: int = 0
    actions: int = 0
    """Events replayed."""
    walls_checked: int = 0
    """Hands whose deal, indicators and draws were compared with the seed's wall."""
    tiles_of_walls_checked: int = 0
    wins_checked: int = 0
    draws_checked: int = 0
    starts_checked: int = 0
    """Hands whose start was compared with the end of the previous hand."""
    finals_checked: int = 0
    hands_hidden: int = 0
    """Hands that were not replayed because tiles are hidden."""
    hands_partial: int = 0
    """Hands that were replayed though tiles are hidden; what that leaves unchecked is counted by kind."""
    discards_hidden: int = 0
    """Discards of tiles that may have been in the hand."""
    calls_hidden: int = 0
    kans_hidden: int = 0
    riichi_hidden: int = 0
    """Riichi of hands that may have been tenpai."""
    wins_hidden: int = 0
    tenpai_hidden: int = 0
    """Hands at exhaustive draws."""
    hands_stopped: int = 0
    hands_unfinished: int = 0
    games_cut: int = 0
    games_without_final: int = 0
    games_under_own_rules: int = 0
    """Games checked under their log's rules because no given ruleset fits their number of players."""
    wins_without_yaku: int = 0
    wins_without_fu: int = 0
    wins_without_points: int = 0
    wins_without_ura: int = 0
    """Wins after riichi without ura indicators."""
    payments_settled: int = 0
    """Wins and draws without payments, for which the engine's were carried on."""
    payments_unknown: int = 0
    """Those for which the engine knows none either."""
    starts_without_scores: int = 0
    draws_without_tenpai: int = 0
    finals_without_points: int = 0
    """Games whose final scores are stated, and not what they were settled for."""
    calls_unordered: int = 0
    """Calls that would fit in another place as well."""
    indicators_untimed: int = 0
    """Kan indicators of which the log does not say when they were turned."""
    games_unmarked: int = 0
    """Games that mark no discard as the tile just drawn, though some must have been."""
    errors: int = 0
    unreadable: int = 0

    @classmethod
    def of(cls, replayed: Replay, *, files: int, errors: int) -> Tally:
        """Count a replayed batch."""
        batch, checked = replayed.batch, replayed.checked
        games, hands, wins = batch.games, batch.hands, batch.wins
        hidden = replayed.unchecked.summary()
        given = [rules for rules in replayed.rules if isinstance(rules, Ruleset)]
        ignored = [own not in given for own in replayed.rulesets] if given else []
        return cls(
            files=files,
            games=len(games),
            hands=len(hands),
            wins=len(wins),
            draws=len(batch.hand_draws),
            actions=checked.events,
            **{f"{name}_checked": getattr(checked, name) for name in ("walls", "wins", "draws", "finals")},
            tiles_of_walls_checked=checked.wall_tiles,
            starts_checked=checked.carried,
            hands_hidden=len(hands) - checked.hands,
            hands_partial=hidden.pop("hands"),
            **{f"{name}_hidden": count for name, count in hidden.items()},
            hands_stopped=checked.stopped,
            hands_unfinished=int((hands.end == HandEnd.UNFINISHED).sum()),
            games_cut=int(games.is_cut.sum()),
            games_without_final=int((games.final_scores[:, 0] == UNKNOWN_POINTS).sum()),
            games_under_own_rules=sum(ignored),
            wins_without_yaku=int(((wins.yaku[:, 0] == NO_YAKU) & (wins.patterns == "")).sum()),
            payments_settled=replayed.unstated.settled,
            payments_unknown=replayed.unstated.unsettled,
            starts_without_scores=replayed.unstated.unscored,
            games_unmarked=replayed.unstated.unmarked,
            **_unstated(replayed),
            errors=errors,
            unreadable=len(batch.faults),
        )

    def lines(self) -> Iterator[str]:
        """Yield one line about what was checked and one line for each kind of thing that was not."""
        text = _("checked {files}: {games}, {hands}, {wins}, {draws}, {actions}; {walls}, {starts}, {finals}")
        yield text.format(
            files=plural(self.files, "file"),
            games=plural(self.games, "game"),
            hands=plural(self.hands, "hand"),
            wins=plural(self.wins_checked, "win"),
            draws=plural(self.draws_checked, "draw"),
            actions=plural(self.actions, "action"),
            walls=plural(self.walls_checked, "wall"),
            starts=plural(self.starts_checked, "hand start"),
            finals=plural(self.finals_checked, "final result"),
        )
        text = _("not checked: {what} ({reason})")
        for count, noun, reason in self._unchecked():
            if count > 0:
                yield text.format(what=plural(count, noun), reason=reason)

    def _unchecked(self) -> Iterator[tuple[int, str, str]]:
        """Yield how many of what were not checked, and why."""
        yield self.hands - self.hands_hidden - self.walls_checked, "wall", _("no known seed")
        yield self.hands_hidden, "hand", _("tiles are hidden")
        yield self.discards_hidden, "discard", _("the hand is hidden; it may have held the tile")
        yield self.calls_hidden, "call", _("the hand is hidden; it may have held the tiles")
        yield self.kans_hidden, "kan", _("the hand is hidden; it may have held the tiles")
        yield self.riichi_hidden, "riichi", _("the hand is hidden; it may have been tenpai")
        yield self.wins_hidden, "win", _("the hand is hidden")
        yield self.tenpai_hidden, "hand", _("hidden at an exhaustive draw; it may have been tenpai or not")
        yield self.hands_stopped, "hand", _("checked up to an action that cannot be replayed")
        yield self.hands_unfinished, "hand", _("unfinished, so there is no result")
        not_reached = _("the replay did not get there, or the hand is not complete")
        yield self.wins - self.wins_checked - self.wins_hidden, "win", not_reached
        yield self.draws - self.draws_checked, "draw", _("the replay did not get there")
        no_yaku = _("the log lists no yaku; only points were compared")
        yield self.wins_without_yaku, "win", no_yaku
        yield self.wins_without_fu, "win", _("no fu in the log")
        yield self.wins_without_points, "win", _("no points in the log")
        no_ura = _("riichi without ura indicators in the log; the ura dora follow from its yaku or points")
        yield self.wins_without_ura, "win", no_ura
        settled = _("not in the log; the engine's own lead to the next scores that are")
        yield self.payments_settled, "payment", settled
        yield self.payments_unknown, "payment", _("not in the log, nor all that they depend on")
        no_scores = _("no scores in the log; those after the hand before were carried on, if known")
        yield self.starts_without_scores, "hand start", no_scores
        yield self.draws_without_tenpai, "draw", _("the log does not say who was tenpai")
        yield self.calls_unordered, "call", _("the order of play is not in the log, and another would fit")
        yield self.indicators_untimed, "kan indicator", _("the log does not say when they were turned")
        yield self.games_unmarked, "game", _("the log marks no discard as the tile just drawn")
        yield self.games_cut, "game", _("log cut off; checked as far as it goes")
        yield self.games_without_final - self.games_cut, "final result", _("not in the log")
        no_points = _("no settled points in the log; only scores were compared")
        yield self.finals_without_points, "final result", no_points
        other_rules = _(
            "not under the given rules, which are for another game or number of players; the log's rules "
            "apply"
        )
        yield self.games_under_own_rules, "game", other_rules

    @property
    def answer(self) -> Answer:
        """What can be said of the input: sound only where something was looked at."""
        if self.errors:
            return Answer.WRONG
        is_checked = self.actions or self.starts_checked or self.finals_checked
        return Answer.SOUND if is_checked else Answer.NOTHING

    def verdict(self) -> str:
        """Return the outcome in one line."""
        found = _("no errors")
        if self.errors:
            found = plural(self.errors, "error")
        elif self.answer == Answer.NOTHING:
            found = _("nothing to say: nothing could be checked")
        if not self.unreadable:
            return found
        inputs = plural(self.unreadable, "input")
        return _("{errors}, {inputs} unreadable").format(errors=found, inputs=inputs)


def _unstated(replayed: Replay) -> dict[str, int]:
    """Count what logs of riichi leave out, by the field of a tally."""
    batch, scored = replayed.batch, replayed.scored_wins
    games, wins, draws, events = batch.games, batch.wins, batch.hand_draws, batch.events
    is_riichi = np.array([rules.game.scheme == Scheme.HAN_FU for rules in replayed.rulesets], np.bool_)
    own = is_riichi[wins.game]
    no_ura = without_ura(batch, replayed.rulesets, scored.situation)
    untimed = np.flatnonzero(np.isin(games.format.astype(str), sorted(UNTIMED)))
    return {
        "wins_without_fu": int((own & (wins.fu < 0) & (scored.yakuman == 0)).sum()),
        "wins_without_points": int((own & (wins.points == UNKNOWN_POINTS)).sum()),
        "wins_without_ura": int((own & no_ura).sum()),
        "draws_without_tenpai": int(
            (
                is_riichi[draws.game]
                & (draws.kind == HandEnd.EXHAUSTIVE)
                & (draws.tenpai[:, 0] == NOT_STATED)
            ).sum()
        ),
        "finals_without_points": int(
            ((games.final_scores[:, 0] != UNKNOWN_POINTS) & np.isnan(games.final_points[:, 0])).sum()
        ),
        "calls_unordered": int(np.count_nonzero(events.flags & EventFlag.ORDER_UNCERTAIN)),
        "indicators_untimed": sum(
            int(np.count_nonzero(events.kind[begin:end] == EventKind.DORA))
            for begin, end in zip(games.event_begin[untimed], games.event_end[untimed], strict=True)
        ),
    }


# --- a cause in common: games that were played under other rules than their logs name -------------------


_BY_RULES = frozenset(
    {"V103", "V205", "V206", "V207", "V208", "V209", "V212", "V302", "V304", "V305", "V306", "V307", "V308",
     "V309", "V401", "V402", "V403", "V404", "V405", "V407", "V502", "V503", "V505", "V506"}
)  # fmt: skip
"""Codes that other rules would explain."""
_MANY = 3
"""Games in which a code is found, or hands if there are fewer games."""


class Causes:
    """Counts where codes are found."""

    def __init__(self) -> None:
        self._hands: dict[str, set[tuple[str, str]]] = defaultdict(set)

    def add(self, findings: Iterable[Finding]) -> None:
        """Take findings."""
        for finding in findings:
            places = self._hands[finding.code]
            if finding.code in _BY_RULES and len(places) < _MANY:
                places.add((finding.source, finding.hand or ""))

    def hint(self) -> str:
        """Return what to try; empty if no code is found in several hands."""
        codes = sorted(code for code, places in self._hands.items() if len(places) >= _MANY)
        if not codes:
            return ""
        text = _(
            "{codes} in several hands: the games may have been played under other rules; "
            "'paifu rules guess PATH...' looks for them"
        )
        return text.format(codes=", ".join(codes))
