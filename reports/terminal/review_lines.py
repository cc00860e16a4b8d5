"""The review for people: the findings of each player, mistakes before notes, worst first.

Names come from logs, so unprintable characters are removed for display. However many logs are reviewed, only
the findings to show are kept, and only their hands are formatted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import PurePath
from typing import Any

from paifu.coach.judgement.match import SITUATIONS, Match, grades
from paifu.coach.judgement.mistakes import KINDS, PlayerMistakes
from paifu.coach.judgement.opinions import Agreement, Opinion
from paifu.coach.judgement.play_outs import TWO, hands_said
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_kinds import TITLES, UNUSUAL
from paifu.replay.findings.review_sentences import spoken_option
from paifu.replay.foreign_text import display_name, printable
from paifu.replay.language import N_, _, ngettext
from paifu.replay.language.lines import ljust, rjust, wrap
from paifu.reports.findings import output as report
from paifu.reports.findings.review import Judged, JudgedFinding, each_once, hand_of
from paifu.reports.judged import first_rate, mistakes_said, unusual_rate
from paifu.reports.units import number, points
from paifu.reports.wording import plural

NO_NAME = N_("players without a name")
WIDTH = 80
_LOSSES = ("P", "E", "C", "K", "R2")
"""Findings that show the options; deal-ins do where they are mistakes."""
_SHOWN_OPTIONS = 4
_OPTION_WIDTHS = (8, 7, 9, 7, 11)
_PLAYED_WIDTHS = (8, 9, 25)
_INDENT = 10
"""Cells to the left of a finding's text, where the points are."""


_KINDS = {
    "mistake": N_("Mistakes"),
    "note": N_("Notes"),
    "unusual": N_("Unusual moves, the rarest first"),
}
"""Kind of findings -> what stands above them."""


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """One player's findings by kind, perhaps only the worst; parts can be added."""

    kept: Mapping[str, tuple[Judged, ...]] = field(default_factory=dict)
    """Worst first, then in the order of play."""
    counts: Counter[str] = field(default_factory=Counter)
    """How many there are, kept or not."""
    price: int = 0
    """What such mistakes cost, added up."""

    def merged(self, other: PlayerReview, limit: int) -> PlayerReview:
        """Add a later part, keeping at most ``limit`` findings of each kind; 0 keeps all."""
        both = {kind: (*self.kept.get(kind, ()), *other.kept.get(kind, ())) for kind in _KINDS}
        kept = {kind: _worst(found, limit) for kind, found in both.items()}
        return PlayerReview(kept, self.counts + other.counts, self.price + other.price)


def by_player(
    found: Iterable[JudgedFinding],
    limit: int,
    play: Callable[[Sequence[JudgedFinding]], Sequence[JudgedFinding]] | None = None,
) -> dict[str, PlayerReview]:
    """Group the findings of whole games by player, with the hands of the findings kept.

    A push that a deal-in includes is not listed twice. ``play`` completes the findings that are kept.
    """
    players: dict[str, list[JudgedFinding]] = defaultdict(list)
    for one in each_once(found):
        name = str(one.case.batch.games.names[one.case.game, one.case.seat])
        players[name or NO_NAME].append(one)

    def worst(own: list[JudgedFinding], kind: str) -> list[JudgedFinding]:
        part = [one for one in own if _kind(one) == kind]
        return sorted(part, key=attrgetter("rank"), reverse=True)[: limit or None]

    kept = [one for own in players.values() for kind in _KINDS for one in worst(own, kind)]
    words = {
        one: replace(done.judged, hand=hand_of(done.case))
        for one, done in zip(kept, kept if play is None else play(kept), strict=True)
    }
    return {
        name: PlayerReview(
            {kind: tuple(words[one] for one in worst(own, kind)) for kind in _KINDS},
            Counter(map(_kind, own)),
            sum(one.cost for one in own if one.is_mistake),
        )
        for name, own in players.items()
    }


def _kind(one: JudgedFinding) -> str:
    return "mistake" if one.is_mistake else "unusual" if one.is_unusual else "note"


def _worst(found: Iterable[Judged], limit: int) -> tuple[Judged, ...]:
    return tuple(sorted(found, key=attrgetter("rank"), reverse=True)[: limit or None])


def review_lines(
    players: Mapping[str, PlayerReview], *, most_players: int, with_source: bool
) -> Iterator[str]:
    """Yield the findings kept, the player with the dearest mistakes first, and how to see the others.

    ``most_players`` is the maximum number of players, 0 for all; ``with_source`` adds each finding's file.
    """
    ordered = sorted(players.items(), key=lambda item: (-item[1].price, -item[1].counts["mistake"], item[0]))
    shown = ordered[:most_players] if most_players else ordered
    hidden, left_out = len(ordered) - len(shown), False
    for name, own in shown:
        left_out |= any(len(part) < own.counts[kind] for kind, part in own.kept.items())
        yield from _player_lines(name, own, with_source)
        yield ""
    if hidden:
        text = _("{players}: --player NAME for one, --limit 0 for all.")
        yield text.format(players=plural(hidden, "more player"))
    if left_out:
        yield _("--limit 0 shows everything, --mistakes leaves the notes out.")
    if hidden or left_out:
        yield ""


def _player_lines(name: str, own: PlayerReview, with_source: bool) -> Iterator[str]:
    """Yield a player's findings: mistakes, notes, unusual moves."""
    yield _("{player}: {mistakes}, {notes}").format(
        player=_named(name),
        mistakes=plural(own.counts["mistake"], "mistake"),
        notes=plural(own.counts["note"], "note"),
    )
    for kind, part in own.kept.items():
        if part:
            count = own.counts[kind]
            text = _(" {title}, {shown} of {count:,}") if len(part) < count else " {title}"
            yield text.format(title=_(_KINDS[kind]), shown=len(part), count=count)
        for one in part:
            yield from _finding_lines(one, with_source)


def _finding_lines(one: Judged, with_source: bool) -> Iterator[str]:
    """Yield the text of a finding, the player's hand, and separately what only the log knows."""
    finding = one.finding
    percent = one.evidence.get("strong_players_percent")
    points = f"{one.cost:,}" if one.cost else "-"
    if finding.code == code_of(UNUSUAL) and percent is not None:
        points = f"{percent:.1f}%" if percent >= 0.1 else "<0.1%"
    text = (
        _("{code} {title}, by estimate, {hand} turn {turn}")
        if one.is_estimate
        else _("{code} {title}, {hand} turn {turn}")
    )
    told = text.format(code=finding.code, title=_(TITLES[finding.code]), hand=finding.hand, turn=finding.turn)
    yield f"{points:>{_INDENT - 2}}  {told}"
    yield from _indented(report.message(finding), *one.hand)
    if finding.code.startswith(_LOSSES) or (one.is_mistake and finding.code.startswith("D")):
        yield from _option_lines(one.evidence.get("options", ()))
    if "deep" in one.evidence:
        yield from _played_lines(one.evidence["options"], one.evidence["deep"])
    yield from _indented(*_hindsight(one))
    if with_source:
        yield from _indented(_("in {file}").format(file=PurePath(finding.source).name or finding.source))


def _indented(*texts: str) -> Iterator[str]:
    for text in texts:
        for line in wrap(printable(text), WIDTH - _INDENT):
            yield " " * _INDENT + line


def _option_lines(options: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a table of the options worth most, and of the one chosen."""
    shown = [one for one in options if one["total"] is not None][:_SHOWN_OPTIONS]
    shown += [one for one in options if one["chosen"] and one not in shown]
    if shown:
        heads = (_("shanten"), _("tiles"), _("deal-in"), _("win"), _("estimate"))
        yield " " * (_INDENT + 14) + "".join(map(rjust, heads, _OPTION_WIDTHS))
    for one in shown:
        mark = _("best") if one["best"] else _("chosen") if one["chosen"] else ""
        yield (
            f"{'':{_INDENT}}{ljust(spoken_option(one['option']), 14)}{one['shanten']:>8}{one['accepted']:>7}"
            f"{one['deal_in_percent']:>8.1f}%{one['win_percent']:>6.1f}%{one['total']:>11,}  {mark}"
        ).rstrip()


def _played_lines(options: Sequence[Mapping[str, Any]], deep: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table of the options that were played out, the best first."""
    shown = sorted(
        (one for one in options if one["played_out"] is not None),
        key=lambda one: -float(one["played_out"]["value"]),
    )
    chosen = next(one["option"] for one in shown if one["chosen"])
    against = _("against {chosen}").format(chosen=spoken_option(chosen))
    heads = (_("strong"), _("points"), against)
    yield " " * _INDENT + ljust(_("played out"), 14) + "".join(map(rjust, heads, _PLAYED_WIDTHS))
    for one in shown:
        played, percent = one["played_out"], one["strong_players_percent"]
        gain = (
            "-"
            if one["chosen"]
            else f"{points(played['gain'])} ± {points(TWO * played['gain_error'], signed=False)}"
        )
        cells = ("-" if percent is None else f"{number(percent, 1)}%", points(played["value"]), gain)
        mark = _("chosen") if one["chosen"] else _("best") if one["best"] else ""
        line = ljust(spoken_option(one["option"]), 14) + "".join(map(rjust, cells, _PLAYED_WIDTHS))
        yield f"{'':{_INDENT}}{line}  {mark}".rstrip()
    text = _(
        "{hands}, and {walls:,} walls; the last column without what is likely chance; ± two standard errors"
    )
    yield from _indented(text.format(hands=hands_said(), walls=deep["walls"]))


def mistake_lines(mistakes: Mapping[str, PlayerMistakes], most: int) -> Iterator[str]:
    """Yield players' habits and how often they make the mistake that repeats, those with most hands first.

    ``most`` is the maximum number of players, 0 for all.
    """
    ordered = sorted(mistakes.items(), key=lambda item: (-item[1].hands, item[0]))
    said = [(name, lines) for name, own in ordered if (lines := mistakes_said(own))]
    if said:
        yield ""
        yield _("Habits and rates")
    for name, lines in said[: most or None]:
        for line in lines:
            yield from wrap(_("{player} {said}").format(player=display_name(_named(name)), said=line), WIDTH)


_MATCH_WIDTHS = (9, 10, 13, 8, 15)


def match_lines(matches: Mapping[str, Match], most: int) -> Iterator[str]:
    """Yield how often players chose what strong players choose, those with most decisions first.

    Of a single player there is a row for each situation. ``most`` is the maximum number of players, 0 for
    all.
    """
    ordered = sorted(matches.items(), key=lambda item: (-item[1].decisions(), item[0]))
    ordered = [(name, match) for name, match in ordered if match.decisions()]
    if not ordered:
        return
    yield ""
    heads = (_("decisions"), _("as most"), _("95 %"), _("unusual"), _("95 %"))
    yield ljust(_("beside strong players"), 24) + "".join(map(rjust, heads, _MATCH_WIDTHS)).rstrip()
    for name, match in ordered[: most or None]:
        yield ljust(f"{display_name(_named(name))} ", 24) + _match_cells(match, "all")
    if len(ordered) == 1:
        name, match = ordered[0]
        for situation, title in list(SITUATIONS.items())[1:]:
            if match.decisions(situation):
                yield ljust(f"  {_(title)} ", 24) + _match_cells(match, situation)
        yield from wrap(match_words(match), WIDTH)


def match_words(match: Match) -> str:
    """Say what the rate of unusual moves is beside players of each grade."""
    shrunken = match.shrunken()
    if shrunken is None:
        return ""
    text = _(
        "{grades} The player's most likely rate of unusual moves is {rate:.2f}, {like}; the mean chance of "
        "the choices {chance:.1f}%."
    )
    return text.format(
        chance=match.chance() or 0, grades=grades().said, rate=shrunken, like=grades().like(shrunken)
    )


def _match_cells(match: Match, situation: str) -> str:
    first, unusual = first_rate(match, situation), unusual_rate(match, situation)
    assert first is not None and unusual is not None  # noqa: S101, PT018  there are decisions
    cells = (
        f"{match.decisions(situation):,}", f"{first.value:.1f}%", first.bounds(1),
        f"{unusual.value:.2f}", unusual.bounds(2),
    )  # fmt: skip
    return "".join(map(rjust, cells, _MATCH_WIDTHS))


def _hindsight(one: Judged) -> Iterator[str]:
    """Yield the true wait of a deal-in, with hindsight; it does not affect the judgement."""
    hindsight, waits = one.evidence.get("hindsight"), one.evidence.get("winner_waits")
    if not waits:
        return
    text = _("hindsight: the wait was {tiles}")
    others = len(one.evidence["alternatives"]) if hindsight else 0
    dealing = len(hindsight["would_have_dealt_in"]) if hindsight else 0
    if others and not dealing:
        text = _("hindsight: the wait was {tiles}; none of {others} other discards deal in too")
    elif others:
        text = ngettext(
            "hindsight: the wait was {tiles}; {count} of {others} other discards deals in too",
            "hindsight: the wait was {tiles}; {count} of {others} other discards deal in too",
            dealing,
        )
    yield text.format(tiles=" ".join(waits), count=dealing, others=others)


def _named(player: str) -> str:
    return _(NO_NAME) if player == NO_NAME else printable(player) or _(NO_NAME)


# --- how an engine, the model and the players agree, and where engine and model differ -----------------


_MOST_OPTIONS = 6
_OPTION_WIDTH = 24
_AGREEMENT_WIDTHS = (10, 17, 16, 16)


def engine_lines(agreement: Agreement, worst: Sequence[Opinion]) -> Iterator[str]:
    """Yield the decisions in which engine and model differ most, and a table of agreement."""
    if worst:
        yield _(
            "Where engine and model differ most, by the points that the engine's choice loses by the model"
        )
        for one in worst:
            yield from _decision(one)
        yield ""
    if not agreement.counts:
        return
    heads = (_("decisions"), _("engine = player"), _("engine = model"), _("model = player"))
    yield ljust(_("agreement"), 12) + "".join(map(rjust, heads, _AGREEMENT_WIDTHS))
    rows = [(kind, agreement.counts[kind]) for kind in KINDS if kind in agreement.counts]
    for kind, counts in [*rows, (N_("all"), agreement.total)]:
        shares = [f"{100 * count / counts[0]:.1f}%" for count in counts[1:]]
        yield ljust(_(kind), 12) + "".join(map(rjust, (f"{counts[0]:,}", *shares), _AGREEMENT_WIDTHS))


def _decision(one: Opinion) -> Iterator[str]:
    where = _("{source} {hand} event {event} seat {seat} ({player})").format(
        source=one.source, hand=one.hand, event=one.event, seat=one.seat, player=display_name(one.player)
    )
    yield f"{one.loss or 0:>8,}  {where}"
    told = _("engine {engine}, model {model}, played {played}").format(
        engine=spoken_option(one.chosen),
        model=spoken_option(one.ours),
        played=spoken_option(one.played),
    )
    if one.gap is not None:
        told += _("; to the engine it is worth {points:.3g} more").format(points=one.gap)
    if not one.is_sure:
        told += _(", less than its error")
    yield f"{'':10}{told}"
    rated = [option for option in one.options if option["total"] is not None]
    rated.sort(key=lambda option: -int(option["total"]))
    has_values = any(option["value"] is not None for option in one.options)
    if has_values:
        points, engine = _("points"), _("engine")
        yield f"{'':10}{'':<{_OPTION_WIDTH}}{rjust(points, 9)}{rjust(engine, 10)}"
    shown = [
        option
        for number, option in enumerate(rated)
        if number < _MOST_OPTIONS or option["option"] in (one.chosen, one.played)
    ]
    for option in shown:
        marks = [
            mark
            for mark, name in ((_("engine"), one.chosen), (_("model"), one.ours), (_("played"), one.played))
            if name == option["option"]
        ]
        value = "" if option["value"] is None else f"{option['value']:.3g}"
        cell = f"{value:>10}" if has_values else ""
        name = ljust(spoken_option(option["option"]), _OPTION_WIDTH)
        yield f"{'':10}{name}{option['total']:>9,}{cell}  {', '.join(marks)}".rstrip()
    if len(rated) > len(shown):
        more = _("and {options} more").format(options=plural(len(rated) - len(shown), "option"))
        yield f"{'':10}{more}"
