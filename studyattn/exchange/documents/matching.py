"""Match texts that say the same thing again: questions of one source, names of one idea.

Pure. The guid of a question comes from its source and its normalised words, so another numbering,
other marks and other case are the same question; a reworded one is recognised by likeness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, Final, TypeVar

from studyattn.exchange.words import normalised
from studyattn.grouping import grouped

LIKE_ENOUGH: Final = 0.6
"""Likeness from which a changed question is taken for the same one."""
SAME_IDEA: Final = 0.6
"""Share of common words from which two concepts are proposed as one."""
MOST_COMPARISONS: Final = 200_000
"""Pairs of changed texts that are compared in one document; more are told apart by place alone."""

_STOPWORDS: Final = frozenset(
    {"a", "an", "and", "are", "as", "at", "by", "for", "from", "how", "in", "is", "it", "of", "on"}
    | {"or", "that", "the", "their", "this", "to", "what", "why", "with"}
)
_ENDINGS: Final = ("ing", "ed", "es", "s")

Old = TypeVar("Old")
New = TypeVar("New")


def likeness(one: str, other: str) -> float:
    """Return how alike two texts are, from 0 to 1, by words and then by letters."""
    first, second = normalised(one), normalised(other)
    words = _share(set(first.split()), set(second.split()))
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    if max(words, matcher.quick_ratio()) < LIKE_ENOUGH:
        return words
    return max(words, matcher.ratio())


def same_idea(one: str, other: str) -> float:
    """Return how much two names of concepts share, from 0 to 1: multi-headed is multi-head."""
    return _share(_stems(one), _stems(other))


def match(
    old: Sequence[Old], new: Sequence[New], texts_of: Callable[[Any], tuple[str, str]]
) -> tuple[list[Old | None], list[Old]]:
    """Return the old thing that each new one was before, if any, and the old things that are gone.

    `texts_of` gives the texts by which both are recognised: a thing's own words, and the rest.
    First the same words, then the same rest (a reworded question keeps its answer), then the
    likest pairs. Each is taken at most once.
    """
    before, now = ([*map(texts_of, each)] for each in (old, new))
    pairs: dict[int, int] = {}
    for key in (lambda texts: normalised(texts[0]), lambda texts: texts[1].strip()):
        pair_equal(pairs, [*map(key, before)], [*map(key, now)])
    _pair_alike(pairs, [text for text, _ in before], [text for text, _ in now])
    matched = [old[pairs[place]] if place in pairs else None for place in range(len(new))]
    return matched, [old[each] for each in _unpaired(len(old), pairs.values())]


def pair_equal(pairs: dict[int, int], old: Sequence[str], new: Sequence[str]) -> None:
    """Add pairs of new and old places with the same key; one with an empty key gets none."""
    unpaired = reversed(_unpaired(len(old), pairs.values()))
    waiting = grouped((old[each], each) for each in unpaired)
    for place, key in enumerate(new):
        if key and place not in pairs and waiting[key]:
            pairs[place] = waiting[key].pop()


def _pair_alike(pairs: dict[int, int], old: Sequence[str], new: Sequence[str]) -> None:
    """Add pairs of new and old places that are alike, the likest first."""
    free, places = _unpaired(len(old), pairs.values()), _unpaired(len(new), pairs)
    if len(free) * len(places) > MOST_COMPARISONS:
        return
    scores = [(likeness(old[each], new[at]), at, each) for at in places for each in free]
    taken = set[int]()
    for score, at, each in sorted(scores, key=lambda entry: -entry[0]):
        if score >= LIKE_ENOUGH and at not in pairs and each not in taken:
            pairs[at] = each
            taken.add(each)


def _unpaired(number: int, paired: Iterable[int]) -> Sequence[int]:
    return sorted({*range(number)} - {*paired})


def _share(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset({_stem(word) for word in normalised(text).split() if word not in _STOPWORDS})


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word
