"""Counting what a numpy submission computes, without a clock.

`CountedArray` is an ndarray that every function and operator of numpy hands its work to on the way.
Products of matrices are counted as two operations for each multiply-and-add, all else as one for
each element, so that a loop costs as much as the product that it spells out. Plain arrays that a
submission makes are counted because the makers (`np.zeros`, `np.asarray`, ...) are wrapped too, and
`np.ndarray` is a class that makes counted ones; views of counted arrays are counted.
"""

from __future__ import annotations

import contextlib
import functools
import math
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.arrays.memory import Memory
from studyattn.grading.call_plan import Usage

PRODUCTS = frozenset({"matmul", "vecdot", "matvec", "vecmat", "dot", "inner", "vdot"})
PLAIN = np.ndarray

MAKERS = (
    "array", "asarray", "asanyarray", "ascontiguousarray", "zeros", "ones", "empty", "full",
    "eye", "identity", "tri", "arange", "linspace", "fromiter", "fromfunction", "indices",
    "frombuffer", "fromstring", "from_dlpack", "ctypeslib.as_array", "_core.multiarray.array",
    "_core.multiarray.asarray", "_core.multiarray.frombuffer",
)  # fmt: skip


class NumpyMeter:
    """The count of one program: inside of `counting`, and of memory inside of `watching`.

    At most one is counting at a time.
    """

    current: NumpyMeter | None = None

    def __init__(self) -> None:
        self.flops = self.largest = self.largest_product = 0
        self.memory = Memory()

    @property
    def usage(self) -> Usage:
        return Usage(self.flops, self.largest, self.largest_product, self.memory.most)

    def watching(self) -> contextlib.AbstractContextManager[None]:
        return self.memory.watched()

    def wrap(self, array: Any) -> Any:
        """`array` as it must be handed over for what is done with it to be counted."""
        return array.view(CountedArray)

    @contextlib.contextmanager
    def counting(self) -> Iterator[None]:
        makers = {name: operator.attrgetter(name)(np) for name in MAKERS}
        for name, maker in makers.items():
            _put(name, _counted_maker(maker))
        _put("ndarray", _Ndarray)
        NumpyMeter.current = self
        try:
            with self.memory.measured():
                yield
        finally:
            NumpyMeter.current = None
            _put("ndarray", PLAIN)
            for name, maker in makers.items():
                _put(name, maker)

    def made(self, size: int) -> None:
        """Note an array of so many numbers that was newly made."""
        self.largest = max(self.largest, size)
        self.memory.tick()

    def product(self, size: int) -> None:
        """Note a product of matrices that made so many numbers."""
        self.largest_product = max(self.largest_product, size)


def _put(name: str, maker: Any) -> None:
    module, _, function = name.rpartition(".")
    setattr(operator.attrgetter(module)(np) if module else np, function, maker)


class CountedArray(np.ndarray[Any, np.dtype[Any]]):
    """An ndarray whose operations are counted while a meter is counting."""

    def __array_finalize__(self, source: object) -> None:
        meter = NumpyMeter.current
        if meter is not None and self.flags.owndata:
            meter.made(self.size)

    @property
    def base(self) -> Any:
        """The array in whose memory it lies, counted as this one is."""
        base = super().base
        return base.view(CountedArray) if isinstance(base, PLAIN) else base

    def view(self, *args: Any, **kwargs: Any) -> Any:
        """Return a view that is counted, whatever kind was asked for."""
        seen = super().view(*args, **kwargs)
        return seen if isinstance(seen, CountedArray) else PLAIN.view(seen, CountedArray)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [_plain(value) for value in inputs]
        kept = kwargs.get("out")
        if kept is not None:
            kwargs["out"] = tuple(_plain(value) for value in kept)
        if "where" in kwargs:
            kwargs["where"] = _plain(kwargs["where"])
        result = getattr(ufunc, method)(*plain, **kwargs)
        meter = NumpyMeter.current
        if meter is not None:
            meter.flops += _ufunc_flops(ufunc, method, plain, result)
            if method == "__call__" and ufunc.__name__ in PRODUCTS:
                meter.product(_size(result))
        if kept is not None:
            return kept[0] if len(kept) == 1 else kept
        return _counted(result, meter)

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        result = super().__array_function__(func, types, args, kwargs)
        meter = NumpyMeter.current
        if meter is not None:
            given = (*args, *kwargs.values())
            if not _is_view(result, given):
                meter.flops += _function_flops(func.__name__, args, kwargs, result)
                if func.__name__ in PRODUCTS | {"tensordot", "einsum"}:
                    meter.product(_size(result))
            return _counted(result, meter, given)
        return _counted(result, None)


class _LikeArrays(type):
    """The kind of a class of which all arrays are instances."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, PLAIN)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, PLAIN)


class _Ndarray(CountedArray, metaclass=_LikeArrays):
    """Stands in for `np.ndarray` while a meter is counting."""


def _plain(value: Any) -> Any:
    return PLAIN.view(value, PLAIN) if isinstance(value, CountedArray) else value


def _counted(result: Any, meter: NumpyMeter | None, given: Sequence[Any] = ()) -> Any:
    """`result` as what goes on being counted; scalars stay what they are.

    What lies in the memory of something `given` is a view, and was not made.
    """
    if isinstance(result, tuple):
        return tuple(_counted(part, meter, given) for part in result)
    if not isinstance(result, PLAIN):
        return result
    if meter is not None and not _is_view(result, given):
        meter.made(result.size)
    return result.view(CountedArray)


def _is_view(result: Any, given: Sequence[Any]) -> bool:
    plain = _plain(result)
    return isinstance(plain, PLAIN) and any(
        np.may_share_memory(plain, array) for array in _arrays(given)
    )


def _arrays(values: Sequence[Any]) -> Iterator[NDArray[np.generic]]:
    for value in values:
        if isinstance(value, PLAIN):
            yield PLAIN.view(value, PLAIN)
        elif isinstance(value, list | tuple):
            yield from _arrays(value)


def _counted_maker(maker: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(maker)
    def make(*args: Any, **kwargs: Any) -> Any:
        return _counted(maker(*args, **kwargs), NumpyMeter.current, args)

    return make


def _ufunc_flops(ufunc: np.ufunc, method: str, inputs: Sequence[Any], result: Any) -> int:
    if method == "__call__" and ufunc.__name__ in PRODUCTS:
        return _product_flops(ufunc.__name__, inputs[0], result)
    return max([_size(result), *map(_size, inputs)])


def _function_flops(name: str, args: Any, kwargs: Any, result: Any) -> int:
    """Count what a function did besides the ufuncs that it called, which count themselves."""
    if name in {"dot", "inner", "vdot"}:
        return _product_flops(name, args[0], result)
    if name == "tensordot":
        contracted = np.size(args[0]) * np.size(args[1]) / max(1, _size(result))
        return round(2 * _size(result) * math.sqrt(contracted))
    if name == "einsum":
        return einsum_flops(args, kwargs)
    return _size(result)


def _product_flops(name: str, left: Any, result: Any) -> int:
    """Two operations for each element of the result and each contracted element."""
    shape = np.shape(left)
    if name == "vdot":
        return 2 * _size(left)
    return 2 * _size(result) * (shape[-1] if shape else 1)


def einsum_flops(args: Sequence[Any], kwargs: dict[str, Any]) -> int:
    """Operations of an einsum: the whole index space, or along the path when it is optimised."""
    plain = [_plain(value) for value in args]
    optimise = kwargs.get("optimize", False)
    report = str(np.einsum_path(*plain, optimize=optimise or False)[1])
    found = re.search(r"Optimized FLOP count:\s*([0-9.e+]+)", report)
    return round(float(found[1])) if found else 0


def _size(value: Any) -> int:
    if isinstance(value, tuple):
        return sum(map(_size, value))
    return value.size if isinstance(value, PLAIN | np.generic) else 1
