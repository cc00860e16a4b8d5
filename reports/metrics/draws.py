"""Draws, starting hands, and progress to tenpai."""

from __future__ import annotations

from functools import partial

from paifu.replay.kernels.hand_result import Result
from paifu.replay.model.events import HandEnd
from paifu.reports.metrics.frames import HandRows
from paifu.reports.metrics.metric import Counted, Family

family = Family(
    "draws",
    "Draws",
    base="hands",
    of_riichi=r"balance|abortive|_count$",
    signed=r"\w+_balance",
    higher=r"draw_tenpai_rate|draw_(\w+_)?balance",
    lower=r"draw_noten_rate|foul_rate",
    shared=r"draw_rate|abortive_rate|(nine_terminals|four_\w+|three_rons)_count",
)
starts = Family(
    "starts",
    "Starting hands and tenpai",
    base="hands",
    of_riichi=r"^furiten_",
    signed=r"\w*shanten",
    higher=r"tenpai_rate|tenpai_win_rate|tenpai_live_tiles|useful_draw_share",
    lower=r"(\w+_)?start_shanten|tenpai_turn|losing_discards|furiten_\w+_rate|tenpai_(outraced|dealt_in)_share",
)


@family.share("draw rate", "exhaustive draws", heading="draw")
def draw_rate(hands: HandRows) -> Counted:
    """Share of hands that ended in an exhaustive draw; abortive draws and nagashi mangan do not count."""
    return hands.drawn


@family.share("tenpai rate at draws", "tenpai draws", base="draws", heading="tenpai")
def draw_tenpai_rate(hands: HandRows) -> Counted:
    """Share of exhaustive draws at which the player was tenpai."""
    return hands.tenpai_at_draw


@family.share("noten rate at draws", "noten draws", base="draws")
def draw_noten_rate(hands: HandRows) -> Counted:
    """Share of exhaustive draws at which the player was noten."""
    return ~hands.tenpai_at_draw


@family.points("average points gained per draw", "points gained or lost", base="draws")
def draw_balance(hands: HandRows) -> Counted:
    """Average score change in exhaustive draws, including the player's riichi stick."""
    return hands.change


@family.points(
    "average points gained per tenpai draw", "points gained or lost", base="draws", denominator="tenpai draws"
)
def draw_tenpai_balance(hands: HandRows) -> Counted:
    """Average score change when tenpai at an exhaustive draw, including the player's riichi stick."""
    return hands.change, hands.tenpai_at_draw


@family.points(
    "average points gained per noten draw", "points gained or lost", base="draws", denominator="noten draws"
)
def draw_noten_balance(hands: HandRows) -> Counted:
    """Average score change when noten at an exhaustive draw."""
    return hands.change, ~hands.tenpai_at_draw


@family.share("abortive draw rate", "abortive draws")
def abortive_rate(hands: HandRows) -> Counted:
    """Share of hands that ended in an abortive draw; hands that a foul ended are not among them."""
    return (hands.end >= HandEnd.KYUUSHU) & (hands.end <= HandEnd.UNKNOWN_DRAW)


@family.share("foul rate", "own fouls")
def foul_rate(hands: HandRows) -> Counted:
    """Share of hands that ended with the player's foul (chombo)."""
    return hands.result == Result.FOUL


for _end, _word in {
    HandEnd.KYUUSHU: "nine terminals",
    HandEnd.SUUFON: "four winds",
    HandEnd.SUUCHA: "four riichi",
    HandEnd.SANCHAHOU: "three rons",
    HandEnd.SUUKAIKAN: "four kans",
}.items():
    family.count(
        f"abortive draws by {_word}",
        name=f"{_word.replace(' ', '_')}_count",
        unit="hands",
        definition=f"Number of abortive draws by {_word}, no matter which player caused them.",
    )(partial(lambda end, hands: hands.end == end, _end))


@family.count("number of nagashi mangan", "nagashi mangan", unit="hands")
def nagashi_count(hands: HandRows) -> Counted:
    """Nagashi mangan of the player: all discards are terminals or honours, and none was called."""
    return hands.nagashi


@starts.mean("average starting shanten", "shanten", unit="shanten")
def start_shanten(hands: HandRows) -> Counted:
    """Average shanten of the 13 tiles dealt."""
    return hands.start_shanten


@starts.mean("average starting shanten as dealer", "shanten", unit="shanten", denominator="hands as dealer")
def dealer_start_shanten(hands: HandRows) -> Counted:
    """Average shanten of the 13 tiles dealt to the dealer, before the first draw."""
    return hands.start_shanten, hands.is_dealer


@starts.mean(
    "average starting shanten as non-dealer", "shanten", unit="shanten", denominator="hands as non-dealer"
)
def non_dealer_start_shanten(hands: HandRows) -> Counted:
    """Average shanten of the 13 tiles dealt to a non-dealer."""
    return hands.start_shanten, ~hands.is_dealer


for _number in range(7):
    _at = f"at {_number}-shanten" if _number else "in tenpai"

    starts.share(
        f"starting hands {_at}",
        name=f"start_shanten_{_number}_share",
        series="start_shanten",
        at=_number,
        definition=f"Share of hands {_at} when dealt.",
    )(partial(lambda number, hands: hands.start_shanten == number, _number))


@starts.share("tenpai rate", "hands that reached tenpai")
def tenpai_rate(hands: HandRows) -> Counted:
    """Share of hands that were tenpai after at least one of the player's discards."""
    return hands.tenpai_turn >= 0


@starts.mean("average turn of first tenpai", "discards up to tenpai", base="tenpai", unit="turns")
def tenpai_turn(hands: HandRows) -> Counted:
    """Average number of the player's discards up to the first tenpai, including the discard that made it."""
    return hands.tenpai_turn


@starts.share("win rate after reaching tenpai", "hands won", base="tenpai")
def tenpai_win_rate(hands: HandRows) -> Counted:
    """Share of hands won among those that reached tenpai."""
    return hands.won


@starts.mean("average live tiles at first tenpai", "live tiles", base="tenpai", unit="tiles")
def tenpai_live_tiles(hands: HandRows) -> Counted:
    """Average number of winning tiles at the first tenpai that the player cannot see."""
    return hands.tenpai_live


@starts.ratio("useful draws", unit="%", denominator="draws")
def useful_draw_share(hands: HandRows) -> Counted:
    """Share of the player's draws, except after riichi, that lowered shanten or completed the hand."""
    return hands.useful_draws, hands.draws


@starts.mean("discards away from tenpai per hand", "discards that raised shanten", unit="discards")
def losing_discards(hands: HandRows) -> Counted:
    """Average number of discards that moved the hand away from tenpai, for whatever reason."""
    return hands.losing_discards


@starts.extreme("longest dealer streak", "hands dealt in a row", unit="hands")
def longest_dealer_run(hands: HandRows) -> Counted:
    """The most hands in a row with the player as dealer."""
    return hands.dealt_run


_FURITEN = {
    "discard": (1, "discard furiten"),
    "temporary": (2, "temporary furiten"),
    "riichi": (4, "riichi furiten"),
}

for _name, (_bit, _words) in _FURITEN.items():
    # A winning tile is offered before it is taken, and the facts record the offer as furiten.
    starts.share(
        f"{_words} rate in tenpai",
        f"hands in {_words}",
        name=f"furiten_{_name}_rate",
        base="tenpai",
        definition=f"Share of hands in {_words} at some time, among those that reached tenpai."
        + (" Hands won by ron do not count as furiten." if _bit > 1 else ""),
    )(
        partial(
            lambda bit, hands: (hands.furiten & bit > 0) & ((hands.result != Result.RON) | (bit == 1)), _bit
        )
    )

_LOST = {
    "outraced": (
        "other players' wins",
        "that another player won without the player dealing in",
        lambda h: h.aside | h.hit,
    ),
    "drawn": ("exhaustive draws", "that ended in an exhaustive draw", lambda h: h.drawn),
    "dealt_in": ("deal-ins", "in which the player dealt in", lambda h: h.dealt_in),
}

for _name, (_title, _words, _is) in _LOST.items():
    starts.share(
        f"{_title} among tenpai not won",
        f"hands {_words}",
        name=f"tenpai_{_name}_share",
        base="tenpai",
        denominator="hands that reached tenpai without winning",
        definition=f"Share of hands {_words}, among those that reached tenpai without winning.",
    )(partial(lambda is_so, hands: (is_so(hands), ~hands.won), _is))


@starts.mean("discards per hand", "discards", unit="turns")
def turns(hands: HandRows) -> Counted:
    """Average number of the player's discards in a hand."""
    return hands.turns


@starts.extreme("most discards in a hand", "discards", unit="turns")
def longest_river(hands: HandRows) -> Counted:
    """The most discards of the player in one hand."""
    return hands.turns
