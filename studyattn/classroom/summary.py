"""The results of a class: drills by success, misconceptions by students, concepts, progress."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from studyattn.classroom.results import MISSING, Result
from studyattn.grading.verdict import NamedMistake
from studyattn.grouping import grouped


@dataclass(frozen=True, slots=True)
class CommonMistake:
    """A named mistake and the students who made it, in some drill."""

    id: str
    title: str
    concept: str
    formula: str
    count: int  # submissions
    students: tuple[str, ...]
    drills: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrillCount:
    """The results of a drill: students who passed, tried and did not, and handed in nothing."""

    drill: str
    passed: int
    failed: int
    missing: int
    verdicts: Mapping[str, int]

    @property
    def share(self) -> float:
        """The share that passed of those who handed it in, from 0 to 1."""
        return self.passed / max(self.passed + self.failed, 1)


@dataclass(frozen=True, slots=True)
class ConceptCount:
    """A concept and the students whose mistakes belong to it."""

    concept: str
    students: tuple[str, ...]
    misconceptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One hand-in of several: when or from which file, and how it went."""

    name: str
    students: int
    handed_in: int
    passed: int
    of: int
    misconceptions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ClassSummary:
    """Everything that a report on a class says of all of it."""

    drills: tuple[DrillCount, ...]
    misconceptions: tuple[CommonMistake, ...]
    concepts: tuple[ConceptCount, ...]
    turns: tuple[Turn, ...] = ()


def summarise(
    results: Sequence[Result], earlier: Iterable[tuple[str, Sequence[Result]]] = ()
) -> ClassSummary:
    """Count the results of a class; `earlier` are those of earlier hand-ins, by name, in order."""
    turns = [*earlier, ("now", results)]
    return ClassSummary(
        tuple(sorted(_drills(results), key=lambda each: (each.share, each.drill))),
        tuple(_misconceptions(results)),
        tuple(_concepts(results)),
        tuple(_turn(name, each) for name, each in turns) if len(turns) > 1 else (),
    )


def by_student(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Return the results of each student."""
    return dict(grouped((each.student, each) for each in results))


def _drills(results: Iterable[Result]) -> Iterable[DrillCount]:
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for each in results:
        verdicts[each.drill][each.verdict] += 1
    for drill, counted in verdicts.items():
        passed, missing = counted["passed"], counted[MISSING]
        yield DrillCount(drill, passed, counted.total() - passed - missing, missing, dict(counted))


def _misconceptions(results: Iterable[Result]) -> list[CommonMistake]:
    """Return the mistakes that explain submissions best, those of most students first."""
    made: dict[str, list[Result]] = defaultdict(list)
    known: dict[str, NamedMistake] = {}
    for each in results:
        for mistake in each.diagnosis[0].mistakes if each.diagnosis else ():
            known[mistake.id] = mistake
            made[mistake.id].append(each)
    found = [
        CommonMistake(
            id=name,
            title=known[name].title,
            concept=known[name].concept,
            formula=known[name].formula,
            count=len(of),
            students=tuple(sorted({each.student for each in of})),
            drills=tuple(sorted({each.drill for each in of})),
        )
        for name, of in made.items()
    ]
    return sorted(found, key=lambda each: (-len(each.students), each.id))


def _concepts(results: Iterable[Result]) -> list[ConceptCount]:
    """Return the concepts of those mistakes, the one to teach again first."""
    students: dict[str, set[str]] = defaultdict(set)
    mistakes: dict[str, Counter[str]] = defaultdict(Counter)
    for each in _misconceptions(results):
        students[each.concept].update(each.students)
        mistakes[each.concept][each.id] += len(each.students)
    found = [
        ConceptCount(
            concept, tuple(sorted(of)), tuple(name for name, _ in mistakes[concept].most_common())
        )
        for concept, of in students.items()
    ]
    return sorted(found, key=lambda each: (-len(each.students), each.concept))


def _turn(name: str, results: Sequence[Result]) -> Turn:
    there = [each for each in results if each.verdict != MISSING]
    return Turn(
        name,
        students=len({each.student for each in results}),
        handed_in=len(there),
        passed=sum(each.passed for each in there),
        of=len(results),
        misconceptions={each.id: len(each.students) for each in _misconceptions(results)},
    )
