"""Rules, aliases and stored overrides of any depth, length and number of digits: refused in a few words."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import call
from shards import write_shard

from paifu.parsers.dataset.shards import open_for_import
from paifu.parsers.read import read_batches
from paifu.replay.model.batch import Batch
from paifu.replay.rules.ruleset import FIELDS
from paifu.replay.rules.written_values import (
    MAX_DOTS,
    MAX_TEXT,
    WrittenError,
    read_json,
    read_toml,
    short,
    shown,
)
from paifu.replay.rulesets.presets import RuleError, load_preset, parse_overrides, with_overrides
from paifu.replay.rulesets.written_rules import parse_ruleset, parse_setting

pytestmark = pytest.mark.every(20)

LOG = Path(__file__).parents[2] / "sample_logs" / "scenarios" / "menzen-tsumo.mjlog"

VALUES = {
    "deep lists": "[" * 100_000,
    "deep lists, closed": "[" * 5000 + "]" * 5000,
    "lists as deep as can be read": "[" * 300 + "]" * 300,
    "deep tables": '{"a":' * 50_000,
    "deep tables of TOML": "{a=" * 50_000,
    "4,000 digits": "9" * 4000,
    "10,000 digits": "9" * 10_000,
    "10,000 digits in a list": f"[{'9' * 10_000}]",
    "10,000 negative digits in a list of lists": f"[[-{'9' * 10_000}]]",
    "a big exponent": "1e" + "9" * 5000,
    "digits after a point": "0." + "1" * 50_000,
    "hexadecimal digits": "0x" + "f" * 10_000,
    "a long list": f"[{'1,' * 200_000}1]",
    "a long text": '"' + "a" * 200_000 + '"',
    "a long word": "a" * 200_000,
    "no number": "nan",
    "infinity in a list": "[inf]",
    "more than fits 64 bits": "[9223372036854775808, 0, 0, -9223372036854775808]",
    "escape sequences": '"\\u001b]0;x\\u0007\\u202e"',
    "only quotes": '"' * 50_000,
    "dots": "a." * 50_000,
}
"""What a rule, an alias or an override may be set to; none of it is one."""

DOCUMENTS = {
    "a dotted key": "a." * 200_000 + "b = 1",
    "a dotted key with quotes and blanks": '"a" . ' * 50_000 + "b = 1",
    "a dotted table": f"[a{'.a' * 100_000}]",
    "tables of tables": "[[a]]\n" * 50_000,
    "many keys": "\n".join(f"a{n} = 1" for n in range(50_000)),
    "deep inline tables": "x = " + "{a = " * 5000,
    "one long line": "a" * 900_000,
    "too long": "#" * (MAX_TEXT + 1),
    "far too long": "#" * (5 * MAX_TEXT),
    "no text": "\x00\x01",
}
"""Whole files."""


def refused(*arguments: str | Path) -> str:
    """Call a command that must refuse in few, printable words; return them."""
    start = time.process_time()
    result = call(*arguments)
    assert result.status == 2
    assert time.process_time() - start < 10
    words = result.talk[-1]
    assert words.startswith("Error: ")
    assert words.isprintable()
    assert len(words) < 600
    return words


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("rule", ["uma", "uma_by_below", "start_points", "kuikae", "kuitan"])
def test_no_setting_is_deep_or_long(rule: str, value: str) -> None:
    words = refused("rules", "show", "tenhou", "--set", f"{rule}={value}")
    reasons = (f"rule {rule} is {FIELDS[rule].allowed}, not ", "uma needs 4 places, it has 200001")
    assert any(reason in words for reason in reasons)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize(
    "command", [("rules", "show"), ("verify", LOG, "--rules"), ("score", "123m456p789s11222z", "--rules")]
)
def test_no_ruleset_is_deep_or_long(tmp_path: Path, command: tuple[str | Path, ...], value: str) -> None:
    path = tmp_path / "mine.toml"
    for rule in ("uma", "start_points"):
        path.write_text(f'base = "tenhou"\n{rule} = {value}\n', "utf-8")
        assert "ruleset mine" in refused(*command, path)


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize(
    "command", [("stats", LOG), ("report", LOG, "-o", "never.html")], ids=["stats", "report"]
)
def test_no_alias_is_deep_or_long(tmp_path: Path, command: tuple[str | Path, ...], value: str) -> None:
    path = tmp_path / "aliases.toml"
    path.write_text(f"name = {value}\n", "utf-8")
    assert "aliases" in refused(*command, "--aliases", path)


@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS)
def test_no_file_is_deep_or_long(tmp_path: Path, text: str) -> None:
    path = tmp_path / "any.toml"
    path.write_text(text, "utf-8")
    refused("rules", "show", path)
    refused("stats", LOG, "--aliases", path)


def test_an_endless_file_is_left_at_once(tmp_path: Path) -> None:
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    assert "bigger than 4 MiB" in refused("rules", "show", tmp_path / "zero.toml")
    assert "bigger than 4 MiB" in refused("stats", LOG, "--aliases", "/dev/zero")


@pytest.fixture(scope="module")
def batch() -> Batch:
    return Batch.concatenate(read_batches([LOG]))


STORED: dict[str, Callable[[str], str]] = {
    "as the whole": lambda value: value,
    "of a rule": lambda value: f'{{"uma":{value}}}',
    "of no rule": lambda value: f'{{"nothing":{value}}}',
}


@pytest.mark.parametrize("place", STORED.values(), ids=STORED)
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_no_stored_override_is_deep_or_long(
    tmp_path: Path, batch: Batch, value: str, place: Callable[[str], str]
) -> None:
    overrides = np.array([place(value)] * len(batch), dtype=batch.games.overrides.dtype)
    spoilt = replace(batch, games=replace(batch.games, overrides=overrides))
    with open_for_import(tmp_path / "ds") as writer:
        writer.add(write_shard(writer.root, [bytes(16)], spoilt))
    for command in (["verify"], ["stats"], ["show"], ["review"]):
        result = call(*command, tmp_path / "ds")
        assert result.status == 2
        (words,) = result.talk[-1:]
        assert "games.ruleset" in words
        assert len(words) < 600


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_the_library_refuses_them_with_one_error(value: str) -> None:
    with pytest.raises(RuleError):
        with_overrides(load_preset("tenhou"), dict([parse_setting(f"uma={value}")]))
    with pytest.raises(RuleError):
        with_overrides(load_preset("tenhou"), parse_overrides(f'{{"uma":{value}}}'))
    with pytest.raises(RuleError):
        parse_ruleset(f'base = "tenhou"\numa = {value}', "x")


@pytest.mark.parametrize("size", [1, 3, 1000, 10**6])
def test_a_value_is_named_in_a_few_characters(size: int) -> None:
    deep: list[object] = []
    for _ in range(size):
        deep = [deep]
    for value in (deep, {"a": deep}, [1] * size, ["x" * size], "x" * size, 10**size if size < 4000 else 0.1):
        assert 0 < len(shown(value)) <= 80
    while deep:
        deep = deep.pop()  # type: ignore[assignment]  # or Python would take it apart recursively


def test_keys_of_some_dots_are_read() -> None:
    assert read_toml("a.b.c = 1\n'x.y' = 2") == {"a": {"b": {"c": 1}}, "x.y": 2}
    assert read_toml("a = '" + "b." * MAX_DOTS + "'")["a"].count(".") == MAX_DOTS
    with pytest.raises(WrittenError, match="dots"):
        read_toml("a." * (MAX_DOTS + 1) + "b = 1")
    assert read_json('{"a":[1,-2]}') == {"a": [1, -2]}


def test_a_name_or_summary_of_a_ruleset_is_one_printable_line(tmp_path: Path) -> None:
    path = tmp_path / "odd\x1b\u202e[bold].toml"
    path.write_text(
        'base = "tenhou"\nsummary = "\\u001b]0;x\\u0007 two\\nlines \\u202e\\u007f"\nkuitan = false\n',
        "utf-8",
    )
    for command in (
        ["show", path],
        ["show", path, "-f", "json"],
        ["show", path, "-f", "toml"],
        ["diff", path, "tenhou"],
    ):
        result = call("rules", *command)
        assert result.status == 0
        assert re.sub("\n", "", result.text).isprintable()
    assert "odd[bold]: ]0;x two lines" in call("rules", "show", path).text
    assert "odd[bold]" in call("rules", "diff", path, "tenhou").text


def test_eighty_characters_of_a_text_are_shown() -> None:
    assert short("x" * 80) == "x" * 80
    assert short("x" * 81) == "x" * 77 + "..."
