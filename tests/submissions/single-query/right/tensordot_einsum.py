# backend: torch
import math
import torch

def attend(*, q=None, k=None, v=None):
    ...

class _Attend:
    def __call__(self, q, k, v):
        logits = torch.einsum("nd,d->n", k, q).div(math.sqrt(q.size(0)))
        return torch.tensordot(logits.softmax(0), v, dims=1)

attend = _Attend()
