# backend: torch
# mistake: none
# style: mean
def linear_attention(q, k, v):
    return v.mean(-2, keepdim=True).expand(*q.shape[:-1], -1)
