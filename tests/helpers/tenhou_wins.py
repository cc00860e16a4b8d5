"""A quick reading of the wins in Tenhou logs, apart from the real parsers: only what scoring needs."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from paifu.replay.rules.hand_facts import Situation
from paifu.replay.scoring.winning_hand import RIICHI_SORTS

_TAG = re.compile(r"<(GO|INIT|AGARI)\b([^>]*)>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_SITUATIONS = {
    1: Situation.RIICHI,
    2: Situation.IPPATSU,
    3: Situation.CHANKAN,
    4: Situation.RINSHAN,
    5: Situation.HAITEI,
    6: Situation.HOUTEI,
    21: Situation.DOUBLE_RIICHI,
    37: Situation.TENHOU,
    38: Situation.CHIIHOU,
}
NO_RED, NO_KUITAN, THREE = 0x02, 0x04, 0x10
CHI, PON, DAIMINKAN, ANKAN, KAKAN = 3, 4, 5, 6, 7


@dataclass(frozen=True)
class TenhouWin:
    """One AGARI element: the hand as given, and what Tenhou made of it."""

    place: str
    players: int
    kuitan: bool
    red: bool
    dealer: int
    round_wind: int
    winner: int
    payer: int
    liable: int | None
    honba: int
    sticks: int
    ids: list[int]
    win: int
    melds: list[tuple[int, int, list[int]]]
    """Sort (EventKind), lowest kind, physical ids."""
    kita: int
    situation: Situation
    indicators: list[int]
    ura: list[int]
    fu: int
    points: int
    limit: int
    yaku: dict[int, int]
    """Id -> han, ura dora of 0 han left out; yakuman have 13."""
    deltas: list[int] = field(default_factory=list)

    @property
    def seat_wind(self) -> int:
        return (self.winner - self.dealer) % self.players


def decode_meld(code: int) -> tuple[int, int, list[int]]:
    """Sort, lowest kind and ids of a meld code; sort 8 for kita."""
    if code & 4:
        base = (code >> 10) // 3
        first = base // 7 * 9 + base % 7
        return CHI, first, [4 * (first + i) + (code >> (3 + 2 * i) & 3) for i in range(3)]
    if code & 0x18:
        kind = (code >> 9) // 3
        ids = [4 * kind + i for i in range(4)]
        if code & 8:
            ids.remove(4 * kind + (code >> 5 & 3))
        return (PON if code & 8 else KAKAN), kind, ids
    if code & 0x20:
        return 8, 30, [code >> 8]
    kind = code >> 10
    return (DAIMINKAN if code & 3 else ANKAN), kind, [4 * kind + i for i in range(4)]


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part]


def _win(
    tag: dict[str, str], go: int, init: list[int], dealer: int, place: str, after_win: bool
) -> TenhouWin:
    winner, payer = int(tag["who"]), int(tag["fromWho"])
    melds = [decode_meld(code) for code in _numbers(tag.get("m", ""))][::-1]
    pairs = _numbers(tag.get("yaku", ""))
    yaku = dict(zip(pairs[::2], pairs[1::2], strict=True)) | dict.fromkeys(
        _numbers(tag.get("yakuman", "")), 13
    )
    situation = Situation.TSUMO if winner == payer else Situation(0)
    for number in yaku:
        situation |= _SITUATIONS.get(number, Situation(0))
    if "doraHaiUra" in tag and not situation & RIICHI_SORTS:
        situation |= Situation.RIICHI  # a yakuman hand's list leaves riichi out
    fu, points, limit = _numbers(tag["ten"])
    honba, sticks = _numbers(tag["ba"])
    return TenhouWin(
        place=place,
        players=3 if go & THREE else 4,
        kuitan=not go & NO_KUITAN,
        red=not go & NO_RED,
        dealer=dealer,
        round_wind=init[0] // 4,
        winner=winner,
        payer=payer,
        liable=int(tag["paoWho"]) if "paoWho" in tag else None,
        honba=0 if after_win else honba,
        sticks=sticks,
        ids=_numbers(tag["hai"]),
        win=int(tag["machi"]),
        melds=[meld for meld in melds if meld[0] != 8],
        kita=sum(meld[0] == 8 for meld in melds),
        situation=situation,
        indicators=_numbers(tag["doraHai"]),
        ura=_numbers(tag.get("doraHaiUra", "")),
        fu=fu,
        points=points,
        limit=limit,
        yaku={number: han for number, han in yaku.items() if han},
        deltas=[100 * change for change in _numbers(tag["sc"])[1:8:2]],
    )


def read_wins(folder: Path) -> Iterator[TenhouWin]:
    """Yield every win of every log below ``folder``."""
    for path in sorted(folder.rglob("*.mjlog")):
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
        go, init, dealer, after_win = 0, [0], 0, False
        for number, match in enumerate(_TAG.finditer(text)):
            tag = dict(_ATTRIBUTE.findall(match[2]))
            if match[1] == "GO":
                go = int(tag["type"])
            elif match[1] == "INIT":
                init, dealer, after_win = _numbers(tag["seed"]), int(tag["oya"]), False
            else:
                yield _win(tag, go, init, dealer, f"{path.name} tag {number}", after_win)
                after_win = True
