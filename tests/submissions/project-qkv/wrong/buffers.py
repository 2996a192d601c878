# backend: numpy
# mistake: result-overwritten
# style: adversarial
import numpy as np

kept = {}
def project_qkv(x, w_q, w_k, w_v):
    out = []
    for i, w in enumerate((w_q, w_k, w_v)):
        key = (i, x.shape, w.shape, x.dtype.str)
        kept.setdefault(key, np.empty((*x.shape[:-1], w.shape[1]), x.dtype))[...] = x @ w
        out.append(kept[key])
    return tuple(out)
