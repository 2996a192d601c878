"""The debrief of a drill: what there is to learn from a series that has just been rated.

Your code beside the pack's solution, the mistakes on the way, when it comes back, what comes next.
Two programs are compared by their steps: which array operations they are made of, as written.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from studyattn.grading.submission import tree_of
from studyattn.memory import New, Rating, Remembered
from studyattn.study.concepts.path import read_path
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.practice.drill_views import CodeVersion, OfferedLesson
from studyattn.study.practice.mistakes import lessons_offered
from studyattn.study.profile import Profile
from studyattn.study.review.recorder import RecordedReview
from studyattn.study.rules.mistakes import recognised

_OPERATORS: dict[type[ast.AST], str] = {
    ast.MatMult: "matrix product",
    ast.Div: "division",
    ast.Pow: "power",
}
_LOOPS: dict[type[ast.AST], str] = {
    ast.For: "Python loop",
    ast.While: "Python loop",
    ast.ListComp: "Python loop",
    ast.GeneratorExp: "Python loop",
}
_SAME_STEP = {
    "matrix product": "matmul bmm dot mm",
    "division": "divide div true_divide",
    "power": "pow square",
    "max": "amax",
    "transpose": "T mT swapaxes permute",
    "reshape": "view flatten",
    "where": "masked_fill masked_fill_",
    "concatenation": "concatenate cat",
    "not": "logical_not",
    "": "Tensor ndarray array tensor asarray to astype type float32 float64 contiguous copy clone"
    " item append range len int float bool str tuple list enumerate zip isinstance print finfo"
    " size",
}
"""Names of functions and methods by the step that they are; "" is none."""
_NAMES = {name: step for step, names in _SAME_STEP.items() for name in names.split()}


class StepDifference(NamedTuple):
    """A step that two programs take a different number of times."""

    step: str
    yours: int
    solution: int


def steps_of(source: str) -> Counter[str]:
    """Count the steps of a program; none of text that is not Python."""
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError):
        return Counter()
    nodes = list(ast.walk(tree))
    none = {"", *(each.name for each in nodes if isinstance(each, ast.FunctionDef))}
    found = Counter(map(_step, nodes))
    return Counter({step: times for step, times in found.items() if step not in none})


def _step(node: ast.AST) -> str:
    """Return the step that a node of a program is; empty for none."""
    match node:
        case ast.BinOp() | ast.AugAssign():
            return _OPERATORS.get(type(node.op), "")
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return _NAMES.get(name, name)
        case ast.Attribute(attr="T" | "mT"):
            return _NAMES[node.attr]
    return _LOOPS.get(type(node), "")


def differing_steps(yours: str, solution: str) -> tuple[StepDifference, ...]:
    """Return the steps of which two programs have different numbers, the greatest difference first.

    Empty for two programs with the same steps, whatever their order and their names.
    """
    own, other = steps_of(yours), steps_of(solution)
    found = [
        StepDifference(step, own[step], other[step])
        for step in own.keys() | other.keys()
        if own[step] != other[step]
    ]
    return tuple(sorted(found, key=lambda each: (-abs(each.yours - each.solution), each.step)))


class MistakeMade(NamedTuple):
    """A mistake that grading named in the series."""

    title: str
    times: int
    concept: str  # slug of the concept that explains it


class Debrief(NamedTuple):
    """Everything that the page after a drill shows."""

    id: str
    title: str
    concept: str  # slug of the drill's concept
    backend: str
    code: str  # the version that passed last
    solution: str  # the pack's, in the same backend
    differences: tuple[StepDifference, ...]
    cost: dict[str, Any] | None  # of your code, as `Report.to_json` has it; None: not measured
    mistakes: tuple[MistakeMade, ...]  # in the order in which they were first made
    attempts: int
    due: datetime | None  # when the drill comes back
    cards_back: int  # cards that its mistakes have brought back and that wait
    lessons: tuple[OfferedLesson, ...]  # on its mistakes, of concepts that were never begun
    reached: str | None  # title of what runs as a whole from this drill on
    next_lesson: str | None  # title of the concept that is begun next
    next_drill: str | None  # title of the first drill on the path that was not passed yet


def rate_and_debrief(
    profile: Profile, session: PracticeSession, rating: Rating
) -> tuple[RecordedReview, Debrief | None]:
    """Rate the drill as `PracticeSession.rate` does, and return what there is to learn from it.

    Nothing if no attempt of the series passed: the solution stays hidden then.
    """
    series = [version for version in session.history() if version.current]
    passed = [version for version in series if version.verdict == "passed"]
    rated = session.rate(rating)
    return rated, _debrief(profile, session, series, passed[-1], rated) if passed else None


def _debrief(
    profile: Profile,
    session: PracticeSession,
    series: Sequence[CodeVersion],
    passed: CodeVersion,
    rated: RecordedReview,
) -> Debrief:
    backend = str(passed.report.get("backend", session.brief.backends[0]))
    solution = session.brief.solution(backend).read_text("utf-8")
    mistakes = [each for version in series for each in recognised(version.report)]
    made = Counter((each.title, each.concept) for each in mistakes)
    with profile.database.read() as connection:
        lessons = lessons_offered(connection, session.guid, mistakes)
    path = read_path(profile)
    return Debrief(
        id=session.brief.id,
        title=session.brief.title,
        concept=session.brief.concept,
        backend=backend,
        code=passed.code,
        solution=solution,
        differences=differing_steps(passed.code, solution),
        cost=passed.report.get("cost"),
        mistakes=tuple(MistakeMade(title, times, slug) for (title, slug), times in made.items()),
        attempts=sum(version.verdict is not None for version in series),
        due=rated.after.due if isinstance(rated.after, Remembered) else None,
        cards_back=len(session.brought_back),
        lessons=lessons,
        reached=path.reached_with(session.brief.id) if isinstance(rated.before, New) else None,
        next_lesson=path.next_title,
        next_drill=path.next_drill,
    )
