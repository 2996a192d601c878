# backend: torch
# style: groups of equal tokens, an iterator
from itertools import groupby, pairwise

import torch


def most_frequent_pair(tokens):
    listed = tokens.tolist()
    counts = {pair: 0 for pair in pairwise(listed)}
    for one, other in pairwise(listed):
        counts[one, other] += one != other
    for token, run in groupby(listed):
        length = len(list(run))
        if length > 1:
            counts[token, token] += length // 2
    best = max(counts.values())
    return next(pair for pair, count in counts.items() if count == best)


def merge_pair(tokens, first, second, new):
    left = iter([*tokens.tolist(), None])
    merged, token = [], next(left)
    while token is not None:
        following = next(left)
        if (token, following) == (first, second):
            merged.append(new)
            token = next(left)
        else:
            merged.append(token)
            token = following
    return torch.tensor(merged)
