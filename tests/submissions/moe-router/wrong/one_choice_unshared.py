# backend: torch
# mistake: router-weights-of-all
import torch
import torch.nn.functional as F


def route(logits, top_k, capacity):
    gates = logits.softmax(-1)
    value, index = gates.topk(top_k)
    if top_k > 1:
        value = value / value.sum(-1, keepdim=True)
    hot = F.one_hot(index.T.reshape(-1), logits.shape[1])  # all first choices, then all second
    place = (hot.cumsum(0) * hot).sum(-1).view(top_k, -1).T  # from 1
    kept = value * (place <= capacity)
    return torch.zeros_like(logits).scatter(1, index, kept)


def balance_loss(logits, top_k):
    e = logits.shape[1]
    load = F.one_hot(logits.topk(top_k).indices, e).to(logits.dtype).mean((0, 1))
    return e * (load * logits.softmax(-1).mean(0)).sum()
