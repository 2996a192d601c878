# backend: torch
# mistake: loss-not-shifted, loss-summed
# style: two mistakes


def next_token_loss(logits, tokens, counts=None):
    losses = logits.logsumexp(-1) - logits.gather(-1, tokens[..., None])[..., 0]
    return losses.sum() if counts is None else losses[counts].sum()
