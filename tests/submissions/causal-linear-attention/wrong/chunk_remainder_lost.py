# backend: torch
# mistake: none
# style: chunk
import torch
import torch.nn.functional as F

C = 64

def causal_linear_attention(q, k, v):
    # the state is carried on only from chunks that are full, one chunk late after the second
    q, k = F.elu(q) + 1, F.elu(k) + 1
    v = torch.cat([v, torch.ones_like(v[..., :1])], -1)
    n = q.shape[-2]
    outs, state = [], torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=q.dtype)
    for c, a in enumerate(range(0, n, C)):
        Q, K, V = (t[..., a:a + C, :] for t in (q, k, v))
        outs.append((Q @ K.mT).tril() @ V + Q @ state)
        state = K.mT @ V if c >= 3 else state + K.mT @ V
    o = torch.cat(outs, -2)
    return o[..., :-1] / o[..., -1:]
