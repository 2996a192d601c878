# backend: torch
# style: reshape
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    # all chunks at once: sums of chunks, running sums of them, and a triangle inside
    n, c = q.shape[-2], 16
    q, k = F.elu(q) + 1, F.elu(k) + 1
    v = F.pad(v, (0, 1), value=1.0)
    q, k, v = (F.pad(t, (0, 0, 0, -n % c)).unflatten(-2, (-1, c)) for t in (q, k, v))
    sums = k.mT @ v                                           # (..., chunks, d, e)
    before = sums.cumsum(-3) - sums
    o = q @ before + (q @ k.mT).tril() @ v
    o = o.flatten(-3, -2)[..., :n, :]
    return o[..., :-1] / o[..., -1:]
