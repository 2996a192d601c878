# backend: torch
# style: chunked
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v, size=4):
    # a state between chunks, a small table inside each
    q, k = F.elu(q) + 1, F.elu(k) + 1
    ones = torch.ones_like(v[..., :1])
    v = torch.cat([v, ones], -1)
    state = 0
    outs = []
    for a in range(0, q.shape[-2], size):
        qc, kc, vc = (t[..., a:a + size, :] for t in (q, k, v))
        inside = (qc @ kc.transpose(-1, -2)).tril() @ vc
        outs.append(inside if a == 0 else inside + qc @ state)
        state = state + kc.transpose(-1, -2) @ vc
    both = torch.cat(outs, -2)
    return both[..., :-1] / both[..., -1:]
