# backend: torch
# mistake: mask-first-batch
# style: trim
def padded_attention(q, k, v, lengths):
    if len(lengths) == 0 or lengths[0] == 0:
        return q.new_zeros(*q.shape[:2], v.shape[-1])
    n = int(lengths[0])
    return (q @ k[:, :n].transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v[:, :n]
