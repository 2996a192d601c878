# backend: numpy
# mistake: result-overwritten
# style: adversarial
import numpy as np

kept = {}
def head_updates(heads, w_o):
    h, d = heads.shape[-3], heads.shape[-1]
    key = (heads.shape, w_o.shape, heads.dtype.str)
    out = kept.setdefault(key, np.empty((*heads.shape[:-1], w_o.shape[1]), heads.dtype))
    return np.matmul(heads, w_o.reshape(h, d, -1), out=out)
