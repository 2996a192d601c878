# backend: numpy
from itertools import pairwise

import numpy as np


def most_frequent_pair(tokens: np.ndarray) -> tuple[int, int]:
    """The pair that a merge would replace most often; of equals, the first in the text."""
    listed = tokens.tolist()
    counts: dict[tuple[int, int], int] = {}
    last: dict[tuple[int, int], int] = {}  # where each pair was counted last
    for at, pair in enumerate(pairwise(listed)):
        if last.get(pair) != at - 1:  # it shares no token with the one before
            counts[pair] = counts.get(pair, 0) + 1
            last[pair] = at
    return max(counts, key=lambda pair: counts[pair])


def merge_pair(tokens: np.ndarray, first: int, second: int, new: int) -> np.ndarray:
    """The tokens with `new` in the place of each `first` that `second` follows."""
    listed, merged, at = tokens.tolist(), [], 0
    while at < len(listed):
        if listed[at : at + 2] == [first, second]:
            merged.append(new)
            at += 2
        else:
            merged.append(listed[at])
            at += 1
    return np.array(merged, dtype=tokens.dtype)
