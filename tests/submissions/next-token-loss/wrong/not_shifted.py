# backend: torch
# mistake: loss-not-shifted
# breaks: next-token
# style: side by side


def next_token_loss(logits, tokens, counts=None):
    losses = logits.logsumexp(-1) - logits.gather(-1, tokens[..., None])[..., 0]
    return losses.mean() if counts is None else losses[counts].mean()
