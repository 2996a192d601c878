"""numpy arrays in a worker: laying them out, reading them back, finding changes."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from studyattn.grading.arrays.array_library import lacks_memory
from studyattn.grading.arrays.numpy_meter import CountedArray, NumpyMeter
from studyattn.grading.call_plan import ArrayInput, ArrayOutput, Layout, OtherOutput, Output
from studyattn.grading.run.wire import DTYPES

# Looked up before any submission runs, so that what it patches changes nothing here.
_ndarray = np.ndarray
_copy, _write = np.ndarray.copy, np.ndarray.__setitem__
_generic_types = frozenset(np.sctypeDict.values())
_asarray = np.asarray
_as_float32 = np.float32


class NoGuard(contextlib.nullcontext[None]):
    """numpy has no function that does attention; forbidden modules are refused at import."""

    caught: str | None = None


class NumpyArrays:
    """numpy as an `ArrayLibrary`."""

    def warm_up(self) -> None:
        pass

    def make(self, given: ArrayInput) -> NDArray[np.generic]:
        return laid_out(given.values.astype(given.dtype), given.layout)

    def write_over(self, array: NDArray[np.generic], numbers: NDArray[np.generic]) -> bool:
        fits = (array.dtype, array.shape) == (numbers.dtype, numbers.shape)
        if fits and array.flags.writeable:
            _write(array, ..., numbers)
        return fits and array.flags.writeable

    def fingerprint(self, array: NDArray[np.generic]) -> tuple[object, ...]:
        return array.dtype, array.shape, _ndarray.tobytes(array)

    def read(self, value: Any, most: int) -> Output | None:
        kind = type(value)
        if kind is CountedArray:
            return _read(_ndarray.view(value, _ndarray), "numpy.ndarray", most)
        if kind is _ndarray:
            return _read(value, "numpy.ndarray", most)
        if kind in _generic_types:
            return _read(_asarray(value), f"numpy.{kind.__name__}", most)
        if _ndarray in kind.__mro__:
            return OtherOutput(kind.__name__, "a subclass of numpy.ndarray")
        return None

    def gradients(self, output: Any, grad: Any, inputs: list[Any]) -> list[Any]:
        raise NotImplementedError("numpy has no gradients; a drill asks for them only in torch")

    def foresee(self, forbidden: tuple[str, ...]) -> None:
        pass

    def guard(self, forbidden: tuple[str, ...]) -> NoGuard:  # noqa: ARG002  # see NoGuard
        return NoGuard()

    def meter(self) -> NumpyMeter:
        return NumpyMeter()

    def is_out_of_memory(self, error: BaseException) -> bool:
        return lacks_memory(error)


def laid_out(array: NDArray[np.generic], layout: Layout) -> NDArray[np.generic]:
    """A copy of `array` that lies in memory as `layout` says. A vector cannot be transposed.

    An array is expanded only where all entries along its first axis are the same.
    """
    match layout.of_axes(array.ndim):
        case Layout.READ_ONLY:
            frozen = array.copy()
            frozen.flags.writeable = False
            return frozen
        case Layout.TRANSPOSED:
            return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)
        case Layout.PERMUTED:
            return np.ascontiguousarray(array.swapaxes(-2, -3)).swapaxes(-2, -3)
        case Layout.EXPANDED if np.all(array == array[:1]):
            # Not `broadcast_to`, whose result refuses writing: code that changes its input is to be
            # told so, and that an array is read-only has a layout of its own.
            row = array[:1].copy()
            return as_strided(row, array.shape, (0, *row.strides[1:]))
        case Layout.STRIDED:
            buffer = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
            buffer[..., ::2] = array
            return buffer[..., ::2]
    return array.copy(order="C")


def _read(array: NDArray[np.generic], kind: str, most: int) -> Output:
    if array.size <= most and array.dtype.type is np.longdouble:  # what it holds more is not asked
        array = array.astype(np.float64)
    name = array.dtype.name[:40]
    if array.size > most:
        return OtherOutput(kind, f"an array of shape {array.shape}, far larger than expected")
    if name == "float16":
        return ArrayOutput(array.astype(_as_float32), name, "cpu", kind)
    if name not in DTYPES or not array.dtype.isnative:
        return OtherOutput(kind, f"an array of dtype {name} and shape {array.shape}")
    return ArrayOutput(_copy(array), name, "cpu", kind)
