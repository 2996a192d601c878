# backend: torch
# mistake: pair-of-equals, merge-first-only
# style: two mistakes
import torch


def most_frequent_pair(tokens):
    listed, counts, last = tokens.tolist(), {}, {}
    for at, pair in enumerate(zip(listed, listed[1:])):
        if last.get(pair) != at - 1:
            counts[pair] = counts.get(pair, 0) + 1
            last[pair] = at
    return max(counts, key=lambda pair: (counts[pair], pair))


def merge_pair(tokens, first, second, new):
    listed, merged, at = tokens.tolist(), [], 0
    while at < len(listed):
        if new not in merged and listed[at : at + 2] == [first, second]:
            merged.append(new)
            at += 2
        else:
            merged.append(listed[at])
            at += 1
    return torch.tensor(merged, dtype=tokens.dtype)
