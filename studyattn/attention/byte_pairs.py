"""Byte-pair encoding: the tokens of a text grow by merging the most frequent pair, again and again.

Sennrich, Haddow and Birch 2016. Tokens are whole numbers in an array `(n,)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from array_api_compat import array_namespace, device

from studyattn.attention.steps import Array

Pair = tuple[int, int]


def places(tokens: Sequence[int], pair: Pair) -> list[int]:
    """Return where the pair begins, from left to right; no token is in two of them."""
    found: list[int] = []
    for at in range(len(tokens) - 1):
        free = not found or found[-1] < at - 1
        if free and (tokens[at], tokens[at + 1]) == pair:
            found.append(at)
    return found


def pick(counts: dict[Pair, int]) -> Pair:
    """Return the most frequent pair; of equals, the one that was met first."""
    return max(counts, key=lambda pair: counts[pair])


def replace(tokens: Sequence[int], found: Sequence[int], new: int) -> list[int]:
    """Put the new token in the place of the two that begin at each of the places."""
    merged: list[int] = []
    begins, ends = set(found), {at + 1 for at in found}
    for at, token in enumerate(tokens):
        if at in begins:
            merged.append(new)
        elif at not in ends:
            merged.append(token)
    return merged


@dataclass(frozen=True, slots=True)
class BytePairSteps:
    """The steps of a merge. `count` and `find` are both `places`, where there is no mistake."""

    count: Callable[[Sequence[int], Pair], list[int]] = places
    pick: Callable[[dict[Pair, int]], Pair] = pick
    find: Callable[[Sequence[int], Pair], list[int]] = places
    replace: Callable[[Sequence[int], Sequence[int], int], list[int]] = replace


BYTE_PAIR_STEPS = BytePairSteps()


def most_frequent_pair(tokens: Array, *, steps: BytePairSteps = BYTE_PAIR_STEPS) -> Pair:
    """Return the two neighbours that a merge would replace most often; of equals, the first."""
    listed: list[int] = tokens.tolist()
    counts: dict[Pair, int] = {}
    for pair in pairwise(listed):
        if pair not in counts:
            counts[pair] = len(steps.count(listed, pair))
    return steps.pick(counts)


def merge_pair(
    tokens: Array, first: int, second: int, new: int, *, steps: BytePairSteps = BYTE_PAIR_STEPS
) -> Array:
    """Return the tokens with `new` in the place of each `first` that `second` follows."""
    listed: list[int] = tokens.tolist()
    merged = steps.replace(listed, steps.find(listed, (first, second)), new)
    return array_namespace(tokens).asarray(merged, dtype=tokens.dtype, device=device(tokens))
