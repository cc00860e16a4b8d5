"""Other people's readers of mjai and Mahjong Soul's records: they find in our logs what we find there.

``riichienv`` reads both formats by itself and scores the wins of Mahjong Soul again.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest
from riichienv import MjaiReplay, MjSoulReplay

from paifu.parsers.read import read_batches
from paifu.parsers.writers import WRITERS
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import TILE_OF_ID_RED

SAMPLES = Path(__file__).parents[2] / "sample_logs"
MAHJONG_SOUL = ("hanchan-sha256", "tonpuu-md5", "sanma-sha256")
_DEFAULTS: dict[str, dict[str, Any]] = {"NewRound": {"tiles3": []}}
_DEFAULTS_OF_WINS = {
    "point_rong": 0, "point_zimo_qin": 0, "point_zimo_xian": 0, "fans": [], "fu": 0, "count": 0,
    "yiman": False, "ming": [],
}  # fmt: skip
"""Fields that this reader wants even where they are empty."""

Hand = tuple[int, int, int, list[int], list[int] | None, list[list[int]]]
"""Round, honba, sticks, scores before and after, and dealt tiles by seat, in order."""


def theirs(kyokus: Any, players: int) -> list[Hand]:
    return [
        (
            4 * one.chang + one.ju, one.ben, one.liqibang, list(one.scores)[:players],
            list(one.end_scores)[:players],
            [sorted(TILE_OF_ID_RED[list(hand)].tolist()) for hand in list(one.hands)[:players]],
        )
        for one in kyokus
    ]  # fmt: skip


def ours(batch: Batch, *, is_drawn: bool) -> list[Hand]:
    """With ``is_drawn``, the dealer's first draw is among the dealt tiles, as Mahjong Soul has it."""
    hands, players = batch.hands, int(batch.games.players[0])
    found: list[Hand] = []
    for hand in range(len(hands)):
        dealt = [tiles.tolist() for tiles in hands.dealt[hand][:players]]
        if is_drawn:
            dealt[int(hands.dealer[hand])].append(int(batch.events.tile[hands.event_begin[hand]]))
        is_last = hand + 1 == len(hands) or hands.game[hand + 1] != hands.game[hand]
        after = None if is_last else hands.scores[hand + 1].tolist()[:players]
        found.append(
            (
                int(hands.round[hand]), int(hands.honba[hand]), int(hands.sticks[hand]),
                hands.scores[hand].tolist()[:players], after, [sorted(tiles) for tiles in dealt],
            )
        )  # fmt: skip
    return found


def assert_same(mine: list[Hand], other: list[Hand]) -> None:
    assert len(mine) == len(other)
    for one, two in zip(mine, other, strict=True):
        after = two[4] if one[4] is not None else None
        assert one == (*two[:4], after, two[5])


# --- mjai ----------------------------------------------------------------------------------------------


def read_mjai(path: Path, text: bytes) -> Any:
    path.write_bytes(text)
    return MjaiReplay.from_jsonl(str(path))


@pytest.mark.parametrize("target", ["mjai", "mjai-mortal"])
@pytest.mark.parametrize(
    "name", ["formats/hanchan.mjlog.gz", "formats/tonpuu.mjlog", "platforms/report.json.gz"]
)
def test_mjai_is_read_alike(tmp_path: Path, target: str, name: str) -> None:
    (batch,) = read_batches([SAMPLES / name])
    replayed = read_mjai(tmp_path / "game.jsonl", b"".join(WRITERS[target].games(batch)))
    assert_same(ours(batch, is_drawn=False), theirs(replayed.take_kyokus(), 4))


@pytest.mark.corpus
def test_real_games_in_mjai_are_read_alike(shared: Path, tmp_path: Path) -> None:
    """Tenhou's games with four players, written as mjai."""
    hands = 0
    batch = Batch.concatenate(read_batches([shared / "logs" / "mjlog" / "573932914+mahjong-analytics"]))
    for game in range(len(batch)):
        one = batch.take(game)
        if one.games.players[0] == 4 and not one.games.is_cut[0]:
            replayed = read_mjai(tmp_path / f"{game}.jsonl", b"".join(WRITERS["mjai"].games(one)))
            assert_same(ours(one, is_drawn=False), theirs(replayed.take_kyokus(), 4))
            hands += len(one.hands)
    assert hands > 20


# --- Mahjong Soul --------------------------------------------------------------------------------------


def read_majsoul(path: Path, text: bytes) -> Any:
    """Read a record in the shape that this reader takes: a list of records for each hand."""
    document = orjson.loads(text)
    rounds: list[list[dict[str, Any]]] = []
    for action in document["data"]["data"]["actions"]:
        if "result" not in action:
            continue
        name, fields = action["result"]["name"].removeprefix(".lq.Record"), action["result"]["data"]
        if name == "NewRound":
            rounds.append([])
        if name == "Hule":
            fields = {**fields, "hules": [{**_DEFAULTS_OF_WINS, **hule} for hule in fields["hules"]]}
        rounds[-1].append({"name": name, "data": {**_DEFAULTS.get(name, {}), **fields}})
    path.write_bytes(gzip.compress(orjson.dumps({"header": document["head"], "rounds": rounds})))
    return MjSoulReplay.from_json(str(path))


@pytest.mark.parametrize("name", MAHJONG_SOUL)
def test_mahjong_soul_is_read_alike(tmp_path: Path, name: str) -> None:
    path = SAMPLES / "platforms" / f"{name}.json.gz"
    (batch,) = read_batches([path])
    replayed = read_majsoul(tmp_path / "game.json.gz", gzip.decompress(path.read_bytes()))
    players = int(batch.games.players[0])
    assert_same(ours(batch, is_drawn=True), theirs(replayed.take_kyokus(), players))
    if players == 4:  # of three players it scores hands without their norths
        assert replayed.verify() == (len(batch.wins), 0)


@pytest.mark.parametrize("name", ["hanchan.mjlog.gz", "tonpuu.mjlog", "kokushi.mjlog"])
def test_games_written_as_mahjong_soul_are_read_alike(tmp_path: Path, name: str) -> None:
    (batch,) = read_batches([SAMPLES / "formats" / name])
    replayed = read_majsoul(tmp_path / "game.json.gz", b"".join(WRITERS["majsoul-json"].games(batch)))
    assert_same(ours(batch, is_drawn=True), theirs(replayed.take_kyokus(), 4))
    assert replayed.verify() == (len(batch.wins), 0)


@pytest.mark.corpus
def test_a_real_record_is_read_alike(shared: Path, tmp_path: Path) -> None:
    (path,) = (shared / "logs" / "majsoul").rglob("paipu_record.json")
    (batch,) = read_batches([path])
    replayed = read_majsoul(tmp_path / "game.json.gz", path.read_bytes())
    assert_same(ours(batch, is_drawn=True), theirs(replayed.take_kyokus(), 4))
    assert len(batch.hands) == 9


def test_the_samples_have_every_kind_of_call() -> None:
    batch = Batch.concatenate(read_batches([SAMPLES / "formats" / "hanchan.mjlog.gz"]))
    assert {EventKind.CHI, EventKind.PON, EventKind.DAIMINKAN, EventKind.KAKAN} <= set(
        batch.events.kind.tolist()
    )
