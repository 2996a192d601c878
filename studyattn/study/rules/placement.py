"""Choose concepts to ask about at the beginning, and judge the others by the answers. Pure.

A right answer speaks for its concept and for all that it requires, a wrong one against its concept
and all that requires it. What no answer decides is judged by random orders of learning: of all
their beginnings that agree with the answers, most have the concept or most do not.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

QUESTIONS = 12
"""The most questions that are asked."""

_ORDERS = 100  # of learning, to judge what is left undecided by
_SEED = 1


class Prerequisites:
    """Concepts in learning order with what each requires, directly and through others.

    A set of concepts is a number whose bits are the places of its concepts in the order.
    """

    def __init__(self, requires: Mapping[str, Collection[str]]) -> None:
        """`requires` has the concepts in learning order; one that is not among them is ignored."""
        self.slugs = tuple(requires)
        self._place = {slug: at for at, slug in enumerate(self.slugs)}
        self._direct = tuple(
            tuple(sorted({self._place[each] for each in needed if each in self._place}))
            for needed in requires.values()
        )
        self.below = tuple(self._reach(at) for at in range(len(self.slugs)))
        """Of each concept: itself and all that it requires."""
        self.above = tuple(
            sum(1 << other for other, reach in enumerate(self.below) if reach >> at & 1)
            for at in range(len(self.slugs))
        )
        """Of each concept: itself and all that requires it."""

    def decided(self, answers: Mapping[str, bool]) -> tuple[int, int]:
        """Return the concepts that the answers speak for, and those that they speak against.

        Where answers disagree, which no question that is asked here leads to, the right one counts.
        """
        known = unknown = 0
        for slug, right in answers.items():
            if slug in self._place and right:
                known |= self.below[self._place[slug]]
            elif slug in self._place:
                unknown |= self.above[self._place[slug]]
        return known, unknown & ~known

    def names(self, concepts: int) -> frozenset[str]:
        """Return the slugs of a set of concepts."""
        return frozenset(slug for at, slug in enumerate(self.slugs) if concepts >> at & 1)

    def beginnings(self) -> list[int]:
        """Return the beginnings of random orders of learning, of each length."""
        return _beginnings(self._direct)

    def _reach(self, at: int) -> int:
        reached, ahead = 0, [at]
        while ahead:
            each = ahead.pop()
            if not reached >> each & 1:
                reached |= 1 << each
                ahead += self._direct[each]
        return reached


def next_question(
    graph: Prerequisites, answers: Mapping[str, bool], askable: Collection[str]
) -> str | None:
    """Return the concept to ask about next; None when enough was asked, or nothing is undecided.

    Of the concepts that can be asked it is the one whose answer decides most in any case: of the
    undecided concepts, those below it if it is right, those above it if it is wrong.
    """
    if len(answers) >= QUESTIONS:
        return None
    known, unknown = graph.decided(answers)
    undecided = ~(known | unknown)
    best: tuple[int, int, int] | None = None
    for at, slug in enumerate(graph.slugs):
        if undecided >> at & 1 and slug in askable and slug not in answers:
            right = (graph.below[at] & undecided).bit_count()
            wrong = (graph.above[at] & undecided).bit_count()
            best = max(best or (0, 0, 0), (min(right, wrong), right + wrong, -at))
    return None if best is None else graph.slugs[-best[2]]


def placed(graph: Prerequisites, answers: Mapping[str, bool]) -> frozenset[str]:
    """Return the concepts that the answers speak for; with each one all that it requires.

    Without any answer that is none.
    """
    known, unknown = graph.decided(answers)
    if not answers:
        return frozenset()
    agreeing = [each for each in graph.beginnings() if each & known == known and not each & unknown]
    for at in range(len(graph.slugs)):
        if not (known | unknown) >> at & 1:
            having = sum(each >> at & 1 for each in agreeing)
            if 2 * having > len(agreeing):
                known |= graph.below[at]
    return graph.names(known)


@lru_cache(maxsize=4)
def _beginnings(requires: tuple[Sequence[int], ...]) -> list[int]:
    """Return the beginnings of `_ORDERS` random orders that have what a concept requires first.

    Concepts that require each other in a circle come last, in their order.
    """
    draw = random.Random(_SEED)
    found = []
    for _ in range(_ORDERS):
        learnt, left = 0, list(range(len(requires)))
        found.append(learnt)
        while left:
            free = [each for each in left if all(learnt >> need & 1 for need in requires[each])]
            following = draw.choice(free) if free else left[0]
            left.remove(following)
            learnt |= 1 << following
            found.append(learnt)
    return found
