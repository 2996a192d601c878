# backend: torch
from math import prod

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    shapes = [(d_model, d_head)] * 3 + [(d_head, d_model)]
    return sum(prod(s) for s in shapes for _ in range(num_heads)) * num_layers
