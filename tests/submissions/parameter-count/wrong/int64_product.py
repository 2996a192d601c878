# backend: numpy
# mistake: none
# style: dtype
import numpy as np

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return int(np.prod([4, d_model, num_heads, d_head, num_layers], dtype=np.int64))
