# backend: torch
# mistake: loss-counts-not-shifted
# style: the mask cut like the logits


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    losses = z.logsumexp(-1) - z.gather(-1, x[..., None])[..., 0]
    if counts is None:
        return losses.mean()
    kept = counts[..., :-1].to(losses.dtype)
    return (losses * kept).sum() / kept.sum()
