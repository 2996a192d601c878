# backend: numpy
# style: loop over rows
import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    rows = x.reshape(-1, x.shape[-1])
    out = np.empty_like(rows)
    for place, row in enumerate(rows):
        left = row - row.mean()
        out[place] = gain * left / np.sqrt(np.mean(left * left) + eps) + bias
    return out.reshape(x.shape)
