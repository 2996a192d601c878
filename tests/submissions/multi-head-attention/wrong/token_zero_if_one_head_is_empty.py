# backend: torch
# mistake: none
# A token for which one head sees nothing gets zeros, though its other heads see something.
import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = ((x @ w).unflatten(-1, (num_heads, w.shape[1] // num_heads)).transpose(-2, -3) for w in (w_q, w_k, w_v))
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(x.dtype).min)
    out = (scores.softmax(-1) @ v).transpose(-2, -3).flatten(-2) @ w_o
    if mask is not None:
        alive = mask.any(-1)
        alive = alive.all(-2) if mask.dim() > 2 else alive
        out = torch.where(alive[..., None], out, 0)
    return out
