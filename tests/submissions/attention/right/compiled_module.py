# backend: torch
import math

import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, q, k, v):
        scores = torch.einsum("...id,...jd->...ij", q, k).div(math.sqrt(q.shape[-1]))
        return torch.einsum("...ij,...jc->...ic", nn.Softmax(dim=-1)(scores), v)


_attend = torch.compile(Attention())


def attention(q, k, v):
    return _attend(q=q, k=k, v=v)
