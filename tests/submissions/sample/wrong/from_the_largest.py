# backend: torch
# mistake: sample-by-rank
# style: walks from the largest down
import torch


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    order = z.argsort(dim=-1, descending=True, stable=True)
    place = order.argsort(dim=-1)
    if top_k is not None:
        z = z.masked_fill(place >= top_k, -torch.inf)
    if top_p is not None:
        shares = z.softmax(-1).gather(-1, order)
        before = shares.cumsum(-1) - shares
        z = z.masked_fill((before >= top_p).gather(-1, place), -torch.inf)
    return z.softmax(-1)


def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    shares = next_probabilities(logits, temperature, top_k, top_p)
    shares, order = shares.sort(descending=True, stable=True)
    return int(order[min(int((shares.cumsum(0) <= uniform).sum()), len(shares) - 1)])
