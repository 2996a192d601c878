# backend: torch
import torch


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    if top_k is None and top_p is None:
        return z.softmax(-1)
    values, order = z.sort(dim=-1, descending=True, stable=True)
    if top_k is not None:
        values = values.clone()
        values[..., top_k:] = -torch.inf
    if top_p is not None:
        p = values.softmax(-1)
        values = values.masked_fill(p.cumsum(-1) - p >= top_p, -torch.inf)
    return torch.zeros_like(z).scatter(-1, order, values.softmax(-1))


def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    p = next_probabilities(logits, temperature, top_k, top_p)
    total = 0.0
    for token, share in enumerate(p.tolist()):
        total += share
        if total > uniform:
            return token
    return int(p.nonzero()[-1])  # rounding kept the sum below 1
