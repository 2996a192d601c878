# backend: torch
# mistake: loss-last-wraps
# style: roll
import torch


def next_token_loss(logits, tokens, counts=None):
    x = torch.roll(tokens, -1, dims=-1)
    losses = logits.logsumexp(-1) - logits.gather(-1, x[..., None])[..., 0]
    if counts is None:
        return losses.mean()
    return losses[torch.roll(counts, -1, dims=-1)].mean()
