# backend: torch
# style: epsilon
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v, eps=1e-6):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    state = (k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(-3)
    divisor = (q * k.cumsum(-2)).sum(-1, keepdim=True) + eps
    return (q.unsqueeze(-2) @ state).squeeze(-2) / divisor
