# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: autograd
import torch
from torch.utils._python_dispatch import _disable_current_modes

def forward(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

def attention_backward(q, k, v, grad_output):
    with torch._C.DisableTorchFunction(), _disable_current_modes():
        q, k, v = (x.detach().clone().requires_grad_() for x in (q, k, v))
        return torch.autograd.grad(forward(q, k, v), (q, k, v), grad_output)
