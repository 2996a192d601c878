# backend: torch
# mistake: scores-from-distances
# style: library
from torch.nn import functional


def dot_product(a, b):
    return functional.cosine_similarity(a[None], b, dim=-1, eps=0.0)
