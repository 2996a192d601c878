# backend: torch
# style: meta-tensors
import torch

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    make = lambda *shape: torch.empty(shape, device="meta")
    head = [make(d_model, d_head), make(d_model, d_head), make(d_model, d_head), make(d_head, d_model)]
    return sum(t.numel() for t in head) * num_heads * num_layers
