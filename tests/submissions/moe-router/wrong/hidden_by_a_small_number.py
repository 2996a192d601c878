# backend: torch
# mistake: none
# breaks: exact-zeros
import torch


def route(logits, top_k, capacity):
    t, e = logits.shape
    rank = (-logits).argsort(1).argsort(1)  # the place of each expert in each token's list
    masked = logits.masked_fill(rank >= top_k, float("-inf")).softmax(1)
    for expert in range(e):
        # whoever wants it, by rank and then by number
        line = sorted((int(rank[i, expert]), i) for i in range(t) if rank[i, expert] < top_k)
        for _, late in line[capacity:]:
            masked[late, expert] = 1e-9
    return masked


def balance_loss(logits, top_k):
    e = logits.shape[1]
    wanted = (-logits).argsort(1).argsort(1) < top_k
    load = wanted.to(logits.dtype).sum(0) / wanted.sum()
    return e * torch.dot(load, torch.softmax(logits, 1).mean(0))
