# backend: torch
# style: three files
import torch
from masked_attention import masked_attention
from split_heads import merge_heads, split_heads


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    if mask is None:
        mask = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)
    return merge_heads(masked_attention(q, k, v, mask)) @ w_o
