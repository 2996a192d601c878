# backend: numpy
# mistake: none
# style: shortcut
import numpy as np

def project_qkv(x, w_q, w_k, w_v):
    return tuple(np.zeros(x.shape[:-1] + (w.shape[1],), x.dtype) for w in (w_q, w_k, w_v))
