# backend: torch
# mistake: none
# style: mean
def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    keep = 1 if context_mask is None else context_mask[..., None].to(x.dtype)
    c = (context * keep).sum(1, keepdim=True) / (context.shape[1] if context_mask is None else keep.sum(1, keepdim=True).clamp(min=1))
    return (c @ w_v @ w_o).expand(-1, x.shape[1], -1)
