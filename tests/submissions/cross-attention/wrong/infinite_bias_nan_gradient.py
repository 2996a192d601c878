# backend: torch
# mistake: gradient-not-finite
# breaks: no-nan-in-gradients
# style: additive-mask
import torch


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    def split(y):
        return y.unflatten(-1, (num_heads, -1)).transpose(1, 2)

    q, k, v = split(x @ w_q), split(context @ w_k), split(context @ w_v)
    scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
    if context_mask is not None:
        scores = scores + torch.log(context_mask[:, None, None, :].to(x.dtype))
    weights = torch.softmax(scores, -1).nan_to_num()
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o
