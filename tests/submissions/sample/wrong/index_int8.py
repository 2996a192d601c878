# backend: torch
# mistake: none
# The index of the token in a signed byte.
import torch


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    z = (logits - logits.amax(-1, keepdim=True)) / temperature
    order = torch.sort(z, dim=-1, descending=True, stable=True).indices
    rank = torch.empty_like(order).scatter_(-1, order, torch.arange(z.shape[-1]).expand_as(order))
    if top_k is not None:
        z = z.masked_fill(rank >= top_k, -torch.inf)
    if top_p is not None:
        p = z.softmax(-1).gather(-1, order)
        before = p.cumsum(-1) - p
        drop = torch.zeros_like(z, dtype=torch.bool).scatter(-1, order, before >= top_p)
        z = z.masked_fill(drop, -torch.inf)
    return z.softmax(-1)

def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    p = next_probabilities(logits.double(), temperature, top_k, top_p)
    return int(torch.arange(len(p)).to(torch.int8)[p.cumsum(0) > uniform][0])
