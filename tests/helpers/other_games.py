"""Games other than riichi for tests: written as logs, simulated, and changed in one fact."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from paifu_texts import paifu_text

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS
from paifu.coach.simulate.general_games import OtherSimulator
from paifu.parsers.paifu_log.reader import read_paifu
from paifu.parsers.sources.documents import Document
from paifu.replay.findings.finding import Finding
from paifu.replay.findings.spoken import cases, faults, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay

SYSTEMS = ("zung-jung", "wsom", "hk-old-style", "chinese-classical")
KINDS = ("balanced", "caller", "wild", "defender")
Log = dict[str, Any]


def read(*logs: Log) -> Batch:
    """Read games given as objects of the native format."""
    builder = BatchBuilder()
    text = b"\n".join(json.dumps(log).encode() for log in logs)
    read_paifu(Document("test.jsonl", "", text), text, builder)
    return builder.finish()


def found(batch: Batch) -> list[Finding]:
    """Everything that is wrong with some games, what could not be read first."""
    return [*faults(batch.faults), *map(in_words, cases(replay(batch)))]


def played(system: str, *numbers: int) -> Batch:
    simulator = OtherSimulator(load_preset(system), [PLAYERS[kind] for kind in KINDS])
    return batch_of([simulator.game(number) for number in numbers])


@cache
def _written(system: str, number: int) -> bytes:
    return paifu_text(played(system, number))


def log_of(system: str, number: int) -> Log:
    """A simulated game as a log; a copy of its own."""
    log: Log = json.loads(_written(system, number))
    return log


def text_of(event: Any) -> str:
    """The text of an event, whether or not more is said of it."""
    return str(event["event"] if isinstance(event, dict) else event)


# --- changes of one fact -------------------------------------------------------------------------------


class NotHereError(Exception):
    """A game has nothing that a change could change."""


@dataclass(frozen=True)
class Place:
    """A game, and where in it chance points."""

    log: Log
    chance: random.Random

    def hand(self, wanted: Callable[[Log], Any] = lambda hand: True) -> Log:
        hands = [hand for hand in self.log["hands"] if wanted(hand)]
        if not hands:
            raise NotHereError
        chosen: Log = self.chance.choice(hands)
        return chosen

    def event(self, wanted: Callable[[str], Any]) -> tuple[Log, int]:
        """A hand and the position of one of its events."""
        places = [
            (hand, at)
            for hand in self.log["hands"]
            for at, event in enumerate(hand["events"])
            if wanted(text_of(event))
        ]
        if not places:
            raise NotHereError
        return self.chance.choice(places)

    def end(self, wanted: Callable[[Log], Any]) -> Log:
        """The end of a hand, as an object."""
        ends = [hand["events"][-1] for hand in self.log["hands"] if wanted(hand["events"][-1])]
        if not ends:
            raise NotHereError
        chosen: Log = self.chance.choice(ends)
        return chosen


@dataclass(frozen=True)
class Change:
    codes: tuple[str, ...]
    """One of these is found."""
    edit: Callable[[Place], None]
    systems: tuple[str, ...] = SYSTEMS
    with_wall: bool = False
    """The seed stays in the log."""


CHANGES: dict[str, Change] = {}


def changes(*codes: str, systems: tuple[str, ...] = SYSTEMS, with_wall: bool = False) -> Any:
    def add(edit: Callable[[Place], None]) -> Callable[[Place], None]:
        CHANGES[edit.__name__] = Change(codes, edit, systems, with_wall)
        return edit

    return add


BONUS = ("hk-old-style", "chinese-classical")


def _other(tile: str) -> str:
    """Another kind of tile."""
    return ("1m" if tile[0] != "1" else "9m") if tile[1] != "m" else "9p"


def _verb(*verbs: str) -> Callable[[str], bool]:
    return lambda text: text.split(" ")[1:2] != [] and text.split(" ")[1] in verbs


def _swap_seat(text: str) -> str:
    seat, _, rest = text.partition(" ")
    return f"{(int(seat) + 1) % 4} {rest}"


def _is_win(end: Any) -> bool:
    return "patterns" in end


@changes("V602", with_wall=True)
def another_tile_is_drawn(place: Place) -> None:
    hand, at = place.event(_verb("draw"))
    seat, verb, tile = text_of(hand["events"][at]).split(" ")
    hand["events"][at] = f"{seat} {verb} {_other(tile)}"


@changes("V601", with_wall=True)
def another_seed(place: Place) -> None:
    place.log["game"]["seed"] += "0"


@changes("V201")
def a_draw_by_another_seat(place: Place) -> None:
    hand, at = place.event(_verb("draw"))
    hand["events"][at] = _swap_seat(text_of(hand["events"][at]))


@changes("V201")
def a_draw_is_missing(place: Place) -> None:
    hand, at = place.event(_verb("draw"))
    del hand["events"][at]


@changes("V201", "V204", "V202")
def a_discard_by_another_seat(place: Place) -> None:
    hand, at = place.event(_verb("discard"))
    hand["events"][at] = _swap_seat(text_of(hand["events"][at]))


@changes("V103", "V202", "V204", "V206", "V301")
def a_fifth_tile(place: Place) -> None:
    hand = place.hand()
    hand["dealt"] = ["1m" * 5 + dealt_without(hand["dealt"][0], 5), *hand["dealt"][1:]]


def dealt_without(tiles: str, number: int) -> str:
    singles = singles_of(tiles)
    return "".join(singles[number:])


def singles_of(text: str) -> list[str]:
    tiles, digits = [], ""
    for char in text:
        if char.isdigit():
            digits += char
        else:
            tiles += [digit + char for digit in digits]
            digits = ""
    return tiles


@changes("V202")
def a_discard_of_a_tile_that_is_not_there(place: Place) -> None:
    hand, at = place.event(_verb("discard"))
    seat = int(text_of(hand["events"][at])[0])
    held = set(singles_of(hand["dealt"][seat]))
    for event in hand["events"][:at]:
        words = text_of(event).split(" ")
        held |= {words[2]} if words[0] == str(seat) and words[1] == "draw" else set()
    absent = [f"{n}{suit}" for suit in "mps" for n in range(1, 10) if f"{n}{suit}" not in held]
    hand["events"][at] = f"{seat} discard {absent[0]}"


@changes("V203")
def a_mark_of_tsumogiri_is_missing(place: Place) -> None:
    hand, at = place.event(lambda text: text.endswith("tsumogiri"))
    seat, _, tile, _ = text_of(hand["events"][at]).split(" ")
    drawn = [text_of(event) for event in hand["events"][:at]].count(f"{seat} draw {tile}")
    if drawn + singles_of(hand["dealt"][int(seat)]).count(tile) > 1:
        raise NotHereError  # it may be another of the same kind
    hand["events"][at] = f"{seat} discard {tile}"


@changes("V203")
def a_mark_of_tsumogiri_too_many(place: Place) -> None:
    hand, at = place.event(lambda text: _verb("discard")(text) and not text.endswith("tsumogiri"))
    hand["events"][at] = text_of(hand["events"][at]) + " tsumogiri"


@changes("V204")
def a_claim_by_another_seat(place: Place) -> None:
    hand, at = place.event(_verb("chi", "pon"))
    seat, verb, meld, _, source = text_of(hand["events"][at]).split(" ")
    other = next(s for s in range(4) if str(s) not in (seat, source))
    hand["events"][at] = f"{other} {verb} {meld} from {source}"


@changes("V204")
def a_claim_from_another_seat(place: Place) -> None:
    hand, at = place.event(_verb("chi", "pon"))
    seat, verb, meld, _, source = text_of(hand["events"][at]).split(" ")
    other = next(s for s in range(4) if str(s) not in (seat, source))
    hand["events"][at] = f"{seat} {verb} {meld} from {other}"


@changes("V204")
def a_claim_with_other_tiles(place: Place) -> None:
    hand, at = place.event(_verb("chi"))
    seat, verb, meld, _, source = text_of(hand["events"][at]).split(" ")
    hand["events"][at] = f"{seat} {verb} ({meld[1]}{meld[1]}{meld[1]}{meld[-2]}) from {source}"


@changes("V204")
def a_claim_of_what_was_claimed(place: Place) -> None:
    hand, at = place.event(_verb("chi", "pon"))
    hand["events"].insert(at + 1, text_of(hand["events"][at]))


@changes("V204")
def a_claim_of_nothing(place: Place) -> None:
    hand, at = place.event(_verb("chi", "pon"))
    hand["events"].insert(0, hand["events"].pop(at))


@changes("V206")
def a_gong_of_other_tiles(place: Place) -> None:
    hand, at = place.event(_verb("ankan", "kakan"))
    text = text_of(hand["events"][at])
    digit = text.split(" ")[2][1]
    other = "2" if digit == "1" else "1"
    hand["events"][at] = text.replace(digit * 4, other * 4)


@changes("V213", systems=BONUS)
def a_bonus_tile_is_not_set_aside(place: Place) -> None:
    hand, at = place.event(_verb("bonus"))
    if text_of(hand["events"][at + 1]).split(" ")[1] != "draw":
        raise NotHereError
    del hand["events"][at : at + 2]


@changes("V213", systems=BONUS)
def another_bonus_tile_is_set_aside(place: Place) -> None:
    hand, at = place.event(_verb("bonus"))
    text = text_of(hand["events"][at])
    digit = text[-3]
    hand["events"][at] = text.replace(f"({digit}", f"({'2' if digit == '1' else '1'}")


@changes("V213", systems=BONUS)
def a_bonus_tile_is_set_aside_by_another_seat(place: Place) -> None:
    hand, at = place.event(_verb("bonus"))
    hand["events"][at] = _swap_seat(text_of(hand["events"][at]))


@changes("V102", "V105")
def an_event_of_riichi(place: Place) -> None:
    hand, at = place.event(_verb("discard"))
    hand["events"].insert(at, place.chance.choice([f"{text_of(hand['events'][at])[0]} riichi", "dora 1m"]))


@changes("V211")
def a_move_after_the_end(place: Place) -> None:
    place.hand()["events"].append("0 draw 1m")


@changes("V212")
def a_draw_before_the_wall_is_empty(place: Place) -> None:
    hand = place.hand(lambda hand: len(hand["events"]) > 30)
    hand["events"][20:] = [{"event": "exhaustive", "deltas": [0, 0, 0, 0]}]


@changes("V212")
def another_kind_of_draw(place: Place) -> None:
    place.end(lambda end: end["event"] == "exhaustive")["event"] = "suufon"


@changes("V405")
def points_at_a_draw(place: Place) -> None:
    place.end(lambda end: end["event"] == "exhaustive")["deltas"] = [10, -10, 0, 0]


@changes("V301")
def a_win_on_another_tile(place: Place) -> None:
    end = place.end(_is_win)
    words = end["event"].split(" ")
    words[2] = _other(words[2])
    end["event"] = " ".join(words)


@changes("V301")
def a_win_by_another_seat(place: Place) -> None:
    end = place.end(lambda end: _is_win(end) and "tsumo" in end["event"])
    end["event"] = _swap_seat(end["event"])


@changes("V301")
def a_win_before_the_hand_is_complete(place: Place) -> None:
    hand, at = place.event(_verb("draw"))
    seat, _, tile = text_of(hand["events"][at]).split(" ")
    if " tsumo " in text_of(hand["events"][at + 1]):
        raise NotHereError
    hand["events"][at + 1 :] = [{"event": f"{seat} tsumo {tile}"}]


@changes("V301")
def other_tiles_are_shown(place: Place) -> None:
    end = place.end(_is_win)
    end["tiles"] = "".join(singles_of(end["tiles"])[1:])


@changes("V304")
def a_pattern_is_missing(place: Place) -> None:
    end = place.end(lambda end: end.get("patterns"))
    end["patterns"].pop(place.chance.randrange(len(end["patterns"])))


@changes("V304")
def a_pattern_too_many(place: Place) -> None:
    place.end(_is_win)["patterns"].append(["big-four-winds", "limit"])


@changes("V305")
def a_pattern_of_another_value(place: Place) -> None:
    end = place.end(lambda end: end.get("patterns"))
    pattern = place.chance.choice(end["patterns"])
    pattern[1] = pattern[1] + 1 if isinstance(pattern[1], int) else 3


@changes("V307")
def another_value(place: Place) -> None:
    place.end(_is_win)["points"] += 1


@changes("V401")
def another_payment(place: Place) -> None:
    deltas = place.end(_is_win)["deltas"]
    seat = place.chance.randrange(4)
    deltas[seat] += 1


@changes("V402")
def hands_dealt_in_a_row_with_a_win(place: Place) -> None:
    place.end(_is_win)["honba"] = 20


@changes("V403")
def sticks_with_a_win(place: Place) -> None:
    place.end(_is_win)["sticks"] = 1


@changes("V404")
def another_seat_answers(place: Place) -> None:
    end = place.end(_is_win)
    seat = int(end["event"][0])
    now = end.get("liable", "nobody")
    end["liable"] = ((seat if now == "nobody" else now) + 1) % 4


@changes("V408", systems=("chinese-classical",))
def another_score_of_a_hand(place: Place) -> None:
    end = place.end(_is_win)
    seat = place.chance.choice([s for s in range(4) if s != int(end["event"][0])])
    end["own_scores"][seat] += 2


@changes("V408", systems=("zung-jung", "hk-old-style"))
def a_score_of_a_loser_where_losers_do_not_score(place: Place) -> None:
    place.end(_is_win)["own_scores"] = [4, 4, 4, 4]


@changes("V501")
def other_scores_at_the_start(place: Place) -> None:
    hand = place.hand()
    hand["scores"][place.chance.randrange(4)] += 1


@changes("V501")
def other_scores_at_the_end(place: Place) -> None:
    place.end(_is_win)["scores"][0] += 1


@changes("V502")
def another_round(place: Place) -> None:
    hand = place.hand(lambda hand: hand["round"] not in ("E1", "W4"))
    hand["round"] = "W4"


@changes("V503")
def another_count_of_hands_in_a_row(place: Place) -> None:
    place.hand()["honba"] += 1


@changes("V504")
def a_riichi_stick(place: Place) -> None:
    place.hand()["sticks"] = 1


@changes("V505")
def the_last_hand_is_missing(place: Place) -> None:
    place.log["hands"].pop()


@changes("V506")
def other_final_scores(place: Place) -> None:
    place.log["result"]["scores"][0] += 1


@changes("V309")
def two_winners(place: Place) -> None:
    hand = place.hand(lambda hand: " ron " in text_of(hand["events"][-1]))
    end = hand["events"][-1]
    seat, _, tile, _, source = end["event"].split(" ")
    other = next(s for s in range(4) if str(s) not in (seat, source))
    hand["events"].append({"event": f"{other} ron {tile} from {source}"})


def changed(name: str, system: str, number: int) -> Batch | None:
    """A simulated game with one change; None if it has no place for it."""
    change = CHANGES[name]
    log = log_of(system, number)
    if not change.with_wall:
        del log["game"]["seed"]
    try:
        change.edit(Place(log, random.Random(f"{name} {system} {number}")))  # noqa: S311
    except NotHereError:
        return None
    return read(log)
