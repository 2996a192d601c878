# backend: numpy
import numpy as np


def attention_backward(q, k, v, grad_output):
    dq, dk, dv = np.zeros(q.shape), np.zeros(k.shape), np.zeros(v.shape)
    root = np.sqrt(q.shape[-1])
    for at in np.ndindex(q.shape[:-2]):
        for i in range(q.shape[-2]):
            s = k[at].astype(float) @ q[at][i] / root
            p = np.exp(s - s.max())
            p /= p.sum()
            g = grad_output[at][i].astype(float)
            ds = (np.diag(p) - np.outer(p, p)) @ (v[at] @ g) / root
            dq[at][i] += ds @ k[at]
            dk[at] += np.outer(ds, q[at][i])
            dv[at] += np.outer(p, g)
    return dq.astype(q.dtype), dk.astype(k.dtype), dv.astype(v.dtype)
