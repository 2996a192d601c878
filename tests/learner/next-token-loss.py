# backend: torch
import torch


def next_token_loss(logits, tokens, counts=None):
    z, target = logits[..., :-1, :], tokens[..., 1:]
    lost = z.logsumexp(-1) - z.gather(-1, target[..., None]).squeeze(-1)
    if counts is None:
        return lost.mean()
    w = counts[..., 1:].to(lost.dtype)
    return (lost * w).sum() / w.sum()
