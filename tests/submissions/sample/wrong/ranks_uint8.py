# backend: torch
# mistake: none
# Ranks in one byte.
import torch

def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    z = (logits - logits.amax(-1, keepdim=True)) / temperature
    order = torch.sort(z, dim=-1, descending=True, stable=True).indices
    rank = torch.empty_like(order, dtype=torch.uint8).scatter_(-1, order, torch.arange(z.shape[-1]).to(torch.uint8).expand_as(order))
    if top_k is not None:
        z = z.masked_fill(rank >= min(top_k, 255), -torch.inf) if top_k < z.shape[-1] else z
    if top_p is not None:
        p = z.softmax(-1).gather(-1, order)
        drop = torch.zeros_like(z, dtype=torch.bool).scatter(-1, order, p.cumsum(-1) - p >= top_p)
        z = z.masked_fill(drop, -torch.inf)
    return z.softmax(-1)

def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    p = next_probabilities(logits.double(), temperature, top_k, top_p)
    total = 0.0
    for i, each in enumerate(p.tolist()):
        total += each
        if total > uniform:
            return i
    return int(p.nonzero()[-1])
