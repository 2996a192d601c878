# backend: torch
# mistake: input-mutated
# style: in-place
def masked_attention(q, k, v, mask):
    mask.logical_not_()
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(mask, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
