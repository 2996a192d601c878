"""Counting what a torch submission computes, without a clock.

A dispatch mode sees every operator on its way to a kernel. Products are counted by torch's own
formulas (`torch.utils.flop_counter`), all else as one operation for each element, so that a loop
costs as much as the product that it spells out. What only picks entries costs those that it picks,
however large the array that they lie in. What leaves torch for numpy is counted there. Each thread
has its own stack of modes, so a submission's threads begin with `counting_in_thread`.
"""

from __future__ import annotations

import contextlib
import functools
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from studyattn.grading.arrays.numpy_meter import CountedArray, NumpyMeter

_VECTOR_PRODUCTS = frozenset({"mv", "dot", "vdot", "addmv"})
_PICKING = frozenset({"index", "_unsafe_index", "index_select", "gather", "take", "embedding"})
_PUTTING = frozenset({"index_put_", "_index_put_impl_"})
_TO_NUMPY = frozenset({"numpy", "__array__"})


class TorchMeter(NumpyMeter):
    """The count of one program, in all of its threads. At most one is watching at a time."""

    watcher: TorchMeter | None = None

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def add(self, flops: int, made: list[torch.Tensor], *, is_product: bool) -> None:
        """Count an operator that made these arrays."""
        with self._lock:
            self.flops += flops
            for each in made:
                self.made(each.numel())
                if is_product:
                    self.product(each.numel())

    def store(self, array: torch.Tensor) -> None:
        """Note the memory of what an operator gave. What cannot be resized is not torch's own."""
        with self._lock:
            if array.layout is not torch.strided:
                self.memory.store(array, array.numel() * array.element_size())
            elif (storage := array.untyped_storage()).resizable():
                self.memory.store(storage, storage.nbytes())

    def wrap(self, array: Any) -> Any:
        return array

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        with super().watching(), self._seeing():
            yield

    @contextlib.contextmanager
    def counting(self) -> Iterator[None]:
        is_seeing = TorchMeter.watcher is self
        with contextlib.nullcontext() if is_seeing else self._seeing(), super().counting():
            yield

    @contextlib.contextmanager
    def _seeing(self) -> Iterator[None]:
        """See the operators of all threads."""
        TorchMeter.watcher = self
        try:
            with counting_in_thread():
                yield
        finally:
            TorchMeter.watcher = None


@contextlib.contextmanager
def counting_in_thread() -> Iterator[None]:
    """Count what this thread does while a meter is watching."""
    with _ToNumpy(), _Counter():  # type: ignore[no-untyped-call]  # torch has no types here
        yield


class _Counter(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch has no types here
    supports_higher_order_operators = True

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # torch's compiler takes a second to import, and nothing here is compiled

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        meter = TorchMeter.watcher
        if meter is None:
            return result
        results = _flat(result)
        for each in results:
            if isinstance(each, torch.Tensor):
                meter.store(each)
        if meter.current is None:
            return result
        operator = _operator(func)
        made = [
            value
            for value, is_view in zip(results, operator.returns_views, strict=False)
            if isinstance(value, torch.Tensor) and not is_view
        ]
        if made or operator.writes:
            flops = _flops(operator, args, kwargs or {}, result)
            meter.add(flops, made, is_product=operator.is_product)
        return result


class _ToNumpy(TorchFunctionMode):
    """Hands out counted arrays where a tensor becomes a numpy array."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if NumpyMeter.current is not None and getattr(func, "__name__", "") in _TO_NUMPY:
            return result.view(CountedArray)
        return result


@dataclass(frozen=True, slots=True)
class _Operator:
    """The facts about an operator that all of its calls share. `formula` is torch's own count."""

    name: str
    formula: Callable[..., int] | None
    returns_views: tuple[bool, ...]
    writes: bool

    @property
    def is_product(self) -> bool:
        return self.formula is not None or self.name in _VECTOR_PRODUCTS


@functools.cache
def _operator(func: Any) -> _Operator:
    schema = func._schema  # noqa: SLF001  # how torch tells a view from an array
    writes = (argument.alias_info and argument.alias_info.is_write for argument in schema.arguments)
    return _Operator(
        func.name().removeprefix("aten::").partition(".")[0],
        flop_registry.get(getattr(func, "overloadpacket", None)),
        tuple(each.alias_info is not None for each in schema.returns),
        any(writes),
    )


def _flops(operator: _Operator, args: Any, kwargs: Any, result: Any) -> int:
    if operator.name in {"mm", "bmm"}:  # torch's formula gives the same, in ten times the time
        return int(2 * result.numel() * args[0].shape[-1])
    if operator.formula is not None:
        return int(operator.formula(*args, **kwargs, out_val=result))
    if operator.name in _VECTOR_PRODUCTS:
        matrix = args[1] if operator.name == "addmv" else args[0]
        return int(2 * math.prod(matrix.shape))
    if operator.name in _PUTTING:
        return max(_places(args[0], args[1]), int(args[2].numel()))
    read = args[1:] if operator.name in _PICKING else args
    values = (*_flat(result), *_flat(read))
    sizes = (each.numel() for each in values if isinstance(each, torch.Tensor))
    return max(sizes, default=0)


def _places(array: torch.Tensor, indices: Any) -> int:
    """Count the entries of `array` that a list of `indices` names, None for a whole axis."""
    if any(index is not None and index.dtype in {torch.bool, torch.uint8} for index in indices):
        return int(array.numel())  # a mask is read as a whole
    axes = [axis for axis, index in enumerate(indices) if index is not None]
    named = torch.broadcast_shapes(*(indices[axis].shape for axis in axes))  # type: ignore[no-untyped-call]  # torch has no types here
    left = [extent for axis, extent in enumerate(array.shape) if axis not in axes]
    return int(math.prod(named) * math.prod(left))


def _flat(value: Any) -> list[Any]:
    if isinstance(value, tuple | list):
        return [part for element in value for part in _flat(element)]
    return [value]
