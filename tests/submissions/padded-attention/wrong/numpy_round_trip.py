# backend: torch
# mistake: not-differentiable
# style: numpy-round-trip
import numpy as np
import torch

def padded_attention(q, k, v, lengths):
    Q, K, V = (t.detach().double().cpu().numpy() for t in (q, k, v))
    out = np.zeros((*Q.shape[:2], V.shape[-1]))
    for b, n in enumerate(lengths.tolist()):
        if n:
            s = Q[b] @ K[b, :n].T / Q.shape[-1] ** 0.5
            e = np.exp(s - s.max(-1, keepdims=True))
            out[b] = e / e.sum(-1, keepdims=True) @ V[b, :n]
    return torch.as_tensor(out, dtype=q.dtype, device=q.device)
