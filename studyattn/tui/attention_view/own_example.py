"""A learner's own numbers: an example as text to edit, and back.

    tokens: I love apple phones
    X:
    1 0.5 0.2 0.1
    …

One name with a colon, then its value: words, or a matrix, a row a line. The mask is `causal` or
rows of 1 and 0.
"""

from __future__ import annotations

import re
from dataclasses import replace

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
    missing = next((name for name in (*words, *matrices) if name not in found), None)
    if missing is not None:
        raise InputError(
            f"{missing} is missing", advice=f"Write a line “{missing}:” and its value."
        )
    unknown = next((name for name in found if name not in {*words, *matrices, "mask"}), None)
    if unknown is not None:
        raise InputError(f"there is no {unknown!r} here", advice="Do not change the names.")
    tokens = {name: _tokens(name, found[name]) for name in words}
    queries = tokens.get("tokens") or tokens["queries"]
    keys = tokens.get("tokens") or tokens["keys"]
    read_matrices = {name: _matrix(name, found[name]) for name in matrices}
    new = _head(read_matrices, len(queries), len(keys))
    changed = replace(
        example,
        title=TITLE,
        queries=queries,
        keys=keys,
        x=read_matrices.get("X"),
        context=read_matrices.get("C"),
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


def _tokens(name: str, text: str) -> tuple[str, ...]:
    tokens = tuple(text.split())
    if not 1 <= len(tokens) <= MOST_TOKENS:
        raise InputError(f"there are 1 to {MOST_TOKENS} {name}", where=name)
    return tokens


def _matrix(name: str, text: str) -> Rows:
    lines = [line.replace(",", " ").split() for line in text.splitlines() if line.strip()]
    try:
        found = tuple(tuple(float(entry) for entry in line) for line in lines)
    except ValueError as error:
        advice = "Separate numbers with spaces."
        raise InputError(str(error), where=name, advice=advice) from None
    if not found or len({len(row) for row in found}) != 1:
        raise InputError("the rows have different lengths", where=name)
    if len(found[0]) > MOST_FEATURES or len(found) > MOST_FEATURES:
        raise InputError(f"at most {MOST_FEATURES} rows and columns are shown", where=name)
    if any(not abs(entry) <= _LARGEST for row in found for entry in row):
        raise InputError("a number is too large to be shown", where=name)
    return found


def _head(matrices: dict[str, Rows], queries: int, keys: int) -> Head:
    if "W_Q" in matrices:
        return Maps(matrices["W_Q"], matrices["W_K"], matrices["W_V"])
    for name, count, what in (("Q", queries, "queries"), ("K", keys, "keys"), ("V", keys, "keys")):
        if name in matrices and len(matrices[name]) != count:
            raise _rows_for(name, matrices[name], count, what)
    return Vectors(matrices["Q"], matrices["K"], matrices.get("V"))


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
    """Return the example if its shapes fit together. Raises InputError."""
    if example.x is not None and len(example.x) != len(example.queries):
        raise _rows_for("X", example.x, len(example.queries), "tokens")
    if example.context is not None and len(example.context) != len(example.keys):
        raise _rows_for("C", example.context, len(example.keys), "keys")
    for maps in (head for head in example.heads if isinstance(head, Maps)):
        for name, rows in zip(("W_Q", "W_K", "W_V"), (maps.w_q, maps.w_k, maps.w_v), strict=True):
            read_from = example.x if name == "W_Q" else example.context or example.x
            if read_from is not None and len(rows) != len(read_from[0]):
                raise InputError(
                    f"{name} has {len(rows)} rows, but a token has {len(read_from[0])} numbers",
                    advice="A map has one row for each number of a token.",
                )
    for head in example.heads:
        one, other = (head.w_q, head.w_k) if isinstance(head, Maps) else (head.q, head.k)
        if len(one[0]) != len(other[0]):
            raise InputError(
                f"queries have width {len(one[0])} and keys {len(other[0])}",
                advice="They are compared entry by entry, so they need the same width.",
            )
    return example


def _rows_for(name: str, rows: Rows, count: int, what: str) -> InputError:
    return InputError(
        f"{name} has {len(rows)} rows for {count} {what}",
        advice="Write one row of numbers for each.",
    )
