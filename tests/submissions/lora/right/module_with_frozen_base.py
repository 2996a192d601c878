# backend: torch
# style: module
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.linear = nn.Linear(w.shape[0], w.shape[1], bias=False, dtype=w.dtype)
        with torch.no_grad():
            self.linear.weight.copy_(w.T)
        self.requires_grad_(False)

    def forward(self, x):
        return self.linear(x)


def lora_linear(x, w, a, b, alpha):
    return Base(w)(x) + (alpha / a.size(1)) * (x @ a @ b)
