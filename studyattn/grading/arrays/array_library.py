"""The needs of the worker in an array library: inputs, results, guarding, measuring.

`numpy_arrays` and `torch_arrays` implement `ArrayLibrary`. Nothing here decides what is right.
"""

from __future__ import annotations

from typing import Any, Protocol

from studyattn.grading.arrays.numpy_meter import NumpyMeter
from studyattn.grading.call_plan import ArrayInput, Output


class ForbiddenError(BaseException):
    """A submission called or imported what its drill forbids. Not for `except Exception`."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not allowed here")
        self.name = name


class NoDeviceError(Exception):
    """The device asked for is not there."""


def lacks_memory(error: BaseException) -> bool:
    """Return whether Python itself ran out of memory, also where a call fails for it."""
    is_bare = type(error) is SystemError and "without exception set" in str(error)
    return is_bare or isinstance(error, MemoryError)


class Guard(Protocol):
    """Watches for forbidden calls while it is entered; remembers one that was swallowed."""

    caught: str | None

    def __enter__(self) -> object: ...
    def __exit__(self, *exception: object) -> object: ...


class ArrayLibrary(Protocol):
    """An array library. Arrays are Any: the two libraries share no type."""

    def warm_up(self) -> None:
        """Make the device ready in this process. NoDeviceError when there is none."""

    def make(self, given: ArrayInput) -> Any:
        """The array that `given` describes, with its dtype and layout, on the device."""

    def write_over(self, array: Any, numbers: Any) -> bool:
        """Write `numbers`, an array too, into `array`, and return whether they fit."""

    def fingerprint(self, array: Any) -> tuple[object, ...]:
        """Dtype, shape and exact bytes of an array's elements, to see whether it was changed."""

    def read(self, value: Any, most: int) -> Output | None:
        """Read `value` where it is an array of some kind; return None where it is none at all.

        Runs no code of the value's own. More than `most` elements are described, not read.
        """

    def gradients(self, output: Any, grad: Any, inputs: list[Any]) -> list[Any]:
        """Gradients of ``sum(output · grad)`` for `inputs`, None where there is none."""

    def foresee(self, forbidden: tuple[str, ...]) -> None:
        """Look up, in the server, what its workers need to guard against `forbidden`."""

    def guard(self, forbidden: tuple[str, ...]) -> Guard: ...

    def meter(self) -> NumpyMeter: ...

    def is_out_of_memory(self, error: BaseException) -> bool: ...
