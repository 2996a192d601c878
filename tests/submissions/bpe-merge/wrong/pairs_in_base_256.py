# backend: numpy
# style: bytes
import numpy as np


def most_frequent_pair(tokens):
    text = tokens.tolist()
    counts, last = {}, {}
    for i in range(len(text) - 1):
        pair = text[i] * 256 + text[i + 1]
        if last.get(pair, -2) != i - 1:
            counts[pair] = counts.get(pair, 0) + 1
            last[pair] = i
    return divmod(max(counts, key=counts.get), 256)


def merge_pair(tokens, first, second, new):
    merged, i, text = [], 0, tokens.tolist()
    while i < len(text):
        if text[i : i + 2] == [first, second]:
            merged.append(new)
            i += 2
        else:
            merged.append(text[i])
            i += 1
    return np.array(merged, dtype=tokens.dtype)
