# backend: torch
# mistake: none
# style: adversarial
import torch

def softmax(x):
    w = torch.softmax(x, -1)
    far = x.amax(-1, keepdim=True) - x.amin(-1, keepdim=True) > 500
    hard = torch.nn.functional.one_hot(x.argmax(-1), x.shape[-1]).to(x.dtype)
    return torch.where(far, hard, w)
