# backend: numpy
# style: numpy
import numpy as np

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    sizes = np.array([[d_model, d_head]] * 3 + [[d_head, d_model]], dtype=object)
    return int(np.multiply.reduce(sizes, axis=1).sum() * num_heads * num_layers)
