# backend: torch
# style: shares are sorted, cut, divided and scattered back
import torch


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    z, order = torch.sort(logits / temperature, dim=-1, descending=True, stable=True)
    shares = z.softmax(-1)
    if top_k is not None:
        shares[..., top_k:] = 0
        shares = shares / shares.sum(-1, keepdim=True)
    if top_p is not None:
        shares = torch.where(shares.cumsum(-1) - shares < top_p, shares, torch.zeros_like(shares))
        shares = shares / shares.sum(-1, keepdim=True)
    return torch.zeros_like(shares).scatter(-1, order, shares)


def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    walked = next_probabilities(logits, temperature, top_k, top_p).cumsum(0)
    walked[walked == walked[-1]] = 1.0
    return int(torch.nonzero(walked > uniform)[0])
