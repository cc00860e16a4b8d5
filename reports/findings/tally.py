"""What a verification checked, and what it could not check; tallies can be added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from paifu.replay.model.batch import NO_YAKU, UNKNOWN_POINTS
from paifu.replay.model.events import HandEnd
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.table.facts import Replay
from paifu.reports.words import plural


@dataclass(frozen=True, slots=True)
class Tally:
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
    hands_stopped: int = 0
    hands_unfinished: int = 0
    games_cut: int = 0
    games_without_final: int = 0
    games_under_own_rules: int = 0
    """Games checked under their log's rules because no given ruleset fits their number of players."""
    wins_without_yaku: int = 0
    errors: int = 0
    unreadable: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @classmethod
    def of(cls, replayed: Replay, *, files: int, errors: int) -> Tally:
        """Count a replayed batch."""
        batch, checked = replayed.batch, replayed.checked
        games, hands, wins = batch.games, batch.hands, batch.wins
        given = [rules for rules in replayed.rules if isinstance(rules, Ruleset)]
        ignored = [own not in given for own in replayed.rulesets] if given else []
        return cls(
            files=files,
            games=len(games),
            hands=len(hands),
            wins=len(wins),
            draws=len(batch.hand_draws),
            actions=checked.events,
            walls_checked=checked.walls,
            tiles_of_walls_checked=checked.wall_tiles,
            wins_checked=checked.wins,
            draws_checked=checked.draws,
            starts_checked=checked.carried,
            finals_checked=checked.finals,
            hands_hidden=len(hands) - checked.hands,
            hands_stopped=checked.stopped,
            hands_unfinished=int((hands.end == HandEnd.UNFINISHED).sum()),
            games_cut=int(games.is_cut.sum()),
            games_without_final=int((games.final_scores[:, 0] == UNKNOWN_POINTS).sum()),
            games_under_own_rules=sum(ignored),
            wins_without_yaku=int(((wins.yaku[:, 0] == NO_YAKU) & (wins.patterns == "")).sum()),
            errors=errors,
            unreadable=len(batch.faults),
        )

    def summary(self) -> dict[str, int]:
        """Return the counts by name."""
        return {name: getattr(self, name) for name in self.__slots__}

    def lines(self) -> Iterator[str]:
        """Yield one line about what was checked and one line for each kind of thing that was not."""
        yield (
            f"checked {plural(self.files, 'file')}: {plural(self.games, 'game')}, "
            f"{plural(self.hands, 'hand')}, {plural(self.wins_checked, 'win')}, "
            f"{plural(self.draws_checked, 'draw')}, "
            f"{plural(self.actions, 'action')}; {plural(self.walls_checked, 'wall')}, "
            f"{plural(self.starts_checked, 'hand start')}, {plural(self.finals_checked, 'final result')}"
        )
        for count, noun, reason in (
            (self.hands - self.hands_hidden - self.walls_checked, "wall", "no known seed"),
            (self.hands_hidden, "hand", "tiles are hidden"),
            (self.hands_stopped, "hand", "checked up to an action that cannot be replayed"),
            (self.hands_unfinished, "hand", "unfinished, so there is no result"),
            (
                self.wins - self.wins_checked,
                "win",
                "the replay did not get there, or the hand is not complete",
            ),
            (self.draws - self.draws_checked, "draw", "the replay did not get there"),
            (self.wins_without_yaku, "win", "the log lists no yaku; only points were compared"),
            (self.games_cut, "game", "log cut off; checked as far as it goes"),
            (self.games_without_final - self.games_cut, "final result", "not in the log"),
            (
                self.games_under_own_rules,
                "game",
                "not under the given rules, which are for another game or number of players; the log's rules "
                "apply",
            ),
        ):
            if count > 0:
                yield f"not checked: {plural(count, noun)} ({reason})"

    def verdict(self) -> str:
        """Return the outcome in one line."""
        found = plural(self.errors, "error") if self.errors else "no errors"
        return f"{found}, {plural(self.unreadable, 'input')} unreadable" if self.unreadable else found
