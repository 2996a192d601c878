# backend: torch
# mistake: pair-of-frequent-tokens
# style: min
import torch


def most_frequent_pair(tokens):
    listed, counts, last = tokens.tolist(), {}, {}
    for at, pair in enumerate(zip(listed, listed[1:])):
        if last.get(pair) != at - 1:
            counts[pair] = counts.get(pair, 0) + 1
            last[pair] = at
    return min(counts, key=counts.get)


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
