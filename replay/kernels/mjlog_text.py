"""Text of mjlog to columns: one pass over the bytes of a game.

Only what Tenhou itself writes is read here: elements one after the other, values in double quotes, whole
numbers as JSON has them, attributes that a log is known to have. At anything else the pass gives up, and the
reader that looks at each element takes the whole game. So nothing here needs to say what is wrong, and what
is accepted must be read exactly as there.

Rows are int32; the places in them are named below, and lists are padded with the value for "not stated".
"""

from __future__ import annotations

from paifu.replay.kernels import table_state as state
from paifu.replay.kernels.arrays import I32, U8
from paifu.replay.kernels.mjlog_spelling import (
    IDS,
    MAX_POINTS,
    NO_TILE,
    NOBODY,
    RYUUKYOKU,
    TAIKYOKU,
    UNKNOWN,
    URA_HAI,
    Scanned,
    event_word,
    fill,
    find,
    meld_word,
    name_code,
    read_attributes,
    read_name,
    read_numbers,
    read_one,
    read_points,
    read_tiles,
    take_numbers,
)
from paifu.replay.kernels.running import entry, kernel

# Places in rows, named as the columns that they become, with the letter of their table.
H_EVENT_BEGIN, H_END, H_ROUND, H_HONBA, H_STICKS, H_DICE, H_DORA, H_DEALER = 0, 1, 2, 3, 4, 5, 7, 8
H_SCORES, H_CHIPS, H_SPAN, H_DEALT, H_GAME, H_SIZE = 9, 13, 17, 19, 71, 72
W_EVENT, W_HAND, W_SEAT, W_SOURCE, W_LIABLE, W_TILE, W_FU, W_POINTS, W_LIMIT = 0, 1, 2, 3, 4, 5, 6, 7, 8
W_HONBA, W_STICKS, W_SCORES, W_DELTAS, W_CHIPS, W_TILES, W_MELDS = 9, 10, 11, 15, 19, 23, 37
W_YAKU, W_HAN, W_DORA, W_URA, W_GAME, W_SIZE = 45, 69, 93, 98, 103, 104
D_EVENT, D_HAND, D_KIND, D_HONBA, D_STICKS, D_SCORES, D_DELTAS, D_CHIPS = 0, 1, 2, 3, 4, 5, 9, 13
D_TENPAI, D_SHOWN, D_GAME, D_SIZE = 17, 21, 77, 78
R_EVENT, R_SCORES, R_SIZE = 0, 1, 5
MAX_MELDS, MAX_YAKU, MAX_INDICATORS, MAX_SHOWN = 8, 24, 5, 14
_DEALT = 13

# Kinds of ends of hands, as in ``replay.model.events``.
_END_WIN, _EXHAUSTIVE, _NAGASHI = 1, 2, 3

# Names of elements and attributes.
_N, _DORA_NAME, _REACH, _BYE, _UN, _INIT, _AGARI = map(
    name_code, (b"N", b"DORA", b"REACH", b"BYE", b"UN", b"INIT", b"AGARI")
)
_WHO, _M, _HAI, _STEP, _TEN, _SEED, _OYA, _SHUFFLE, _CHIP = map(
    name_code, (b"who", b"m", b"hai", b"step", b"ten", b"seed", b"oya", b"shuffle", b"chip")
)
_BA, _SC, _OWARI, _FROM, _PAO, _MACHI, _DORA_HAI, _YAKU, _YAKUMAN, _TYPE = map(
    name_code,
    (b"ba", b"sc", b"owari", b"fromWho", b"paoWho", b"machi", b"doraHai", b"yaku", b"yakuman",
     b"type"),
)  # fmt: skip
_HAI_0, _N_0 = name_code(b"hai0"), name_code(b"n0")
_SHUFFLE_NAME, _GO = name_code(b"SHUFFLE"), name_code(b"GO")
HEAD = (b"seed", b"type", b"lobby", b"csrule", b"title", b"n0", b"n1", b"n2", b"n3", b"dan", b"rate", b"sx",
        b"oya")  # fmt: skip
"""Attributes of SHUFFLE, GO, UN and TAIKYOKU that are read, before the first hand, in this order."""
_HEAD, _REF = tuple(map(name_code, HEAD)), name_code(b"ref")
_THREE_PLAYERS = 0x10
"""As in ``replay.rulesets.log_rules``."""
_DRAW_TYPES = tuple(map(name_code, (b"nm", b"yao9", b"kaze4", b"reach4", b"ron3", b"kan4")))
"""Values of ``type``, in the order of the ends of hands from NAGASHI on."""
_ONE = 49

BEGIN, END, PLAYERS, N_WORDS, N_HANDS, N_WINS, N_DRAWS, N_RIICHI, OWARI_BEGIN, OWARI_END = range(10)
N_SEEDS, UNLISTED, COUNTS = range(10, 13)


@kernel
def _head(text: U8, name: int, count: int, out: Scanned) -> bool:
    """Read SHUFFLE, GO, UN of all players and TAIKYOKU, each of which there is once, and has these only."""
    first, end = 0, 1
    if name == _GO:
        first, end = 1, 5
    elif name == _UN:
        first, end = 5, 12
    elif name == TAIKYOKU:
        first, end = 12, 13
    elif name != _SHUFFLE_NAME:
        return False
    names = found = 0
    for place in range(first, end):
        if out.head[place, 0]:
            return False
        attribute = find(out, count, _HEAD[place])
        if attribute >= 0:
            found += 1
            names += 5 <= place < 9
            out.head[place, 0], out.head[place, 1] = out.spans[attribute, 0], out.spans[attribute, 1]
    if not found or found + (name == _SHUFFLE_NAME and find(out, count, _REF) >= 0) != count:
        return False
    if name == _GO:
        kind = read_one(text, find(out, count, _HEAD[1]), 1_000_000_000, out)
        out.counts[PLAYERS] = 3 if kind >= 0 and kind & _THREE_PLAYERS else 4
        return kind >= 0
    return names != 1


@kernel
def _hand(text: U8, count: int, players: int, out: Scanned) -> bool:
    """Read INIT."""
    at = int(out.counts[N_HANDS])
    if at == len(out.hands):
        return False
    row = out.hands[at]
    fill(row, 0, H_SIZE, NO_TILE)
    row[H_GAME] = 0
    fill(row, H_CHIPS, H_CHIPS + 4, UNKNOWN)
    row[H_EVENT_BEGIN], row[H_END], row[H_SPAN], row[H_SPAN + 1] = out.counts[N_WORDS], 0, 0, 0
    if read_numbers(text, find(out, count, _SEED), out) != 6:
        return False
    seed = out.numbers
    if not (0 <= seed[0] < 64 and 0 <= seed[1] < 10_000 and 0 <= seed[2] < 10_000):
        return False
    if not (0 <= seed[3] < 6 and 0 <= seed[4] < 6 and 0 <= seed[5] < IDS):
        return False
    row[H_ROUND], row[H_HONBA], row[H_STICKS] = seed[0], seed[1], seed[2]
    row[H_DICE], row[H_DICE + 1], row[H_DORA] = seed[3], seed[4], seed[5]
    dealer = read_one(text, find(out, count, _OYA), players, out)
    if dealer < 0 or not read_points(text, find(out, count, _TEN), 100, row, H_SCORES, out):
        return False
    row[H_DEALER] = dealer
    known = 3
    for seat in range(4):
        hai = find(out, count, _HAI_0 + seat)
        known += hai >= 0
        if seat < players:
            if read_tiles(text, hai, _DEALT, out) != _DEALT:
                return False
            take_numbers(out, _DEALT, row, H_DEALT + _DEALT * seat)
        elif hai >= 0 and read_numbers(text, hai, out) != 0:
            return False
    shuffle, chip = find(out, count, _SHUFFLE), find(out, count, _CHIP)
    if shuffle >= 0:
        known += 1
        row[H_SPAN], row[H_SPAN + 1] = out.spans[shuffle, 0], out.spans[shuffle, 1]
        out.counts[N_SEEDS] += 1
    if chip >= 0:
        known += 1
        if not read_points(text, chip, 1, row, H_CHIPS, out):
            return False
    out.counts[N_HANDS] += 1
    return known == count


@kernel
def _end(
    text: U8, count: int, row: I32, honba: int, scores: int, deltas: int, chips: int, out: Scanned
) -> int:
    """Read what AGARI and RYUUKYOKU share; return how many attributes that were, -1 for none."""
    known = 2
    if read_numbers(text, find(out, count, _BA), out) != 2:
        return -1
    if not (0 <= out.numbers[0] < 10_000 and 0 <= out.numbers[1] < 10_000):
        return -1
    row[honba], row[honba + 1] = out.numbers[0], out.numbers[1]
    size = read_numbers(text, find(out, count, _SC), out)
    if size not in (8, 16):
        return -1
    for number in range(size):
        if not -MAX_POINTS // 100 <= out.numbers[number] <= MAX_POINTS // 100:
            return -1
    for seat in range(4):
        row[scores + seat] = 100 * out.numbers[2 * seat]
        row[deltas + seat] = 100 * out.numbers[2 * seat + 1]
        row[chips + seat] = out.numbers[8 + 2 * seat + 1] if size == 16 else UNKNOWN
    owari = find(out, count, _OWARI)
    if owari >= 0:
        if out.counts[OWARI_END]:
            return -1
        known += 1
        out.counts[OWARI_BEGIN], out.counts[OWARI_END] = out.spans[owari, 0], out.spans[owari, 1]
    return known


@kernel
def _win(text: U8, count: int, players: int, out: Scanned) -> bool:
    """Read AGARI."""
    at = int(out.counts[N_WINS])
    if at == len(out.wins) or out.counts[N_HANDS] == 0:
        return False
    row = out.wins[at]
    fill(row, 0, W_SIZE, NO_TILE)
    row[W_GAME] = 0
    fill(row, W_MELDS, W_MELDS + MAX_MELDS, -1)
    fill(row, W_HAN, W_HAN + MAX_YAKU, 0)
    known = _end(text, count, row, W_HONBA, W_SCORES, W_DELTAS, W_CHIPS, out)
    if known < 0 or read_numbers(text, find(out, count, _TEN), out) != 3:
        return False
    fu, points, limit = int(out.numbers[0]), int(out.numbers[1]), int(out.numbers[2])
    if not (0 <= fu <= 1000 and 0 <= points <= MAX_POINTS and 0 <= limit <= 5):
        return False
    row[W_FU], row[W_POINTS], row[W_LIMIT] = fu, points, limit
    seat = read_one(text, find(out, count, _WHO), players, out)
    source = read_one(text, find(out, count, _FROM), players, out)
    tile = read_one(text, find(out, count, _MACHI), IDS, out)
    tiles = read_tiles(text, find(out, count, _HAI), MAX_SHOWN, out)
    if seat < 0 or source < 0 or tile < 0 or tiles < 0:
        return False
    known += 5
    take_numbers(out, tiles, row, W_TILES)
    row[W_SEAT], row[W_SOURCE], row[W_TILE] = seat, source, tile
    pao = find(out, count, _PAO)
    if pao >= 0:
        known += 1
        liable = read_one(text, pao, players, out)
        if liable < 0:
            return False
        row[W_LIABLE] = liable
    for name, place in ((_DORA_HAI, W_DORA), (URA_HAI, W_URA)):
        attribute = find(out, count, name)
        if attribute >= 0:
            known += 1
            size = read_tiles(text, attribute, MAX_INDICATORS, out)
            if size < 0:
                return False
            take_numbers(out, size, row, place)
    melds = find(out, count, _M)
    if melds >= 0:
        known += 1
        size = read_numbers(text, melds, out)
        if not 0 <= size <= MAX_MELDS:
            return False
        for number in range(size):
            if not 0 <= out.numbers[number] <= 1 << 20:
                return False
        take_numbers(out, size, row, W_MELDS)
    yaku, yakuman, listed = find(out, count, _YAKU), find(out, count, _YAKUMAN), 0
    if yaku >= 0:
        known += 1
        size = read_numbers(text, yaku, out)
        if size < 0 or size % 2 or size > 2 * MAX_YAKU:
            return False
        for number in range(0, size, 2):
            which, han = int(out.numbers[number]), int(out.numbers[number + 1])
            if not (0 <= which < 256 and out.known_yaku[which] and 0 <= han < 100):
                return False
            row[W_YAKU + listed], row[W_HAN + listed] = which, han
            listed += 1
    if yakuman >= 0:
        known += 1
        size = read_numbers(text, yakuman, out)
        if size < 0 or listed + size > MAX_YAKU:
            return False
        for number in range(size):
            which = int(out.numbers[number])
            if not (0 <= which < 256 and out.known_yaku[which]):
                return False
            row[W_YAKU + listed], row[W_HAN + listed] = which, 13
            listed += 1
    out.counts[UNLISTED] += row[W_YAKU] == NO_TILE
    row[W_EVENT], row[W_HAND] = out.counts[N_WORDS], out.counts[N_HANDS] - 1
    out.hands[out.counts[N_HANDS] - 1, H_END] = _END_WIN
    out.words[out.counts[N_WORDS]] = event_word(state.WIN, seat, source, tile)
    out.counts[N_WINS] += 1
    return known == count


@kernel
def _draw_end(text: U8, attribute: int, out: Scanned) -> int:
    """Return how the hand ended, by the attribute ``type``; 0 for an unknown end."""
    if attribute < 0 or out.spans[attribute, 0] == out.spans[attribute, 1]:
        return _EXHAUSTIVE
    code = read_name(text, int(out.spans[attribute, 0]), int(out.spans[attribute, 1]))
    for number, name in enumerate(_DRAW_TYPES):
        if name == code:
            return _NAGASHI + number
    return 0


@kernel
def _hand_draw(text: U8, count: int, out: Scanned) -> bool:
    """Read RYUUKYOKU."""
    at = int(out.counts[N_DRAWS])
    if at == len(out.draws) or out.counts[N_HANDS] == 0:
        return False
    row = out.draws[at]
    fill(row, 0, D_SIZE, NO_TILE)
    row[D_GAME] = 0
    kind = find(out, count, _TYPE)
    end = _draw_end(text, kind, out)
    known = _end(text, count, row, D_HONBA, D_SCORES, D_DELTAS, D_CHIPS, out)
    if known < 0 or end == 0:
        return False
    known += kind >= 0
    for seat in range(4):
        hai = find(out, count, _HAI_0 + seat)
        if end in (_EXHAUSTIVE, _NAGASHI):
            row[D_TENPAI + seat] = hai >= 0
        if hai >= 0:
            known += 1
            size = read_tiles(text, hai, MAX_SHOWN, out)
            if size < 0:
                return False
            take_numbers(out, size, row, D_SHOWN + MAX_SHOWN * seat)
    row[D_EVENT], row[D_HAND], row[D_KIND] = out.counts[N_WORDS], out.counts[N_HANDS] - 1, end
    out.hands[out.counts[N_HANDS] - 1, H_END] = end
    out.words[out.counts[N_WORDS]] = event_word(state.HAND_DRAW, NOBODY, NOBODY, NO_TILE)
    out.counts[N_DRAWS] += 1
    return known == count


@kernel
def _riichi(text: U8, count: int, players: int, out: Scanned) -> int:
    """Read REACH; return its word, 0 for one that is spelt otherwise."""
    step, who = find(out, count, _STEP), find(out, count, _WHO)
    ten = find(out, count, _TEN)
    seat = read_one(text, who, players, out)
    if seat < 0 or step < 0 or out.spans[step, 1] - out.spans[step, 0] != 1 or count != 2 + (ten >= 0):
        return 0
    if text[out.spans[step, 0]] == _ONE:
        return event_word(state.RIICHI, seat, NOBODY, NO_TILE) if ten < 0 else 0
    if text[out.spans[step, 0]] != _ONE + 1 or out.counts[N_HANDS] == 0:
        return 0
    if ten >= 0:
        at = int(out.counts[N_RIICHI])
        if at == len(out.riichi) or not read_points(text, ten, 100, out.riichi[at], R_SCORES, out):
            return 0
        out.riichi[at, R_EVENT] = out.counts[N_WORDS]
        out.counts[N_RIICHI] += 1
    return event_word(state.RIICHI_PAID, seat, NOBODY, NO_TILE)


@kernel
def _other(text: U8, name: int, count: int, players: int, out: Scanned) -> int:
    """Return the word of an element with attributes that has no row; 0 for one that is spelt otherwise."""
    if name == _N:
        seat = read_one(text, find(out, count, _WHO), players, out)
        if seat < 0 or count != 2 or read_numbers(text, find(out, count, _M), out) != 1 or out.numbers[0] < 0:
            return 0
        word = meld_word(int(out.numbers[0]), seat)
        source = word >> 8 & 7
        return 0 if players == 3 and source == 3 else word
    if name == _DORA_NAME:
        tile = read_one(text, find(out, count, _HAI), IDS, out)
        return event_word(state.DORA, NOBODY, NOBODY, tile) if tile >= 0 and count == 1 else 0
    if name == _REACH:
        return _riichi(text, count, players, out)
    if name == _BYE:
        seat = read_one(text, find(out, count, _WHO), players, out)
        return event_word(state.LEAVE, seat, NOBODY, NO_TILE) if seat >= 0 and count == 1 else 0
    if name == _UN and count == 1:
        seat = int(out.names[0]) - _N_0
        return event_word(state.RETURN, seat, NOBODY, NO_TILE) if 0 <= seat < players else 0
    return 0


@entry
def scan_game(out: Scanned) -> bool:
    """Read the elements of ``out.text`` into the rows of ``out``.

    ``out.counts`` has where they begin, which is not 0, and where they end. Returns False where anything is
    not as Tenhou writes it; ``out`` is then meaningless.
    """
    text, end, players, at = out.text, int(out.counts[END]), 4, int(out.counts[BEGIN])
    for count in range(PLAYERS, COUNTS):
        out.counts[count] = 0
    for place in range(len(out.head)):
        out.head[place, 0] = 0
    drawn = -1
    while at < end:
        if text[at] != 60 or at + 3 >= end or out.counts[N_WORDS] == len(out.words):
            return False
        at += 1
        letter = int(text[at])
        seat = letter - 84 if letter >= 84 else letter - 68
        if (84 <= letter <= 87 or 68 <= letter <= 71) and 48 <= text[at + 1] <= 57:
            begin_number, tile = at + 1, 0
            at += 1
            while at < end and 48 <= text[at] <= 57 and at - begin_number < 4:
                tile = 10 * tile + int(text[at]) - 48
                at += 1
            is_spelt = text[begin_number] != 48 or at - begin_number == 1
            if not is_spelt or tile >= IDS or seat >= players or at + 1 >= end or out.counts[N_HANDS] == 0:
                return False
            if text[at] != 47 or text[at + 1] != 62:
                return False
            at += 2
            if letter >= 84:
                drawn = 256 * seat + tile
                word = event_word(state.DRAW, seat, NOBODY, tile)
            else:
                is_drawn = drawn == 256 * seat + tile
                word = event_word(state.DISCARD, seat, NOBODY, tile) | is_drawn * state.TSUMOGIRI << 43
            out.words[out.counts[N_WORDS]] = word
            out.counts[N_WORDS] += 1
            continue
        name_begin = at
        while at < end and text[at] != 32 and text[at] != 47 and at - name_begin <= 10:
            at += 1
        name = read_name(text, name_begin, at)
        count, at = read_attributes(text, at, end, out)
        if name < 0 or count < 0:
            return False
        if out.counts[N_HANDS] == 0 and name != _INIT and name != _BYE and (name != _UN or count > 1):
            if not _head(text, name, count, out):
                return False
            players = int(out.counts[PLAYERS]) or 4
            continue
        if name == _INIT:
            if not _hand(text, count, players, out):
                return False
            continue  # a deal is not an event
        if name == _AGARI:
            if not _win(text, count, players, out):
                return False
        elif name == RYUUKYOKU:
            if not _hand_draw(text, count, out):
                return False
        else:
            word = _other(text, name, count, players, out)
            if word == 0:
                return False
            if word & 31 == state.CHI or word & 31 == state.PON:
                drawn = -1
            out.words[out.counts[N_WORDS]] = word
        out.counts[N_WORDS] += 1
    return bool(out.counts[N_HANDS] > 0)
