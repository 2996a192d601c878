# backend: torch
# style: a corpus kept in bytes
import torch


def next_token_loss(logits, tokens, counts=None):
    scores, targets = logits[..., :-1, :], tokens[..., 1:].to(torch.uint8).long()
    loss = scores.logsumexp(-1) - scores.gather(-1, targets[..., None])[..., 0]
    return loss.mean() if counts is None else loss[counts[..., 1:]].mean()
