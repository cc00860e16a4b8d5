"""Random command lines of ``paifu score``: hands that win, and what a slip of the fingers makes of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from random_wins import random_win

from paifu.replay.model.tiles import NORTH, RED_SOU, WINDS, format_tiles, tile_name
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.scoring.readings import CalledMeld, MeldKind
from paifu.replay.scoring.winning_hand import WinningHand

PRESETS = (
    *("tenhou",) * 5, *("tenhou-sanma",) * 3, *("majsoul",) * 3, *("majsoul-sanma",) * 2, *("mleague",) * 3,
    "ema", "wrc", "kwan-house", "kwan-official", "yakuza2", "mcgill-riichi", "saki",
)  # fmt: skip
WITHOUT_REDS = ("ema", "wrc", "yakuza2")
SETTINGS = (
    "kuitan=false", "kiriage=true", "ippatsu=false", "suukantsu_needs_pair=false", "renhou=yakuman",
    "wareme=true", "kanburi_han=1", "tsubame_gaeshi_han=1", "open_riichi_han=2", "kan_dora=false",
    "yakuman_stacking=false", "pao_rinshan=true", "pao_tsumo=ron", "chiitoitsu_identical_pairs=true",
    "min_han=2", "red_pin=2",
)  # fmt: skip
FLAGS = tuple(
    (flag.name or "").lower().replace("_", "-")
    for flag in Situation
    if flag not in (Situation.TSUMO, Situation.FED_RIICHI)
)
NUMBERS = ("0", "1", "2", "17", "9999", "10000", "-1", "99999999999999999999", "x")


@dataclass
class Ask:
    """One command line, in parts."""

    preset: str
    tiles: list[int]
    """The winning tile is the last."""
    melds: list[CalledMeld]
    kita: int
    flags: set[str]
    tsumo: bool | None
    seat: int
    round: int
    dora: list[int]
    ura: list[int]
    others: dict[str, str] = field(default_factory=dict)
    settings: list[str] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The hand."""
        return format_tiles(self.tiles) + "".join(map(str, self.melds)) + "(4z)" * self.kita

    def arguments(self) -> list[str]:
        """The command line."""
        said = [self.text, "--rules", self.preset, "--seat-wind", WINDS[self.seat], "--format", "json"]
        said += ["--round-wind", WINDS[self.round], *(f"--{flag}" for flag in sorted(self.flags))]
        said += [] if self.tsumo is None else ["--tsumo" if self.tsumo else "--ron"]
        said += ["--dora", format_tiles(self.dora)] if self.dora else []
        said += ["--ura", format_tiles(self.ura)] if self.ura else []
        for name, value in self.others.items():
            said += [f"--{name}", value]
        for setting in self.settings:
            said += ["--set", setting]
        return said

    def hand(self, *, tsumo: bool) -> WinningHand:
        """The hand that the command line is meant to describe."""
        situation = Situation.TSUMO if tsumo else Situation(0)
        for flag in self.flags:
            situation |= Situation[flag.upper().replace("-", "_")]
        payer = self.others.get("payer")
        return WinningHand(
            tiles=tuple(self.tiles),
            win=self.tiles[-1],
            melds=tuple(self.melds),
            situation=situation,
            seat_wind=self.seat,
            round_wind=self.round,
            dora_indicators=tuple(self.dora),
            ura_indicators=tuple(self.ura),
            kita=self.kita,
            honba=int(self.others.get("honba", 0)),
            sticks=int(self.others.get("sticks", 0)),
            payer=None if payer is None else WINDS.index(payer),
        )


def _right(rng: random.Random) -> Ask:
    """A hand that wins, with everything said about it true."""
    preset = rng.choice(PRESETS)
    players = 3 if preset.endswith("-sanma") else 4
    hand = random_win(rng, players=players, red=preset not in WITHOUT_REDS).hand
    tiles = list(hand.tiles)
    tiles.remove(hand.win)
    melds = [
        CalledMeld(MeldKind.DAIMINKAN, meld.tiles) if meld.kind == MeldKind.KAKAN else meld
        for meld in hand.melds
    ]
    named = {(flag.name or "").lower().replace("_", "-") for flag in hand.situation} & set(FLAGS)
    return Ask(
        preset, [*tiles, hand.win], melds, hand.kita, named,
        hand.tsumo, hand.seat_wind, hand.round_wind, list(hand.dora_indicators), list(hand.ura_indicators),
    )  # fmt: skip


def _wind(rng: random.Random) -> str:
    return rng.choice(WINDS)


def _tile(rng: random.Random) -> int:
    return rng.randrange(RED_SOU + 1)


def _drop(ask: Ask, rng: random.Random) -> None:
    if len(ask.tiles) > 1:
        ask.tiles.pop(rng.randrange(len(ask.tiles)))


def _drop_and_tell_nothing(ask: Ask, rng: random.Random) -> None:
    _drop(ask, rng)
    ask.flags.clear()
    ask.tsumo, ask.ura = None, []


def _other_tile(ask: Ask, rng: random.Random) -> None:
    ask.tiles[rng.randrange(len(ask.tiles))] = _tile(rng)


def _other_meld(ask: Ask, rng: random.Random) -> None:
    for at, meld in enumerate(ask.melds):
        if len(meld.tiles) == 4:
            sort = MeldKind.ANKAN if meld.kind != MeldKind.ANKAN else MeldKind.DAIMINKAN
            ask.melds[at] = CalledMeld(sort, meld.tiles)


def _set(name: str, value: Callable[[random.Random], str]) -> Callable[[Ask, random.Random], None]:
    def slip(ask: Ask, rng: random.Random) -> None:
        ask.others[name] = value(rng)

    return slip


def _change(name: str, value: Callable[[random.Random], Any]) -> Callable[[Ask, random.Random], None]:
    def slip(ask: Ask, rng: random.Random) -> None:
        setattr(ask, name, value(rng))

    return slip


def _flag(ask: Ask, rng: random.Random) -> None:
    ask.flags ^= {rng.choice(FLAGS)}


def _north(ask: Ask, rng: random.Random) -> None:
    ask.kita += rng.randrange(1, 4)


def _lone_north(ask: Ask, rng: random.Random) -> None:
    _drop_and_tell_nothing(ask, rng)
    ask.tiles[-1] = NORTH


def _liable(ask: Ask, rng: random.Random) -> None:
    """Big three dragons or big four winds, mostly called."""
    kinds = rng.choice([(31, 32, 33), (27, 28, 29, 30)])
    sort = rng.choice([MeldKind.PON, MeldKind.PON, MeldKind.ANKAN, MeldKind.DAIMINKAN])
    ask.melds = [CalledMeld(sort, (kind,) * (3 if sort == MeldKind.PON else 4)) for kind in kinds]
    ask.tiles = [9, 10, 11, 17, 17] if len(kinds) == 3 else [17, 17]
    ask.kita, ask.dora, ask.ura, ask.flags = 0, [], [], set()
    ask.others["liable"] = _wind(rng)


SLIPS: dict[str, Callable[[Ask, random.Random], None]] = {
    "flag": _flag,
    "two flags": lambda ask, rng: [_flag(ask, rng) for _ in range(2)] and None,
    "tsumo": _change("tsumo", lambda rng: rng.choice([True, False, None])),
    "seat": _change("seat", lambda rng: rng.randrange(4)),
    "round": _change("round", lambda rng: rng.randrange(4)),
    "preset": _change("preset", lambda rng: rng.choice(PRESETS)),
    "dora": _change("dora", lambda rng: [_tile(rng) for _ in range(rng.randrange(7))]),
    "ura": _change("ura", lambda rng: [_tile(rng) for _ in range(rng.randrange(4))]),
    "payer": _set("payer", _wind),
    "liable": _set("liable", _wind),
    "liable for melds": _liable,
    "wareme": _set("wareme", _wind),
    "honba": _set("honba", lambda rng: rng.choice(NUMBERS)),
    "sticks": _set("sticks", lambda rng: rng.choice(NUMBERS)),
    "win": _set("win", lambda rng: tile_name(_tile(rng))),
    "players": _set("players", lambda rng: rng.choice("345")),
    "setting": lambda ask, rng: ask.settings.append(rng.choice(SETTINGS)),
    "a tile less": _drop,
    "13 tiles": _drop_and_tell_nothing,
    "lone north": _lone_north,
    "other tile": _other_tile,
    "other meld": _other_meld,
    "norths": _north,
}


def random_ask(rng: random.Random) -> Ask:
    """A command line with none to three slips; honba and sticks are often named."""
    ask = _right(rng)
    for name in ("honba", "sticks"):
        if rng.random() < 0.3:
            ask.others[name] = str(rng.randrange(8))
    ask.slips = rng.choices(list(SLIPS), k=rng.choice([0, 0, 1, 1, 1, 2, 3]))
    for slip in ask.slips:
        SLIPS[slip](ask, rng)
    return ask
