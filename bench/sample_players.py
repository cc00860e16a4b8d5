"""Hands of a game, played under Tenhou's rules by four (or three) of the same simple player.

The player: discards for the lowest shanten and then the most live tiles, declares riichi whenever it may,
wins whenever it may, calls honours that give a yaku, and other tiles once it has such a call; it makes
closed and added kans, sets norths aside, and never folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tenhou_walls import Wall

from paifu.parsers.mjlog.melds import LoggedMeld, encode_meld
from paifu.replay.course import settlement
from paifu.replay.course.settlement import HandStart, OutcomeKind
from paifu.replay.model.builder import DraftRow, GameDraft
from paifu.replay.model.events import NO_SEAT, EventKind, HandEnd, pack
from paifu.replay.model.tiles import EAST, NO_TILE, NORTH, TERMINALS_AND_HONOURS, TILE_OF_ID_RED
from paifu.replay.rules.hand_facts import RON, Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring import readings
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.score import ScoredWin, score
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.scoring.yaku import DORA_ID, KITA_ID, RED_DORA_ID, URA_DORA_ID
from paifu.replay.shapes.shanten import Discard, discards, shanten, waits

MOST_KANS = 3
"""The players stop short of the fourth kan."""
_ABORTING_RONS = 3
_MANGAN = 2000
"""What a non-dealer pays another for a mangan tsumo; with the dealer in it, twice."""
_KANS = (EventKind.ANKAN, EventKind.KAKAN, EventKind.DAIMINKAN)
_YAKU_ORDER = (1, 21, 2, 0)
_DORA_ORDER = (DORA_ID, RED_DORA_ID, URA_DORA_ID)


def tile_of(tile_id: int) -> int:
    """The tile (0-36) of a physical tile."""
    return int(TILE_OF_ID_RED[tile_id])


def kind_of(tile_id: int) -> int:
    """The kind (0-33) of a physical tile."""
    return tile_id // 4


@dataclass(slots=True)
class Player:
    """One seat during a hand; tiles are physical ids."""

    seat: int
    wind: int
    hand: list[int]
    melds: list[LoggedMeld] = field(default_factory=list)
    kita: list[int] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    """Codes of melds and kita, the newest first."""
    river: list[int] = field(default_factory=list)
    waits: frozenset[int] = frozenset()
    riichi: Situation = RON
    ippatsu: bool = False
    missed: bool = False
    """A tile that it waits for went by since its last discard, or since riichi."""
    called_away: bool = False
    """A discard of its was called."""

    @property
    def is_closed(self) -> bool:
        """Nothing was called."""
        return all(meld.kind == EventKind.ANKAN for meld in self.melds)

    @property
    def groups(self) -> list[list[int]]:
        """The melds as tiles."""
        return [[tile_of(tile) for tile in (meld.tile, *meld.own)] for meld in self.melds]

    @property
    def tiles(self) -> list[int]:
        """The hand as tiles (0-36)."""
        return [tile_of(tile) for tile in self.hand]

    @property
    def is_furiten(self) -> bool:
        """Whether it may not win by ron."""
        return self.missed or any(kind_of(tile) in self.waits for tile in self.river)

    def held(self, kind: int) -> list[int]:
        """The ids of one kind in hand, red fives first."""
        return sorted((tile for tile in self.hand if kind_of(tile) == kind), key=lambda t: -tile_of(t))

    def take_out(self, tiles: Sequence[int]) -> None:
        """Take tiles out of the hand."""
        for tile in tiles:
            self.hand.remove(tile)


class Hand:
    """One hand from the deal to its result, noted in the draft as it is played."""

    def __init__(
        self, rules: Ruleset, start: HandStart, scores: list[int], wall: Wall, draft: GameDraft
    ) -> None:
        self.rules, self.start, self.scores, self.wall, self.draft = rules, start, scores, wall, draft
        self.sanma = rules.table.players == 3
        dealt = wall.dealt(start.dealer)
        self.players = [
            Player(seat, (seat - start.dealer) % rules.table.players, dealt[seat].tolist())
            for seat in range(rules.table.players)
        ]
        self.live: list[int] = wall.live.tolist()
        self.supplements: list[int] = wall.supplements.tolist()
        self.indicators = [int(wall.indicators[0])]
        self.drawn = self.drawn_supplements = 0
        self.kans = 0
        self.pending = False
        """An open kan's dora indicator is due before the next discard."""
        self.untouched = True
        """Nobody has called; the first go-around is as dealt."""
        self.declared: list[int] = []
        for player in self.players:
            self._look(player)
        draft.begin_hand(
            len(draft.words),
            {
                "round": start.round,
                "honba": start.honba,
                "sticks": start.sticks,
                "dealer": start.dealer,
                "dice": bytes(wall.dice),
                "scores": padded(scores),
                "dora": self.indicators[0],
                "dealt": dealt.tobytes(),
            },
        )

    # --- what everybody needs -------------------------------------------------------------------------

    @property
    def _left(self) -> int:
        """Draws left in the live wall."""
        return len(self.live) - self.drawn - self.drawn_supplements

    @property
    def _sticks(self) -> int:
        return self.start.sticks + len(self.declared)

    def _note(self, kind: EventKind, seat: int = NO_SEAT, tile: int = NO_TILE) -> None:
        self.draft.words.append(pack(kind, seat, tile))

    def _look(self, player: Player) -> None:
        """Work out the waits of a hand of 13."""
        player.waits = frozenset(waits(player.tiles, player.groups, sanma=self.sanma))

    def _others(self, seat: int) -> Iterator[Player]:
        """The other players in turn order after ``seat``."""
        for turn in range(1, self.rules.table.players):
            yield self.players[(seat + turn) % self.rules.table.players]

    def _seen_by(self, player: Player) -> list[int]:
        """All tiles a player sees."""
        open_tiles = [tile for other in self.players for tile in other.river + other.kita]
        melds = [tile for other in self.players for group in other.groups for tile in group]
        called = self._called_tiles()
        return [
            *player.tiles,
            *melds,
            *(tile_of(tile) for tile in open_tiles if tile not in called),
            *map(tile_of, self.indicators),
        ]

    def _called_tiles(self) -> set[int]:
        return {tile for player in self.players for meld in player.melds for tile in (meld.tile, *meld.own)}

    # --- play -----------------------------------------------------------------------------------------

    def play(self) -> settlement.HandOutcome:
        """Play the hand to its end; ``scores`` are changed in place."""
        player, is_supplement = self.players[self.start.dealer], False
        while True:
            drawn = self._draw(player, is_supplement=is_supplement)
            if end := self._end_on_draw(player, drawn, is_supplement=is_supplement):
                return end
            extra = self._choose_extra(player, drawn)
            if extra is not None:
                if end := self._set_aside(player, extra):
                    return end
                is_supplement = True
                continue
            tile = self._choose_discard(player, drawn)
            while True:
                if end := self._discard(player, tile):
                    return end
                call = self._choose_call(player, tile)
                if call is None:
                    player, is_supplement = next(self._others(player.seat)), False
                    break
                player.called_away = True
                player = self.players[call.seat]
                self._show(player, call)
                if call.kind == EventKind.DAIMINKAN:
                    self.pending = is_supplement = True
                    break
                tile = self._choose_discard(player, None, forbidden_after(call))

    def _draw(self, player: Player, *, is_supplement: bool) -> int:
        if is_supplement:
            tile = self.supplements[self.drawn_supplements]
            self.drawn_supplements += 1
        else:
            tile = self.live[self.drawn]
            self.drawn += 1
        self._note(EventKind.DRAW, player.seat, tile)
        player.hand.append(tile)
        return tile

    def _turn_indicator(self) -> None:
        self.indicators.append(int(self.wall.indicators[len(self.indicators)]))
        self._note(EventKind.DORA, tile=self.indicators[-1])
        self.pending = False

    def _is_first_turn(self, player: Player) -> bool:
        return self.untouched and not player.river

    def _end_on_draw(
        self, player: Player, drawn: int, *, is_supplement: bool
    ) -> settlement.HandOutcome | None:
        """A tsumo, or nine kinds of terminals and honours."""
        situation = Situation.TSUMO
        if is_supplement:
            situation |= Situation.RINSHAN
        elif self._left == 0:
            situation |= Situation.HAITEI
        if self._is_first_turn(player):
            situation |= Situation.CHIIHOU if player.wind else Situation.TENHOU
        if self._value(player, drawn, situation):
            return self._win([player], player, drawn, situation)
        kinds = {kind_of(tile) for tile in player.hand} & set(TERMINALS_AND_HONOURS)
        if self._is_first_turn(player) and len(kinds) >= 9:
            return self._abort(HandEnd.KYUUSHU, [player])
        return None

    def _choose_extra(self, player: Player, drawn: int) -> LoggedMeld | None:
        """A kita or kan to make after a draw."""
        if not self._left:
            return None
        norths = [drawn] if player.riichi else player.held(NORTH)
        if self.rules.calls.kita and norths and kind_of(norths[0]) == NORTH:
            return LoggedMeld(EventKind.KITA, player.seat, NO_SEAT, norths[0], ())
        if player.riichi or self.pending or self.kans >= MOST_KANS:
            return None
        for meld in player.melds:
            fourth = player.held(kind_of(meld.tile))
            if meld.kind == EventKind.PON and fourth:
                return LoggedMeld(
                    EventKind.KAKAN, player.seat, meld.source, fourth[0], (meld.tile, *meld.own)
                )
        before = self._best_discard(player).after.shanten
        for kind in {kind_of(tile) for tile in player.hand}:
            four = sorted(player.held(kind))
            if len(four) == 4:
                rest = [tile_of(tile) for tile in player.hand if tile not in four]
                groups = [*player.groups, [tile_of(tile) for tile in four]]
                if shanten(rest, groups, sanma=self.sanma).least <= before:
                    return LoggedMeld(EventKind.ANKAN, player.seat, NO_SEAT, four[0], tuple(four[1:]))
        return None

    def _set_aside(self, player: Player, meld: LoggedMeld) -> settlement.HandOutcome | None:
        """Make a kita, a closed or an added kan, unless it is robbed."""
        self._note_meld(player, meld)
        if meld.kind == EventKind.KITA:
            player.take_out([meld.tile])
            player.kita.append(meld.tile)
        elif meld.kind == EventKind.KAKAN:
            player.take_out([meld.tile])
            place = next(i for i, pon in enumerate(player.melds) if pon.tile == meld.own[0])
            player.melds[place] = meld
        else:
            player.take_out([meld.tile, *meld.own])
            player.melds.append(meld)
        if meld.kind != EventKind.ANKAN:
            robbing = Situation.CHANKAN if meld.kind == EventKind.KAKAN else RON
            if end := self._claims(player, meld.tile, robbing):
                return end
        self._interrupt()
        if self.pending:
            self._turn_indicator()
        self.kans += meld.kind in _KANS
        if meld.kind == EventKind.ANKAN:
            self._turn_indicator()
        self.pending = meld.kind == EventKind.KAKAN
        return None

    def _interrupt(self) -> None:
        self.untouched = False
        for player in self.players:
            player.ippatsu = False

    def _note_meld(self, player: Player, meld: LoggedMeld) -> None:
        self.draft.words.append(pack(meld.kind, meld.seat, meld.tile, meld.source, meld.own))
        code = encode_meld(meld)
        if meld.kind == EventKind.KAKAN:
            pon = LoggedMeld(EventKind.PON, meld.seat, meld.source, meld.own[0], meld.own[1:])
            player.shown[player.shown.index(encode_meld(pon))] = code
        else:
            player.shown.insert(0, code)

    # --- discards -------------------------------------------------------------------------------------

    def _best_discard(self, player: Player, forbidden: frozenset[int] = frozenset()) -> Discard:
        """The best discard from a hand of 14: least shanten, most live tiles, then honours and ends first."""
        choices = [
            choice
            for choice in discards(player.tiles, player.groups, self._seen_by(player), sanma=self.sanma)
            if choice.kind not in forbidden
        ]
        return min(choices, key=lambda one: (one.after.shanten, -one.after.live, -outerness(one.kind)))

    def _choose_discard(
        self, player: Player, drawn: int | None, forbidden: frozenset[int] = frozenset()
    ) -> int:
        """The tile to discard, declaring riichi where it may."""
        if player.riichi and drawn is not None:
            return drawn
        best = self._best_discard(player, forbidden)
        tiles = player.held(best.kind)
        tile = drawn if drawn in tiles and tile_of(drawn) == best.kind else tiles[-1]
        after = [kind_of(other) for other in [*player.river, tile]]
        if (
            best.after.shanten == 0
            and best.after.live
            and player.is_closed
            and self._left >= self.rules.riichi.riichi_wall
            and self.scores[player.seat] >= self.rules.riichi.riichi_points
            and not set(best.after.kinds) & set(after)
        ):
            player.riichi = Situation.DOUBLE_RIICHI if self._is_first_turn(player) else Situation.RIICHI
            self._note(EventKind.RIICHI, player.seat)
        return tile

    def _discard(self, player: Player, tile: int) -> settlement.HandOutcome | None:
        """Discard, and see whether that ends the hand."""
        if self.pending:
            self._turn_indicator()
        self._note(EventKind.DISCARD, player.seat, tile)
        player.take_out([tile])
        player.river.append(tile)
        player.ippatsu = False
        self._look(player)
        if player.seat not in self.declared:
            player.missed = False
        if end := self._claims(player, tile, RON if self._left else Situation.HOUTEI):
            return end
        if player.riichi and player.seat not in self.declared:
            self.declared.append(player.seat)
            self.scores[player.seat] -= self.rules.riichi.riichi_stick
            player.ippatsu = True
            self.draft.words.append(0)
            self.draft.riichi_paid(len(self.draft.words) - 1, player.seat, padded(self.scores))
        if self._is_four_winds():
            return self._abort(HandEnd.SUUFON, [])
        if len(self.declared) == 4:
            return self._abort(HandEnd.SUUCHA, self.players)
        return None if self._left else self._exhaust()

    def _is_four_winds(self) -> bool:
        rivers = [player.river for player in self.players]
        if self.sanma or not self.untouched or any(len(river) != 1 for river in rivers):
            return False
        kinds = {kind_of(river[0]) for river in rivers}
        return len(kinds) == 1 and kinds <= set(range(EAST, NORTH + 1))

    def _choose_call(self, discarder: Player, tile: int) -> LoggedMeld | None:
        """The call that somebody makes of a discard; a pon or kan goes before a chi."""
        callers = [player for player in self._others(discarder.seat) if not player.riichi]
        for player in callers:
            same = player.held(kind_of(tile))
            is_ready = self._has_yaku_meld(player) or self._is_value(player, kind_of(tile))
            if not is_ready or len(same) < 2:
                continue
            if len(same) == 3 and player.melds and self.kans < MOST_KANS:
                return LoggedMeld(EventKind.DAIMINKAN, player.seat, discarder.seat, tile, tuple(sorted(same)))
            pon = LoggedMeld(EventKind.PON, player.seat, discarder.seat, tile, tuple(sorted(same[:2])))
            if self._helps(player, pon):
                return pon
        if self.rules.calls.chi and callers and callers[0] is next(self._others(discarder.seat)):
            player = callers[0]
            for pair in self._runs(player, kind_of(tile)) if self._has_yaku_meld(player) else ():
                chi = LoggedMeld(EventKind.CHI, player.seat, discarder.seat, tile, pair)
                if self._helps(player, chi):
                    return chi
        return None

    def _runs(self, player: Player, kind: int) -> Iterator[tuple[int, ...]]:
        """Pairs of own tiles that make a run with a kind."""
        near = [k for k in range(kind - 2, kind + 3) if k != kind and k // 9 == kind // 9 and kind < EAST]
        for low, high in combinations(near, 2):
            if max(high, kind) - min(low, kind) == 2 and player.held(low) and player.held(high):
                yield player.held(low)[0], player.held(high)[0]

    def _is_value(self, player: Player, kind: int) -> bool:
        return kind > NORTH or kind in (EAST + player.wind, EAST + self.start.round // 4)

    def _has_yaku_meld(self, player: Player) -> bool:
        return any(self._is_value(player, kind_of(meld.tile)) for meld in player.melds)

    def _helps(self, player: Player, call: LoggedMeld) -> bool:
        """Whether a call lowers the shanten."""
        before = shanten(player.tiles, player.groups, sanma=self.sanma).least
        after = Player(player.seat, player.wind, list(player.hand), [*player.melds, call])
        after.take_out(call.own)
        forbidden = forbidden_after(call)
        if all(kind_of(tile) in forbidden for tile in after.hand):
            return False
        groups = after.groups
        best = min(
            choice.after.shanten
            for choice in discards(after.tiles, groups, sanma=self.sanma)
            if choice.kind not in forbidden
        )
        return best < before

    def _show(self, player: Player, call: LoggedMeld) -> None:
        """Make a call of a discard."""
        self._note_meld(player, call)
        player.take_out(call.own)
        player.melds.append(call)
        self.kans += call.kind in _KANS
        self._interrupt()

    # --- wins -----------------------------------------------------------------------------------------

    def _value(
        self, player: Player, tile: int, situation: Situation, row: DraftRow | None = None
    ) -> ScoredWin | None:
        """What a win is worth; None for a false one. ``row`` gives payer, honba and sticks."""
        is_tsumo = Situation.TSUMO in situation
        tiles = player.hand if is_tsumo else [*player.hand, tile]
        if not is_tsumo and kind_of(tile) not in player.waits:
            return None
        situation |= player.riichi | (Situation.IPPATSU if player.ippatsu else RON)
        ura = self.wall.ura[: len(self.indicators)] if player.riichi else ()
        details = row or {}
        try:
            return score(
                WinningHand(
                    tiles=tuple(map(tile_of, tiles)),
                    win=tile_of(tile),
                    melds=tuple(
                        readings.Meld(readings.MeldKind(meld.kind), tuple(group))
                        for meld, group in zip(player.melds, player.groups, strict=True)
                    ),
                    situation=situation,
                    seat_wind=player.wind,
                    round_wind=self.start.round // 4,
                    dora_indicators=tuple(map(tile_of, self.indicators)),
                    ura_indicators=tuple(map(tile_of, ura)),
                    kita=len(player.kita),
                    **details,
                ).as_played(self.rules),
                self.rules,
            )
        except HandError:
            return None

    def _claims(self, discarder: Player, tile: int, situation: Situation) -> settlement.HandOutcome | None:
        """Let the others win a tile; who waits for it and does not becomes furiten."""
        claiming = [
            player
            for player in self._others(discarder.seat)
            if not player.is_furiten and self._value(player, tile, situation)
        ]
        for player in self._others(discarder.seat):
            player.missed |= kind_of(tile) in player.waits
        if not claiming:
            return None
        if len(claiming) == _ABORTING_RONS:
            return self._abort(HandEnd.SANCHAHOU, claiming)
        return self._win(claiming, discarder, tile, situation)

    def _win(
        self, winners: list[Player], payer: Player, tile: int, situation: Situation
    ) -> settlement.HandOutcome:
        """Note and pay the wins on a tile."""
        seats = tuple(player.seat for player in winners)
        for player in winners:
            is_first = player is winners[0]
            sticks = self._sticks if is_first else 0
            details: DraftRow = {"honba": self.start.honba if is_first else 0, "sticks": sticks}
            if player is not payer:
                details["payer"] = payer.wind
            scored = self._value(player, tile, situation, details)
            if scored is None:
                raise RuntimeError("a claimed win is worth something")
            deltas = [scored.payments[other.wind] for other in self.players]
            hand = player.hand if player is payer else [*player.hand, tile]
            yaku = listed_yaku(scored, is_riichi=bool(player.riichi))
            ura = self.wall.ura[: len(self.indicators)].tobytes() if player.riichi else b""
            self.draft.words.append(0)
            self.draft.win(
                len(self.draft.words) - 1,
                {
                    "seat": player.seat,
                    "source": payer.seat,
                    "tile": tile,
                    "tiles": bytes(sorted(hand)),
                    "melds": player.shown + [-1] * (8 - len(player.shown)),
                    "fu": scored.fu,
                    "points": scored.points,
                    "limit": scored.limit.value,
                    "honba": self.start.honba,
                    "sticks": sticks,
                    "yaku": bytes(number for number, _ in yaku),
                    "han": bytes(han for _, han in yaku),
                    "scores": padded(self.scores),
                    "deltas": padded(deltas),
                    "dora": bytes(self.indicators),
                    "ura": ura,
                },
            )
            self._pay(deltas)
        return settlement.HandOutcome(OutcomeKind.WIN, winners=seats)

    # --- ends without a winner ------------------------------------------------------------------------

    def _exhaust(self) -> settlement.HandOutcome:
        """The wall is empty."""
        ready = [player for player in self.players if player.waits]
        tenpai = tuple(player.seat for player in ready)
        nagashi = [
            player.seat
            for player in self.players
            if not player.called_away and {kind_of(t) for t in player.river} <= set(TERMINALS_AND_HONOURS)
        ]
        kind, deltas = HandEnd.EXHAUSTIVE, self._noten_payments(tenpai)
        if nagashi:
            kind, deltas = HandEnd.NAGASHI, self._nagashi_payments(nagashi)
        self._draw_hand(kind, ready, deltas, tenpai=bytes(seat in tenpai for seat in range(4)))
        return settlement.HandOutcome(OutcomeKind.EXHAUSTIVE, tenpai=tenpai, sticks=self._sticks)

    def _noten_payments(self, tenpai: Sequence[int]) -> list[int]:
        """What the noten pay the tenpai: 3000 in all, with three players 2000."""
        noten = self.rules.table.players - len(tenpai)
        if not tenpai or not noten:
            return [0] * self.rules.table.players
        pot = 1000 * (self.rules.table.players - 1)
        return [pot // len(tenpai) if p.seat in tenpai else -pot // noten for p in self.players]

    def _nagashi_payments(self, winners: Sequence[int]) -> list[int]:
        """Each nagashi mangan is paid like a tsumo without honba."""
        deltas = [0] * self.rules.table.players
        for winner in winners:
            for other in self._others(winner):
                share = _MANGAN * (1 + (self.start.dealer in (winner, other.seat)))
                deltas[winner] += share
                deltas[other.seat] -= share
        return deltas

    def _abort(self, kind: HandEnd, shown: Sequence[Player]) -> settlement.HandOutcome:
        self._draw_hand(kind, shown, [0] * self.rules.table.players)
        return settlement.HandOutcome(OutcomeKind.ABORTIVE, sticks=self._sticks)

    def _draw_hand(
        self, kind: HandEnd, shown: Sequence[Player], deltas: Sequence[int], tenpai: bytes | None = None
    ) -> None:
        hands = [bytes(sorted(player.hand)) if player in shown else b"" for player in self.players]
        self.draft.words.append(0)
        self.draft.hand_draw(
            len(self.draft.words) - 1,
            {
                "kind": kind,
                "honba": self.start.honba,
                "sticks": self._sticks,
                "scores": padded(self.scores),
                "deltas": padded(deltas),
                "tenpai": tenpai,
                "shown": b"".join(hand.ljust(14, b"\xff") for hand in hands),
            },
        )
        self._pay(deltas)

    def _pay(self, deltas: Sequence[int]) -> None:
        for seat, delta in enumerate(deltas):
            self.scores[seat] += delta


def padded(values: Sequence[int]) -> list[int]:
    """Four values; the missing seat of three players has 0."""
    return [*values, 0][:4]


def outerness(kind: int) -> int:
    """How little a kind is connected: honours most, then the ends of a suit."""
    return 5 if kind >= EAST else abs(kind % 9 - 4)


def forbidden_after(call: LoggedMeld) -> frozenset[int]:
    """What may not be discarded after a call: the same tile, or the one that would do at the other end."""
    kind = kind_of(call.tile)
    kinds = {kind}
    if call.kind == EventKind.CHI:
        low, high = sorted(kind_of(tile) for tile in call.own)
        if kind < low and kind % 9 < 6:
            kinds.add(kind + 3)
        elif kind > high and kind % 9 > 2:
            kinds.add(kind - 3)
    return frozenset(kinds)


def listed_yaku(scored: ScoredWin, *, is_riichi: bool) -> list[tuple[int, int]]:
    """Yaku ids and han as Tenhou lists them: kita are dora, and riichi always tells its ura dora."""
    han = {yaku.id: worth for yaku, worth in scored.yaku}
    kita = han.pop(KITA_ID, 0)
    if kita:
        han[DORA_ID] = han.get(DORA_ID, 0) + kita
    if is_riichi and not scored.yakuman:
        han.setdefault(URA_DORA_ID, 0)
    others = sorted(set(han) - {*_YAKU_ORDER, *_DORA_ORDER})
    order = [*_YAKU_ORDER, *others, *_DORA_ORDER]
    return [(number, han[number]) for number in order if number in han]
