# backend: torch
# mistake: loss-unstable
# breaks: no-overflow
# style: log(softmax)


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    losses = -z.softmax(-1).gather(-1, x[..., None])[..., 0].log()
    return losses.mean() if counts is None else losses[counts[..., 1:]].mean()
