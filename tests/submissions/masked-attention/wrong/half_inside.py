# backend: torch
# mistake: precision-lost
# style: half-internally
def masked_attention(q, k, v, mask):
    s = (q.half() @ k.half().transpose(-1, -2) / q.shape[-1] ** 0.5).to(q.dtype)
    s = s.masked_fill(~mask, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
