# backend: torch
# mistake: loss-over-positions
# style: the wrong axis


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    losses = -z.log_softmax(-2).gather(-1, x[..., None])[..., 0]
    return losses.mean() if counts is None else losses[counts[..., 1:]].mean()
