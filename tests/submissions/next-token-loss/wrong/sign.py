# backend: torch
# mistake: loss-sign
# style: no minus


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    gained = z.log_softmax(-1).gather(-1, x[..., None])[..., 0]
    return gained.mean() if counts is None else gained[counts[..., 1:]].mean()
