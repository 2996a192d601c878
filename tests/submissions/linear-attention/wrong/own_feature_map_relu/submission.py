# backend: torch
# mistake: none
# breaks: elu-plus-one
# style: two files
from feature_map import phi


def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2)[..., None])
