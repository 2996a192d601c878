# backend: torch
# style: ranks by two sorts, searchsorted
import torch


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    z = logits / temperature
    order = torch.sort(-z, dim=-1, stable=True).indices
    ranks = torch.sort(order, dim=-1).indices
    if top_k is not None:
        z = torch.where(ranks < top_k, z, -torch.inf)
    if top_p is not None:
        shares = torch.softmax(z, -1).take_along_dim(order, -1)
        before = (shares.cumsum(-1) - shares).take_along_dim(ranks, -1)
        z = torch.where(before < top_p, z, -torch.inf)
    return torch.softmax(z, -1)


def sample(logits, uniform, temperature=1.0, top_k=None, top_p=None):
    sums = torch.cumsum(next_probabilities(logits, temperature, top_k, top_p).double(), 0)
    return int(torch.searchsorted(sums, uniform * sums[-1].item(), right=True))
