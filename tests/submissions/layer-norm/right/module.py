# backend: torch
# style: a module of one's own
from torch import nn


class Norm(nn.Module):
    def __init__(self, gain, bias, eps):
        super().__init__()
        self.gain, self.bias, self.eps = gain, bias, eps

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return x / (x.square().mean(-1, keepdim=True) + self.eps).sqrt() * self.gain + self.bias


def layer_norm(x, gain, bias, eps=1e-5):
    return Norm(gain, bias, eps)(x)
