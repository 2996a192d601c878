"""Which pairs of mistakes are worth trying on a submission: what each does alone rules out most.

There are thousands of pairs, and running the reference with each on one question takes a fraction
of a millisecond. What one mistake does to a few tiny questions is found once and holds for all its
pairs. Whether a pair explains the submission is left to `diagnosis`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .answered import Answered, most_telling
from .compare import agree
from .drill import Drill
from .misconception import Mistake, pairs, singles
from .oracle import Answer, Failed, leaves, narrowed, try_out
from .question import Question

PROBES = 9
"""Questions that each mistake is tried on alone."""

Effects = Mapping[int, frozenset[int]]
"""By the identity of a way: the probes that it answers otherwise than right."""


def likely_pairs(drill: Drill, judged: Sequence[Answered]) -> Iterator[Mistake]:
    """The pairs that the answers to the smallest questions do not speak against.

    A submission that is right where one mistake of a pair alone is wrong, and wrong where neither
    is, does not have both: one mistake hardly ever makes up for another.
    """
    in_order = [judged[place] for place in most_telling(judged)]
    probes = [entry for entry in in_order if entry.comparisons][:PROBES]
    passed = frozenset(number for number, probe in enumerate(probes) if not probe.wrong)
    wrong = frozenset(range(len(probes))) - passed
    effects = _effects(drill, [probe.question for probe in probes])
    for pair in pairs(drill.misconceptions):
        known = [effects[id(way)] for way in pair.ways if id(way) in effects]
        if len(known) == len(pair.ways):
            first, second = known
            if passed & (first ^ second) or wrong - (first | second):
                continue
        yield pair


def _effects(drill: Drill, probes: Sequence[Question]) -> Effects:
    """What each mistake that keeps no state does, alone, to each of the probes."""
    programs = [narrowed(probe.program) for probe in probes]
    effects: dict[int, frozenset[int]] = {}
    for mistake in singles(drill.misconceptions):
        if mistake.has_state:
            continue
        functions = drill.functions(mistake.steps())
        (way,) = mistake.ways
        effects[id(way)] = frozenset(
            number
            for number, (probe, program) in enumerate(zip(probes, programs, strict=True))
            if not _is_right(probe, try_out(program, functions))
        )
    return effects


def _is_right(question: Question, predicted: Mapping[str, Answer] | Failed) -> bool:
    if isinstance(predicted, Failed):
        return False
    values = [value for _register, _part, value in leaves(predicted)]
    return len(values) == len(question.expected) and all(
        agree(leaf.values, value, leaf.tolerance)
        for leaf, value in zip(question.expected, values, strict=True)
    )
