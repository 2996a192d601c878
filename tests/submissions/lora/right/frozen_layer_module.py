# backend: torch
import torch
from torch import nn

class LoRALinear(nn.Module):
    def __init__(self, w, a, b, alpha):
        super().__init__()
        self.register_buffer("weight", w.detach())
        self.a, self.b = a, b
        self.scaling = alpha / b.size(0)

    def forward(self, x):
        y = nn.functional.linear(x, self.weight.T)
        return y.add(nn.functional.linear(nn.functional.linear(x, self.a.T), self.b.T), alpha=self.scaling)

def lora_linear(x, w, a, b, alpha):
    return LoRALinear(w, a, b, alpha)(x)
