# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: autograd
import torch

def attention_backward(q, k, v, grad_output):
    with torch.enable_grad():
        a, b, c = (x.detach().requires_grad_() for x in (q, k, v))
        out = (a @ b.mT / a.shape[-1] ** 0.5).softmax(-1) @ c
        return torch.autograd.grad(out, (a, b, c), grad_output)
