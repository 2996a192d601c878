# backend: torch
# mistake: gradient-wrong
# style: loops
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    S, z, outs = 0, 0, []
    for i in range(q.shape[-2]):
        S = S + k[..., i, :, None] * v[..., i, None, :]
        z = z + k[..., i, :]
        outs.append((q[..., i, :, None] * S).sum(-2) / (q[..., i, :] * z).sum(-1, keepdim=True))
        # truncate the graph, as with a recurrent network
        S, z = S.detach(), z.detach()
    return torch.stack(outs, -2)
