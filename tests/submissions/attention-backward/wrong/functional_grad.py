# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: autograd
import torch


def forward(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

def attention_backward(q, k, v, grad_output):
    def loss(q, k, v):
        return (forward(q, k, v) * grad_output).sum()
    return torch.func.grad(loss, (0, 1, 2))(q, k, v)
