# backend: torch
# style: namedtuple
from typing import NamedTuple
import torch
from torch import Tensor

class Gradients(NamedTuple):
    dq: Tensor
    dk: Tensor
    dv: Tensor

def attention_backward(q, k, v, grad_output):
    c = q.shape[-1] ** -0.5
    p = torch.einsum("...ax,...bx->...ab", q, k).mul(c).softmax(-1)
    g = torch.einsum("...ay,...by->...ab", grad_output, v)
    s = (g - torch.einsum("...ab,...ab->...a", p, g)[..., None]) * p * c
    return Gradients(torch.einsum("...ab,...bx->...ax", s, k), torch.einsum("...ab,...ax->...bx", s, q), torch.einsum("...ab,...ay->...by", p, grad_output))
