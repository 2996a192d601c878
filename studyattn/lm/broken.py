"""Parts of a model with a mistake: the reference with the steps of a misconception, on torch.

A pack writes its misconceptions in numpy. Numpy hands a function of its own to the type of its
arguments where that type asks for it (NEP 13 and NEP 18): so the same lines compute with torch, and
gradients flow through them.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import array_api_compat.torch as functions
import numpy as np
import torch
from torch import Tensor

from studyattn.attention import (
    GENERATION_STEPS,
    STEPS,
    CachedAttention,
    causal_attention,
    generate,
    grouped_query_attention,
    multi_head_attention,
    rope,
)
from studyattn.grading.misconception import Misconception, change_of
from studyattn.lm.calls import Part
from studyattn.lm.records import MistakeName

OTHER_NAMES: Final = {"concatenate": "concat", "absolute": "abs", "power": "pow"}
"""Numpy's names of functions that the array API standard names otherwise."""

_PLAIN: Final = (int, float, str, np.generic, type(None))
"""Types of values that are the same in both libraries."""


def broken_parts(mistake: MistakeName) -> dict[str, Part]:
    """Return the parts that make the mistake: of attention, of a block, or of writing on.

    Raises LookupError if its module has no misconception of this id.
    """
    change = _change(mistake)
    if mistake.part == "block":  # its steps only call what they are given
        of_block = dataclasses.replace(STEPS, **change)
        return {
            "together": lambda x, first, second: of_block.in_turn(
                x, first, second, of_block.add_part
            )
        }
    changed = {name: on_torch(step) for name, step in change.items()}
    if mistake.part == "generate":
        writing = dataclasses.replace(GENERATION_STEPS, **changed)
        return {"generate": functools.partial(generate, steps=writing)}
    steps = dataclasses.replace(STEPS, **changed)
    return {
        "multi_head_attention": functools.partial(multi_head_attention, steps=steps),
        "CachedAttention": functools.partial(CachedAttention, steps=steps),
        "causal_mask": steps.causal,
        "causal_attention": functools.partial(causal_attention, steps=steps),
        "grouped_query_attention": functools.partial(grouped_query_attention, steps=steps),
        "shared": steps.group,
        "rope": functools.partial(rope, steps=steps),
    }


def broken_put(mistake: MistakeName, entries: Iterable[str]) -> dict[str, Part]:
    """Return the entries of a drill that is put into a model, with the mistake of the reference.

    They compute with numpy. Raises LookupError if there is no misconception of this id.
    """
    change, right = _change(mistake), importlib.import_module(mistake.reference)
    found = {}
    for name in entries:
        entry = change.get(name, getattr(right, name))
        steps = getattr(inspect.signature(entry).parameters.get("steps"), "default", None)
        if dataclasses.is_dataclass(steps) and not isinstance(steps, type):
            own = {each.name for each in dataclasses.fields(steps)} & change.keys()
            changed = dataclasses.replace(steps, **{each: change[each] for each in own})
            entry = functools.partial(entry, steps=changed)
        found[name] = _as_tensor(entry)
    return found


def _change(mistake: MistakeName) -> Mapping[str, Any]:
    """Return what a mistake exchanges, by name."""
    found: dict[str, Misconception] = {}
    for each in vars(importlib.import_module(mistake.module)).values():
        several = each if isinstance(each, tuple) else (each,)
        found |= {one.id: one for one in several if isinstance(one, Misconception)}
    return change_of(found[mistake.id].ways[mistake.way])


class _Across:
    """A function or an object of one library for the other; `there` and `back` change arrays."""

    def __init__(self, inner: Any, there: Callable[[Any], Any], back: Callable[[Any], Any]) -> None:
        self._inner, self._there, self._back = inner, there, back

    def __call__(self, *given: Any) -> Any:
        return self._back(self._inner(*map(self._there, given)))

    def __getattr__(self, name: str) -> Any:
        return self._back(getattr(self._inner, name))


def _as_array(value: Any) -> Any:
    """Return for numpy what torch has."""
    if isinstance(value, Tensor):
        return value.numpy()
    return value if isinstance(value, _PLAIN) else _Across(value, _as_tensor, _as_array)


def _as_tensor(value: Any) -> Any:
    """Return for torch what numpy has."""
    if isinstance(value, tuple):
        return tuple(map(_as_tensor, value))
    if isinstance(value, np.ndarray):
        tensor = torch.from_numpy(np.ascontiguousarray(value))
        return tensor.float() if tensor.dtype is torch.float64 else tensor
    return value if isinstance(value, _PLAIN) else _Across(value, _as_array, _as_tensor)


def on_torch(step: Callable[..., Any]) -> Callable[..., Any]:
    """Return the step, written for numpy, for tensors."""

    @functools.wraps(step)
    def stepping(*given: Any, **named: Any) -> Any:
        ours = [_mapped(x, Tensor, lambda own: own.as_subclass(NumpyTensor)) for x in given]
        numbers = (each for each in ours if isinstance(each, Tensor) and each.is_floating_point())
        dtype = next((each.dtype for each in numbers), None)

        def to_plain(array: Any) -> Tensor:  # what numpy computed in float64 is narrowed
            plain = torch.as_tensor(array).as_subclass(Tensor)
            return plain if dtype is None or not plain.is_floating_point() else plain.to(dtype)

        return _mapped(step(*ours, **named), (Tensor, np.ndarray), to_plain)

    return stepping


class NumpyTensor(Tensor):
    """A tensor for which numpy's functions are torch's."""

    def __array_function__(
        self, function: Any, _types: Any, given: tuple[Any, ...], named: Mapping[str, Any]
    ) -> Any:
        return _carried_out(function.__name__, given, named)

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **named: Any) -> Any:
        return (
            _carried_out(ufunc.__name__, given, named) if method == "__call__" else NotImplemented
        )


def _carried_out(name: str, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    function = getattr(functions, OTHER_NAMES.get(name, name))
    ours = [_mapped(each, np.ndarray, torch.as_tensor) for each in given]
    if "where" in named:  # of what a reduction looks at; torch has no such argument
        where, instead = named["where"], named["initial"]
        ours[0] = torch.where(where, ours[0], instead)
        named = {key: value for key, value in named.items() if key not in {"where", "initial"}}
    return function(*ours, **named)


def _mapped(value: Any, kind: Any, change: Callable[[Any], Any]) -> Any:
    """Change what is of this kind, in a tuple too."""
    if isinstance(value, tuple):
        return tuple(_mapped(each, kind, change) for each in value)
    return change(value) if isinstance(value, kind) else value
