# backend: torch
# style: adversarial
import torch

def head_updates(heads, w_o):
    d = heads.shape[-1]
    out = []
    for i, head in enumerate(heads.unbind(-3)):
        out.append(sum(head[..., c, None] * w_o[i * d + c] for c in range(d)))
    return torch.stack(out, -3)
