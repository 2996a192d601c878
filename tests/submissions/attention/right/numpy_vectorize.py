# backend: numpy
# style: unusual
import numpy as np

def one(q, k, v):
    s = k @ q / np.sqrt(len(q))
    e = np.exp(s - s.max())
    return e @ v / e.sum()
def attention(q, k, v):
    out = np.vectorize(one, signature="(d),(n,d),(n,e)->(e)")(q, k[..., None, :, :], v[..., None, :, :])
    return out.astype(q.dtype)
