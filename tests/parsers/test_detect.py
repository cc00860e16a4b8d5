"""What bytes are told to be, whatever the file's name."""

from __future__ import annotations

import bz2
import gzip
import lzma

from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from sources import mjlog, tarred, tenhou6, zipped

from paifu.parsers.read import READERS, _reader
from paifu.parsers.sources.detect import HEAD, LOGS, Format, sniff
from paifu.parsers.sources.no_logs import unreadable

KINDS = {
    "mjlog": (mjlog(), Format.MJLOG),
    "mjlog with a declaration": (b'<?xml version="1.0" encoding="UTF-8"?>\n' + mjlog(), Format.MJLOG),
    "mjlog with a byte order mark": (b"\xef\xbb\xbf" + mjlog(), Format.MJLOG),
    "mjlog after blank lines": (b"\r\n \t" + mjlog(), Format.MJLOG),
    "mjlog after a comment": (b"<!-- mine -->" + mjlog(), Format.MJLOG),
    "mjlog after a doctype": (b'<!DOCTYPE x [<!ENTITY a "b">]>' + mjlog(), Format.MJLOG),
    "an empty mjlog": (b"<mjloggm/>", Format.MJLOG),
    "another root": (b'<mjloggmx ver="2.3">', Format.UNKNOWN),
    "tenhou6": (tenhou6(), Format.TENHOU6),
    "tenhou6, its log first": (b'{"log":[[[0,0,0],[25000', Format.TENHOU6),
    "tenhou6, printed prettily": (b'{\n  "title": [\n "x" ],\n  "log": [\n    [', Format.TENHOU6),
    "tenhou6, its log far behind": (b'{"ver":2.3,"ref":"2020010100gm-0009-0000-12345678",', Format.TENHOU6),
    "a list of tenhou6": (b"[" + tenhou6() + b"]", Format.TENHOU6),
    "a tenhou6 address": (b"https://tenhou.net/6/#json=%7B%22log%22", Format.TENHOU6),
    "a tenhou6 address, old": (b"http://tenhou.net/5/?ts=1#json={", Format.TENHOU6),
    "the end of an address": (b"#json={", Format.TENHOU6),
    "mjai": (b'{"type":"start_game","names":["a","b","c","d"]}\n', Format.MJAI),
    "mjai, spaced, other order": (b'{"names": ["a"], "type": "start_game"}\n', Format.MJAI),
    "mjai, lists": (b'[{"type":"start_game"}]\n', Format.MJAI),
    "a report on an mjai game": (b'{"engine":"x","log_id":null,"mjai_log":[', Format.MJAI),
    "Mahjong Soul": (b'{"head": {\n "uuid": "200101-x"}, "data": {', Format.MAJSOUL),
    "Mahjong Soul events": (b'[{"name":".lq.RecordNewRound","data":{}}]', Format.MAJSOUL),
    "Mahjong Soul, by type": (b'{"records":[{"@type":"RecordNewRound"', Format.MAJSOUL),
    "Mahjong Soul's details on the wire": (b"\n\x15.lq.GameDetailRecords\x12\x80\x01", Format.MAJSOUL),
    "majiang": (b'{"title":"x","player":["a"],"qijia":0,"log":[[{"qipai":{', Format.MAJIANG),
    "majiang, its log first": (b'{"log":[[{"qipai":{"jushu":0', Format.MAJIANG),
    "mjx": (b'{"hiddenState":{"wall":[84,31', Format.MJX),
    "mjx, what one player sees": (b'{"who":1,"publicObservation":{"playerIds"', Format.MJX),
    "M.League": (b'[{"time":"0","id":"0","cmd":"gamestart","args":[]},{"time"', Format.MLEAGUE),
    "Riichi City": (b'{"code":0,"message":"ok","data":{"fangFu":0,"handRecord":[', Format.RIICHI_CITY),
    "Riichi City, without its envelope": (b'{"handRecord": [{"benChangNum"', Format.RIICHI_CITY),
    "Tonpuusou": ("===== 東風戦ランキング 7卓 開始 2002/03/03 18:37 =====\n".encode(), Format.TONPUUSOU),
    "Tonpuusou, in Japanese Windows' encoding": (
        "===== 東南戦三人:仲間 7卓 開始 1998/09/27 18:24 =====\r\n".encode("cp932"),
        Format.TONPUUSOU,
    ),
    "a line that Tenhou's clients begin alike": (
        "===== 天鳳 L0000 鳳南喰赤 開始 2015/12/31 =====\n".encode(),
        Format.UNKNOWN,
    ),
    "other JSON": (b'{"version": 3}', Format.UNKNOWN),
    "gzip": (gzip.compress(b"x"), Format.GZIP),
    "bzip2": (bz2.compress(b"x"), Format.BZ2),
    "xz": (lzma.compress(b"x"), Format.XZ),
    "zstd": (b"\x28\xb5\x2f\xfd\x00", Format.ZSTD),
    "zip": (zipped({"a": b"x"}), Format.ZIP),
    "an empty zip": (zipped({}), Format.ZIP),
    "tar": (tarred({"a": b"x"}), Format.TAR),
    "SQLite": (b"SQLite format 3\x00\x10\x00", Format.SQLITE),
    "Parquet": (b"PAR1\x15\x04", Format.PARQUET),
    "text": (b"# Real logs\n", Format.UNKNOWN),
    "nothing": (b"", Format.UNKNOWN),
    "a picture": (b"\x89PNG\r\n\x1a\n", Format.UNKNOWN),
}


@each_row(("head", "kind"), KINDS.values(), ids=KINDS)
def test_the_first_bytes_tell(head: bytes, kind: Format) -> None:
    assert sniff(head) is kind


LOOKS = {
    "empty": (b"", "empty", "V101"),
    "blank": (b" \n\n", "empty", "V101"),
    "UTF-16": ("<mjloggm".encode("utf-16"), "UTF-16", "V102"),
    "a web page": (b"<!DOCTYPE html>\n<html>", "web page", "V102"),
    "links": (
        b'00:01 | 12 | x | <a href="http://tenhou.net/0/?log=2013010100gm-00e1-0000-aaaaaaaa">\n',
        "links",
        "V102",
    ),
    "other XML": (b"<svg>", "XML", "V102"),
    "other JSON": (b'{"a": 1}', "JSON", "V102"),
    "Mahjong Soul's protocol": (
        b'{"nested": {"lq": {"nested": {"RecordNewRound": {"fields": {}}}}}}',
        "protocol",
        "V102",
    ),
    "Botzone": (b'{"initdata":{"quan":0},"log":[{"output":{"command":"request"}}]}', "Botzone", "V102"),
    "Botzone, its log first": (b'{"log": [{"output": {"display": {"quan": 0}}}]}', "Botzone", "V102"),
    "a line of a build": (b"[INFO] Scanning", "not a log", "V102"),
    "zstd": (b"\x28\xb5\x2f\xfd\x00", "zstd", "V102"),
    "Parquet": (b"PAR1", "Parquet", "V102"),
    "text": (b"hello", "not a log", "V102"),
}


@each_row(("head", "word", "code"), LOOKS.values(), ids=LOOKS)
def test_what_cannot_be_read_is_named_with_a_next_step(head: bytes, word: str, code: str) -> None:
    error = unreadable(sniff(head), head)
    assert word in error.reason
    assert ("JSON" in error.reason) == (word == "JSON")
    assert error.code == code
    assert error.hint


def test_every_format_of_logs_has_a_parser() -> None:
    assert set(READERS) == LOGS
    assert all(callable(_reader(fmt)) for fmt in LOGS)


@given(st.binary(max_size=2 * HEAD))
def test_any_bytes_have_a_kind_and_only_the_head_counts(data: bytes) -> None:
    assert sniff(data) is sniff(data[:HEAD])
    assert unreadable(sniff(data), data).reason
