# backend: numpy
# mistake: softmax-hard
import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5
    best = scores.argmax(axis=-1)
    return np.take_along_axis(v, best[..., None], axis=-2)
