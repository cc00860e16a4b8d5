"""Games played on from the boundary of two hands, with ends of hands that are drawn from real games.

The end of a hand is a row of ends (``E_*``), seen from its dealer: place 0 is the dealer, 1 the next. It
holds what the ruleset pays; honba and sticks come here. The state of a game is a row of games (``G_*``), by
absolute seat. Points are table points; rounds are numbered as in a log: 0 is East 1, 4 is South 1.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.replay.kernels.arrays import F64_3D, I32, I32_2D, I64, I64_2D, U16
from paifu.replay.kernels.records import Record
from paifu.replay.kernels.running import entry, kernel

WON, EXHAUSTED, ABORTED = range(3)
"""Kinds of ends."""
E_KIND, E_FIRST, E_WINNERS, E_SOURCE, E_RIICHI, E_TENPAI, E_CHANGES = range(7)
"""Columns of an end: kind; the winner who is paid first; winners, as bits; the place that pays a ron, -1 for
none; places in riichi and tenpai, as bits; four changes of points."""
E_SIZE = E_CHANGES + 4
G_SCORES, G_ROUND, G_HONBA, G_STICKS, G_DEALER, G_FIRST, G_OVER = 0, 4, 5, 6, 7, 8, 9
"""Columns of a game: four scores, round, honba, sticks, dealer of the next hand and of the first, and whether
it is over."""
G_SIZE = 10
MEAN_SCORE = 4
"""Column of the answers after the chances of four places: the mean final score."""
A_SIZE = 5
HANDS_A_WIND = 4
MAY_GO_ON, AT_ZERO = 1, 2
"""``last_noten`` and ``tobi`` of these names; see :mod:`paifu.replay.rules.choices`."""
W_CHANGES, W_PER_HONBA, W_PER_STICK, W_LOWEST, W_LOWEST_HONBA, W_HANDS, W_END = 0, 7, 14, 21, 25, 29, 30
"""Columns of a way through the last scheduled hand, by place from the dealer: changes of what a game has in
its first seven columns, what each honba and each stick at the beginning adds to them, the lowest change of
points before this hand without honba and by each honba, how many hands come before it, and how it ends."""
W_SIZE = 31
MOST_HANDS = 64
"""Hands after which a game that does not end is taken to be over."""
_MASK = 0xFFFFFFFF


class PlaceRules(Record):
    """The rules that the course of a game follows; as in :class:`~paifu.replay.rules.ruleset.Ruleset`."""

    players: int
    riichi_stick: int
    honba_each: int
    multi_ron_sticks: int
    multi_ron_honba: int
    agari_renchan: int
    tenpai_renchan: int
    abort_renchan: int
    wind_rounds: int
    max_wind_rounds: int
    target_points: int
    sudden_death: int
    sudden_death_over_renchan: int
    agari_yame: int
    tenpai_yame: int
    yame_leads: int
    yame_choice: int
    last_noten: int
    tobi: int
    ceiling_points: int
    tie_share: int
    sticks_to_first: int


class PlaceCourse(NamedTuple):
    """How games are played on."""

    ends: I32_2D
    """(n, E_SIZE)."""
    order: U16
    """Rows of ``ends``, each as often as it is drawn."""
    points: I32_2D
    """(depths, samples) which of ``order`` each sample draws at each hand."""
    ways: I32_2D
    """What :func:`fill_ways` fills, or none: answers are the same."""
    rules: PlaceRules
    scratch: I64_2D
    """(3, G_SIZE)."""


@kernel
def seat_at(place: int, dealer: int, players: int) -> int:
    """Return the seat at a place from the dealer: no division, and by the mask no index from the end."""
    seat = dealer + place
    return (seat - players if seat >= players else seat) & 3


@kernel
def place_of(seat: int, game: I64, players: int) -> int:
    """Return a seat's place, 0 is first; equal points by the first seats."""
    place, ties, own, first = 0, 0, game[seat], game[G_FIRST]
    for other in range(players):
        place += game[other] > own
        ties += game[other] == own
    # Ties are rare, while the order above is anyone's guess: who sits nearer to the first dealer is ahead.
    if ties > 1:
        for other in range(players):
            is_before = (other - first + players) % players < (seat - first + players) % players
            place += game[other] == own and is_before
    return place


@kernel
def pay(end: I32, game: I64, rules: PlaceRules) -> None:
    """Change scores and sticks by the end of a hand."""
    players, dealer = rules.players, int(game[G_DEALER])
    riichi, kind = int(end[E_RIICHI]), end[E_KIND]
    # What the end itself changes, and riichi sticks.
    for place in range(players):
        seat = seat_at(place, dealer, players)
        game[seat] += end[E_CHANGES + place]
        if riichi >> place & 1:
            game[seat] -= rules.riichi_stick
            game[G_STICKS] += 1
    if kind != WON:
        return
    # Honba and sticks go to the winner who is paid first.
    first, source = int(end[E_FIRST]), int(end[E_SOURCE])
    winner, winners = seat_at(first, dealer, players), int(end[E_WINNERS])
    honba = game[G_HONBA] * rules.honba_each
    if honba:
        game[winner] += honba * (players - 1)
        if source >= 0:
            game[seat_at(source, dealer, players)] -= honba * (players - 1)
        else:
            for seat in range(players):
                if seat != winner:
                    game[seat] -= honba
    if winners & (winners - 1) and (rules.multi_ron_honba or rules.multi_ron_sticks):
        pay_others(riichi, winners & ~(1 << first), source, honba * (players - 1), game, rules)
    game[winner] += game[G_STICKS] * rules.riichi_stick
    game[G_STICKS] = 0


@kernel
def pay_others(riichi: int, others: int, source: int, honba: int, game: I64, rules: PlaceRules) -> None:
    """Pay the winners after the first of one discard their honba and own sticks, where rules say so."""
    players, dealer = rules.players, int(game[G_DEALER])
    for place in range(players):
        if not others >> place & 1:
            continue
        seat = seat_at(place, dealer, players)
        if rules.multi_ron_honba:
            game[seat] += honba
            game[seat_at(source, dealer, players)] -= honba
        if rules.multi_ron_sticks and riichi >> place & 1:
            game[seat] += rules.riichi_stick
            game[G_STICKS] -= 1


@kernel
def is_over(kind: int, deals_again: bool, is_tenpai: bool, game: I64, rules: PlaceRules) -> bool:
    """Return whether the game is over with a hand that has been paid.

    A dealer who may end the game or go on ends it when leading; where all may, the hand after a noten dealer
    is not played.
    """
    players, dealer = rules.players, int(game[G_DEALER])
    # Points end a game at any time.
    lowest = highest = game[0]
    for seat in range(1, players):
        lowest, highest = min(lowest, game[seat]), max(highest, game[seat])
    if rules.tobi and (lowest < 0 or (lowest == 0 and rules.tobi == AT_ZERO)):
        return True
    if rules.ceiling_points and highest >= rules.ceiling_points:
        return True
    # Else it goes on up to its last scheduled hand,
    wind, turn = game[G_ROUND] // HANDS_A_WIND, game[G_ROUND] % HANDS_A_WIND
    last_turn = turn + 1 == players
    if wind < rules.wind_rounds - 1 or (wind == rules.wind_rounds - 1 and not last_turn):
        return False
    # and in overtime as long as nobody has reached the target.
    overtime = wind >= rules.wind_rounds
    if overtime and not rules.sudden_death and not last_turn:
        return False
    reached = rules.target_points == 0 or highest >= rules.target_points
    if overtime and reached and rules.sudden_death and rules.sudden_death_over_renchan:
        return True
    # The dealer stays: the rules may let a leading one end the game.
    if deals_again:
        may_end = (kind == WON and rules.agari_yame) or (kind == EXHAUSTED and rules.tenpai_yame)
        leads = place_of(dealer, game, players) == 0
        if rules.yame_leads or rules.yame_choice:
            may_end = may_end and leads
        return bool(reached and may_end)
    # The deal passes, so the game is over, unless the rules want one more hand.
    if reached:
        goes_on = not overtime and kind == EXHAUSTED and not is_tenpai and rules.last_noten > MAY_GO_ON
        return not goes_on
    return bool(last_turn and wind + 1 >= rules.max_wind_rounds)


@kernel
def end_hand(end: I32, game: I64, rules: PlaceRules) -> None:
    """Pay an end, and turn ``game`` to the next hand or to its end."""
    pay(end, game, rules)
    go_on(end, game, rules)


@kernel
def go_on(end: I32, game: I64, rules: PlaceRules) -> None:
    """Turn ``game`` to the next hand or to its end, after an end that has been paid."""
    players, kind = rules.players, end[E_KIND]
    is_tenpai = (end[E_TENPAI] & 1) != 0
    # Who deals next.
    if kind == WON:
        deals_again = rules.agari_renchan != 0 and (end[E_WINNERS] & 1) != 0
    elif kind == ABORTED:
        deals_again = rules.abort_renchan != 0
    else:
        deals_again = rules.tenpai_renchan != 0 and is_tenpai
    if is_over(kind, deals_again, is_tenpai, game, rules):
        game[G_OVER] = 1
        return
    # Counters stay with the deal, and grow at every draw.
    game[G_HONBA] = game[G_HONBA] + 1 if deals_again or kind != WON else 0
    if not deals_again:
        last_turn = game[G_ROUND] % HANDS_A_WIND + 1 == players
        game[G_ROUND] += HANDS_A_WIND + 1 - players if last_turn else 1
        game[G_DEALER] = seat_at(1, int(game[G_DEALER]), players)


@kernel
def mixed(number: int) -> int:
    """Return 32 bits that look random."""
    number = ((number ^ (number >> 16)) * 0x45D9F3B) & _MASK
    number = ((number ^ (number >> 16)) * 0x45D9F3B) & _MASK
    return number ^ (number >> 16)


@kernel
def hands_left(game: I64, rules: PlaceRules) -> int:
    """Return how many hands are scheduled after the next one."""
    wind, turn = game[G_ROUND] // HANDS_A_WIND, game[G_ROUND] % HANDS_A_WIND
    return int(max(0, rules.players * (rules.wind_rounds - wind) - 1 - turn))


@kernel
def add_places(game: I64, rules: PlaceRules, weight: float, answers: F64_3D, number: int) -> None:
    """Add the places and scores of a game that is over to the answers for one state."""
    players = rules.players
    for seat in range(players):
        place, ties, share = place_of(seat, game, players), 1, weight
        # Equals share the places that they hold together.
        if rules.tie_share:
            place = 0
            for other in range(players):
                place += game[other] > game[seat]
                ties += other != seat and game[other] == game[seat]
            share = weight / ties
        for shared in range(place, place + ties):
            answers[number, seat, shared] += share
        score = float(game[seat])
        if game[G_STICKS] and place == 0 and rules.sticks_to_first:
            score += game[G_STICKS] * rules.riichi_stick / ties
        answers[number, seat, MEAN_SCORE] += weight * score


@kernel
def drawn_end(course: PlaceCourse, depth: int, sample: int) -> int:
    """Return the row of the end that a sample draws for a hand, counted from the present one."""
    order, points = course.order, course.points
    if depth < points.shape[0]:
        return int(order[points[depth, sample]])
    return int(order[mixed(sample * 977 + depth * 7919) % len(order)])


@entry
def fill_ways(course: PlaceCourse) -> None:
    """Fill the way of each sample through the last scheduled hand, by hands left and sample: ``W_*``.

    Where no score ends a game before, what happens on the way does not depend on scores, and honba and
    sticks at its beginning add to it in proportion: three games with the same draws show how much.
    ``rules`` has no end by points.
    """
    ends, ways, rules, scratch = course.ends, course.ways, course.rules, course.scratch
    players, samples = rules.players, course.points.shape[1]
    for number in range(len(ways)):
        way, left, sample = ways[number], number // samples, number % samples
        # Three games from zero: one as it is, one with a honba, one with a stick more.
        for game in range(3):
            for cell in range(G_SIZE):
                scratch[game, cell] = 0
            at = players * rules.wind_rounds - 1 - left
            scratch[game, G_ROUND] = HANDS_A_WIND * (at // players) + at % players
        scratch[1, G_HONBA] = scratch[2, G_STICKS] = 1
        depth = 0
        while hands_left(scratch[0], rules):
            row = drawn_end(course, depth, sample)
            for game in range(3):
                end_hand(ends[row], scratch[game], rules)
            # How low each seat gets on the way.
            for seat in range(players):
                own = scratch[0, seat]
                way[W_LOWEST + seat] = min(own, way[W_LOWEST + seat])
                honba = scratch[1, seat] - own
                way[W_LOWEST_HONBA + seat] = min(honba, way[W_LOWEST_HONBA + seat])
            depth += 1
        row = drawn_end(course, depth, sample)
        for game in range(3):
            pay(ends[row], scratch[game], rules)
        # What the way changes, and what a honba and a stick add to that.
        for cell in range(G_DEALER):
            own = scratch[0, cell]
            way[W_CHANGES + cell] = own
            way[W_PER_HONBA + cell] = scratch[1, cell] - own
            way[W_PER_STICK + cell] = scratch[2, cell] - own
        way[W_HANDS], way[W_END] = depth, row


@kernel
def takes_way(way: I32, game: I64, rules: PlaceRules) -> bool:
    """Pay all up to the last scheduled hand, if no player can run out of points before it."""
    players, dealer, honba, sticks = rules.players, int(game[G_DEALER]), game[G_HONBA], game[G_STICKS]
    # Who could run out of points on it must be followed hand by hand.
    for place in range(players):
        least = way[W_LOWEST + place] + honba * way[W_LOWEST_HONBA + place]
        if rules.tobi and game[seat_at(place, dealer, players)] + least <= 0:
            return False
    for place in range(players):
        change = way[W_CHANGES + place]
        if honba + sticks:
            change += honba * way[W_PER_HONBA + place] + sticks * way[W_PER_STICK + place]
        game[seat_at(place, dealer, players)] += change
    for cell in (G_HONBA, G_STICKS):
        game[cell] = (
            way[W_CHANGES + cell] + honba * way[W_PER_HONBA + cell] + sticks * way[W_PER_STICK + cell]
        )
    return True


@kernel
def play_on(games: I64_2D, number: int, course: PlaceCourse, answers: F64_3D) -> None:
    """Fill the answers for one state: the share of places in games played on from it."""
    ends, ways, rules, game = course.ends, course.ways, course.rules, course.scratch[0]
    samples, players = course.points.shape[1], rules.players
    if games[number, G_OVER]:
        add_places(games[number], rules, 1.0, answers, number)
        return
    left, last = hands_left(games[number], rules), players * rules.wind_rounds - 1
    last_round = HANDS_A_WIND * (last // players) + last % players
    for sample in range(samples):
        for cell in range(G_SIZE):
            game[cell] = games[number, cell]
        depth = 0
        # All scheduled hands in one step, where that may be; from there hand by hand.
        if len(ways) and game[G_ROUND] <= last_round:
            way = ways[left * samples + sample]
            if takes_way(way, game, rules):
                game[G_ROUND], game[G_DEALER] = last_round, (game[G_DEALER] + left) % players
                go_on(ends[way[W_END]], game, rules)
                depth = int(way[W_HANDS]) + 1
        while not game[G_OVER] and depth < MOST_HANDS:
            end_hand(ends[drawn_end(course, depth, sample)], game, rules)
            depth += 1
        add_places(game, rules, 1.0 / samples, answers, number)


@entry
def place_chances(games: I64_2D, course: PlaceCourse, answers: F64_3D) -> None:
    """Fill (games, 4, A_SIZE) answers: chances of each place and the mean final score, by seat."""
    for number in range(len(games)):
        play_on(games, number, course, answers)


@entry
def end_hands(games: I64_2D, ends: I32_2D, rules: PlaceRules) -> None:
    """Turn each game to the next hand, or to its end, by the end of the same row."""
    for number in range(len(games)):
        end_hand(ends[number], games[number], rules)
