"""Small changes to Python code that a test should notice: a stretch of bytes and what it becomes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
_OPERATORS: dict[type[ast.operator], tuple[str, tuple[str, ...]]] = {
    ast.Add: ("+", ("-",)),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("+",)),
    ast.FloorDiv: ("//", ("*",)),
    ast.Div: ("/", ("*",)),
    ast.Mod: ("%", ("//",)),
    ast.LShift: ("<<", (">>",)),
    ast.RShift: (">>", ("<<",)),
    ast.BitAnd: ("&", ("|",)),
    ast.BitOr: ("|", ("&",)),
    ast.BitXor: ("^", ("|",)),
}
_SIGNS: dict[type[ast.unaryop], str] = {ast.Not: "not", ast.USub: "-", ast.Invert: "~", ast.UAdd: "+"}
_NOT_CODE = (ast.JoinedStr, ast.Raise, ast.Assert, ast.AnnAssign, ast.Import, ast.ImportFrom)
"""What is not looked into: texts, checks of the code itself, and, except for its value, what is annotated."""
_WARMING_UP = "warm_up"
"""Functions that have kernels compiled before they are needed, and change no result."""
_NOT_MEANT = {"strict", "slots", "frozen", "kw_only", "maxsize", "maxlen", "stacklevel"}
"""Keyword arguments that guard or tune, and change no result."""


@dataclass(frozen=True)
class Change:
    """One change: bytes ``start`` to ``end`` of a source become ``text``. Lines count from 1."""

    line: int
    start: int
    end: int
    old: str
    text: str

    def apply(self, source: bytes) -> bytes:
        """Return the source with the change."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def __str__(self) -> str:
        return f"{' '.join(self.old.split())} -> {self.text or 'nothing'}"


def changes(source: bytes) -> list[Change]:
    """Return every change of a module that this program knows, in the order of the lines."""
    return sorted(set(_Changes(source).found()), key=lambda change: (change.start, change.end, change.text))


class _Changes:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def found(self) -> Iterator[Change]:
        """Yield the changes of a module."""
        yield from self._inside(ast.parse(self.source), None)

    def _inside(self, node: ast.AST, function: ast.FunctionDef | None) -> Iterator[Change]:
        if isinstance(node, ast.FunctionDef):
            if node.name != _WARMING_UP:
                yield from self._within(node.body, node)
                yield from self._within([*node.args.defaults, *filter(None, node.args.kw_defaults)], node)
        elif isinstance(node, ast.ClassDef):
            yield from self._within(node.body, None)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield from self._inside(node.value, function)
        elif not _is_left_alone(node):
            if kind := _KINDS.get(type(node)):
                yield from kind(self, node)
            if isinstance(node, ast.Return) and function is not None:
                yield from self._answer(node, function)
            yield from self._within(list(ast.iter_child_nodes(node)), function)

    def _within(
        self, nodes: list[ast.stmt] | list[ast.expr] | list[ast.AST], function: ast.FunctionDef | None
    ) -> Iterator[Change]:
        for node in nodes:
            yield from self._inside(node, function)

    def _span(self, node: ast.AST) -> tuple[int, int]:
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        return (
            self.starts[first - 1] + node.col_offset,  # type: ignore[attr-defined]
            self.starts[last - 1] + node.end_col_offset,  # type: ignore[attr-defined]
        )

    def _change(self, start: int, end: int, text: str) -> Change:
        line = self.source.count(b"\n", 0, start) + 1
        return Change(line, start, end, self.source[start:end].decode(), text)

    def _turned(self, left: ast.AST, right: ast.AST, sign: str, others: tuple[str, ...]) -> Iterator[Change]:
        """An operator between two operands becomes another one."""
        begin, end = self._span(left)[1], self._span(right)[0]
        pattern = re.escape(sign).replace(r"\ ", r"\s+").encode()
        between = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.source[begin:end])
        if found := re.search(pattern, between):
            for other in others:
                yield self._change(begin + found.start(), begin + found.end(), other)

    def _comparison(self, node: ast.Compare) -> Iterator[Change]:
        left: ast.AST = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            sign, others = _COMPARISONS[type(operator)]
            yield from self._turned(left, right, sign, others)
            left = right

    def _operation(self, node: ast.BinOp) -> Iterator[Change]:
        if type(node.op) in _OPERATORS and not _is_text(node):
            yield from self._turned(node.left, node.right, *_OPERATORS[type(node.op)])

    def _in_place(self, node: ast.AugAssign) -> Iterator[Change]:
        if type(node.op) in _OPERATORS:
            sign, others = _OPERATORS[type(node.op)]
            turned = tuple(f"{other}=" for other in others)
            yield from self._turned(node.target, node.value, f"{sign}=", turned)
        yield from self._left_out(node)

    def _junction(self, node: ast.BoolOp) -> Iterator[Change]:
        sign, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from self._turned(left, right, sign, (other,))

    def _sign(self, node: ast.UnaryOp) -> Iterator[Change]:
        start = self._span(node)[0]
        yield self._change(start, start + len(_SIGNS[type(node.op)]), "")

    def _constant(self, node: ast.Constant) -> Iterator[Change]:
        start, end = self._span(node)
        if isinstance(node.value, bool):
            yield self._change(start, end, str(not node.value))
        elif isinstance(node.value, int):
            yield self._change(start, end, str(node.value + 1))
            yield self._change(start, end, f"({node.value - 1})")
        elif isinstance(node.value, float):
            yield self._change(start, end, f"({node.value} + 1)")

    def _condition(self, node: ast.If | ast.While | ast.IfExp) -> Iterator[Change]:
        start, end = self._span(node.test)
        text = self.source[start:end].decode()
        if text != "True":
            yield self._change(start, end, f"(not ({text}))")

    def _filters(self, node: ast.comprehension) -> Iterator[Change]:
        for test in node.ifs:
            start, end = self._span(test)
            yield self._change(start, end, f"(not ({self.source[start:end].decode()}))")

    def _jump(self, node: ast.Break | ast.Continue) -> Iterator[Change]:
        yield self._change(*self._span(node), "continue" if isinstance(node, ast.Break) else "break")

    def _call(self, node: ast.Expr) -> Iterator[Change]:
        if isinstance(node.value, ast.Call):
            yield from self._left_out(node)

    def _assignment(self, node: ast.Assign) -> Iterator[Change]:
        if all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets):
            yield from self._left_out(node)

    def _left_out(self, node: ast.stmt) -> Iterator[Change]:
        yield self._change(*self._span(node), "pass")

    def _answer(self, node: ast.Return, function: ast.FunctionDef) -> Iterator[Change]:
        answers = function.returns
        if node.value is not None and isinstance(answers, ast.Name) and answers.id == "bool":
            start, end = self._span(node.value)
            yield self._change(start, end, f"(not ({self.source[start:end].decode()}))")


def _is_left_alone(node: ast.AST) -> bool:
    """Whether nothing in a node is changed."""
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.dump(node.test)
    return isinstance(node, _NOT_CODE) or (isinstance(node, ast.keyword) and node.arg in _NOT_MEANT)


def _is_text(node: ast.BinOp) -> bool:
    """Whether an operation has a text on either side: adding texts is not arithmetic."""
    sides = (node.left, node.right)
    return any(isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes)) for side in sides)


_KINDS: dict[type[ast.AST], Callable[[_Changes, Any], Iterator[Change]]] = {
    ast.Compare: _Changes._comparison,
    ast.BinOp: _Changes._operation,
    ast.AugAssign: _Changes._in_place,
    ast.BoolOp: _Changes._junction,
    ast.UnaryOp: _Changes._sign,
    ast.Constant: _Changes._constant,
    ast.If: _Changes._condition,
    ast.While: _Changes._condition,
    ast.IfExp: _Changes._condition,
    ast.comprehension: _Changes._filters,
    ast.Break: _Changes._jump,
    ast.Continue: _Changes._jump,
    ast.Expr: _Changes._call,
    ast.Assign: _Changes._assignment,
}
"""What may be changed in a node, by its kind."""
