"""Draws, starting hands and the way to tenpai."""

from __future__ import annotations

from typing import Any

from paifu.replay.model.events import HandEnd
from paifu.reports.metrics.frames import ABORTED, RON, Hands
from paifu.reports.metrics.metric import Counted, Family

family = Family("draws", "Draws")
starts = Family("starts", "Starting hands and tenpai")

_POINTS: dict[str, Any] = {"unit": "points", "decimals": 0}


@family.share("draw_rate", "exhaustive draw", "hands drawn", base="hands", heading="draw")
def draw_rate(hands: Hands) -> Counted:
    """Hands that ended with the wall; abortive draws and nagashi are counted apart."""
    return hands.drawn


@family.share("draw_tenpai_rate", "tenpai at draws", "draws in tenpai", base="draws", heading="tenpai")
def draw_tenpai_rate(hands: Hands) -> Counted:
    """Exhaustive draws at which the player was tenpai."""
    return hands.tenpai_at_draw


@family.share("draw_noten_rate", "not tenpai at draws", "draws without tenpai", base="draws")
def draw_noten_rate(hands: Hands) -> Counted:
    """Exhaustive draws at which the player was not tenpai."""
    return ~hands.tenpai_at_draw


@family.mean("draw_balance", "points gained per draw", "points gained or lost", base="draws", **_POINTS)
def draw_balance(hands: Hands) -> Counted:
    """Score change of hands that ended in an exhaustive draw, an own riichi stick in."""
    return hands.change


@family.mean(
    "draw_tenpai_balance",
    "points gained per draw in tenpai",
    "points gained or lost",
    base="draws",
    denominator="draws in tenpai",
    **_POINTS,
)
def draw_tenpai_balance(hands: Hands) -> Counted:
    """Score change of draws in tenpai, an own riichi stick in."""
    return hands.change, hands.tenpai_at_draw


@family.mean(
    "draw_noten_balance",
    "points gained per draw not in tenpai",
    "points gained or lost",
    base="draws",
    denominator="draws without tenpai",
    **_POINTS,
)
def draw_noten_balance(hands: Hands) -> Counted:
    """Score change of draws without tenpai."""
    return hands.change, ~hands.tenpai_at_draw


@family.share("abortive_rate", "abortive draw", "hands aborted", base="hands")
def abortive_rate(hands: Hands) -> Counted:
    """Hands ended by an abortive draw: nine terminals, four winds, riichi or kans, three rons."""
    return hands.result == ABORTED


for _end, _word in {
    HandEnd.KYUUSHU: "nine terminals",
    HandEnd.SUUFON: "four winds",
    HandEnd.SUUCHA: "four riichi",
    HandEnd.SANCHAHOU: "three rons",
    HandEnd.SUUKAIKAN: "four kans",
}.items():

    def _aborted(hands: Hands, end: int = _end) -> Counted:
        return hands.end == end

    family.count(
        f"{_word.replace(' ', '_')}_count",
        f"hands with {_word}",
        f"hands aborted by {_word}",
        base="hands",
        unit="hands",
        definition=f"Hands aborted by {_word}, whoever brought it about.",
    )(_aborted)


@family.count("nagashi_count", "nagashi mangan", "nagashi mangan", base="hands", unit="hands")
def nagashi_count(hands: Hands) -> Counted:
    """Nagashi mangan of the player: all own discards are terminals or honours, and none was called."""
    return hands.nagashi


@starts.mean("start_shanten", "shanten of the deal", "shanten", base="hands", unit="shanten")
def start_shanten(hands: Hands) -> Counted:
    """Shanten of the 13 tiles dealt."""
    return hands.start_shanten


@starts.mean(
    "dealer_start_shanten",
    "shanten of the deal, dealer",
    "shanten",
    base="hands",
    unit="shanten",
    denominator="hands as dealer",
)
def dealer_start_shanten(hands: Hands) -> Counted:
    """Shanten of the 13 tiles dealt to the dealer, before the first draw."""
    return hands.start_shanten, hands.is_dealer


@starts.mean(
    "non_dealer_start_shanten",
    "shanten of the deal, non-dealer",
    "shanten",
    base="hands",
    unit="shanten",
    denominator="hands as non-dealer",
)
def non_dealer_start_shanten(hands: Hands) -> Counted:
    """Shanten of the 13 tiles dealt to a non-dealer."""
    return hands.start_shanten, ~hands.is_dealer


for _number in range(7):

    def _away(hands: Hands, number: int = _number) -> Counted:
        return hands.start_shanten == number

    starts.share(
        f"start_shanten_{_number}_share",
        f"dealt {_number} from tenpai",
        f"hands dealt {_number} from tenpai",
        base="hands",
        series="start_shanten",
        at=_number,
        definition=f"Hands dealt {_number} from tenpai.",
    )(_away)


@starts.share("tenpai_rate", "reached tenpai", "hands that reached tenpai", base="hands")
def tenpai_rate(hands: Hands) -> Counted:
    """Hands that were tenpai after an own discard at some time."""
    return hands.tenpai_turn >= 0


@starts.mean("tenpai_turn", "turn of the first tenpai", "own discards to tenpai", base="tenpai", unit="turns")
def tenpai_turn(hands: Hands) -> Counted:
    """Own discards to the first tenpai, the one that made it included."""
    return hands.tenpai_turn


@starts.share("tenpai_win_rate", "won, of hands that reached tenpai", "hands won", base="tenpai")
def tenpai_win_rate(hands: Hands) -> Counted:
    """Of hands that reached tenpai: those won."""
    return hands.won


@starts.mean("tenpai_live_tiles", "live tiles at the first tenpai", "live tiles", base="tenpai", unit="tiles")
def tenpai_live_tiles(hands: Hands) -> Counted:
    """Tiles waited for at the first tenpai that the player does not see."""
    return hands.tenpai_live


@starts.ratio(
    "useful_draw_share",
    "useful, of draws",
    "draws nearer to tenpai",
    base="hands",
    unit="%",
    denominator="own draws",
)
def useful_draw_share(hands: Hands) -> Counted:
    """Own draws that brought the hand nearer to tenpai or completed it; those after riichi apart."""
    return hands.useful_draws, hands.draws


@starts.mean(
    "losing_discards",
    "discards away from tenpai per hand",
    "discards that gave up shanten",
    base="hands",
    unit="discards",
)
def losing_discards(hands: Hands) -> Counted:
    """Discards that led away from tenpai, whatever they were for."""
    return hands.losing_discards


@starts.extreme(
    "longest_dealer_run", "most hands dealt in a row", "hands dealt in a row", base="hands", unit="hands"
)
def longest_dealer_run(hands: Hands) -> Counted:
    """The most hands that the player dealt in a row."""
    return hands.dealt_run


_FURITEN = {
    "discard": (1, "by own discards"),
    "temporary": (2, "by a tile let pass"),
    "riichi": (4, "under riichi"),
}

for _name, (_bit, _words) in _FURITEN.items():

    def _in_furiten(hands: Hands, bit: int = _bit) -> Counted:
        # A tile that wins is on offer first, and facts take its offer for furiten.
        return (hands.furiten & bit > 0) & ((hands.result != RON) | (bit == 1))

    starts.share(
        f"furiten_{_name}_rate",
        f"tenpai in furiten {_words}",
        f"hands in furiten {_words}",
        base="tenpai",
        definition=f"Of hands that reached tenpai: those at some time in furiten {_words}"
        + (", hands won by ron apart." if _bit > 1 else "."),
    )(_in_furiten)

_LOST = {
    "outraced": ("others won", lambda h: h.aside | h.hit),
    "drawn": ("exhaustive draw", lambda h: h.drawn),
    "dealt_in": ("dealt in", lambda h: h.dealt_in),
}

for _name, (_words, _is) in _LOST.items():

    def _lost(hands: Hands, is_so=_is) -> Counted:  # type: ignore[no-untyped-def]
        return is_so(hands), ~hands.won

    starts.share(
        f"tenpai_{_name}_share",
        f"{_words}, of tenpai not won",
        f"such hands: {_words}",
        base="tenpai",
        denominator="hands that reached tenpai and were not won",
        definition=f"Of hands that reached tenpai and were not won: {_words}.",
    )(_lost)


@starts.mean("turns", "own discards per hand", "own discards", base="hands", unit="turns")
def turns(hands: Hands) -> Counted:
    """Own discards in a hand."""
    return hands.turns


@starts.extreme("longest_river", "most discards in a hand", "own discards", base="hands", unit="turns")
def longest_river(hands: Hands) -> Counted:
    """The most own discards in a hand."""
    return hands.turns
