# backend: torch
# mistake: merge-overlaps
# breaks: no-overlap
# style: places first, then rebuilt
import torch


def most_frequent_pair(tokens):
    listed, counts, last = tokens.tolist(), {}, {}
    for at, pair in enumerate(zip(listed, listed[1:])):
        if last.get(pair) != at - 1:
            counts[pair] = counts.get(pair, 0) + 1
            last[pair] = at
    return max(counts, key=counts.get)


def merge_pair(tokens, first, second, new):
    listed = tokens.tolist()
    begins = [i for i in range(len(listed) - 1) if listed[i : i + 2] == [first, second]]
    ends = [i + 1 for i in begins]
    merged = [
        new if i in begins else t for i, t in enumerate(listed) if i in begins or i not in ends
    ]
    return torch.tensor(merged, dtype=tokens.dtype)
