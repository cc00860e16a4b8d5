"""Games that nobody played: simple players at a table whose moves are the engine's own transitions.

A game follows from a number alone. The number makes a Tenhou-style seed, the seed makes every wall, and
chance in what players do follows from it too. So a game is the same wherever and whenever it is played, and
its log carries a seed that a replay can check.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from types import MappingProxyType

import numpy as np

from paifu.coach.judgement.deciding import new_decisions
from paifu.coach.judgement.policy import new_scratch, shipped_policy
from paifu.coach.judgement.policy_inputs import Boards
from paifu.coach.kernels.policy_inputs import Rivers
from paifu.coach.kernels.simulator_choices import T_SIZE
from paifu.coach.kernels.simulator_judgement import ROOM, Judge
from paifu.coach.kernels.simulator_moves import Course, PlayState, Supply
from paifu.coach.kernels.simulator_play import play_hand
from paifu.replay.arrays import I64, U8
from paifu.replay.course.chips import chips_of_wins
from paifu.replay.course.dealer_wins import dealer_wins_after
from paifu.replay.course.fouls import StatedFoul, costs_of_hand, is_small_end, penalties
from paifu.replay.course.settlement import (
    FinalResult,
    HandOutcome,
    HandStart,
    OutcomeKind,
    dealer_stays,
    endings,
    final_result,
    hands_left,
    is_last_scheduled,
    is_replayed,
    next_hand,
    ranking,
    sticks_after_win,
)
from paifu.replay.facts.tables import ScoredWins
from paifu.replay.kernels.claims import DrawClaims, WinClaims
from paifu.replay.kernels.rows import SCORED
from paifu.replay.language import _
from paifu.replay.model.batch import Batch, HandDraws, Hands, Wins
from paifu.replay.model.events import (
    CODE_OF_TILE,
    FLAG_SHIFT,
    RULING_SHIFT,
    SEAT_SHIFT,
    TILE_SHIFT,
    EventFlag,
    EventKind,
    HandEnd,
)
from paifu.replay.model.tiles import NO_TILE, tile_of_id_table
from paifu.replay.rules.choices import Consequence, Nagashi, Scheme
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.shapes.tables import load_tables
from paifu.replay.table.engine import hand_claims, new_notes, new_scoring, new_table
from paifu.replay.walls.tenhou import (
    FLOWER_CODES,
    deal_indices,
    lay_flowers,
    layout_of,
    live_indices,
    make_seed,
    parse_seed,
    shuffled,
)

_FIRST_WALLS = 12
"""Walls that are made of a seed at first; twice as many when a game needs more."""
_KIND_BITS, _SEAT_BITS = 31, 7
FOUR = 4
NO_DIE = 255
"""Eyes of a die that is not known, or was not thrown."""


@dataclass(frozen=True, slots=True)
class Player:
    """How a player behaves. All but ``defence`` count in 1000: how often it does what it could."""

    calls: int
    """Chi and pon that bring the hand nearer to a win and leave it a yaku."""
    riichi: int
    kans: int
    """Kans that do not set the hand back."""
    defence: int
    """Weight of safety against riichi and three open melds: 0 never folds, 10 folds a bad hand."""
    aborts: int
    """Nine terminals and honours declared."""
    passes: int = 0
    """Wins not taken."""
    wild: int = 0
    """Discards made without a thought."""
    furiten_riichi: int = 0
    """Riichi on waits that lie in their own river."""
    strong: int = 0
    """1 if it chooses discards, riichi, calls and kans as strong players do, by the policy."""


PLAYERS = MappingProxyType(
    {
        "tile-efficient": Player(calls=250, riichi=1000, kans=500, defence=0, aborts=1000),
        "balanced": Player(calls=700, riichi=900, kans=400, defence=10, aborts=900),
        "caller": Player(calls=1000, riichi=300, kans=1000, defence=2, aborts=500),
        "defender": Player(calls=200, riichi=600, kans=100, defence=40, aborts=1000),
        "strong": Player(calls=1000, riichi=1000, kans=1000, defence=10, aborts=900, strong=1),
        "wild": Player(
            calls=600, riichi=900, kans=900, defence=1, aborts=300, passes=250, wild=150, furiten_riichi=1000
        ),
    }
)
"""The kinds of players by name."""


def player_named(name: str) -> Player:
    """Return the player of a kind, or of ``kind:RATE``: RATE percent of its discards are random.

    Raises ValueError for an unknown kind, and for a rate that is not a number from 0 to 100.
    """
    kind, colon, rate = name.partition(":")
    if kind not in PLAYERS:
        raise ValueError(
            _("unknown kind of player {kind!r}; choose from {players}").format(
                kind=kind, players=", ".join(PLAYERS)
            )
        )
    if not colon:
        return PLAYERS[kind]
    try:
        percent = float(rate)
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise ValueError(
            _("{name}: {rate!r} is not a percentage of random discards; use 0 to 100").format(
                name=name, rate=rate
            )
        )
    return replace(PLAYERS[kind], wild=round(10 * percent))


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHand:
    """One hand as it was played. Tiles are physical ids; rows of four are by seat."""

    start: HandStart
    scores: tuple[int, ...]
    """Before the hand."""
    dice: tuple[int, int]
    """Eyes minus one; 255 where there were none."""
    dealt: U8
    """(4, 13)"""
    words: I64
    """The events (see ``events``), that of the result last: one a winner, or one of the draw."""
    end: HandEnd
    wins: I64
    """Rows of ``ScoredWins``: what the engine makes of each win."""
    paid: tuple[int, ...]
    """Seats that paid a riichi stick, in order."""
    claimants: tuple[int, ...]
    """The winners, the three whose wins on one tile aborted the hand, or whose foul ended it."""
    liable: tuple[int, ...]
    """By winner, who pays by liability; NO_SEAT for nobody."""
    tenpai: tuple[int, ...]
    """0 or 1 by seat, at an exhaustive draw."""
    deltas: tuple[int, ...]
    """What the end of the hand changed, riichi sticks paid before not counted."""
    indicators: tuple[int, ...]
    """Dora indicators turned."""
    ura: tuple[int, ...]
    """The tiles under them."""
    holder: U8
    """(136,) seat that holds an id concealed at the end, 255 for the others."""

    def events(self, kind: EventKind) -> list[int]:
        """Return the positions in ``words`` of the events of a kind."""
        return np.flatnonzero((self.words & _KIND_BITS) == kind).tolist()

    def held(self, seat: int) -> list[int]:
        """Return the concealed ids of a seat at the end of the hand."""
        return np.flatnonzero(self.holder == seat).tolist()

    def outcome(self, rules: Ruleset) -> HandOutcome:
        """Return what the next hand depends on."""
        sticks = self.start.sticks + sum(paid[2] for paid in self.sticks_paid(rules))
        is_win = self.end == HandEnd.NAGASHI and rules.draw.nagashi == Nagashi.WIN
        if self.end == HandEnd.WIN or is_win:
            left = sticks_after_win(rules, sticks, any(seat in self.paid for seat in self.claimants))
            rewarded = bool((self.wins[:, SCORED.situation] & Situation.THIRTEENTH).any())
            return HandOutcome(OutcomeKind.WIN, self.claimants, sticks=left, is_rewarded=rewarded)
        if self.end in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI):
            ready = tuple(seat for seat, is_ready in enumerate(self.tenpai) if is_ready)
            return HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=ready, sticks=sticks)
        if self.end == HandEnd.CHOMBO:
            ready = tuple(seat for seat, is_ready in enumerate(self.tenpai) if is_ready)
            is_small = is_small_end(rules, self.stated_fouls)
            is_again = is_replayed(rules, HandOutcome(OutcomeKind.FOUL, is_small=is_small))
            sticks = self.start.sticks if is_again else sticks
            return HandOutcome(
                OutcomeKind.FOUL,
                tenpai=ready,
                sticks=sticks,
                offender=self.claimants[0],
                is_small=is_small,
            )
        return HandOutcome(OutcomeKind.ABORTIVE, sticks=sticks, abort=self.end)

    @property
    def ron(self) -> tuple[int, int] | None:
        """The winner, of several the first, and the discarder, if the hand was won by ron."""
        if self.end != HandEnd.WIN or self.wins[0, SCORED.source] == self.claimants[0]:
            return None
        return self.claimants[0], int(self.wins[0, SCORED.source])

    @property
    def fouls(self) -> tuple[int, ...]:
        """Whose foul ended the hand, if one did."""
        return self.claimants if self.end == HandEnd.CHOMBO else ()

    def scores_after(self, rules: Ruleset) -> tuple[int, ...]:
        """Return the scores after the hand."""
        after = [score + delta for score, delta in zip(self.scores, self.deltas, strict=True)]
        for _at, seat, sticks in self.sticks_paid(rules):
            after[seat] -= sticks * rules.riichi.riichi_stick
        return tuple(after)

    @property
    def stated_fouls(self) -> list[StatedFoul]:
        """The fouls that were stated, in order."""
        return [_foul_of(int(self.words[at])) for at in self.events(EventKind.FOUL)]

    def sticks_paid(self, rules: Ruleset) -> list[tuple[int, int, int]]:
        """Return position in ``words``, seat and sticks of each payment, for riichi or a foul."""
        declared = self.words[self.events(EventKind.RIICHI)].tolist()
        opened = {word >> SEAT_SHIFT & _SEAT_BITS for word in declared if word >> FLAG_SHIFT & EventFlag.OPEN}
        paid = [
            (at, seat, rules.riichi.open_riichi_sticks if seat in opened else 1)
            for at, seat in zip(self.events(EventKind.RIICHI_PAID), self.paid, strict=True)
        ]
        for at in self.events(EventKind.FOUL):
            foul = _foul_of(int(self.words[at]))
            if foul.cost(rules) == Consequence.DEPOSIT:
                paid.append((at, foul.seat, rules.fouls.deposit_sticks))
        return sorted(paid)

    def costs_of_fouls(self, rules: Ruleset) -> list[tuple[int, Consequence]]:
        """Return what fouls cost after the game, each with its seat."""
        offender = self.claimants[0] if self.end == HandEnd.CHOMBO else None
        return costs_of_hand(rules, self.stated_fouls, offender)


def _foul_of(word: int) -> StatedFoul:
    return StatedFoul(
        word >> SEAT_SHIFT & _SEAT_BITS,
        (word >> TILE_SHIFT & 255) - CODE_OF_TILE,
        word >> FLAG_SHIFT >> RULING_SHIFT,
    )


@dataclass(frozen=True, slots=True, eq=False)
class PlayedGame:
    """A game: its hands in order and, where it came to its end, the result."""

    rules: Ruleset
    hands: tuple[PlayedHand, ...]
    result: FinalResult | None
    seed: str = ""
    """The wall's seed as logs state it; empty where the tiles were chosen."""


class Desk:
    """The arrays in which the kernels play hands under one ruleset; used again for each hand."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        hands, wins, draws = Hands.empty(1), Wins.empty(3), HandDraws.empty(1)
        supply = Supply(
            live=NO_TILE,
            supplements=NO_TILE,
            indicators=NO_TILE,
            ura=NO_TILE,
            flowers=NO_TILE,
            tile_of=tile_of_id_table(rules.red_ids),
        )
        supply.tile_of[FLOWER_CODES] = FLOWER_CODES - CODE_OF_TILE
        self.state = PlayState(
            table=new_table(),
            hands=hand_claims(hands),
            supply=supply,
            record=Course(random=1),
            traits=np.zeros((4, T_SIZE), np.int64),
            tiles=np.zeros(3, np.uint8),
            claims=WinClaims(*(getattr(wins, name) for name in WinClaims._fields)),
            draws=DrawClaims(*(getattr(draws, name) for name in DrawClaims._fields)),
            rules=rules.kernel(),
            shapes=load_tables(sanma=rules.table.players == 3),
            scoring=new_scoring(rules),
            notes=new_notes(16),
            tries=new_notes(16),
            facts=np.zeros((3, ScoredWins.cells()), np.int64),
        )
        self.judge: Judge | None = None

    def begin(
        self,
        start: HandStart,
        scores: Sequence[int],
        dealer_wins: int,
        dice: Sequence[int] = (NO_DIE, NO_DIE),
    ) -> None:
        """Set where the next hand is in the game: the dealer's wins in a row before it, eyes minus one."""
        hands = self.state.hands
        hands.dice[0] = dice
        hands.round[0], hands.honba[0], hands.sticks[0] = start.round, start.honba, start.sticks
        hands.dealer[0], hands.dealer_wins[0] = start.dealer, dealer_wins
        hands.scores[0] = 0
        hands.scores[0, : len(scores)] = scores
        if self.judge is not None:
            self.judge.rivers.to_come = hands_left(self.rules, start.round)
        self.state.notes.counts[:] = 0

    def seat(self, players: Sequence[Player]) -> None:
        """Let players take their seats; fewer than the table has are repeated.

        Raises ValueError for :func:`check_known`.
        """
        check_known(self.rules, players)
        if any(player.strong for player in players):
            self.judge = self.new_judge()
        self.state.traits[:] = [astuple(players[seat % len(players)]) for seat in range(4)]

    def new_judge(self) -> Judge:
        """Return what simulated players keep in mind, with the policy for those who choose by it."""
        policy, state = shipped_policy(self.rules.table.players) or shipped_policy(FOUR), self.state
        assert policy is not None  # noqa: S101  that of four ships
        seen, options = Boards.empty(1), new_decisions(self.rules, Batch.empty(), ROOM)
        return Judge(
            weights=policy.tables(), scratch=new_scratch(policy.tables(), ROOM), rivers=Rivers(),
            desk=options._replace(table=state.table, scoring=state.scoring),
            planes=seen.planes[0], held=seen.held[0], marks=seen.marks[0],
            chances=np.zeros(ROOM, np.float32), wishes=np.zeros(4, np.int64),
        )  # fmt: skip

    def played(
        self, start: HandStart, scores: Sequence[int], dice: tuple[int, int], end: int, winners: int
    ) -> PlayedHand:
        """Return the hand that was played, its arrays copied."""
        state, players = self.state, self.rules.table.players
        record, supply, turned = state.record, state.supply, int(state.table.turned)
        if state.notes.counts[0]:
            raise AssertionError(f"a simulated move broke a rule: {state.notes.rows[0].tolist()}")
        words = record.words[: record.length].copy()
        paid = words[(words & _KIND_BITS) == EventKind.RIICHI_PAID] >> SEAT_SHIFT & _SEAT_BITS
        wins = state.facts[:winners].copy()
        is_draw = end in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI, HandEnd.CHOMBO)
        deltas = state.scoring.work.changes if not winners else wins[:, SCORED.changes :].sum(axis=0)
        claimants = range(3 if end == HandEnd.SANCHAHOU else winners)
        seats = tuple(int(state.claims.seat[row]) for row in claimants)
        if end == HandEnd.CHOMBO:
            seats = (int(state.table.offender),)
        if end == HandEnd.NAGASHI:
            seats = tuple(seat for seat in range(players) if state.table.nagashi[seat])
        return PlayedHand(
            start=start,
            scores=tuple(scores),
            dice=dice,
            dealt=supply.dealt.copy(),
            words=words,
            end=HandEnd(end),
            wins=wins,
            paid=tuple(paid.tolist()),
            claimants=seats,
            liable=tuple(state.claims.liable[:winners].tolist()),
            tenpai=tuple(state.draws.tenpai[0, :players].tolist()) if is_draw else (),
            deltas=tuple(deltas[:players].tolist()),
            indicators=tuple(supply.indicators[:turned].tolist()),
            ura=tuple(supply.ura[:turned].tolist()),
            holder=record.holder.copy(),
        )


def chips_of_hands(rules: Ruleset, hands: Iterable[PlayedHand]) -> list[int]:
    """Return the chips that each seat has won or paid in some hands; empty where they are worth nothing."""
    if not rules.chips.chip_points:
        return []
    every = [chips_of_wins(rules, hand.wins, hand.liable) for hand in hands]
    return [sum(seat) for seat in zip(*every, strict=True)]


def check_known(rules: Ruleset, players: Iterable[Player]) -> None:
    """Raise ValueError where one of them plays as strong players do, and nobody knows how these play."""
    is_known = rules.game.scheme == Scheme.HAN_FU and shipped_policy(rules.table.players) is not None
    if not is_known and any(player.strong for player in players):
        text = _("nobody knows how strong players play under {rules}")
        raise ValueError(text.format(rules=rules.name))


class Simulator:
    """Plays games whose walls follow from a number, under one ruleset with one set of simulated players."""

    def __init__(self, rules: Ruleset, players: Sequence[Player]) -> None:
        """Raise ValueError for :func:`check_known`; ``players`` are those of :meth:`Desk.seat`."""
        self.rules, self.desk = rules, Desk(rules)
        self.desk.seat(players)

    def play(self) -> tuple[int, int]:
        """Play the hand whose wall is laid out; returns (HandEnd, number of winners)."""
        return play_hand(self.desk.state, self.desk.judge)

    def game(self, number: int) -> PlayedGame:
        """Play the game that follows from ``number``: its seed is ``make_seed(number)``."""
        rules, desk = self.rules, self.desk
        seed = make_seed(number)
        digest = hashlib.sha256(b"paifu players %d" % number).digest()
        desk.state.record.random = int.from_bytes(digest[:4], "little") % 2147483646 + 1
        scores: tuple[int, ...] = rules.starts
        start = HandStart(0, 0, 0, 0)
        hands: list[PlayedHand] = []
        winners: list[int] = []
        dealer_wins = 0
        parsed = parse_seed(seed)
        walls, dice = shuffled([(parsed, _FIRST_WALLS)], rules.table.players, rules.flowers)
        layout = layout_of(parsed, rules.table.players)
        while True:
            if len(hands) == len(walls):
                walls, dice = shuffled([(parsed, 2 * len(walls))], rules.table.players, rules.flowers)
            wall, eyes = walls[len(hands)], dice[len(hands)]
            players, supply = rules.table.players, desk.state.supply
            if rules.flowers:
                set_aside = lay_flowers(wall, start.dealer, layout, players)
                supply.flowers[:] = NO_TILE
                supply.owners[: len(set_aside)] = [seat for seat, _ in set_aside]
                supply.flowers[: len(set_aside)] = [flower for _, flower in set_aside]
            live = live_indices(players, rules.tiles.dead_wall, rules.flowers)
            supply.dealt[:players] = wall[deal_indices(players, rules.flowers)[start.dealer, :players]]
            supply.live[: len(live)] = wall[live]
            supply.supplements[: len(layout.supplements)] = wall[list(layout.supplements)]
            supply.indicators[:] = wall[list(layout.indicators)]
            supply.ura[:] = wall[list(layout.ura)]
            desk.begin(start, scores, dealer_wins, eyes)
            hand = desk.played(start, scores, (int(eyes[0]), int(eyes[1])), *self.play())
            hands.append(hand)
            outcome, scores = hand.outcome(rules), hand.scores_after(rules)
            winners += outcome.winners
            if self._is_over(start, outcome, scores):
                costs = [cost for played in hands for cost in played.costs_of_fouls(rules)]
                result = final_result(
                    rules,
                    scores,
                    winners,
                    sticks=outcome.sticks,
                    penalties=penalties(rules, costs),
                    chips=chips_of_hands(rules, hands),
                    ron=hand.ron,
                )
                return PlayedGame(rules, tuple(hands), result, seed)
            following = next_hand(rules, start, outcome)
            dealer_wins = dealer_wins_after(dealer_wins, start, outcome, following)
            start = following

    def _is_over(self, start: HandStart, outcome: HandOutcome, scores: Sequence[int]) -> bool:
        """Whether the game ends here; a dealer who may choose ends it when in the lead."""
        may_follow = endings(self.rules, start, outcome, scores)
        if len(may_follow) == 1 or not dealer_stays(
            self.rules, start.dealer, outcome, is_last=is_last_scheduled(self.rules, start)
        ):
            return may_follow[0] is not None
        return ranking(self.rules, scores)[0] == start.dealer
