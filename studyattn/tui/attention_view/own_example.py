"""Examples from elsewhere: a learner's own numbers, and attention that is found in code.

A learner edits an example as text:

    tokens: I love apple phones
    X:
    1 0.5 0.2 0.1
    …

One name with a colon, then its value: words, or a matrix, a row a line. The mask is `causal` or
rows of 1 and 0. Arrays in code, by their usual names, come from a counterexample of a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from studyattn.errors import InputError
from studyattn.tui.attention_view.example import (
    CAUSAL,
    MOST_FEATURES,
    MOST_TOKENS,
    Allowed,
    AttentionExample,
    Head,
    Maps,
    Mask,
    Rows,
    Vectors,
)

_NAMED = re.compile(r"^\s*([A-Za-z_]+)\s*:\s*(.*)$")
_LARGEST = 1e6
TITLE = "Your own numbers"


def written(example: AttentionExample, head: int) -> str:
    """The example with one of its heads, as text."""
    parts = [(name, " ".join(words)) for name, words in _words(example).items()]
    parts += [(name, _text(rows)) for name, rows in _matrices(example, example.heads[head]).items()]
    allowed = example.mask.allowed
    parts.append(("mask", "causal" if allowed is None else _text(allowed)))
    return "\n".join(f"{name}:{chr(10) if _is_block(text) else ' '}{text}" for name, text in parts)


def read(example: AttentionExample, head: int, text: str) -> AttentionExample:
    """The example with what was written in its place. Raises InputError, saying what is wrong."""
    if text.strip() == written(example, head).strip():
        return example
    found = _sections(text)
    words, matrices = _words(example), _matrices(example, example.heads[head])
    for name in (*words, *matrices):
        if name not in found:
            advice = f"Write a line “{name}:” and its value."
            raise InputError(f"{name} is missing", advice=advice)
    for name in found:
        if name not in {*words, *matrices, "mask"}:
            raise InputError(f"there is no {name!r} here", advice="Do not change the names.")
    tokens = {name: tuple(found[name].split()) for name in words}
    queries = tokens.get("tokens", tokens.get("queries", ()))
    keys = tokens.get("tokens", tokens.get("keys", ()))
    given = {name: _matrix(name, found[name]) for name in matrices}
    new = (
        Maps(given["W_Q"], given["W_K"], given["W_V"])
        if "W_Q" in given
        else Vectors(given["Q"], given["K"], given.get("V"))
    )
    changed = replace(
        example,
        title=TITLE,
        queries=queries,
        keys=keys,
        x=given.get("X"),
        context=given.get("C"),
        heads=_heads(example, head, new),
        about="",
        printed=False,
    )
    checked = _checked(changed)
    return replace(checked, mask=_mask(found.get("mask", "causal"), len(queries), len(keys)))


def _words(example: AttentionExample) -> dict[str, tuple[str, ...]]:
    if example.x is not None and example.context is None:
        return {"tokens": example.queries}
    return {"queries": example.queries, "keys": example.keys}


def _matrices(example: AttentionExample, head: Head) -> dict[str, Rows]:
    found: dict[str, Rows | None] = {"X": example.x, "C": example.context}
    if isinstance(head, Maps):
        found |= {"W_Q": head.w_q, "W_K": head.w_k, "W_V": head.w_v}
    else:
        found |= {"Q": head.q, "K": head.k, "V": head.v}
    return {name: rows for name, rows in found.items() if rows is not None}


def _text(rows: Rows | Allowed) -> str:
    return "\n".join(" ".join(f"{float(entry):g}" for entry in row) for row in rows)


def _is_block(text: str) -> bool:
    return "\n" in text or text[:1] in "-.0123456789"


def _sections(text: str) -> dict[str, str]:
    """Return the text after each name, up to the next one."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        match = _NAMED.match(line)
        if match:
            name = match[1]
            found[name] = [match[2]]
        elif name:
            found[name].append(line)
        elif line.strip():
            raise InputError("the first line has no name", advice="Begin with “tokens:”.")
    return {each: "\n".join(lines).strip() for each, lines in found.items()}


def _matrix(name: str, text: str) -> Rows:
    lines = [line.replace(",", " ").split() for line in text.splitlines() if line.strip()]
    try:
        found = tuple(tuple(map(float, line)) for line in lines)
    except ValueError as error:
        advice = "Separate numbers with spaces."
        raise InputError(str(error), where=name, advice=advice) from None
    if len({*map(len, found)}) != 1:
        raise InputError("the rows have different lengths", where=name)
    if any(not abs(entry) <= _LARGEST for row in found for entry in row):
        raise InputError("a number is too large to be shown", where=name)
    return found


def _heads(example: AttentionExample, head: int, new: Head) -> tuple[Head, ...]:
    """The other heads stay, unless they read tokens of another width or number."""
    old = example.heads[head]
    if not (isinstance(old, Maps) and isinstance(new, Maps) and len(old.w_q) == len(new.w_q)):
        return (new,)
    heads = [*example.heads]
    heads[head] = new
    return tuple(heads)


def _mask(text: str, queries: int, keys: int) -> Mask:
    if text in {"", "causal"}:
        return CAUSAL
    allowed = tuple(tuple(bool(entry) for entry in row) for row in _matrix("mask", text))
    if (len(allowed), len(allowed[0])) != (queries, keys):
        size = f"{len(allowed)} × {len(allowed[0])}"
        raise InputError(
            f"it is {size} for {queries} queries and {keys} keys",
            where="mask",
            advice="Write one row of 1 and 0 per query, or “causal”.",
        )
    return Mask("given mask", allowed)


def _checked(example: AttentionExample) -> AttentionExample:
    """Return the example if its shapes fit together and can be shown. Raises InputError."""
    m, n = len(example.queries), len(example.keys)
    if not (1 <= m <= MOST_TOKENS and 1 <= n <= MOST_TOKENS):
        raise InputError(f"there are 1 to {MOST_TOKENS} tokens")
    tables: list[tuple[str, Rows | None, int, str]] = [
        ("X", example.x, m, "tokens"),
        ("C", example.context, n, "keys"),
    ]
    read_from = example.context or example.x
    for head in example.heads:
        if isinstance(head, Vectors):
            one, other = head.q, head.k
            tables += [("Q", one, m, "queries"), ("K", other, n, "keys"), ("V", head.v, n, "keys")]
        else:
            one, other, what = head.w_q, head.w_k, "numbers of a token"
            x, c = (len(each[0]) if each else 0 for each in (example.x, read_from))
            tables += [("W_Q", one, x, what), ("W_K", other, c, what), ("W_V", head.w_v, c, what)]
        if len(one[0]) != len(other[0]):
            raise InputError(
                f"queries have width {len(one[0])} and keys {len(other[0])}",
                advice="They are compared entry by entry, so they need the same width.",
            )
    for name, rows, wanted, what in tables:
        if rows is not None and len(rows) != wanted:
            told = f"{name} has {len(rows)} rows for {wanted} {what}"
            raise InputError(told, advice="Write one row of numbers for each.")
        if rows is not None and not 1 <= len(rows[0]) <= MOST_FEATURES:
            raise InputError(f"at most {MOST_FEATURES} columns are shown", where=name)
    return example


_MOST_HEADS = 8


def example_of(arrays: Mapping[str, Any], title: str) -> AttentionExample | None:
    """The attention in these arrays; None where there is none, or more than can be shown.

    q `(..., m, d)`, k `(..., n, d)` and v `(..., n, d_v)`, leading axes as heads; or x
    `(n, d_model)` with `w_q`, `w_k`, `w_v`, whose columns `num_heads` heads share.
    """
    found = None
    if {"x", "w_q", "w_k", "w_v"} <= set(arrays):
        found = _projected(arrays, title)
    elif {"q", "k"} <= set(arrays):
        found = _given(arrays, title)
    with suppress(InputError):
        return None if found is None else _checked(found)
    return None


def _given(arrays: Mapping[str, Any], title: str) -> AttentionExample | None:
    q, k, v = (matrices_of(arrays.get(name)) for name in ("q", "k", "v"))
    if not 0 < len(q) == len(k) <= _MOST_HEADS:
        return None
    fits = len(v) == len(q) and len(v[0]) == len(k[0])
    heads = [Vectors(q[at], k[at], v[at] if fits else None) for at in range(len(q))]
    return _example(title, (len(q[0]), len(k[0])), heads, arrays)


def _projected(arrays: Mapping[str, Any], title: str) -> AttentionExample | None:
    x, *maps = (matrices_of(arrays[name]) for name in ("x", "w_q", "w_k", "w_v"))
    context, number = matrices_of(arrays.get("context")), arrays.get("num_heads", 1)
    if {*map(len, (x, *maps))} != {1} or len(context) > 1:
        return None
    if not isinstance(number, int) or not 1 <= number <= _MOST_HEADS:
        return None
    columns = (_columns(w[0], number) for w in maps)
    heads = [Maps(*each) for each in zip(*columns, strict=True)]
    read_from = context[0] if context else x[0]
    found = _example(title, (len(x[0]), len(read_from)), heads, arrays)
    return replace(found, x=x[0], context=context[0] if context else None)


def _example(
    title: str, size: tuple[int, int], heads: Sequence[Head], arrays: Mapping[str, Any]
) -> AttentionExample:
    m, n = size
    same = ["", ""] if m == n else ["q", "k"]
    queries, keys = (
        tuple(f"{sign}{at}" for at in range(1, number + 1))
        for sign, number in zip(same, size, strict=True)
    )
    mask, found = CAUSAL, matrices_of(arrays.get("mask"))
    if len(found) == 1 and (len(found[0]), len(found[0][0])) == (m, n):
        mask = Mask("given mask", tuple(tuple(map(bool, row)) for row in found[0]))
    return AttentionExample(title, queries, keys, tuple(heads), mask=mask)


def matrices_of(value: Any) -> list[Rows]:
    """Return nested lists of any depth as matrices; a single row is one of 1 × n."""
    if not isinstance(value, list) or not value:
        return []
    if not isinstance(value[0], list):
        return [(tuple(map(float, value)),)]
    if not value[0] or isinstance(value[0][0], list):
        return [matrix for part in value for matrix in matrices_of(part)]
    return [tuple(tuple(map(float, row)) for row in value)]


def _columns(matrix: Rows, number: int) -> list[Rows]:
    """The columns of each head."""
    width = len(matrix[0]) // number
    return [tuple(row[at * width : (at + 1) * width] for row in matrix) for at in range(number)]
