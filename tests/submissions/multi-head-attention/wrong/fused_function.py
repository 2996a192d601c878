# backend: torch
# mistake: forbidden-call
# style: library-call
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (torch.stack((x @ w).chunk(num_heads, -1), -3) for w in (w_q, w_k, w_v))
    o = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return torch.cat(o.unbind(-3), -1) @ w_o
