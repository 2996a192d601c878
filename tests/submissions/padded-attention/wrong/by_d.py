# backend: torch
# mistake: scale-by-d
# style: loops
import torch

def padded_attention(q, k, v, lengths):
    out = []
    for b in range(q.shape[0]):
        n = int(lengths[b])
        w = (q[b] @ k[b, :n].T / q.shape[-1]).softmax(-1)
        out.append(w @ v[b, :n])
    return torch.stack(out) if out else q.new_zeros(0, q.shape[1], v.shape[2])
