# backend: torch
# mistake: mask-transposed
# style: masked-fill
def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    blocked = ~mask.transpose(-1, -2)
    return s.masked_fill(blocked, float("-inf")).softmax(-1).nan_to_num() @ v
