# backend: torch
# mistake: forbidden-call
# style: autograd
import torch


def forward(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

def attention_backward(q, k, v, grad_output):
    out = []
    for i, x in enumerate((q, k, v)):
        got = torch.zeros_like(x)
        for j in range(x.numel()):
            tangents = [torch.zeros_like(y) for y in (q, k, v)]
            tangents[i].view(-1)[j] = 1
            moved = torch.func.jvp(forward, (q, k, v), tuple(tangents))[1]
            got.view(-1)[j] = (moved * grad_output).sum()
        out.append(got)
    return tuple(out)
