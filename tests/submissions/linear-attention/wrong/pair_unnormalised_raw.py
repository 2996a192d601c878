# backend: torch
# mistake: linear-normaliser-missing, linear-feature-map-missing
# style: matmul
def linear_attention(q, k, v):
    return q @ (k.transpose(-1, -2) @ v)
