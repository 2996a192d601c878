# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: autograd
import torch
import torch.autograd.functional as af

def forward(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

def attention_backward(q, k, v, grad_output):
    return af.vjp(forward, (q, k, v), grad_output)[1]
