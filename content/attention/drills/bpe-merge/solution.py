# backend: torch
from itertools import pairwise

import torch
from torch import Tensor


def most_frequent_pair(tokens: Tensor) -> tuple[int, int]:
    """The pair that a merge would replace most often; of equals, the first in the text."""
    listed = tokens.tolist()
    counts: dict[tuple[int, int], int] = {}
    last: dict[tuple[int, int], int] = {}  # where each pair was counted last
    for at, pair in enumerate(pairwise(listed)):
        if last.get(pair) != at - 1:  # it shares no token with the one before
            counts[pair] = counts.get(pair, 0) + 1
            last[pair] = at
    return max(counts, key=lambda pair: counts[pair])


def merge_pair(tokens: Tensor, first: int, second: int, new: int) -> Tensor:
    """The tokens with `new` in the place of each `first` that `second` follows."""
    listed, merged, at = tokens.tolist(), [], 0
    while at < len(listed):
        if listed[at : at + 2] == [first, second]:
            merged.append(new)
            at += 2
        else:
            merged.append(listed[at])
            at += 1
    return torch.tensor(merged, dtype=tokens.dtype, device=tokens.device)
