# backend: numpy
# mistake: none
# style: reshape
import numpy as np

def head_updates(heads, w_o):
    h, n, d = heads.shape[-3:]
    return heads @ np.moveaxis(w_o.reshape(d, w_o.shape[1], h), -1, 0)
