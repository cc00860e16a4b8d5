"""Print pip's constraints to the lowest versions of ``pyproject.toml``: ``python bench/lowest.py > FILE``.

``pip install -c FILE -e '.[test]'`` then makes the oldest environment that paifu says it runs in. What only
its tests, its documentation and its developers need is left free.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
NOT_OF_USERS = {"dev", "docs", "fuzz", "test"}
_FLOOR = re.compile(r"([\w.-]+)(?:\[[^]]*\])? *>= *([\d.]+)(?: *,.*)?")


def lowest(project: dict[str, Any]) -> list[str]:
    """Return a line for each requirement of the project, and of extras for users.

    Raises ValueError where one has no lowest version.
    """
    extras = project.get("optional-dependencies", {})
    wanted = [*project["dependencies"]]
    wanted += [each for name in extras if name not in NOT_OF_USERS for each in extras[name]]
    found = set()
    for requirement in wanted:
        if not (parts := _FLOOR.fullmatch(requirement)):
            raise ValueError(f"{requirement!r} has no lowest version: write >=")
        found.add(f"{parts[1]}=={parts[2]}")
    return sorted(found)


def main() -> None:
    """Print them."""
    try:
        print("\n".join(lowest(tomllib.loads(PROJECT.read_text("utf-8"))["project"])))
    except ValueError as error:
        sys.exit(f"pyproject.toml: {error}")


if __name__ == "__main__":
    main()
