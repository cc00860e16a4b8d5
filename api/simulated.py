"""Played games into the replay model: the drafts that parsers make of logs, made of a simulator's games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from paifu.coach.simulate.games import PlayedGame, PlayedHand, Player, Simulator
from paifu.coach.simulate.general_games import OtherGame, OtherHand, OtherSimulator, PlayedMove
from paifu.parsers.mjlog.melds import LoggedMeld, meld_code
from paifu.parsers.paifu_log.values import FORMAT, VERSION
from paifu.parsers.targets import OWN_FORMATS
from paifu.parsers.writers import WRITERS
from paifu.replay.facts.tables import ScoredWins
from paifu.replay.kernels.rows import SCORED
from paifu.replay.kernels.scoring_layout import ANY_RIICHI
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder, DraftRow, GameDraft
from paifu.replay.model.events import (
    CODE_OF_TILE,
    NO_SEAT,
    SEAT_SHIFT,
    EventKind,
    HandEnd,
    pack,
)
from paifu.replay.model.patterns import dump_patterns
from paifu.replay.model.tiles import NO_TILE, tile_of_kind
from paifu.replay.rules.choices import Scheme
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.log_rules import NO_KUITAN, NO_RED, SOUTH_ROUND, THREE_PLAYERS, from_tenhou_type
from paifu.replay.rulesets.presets import dump_overrides, load_preset, preset_names
from paifu.replay.table.listed_yaku import listed_yaku

_HUMAN = 0x01
_NAMES = ("葵", "Botan", "チドリ", "dahlia 3")
_DAN, _RATES, _SEXES = (17, 16, 18, 16), (2143.57, 2051.80, 2210.06, 1998.24), ("F", "M", "F", "M")
_ABSENT = ("", 0, 1500.0, "C")
"""What Tenhou states of the seat that is missing with three players."""
_NEW_MELDS = frozenset(
    {EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.ANKAN, EventKind.KAKAN, EventKind.KITA}
)


def go_type(rules: Ruleset) -> int:
    """Return Tenhou's bits for what of ``rules`` they can say: players, length, red fives, open tanyao.

    Raises ValueError for another game than riichi, for red fives they cannot say, because the log's tiles
    would be read as others, for flowers, for two players, and for chi among three.
    """
    if rules.game.scheme != Scheme.HAN_FU:
        raise ValueError("Tenhou's log formats hold riichi only")
    bits = _HUMAN
    bits |= THREE_PLAYERS if rules.table.players == 3 else 0
    bits |= SOUTH_ROUND if rules.table.wind_rounds > 1 else 0
    bits |= 0 if rules.win.kuitan else NO_KUITAN
    bits |= 0 if rules.red_ids else NO_RED
    if from_tenhou_type(bits).ruleset().red_ids != rules.red_ids:
        raise ValueError("Tenhou's log format holds at most one red five of a suit")
    if rules.flowers:
        raise ValueError("Tenhou's log format has no word for a flower")
    if rules.table.players == 2:
        raise ValueError("Tenhou's log format holds games of three or four players")
    if rules.table.players == 3 and rules.calls.chi:
        raise ValueError("Tenhou's log format cannot state a chi among three players")
    return bits


def draft_of(game: PlayedGame, source: str, fmt: str = "mjlog") -> GameDraft:
    """Make the draft of a played game, with names invented for its players.

    Its ruleset is named as the game's is, whether or not a format can say so; the rest is what a log of the
    format ``fmt`` (a key of ``WRITERS``) states. Raises ValueError as :func:`go_type` does, unless the format
    is paifu's own.
    """
    draft = _begun(game, source, is_own=fmt in OWN_FORMATS)
    for hand in game.hands:
        _add_hand(draft, hand, game.rules)
    if game.result:
        draft.game["final_scores"] = _four(game.result.scores)
        draft.game["final_points"] = [points / 1000 for points in _four(game.result.points)]
    return draft


def _begun(game: PlayedGame | OtherGame, source: str, *, is_own: bool = True) -> GameDraft:
    rules = game.rules
    draft = GameDraft(red_ids=rules.red_ids)
    draft.game |= {
        "source": source,
        **_named(rules),
        "players": rules.table.players,
        "first_dealer": 0,
        "seed": game.seed,
        **(_as_of_paifu(rules) if is_own else _as_of_tenhou(rules)),
    }
    return draft


def _as_of_tenhou(rules: Ruleset) -> DraftRow:
    """What a log of Tenhou states around the hands."""
    people = list(zip(_NAMES, _DAN, _RATES, _SEXES, strict=True))[: rules.table.players]
    names, dan, rates, sexes = zip(*people, *[_ABSENT] * (4 - rules.table.players), strict=True)
    return {
        "format": "mjlog",
        "version": "2.3",
        "go_type": go_type(rules),
        "lobby": "0",
        "names": names,
        "dan": bytes(dan),
        "rate": rates,
        "sex": sexes,
    }


def _as_of_paifu(rules: Ruleset) -> DraftRow:
    """What a log of paifu's own format states around the hands: it knows no rooms, grades and rates."""
    names = [*_NAMES[: rules.table.players], "", ""]
    return {"format": FORMAT, "version": str(VERSION), "names": names[:4]}


@lru_cache(maxsize=64)
def _named(rules: Ruleset) -> DraftRow:
    """Name a ruleset as the replay model does: a preset, and the rules in which it differs."""
    name = (
        rules.name
        if rules.name in preset_names()
        else _NEAREST.get(rules.game.scheme, "tenhou-sanma" if rules.table.players == 3 else "tenhou")
    )
    preset, values = load_preset(name).values(), rules.values()
    changed = {rule: value for rule, value in values.items() if preset[rule] != value}
    return {"ruleset": name, "overrides": dump_overrides(changed)}


_NEAREST = {Scheme.SERIES: "zung-jung", Scheme.FAAN: "hk-old-style", Scheme.CLASSICAL: "chinese-classical"}
"""Scheme -> the preset that a user's ruleset is compared with."""


def _four(values: Sequence[int]) -> list[int]:
    """Four values; the missing seats of fewer players have 0."""
    return [*values, 0, 0][:4]


def _add_hand(draft: GameDraft, hand: PlayedHand, rules: Ruleset) -> None:
    at = len(draft.words)
    dealt = hand.dealt.copy()
    dealt[rules.table.players :] = NO_TILE
    draft.begin_hand(
        at,
        {
            "round": hand.start.round,
            "honba": hand.start.honba,
            "sticks": hand.start.sticks,
            "dealer": hand.start.dealer,
            "dice": bytes(hand.dice),
            "scores": _four(hand.scores),
            "dora": hand.indicators[0],
            "dealt": dealt.tobytes(),
        },
    )
    draft.words += hand.words.tolist()
    scores = list(hand.scores)
    for position, seat, sticks in hand.sticks_paid(rules):
        scores[seat] -= sticks * rules.riichi.riichi_stick
        if hand.words[position] & 31 == EventKind.RIICHI_PAID:
            draft.riichi_paid(at + position, seat, _four(scores))
    if hand.end == HandEnd.WIN:
        draft.words += [0] * len(hand.wins)
        first = len(draft.words) - len(hand.wins)
        scored = ScoredWins.from_rows(hand.wins)
        for row, (fact, liable) in enumerate(zip(hand.wins.tolist(), hand.liable, strict=True)):
            yaku = listed_yaku(scored, row, rules)
            _add_win(draft, hand, rules, first + row, (fact, liable), yaku, scores)
    else:
        _add_draw(draft, hand, rules, scores)


def _add_win(
    draft: GameDraft,
    hand: PlayedHand,
    rules: Ruleset,
    at: int,
    win: tuple[list[int], int],
    yaku: list[tuple[int, int]],
    scores: list[int],
) -> None:
    """Add a win (a row of facts, and who is liable) with its (yaku, han), and pay it."""
    fact, liable = win
    seat, source = fact[SCORED.seat], fact[SCORED.source]
    tile = int(hand.words[hand.words & 31 != EventKind.FOUL][-1]) >> 11 & 255
    is_riichi = bool(fact[SCORED.situation] & ANY_RIICHI) and rules.dora.ura_dora
    under = 0 if not is_riichi else len(hand.ura) if rules.dora.kan_ura_dora else 1
    tiles = hand.held(seat) if seat == source else sorted([*hand.held(seat), tile])
    codes = _meld_codes(hand, seat)
    deltas = fact[SCORED.changes :]
    row: DraftRow = {
        "seat": seat,
        "source": source,
        "tile": tile,
        "tiles": bytes(tiles),
        "melds": codes + [-1] * (8 - len(codes)),
        "fu": fact[SCORED.fu],
        "points": fact[SCORED.points],
        "limit": fact[SCORED.limit],
        "honba": hand.start.honba,
        "sticks": fact[SCORED.sticks],
        "yaku": bytes(number for number, _ in yaku),
        "han": bytes(han for _, han in yaku),
        "scores": list(_four(scores)),
        "deltas": deltas,
        "dora": bytes(hand.indicators),
        "ura": bytes(hand.ura[:under]),
        "liable": liable,
    }
    draft.win(at, row)
    for other in range(rules.table.players):
        scores[other] += deltas[other]


def _meld_codes(hand: PlayedHand, seat: int) -> list[int]:
    """Codes of a seat's melds and kita, the newest first; a kan stands where the pon stood."""
    melds: list[LoggedMeld] = []
    for word in hand.words.tolist():
        kind = word & 31
        if kind not in _NEW_MELDS or word >> SEAT_SHIFT & 7 != seat:
            continue
        meld = LoggedMeld.of(word)
        if kind == EventKind.KAKAN:
            called = meld.own[0]
            pon = next(i for i, old in enumerate(melds) if old.kind == EventKind.PON and old.tile == called)
            melds[pon] = meld
        else:
            melds.insert(0, meld)
    return [meld_code(meld) for meld in melds]


def _add_draw(draft: GameDraft, hand: PlayedHand, rules: Ruleset, scores: list[int]) -> None:
    """Add the end of a hand without a winner, and the tiles that are shown then."""
    at = len(draft.words) - 1
    shown: tuple[int, ...] = ()
    if hand.end in (HandEnd.EXHAUSTIVE, HandEnd.NAGASHI, HandEnd.CHOMBO):
        shown = tuple(seat for seat, ready in enumerate(hand.tenpai) if ready)
    elif hand.end == HandEnd.SUUCHA:
        shown = (0, 1, 2, 3)
    elif hand.end == HandEnd.SANCHAHOU:
        shown = hand.claimants
    elif hand.end == HandEnd.KYUUSHU:
        shown = (int(hand.words[hand.words & 31 != EventKind.FOUL][-2]) >> SEAT_SHIFT & 7,)
    hands = [bytes(hand.held(seat)) if seat in shown else b"" for seat in range(4)]
    draft.hand_draw(
        at,
        {
            "kind": hand.end,
            "seat": hand.fouls[0] if hand.fouls else NO_SEAT,
            "honba": hand.start.honba,
            "sticks": hand.start.sticks + sum(sticks for _, _, sticks in hand.sticks_paid(rules)),
            "scores": _four(scores),
            "deltas": _four(hand.deltas),
            "tenpai": bytes(_four(hand.tenpai)) if hand.tenpai else None,
            "shown": b"".join(tiles.ljust(14, b"\xff") for tiles in hands),
        },
    )


def draft_of_other(game: OtherGame, source: str) -> GameDraft:
    """Make the draft of a played game other than riichi, as a log of paifu's own format states it."""
    draft = _begun(game, source)
    for hand in game.hands:
        _add_other_hand(draft, hand)
    if game.result:
        draft.game["final_scores"] = list(game.result.scores)
    return draft


def _code(kind: int) -> int:
    return NO_TILE if kind == NO_TILE else CODE_OF_TILE + tile_of_kind(kind)


def _word(move: PlayedMove) -> int:
    own = tuple(map(_code, move.own))
    return pack(move.kind, move.seat, _code(move.tile), move.source, own, move.flags)


def _add_other_hand(draft: GameDraft, hand: OtherHand) -> None:
    start = hand.start
    draft.begin_hand(
        len(draft.words),
        {
            "round": start.round,
            "honba": start.honba,
            "sticks": 0,
            "dealer": start.dealer,
            "scores": list(hand.scores),
            "dealt": bytes(_code(kind) for kinds in hand.dealt for kind in kinds),
        },
    )
    draft.words += map(_word, hand.moves)
    at = len(draft.words)
    draft.words.append(0)
    win = hand.win
    if win is None:
        row: DraftRow = {"kind": HandEnd.EXHAUSTIVE, "scores": list(hand.scores), "deltas": [0, 0, 0, 0]}
        draft.hand_draw(at, row)
        return
    scored = win.scored
    row = {
        "seat": win.seat,
        "source": win.source,
        "tile": _code(win.tile),
        "tiles": bytes(map(_code, win.tiles)),
        "points": scored.won.value,
        "patterns": dump_patterns(scored.patterns),
        "scores": list(hand.scores),
        "deltas": list(scored.changes),
        "liable": scored.liable,
    }
    if scored.own_scores is not None:
        row["own_scores"] = list(scored.own_scores)
    draft.win(at, row)


def batch_of(games: Iterable[PlayedGame | OtherGame], fmt: str = "mjlog") -> Batch:
    """Make a batch of played games, as if read from logs of a format; those of other games have paifu's."""
    builder = BatchBuilder()
    for index, game in enumerate(games):
        name = f"game {index}"
        builder.add(draft_of_other(game, name) if isinstance(game, OtherGame) else draft_of(game, name, fmt))
    return builder.finish()


def simulator_of(rules: Ruleset, players: Sequence[Player]) -> Simulator | OtherSimulator:
    """Return what plays games under a ruleset."""
    return Simulator(rules, players) if rules.game.scheme == Scheme.HAN_FU else OtherSimulator(rules, players)


def play_and_write(
    numbers: Sequence[int], rules: Ruleset, players: Sequence[Player], fmt: str
) -> list[tuple[bytes, int]]:
    """Play the games that follow from ``numbers``; returns each as a log in a format, and its hands."""
    simulator = simulator_of(rules, players)
    games = [simulator.game(number) for number in numbers]
    lengths = [len(game.hands) for game in games]
    return list(zip(WRITERS[fmt].games(batch_of(games, fmt)), lengths, strict=True))


_UNIT_GAMES = 100


def numbers_of(seed: int, games: int) -> Iterator[list[int]]:
    """Yield the numbers that the games of a run follow from, in lists of up to a hundred."""
    for first in range(0, games, _UNIT_GAMES):
        yield [seed << 32 | game for game in range(first, min(first + _UNIT_GAMES, games))]
