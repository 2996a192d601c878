"""Counting what a torch submission computes, without a clock.

A dispatch mode sees every operator on its way to a kernel. Products are counted by torch's own
formulas (`torch.utils.flop_counter`), all else as one operation for each element, so that a loop
costs as much as the product that it spells out. What only picks entries costs those that it picks,
however large the array that they lie in. What leaves torch for numpy is counted there. Each thread
has its own stack of modes, so a submission's threads begin with a `CountingMode`.
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
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from studyattn.grading.arrays.numpy_meter import CountedArray, NumpyMeter

_VECTOR_PRODUCTS = frozenset({"mv", "dot", "vdot", "addmv"})
_PICKING = frozenset({"index", "_unsafe_index", "index_select", "gather", "take", "embedding"})
_PUTTING = frozenset({"index_put_", "_index_put_impl_"})
_SEVERAL = (tuple, list)  # a union of types would be made anew for each operator


class TorchMeter(NumpyMeter):
    """The count of one program, in all of its threads. At most one is watching at a time."""

    watcher: TorchMeter | None = None

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def note(self, operator: _Operator, args: Any, kwargs: Any, result: Any) -> None:
        """Count what an operator did that gave this, and the memory of it."""
        is_counting = self.current is not None
        has_cost = operator.writes
        with self._lock:
            for each in (result,) if isinstance(result, torch.Tensor) else _flat(result):
                if not isinstance(each, torch.Tensor):
                    continue
                self._store(each)
                if is_counting and operator.makes:
                    has_cost = True
                    self.made(each.numel())
                    if operator.is_product:
                        self.product(each.numel())
            if is_counting and has_cost:
                self.flops += _flops(operator, args, kwargs, result)

    def _store(self, array: torch.Tensor) -> None:
        """Note the memory of what an operator gave. What cannot be resized is not torch's own."""
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
            with CountingMode():  # type: ignore[no-untyped-call]  # the same
                yield
        finally:
            TorchMeter.watcher = None


class CountingMode(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch has no types here
    """Counts what a thread does while a meter is watching."""

    supports_higher_order_operators = True

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # torch's compiler takes a second to import, and nothing here is compiled

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **kwargs) if kwargs else func(*args)
        meter = TorchMeter.watcher
        if meter is not None:
            meter.note(_operator(func), args, kwargs, result)
        return result


def _count_in_numpy(name: str) -> None:
    """Have this method of tensors give arrays that are counted while a meter is counting.

    For good: a submission may look it up before it is measured.
    """
    method = getattr(torch.Tensor, name)

    @functools.wraps(method)
    def to_numpy(*args: Any, **kwargs: Any) -> Any:
        array = method(*args, **kwargs)
        return array if NumpyMeter.current is None else array.view(CountedArray)

    setattr(torch.Tensor, name, to_numpy)


for _name in ("numpy", "__array__"):
    _count_in_numpy(_name)


@dataclass(frozen=True, slots=True)
class _Operator:
    """The facts about an operator that all of its calls share. `formula` is torch's own count."""

    name: str
    formula: Callable[..., int] | None
    makes: bool  # something new, where others give views
    writes: bool
    is_product: bool


@functools.cache
def _operator(func: Any) -> _Operator:
    schema = func._schema  # noqa: SLF001  # how torch tells a view from an array
    writes = (argument.alias_info and argument.alias_info.is_write for argument in schema.arguments)
    name = func.name().removeprefix("aten::").partition(".")[0]
    formula = flop_registry.get(getattr(func, "overloadpacket", None))
    makes = any(each.alias_info is None for each in schema.returns)
    is_product = formula is not None or name in _VECTOR_PRODUCTS
    return _Operator(name, formula, makes, any(writes), is_product)


def _flops(operator: _Operator, args: Any, kwargs: Any, result: Any) -> int:
    if operator.name in {"mm", "bmm"}:  # torch's formula gives the same, in ten times the time
        return int(2 * result.numel() * args[0].shape[-1])
    if operator.formula is not None:
        return int(operator.formula(*args, **(kwargs or {}), out_val=result))
    if operator.name in _VECTOR_PRODUCTS:
        matrix = args[1] if operator.name == "addmv" else args[0]
        return int(2 * math.prod(matrix.shape))
    if operator.name in _PUTTING:
        return max(_places(args[0], args[1]), int(args[2].numel()))
    read = args[1:] if operator.name in _PICKING else args
    return max(_largest((result,)), _largest(read))


def _largest(values: Any) -> int:
    """Return the numbers of the largest tensor of these, which may lie in lists."""
    most = 0
    for each in values:
        if isinstance(each, torch.Tensor):
            most = max(most, each.numel())
        elif isinstance(each, _SEVERAL):
            most = max(most, _largest(each))
    return most


def _places(array: torch.Tensor, indices: Any) -> int:
    """Count the entries of `array` that a list of `indices` names, None for a whole axis."""
    if any(index is not None and index.dtype in {torch.bool, torch.uint8} for index in indices):
        return int(array.numel())  # a mask is read as a whole
    axes = [axis for axis, index in enumerate(indices) if index is not None]
    named = torch.broadcast_shapes(*(indices[axis].shape for axis in axes))  # type: ignore[no-untyped-call]  # torch has no types here
    left = [extent for axis, extent in enumerate(array.shape) if axis not in axes]
    return int(math.prod(named) * math.prod(left))


def _flat(value: Any) -> list[Any]:
    if isinstance(value, _SEVERAL):
        return [part for element in value for part in _flat(element)]
    return [value]
