# backend: torch
# style: loops
import torch

def padded_attention(q, k, v, lengths):
    out = q.new_zeros(q.shape[0], q.shape[1], v.shape[2]) + 0 * (q.sum() + k.sum() + v.sum())
    for b, n in enumerate(lengths.tolist()):
        if n > 0:
            w = (q[b] @ k[b, :n].T / q.shape[-1] ** 0.5).softmax(-1)
            out[b] = w @ v[b, :n]
    return out
