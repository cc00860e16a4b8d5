"""Rules of houses: which hands win, what they are worth, who takes the sticks; by worked examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from case_data import case_data
from each_row import each_row
from rules.scoring_flips import NOTHING, payments, points, scored
from rules.table_flips import is_rewarded_after
from scripted import Script, ScriptError, play_scripts

from paifu.api.simulated import batch_of
from paifu.coach.simulate.games import PlayedHand, Simulator, player_named
from paifu.parsers.read import read_batches
from paifu.parsers.writers import WRITERS
from paifu.replay.course.settlement import final_result
from paifu.replay.facts.tables import ScoredWins, code_of
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.rules.hand_facts import Situation
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.presets import RuleError, load_preset, rulesets_of, with_overrides
from paifu.replay.scoring.errors import HandError
from paifu.replay.scoring.han_fu import points_table, score_han_fu
from paifu.replay.scoring.limits import hundreds
from paifu.replay.scoring.winning_hand import WinningHand
from paifu.replay.table.engine import replay

RON, TSUMO, RIICHI = Situation(0), Situation.TSUMO, Situation.RIICHI


def rules(preset: str = "tenhou", **changes: Any) -> Ruleset:
    return with_overrides(load_preset(preset), changes)


def played(ruleset: Ruleset, *scripts: Script) -> list[PlayedHand]:
    """Return the hands of some scripts, whose log is clean."""
    game = play_scripts(ruleset, *scripts)
    assert replay(batch_of([game], "paifu"), ruleset).findings.code.tolist() == []
    return list(game.hands)


def has_win(ruleset: Ruleset, moves: str, *hands: str) -> bool:
    """Return whether a script that ends in a win can be played."""
    try:
        played(ruleset, Script(moves, hands, dora="9p"))
    except ScriptError:
        return False
    return True


TABLES = case_data("house_rules")
KINDS = ("any", "every_wait", "before_win", "first_call")


@each_row(("hand", "wins"), TABLES["settled"]["rows"])
def test_yaku_that_must_be_settled(hand: str, wins: list[bool]) -> None:
    assert [points(hand)(rules(yaku_settled=kind)) is not None for kind in KINDS] == wins


@pytest.mark.parametrize("kind", KINDS)
def test_riichi_and_a_closed_tsumo_are_free(kind: str) -> None:
    one_sided = "23456m22678p222s4m"
    assert points(one_sided, RIICHI)(rules(yaku_settled=kind)) is not None
    assert points(one_sided, TSUMO)(rules(yaku_settled=kind)) is not None


@pytest.mark.parametrize(("counts", "wins"), [(False, False), (True, True)])
def test_luck_settles_or_not(counts: bool, wins: bool) -> None:
    house = rules(yaku_settled="before_win", luck_settles=counts)
    assert (points("23456m22678p(222s)4m", Situation.HOUTEI)(house) is not None) == wins
    assert points("23456m22678p(222s)4m")(house) is None


@pytest.mark.parametrize(
    ("called", "wins"),
    [("2s pon1 >9p", (True, False, False, False)), ("5z pon1 >9p", (True, True, True, True))],
)
def test_no_win_at_the_table_on_yaku_that_are_not_settled(called: str, wins: tuple[bool, ...]) -> None:
    hand = "23456m22678p22s9p" if called.startswith("2s") else "23456m22678p55z9p"
    found = tuple(has_win(rules(yaku_settled=kind), f"{called} 4m ron1", "", hand) for kind in KINDS)
    assert found == wins


def test_a_false_win_of_such_a_hand_is_a_finding() -> None:
    script = Script("2s pon1 >9p 4m ron1", ("", "23456m22678p22s9p"))
    batch = batch_of([play_scripts(rules(), script)], "paifu")
    codes = replay(batch, rules(yaku_settled="every_wait")).findings.code.tolist()
    assert "V302" in map(code_of, codes)
    foul = {"yaku_settled": "every_wait", "foul_false_win": "chombo", "chombo_pays": [4000, 4000, 2000]}
    false_win = Script("2s pon1 >9p 4m foul1", ("", "23456m22678p22s9p"))
    assert played(rules(**foul), false_win, Script("end"))[0].fouls == (1,)


OPEN_TENPAI = Script("9p pon1 >1z end", ("", "99p123m456s78s55p1z"))
"""South has called and waits for 69s without a yaku."""
WITH_YAKU = Script("7z pon1 >1z end", ("", "77z123m456s78s55p1z"))


@pytest.mark.parametrize(("kind", "received"), [("shape", 3000), ("yaku", 0)])
def test_tenpai_at_a_draw_by_shape_or_with_a_yaku(kind: str, received: int) -> None:
    assert played(rules(draw_tenpai=kind), OPEN_TENPAI)[0].deltas[1] == received
    assert played(rules(draw_tenpai=kind), WITH_YAKU)[0].deltas[1] == 3000
    closed = Script("end", ("", "999p123m456s78s55p"))
    assert played(rules(draw_tenpai=kind), closed)[0].deltas[1] == 3000


def test_a_dealer_whose_tenpai_has_no_yaku_passes_the_deal() -> None:
    script = Script("1z>1z . . 9p pon0 >2z end", ("99p123m456s78s55p2z",))
    for kind, round_ in (("shape", 0), ("yaku", 1)):
        assert played(rules(draw_tenpai=kind), script, Script("end"))[1].start.round == round_


def test_tenpai_with_a_yaku_that_is_not_settled_is_noten() -> None:
    script = Script("2s pon1 >9p end", ("", "23456m22678p22s9p"))
    assert played(rules(draw_tenpai="yaku"), script)[0].tenpai[1] == 1
    assert played(rules(draw_tenpai="yaku", yaku_settled="every_wait"), script)[0].tenpai[1] == 0


POCHI = Situation.POCHI | RIICHI | TSUMO


def test_the_white_pochi_is_read_as_the_dearest_tile() -> None:
    won = scored("234567m678p55m23s5z", POCHI)(rules(pochi="riichi"))
    assert won is not None
    assert (won.payments, won.han, won.fu) == ((-2600, 5200, -1300, -1300), 4, 20)
    as_one = scored("234567m678p55m23s1s", RIICHI | TSUMO)(rules())
    assert as_one is not None
    assert as_one.payments == (-1300, 2700, -700, -700)


@each_row(
    ("kind", "situation", "wins"),
    [
        ("none", POCHI, False),
        ("riichi", POCHI, True),
        ("riichi", POCHI & ~RIICHI, False),
        ("ippatsu", POCHI, False),
        ("ippatsu", POCHI | Situation.IPPATSU, True),
    ],
)
def test_when_the_white_pochi_counts(kind: str, situation: Situation, wins: bool) -> None:
    assert (points("234567m678p55m23s5z", situation)(rules(pochi=kind)) is not None) == wins


def wins_by_pochi(kind: str, *, later: bool) -> list[bool]:
    """Return whether South, in riichi, wins on a white dragon, for each of how many lie there already."""
    found = []
    for lying in range(4):
        others = " ".join(["5z"] * lying + ["."] * (3 - lying))
        turns = f"9m 9p>r9p {'. . . .' if later else ''} {others} 5z>tsumo"
        script = Script(turns, ("", "234567m678p55m23s"), dora="9s")
        try:
            hand = played(rules(pochi=kind), script)[0]
        except ScriptError:
            found.append(False)
            continue
        won = ScoredWins.from_rows(hand.wins)
        assert won.situation[0] & Situation.POCHI
        assert won.fu[0] == 20  # pinfu, as 4s
        found.append(True)
    return found


@each_row(
    ("kind", "later", "wins"),
    [
        ("none", False, 0),
        ("riichi", False, 1),
        ("riichi", True, 1),
        ("ippatsu", False, 1),
        ("ippatsu", True, 0),
    ],
)
def test_one_white_dragon_of_four_is_the_pochi(kind: str, later: bool, wins: int) -> None:
    assert sum(wins_by_pochi(kind, later=later)) == wins


def test_a_written_log_knows_the_pochi(tmp_path: Path) -> None:
    """The format names each copy of a tile, and the rule."""
    script = Script("9m 9p>r9p . . . 5z>tsumo", ("", "234567m678p55m23s"), dora="9s")
    batch = batch_of([play_scripts(rules(pochi="riichi"), script)], "paifu")
    path = tmp_path / "pochi.jsonl"
    path.write_bytes(b"".join(WRITERS["paifu"].games(batch)))
    read = Batch.concatenate(read_batches([path]))
    assert replay(read, *rulesets_of(read)).findings.code.tolist() == []
    assert replay(read, rules()).findings.code.tolist() != []


def test_who_lets_the_pochi_pass_is_furiten() -> None:
    """South could have won on it, and then waits for 14s."""
    hand = ("", "234567m678p55m23s")
    codes = set()
    for lying in range(4):
        others = " ".join(["5z"] * lying + ["."] * (3 - lying))
        script = Script(f"9m 9p>r9p {others} 5z 4s ron1", hand, dora="9s")
        batch = batch_of([play_scripts(rules(), script)], "paifu")
        codes |= set(map(code_of, replay(batch, rules(pochi="riichi")).findings.code.tolist()))
    assert codes == {"V303"}


@pytest.mark.parametrize(
    ("base", "han", "fu", "points_"),
    [(8000, 5, 30, 15400), (8000, 8, 30, 122900), (8000, 13, 40, 5242900), (8000, 4, 30, 7700)],
)
def test_aotenjou(base: int, han: int, fu: int, points_: int) -> None:
    assert score_han_fu(NOTHING, rules(limits="none", yakuman_base=base), han=han, fu=fu).points == points_


DRAGONS = "5p234m(555z)(666z)(777z)5p"


def test_a_yakuman_without_limits_has_13_han_or_a_base_of_its_own() -> None:
    counted = scored(DRAGONS, RON)(rules(limits="none", yakuman_base=0))
    assert counted is not None
    assert (counted.han, counted.yakuman, counted.fu, counted.points) == (13, 0, 40, 5_242_900)
    orphans = scored("19m19p19s1234567z1z", RON)(rules(limits="none", yakuman_base=0))
    assert orphans is not None
    assert (orphans.han, orphans.fu, orphans.points) == (13, 30, hundreds(4 * 30 << 15))
    fixed = scored(DRAGONS, RON)(rules(limits="none", yakuman_base=2_500_000))
    assert fixed is not None
    assert (fixed.points, fixed.limit.name) == (10_000_000, "YAKUMAN")


def test_where_there_are_no_limits_no_hand_has_one() -> None:
    won = scored("34555m456p678s23p4p", RIICHI, dora="2m4m")(rules(limits="none"))
    assert won is not None
    assert (won.limit.name, won.points) == ("NONE", hundreds(4 * won.fu << 2 + won.han))
    rows = list(points_table(rules(limits="none")))
    assert max(row.han for row in rows) == 14
    assert {row.limit.name for row in rows} == {"NONE", "YAKUMAN"}
    with pytest.raises(HandError, match="no limits"):
        score_han_fu(NOTHING, rules(limits="none"), han=6)
    with pytest.raises(HandError, match="13 han"):
        score_han_fu(NOTHING, rules(limits="none", yakuman_base=0), yakuman=1)
    with pytest.raises(RuleError, match="yakuman_base is 0 only without limits"):
        rules(yakuman_base=0)


def test_points_without_limits_end_somewhere() -> None:
    house = rules(limits="none", wareme=True, wareme_factor=10)
    assert score_han_fu(NOTHING, house, han=99, fu=140).base == 30_000_000


@pytest.mark.parametrize(
    ("factor", "dealer_wins", "other_wins", "by_ron"),
    [
        (2, (12000, -4000, -4000, -4000), (-4000, 8000, -2000, -2000), (12000, 8000)),
        (1, (6000, -2000, -2000, -2000), (-2000, 6000, -2000, -2000), (6000, 6000)),
        (3, (18000, -6000, -6000, -6000), (-6000, 10000, -2000, -2000), (18000, 10000)),
    ],
)
def test_the_dealers_share(
    factor: int, dealer_wins: tuple[int, ...], other_wins: tuple[int, ...], by_ron: tuple[int, int]
) -> None:
    """A mangan: shares of 2,000 points."""
    house = rules(dealer_factor=factor)
    for seat, shares, ron in zip((0, 1), (dealer_wins, other_wins), by_ron, strict=True):
        drawn = WinningHand(tiles=(), win=0, seat_wind=seat, situation=TSUMO)
        assert score_han_fu(drawn, house, han=5).payments == shares
        discarded = WinningHand(tiles=(), win=0, seat_wind=seat, payer=2)
        assert score_han_fu(discarded, house, han=5).points == ron


@pytest.mark.parametrize(("han", "fu", "total"), [(1, 30, 1200), (2, 30, 2000), (3, 30, 4000), (1, 50, 1600)])
def test_101_pays_the_same_by_ron_and_by_tsumo(han: int, fu: int, total: int) -> None:
    by_shares = {"honba_each": 0, "payment_by_shares": True}
    for seat, worth in ((1, total), (0, total * 3 // 2)):
        found = {
            row.tsumo if tsumo else row.ron
            for row in points_table(rules(**by_shares))
            for tsumo in (False, True)
            if (row.han, row.fu, row.is_dealer) == (han, fu, seat == 0)
        }
        assert found == {worth}


STICKS = {"sticks_need_riichi": True}


def test_sticks_go_to_winners_in_riichi_only() -> None:
    hand = ("", "78m123p456s777z33z")
    lying = Script("5z>5z . . 9p>r9p 9m ron1", (hand[1], "", "", ""))
    waiting = Script("1s 1z 2s 9p>r9p 9m ron1", ("", "78m123p456s777z33z", "", "123m456m678p55z34s"))
    first, second = played(rules(**STICKS), waiting, Script("end"))
    assert first.deltas[1] == -first.deltas[0]
    assert (second.start.sticks, lying.dora) == (1, "")
    taken = played(rules(), waiting, Script("end"))
    assert taken[0].deltas[1] == 1000 - taken[0].deltas[0]
    assert taken[1].start.sticks == 0


@each_row(
    ("by", "again", "wins", "honba", "rewarded"),
    [
        ("wins", True, 7, 7, True), ("wins", True, 0, 8, False), ("honba", True, 0, 8, True),
        ("wins", True, 8, 8, True), ("wins", False, 8, 8, False), ("wins", False, 15, 15, True),
        ("honba", False, 0, 9, False),
    ],
)  # fmt: skip
def test_eight_dealer_wins(by: str, again: bool, wins: int, honba: int, rewarded: bool) -> None:
    house = rules(dealer_wins_by=by, dealer_wins_again=again, dealer_wins_count=8)
    assert is_rewarded_after(wins, honba)(house) == rewarded


@pytest.mark.parametrize(("needs", "worth"), [(False, 48000), (True, None)])
def test_the_eighth_win_without_a_yaku(needs: bool, worth: int | None) -> None:
    house = rules(thirteen_dealer_wins_han=13, dealer_wins_need_yaku=needs)
    assert points("234m456p78s999p44z9s", Situation.THIRTEENTH, seat=0)(house) == worth
    assert points("234m456p678s9923p1p", Situation.THIRTEENTH, seat=0)(house) == 48000


@pytest.mark.parametrize(
    ("deal_in", "in_riichi", "seat", "worth"),
    [("value", False, 1, 2600), ("yakuman", True, 1, 2600), ("yakuman", False, 1, 32000),
     ("yakuman", False, 0, 48000)],
)  # fmt: skip
def test_dealing_into_an_open_riichi(deal_in: str, in_riichi: bool, seat: int, worth: int) -> None:
    house = rules(open_riichi_han=2, open_riichi_deal_in=deal_in)
    hand = points("234m456p78s999p44z9s", Situation.OPEN_RIICHI, seat=seat, payer_in_riichi=in_riichi)
    assert hand(house) == worth


@pytest.mark.parametrize(("seat", "paid"), [(1, (5400, 2700)), (0, (6000, 6000))])
def test_a_tsumo_among_three_that_costs_as_much_as_a_ron(seat: int, paid: tuple[int, int]) -> None:
    """A mangan: 8,000 points by ron, 12,000 of the dealer."""
    hand = payments("34555567899p23s4s", TSUMO | RIICHI, seat=seat, dora="1s8p")
    won = hand(rules("tenhou-sanma", sanma_tsumo="as_ron"))
    assert won is not None
    assert tuple(sorted((-change for change in won if change < 0), reverse=True)) == paid


def test_ippatsu_may_bring_chips_only() -> None:
    house = rules(ippatsu_han=0)
    assert points("234m456p78s999p44z9s", RIICHI | Situation.IPPATSU)(house) == 1300


def test_a_pair_of_north_is_of_value_where_its_triplet_is() -> None:
    hand = points("345p678p22345s44z67s8s", RIICHI)
    assert hand is not None
    pinfu = points("345678p345s44z67s8s", RIICHI)
    assert pinfu(rules("tenhou-sanma")) == 2000
    assert pinfu(rules("tenhou-sanma", kita=False, north_yakuhai=True)) == 1300


def test_each_abort_keeps_the_dealer_or_not() -> None:
    winds = Script("1z 1z 1z 1z abort")
    riichi = Script("1z>nine", ("19m19p19s1234z234p",))
    house = rules(abort_renchan_by={"suufon": False})
    assert [played(house, one, Script("end"))[1].start.round for one in (winds, riichi)] == [1, 0]
    assert played(rules(), winds, Script("end"))[1].start.round == 0
    with pytest.raises(RuleError, match="abort_renchan_by has kyuushu, suufon"):
        rules(abort_renchan_by={"four_winds": True})
    with pytest.raises(RuleError, match="each true or false"):
        rules(abort_renchan_by={"suufon": 3})


def test_the_deal_passes_after_the_eighth_win() -> None:
    """Here the second win in a row."""
    win = Script(". 9m ron0", ("78m123p456s777z33z",), dora="9p")
    second = {"dealer_wins_count": 2, "thirteen_dealer_wins_han": 1}
    stays, passes = (
        played(rules(**second, dealer_wins_pass=kind), win, win, Script("end"))[2].start
        for kind in (False, True)
    )
    assert (stays.round, stays.honba, passes.round, passes.honba) == (0, 2, 1, 0)


@pytest.mark.parametrize(("scores", "points_"), [
    ((61000, 20000, 12000, 7000), (15000, -5000, -5000, -5000)),
    ((59900, 20000, 12000, 8100), (0, 0, 0, 0)),
])  # fmt: skip
def test_a_prize_for_reaching_the_ceiling(scores: tuple[int, ...], points_: tuple[int, ...]) -> None:
    house = rules(ceiling_points=60000, ceiling_prize=5000, count_points=False, uma=[0, 0, 0, 0])
    assert final_result(house, scores, ()).points == points_


FED = Script("6p kan1 1z>tsumo", ("", "666p123m456m789s1z"), dora="9m9p")
"""South wins on the supplement tile of a kan that East fed: rinshan and a dora, 40 fu."""


@pytest.mark.parametrize(("kind", "won"), [("usual", 2700), ("two_han", 5200)])
def test_rinshan_on_an_open_kan(kind: str, won: int) -> None:
    (hand,) = played(rules(rinshan_fed=kind), FED)
    assert hand.deltas[1] == won


def test_rinshan_on_an_open_kan_may_be_a_false_win() -> None:
    house = rules(rinshan_fed="false_win", foul_false_win="chombo", chombo_pays=[4000, 4000, 2000])
    with pytest.raises(ScriptError, match="V302"):
        play_scripts(house, FED)
    closed = Script("1z>k1z 9s>tsumo", ("111z234m456p678s9s",))
    assert played(house, closed)[0].deltas[0] > 0
    assert points("34566m555s67p(2222p)8p", TSUMO | Situation.RINSHAN | Situation.FED_KAN)(house) is None


@each_row(("preset", "changes", "moves", "draws"), TABLES["walls"]["rows"])
def test_a_wall_that_is_drawn_up_to_the_indicators(
    preset: str, changes: dict[str, Any], moves: str, draws: int
) -> None:
    (hand,) = played(rules(preset, **changes), Script(moves, ("111z222z",)))
    assert len(hand.events(EventKind.DRAW)) == draws


TIMINGS = ("at_once", "before_discard", "after_discard", "all_after_discard")


@pytest.mark.parametrize(("before", "draws"), [(75, 77), (74, 76), (73, 76)])
@pytest.mark.parametrize("timing", TIMINGS)
def test_a_kan_near_the_end_of_a_wall_that_is_drawn_up_to_the_indicators(
    timing: str, before: int, draws: int
) -> None:
    house = rules("tenhou", dead_wall=6, kan_dora_timing=timing)
    (hand,) = played(house, Script(f"{'. ' * before}1z>k1z end", (*[""] * (before % 4), "111z")))
    assert len(hand.events(EventKind.DRAW)) == draws


@pytest.mark.parametrize("timing", TIMINGS)
def test_a_kan_is_refused_where_its_indicator_has_been_drawn(timing: str) -> None:
    last = Script(f"{'. ' * 76}1z>k1z end", ("111z",))
    with pytest.raises(ScriptError, match="V206"):
        played(rules("tenhou", dead_wall=6, kan_dora_timing=timing), last)
    (hand,) = played(rules("tenhou", dead_wall=6, kan_dora=False, kan_dora_timing=timing), last)
    assert len(hand.events(EventKind.DRAW)) == 78


def test_a_dead_wall_has_room_for_the_first_indicator() -> None:
    with pytest.raises(RuleError, match="dead_wall is 6 at least"):
        rules(dead_wall=4)
    with pytest.raises(RuleError, match="dead_wall is 10 at least"):
        rules("tenhou-sanma", dead_wall=6)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize("shrinks", [False, True])
@pytest.mark.parametrize("preset", ["tenhou", "tenhou-sanma"])
def test_simulated_walls_are_drawn_up_to_the_indicators(preset: str, timing: str, shrinks: bool) -> None:
    least = 10 if preset == "tenhou-sanma" else 6
    house = rules(preset, dead_wall=least, kan_dora_timing=timing, dead_wall_shrinks=shrinks)
    simulator = Simulator(house, [player_named("caller")] * house.table.players)
    batch = batch_of([simulator.game(number) for number in range(3)], "paifu")
    replayed = replay(batch)
    assert replayed.findings.code.tolist() == []
    assert replayed.checked.wall_tiles > 0


def test_every_kan_under_riichi_kills_the_hand_in_the_mu_cup() -> None:
    moves = ". 9p>r9p . . . 7m>k7m foul1:riichi_kan 1z>1z end"
    script = Script(moves, ("", "777m23m234p99s567s"), dora="4z")
    game = play_scripts(load_preset("mu-cup"), script)
    batch = batch_of([game], "paifu")
    assert replay(batch).findings.code.tolist() == []
    assert not game.hands[0].tenpai[1]
