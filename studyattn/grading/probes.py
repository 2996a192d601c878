"""Check that a drill asks under every condition that it admits.

A probe is the right answer made wrong under one condition: the solution that raises when its inputs
are bfloat16, say. A drill whose cases let it pass has a hole. Where a probe raises depends on the
inputs alone, so no probe needs a run of its own: the questions are drawn, each is looked at as it
would be handed over, and a probe is caught when its condition holds in one of them.

Two kinds are tried: conditions that follow from the parameters of its entries and the shapes in its
brief, whatever its spaces declare; and those that the drill's pack adds. Pairs of values that the
spaces declare need no probe: `space.sample` has each of them.
"""

from __future__ import annotations

import fnmatch
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from studyattn.grading.arrays.numpy_arrays import laid_out
from studyattn.grading.call_plan import ArrayInput
from studyattn.grading.domain import FLOATS, Shapes, Span, shapes_in
from studyattn.grading.drawn_case import DrawnCase, cases_for, draw_case
from studyattn.grading.drill import Drill
from studyattn.grading.seen_call import Condition, Handed, Probe, SeenCall

MOST_AXES = 5
"""Axes in front of an array, where a brief writes three dots."""

MANY_AXES = 3
"""Axes in front that are usual enough to meet each dtype."""


def holes(drill: Drill, brief: str, backend: str, seed: int) -> tuple[int, tuple[str, ...]]:
    """Count the probes tried, and name what the drill does not ask or excuses in vain.

    None are tried where the drill declares no space. `brief` is the text of the drill's brief.
    """
    if not drill.spaces:
        return 0, ()
    calls: list[SeenCall] = []
    for at, case in enumerate(cases_for(drill, backend, "cpu")):
        calls += seen_calls(drill, draw_case(drill, case, (seed, at)))
    missed: list[str] = []
    excused: set[str] = set()
    asked = 0
    for probe in _probes(drill, brief, backend):
        excuses = [each for each in drill.unasked if fnmatch.fnmatchcase(probe.name, each)]
        if _is_asked(probe, calls):
            asked += 1
        elif excuses:
            excused.update(excuses)
        else:
            missed.append(f"code that fails under this condition passes: {probe.name}")
    in_vain = drill.unasked.keys() - excused if backend == drill.backends[0] else ()
    told = (f"`unasked` excuses {each!r}, but every such condition is asked" for each in in_vain)
    return asked + len(missed), (*missed, *sorted(told))


@np.errstate(all="ignore")  # of what float16 cannot hold
def _is_asked(probe: Probe, calls: Sequence[SeenCall]) -> bool:
    return any(map(probe.holds, calls))


def seen_calls(drill: Drill, question: DrawnCase) -> Iterator[SeenCall]:
    """The calls of a question, as a submission would see them."""
    history: dict[str, tuple[SeenCall, ...]] = {}
    for call in question.calls:
        before = history.get(call.on or "", ())
        seen = SeenCall(
            call.function,
            {name: _handed(value) for name, value in drill.named_arguments(call)},
            frozenset(call.kwargs),
            before,
        )
        history[call.on or call.into] = (*before, seen)
        yield seen


def _handed(value: Any) -> Any:
    if not isinstance(value, ArrayInput):
        return value
    kind = {"bfloat16": np.float32}.get(value.dtype, value.dtype)
    array = laid_out(value.values.astype(kind), value.layout)
    return Handed(array, value.dtype, value.requires_grad, value.values)


# ── what follows from parameters and shapes ──────────────────────────────────────────────────────

Size = Callable[[SeenCall], int | None]
"""The extent that a name in the shapes has in a call; None where it does not occur."""


def _probes(drill: Drill, brief: str, backend: str) -> Iterator[Probe]:
    """Each condition of one aspect, two sizes compared, and each dtype with other aspects."""
    shapes = shapes_in(brief)
    floats = FLOATS if backend == "torch" else FLOATS[:-1]  # numpy has no bfloat16
    formats = [*map(_has_format, floats if shapes else ())]  # else it computes with no array
    layouts = [*itertools.chain.from_iterable(itertools.starmap(_layouts, shapes.items()))]
    axes = list(_axes_in_front(shapes))
    sizes = _sizes(shapes)
    ones = [Probe(f"{symbol} = 1", _sized(size, 1, 1)) for symbol, size in sizes.items()]
    yield from (*formats, *layouts, *axes, *ones)
    if drill.domain is not None:
        yield from _largest(sizes, drill.domain.spans)
    for one, other in itertools.combinations(sizes, 2):
        yield from _relations(one, sizes[one], other, sizes[other])
    met = (*layouts, *axes[: MANY_AXES + 1], *ones)
    of_formats = itertools.starmap(Probe.and_, itertools.product(formats, met))
    of_gradients = itertools.chain.from_iterable(_gradients(name, shapes) for name in shapes)
    every = (*of_gradients, *of_formats, *drill.probes)
    yield from (each for each in every if backend == "torch" or not each.of_gradients)


def _found(call: SeenCall, name: str) -> Handed | None:
    """The array that `name` of a brief's shapes is in this call."""
    entry, _, parameter = name.rpartition(".")
    value = call[parameter] if entry in {"", call.function} else None
    return value if isinstance(value, Handed) else None


def _on(name: str, holds: Callable[[Handed], bool]) -> Condition:
    def condition(call: SeenCall) -> bool:
        array = _found(call, name)
        return array is not None and holds(array)

    return condition


def _has_format(dtype: str) -> Probe:
    return Probe(dtype, lambda call: any(each.dtype == dtype for each in call.arrays()))


def _axes_in_front(shapes: Shapes) -> Iterator[Probe]:
    """Count the axes in front of the first array that may have any number of them."""

    def has(name: str, axes: int) -> Condition:
        return _on(name, lambda array: array.values.ndim == axes)

    for name in [name for name, shape in shapes.items() if "..." in shape][:1]:
        for count in range(MOST_AXES + 1):
            probed = has(name, count + len(shapes[name]) - 1)
            yield Probe(f"{name} has {count} axes in front", probed)


def _layouts(name: str, shape: Sequence[str]) -> Iterator[Probe]:
    """List the memory layouts that an array of this shape can have, by the steps of its axes."""
    axes = MOST_AXES if "..." in shape else len(shape)

    def transposed(array: Handed) -> bool:
        steps = array.steps
        return array.values.ndim > 1 and min(array.shape[-2:]) > 1 and steps[-1] > steps[-2] > 0

    def permuted(array: Handed) -> bool:
        steps = array.steps
        return array.values.ndim > 2 and min(array.shape[-3:-1]) > 1 and steps[-2] > steps[-3] > 0

    def spread(array: Handed) -> bool:
        return array.steps[-1] > 1 and array.shape[-1] > 1 and not transposed(array)

    def expanded(array: Handed) -> bool:
        pairs = zip(array.shape, array.steps, strict=True)
        return any(extent > 1 and step == 0 for extent, step in pairs)

    kinds = {"spread": (1, spread), "transposed": (2, transposed), "permuted": (3, permuted)}
    for kind, (least, holds) in {**kinds, "expanded": (3, expanded)}.items():
        if axes >= least:
            yield Probe(f"{name} {kind} in memory", _on(name, holds))


def _sizes(shapes: Shapes) -> dict[str, Size]:
    """Return the extents that the shapes name, by name."""
    symbols = {each for shape in shapes.values() for each in shape if each.isidentifier()}
    return {symbol: _size(shapes, symbol) for symbol in sorted(symbols)}


def _size(shapes: Shapes, symbol: str) -> Size:
    """The extent of the first axis called `symbol`, counted from the end of its array."""
    places = [
        (name, shape.index(symbol) - len(shape))
        for name, shape in shapes.items()
        if symbol in shape
    ]

    def size(call: SeenCall) -> int | None:
        for name, axis in places:
            array = _found(call, name)
            if array is not None:
                return array.shape[axis]
        return None

    return size


def _sized(size: Size, least: float, most: float) -> Condition:
    def condition(call: SeenCall) -> bool:
        extent = size(call)
        return extent is not None and least <= extent <= most

    return condition


def _largest(sizes: Mapping[str, Size], spans: Mapping[str, Span]) -> Iterator[Probe]:
    for symbol in sizes.keys() & spans.keys():
        most = spans[symbol].highest(deep=False)
        yield Probe(f"{symbol} = {most:,}", _sized(sizes[symbol], most, math.inf))


def _relations(one: str, size: Size, other: str, other_size: Size) -> Iterator[Probe]:
    def compared(holds: Callable[[int, int], bool]) -> Condition:
        def condition(call: SeenCall) -> bool:
            first, second = size(call), other_size(call)
            return first is not None and second is not None and holds(first, second)

        return condition

    for sign, holds in {"<": operator.lt, "=": operator.eq, ">": operator.gt}.items():
        yield Probe(f"{one} {sign} {other}", compared(holds))


def _gradients(name: str, shapes: Shapes) -> Iterator[Probe]:
    """An array needs a gradient; it does where another does not; the reverse."""

    def asked(call: SeenCall, *, here: bool, elsewhere: bool) -> bool:
        array = _found(call, name)
        others = [each.requires_grad for each in call.arrays() if each is not array]
        return array is not None and array.requires_grad is here and elsewhere in others

    yield Probe(
        f"a gradient of {name}", _on(name, lambda array: array.requires_grad), of_gradients=True
    )
    entry = name.rpartition(".")[0]
    if sum(each.rpartition(".")[0] == entry for each in shapes) == 1:
        return
    yield Probe(
        f"a gradient of {name} only",
        lambda call: asked(call, here=True, elsewhere=False),
        of_gradients=True,
    )
    yield Probe(
        f"no gradient of {name}, but of another input",
        lambda call: asked(call, here=False, elsewhere=True),
        of_gradients=True,
    )
