"""The trainer: positions to decide again, as data for the page's script and as cards for Anki.

Positions are mistakes, unusual moves, and decisions like them in which the player chose best. The latter are
the **controls**: without them, one would know of each position that the player erred.

What is asked and what is answered are two lists: the page unpacks the second when somebody has chosen.
Nothing in the first differs between a mistake and a control.

Anki reads cards as text: a header, then a line for each card with fields between tabs. That needs no package,
and a card keeps its id, so that importing again updates cards instead of doubling them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import dist
from operator import itemgetter
from typing import Any

from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.choices import JudgedChoice
from paifu.coach.judgement.drills import RIGHT, Drill
from paifu.coach.judgement.drills import UNUSUAL as UNUSUAL_GRADE
from paifu.coach.judgement.losses import WeighedOptions, share_said
from paifu.coach.judgement.play_outs import TWO, hands_said
from paifu.coach.judgement.verdicts import MISTAKES
from paifu.replay.comparison.hand_digests import hand_names
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.review_kinds import TITLES, UNUSUAL
from paifu.replay.findings.review_sentences import spoken_option
from paifu.replay.foreign_text import one_line
from paifu.replay.language import N_, _
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tile_notation import format_tiles, tile_name
from paifu.replay.positions.tracker import Tracker
from paifu.replay.views.games import Hand
from paifu.reports.hands.hand_in_words import hand_title
from paifu.reports.pages.page import environment, packed, points
from paifu.reports.pages.report_hands import (
    CONTROLS,
    DRILLED,
    IN_MILLION,
    MOST_DRILLED,
    LaidHand,
    Lists,
    Rank,
    Recorder,
    ShownHand,
    game_keys_of,
    laid_out,
    merged,
    where,
)
from paifu.reports.units import number, typeset
from paifu.reports.wording import label_said, with_commas

_CODES = tuple(dict.fromkeys(code_of(number) for number in (*(one.code for one in MISTAKES), UNUSUAL)))
"""Codes of what may be wrong."""
_SHOWN = 4
"""How many options a card shows, the wrong one aside."""
_HEADER = (
    "#separator:tab",
    "#html:true",
    "#notetype:Basic",
    "#deck:paifu::{}",
    "#guid column:1",
    "#tags column:4",
)


def trainer_data(hands: Sequence[ShownHand], player: str) -> dict[str, Any] | None:
    """Return what the page of a player needs, packed; None without positions."""
    if not hands:
        return None
    deck = f"paifu trainer {hashlib.sha256(player.encode()).hexdigest()[:12]}"
    titles = [_(TITLES[code]) for code in _CODES]
    return {
        "count": len(hands),
        "positions": packed(
            {"deck": deck, "titles": titles, "unusual": UNUSUAL_GRADE, "positions": questions(hands)}
        ),
        "answers": packed(answers(hands)),
    }


def questions(hands: Iterable[ShownHand]) -> list[dict[str, Any]]:
    """Return what the page asks.

    ``key``; ``place`` in words; ``table``: lines of text; ``closed``, ``last`` (empty for none), ``melds``
    and ``aside``: the hand as tiles; ``options``: for each, in the order of tiles, the ``tile`` to click, or
    empty, and what to call it.
    """
    return [
        {
            "key": key_of(hand),
            "place": _place(hand),
            "table": [one_line(text) for text in hand.table],
            **_hand(hand.held),
            "options": [
                {"tile": tile_name(int(tile)) if kind == OptionKind.DISCARD else "", "said": said}
                for kind, tile, said in zip(
                    _weighed(hand).option, _weighed(hand).tile, _said(hand), strict=True
                )
            ],
        }
        for hand in hands
    ]


def answers(hands: Iterable[ShownHand]) -> list[dict[str, Any]]:
    """Return what the page answers.

    ``best``, ``played`` and ``wrong`` are places in ``options``. An option has its numbers, ``grade`` as in
    :mod:`paifu.coach.judgement.drills`, and ``why`` the best one is better. ``order`` has the options with
    the best first, ``class`` is the place in ``titles`` of what is wrong, ``why`` compares with it,
    ``strong`` says that the best one is what strong players choose most;
    ``prices`` say what mistakes of each class cost, ``deep`` what the numbers ``played`` of options are, if
    they were played out; ``data``, ``event`` and ``seat`` are for the stepper.
    """
    prices = [with_commas(one.price) for one in MISTAKES]
    return [
        {
            "best": _weighed(hand).best,
            "played": _weighed(hand).chosen,
            "wrong": drill_of(hand.decision).wrong,
            "class": _CODES.index(_code(hand)),
            "why": _why(hand, drill_of(hand.decision).wrong),
            "prices": prices,
            "deep": _deep(hand),
            "order": _order(hand),
            "strong": drill_of(hand.decision).beside_strong,
            "options": _options(hand),
            "data": hand.replay,
            "event": hand.event,
            "seat": hand.seat,
        }
        for hand in hands
    ]


def _deep(hand: ShownHand) -> str:
    """Say what the numbers of options that were played out are; nothing if none were."""
    played = _weighed(hand).played
    if played is None:
        return ""
    text = _(
        "played out: points to the end of the hand, ± two standard errors, {hands} and {walls:,} shuffles of "
        "the rest of the wall"
    )
    return with_commas(text.format(hands=hands_said(), walls=played.walls))


def _weighed(hand: ShownHand) -> WeighedOptions:
    assert hand.decision is not None  # noqa: S101  a position has one
    return hand.decision.weighed


def _said(hand: ShownHand) -> list[str]:
    weighed = _weighed(hand)
    return [spoken_option(weighed.words(row)) for row in range(len(weighed.option))]


def _place(hand: ShownHand) -> str:
    return _("{hand}, turn {turn}").format(hand=label_said(hand.label), turn=hand.turn)


def _hand(laid: LaidHand | None) -> dict[str, Any]:
    assert laid is not None  # noqa: S101  a position has a hand
    return {
        "closed": [tile_name(tile) for tile in laid.closed],
        "last": "" if laid.last is None else tile_name(laid.last),
        "melds": [format_tiles(tiles) for tiles, _ in laid.melds],
        "aside": [tile_name(tile) for tile in laid.aside],
    }


def _code(hand: ShownHand) -> str:
    """Return the code of what is wrong in a position."""
    place = drill_of(hand.decision).place
    return code_of(UNUSUAL if place == UNUSUAL_GRADE else MISTAKES[place].code)


def _order(hand: ShownHand) -> list[int]:
    """Return the places of the options, the best first."""
    weighed = _weighed(hand)
    if drill_of(hand.decision).beside_strong:
        return sorted(range(len(weighed.option)), key=lambda at: -weighed.instead(at).share)
    return weighed.order()


def _why(hand: ShownHand, option: int) -> str:
    weighed = _weighed(hand).instead(option)
    words = weighed.why_unusual() if drill_of(hand.decision).beside_strong else weighed.why()
    return with_commas(one_line(words))


def _options(hand: ShownHand) -> list[dict[str, Any]]:
    """Return the options in the order of tiles, with what the answer says of each."""
    weighed, drill = _weighed(hand), drill_of(hand.decision)
    rows = dict(zip(weighed.order(), weighed.rows(), strict=True))
    return [
        {
            "shanten": rows[at]["shanten"],
            "accepted": rows[at]["accepted"],
            "deal_in": typeset(f"{number(rows[at]['deal_in_percent'], 1)}%"),
            "points": "" if rows[at]["total"] is None else typeset(f"{rows[at]['total']:,}"),
            "played": _played(rows[at].get("played_out")),
            "grade": grade,
            "share": share_said(weighed.instead(at).share),
            "loss": None if rows[at]["total"] is None else round(weighed.instead(at).loss),
            "why": _why(hand, at)
            if grade != RIGHT and (drill.beside_strong or rows[at]["total"] is not None)
            else "",
        }
        for at, grade in enumerate(drill.grades)
    ]


def _played(row: Mapping[str, float] | None) -> str:
    """Say what came of an option, with two standard errors; nothing if it was not played out."""
    return f"{points(row['value'])} ± {points(TWO * row['error'], signed=False)}" if row else ""


def anki(hands: Sequence[ShownHand], player: str) -> str:
    """Return the positions as a text that Anki imports."""
    head = [line.format(one_line(player).replace("::", ":")) for line in _HEADER]
    return "\n".join([*head, *map(_card, hands), ""])


def _card(hand: ShownHand) -> str:
    """Return the line of a card: its id, the two sides and the tag, with tabs between them."""
    weighed, drill, said, options = _weighed(hand), drill_of(hand.decision), _said(hand), _options(hand)
    price = MISTAKES[drill.place].price if drill.place < UNUSUAL_GRADE else ""
    marks = {weighed.best: [_("best")], drill.wrong: [_("a mistake") if price else _("unusual")]}
    marks.setdefault(weighed.chosen, []).append(_("in the game"))
    places = _order(hand)
    column, title = ("share", _("strong")) if drill.beside_strong else ("points", _("estimate"))
    columns = ("shanten", "accepted", "deal_in", column)
    sides = (
        environment()
        .get_template("card.html")
        .render(
            table=map(one_line, hand.table),
            hand=_text(hand.held),
            best=said[weighed.best],
            wrong=said[drill.wrong],
            why=_("; ").join(filter(None, (_why(hand, drill.wrong), with_commas(price)))),
            heads=("", _("shanten"), _("tiles"), _("deal-in"), title, ""),
            rows=[
                (said[row], *(options[row][name] for name in columns), _(", ").join(marks.get(row, ())))
                for row in (*places[:_SHOWN], *(row for row in places[_SHOWN:] if row in marks))
            ],
        )
    )
    fields = key_of(hand), *sides.split("\t"), "paifu"
    return "\t".join(" ".join(field.split()) for field in fields)


def _text(laid: LaidHand | None) -> str:
    if laid is None:
        return ""
    parts = [format_tiles(laid.closed), *(f"({format_tiles(tiles)})" for tiles, _ in laid.melds)]
    parts += [_("drew {tile}").format(tile=format_tiles([laid.last]))] if laid.last is not None else []
    return " ".join(filter(None, parts))


# --- which positions -----------------------------------------------------------------------------------

POSITIONS = "positions"
"""List of the positions, wrong moves and controls alike, in an order that does not tell which is which."""
_WINDS = (N_("East"), N_("South"), N_("West"), N_("North"))


def drilled_hands(
    batch: Batch, drilled: Iterable[JudgedChoice], recorder: Recorder, limit: int
) -> dict[str, tuple[ShownHand, ...]]:
    """Return the lists that :func:`mixed` chooses positions from: wrong moves, and controls by kind.

    Mistakes are sorted by the model's loss and come before unusual moves, the rarest first; controls by
    chance, but in the same order however the input is split.
    """
    names, keys = hand_names(batch), game_keys_of(batch)
    found: dict[str, list[ShownHand]] = defaultdict(list)
    for one in drilled:
        kind = drill_of(one).kind
        shown = ShownHand(
            points=0,
            player=str(batch.games.names[one.game, one.seat]),
            other="",
            **where(batch, keys, one.hand),
            lasting=names[one.hand],
            seat=one.seat,
            event=_begin(batch, one) - int(batch.hands.event_begin[one.hand]),
            turn=0,
            words=(),
            decision=one,
            rank=_rank(one),
        )
        found[f"{CONTROLS}{kind}" if kind else DRILLED].append(shown)

    kept = merged([{name: tuple(part) for name, part in found.items()}], limit)
    return {
        name: tuple(
            one
            if one.decision is None or drill_of(one.decision).place < 0  # an unfit control
            else replace(one, recorded=recorder.hand(one.decision.hand))
            for one in part
        )
        for name, part in kept.items()
    }


def _at_table(position: ShownHand) -> ShownHand:
    """Return a position with the hand and the table in words."""
    assert position.recorded is not None  # noqa: S101  it is fit for the trainer
    hand = Hand.of(position.recorded.batch, position.index)
    events, tracker = hand.events[: position.event], Tracker(hand)
    for event in events:
        tracker.apply(event)
    thrown = [event for event in events if event.kind == EventKind.DISCARD and event.seat == position.seat]
    return replace(
        position,
        turn=len(thrown) + 1,
        held=laid_out(tracker.seats[position.seat]),
        table=tuple(_table_words(hand, tracker, position.seat)),
    )


def mixed(lists: Mapping[str, Sequence[ShownHand]]) -> Lists:
    """Replace lists of wrong moves and controls by one of positions: wrong moves, and what is most like each.

    Controls are of the same class, as far as there are any, else they ask the same: whether
    to declare riichi, or only what to discard. Of a hand there is one position, so that the table of one does
    not show what was done in another.
    """
    kept = {name: tuple(part) for name, part in lists.items() if name != DRILLED and CONTROLS not in name}
    rest = [hand for name, part in lists.items() if name.startswith(CONTROLS) for hand in part]
    first = {_hand_of(hand): hand for hand in reversed(lists.get(DRILLED, ()))}
    wrong = sorted(first.values(), key=ShownHand.order)[:MOST_DRILLED]
    chosen = {_hand_of(hand): hand for hand in wrong}
    for hand in wrong:
        own = drill_of(hand.decision)
        alike = [
            (
                drill.place != own.place,
                _offers_riichi(one) != _offers_riichi(hand),
                dist(own.likeness, drill.likeness),
                key_of(one),
                one,
            )
            for one in rest
            if (drill := drill_of(one.decision)).place >= 0 and _hand_of(one) not in chosen
        ]
        if alike:
            control = min(alike, key=itemgetter(slice(4)))[-1]
            chosen[_hand_of(control)] = control
    return kept | {POSITIONS: tuple(map(_at_table, sorted(chosen.values(), key=key_of)))}


def key_of(hand: ShownHand) -> str:
    """Return the key of a position, which stays the same in later reports, and where logs are moved."""
    key = f"{hand.lasting} {hand.label} {hand.event} {hand.seat}"
    return hashlib.sha256(key.encode()).hexdigest()[:20]


def _hand_of(position: ShownHand) -> tuple[str, int]:
    """Return the key of the hand, which copies of it share."""
    return position.lasting, position.index


def _offers_riichi(hand: ShownHand) -> bool:
    assert hand.decision is not None  # noqa: S101  a position has one
    return OptionKind.RIICHI in hand.decision.weighed.option


def drill_of(choice: JudgedChoice | None) -> Drill:
    """Return what makes a decision fit to be decided again."""
    assert choice is not None and choice.drill is not None  # noqa: S101, PT018  asked for as such
    return choice.drill


def _rank(one: JudgedChoice) -> Rank:
    """Return what sorts mistakes by loss, then unusual moves, the rarest first; controls by chance."""
    if drill_of(one).kind:
        return -drill_of(one).chance, 0
    return (one.loss, 0) if one.is_mistake else (-round(IN_MILLION * one.weighed.share), 0)


def _begin(batch: Batch, one: JudgedChoice) -> int:
    """Return the row of the first event of a move: of a discard in riichi, the declaration."""
    events, at = batch.events, one.event
    is_declared = events.kind[at - 1] == EventKind.RIICHI and events.seat[at - 1] == one.seat
    return at - 1 if at and is_declared else at


def _table_words(hand: Hand, tracker: Tracker, seat: int) -> Iterator[str]:
    """Say what lies on the table, for those who see it without the page: tiles by name, a riichi as ``*``."""
    names = " ".join(map(tile_name, tracker.indicators))
    yield _("{hand}; dora indicator {tiles}").format(hand=hand_title(hand), tiles=names)
    for turn in range(hand.players):
        other = (seat + turn) % hand.players
        wind = _WINDS[(other - (hand.dealer or 0)) % hand.players]
        state, score = tracker.seats[other], hand.scores[other]
        river = " ".join(tile_name(thrown.tile) + ("*" if thrown.riichi else "") for thrown in state.river)
        melds = " ".join(f"({format_tiles(meld.tiles)})" for meld in state.melds)
        norths = _("kita x{count}").format(count=state.kita) if state.kita else ""
        points = "" if score is None else f"{score:,}"
        riichi = _("riichi") if state.riichi else ""
        parts = filter(None, (points, riichi, melds, norths))
        words = (
            _("{wind} (you): {facts}; river {river}")
            if other == seat
            else _("{wind}: {facts}; river {river}")
        )
        yield words.format(wind=_(wind), facts=_(", ").join(parts), river=river or _("empty"))
