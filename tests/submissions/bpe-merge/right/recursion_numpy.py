# backend: numpy
# style: a recursion over the first place
import numpy as np


def most_frequent_pair(tokens):
    seen = {}
    for at in range(len(tokens) - 1):
        pair = int(tokens[at]), int(tokens[at + 1])
        places = seen.setdefault(pair, [])
        if not places or places[-1] + 1 < at:
            places.append(at)
    return max(seen.items(), key=lambda item: len(item[1]))[0]


def merge_pair(tokens, first, second, new):
    starts = np.flatnonzero((tokens[:-1] == first) & (tokens[1:] == second))
    if not len(starts):
        return tokens.copy()
    at = int(starts[0])
    rest = tokens[at + 2 :]
    if len(rest) > 1:
        rest = merge_pair(rest, first, second, new)
    return np.concatenate([tokens[:at], np.array([new]), rest]).astype(tokens.dtype)
