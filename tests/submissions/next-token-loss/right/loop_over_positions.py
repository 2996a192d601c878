# backend: torch
# style: a loop over the positions
import torch


def next_token_loss(logits, tokens, counts=None):
    total, number = 0, 0
    for t in range(1, tokens.shape[-1]):
        shares = logits[..., t - 1, :].log_softmax(-1)
        loss = -shares.gather(-1, tokens[..., t : t + 1]).squeeze(-1)
        if counts is not None:
            loss = loss[counts[..., t]]
        total = total + loss.sum()
        number += loss.numel()
    return total / number
