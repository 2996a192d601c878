# backend: torch
# mistake: pair-of-frequent-tokens
# style: the most frequent tokens
import torch


def most_frequent_pair(tokens):
    from collections import Counter

    found = [token for token, _ in Counter(tokens.tolist()).most_common(2)]
    return found[0], found[-1]


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
