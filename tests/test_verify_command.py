"""``paifu verify`` and ``paifu explain``: what they print, in every form, and what they leave as status."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from command import call

SAMPLES = Path(__file__).parents[1] / "sample_logs"
EXPLAINED = {
    "mjx-project+mjx/2019020120gm-0009-10011-215330df.mjlog": {"V506"},
    # tenhou.net/6 logs that contradict themselves:
    "Equim-chan+mjai-reviewer/confusing_nakis_1.json": {"V401"},  # made by hand: the riichi stick is lost
    "Equim-chan+mjai-reviewer/confusing_nakis_2.json": {"V103"},  # made by hand: five of a kind
    "hidacow+mjai-reviewer3p/kokushi_peinuki.json": {"V401", "V506"},  # a stick missing, yet in the finals
}
"""Findings on real logs, each a true one. The first game was played in a lobby with an uma of its own."""


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
    assert result.talk[-3:] == [
        "checked 12 files: 16 games, 133 hands, 118 wins, 18 draws, 12,092 actions; 70 walls, "
        "113 starts of hands, 16 final results",
        "not checked: 63 walls (no known seed)",
        "no errors",
    ]


def test_a_finding_is_a_line(broken: Path) -> None:
    result = call("verify", broken, "--jobs", 1)
    assert result.status == 1
    (line,) = result.text.splitlines()
    assert line.startswith(f"{broken}:")
    assert line.endswith("V306 fu differ: engine 30, log 40")
    assert result.talk[-1] == "1 error"


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


def test_json_is_the_documented_shape(broken: Path) -> None:
    document = json.loads(call("verify", broken, "--format", "json", "--jobs", 1).data)
    assert document["schema"] == "paifu.verify/1"
    wanted = {"files", "games", "hands", "wins", "draws", "actions", "walls_checked", "wins_checked"}
    assert wanted | {"errors", "unreadable"} <= document["summary"].keys()
    (finding,) = document["findings"]
    assert list(finding) == [
        "code", "name", "severity", "source", "game_id", "hand", "event", "turn", "seat", "player", "tile",
        "message", "expected", "actual",
    ]  # fmt: skip
    assert (finding["code"], finding["expected"], finding["actual"]) == ("V306", 30, 40)
    lines = call("verify", broken, "--format", "jsonl", "--jobs", 1).text.splitlines()
    assert [json.loads(line) for line in lines] == [finding]
    (row,) = csv.DictReader(io.StringIO(call("verify", broken, "--format", "csv", "--jobs", 1).text))
    assert (row["code"], row["source"]) == ("V306", str(broken))


def test_annotations_for_a_code_host(broken: Path) -> None:
    text = call("verify", broken, "--format", "github", "--jobs", 1).text
    assert text.startswith(f"::error file={broken},title=V306 fu::")


def test_other_rules_than_the_logs() -> None:
    result = call("verify", SAMPLES / "hanchan.mjlog.gz", "--rules", "tenhou", "--set", "head_bump=true")
    assert result.status == 1
    assert "V309" in result.text
    assert call("verify", SAMPLES, "--set", "kiriage=true").status == 2
    assert call("verify", SAMPLES, "--rules", "no-such-rules").status == 2


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(broken: Path, tmp_path: Path) -> None:
    (tmp_path / "a.mjlog").write_bytes(b"no log")
    result = call("verify", tmp_path, SAMPLES, "--jobs", 1)
    assert result.status == 1
    assert [line.split(": ")[1].split()[0] for line in result.text.splitlines()] == ["V102", "V306"]
    assert result.talk[-1] == "2 errors, 1 input unreadable"
    assert call("verify", tmp_path / "nothing").status == 2
    assert call("verify", broken, "--select", "X1").status == 2


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
    assert (summary["games"], summary["hands"], summary["walls_checked"]) == (2888, 23918, 23473)
    assert (summary["wins_checked"], summary["draws_checked"]) == (20244, 3791)
