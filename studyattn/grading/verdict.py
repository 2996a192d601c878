"""What grading says of an attempt, as data: for the terminal, the app and `--json` alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from studyattn.grading.misconception import Misconception

ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)?", re.DOTALL)
"""Sequences that a terminal obeys instead of showing (ECMA-48)."""


class Verdict(StrEnum):
    """How an attempt ended."""

    PASSED = "passed"
    WRONG = "wrong"
    ERROR = "error"  # it raised
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASHED = "crashed"
    REFUSED = "refused"  # a forbidden call
    INVALID = "invalid"  # does not import, has no entry, takes other arguments


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case. `max_error` and `tolerance` are of the value that failed, or came closest."""

    name: str
    passed: bool
    message: str = ""
    max_error: float | None = None
    tolerance: float | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Misconceptions that the submission has: one, or two at once.

    `explained` of the `failed` questions are answered just as the mistaken reference answers them,
    to within `max_error`.
    """

    misconceptions: tuple[Misconception, ...]
    explained: int
    failed: int
    max_error: float = 0.0

    @property
    def title(self) -> str:
        return " ".join(misconception.title for misconception in self.misconceptions)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(misconception.id for misconception in self.misconceptions)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest question found that shows the mistake.

    `expected`, `got` and `wrong` are nested lists or numbers of the same shape, unless the answer
    had another shape: then `wrong` is None. `got` is a sentence when nothing came back.
    """

    inputs: Mapping[str, Any]
    expected: Any
    got: Any
    where: str
    wrong: Any = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What the costed case used, and what it may use."""

    flops: int
    limit: int | None
    largest_array: int
    largest_allowed: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that grading says of one attempt."""

    drill: str
    verdict: Verdict
    backend: str
    device: str
    cases: tuple[CaseResult, ...]
    diagnosis: tuple[Diagnosis, ...]
    counterexample: Counterexample | None
    cost: Cost | None
    isolation: tuple[str, ...]
    seconds: float
    seed: int
    message: str = ""  # why, when it is no case that says so
    line: int | None = None  # in the learner's file
    remarks: tuple[str, ...] = ()  # on what was accepted, a sentence or two each
    printed: str = ""  # by the submission on the smallest input, control characters left out

    @property
    def passed(self) -> bool:
        return self.verdict is Verdict.PASSED

    def to_json(self) -> dict[str, Any]:
        """The object that `drill grade --json` prints; only finite numbers and None."""
        return {
            "drill": self.drill,
            "verdict": self.verdict.value,
            "passed": self.passed,
            "backend": self.backend,
            "device": self.device,
            "message": self.message,
            "line": self.line,
            "printed": self.printed,
            "cases": [
                {
                    "name": case.name,
                    "passed": case.passed,
                    "message": case.message,
                    "max_error": case.max_error,
                    "tolerance": case.tolerance,
                }
                for case in self.cases
            ],
            "diagnosis": [
                {
                    "misconceptions": list(entry.ids),
                    "title": entry.title,
                    "formulas": [each.formula for each in entry.misconceptions],
                    "concept": entry.misconceptions[0].concept,
                    "mistakes": [
                        {
                            "id": each.id,
                            "title": each.title,
                            "concept": each.concept,
                            "in_values": bool(each.ways),
                        }
                        for each in entry.misconceptions
                    ],
                    "cases": f"{entry.explained}/{entry.failed}",
                    "max_error": entry.max_error,
                }
                for entry in self.diagnosis
            ],
            "counterexample": None
            if self.counterexample is None
            else {
                "inputs": finite(dict(self.counterexample.inputs)),
                "expected": finite(self.counterexample.expected),
                "got": finite(self.counterexample.got),
                "where": self.counterexample.where,
                "wrong": self.counterexample.wrong,
            },
            "remarks": list(self.remarks),
            "cost": None
            if self.cost is None
            else {
                "flops": self.cost.flops,
                "limit": self.cost.limit,
                "largest_array": self.cost.largest_array,
                "largest_allowed": self.cost.largest_allowed,
            },
            "isolation": list(self.isolation),
            "seconds": round(self.seconds, 4),
            "seed": self.seed,
        }


def legible(text: str) -> str:
    """`text` without what would move a terminal's cursor or colour it; tabs are spaces."""
    plain = ESCAPES.sub("", text).expandtabs(4)
    return "".join(each for each in plain if each.isprintable() or each == "\n")


def finite(value: Any) -> Any:
    """`value` with NaN and infinities as the words that JSON has no numbers for."""
    if isinstance(value, dict):
        return {key: finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [finite(entry) for entry in value]
    if isinstance(value, float) and value - value != 0:
        return str(value)  # "nan", "inf", "-inf"
    return value
