"""Python that asks a question again beside the learner's file, without the grader.

The lines make the inputs, call the learner's code, and print what is expected, what came back and
the difference. They need the array library alone.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import Argument, ArrayInput, Backward, Call, Layout, Register, Step
from studyattn.grading.compare import OF_DTYPE
from studyattn.grading.diagnosis.counterexample import (
    LAYOUTS,
    digits_apart,
    pattern,
    shown_part,
)
from studyattn.grading.domain import FLOATS
from studyattn.grading.drawn_case import Leaf
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.submission import Backend, Submission

WIDTH = 88

FORMULA = 64
"""Numbers from which on an array is written as a formula where one makes it."""

PRINTED = {Backend.TORCH: 4, Backend.NUMPY: 8}
"""Digits after the point that the library prints."""

LAID_OUT = {
    Layout.TRANSPOSED: "{0}.swapaxes(-1, -2).{copy}().swapaxes(-1, -2)",
    Layout.STRIDED: "{0}.{repeat}(2, -1)[..., ::2]",
    Layout.PERMUTED: "{0}.swapaxes(-2, -3).{copy}().swapaxes(-2, -3)",
    Layout.EXPANDED: "{library}.broadcast_to({0}[:1], {0}.shape)",
}
"""Expressions that lay out an array anew; `array_library` has the same."""

WORDS = {
    Backend.TORCH: {"copy": "contiguous", "repeat": "repeat_interleave", "library": "torch"},
    Backend.NUMPY: {"copy": "copy", "repeat": "repeat", "library": "np"},
}

AXES = {Layout.TRANSPOSED: 2, Layout.PERMUTED: 3, Layout.EXPANDED: 3}
"""Axes that an array needs for a layout; one that has fewer is strided or as usual."""


def script(drill: Drill, submission: Submission, device: str, answered: JudgedCase) -> str:
    """Return a program that shows what is wrong with the answer to a question."""
    return _Script(drill, submission, device, answered).text


class _Script:
    """A program while it is written."""

    def __init__(
        self, drill: Drill, submission: Submission, device: str, answered: JudgedCase
    ) -> None:
        self._drill = drill
        self._backend = submission.backend
        self._device = device
        self._question = answered.question
        self._names: dict[int, str] = {}  # of arrays, by the identity of their values
        self._taken: set[str] = {"expected", "yours", *drill.entries}
        self._with_gradient: dict[str, list[str]] = {}  # the inputs of a call that have one
        self._made: list[str] = []
        self._called: list[str] = []
        part = shown_part(answered)
        self._differs_in_dtype = part is not None and part.fault in OF_DTYPE
        leaf = part.leaf if part is not None else answered.question.expected[0]
        for step in self._steps_to(leaf):
            if isinstance(step, Backward):
                self._differentiate(step)
            else:
                self._call(step)
        got = None if part is None else part.values
        lines = [*self._made, "", *self._called, "", *self._compared(leaf, got)]
        self.text = "\n".join([*self._head(submission, "\n".join(lines)), *lines, ""])

    def _head(self, submission: Submission, text: str) -> list[str]:
        """Return a comment and the imports."""
        file = PurePath(submission.path).name
        stem = file.removesuffix(".py")
        numbers = [name for name in ("inf", "nan") if re.search(rf"\b{name}\b", text)]
        entries = sorted({step.function for step in self._question.calls if step.on is None})
        own = [f"from {stem} import {', '.join(entries)}"]
        library = "import torch" if self._backend is Backend.TORCH else "import numpy as np"
        imports = [f"from math import {', '.join(numbers)}"] if numbers else []
        if not stem.isidentifier():
            imports.append("from runpy import run_path")
            own = [f'{each} = run_path("{file}")["{each}"]' for each in entries]
        imports += [""] if imports else []
        return [f"# Run it in the folder of {file}.", *imports, library, *own, ""]

    def _steps_to(self, leaf: Leaf) -> Sequence[Step]:
        """Return the steps up to the one that makes what is shown; of gradients, only that."""
        steps = self._question.program.steps
        last = next(at for at, step in enumerate(steps) if step.into == leaf.register)
        return [step for step in steps[:last] if isinstance(step, Call)] + [steps[last]]

    def _call(self, call: Call) -> None:
        names = self._drill.parameters(call)
        given = [
            self._argument(name, argument, call)
            for name, argument in zip(names, call.args, strict=False)
        ]
        given += [
            f"{name}={self._argument(name, argument, call)}"
            for name, argument in call.kwargs.items()
        ]
        function = call.function
        if call.on is not None:
            function = "" if call.function == "()" else f".{call.function}"
            function = f"{_identifier(call.on)}{function}"
        self._called.append(f"{_identifier(call.into)} = {function}({', '.join(given)})")

    def _argument(self, name: str, argument: Argument, call: Call) -> str:
        """Return how an argument is written; an array is made first and has a name."""
        if isinstance(argument, Register):
            index = "" if argument.index is None else f"[{argument.index}]"
            return f"{_identifier(argument.name)}{index}"
        if not isinstance(argument, ArrayInput):
            return repr(argument)
        key = id(argument.values)
        if key not in self._names:
            old = self._written_over(name, argument, call)
            self._names[key] = name = self._free(name)
            self._made += _assigned(name, self._array(argument.values, argument.dtype))
            self._made += self._laid_out(name, argument)
            if argument.requires_grad:
                self._made.append(f"{name}.requires_grad_()")
            if old:
                self._called.append(f"{old}[...] = {self._names[key]}")
                self._names[key] = old
        if argument.requires_grad:
            self._with_gradient.setdefault(call.into, []).append(self._names[key])
        return self._names[key]

    def _written_over(self, name: str, argument: ArrayInput, call: Call) -> str:
        """Return the array of an earlier call in whose memory this one is handed over, if any."""
        shape = argument.values.shape
        for earlier in self._question.calls if call.over else ():
            for known, old in self._drill.named_arguments(earlier):
                is_old = earlier.into == call.over and known == name
                if is_old and isinstance(old, ArrayInput) and old.values.shape == shape:
                    return self._names[id(old.values)]
        return ""

    def _free(self, name: str) -> str:
        """Return the name, with a number where another array has it."""
        names = (name, *(f"{name}_{number}" for number in range(2, 1000)))
        found = next(each for each in names if each not in self._taken)
        self._taken.add(found)
        return found

    def _laid_out(self, name: str, given: ArrayInput) -> list[str]:
        layout, values = given.layout, given.values
        if layout is Layout.READ_ONLY and self._backend is Backend.NUMPY:
            return [f"{name}.flags.writeable = False"]
        if layout is Layout.TRANSPOSED and values.ndim < AXES[layout]:
            layout = Layout.STRIDED  # as `array_library` does
        if layout not in LAID_OUT or values.ndim < AXES.get(layout, 1):
            return []
        if layout is Layout.EXPANDED and (len(values) == 1 or not np.all(values == values[:1])):
            return []
        laid_out = LAID_OUT[layout].format(name, **WORDS[self._backend])
        return [f"{name} = {laid_out}  # {LAYOUTS[layout]}"]

    def _differentiate(self, step: Backward) -> None:
        index = "" if step.index is None else f"[{step.index}]"
        output = f"{_identifier(step.call)}{index}"
        self._made += _assigned("weights_of_sum", self._array(step.grad.values, step.grad.dtype))
        self._called.append(f"({output} * weights_of_sum).sum().backward()")

    def _compared(self, leaf: Leaf, got: Any) -> list[str]:
        """Return the lines that print what is expected and what came back."""
        yours, right, numbers = self._expression(leaf), leaf.values, None
        if isinstance(got, np.ndarray) and np.shape(got) == np.shape(right):
            numbers = got
            if right.size > FORMULA:  # the first that is wrong stands for all
                first = tuple(np.argwhere(~(np.abs(got - right) <= leaf.tolerance))[0].tolist())
                yours = f"{yours}[{', '.join(map(str, first))}]"
                right, numbers = right[first], got[first]
        if isinstance(right, np.ndarray | np.floating):
            lines = _assigned("expected", self._array(right, self._question.case.dtype))
        else:
            lines = [f"expected = {right!r}"]
        if numbers is not None:
            lines += self._precision(numbers, right)
        lines += [_printed("expected", "expected"), _printed("yours", yours)]
        if self._differs_in_dtype:
            lines.append(f'print({yours}.dtype, "and not", expected.dtype)')
        elif numbers is not None or isinstance(got, int):
            lines.append(_printed("yours - expected", f"{yours} - expected"))
        return lines

    def _expression(self, leaf: Leaf) -> str:
        """Return an expression for what came back in the place of a part of the answer."""
        step = next(each for each in self._question.program.steps if each.into == leaf.register)
        if isinstance(step, Backward):
            return f"{self._with_gradient[step.call][leaf.part or 0]}.grad"
        return _identifier(leaf.register) + ("" if leaf.part is None else f"[{leaf.part}]")

    def _precision(self, got: Any, expected: Any) -> list[str]:
        """Return the line with which different numbers are printed differently, if it takes one."""
        got, expected = np.atleast_1d(got), np.atleast_1d(expected)
        digits = digits_apart(got[got != expected], expected[got != expected])
        if digits <= PRINTED[self._backend]:
            return []
        return [f"{WORDS[self._backend]['library']}.set_printoptions(precision={digits})"]

    def _array(self, values: NDArray[Any] | np.floating[Any], dtype: str) -> str:
        """Return an expression that makes an array of these numbers."""
        library, make = ("torch", "tensor") if self._backend is Backend.TORCH else ("np", "array")
        if values.dtype.kind != "f":
            dtype = {"b": "bool"}.get(
                values.dtype.kind, dtype if dtype not in FLOATS else values.dtype.name
            )
        device = "" if self._device == "cpu" else f', device="{self._device}"'
        of_type = f"dtype={library}.{dtype}{device}"
        if values.size >= FORMULA and np.array_equal(values.reshape(-1), pattern(values.size)):
            made = f"{library}.arange({values.size}{device}) * 7 % 5 - 2"
            convert = "to" if self._backend is Backend.TORCH else "astype"
            return f"({made}).reshape({values.shape}).{convert}({library}.{dtype})"
        empty = f".reshape({values.shape})" if not values.size else ""
        return f"{library}.{make}({_nested(values, dtype)}, {of_type}){empty}"


def _printed(title: str, value: str) -> str:
    return f'print("{title}", {value}, sep="\\n")'


def _identifier(register: str) -> str:
    """Return the name of a variable for a register: `call 1` is `call_1`, `_cache` is `cache`."""
    return re.sub(r"\W+", "_", register).strip("_")


def _assigned(name: str, expression: str) -> list[str]:
    """Return an assignment, on several lines where it is long: all of it stands in brackets."""
    line = f"{name} = {expression}"
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_long_words=False)


def _nested(values: NDArray[Any] | np.floating[Any], dtype: str) -> str:
    """Return nested lists, each number as short as tells it from others of the dtype."""
    if values.ndim:
        return f"[{', '.join(_nested(each, dtype) for each in np.asarray(values))}]"
    value = values.item()
    if not isinstance(value, float):
        return str(value)
    if np.isfinite(value) and value == round(value) and abs(value) < 1e15:
        return str(round(value))
    exact = {"float64": np.float64, "float16": np.float16}.get(dtype, np.float32)(value)
    return str(exact)
