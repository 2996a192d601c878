"""Search for the small change of a submission that makes it right.

The change that passes is the diagnosis: its line, what stands there and what would be right. It is
true by construction, because the changed code answers every question of the attempt and of a fresh
draw. Candidates are `edits`'; they run many to a worker, on the smallest questions first, and those
in statements whose value the reference does not make come first.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import ArrayInput, ArrayOutput, CallPlan, Finished, Outcome
from studyattn.grading.diagnosis.edits import Edit, Kind, applied, edits_of, intermediates
from studyattn.grading.drill import Drill, arguments
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.oracle import try_out
from studyattn.grading.submission import Submission
from studyattn.grading.tolerance import EPSILON

SECONDS = 2.0
"""Time for a repair by one edit, by the clock."""

SECONDS_FOR_TWO = 10.0
"""Time for a repair by one edit or two."""

AT_ONCE = 512
"""Candidates of one worker."""

PANELS = (1, 6, 24)
"""Questions that a candidate is asked in turn, before it is asked all of the attempt."""

PATIENCE = (0.25, 1.0, 5.0)
"""Seconds for the answers to each of these panels: a candidate may loop without end."""

PROMISING = 8
"""Edits that are tried with a second one: they make some wrong answers right, and none wrong."""

ENOUGH = 12
"""Numbers handed over in a question whose values on the way can be told from each other."""


class Bench(Protocol):
    """Runs and judges candidates, for one submission to one drill."""

    def run(
        self, sources: Sequence[bytes], programs: Sequence[CallPlan], seconds: float
    ) -> Iterator[tuple[Outcome, ...]]:
        """Yield what each source answers to the programs; see `Runner.variants`."""

    def judge(self, asked: JudgedCase, outcome: Outcome) -> JudgedCase:
        """Compare an outcome with the right answer to a question."""

    def passes(self, source: bytes) -> bool:
        """Return whether a source passes on all questions of the attempt and of a fresh draw."""


def find(
    drill: Drill,
    submission: Submission,
    answers: Sequence[JudgedCase],
    bench: Bench,
    seconds: float = SECONDS,
) -> tuple[Edit, ...]:
    """Return the edits that make a submission right: the plainest one, or else two.

    The second one is an edit of what the first one left. Empty where none is found in `seconds`,
    and where no edit can help: only the cost is over a limit.
    """
    search = _Search(drill, submission, answers, bench, time.monotonic() + seconds)
    try:
        return search.edits()
    except (SyntaxError, ValueError, RecursionError):  # of a file that is no longer Python then
        return ()


class _Search:
    """The search for one submission."""

    def __init__(
        self,
        drill: Drill,
        submission: Submission,
        answers: Sequence[JudgedCase],
        bench: Bench,
        deadline: float,
    ) -> None:
        self._drill = drill
        self._submission = submission
        self._bench = bench
        self._deadline = deadline
        asked = [entry for entry in answers if not entry.question.case.costed]
        asked.sort(key=lambda entry: entry.question.elements)
        self._wrong = [entry for entry in asked if entry.wrong or entry.changed]
        # In turn: a change that mends one kind of question often breaks the other.
        both = itertools.zip_longest(
            _varied(self._wrong), _varied(entry for entry in asked if entry.passed)
        )
        panel = [entry for pair in both for entry in pair if entry is not None]
        ends = (0, *PANELS)
        parts = [panel[begin:end] for begin, end in itertools.pairwise(ends)]
        self._panels = [each for each in zip(parts, PATIENCE, strict=True) if each[0]]

    def edits(self) -> tuple[Edit, ...]:
        if not self._wrong:
            return ()
        source = self._submission.source
        trusted = self._right_lines()
        edits = edits_of(source)
        found = self._first(source, sorted(edits, key=lambda edit: _order(edit, trusted)))
        if found is not None:
            return (found,)
        for edit in self._promising(source, edits):
            then = applied(source, edit)
            second = self._first(then, _plain(edits_of(then)))
            if second is not None:
                return edit, second
        return ()

    def _first(self, source: bytes, edits: Sequence[Edit]) -> Edit | None:
        """Return the first of `edits` with which `source` passes."""
        for begin in range(0, len(edits), AT_ONCE):
            some: Sequence[Edit] = edits[begin : begin + AT_ONCE]
            for panel, seconds in self._panels:
                some = [
                    edit
                    for edit, right in self._tried(source, some, panel, seconds)
                    if right == len(panel)
                ]
            for edit in some:
                if not self._is_over() and self._bench.passes(applied(source, edit)):
                    return edit
            if self._is_over():
                return None
        return None

    def _promising(self, source: bytes, edits: Sequence[Edit]) -> list[Edit]:
        """Return the edits that make more answers right, those first that make most."""
        panel = _varied(self._wrong)[:4]
        found = [
            (right, edit)
            for edit, right in self._tried(source, _plain(edits), panel, PATIENCE[1])
            if right
        ]
        found.sort(key=lambda each: (-each[0], each[1].kind.rank))
        return [edit for _, edit in found[:PROMISING]]

    def _tried(
        self, source: bytes, edits: Sequence[Edit], panel: Sequence[JudgedCase], seconds: float
    ) -> Iterator[tuple[Edit, int]]:
        """Yield edits with the number of questions that are answered rightly, until time is up."""
        if not edits or self._is_over():
            return
        programs = [entry.question.program for entry in panel]
        sources = [applied(source, edit) for edit in edits]
        answered = self._bench.run(sources, programs, seconds)
        for edit, outcomes in zip(edits, answered, strict=False):
            with np.errstate(all="ignore"):
                right = sum(entry.passed for entry in map(self._bench.judge, panel, outcomes))
            yield edit, right
            if self._is_over():
                return

    def _is_over(self) -> bool:
        return time.monotonic() > self._deadline

    def _right_lines(self) -> frozenset[int]:
        """Return the lines of statements that make a value which the reference makes too."""
        asked = _telling(self._wrong)
        question = asked.question
        most = 100 * EPSILON.get(question.case.dtype, 0.0)
        given = [
            np.sort(argument.values, axis=None)
            for call in question.calls
            for argument in arguments(call)
            if isinstance(argument, ArrayInput)
        ]
        known = [
            each
            for each in _values_on_the_way(self._drill, question.narrow)
            if not any(_alike(each, other, most) for other in given)
        ]
        source = self._submission.source
        edits = intermediates(source, self._submission.entries)
        sources = [applied(source, edit) for edit in edits]
        lines: set[int] = set()
        answered = self._bench.run(sources, [question.program], PATIENCE[1])
        for edit, (outcome, *_) in zip(edits, answered, strict=True):
            if isinstance(outcome, Finished):
                values = outcome.registers.get("result")
                if isinstance(values, ArrayOutput):
                    mine = np.sort(values.values, axis=None)
                    if any(_alike(mine, each, most) for each in known):
                        lines.update(range(edit.line, edit.line + edit.before.count("\n") + 1))
        return frozenset(lines)


def _order(edit: Edit, trusted: frozenset[int]) -> tuple[bool, int]:
    return edit.line in trusted, edit.kind.rank


def _plain(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits of which two are tried at once: none that adds something."""
    return [edit for edit in edits if edit.kind.rank <= Kind.NAME.rank]


def _varied(entries: Iterable[JudgedCase]) -> list[JudgedCase]:
    """Return the entries, the first one of each case before all others."""
    seen: set[str] = set()
    first: list[JudgedCase] = []
    others: list[JudgedCase] = []
    for entry in entries:
        name = entry.question.case.name
        (others if name in seen else first).append(entry)
        seen.add(name)
    return first + others


def _telling(wrong: Sequence[JudgedCase]) -> JudgedCase:
    """Return the smallest wrong answer with values that can be told apart."""
    cases = [
        entry
        for entry in wrong
        if entry.question.case.dtype in {"float32", "float64"} and not entry.question.case.whole
    ]
    return next((each for each in cases if each.question.elements >= ENOUGH), (cases or wrong)[-1])


def _alike(one: NDArray[Any], other: NDArray[Any], most: float) -> bool:
    """Return whether two sorted arrays hold the same numbers: their shapes may differ."""
    return one.shape == other.shape and np.allclose(one, other, most, most, equal_nan=True)


def _values_on_the_way(drill: Drill, program: CallPlan) -> list[NDArray[Any]]:
    """Return the numbers of each array that the reference makes on its way, sorted."""
    found: dict[int, NDArray[Any]] = {}

    def seen(frame: types.FrameType, event: str, returned: object) -> Any:
        if event == "return":
            for value in (returned, *frame.f_locals.values()):
                if isinstance(value, np.ndarray) and value.size and value.dtype.kind in "fiu":
                    found.setdefault(id(value), value)
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
    return [np.sort(value, axis=None) for value in found.values()]
