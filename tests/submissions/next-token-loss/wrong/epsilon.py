# backend: torch
# mistake: loss-unstable
# style: an epsilon in the logarithm
import torch


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    losses = -torch.log(z.softmax(-1).gather(-1, x[..., None])[..., 0] + 1e-9)
    return losses.mean() if counts is None else losses[counts[..., 1:]].mean()
