# backend: torch
# style: matrix
import torch

def grouped_query_attention(q, k, v):
    # who uses whom, as a matrix of zeros and ones
    h, hk = q.shape[1], k.shape[1]
    owns = torch.eye(hk, dtype=k.dtype).repeat_interleave(h // hk, 0)
    k, v = (torch.einsum("hg,bgnd->bhnd", owns, t) for t in (k, v))
    return torch.softmax(torch.einsum("bhmd,bhnd->bhmn", q, k) / q.shape[-1] ** 0.5, -1) @ v
