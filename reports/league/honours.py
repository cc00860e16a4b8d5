"""Honours of a season: a table of what is honoured, each with a function that finds who earned it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from paifu.reports.league.games import BestWin
from paifu.reports.league.standings import Played, Standing, Standings
from paifu.reports.words import plural


@dataclass(frozen=True, slots=True)
class Honour:
    """One honour: who earned it, what it is, and where; ``game`` is empty for that of a season."""

    title: str
    player: str
    value: str
    game: str = ""
    source: str = ""


def honours(standings: Standings) -> list[Honour]:
    """Return the honours of a season, equals side by side; those that nobody earned are left out."""
    return [honour for title, find in _HONOURS.items() for honour in find(standings, title)]


_Find = Callable[[Standings, str], Iterable[Honour]]


def _wins(standings: Standings) -> Iterator[tuple[Standing, Played, BestWin]]:
    for line in standings.players:
        for played in line.games:
            for win in played.game.best:
                if win.seat == played.seat:
                    yield line, played, win


def _words(win: BestWin) -> str:
    names = ", ".join(win.yaku)
    return f"{win.points:,} points{f': {names}' if names else ''}"


def _of_win(title: str, line: Standing, played: Played, win: BestWin) -> Honour:
    return Honour(title, line.player, f"{_words(win)} ({win.hand})", played.game.id, played.game.source)


def _best_hand(standings: Standings, title: str) -> list[Honour]:
    most = max((win.points for *_, win in _wins(standings)), default=0)
    return [_of_win(title, *found) for found in _wins(standings) if found[2].points == most > 0]


def _yakuman(standings: Standings, title: str) -> list[Honour]:
    return [_of_win(title, *found) for found in _wins(standings) if found[2].yakuman]


def _highest_score(standings: Standings, title: str) -> list[Honour]:
    parts = [(line, one) for line in standings.players for one in line.games]
    most = max((one.game.scores[one.seat] for _, one in parts), default=0)
    return [
        Honour(title, line.player, f"{most:,} points", one.game.id, one.game.source)
        for line, one in parts
        if one.game.scores[one.seat] == most
    ]


def _run(kept: Callable[[Played], bool]) -> _Find:
    """The longest runs of games without a break."""

    def find(standings: Standings, title: str) -> list[Honour]:
        longest = {
            line.player: max((len(list(run)) for good, run in groupby(line.games, kept) if good), default=0)
            for line in standings.players
        }
        most = max(longest.values(), default=0)
        return [Honour(title, name, plural(most, "game")) for name, run in longest.items() if run == most > 1]

    return find


def _share(number: Callable[[Played], int]) -> _Find:
    """The largest share of hands, among those with a place."""

    def find(standings: Standings, title: str) -> list[Honour]:
        shares = {
            line.player: sum(map(number, line.games)) / sum(one.game.hands for one in line.games)
            for line in standings.players
            if line.place
        }
        most = max(shares.values(), default=0)
        return [
            Honour(title, name, f"{share:.1%} of hands")
            for name, share in shares.items()
            if share == most > 0
        ]

    return find


def _fewest_deal_ins(standings: Standings, title: str) -> list[Honour]:
    shares = {
        line.player: sum(one.game.deal_ins[one.seat] for one in line.games)
        / sum(one.game.hands for one in line.games)
        for line in standings.players
        if line.place
    }
    least = min(shares.values(), default=0)
    return [Honour(title, name, f"{share:.1%} of hands") for name, share in shares.items() if share == least]


_HONOURS: dict[str, _Find] = {
    "best hand": _best_hand,
    "yakuman": _yakuman,
    "highest score": _highest_score,
    "most wins": _share(lambda one: one.game.wins[one.seat]),
    "fewest deal-ins": _fewest_deal_ins,
    "longest run of firsts": _run(lambda one: one.place == 1),
    "longest run without last place": _run(lambda one: one.place < len(one.game.names)),
}
