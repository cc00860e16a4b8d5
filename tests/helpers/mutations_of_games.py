"""Changes of what leads from hand to hand, of the game's end, and of the wall: families V5, V6 and V101."""

from __future__ import annotations

import copy

from mutation_places import PROGRESS, STATED, K, Place, anywhere, first, last, mutation, not_last, with_event

from paifu.replay.walls.tenhou import make_seed

WALL = (601, 602, 603, 604)


def after_the_first(place: Place) -> None:
    """Only hands that another goes before."""
    place.need(place.number > 0)


@mutation("another score at a hand's beginning", 501, where=anywhere, then=(*STATED, *PROGRESS))
def another_score(place: Place) -> None:
    """The next hand follows from it."""
    after_the_first(place)
    place.hand.row["scores"][place.rng.randrange(place.players)] += place.pick((-1000, -100, 100, 1000))


@mutation("one seat begins the game with another score", 501, where=first, then=(*STATED, *PROGRESS))
def another_first_score(place: Place) -> None:
    """The next hand follows from it."""
    place.hand.row["scores"][place.rng.randrange(place.players)] += place.pick((-1000, -100, 100, 1000))


@mutation("another dealer", 502, where=anywhere, spoils=True, then=(*PROGRESS, *WALL))
def another_dealer(place: Place) -> None:
    """The deal begins elsewhere, and the next dealer is another."""
    row = place.hand.row
    row["dealer"] = (row["dealer"] + place.rng.randrange(1, place.players)) % place.players


@mutation("another first dealer of the game", 502, where=first)
def another_first_dealer(place: Place) -> None:
    place.need(place.sheet.game["first_dealer"] < place.players)
    place.sheet.game["first_dealer"] = (place.sheet.game["first_dealer"] + 1) % place.players


@mutation("another round", 502, where=anywhere, spoils=True, then=PROGRESS)
def another_round(place: Place) -> None:
    """Round winds and the next round follow from it; in the first hand the wall is not known then."""
    place.hand.row["round"] += place.pick((1, 4))


@mutation("another number of honba", 503, where=anywhere, spoils=True, then=(401, 402, *PROGRESS))
def another_honba(place: Place) -> None:
    """Payments and the next hand follow from it."""
    place.hand.row["honba"] += 1


@mutation("another number of sticks", 504, where=anywhere, spoils=True, then=(401, 403, *PROGRESS))
def another_number_of_sticks(place: Place) -> None:
    """Payments and the next hand follow from it."""
    place.hand.row["sticks"] += 1


@mutation(
    "a hand is cut out of the middle of a game",
    501, 502, 503, 504, 505,
    where=not_last(), in_next=True, then=PROGRESS, everywhere=WALL,
)  # fmt: skip
def cut_out_a_hand(place: Place) -> None:
    """All later walls belong to other hands. What differs depends on how the hand ended."""
    after_the_first(place)
    del place.sheet.hands[place.number]
    place.number -= 1


@mutation("the first hand of a game is cut off", 507, where=first, then=PROGRESS, everywhere=WALL)
def cut_off_the_first_hand(place: Place) -> None:
    """Hands are repeated with honba; in both cases the game does not begin as games do."""
    del place.sheet.hands[0]


@mutation("the last hand of a game is cut off", 505, 506, where=last, then=PROGRESS)
def cut_off_the_last_hand(place: Place) -> None:
    """A game that could have been over before ends with other scores."""
    place.need(place.number > 0)
    del place.sheet.hands[place.number]
    place.number -= 1


@mutation(
    "a hand is added behind the end of a game",
    505,
    where=last,
    then=(*PROGRESS, *STATED, 607),
    everywhere=WALL,
)
def add_a_hand(place: Place) -> None:
    """It does not follow from the last one."""
    place.sheet.hands.append(copy.deepcopy(place.hand))


@mutation("a hand has no end", 101, where=not_last())
def no_end(place: Place) -> None:
    for at in reversed(place.hand.find(K.WIN, K.HAND_DRAW)):
        del place.events[at]


@mutation(
    "a riichi of a hand is left out",
    501,
    where=with_event(K.RIICHI_PAID),
    then=(*STATED, *PROGRESS, 302, 401, 403, 304),
    spoils=True,
)
def leave_out_a_riichi(place: Place) -> None:
    """The scores stated at the hand's end have the stick paid; the winner takes one less."""
    paid = place.pick_at(K.RIICHI_PAID)
    seat = place.events[paid].seat
    place.need(all(row["seat"] != seat for row in place.hand.wins))
    place.need(place.hand.wins or place.hand.draw)
    del place.events[paid]
    del place.events[next(at for at in place.hand.find(K.RIICHI) if place.events[at].seat == seat)]


@mutation("another final score", 506, where=last)
def another_final_score(place: Place) -> None:
    place.sheet.game["final_scores"][place.rng.randrange(place.players)] += place.pick((-1000, 100, 1000))


@mutation("other final points", 506, where=last)
def other_final_points(place: Place) -> None:
    place.sheet.game["final_points"][place.rng.randrange(place.players)] += place.pick((-1, 1, 10))


@mutation("two players change their final points", 506, where=last)
def swap_final_points(place: Place) -> None:
    points = place.sheet.game["final_points"]
    one, other = place.rng.sample(range(place.players), 2)
    place.need(points[one] != points[other])
    points[one], points[other] = points[other], points[one]


# --- the wall ----------------------------------------------------------------------------------------------


@mutation("another seed", 601, where=first, everywhere=WALL)
def another_seed(place: Place) -> None:
    place.need(place.sheet.game["seed"])
    place.sheet.game["seed"] = make_seed(place.rng.randrange(1000))


@mutation("another seed of one hand", 601, where=anywhere, then=WALL)
def another_seed_of_a_hand(place: Place) -> None:
    seed = place.hand.row["seed"]
    place.need(seed)
    last_digit = "1" if seed[-1] == "0" else "0"
    place.hand.row["seed"] = seed[:-1] + last_digit


@mutation("another die", 604, where=anywhere)
def another_die(place: Place) -> None:
    dice = place.hand.row["dice"]
    place.need(dice[0] != 255)
    number = place.rng.randrange(2)
    dice[number] = place.pick(eyes for eyes in range(6) if eyes != dice[number])


@mutation("another dora indicator", 603, where=anywhere, then=(103,), spoils=True)
def another_indicator(place: Place) -> None:
    """Wins show and count the genuine one."""
    place.hand.row["dora"] = place.unused()


@mutation("another kan dora indicator", 603, where=with_event(K.DORA), spoils=True)
def another_kan_indicator(place: Place) -> None:
    """Wins show and count the genuine one."""
    place.events[place.pick_at(K.DORA)].tile = place.unused()


@mutation(
    "another supplement tile", 602, where=with_event(K.DAIMINKAN, K.ANKAN, K.KAKAN, K.KITA), spoils=True
)
def another_supplement(place: Place) -> None:
    def is_supplement(at: int) -> bool:
        before = [event.kind for event in place.events[:at] if event.kind != K.DORA]
        return bool(before) and before[-1] in (K.DAIMINKAN, K.ANKAN, K.KAKAN, K.KITA)

    place.events[place.pick_at(K.DRAW, only=is_supplement)].tile = place.unused()
