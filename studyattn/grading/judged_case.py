"""A question with what came of it: what the judge, the diagnosis and the counterexample look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studyattn.grading.call_plan import ArrayInput, Call, Finished, Layout, Outcome, Raised
from studyattn.grading.compare import Comparison
from studyattn.grading.drawn_case import DrawnCase
from studyattn.grading.drill import Case, Variant

SMALL = 64
"""Numbers handed over in a question that takes hardly longer than the smallest."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCase:
    """A question with what came of it. `comparisons` is empty when nothing came back."""

    question: DrawnCase
    outcome: Outcome
    comparisons: tuple[Comparison, ...]
    over_limit: str = ""
    variant: Variant | None = None  # of the reference, where `comparisons` are with its answers

    @property
    def faulty(self) -> list[Comparison]:
        """The parts of the answer with which something is wrong."""
        return [entry for entry in self.comparisons if entry.fault]

    @property
    def wrong(self) -> bool:
        """Something is wrong with an answer, or there is none."""
        return not self.comparisons or bool(self.faulty)

    @property
    def off(self) -> bool:
        """There is an answer, and its values are off."""
        return any(entry.off for entry in self.comparisons)

    @property
    def in_float64(self) -> bool:
        """It answered in float64 although asked in a narrower dtype."""
        return any(entry.wider == "float64" for entry in self.comparisons)

    @property
    def changed(self) -> bool:
        """It changed its inputs."""
        return isinstance(self.outcome, Finished) and bool(self.outcome.changed_inputs)

    @property
    def overwritten(self) -> bool:
        """A later call changed what an earlier one had returned."""
        return isinstance(self.outcome, Finished) and bool(self.outcome.changed_results)

    @property
    def passed(self) -> bool:
        return not (self.wrong or self.changed or self.overwritten or self.over_limit)

    @property
    def about_values(self) -> bool:
        """True when the answers of a mistaken reference can be compared with it.

        They cannot where an input was changed that is read again by another name.
        """
        case = self.question.case
        again = self.changed and any(map(_shares_memory, self.question.calls))
        return not (case.gradients or case.costed or again)


def _shares_memory(call: Call) -> bool:
    """Return whether a change of one entry of an input changes another one."""
    given = [each for each in (*call.args, *call.kwargs.values()) if isinstance(each, ArrayInput)]
    expanded = any(each.layout is Layout.EXPANDED for each in given)
    return expanded or len({id(each.values) for each in given}) < len(given)


def most_telling(answers: Sequence[JudgedCase]) -> list[JudgedCase]:
    """Return the answers, those first that rule out most mistakes at least cost.

    A small question answered wrongly has few explanations. Of those answered rightly, one of each
    size says more than several of one size, and small ones cost least.
    """
    seen: Counter[str] = Counter()

    def key(answered: JudgedCase) -> tuple[bool, bool, int]:
        case, size = answered.question.case, answered.question.elements
        sizes = f"{case.name} {case.sizes}"
        seen[sizes] += 1
        return not answered.off or size > SMALL, seen[sizes] > 1, size

    return sorted(answers, key=key)


def oddity(case: Case) -> int:
    """Count what is unusual about a case: an infinity twice, and whatever its sizes say is so."""
    usual = Case("")
    differs = case.dtype != usual.dtype, case.layout != usual.layout, case.spread != usual.spread
    return sum(differs) + 2 * len(case.forms) + sum(each is True for each in case.sizes.values())


def plainness(answered: JudgedCase) -> tuple[float, ...]:
    """Low for a usual question in which one size is not taken for another, then for a small one."""
    question, case = answered.question, answered.question.case
    sizes = [extent for each in question.program.arrays() for extent in each.values.shape]
    repeated = len(sizes) - len(set(sizes))
    return (case.gradients, oddity(case) + case.whole, 1 in sizes, repeated, question.elements)


def fingerprint(answered: JudgedCase) -> bytes:
    """Return what is equal of answers, and of errors, that are the same to the last digit."""
    outcome = answered.outcome
    if isinstance(outcome, Raised):
        return f"{outcome.type_name} {outcome.line}".encode()
    return b"".join(
        part.values.tobytes() if isinstance(part.values, np.ndarray) else str(part.values).encode()
        for part in answered.comparisons
    )
