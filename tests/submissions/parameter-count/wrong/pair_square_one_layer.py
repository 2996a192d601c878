# backend: numpy
# mistake: parameters-full-value-matrix, parameters-layers-ignored
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return num_heads * (2 * d_model * d_head + d_model * d_model)
