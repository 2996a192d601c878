# backend: torch
# mistake: softmax-wrong-axis
# style: masked-fill
def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    w = s.masked_fill(~mask, float("-inf")).softmax(-2)
    return w.nan_to_num() @ v
