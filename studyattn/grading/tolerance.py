"""The allowed distance from the oracle's answer: by dtype, reduction length and conditioning.

A sum of `length` rounded terms is off by about √length roundings (Higham and Mary 2019). What one
rounding does to an answer depends on the inputs, so it is measured: every input is moved by one
rounding of its dtype, and the answer's movement is one unit. A submission may be off by `ROUNDINGS`
such units for each of √length. Nothing here is fitted to a submission.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

ROUNDINGS = 8.0
"""Roundings on the way from inputs to outputs: projections, scores, softmax, mean, output."""

EPSILON = {
    "float64": float(np.finfo(np.float64).eps),
    "float32": float(np.finfo(np.float32).eps),
    "float16": float(np.finfo(np.float16).eps),
    "bfloat16": 2.0**-7,
    "int64": 0.0,
}
"""The gap between 1 and the next number, by dtype; whole numbers are not rounded."""

COARSEST = "bfloat16"
"""The coarsest dtype in which a computation is done that should have been finer."""


def allowance(unit: float, length: int) -> float:
    """The largest error allowed where one rounding moves the answer by `unit`."""
    return ROUNDINGS * math.sqrt(max(length, 1)) * unit


def rounding(values: NDArray[np.float64], dtype: str) -> float:
    """One rounding of the largest of `values`; of 1 when they are all smaller than that."""
    largest = float(np.max(np.abs(values), initial=0.0))
    return EPSILON[dtype] * max(largest, 1.0) if math.isfinite(largest) else EPSILON[dtype]


def rounded(values: NDArray[np.float64], dtype: str) -> NDArray[np.float64]:
    """`values` as `dtype` holds them, in float64 again: what both sides compute with."""
    if dtype == "bfloat16":
        bits = np.asarray(values, np.float32).view(np.uint32)
        nearest = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & (
            np.uint32(0xFFFF0000)
        )
        return nearest.astype(np.uint32).view(np.float32).astype(np.float64)
    return np.asarray(values, dtype).astype(np.float64)
