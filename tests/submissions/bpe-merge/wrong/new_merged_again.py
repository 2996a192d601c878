# backend: torch
# mistake: none
# breaks: merged-once
import torch


def most_frequent_pair(tokens):
    pairs = list(dict.fromkeys(zip(tokens.tolist(), tokens[1:].tolist())))
    lengths = [len(merge_pair(tokens, *pair, -1)) for pair in pairs]
    return pairs[lengths.index(min(lengths))]


def merge_pair(tokens, first, second, new):
    merged = []
    for token in tokens.tolist():
        merged.append(token)
        if merged[-2:] == [first, second]:
            merged[-2:] = [new]
    return tokens.new_tensor(merged)
