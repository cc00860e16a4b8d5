"""Mahjong Soul's messages on the wire: protobuf, read by a table of the fields that paifu uses.

A message becomes a dictionary by field name, without those that are absent. Fields that are not in the table
are skipped, whatever they hold, so that new ones do no harm. Only numbers (varints) and length-delimited
values occur in these messages; the two fixed widths are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from paifu.parsers.errors import ParseError

_VARINT, _FIXED64, _DELIMITED, _FIXED32 = 0, 1, 2, 5
_MAX_VARINT = 10
"""Bytes of the longest number."""
_MAX_DEPTH = 20
MAX_CELLS = 50_000
"""Of one list; a game has some 1,500 records."""
_UNSIGNED, _SIGNED, _BOOLEAN, _TEXT, _BYTES = "u", "i", "?", "s", "b"
_SIGN = 1 << 63


class _Field(NamedTuple):
    name: str
    kind: str
    """One of the letters above, or the name of a message."""
    is_list: bool


Message = Mapping[int, _Field]


def _messages(table: Mapping[str, str]) -> Mapping[str, Message]:
    """Read the table: ``number name kind``, with a star after the kind of a repeated field."""
    messages: dict[str, Message] = {}
    for name, fields in table.items():
        rows = [field.split() for field in fields.split(",")]
        messages[name] = {
            int(number): _Field(field, kind.rstrip("*"), kind.endswith("*")) for number, field, kind in rows
        }
    return messages


MESSAGES = _messages(
    {
        "Wrapper": "1 name s, 2 data b",
        "ResGameRecord": "3 head RecordGame, 4 data b, 5 data_url s",
        "RecordGame": "1 uuid s, 2 start_time u, 3 end_time u, 5 config GameConfig, 11 accounts Account*, "
        "12 result GameEndResult, 13 robots Account*",
        "Account": "1 account_id u, 2 seat u, 3 nickname s, 7 level Level, 8 level3 Level",
        "Level": "1 id u, 2 score u",
        "GameEndResult": "1 players EndPlayer*",
        "EndPlayer": "1 seat u, 2 total_point i, 3 part_point_1 i, 4 part_point_2 i, 5 grading_score i",
        "GameConfig": "1 category u, 2 mode GameMode, 3 meta GameMeta",
        "GameMeta": "1 room_id u, 2 mode_id u, 3 contest_uid u",
        "GameMode": "1 mode u, 4 ai ?, 5 extendinfo s, 6 detail_rule DetailRule",
        "DetailRule": "3 dora_count u, 4 shiduan u, 5 init_point u, 6 fandian u, 7 can_jifei ?, "
        "8 tianbian_value u, 9 liqibang_value u, 10 changbang_value u, 11 noting_fafu_1 u, "
        "12 noting_fafu_2 u, 13 noting_fafu_3 u, 14 have_liujumanguan ?, 15 have_qieshangmanguan ?, "
        "16 have_biao_dora ?, 17 have_gang_biao_dora ?, 18 ming_dora_immediately_open ?, 19 have_li_dora ?, "
        "20 have_gang_li_dora ?, 21 have_sifenglianda ?, 22 have_sigangsanle ?, 23 have_sijializhi ?, "
        "24 have_jiuzhongjiupai ?, 25 have_sanjiahele ?, 26 have_toutiao ?, 27 have_helelianzhuang ?, "
        "28 have_helezhongju ?, 29 have_tingpailianzhuang ?, 30 have_tingpaizhongju ?, 31 have_yifa ?, "
        "32 have_nanruxiru ?, 33 jingsuanyuandian u, 34 shunweima_2 i, 35 shunweima_3 i, 36 shunweima_4 i, "
        "39 have_zimosun ?, 40 disable_multi_yukaman ?, 41 fanfu u, 42 guyi_mode u, 43 dora3_mode u, "
        "44 begin_open_mode u, 45 jiuchao_mode u, 46 muyu_mode u, 47 open_hand u, 48 xuezhandaodi u, "
        "49 huansanzhang u, 50 chuanma u, 51 reveal_discard u, 52 field_spell_mode u, 53 zhanxing u, "
        "54 tianming_mode u, 60 disable_leijiyiman ?, 62 disable_double_yakuman ?, "
        "63 disable_composite_yakuman ?, 64 enable_shiti ?, 65 enable_nontsumo_liqi ?, "
        "66 disable_double_wind_four_fu ?, 67 disable_angang_guoshi ?, 68 enable_renhe ?",
        "GameDetailRecords": "1 records b*, 2 version u, 3 actions GameAction*",
        "GameAction": "1 passed u, 2 type u, 3 result b, 5 user_event UserEvent",
        "UserEvent": "1 seat u, 2 type u",
        "RecordNewRound": "1 chang u, 2 ju u, 3 ben u, 4 dora s, 5 scores i*, 6 liqibang u, 7 tiles0 s*, "
        "8 tiles1 s*, 9 tiles2 s*, 10 tiles3 s*, 13 md5 s, 14 paishan s, 15 left_tile_count u, 16 doras s*, "
        "22 sha256 s, 24 saltSha256 s, 25 salt s",
        "RecordDealTile": "1 seat u, 2 tile s, 3 left_tile_count u, 5 liqi LiQiSuccess, 6 doras s*",
        "RecordDiscardTile": "1 seat u, 2 tile s, 3 is_liqi ?, 5 moqie ?, 8 doras s*, 9 is_wliqi ?",
        "RecordChiPengGang": "1 seat u, 2 type u, 3 tiles s*, 4 froms u*, 5 liqi LiQiSuccess",
        "RecordAnGangAddGang": "1 seat u, 2 type u, 3 tiles s, 6 doras s*",
        "RecordBaBei": "1 seat u, 6 doras s*, 8 moqie ?",
        "RecordHule": "1 hules HuleInfo*, 2 old_scores i*, 3 delta_scores i*, 5 scores i*, 7 doras s*, "
        "9 baopai u",
        "HuleInfo": "1 hand s*, 2 ming s*, 3 hu_tile s, 4 seat u, 5 zimo ?, 6 qinjia ?, 7 liqi ?, "
        "8 doras s*, 9 li_doras s*, 10 yiman ?, 11 count u, 12 fans Fan*, 13 fu u, 14 title s, "
        "15 point_rong u, 16 point_zimo_qin u, 17 point_zimo_xian u, 18 title_id u, 21 baopai u",
        "Fan": "1 name s, 2 val u, 3 id u",
        "RecordNoTile": "1 liujumanguan ?, 2 players NoTilePlayer*, 3 scores NoTileScore*",
        "NoTilePlayer": "3 tingpai ?, 4 hand s*",
        "NoTileScore": "1 seat u, 2 old_scores i*, 3 delta_scores i*",
        "RecordLiuJu": "1 type u, 3 seat u, 4 tiles s*, 5 liqi LiQiSuccess, 6 allplayertiles s*",
        "LiQiSuccess": "1 seat u, 2 score i, 3 liqibang u, 4 failed ?",
    }
)
"""Name of a message -> its fields by number."""


def decode(data: bytes, name: str, depth: int = 0) -> dict[str, Any]:
    """Read a message. Raises ParseError for other bytes."""
    if depth > _MAX_DEPTH:
        raise ParseError("the messages are nested too deep")
    fields = MESSAGES[name]
    found: dict[str, Any] = {}
    at, end = 0, len(data)
    while at < end:
        key, at = _number(data, at)
        field = fields.get(key >> 3)
        width = key & 7
        if width == _VARINT:
            value, at = _number(data, at)
            if field is not None:
                _put_number(found, field, value)
        elif width == _DELIMITED:
            size, at = _number(data, at)
            if size > end - at:
                raise ParseError("the message breaks off", place=f"byte {at}")
            if field is not None:
                _put_bytes(found, field, data[at : at + size], depth)
            at += size
        elif width in (_FIXED64, _FIXED32):
            at += 8 if width == _FIXED64 else 4
        else:
            raise ParseError(f"this is not a protobuf message: a value of type {width}", place=f"byte {at}")
    if at > end:
        raise ParseError("the message breaks off", place=f"byte {end}")
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Read a varint; returns it and where it ends."""
    value = shift = 0
    for byte in data[at : at + _MAX_VARINT]:
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
        shift += 7
    raise ParseError("the message breaks off within a number", place=f"byte {at}")


def _put_number(found: dict[str, Any], field: _Field, value: int) -> None:
    if field.kind == _SIGNED and value >= _SIGN:
        value -= 1 << 64
    elif field.kind == _BOOLEAN:
        value = bool(value)
    elif field.kind not in (_UNSIGNED, _SIGNED):
        return
    _put(found, field, value)


def _put_bytes(found: dict[str, Any], field: _Field, data: bytes, depth: int) -> None:
    value: Any
    if field.kind in (_UNSIGNED, _SIGNED, _BOOLEAN):
        at = 0
        while at < len(data):  # packed numbers
            number, at = _number(data, at)
            _put_number(found, field, number)
        return
    if field.kind == _TEXT:
        value = data.decode("utf-8", "replace")
    elif field.kind == _BYTES:
        value = data
    else:
        value = decode(data, field.kind, depth + 1)
    _put(found, field, value)


def _put(found: dict[str, Any], field: _Field, value: Any) -> None:
    if field.is_list:
        cells = found.setdefault(field.name, [])
        if len(cells) >= MAX_CELLS:
            raise ParseError(f"{field.name} lists more than {MAX_CELLS:,} things, which no game has")
        cells.append(value)
    else:
        found[field.name] = value
