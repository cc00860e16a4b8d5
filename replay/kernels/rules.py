"""The rules that kernels ask for. No code but their names."""

from __future__ import annotations

from paifu.replay.kernels.records import Record


class KernelRules(Record):
    """The fields of a :class:`~paifu.replay.rules.ruleset.Ruleset` that kernels need, as integers.

    Booleans are 0 and 1, enums their number. The rules that only the value of a hand depends on are not here:
    they reach kernels as tables, see :mod:`paifu.replay.scoring.score`.
    """

    players: int
    red_man: int
    red_pin: int
    red_sou: int
    chi: int
    kita: int
    flowers_dora: int
    kuikae: int
    dora: int
    kan_dora: int
    ura_dora: int
    kan_ura_dora: int
    kan_dora_timing: int
    riichi_stick: int
    riichi_points: int
    riichi_wall: int
    riichi_kan: int
    ippatsu: int
    kuitan: int
    head_bump: int
    kokushi_ankan_ron: int
    temporary_furiten: int
    own_four_wait: int
    forms: int
    """What wins besides the usual: bits of IDENTICAL_PAIRS, SNAKE and KNITTED."""
    chiihou_ron: int
    pao_daisangen: int
    pao_daisuushii: int
    pao_suukantsu: int
    pao_tsuuiisou: int
    pao_chinroutou: int
    pao_ryuuiisou: int
    pao_rinshan: int
    honba_each: int
    wareme: int
    multi_ron_sticks: int
    multi_ron_honba: int
    noten_pay_1: int
    noten_pay_2: int
    noten_pay_3: int
    nagashi: int
    abort_kyuushu: int
    abort_suufon: int
    abort_suucha: int
    abort_suukaikan: int
    abort_fifth_kan: int
    abort_sanchahou: int
    seat_winds_rotate: int
    dead_wall: int
    dead_wall_shrinks: int
    fouls: int
    """The consequence of each kind of foul, FOUL_BITS each, by id."""
    suukantsu_needs_pair: int
    pao_closed_kans: int
    noten_by_choice: int
    nagashi_uncalled: int
    kyuushu_counts: int
    suukaikan_at_once: int
    noten_riichi_found: int
    riichi_kan_found: int
    chombo_dealer: int
    """What a dealer pays to each for a chombo."""
    chombo_to_dealer: int
    """What another pays to the dealer, and to the others."""
    chombo_to_other: int
    chombo_after: int
    small_after: int
    deposit_sticks: int
    win_beats_foul: int
    head_bump_farthest: int
    kita_pass_furiten: int
    pao_rinshan_chain: int
    dealer_wins_count: int
    closed_kan_interrupts: int
    kita_interrupts: int
    yaku_settled: int
    luck_settles: int
    draw_tenpai: int
    sticks_need_riichi: int
    dealer_wins_by: int
    dealer_wins_again: int
    dealer_wins_need_yaku: int
    pochi: int
    open_riichi_han: int
    open_riichi_sticks: int
    open_riichi_deal_in: int
    rinshan_fed: int
    wareme_doublets: int


FOUL_BITS = 3
IDENTICAL_PAIRS, SNAKE, KNITTED = 1, 2, 4
"""Four equal tiles are two of the seven pairs; 1 to 9 of a suit, the four winds and a second of one of them;
1 to 7 of two suits."""
RARE_FORMS = SNAKE | KNITTED
