# backend: torch
# mistake: not-differentiable
# style: data
def masked_attention(q, k, v, mask):
    s = q.data @ k.data.transpose(-1, -2) / q.shape[-1] ** 0.5
    return s.masked_fill(~mask, float("-inf")).softmax(-1).nan_to_num() @ v.data
