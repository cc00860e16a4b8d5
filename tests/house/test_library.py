"""Addresses of viewers: what they name, and where the log is looked for."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

import orjson
import pytest
from command import call
from each_row import each_row
from majsoul_games import cut, export, head, new_round
from sources import database, tarred, zipped

from paifu.api.locate import locate
from paifu.parsers.addresses import LogAddress, log_address, plain_account, plain_uuid, shown_id
from paifu.parsers.library import NotInLibraryError
from paifu.parsers.majsoul.reader import seat_of_account
from paifu.parsers.read import read_batches

LOG = Path(__file__).parents[2] / "sample_logs" / "formats" / "hanchan.mjlog.gz"
ID = "2022010503gm-00b9-0000-6ebd44bf"
UUID = "220412-6f3a2d1b-7f3d-4e4a-9c1d-0123456789ab"
XID = "chm0l3mpolc5c0p9lc20"


def coded(uuid: str) -> str:
    """An id of Mahjong Soul made anonymous, by the rule that is its viewer's."""
    letters = "0123456789abcdefghijklmnopqrstuvwxyz"
    return "".join(
        one if one == "-" else letters[(letters.index(one) + 17 + at) % 36] for at, one in enumerate(uuid)
    )


TENHOU = {
    f"https://tenhou.net/0/?log={ID}&tw=2&ts=5": (2, 5),
    f"http://tenhou.net/3/?log={ID}&tw=x": (None, None),
    f"https://tenhou.net/4/?log={ID}&ts=0&tw=3": (3, 0),
    f"http://ron2.jp/3/?log={ID}": (None, None),
    f"https://tenhou.net/0/log/?{ID}": (None, None),
    f"https://tenhou.net/0/log/find.cgi?log={ID}&tw=0": (0, None),
    f"https://tenhou.net/5/mjlog2json.cgi?{ID}": (None, None),
    f"https://tenhou.net/0/log/mjlog2xml.cgi?{ID}": (None, None),
    f"http://e.mjv.jp/0/log/?{ID}": (None, None),
    f"{ID}&tw=1.mjlog": (1, None),
    f"https://tenhou.net/0/?log={ID.replace('-', '%2D')}": (None, None),
    f"<https://tenhou.net/0/?log={ID}&tw=1>": (1, None),
    ID: (None, None),
}


@each_row("text", TENHOU)
def test_tenhou(text: str) -> None:
    seat, hand = TENHOU[text]
    assert log_address(text) == LogAddress("Tenhou", (ID,), seat, hand)


def test_lobbies_of_five_digits_and_ids_without_an_hour() -> None:
    for text in ("2022010503gm-00b9-12717-6ebd44bf", "20061001gm-00b9-0000-6ebd44bf"):
        assert log_address(f"https://tenhou.net/0/?log={text}") == LogAddress("Tenhou", (text,))


def test_hidden_ids() -> None:
    assert shown_id("2017022002gm-000b-2873-xc0294a92421e") == "2017022002gm-000b-2873-fb28df66"
    found = log_address("https://tenhou.net/0/?log=2017022002gm-000b-2873-xc0294a92421e&tw=1")
    assert found == LogAddress("Tenhou", ("2017022002gm-000b-2873-fb28df66",), 1)


@pytest.mark.parametrize("tail", ["", "_a925124703", "_a925124703_2", "__2", "_2"])
@pytest.mark.parametrize("site", ["https://game.maj-soul.com/1/?paipu=", "雀魂牌譜: ", ""])
def test_mahjong_soul(site: str, tail: str) -> None:
    assert plain_uuid(UUID) == plain_uuid(coded(UUID)) == UUID
    for uuid in (UUID, coded(UUID)):
        account = 120_089_734 if "_a" in tail else None
        assert log_address(f"{site}{uuid}{tail}") == LogAddress("Mahjong Soul", (UUID,), account=account)


def test_the_account_in_an_address_of_mahjong_soul_is_a_seat(tmp_path: Path) -> None:
    for account in (1, 7, 12_345_678, 120_089_734):
        assert plain_account(1_358_437 + ((7 * account + 1_117_113) ^ 86_216_345)) == account
    assert plain_account(925_124_704) is plain_account(5) is None
    people = [{"account_id": 1000 + seat, "seat": seat, "nickname": "Ann"} for seat in (2, 0, 3)]
    record = export(new_round(), cut(0), head=head(accounts=[*people, "odd"]))
    (tmp_path / f"{UUID}.json").write_bytes(orjson.dumps([record]))
    (tmp_path / "other.json").write_bytes(b"{")
    for account, seat in ((1002, 2), (1000, 0), (1001, None)):
        shown = 1_358_437 + ((7 * account + 1_117_113) ^ 86_216_345)
        address = f"https://game.maj-soul.com/1/?paipu={coded(UUID)}_a{shown}_2"
        assert locate(address, tmp_path).seat == seat
    assert seat_of_account(str(LOG), 1000) is seat_of_account(str(tmp_path / "other.json"), 1000) is None


def test_riichi_city() -> None:
    near = log_address(XID)
    assert near is not None
    assert (near.ids[0], len(set(near.ids)), {len(one) for one in near.ids}) == (XID, 5, {20})
    for text, seat in (
        (f"{XID}@2", 2),
        (f"{XID}@Aki", None),
        (f"https://city.example/?log_id={XID}&seat=3", 3),
    ):
        assert log_address(text) == LogAddress("Riichi City", near.ids, seat)
    for other in near.ids[1:3]:  # the counter differs by one
        found = log_address(other)
        assert found is not None
        assert XID in found.ids


OTHERS = {
    "https://mjai.ekyu.moe/report/0123456789abcdef.json": "0123456789abcdef",
    "https://mjai.ekyu.moe/killerducky/?data=/report/0123456789abcdef.json": "0123456789abcdef",
    "https://m-league.jp/live/viewer?gameid=L001_S014_0012_02A": "L001_S014_0012_02A",
}


@pytest.mark.parametrize("text", OTHERS)
def test_others(text: str) -> None:
    found = log_address(text)
    assert found is not None
    assert found.ids == (OTHERS[text],)


@each_row(
    "text", ["logs", f"logs/{ID}.mjlog", f"s3://bucket/{ID}", "https://example.com/", "-", "", "a:b", "*.gz"]
)
def test_what_is_no_address(text: str) -> None:
    assert log_address(text) is None
    assert locate(text).path == text


@pytest.fixture(params=["file", "folder", "zip", "tar", "tar.gz", "database"])
def library(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A library of each kind that has the log, and others beside it."""
    data, other = LOG.read_bytes(), b"something else"
    members = {"logs/2022010503gm-00b9-0000-00000000.mjlog": other, f"logs/{ID}&tw=0.mjlog.gz": data}
    if request.param == "file":
        shutil.copy(LOG, tmp_path / f"{ID}.mjlog.gz")
        return tmp_path / f"{ID}.mjlog.gz"
    if request.param == "folder":
        (tmp_path / "deep").mkdir()
        shutil.copy(LOG, tmp_path / "deep" / f"{ID}.mjlog.gz")
        return tmp_path
    if request.param == "database":
        return database(
            tmp_path / "houou.db", "houou-logs", [("2022010503gm-00b9-0000-00000000", other), (ID, data)]
        )
    packed = zipped(members) if request.param == "zip" else tarred(members)
    path = tmp_path / f"logs.{request.param}"
    path.write_bytes(gzip.compress(packed) if request.param == "tar.gz" else packed)
    return path


def test_a_log_is_found_and_read(library: Path) -> None:
    address = f"https://tenhou.net/0/?log={ID}&tw=1&ts=3"
    found = locate(address, [library])
    assert (found.seat, found.hand) == (1, 3)
    (batch,) = read_batches([found.path])
    assert (len(batch), batch.games.id[0], len(batch.faults)) == (1, ID, 0)
    shown = call("show", address, "--library", library)
    assert shown.status == 0
    assert "E3.1" in shown.text
    assert "E1.0" not in shown.text
    assert "→3m" in shown.text  # others' draws are hidden
    assert call("verify", address, "--library", library, "--jobs", 1).status == 0


def test_what_is_not_there_says_what_to_download_and_where_it_was_looked_for(tmp_path: Path) -> None:
    for text in (
        f"https://tenhou.net/0/?log={ID}",
        f"https://game.maj-soul.com/1/?paipu={coded(UUID)}_a1_2",
        XID,
    ):
        address = log_address(text)
        assert address is not None
        with pytest.raises(NotInLibraryError, match=address.ids[0]) as error:
            locate(text, tmp_path)
        assert str(tmp_path) in str(error.value)
        with pytest.raises(NotInLibraryError, match="no network"):
            locate(text)
    result = call("verify", ID, "--library", tmp_path)
    assert (result.status, result.text) == (2, "")
    for text in ("https://amae-koromo.sapk.ch/player/72/12", "https://amae-koromo.sapk.ch/view_game/a/b/c/1"):
        with pytest.raises(NotInLibraryError):
            locate(text, tmp_path)


def test_a_path_that_is_there_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(LOG, ID)
    assert locate(ID, tmp_path / "nowhere").path == ID


def test_members_and_rows_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"one.mjlog.gz": LOG.read_bytes(), "two.txt": b"?"}))
    (batch,) = read_batches([f"{path}:one.mjlog.gz"])
    assert (len(batch), len(batch.faults), batch.games.source[0]) == (1, 0, f"{path}:one.mjlog.gz")
    for name, reason in ((f"{path}:three", "no member"), (f"{LOG}:one", "neither an archive")):
        (batch,) = read_batches([name])
        assert reason in batch.faults.reason[0]


LISTS = {
    f'[{{"uuid": "{UUID}", "modeId": 12, "players": []}}, {{"uuid": "x", "modeId": 12}}]': "it names 2 logs",
    f'22:05 | 20 | 四鳳南喰赤－ | <a href="http://tenhou.net/0/?log={ID}">牌譜</a> |': "it names 1 log ",
    "22:05 | 20 | 四鳳南喰赤－ | A(+57.0) B(+8.0) C(-19.0) D(-46.0)\n": "it names no log",
    "L1001 | 22:05 | 四般東喰赤－ | A(+57) B(+8) C(-19) D(-46)\n": "it names no log",
}


@pytest.mark.parametrize("text", LISTS)
def test_lists_say_how_many_logs_they_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "list").write_text(text, encoding="utf-8")
    (batch,) = read_batches([tmp_path])
    assert LISTS[text] in f"{batch.faults.reason[0]} "


def test_a_pipe_as_a_library_is_not_waited_for(tmp_path: Path) -> None:
    """Opening one waits until somebody writes to it."""
    os.mkfifo(tmp_path / "pipe.zip")
    for library in (tmp_path / "pipe.zip", tmp_path):
        with pytest.raises(NotInLibraryError):
            locate(f"https://tenhou.net/0/?log={ID}", library)


def test_a_pipe_is_compared_with_itself_only_with_words(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for one, other in ((tmp_path / "pipe", tmp_path / "pipe"), ("-", "-")):
        done = call("compare", one, other)
        assert done.status == 2
        assert "can be read only once" in done.talk[-1]
