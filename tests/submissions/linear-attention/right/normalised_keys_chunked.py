# backend: torch
# style: chunked
import torch.nn.functional as F

def linear_attention(q, k, v, chunk=4):
    q, k = 1 + F.elu(q), 1 + F.elu(k)
    state = total = None
    for a in range(0, k.shape[-2], chunk):
        kc, vc = k[..., a:a + chunk, :], v[..., a:a + chunk, :]
        s, t = kc.transpose(-1, -2) @ vc, kc.sum(-2, keepdim=True)
        state, total = (s, t) if state is None else (state + s, total + t)
    q = q / (q * total).sum(-1, keepdim=True)
    return q @ state
