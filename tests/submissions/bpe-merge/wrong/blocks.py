# backend: torch
# mistake: pair-counted-in-blocks
# style: steps of two
import torch


def most_frequent_pair(tokens):
    listed, counts = tokens.tolist(), {}
    for pair in zip(listed, listed[1:]):
        counts.setdefault(pair, 0)
    for pair in zip(listed[::2], listed[1::2]):
        counts[pair] += 1
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
