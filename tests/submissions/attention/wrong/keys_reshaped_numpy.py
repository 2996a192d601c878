# backend: numpy
# mistake: keys-reshaped
import numpy as np


def attention(q, k, v):
    *lead, n, d = k.shape
    scores = (q @ k.reshape(*lead, d, n)) / d**0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v
