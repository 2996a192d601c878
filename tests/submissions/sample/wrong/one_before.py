# backend: torch
# mistake: sample-compared-wrongly
# style: the last sum that is not above
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
    return max(int((shares.cumsum(0) <= uniform).sum()) - 1, 0)
