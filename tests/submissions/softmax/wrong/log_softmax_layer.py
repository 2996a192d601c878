# backend: torch
# mistake: forbidden-call
# breaks: library-softmax
# style: module
import torch
from torch import nn


class Softmax(nn.Module):
    def __init__(self):
        super().__init__()
        self.log = nn.LogSoftmax(dim=-1)

    def forward(self, x):
        return torch.exp(self.log(x))


softmax = Softmax()
