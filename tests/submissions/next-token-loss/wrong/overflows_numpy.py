# backend: numpy
# mistake: loss-unstable
# style: exp without the largest
import numpy as np


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    losses = np.log(np.exp(z).sum(-1)) - np.take_along_axis(z, x[..., None], -1)[..., 0]
    return losses.mean() if counts is None else losses[counts[..., 1:]].mean()
