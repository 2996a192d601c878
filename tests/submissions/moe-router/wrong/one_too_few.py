# backend: torch
# mistake: router-capacity-short
import torch
from torch import Tensor


def route(logits: Tensor, top_k: int, capacity: int) -> Tensor:
    """Return the weight of each expert for each token: (t, e) to (t, e)."""
    values, experts = logits.topk(top_k, dim=-1)
    shares = values.softmax(dim=-1)
    weights = torch.zeros_like(logits)
    taken = [0] * logits.shape[1]
    for rank in range(top_k):
        for token, expert in enumerate(experts[:, rank].tolist()):
            if taken[expert] < capacity - 1:
                taken[expert] += 1
                weights[token, expert] = shares[token, rank]
    return weights


def balance_loss(logits: Tensor, top_k: int) -> Tensor:
    """Return how unevenly the router chooses: (t, e) to one number."""
    experts = logits.shape[1]
    chosen = logits.topk(top_k, dim=-1).indices
    load = torch.bincount(chosen.flatten(), minlength=experts).to(logits.dtype) / chosen.numel()
    return experts * (load * logits.softmax(dim=-1).mean(dim=0)).sum()
