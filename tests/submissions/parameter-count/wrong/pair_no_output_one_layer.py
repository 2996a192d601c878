# backend: numpy
# mistake: parameters-output-missing, parameters-layers-ignored
# style: formula
def attention_parameters(d_model, num_heads, d_head, num_layers=1):
    return 3 * d_model * d_head * num_heads
