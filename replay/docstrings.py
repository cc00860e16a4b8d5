"""Docstrings that are texts for users, read also where ``python -OO`` has left them out of the code."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any


def docstring(documented: type | Callable[..., Any]) -> str:
    """Return the docstring of a class or a function; without its source, too, it may be empty.

    >>> docstring(docstring).partition(" of ")[0]
    'Return the docstring'
    """
    if sys.flags.optimize < 2:
        return inspect.getdoc(documented) or ""
    import ast
    import textwrap

    try:
        source = textwrap.dedent(inspect.getsource(documented))
    except (OSError, TypeError):  # only compiled files are installed, or it was made while running
        return ""
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef | ast.FunctionDef)  # noqa: S101
    return ast.get_docstring(definition) or ""
