# backend: numpy
# mistake: loss-not-shifted
# style: cut to the same length, at the same end
import numpy as np


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., :-1]
    z = z - z.max(-1, keepdims=True)
    losses = np.log(np.exp(z).sum(-1)) - np.take_along_axis(z, x[..., None], -1)[..., 0]
    return losses.mean() if counts is None else losses[counts[..., :-1]].mean()
