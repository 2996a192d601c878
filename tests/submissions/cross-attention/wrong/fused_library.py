# backend: torch
# mistake: forbidden-call
# style: library-call
import torch
from torch.nn import functional as F

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    q, k, v = (torch.stack(y.chunk(num_heads, -1), 1) for y in (x @ w_q, context @ w_k, context @ w_v))
    m = None if context_mask is None else context_mask[:, None, None, :]
    return torch.cat(F.scaled_dot_product_attention(q, k, v, m).unbind(1), -1) @ w_o
