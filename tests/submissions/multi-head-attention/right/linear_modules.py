# backend: torch
# style: unusual
import torch.nn.functional as F
def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (F.linear(x, w.T).unflatten(-1, (num_heads, -1)).movedim(-2, 0) for w in (w_q, w_k, w_v))
    s = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        allowed = mask.broadcast_to(*x.shape[:-2], num_heads, *s.shape[-2:]).movedim(-3, 0)
        w = F.softmax(s.masked_fill(~allowed, float("-inf")), dim=-1).masked_fill(~allowed, 0.0)
    else:
        w = F.softmax(s, dim=-1)
    return F.linear((w @ v).movedim(0, -2).flatten(-2), w_o.T)
