"""Notebooks of the documentation: run, and turned into pages of the site.

Notebooks are kept without outputs. ``python docs/notebooks.py FOLDER`` runs all of them and writes their
pages there, and the site's hooks do the same for the site.
"""

from __future__ import annotations

import base64
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

NOTEBOOKS = Path(__file__).with_name("notebooks")
_SECONDS = 120
"""What a cell may take; it may have to wait for kernels to be compiled."""
_BACKEND = "module://matplotlib_inline.backend_inline"
_STYLE = re.compile(r"<style scoped>.*?</style>", re.DOTALL)
_TERMINAL = re.compile(r"\x1b\[[0-9;]*m")


def sources() -> list[Path]:
    """Return the notebooks."""
    return sorted(NOTEBOOKS.glob("*.ipynb"))


def executed(path: Path) -> Any:
    """Run a notebook in an empty folder with this Python; return it with its outputs.

    Raises nbclient's CellExecutionError when a cell fails.
    """
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(
            os.environ, PATH=programs, PAIFU_CONFIG="", MPLBACKEND="module://matplotlib_inline.backend_inline"
        ),
    ):
        client = NotebookClient(
            notebook, timeout=_SECONDS, kernel_name="python3", resources={"metadata": {"path": folder}}
        )
        client.execute()
    return notebook


def page(notebook: Any, name: str) -> tuple[str, dict[str, bytes]]:
    """Return an executed notebook as Markdown, and its figures by file name."""
    parts: list[str] = []
    figures: dict[str, bytes] = {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        printed = "".join(output.text for output in cell.outputs if output.output_type == "stream")
        if printed.strip():
            parts.append(f"```text\n{_TERMINAL.sub('', printed).rstrip()}\n```")
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/png" in data:
                file = f"{name}-{len(figures) + 1}.png"
                figures[file] = base64.b64decode(data["image/png"])
                parts.append(f"![Figure of the cell above]({file})")
            elif "text/html" in data:
                parts.append(_STYLE.sub("", data["text/html"]))
            elif "text/plain" in data:
                parts.append(f"```text\n{data['text/plain']}\n```")
    return "\n\n".join(parts) + "\n", figures


def main(folder: Path) -> None:
    """Run all notebooks and write their pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sources():
        text, figures = page(executed(path), path.stem)
        (folder / f"{path.stem}.md").write_text(text, "utf-8")
        for file, data in figures.items():
            (folder / file).write_bytes(data)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
