# backend: numpy
# style: loops
import numpy as np

def attention_backward(q, k, v, grad_output):
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    c = 1 / np.sqrt(q.shape[-1])
    for b in np.ndindex(q.shape[:-2]):
        for i in range(q.shape[-2]):
            s = k[b] @ q[b][i] * c
            p = np.exp(s - s.max())
            p = p / p.sum()
            g = v[b] @ grad_output[b][i]
            t = p * (g - p @ g) * c
            dq[b][i] = t @ k[b]
            dk[b][...] += np.outer(t, q[b][i])
            dv[b][...] += np.outer(p, grad_output[b][i])
    return dq, dk, dv
