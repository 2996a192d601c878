# backend: torch
# mistake: forbidden-call
# breaks: ready-made-loss
# style: cross_entropy
import torch


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    if counts is not None:
        x = x.masked_fill(~counts[..., 1:], -100)
    return torch.nn.functional.cross_entropy(z.flatten(0, -2), x.flatten())
