# backend: torch
# mistake: forbidden-call
# style: library-module
import torch
from torch import nn

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    layer = nn.MultiheadAttention(x.shape[-1], num_heads, bias=False, batch_first=True, dtype=x.dtype)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat([w_q, w_k, w_v], 1).T)
        layer.out_proj.weight.copy_(w_o.T)
    blocked = None if mask is None else ~mask.expand(x.shape[0], num_heads, x.shape[1], x.shape[1]).flatten(0, 1)
    return layer(x, x, x, attn_mask=blocked, need_weights=False)[0]
