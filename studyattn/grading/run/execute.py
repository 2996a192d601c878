"""Carrying out a program in the worker: calls, gradients, what came back and what was changed.

Results are read right after the step that made them, and again after each later one: a call that
writes over an earlier result changes what its caller holds.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
import types
from collections.abc import Callable
from typing import Any

from studyattn.grading.arrays.array_library import ArrayLibrary, ForbiddenError
from studyattn.grading.arrays.numpy_meter import NumpyMeter
from studyattn.grading.call_plan import (
    Argument,
    ArrayInput,
    ArrayOutput,
    Backward,
    Call,
    CallPlan,
    Finished,
    OtherOutput,
    Raised,
    Register,
    Returned,
    Step,
    Usage,
)
from studyattn.grading.run.submission_loader import Loaded, forbidden, message, raised

MAX_PARTS = 64
MAX_NESTING = 4
MAX_TEXT = 1000
MAX_BITS = 1000  # of an int, so that float64 can hold one of its size


class _UnusableError(Exception):
    """Raised where the next step cannot use what a call returned."""


def run(program: CallPlan, loaded: Loaded, library: ArrayLibrary) -> Finished | Raised:
    """Carry out `program` on the loaded submission. MemoryError passes."""
    return _Run(program, loaded, library).outcome()


class _Run:
    """One program on its way: registers, inputs handed over, and what they were."""

    def __init__(self, program: CallPlan, loaded: Loaded, library: ArrayLibrary) -> None:
        self.program = program
        self.loaded = loaded
        self.library = library
        self.registers: dict[str, Any] = {}
        self.returned: dict[str, Returned] = {}
        self.inputs: dict[str, list[Any]] = {}  # of the call that made a register, those with grad
        self.overwritten: list[str] = []
        self.handed: dict[str, tuple[Any, tuple[object, ...]]] = {}
        self.given: dict[
            str, dict[int | str, Any]
        ] = {}  # the arrays of the call that made a register
        measured = any(isinstance(step, Call) and step.measured for step in program.steps)
        self.meter: NumpyMeter | None = library.meter() if measured else None
        self.seconds: float | None = None

    def outcome(self) -> Finished | Raised:
        watched = self.meter if self.program.memory else None
        with watched.watching() if watched else contextlib.nullcontext():
            for number, step in enumerate(self.program.steps):
                raised = self._step(number, step)
                if raised is not None:
                    return raised
            changed = tuple(
                name
                for name, (array, before) in self.handed.items()
                if self.library.fingerprint(array) != before
            )
            return Finished(
                registers={name: self.returned[name] for name in self.program.returns},
                changed_inputs=changed,
                changed_results=tuple(self.overwritten),
                usage=None if self.meter is None else self._usage(self.meter),
                seconds=self.seconds,
            )

    def _usage(self, meter: NumpyMeter) -> Usage:
        """Return what was measured, and what is kept once nothing is held here but what goes on."""
        if not self.program.memory:
            return meter.usage
        used = {step.on for step in self.program.calls} | {
            argument.name
            for step in self.program.calls
            for argument in (*step.args, *step.kwargs.values())
            if isinstance(argument, Register)
        }
        self.registers = {name: each for name, each in self.registers.items() if name in used}
        self.handed, self.given, self.inputs = {}, {}, {}
        kept = meter.memory.held() - sum(map(_bytes, self.returned.values()))
        return dataclasses.replace(meter.usage, kept=max(0, kept))

    def _step(self, number: int, step: Step) -> Raised | None:
        guard = self.library.guard(self.loaded.forbidden)
        try:
            prepared = self._prepared(number, step)
            timed = isinstance(step, Call) and step.timed
            with contextlib.nullcontext() if timed else guard:
                value = prepared()
        except MemoryError:
            raise
        except _UnusableError as error:
            return Raised("", str(error), None, number)
        except BaseException as error:  # noqa: BLE001  # SystemExit and what else foreign code raises
            caught = guard.caught or self.loaded.imports.caught
            if isinstance(error, ForbiddenError) or caught:
                return forbidden(error, caught, self.loaded.files, number)
            if self.library.is_out_of_memory(error):
                raise MemoryError from None
            return raised(error, self.loaded.files, number)
        caught = guard.caught or self.loaded.imports.caught
        if caught:
            return forbidden(ForbiddenError(caught), None, self.loaded.files, number)
        self._look_again()
        self.registers[step.into] = value
        if step.into in self.program.returns:
            self.returned[step.into] = read(value, self.library, self.program.max_elements)
        return None

    def _look_again(self) -> None:
        """Note which of the earlier results the last step changed."""
        for name, before in self.returned.items():
            now = read(self.registers[name], self.library, self.program.max_elements)
            if name not in self.overwritten and not _alike(before, now):
                self.overwritten.append(name)

    def _prepared(self, number: int, step: Step) -> Callable[[], Any]:
        """The step as something to call: only that is done under the guard."""
        if isinstance(step, Backward):
            return self._backward(step)
        made: dict[int, Any] = {}  # one array for arguments that are the same
        self.given[step.into] = {}
        args = [self._argument(number, step, at, it, made) for at, it in enumerate(step.args)]
        kwargs = {
            key: self._argument(number, step, key, it, made) for key, it in step.kwargs.items()
        }
        given = zip((*step.args, *step.kwargs.values()), (*args, *kwargs.values()), strict=True)
        self.inputs[step.into] = [
            array for said, array in given if isinstance(said, ArrayInput) and said.requires_grad
        ]
        function = self._function(step)

        def call() -> Any:
            counting = self.meter.counting() if self.meter and step.measured else None
            with counting or contextlib.nullcontext():
                return function(*args, **kwargs)

        return self._timing(call) if step.timed else call

    def _timing(self, call: Callable[[], Any]) -> Callable[[], Any]:
        def timed() -> Any:
            started = time.perf_counter()
            value = call()
            self.seconds = (self.seconds or 0.0) + time.perf_counter() - started
            return value

        return timed

    def _function(self, step: Call) -> Any:
        if step.on is None:
            return self.loaded.entries[step.function]
        return _Method(self.registers[step.on], step.function, self._called(step.on))

    def _called(self, register: str) -> str:
        """The name of the function that made what is in a register."""
        return next(
            each.function
            for each in self.program.steps
            if isinstance(each, Call) and each.into == register
        )

    def _backward(self, step: Backward) -> Callable[[], Any]:
        output = self.registers[step.call]
        inputs = self.inputs[step.call]
        if step.index is not None:
            parts = _parts(output) or []
            if step.index >= len(parts):  # the comparison says that it is not such a tuple
                return lambda: (None,) * len(inputs)
            output = parts[step.index]
        grad = self.library.make(step.grad)
        return lambda: tuple(self.library.gradients(output, grad, inputs))

    def _argument(
        self, number: int, step: Call, place: int | str, value: Argument, made: dict[int, Any]
    ) -> Any:
        if isinstance(value, Register):
            register = self.registers[value.name]
            if value.index is None:
                return register
            parts = _parts(register)
            if parts is None or value.index >= len(parts):
                what = f"`{self._called(value.name)}` returned {_told(register, parts)}"
                raise _UnusableError(f"{what}, expected a tuple of {value.index + 1} or more")
            return parts[value.index]
        if not isinstance(value, ArrayInput):
            return value
        if id(value.values) in made:
            return made[id(value.values)]
        array = self.library.make(value)
        if self.meter is not None:
            array = self.meter.wrap(array)
        array = self._over(self.given.get(step.over or "", {}).get(place), array, made)
        made[id(value.values)] = self.given[step.into][place] = array
        if self.program.check_inputs:
            self.handed[f"{number}.{place}"] = (array, self.library.fingerprint(array))
        return array

    def _over(self, old: Any, array: Any, made: dict[int, Any]) -> Any:
        """Return the `old` array with the numbers of `array`, or that one where it does not fit."""
        is_free = old is not None and not any(old is each for each in made.values())
        if not is_free or not self.library.write_over(old, array):
            return array
        self.handed = {name: each for name, each in self.handed.items() if each[0] is not old}
        return old


class _Method:
    """A method looked up only when it is called, under the guard: looking up runs foreign code.

    The name ``"()"`` is the call of the `owner` itself, which the function `made_by` returned.
    """

    def __init__(self, owner: Any, name: str, made_by: str) -> None:
        self._owner = owner
        self._name = name
        self._made_by = made_by

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        method = self._owner if self._name == "()" else getattr(self._owner, self._name, None)
        if not callable(method):
            what = "cannot be called" if self._name == "()" else f"has no method `{self._name}`"
            told = _told(self._owner, _parts(self._owner))
            raise _UnusableError(f"`{self._made_by}` returned {told}, which {what}")
        return method(*args, **kwargs)


def read(value: Any, library: ArrayLibrary, most: int, depth: int = 0) -> Returned:
    """Read what came back, by its exact type and without running code of the value's own.

    A list is read as a tuple: it unpacks the same.
    """
    kind = type(value)
    if value is None or kind in {bool, float}:
        return value  # type: ignore[no-any-return]  # checked exactly
    if kind is int:
        huge = OtherOutput("int", "a number with more than 300 digits")
        return huge if value.bit_length() > MAX_BITS else value
    if kind is str:
        return str(value[:MAX_TEXT])
    parts = _parts(value)
    if parts is not None and depth < MAX_NESTING:
        return tuple(read(part, library, most, depth + 1) for part in parts)
    return _read_array(value, library, most)


def _bytes(value: Returned) -> int:
    """Return how much memory the arrays of a reading take."""
    if isinstance(value, tuple):
        return sum(map(_bytes, value))
    return value.values.nbytes if isinstance(value, ArrayOutput) else 0


def _alike(one: Returned, other: Returned) -> bool:
    """Return whether two readings are the same to the bit."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, ArrayOutput) and isinstance(other, ArrayOutput):
        return one.values.shape == other.values.shape and (
            one.values.tobytes() == other.values.tobytes()
        )
    return type(one) is type(other) and (one == other or one != one)  # noqa: PLR0124  # NaN


def _parts(value: Any) -> list[Any] | None:
    """The parts of a short tuple or list, taken by its base type's own methods."""
    for base in (tuple, list):
        if base in type(value).__mro__ and base.__len__(value) <= MAX_PARTS:
            return [*base.__iter__(value)]
    return None


def _read_array(value: Any, library: ArrayLibrary, most: int) -> Returned:
    name = _name(type(value))
    try:
        array = library.read(value, most)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  # an array broken in a way that nobody foresaw
        return OtherOutput(name, f"an array that cannot be read: {message(error)[:200]}")
    if array is None and int in type(value).__mro__:  # a subclass, such as an IntEnum
        return read(int.__pos__(value), library, most)
    return array if array is not None else OtherOutput(name, _described(value))


def _told(value: object, parts: list[Any] | None) -> str:
    """Return what came back, in short."""
    if parts is not None:
        return f"a tuple or list of {len(parts)}"
    return "None" if value is None else f"an object of type {_name(type(value))}"


def _described(value: object) -> str:
    for kind, description in (
        (types.GeneratorType, "a generator; return its values instead"),
        (types.CoroutineType, "a coroutine; define the function without async"),
        (types.FunctionType, "a function; was it meant to be called?"),
        (complex, "a complex number"),
        (dict, "a dictionary"),
        (list, "a list, long or deeply nested"),
        (tuple, "a tuple, long or deeply nested"),
    ):
        if kind in type(value).__mro__:
            return description
    return f"an object of type {_name(type(value))}"


def _name(kind: type) -> str:
    return str(type.__dict__["__name__"].__get__(kind))[:200]
