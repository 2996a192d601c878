# backend: numpy
# style: two files
import numpy as np
from feature_map import phi


def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    summary = np.swapaxes(k, -1, -2) @ v
    weights = q @ k.sum(axis=-2)[..., None]
    return q @ summary / weights
