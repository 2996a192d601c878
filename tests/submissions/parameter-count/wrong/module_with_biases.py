# backend: torch
# mistake: parameters-biases-counted
# style: module
import torch
from torch import nn

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    with torch.device("meta"):
        inner = num_heads * d_head
        layers = [nn.Linear(d_model, inner), nn.Linear(d_model, inner), nn.Linear(d_model, inner), nn.Linear(inner, d_model)]
    return num_layers * sum(p.numel() for l in layers for p in l.parameters())
