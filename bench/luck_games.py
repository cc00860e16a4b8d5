"""Chance nodes of real games as the fit and the tests of luck need them, each game once.

One game in five, by a hash of the file's name, is kept for tests (``place_games.is_kept_from_fit``); of the
others one in eight sets what the differences are multiplied by, and the rest fits the values.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from place_games import CORPUS, is_kept_from_fit

from paifu.coach.kernels import luck_layout
from paifu.coach.luck.measuring import chance_nodes
from paifu.coach.luck.model import LuckValues, shipped_values
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rules.choices import Scheme
from paifu.replay.rulesets.presets import rulesets_of
from paifu.replay.table.progress import Ends
from paifu.replay.table.stated import Ledger

FOLDERS = CORPUS / "fitting", CORPUS / "logs"
VALUES, SHARES, TESTS = range(3)
"""What a game is used for."""
SHARE_OF = 8
LARGEST = 100_000
"""Points that a hand may move: two logs have multiples of yakuman that no Tenhou game has."""
F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]


@dataclass(slots=True)
class Seen:
    """Chance nodes of games; rows of hands count over all of them."""

    hand: I64
    """(nodes,) row of the hand."""
    cells: npt.NDArray[np.int32]
    """(nodes, N_SIZE)."""
    luck: F64
    """(nodes, 4) by seat."""
    ahead: F64
    """(nodes, 4) change of points from the node to the end of the hand."""
    inputs: npt.NDArray[np.float16]
    deals: F64
    result: F64
    """(hands, 4) change of points over the hand."""
    dealer: I64
    """(hands,)."""
    game: I64
    """(hands,) number of the game."""
    scores: I64
    """(hands, 4) before the hand."""
    round: I64
    source: list[str]
    """(games,)."""
    use: I64
    """(games,) VALUES, SHARES or TESTS."""


def use_of(source: str) -> int:
    """Return what a game is used for."""
    if is_kept_from_fit(source):
        return TESTS
    name = Path(source.split("#")[0]).name
    return SHARES if hashlib.sha256(name.encode()).digest()[1] % SHARE_OF == 0 else VALUES


def batches_of(paths: Iterable[Path], players: int = 4) -> Iterator[Batch]:
    """Yield batches of the games of riichi with this number of players, each game once."""
    seen: set[bytes] = set()
    for batch in read_batches(list(paths)):
        rulesets = rulesets_of(batch)
        wanted = np.zeros(len(batch), bool)
        for game, rules in enumerate(rulesets):
            begin, end = int(batch.games.hand_begin[game]), int(batch.games.hand_end[game])
            key = batch.hands.dealt[begin:end].tobytes()
            wanted[game] = (
                rules.game.scheme == Scheme.HAN_FU
                and rules.table.players == players
                and begin < end
                and key not in seen
            )
            if wanted[game]:
                seen.add(key)
        if wanted.any():
            yield batch.only(wanted)


def look(
    batches: Iterable[Batch],
    values: Callable[[int], LuckValues | None] = shipped_values,
    *,
    keep: bool = False,
    uses: tuple[int, ...] = (VALUES, SHARES, TESTS),
) -> Seen:
    """Return the chance nodes of all hands whose ends are known."""
    parts: dict[str, list[np.ndarray]] = {name: [] for name in Seen.__dataclass_fields__}
    sources: list[str] = []
    hands_before = 0
    for batch in batches:
        games, hands = batch.games, batch.hands
        used = np.array([use_of(str(source)) for source in games.source])
        ledger = Ledger(batch, rulesets_of(batch))
        ends = Ends(batch, ledger)
        usual = np.abs(ends.after - hands.scores).max(axis=1) <= LARGEST
        good = usual & ends.known & np.isin(used[hands.game], uses) & ~games.is_cut[hands.game]
        row = np.where(good, np.cumsum(good) - 1 + hands_before, -1)
        hands_before += int(good.sum())
        for nodes in chance_nodes(batch, values=values, keep=keep):
            hand = nodes.column(luck_layout.N_HAND)
            kept = good[hand]
            cells = nodes.cells[kept]
            hand = hand[kept]
            parts["hand"].append(row[hand])
            parts["cells"].append(cells)
            parts["luck"].append(nodes.luck[kept])
            if keep:
                parts["inputs"].append(nodes.inputs[kept].astype(np.float16))
                parts["deals"].append(
                    nodes.deals[kept & (nodes.column(luck_layout.N_SORT) == luck_layout.DEALT)]
                )
            at = np.where(
                cells[:, luck_layout.N_EVENT] < 0, hands.event_begin[hand] - 1, cells[:, luck_layout.N_EVENT]
            )
            parts["ahead"].append((ends.after[hand] - ledger.scores(hand, at)).astype(np.float32))
        rows = np.flatnonzero(good)
        parts["result"].append((ends.after - hands.scores)[rows].astype(float))
        parts["dealer"].append(hands.dealer[rows].astype(np.int64))
        parts["round"].append(hands.round[rows].astype(np.int64))
        parts["scores"].append(hands.scores[rows].astype(np.int64))
        parts["game"].append(hands.game[rows].astype(np.int64) + len(sources))
        parts["use"].append(used)
        sources += [str(source) for source in games.source]
    joined = {name: np.concatenate(found) for name, found in parts.items() if found}
    empty = {name: np.zeros(0) for name in parts if name not in joined}
    return Seen(**{**joined, **empty, "source": sources})  # type: ignore[arg-type]
