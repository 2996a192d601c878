# backend: torch
# mistake: softmax-dropped
# style: mean
def attention(q, k, v):
    mean = v.mean(dim=-2, keepdim=True)
    return mean.expand(*q.shape[:-1], v.shape[-1]) + 0 * q.sum()
