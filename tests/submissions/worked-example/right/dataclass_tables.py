# backend: torch
from dataclasses import astuple, dataclass, fields

import torch


@dataclass
class Tables:
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    scores: torch.Tensor
    weights: torch.Tensor
    output: torch.Tensor


def trace_head(x, w_q, w_k, w_v):
    q, k, v = (torch.nn.functional.linear(x, w.t()) for w in (w_q, w_k, w_v))
    scores = torch.addmm(torch.zeros((), dtype=q.dtype, device=q.device), q, k.t())
    weights = torch.nn.functional.softmax(scores.div(q.size(1) ** 0.5), dim=1)
    tables = Tables(q, k, v, scores, weights, torch.mm(weights, v))
    return tuple(getattr(tables, field.name) for field in fields(tables))
