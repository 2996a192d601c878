"""Attention that is found in code: arrays by their usual names, made into an example to look at.

The arrays come from a counterexample of a verdict, or from an example on a card that was run once
more in the sandbox with `ASKING` behind it, which prints them.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from studyattn.tui.attention_view.example import (
    CAUSAL,
    MOST_FEATURES,
    MOST_TOKENS,
    AttentionExample,
    Head,
    Maps,
    Mask,
    Rows,
    Vectors,
)

_NAMES = ("q", "k", "v", "x", "context", "w_q", "w_k", "w_v", "num_heads", "mask")
_MARK = "studyattn-arrays:"
_MOST_ENTRIES = 512
_LONGEST = 8000
"""Characters of a line: the sandbox keeps the last 8 KiB of what a script prints."""
_MOST_HEADS = 8

ASKING = f"""
import json as _json


def _short(value):
    return [_short(each) for each in value] if isinstance(value, list) else float(f"{{value:.7g}}")


_found = {{}}
for _name in {_NAMES!r}:
    _value = globals().get(_name)
    if isinstance(_value, int) and not isinstance(_value, bool):
        _found[_name] = _value
    elif hasattr(_value, "tolist") and getattr(_value, "ndim", 0):
        if 0 < len(_value.reshape(-1)) <= {_MOST_ENTRIES}:
            _found[_name] = _short(_value.tolist())
_line = _json.dumps(_found)
print()
print({_MARK!r} + (_line if len(_line) < {_LONGEST} else "{{}}"))
"""
"""Python that prints the arrays of the script before it, to seven digits."""


def may_have_attention(source: str) -> bool:
    """Return True if a script names queries and keys, or tokens and maps, outside of functions."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return False
    names = {
        node.id
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return {"q", "k"} <= names or {"x", "w_q", "w_k", "w_v"} <= names


def printed_arrays(output: str) -> dict[str, Any]:
    """Return what `ASKING` printed; nothing where it was not reached."""
    for line in reversed(output.splitlines()):
        if line.startswith(_MARK):
            found = json.loads(line.removeprefix(_MARK))
            return found if isinstance(found, dict) else {}
    return {}


def example_of(arrays: Mapping[str, Any], title: str) -> AttentionExample | None:
    """The attention in these arrays; None where there is none, or more than can be shown.

    q `(..., m, d)`, k `(..., n, d)` and v `(..., n, d_v)`, leading axes as heads; or x
    `(n, d_model)` with `w_q`, `w_k`, `w_v`, whose columns `num_heads` heads share.
    """
    if {"x", "w_q", "w_k", "w_v"} <= set(arrays):
        found = _projected(arrays, title)
    elif {"q", "k"} <= set(arrays):
        found = _given(arrays, title)
    else:
        return None
    return found if found is not None and _can_be_shown(found) else None


def _given(arrays: Mapping[str, Any], title: str) -> AttentionExample | None:
    q, k = _matrices(arrays["q"]), _matrices(arrays["k"])
    v = _matrices(arrays["v"]) if "v" in arrays else []
    if not q or len(q) != len(k) or len(q) > _MOST_HEADS or len(q[0][0]) != len(k[0][0]):
        return None
    fits = len(v) == len(q) and len(v[0]) == len(k[0])
    heads: list[Head] = [
        Vectors(queries, keys, v[at] if fits else None)
        for at, (queries, keys) in enumerate(zip(q, k, strict=True))
    ]
    return _example(title, (len(q[0]), len(k[0])), heads, arrays)


def _projected(arrays: Mapping[str, Any], title: str) -> AttentionExample | None:
    x, context = _matrices(arrays["x"]), _matrices(arrays.get("context", []))
    maps = [_matrices(arrays[name]) for name in ("w_q", "w_k", "w_v")]
    if any(len(each) != 1 for each in (x, *maps)) or len(context) > 1:
        return None
    read_from = context[0] if context else x[0]
    widths = [len(x[0][0]), len(read_from[0]), len(read_from[0])]
    number = arrays.get("num_heads", 1)
    if any(len(w[0]) != width for w, width in zip(maps, widths, strict=True)) or not (
        isinstance(number, int) and 1 <= number <= _MOST_HEADS
    ):
        return None
    w_q, w_k, w_v = (_columns(w[0], number) for w in maps)
    heads: list[Head] = [Maps(*each) for each in zip(w_q, w_k, w_v, strict=True)]
    found = _example(title, (len(x[0]), len(read_from)), heads, arrays)
    return replace(found, x=x[0], context=context[0] if context else None)


def _example(
    title: str, size: tuple[int, int], heads: Sequence[Head], arrays: Mapping[str, Any]
) -> AttentionExample:
    m, n = size
    return AttentionExample(
        title=title,
        queries=tuple(f"q{at}" for at in range(1, m + 1)) if m != n else _numbers(n),
        keys=tuple(f"k{at}" for at in range(1, n + 1)) if m != n else _numbers(n),
        heads=tuple(heads),
        mask=_mask(arrays.get("mask"), m, n),
    )


def _numbers(n: int) -> tuple[str, ...]:
    return tuple(str(at) for at in range(1, n + 1))


def _mask(value: Any, m: int, n: int) -> Mask:
    found = _matrices(value) if isinstance(value, list) else []
    if len(found) == 1 and (len(found[0]), len(found[0][0])) == (m, n):
        return Mask("given mask", tuple(tuple(map(bool, row)) for row in found[0]))
    return CAUSAL


def _matrices(value: Any) -> list[Rows]:
    """Nested lists of any depth as matrices; a single row is one of 1 × n."""
    if not isinstance(value, list) or not value:
        return []
    if not isinstance(value[0], list):
        return [(tuple(map(float, value)),)]
    if not value[0] or isinstance(value[0][0], list):
        return [matrix for part in value for matrix in _matrices(part)]
    return [tuple(tuple(map(float, row)) for row in value)]


def _columns(matrix: Rows, number: int) -> list[Rows]:
    """The columns of each head."""
    width = len(matrix[0]) // number
    return [tuple(row[at * width : (at + 1) * width] for row in matrix) for at in range(number)]


def _can_be_shown(example: AttentionExample) -> bool:
    tables = [example.x, example.context]
    for head in example.heads:
        if isinstance(head, Maps):
            tables += [head.w_q, head.w_k, head.w_v]
        else:
            tables += [head.q, head.k, head.v]
    widest = max(len(table[0]) for table in tables if table is not None)
    few = max(len(example.queries), len(example.keys)) <= MOST_TOKENS
    return few and 1 <= widest <= MOST_FEATURES
