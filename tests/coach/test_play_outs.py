"""``paifu review --deep``: decisions found, played out on hidden hands as the player could expect them."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from command import call

from paifu.api import play_outs
from paifu.api.pipeline import Watch
from paifu.api.play_outs import PlayOuts, walls_of
from paifu.api.report import gather_all
from paifu.api.review import review
from paifu.coach.belief import beliefs
from paifu.coach.judgement.play_outs import PlayedOptions, options_to_play
from paifu.coach.simulate.playing_out import NO_HANDS, PlayOut
from paifu.parsers.read import read_batches
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.table.engine import replay
from paifu.reports.findings.review import Asked, JudgedFinding, judgements
from paifu.reports.pages.report import wanted
from paifu.reports.pages.trainer import POSITIONS, answers, questions

SAMPLES = Path(__file__).parents[2] / "sample_logs"
GAME, SANMA = SAMPLES / "formats" / "overtime.mjlog.gz", SAMPLES / "games" / "hanchan-3p-01.mjlog.gz"
WALLS = 6


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIFU_CACHE_DIR", str(tmp_path))


def deep(*more: object, walls: int = WALLS, source: Path = GAME) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(play_outs, "WALLS", walls)
        result = call("review", source, "--deep", "--format", "json", "-j", "1", *more)
    assert result.status == 0
    found: dict[str, Any] = json.loads(result.data)
    return found


def without(found: dict[str, Any]) -> dict[str, Any]:
    """Take out what playing out adds."""
    for one in found["findings"]:
        one["evidence"].pop("deep", None)
        one["message"] = one["message"].split("; on hidden hands")[0]
        for option in one["evidence"].get("options", ()):
            option.pop("played_out", None)
    return found


def played(found: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield findings that were played out, with what came of the options by name."""
    for one in found["findings"]:
        if "deep" in one["evidence"]:
            options = one["evidence"]["options"]
            yield one, {option["option"]: option["played_out"] for option in options if option["played_out"]}


def test_nothing_changes_but_figures_are_added() -> None:
    found = deep()
    assert {one["code"][0] for one, _ in played(found)} >= {"P", "D", "F"}
    for one, options in played(found):
        assert one["code"] != "P102"
        assert one["evidence"]["deep"] == {
            "walls": WALLS, "hidden_hands": "as expected", "players": "strong",
        }  # fmt: skip
        assert 1 <= len(options) <= 4
        for option in one["evidence"]["options"]:
            if option["chosen"]:
                assert (options[option["option"]]["gain"], options[option["option"]]["gain_error"]) == (0, 0)
            if option["best"]:
                assert option["option"] in options
    plain = call("review", GAME, "--format", "json", "-j", "1")
    assert without(found) == json.loads(plain.data)


def test_what_is_kept_is_what_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = deep("--mistakes")
    kept = sorted(tmp_path.rglob("*.json"))
    assert kept
    monkeypatch.setattr(PlayOut, "points", lambda *_: pytest.fail("it is kept"))
    assert deep("--mistakes") == first
    monkeypatch.undo()
    monkeypatch.setenv("PAIFU_CACHE_DIR", str(tmp_path))
    for path, damage in zip(kept, ("", "[]", '{"version": 1, "points": [[1]]}', "{"), strict=False):
        path.write_text(damage)
    assert deep("--mistakes") == first
    assert sorted(tmp_path.rglob("*.json")) == kept


def test_a_folder_that_cannot_be_written_is_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    expected = deep("--code", "F102")
    monkeypatch.setenv("PAIFU_CACHE_DIR", str(tmp_path / "file"))
    assert deep("--code", "F102") == expected


def test_the_same_decision_in_another_file_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = deep("--code", "F102")
    copy = tmp_path / "copy.mjlog"
    copy.write_bytes(gzip.decompress(GAME.read_bytes()))
    monkeypatch.setattr(PlayOut, "points", lambda *_: pytest.fail("it is kept"))
    assert [options for _, options in played(deep("--code", "F102", source=copy))] == [
        options for _, options in played(expected)
    ]


@pytest.mark.full
def test_all_options_have_the_same_walls_and_the_error_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = ([options for _, options in played(deep("--code", "P101", walls=n))] for n in (20, 180))
    errors = [sum(option["error"] for options in part for option in options.values()) for part in (few, many)]
    assert 2.5 < errors[0] / errors[1] < 3.5
    replayed, found = findings(GAME, "P101")
    monkeypatch.setattr(play_outs, "WALLS", 180)
    done = [one.choice.weighed.played for one in PlayOuts().played(replayed, found) if one.choice]
    pairs = [(one.points[0], other) for one in done if one is not None for other in one.points[1:]]
    paired, alone = (sum((a - b).var() for a, b in pairs), sum(a.var() + b.var() for a, b in pairs))
    assert paired < 0.8 * alone
    assert (walls_of("a", 20) == walls_of("a", 180)[:20]).all()
    assert not (walls_of("a", 20) == walls_of("b", 20)).any()


def findings(path: Path, *codes: str) -> tuple[Any, list[JudgedFinding]]:
    batch = next(iter(read_batches([path])))
    replayed = replay(batch, review=True, player_hands=False)
    return replayed, judgements(replayed, Asked.of((), codes)).found


def test_a_discard_that_deals_in_for_certain_costs_what_was_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the hands that were there nothing is left to chance, so all walls agree; its neighbour goes on."""
    monkeypatch.setattr(beliefs, "believed", lambda *_: SimpleNamespace(tiles=NO_HANDS))
    monkeypatch.setattr(play_outs, "WALLS", WALLS)
    replayed, found = findings(GAME, "D")
    done = [one.choice.weighed.played for one in PlayOuts().played(replayed, found) if one.choice]
    costs = [one.case.points for one in found if one.choice]
    known = [(one, cost) for one, cost in zip(done, costs, strict=True) if one is not None]
    assert known
    sure = [(one, cost) for one, cost in known if not one.points[0].std()]
    assert sure
    assert all(one.value(one.options[0]) == (-cost, 0) for one, cost in sure)
    gains = [one.gain(option) for one, _ in sure for option in one.options[1:]]
    assert all(gain >= 0 for gain, _ in gains)
    assert any(gain > 2 * error > 0 for gain, error in gains)


def test_hands_with_hidden_tiles_or_faults_are_left_alone() -> None:
    replayed, found = findings(GAME, "F102")
    (one,) = found
    assert one.choice is not None
    batch, begin = replayed.batch, int(replayed.batch.hands.event_begin[one.choice.hand])
    batch.events.tile[begin + np.flatnonzero(batch.events.kind[begin:] == EventKind.DRAW)[0]] = NO_TILE
    (again,) = PlayOuts().played(replayed, found)
    assert again is one


class Seen(Watch):
    """Keeps the progress."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int]] = []

    def playing_out(self, number: int, most: int) -> None:
        """Keep it."""
        self.found.append((number, most))


def test_progress_is_reported_and_stays_in_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_outs, "WALLS", 2)
    replayed, found = findings(GAME, "P101", "F102")
    watch = Seen()
    PlayOuts(watch).played(replayed, found)
    assert watch.found == [(n, len(watch.found)) for n in range(1, len(watch.found) + 1)] != []
    assert pickle.loads(pickle.dumps(PlayOuts(watch))).watch == play_outs.SILENT  # noqa: S301


def test_three_players_have_no_strong_ones_to_go_on() -> None:
    found = deep("--code", "P101", walls=2, source=SANMA)
    assert found["findings"]
    assert not list(played(found))


def test_options_that_are_played_out() -> None:
    assert options_to_play(0, 5, np.array([0.0, 0.4, 0.3, 0.2, 0.06, 0.04], np.float32)) == (0, 5, 1, 2)
    one = PlayedOptions((4, 2), np.array([[0, 1000], [500, 500]]))
    assert one.row(3) is None
    assert one.row(2) == {"value": 500.0, "error": 0.0, "gain": 0.0, "gain_error": 353.6}
    assert list(one.told(4, "1m", "1m")) == list(one.told(1, "1m", "2m")) == []
    assert "1m is most likely 0 ± 707 points better than 2m" in next(one.told(2, "1m", "2m"))


@pytest.mark.full
def test_tables_and_show_carry_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_outs, "WALLS", 5)
    text = call("review", GAME, "--deep", "--code", "F102", "-j", "1").text
    assert "played out" in text
    assert "on hidden hands as the player could expect them, and 5 walls" in " ".join(text.split())
    shown = call("show", GAME, "--hand", "E2.0", "--deep").text
    assert "riichi 2s is most likely" in " ".join(shown.split())


@pytest.mark.full
def test_positions_of_the_trainer_carry_the_figures_of_the_review(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same walls, so the same values; and nothing of a question tells of them."""
    monkeypatch.setattr(play_outs, "WALLS", WALLS)
    games, asked = sorted((SAMPLES / "games").glob("*-4p-*")), wanted("Botan")
    plain = gather_all(games, asked).gathered.lists[POSITIONS]
    hands = gather_all(games, asked, deep=PlayOuts()).gathered.lists[POSITIONS]
    reviewed = {}
    for one in review(games, players="Botan", deep=True).judgements:
        if "deep" in one.evidence:
            key = one.finding.game_id or one.finding.source, one.finding.hand, one.finding.turn
            reviewed[key] = {row["option"]: row["played_out"] for row in one.evidence["options"]}
    seen = 0
    for before, after, hand in zip(answers(plain), answers(hands), hands, strict=True):
        weighed = hand.decision.weighed if hand.decision else None
        assert weighed is not None
        assert not before["deep"]
        if not after["deep"]:  # a hand given up
            assert after == before
            continue
        assert str(WALLS) in after["deep"]
        told = {weighed.words(at): one["played"] for at, one in enumerate(after["options"])}
        for name, row in reviewed.get((hand.game, hand.label, hand.turn), {}).items():
            if row and told[name]:  # of an unusual move, the trainer's best is what strong players choose
                assert told[name].startswith(f"{row['value']:+,.0f} ±".replace("-", "−"))
                seen += 1
    assert seen >= 10
    assert questions(plain) == questions(hands)


def test_questions_that_make_no_sense() -> None:
    assert call("report", GAME, "--deep", "-o", "page.html").status == 2
    result = call("review", GAME, "--deep", "--engine", "true")
    assert result.status == 2
