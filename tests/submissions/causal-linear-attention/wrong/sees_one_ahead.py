# backend: torch
# mistake: mask-sees-next
# breaks: not-ahead
# style: cumsum
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    states = (k[..., :, None] * v[..., None, :]).cumsum(-3)
    n = q.shape[-2]
    ahead = [min(i + 1, n - 1) for i in range(n)]
    top = (q[..., None, :] @ states[..., ahead, :, :])[..., 0, :]
    return top / (q * k.cumsum(-2)[..., ahead, :]).sum(-1, keepdim=True)
