"""Words that the facts of a report share."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Literal

from studyattn.grading.call_plan import Argument
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.verdict import Observation

Kind = Literal[
    "dtype",
    "zero",
    "shape",
    "kind",
    "not-finite",
    "factor",
    "near",
    "input",
    "exchanged",
    "axes",
    "part",
    "calls",
    "place",
    "condition",
    "gradient",
    "sometimes",
    "nearest",
]
"""What a fact is about, for programs."""


def said(kind: Kind, text: str, misconception: str | None = None) -> Observation:
    return Observation(kind, text, misconception)


def every(wrong: Sequence[JudgedCase]) -> str:
    """All wrong answers, where a fact holds for all of them, or the only one."""
    return "Every wrong answer" if len(wrong) > 1 else "The one wrong answer"


def in_every(wrong: Sequence[JudgedCase]) -> str:
    return "In every wrong answer" if len(wrong) > 1 else "In the one wrong answer"


def listed(messages: Iterable[str]) -> str:
    """Different messages once, at most two of them."""
    return "; ".join(list(dict.fromkeys(messages))[:2])


def joined(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def be(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def part_name(drill: Drill, place: int) -> str:
    return drill.parts[place] if place < len(drill.parts) else f"result {place + 1}"


def axis_name(drill: Drill, axis: int) -> str:
    """Name what an axis counts, given its number from the end."""
    names = ("batch entry", *drill.axes)
    name = names[axis] if -axis <= len(names) else names[0]
    return {"batch": "batch entry"}.get(name, name)


def named_inputs(drill: Drill, entry: JudgedCase) -> list[tuple[str, Argument]]:
    """The arguments of a question's first call, by the reference's names."""
    call = entry.question.calls[0]
    names = [
        name
        for name in inspect.signature(drill.reference[call.function]).parameters
        if name != "steps"
    ]
    return [*zip(names, call.args, strict=False), *call.kwargs.items()]
