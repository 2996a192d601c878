# backend: torch
# style: ranks by comparing all pairs, searchsorted
import torch


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    v = z.shape[-1]
    one, other = z.unsqueeze(-1), z.unsqueeze(-2)  # (..., v, 1), (..., 1, v)
    earlier = torch.ones(v, v, dtype=torch.bool, device=z.device).tril(-1)
    above = (other > one) | ((other == one) & earlier)  # is the other one more likely
    if top_k is not None:
        z = torch.where(above.sum(-1) < top_k, z, -torch.inf)
    if top_p is not None:
        shares = torch.softmax(z, -1)
        before = (above.to(shares.dtype) @ shares.unsqueeze(-1)).squeeze(-1)
        z = torch.where(before < top_p, z, -torch.inf)
    return torch.softmax(z, -1)


def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    sums = torch.cumsum(next_probabilities(logits, temperature, top_k, top_p).double(), 0)
    return int(torch.searchsorted(sums, uniform * sums[-1].item(), right=True))
