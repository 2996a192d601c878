"""A long drill in steps: functions that its solution is made of, each graded before the next.

A step is right if the solution passes with the learner's functions up to this one in the place of
its own. So every question, mistake and limit of the whole holds for each step, and a brief declares
no more than names, in its front matter:

    steps:
      split_heads: 2 min, split into heads
      weigh: 4 min, weigh the keys
      multi_head_attention: 3 min, put the parts together

The last one is the whole: what passes it passes all of them, however it is written. A learner reads
the same list below the task; the minutes are shares of the time that the drill takes this learner.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from studyattn.errors import DrillError
from studyattn.grading.submission import LENT, Rest, SourceFile, Submission, module_name, tree_of
from studyattn.grading.verdict import StepResult, Verdict, steps_passed

_LINE = re.compile(r"(\d+) min, (.+)")

_SHOWN = "the steps that follow"
"""The file in which an error is raised when a step returned what the next one cannot use."""


@dataclass(frozen=True, slots=True)
class DrillStep:
    """One step: the name of its function or class, a few words, and minutes at first writing."""

    name: str
    title: str
    minutes: int


def parse(declared: Mapping[str, str], where: str) -> tuple[DrillStep, ...]:
    """Return the steps that a brief declares. DrillError where a line of it cannot be read."""
    steps = []
    for name, said in declared.items():
        found = _LINE.fullmatch(str(said))
        if found is None:
            raise DrillError(
                f"the step {name} is {said!r}", where=where, advice="Write MINUTES min, TITLE."
            )
        steps.append(DrillStep(name, found[2], int(found[1])))
    return tuple(steps)


def told(steps: Sequence[DrillStep]) -> str:
    """Return what a learner reads of them, in Markdown."""
    lines = (f"{at}. `{each.name}`: {each.title}" for at, each in enumerate(steps, 1))
    return "\n".join([*_HOW, *lines])


_HOW = (
    "Each step is graded on its own, in this order, on the same day or another one. Code that does",
    "the whole passes all of them, however it is written.",
    "",
)


def in_folder(folder: Path, stem: str, backend: str) -> Path:
    """Return a drill's file of this name for this backend, or the one for all of them."""
    own = folder / f"{stem}_{backend}.py"
    return own if own.is_file() else folder / f"{stem}.py"


def up_to(submission: Submission, steps: Sequence[DrillStep], folder: Path) -> Submission:
    """Return a submission of which these steps alone are asked: the solution does the rest.

    The worker gets no more of the solution than that: what a step should be is not there to find.
    """
    own = tuple(each.name for each in steps)
    source = _without(own, in_folder(folder, "solution", submission.backend).read_bytes())
    file = SourceFile(_SHOWN, source, f"{LENT}{module_name(folder.name)}")
    return dataclasses.replace(submission, rest=Rest(file, own))


@functools.lru_cache(maxsize=64)
def _without(names: tuple[str, ...], source: bytes) -> bytes:
    """Return a program without the functions and classes of these names."""
    import ast  # late: most commands read briefs and grade nothing

    tree = tree_of(source)
    tree.body = [each for each in tree.body if getattr(each, "name", None) not in names]
    return ast.unparse(tree).encode()


def look(
    steps: Sequence[DrillStep],
    folder: Path,
    submission: Submission,
    whole: Verdict | None,
    ask: Callable[[Submission], Verdict | None],
) -> tuple[StepResult, ...]:
    """Return how far a submission has come. None is the verdict on what is not written yet.

    The latest step that is written is asked first: those before it are usually right. The last one
    that `ask` does not find right is the one to mend, and those after it are not looked at.
    """
    count = len(steps)
    verdicts: list[Verdict | None] = [Verdict.PASSED] * count
    if steps and whole is not Verdict.PASSED:
        has = _written(submission.source)
        verdicts = [*(None for _ in steps[1:]), whole if steps[-1].name in has else None]
        written = len(list(takewhile(lambda step: step.name in has, steps[:-1])))
        for last in range(written, 0, -1):
            told = ask(up_to(submission, steps[:last], folder))
            if told is Verdict.PASSED:
                verdicts[:last] = [told] * last
                break
            verdicts[last - 1 : -1] = [told] + [None] * (count - 1 - last)
    pairs = zip(steps, verdicts, strict=True)
    return tuple(StepResult(step.name, step.title, each) for step, each in pairs)


def _written(source: bytes) -> set[str]:
    """Return the words of a program but the functions and classes that a starter has."""
    import ast  # late: most commands read briefs and grade nothing

    def is_starter(node: ast.stmt) -> bool:
        match node:
            case ast.FunctionDef(body=[*_, ast.Raise()]):
                return True
            case ast.ClassDef(body=body):
                methods = [each for each in body if isinstance(each, ast.FunctionDef)]
                return bool(methods) and all(map(is_starter, methods))
        return False

    try:
        body = tree_of(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    starters = {getattr(each, "name", "") for each in body if is_starter(each)}
    return set(re.findall(r"\w+", source.decode("utf-8", "replace"))) - starters


def after(results: Sequence[StepResult]) -> str:
    """Return the sentence about the step that comes next."""
    done = steps_passed(results)
    following = results[done]
    return f"Next is step {done + 1} of {len(results)}: {following.title} (`{following.name}`)."
