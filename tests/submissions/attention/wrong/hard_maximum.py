# backend: numpy
# mistake: softmax-hard
# style: argmax
import numpy as np

def attention(q, k, v):
    best = (q @ k.swapaxes(-1, -2)).argmax(-1)
    return np.take_along_axis(v, best[..., None], axis=-2)
