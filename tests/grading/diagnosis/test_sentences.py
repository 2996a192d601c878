"""No sentence is told of a submission for which it is false, though its outputs nearly fit.

All titles are walked through, all signs and all kinds of facts: a new one without a submission
here that must not be told it fails. For titles of wrong values such submissions are made from the
mistake itself: it is made only sometimes, or beside another one.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args

import numpy as np
import pytest

from studyattn.bundled import content_dir
from studyattn.grading.call_plan import (
    ArrayOutput,
    CallPlan,
    Finished,
    OtherOutput,
    Outcome,
    Raised,
    Returned,
    Usage,
)
from studyattn.grading.diagnosis import search
from studyattn.grading.diagnosis.conditions import known_sizes
from studyattn.grading.diagnosis.observations import Kind, observe
from studyattn.grading.diagnosis.search import diagnose
from studyattn.grading.diagnosis.signs import Ask
from studyattn.grading.drawn_case import HALF_PRECISION, SMALL_CASE, DrawnCase
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.judge import ask, draw
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.misconception import Mistake, Sign, pairs, singles
from studyattn.grading.mutation_report import ReferenceCarrier
from studyattn.grading.submission import Backend, Submission

FOLDERS = {folder.name: folder for folder in drill_folders(content_dir() / "attention")}
FEW = 4
"""Cases beside the small questions that the titles of a drill are tried on."""

Array = Any
Change = Callable[[int, CallPlan, Finished], Outcome]
"""What is answered in the place of the right outcome, by the number of the question."""


@functools.cache
def drill_named(name: str) -> Drill:
    return load_drill(FOLDERS[name])


@functools.cache
def questions(name: str, backend: Backend = Backend.NUMPY) -> tuple[DrawnCase, ...]:
    return draw(drill_named(name), backend, "cpu", 11).questions


class Changed(ReferenceCarrier):
    """The right answers, each changed."""

    def __init__(self, drill: Drill, change: Change) -> None:
        super().__init__(drill)
        self.change = change

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
        return tuple(
            self.change(number, program, outcome) if isinstance(outcome, Finished) else outcome
            for number, (program, outcome) in enumerate(
                zip(programs, super().run(submission, programs), strict=True)
            )
        )


def judged(
    name: str, change: Change, asked: Sequence[DrawnCase], backend: Backend = Backend.NUMPY
) -> tuple[JudgedCase, ...]:
    drill = drill_named(name)
    submission = Submission("mine.py", b"", backend, drill.entries)
    return ask(drill, submission, Changed(drill, change), asked)


def asking_again(drill: Drill, change: Change | None, backend: Backend = Backend.NUMPY) -> Ask:
    """Return what asks the same submission again: the reference, or what is made of it."""
    submission = Submission("mine.py", b"", backend, drill.entries)

    def again(
        asked: Sequence[DrawnCase], _changed: Callable[[bytes], bytes] = bytes, /
    ) -> Sequence[JudgedCase]:
        carrier = ReferenceCarrier(drill) if change is None else Changed(drill, change)
        return ask(drill, submission, carrier, asked)

    return again


def named(drill: Drill, answers: Sequence[JudgedCase], change: Change | None = None) -> set[str]:
    """Every misconception that is told of these answers, at once or at the end."""
    again = asking_again(drill, change)
    told = [each for found in diagnose(drill, answers, again) for each in found or ()]
    return {identifier for diagnosis in told for identifier in diagnosis.misconceptions}


# ── titles of wrong values ───────────────────────────────────────────────────────────────────────


def mistakes() -> Iterator[tuple[str, str]]:
    """Each misconception of values once, in the first drill that has it."""
    seen: set[str] = set()
    for name in FOLDERS:
        for misconception in drill_named(name).misconceptions:
            if misconception.ways and misconception.id not in seen:
                seen.add(misconception.id)
                yield name, misconception.id


def changed_values(outcome: Finished, change: Callable[[Array], Array]) -> Finished:
    def of(value: Returned) -> Returned:
        if isinstance(value, tuple):
            return tuple(of(part) for part in value)
        if isinstance(value, ArrayOutput):
            return dataclasses.replace(value, values=np.asarray(change(value.values)))
        return value + 1 if isinstance(value, int) else value

    return dataclasses.replace(
        outcome, registers={name: of(value) for name, value in outcome.registers.items()}
    )


@pytest.mark.parametrize("name", FOLDERS)
def test_a_mistake_that_is_made_only_sometimes_or_beside_others_is_not_named(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state of a mistake that has one is the same in the search: it is asked the same."""
    drill = drill_named(name)
    monkeypatch.setattr(search, "likely_pairs", lambda _drill, _judged: ())  # they take most time
    mistakes_here = [_first_way(drill, each) for of, each in mistakes() if of == name]
    assert _told_though_made_sometimes(name, mistakes_here) == []


@pytest.mark.parametrize("name", FOLDERS)
def test_two_mistakes_that_are_made_only_sometimes_are_not_named(name: str) -> None:
    """One pair of each drill, from the middle of their list: what is said of one takes a search."""
    every = list(pairs(drill_named(name).misconceptions))
    assert _told_though_made_sometimes(name, every[len(every) // 2 :][:1]) == []


def _told_though_made_sometimes(name: str, tried: Sequence[Mistake]) -> list[tuple[str, ...]]:
    """Return those of the mistakes that are told of answers of which half are others."""
    drill = drill_named(name)
    asked = [each for each in questions(name) if not each.case.costed]
    small = [each for each in asked if each.case.name == SMALL_CASE]
    others = [each for each in asked if each.case.name != SMALL_CASE and each.elements < 300]
    asked = [*small, *others[:FEW]]
    right = judged(name, lambda _number, _program, outcome: outcome, asked)
    elsewhere = judged(
        name, lambda _n, _p, outcome: changed_values(outcome, lambda values: -9 * values - 9), asked
    )
    told = []
    for mistake in tried:
        carrier = ReferenceCarrier(drill, mistake.change())
        submission = Submission("mine.py", b"", Backend.NUMPY, drill.entries)
        mistaken = ask(drill, submission, carrier, asked)
        shown = [place for place, entry in enumerate(mistaken) if entry.off]
        if len(shown) < 2:
            continue  # made once, it is made wherever it shows
        for otherwise in (right, elsewhere):
            answers = list(mistaken)
            for place in shown[::2]:
                in_half = asked[place].case.dtype in HALF_PRECISION
                if otherwise is right or not in_half:  # where a mistake may show in another way
                    answers[place] = otherwise[place]
            if all(answers[place] is mistaken[place] for place in shown):
                continue
            if set(mistake.ids) <= named(drill, answers):
                told.append((*mistake.ids, "right" if otherwise is right else "otherwise wrong"))
    return told


def _first_way(drill: Drill, identifier: str) -> Mistake:
    return next(each for each in singles(drill.misconceptions) if each.ids == (identifier,))


# ── signs ────────────────────────────────────────────────────────────────────────────────────────

NOT_A_NUMBER = np.nan
_generator = np.random.default_rng(5)


def values(change: Callable[[Array], Array]) -> Change:
    return lambda _number, _program, outcome: changed_values(outcome, change)


def gradients(change: Callable[[ArrayOutput], Returned]) -> Change:
    """The right values; each gradient changed."""

    def change_all(_number: int, _program: CallPlan, outcome: Finished) -> Finished:
        registers = {
            name: tuple(change(each) for each in value)  # type: ignore[arg-type, union-attr]  # gradients are tuples of arrays
            if name.startswith("gradients")
            else value
            for name, value in outcome.registers.items()
        }
        return dataclasses.replace(outcome, registers=registers)

    return change_all


def filled(number: float) -> Callable[[ArrayOutput], ArrayOutput]:
    return lambda array: dataclasses.replace(array, values=np.full_like(array.values, number))


def second_call(change: Callable[[Array], Array]) -> Change:
    """Only what a call answers when it is made again is changed."""

    def change_again(_number: int, _program: CallPlan, outcome: Finished) -> Finished:
        changed = changed_values(outcome, change).registers
        return dataclasses.replace(
            outcome,
            registers={
                name: changed[name] if name.endswith("again") else value
                for name, value in outcome.registers.items()
            },
        )

    return change_again


def costing(factor: int, power: int = 1) -> Change:
    """The right answers, with work that grows as this power of n, and is too much of it."""

    def cost(_number: int, program: CallPlan, outcome: Finished) -> Finished:
        measured = [step for step in program.steps if getattr(step, "measured", False)]
        if not measured:
            return outcome
        n = measured[0].args[1].values.shape[-2]  # type: ignore[union-attr]  # a measured step is a call
        return dataclasses.replace(outcome, usage=Usage(factor * n**power, 1))

    return cost


def repeated_for_each_token(number: int, program: CallPlan, outcome: Finished) -> Outcome:
    """Each row once for every token: wrong, and it costs more only because of that."""
    repeated = changed_values(outcome, lambda array: np.stack([array] * array.shape[-2], axis=-3))
    return costing(100, power=2)(number, program, repeated)


def raised(_number: int, _program: CallPlan, _outcome: Finished) -> Outcome:
    return Raised("ValueError", "softmax, scaled_dot_product_attention", 3, 0)


def noisy(number: int, _program: CallPlan, outcome: Finished) -> Finished:
    """Correct the first time, and then anything."""
    if number < 3:
        return outcome
    return changed_values(outcome, lambda array: array + _generator.standard_normal(array.shape))


def after_a_while(number: int, _program: CallPlan, outcome: Finished) -> Finished:
    """Wrong for a question of its own, whatever was asked before."""
    largest = max((part.values.size for part in _arrays(outcome)), default=0)
    return outcome if largest < 30 else changed_values(outcome, lambda array: array * 1.5 + 1)


def _arrays(outcome: Finished) -> list[ArrayOutput]:
    return [each for each in outcome.registers.values() if isinstance(each, ArrayOutput)]


UNTRUE: Mapping[Sign, Sequence[tuple[str, Change]]] = {
    Sign.INPUT_CHANGED: [("twice the values", values(lambda array: 2 * array))],
    Sign.RESULT_CHANGED: [("another answer", second_call(lambda array: array + 1))],
    Sign.NO_GRADIENT: [
        ("NaN", gradients(filled(NOT_A_NUMBER))),
        ("zeros", gradients(filled(0.0))),
        ("twice", gradients(lambda each: dataclasses.replace(each, values=2 * each.values))),
    ],
    Sign.GRADIENT_NOT_FINITE: [
        ("none", gradients(lambda _each: None)),
        ("large", gradients(filled(1e30))),
        ("NaN in values too", values(lambda array: array * NOT_A_NUMBER)),
    ],
    Sign.WRONG_GRADIENT: [
        ("NaN", gradients(filled(NOT_A_NUMBER))),
        ("none", gradients(lambda _each: None)),
        ("the gradient of wrong values", values(lambda array: 3 * array)),
    ],
    Sign.TWO_ANSWERS: [("the same wrong one", values(np.cos))],
    Sign.STATE_KEPT: [("chance", noisy), ("a large question", after_a_while)],
    Sign.LOW_PRECISION: [
        ("decimals", values(lambda array: np.round(array, 3))),
        ("a factor", values(lambda array: array * (1 + 1e-4))),
        ("an addend", values(lambda array: array + 1e-3)),
    ],
    Sign.FORBIDDEN_CALL: [("an error that names it", raised)],
    Sign.COST: [
        ("linear, and slow", costing(5000)),
        ("each row many times", repeated_for_each_token),
    ],
}  # fmt: skip
"""By sign, submissions of which its title is false."""

DRILL_OF = {Sign.COST: "linear-attention"}


def test_every_sign_has_submissions_that_must_not_be_told_it() -> None:
    assert set(UNTRUE) == set(Sign)


@pytest.mark.parametrize(
    ("sign", "what"), [(sign, what) for sign, each in UNTRUE.items() for what, _ in each]
)
def test_a_sign_is_named_only_where_just_that_was_seen(sign: Sign, what: str) -> None:
    name = DRILL_OF.get(sign, "attention")
    drill = drill_named(name)
    change = dict(UNTRUE[sign])[what]
    answers = judged(name, change, questions(name, Backend.TORCH), Backend.TORCH)
    assert not all(entry.passed for entry in answers)
    title = drill.misconception_of(sign)
    assert title is not None
    assert title.id not in named(drill, answers, change)


# ── facts ────────────────────────────────────────────────────────────────────────────────────────


def each_question(*changes: Callable[[Array], Array]) -> Change:
    """The changes in turn, question by question."""
    turns = itertools.cycle(changes)

    def change(number: int, _program: CallPlan, outcome: Finished) -> Finished:
        return changed_values(outcome, next(turns))

    return change


def of_form(change: Callable[[int, ArrayOutput], Returned]) -> Change:
    def change_form(number: int, _program: CallPlan, outcome: Finished) -> Finished:
        registers = {
            name: change(number, value) if isinstance(value, ArrayOutput) else value
            for name, value in outcome.registers.items()
        }
        return dataclasses.replace(outcome, registers=registers)

    return change_form


def where(condition: Callable[[CallPlan], bool], change: Callable[[Array], Array]) -> Change:
    def change_some(_number: int, program: CallPlan, outcome: Finished) -> Finished:
        return changed_values(outcome, change) if condition(program) else outcome

    return change_some


def _dtype(program: CallPlan) -> str:
    return str(program.steps[0].args[0].dtype)  # type: ignore[union-attr]  # a call with arrays


def _axes(program: CallPlan) -> int:
    return int(program.steps[0].args[0].values.ndim)  # type: ignore[union-attr]  # the same


FALSE: Mapping[Kind, Sequence[tuple[str, Change, str]]] = {
    "dtype": [
        (
            "attention",
            of_form(
                lambda _n, each: dataclasses.replace(each, dtype="float16", values=2 * each.values)
            ),
            "values are right",
        )
    ],
    "shape": [
        (
            "attention",
            of_form(lambda _n, each: dataclasses.replace(each, values=1 + each.values[None])),
            "numbers are right",
        )
    ],
    "kind": [
        (
            "attention",
            of_form(lambda number, each: OtherOutput("str", "“a”") if number % 2 else each),
            "returned None",
        ),
        (
            "attention",
            of_form(
                lambda number, each: OtherOutput("str", "“a”")
                if number % 2
                else dataclasses.replace(each, values=3 + each.values)
            ),
            "It returned",
        ),
    ],
    "not-finite": [
        ("attention", each_question(lambda o: o * NOT_A_NUMBER, lambda o: o + 1), "There is NaN")
    ],
    "zero": [
        ("softmax", values(lambda o: np.where(o == 0, 1e-22, 2 * o)), "are only close to 0")
    ],
    "condition": [
        (
            "attention",
            where(
                lambda program: _dtype(program) == "float64" and _axes(program) == 5,
                lambda o: o + np.cos(o),
            ),
            "with float64 inputs, ",
        )
    ],
    "gradient": [
        ("attention", values(lambda o: 2 * o), "All values are right"),
        ("attention", gradients(filled(NOT_A_NUMBER)), "is right"),
    ],
    "effect": [
        ("attention", values(lambda o: 3 * o + 5), "change"),
        ("attention", values(lambda o: o + np.sum(o)), "Changes of"),
    ],
}  # fmt: skip
"""By kind of fact: a drill, answers, and words that would be false of them."""


def test_every_kind_of_fact_has_answers_of_which_it_is_false() -> None:
    assert set(FALSE) == set(get_args(Kind)) - {"loop"}  # read in the code, not in answers


@pytest.mark.parametrize(
    ("kind", "number"),
    [(kind, number) for kind, each in FALSE.items() for number in range(len(each))],
)
def test_a_fact_is_told_only_where_it_holds(kind: Kind, number: int) -> None:
    name, change, words = FALSE[kind][number]
    drill = drill_named(name)
    answers = judged(name, change, questions(name, Backend.TORCH), Backend.TORCH)
    assert not all(entry.passed for entry in answers)
    again = asking_again(drill, change, Backend.TORCH)
    told = [fact.text for fact in observe(drill, answers, again) if fact.kind == kind]
    assert not any(words in text for text in told), told


@pytest.mark.parametrize("name", FOLDERS)
def test_sizes_are_called_as_the_brief_calls_them(name: str) -> None:
    drill = drill_named(name)
    brief = (FOLDERS[name] / "brief.md").read_text()
    shapes = brief.partition("## Shapes")[2].partition("## ")[0]
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]*`", shapes))))
    assert drill.domain is not None
    words |= drill.domain.spans.keys()  # the lines that are shown below the shapes
    sizes = {size for question in questions(name) for size in known_sizes(drill, question)}
    told = {drill.told_as.get(size, size) for size in sizes}
    assert told <= words
