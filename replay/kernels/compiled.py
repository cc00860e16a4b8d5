"""A kernel that Python calls, compiled: from the cache, or by numba, which is imported only then."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from paifu.replay.kernels.cache import KernelCache
from paifu.replay.kernels.machine_code import Code, Kind, kind_of, processor
from paifu.replay.kernels.signatures import examples


class CompiledKernel:
    """The compiled versions of one kernel, called as the kernel is.

    There is one, for what the annotations say; where they leave a type open, one for each kind of values that
    comes. ``before_compiling`` is called when numba is about to be needed.
    """

    def __init__(
        self, function: Callable[..., Any], cache: KernelCache | None, before_compiling: Callable[[], None]
    ) -> None:
        self._function, self._cache, self._before_compiling = function, cache, before_compiling
        self._signature = inspect.signature(function)
        self._examples = examples(function)
        self._kinds = None if self._examples is None else tuple(map(kind_of, self._examples))
        self._versions: dict[tuple[Kind, ...], Code] = {}
        self.loaded = 0
        """Versions that came from the cache."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the version for such arguments, compiled before its first use."""
        version, args, kinds = self._version_for(args, kwargs)
        return version(args, kinds)

    def bound(self, *args: Any, **kwargs: Any) -> Callable[[], Any]:
        """Return the call with these arguments, looked at once."""
        version, args, kinds = self._version_for(args, kwargs)
        return version.bound(args, kinds)

    def _version_for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Code, tuple[Any, ...], tuple[Kind, ...]]:
        """Return the version for such arguments, these in their order, and what they are."""
        if kwargs or len(args) != len(self._signature.parameters):
            bound = self._signature.bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        kinds = self._kinds or tuple(map(kind_of, args))
        version = self._versions.get(kinds)
        if version is None:
            version = self._versions[kinds] = self._version(kinds, self._examples or args)
        return version, args, kinds

    def _version(self, kinds: tuple[Kind, ...], values: tuple[Any, ...]) -> Code:
        key = (kinds, processor())
        if self._cache is not None and (content := self._cache.read(key)) is not None:
            self.loaded += 1
            return Code(content)
        from paifu.replay.kernels.compiler import compile_entry

        self._before_compiling()
        content = compile_entry(self._function, values)
        if self._cache is not None:
            self._cache.write(key, content)
        return Code(content)
