"""Hook of the documentation site: notebooks become pages."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any


def on_files(files: Any, config: Any) -> Any:
    """Run the notebooks, and put a page in the place of each, with its figures beside it."""
    from mkdocs.structure.files import File

    for path in notebooks().sources():
        text, figures = notebooks().page(notebooks().executed(path), path.stem)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
        for name, data in figures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=data))
    return files


@cache
def notebooks() -> ModuleType:
    """Return the module next to this one; mkdocs loads hooks by their path."""
    spec = importlib.util.spec_from_file_location("notebooks", Path(__file__).with_name("notebooks.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
