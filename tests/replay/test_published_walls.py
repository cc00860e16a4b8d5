"""Walls that other platforms publish: the generators against their authors' numbers, and every comparison."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from test_findings import copy_of

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.read import read_batches
from paifu.replay.facts.tables import code_of
from paifu.replay.findings.spoken import cases, in_words
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.table.engine import replay
from paifu.replay.table.stated_walls import tiles_of_set
from paifu.replay.walls import majsoul, mortal

FOLDER = Path(__file__).parents[2] / "sample_logs" / "platforms"
MASK = (1 << 64) - 1


# --- the generators ------------------------------------------------------------------------------------


def test_the_stream_is_that_of_the_published_vector() -> None:
    """Test case 1 of the ChaCha test vectors: twelve rounds, a key and a nonce of zeros."""
    assert mortal.chacha(bytes(32), 4).astype("<u4").tobytes()[:64].hex() == (
        "9bf49a6a0755f953811fce125f2683d50429c3bb49e074147e0089a52eae155f"
        "0564f879d27ae3c02ce82834acfa8c793a629f2ca0de6919610be82f411326be"
    )
    assert mortal.chacha(b"x" * 32, 9)[:32].tolist() == mortal.chacha(b"x" * 32, 2).tolist()


def pcg32(seed: int, stream: int = 11634580027462260723) -> Iterator[int]:
    """The generator that the library's own tests use."""
    increment = (stream << 1 | 1) & MASK
    state = (seed + increment) * 6364136223846793005 + increment & MASK
    while True:
        turn, word = state >> 59, ((state >> 18 ^ state) >> 27) & 0xFFFFFFFF
        yield (word >> turn | word << (32 - turn)) & 0xFFFFFFFF
        state = state * 6364136223846793005 + increment & MASK


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("rand 0.8", [9, 5, 3, 10, 7, 12, 8, 11, 6, 4, 0, 2, 1]),
        ("rand 0.9", [5, 11, 0, 8, 7, 12, 6, 4, 9, 3, 1, 2, 10]),
    ],
)
def test_the_shuffles_are_those_of_the_library(version: str, expected: list[int]) -> None:
    """The results that its test of stable values states for each version."""
    cells = list(range(13))
    for one, other in mortal.SHUFFLES[version](pcg32(414), 13):
        cells[one], cells[other] = cells[other], cells[one]
    assert cells == expected


@given(
    st.integers(0, MASK), st.integers(0, MASK), st.integers(0, 11), st.sampled_from(sorted(mortal.SHUFFLES))
)
def test_every_wall_is_a_whole_set(nonce: int, key: int, number: int, version: str) -> None:
    wall = mortal.shuffled(nonce, key, number, 0, mortal.SHUFFLES[version])
    expected = tiles_of_set(load_preset("tenhou"))
    assert (
        dict(zip(*(column.tolist() for column in np.unique(wall, return_counts=True)), strict=True))
        == expected
    )


def test_a_wall_may_need_more_random_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for version, shuffle in mortal.SHUFFLES.items():
        with monkeypatch.context() as patched:
            expected = mortal.shuffled(7, 9, 3, 1, shuffle)
            patched.setattr(mortal, "_BLOCKS", 1)
            assert (mortal.shuffled(7, 9, 3, 1, shuffle) == expected).all(), version


@each_row("text", ["", "mortal", "mortal,1", "mortal,1,2,3", "mortal,-1,2", f"mortal,{1 << 64},0"])
def test_seeds_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="Mortal"):
        mortal.parse_seed(text)


# --- what the sample logs state -------------------------------------------------------------------------


def sample(name: str) -> Batch:
    return copy_of(Batch.concatenate(read_batches([FOLDER / name])))


def found(batch: Batch) -> list[str]:
    return [f"{one.code} {one.message}" for one in map(in_words, cases(replay(batch)))]


PLATFORMS = ["arena.jsonl.gz", "tonpuu-md5.json.gz", "hanchan-sha256.json.gz", "sanma-sha256.json.gz"]


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_tile_fits_the_wall(name: str) -> None:
    batch = sample(name)
    facts = replay(batch)
    assert len(facts.findings) == 0
    assert facts.checked.walls == len(batch.hands) > 3
    kinds = np.isin(batch.events.kind, (EventKind.DRAW, EventKind.DORA))
    unseen = (
        len(batch.hands) if "md5" in name else 0
    )  # the dealer's first draw is not in a wall after the deal
    assert facts.checked.wall_tiles == int(kinds.sum()) - unseen
    supplements = np.isin(
        batch.events.kind, (EventKind.ANKAN, EventKind.KAKAN, EventKind.DAIMINKAN, EventKind.KITA)
    )
    assert supplements.any()
    assert (batch.wins.ura[:, 0] != NO_TILE).any()


def swap_draws(batch: Batch) -> None:
    draws = np.flatnonzero(batch.events.kind == EventKind.DRAW)
    one, other = next((a, b) for a, b in pairwise(draws[4:]) if batch.events.tile[a] != batch.events.tile[b])
    batch.events.tile[[one, other]] = batch.events.tile[[other, one]]


def swap_dealt(batch: Batch) -> None:
    dealt = batch.hands.dealt[0]
    seats = [(seat, tile) for seat in (0, 1) for tile in range(13)]
    one = next(at for at in seats if at[0] == 0 and dealt[at] not in dealt[1])
    other = next(at for at in seats if at[0] == 1 and dealt[at] not in dealt[0])
    dealt[one], dealt[other] = dealt[other], dealt[one]


def other_dora(batch: Batch) -> None:
    batch.hands.dora[0] = 27 if batch.hands.dora[0] != 27 else 28


def other_ura(batch: Batch) -> None:
    win = int(np.flatnonzero(batch.wins.ura[:, 0] != NO_TILE)[0])
    batch.wins.ura[win, 0] = 27 if batch.wins.ura[win, 0] != 27 else 28


CHANGES: list[tuple[Callable[[Batch], None], str, list[str]]] = [
    (swap_draws, "V602", PLATFORMS),
    (swap_dealt, "V601", ["arena.jsonl.gz", "hanchan-sha256.json.gz", "sanma-sha256.json.gz"]),
    (other_dora, "V603", PLATFORMS),
    (other_ura, "V603", PLATFORMS),
]


@each_row(
    ("change", "code", "name"), [(change, code, name) for change, code, names in CHANGES for name in names]
)
def test_a_tile_that_does_not_fit_is_found(change: Callable[[Batch], None], code: str, name: str) -> None:
    batch = sample(name)
    change(batch)
    assert code in {line.split()[0] for line in found(batch)}


def test_a_tile_is_named_without_a_copy() -> None:
    batch = sample("tonpuu-md5.json.gz")
    wall = majsoul.parse_wall(batch.hands.seed[0]).text
    batch.hands.dora[0] = 27
    assert f"V603 indicator differs: wall {wall[-10:-8]}, log 1z" in found(batch)


def test_another_game_s_numbers_are_another_generator() -> None:
    """Not a wall that is wrong: nobody knows which build played."""
    batch = sample("arena.jsonl.gz")
    batch.games.seed[0] = "mortal,1,2"
    facts = replay(batch)
    assert (len(facts.findings), facts.checked.walls) == (0, 0)


@pytest.mark.parametrize(
    "seed", ["majsoul-md5,1m,0", "majsoul-sha256,1m,0,0,0", "majsoul-md5,,", "majsoul-md5", "mortal,1,2"]
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_walls_of_no_sense_are_no_walls(seed: str, players: int) -> None:
    """A log of paifu's own may state any seed, and be of two players."""
    rules = (
        load_preset("tenhou-sanma")
        if players == 3
        else with_overrides(load_preset("tenhou"), {"players": players})
    )
    batch = batch_of([Simulator(rules, [PLAYERS["balanced"]] * players).game(1)], fmt="paifu")
    batch = copy_of(batch)
    batch.games.seed[0] = seed
    batch.hands.seed[:] = seed
    facts = replay(batch)
    assert facts.checked.walls == 0
    assert {code_of(code) for code in facts.findings.code.tolist()} <= {"V605", "V606"}


# --- hashes and sets ------------------------------------------------------------------------------------


def with_parts(batch: Batch, hand: int, **changes: str) -> Batch:
    kind, *parts = str(batch.hands.seed[hand]).split(",")
    names = ("wall", "hash") if kind == majsoul.MD5 else ("wall", "hash", "salt", "salt_hash")
    batch.hands.seed[hand] = ",".join([kind, *(dict(zip(names, parts, strict=True)) | changes).values()])
    return batch


MD5, SHA256 = "tonpuu-md5.json.gz", "hanchan-sha256.json.gz"


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        (MD5, {"hash": "0" * 32}, ["V605 the published hash of the wall does not fit"]),
        (SHA256, {"hash": "0" * 64}, ["V605 the published hash of the wall does not fit"]),
        (SHA256, {"salt_hash": "0" * 64}, ["V605 the published hash of the salt does not fit"]),
        (
            SHA256,
            {"salt": "other"},
            [
                "V605 the published hash of the wall does not fit",
                "V605 the published hash of the salt does not fit",
            ],
        ),
    ],
)
def test_hashes_that_do_not_fit(name: str, changes: dict[str, str], expected: list[str]) -> None:
    assert found(with_parts(sample(name), 1, **changes)) == expected


def test_what_is_wrong_with_a_wall_is_about_its_hand_and_no_event() -> None:
    findings = replay(with_parts(sample(MD5), 1, hash="0" * 32)).findings
    assert (findings.hand.tolist(), findings.event.tolist()) == ([1], [-1])


def test_hashes_may_be_in_upper_case() -> None:
    batch = sample(MD5)
    digest = batch.hands.seed[0].rpartition(",")[2]
    assert found(with_parts(batch, 0, hash=digest.upper())) == []


def rehashed(batch: Batch, wall: str) -> list[str]:
    digest = hashlib.md5(wall.encode(), usedforsecurity=False).hexdigest()
    return [line for line in found(with_parts(batch, 0, wall=wall, hash=digest)) if line.startswith("V606")]


def test_walls_that_are_no_set() -> None:
    batch = sample(MD5)
    wall = str(batch.hands.seed[0]).split(",")[1]
    assert rehashed(batch, wall) == []
    assert rehashed(batch, wall[:-2]) == [
        "V606 the wall is of 82 tiles; expected 136, or those after the deal"
    ]
    assert rehashed(batch, "xx" + wall[2:]) == [
        "V606 the wall is of 83 tiles; expected 136, or those after the deal"
    ]
    one, other = (
        wall[:2],
        next(
            wall[at : at + 2] for at in range(0, 166, 2) if wall[at] != "0" and wall[at : at + 2] != wall[:2]
        ),
    )
    (line,) = rehashed(batch, other + wall[2:])
    assert line in (
        f"V606 wall and deal hold 5 of {other}; the set holds 4",
        f"V606 wall and deal hold 3 of {one}; the set holds 4",
    )


def test_a_tile_that_the_set_does_not_have() -> None:
    batch = sample("sanma-sha256.json.gz")
    wall = str(batch.hands.seed[0]).split(",")[1]
    at = next(at for at in range(0, len(wall), 2) if wall[at : at + 2] == "9s")
    assert rehashed(batch, wall[:at] + "2m" + wall[at + 2 :]) == [
        "V606 wall and deal hold 1 of 2m; the set holds 0"
    ]


def test_the_set_is_that_of_the_ruleset() -> None:
    plain = tiles_of_set(with_overrides(load_preset("tenhou"), {"red_man": 0, "red_pin": 0, "red_sou": 0}))
    assert dict(plain) == dict.fromkeys(range(34), 4)
    sanma = tiles_of_set(load_preset("tenhou-sanma"))
    assert sum(sanma.values()) == 108
    assert (sanma[0], sanma[1], sanma[13], sanma[35]) == (4, 0, 3, 1)
