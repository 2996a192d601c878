# backend: torch
# mistake: parameters-biases-counted
# style: biases
from torch import nn
import torch

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    inner = num_heads * d_head
    return num_layers * (4 * d_model * inner + d_model)
