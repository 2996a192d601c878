# backend: torch
# mistake: precision-lost
# style: root-as-tensor
import torch

def attention(q, k, v):
    s = q @ k.mT / torch.sqrt(torch.tensor(q.shape[-1]))
    return torch.softmax(s.float(), -1).to(v.dtype) @ v
