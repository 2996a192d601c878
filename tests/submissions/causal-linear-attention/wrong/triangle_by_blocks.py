# backend: torch
# mistake: linear-quadratic
# style: blocks
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    outs = []
    for a in range(0, q.shape[-2], 16):
        w = q[..., a:a + 16, :] @ k[..., :a + 16, :].mT
        w = w.tril(a)
        outs.append(w @ v[..., :a + 16, :] / w.sum(-1, keepdim=True))
    return torch.cat(outs, -2)
