# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: autograd
import torch


def forward(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

def attention_backward(q, k, v, grad_output):
    out = []
    for i, x in enumerate((q, k, v)):
        given = [q, k, v]
        def of(one):
            return forward(*given[:i], one, *given[i + 1:])
        jacobian = torch.func.jacfwd(of)(x)
        out.append(torch.tensordot(grad_output, jacobian, grad_output.ndim))
    return tuple(out)
