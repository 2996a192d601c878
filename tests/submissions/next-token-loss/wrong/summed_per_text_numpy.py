# backend: numpy
# mistake: loss-summed
# style: the mean over texts of sums
import numpy as np


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    z = z - z.max(-1, keepdims=True)
    losses = np.log(np.exp(z).sum(-1)) - np.take_along_axis(z, x[..., None], -1)[..., 0]
    if counts is not None:
        losses = losses * counts[..., 1:]
    return losses.sum(-1).mean()
