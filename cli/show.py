"""``paifu show``: a log on the terminal, hand by hand and move by move, or as a page to step through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from paifu.cli import options, pages
from paifu.cli.command import Command
from paifu.cli.refusal import Refusal
from paifu.replay.language import _

if TYPE_CHECKING:
    from rich.text import Text

    from paifu.api.pipeline import Watch
    from paifu.api.play_outs import PlayOuts
    from paifu.coach.judgement.choices import JudgedChoice
    from paifu.coach.luck.views import GameLuck
    from paifu.replay.findings.finding import Finding
    from paifu.replay.rulesets.presets import Given
    from paifu.replay.views.games import Game, Hand


@click.command(cls=Command)
@click.argument("log", metavar="LOG")
@options.library
@click.option(
    "--hand", "label", metavar="LABEL", help="Show one hand, such as E1.0 or S3.2; S3 for all repeats."
)
@click.option(
    "--seat", type=click.IntRange(0, 3), help="Show what this seat sees, with its hand at each turn."
)
@click.option(
    "--game", "number", type=click.IntRange(1, options.MAX_ROWS), help="Show only the Nth game of LOG."
)
@click.option("--review", is_flag=True, help="Also mark findings of 'paifu review'.")
@options.deep
@click.option(
    "--verdicts", is_flag=True, help="Also mark where an engine, whose report LOG is, would move otherwise."
)
@click.option(
    "--luck", is_flag=True, help="Also show place chances, and luck: what chance brought against its mean."
)
@click.option(
    "--at",
    metavar="LABEL:TURN|LABEL@EVENT",
    help="Show one moment: before a turn of --seat, or before an event, from 0; and what may be done.",
)
@click.option(
    "--format",
    "fmt",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="With --at: the form of the output.",
)
@options.replay_rules
@pages.page("Make a page to step through in a browser.")
@options.names
def show(
    log: str,
    library: tuple[str, ...],
    label: str | None,
    seat: int | None,
    number: int | None,
    review: bool,
    deep: bool,
    verdicts: bool,
    luck: bool,
    at: str | None,
    fmt: str,
    rules_name: str | None,
    settings: tuple[str, ...],
    as_page: bool,
    target: str | None,
) -> int:
    """Show the games of LOG hand by hand and move by move.

    LOG may be the address of a viewer, whose log is in --library. The seat and the hand that it names are
    shown, unless --seat or --hand say otherwise.

    Each row is a go-around, each column a player, East first. '3m→9s' means the player draws 3m and
    discards 9s; '↓9s' discards the tile just drawn. Suits: m characters, p circles, s bamboo, with 0 for a
    red five; 1z to 7z are east, south, west, north, white, green, red. Melds are in brackets; a ' marks the
    sideways tile.

    Moves that break the rules or contradict the log are marked with the finding's code; 'paifu explain CODE'
    describes it. --review also marks players' mistakes, with the points that a move lost beside it, and with
    --deep what came of playing them out on hidden hands as the player could expect them (see 'paifu review').
    If LOG is a report of an engine, such as mjai-reviewer's JSON, --verdicts marks the decisions that the
    engine would have made otherwise.

    --luck shows each seat's chances of the 1st to the last place before a hand, below its score, and after
    the hand its luck in points: what chance nodes (deal, draws, kan dora, ura) brought against their mean.
    Choices are not in it. Within the hand it marks what moved a seat by 1000 points or more, and shows the
    place chances again where an event changed a mean place by 0.15 or more.

    --rules and --set change the rules that moves and luck are judged by, not what is shown of the log.

    --html makes one page that works offline: step through the table with buttons or arrow keys. --seat N
    views it from that seat, with the other hands hidden at first. With --review, each decision of the seat at
    the bottom shows what its options were worth.

    --at shows one moment of a hand: the table, and for --seat, or for each seat that has a choice, the moves
    that the rules allow, and those that they refuse, with the reason. E1.0:7 is the moment before the 7th
    discard of --seat, E1.0@53 that before event 53, as findings count events.

    \b
    Example:
      paifu show game.mjlog.gz --hand E1.0
      paifu show game.mjlog.gz --at E1.0:7 --seat 2
      paifu show houou.db --game 12 --seat 2
      paifu show game.mjlog.gz --html --review -o game.html
    """
    if at is not None:
        return _show_moment(log, library, at, seat, number or 1, fmt, rules_name, settings)
    if fmt != "text":
        raise click.UsageError(_("--format is for --at"))
    pages.check_target(target, "game.html", as_page=as_page)
    from paifu.api.locate import locate
    from paifu.api.play_outs import PlayOuts
    from paifu.api.rules import rulesets_for_replay
    from paifu.cli.talk import talking

    found = locate(log, library)
    log, seat = found.path, found.seat if seat is None else seat
    only = None if label is not None else found.hand

    given = rulesets_for_replay(rules_name, settings)
    measure = _measure(rules_name, settings) if luck or as_page else None
    with talking(_("reading")) as talk:
        source = _ShownGames(log, number, talk)
        play = PlayOuts(watch=talk) if deep else None
        marks = partial(_marks, given, review=review or deep, every_choice=as_page, deep=play)
        shown = _shown(source, label, seat, only, marks, verdicts=verdicts)
        if as_page:
            _write_page(shown, seat, target, measure)
        else:
            _write_lines(shown, seat, measure)
    return int(source.has_faults)


def _show_moment(
    log: str, library: tuple[str, ...], at: str, seat: int | None, number: int, fmt: str,
    rules_name: str | None, settings: tuple[str, ...],
) -> int:  # fmt: skip
    """Print one moment of a hand, and what each seat that is asked for may do."""
    from paifu.api.locate import locate
    from paifu.api.positions import position_at
    from paifu.cli.output import write_json
    from paifu.cli.talk import talking
    from paifu.replay.errors import ArgumentError

    context = click.get_current_context()
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in _WITHOUT_AT and source == ParameterSource.COMMANDLINE:
            raise click.UsageError(_("--at does not go with {others}").format(others=option.opts[0]))
    found = locate(log, library)
    seat = found.seat if seat is None else seat
    with talking(_("reading")) as talk:
        position = position_at(
            found.path, at, seat, game=number, rules=rules_name, settings=settings, watch=talk
        )
        try:
            seats = position.movers if seat is None else (seat,)
        except ArgumentError as reason:  # another game than riichi, or a record that cannot be
            seats = ()
            click.echo(str(reason), err=True)
        if fmt == "json":
            write_json(position.document(*seats), indent=True)
            return 0
        answers = [line for one in seats for line in position.answers(one)]
        click.echo("\n".join((*position.lines(), *answers)))
    return 0


_WITHOUT_AT = {
    "label", "review", "deep", "verdicts", "luck", "as_page", "target",
}  # fmt: skip
"""Parameters that --at does not go with."""


class Marks(NamedTuple):
    """What there is to say about a game, by index of the hand."""

    findings: dict[int, list[Finding]]
    losses: dict[int, dict[int, int]]
    """Points that a mistake costs, by event."""
    choices: dict[int, list[JudgedChoice]]


HandsToShow = tuple["Game", "list[Hand]", Marks]
"""A game, those of its hands that are wanted, and what there is to say about them."""
LuckMeasure = Callable[["Game"], "GameLuck"]
_MOST_GAMES = 20
"""On one page: a browser has to read it all."""


def _shown(
    source: _ShownGames,
    label: str | None,
    seat: int | None,
    only: int | None,
    marks_of: Callable[[Game], Marks],
    *,
    verdicts: bool,
) -> Iterator[HandsToShow]:
    """Yield the games in which there is something to show; complain when there is none.

    ``only`` is the number of a hand that an address names; if there is none, all are shown.
    """
    wanted = _parse(label)
    labels: list[str] = []
    is_shown = False
    for game in source.games():
        if seat is not None and seat >= game.players:
            text = _("this game has seats 0 to {last}").format(last=game.players - 1)
            raise Refusal(text)
        hands = [hand for hand in game.hands if _matches(hand, wanted)]
        if only is not None and only < len(hands):
            hands = hands[only : only + 1]
        labels += [hand.label for hand in game.hands if hand.label not in labels]
        if hands or wanted is None:
            is_shown = True
            marks = marks_of(game)
            if verdicts:
                _add_preferences(marks, game, hands, seat)
            yield game, hands, marks
    if not (labels or is_shown or source.has_faults):
        raise Refusal(_("{log} holds no game").format(log=source.log))
    if labels and not is_shown:
        text = _("there is no hand {label}; there are {labels}")
        raise Refusal(text.format(label=label, labels=", ".join(labels)))


def _measure(rules_name: str | None, settings: tuple[str, ...]) -> LuckMeasure:
    """Return what measures the luck of a game."""
    from paifu.api.luck import game_luck

    return partial(game_luck, rules=rules_name, settings=settings)


def _measured(game: Game, measure: LuckMeasure) -> tuple[GameLuck | None, str]:
    """Return the luck of a game and what there is to say on it: how to read it, or why there is none."""
    from paifu.replay.errors import PaifuError

    try:
        found = measure(game)
    except PaifuError as reason:  # rules that are not known, too
        return None, str(reason)
    return found, _(
        "percentages: chances of the 1st to the last place; "
        "luck: points that chance nodes brought against their mean, choices are not in it"
    )


def _write_lines(shown: Iterable[HandsToShow], seat: int | None, measure: LuckMeasure | None) -> None:
    from paifu.reports.terminal.game_lines import game_lines, note_lines
    from paifu.reports.terminal.hand_lines import HandWriter

    write = _writer()
    for game, hands, marks in shown:
        write(game_lines(game))
        measured = None
        if measure is not None:
            measured, words = _measured(game, measure)
            write(note_lines(words))
        for hand in hands:
            found, lost = marks.findings.get(hand.index, ()), marks.losses.get(hand.index, {})
            lucky = None if measured is None else measured.hands[hand.index]
            write(HandWriter(hand, game.names, seat, found, lost, lucky).lines())


def _write_page(
    shown: Iterable[HandsToShow], seat: int | None, target: str | None, measure: LuckMeasure | None
) -> None:
    from paifu.reports.pages.stepper import Data, game_data, show_page
    from paifu.reports.wording import plural

    games: list[Data] = []
    for game, hands, marks in shown:
        if len(games) == _MOST_GAMES:
            text = _("a page holds at most {most} games; pick one with --game N")
            raise click.UsageError(text.format(most=_MOST_GAMES))
        luck = None if measure is None else _measured(game, measure)[0]
        shown_hands = {hand.index for hand in hands}
        games.append(game_data(game, marks.findings, shown_hands, marks.choices, luck))
    if not games:
        return
    count = sum(len(game["hands"]) for game in games)
    text = _("{hands} of {games}")
    what = text.format(hands=plural(count, "hand"), games=plural(len(games), "game"))
    pages.write_page(show_page(games, seat), target, what)


class _ShownGames:
    """The games of a log, or only its ``number``-th."""

    def __init__(self, log: str, number: int | None, watch: Watch) -> None:
        from paifu.api.pipeline import reading

        self._run = reading(log, watch=watch)
        self.log = log
        self._number = number

    @property
    def has_faults(self) -> bool:
        """Something could not be read."""
        return bool(self._run.faults)

    def games(self) -> Iterator[Game]:
        """Yield games in their order."""
        from paifu.replay.views.games import games
        from paifu.reports.wording import plural

        count = 0
        for batch in self._run:
            for game in games(batch):
                count += 1
                if self._number in (None, count):
                    yield game
                if count == self._number:
                    return
        if self._number is not None:
            text = _("{log} holds {games}").format(log=self.log, games=plural(count, "game"))
            raise Refusal(text)


def _marks(
    rules: tuple[Given, ...],
    game: Game,
    *,
    review: bool,
    every_choice: bool,
    deep: PlayOuts | None,
) -> Marks:
    """Replay a game and return what there is to say about it; ``every_choice``: of all decisions judged."""
    marks = Marks({}, {}, {})
    from paifu.replay.findings.review_sentences import LossCase
    from paifu.replay.findings.spoken import cases, in_words
    from paifu.replay.table.engine import replay
    from paifu.reports.findings.review import judgements

    replayed = replay(game.batch(), *rules, review=review, player_hands=False)
    for case in cases(replayed):
        marks.findings.setdefault(case.hand, []).append(in_words(case))
    judged = judgements(replayed, every_choice=every_choice)
    for one in judged.found if deep is None else deep.played(replayed, judged.found):
        case = one.case
        marks.findings.setdefault(case.hand, []).append(one.judged.finding)
        if isinstance(case, LossCase) and case.index is not None:
            marks.losses.setdefault(case.hand, {})[case.index] = one.cost
    for choice in judged.choices:
        marks.choices.setdefault(choice.hand, []).append(choice)
    return marks


def _add_preferences(marks: Marks, game: Game, hands: list[Hand], seat: int | None) -> None:
    """Add what engines would have done otherwise to what is wrong in a game."""
    from paifu.reports.hands.preferences import preferences

    for hand in hands:
        marks.findings.setdefault(hand.index, []).extend(preferences(game, hand, seat))


def _parse(label: str | None) -> tuple[int, int | None] | None:
    from paifu.replay.views.labels import parse_label

    try:
        return None if label is None else parse_label(label)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--hand") from None


def _matches(hand: Hand, wanted: tuple[int, int | None] | None) -> bool:
    return wanted is None or (wanted[0] == hand.round and wanted[1] in (None, hand.honba))


def _writer() -> Callable[[Iterable[Text]], None]:
    """Return what prints lines to standard output, in colour on a terminal, and where FORCE_COLOR is set.

    rich makes the text, but does not write it: it would take a closed pipe for its own affair.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console()

    def write(lines: Iterable[Text]) -> None:
        with console.capture() as text:
            console.print(Text("\n").join(lines), soft_wrap=True)
        click.echo(text.get(), nl=False, color=True)

    return write
