# backend: torch
# mistake: forbidden-call
# breaks: library-softmax
# style: library
import torch
import torch.nn.functional as F

def softmax(x):
    return F.softmax(x, dim=-1)
