# backend: torch
# mistake: none
# Adds 1 in place to the result of elu, which backward needs: the values are right, but backward raises. (Written as a right one; the grader showed that it is not.)
import torch
from torch.nn import functional as F

def linear_attention(q, k, v):
    q = F.elu(q.clone(), inplace=True).add_(1)
    k = F.elu(k.clone(), inplace=True).add_(1)
    wide = torch.cat([v, v.new_ones(*v.shape[:-1], 1)], dim=-1)
    both = q @ (k.mT @ wide)
    return both[..., :-1] / both[..., -1:]
