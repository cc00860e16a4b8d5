"""Honours of a season: a table of what is honoured, each with a function that finds who earned it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from paifu.replay.language import N_, _
from paifu.replay.schemes.tables import spoken_pattern
from paifu.replay.scoring.yaku import ROMAJI
from paifu.replay.scoring.yaku_names import spoken_name
from paifu.reports.league.games import BestWin
from paifu.reports.league.standings import Played, Standing, Standings
from paifu.reports.wording import label_said, plural


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
    return [honour for title, find in _HONOURS.items() for honour in find(standings, _(title))]


_Find = Callable[[Standings, str], Iterable[Honour]]


def _wins(standings: Standings) -> Iterator[tuple[Standing, Played, BestWin]]:
    for line in standings.players:
        for played in line.games:
            for win in played.game.best:
                if win.seat == played.seat:
                    yield line, played, win


def _yaku(name: str) -> str:
    """Name to people what data call a yaku or a pattern."""
    return spoken_name(ROMAJI[name], None) if name in ROMAJI else spoken_pattern(name)


def _words(win: BestWin) -> str:
    names = _(", ").join(map(_yaku, win.yaku))
    words = _("{points:,} points: {yaku}") if names else _("{points:,} points")
    return words.format(points=win.points, yaku=names)


def _of_win(title: str, line: Standing, played: Played, win: BestWin) -> Honour:
    return Honour(
        title, line.player, f"{_words(win)} ({label_said(win.hand)})", played.game.id, played.game.source
    )


def _best_hand(standings: Standings, title: str) -> list[Honour]:
    most = max((win.points for *_, win in _wins(standings)), default=0)
    return [_of_win(title, *found) for found in _wins(standings) if found[2].points == most > 0]


def _yakuman(standings: Standings, title: str) -> list[Honour]:
    return [_of_win(title, *found) for found in _wins(standings) if found[2].yakuman]


def _highest_score(standings: Standings, title: str) -> list[Honour]:
    parts = [(line, one) for line in standings.players for one in line.games]
    most = max((one.game.scores[one.seat] for _, one in parts), default=0)
    return [
        Honour(title, line.player, _("{points:,} points").format(points=most), one.game.id, one.game.source)
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
        words = plural(most, "game")
        return [Honour(title, name, words) for name, run in longest.items() if run == most > 1]

    return find


def _shares(standings: Standings, number: Callable[[Played], int]) -> dict[str, float]:
    """Return the share of hands of each player with a place of whose games the hands are known."""
    return {
        line.player: sum(map(number, line.games)) / hands
        for line in standings.players
        if line.place and (hands := sum(one.game.hands for one in line.games))
    }


def _said(title: str, shares: dict[str, float], due: float) -> list[Honour]:
    words = _("{share:.1%} of hands")
    return [Honour(title, name, words.format(share=share)) for name, share in shares.items() if share == due]


def _most_wins(standings: Standings, title: str) -> list[Honour]:
    shares = _shares(standings, lambda one: one.game.wins[one.seat])
    most = max(shares.values(), default=0)
    return _said(title, shares, most) if most else []


def _fewest_deal_ins(standings: Standings, title: str) -> list[Honour]:
    shares = _shares(standings, lambda one: one.game.deal_ins[one.seat])
    return _said(title, shares, min(shares.values(), default=0))


_HONOURS: dict[str, _Find] = {
    N_("best hand"): _best_hand,
    N_("yakuman"): _yakuman,
    N_("highest score"): _highest_score,
    N_("most wins"): _most_wins,
    N_("fewest deal-ins"): _fewest_deal_ins,
    N_("longest run of firsts"): _run(lambda one: one.place == 1),
    N_("longest run without last place"): _run(lambda one: one.place < len(one.game.names)),
}
