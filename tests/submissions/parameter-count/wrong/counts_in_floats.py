# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def attention_parameters(d_model,num_heads,d_head,num_layers=1):
    return int(4.0*d_model*d_head*num_heads*num_layers)
