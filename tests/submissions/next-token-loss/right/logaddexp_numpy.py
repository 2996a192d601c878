# backend: numpy
# style: np.logaddexp.reduce, average with weights
import numpy as np


def next_token_loss(logits, tokens, counts=None):
    z, x = logits[..., :-1, :], tokens[..., 1:]
    hot = x[..., None] == np.arange(logits.shape[-1])
    losses = np.logaddexp.reduce(z, axis=-1) - np.where(hot, z, 0).sum(-1)
    return np.average(losses, weights=None if counts is None else counts[..., 1:])
