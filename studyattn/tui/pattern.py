"""Attention on a small example, as tables: every number on the way from tokens to output.

Pure: an example and what is switched on go in, tables come out, computed step by step with the
reference (`studyattn.attention`). Numpy is imported when the first table is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from studyattn.errors import InputError

Rows = tuple[tuple[float, ...], ...]
"""A matrix, row by row."""

TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""What scores can be divided by besides √d; 1 changes nothing."""

MOST_TOKENS = 10
MOST_FEATURES = 12


class Step(StrEnum):
    """One table; the value is its name."""

    X = "X"
    Q = "Q"
    K = "K"
    V = "V"
    SCORES = "scores"
    SCALED = "scaled"
    WEIGHTS = "weights"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Head:
    """What one head has learned. All `(d_model, d)`; `w_v` may have another width."""

    w_q: Rows
    w_k: Rows
    w_v: Rows


@dataclass(frozen=True, slots=True)
class Example:
    """Tokens as vectors, `(n, d_model)`, and the heads that look at them."""

    title: str
    tokens: tuple[str, ...]
    x: Rows
    heads: tuple[Head, ...]
    printed: bool = False
    """Whether a source prints tables of it, with which ours can be compared."""


@dataclass(frozen=True, slots=True)
class View:
    """What is switched on."""

    masked: bool = False
    scaled: bool = True
    temperature: float = 1.0

    @property
    def is_plain(self) -> bool:
        """Attention as it is first told: scaled, without a mask."""
        return self == View()


def _rows(*rows: Sequence[float]) -> Rows:
    return tuple(tuple(float(entry) for entry in row) for row in rows)


SLIDES = Example(
    title="One head: I love apple phones",
    tokens=("I", "love", "apple", "phones"),
    x=_rows([1, 0.5, 0.2, 0.1], [0.9, 1.1, 0.1, 0], [0.1, 0.2, 1, 0.5], [0, 0.1, 0.4, 1.2]),
    heads=(
        Head(
            w_q=_rows([1, 0], [0, 1], [1, 0], [0, 1]),
            w_k=_rows([1, 0], [0, 1], [0, 1], [1, 0]),
            w_v=_rows([1, 0], [0, 1], [1, 1], [0, 1]),
        ),
    ),
    printed=True,
)
"""The worked example of the slides “Self-Attention in Transformer”, with its tokens and maps."""

_SIZE = 3.0
"""Entries of the maps below: large enough that the patterns are plain to see."""


def _two_heads() -> Example:
    """Tokens as word and place; one head compares words, the other looks one place back."""
    words, tokens = "abc", ("a", "b", "a", "c")
    places = len(tokens)
    x = [[float(t == w) for w in words] + [float(i == p) for p in range(places)]
         for i, t in enumerate(tokens)]  # fmt: skip
    width = len(words) + places
    word = [[_SIZE * (row == column) for column in range(len(words))] for row in range(width)]
    place = [
        [_SIZE * (row - len(words) == column) for column in range(places)] for row in range(width)
    ]
    before = [
        [_SIZE * (row - len(words) - 1 == column) for column in range(places)]
        for row in range(width)
    ]
    value = [[float(row == column) for column in range(len(words))] for row in range(width)]
    return Example(
        title="Two heads: the same word, the place before",
        tokens=tokens,
        x=_rows(*x),
        heads=(
            Head(_rows(*word), _rows(*word), _rows(*value)),
            Head(_rows(*before), _rows(*place), _rows(*value)),
        ),
    )


EXAMPLES = (SLIDES, _two_heads())
"""What the view opens with, the first one first."""


def tables(example: Example, head: int, view: View) -> dict[Step, Rows]:
    """Every step of one head.

    X `(n, d_model)`, Q and K `(n, d)`, V and output `(n, d_v)`, the others `(n, n)`. `SCALED` are
    the scores that meet the softmax: divided by √d unless that is off, and by the temperature;
    forbidden ones are −∞.
    """
    import numpy as np

    from studyattn.attention import STEPS

    maps = example.heads[head]
    x = np.array(example.x)  # (n, d_model)
    q, k, v = (STEPS.project(x, np.array(w)) for w in (maps.w_q, maps.w_k, maps.w_v))  # (n, d)
    raw = STEPS.scores(q, k)  # (n, n)
    scaled = STEPS.scale(raw, q.shape[-1]) if view.scaled else raw
    scaled = scaled / view.temperature
    if view.masked:
        scaled = STEPS.mask(scaled, STEPS.causal(len(x), len(x), raw))
    weights = STEPS.normalise(scaled)  # (n, n)
    found = (x, q, k, v, raw, scaled, weights, STEPS.aggregate(weights, v))
    return {step: _plain(table) for step, table in zip(Step, found, strict=True)}


def _plain(table: Any) -> Rows:
    return tuple(tuple(row) for row in table.tolist())


# ── a learner's own numbers ──────────────────────────────────────────────────────────────────────


def written(example: Example, head: int) -> dict[str, str]:
    """The example as text to edit: tokens, and each matrix a row a line."""
    maps = example.heads[head]
    matrices = {"x": example.x, "w_q": maps.w_q, "w_k": maps.w_k, "w_v": maps.w_v}
    texts = {
        name: "\n".join(" ".join(f"{entry:g}" for entry in row) for row in rows)
        for name, rows in matrices.items()
    }
    return {"tokens": " ".join(example.tokens), **texts}


def read(example: Example, head: int, texts: dict[str, str]) -> Example:
    """The example with what was written in its place. Raises InputError, saying what is wrong."""
    if texts == written(example, head):
        return example
    tokens = tuple(texts["tokens"].split())
    if not 1 <= len(tokens) <= MOST_TOKENS:
        raise InputError(f"there are 1 to {MOST_TOKENS} tokens", where="tokens")
    x = _matrix(texts["x"], "X")
    if len(x) != len(tokens):
        raise InputError(
            f"X has {len(x)} rows for {len(tokens)} tokens",
            advice="Write one row of numbers a token.",
        )
    maps = [_matrix(texts[name], name.upper()) for name in ("w_q", "w_k", "w_v")]
    for name, rows in zip(("W_Q", "W_K", "W_V"), maps, strict=True):
        if len(rows) != len(x[0]):
            raise InputError(
                f"{name} has {len(rows)} rows, and a token has {len(x[0])} numbers",
                advice="A map has one row for each number of a token.",
            )
    if len(maps[0][0]) != len(maps[1][0]):
        raise InputError(
            f"W_Q has {len(maps[0][0])} columns and W_K {len(maps[1][0])}",
            advice="Queries and keys are compared, so they have one width.",
        )
    heads = [*example.heads]
    if len(heads[0].w_q) != len(x[0]):
        heads = [heads[head]]  # the others read tokens of another width
        head = 0
    heads[head] = Head(*maps)
    title = "Your own numbers"
    return replace(example, title=title, tokens=tokens, x=x, heads=tuple(heads), printed=False)


def _matrix(text: str, name: str) -> Rows:
    lines = [line.replace(",", " ").split() for line in text.splitlines() if line.strip()]
    try:
        rows = tuple(tuple(float(entry) for entry in line) for line in lines)
    except ValueError as error:
        raise InputError(
            str(error), where=name, advice="Write numbers with blanks between."
        ) from None
    if not rows or len({len(row) for row in rows}) != 1:
        raise InputError("the rows have different lengths", where=name)
    if len(rows[0]) > MOST_FEATURES or len(rows) > MOST_FEATURES:
        raise InputError(f"at most {MOST_FEATURES} rows and columns are shown", where=name)
    if any(not abs(entry) <= 1e6 for row in rows for entry in row):
        raise InputError("a number is too large to be shown", where=name)
    return rows
