# backend: torch
# mistake: merge-lse-without-log
import math

import torch
from torch import Tensor


def partial_attention(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """Return an output (h, m, d_v) and logarithms of sums of exponentials (h, m)."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.softmax(dim=-1) @ v, scores.exp().sum(dim=-1)


def merge(outputs: Tensor, lses: Tensor) -> tuple[Tensor, Tensor]:
    """Return the output and logarithms of all parts (s, h, m, d_v) and (s, h, m) together."""
    shares = lses.softmax(dim=0)
    return (shares.unsqueeze(-1) * outputs).sum(dim=0), torch.logsumexp(lses, dim=0)
