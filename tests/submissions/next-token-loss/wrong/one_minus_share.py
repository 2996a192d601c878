# backend: torch
# mistake: loss-without-logarithm
# style: 1 - p


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    losses = 1 - z.softmax(-1).gather(-1, x[..., None])[..., 0]
    return losses.mean() if counts is None else losses[counts[..., 1:]].mean()
