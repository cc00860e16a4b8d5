"""The yaku of a win as logs list them, from what the engine found."""

from __future__ import annotations

from paifu.replay.facts.tables import ScoredWins
from paifu.replay.kernels.scoring_layout import ANY_RIICHI
from paifu.replay.rules.fields import YAKUMAN_HAN
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.yaku import DORA_ID, RED_DORA_ID, URA_DORA_ID, yaku_ids, yaku_of

_RIICHI, _IPPATSU, _TSUMO, _DOUBLE_RIICHI = 1, 2, 0, 21
_FIRST = (_RIICHI, _DOUBLE_RIICHI, _IPPATSU, _TSUMO)


def listed_yaku(wins: ScoredWins, row: int, rules: Ruleset) -> list[tuple[int, int]]:
    """Return (id, han) of a win in Tenhou's manner: riichi first, then yaku, then dora.

    Yakuman stand alone, as does a yaku that is worth a limit by itself. Kita are dora, and riichi always
    tells its ura dora, be they none.
    """
    table, found = yaku_of(rules), yaku_ids(int(wins.yaku[row]), int(wins.local[row]))
    if wins.yakuman[row]:
        return [(number, YAKUMAN_HAN) for number in found]
    if len(found) == 1 and table[found[0]].limit(rules):
        return [(found[0], int(wins.han[row]))]
    first = [number for number in _FIRST if number in found]
    listed = [
        (number, table[number].han_under(rules, int(wins.situation[row]))[int(wins.is_open[row])])
        for number in [*first, *(other for other in found if other not in first)]
    ]
    dora = (DORA_ID, int(wins.dora[row]) + int(wins.kita[row])), (RED_DORA_ID, int(wins.red[row]))
    listed += [pair for pair in dora if pair[1]]
    is_riichi = int(wins.situation[row]) & ANY_RIICHI
    return [*listed, (URA_DORA_ID, int(wins.ura[row]))] if is_riichi and rules.dora.ura_dora else listed
