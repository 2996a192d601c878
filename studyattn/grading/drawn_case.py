"""One drawn case: the program to carry out, the right answers, and how far off one may be."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import (
    Argument,
    ArrayInput,
    Backward,
    Call,
    CallPlan,
    Register,
    Step,
)
from studyattn.grading.conditioning import measure
from studyattn.grading.domain import FLOATS, FORMS
from studyattn.grading.drill import Case, Draw, Drill, with_values
from studyattn.grading.drill import case as make_case
from studyattn.grading.misconception import Mistake
from studyattn.grading.oracle import Answer, Failed, carry_out, leaves, moved, narrowed, try_out
from studyattn.grading.pack_errors import naming_the_pack
from studyattn.grading.tolerance import rounded

REPEATS_OF_SMALL = 3
"""Draws of each small size: what one set of numbers hides another shows."""

ANYWHERE = 2
"""Questions of each attempt that are drawn from all that the brief allows."""

HALF_PRECISION = ("float16", "bfloat16")

SMALL_CASE = "small numbers"
"""The name under which all small questions are reported together."""

AGAIN = " again"
BETWEEN = " in between"


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """One expected array or number: what register `register` holds, or `part` of its `parts`."""

    register: str
    part: int | None
    parts: int
    values: Any
    tolerance: float
    exact_zeros: bool = False
    """Whether an entry that is exactly 0 must be 0, not only close to it."""

    @property
    def is_gradient(self) -> bool:
        return self.register.startswith("gradients")


@dataclass(frozen=True, eq=False)
class DrawnCase:
    """The calls of one case, with the right answers."""

    case: Case
    program: CallPlan
    expected: tuple[Leaf, ...]
    seed: tuple[int, ...] = ()
    """What it was drawn from, with its case."""

    @functools.cached_property
    def narrow(self) -> CallPlan:
        """The program on arrays of the inputs' dtype, for a mistaken reference."""
        return narrowed(self.program)

    @functools.cached_property
    def nudged(self) -> CallPlan:
        """`narrow` with every input moved by at most one rounding, always the same way."""
        return moved(self.narrow, np.random.default_rng(0))

    @functools.cached_property
    def predictions(self) -> dict[tuple[int, bool], dict[str, Answer] | Failed]:
        """The answers of mistakes, by the identity of their one way: see `predicted`."""
        return {}

    @functools.cached_property
    def of_variants(self) -> dict[int, dict[str, Answer]]:
        """The answers of the reference's variants, by the identity of their way."""
        return {}

    @property
    def elements(self) -> int:
        """Numbers handed over: how large the question is."""
        return sum(each.values.size for each in self.program.arrays())

    @property
    def calls(self) -> tuple[Call, ...]:
        return self.program.calls

    def calls_of(self, register: str) -> tuple[Call, ...]:
        """Return the calls on the numbers that this register was made of."""
        if register.endswith(BETWEEN):
            return tuple(call for call in self.calls if call.into.endswith(BETWEEN))
        return tuple(call for call in self.calls if not call.into.endswith((AGAIN, BETWEEN)))


def predicted(
    drill: Drill, mistake: Mistake, question: DrawnCase, *, nudged: bool = False
) -> dict[str, Answer] | Failed:
    """Return what code with this mistake answers, computed once where it has one way.

    What it answers in float64 although asked in another dtype is not this. With `nudged`, its
    inputs are moved by at most one rounding.
    """
    program = question.nudged if nudged else question.narrow
    if len(mistake.ways) > 1:
        return try_out(program, drill.functions(mistake.change()))
    key = (id(mistake.ways[0]), nudged)
    if key not in question.predictions:
        question.predictions[key] = try_out(program, drill.functions(mistake.change()))
    return question.predictions[key]


def draw_cases(drill: Drill, backend: str, device: str, seed: int) -> tuple[DrawnCase, ...]:
    """Small questions first, then every case that this backend and device can be asked.

    The last ones come from anywhere in the drill's domain, and differ from seed to seed. What is
    drawn once is kept by the drill: large questions take most of the time.
    """
    cases = [
        *small_cases(drill),
        *cases_for(drill, backend, device),
        *cases_anywhere(drill, backend, np.random.default_rng(seed), ANYWHERE),
    ]

    def drawn(case: Case, position: int) -> DrawnCase:
        if not (case.once or case.costed):
            return draw_case(drill, case, (seed, position))
        key = (case.name, backend)
        if key not in drill.drawn_once:
            drill.drawn_once[key] = draw_case(drill, case, (position,))
        question: DrawnCase = drill.drawn_once[key]
        return question

    return tuple(drawn(case, position) for position, case in enumerate(cases))


def small_cases(drill: Drill) -> list[Case]:
    """The cases from which a counterexample is taken where one of them is answered wrongly."""
    return [
        make_case(SMALL_CASE, **{"whole": True, **sizes})
        for sizes in drill.small
        for _ in range(REPEATS_OF_SMALL)
    ]


def draw_case(drill: Drill, case: Case, seed: tuple[int, ...]) -> DrawnCase:
    """Return the question of `case` that belongs to `seed`.

    DrillError, with the pack's file and line, when the drill or its reference raises.
    """
    generator = np.random.default_rng(seed)
    name = f"the drill {drill.id!r} cannot be tested under {case.name!r}"

    def asked() -> tuple[Call, ...]:
        asked = drill.ask(Draw(generator, case), **case.sizes)
        calls = (asked,) if isinstance(asked, Call) else tuple(asked or ())
        if not calls or not all(isinstance(call, Call) for call in calls):
            raise TypeError(f"`ask` returned {asked!r:.60}, neither a Call nor several Calls")
        unknown = [call.function for call in calls if call.on is None]
        if not drill.reference.keys() >= set(unknown):
            raise LookupError(f"`ask` calls {unknown}, but the entries are {drill.entries}")
        return tuple(_named(drill, _formed(drill, call, case), case.keywords) for call in calls)

    with naming_the_pack(drill.place, name):
        calls = asked()
        if case.costed:
            calls = (*calls[:-1], dataclasses.replace(calls[-1], measured=True))
        others = asked() if case.twice else ()
        between = tuple(
            dataclasses.replace(_renamed(each, BETWEEN), over=None if drill.views else each.into)
            for each in others
        )
        drawn = _drawn(drill, case, (calls, between), generator)
    return dataclasses.replace(drawn, seed=seed)


def with_numbers(
    drill: Drill,
    question: DrawnCase,
    change: Callable[[NDArray[Any]], NDArray[Any]],
    dtype: str | None = None,
) -> DrawnCase:
    """Return `question` with other numbers in its floating-point arrays, and their right answers.

    They have this `dtype`, or the one that they had. What was one array for several arguments stays
    one. DrillError when the reference raises.
    """
    changed: dict[int, NDArray[Any]] = {}

    def once(argument: Argument) -> Argument:
        if not isinstance(argument, ArrayInput) or argument.dtype not in FLOATS:
            return argument
        kept, place = dtype or argument.dtype, id(argument.values)
        if place not in changed:
            changed[place] = rounded(change(argument.values), kept)
        return dataclasses.replace(argument, values=changed[place], dtype=kept)

    with naming_the_pack(
        drill.place, f"the drill {drill.id!r} cannot be tested with other numbers"
    ):
        calls, between = (
            tuple(call.with_arguments(once) for call in question.calls_of(suffix))
            for suffix in ("", BETWEEN)
        )
        case = dataclasses.replace(question.case, dtype=dtype or question.case.dtype)
        return _drawn(drill, case, (calls, between), np.random.default_rng(0))


def _drawn(
    drill: Drill,
    case: Case,
    calls: tuple[tuple[Call, ...], tuple[Call, ...]],
    generator: np.random.Generator,
) -> DrawnCase:
    program = _program(drill, case, *calls, generator)
    return DrawnCase(case, program, _expected(drill, case, program, generator))


def cases_for(drill: Drill, backend: str, device: str) -> Iterator[Case]:
    """The drill's cases, as far as the array library and the device have them."""
    for case in drill.asked:
        if case.gradients and backend != "torch":
            continue
        yield held(case, backend)
    if device != "cpu":
        plain = drill.asked[0]
        for dtype in HALF_PRECISION:
            yield dataclasses.replace(plain, name=f"{plain.name}, {dtype}", dtype=dtype)


def cases_anywhere(
    drill: Drill, backend: str, generator: np.random.Generator, count: int
) -> Iterator[Case]:
    """Draw so many cases from the drill's domain, if it has one."""
    if drill.domain is not None:
        for _ in range(count):
            yield held(drill.case_anywhere(generator), backend)


def held(case: Case, backend: str) -> Case:
    """The case as this array library can be asked it: numpy has no bfloat16."""
    if case.dtype != "bfloat16" or backend == "torch":
        return case
    return dataclasses.replace(case, name=case.name.replace("bfloat16", "float32"), dtype="float32")


def _formed(drill: Drill, call: Call, case: Case) -> Call:
    """The same call with arguments that are what the domain says that they may be."""
    if not case.forms or call.on is not None:
        return call
    forms = dict(enumerate(map(case.forms.get, drill.parameters(call))))
    args = (formed(argument, forms.get(at)) for at, argument in enumerate(call.args))
    return dataclasses.replace(call, args=tuple(args))


def formed(argument: Argument, form: str | None) -> Argument:
    """Return an array whose numbers have one of `FORMS`, or that holds them as this dtype."""
    if form is None or not isinstance(argument, ArrayInput):
        return argument
    if form not in FORMS:
        return dataclasses.replace(argument, dtype=form)
    values = FORMS[form](argument.values)
    return with_values(
        argument, rounded(values, argument.dtype) if argument.dtype in FLOATS else values
    )


def _program(
    drill: Drill,
    case: Case,
    calls: Sequence[Call],
    between: Sequence[Call],
    generator: np.random.Generator,
) -> CallPlan:
    again = [_renamed(call, AGAIN) for call in calls] if case.twice else []
    steps: list[Step] = [*calls, *between, *again]
    returns = [call.into for call in (*calls, *between, *again) if not call.into.startswith("_")]
    if case.gradients:
        backwards = _backwards(drill, case, calls, generator)
        steps += backwards
        returns += [step.into for step in backwards]
    return CallPlan(tuple(steps), tuple(returns), memory=_needs_memory(drill, case))


def _needs_memory(drill: Drill, case: Case) -> bool:
    """Return whether the bytes that the calls hold are limited, and have to be counted."""
    limits = (drill.limit.most_held, drill.limit.kept) if case.costed and drill.limit else ()
    return any(most and most(case.sizes) is not None for most in limits)


def _named(drill: Drill, call: Call, names: Sequence[str]) -> Call:
    """The same call with the arguments of these names passed by keyword, and all that follow."""
    if not names or call.on is not None:
        return call
    parameters = drill.parameters(call)
    split = min(
        (parameters.index(name) for name in names if name in parameters), default=len(parameters)
    )
    keywords = dict(zip(parameters[split:], call.args[split:], strict=False))
    return dataclasses.replace(call, args=call.args[:split], kwargs={**keywords, **call.kwargs})


def _renamed(call: Call, suffix: str) -> Call:
    """The same call on registers of its own."""

    def rename(argument: Argument) -> Argument:
        if isinstance(argument, Register):
            return dataclasses.replace(argument, name=argument.name + suffix)
        return argument

    return dataclasses.replace(
        call.with_arguments(rename),
        on=None if call.on is None else call.on + suffix,
        into=call.into + suffix,
    )


def _backwards(
    drill: Drill, case: Case, calls: Sequence[Call], generator: np.random.Generator
) -> list[Backward]:
    """The gradients to ask for: of each call that returns something, and of each part of it."""
    judged = tuple(call.into for call in calls if not call.into.startswith("_"))
    answers = carry_out(CallPlan(tuple(calls), judged), drill.functions())
    parts = list(leaves(answers))
    return [
        Backward(
            register,
            ArrayInput(generator.choice([-2.0, -1.0, 1.0, 2.0], value.shape), case.dtype),
            "gradients" if len(parts) == 1 else f"gradients {number}",
            part,
        )
        for number, (register, part, value) in enumerate(parts, 1)
    ]


def _expected(
    drill: Drill, case: Case, program: CallPlan, generator: np.random.Generator
) -> tuple[Leaf, ...]:
    answers = carry_out(program, drill.functions())
    conditioning = measure(drill, program, answers, case.dtype, generator)
    return tuple(
        Leaf(
            register,
            part,
            len(answers[register]) if part is not None else 1,
            value,
            conditioning.tolerance(
                (register, part), value, drill.slack, of_shares=drill.exact_zeros
            ),
            drill.exact_zeros and not register.startswith("gradients"),
        )
        for register, part, value in leaves(answers)
    )
