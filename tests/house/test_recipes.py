"""Recipes of CONTRIBUTING.md, applied to a copy of the package as they stand there."""

from __future__ import annotations

import gzip
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

pytestmark = pytest.mark.every(3)

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "cli", "coach", "parsers", "replay", "reports")
LOG = ROOT / "sample_logs" / "formats" / "overtime.mjlog.gz"
TABLES_END = ")\n# fmt: on"

ASKED = """
import json, sys
import paifu
from paifu.replay.scoring.yaku import YAKU
from paifu.replay.scoring.yaku_names import yaku_name

number, rule, han, hand, miss, seat_wind, log = json.loads(sys.argv[1])
told = {"file": paifu.__file__, "name": yaku_name(number, None), "english": YAKU[number].english}
for key, text, value in (("before", hand, 0), ("after", hand, han), ("miss", miss, han)):
    try:
        won = paifu.score(text, settings=[f"{rule}={value}"], seat_wind=seat_wind)
        told[key] = [won.points, number in [yaku.id for yaku, _ in won.yaku]]
    except paifu.PaifuError as error:
        told[key] = [None, False]
told["statistics"] = list(paifu.stats(log, metrics=["yaku_" + rule.removesuffix("_han")]).index)
print(json.dumps(told))
"""


def recipe(title: str) -> list[str]:
    """Return the pieces of code under a heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    part = text.split(f"\n### {title}\n")[1].split("\n### ")[0]
    return re.findall(r"```text\n(.*?)\n *```", part, re.DOTALL)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, to change."""
    root = tmp_path / "copy"
    root.mkdir()
    shutil.copytree(ROOT / "front", root / "paifu")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, root / "paifu" / name)
    return root


def insert(path: Path, text: str, before: str) -> None:
    whole = path.read_text("utf-8")
    assert whole.count(before) == 1
    path.write_text(whole.replace(before, f"{text}\n{before}"), "utf-8")


def run(root: Path, language: str, *words: str, kernels: str = "") -> str:
    """Run Python with the copy; returns what it prints. A finding of ``paifu verify`` is not a failure."""
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=root, timeout=300, check=False,
        env=os.environ | {"PYTHONPATH": str(root), "PAIFU_LANG": language, "PYTHONIOENCODING": "utf-8"}
        | ({"PAIFU_KERNELS": kernels} if kernels else {}),
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert done.returncode == 0 or done.stdout, done.stderr
    return done.stdout


def test_a_local_yaku_added_by_the_book_is_scored_named_and_counted(package: Path) -> None:
    """The row is all that the program needs, even without a Japanese name."""
    yaku, case_row = recipe("Add a local yaku")
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
        assert told["statistics"] == ["yaku_sanfonkou"]
        listed = run(package, language, "-m", "paifu.cli.__main__", "yaku", "three", "winds")
        assert "Triplets of three winds" in listed
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


def test_a_format_added_by_the_book_is_recognised_and_read(package: Path, tmp_path: Path) -> None:
    reader, member, magic, entry = map(textwrap.dedent, recipe("Add an input format"))
    parsers = package / "paifu" / "parsers"
    (parsers / "club").mkdir()
    (parsers / "club" / "__init__.py").touch()
    (parsers / "club" / "reader.py").write_text(reader, "utf-8")
    detect = parsers / "sources" / "detect.py"
    insert(detect, f"    {member.strip()}", '    OF_PLUGIN = "')
    insert(detect, f"    {magic.strip()}", '    (b"PAR1"')
    insert(parsers / "read.py", f"    {entry.strip()}", "    Format.OF_PLUGIN:")
    path = tmp_path / "game.txt"
    path.write_bytes(b"#club of ours\n" + gzip.decompress(LOG.read_bytes()))
    code = """import paifu, sys
for path in sys.argv[1:]:
    checked = paifu.verify(path)
    print(checked.tally.games, checked.tally.hands, len(list(checked)))"""
    club, plain = run(package, "en", "-c", code, str(path), str(LOG)).splitlines()
    assert club == plain
    assert club == "1 14 0"


def test_a_statistic_added_by_the_book_is_counted_as_its_second_implementation_counts(package: Path) -> None:
    metric, second = map(textwrap.dedent, recipe("Add a statistic"))
    insert(
        package / "paifu" / "reports" / "metrics" / "riichi.py",
        f"{metric}\n\n",
        '@family.share("double riichi among riichi"',
    )
    slow = package / "slow_statistics.py"
    shutil.copy(ROOT / "tests" / "helpers" / "slow_statistics.py", slow)
    insert(slow, f"    {second.strip()}", '    yield "double_riichi_share"')
    code = """import sys
import paifu
sys.path.append(sys.argv[2])
from slow_statistics import Told, metrics
told = Told()
for game in paifu.read(sys.argv[1]):
    told.add(game, paifu.ruleset("tenhou"))
(value,) = paifu.stats(sys.argv[1], metrics=["riichi_dealer_share"])["value"]
numerator, denominator = dict(metrics(told))["riichi_dealer_share"]
print(0 < numerator < denominator, value == numerator / denominator)"""
    assert run(package, "en", "-c", code, str(LOG), str(ROOT / "tests" / "helpers")) == "True True\n"
    listed = run(package, "en", "-m", "paifu.cli.__main__", "stats", "--explain", "riichi_dealer_share")
    assert "Share of riichi that the dealer declared." in listed


def test_a_finding_added_by_the_book_is_reported_and_explained(package: Path) -> None:
    number, row, kernel = map(textwrap.dedent, recipe("Add a finding"))
    replay = package / "paifu" / "replay"
    insert(replay / "kernels" / "codes.py", number, "\n# V3: wins")
    insert(
        replay / "findings" / "kinds.py",
        textwrap.indent(row, "    "),
        "    FindingKind(\n        codes.NO_WINNING_HAND,",
    )
    insert(
        replay / "kernels" / "transitions.py",
        textwrap.indent(kernel, "    "),
        "    drop(table, seat, tile)\n    table.kuikae = table.refused = 0",
    )
    explained = run(package, "ja", "-m", "paifu.cli.__main__", "explain", "V217")
    assert "A red five is discarded." in explained
    words = ("-m", "paifu.cli.__main__", "verify", str(ROOT / "sample_logs" / "scenarios" / "pinfu.mjlog"))
    found = run(package, "en", *words, kernels="python")
    assert re.search(r"V217 0[mps] is discarded, which the club forbids", found)
    assert found.count("V217") == 1


def test_a_term_added_by_the_book_needs_another_fit(package: Path) -> None:
    (term,) = recipe("Add a term of the model")
    insert(
        package / "paifu" / "coach" / "judgement" / "terms.py",
        f"            {term.strip()}",
        '        ),\n        rising=("value", "dora", "dealer", "pot"),',
    )
    code = """from paifu.coach.judgement.model import shipped_model
from paifu.coach.model_files import ModelError
try:
    shipped_model(4)
except ModelError as error:
    print(error)"""
    refused = run(package, "en", "-c", code)
    assert "not a model of this version (its terms differ); fit it again" in refused
