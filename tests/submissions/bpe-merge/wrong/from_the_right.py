# backend: torch
# mistake: merge-from-the-right
# style: reversed
import torch


def most_frequent_pair(tokens):
    listed, counts, last = tokens.tolist(), {}, {}
    for at, pair in enumerate(zip(listed, listed[1:])):
        if last.get(pair) != at - 1:
            counts[pair] = counts.get(pair, 0) + 1
            last[pair] = at
    return max(counts, key=counts.get)


def merge_pair(tokens, first, second, new):
    listed, merged = tokens.tolist()[::-1], []
    while listed:
        if listed[:2] == [second, first]:
            merged.append(new)
            listed = listed[2:]
        else:
            merged.append(listed[0])
            listed = listed[1:]
    return torch.tensor(merged[::-1], dtype=tokens.dtype)
