"""Decisions of real games, to fit the policy with."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from held_out import game_hash, is_held_out, seats_in

from paifu.coach.judgement.deciding import rows_of_options
from paifu.coach.judgement.policy_inputs import CALLS, Boards, boards
from paifu.coach.kernels.decision_layout import D_DECISION, D_EVENT, D_GAME, D_HAND
from paifu.coach.kernels.option_rows import OPTION
from paifu.coach.kernels.policy_inputs import DRAWN, KNOWN, MELDED, MELDS, RIICHI, RIVER, SCORES, TURNS
from paifu.parsers.read import read_batches
from paifu.replay.model.tiles import NO_TILE, SANMA_ABSENT_KINDS
from paifu.replay.rulesets.presets import rulesets_of
from paifu.reports.metrics.rooms import room_of

ROOMS = ("houou", "tokujou")
PROGRAM = "ⓝ"
"""Names of strong programs begin with this at Tenhou."""
FILES = 200
LACKING = slice(SANMA_ABSENT_KINDS[0], SANMA_ABSENT_KINDS[-1] + 1)
"""Kinds that a set for three players lacks; they count as seen."""


def alone(at: Boards, where: npt.NDArray[np.bool_]) -> Boards:
    """Return tables as those see them who know their own hand alone, ``where`` that is asked for."""
    planes, marks = at.planes.copy(), at.marks.copy()
    three = where & (marks[:, TURNS + 3] < 0)
    planes[where, :, 1:] = 0
    planes[where, :MELDED, 0] = 0
    planes[three, RIVER, 0, LACKING] = 4
    rows = np.flatnonzero(where)[:, None]
    marks[rows, np.arange(SCORES, SCORES + 4)] = 25000
    marks[rows, np.arange(RIICHI, RIICHI + 4)] = 0
    marks[rows, np.arange(MELDS + 1, MELDS + 4)] = 0
    marks[rows, np.arange(TURNS + 1, TURNS + 4)] = marks[rows, [TURNS]]
    marks[three, TURNS + 3] = -1
    marks[where, DRAWN] = NO_TILE
    marks[where, KNOWN] = 0
    return Boards(planes, at.held, marks)


@dataclass(frozen=True, eq=False)
class Examples:
    """Decisions, with their options and what is known of who decided."""

    boards: Boards
    cells: npt.NDArray[np.uint8]
    """Rows of options, decision after decision."""
    first: npt.NDArray[np.int64]
    """(decisions + 1,) where the options of each begin."""
    is_call: npt.NDArray[np.bool_]
    kept_away: npt.NDArray[np.bool_]
    houou: npt.NDArray[np.bool_]
    program: npt.NDArray[np.bool_]
    game: npt.NDArray[np.int64]

    def some(
        self, rows: npt.NDArray[np.int64]
    ) -> tuple[Boards, npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """Return the tables and options of some decisions, and where the options of each begin."""
        begin, length = self.first[rows], self.first[rows + 1] - self.first[rows]
        first = np.append(0, np.cumsum(length))[:-1]
        chosen = np.repeat(begin - first, length) + np.arange(int(length.sum()))
        planes, held, marks = self.boards
        return Boards(planes[rows], held[rows], marks[rows]), self.cells[chosen], first

    def games(self, kept_away: bool) -> int:
        """Return how many games there are, of those kept away or of the others."""
        return len(np.unique(self.game[self.kept_away == kept_away]))


def read(paths: list[Path], cache: Path, players: int) -> Examples:
    """Read the decisions of games of ``players`` players, or what a folder keeps of them."""
    parts = []
    kept = sorted(cache.glob("*.npz"))
    if kept:
        for file in kept:
            with np.load(file) as stored:
                parts.append({name: stored[name] for name in stored.files})
    else:
        files = sorted(file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]))
        files, seen, begun = [file for file in files if file.is_file()], set[bytes](), time.time()
        for begin in range(0, len(files), FILES):
            part = _read(files[begin : begin + FILES], seen, begin, players)
            parts.append(part)
            cache.mkdir(exist_ok=True, parents=True)
            np.savez(cache / f"{begin:05}.npz", **part)
            print(f"{begin} of {len(files)} files, {time.time() - begun:.0f} s", flush=True)
    whole = {}
    for name in list(parts[0]):
        whole[name] = np.concatenate([part.pop(name) for part in parts])
    length = whole["length"].astype(np.int64)
    return Examples(
        Boards(whole["planes"], whole["held"], whole["marks"]),
        whole["cells"], np.append(0, np.cumsum(length)),
        whole["is_call"], whole["kept_away"], whole["houou"], whole["program"], whole["game"],
    )  # fmt: skip


def _read(files: list[Path], seen: set[bytes], number: int, players: int) -> dict[str, Any]:
    columns: dict[str, list[Any]] = {}
    for batch in read_batches(files):
        rulesets, rooms = rulesets_of(batch), [room_of(batch, game) for game in range(len(batch))]
        hashes = [game_hash(batch, game) for game in range(len(batch))]
        kept = np.array([is_held_out(one) for one in hashes], bool)
        only = np.array(
            [
                batch.games.players[game] == players and rooms[game] in ROOMS and one not in seen
                for game, one in enumerate(hashes)
            ],
            bool,
        )
        seen.update(one for one, wanted in zip(hashes, only, strict=True) if wanted)
        houou = np.array([room == "houou" for room in rooms], bool)
        for ids, cells in rows_of_options(batch, only=seats_in(batch, only)):
            first = np.flatnonzero(np.diff(ids[:, D_DECISION], prepend=-1))
            is_call = np.isin(cells[first, OPTION.option], CALLS)
            seat, game = cells[first, OPTION.seat], ids[first, D_GAME]
            at = boards(batch, rulesets, ids[first, D_HAND], ids[first, D_EVENT], seat, is_call)
            names = batch.games.names[game, seat]
            found = {
                "planes": at.planes, "held": at.held, "marks": at.marks, "cells": cells,
                "length": np.diff(np.append(first, len(cells))).astype(np.uint8), "is_call": is_call,
                "kept_away": kept[game], "houou": houou[game],
                "program": np.array([str(name).startswith(PROGRAM) for name in names], bool),
                "game": game.astype(np.int64) + 1000 * number,
            }  # fmt: skip
            for name, values in found.items():
                columns.setdefault(name, []).append(values)
    return {name: np.concatenate(values) for name, values in columns.items()}
