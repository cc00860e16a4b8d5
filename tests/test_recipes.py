"""Recipes of CONTRIBUTING.md, applied to a copy of the package as they stand there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from rules.local_yaku_cases import LocalCase

from paifu.replay.rules.local_yaku import LOCAL_YAKU

ROOT = Path(__file__).parents[1]
PACKAGES = ("api", "cli", "parsers", "replay", "reports")
LOG = ROOT / "sample_logs" / "formats" / "overtime.mjlog.gz"
TABLES_END = ")\n# fmt: on"

ASKED = """
import json, sys
import paifu
from paifu.replay.scoring.yaku import YAKU
from paifu.replay.scoring.yaku_names import yaku_name

number, rule, han, hand, miss, seat_wind, log = json.loads(sys.argv[1])
told = {"file": paifu.__file__, "name": yaku_name(number), "english": YAKU[number].english}
for key, text, value in (("before", hand, 0), ("after", hand, han), ("miss", miss, han)):
    try:
        won = paifu.score(text, settings=[f"{rule}={value}"], seat_wind=seat_wind)
        told[key] = [won.points, number in [yaku.id for yaku, _ in won.yaku]]
    except paifu.PaifuError as error:
        told[key] = [None, False]
told["statistics"] = list(paifu.stats(log, metrics=["yaku_" + rule.removesuffix("_han")]).columns)
print(json.dumps(told))
"""


def recipe(title: str) -> list[str]:
    """Return the pieces of code under a heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    part = text.split(f"\n### {title}\n")[1].split("\n### ")[0]
    return re.findall(r"```text\n(.*?)\n *```", part, re.DOTALL)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to change."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "front", root / "paifu")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, root / "paifu" / name)
    return root


def insert(path: Path, text: str, before: str) -> None:
    whole = path.read_text("utf-8")
    assert whole.count(before) == 1
    path.write_text(whole.replace(before, f"{text}\n{before}"), "utf-8")


def run(root: Path, language: str, *words: str) -> str:
    """Run Python with the copy."""
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=root, timeout=300, check=False,
        env=os.environ | {"PYTHONPATH": str(root), "PAIFU_LANG": language, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_local_yaku_added_by_the_book_is_scored_named_and_counted(package: Path) -> None:
    """The first row is all that the program needs, even without a Japanese name."""
    yaku, names, case_row = recipe("Add a local yaku")
    number = int(yaku.lstrip().removeprefix("LocalYaku(").split(",")[0])
    assert number == max(row.id for row in LOCAL_YAKU) + 1
    case = eval(case_row.split(":", 1)[1].strip().rstrip(","), {"LocalCase": LocalCase})  # noqa: S307  our docs
    wind = ("east", "south", "west", "north")[case.seat_wind]
    question = json.dumps([number, "sanfonkou_han", case.han, case.hand, case.near_miss, wind, str(LOG)])
    replay = package / "paifu" / "replay"
    japanese = '"三風刻"'
    assert japanese in yaku
    insert(replay / "rules" / "local_yaku.py", yaku.replace(japanese, '""'), TABLES_END)
    for language, name in (("en", "sanfonkou"), ("ja", "three winds")):
        told = json.loads(run(package, language, "-c", ASKED, question))
        assert Path(told["file"]).is_relative_to(package)
        assert told["before"] == [case.before, False]
        assert told["after"] == [case.after, True]
        assert not told["miss"][1]
        assert told["name"] == name
        assert told["statistics"] == ["games", "hands", "yaku_sanfonkou"]
        listed = run(package, language, "-m", "paifu.cli.__main__", "yaku", "three", "winds")
        assert "Triplets of three winds" in listed
        assert "paifu score" not in listed
    insert(replay / "scoring" / "yaku_names.py", names, TABLES_END)
    listed = run(package, "en", "-m", "paifu.cli.__main__", "yaku", "sanfonkou")
    assert "paifu score '(222z)(333z)444z46m55p5m' --set sanfonkou_han=2" in listed


def test_a_rule_added_by_the_book_is_shown_and_read(package: Path) -> None:
    field, value = recipe("Add a rule")
    rules = package / "paifu" / "replay" / "rules" / "sections.py"
    insert(rules, f"    {field.strip()}", "    riichi_points: int")
    insert(
        package / "paifu" / "replay" / "rulesets" / "presets" / "tenhou.toml",
        value.strip(),
        "riichi_points =",
    )
    command = (
        "-m",
        "paifu.cli.__main__",
        "rules",
        "show",
        "saki",
        "--set",
        "riichi_refund=true",
        "-f",
        "toml",
    )
    for language in ("en", "ja"):
        assert "\nriichi_refund = true\n" in run(package, language, *command)


def test_a_preset_added_by_the_book_is_listed_and_replayed(package: Path) -> None:
    (text,) = recipe("Add a preset")
    path = package / "paifu" / "replay" / "rulesets" / "presets" / "club.toml"
    path.write_text(textwrap.dedent("    " + text.lstrip()), "utf-8")
    listed = run(package, "ja", "-m", "paifu.cli.__main__", "rules", "list")
    assert "Our club: mangan rounded up" in listed
    code = """import paifu, sys
print(paifu.ruleset("club").sources["kiriage"], paifu.verify(sys.argv[1], rules="club").tally.hands > 0)"""
    assert run(package, "en", "-c", code, str(LOG)) == "[sheet] True\n"
