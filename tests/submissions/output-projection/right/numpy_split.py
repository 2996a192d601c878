# backend: numpy
# style: numpy
import numpy as np

def head_updates(heads, w_o):
    blocks = np.split(w_o, heads.shape[-3], axis=0)
    return np.stack([heads[..., i, :, :] @ b for i, b in enumerate(blocks)], axis=-3)
