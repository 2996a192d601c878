# backend: torch
# mistake: state-kept
import torch

_seen = {}


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    def heads(y):
        return y.reshape(*y.shape[:-1], num_heads, -1).transpose(-2, -3)

    key = (context.data_ptr(), w_k.data_ptr(), w_v.data_ptr(), tuple(context.shape), num_heads)
    if key not in _seen:
        _seen[key] = heads(context @ w_k), heads(context @ w_v)
    k, v = _seen[key]
    q = heads(x @ w_q)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is not None:
        keep = context_mask[:, None, None, :]
        none = ~keep.any(-1, keepdim=True)
        w = s.masked_fill(~keep, -torch.inf).masked_fill(none, 0.0).softmax(-1).masked_fill(none, 0.0)
    else:
        w = s.softmax(-1)
    return (w @ v).transpose(-2, -3).flatten(-2) @ w_o
