# backend: torch
# mistake: loss-summed
# style: sum


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    losses = z.logsumexp(-1) - z.gather(-1, x[..., None])[..., 0]
    return losses.sum() if counts is None else losses[counts[..., 1:]].sum()
