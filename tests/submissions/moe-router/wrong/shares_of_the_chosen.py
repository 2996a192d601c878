# backend: torch
# mistake: router-shares-of-chosen
import torch
import torch.nn.functional as F


def chosen_shares(logits, top_k):
    value, index = logits.topk(top_k)
    hidden = torch.full_like(logits, -torch.inf).scatter(1, index, value)
    return hidden.softmax(-1), index


def route(logits, top_k, capacity):
    shares, index = chosen_shares(logits, top_k)
    hot = F.one_hot(index, logits.shape[1]).permute(1, 0, 2)  # (k, t, e)
    place = hot.reshape(-1, logits.shape[1]).cumsum(0).view(hot.shape)
    return ((hot * (place <= capacity)).sum(0) * shares).to(logits.dtype)


def balance_loss(logits, top_k):
    shares, index = chosen_shares(logits, top_k)
    load = F.one_hot(index, logits.shape[1]).to(logits.dtype).mean((0, 1))
    return logits.shape[1] * (load * shares.mean(0)).sum()
