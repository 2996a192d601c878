# backend: numpy
# mistake: updates-shared
# style: numpy
import numpy as np

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    total = np.concatenate([heads[..., i, :, :] for i in range(h)], -1) @ w_o
    return np.repeat(total[..., None, :, :], h, axis=-3)
