# backend: torch
# mistake: heads-reshaped-without-transpose
# style: two files
import torch
from heads import merge_heads, split_heads


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split_heads(x @ w, num_heads) for w in (w_q, w_k, w_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is None:
        return merge_heads(scores.softmax(-1) @ v) @ w_o
    weights = scores.masked_fill(~mask, torch.finfo(x.dtype).min).softmax(-1) * mask
    return merge_heads(weights @ v) @ w_o
