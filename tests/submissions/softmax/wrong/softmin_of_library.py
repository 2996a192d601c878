# backend: torch
# mistake: forbidden-call
# breaks: library-softmax
# style: adversarial
import torch

def softmax(x):
    return torch.nn.functional.softmin(x.neg(), dim=-1)
