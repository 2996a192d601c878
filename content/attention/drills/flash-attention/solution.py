# backend: torch
import math

import torch
from torch import Tensor


def scores_of(q: Tensor, keys: Tensor) -> Tensor:
    """The scaled scores of one block: (..., m, d) and (..., block, d) to (..., m, block)."""
    return q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])


def take_in(
    top: Tensor, total: Tensor, mixed: Tensor, scores: Tensor, values: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The largest score, the sum and the weighted sum of values with one block more.

    top, total: (..., m, 1)    mixed: (..., m, d_v)    scores: (..., m, block)
    values: (..., block, d_v)    returns top, total and mixed as they are then
    """
    new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
    exponentials = torch.exp(scores - new_top)
    shrink = torch.exp(top - new_top)  # 0 for the first block: exp(-inf)
    total = total * shrink + exponentials.sum(dim=-1, keepdim=True)
    return new_top, total, mixed * shrink + exponentials @ values


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block_size: int) -> Tensor:
    """Exact attention, one block of keys at a time, by the online softmax."""
    top = torch.full_like(q[..., :1], -math.inf)  # (..., m, 1): the largest score so far
    total = torch.zeros_like(top)  # (..., m, 1): the sum of exponentials so far
    mixed = torch.zeros_like(top)  # broadcasts to (..., m, d_v)
    for start in range(0, k.shape[-2], block_size):
        block = slice(start, start + block_size)
        scores = scores_of(q, k[..., block, :])
        top, total, mixed = take_in(top, total, mixed, scores, v[..., block, :])
    return mixed / total
