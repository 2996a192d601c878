# backend: numpy
# mistake: precision-lost
# style: numpy
import numpy as np

def split_heads(x, num_heads):
    y = x.astype(np.float16).astype(x.dtype)
    return np.stack(np.split(y, num_heads, axis=-1), axis=-3)

def merge_heads(x):
    return np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)
