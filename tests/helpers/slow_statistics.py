"""Statistics worked out slowly and plainly from the views: an oracle for every metric of the catalogue.

Each hand is followed by :mod:`scratch_state`; wins are as the log claims them; shanten and yaku come from the
library ``mahjong``. Nothing is shared with the records, frames and metrics but the metrics' names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from furiten_oracle import Valued
from mahjong.shanten import Shanten
from scratch_state import CALLS, KANS, kind_of

from paifu.replay.model.events import EventKind, HandEnd
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.yaku import YAKU, YakuKind
from paifu.replay.views.games import Game, Hand

K = EventKind
_SHANTEN = Shanten()
Sum = tuple[int, int]
Rows = list[SimpleNamespace]


def shanten_of(tiles: Iterable[int]) -> int:
    counts = [0] * 34
    for tile in tiles:
        counts[kind_of(tile)] += 1
    few = sum(counts) < 13
    return int(_SHANTEN.calculate_shanten(counts, use_chiitoitsu=not few, use_kokushi=not few))


# --- walking a hand --------------------------------------------------------------------------------------


class Walk(Valued):
    """One hand, event by event."""

    def __init__(self, hand: Hand, rules: Ruleset) -> None:
        super().__init__(hand, rules)
        self.rows = [self._row(seat) for seat in range(hand.players)]

    def _row(self, seat: int) -> SimpleNamespace:
        hand = self.hand
        return SimpleNamespace(
            seat=seat, three=hand.players == 3, dealer=hand.dealer == seat, end=hand.end, result="", value=0,
            paid_for=[], loss=0, hit_limit=0, sticks=0, riichi=0, riichi_turn=0, order=0, riichis=0, kinds=0,
            live=0, river_furiten=False, calls=[], first=False, spoiled=0, kans={}, riichi_kans=0, kita=0,
            turns=0, start=shanten_of(self.players[seat].hand), tenpai=None, tenpai_live=0, waiting=False,
            at_draw=False, nagashi=False, change=0,
            now=shanten_of(self.players[seat].hand), path=[], draws=0, useful=0, losing=0,
            pinfu=False, tanyao=False, dora=0, yakuman=0, ippatsu_tsumo=False, run=0, furiten=set(), won=None,
            label=f"{hand.round}.{hand.honba}",
        )  # fmt: skip

    def go(self) -> Rows:
        for event in self.hand.events:
            in_riichi = [player.riichi > 0 for player in self.players]
            ippatsu = [player.ippatsu for player in self.players]
            self.follow(event)
            if event.seat is None or event.seat >= self.hand.players:
                continue
            row = self.rows[event.seat]
            if event.kind == K.DRAW and not in_riichi[row.seat]:
                row.draws += 1
                row.useful += shanten_of(self.players[row.seat].hand) < row.now
                self._moved(row)
            elif event.kind == K.DISCARD:
                self._discard(row, in_riichi=in_riichi[row.seat])
            elif event.kind == K.RIICHI_PAID:
                row.sticks = self.rules.riichi.riichi_stick
            elif event.kind in CALLS:
                row.first = row.first or not any(r.calls for r in self.rows)
                row.calls.append(row.turns)
                row.spoiled += sum(ippatsu) - ippatsu[row.seat]
                self._moved(row)
            elif event.kind in (K.ANKAN, K.KAKAN, K.KITA):
                row.riichi_kans += event.kind == K.ANKAN and in_riichi[row.seat]
                row.kita += event.kind == K.KITA
                self._moved(row)
            if event.kind in KANS:
                row.kans[event.kind] = row.kans.get(event.kind, 0) + 1
        self._end()
        return self.rows

    def _moved(self, row: SimpleNamespace) -> None:
        if not self.players[row.seat].riichi:
            row.now = shanten_of(self.players[row.seat].hand)

    def _discard(self, row: SimpleNamespace, *, in_riichi: bool) -> None:
        seat, player = row.seat, self.players[row.seat]
        row.turns += 1
        after = shanten_of(player.hand)
        waits = self.waits(seat) if after == 0 else frozenset()
        row.waiting = bool(waits)
        if not in_riichi:
            row.losing += after > row.now
            row.now = after
        row.path.append(row.now if not in_riichi else 0)
        if waits and row.tenpai is None:
            row.tenpai, row.tenpai_live = row.turns, self.unseen(seat, waits)
        in_river = bool(waits & set(player.thrown))
        if in_river:
            row.furiten.add("discard")
        if player.riichi == 1:
            row.riichi = 2 if player.double else 1
            row.riichi_turn, row.order = row.turns, sum(one.riichi > 0 for one in self.players)
            row.kinds, row.live, row.river_furiten = len(waits), self.unseen(seat, waits), in_river
            self._look_at_riichi(row, waits)

    def _look_at_riichi(self, row: SimpleNamespace, waits: frozenset[int]) -> None:
        seat = row.seat
        row.dora = self.dora_of(self.players[seat].hand) + self.laid_dora(seat)
        found = [{yaku.name for yaku in self.answer(seat, wait, tsumo=False).yaku} for wait in waits]
        row.pinfu = bool(found) and all("Pinfu" in names for names in found)
        row.tanyao = bool(found) and all("Tanyao" in names for names in found)

    def _end(self) -> None:
        hand = self.hand
        for row in self.rows:
            row.riichis = sum(player.riichi > 0 for player in self.players)
            row.change = -row.sticks
        for win in hand.wins:
            assert win.seat is not None
            for row in self.rows:
                delta = win.deltas[row.seat]
                assert delta is not None
                row.change += delta
                if row.seat == win.seat:
                    row.won, row.value, row.result = win, win.points, "tsumo" if win.is_tsumo else "ron"
                    row.yakuman = sum(han // 13 for number, han in win.yaku if han >= 13)
                    row.ippatsu_tsumo = win.is_tsumo and any(number == 2 for number, _ in win.yaku)
                elif win.is_tsumo:
                    row.result, row.loss, row.hit_limit = "hit", -delta, int(win.limit or 0)
                elif row.seat == win.source:
                    row.result = "dealt in"
                    row.paid_for.append(win)
                elif not row.result:
                    row.result = "aside"
        if hand.draw:
            for row in self.rows:
                delta = hand.draw.deltas[row.seat]
                row.change += delta or 0
                row.result = "draw" if hand.end in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI) else "aborted"
                if hand.draw.offender == row.seat:
                    row.result = "foul"
                row.at_draw = hand.end == HandEnd.EXHAUSTIVE and row.waiting
                row.nagashi = hand.end == HandEnd.NAGASHI and self.is_nagashi(row.seat)


class Told:
    """All rows of some games: players' hands, wins, deal-ins, players' games."""

    def __init__(self) -> None:
        self.hands: Rows = []
        self.wins: Rows = []
        self.deal_ins: Rows = []
        self.games: Rows = []

    @property
    def of_tables(self) -> Told:
        """The same with one row for each hand and each game."""
        one = Told()
        one.hands, one.games = ([row for row in rows if row.seat == 0] for rows in (self.hands, self.games))
        return one

    def add(self, game: Game, rules: Ruleset) -> None:
        dealer, run = None, 0
        counted = 0
        for hand in game.hands:
            run = run + 1 if hand.dealer == dealer else 1
            dealer = hand.dealer
            if hand.end == HandEnd.UNFINISHED:
                continue
            counted += 1
            rows = Walk(hand, rules).go()
            for row in rows:
                row.run = run if row.dealer else 0
                if row.won is not None:
                    self._add_win(row.won, rows)
            self.hands += rows
        self._add_game(game, rules, counted)

    def _add_win(self, win: Any, rows: Rows) -> None:
        han = dict(win.yaku)
        norths = rows[win.seat].kita if han.get(52) else 0  # Tenhou counts them with the dora
        one = SimpleNamespace(
            win=win, value=win.points, row=rows[win.seat], payer=None if win.is_tsumo else rows[win.source],
            yaku=set(han), limit=int(win.limit or 0), dora=han.get(52, 0) - norths, ura=han.get(53, 0),
            red=han.get(54, 0), kita=han.get(73, 0) + norths, han=sum(han.values()), honba=win.honba,
            turn=rows[win.seat].turns, yakuman=rows[win.seat].yakuman, open=bool(rows[win.seat].calls),
            sticks=win.sticks,
        )  # fmt: skip
        self.wins.append(one)
        if one.payer is not None:
            self.deal_ins.append(one)

    def _add_game(self, game: Game, rules: Ruleset, counted: int) -> None:
        if game.is_cut or None in game.final_scores:
            return
        hands = game.hands
        last = [hand for hand in hands if hand.round >= 4 * (rules.table.wind_rounds - 1) + game.players - 1]
        place = self._places(game.final_scores, game.first_dealer or 0)
        entering = self._places(last[0].scores, game.first_dealer or 0) if last else {}
        rates = [rate or 0 for rate in game.rate]
        for seat in range(game.players):
            table = sum(round(rate * 100) for rate in rates) // game.players if all(rates) else 0
            final = game.final_scores[seat]
            start = hands[0].scores[seat]
            assert final is not None
            assert start is not None
            self.games.append(
                SimpleNamespace(
                    seat=seat,
                    players=game.players,
                    rank=place[seat],
                    final=final,
                    gain=final - start,
                    points=game.final_points[seat],
                    table=table,
                    rate=round(rates[seat] * 100),
                    entering=entering.get(seat, 0),
                    last=len(last),
                    hands=counted,
                    south=rules.table.wind_rounds == 2,
                    phoenix="鳳" in game.rule or (game.go_type or 0) & 0xA0 == 0xA0,
                )
            )

    @staticmethod
    def _places(scores: Iterable[Any], dealer: int) -> dict[int, int]:
        points = list(scores)
        order = sorted(range(len(points)), key=lambda seat: (-points[seat], (seat - dealer) % len(points)))
        return {seat: number for number, seat in enumerate(order, start=1)}


# --- metrics ---------------------------------------------------------------------------------------------

Test = Callable[[SimpleNamespace], Any]


def ratio(rows: Rows, number: Test, among: Test = lambda row: True) -> Sum:
    """Sum of a number, and count, of the rows that are meant."""
    meant = [row for row in rows if among(row)]
    return sum(int(number(row)) for row in meant), len(meant)


def weighted(rows: Rows, number: Test, weight: Test) -> Sum:
    return sum(int(number(row)) for row in rows), sum(int(weight(row)) for row in rows)


def greatest(rows: Rows, number: Test, among: Test = lambda row: True) -> Sum:
    return max((int(number(row)) for row in rows if among(row)), default=0), len(rows)


def metrics(told: Told) -> Iterator[tuple[str, Sum]]:
    """Yield every metric's name and sums, the review's apart."""
    yield from _placement(told)
    yield from _budget(told)
    yield from _wins(told)
    yield from _losses(told)
    yield from _riichi(told)
    yield from _calls(told)
    yield from _draws(told)
    yield from _starts(told)
    yield from _yaku(told)
    yield from _turns(told)


WORDS = {1: "first", 2: "second", 3: "third", 4: "fourth"}


def _bonus(g: SimpleNamespace) -> int:
    return ((30, 10, -10, -30) if g.players == 4 else (30, 0, -30))[g.rank - 1]


def _placement(told: Told) -> Iterator[tuple[str, Sum]]:
    games = told.games
    yield "rank", ratio(games, lambda g: g.rank)
    for rank, word in WORDS.items():
        yield f"{word}_rate", ratio(games, lambda g, rank=rank: g.rank == rank)
        for seat in range(4):
            yield (
                f"seat_{seat + 1}_{word}_rate",
                ratio(games, lambda g, r=rank: g.rank == r, lambda g, s=seat: g.seat == s),
            )
    yield "last_rate", ratio(games, lambda g: g.rank == g.players)
    yield "top_two_rate", ratio(games, lambda g: g.rank in (1, 2))
    yield "bust_rate", ratio(games, lambda g: g.final < 0)
    yield "score_change_game", ratio(games, lambda g: g.gain)
    yield "final_score", ratio(games, lambda g: g.final)
    settled = [g for g in games if g.points is not None]
    yield "game_points", ratio(settled, lambda g: round(10 * g.points))
    yield "game_points_total", (sum(round(10 * g.points) for g in settled), len(games))
    yield "rank_points", ratio(games, lambda g: (90, 45, 0, -135)[g.rank - 1], lambda g: g.players == 4)
    uma = {4: (15, 5, -5, -15), 3: (15, 0, -15)}
    yield "room_points", ratio(games, lambda g: -(-g.gain // 1000) + uma[g.players][g.rank - 1])
    yield "table_rating", ratio(games, lambda g: g.table, lambda g: g.table)
    yield "stable_rating", ratio(games, lambda g: g.table + 4000 * _bonus(g), lambda g: g.table)
    yield (
        "rating_change",
        ratio(games, lambda g: 4000 * _bonus(g) + g.table - g.rate, lambda g: g.table and g.rate),
    )
    for name, south in (("houou_south", True), ("houou_east", False)):
        here = [g for g in games if g.players == 4 and g.phoenix and g.south == south]
        gain = {1: 6, 2: 3}
        yield (
            f"stable_dan_{name}",
            weighted(here, lambda g, gain=gain: gain.get(g.rank, 0), lambda g: g.rank == 4),
        )
    for name in ("tokujou_south", "tokujou_east"):
        yield f"stable_dan_{name}", (0, 0)
    yield "last_hand_hold_rate", ratio(games, lambda g: g.rank == 1, lambda g: g.entering == 1)
    yield "last_hand_overtake_rate", ratio(games, lambda g: g.rank == 1, lambda g: g.entering > 1)
    yield (
        "last_hand_escape_rate",
        ratio(games, lambda g: g.rank < g.players, lambda g: g.entering == g.players),
    )
    for place, before in WORDS.items():
        for rank, word in WORDS.items():
            yield (
                f"last_hand_{before}_to_{word}_rate",
                ratio(games, lambda g, r=rank: g.rank == r, lambda g, p=place: g.entering == p),
            )
    yield "last_hand_repeated_rate", ratio(games, lambda g: g.last > 1)
    yield "hands_per_game", ratio(games, lambda g: g.hands)
    yield "most_points", greatest(games, lambda g: g.final)
    yield "most_hands", greatest(games, lambda g: g.hands)


def won(h: SimpleNamespace) -> bool:
    return h.result in ("tsumo", "ron")


def dealt_in(h: SimpleNamespace) -> bool:
    return bool(h.paid_for)


def lost_value(h: SimpleNamespace) -> int:
    return sum(win.points for win in h.paid_for)


STATES: dict[str, Test] = {
    "riichi": lambda w: w.row.riichi,
    "open": lambda w: w.row.calls,
    "dama": lambda w: not w.row.riichi and not w.row.calls,
}
BANDS = (3900, 7700, 11600)
EDGES = (0, 2000, 3900, 7700, 11600, 16000, 24000, 32000, 10**9)


def _wins(told: Told) -> Iterator[tuple[str, Sum]]:
    hands, wins = told.hands, told.wins
    plain = [w for w in wins if not w.yakuman]
    riichi = [w for w in wins if w.row.riichi]
    yield "win_rate", ratio(hands, won)
    yield "tsumo_share", ratio(wins, lambda w: w.payer is None)
    yield "ron_share", ratio(wins, lambda w: w.payer is not None)
    for name, test in STATES.items():
        yield f"{name}_win_share", ratio(wins, lambda w, t=test: bool(t(w)))
        yield f"{name}_win_value", ratio(wins, lambda w: w.value, test)
        yield f"{name}_win_turn", ratio(wins, lambda w: w.turn, test)
    yield "dealer_win_rate", ratio(hands, won, lambda h: h.dealer)
    yield "dealer_win_share", ratio(wins, lambda w: w.row.dealer)
    yield "win_value", ratio(wins, lambda w: w.value)
    yield "dealer_win_value", ratio(wins, lambda w: w.value, lambda w: w.row.dealer)
    yield "non_dealer_win_value", ratio(wins, lambda w: w.value, lambda w: not w.row.dealer)
    yield "win_income", ratio(hands, lambda h: h.change, won)
    for band in BANDS:
        yield f"win_{band}_share", ratio(wins, lambda w, b=band: w.value >= b)
        yield f"riichi_win_{band}_share", ratio(riichi, lambda w, b=band: w.value >= b)
    yield "win_turn", ratio(wins, lambda w: w.turn)
    yield "win_efficiency", ratio(hands, lambda h: h.value)
    yield "win_deal_in_difference", ratio(hands, lambda h: won(h) - dealt_in(h))
    for number, name in enumerate(("mangan", "haneman", "baiman", "sanbaiman", "yakuman"), start=1):
        yield f"{name}_win_share", ratio(wins, lambda w, n=number: w.limit == n)
    yield "mangan_or_more_share", ratio(wins, lambda w: w.limit > 0)
    for han in range(1, 13):
        yield f"win_{han}_han_share", ratio(wins, lambda w, n=han: not w.yakuman and w.han == n)
    yield "win_13_han_share", ratio(wins, lambda w: not w.yakuman and w.han >= 13)
    for low, high in pairwise(EDGES):
        yield f"win_from_{low}_share", ratio(wins, lambda w, a=low, b=high: a <= w.value < b)
    yield "dora_per_win", ratio(plain, lambda w: w.dora)
    yield "red_per_win", ratio(plain, lambda w: w.red)
    yield "all_dora_per_win", ratio(plain, lambda w: w.dora + w.ura + w.red + w.kita)
    yield "ura_per_riichi_win", ratio(plain, lambda w: w.ura, lambda w: w.row.riichi)
    yield "ura_rate", ratio(plain, lambda w: w.ura > 0, lambda w: w.row.riichi)
    yield "ippatsu_rate", ratio(riichi, lambda w: 2 in w.yaku)
    yield "riichi_tsumo_share", ratio(riichi, lambda w: w.payer is None)
    yield "dearest_win", greatest(wins, lambda w: w.value)
    yield "most_han", (greatest(plain, lambda w: w.han)[0], len(wins))
    yield "most_honba_won", greatest(wins, lambda w: w.honba or 0)
    yield "most_sticks_won", greatest(wins, lambda w: w.sticks or 0)


DEALS: dict[str, Test] = {
    "to_dealer": lambda d: d.row.dealer,
    "to_non_dealer": lambda d: not d.row.dealer,
    "by_dealer": lambda d: d.payer.dealer,
    "by_non_dealer_to_dealer": lambda d: d.row.dealer,
    "by_non_dealer_to_non_dealer": lambda d: not d.row.dealer and not d.payer.dealer,
    "in_riichi": lambda d: d.payer.riichi,
    "while_open": lambda d: d.payer.calls,
    "while_closed": lambda d: not d.payer.calls and not d.payer.riichi,
    "to_riichi": STATES["riichi"],
    "to_open": STATES["open"],
    "to_dama": STATES["dama"],
    "unforced_to_riichi": lambda d: not d.payer.riichi and STATES["riichi"](d),
    "unforced_to_open": lambda d: not d.payer.riichi and STATES["open"](d),
    "unforced_to_dama": lambda d: not d.payer.riichi and STATES["dama"](d),
    "tenpai": lambda d: d.payer.waiting,
}


def _budget(told: Told) -> Iterator[tuple[str, Sum]]:
    """Every payment of a hand under one name, the riichi stick apart."""

    def part(name: str) -> Test:
        def points(row: SimpleNamespace) -> int:
            stick = 0 if won(row) else row.sticks
            if name == "sticks":
                return -stick
            kind = "wins" if won(row) else {"hit": "tsumo", "aside": "deal_ins"}.get(row.result, "draws")
            kind = "deal_ins" if dealt_in(row) else kind
            return row.change + stick if kind == name else 0

        return points

    for name in ("wins", "deal_ins", "tsumo", "draws", "sticks"):
        yield f"budget_{name}", ratio(told.hands, part(name))
    yield "budget_total", ratio(told.hands, lambda h: h.change)


def _losses(told: Told) -> Iterator[tuple[str, Sum]]:
    hands, deals = told.hands, told.deal_ins
    hit = [h for h in hands if h.result == "hit"]
    yield "deal_in_rate", ratio(hands, dealt_in)
    yield "deal_ins_per_hand", ratio(hands, lambda h: len(h.paid_for))
    yield "deal_in_value", ratio(deals, lambda d: d.value)
    yield "dearest_deal_in", greatest(deals, lambda d: d.value)
    for name, test in DEALS.items():
        yield f"deal_in_{name}_share", ratio(deals, lambda d, t=test: bool(t(d)))
        yield f"deal_in_{name}_value", ratio(deals, lambda d: d.value, test)
    for name, ids in {
        "ippatsu": {2}, "pinfu": {7}, "chiitoitsu": {22}, "toitoi": {28}, "tanyao": {8}, "flush": {34, 35},
    }.items():  # fmt: skip
        yield f"deal_in_to_{name}_share", ratio(deals, lambda d, i=ids: bool(d.yaku & i))
    for band in BANDS:
        yield f"deal_in_{band}_share", ratio(deals, lambda d, b=band: d.value >= b)
    for low, high in pairwise(EDGES):
        yield f"deal_in_from_{low}_share", ratio(deals, lambda d, a=low, b=high: a <= d.value < b)
    yield "deal_in_shanten", ratio(deals, lambda d: d.payer.now)
    yield "deal_in_turn", ratio(deals, lambda d: d.payer.turns)
    yield "deal_in_winner_turn", ratio(deals, lambda d: d.turn)
    yield "hit_rate", ratio(hands, lambda h: h.result == "hit")
    yield "hit_loss", ratio(hit, lambda h: h.loss)
    yield "greatest_hit", greatest(hit, lambda h: h.loss)
    yield "hit_turn", ratio(hit, lambda h: h.turns)
    yield "dealer_hit_rate", ratio(hands, lambda h: h.result == "hit", lambda h: h.dealer and not won(h))
    yield "dealer_hit_mangan_share", ratio(hit, lambda h: h.dealer and h.hit_limit > 0)
    yield "aside_rate", ratio(hands, lambda h: h.result == "aside")
    yield "deal_in_loss", ratio(hands, lost_value)
    yield "net_efficiency", ratio(hands, lambda h: h.value - lost_value(h))
    yield "score_change_hand", ratio(hands, lambda h: h.change)


OUTCOMES: dict[str, Test] = {
    "win": won,
    "deal_in": dealt_in,
    "hit": lambda h: h.result == "hit",
    "aside": lambda h: h.result == "aside",
    "draw": lambda h: h.end == HandEnd.EXHAUSTIVE,
}
SORTS: dict[str, Test] = {
    "first": lambda h: h.order == 1,
    "chase": lambda h: h.order > 1,
    "chased": lambda h: h.riichis > h.order,
    "good": lambda h: h.live >= 6,
    "bad": lambda h: h.live < 6,
    "furiten": lambda h: h.river_furiten,
}


def _riichi(told: Told) -> Iterator[tuple[str, Sum]]:
    hands = told.hands
    riichi = [h for h in hands if h.riichi]
    faced = [h for h in hands if h.riichis and h.order != 1]
    yield "riichi_rate", ratio(hands, lambda h: h.riichi > 0)
    yield "riichi_turn", ratio(riichi, lambda h: h.riichi_turn)
    yield "double_riichi_share", ratio(riichi, lambda h: h.riichi == 2)
    yield "double_riichi_count", (sum(h.riichi == 2 for h in riichi), len(riichi))
    for name, test in OUTCOMES.items():
        yield f"riichi_{name}_rate", ratio(riichi, test)
        yield f"faced_{name}_rate", ratio(faced, test)
    yield "faced_balance", ratio(faced, lambda h: h.change)
    yield "riichi_tile_deal_in_rate", ratio(riichi, lambda h: dealt_in(h) and not h.sticks)
    yield "riichi_later_deal_in_rate", ratio(riichi, lambda h: dealt_in(h) and h.sticks > 0)
    yield "riichi_income", ratio(riichi, lambda h: h.value, won)
    yield "riichi_cost", ratio(riichi, lost_value, dealt_in)
    yield "riichi_balance", ratio(riichi, lambda h: h.change)
    for name, test in SORTS.items():
        yield f"riichi_{name}_share", ratio(riichi, test)
        yield f"riichi_{name}_win_rate", ratio(riichi, won, test)
        yield f"riichi_{name}_income", ratio(riichi, lambda h: h.value, lambda h, t=test: t(h) and won(h))
        yield f"riichi_{name}_deal_in_rate", ratio(riichi, dealt_in, test)
        yield f"riichi_{name}_cost", ratio(riichi, lost_value, lambda h, t=test: t(h) and dealt_in(h))
        yield f"riichi_{name}_balance", ratio(riichi, lambda h: h.change, test)
        if name not in ("good", "bad"):
            yield f"riichi_{name}_good_share", ratio(riichi, SORTS["good"], test)
    yield "riichi_multi_sided_share", ratio(riichi, lambda h: h.kinds > 1)
    yield "riichi_live_tiles", ratio(riichi, lambda h: h.live)
    yield "riichi_pinfu_share", ratio(riichi, lambda h: h.pinfu)
    yield "riichi_tanyao_share", ratio(riichi, lambda h: h.tanyao)
    yield "riichi_dora", ratio(riichi, lambda h: h.dora)
    for least in (2, 3):
        yield f"riichi_dora_{least}_share", ratio(riichi, lambda h, n=least: h.dora >= n)
    yield "riichi_kan_rate", ratio(riichi, lambda h: h.riichi_kans > 0)
    yield "ippatsu_tsumo_rate", ratio(riichi, lambda h: h.ippatsu_tsumo)
    for order in (1, 2, 3):
        for name in ("good", "bad"):
            yield (
                f"riichi_{order}_{name}_win_rate",
                ratio(riichi, won, lambda h, o=order, t=SORTS[name]: h.order == o and t(h)),
            )


def _calls(told: Told) -> Iterator[tuple[str, Sum]]:
    hands = told.hands
    called = [h for h in hands if h.calls]
    yield "call_rate", ratio(hands, lambda h: bool(h.calls))
    yield "calls_per_open_hand", ratio(called, lambda h: len(h.calls))
    yield "open_draw_rate", ratio(called, OUTCOMES["draw"])
    yield "open_hit_rate", ratio(called, OUTCOMES["hit"])
    yield "four_calls_share", ratio(called, lambda h: len(h.calls) == 4)
    for least in range(1, 5):
        rows = [h for h in hands if len(h.calls) >= least]
        wins = [w for w in told.wins if len(w.row.calls) >= least]
        pre = f"calls_{least}"
        if least > 1:
            yield f"{pre}_rate", ratio(hands, lambda h, n=least: len(h.calls) >= n)
        yield f"{pre}_win_rate", ratio(rows, won)
        yield f"{pre}_win_value", ratio(wins, lambda w: w.value)
        yield f"{pre}_win_income", ratio(rows, lambda h: h.change, won)
        yield f"{pre}_deal_in_rate", ratio(rows, dealt_in)
        yield f"{pre}_tenpai_deal_in_rate", ratio(rows, lambda h: dealt_in(h) and h.waiting)
        yield f"{pre}_noten_deal_in_rate", ratio(rows, lambda h: dealt_in(h) and not h.waiting)
        yield f"{pre}_deal_in_value", ratio(rows, lost_value, dealt_in)
        yield f"{pre}_tsumo_share", ratio(wins, lambda w: w.payer is None)
        for band in BANDS:
            yield f"{pre}_win_{band}_share", ratio(wins, lambda w, b=band: w.value >= b)
        for dora in (2, 3):
            yield f"{pre}_dora_{dora}_share", ratio(wins, lambda w, n=dora: w.dora + w.red + w.kita >= n)
        for name, ids in {
            "tanyao": {8}, "yakuhai": set(range(10, 21)), "flush": {34, 35}, "toitoi": {28},
        }.items():  # fmt: skip
            yield f"{pre}_{name}_share", ratio(wins, lambda w, i=ids: bool(w.yaku & i))
        yield f"{pre}_turn", ratio(rows, lambda h, n=least: h.calls[n - 1])
        yield f"{pre}_first_share", ratio(rows, lambda h: h.first)
        yield f"{pre}_ippatsu_share", ratio(rows, lambda h: h.spoiled > 0)
        yield f"{pre}_balance", ratio(rows, lambda h: h.change)
    for kind in (K.ANKAN, K.KAKAN, K.DAIMINKAN):
        yield f"{kind.name.lower()}_per_hand", ratio(hands, lambda h, k=kind: h.kans.get(k, 0))
    yield "kita_per_hand", ratio(hands, lambda h: h.kita, lambda h: h.three)

    def kans(h: SimpleNamespace) -> int:
        return sum(h.kans.values())

    yield "kan_win_share", weighted(hands, lambda h: kans(h) * won(h), kans)
    yield "kan_deal_in_share", weighted(hands, lambda h: kans(h) * dealt_in(h), kans)
    yield "kan_win_value", weighted(hands, lambda h: kans(h) * h.value, lambda h: kans(h) * won(h))
    yield (
        "kan_deal_in_value",
        weighted(hands, lambda h: kans(h) * lost_value(h), lambda h: kans(h) * dealt_in(h)),
    )
    yield "kan_balance", weighted(hands, lambda h: kans(h) * h.change, kans)


def _draws(told: Told) -> Iterator[tuple[str, Sum]]:
    hands = told.hands
    drawn = [h for h in hands if h.end == HandEnd.EXHAUSTIVE]
    yield "draw_rate", ratio(hands, OUTCOMES["draw"])
    yield "draw_tenpai_rate", ratio(drawn, lambda h: h.at_draw)
    yield "draw_noten_rate", ratio(drawn, lambda h: not h.at_draw)
    yield "draw_balance", ratio(drawn, lambda h: h.change)
    yield "draw_tenpai_balance", ratio(drawn, lambda h: h.change, lambda h: h.at_draw)
    yield "draw_noten_balance", ratio(drawn, lambda h: h.change, lambda h: not h.at_draw)
    yield "abortive_rate", ratio(hands, lambda h: h.result == "aborted" and h.end != HandEnd.CHOMBO)
    yield "foul_rate", ratio(hands, lambda h: h.result == "foul")
    ends = {
        "nine_terminals": HandEnd.KYUUSHU, "four_winds": HandEnd.SUUFON, "four_riichi": HandEnd.SUUCHA,
        "three_rons": HandEnd.SANCHAHOU, "four_kans": HandEnd.SUUKAIKAN,
    }  # fmt: skip
    for name, end in ends.items():
        yield f"{name}_count", ratio(hands, lambda h, e=end: h.end == e)
    yield "nagashi_count", ratio(hands, lambda h: h.nagashi)


def _starts(told: Told) -> Iterator[tuple[str, Sum]]:
    hands = told.hands
    tenpai = [h for h in hands if h.tenpai is not None]
    yield "start_shanten", ratio(hands, lambda h: h.start)
    yield "dealer_start_shanten", ratio(hands, lambda h: h.start, lambda h: h.dealer)
    yield "non_dealer_start_shanten", ratio(hands, lambda h: h.start, lambda h: not h.dealer)
    for number in range(7):
        yield f"start_shanten_{number}_share", ratio(hands, lambda h, n=number: h.start == n)
    yield "tenpai_rate", ratio(hands, lambda h: h.tenpai is not None)
    yield "tenpai_turn", ratio(tenpai, lambda h: h.tenpai)
    yield "tenpai_win_rate", ratio(tenpai, won)
    yield "tenpai_live_tiles", ratio(tenpai, lambda h: h.tenpai_live)
    lost = [h for h in tenpai if not won(h)]
    yield "tenpai_outraced_share", ratio(lost, lambda h: h.result in ("hit", "aside"))
    yield "tenpai_drawn_share", ratio(lost, OUTCOMES["draw"])
    yield "tenpai_dealt_in_share", ratio(lost, dealt_in)
    yield "useful_draw_share", weighted(hands, lambda h: h.useful, lambda h: h.draws)
    yield "losing_discards", ratio(hands, lambda h: h.losing)
    yield "turns", ratio(hands, lambda h: h.turns)
    yield "longest_river", greatest(hands, lambda h: h.turns)
    yield "longest_dealer_run", greatest(hands, lambda h: h.run)
    yield "furiten_discard_rate", ratio(tenpai, lambda h: "discard" in h.furiten)


def _slug(name: str) -> str:
    return name.replace(" ", "_")


def _yaku(told: Told) -> Iterator[tuple[str, Sum]]:
    wins = told.wins
    groups = {"yakuhai": set(range(10, 21))}
    groups |= {
        _slug(y.romaji): {y.id} for y in YAKU.values() if y.kind not in (YakuKind.DORA, YakuKind.YAKUMAN)
    }
    for name, ids in groups.items():
        yield f"yaku_{name}", ratio(wins, lambda w, i=ids: bool(w.yaku & i))
        yield f"yaku_{name}_value", ratio(wins, lambda w: w.value, lambda w, i=ids: bool(w.yaku & i))
        yield f"yaku_{name}_closed", ratio(wins, lambda w, i=ids: bool(w.yaku & i), lambda w: not w.open)
        yield f"yaku_{name}_open", ratio(wins, lambda w, i=ids: bool(w.yaku & i), lambda w: w.open)
    yield "yakuman_win_rate", ratio(wins, lambda w: w.yakuman > 0)
    yield "yakuman_hand_rate", ratio(told.hands, lambda h: h.yakuman > 0)
    yield "yakuman_count", ratio(wins, lambda w: w.yakuman > 0)
    for name in ("counted_yakuman_count", "counted_yakuman_win_rate"):
        yield name, ratio(wins, lambda w: w.limit == 5 and not w.yakuman)
    for yaku in YAKU.values():
        if yaku.kind is YakuKind.YAKUMAN:
            yield f"yakuman_{_slug(yaku.romaji)}_count", ratio(wins, lambda w, i=yaku.id: i in w.yaku)


def _turns(told: Told) -> Iterator[tuple[str, Sum]]:
    hands = told.hands
    for turn in range(1, 19):
        yield f"tenpai_by_turn_{turn}", ratio(hands, lambda h, t=turn: h.tenpai is not None and h.tenpai <= t)
        yield f"riichi_by_turn_{turn}", ratio(hands, lambda h, t=turn: h.riichi and h.riichi_turn <= t)
        yield f"called_by_turn_{turn}", ratio(hands, lambda h, t=turn: bool(h.calls) and h.calls[0] <= t)
        yield f"won_by_turn_{turn}", ratio(hands, lambda h, t=turn: won(h) and h.turns <= t)
        yield f"dealt_in_by_turn_{turn}", ratio(hands, lambda h, t=turn: dealt_in(h) and h.turns <= t)
        yield (
            f"shanten_at_turn_{turn}",
            ratio(hands, lambda h, t=turn: h.path[t - 1], lambda h, t=turn: len(h.path) >= t),
        )
        yield f"win_value_at_turn_{turn}", ratio(told.wins, lambda w: w.value, lambda w, t=turn: w.turn == t)
