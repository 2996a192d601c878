# backend: torch
# style: fused-projection
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    kv = context @ torch.cat((w_k, w_v), 1)
    k, v = kv.tensor_split([w_k.shape[1]], dim=-1)
    q, k, v = (t.unflatten(-1, (num_heads, t.shape[-1] // num_heads)).transpose(1, 2) for t in (x @ w_q, k, v))
    s = (q / q.shape[-1] ** 0.5) @ k.transpose(2, 3)
    if context_mask is not None:
        s = s.masked_fill(context_mask.logical_not().view(-1, 1, 1, s.shape[-1]), -torch.inf)
    return (s.softmax(-1).nan_to_num() @ v).transpose(1, 2).flatten(2) @ w_o
