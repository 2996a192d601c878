# backend: torch
# mistake: linear-quadratic, linear-feature-map-missing
# style: matmul
def linear_attention(q, k, v):
    a = q @ k.mT
    return (a / a.sum(-1, keepdim=True)) @ v
