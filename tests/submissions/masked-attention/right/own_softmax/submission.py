# backend: numpy
# style: two files
import numpy as np

from soft_max import softmax


def masked_attention(q, k, v, mask):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(np.where(mask, scores, -np.inf))
    return weights @ v
