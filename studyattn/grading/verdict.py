"""The report on an attempt, as plain data: for the terminal, the app and `--json` alike.

Its fields are those of the JSON object. `SCHEMA` numbers their layout, and
`docs/report.schema.json` describes it, written by `python -m docs.report_schema`. A report
holds no function, so it can be pickled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile
from typing import Any, Literal, Self

from studyattn.errors import InputError

SCHEMA: Literal[1] = 1
"""The version of a report's layout. A field may be added; any other change makes a new version."""

ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)?", re.DOTALL)
"""Sequences that a terminal obeys instead of showing (ECMA-48)."""


class Verdict(StrEnum):
    """The outcome of an attempt."""

    PASSED = "passed"
    WRONG = "wrong"
    ERROR = "error"  # it raised
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASHED = "crashed"
    REFUSED = "refused"  # a forbidden call
    INVALID = "invalid"  # does not import, has no entry, takes other arguments
    STEP = "step"  # of a long drill some steps are right, and the others not written yet


NOT_WRITTEN = "this is not written yet"
"""Begins the message on code that raises NotImplementedError, as a starter does."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case. `max_error` and `tolerance` are of the value that failed, or came closest."""

    name: str
    passed: bool
    message: str = ""
    max_error: float | None = None
    tolerance: float | None = None


@dataclass(frozen=True, slots=True)
class NamedMistake:
    """A misconception as a report names it. `in_values`: it shows in wrong values.

    `concept` is the slug of what to review, `formula` the line of mathematics that it breaks.
    """

    id: str
    title: str
    formula: str
    concept: str
    in_values: bool = True


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Misconceptions that the submission has: one, or several at once.

    `explained` of the `failed` questions are answered just as the mistaken reference answers them,
    to within `max_error`. The fields after it say the same in short: ids, titles in one sentence
    after the other, formulas, the first concept, and `explained/failed`.
    """

    mistakes: tuple[NamedMistake, ...]
    explained: int
    failed: int
    max_error: float = 0.0
    misconceptions: tuple[str, ...] = field(init=False)
    title: str = field(init=False)
    formulas: tuple[str, ...] = field(init=False)
    concept: str = field(init=False)
    cases: str = field(init=False)

    def __post_init__(self) -> None:
        derived = {
            "misconceptions": tuple(mistake.id for mistake in self.mistakes),
            "title": " ".join(mistake.title for mistake in self.mistakes),
            "formulas": tuple(mistake.formula for mistake in self.mistakes),
            "concept": self.mistakes[0].concept,
            "cases": f"{self.explained}/{self.failed}",
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class Observation:
    """A fact about wrong answers, for where no mistake of the drill explains them.

    `kind` is one word for programs: `dtype`, `zero`, `shape`, `kind`, `not-finite`, `effect`,
    `condition`, `gradient` or `loop`. In older reports it may be `nearest`, with the
    `misconception` that explained most.
    """

    kind: str
    text: str
    misconception: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One edit of the learner's file, with which, or with those after it, the drill passes.

    `hint` says what is wrong about `before` in `line`; `after` is what would be right there, which
    a learner sees on request.
    """

    line: int
    hint: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest question found that shows the mistake.

    `expected`, `got` and `wrong` are nested lists or numbers of the same shape, unless the answer
    had another shape: then `wrong` is None. `got` is a sentence when nothing came back. `asked` is
    how the inputs are given where that is unusual, "float64, transposed in memory". `python` is a
    program that makes the calls beside the learner's file and prints the difference.
    """

    inputs: Mapping[str, Any]
    expected: Any
    got: Any
    where: str
    wrong: Any = None
    asked: str = ""
    python: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost that the costed case used, and its limit."""

    flops: int
    limit: int | None
    largest_array: int
    largest_allowed: int | None = None


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step of a long drill: its function, its title, its verdict. None: not written yet."""

    name: str
    title: str
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that grading finds out about one attempt."""

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
    observations: tuple[Observation, ...] = ()  # where no mistake explains it, best first
    repair: tuple[Change, ...] = ()  # found by trying, checked on every question
    printed: str = ""  # by the submission on the smallest input, control characters left out
    backend_reason: str = ""  # why this backend, where the file decided
    steps: tuple[StepResult, ...] = ()  # of a long drill; the last one is the whole
    complete: bool = True  # false while the mistake is looked for: only the verdict is final
    schema: Literal[1] = SCHEMA
    passed: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "passed", self.verdict is Verdict.PASSED)

    @property
    def steps_passed(self) -> int:
        """The number of steps that are right, from the first on."""
        return steps_passed(self.steps)

    @property
    def step(self) -> int:
        """The number of the step that this report is on, from 1; 0 where it is on the whole."""
        return step_asked(self.steps)

    @property
    def is_named(self) -> bool:
        """True if a mistake is named that explains all that is wrong, or that was seen."""
        return any(each.explained in {0, each.failed} for each in self.diagnosis)

    def to_json(self) -> dict[str, Any]:
        """Return the object that `drill grade --json` prints, ready for `json.dumps`.

        It has only finite numbers: NaN and infinities are the words "nan", "inf" and "-inf".
        """
        import msgspec

        found: dict[str, Any] = finite(msgspec.to_builtins(self))
        return found

    @classmethod
    def from_json(cls, report: Mapping[str, Any] | str | bytes) -> Self:
        """Return the report that `to_json` gave, from the object or from its text.

        InputError when it is not a report of this schema; one of an earlier version is not.
        """
        import msgspec

        try:
            fields = dict(json.loads(report) if isinstance(report, str | bytes) else report)
            shown = fields.get("counterexample")
            if isinstance(shown, Mapping):
                values = {name: _numbers(shown[name]) for name in shown.keys() - _TEXTS}
                fields["counterexample"] = {**shown, **values}
            fields["diagnosis"] = [_with_counts(each) for each in fields["diagnosis"]]
            return msgspec.convert(fields, cls)
        except (ValueError, TypeError, LookupError) as error:
            raise InputError(f"this report does not have schema {SCHEMA}: {error}") from error


_HEADLINES: Mapping[str, str] = {
    Verdict.PASSED: "Passed",
    Verdict.WRONG: "Not yet",
    Verdict.ERROR: "Your code raised an error",
    Verdict.TIMEOUT: "Time limit exceeded",
    Verdict.MEMORY: "Memory limit exceeded",
    Verdict.CRASHED: "Your code crashed",
    Verdict.REFUSED: "Refused",
    Verdict.INVALID: "Could not load your file",
    Verdict.STEP: "Right so far",
}


def steps_passed(steps: Sequence[StepResult]) -> int:
    """Return how many are right, from the first on."""
    return len(list(takewhile(lambda each: each.verdict is Verdict.PASSED, steps)))


def step_asked(steps: Sequence[StepResult]) -> int:
    """Return the number of the step that is to be mended, while the whole is not written; or 0."""
    at = steps_passed(steps)
    is_part = at < len(steps) and steps[-1].verdict is None
    return at + 1 if is_part and steps[at].verdict is not None else 0


def headline(verdict: str, message: str = "") -> str:
    """Return a verdict in words; `message` tells code that raised from what is not written yet."""
    if message.startswith(NOT_WRITTEN):
        return "Not written yet"
    return _HEADLINES.get(verdict, verdict)


READY_MADE = ("flash_attn", "xformers", "transformers", "jax", "tensorflow", "keras")
"""Libraries that no submission may import: they come with attention."""


def refusal(name: str) -> str:
    """Say why a call of what has this name is refused."""
    if name.startswith("torch."):  # what a drill forbids is named without its module
        return f"{name} cannot be used: the file is graded with numpy arrays"
    if name in READY_MADE:
        return f"{name} comes with attention ready-made: use numpy or torch alone"
    return f"{name} solves the exercise by itself"


def simplest(names: Sequence[str], most: int) -> list[str]:
    """Return up to `most` names of cases: those that join fewest conditions, in the same order."""
    places = sorted(range(len(names)), key=lambda place: names[place].count(","))[:most]
    return [names[place] for place in sorted(places)]


def alike(verdict: str, messages: Sequence[str]) -> str:
    """Return a sentence for the message that all failed cases of wrong code share, "" for none."""
    if verdict != Verdict.WRONG or len(messages) < 2 or len(set(messages)) > 1 or not messages[0]:
        return ""
    return sentence(messages[0])


def sentence(message: str) -> str:
    """Return the message of several cases, which say no more than it, as a sentence."""
    told = f"It {message}" if message.startswith("returned ") else f"Each: {message}"
    return told if told.endswith("?") else f"{told}."


def short(name: str) -> str:
    """Return a case's name with its first two conditions, which a person reads at a glance."""
    return ", ".join(name.split(", ")[:2])


def legible(text: str) -> str:
    """`text` without what would move a terminal's cursor or colour it; tabs are spaces."""
    plain = ESCAPES.sub("", text).expandtabs(4)
    return "".join(each for each in plain if each.isprintable() or each == "\n")


def finite(value: Any) -> Any:
    """Return `value` with words for NaN and infinities, for which JSON has no numbers."""
    if isinstance(value, dict):
        return {key: finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [finite(entry) for entry in value]
    if isinstance(value, float) and value - value != 0:
        return str(value)  # "nan", "inf", "-inf"
    return value


def _with_counts(diagnosis: Mapping[str, Any]) -> dict[str, Any]:
    """Return a diagnosis with the fields that reports of 0.1 have only in words, or not."""
    explained, _, failed = str(diagnosis["cases"]).partition("/")
    mistakes = [{"formula": "", **each} for each in diagnosis["mistakes"]]
    counts = {"explained": int(explained or 0), "failed": int(failed or 0)}
    return {**counts, **diagnosis, "mistakes": mistakes}


def _numbers(value: Any) -> Any:
    """Return `value` as it was before `finite`."""
    if isinstance(value, Mapping):
        return {key: _numbers(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_numbers(entry) for entry in value]
    return float(value) if value in _NOT_FINITE else value


_TEXTS = {"where", "asked", "python"}
"""Fields of a counterexample that hold no numbers."""

_NOT_FINITE = ("nan", "inf", "-inf")
