# backend: torch
# mistake: forbidden-call
# style: autograd
import torch


def forward(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

def attention_backward(q, k, v, grad_output):
    jacobians = torch.func.jacrev(forward, (0, 1, 2))(q, k, v)
    return tuple(torch.tensordot(grad_output, each, grad_output.ndim) for each in jacobians)
