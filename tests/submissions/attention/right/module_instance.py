# backend: torch
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.normalise = nn.Softmax(dim=-1)

    def forward(self, q, k, v):
        scores = torch.einsum("...md,...nd->...mn", q * q.size(-1) ** -0.5, k)
        return torch.einsum("...mn,...nv->...mv", self.normalise(scores), v)

attention = Attention()
