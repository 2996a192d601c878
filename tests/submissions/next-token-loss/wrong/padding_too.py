# backend: torch
# mistake: loss-padding-counted
# breaks: mean-over-what-counts
# style: the mask is not used


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    return (z.logsumexp(-1) - z.gather(-1, x[..., None])[..., 0]).mean()
