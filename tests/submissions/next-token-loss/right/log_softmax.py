# backend: torch
# style: log_softmax, gathered with one-hot rows
import torch
from torch.nn import functional


def next_token_loss(logits, tokens, counts=None):
    shares = torch.log_softmax(logits[..., :-1, :], dim=-1)
    hot = functional.one_hot(tokens[..., 1:], logits.shape[-1]).to(shares.dtype)
    losses = -(shares * hot).sum(-1)
    if counts is None:
        return losses.mean()
    weight = counts[..., 1:].to(losses.dtype)
    return (losses * weight).sum() / weight.sum()
