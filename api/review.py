"""The review: what players could have done better, given what they could see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Unpack

from paifu.api.only import EVERY_GAME, Only
from paifu.api.pipeline import Once, Paths, Replaying, Run, listed, replaying
from paifu.api.play_outs import PlayOuts
from paifu.api.rules import Rules, Settings, rulesets_for_replay
from paifu.coach.judgement.mistakes import MIN_LOSS
from paifu.parsers.read import Inputs
from paifu.replay.findings.finding import Finding
from paifu.replay.foreign_text import name_key
from paifu.replay.table.replayed import Replay
from paifu.reports.findings.review import Asked, Judged, ReviewTally, judgements
from paifu.reports.terminal.review_lines import PlayerReview, by_player

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class ReviewedInput:
    """What was found in some input."""

    found: list[Judged]
    """All findings, unless ``players`` holds those to be shown."""
    players: dict[str, PlayerReview]
    tally: ReviewTally


@dataclass(frozen=True, slots=True)
class Review:
    """The findings of a review, in the order of play, and how much was looked at."""

    judgements: list[Judged]
    tally: ReviewTally

    @property
    def findings(self) -> list[Finding]:
        """The findings without what they rest on."""
        return [one.finding for one in self.judgements]

    def __iter__(self) -> Iterator[Judged]:
        return iter(self.judgements)

    def __len__(self) -> int:
        return len(self.judgements)


def review(
    paths: Paths,
    *,
    players: str | Iterable[str] = (),
    codes: Iterable[str] = (),
    mistakes: bool = False,
    min_loss: int = MIN_LOSS,
    deep: bool = False,
    rules: Rules | None = None,
    settings: Settings = (),
    only: Only = EVERY_GAME,
    jobs: int | None = 1,
) -> Review:
    """Return the players' mistakes and missed chances: furiten, missed wins, pushing and folding, riichi.

    ``players`` are names (letter case and the width of letters do not matter), none for everybody; ``codes``
    are findings' codes or their beginnings, which bring what the model estimates as notes, none for all but
    those; ``mistakes`` leaves notes out. Decisions that lost at least ``min_loss`` points by the model are
    findings, and mistakes if they are of a class that cost points when played out
    (:mod:`paifu.coach.judgement.verdicts`).

    With ``deep``, the decisions found are played out on 200 shuffles of the rest of the wall, on hidden
    hands as the player could expect them: ``evidence["options"]`` then has ``played_out`` of those
    options. Nothing else changes but the message. What came out is kept in the user's cache folder.

    ``rules``, ``settings``, ``only`` and ``jobs`` are those of :func:`paifu.verify`. Raises PathNotFound,
    RuleError, UnknownCodeError.

    >>> result = review("sample_logs/formats/hanchan.mjlog.gz", codes=["D"])
    >>> {one.finding.code[0] for one in result}
    {'D'}
    >>> found = review("sample_logs/formats/overtime.mjlog.gz", codes=["F102"], deep=True)
    >>> [one["played_out"] is not None for one in found.judgements[0].evidence["options"]].count(True)
    3
    """
    asked = Asked.of(listed(players), codes, mistakes=mistakes, min_loss=min_loss)  # type: ignore[arg-type]
    given = rulesets_for_replay(rules, settings)
    run = reviewing(paths, asked, rules=given, only=only, jobs=jobs, deep=PlayOuts() if deep else None)
    found: list[Judged] = []
    tally = ReviewTally()
    for part in run:
        found += part.found
        tally += part.tally
    return Review(found, tally)


def reviewing(
    paths: Paths,
    asked: Asked,
    *,
    most: int | None = None,
    deep: PlayOuts | None = None,
    **how: Unpack[Replaying],
) -> Run[ReviewedInput]:
    """Return a run that reviews: iterate over it for what each unit of input gave.

    With ``most``, findings are grouped by player, at most that many mistakes and notes each (0: all), with
    hands; without it they are a flat list. ``deep`` plays them out.
    """
    make = partial(_reviewed, asked, most, deep)
    return replaying(
        paths,
        make,
        review=True,
        player_hands=False,
        once=Once.HANDS,
        named=bool(asked.players),
        **how,
    )


def _reviewed(
    asked: Asked,
    most: int | None,
    deep: PlayOuts | None,
    replayed: Replay,
    inputs: Inputs,  # noqa: ARG001
) -> ReviewedInput:
    judged = judgements(replayed, asked)
    tally = ReviewTally.of(replayed.batch, asked.players, judged)
    play = None if deep is None else partial(deep.played, replayed)
    if most is None:
        found = judged.found if play is None else play(judged.found)
        return ReviewedInput([one.judged for one in found], {}, tally)
    return ReviewedInput([], by_player(judged.found, most, play), tally)


def counting_danger(paths: Paths, **how: Unpack[Replaying]) -> Run[npt.NDArray[np.int64]]:
    """Return a run that counts discards against a threat, and deal-ins, by class; results add up."""
    return replaying(paths, _danger, review=True, player_hands=False, once=Once.HANDS, **how)


def counting_pushes(
    paths: Paths, players: Iterable[str], **how: Unpack[Replaying]
) -> Run[npt.NDArray[np.int64]]:
    """Return a run that counts discards against a threat by class and by the hand left, some players' apart.

    Results are :attr:`~paifu.replay.review.results.Reviewed.pushes` and add up.
    """
    names = frozenset(map(name_key, players))
    return replaying(
        paths,
        _pushes,
        review=True,
        player_hands=False,
        watched=names,
        once=Once.HANDS,
        named=True,
        **how,
    )


def _pushes(replayed: Replay, inputs: Inputs) -> npt.NDArray[np.int64]:  # noqa: ARG001
    assert replayed.review is not None  # noqa: S101  it was asked for
    return replayed.review.pushes


def _danger(replayed: Replay, inputs: Inputs) -> npt.NDArray[np.int64]:  # noqa: ARG001
    assert replayed.review is not None  # noqa: S101  it was asked for
    return replayed.review.danger
