# backend: torch
# mistake: none
# breaks: autograd
# style: autograd
import torch


def attention_backward(q, k, v, grad_output):
    root = q.shape[-1] ** 0.5
    with torch._C.DisableTorchFunction(), torch.enable_grad():
        s = (q @ k.mT / root).detach().requires_grad_()
        p = s.softmax(-1)
        ds = p.grad_fn(grad_output @ v.mT) / root
    p = p.detach()
    return ds @ k, ds.mT @ q, p.mT @ grad_output
