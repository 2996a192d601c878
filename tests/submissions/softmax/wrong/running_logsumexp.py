# backend: torch
# mistake: forbidden-call
# style: library
import torch
import torch.nn.functional as F

def softmax(x):
    return (x - torch.logcumsumexp(x, -1)[..., -1:]).exp()
