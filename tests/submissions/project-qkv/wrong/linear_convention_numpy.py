# backend: numpy
# mistake: projection-transposed
# style: einsum
import numpy as np

def project_qkv(x, w_q, w_k, w_v):
    return tuple(np.einsum("...i,oi->...o", x, w) for w in (w_q, w_k, w_v))
