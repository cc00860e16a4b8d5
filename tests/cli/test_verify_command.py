"""``paifu verify`` and ``paifu explain``: what they print, in every form, and what they leave as status."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections import Counter
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from case_data import DATA
from command import call

from paifu.api import pipeline
from paifu.parsers import read
from paifu.replay.model.batch import UNKNOWN_POINTS
from paifu.replay.model.tiles import NO_TILE
from paifu.replay.rulesets.presets import load_preset
from paifu.replay.table.engine import replay
from paifu.reports.findings.tally import Tally

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "formats"
EXPLAINED = {
    # tenhou.net/6 logs that contradict themselves:
    "Equim-chan+mjai-reviewer/confusing_nakis_1.json": {"V401"},  # made by hand: the riichi stick is lost
    "Equim-chan+mjai-reviewer/confusing_nakis_2.json": {"V103"},  # made by hand: five of a kind
    "hidacow+mjai-reviewer3p/kokushi_peinuki.json": {"V401"},  # a stick missing, yet in the finals
}
"""Findings on real logs, each a true one."""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A sample log in which one number was changed: a win of 30 fu is said to have 40."""
    text = gzip.decompress((SAMPLES / "hanchan.mjlog.gz").read_bytes())
    assert b'ten="30,' in text
    path = tmp_path / "broken.mjlog"
    path.write_bytes(text.replace(b'ten="30,', b'ten="40,', 1))
    return path


def test_the_samples_are_clean_and_the_summary_says_what_was_checked() -> None:
    result = call("verify", SAMPLES, "--jobs", 1)
    assert (result.status, result.text) == (0, "")
    assert result.talk[-5:] == [
        "checked 12 files: 14 games, 111 hands, 98 wins, 15 draws, 10,166 actions; 70 walls, "
        "97 hand starts, 14 final results",
        "not checked: 41 walls (no known seed)",
        "not checked: 13 wins (no fu in the log)",
        "not checked: 9 kan indicators (the log does not say when they were turned)",
        "no errors",
    ]


def test_explain_shows_the_hand_and_its_fu(broken: Path) -> None:
    lines = call("verify", broken, "--explain", "--jobs", 1).text.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["hand", "yaku", "fu", "worth"]


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (["--select", "V3"], 1),
        (["--select", "V306,V1"], 1),
        (["--select", "V4"], 0),
        (["--ignore", "V30"], 0),
        (["--ignore", "V5", "--ignore", "V6"], 1),
    ],
)
def test_select_and_ignore(broken: Path, options: list[str], count: int) -> None:
    result = call("verify", broken, *options, "--jobs", "1")
    assert (len(result.text.splitlines()), result.status) == (count, int(count > 0))


def test_statistics_count_findings_by_code(broken: Path) -> None:
    folder = SAMPLES.parent / "broken"
    lines = [line.split() for line in call("verify", folder, "--jobs", 1).text.splitlines()]
    codes = Counter(next(word for word in line if re.fullmatch(r"[A-Z][0-9]{3}", word)) for line in lines)
    result = call("verify", folder, "--statistics", "-f", "json", "--jobs", 1)
    document = json.loads(result.data)
    assert {row["code"]: row["findings"] for row in document["statistics"]} == codes
    assert [row["findings"] for row in document["statistics"]] == sorted(codes.values(), reverse=True)
    assert all(0 < row["games"] <= row["findings"] for row in document["statistics"])
    assert result.status == 1
    line = call("verify", broken, "--statistics", "--jobs", 1).text.strip().splitlines()[-1]
    assert line.split() == ["V306", "1", "1", "fu"]
    assert call("verify", broken, "--statistics", "-f", "github").status == 2


def test_other_rules_than_the_logs() -> None:
    result = call("verify", SAMPLES / "hanchan.mjlog.gz", "--rules", "tenhou", "--set", "head_bump=true")
    assert result.status == 1
    assert "V309" in result.text
    assert call("verify", SAMPLES, "--rules", "no-such-rules").status == 2


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(broken: Path, tmp_path: Path) -> None:
    (tmp_path / "a.mjlog").write_bytes(b"no log")
    result = call("verify", tmp_path, SAMPLES, "--jobs", 1)
    assert result.status == 1
    assert [line.split(": ")[1].split()[0] for line in result.text.splitlines()] == ["V102", "V306"]
    assert result.talk[-1] == "2 errors, 1 input unreadable"
    assert call("verify", tmp_path / "nothing").status == 2
    assert call("verify", broken, "--select", "X1").status == 2


PLACE = "broken.mjlog:S1.0:turn 14 seat 3 (dahlia 3) event 109"
DOCUMENT = json.loads((DATA / "verify.json").read_text("utf-8"))
(ROW,) = DOCUMENT["findings"]
TALK = [
    "checked 1 file: 1 game, 14 hands, 13 wins, 2 draws, 1,538 actions; 14 walls, 13 hand starts, "
    "1 final result",
    "1 error",
]
FORMS = {
    "table": f"{PLACE}: V306 fu differ: engine 30, log 40\n",
    "jsonl": json.dumps(ROW, separators=(",", ":")) + "\n",
    "csv": f"{','.join(ROW)}\n"
    + ",".join(f'"{v}"' if "," in str(v) else str(v) for v in ROW.values())
    + "\n",
    "github": f"::error file=broken.mjlog,title=V306 fu::{PLACE.partition(':')[2].replace(':', ' ', 1)}: "
    "fu differ: engine 30, log 40\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_the_whole_output_in_every_form(broken: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(broken.parent)
    result = call("verify", "broken.mjlog", "--format", form)
    assert result.text == FORMS[form]
    assert (result.status, result.talk[-2:]) == (1, TALK)


def test_the_whole_document(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(broken.parent)
    document = json.loads(call("verify", "broken.mjlog", "--format", "json").data)
    assert document == DOCUMENT
    assert list(document) == list(DOCUMENT)
    assert list(document["summary"]) == list(DOCUMENT["summary"])


def test_parquet_has_the_same_rows(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(broken.parent)
    table = pq.read_table(io.BytesIO(call("verify", "broken.mjlog", "--format", "parquet").data))
    assert table.to_pylist() == [ROW | {"expected": "30", "actual": "40"}]
    none = pq.read_table(io.BytesIO(call("verify", SAMPLES, "--format", "parquet").data))
    assert (none.num_rows, none.schema) == (0, table.schema)


def test_the_documentation_names_every_key() -> None:
    page = (SAMPLES.parents[1] / "docs" / "commands" / "verify.md").read_text("utf-8")
    keys = [
        key
        for line in page.splitlines()
        if line.startswith("| `")
        for key in re.findall(r"`(\w+)`", line.split("|")[1])
    ]
    assert keys == [*ROW, *DOCUMENT["summary"]]


def test_what_strangers_write_does_no_harm(tmp_path: Path) -> None:
    """A name that holds an escape sequence, a line end and, in a spreadsheet, a formula."""
    text = gzip.decompress((SAMPLES / "hanchan.mjlog.gz").read_bytes()).replace(b'ten="30,', b'ten="40,')
    name = "".join(f"%{byte:02X}" for byte in b"=1+1\x1b[31m\n::error::")
    text = re.sub(rb'n3="[^"]*"', f'n3="{name}"'.encode(), text, count=1)
    path = tmp_path / "a,b:c%d#2.mjlog"
    path.write_bytes(text)
    printed = call("verify", path).text
    assert "\x1b" not in printed
    assert "seat 3 (=1+1[31m::error::) event" in printed
    rows = list(csv.DictReader(io.StringIO(call("verify", path, "--format", "csv").text)))
    assert "'=1+1[31m::error::" in {row["player"] for row in rows}
    lines = call("verify", path, "--format", "github").text.splitlines()
    assert len(lines) == len(printed.splitlines())
    assert all(
        line.startswith(f"::error file={path.parent}/a%2Cb%3Ac%25d#2.mjlog,title=V306 fu::") for line in lines
    )


def test_a_number_of_a_game_is_no_part_of_the_file_in_an_annotation(broken: Path, tmp_path: Path) -> None:
    two = tmp_path / "two.mjlog"
    two.write_bytes(broken.read_bytes() * 2)
    sources = [json.loads(line)["source"] for line in call("verify", two, "-f", "jsonl").text.splitlines()]
    assert sources == [f"{two}#1", f"{two}#2"]
    assert call("verify", two, "-f", "github").text.count(f"::error file={two},title=") == 2


def test_nothing_depends_on_the_number_of_processes(
    broken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / f"{number}.mjlog").write_bytes(broken.read_bytes())
    (tmp_path / "2b.mjlog").write_bytes(b"no log")
    monkeypatch.setattr(pipeline, "iter_units", partial(read.iter_units, unit_items=2))
    one, three = (call("verify", tmp_path, SAMPLES, "--jobs", jobs) for jobs in ("1", "3"))
    assert one == three
    assert len(one.text.splitlines()) == 7


def test_a_dataset_is_verified_like_the_logs_it_came_from(tmp_path: Path) -> None:
    assert call("import", SAMPLES, "-o", tmp_path / "ds", "--jobs", "1").status == 0
    assert call("verify", tmp_path / "ds") == call("verify", SAMPLES)


def test_what_is_not_checked_is_said() -> None:
    (batch,) = read.read_batches([SAMPLES / "hanchan.mjlog.gz"])
    batch.hands.dealt[0, 0, 0] = NO_TILE
    batch.events.seat[batch.hands.event_begin[1]] ^= 1
    batch.wins.yaku[-1] = 255
    batch.games.final_scores[:] = UNKNOWN_POINTS
    rules = (load_preset("tenhou-sanma"),)
    tally = Tally.of(replay(batch, *rules), files=1, errors=2)
    checked, *others = tally.lines()
    assert checked.startswith("checked 1 file: 1 game, 14 hands, 12 wins, 2 draws, ")
    assert checked.endswith("; 14 walls, 13 hand starts, 0 final results")
    assert others == [
        "not checked: 1 hand (checked up to an action that cannot be replayed)",
        "not checked: 1 win (the replay did not get there, or the hand is not complete)",
        "not checked: 1 win (the log lists no yaku; only points were compared)",
        "not checked: 1 final result (not in the log)",
        "not checked: 1 game (not under the given rules, which are for another game or number of players; "
        "the log's rules apply)",
    ]
    assert (tally + tally).summary() == {name: 2 * count for name, count in tally.summary().items()}
    assert tally.verdict() == "2 errors"


def test_strict_stops_at_the_first_error(broken: Path) -> None:
    result = call("verify", broken, broken, "--strict", "--jobs", 1)
    assert (result.status, len(result.text.splitlines())) == (1, 1)


def test_explain_tells_codes_and_families() -> None:
    assert "V306  fu" in call("explain").text
    text = call("explain", "V306").text
    assert text.startswith("V306 fu (error)")
    assert max(map(len, text.splitlines())) <= 80
    assert call("explain", "V3").text.count("What to do:") == 9
    assert call("explain", "Q7").status == 2


@pytest.mark.corpus
def test_genuine_logs_have_no_finding_but_the_explained_ones(shared: Path) -> None:
    found: dict[str, set[str]] = {}
    summary: dict[str, int] = {}
    for folder in ("mjlog", "tenhou6"):
        root = shared / "logs" / folder
        document = json.loads(call("verify", root, "--format", "json", "--jobs", 2).data)
        for name, count in document["summary"].items():
            summary[name] = summary.get(name, 0) + count
        for finding in document["findings"]:
            name = (
                str(Path(finding["source"].split(".json")[0] + ".json"))
                if folder == "tenhou6"
                else finding["source"]
            )
            found.setdefault(str(Path(name).relative_to(root)), set()).add(finding["code"])
    assert found == EXPLAINED
    assert summary["unreadable"] == 0
    assert (summary["games"], summary["hands"], summary["walls_checked"]) == (
        2887,
        23917,
        23473,
    )  # one game is there twice
    assert (summary["wins_checked"], summary["draws_checked"]) == (20244, 3790)


# --- rules on top of what logs name -------------------------------------------------------------------


def test_set_changes_what_each_log_names(tmp_path: Path) -> None:
    """Three-player games and others in one run: each keeps its own rules except for the one that is set."""
    inputs = [SAMPLES / "hanchan.json", SAMPLES / "sanma.json"]
    assert call("verify", *inputs, "--jobs", 1).status == 0
    result = call("verify", *inputs, "--set", "riichi_stick=500", "--format", "json", "--jobs", 1)
    found = {(row["code"], row["source"].rpartition("/")[2]) for row in json.loads(result.text)["findings"]}
    assert {("V401", "hanchan.json"), ("V401", "sanma.json")} <= found
    assert json.loads(result.text)["summary"]["games_under_own_rules"] == 0


def test_a_rule_that_a_game_cannot_have_is_not_set() -> None:
    inputs = [SAMPLES / "sanma.json", SAMPLES.parent / "systems" / "hk-old-style-games.jsonl.gz"]
    assert call("verify", *inputs, "--set", "uma=[15000,5000,-5000,-15000]", "--jobs", 1).status == 0
    assert call("verify", SAMPLES / "hanchan.json", "--set", "uma=[1000,0,0,-1000]", "--jobs", 1).status == 1


def test_lines_come_in_the_order_of_the_input(tmp_path: Path) -> None:
    wrong = (SAMPLES.parent / "broken" / "V302.mjlog").read_bytes()
    for number in range(6):
        (tmp_path / f"{number}.mjlog").write_bytes(b"<mjloggm><broken" if number % 2 else wrong)
    paths = sorted(tmp_path.iterdir())
    together = call("verify", *paths)
    apart = [call("verify", path) for path in paths]
    lines = [line for one in apart for line in one.text.splitlines() if f"{tmp_path}" in line]
    assert len(lines) >= 6
    assert [line for line in together.text.splitlines() if f"{tmp_path}" in line] == lines
