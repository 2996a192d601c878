# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: torch.func
import torch


def forward(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v


def attention_backward(q, k, v, grad_output):
    inputs = (q, k, v)
    grads = []
    for place, each in enumerate(inputs):
        jacobian = torch.func.jacrev(forward, argnums=place)(*inputs)
        axes = grad_output.ndim
        grads.append(torch.tensordot(grad_output, jacobian, axes))
    return tuple(grads)
