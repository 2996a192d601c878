# backend: numpy
# style: math
import math

def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return math.prod((4, d_model, d_head, num_heads, num_layers))
