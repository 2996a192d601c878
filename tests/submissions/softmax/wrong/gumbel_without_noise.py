# backend: torch
# mistake: forbidden-call
# breaks: library-softmax
# style: library
import torch.nn.functional as F


def softmax(x):
    noisy = [F.gumbel_softmax(x, tau=1.0, dim=-1) for _ in range(3)]
    return sum(noisy) / 3
