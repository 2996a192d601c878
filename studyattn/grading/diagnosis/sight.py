"""The values that code makes on its way to an answer, beside those that the reference makes.

Functions of a submission are changed to return their variables beside their value. A variable that
holds what the reference makes, too, is right so far.
"""

from __future__ import annotations

import ast
import os
import sys
import types
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import (
    ArrayInput,
    ArrayOutput,
    CallPlan,
    Finished,
    Outcome,
    Register,
    Returned,
)
from studyattn.grading.diagnosis.edits import Edit, Insertion, applied, own_nodes, place_of
from studyattn.grading.drill import Drill, arguments
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.oracle import try_out
from studyattn.grading.tolerance import EPSILON

LOCALS = '), " ".join(locals()), (*locals().values(),)[:60])'
"""Follows the value that a function returns: its variables' names, and their values."""


def assigned_lines(source: bytes, names: Collection[str]) -> frozenset[int]:
    """Return the lines of assignments to variables of these names."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)])
                | ast.AugAssign(target=ast.Name(id=name))
                | ast.AnnAssign(target=ast.Name(id=name))
            ) if name in names:
                lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(lines)


def _with_locals(source: bytes, entries: Sequence[str]) -> Iterator[Insertion]:
    """Yield the insertions with which functions return their variables beside their value.

    These are the functions of `entries`, and the methods of classes among them.
    """
    place = place_of(source)
    for entry in ast.parse(source).body:
        if isinstance(entry, ast.FunctionDef | ast.ClassDef) and entry.name in entries:
            for function in entry.body if isinstance(entry, ast.ClassDef) else [entry]:
                for node in own_nodes(function) if isinstance(function, ast.FunctionDef) else ():
                    if isinstance(node, ast.Return) and node.value is not None:
                        begin, end = place(node.value)
                        yield begin, "(("
                        yield end, LOCALS


class Sight:
    """A question to a source, and the values that the reference makes on its way to the answer.

    Those that functions of `entries` make come back beside their answers, unless a later call needs
    what an earlier one returned.
    """

    def __init__(
        self, drill: Drill, source: bytes, entries: Sequence[str], asked: JudgedCase
    ) -> None:
        self.asked = asked
        self._source = source
        question = asked.question
        given = [argument for call in question.calls for argument in arguments(call)]
        feeds = any(isinstance(argument, Register) for argument in given)
        self._is_blind = not entries or feeds or question.case.gradients
        self._insertions = () if self._is_blind else tuple(_with_locals(source, entries))
        self._most = 100 * EPSILON.get(question.case.dtype, 0.0)
        self._known: list[NDArray[Any]] = []
        if not self._is_blind:
            inputs = [_sorted(each.values) for each in given if isinstance(each, ArrayInput)]
            self._known = [
                each
                for each in _values_on_the_way(drill, question.narrow)
                if not any(self._are_alike(each, other) for other in inputs)
            ]

    def seen(self, edit: Edit) -> bytes:
        """Return the source with this edit, so that it hands over its variables, too."""
        return applied(self._source, edit, self._insertions if edit.places == 1 else ())

    def parted(self, outcome: Outcome) -> tuple[Outcome, dict[str, NDArray[Any]]]:
        """Return an outcome without the variables, and the arrays among these by name."""
        if self._is_blind or not isinstance(outcome, Finished):
            return outcome, {}
        registers: dict[str, Returned] = {}
        values: dict[str, NDArray[Any]] = {}
        for register, returned in outcome.registers.items():
            match returned:
                case (answer, str(names), tuple(variables)):
                    registers[register] = answer
                    values |= {
                        name: each.values
                        for name, each in zip(names.split(), variables, strict=False)
                        if isinstance(each, ArrayOutput)
                    }
                case _:
                    registers[register] = returned
        parted = Finished(registers, outcome.changed_inputs, outcome.changed_results)
        return parted, values

    def places(self, values: NDArray[Any]) -> frozenset[int]:
        """Return which of the reference's values these are."""
        if values.dtype.kind not in "fiu":
            return frozenset()
        mine = _sorted(values)
        return frozenset(
            place for place, each in enumerate(self._known) if self._are_alike(mine, each)
        )

    def _are_alike(self, one: NDArray[Any], other: NDArray[Any]) -> bool:
        """Return whether two sorted arrays hold the same numbers: their shapes may differ."""
        return one.shape == other.shape and bool(
            np.allclose(one, other, self._most, self._most, equal_nan=True)
        )


def _sorted(values: NDArray[Any]) -> NDArray[Any]:
    return np.sort(values, axis=None)


def _values_on_the_way(drill: Drill, program: CallPlan) -> list[NDArray[Any]]:
    """Return the numbers of each array that the reference makes on its way, sorted."""
    found: dict[bytes, NDArray[Any]] = {}

    def seen(frame: types.FrameType, event: str, returned: object) -> Any:
        if event == "return":
            for value in (returned, *frame.f_locals.values()):
                if isinstance(value, np.ndarray) and value.size and value.dtype.kind in "fiu":
                    made = _sorted(value)
                    found.setdefault(made.tobytes(), made)
        return seen

    folders = tuple(
        os.path.dirname(part.__code__.co_filename) + os.sep  # noqa: PTH120  # a str prefix
        for whole in drill.functions_with_steps
        for part in (whole, *vars(whole).values())  # of a class, its methods
        if isinstance(getattr(part, "__code__", None), types.CodeType)
    )
    before = sys.gettrace()
    sys.settrace(lambda frame, *_: seen if frame.f_code.co_filename.startswith(folders) else None)
    try:
        try_out(program, drill.functions())
    finally:
        sys.settrace(before)
    return list(found.values())
