"""What a kernel takes, read from its annotations: one example value for each argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np


class OpenTypeError(TypeError):
    """An annotation that does not settle a type: a union, an array of any kind."""


def example(annotation: Any) -> object:
    """Return a value of an annotated type; raises OpenTypeError where the annotation leaves it open."""
    if annotation in (int, bool, float):
        return annotation()
    if get_origin(annotation) is Annotated:
        _, cells, dimensions = get_args(annotation)
        return np.zeros((1,) * dimensions, cells)
    if not hasattr(annotation, "_fields"):
        raise OpenTypeError(f"{annotation} may be of several types")
    hints = get_type_hints(annotation, include_extras=True)
    return annotation(*(example(hints[name]) for name in annotation._fields))


def examples(function: Callable[..., Any]) -> tuple[object, ...] | None:
    """Return a value for each argument of a kernel; None where an annotation leaves a type open."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    try:
        return tuple(map(example, hints.values()))
    except OpenTypeError:
        return None
