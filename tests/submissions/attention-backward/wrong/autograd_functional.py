# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: autograd.functional
import math

import torch
from torch.autograd.functional import vjp


def attention_backward(q, k, v, grad_output):
    def forward(q, k, v):
        return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1) @ v

    return vjp(forward, (q, k, v), grad_output)[1]
