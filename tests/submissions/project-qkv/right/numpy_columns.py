# backend: numpy
# style: numpy-loops
import numpy as np

def project(x, w):
    out = np.empty(x.shape[:-1] + (w.shape[1],), x.dtype)
    for j in range(w.shape[1]):
        out[..., j] = (x * w[:, j]).sum(-1)
    return out

def project_qkv(x, w_q, w_k, w_v):
    return project(x, w_q), project(x, w_k), project(x, w_v)
