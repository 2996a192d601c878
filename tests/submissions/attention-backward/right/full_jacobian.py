# backend: numpy
import numpy as np

def attention_backward(q, k, v, grad_output):
    d = q.shape[-1]
    s = np.einsum("...md,...nd->...mn", q, k) / np.sqrt(d)
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    dp = np.einsum("...mv,...nv->...mn", grad_output, v)
    jac = p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])
    ds = np.einsum("...mij,...mi->...mj", jac, dp)
    dq = np.einsum("...mn,...nd->...md", ds, k) / np.sqrt(d)
    dk = np.einsum("...mn,...md->...nd", ds, q) / np.sqrt(d)
    return dq, dk, np.einsum("...mn,...mv->...nv", p, grad_output)
