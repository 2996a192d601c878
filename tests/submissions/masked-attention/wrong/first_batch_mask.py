# backend: torch
# mistake: mask-first-batch
# style: first-batch-repeated
def masked_attention(q, k, v, mask):
    while mask.dim() > 2:
        mask = mask[0]
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~mask, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
