"""A returned value beside the expected one: kind, device, dtype, shape, finiteness, then values.

The order matters: a message names the first thing that is off, and no comparison broadcasts.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import ArrayOutput, OtherOutput, Returned
from studyattn.grading.domain import FLOATS
from studyattn.grading.drawn_case import Leaf
from studyattn.grading.tolerance import EPSILON

KIND = {"torch": "torch.Tensor", "numpy": "numpy.ndarray"}

NOTHING = "returned None; is a `return` missing?"
"""The message on a function that ends without a result."""

LIST = "a tuple or list"
FROM_LIST = {
    "torch": "; `torch.cat` or `torch.stack` makes one of tensors",
    "numpy": "; `np.array` makes one of numbers",
    "numbers": "; leave out `.tolist()`, or make one of the numbers with `torch.tensor`",
}
"""The advice on making an array of a list: by library, and on one of plain numbers in torch."""

WIDER = {
    "bfloat16": ("float32", "float64"),
    "float16": ("float32", "float64"),
    "float32": ("float64",),
}
"""By dtype, those that hold all of its numbers. float16 and bfloat16 do not hold each other's."""

UNDERFLOW = 1e-300
"""Below it a number is 0: a smaller one may be left where float64 has no digits any more."""


class Fault(Enum):
    """The fault of one returned value."""

    KIND = auto()
    DEVICE = auto()
    DTYPE = auto()
    COARSER_DTYPE = auto()
    SHAPE = auto()
    NOT_FINITE = auto()
    VALUES = auto()
    NOT_ZERO = auto()
    NO_GRADIENT = auto()


OF_DTYPE = frozenset({Fault.DTYPE, Fault.COARSER_DTYPE})


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The comparison of one returned value. `values` is set whenever an array or number came back.

    `wider` is the dtype of the value where it is wider than the one asked for, and `scalar` what a
    number was returned as where it is one of an array library; these are no faults.
    """

    leaf: Leaf
    fault: Fault | None = None
    message: str = ""
    values: Any = None
    max_error: float | None = None
    wider: str | None = None
    scalar: str | None = None

    @property
    def share(self) -> float:
        """The part of the allowed error that was made; 0 where none is known."""
        return (self.max_error or 0.0) / self.leaf.tolerance if self.leaf.tolerance else 0.0

    @property
    def off(self) -> bool:
        """The values are wrong, or none that could be compared: not only their dtype or device."""
        return self.fault is not None and not (
            self.max_error is not None and self.max_error <= self.leaf.tolerance
        )


def compare(  # noqa: PLR0911  # one return a kind of fault
    registers: Mapping[str, Returned], leaf: Leaf, *, backend: str, device: str, dtype: str
) -> Comparison:
    """Compare what came back with `leaf`, for a question asked in `dtype` on `device`."""
    returned = registers.get(leaf.register)
    if leaf.part is not None:
        if not isinstance(returned, tuple):
            return _of_other_kind(leaf, returned, f"a tuple of {leaf.parts}")
        if len(returned) != leaf.parts:
            message = f"returned {LIST} of {len(returned)}, expected a tuple of {leaf.parts}"
            return Comparison(leaf, Fault.KIND, message)
        returned = returned[leaf.part]
    if not isinstance(leaf.values, np.ndarray):
        return _compare_number(returned, leaf)
    if returned is None and leaf.is_gradient:
        if not leaf.values.any():
            return Comparison(leaf, values=np.zeros(leaf.values.shape), max_error=0.0)
        return Comparison(leaf, Fault.NO_GRADIENT, "no gradient reaches an input that needs one")
    if not isinstance(returned, ArrayOutput):
        return _of_other_kind(leaf, returned, f"a {KIND[backend]}{_on_lists(returned, backend)}")
    return _compare_array(returned, leaf, backend, device, _dtype_of_answers(leaf, dtype))


def _of_other_kind(leaf: Leaf, returned: Returned, wanted: str) -> Comparison:
    message = f"returned {_describe(returned)}, expected {wanted}"
    return Comparison(leaf, Fault.KIND, NOTHING if returned is None else message)


def _compare_array(
    returned: ArrayOutput, leaf: Leaf, backend: str, device: str, dtype: str
) -> Comparison:
    fault, message = _fault_of_form(returned, leaf, backend, device, dtype)
    values = _as_floats(returned.values)
    if fault in {Fault.KIND, Fault.SHAPE}:
        return Comparison(leaf, fault, message, values)
    if values is None:
        return Comparison(leaf, Fault.DTYPE, message)
    difference = _compare_values(values, leaf)
    if fault:
        return Comparison(leaf, fault, message, values, difference.max_error)
    return dataclasses.replace(
        difference, wider=None if returned.dtype == dtype else returned.dtype
    )


def _dtype_of_answers(leaf: Leaf, dtype: str) -> str:
    """Return the dtype to answer in: for truth values, and whole numbers of floats, their own."""
    right = leaf.values
    if isinstance(right, np.ndarray) and (
        right.dtype.kind == "b" or (dtype in FLOATS and right.dtype.kind != "f")
    ):
        return str(right.dtype.name)
    return dtype


def agree(values: Any, predicted: Any, tolerance: float) -> bool:
    """Return whether two arrays or numbers have the same shape, NaN, infinities and values."""
    return distance(values, predicted) <= tolerance


def distance(values: Any, predicted: Any) -> float:
    """The largest difference; infinite where shapes differ or one alone is not finite."""
    if not (isinstance(values, np.ndarray) and isinstance(predicted, np.ndarray)):
        return _distance_of_numbers(values, predicted)
    if values.shape != predicted.shape:
        return math.inf
    with np.errstate(invalid="ignore"):
        errors = np.abs(1 * values - 1 * predicted)  # of truth values, too
        largest = float(np.max(errors, initial=0.0))
        if math.isfinite(largest):
            return largest
        same = (values == predicted) | (np.isnan(values) & np.isnan(predicted))
        errors = np.where(same, 0.0, errors)
    return float(np.max(np.where(np.isnan(errors), math.inf, errors), initial=0.0))


def _distance_of_numbers(one: Any, other: Any) -> float:
    """The difference; infinite where one is no number, and of two that are counted."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return math.inf
    if one is None or other is None or one == other:
        return 0.0 if one == other else math.inf
    if isinstance(one, int) and isinstance(other, int):  # of any size
        return math.inf
    return distance(np.asarray(one, np.float64), np.asarray(other, np.float64))


def wrong_entries(values: NDArray[np.float64], leaf: Leaf) -> NDArray[np.bool_]:
    """Return which entries are off. The shapes are the same; NaN is as far from NaN as 1 from 1."""
    right = leaf.values
    with np.errstate(invalid="ignore"):
        near: NDArray[np.bool_] = np.abs(values - right) <= leaf.tolerance
    near |= (values == right) | (np.isnan(values) & np.isnan(right))
    if leaf.exact_zeros:
        near &= (right != 0.0) | (np.abs(values) <= UNDERFLOW)
    return ~near


def _fault_of_form(
    returned: ArrayOutput, leaf: Leaf, backend: str, device: str, dtype: str
) -> tuple[Fault | None, str]:
    """The first thing wrong before any value is looked at."""
    if returned.kind != KIND[backend] and not _is_scalar_of_numpy(returned, leaf, backend):
        kind = returned.kind if returned.values.ndim else "single number"
        return Fault.KIND, f"returned a {kind}, expected a {KIND[backend]}"
    if returned.values.shape != leaf.values.shape:
        shape, wanted = returned.values.shape, leaf.values.shape
        told = (
            f"shape {shape}, expected {wanted}" if shape else f"one number, expected shape {wanted}"
        )
        return Fault.SHAPE, told
    if returned.device.partition(":")[0] != device.partition(":")[0]:
        return Fault.DEVICE, f"returned on {returned.device}, expected on {device}"
    if returned.dtype != dtype and returned.dtype not in WIDER.get(dtype, ()):
        coarser = EPSILON.get(returned.dtype, 0.0) > EPSILON.get(dtype, 1.0)
        fault = Fault.COARSER_DTYPE if coarser else Fault.DTYPE
        return fault, f"dtype {returned.dtype}, expected {dtype}"
    return None, ""


def _is_scalar_of_numpy(returned: ArrayOutput, leaf: Leaf, backend: str) -> bool:
    """Return whether it is a scalar of numpy's where one number is expected: `x.mean()` is one."""
    is_numpy = backend == "numpy" and returned.kind.startswith("numpy.")
    return is_numpy and leaf.values.shape == ()


def _compare_values(values: NDArray[np.float64], leaf: Leaf) -> Comparison:
    finite = np.isfinite(values)
    if not finite.all():
        nan, infinite = int(np.isnan(values).sum()), int(np.isinf(values).sum())
        what = " and ".join(
            f"{count} {name}" for count, name in ((nan, "NaN"), (infinite, "infinite")) if count
        )
        return Comparison(
            leaf, Fault.NOT_FINITE, f"{what} among {values.size} entries", values, None
        )
    max_error = distance(values, leaf.values)
    if max_error <= leaf.tolerance:
        shares = np.abs(values[leaf.values == 0.0])
        if leaf.exact_zeros and (shares > UNDERFLOW).any():
            message = f"up to {shares.max():.2g} where the correct value is exactly 0"
            return Comparison(leaf, Fault.NOT_ZERO, message, values, max_error)
        return Comparison(leaf, None, "", values, max_error)
    wrong = int(wrong_entries(values, leaf).sum())
    return Comparison(
        leaf,
        Fault.VALUES,
        f"{wrong} of {values.size} entries are wrong, by up to {float(f'{max_error:.2g}'):g}",
        values,
        max_error,
    )


NUMBERS = {bool: "a bool", int: "an int", float: "a float"}
"""The kinds of numbers that a task may ask for, in words."""


def _compare_number(returned: Returned, leaf: Leaf) -> Comparison:
    """Compare with a number, for which a scalar of an array library may stand.

    The value of another kind of number is kept, for a mistake to be recognized in it.
    """
    wanted = type(leaf.values)
    value: Any = returned
    if isinstance(returned, ArrayOutput) and returned.values.shape == ():
        value = returned.values.item()
    if not isinstance(value, int | float):
        return _of_other_kind(leaf, returned, NUMBERS[wanted])
    error = 0.0 if value == leaf.values else float(abs(value - leaf.values))
    if type(value) is not wanted and (wanted, type(value)) != (float, int):
        kind = _of_other_kind(leaf, returned, NUMBERS[wanted])
        return dataclasses.replace(kind, values=value, max_error=error)
    if error <= leaf.tolerance:
        return Comparison(leaf, None, "", value, error, scalar=getattr(returned, "kind", None))
    told = (str(each) if wanted is bool else f"{each:,}" for each in (value, leaf.values))
    message = "returned {}, expected {}".format(*told)
    return Comparison(leaf, Fault.VALUES, message, value, error)


def _as_floats(values: NDArray[np.generic]) -> NDArray[np.float64] | None:
    if values.dtype.kind not in "fiub":
        return None
    return values.astype(np.float64)


def _on_lists(returned: Returned, backend: str) -> str:
    """Advise on making an array of a list, by what the first of its innermost parts is."""
    if _describe(returned) != LIST:
        return ""
    while isinstance(returned, tuple) and returned:
        returned = returned[0]
    numbers = backend == "torch" and isinstance(returned, int | float)
    return FROM_LIST["numbers" if numbers else backend]


def _describe(returned: Returned) -> str:
    match returned:
        case None:
            return "None"
        case tuple() | OtherOutput(type_name="tuple" | "list"):
            return LIST
        case OtherOutput():
            return f"{returned.type_name}, {returned.description}".rstrip(", ")
        case ArrayOutput() if returned.values.shape == ():
            return f"{returned.kind} {returned.values.item()!r:.60}"
        case ArrayOutput():
            return f"an array of shape {returned.values.shape}"
        case _:
            return f"{type(returned).__name__} {returned!r:.60}"
