# backend: numpy
# mistake: none
import numpy as np


def head_updates(heads, w_o):
    h, d = heads.shape[0], heads.shape[-1]
    return np.stack([heads[i] @ w_o[i * d : (i + 1) * d] for i in range(h)])
