# backend: torch
# mistake: not-deterministic
# A module in training mode drops a tenth of the weights at random.
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, p=0.1):
        super().__init__()
        self.dropout = nn.Dropout(p)

    def forward(self, q, k, v):
        s = torch.matmul(q, k.transpose(-2, -1)) / q.size(-1) ** 0.5
        return torch.matmul(self.dropout(s.softmax(dim=-1)), v)

attention = Attention()
