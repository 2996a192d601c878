# backend: torch
# mistake: min-p-hidden-by-zero
# breaks: exact-zeros
import math

import torch
from torch import Tensor


def min_p(logits: Tensor, p: float) -> Tensor:
    """Return probabilities, 0 for tokens below p times the largest: (..., v)."""
    below = logits < logits.amax(dim=-1, keepdim=True) + math.log(p)
    return logits.masked_fill(below, 0.0).softmax(dim=-1)


def repetition_penalty(logits: Tensor, tokens: Tensor, penalty: float) -> Tensor:
    """Make the tokens of a text less likely: (v,) to (v,)."""
    weaker = torch.where(logits > 0, logits / penalty, logits * penalty)
    occurred = torch.zeros_like(logits, dtype=torch.bool)
    occurred[tokens] = True
    return torch.where(occurred, weaker, logits)
