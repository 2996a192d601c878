# backend: torch
# style: class
import torch
from torch import nn

class Softmax(nn.Module):
    def log_softmax(self, x):
        x = x - x.max(dim=-1, keepdim=True).values
        return x - x.exp().sum(dim=-1, keepdim=True).log()

    def forward(self, x):
        return self.log_softmax(x).exp()

def softmax(x):
    return Softmax()(x)
