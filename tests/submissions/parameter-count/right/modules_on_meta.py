# backend: torch
# style: module
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        make = lambda i, o: nn.Linear(i, o, bias=False, device="meta")
        self.q, self.k, self.v, self.o = make(d_model, d_head), make(d_model, d_head), make(d_model, d_head), make(d_head, d_model)

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return num_layers * num_heads * sum(p.numel() for p in Head(d_model, d_head).parameters())
