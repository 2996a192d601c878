# backend: numpy
# mistake: none
# Fuses the three matrices and cuts the product into equal thirds, which is wrong when d_v differs from d.
import numpy as np

def project_qkv(x, w_q, w_k, w_v):
    fused = np.concatenate([w_q, w_k, w_v], axis=1)
    q, k, v = np.array_split(x @ fused, 3, axis=-1)
    return q, k, v
