# backend: numpy
import numpy as np
from itertools import accumulate

def project_qkv(x, w_q, w_k, w_v):
    parts = (w_q, w_k, w_v)
    fused = np.hstack(parts)
    cuts = list(accumulate(w.shape[1] for w in parts))[:-1]
    return tuple(np.split(np.tensordot(x, fused, axes=1), cuts, axis=-1))
