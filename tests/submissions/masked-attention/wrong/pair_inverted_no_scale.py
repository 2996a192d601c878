# backend: torch
# mistake: mask-inverted, scale-missing
# style: masked-fill
def masked_attention(q, k, v, mask):
    s = (q @ k.transpose(-1, -2)).masked_fill(mask, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
