# backend: torch
# style: counts by cutting
import torch


def most_frequent_pair(tokens):
    pairs = list(dict.fromkeys(zip(tokens.tolist(), tokens[1:].tolist())))
    lengths = [len(merge_pair(tokens, *pair, -1)) for pair in pairs]
    return pairs[lengths.index(min(lengths))]


def merge_pair(tokens, first, second, new):
    rest, merged = tokens.tolist(), []
    while rest:
        if rest[:2] == [first, second]:
            merged.append(new)
            rest = rest[2:]
        else:
            merged.append(rest[0])
            rest = rest[1:]
    return tokens.new_tensor(merged)
