# backend: torch
# mistake: pair-counted-overlapping
# breaks: no-overlap
# style: a counter over all neighbours
import torch


def most_frequent_pair(tokens):
    counts = {}
    listed = tokens.tolist()
    for pair in zip(listed, listed[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return max(counts, key=counts.get)


def merge_pair(tokens, first, second, new):
    listed, merged, at = tokens.tolist(), [], 0
    while at < len(listed):
        if listed[at : at + 2] == [first, second]:
            merged.append(new)
            at += 2
        else:
            merged.append(listed[at])
            at += 1
    return torch.tensor(merged, dtype=tokens.dtype)
