# backend: numpy
# style: a mask of what is kept
from collections import Counter

import numpy as np


def most_frequent_pair(tokens):
    counts, before = Counter(), None
    for pair in zip(tokens[:-1].tolist(), tokens[1:].tolist(), strict=True):
        if pair == before:
            before = None
            continue
        counts[pair] += 1
        before = pair
    return counts.most_common(1)[0][0]


def merge_pair(tokens, first, second, new):
    out, kept = tokens.copy(), np.ones(len(tokens), dtype=bool)
    for at in range(len(tokens) - 1):
        if kept[at] and tokens[at] == first and tokens[at + 1] == second:
            out[at] = new
            kept[at + 1] = False
    return out[kept]
