# backend: torch
# mistake: loss-divided-by-all
# breaks: mean-over-what-counts
# style: zeros in the mean


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    losses = z.logsumexp(-1) - z.gather(-1, x[..., None])[..., 0]
    if counts is not None:
        losses = losses * counts[..., 1:]
    return losses.mean()
