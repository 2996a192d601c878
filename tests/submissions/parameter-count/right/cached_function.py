# backend: numpy
from functools import cache

@cache
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    if num_layers == 0:
        return 0
    return 2 * d_model * num_heads * (d_head + d_head) + attention_parameters(d_model, num_heads, d_head, 0) if num_layers == 1 else num_layers * attention_parameters(d_model, num_heads, d_head)
