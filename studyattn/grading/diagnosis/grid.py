"""Arrays as rows of text: decimals aligned, wrong entries marked by a sign.

One `NumberForm` writes all arrays that stand side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading import number_form
from studyattn.grading.number_form import NumberForm

MARK = "*"
"""Follows an entry that is wrong."""

Array = NDArray[Any]


def form_of(*arrays: Array, apart: tuple[Array, Array] | None = None) -> NumberForm:
    """The shortest form in which these numbers are told; those of `apart` also look different."""
    numbers = [each for array in arrays for each in _numbers(array)]
    pairs = None if apart is None else zip(*map(_numbers, apart), strict=True)
    return number_form.form_of(numbers, pairs)


def rows_of(values: Array, form: NumberForm, wrong: NDArray[np.bool_] | None = None) -> list[str]:
    """One text a row; blocks of several rows are parted by an empty one.

    With `wrong`, every entry has room for a sign behind it, which those that are wrong bear.
    """
    if values.ndim == 0:
        return [form.write(values.item()) + (MARK if wrong is not None and wrong.any() else "")]
    if values.size == 0:
        return [f"empty, shape {values.shape}"]
    flat = values.reshape(-1, values.shape[-1])
    texts = [[form.write(entry) for entry in row] for row in flat.tolist()]
    width = max(len(text) for row in texts for text in row)
    signs = _signs(flat.shape, wrong)
    rows = [
        "["
        + " ".join(text.rjust(width) + sign for text, sign in zip(row, marks, strict=True))
        + "]"
        for row, marks in zip(texts, signs, strict=True)
    ]
    return _parted(rows, values.shape[-2] if values.ndim > 2 else 1)


def _numbers(values: Array) -> list[float]:
    flat: list[float] = values.reshape(-1).tolist() if values.dtype.kind in "iuf" else []
    return flat


def _signs(shape: Sequence[int], wrong: NDArray[np.bool_] | None) -> list[list[str]]:
    if wrong is None:
        return [[""] * shape[1]] * shape[0]
    return [[MARK if each else " " for each in row] for row in wrong.reshape(shape).tolist()]


def _parted(rows: Sequence[str], block: int) -> list[str]:
    parted: list[str] = []
    for position, row in enumerate(rows):
        if block > 1 and position and position % block == 0:
            parted.append("")
        parted.append(row)
    return parted
