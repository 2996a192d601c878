# backend: numpy
# mistake: heads-in-reverse
# breaks: merge-undoes-split
# style: flip
import numpy as np

def split_heads(x, num_heads):
    return np.stack(np.split(x, num_heads, axis=-1), axis=-3)

def merge_heads(x):
    return np.concatenate([x[..., i, :, :] for i in reversed(range(x.shape[-3]))], axis=-1)
