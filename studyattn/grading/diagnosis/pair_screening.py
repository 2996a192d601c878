"""Which pairs of mistakes are worth trying on a submission: what each does alone rules out most.

There are thousands of pairs, and running the reference with each on one question takes a fraction
of a millisecond. What one mistake does to a few tiny questions is found once and holds for all its
pairs. Whether a pair explains the submission is left to `diagnosis`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from studyattn.grading.compare import agree
from studyattn.grading.drawn_case import DrawnCase, predicted
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase, most_telling
from studyattn.grading.misconception import Mistake, pairs, singles
from studyattn.grading.oracle import Answer, Failed, leaves

PROBES = 9
"""Questions that each mistake is tried on alone."""

Effects = Mapping[int, frozenset[int]]
"""By the identity of a way: the probes that it answers otherwise than right."""


def likely_pairs(drill: Drill, judged: Sequence[JudgedCase]) -> Iterator[Mistake]:
    """The pairs that the answers to the smallest questions do not speak against.

    A submission that is right where one mistake of a pair alone is wrong, and wrong where neither
    is, does not have both: one mistake hardly ever makes up for another.
    """
    probes = [place for place in most_telling(judged) if judged[place].comparisons][:PROBES]
    passed = frozenset(place for place in probes if not judged[place].off)
    wrong = frozenset(probes) - passed
    effects = _effects(drill, judged, probes)
    for pair in pairs(drill.misconceptions):
        first, second = (effects[id(way)] for way in pair.ways)
        if not (passed & (first ^ second) or wrong - (first | second)):
            yield pair


def _effects(drill: Drill, judged: Sequence[JudgedCase], probes: Sequence[int]) -> Effects:
    """Find what each mistake alone does to each of the probes, which are places in `judged`."""
    return {
        id(mistake.ways[0]): frozenset(
            place
            for place in probes
            if not _is_right(
                judged[place].question, predicted(drill, mistake, judged[place].question)
            )
        )
        for mistake in singles(drill.misconceptions)
    }


def _is_right(question: DrawnCase, answers: Mapping[str, Answer] | Failed) -> bool:
    if isinstance(answers, Failed):
        return False
    values = [value for _register, _part, value in leaves(answers)]
    return len(values) == len(question.expected) and all(
        agree(leaf.values, value, leaf.tolerance)
        for leaf, value in zip(question.expected, values, strict=True)
    )
