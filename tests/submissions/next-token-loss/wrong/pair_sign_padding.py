# backend: torch
# mistake: loss-sign, loss-padding-counted
# style: two mistakes


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    return z.log_softmax(-1).gather(-1, x[..., None])[..., 0].mean()
