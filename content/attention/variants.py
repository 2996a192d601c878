"""Forms of attention whose answers differ a little from the reference's and are accepted."""

import math

import numpy as np

from studyattn.grading.drill import Variant

_ROOT_REMARK = (
    "√d is rounded to float32 before it scales float64 scores, which loses precision but passes. "
    "torch.tensor(d) and its root are float32 regardless of the inputs. math.sqrt(d) and d ** 0.5 "
    "keep full precision."
)

_EPSILON_REMARK = (
    "A small number keeps the divisor away from zero, as in published code, which passes. Small "
    "features "
    "make it matter. It is not needed, since they are positive."
)


ULPS = 2
"""How far a root in float32 may be from the nearest float32 number: PyTorch's is off by one."""


def _divided(off):
    """Scores divided by √width in float32, `off` numbers from the nearest one."""

    def scale(scores, width):
        return scores / _in_float32(math.sqrt(width), off)

    return {"scale": scale, "scale_backward": scale}


def _multiplied(off):
    """Scores multiplied by 1/√width in float32, `off` numbers from the nearest one."""

    def scale(scores, width):
        return scores * _in_float32(1 / math.sqrt(width), off)

    return {"scale": scale, "scale_backward": scale}


def _in_float32(number: float, off: int) -> float:
    nearest = np.float32(number)
    return float(nearest + off * np.spacing(nearest))


ROUNDED_ROOT = Variant(
    tuple(
        way(off)
        for way in (_divided, _multiplied)
        for off in sorted(range(-ULPS, ULPS + 1), key=abs)
    ),
    _ROOT_REMARK,
)
"""The root of the width as a float32 number, multiplied or divided by."""


def _added(number):
    return {"share": lambda numerator, divisor: numerator / (divisor + number)}


EPSILON_ADDED = Variant(
    tuple(_added(10.0**-digits) for digits in range(6, 17)),
    _EPSILON_REMARK,
)
"""The divisor of linear attention with a small power of ten added, at most a millionth."""
